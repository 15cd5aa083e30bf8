"""What kind of folder a library lies in, and its permissions; reads the mount table, writes modes.

Refuses network folders unless told otherwise: SQLite's locks cannot be trusted there, and a
library damaged that way cannot be repaired (field reports FR-59, FR-60).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from localmem.errors import StoreUnavailable

_NETWORK = {
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "9p", "afpfs", "webdav",
    "fuse.sshfs", "fuse.rclone", "fuse.davfs2", "fuse.s3fs", "fuse.gvfsd-fuse", "glusterfs",
    "fuse.glusterfs", "ceph", "lustre", "davfs", "drvfs",
}  # fmt: skip
_CLOUD = ("dropbox", "onedrive", "google drive", "googledrive", "icloud", "mobile documents",
          "nextcloud", "owncloud", "syncthing", "pclouddrive", "box sync")  # fmt: skip


Identity = tuple[int, int]
"""Device and number of a file, which tell it from another at the same path."""


class Mount(NamedTuple):
    point: Path
    filesystem: str


def parse_mounts(table: str) -> tuple[Mount, ...]:
    """Read the text of /proc/mounts; lines that are not mounts are passed over."""
    rows = (line.split() for line in table.splitlines())
    return tuple(Mount(Path(row[1].replace("\\040", " ")), row[2]) for row in rows if len(row) >= 3)


def network_filesystem(folder: Path, mounts: tuple[Mount, ...]) -> str | None:
    """The network file system `folder` lies on, or None."""
    above = [mount for mount in mounts if folder.is_relative_to(mount.point)]
    if not above:
        return None
    nearest = max(above, key=lambda mount: len(mount.point.parts))
    return nearest.filesystem if nearest.filesystem.lower() in _NETWORK else None


def cloud_service(folder: Path) -> str | None:
    """The name of the folder that a cloud service copies, or None."""
    for part in folder.parts:
        if any(part.lower().startswith(name) for name in _CLOUD):
            return part
    return None


def mounts() -> tuple[Mount, ...]:
    """The mounts of this machine; empty where there is no /proc."""
    try:
        return parse_mounts(Path("/proc/mounts").read_text("utf-8", "replace"))
    except OSError:
        return ()


def make_private(folder: Path) -> None:
    """Create `folder` readable by its owner alone; tighten it when it is looser and ours."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _tighten(folder, 0o700)


def make_private_file(file: Path) -> None:
    """Create an empty private file, or tighten one that others can read.

    One that is there is not opened: closing it again would drop the locks this process has on it.
    """
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if file.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file)) from None
        if not os.access(file, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file)) from None
    _tighten(file, 0o600)


@contextmanager
def named(file: Path) -> Iterator[None]:
    """Turn what the operating system refuses into a sentence. Raises StoreUnavailable."""
    try:
        yield
    except OSError as problem:
        raise StoreUnavailable(
            f"{file} cannot be opened: {problem.strerror or problem}.",
            hint="Choose another folder with --data.",
        ) from problem


def identity(file: Path) -> Identity | None:
    """Which file lies there; None when there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def sync(path: Path) -> None:
    """Have the disk keep a file, or the names in a folder, before anything that relies on it."""
    if os.name != "posix" and path.is_dir():
        return  # Windows opens no folder, and keeps its names by itself
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _tighten(path: Path, mode: int) -> None:
    found = path.stat()
    if os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077 and found.st_uid == os.getuid():
        path.chmod(mode)
