"""What a file offers to be kept, before any rule has looked at it: from reader to engine.

Readers (localmem.portable) make them and judge nothing but the shape of the file; the engine holds
each against the same rules as anything that is typed, and answers line by line.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from localmem.core.model import (
    NO_EVIDENCE,
    Collection,
    Content,
    Evidence,
    Item,
    Kind,
    Millis,
    Provenance,
    Version,
)
from localmem.core.preferences import PreferenceKey, PreferenceState
from localmem.core.scope import Scope


@dataclass(frozen=True, slots=True)
class Incoming:
    """One memory as a file of another program, or a plain list, says it."""

    line: int
    """The line it stands on, from 1; the element's number where a file has no lines."""
    content: Content
    """As read: limits, control characters and secrets are the engine's business."""
    kind: Kind = Kind.FACT
    scope: Scope | None = None
    """None takes the scope the person chose for the whole import."""
    collection: str = ""
    key: str = ""
    provenance: Provenance | None = None
    written_at: Millis | None = None
    """When the file says it was written; None: now."""
    expires_at: Millis | None = None
    evidence: Evidence = NO_EVIDENCE
    """The words it came from and where they stand, as far as the file has them."""
    author: str = ""
    """The assistant that wrote it, which then waits in the inbox; "" is the person."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that offers nothing, and why."""

    line: int
    why: str
    """A sentence; quotes at most a few characters of the line."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """That an item waits in the inbox of the library it comes from."""

    since: Millis
    before: int | None
    """The version the person last saw; None when all of it is new to them."""


@dataclass(frozen=True, slots=True)
class Whole:
    """An item of a library, with its own id, times and versions."""

    line: int
    item: Item
    """With the head it has there."""
    earlier: tuple[Version, ...] = ()
    """The versions before the head, oldest first; empty where the file keeps no history."""
    waiting: Waiting | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """A collection as another library defines it."""

    line: int
    collection: Collection


@dataclass(frozen=True, slots=True)
class Standing:
    """What outlives the values of a preference key: whether the person forgot it."""

    line: int
    key: PreferenceKey
    state: PreferenceState


Line = Incoming | Whole | Definition | Standing | Unreadable
"""What a file may offer, one line of it."""


class RunState(StrEnum):
    RUNNING = "running"
    STOPPED = "stopped"
    DONE = "done"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the memories of an import, each counted once."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    skipped: int = 0
    refused: int = 0

    @property
    def lines(self) -> int:
        return self.new + self.changed + self.unchanged + self.skipped + self.refused


@dataclass(frozen=True, slots=True)
class Run:
    """One import, while it goes on and afterwards."""

    id: int
    source: str
    """The file's name, as shown."""
    format: str
    started_at: Millis
    ended_at: Millis | None = None
    line: int = 0
    """The last line that was taken; the next time it goes on behind it."""
    state: RunState = RunState.RUNNING
    counts: Counts = Counts()
    undo: int | None = None
    """Its entry in the undo log; None while it changed nothing, and once that is forgotten."""
    resumed: bool = False
    """It was found stopped and goes on."""
