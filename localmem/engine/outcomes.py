"""What changing and forgetting answer with: shown after a deed, never before one."""

from __future__ import annotations

from dataclasses import dataclass

from localmem.core.model import Item, ItemId
from localmem.core.preferences import PreferenceKey
from localmem.core.records import NO_EXPIRY, Erased, Expiry, Model, ScopeCount


@dataclass(frozen=True, slots=True)
class ScopeUsage:
    scope: str
    facts: int
    cap: int


@dataclass(frozen=True, slots=True)
class Usage:
    facts: tuple[ScopeUsage, ...]
    preferences: int
    documents: int
    collections: int
    versions: int
    bytes: int
    """Size of the library's files; 0 in memory."""
    counts: tuple[ScopeCount, ...] = ()
    """Live items by kind, scope and collection."""
    expiry: Expiry = NO_EXPIRY
    model: Model | None = None
    """The one the vectors are of; None before the first."""
    waiting: int = 0
    """Facts and preferences that have no vector yet."""


CHECKED = (
    "the items and every version of them",
    "the word index",
    "the vectors",
    "synced copies, queued requests, conflicts and drafts",
    "the undo and activity logs (they never held it)",
)


OUT_OF_REACH = (
    "its id, kind, scope and times, which stay in the logs without any content",
    "backups and exports made before",
    "copies that assistants and other programs made",
    "what the disk itself keeps of overwritten blocks",
)


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """What a forget would take, to be shown before it is confirmed."""

    items: tuple[Item, ...]
    versions: int
    blocks_inference_of: tuple[PreferenceKey, ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was erased and what was looked at."""

    erased: Erased
    complete: bool
    """False while the files could not be rewritten: that is tried again later."""
    why: str
    """Why it is not complete, as part of a sentence; "" when it is."""
    files: tuple[str, ...]
    """The files that were rewritten and searched."""
    searched_for: int
    """How many texts of the forgotten versions were searched for in their bytes."""
    found: int
    """How often they were found; they then stand in other memories too."""
    checked: tuple[str, ...] = CHECKED
    out_of_reach: tuple[str, ...] = OUT_OF_REACH
    forgotten: tuple[ItemId, ...] = ()


@dataclass(frozen=True, slots=True)
class NotErased:
    """It is not what the caller had seen; nothing was erased."""

    current: Item | None
    """What is kept now; None when there is nothing."""


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """What `undo` would take back now."""

    seq: int
    """Names this state of the log: `undo(seq)` takes back this and nothing else."""
    label: str
    items: tuple[Item, ...]
    """As they are before it: the first few."""
    erases: bool
    """Taking back what was new erases it for good: ask first."""
    count: int = 1
    """How many items go back."""
    kept: int = 0
    """How many were changed since, or forgotten, and stay as they are."""
    lost: int = 0
    """How many the change erased: those do not come back."""


@dataclass(frozen=True, slots=True)
class Undone:
    """`label` says what was taken back; `items` are what they are now, `gone` what was new."""

    label: str
    items: tuple[Item, ...]
    """The first few of those that have their old version again."""
    gone: tuple[ItemId, ...]
    restored: int = 0
    """How many have their old version again."""
    kept: int = 0
    """How many were changed since, or forgotten, and stayed as they are."""
    lost: int = 0
    """How many the change had erased: those did not come back."""


@dataclass(frozen=True, slots=True)
class NothingToUndo:
    why: str
    """A sentence: the log is empty, or the item was written by somebody else since."""
