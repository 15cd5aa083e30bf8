"""Opens a library file: driver, settings, extension, permissions; turns SQLite's errors into ours.

Refuses to go on with a file it does not understand, and never repairs, renames or removes one.
"""

from __future__ import annotations

import importlib.util
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import apsw

from localmem.errors import (
    Cancelled,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreUnavailable,
)
from localmem.store import cipher, folder, raw, schema
from localmem.store.session import BUSY_MILLISECONDS

MEMORY = ":memory:"
HEADER_BYTES = 100
JOURNAL_ATTEMPTS = 200
"""How often the write-ahead log is asked for, within the time a write waits."""
_PLAIN = b"SQLite format 3\0"
REPLACEMENTS = 5
"""How often another file may take the library's place while we open it."""


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    connection: apsw.Connection
    path: str
    """Resolved; ":memory:" keeps nothing."""
    read_only: bool
    vectors: bool
    """False when sqlite-vec could not be loaded: words still work."""
    notes: tuple[str, ...]
    """Sentences a person should see: a cloud folder, a missing extension."""
    file: folder.Identity | None = None
    """Which file it is, whatever lies at its path later; None in memory."""
    key: bytes | None = field(default=None, repr=False)
    """None when it is not encrypted."""


def open_library(
    path: Path | str,
    *,
    allow_network: bool = False,
    vectors: bool = True,
    key: cipher.KeySource | None = None,
) -> Opened:
    """Open or create the library at `path` (":memory:" for one that keeps nothing).

    `key` is asked when the file is encrypted, and only then. Raises StoreUnavailable, StoreLocked,
    StoreReadOnly, StoreDamaged, StoreNewer, StoreBusy, StoreFull.
    """
    if path == MEMORY:
        return _open(MEMORY, read_only=False, want_vectors=vectors, notes=(), journal="MEMORY")
    file = Path(path).expanduser().resolve()
    network = refuse_network(file, allowed=allow_network)
    for _ in range(REPLACEMENTS):
        opened = _open_file(file, key, vectors, "DELETE" if network else "WAL")
        if opened is not None:
            return opened
    raise StoreBusy(f"{file} is replaced again and again.", hint="Try again in a moment.")


def open_to_look(
    path: Path | str, *, vectors: bool = True, key: cipher.KeySource | None = None
) -> Opened:
    """Open a library that is there, read-only: no file is made, upgraded, tightened or written.

    Raises what `open_library` does, and StoreReadOnly for one of an older schema.
    """
    file = Path(path).expanduser().resolve()
    if not file.is_file():
        raise StoreUnavailable(f"{file} is not a file.", hint="Choose another LOCALMEM_HOME.")
    secret = unlocking(file, key) if look(file) else None
    return _open(str(file), read_only=True, want_vectors=vectors, notes=(), journal="", key=secret)


def looking(file: Path, key: bytes | None) -> apsw.Connection:
    """A bare connection to a library that is only read. Raises StoreLocked, apsw.Error."""
    connection = _connection(str(file), True)
    try:
        if key is not None:
            unlock(connection, key, str(file))
    except BaseException:
        connection.close()
        raise
    return connection


def refuse_network(file: Path, *, allowed: bool) -> str | None:
    """The network file system the library lies on. Raises StoreUnavailable when that is not
    allowed."""
    network = folder.network_filesystem(file.parent, folder.mounts())
    if network and not allowed:
        raise StoreUnavailable(
            f"{file.parent} is a network folder ({network}), where file locks cannot be trusted.",
            hint="Set LOCALMEM_HOME to a folder on this machine's own disk, or set "
            "LOCALMEM_ALLOW_NETWORK=1 if only one machine ever uses it.",
        )
    return network


def _open_file(
    file: Path, key: cipher.KeySource | None, vectors: bool, journal: str
) -> Opened | None:
    """None when another file was put in its place meanwhile, encrypted or restored: try again."""
    before = folder.identity(file)
    secret = unlocking(file, key) if look(file) else None
    read_only = _prepare(file)
    before = before or folder.identity(file)
    try:
        opened = _open(
            str(file),
            read_only=read_only,
            want_vectors=vectors,
            notes=_folder_notes(file.parent),
            journal=journal,
            key=secret,
        )
    except StoreError:
        if before == folder.identity(file):
            raise
        return None
    if before == folder.identity(file):
        return replace(opened, file=before)
    opened.connection.close()
    return None


