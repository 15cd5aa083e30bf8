"""One short secret in a file of its own, encrypted by the library's cipher.

The first 16 bytes are the salt that whoever derives the key needs, and the rest is noise without
that key. Nothing is written before the file is keyed, and the file takes its place in one step.
Refuses links, and files of somebody else.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from localmem.errors import (
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreUnavailable,
)
from localmem.store import cipher, folder

Derive = Callable[[bytes], bytes]
"""The key that belongs to a salt."""

SALT_BYTES = 16
_PAGE_BYTES = 1024
_MOST_BYTES = 64 * _PAGE_BYTES
_HALF = (".localmem-", ".key")
"""How the name of a file begins and ends that is not in its place yet; the doctor knows it."""
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)  # Windows has none, and few links


def seal(file: Path, secret: str, derive: Derive) -> None:
    """Keep the secret in the file, and have it read back before it replaces an older one.

    Raises StoreFull, StoreUnavailable, and what `derive` does; then all is as it was.
    """
    with _explained(file, writing=True):
        folder.make_private(file.parent)
        _refuse_strange(file)
        salt = secrets.token_bytes(SALT_BYTES)
        key = derive(salt)
        with _fresh(file) as new:
            _write(new, secret, key, salt)
            if _read(new, key) != secret:
                raise StoreUnavailable(f"{file.name} was not written: it did not read back.",
                                       hint="Check the disk; nothing was changed.")  # fmt: skip
            folder.sync(new)
            os.replace(new, file)
        with suppress(OSError):  # it is done; not every file system can be asked to keep a name
            folder.sync(file.parent)


def unseal(file: Path, derive: Derive) -> str:
    """The secret in the file, which is made private when others could read it.

    Raises StoreLocked for another key, StoreDamaged, StoreUnavailable, and what `derive` does.
    """
    with _explained(file, writing=False):
        salt = _salt(file)
        try:
            return _read(file, derive(salt))
        except StoreLocked:
            newer = _salt(file)
            if newer == salt:
                raise
        return _read(file, derive(newer))  # another one took its place meanwhile


def remove(file: Path) -> bool:
    """Take the file away, with what a write that was cut off left; False when none was there.

    A link goes, and what it names stays. Raises StoreUnavailable.
    """
    with _explained(file, writing=True):
        for half in file.parent.glob("*".join(_HALF)):
            half.unlink(missing_ok=True)
        there = os.path.lexists(file)
        file.unlink(missing_ok=True)
        return there


@contextmanager
def _fresh(file: Path) -> Iterator[Path]:
    new = file.with_name(secrets.token_hex(4).join(_HALF))
    os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o600))
    try:
        yield new
    finally:
        new.unlink(missing_ok=True)


def _write(file: Path, secret: str, key: bytes, salt: bytes) -> None:
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        cipher.unlock(connection, key, salt)
        connection.pragma("page_size", _PAGE_BYTES)
        connection.pragma("journal_mode", "MEMORY")
        connection.pragma("temp_store", 2)
        connection.execute("CREATE TABLE sealed (secret TEXT NOT NULL) STRICT")
        connection.execute("INSERT INTO sealed VALUES (?)", (secret,))
    finally:
        connection.close()


def _read(file: Path, key: bytes) -> str:
    # Immutable: no lock, no journal is looked for, and nothing is written.
    named = f"{file.absolute().as_uri()}?immutable=1"
    connection = apsw.Connection(named, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    try:
        cipher.unlock(connection, key)
        rows = connection.execute("SELECT secret FROM sealed LIMIT 2").fetchall()
    except apsw.NotADBError:
        raise StoreLocked(f"That does not open {file.name}.") from None
    finally:
        connection.close()
    if len(rows) != 1 or not isinstance(rows[0][0], str):
        raise _damaged(file)
    return rows[0][0]


def _salt(file: Path) -> bytes:
    """Raises OSError, StoreDamaged, StoreUnavailable."""
    _refuse_strange(file)
    # Not to wait for whoever writes into a pipe of that name.
    opened = os.open(file, os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0))
    try:
        found = os.fstat(opened)
        _make_private(file, opened, found)
        header = os.read(opened, 100)
    finally:
        os.close(opened)
    whole = 0 < found.st_size <= _MOST_BYTES and found.st_size % _PAGE_BYTES == 0
    if not (whole and cipher.looks_encrypted(header)):
        raise _damaged(file)
    return header[:SALT_BYTES]


def _make_private(file: Path, opened: int, found: os.stat_result) -> None:
    if os.name != "posix":
        return
    if found.st_uid != os.getuid():
        raise StoreUnavailable(f"{file} belongs to another user of this machine.",
                               hint="It is not used. Move it away.")  # fmt: skip
    if stat.S_IMODE(found.st_mode) & 0o077:
        os.fchmod(opened, 0o600)


def _refuse_strange(file: Path) -> None:
    """Raises StoreUnavailable for what is there and no plain file."""
    if not os.path.lexists(file):
        return
    mode = os.lstat(file).st_mode
    if not stat.S_ISREG(mode):
        kind = {stat.S_IFLNK: "a link", stat.S_IFDIR: "a folder"}.get(stat.S_IFMT(mode), "no file")
        raise StoreUnavailable(f"{file} is {kind}, and has to be a file of its own.",
                               hint="Look at it, and move it away.")  # fmt: skip


def _damaged(file: Path) -> StoreDamaged:
    return StoreDamaged(f"{file} is damaged, or no file of localmem's.")


@contextmanager
def _explained(file: Path, *, writing: bool) -> Iterator[None]:
    """Turn what the driver and the operating system refuse into a sentence, without their words
    where those could hold the secret."""
    try:
        yield
    except apsw.FullError:
        raise _full(file) from None
    except (apsw.CorruptError, UnicodeDecodeError):
        raise _damaged(file) from None
    except apsw.Error as problem:
        raise _refused(file, type(problem).__name__, writing) from None
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _full(file) from None
        raise _refused(file, problem.strerror or "no reason is given", writing) from None


def _full(file: Path) -> StoreFull:
    return StoreFull(f"{file.name} was not written: the disk is full.",
                     hint="Free some space and try again; nothing was changed.")  # fmt: skip


def _refused(file: Path, why: str, writing: bool) -> StoreError:
    what = "written or removed" if writing else "read"
    return StoreUnavailable(f"{file} cannot be {what}: {why}.",
                            hint="Check the rights of the file and its folder.")  # fmt: skip
