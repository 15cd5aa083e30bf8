"""From what a person named to bytes: which path that is, and what stands in its way.

Every refusal names the path that was tried and what to do next (FR-104); nothing here reads more
than the first 64 KB.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import IO

from localmem.core.visible import visible
from localmem.errors import ImportUnreadable
from localmem.portable.bundles import Folder
from localmem.portable.streams import HEAD


@dataclass(frozen=True, slots=True)
class Opened:
    """A file and the bytes it begins with, or a folder."""

    name: str
    fingerprint: str
    total: int | None
    head: bytes
    file: IO[bytes] | None
    folder: Folder | None = None


def stream(file: IO[bytes]) -> Opened:
    """What comes through a pipe."""
    return Opened("standard input", "", None, _read_head(file), file)


def path(named: Path | str, how: Sequence[str]) -> Opened:
    """Raises ImportUnreadable. `how` says how to get the right file."""
    typed = os.fspath(named)
    if not typed.strip():
        raise ImportUnreadable("No file was named.", hint=" ".join(how))
    place = _expanded(typed)
    shown = visible(place.name or str(place))
    try:
        kind = place.stat()
    except OSError as problem:
        raise _not_there(place, typed, how, problem) from problem
    except ValueError as problem:
        raise ImportUnreadable(
            f"{visible(typed[:200])} is not a path.", hint=" ".join(how)
        ) from problem
    if stat.S_ISDIR(kind.st_mode):
        return _folder(place, shown)
    if not (stat.S_ISREG(kind.st_mode) or stat.S_ISFIFO(kind.st_mode)):
        raise ImportUnreadable(
            f"{visible(str(place))} is a device, not a file.", hint=" ".join(how)
        )
    try:
        file = place.open("rb")
        head = _read_head(file)
    except OSError as problem:
        raise _no_rights(place, problem) from problem
    if stat.S_ISFIFO(kind.st_mode):
        return Opened(shown, "", None, head, file)
    mark = hashlib.sha256(head).hexdigest()[:32]
    return Opened(shown, f"{kind.st_size}-{kind.st_mtime_ns}-{mark}", kind.st_size, head, file)


def _expanded(typed: str) -> Path:
    try:
        return Path(typed).expanduser()
    except RuntimeError:
        return Path(typed)


def _read_head(file: IO[bytes]) -> bytes:
    head = b""
    while len(head) < HEAD and (part := file.read(HEAD - len(head))):
        head += part
    return head


def _folder(place: Path, shown: str) -> Opened:
    try:
        os.listdir(place)
        folder = Folder(place)
    except OSError as problem:
        raise _no_rights(place, problem) from problem
    listed = repr([(each.name, each.size) for each in folder.members])
    mark = hashlib.sha256(listed.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return Opened(
        shown, f"folder-{mark}", sum(each.size for each in folder.members), b"", None, folder
    )


def _not_there(
    place: Path, typed: str, how: Sequence[str], problem: OSError
) -> ImportUnreadable:  # fmt: skip
    if isinstance(problem, PermissionError):
        return _no_rights(place, problem)
    tried = list(dict.fromkeys((typed, os.path.abspath(place))))
    shown = " and ".join(visible(each[-200:]) for each in tried)
    near = _near(place)
    hint = " ".join(part for part in (near, *how) if part)
    return ImportUnreadable(f"There is no such file. Tried: {shown}.", hint=hint)


def _near(place: Path) -> str:
    """What stands there under almost that name, or from where on the path leads nowhere."""
    there = next((each for each in place.absolute().parents if each.is_dir()), None)
    if there is None:
        return ""
    if there != place.absolute().parent:
        return f"The path ends at {visible(str(there))}."
    try:
        found = get_close_matches(place.name, sorted(os.listdir(there))[:5_000], n=1, cutoff=0.6)
    except OSError:
        return ""
    return f"Did you mean {visible(found[0])}, which is there?" if found else ""


def _no_rights(place: Path, problem: OSError) -> ImportUnreadable:
    why = "may not be read" if isinstance(problem, PermissionError) else "cannot be read"
    return ImportUnreadable(
        f"{visible(str(place.absolute())[-200:])} {why}: {problem.strerror or problem}.",
        hint="Give yourself the right to read it (chmod u+r), or copy it to a place of your own.",
    )
