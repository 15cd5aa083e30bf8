"""A backup of a whole server while it runs: a folder of plain SQLite files and a list of them.

`server.db` is copied first, then every library it names: each is whole as of a moment after the
backup began, so it has everything that was acknowledged by then, and no key, space or person of
the copy is without its library. What comes to be meanwhile may be in it or not. Refuses to write
over anything, and leaves no half backup under the name it was given.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from localmem.core.model import Millis
from localmem.errors import BackupFailed, StoreError
from localmem.store import copies, folder
from localmem.store.connect import translated
from localmem.store.hosting import schema
from localmem.store.hosting.access import AccessTable
from localmem.store.hosting.place import CONTROL, libraries, restorable
from localmem.store.session import BUSY_MILLISECONDS
from localmem.store.sqlite import copy_unopened

if TYPE_CHECKING:
    from localmem.core.ports import Clock

LIST = "backup.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class BackedUp:
    at: Millis
    """When it began."""
    spaces: int
    people: int
    bytes: int


def back_up(place: Path, target: Path, clock: Clock) -> BackedUp:
    """Copy the server in the folder `place` to the new folder `target`.

    Raises BackupFailed, StoreNewer.
    """
    if not (place / CONTROL).is_file():
        raise BackupFailed(f"There is no server in {place}.", hint="Name its folder with --data.")
    if os.path.lexists(target):
        raise BackupFailed(
            f"{target} exists already.", hint="Name a new folder, or remove the old one first."
        )
    try:
        partial = Path(tempfile.mkdtemp(prefix=".localmem-", dir=target.parent))
        try:
            made = _copy(place, partial, clock())
            os.rename(partial, target)
            folder.sync(target.parent)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    except OSError as problem:
        raise BackupFailed(
            f"The backup to {target} was not written: {problem.strerror or problem}.",
            hint="Check that the folder it is to lie in exists, can be written and has room.",
        ) from problem
    return made


def _copy(place: Path, to: Path, at: Millis) -> BackedUp:
    with restorable():
        named = _copy_control(place / CONTROL, to / CONTROL)
    for name in named:
        if (place / name).exists():
            for parent in ((to / name).parent.parent, (to / name).parent):
                folder.make_private(parent)
            try:
                with restorable():
                    copy_unopened(place / name, to / name)
            except StoreError:
                if (place / name).exists():  # else a test partition that came to its end
                    raise
    _write_list(to, at)
    held = [file for file in to.rglob("*") if file.is_file()]
    return BackedUp(
        at,
        len({name.split("/")[1] for name in named if name.startswith("spaces/")}),
        sum(name.startswith("people/") for name in named),
        sum(file.stat().st_size for file in held),
    )


def _copy_control(file: Path, to: Path) -> list[str]:
    """Copy `server.db`; the libraries that the copy names. Raises BackupFailed, StoreNewer."""
    with translated(str(file)):
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        with translated(str(file)):
            schema.version(connection)
        copies.write(connection, str(to), None, None)
    finally:
        connection.close()
    copy = apsw.Connection(str(to), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return libraries(AccessTable(copy))
    finally:
        copy.close()


def _write_list(to: Path, at: Millis) -> None:
    files = {
        file.relative_to(to).as_posix(): {"bytes": file.stat().st_size, "sha256": digest(file)}
        for file in sorted(to.rglob("*.db"))
    }
    text = json.dumps({"format": FORMAT, "at": at, "files": files}, indent=1)
    folder.make_private_file(to / LIST)
    (to / LIST).write_text(text + "\n", "utf-8")
    for path in (*to.rglob("*"), to):
        folder.sync(path)


def digest(file: Path) -> str:
    """SHA-256 of its bytes, in hex."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
