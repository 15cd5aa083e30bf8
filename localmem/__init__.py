"""localmem: what your assistants remember about you, in your own hands.

Importing the package loads nothing else, so that `localmem --version` answers at once.
"""

__version__ = "0.1.0"
