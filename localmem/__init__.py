"""localmem: what your assistants remember about you, in your own hands.

    import localmem

    with localmem.open() as memory:
        memory.add("Orders before 2pm ship the same day.")

Importing the package loads nothing else, so that `localmem --version` answers at once; the names
of the Python interface (docs/python.md) load theirs when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from localmem.errors import LocalmemError as LocalmemError
    from localmem.errors import MemoryScopeError as MemoryScopeError
    from localmem.memory import Collection as Collection
    from localmem.memory import Document as Document
    from localmem.memory import Fact as Fact
    from localmem.memory import Hit as Hit
    from localmem.memory import Memory as Memory
    from localmem.memory import Page as Page
    from localmem.memory import create_local_context as create_local_context
    from localmem.memory import open as open

__version__ = "0.1.0"

_HOMES = {
    "LocalmemError": "errors",
    "MemoryScopeError": "errors",
    "Collection": "memory",
    "Document": "memory",
    "Fact": "memory",
    "Hit": "memory",
    "Memory": "memory",
    "Page": "memory",
    "create_local_context": "memory",
    "open": "memory",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'localmem' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"localmem.{_HOMES[name]}"), name)
