"""One derived file on disk, named and verified by its digest.

Why: loading the bundled model as shipped takes about two seconds of inflating and parsing. The
result is always the same bytes, so it is kept in a file that is mapped into memory next time.

The file is data only (no pickle, no marshal) and is never believed: it is used when its size and
SHA-256 are the ones the caller pins, and when no other user could have changed it. Anything else
there (truncated, damaged, foreign, a link, a pipe) counts as no file. A folder that cannot be
written is not an error either: the caller keeps the bytes it holds.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_READ = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe in its place must not block the open
)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class Expected:
    """What the content must be to be used."""

    size: int
    """In bytes; a file of another size is refused without being read."""
    sha256: str
    """Lower-case hex of the whole content."""

    def matches(self, data: bytes | bytearray | mmap.mmap) -> bool:
        return len(data) == self.size and hashlib.sha256(data).hexdigest() == self.sha256


def open_verified(path: Path, expected: Expected) -> mmap.mmap | None:
    """The content mapped read-only, or None when no file there has exactly that content."""
    mapped = _map(path, expected.size)
    if mapped is None or expected.matches(mapped):
        return mapped
    mapped.close()
    return None


def write_private(path: Path, data: bytes | bytearray) -> bool:
    """Put `data` at `path` in one step, readable by this user only; False when the disk refuses.

    Processes that write at once do not disturb each other: each fills a file of its own and the
    last rename wins. Half-written files that a crash left behind are removed on success; should
    one belong to a process still writing, that process gets False and finds the file in place.
    """
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(os.open(temporary, _CREATE, 0o600), "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        return False
    _remove_leftovers(path)
    return True


def _map(path: Path, size: int) -> mmap.mmap | None:
    try:
        descriptor = os.open(path, _READ)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not _only_ours(status) or status.st_size != size:
            return None
        return mmap.mmap(descriptor, size, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # ValueError: it shrank since, or is empty
        return None
    finally:
        os.close(descriptor)


def _only_ours(status: os.stat_result) -> bool:
    """A plain file that no other user can change while it is mapped."""
    if not stat.S_ISREG(status.st_mode):
        return False
    if os.name != "posix":  # no such bits there; the digest still decides
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE


def _remove_leftovers(path: Path) -> None:
    with suppress(OSError):
        for leftover in path.parent.glob(f"{path.name}.*.tmp"):
            leftover.unlink(missing_ok=True)
