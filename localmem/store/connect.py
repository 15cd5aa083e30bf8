"""Opens a library file: driver, settings, extension, permissions; turns SQLite's errors into ours.

Refuses to go on with a file it does not understand, and never repairs, renames or removes one.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from localmem.errors import (
    Cancelled,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)
from localmem.store import folder, raw, schema
from localmem.store.session import BUSY_MILLISECONDS

MEMORY = ":memory:"
HEADER_BYTES = 100


@dataclass(frozen=True, slots=True)
class Opened:
    connection: apsw.Connection
    path: str
    """Resolved; ":memory:" keeps nothing."""
    read_only: bool
    vectors: bool
    """False when sqlite-vec could not be loaded: words still work."""
    notes: tuple[str, ...]
    """Sentences a person should see: a cloud folder, a missing extension."""


def open_library(path: Path | str, *, allow_network: bool = False, vectors: bool = True) -> Opened:
    """Open or create the library at `path` (":memory:" for one that keeps nothing).

    Raises StoreUnavailable, StoreReadOnly, StoreDamaged, StoreNewer, StoreBusy, StoreFull.
    """
    if path == MEMORY:
        return _open(MEMORY, read_only=False, want_vectors=vectors, notes=(), journal="MEMORY")
    file = Path(path).expanduser().resolve()
    network = folder.network_filesystem(file.parent, folder.mounts())
    if network and not allow_network:
        raise StoreUnavailable(
            f"{file.parent} is a network folder ({network}), where file locks cannot be trusted.",
            hint="Set LOCALMEM_HOME to a folder on this machine's own disk, or set "
            "LOCALMEM_ALLOW_NETWORK=1 if only one machine ever uses it.",
        )
    _look(file)
    read_only = _prepare(file)
    return _open(
        str(file),
        read_only=read_only,
        want_vectors=vectors,
        notes=_folder_notes(file.parent),
        journal="DELETE" if network else "WAL",
    )


def _look(file: Path) -> None:
    """Refuse a file that is no library, or a newer one, before anything of it is touched.

    With a write-ahead log beside it the header may be behind; then opening it changes nothing.
    """
    try:
        header = raw.beginning(file, HEADER_BYTES) if file.is_file() else b""
    except (OSError, apsw.Error):
        return  # what is missing or cannot be read is _prepare's to say
    if not header:
        return
    if len(header) < HEADER_BYTES or not header.startswith(b"SQLite format 3\0"):
        raise _damaged(str(file))
    tables, version, application = (
        int.from_bytes(header[at : at + 4], "big", signed=True) for at in (40, 60, 68)
    )
    if tables and not Path(f"{file}-wal").exists():
        schema.check(application, version)


def _prepare(file: Path) -> bool:
    """Make the file and its folder private; True when they can only be read."""
    try:
        folder.make_private(file.parent)
        folder.make_private_file(file)
        return not os.access(file.parent, os.W_OK)
    except FileNotFoundError as problem:
        raise StoreUnavailable(
            f"{file} cannot be created: {problem.strerror}.", hint="Choose another LOCALMEM_HOME."
        ) from problem
    except OSError as problem:
        if file.is_file() and os.access(file, os.R_OK):
            return True
        if file.is_dir():
            raise StoreUnavailable(
                f"{file} is a folder, not a library.", hint="Choose another LOCALMEM_HOME."
            ) from problem
        raise StoreUnavailable(
            f"{file} cannot be opened: {problem.strerror or problem}.",
            hint="Check the folder's permissions and free space, or set LOCALMEM_HOME to another "
            "folder.",
        ) from problem


def _folder_notes(parent: Path) -> tuple[str, ...]:
    cloud = folder.cloud_service(parent)
    if cloud is None:
        return ()
    return (
        f"The library lies in {cloud}, which copies files while they change: a copy can be broken. "
        "Use `localmem backup FILE` for copies.",
    )


def _open(
    path: str, *, read_only: bool, want_vectors: bool, notes: tuple[str, ...], journal: str
) -> Opened:
    with translated(path):
        connection = _connection(path, read_only)
        loaded = want_vectors and _load_vectors(connection)
        _settings(connection, read_only, journal)
        schema.migrate(connection, read_only=read_only)
    if want_vectors and not loaded:
        notes = (*notes, "Search by meaning is off: sqlite-vec cannot be loaded on this machine. "
                 "Search by words works.")  # fmt: skip
    return Opened(connection, path, read_only, loaded, notes)


def _connection(path: str, read_only: bool) -> apsw.Connection:
    if not read_only:
        connection = apsw.Connection(path)
    elif Path(path + "-wal").exists():
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    else:
        uri = Path(path).as_uri() + "?immutable=1"
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    return connection


def _load_vectors(connection: apsw.Connection) -> bool:
    # By path: importing the sqlite_vec package would pull in numpy.
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or spec.origin is None:
        return False
    connection.enable_load_extension(True)
    try:
        connection.load_extension(str(Path(spec.origin).with_name("vec0")))
    except apsw.ExtensionLoadingError:
        return False
    finally:
        connection.enable_load_extension(False)
    return True


def _settings(connection: apsw.Connection, read_only: bool, journal: str) -> None:
    connection.pragma("cache_size", -65_536)
    connection.pragma("mmap_size", 1 << 30)
    connection.pragma("temp_store", 2)
    connection.pragma("trusted_schema", 0)
    connection.pragma("foreign_keys", 1)
    if read_only:
        return
    connection.pragma("secure_delete", 1)
    connection.pragma("synchronous", 2)
    connection.pragma("journal_mode", journal)


@contextmanager
def translated(path: str, *, writing: bool = False) -> Iterator[None]:
    """Turn what SQLite raises into the errors of errors.py; everything else passes through."""
    try:
        yield
    except apsw.InterruptError as problem:
        raise Cancelled("Stopped before it was finished.", hint="Nothing was written.") from problem
    except (apsw.BusyError, apsw.LockedError) as problem:
        raise StoreBusy(
            f"{'Not saved: another' if writing else 'Another'} process has held the library for "
            f"{BUSY_MILLISECONDS // 1000} seconds.",
            hint="Try again, or close the other localmem that is busy.",
        ) from problem
    except (UnicodeDecodeError, json.JSONDecodeError) as problem:
        raise _damaged(path) from problem  # only a damaged page holds what we never wrote
    except apsw.Error as problem:
        raise _store_error(problem, path) from problem


def _damaged(path: str) -> StoreDamaged:
    return StoreDamaged(
        f"{path} is damaged and cannot be read in full.",
        hint="It was left exactly as it is. Restore a backup made with `localmem backup` "
        "to another LOCALMEM_HOME, and keep this file for rescue.",
    )


def _store_error(problem: apsw.Error, path: str) -> StoreError:
    match problem:
        case apsw.FullError():
            return StoreFull(
                "Not saved: the disk is full.",
                hint="Free some space and try again; everything kept before is intact.",
            )
        case apsw.ReadOnlyError() | apsw.PermissionsError() | apsw.AuthError():
            return StoreReadOnly(
                f"{path} can only be read.",
                hint="Make the file and its folder writable to save changes.",
            )
        case apsw.NotADBError() | apsw.CorruptError():
            return _damaged(path)
        case apsw.IOError():
            return StoreUnavailable(
                f"Reading or writing {path} failed.",
                hint="Check the disk and its free space, then try again.",
                details={"sqlite": str(problem)[:200]},
            )
        case apsw.CantOpenError():
            return StoreUnavailable(
                f"{path} cannot be opened.",
                hint="Check that the folder exists and can be written, or set LOCALMEM_HOME.",
            )
    return StoreDamaged(
        f"The library at {path} does not answer as it should ({type(problem).__name__}).",
        hint="Your file was left as it is. Please report this with the code below.",
        details={"sqlite": str(problem)[:200]},
    )
