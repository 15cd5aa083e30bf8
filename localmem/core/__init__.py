"""The memory rules: pure functions and frozen values.

Refuses all I/O: no clock, environment, randomness, SQL, pydantic, httpx or textual. Whatever a rule
needs from outside arrives as an argument or through `core.ports`.
"""
