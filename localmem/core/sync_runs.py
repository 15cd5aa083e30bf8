"""Runs of a sync as a library remembers them: when, how much, how it ended; never what it said."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from localmem.core.model import Millis

LONGEST_MESSAGE = 500


class SyncState(StrEnum):
    RUNNING = "running"
    STOPPED = "stopped"
    """It never came to its end: the program was closed, or killed."""
    DONE = "done"
    """Whether well or not, its message says."""
    UNDONE = "undone"


class SyncCounts(NamedTuple):
    pushed: int = 0
    pulled: int = 0
    deleted: int = 0
    """On either side."""
    conflicts: int = 0
    blocked: int = 0


class SyncRun(NamedTuple):
    id: int
    account: int | None
    """The library's number of the account; None when that is known no more."""
    started_at: Millis
    ended_at: Millis | None = None
    state: SyncState = SyncState.RUNNING
    counts: SyncCounts = SyncCounts()
    message: str = ""
    """What the person should know of its end; "" when all went well."""
    steps: int = 0
    """How many items have a version of it."""
    erased: int = 0
    """How many items it took away here: those do not come back."""

    @property
    def idle(self) -> bool:
        """It found nothing to do, and nothing to tell."""
        return not (any(self.counts) or self.message or self.steps or self.erased)
