"""An export of many files: a zip, or the folder it was unpacked to.

Nothing is ever unpacked: members are read in place, by names that are only compared, so a name
that leads elsewhere leads nowhere. Refuses what swells beyond all measure and what has a password.
"""

from __future__ import annotations

import os
import re
import struct
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from localmem.core.visible import visible
from localmem.errors import ImportUnreadable

_MOST_MEMBERS = 200_000
_MOST_SWELLING = 300
"""Times a member may be larger than what is stored of it, once it is larger than _SWELLS_FROM."""
_SWELLS_FROM = 64 * 1024 * 1024
_DEEPEST = 4
_DAMAGED = (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError,
            struct.error)  # fmt: skip
"""What zipfile raises for a zip that is not as it should be."""


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    """With slashes, from the export's own folder."""
    size: int

    @property
    def base(self) -> str:
        return self.name.rpartition("/")[2].casefold()


class Bundle(Protocol):
    @property
    def members(self) -> Sequence[Member]: ...

    def open(self, member: Member) -> IO[bytes]:
        """Raises ImportUnreadable."""
        ...

    def close(self) -> None: ...


class Zip:
    """Raises ImportUnreadable when it is none, or one that is not opened."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._name = name
        try:
            self._zip = zipfile.ZipFile(file)
            found = self._zip.infolist()
        except _DAMAGED as problem:
            raise ImportUnreadable(
                f"{name} is a zip that is not whole.", hint="Download it again."
            ) from problem
        if len(found) > _MOST_MEMBERS:
            raise ImportUnreadable(f"{name} holds {len(found):,} files, which no export does.")
        self._found = {each.filename: each for each in found if not each.is_dir()}
        self.members = [Member(each.filename.replace("\\", "/"), each.file_size)
                        for each in self._found.values()]  # fmt: skip

    def open(self, member: Member) -> IO[bytes]:
        held = self._found.get(member.name) or self._found[member.name.replace("/", "\\")]
        shown = f"{visible(member.name[-80:])} in {self._name}"
        if held.flag_bits & 1:
            raise ImportUnreadable(
                f"{shown} needs a password.", hint="Unpack it yourself and choose the folder."
            )
        if held.file_size > max(_SWELLS_FROM, held.compress_size * _MOST_SWELLING):
            raise ImportUnreadable(
                f"{shown} swells from {held.compress_size:,} to {held.file_size:,} bytes, as a "
                "trap does.",
                hint="If you trust it, unpack it yourself and choose the folder.",
            )
        try:
            return self._zip.open(held)
        except _DAMAGED as problem:
            raise ImportUnreadable(
                f"{shown} cannot be unpacked.", hint="Download it again."
            ) from problem

    def close(self) -> None:
        self._zip.close()


class Folder:
    def __init__(self, path: Path) -> None:
        self._path = path
        self.members = sorted(self._walk(), key=lambda member: member.name)

    def _walk(self) -> list[Member]:
        found: list[Member] = []
        for where, folders, files in os.walk(self._path):
            depth = len(Path(where).relative_to(self._path).parts)
            folders[:] = sorted(each for each in folders if not each.startswith("."))
            if depth >= _DEEPEST:
                folders.clear()
            for name in files:
                file = Path(where, name)
                if file.is_file() and len(found) < _MOST_MEMBERS:
                    found.append(
                        Member(file.relative_to(self._path).as_posix(), file.stat().st_size)
                    )
        return found

    def open(self, member: Member) -> IO[bytes]:
        return (self._path / member.name).open("rb")

    def close(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Choice:
    """Which members of an export hold what can be taken."""

    conversations: tuple[Member, ...] = ()
    memories: tuple[Member, ...] = ()
    projects: tuple[Member, ...] = ()
    notes: tuple[Member, ...] = ()
    single: tuple[Member, ...] = ()
    """Any other file that may be a list."""


_CONVERSATIONS = re.compile(r"conversations(-\d+)?\.json")
_MEMORIES = re.compile(r"(?:.*/)?(?:memor(?:y|ies)\.json|memories/[^/]+\.json)", re.IGNORECASE)
_PROJECTS = re.compile(r"(?:.*/)?(?:projects\.json|projects/[^/]+\.json)", re.IGNORECASE)
_BESIDE = re.compile(
    r"(?:users?|message_feedback|model_comparisons|shared_conversations|login_history|"
    r"user_settings|(?:export_)?manifest|group_chats|shopping|sora)\.json"
)
"""What an export holds beside conversations and memories."""
_LISTS = (".json", ".jsonl", ".ndjson", ".txt")


def choose(bundle: Bundle) -> Choice:
    members = [each for each in bundle.members if "__MACOSX" not in each.name]
    return Choice(
        conversations=tuple(each for each in members if _CONVERSATIONS.fullmatch(each.base)),
        memories=tuple(each for each in members if _MEMORIES.fullmatch(each.name)),
        projects=tuple(each for each in members if _PROJECTS.fullmatch(each.name)),
        notes=tuple(each for each in members if each.base.endswith((".md", ".markdown"))),
        single=tuple(each for each in members if _is_list(each)),
    )


def _is_list(member: Member) -> bool:
    known = _CONVERSATIONS.fullmatch(member.base) or _BESIDE.fullmatch(member.base)
    placed = _MEMORIES.fullmatch(member.name) or _PROJECTS.fullmatch(member.name)
    return not known and not placed and member.base.endswith(_LISTS)
