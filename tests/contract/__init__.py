"""What every implementation of a Protocol promises, run against each of them."""
