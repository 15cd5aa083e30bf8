"""What a check of the library found: values only, the same for the command line and the app.

Refuses content: a finding names ids, counts and kinds, never what a memory says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from localmem.core.model import ItemId, Kind, Millis, Version
from localmem.core.records import Expiry, Model


class Gravity(StrEnum):
    OK = "ok"
    """As it should be."""
    NOTE = "note"
    """Worth knowing; nothing is at risk."""
    PROBLEM = "problem"
    """Something does not work, is at risk, or can be read by others."""


@dataclass(frozen=True, slots=True)
class Finding:
    code: str
    """Stable, for scripts and bug reports."""
    gravity: Gravity
    said: str
    """One sentence."""
    fix: str = ""
    """What to do about it, as a sentence; "" when there is nothing to do."""
    undo: str = ""
    """How that is taken back, as a sentence."""
    mends: bool = False
    """Whether `--fix` does what `fix` says."""
    backup: bool = False
    """Whether a copy of the library is made first, because the fix takes something away."""
    count: int | None = None
    ids: tuple[str, ...] = ()
    """What it is about: ids of memories or names of files; the first when they are many."""
    lines: tuple[str, ...] = ()
    """More about each of them, for a person; never content."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What the library's own tables say about themselves: counts and ids."""

    schema: int
    bytes: int
    """What the file should be long: its pages."""
    free_bytes: int
    """Of those, in pages that hold nothing."""
    damage: tuple[str, ...] = ()
    """What SQLite says is broken and cannot be made again from the rest."""
    broken_indexes: tuple[str, ...] = ()
    """Indexes that SQLite can make again."""
    broken_words: bool = False
    """The word index does not hold together."""
    orphans: Mapping[str, int] = field(default_factory=dict)
    """Rows that belong to an item which is gone, by table."""
    headless: tuple[ItemId, ...] = ()
    """Items whose current version is not there."""
    wordless: int = 0
    """Items that are not in the word index, and entries of it that belong to none."""
    items: int = 0
    words_edition: str = ""
    model: Model | None = None
    vector_dimensions: int | None = None
    """Of the table of vectors; None when there is none."""
    loose_vectors: int = 0
    """Vectors without an item, and items said to have vectors that are not there."""
    waiting: int = 0
    """Items without vectors."""
    expired: int = 0
    unfinished_erasure: bool = False
    future: tuple[ItemId, ...] = ()
    """Items written at a time that has not come."""
    twins: tuple[tuple[ItemId, ...], ...] = ()
    """Facts of one scope that say the same."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """One item, or one draft, that holds text like a secret."""

    id: ItemId
    kind: Kind | None
    """None for a draft; its id is then the name of its place."""
    kinds: tuple[str, ...]
    """What was seen; never the secret."""
    versions: int
    """How many of its versions hold it."""
    in_names: bool = False
    """In a key, a scope's id or a member's name as well, where nothing can be masked."""


class Health(Protocol):
    """What the store can tell about itself, and make again inside a transaction."""

    def condition(self) -> Condition: ...
    def index_of(self, id: ItemId) -> frozenset[tuple[str, bytes]]: ...
    def index_for(self, fields: Mapping[str, str]) -> frozenset[tuple[str, bytes]]: ...
    def expiry(self, soon: Millis) -> Expiry: ...
    def drafts(self) -> list[tuple[str, str]]: ...
    def rebuild_indexes(self, names: Sequence[str]) -> None: ...
    def drop_orphans(self) -> int: ...
    def move_heads(self) -> tuple[list[ItemId], list[ItemId]]: ...
    def rebuild_words(self) -> None: ...
    def drop_loose_vectors(self) -> None: ...
    def forget_model(self) -> None: ...
    def index_again(
        self, id: ItemId, *, sameness: str | None, fields: Mapping[str, str], words: str
    ) -> None: ...
    def rewrite(self, id: ItemId, versions: Sequence[Version]) -> int: ...
    def compact(self) -> None: ...
