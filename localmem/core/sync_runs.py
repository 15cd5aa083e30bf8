"""Runs of a sync as a library remembers them: when, how much, how it ended; never what it said."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from localmem.core.model import Millis


class SyncState(StrEnum):
    RUNNING = "running"
    STOPPED = "stopped"
    """It never came to its end: the program was closed, or killed."""
    DONE = "done"
    """Whether well or not, it tells."""
    UNDONE = "undone"


class SyncRun(NamedTuple):
    id: int
    account: int | None
    """The library's number of the account; None when that is known no more."""
    started_at: Millis
    ended_at: Millis | None = None
    state: SyncState = SyncState.RUNNING
    told: str = ""
    """How it ended and what it did, as `sync/` wrote it down: codes, counts and sentences, and no
    contents; "" when all was in step."""
    steps: int = 0
    """How many items have a version of it."""
    erased: int = 0
    """How many items it took away here: those do not come back."""

    @property
    def idle(self) -> bool:
        """It found nothing to do, and nothing to tell."""
        return not (self.told or self.steps or self.erased)
