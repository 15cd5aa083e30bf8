"""A file of memories being read: what it was taken for, how far it is, and what it offers.

Opening looks at the first bytes alone; the rest is read while it is asked for, so that a file of
any size costs the memory of its longest element. Judges nothing but the shape: what is kept is
the engine's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from localmem.core.incoming import Line


@dataclass(slots=True, eq=False)
class Source:
    """Iterate it once; close it, or use it in `with`."""

    format: str
    """Its name, as `--from` takes it."""
    title: str
    """What it was taken for, for people: "a ChatGPT export"."""
    name: str
    """The file's name as it may be shown; "standard input" for a pipe."""
    fingerprint: str
    """The same for the same file: size, time and first 64 KB; "" for a pipe."""
    total: int | None
    """Bytes to read; None where nobody knows."""
    author: str
    """The assistant that its memories come from; "" is the person."""
    notes: list[str] = field(default_factory=list)
    """Sentences to show beside the report; grows while reading."""
    _read: Callable[[], int] = lambda: 0
    _values: Callable[[], Iterator[Line]] = lambda: iter(())
    _close: Callable[[], None] = lambda: None
    _halt: Callable[[], None] = lambda: None

    @property
    def read_bytes(self) -> int:
        """Bytes read so far, of `total`."""
        return self._read()

    def __iter__(self) -> Iterator[Line]:
        """Raises ImportUnreadable when the file turns out broken as a whole, on the way."""
        return self._values()

    def halt(self) -> None:
        """Stop reading, from whatever thread: whoever iterates gets Cancelled."""
        self._halt()

    def close(self) -> None:
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()
