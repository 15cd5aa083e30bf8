"""Puts a new file in the library's place: alone with it, whole or not at all.

The new one is written beside it and kept by the disk before its name changes, so that a crash at
any moment leaves the old library or the new one, whole, and at most a file that the next start
clears away. Refuses while another program has the library open: it would go on with the old file.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from localmem.errors import StoreBusy, StoreFull, StoreUnavailable
from localmem.store import connect, folder
from localmem.store.session import BUSY_MILLISECONDS

PATIENCE_MILLISECONDS = 2_000
"""How long a command that is about to end may keep the library from us."""
_LEFT = "-new"
_ATTEMPTS = 5
_LOCK_BYTES = (512, 0x4000_0000)
"""Where SQLite locks a database file: length and first byte."""


def beside(file: Path) -> Path:
    """Where the new file is written; only whoever is alone with the library touches it."""
    return file.with_name(file.name + _LEFT)


@contextmanager
def alone(file: Path, key: bytes | None) -> Iterator[apsw.Connection]:
    """A connection that nobody shares the library with; everything is in its main file then.

    Raises StoreBusy while another program has it open, StoreLocked, StoreDamaged and others.
    """
    with connect.translated(str(file)):
        connection = _alone(file, key)
    try:
        yield connection
    finally:
        connection.close()


def _alone(file: Path, key: bytes | None) -> apsw.Connection:
    for _ in range(_ATTEMPTS):
        before = folder.identity(file)
        connection = apsw.Connection(
            str(file), flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
        )
        try:
            _take(connection, file, key)
        except BaseException:
            connection.close()
            raise
        if before == folder.identity(file):
            return connection
        connection.close()
    raise busy(file)


def _take(connection: apsw.Connection, file: Path, key: bytes | None) -> None:
    connection.set_busy_timeout(PATIENCE_MILLISECONDS)
    if key is not None:
        connect.unlock(connection, key, str(file))
    try:
        connection.pragma("locking_mode", "EXCLUSIVE")
        # Leaving the write-ahead log asks for every other connection to be gone, idle ones too.
        connection.pragma("journal_mode", "DELETE")
        connection.execute("BEGIN EXCLUSIVE; COMMIT")
    except (apsw.BusyError, apsw.LockedError) as problem:
        raise busy(file) from problem
    # Nothing is written to it any more; a journal on disk could be mistaken for the new file's.
    connection.pragma("journal_mode", "MEMORY")
    Path(f"{file}-journal").unlink(missing_ok=True)


@contextmanager
def alone_unread(file: Path) -> Iterator[int]:
    """The same for a library that cannot be read: its descriptor, under SQLite's own locks.

    The descriptor must stay the only one of the file: closing another drops the lock. Raises
    StoreBusy.
    """
    descriptor = os.open(file, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, *_LOCK_BYTES)
            except OSError as problem:
                raise busy(file) from problem
        yield descriptor
    finally:
        os.close(descriptor)


def busy(file: Path) -> StoreBusy:
    return StoreBusy(
        f"Another program has {file} open, so nothing was done.",
        hint="Close the app and what else uses your memories (`localmem doctor` names them), then "
        "try again.",
    )


@contextmanager
def fresh(file: Path) -> Iterator[Path]:
    """An empty private file beside the library, gone afterwards unless it took its place."""
    new = beside(file)
    clear(new)
    folder.make_private_file(new)
    try:
        yield new
    finally:
        clear(new)


def clear(file: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)


def erase(file: Path) -> None:
    """Remove a library that nobody has open, every file of it overwritten. Raises OSError.

    What the disk itself keeps of overwritten blocks is out of reach.
    """
    for suffix in ("", "-journal", "-wal", "-shm"):
        part = Path(f"{file}{suffix}")
        if part.exists():
            with blanked(part):
                part.unlink()


def replace(connection: apsw.Connection | None, new: Path, file: Path) -> None:
    """Let `new` take the place of `file`, which `connection` is alone with. Raises OSError."""
    folder.sync(new)
    if os.name == "nt" and connection is not None:
        connection.close()  # Windows renames nothing over a file that is open
    os.replace(new, file)
    with suppress(OSError):  # it is done; not every file system can be asked to keep a name
        folder.sync(file.parent)


@contextmanager
def blanked(file: Path) -> Iterator[None]:
    """Afterwards, overwrite the file that lay at `file`, when it no longer does.

    What the disk itself keeps of overwritten blocks is out of reach. A file that has another name
    as well is somebody's copy, and left. Not on Windows, where an open file cannot be replaced.
    """
    if os.name == "nt":
        yield
        return
    descriptor = os.open(file, os.O_RDWR)
    before = os.fstat(descriptor)
    try:
        yield
        if folder.identity(file) != (before.st_dev, before.st_ino):
            with suppress(OSError):  # the new file is in its place whatever becomes of the old
                _blank(descriptor)
    finally:
        os.close(descriptor)


def _blank(descriptor: int) -> None:
    found = os.fstat(descriptor)
    if found.st_nlink:
        return
    piece = bytes(1 << 20)
    left = found.st_size
    while left > 0:
        left -= os.write(descriptor, piece[: min(left, len(piece))])
    os.fsync(descriptor)


@contextmanager
def explained(file: Path) -> Iterator[None]:
    """Turn what the operating system refuses into a sentence. Raises StoreFull, StoreUnavailable.

    Only around what happens before the swap, or the swap itself: nothing was changed then.
    """
    try:
        yield
    except OSError as problem:
        if problem.errno == errno.ENOSPC:
            raise StoreFull(
                "The disk has no room for a second copy of the library.",
                hint="Free some space and try again; nothing was changed.",
            ) from problem
        raise StoreUnavailable(
            f"{file} cannot be replaced: {problem.strerror or problem}.",
            hint="Check the folder's permissions; nothing was changed.",
        ) from problem


def clear_leftover(connection: apsw.Connection, file: Path) -> None:
    """Remove what a process that was killed while it wrote a new file has left beside this one.

    Under the write lock, which nobody has who is alone with the library. A journal that SQLite
    had use for was read and removed when `connection` first looked at the file; what lies there
    beside a write-ahead log was begun by `_take` and never needed.
    """
    new, journal = beside(file), Path(f"{file}-journal")
    if not (new.exists() or journal.exists()):
        return
    connection.set_busy_timeout(0)
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            clear(new)
            if connection.pragma("journal_mode") == "wal":
                journal.unlink(missing_ok=True)
        finally:
            connection.execute("ROLLBACK")
    except (apsw.BusyError, apsw.ReadOnlyError, OSError):
        return  # the next start tries again
    finally:
        connection.set_busy_timeout(BUSY_MILLISECONDS)
