"""Handing out what is kept, as values a writer of files turns into lines.

One snapshot, in pages: memory stays flat whatever the size of the library. Leaves expired items
out, and everything that is not the person's: vectors, indexes, logs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from localmem.core.incoming import Definition, Standing, Whole
from localmem.core.model import Kind
from localmem.core.scope import Scope
from localmem.engine.context import Context


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to hand out; None and "" do not restrict."""

    scope: Scope | None = None
    kind: Kind | None = None
    collection: str = ""
    history: bool = False
    """Every version, not the current one alone."""


@dataclass(frozen=True, slots=True)
class Exports:
    context: Context

    def count(self, wanted: Wanted) -> int:
        """How many items `all` hands out."""
        raise NotImplementedError

    def all(self, wanted: Wanted) -> Iterator[Definition | Standing | Whole]:
        """Collections by name, preference keys that were forgotten once, items by id.

        Holds one read transaction until it is exhausted or closed.
        """
        raise NotImplementedError
