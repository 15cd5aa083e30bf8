"""What a sync remembers (`core/replica.py`, Tables), in the tables of the library itself.

One transaction holds what the person sees and what is known of the server, so a crash leaves both
or neither. Every row is one account's; content stands in columns of its own, which `erase.py`
empties when what it is of is forgotten.
"""
