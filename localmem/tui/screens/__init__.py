"""What a person works on. A screen awaits the bridge and hands values to its widgets."""
