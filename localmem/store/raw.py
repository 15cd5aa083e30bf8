"""The bytes of a library's files, read while connections are open on them.

Why not `open`: POSIX drops every lock a process holds on a file as soon as the process closes any
descriptor of it, SQLite's locks too. Another process would then take itself for the only one,
fold up the write-ahead log and delete it under us. SQLite's own file layer puts such a close off
until its locks are gone. Refuses the shared-memory file, which it does not look after: that one
holds page numbers and locks, never content.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw

PIECE = 1 << 20
"""Bytes read at a time."""
_FLAGS = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY


def beginning(file: Path, length: int) -> bytes:
    """The first `length` bytes, fewer where there are no more. Raises OSError, apsw.Error."""
    with _opened(file) as opened:
        return opened.xRead(min(length, file.stat().st_size), 0)


def count(file: Path, needles: Sequence[bytes]) -> int:
    """How often the needles stand in the file. Raises OSError, apsw.Error."""
    overlap = max(map(len, needles), default=1) - 1
    found, tail = 0, b""
    for piece in pieces(file):
        # What ends in the tail was counted with the piece before.
        found += sum((tail + piece).count(each) - tail.count(each) for each in needles)
        tail = (tail + piece)[-overlap:] if overlap else b""
    return found


def pieces(file: Path) -> Iterator[bytes]:
    """All bytes of the file, in pieces. Raises OSError, apsw.Error."""
    with _opened(file) as opened:
        size = file.stat().st_size
        for at in range(0, size, PIECE):
            yield opened.xRead(min(PIECE, size - at), at)


@contextmanager
def _opened(file: Path) -> Iterator[apsw.VFSFile]:
    if file.name.endswith("-shm"):
        raise ValueError("the shared-memory file is not read")
    system = apsw.vfs_names()[0].removeprefix("multipleciphers-")
    opened = apsw.VFSFile(system, str(file), [_FLAGS, 0])
    try:
        yield opened
    finally:
        opened.xClose()
