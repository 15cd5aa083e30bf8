"""Turns a plain library into an encrypted one and back, by writing it anew under the other key.

Refuses to put a copy in the library's place that does not hold what the library holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import cast

import apsw

from localmem.errors import StoreDamaged
from localmem.store import cipher, connect, swap

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"


@contextmanager
def converting(file: Path, *, old: bytes | None, new: bytes | None) -> Iterator[Callable[[], None]]:
    """The library written anew under `new` (None: in the clear) and checked.

    It takes the library's place when what is given is called, and not before; a plain one that
    was replaced is overwritten then. Raises StoreBusy, StoreLocked, StoreDamaged, StoreFull and
    others; then all is as it was.
    """
    with ExitStack() as taken:
        with swap.explained(file):
            if old is None:
                taken.enter_context(swap.blanked(file))
            connection = taken.enter_context(swap.alone(file, old))
            copy = taken.enter_context(swap.fresh(file))
            _write(connection, copy, file, new)
        yield lambda: _finish(connection, copy, file)


def _write(connection: apsw.Connection, copy: Path, file: Path, key: bytes | None) -> None:
    with connect.translated(str(file), writing=True):
        cipher.copy_into(connection, copy, key)
        same = _held(connection) == held(copy, key)
    if not same:
        raise StoreDamaged(
            f"The new copy of {file} does not hold the same, so nothing was changed.",
            hint="Check the library with `localmem doctor`, and keep a backup.",
        )


def _finish(connection: apsw.Connection, copy: Path, file: Path) -> None:
    with swap.explained(file):
        swap.replace(connection, copy, file)


def has_other_names(file: Path) -> bool:
    """Whether the file's bytes have a second name, which no replacing reaches."""
    return file.stat().st_nlink > 1


def held(file: Path, key: bytes | None) -> dict[str, int]:
    """How many rows each table of a file has. Raises StoreDamaged when it is not sound."""
    connection = connect.looking(file, key)
    try:
        if connection.pragma("integrity_check") != "ok":
            raise connect.damaged(str(file))
        return _held(connection)
    finally:
        connection.close()


def _held(connection: apsw.Connection) -> dict[str, int]:
    names = [str(name) for (name,) in connection.execute(_TABLES).fetchall()]
    return {
        name: cast(int, connection.execute(f'SELECT count(*) FROM "{name}"').get) for name in names
    }
