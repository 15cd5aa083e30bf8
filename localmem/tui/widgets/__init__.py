"""What is on a screen. Widgets take values and post messages; none of them knows the engine."""
