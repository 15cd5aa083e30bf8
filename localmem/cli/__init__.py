"""The command line: stdout is data, stderr is narration, exit codes are documented.

Every command imports its own world: reading words loads no model, no numpy and no interface.
"""