def unlocking(file: Path, key: cipher.KeySource | None) -> bytes:
    """The key of an encrypted library. Raises StoreLocked."""
    if key is not None:
        return key()
    raise StoreLocked(
        f"{file} is encrypted, and no key was given to open it.", hint="Open it with its key."
    )


def look(file: Path) -> bool:
    """Whether the library is encrypted; False as well when there is none yet.

    Refuses a file that is no library, or a newer one, before anything of it is touched. With a
    write-ahead log beside it the header may be behind; then opening it changes nothing. Raises
    StoreDamaged, StoreUnavailable, StoreNewer.
    """
    try:
        header = raw.beginning(file, HEADER_BYTES) if file.is_file() else b""
    except (OSError, apsw.Error):
        return False  # what is missing or cannot be read is _prepare's to say
    if not header or _unmade(file, header):
        return False
    if cipher.looks_encrypted(header) and not header.startswith(_PLAIN):
        return True
    if len(header) < HEADER_BYTES or not header.startswith(_PLAIN):
        raise damaged(str(file))
    tables, version, application = (
        int.from_bytes(header[at : at + 4], "big", signed=True) for at in (40, 60, 68)
    )
    if tables and not Path(f"{file}-wal").exists():
        schema.check(application, version)
    return False


def _unmade(file: Path, header: bytes) -> bool:
    """Whether a process was killed while it made the file: SQLite takes that back by the journal
    and makes it anew."""
    return not any(header) and Path(f"{file}-journal").exists()


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
    path: str,
    *,
    read_only: bool,
    want_vectors: bool,
    notes: tuple[str, ...],
    journal: str,
    key: bytes | None = None,
) -> Opened:
    with translated(path):
        connection = _connection(path, read_only)
        if key is not None:
            unlock(connection, key, path)
        loaded = want_vectors and _load_vectors(connection)
        _settings(connection, read_only, journal)
        schema.migrate(connection, read_only=read_only)
    if want_vectors and not loaded:
        notes = (*notes, "Search by meaning is off: sqlite-vec cannot be loaded on this machine. "
                 "Search by words works.")  # fmt: skip
    return Opened(connection, path, read_only, loaded, notes, key=key)


def unlock(connection: apsw.Connection, key: bytes, path: str) -> None:
    """Key an encrypted library and read its first page. Raises StoreLocked, and what `look` does.

    A damaged first page looks like a wrong key, so both are said.
    """
    cipher.unlock(connection, key)
    try:
        application, version = (
            connection.pragma("application_id"),
            connection.pragma("user_version"),
        )
    except apsw.NotADBError as problem:
        raise StoreLocked(
            f"{path} is encrypted, and the key at hand does not open it.",
            hint="Give the recovery key it was encrypted with: `localmem config unlock`, or "
            "LOCALMEM_KEY. If that is the one, the file's beginning is damaged: bring a backup "
            "back with `localmem backup --restore FILE`.",
        ) from problem
    assert isinstance(application, int) and isinstance(version, int)
    schema.check(application, version)


def _connection(path: str, read_only: bool) -> apsw.Connection:
    if not read_only:
        connection = apsw.Connection(path)
    elif Path(path + "-wal").exists():
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    else:
        uri = Path(path).absolute().as_uri() + "?immutable=1"
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


CHECKPOINT_PAGES = 4_000
"""16 MB of the write-ahead log: an import writes most pages many times, and copies each once."""


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
    connection.wal_autocheckpoint(CHECKPOINT_PAGES)
    _keep_journal(connection, journal)


def _keep_journal(connection: apsw.Connection, mode: str) -> None:
    """Two that make a library at once stand in each other's way here, and SQLite waits for
    neither."""
    for left in reversed(range(JOURNAL_ATTEMPTS)):
        try:
            connection.pragma("journal_mode", mode)
            return
        except apsw.BusyError:
            if not left:
                raise
            time.sleep(BUSY_MILLISECONDS / JOURNAL_ATTEMPTS / 1000)


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
        raise damaged(path) from problem  # only a damaged page holds what we never wrote
    except apsw.Error as problem:
        raise _store_error(problem, path) from problem


def damaged(path: str) -> StoreDamaged:
    return StoreDamaged(
        f"{path} is damaged and cannot be read in full.",
        hint="It was left exactly as it is. `localmem backup --restore FILE` puts a backup in its "
        "place and keeps this file beside it for rescue.",
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
            return damaged(path)
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
