"""One module for each shape a memory comes in; what they offer is judged elsewhere."""
