"""localmem's own export, a JSON object a line: everything that is kept, as it is kept.

The first line says what the file is. Refuses a file of a newer format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from localmem.core.incoming import Definition, Line, Standing, Whole


def is_ours(first_line: str) -> bool:
    """Whether a file that begins so is an export of localmem, of any version."""
    raise NotImplementedError


def read(lines: Iterable[tuple[int, str]]) -> Iterator[Line]:
    """What the lines offer; a line that says nothing is Unreadable.

    Raises ImportUnreadable for a format newer than this one.
    """
    raise NotImplementedError


def write(values: Iterable[Definition | Standing | Whole], *, history: bool) -> Iterator[str]:
    """The lines of an export, each with its line break; the first says what follows."""
    raise NotImplementedError
