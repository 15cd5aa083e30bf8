"""The shapes that cross the rim: JSON of the command line, the server and agents.

`shapes` only writes and needs nothing but the standard library, so that reading on the command
line stays fast; what comes in from outside is validated by pydantic, once, in the other modules.
"""
