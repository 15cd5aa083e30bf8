"""The sync that runs beside a surface: when to look, how long to wait, on a thread of its own.

At the start, two seconds after an edit by anybody, when a wait is over, and every so often: more
often while the person is there, and less for a server that has to be listed. Refuses to keep a
surface waiting: `stop` ends between two requests, and nothing here runs on the surface's thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from localmem.core.syncing import Outcome, State, Status, Syncing
from localmem.errors import Cancelled, LocalmemError
from sync.policy import pause

SETTLE = 2.0
"""Seconds after an edit until it is sent: what is typed together goes together."""
LOOK = 1.0
"""Seconds between two looks at whether anybody edited."""
AGAIN = 5.0
"""Seconds between two looks at whether there is an account that may run."""
HERE = 300.0
"""Seconds after their last key press that the person counts as there."""
FEED_HERE, FEED_AWAY = 20.0, 60.0
LIST_HERE, LIST_AWAY = 300.0, 1800.0
"""Seconds between two runs: with a feed each costs one small request."""
MOST_OFFLINE = 60.0
"""Seconds between two tries at most while nothing answers: the network may be back."""
SLOWEST = 1800.0
PATIENCE = 1.0
"""Seconds `stop` waits for a request under way; what it was for is on the disk."""


class Opened(Protocol):
    """A library on the worker's own thread, with its synchronisation."""

    @property
    def syncing(self) -> Syncing: ...
    def edits(self) -> int:
        """Rises with every change to the library, by anybody."""
        ...


@dataclass(slots=True)
class Worker:
    """`core.syncing.Background`. `open_library` is entered on the worker's thread."""

    open_library: Callable[[Callable[[], None]], AbstractContextManager[Opened]]
    """Given what raises Cancelled when the worker is to stop."""
    chance: Callable[[], float]
    """A number in 0 … 1."""
    clock: Callable[[], float] = time.monotonic
    wake: threading.Condition = field(default_factory=threading.Condition)
    """What it waits on between two looks."""
    _thread: threading.Thread | None = None
    _stopping: bool = False
    _wanted: tuple[str, ...] | None = None
    """Allowances of a run that was asked for; None when none was."""
    _seen_at: float = 0.0
    _told: tuple[int, State | None, str] = (0, None, "")
    _due: float = 0.0
    _failures: int = 0
    _edits: int = 0

    # from any thread

    def start(self) -> None:
        if self._thread is None:
            # A daemon: a server that hangs must not keep the process alive.
            self._thread = threading.Thread(target=self.work, name="localmem-sync", daemon=True)
            self._thread.start()

    def now(self, allowances: Sequence[str] = ()) -> None:
        with self.wake:
            self._wanted = tuple(allowances)
            self.wake.notify_all()

    def active(self) -> None:
        with self.wake:
            away = self.clock() - self._seen_at > HERE
            self._seen_at = self.clock()
            if away and not self._failures:
                self._due = min(self._due, self._seen_at)
                self.wake.notify_all()

    def state(self) -> tuple[int, State | None, str]:
        return self._told

    def stop(self) -> None:
        with self.wake:
            self._stopping = True
            self.wake.notify_all()
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def check(self) -> None:
        """Raises Cancelled when it is to stop; called between two requests, and while waiting."""
        if self._stopping:
            raise Cancelled("The synchronisation was stopped.")

    # on its own thread

    def work(self) -> None:
        """Until it is to stop; what the thread runs."""
        try:
            with self.open_library(self.check) as opened:
                self._seen_at, self._edits = self.clock(), opened.edits()
                while self._wait(opened):
                    self._run(opened)
        except Cancelled:
            pass
        except LocalmemError as problem:
            self._tell(State.OFFLINE, str(problem))

    def _wait(self, opened: Opened) -> bool:
        """Until a run is due; False when it is to stop."""
        while True:
            with self.wake:
                if self._stopping:
                    return False
                if self._wanted is not None:
                    return True
                left = self._due - self.clock()
                if left > 0:
                    self.wake.wait(min(left, LOOK))
            self._look(opened)
            if self.clock() >= self._due:
                if _runs_by_itself(opened.syncing.status()):
                    return True
                self._due = self.clock() + AGAIN

    def _look(self, opened: Opened) -> None:
        """Bring a run forward when anybody edited; not where nothing answers."""
        edits = opened.edits()
        if edits != self._edits and not self._failures:
            self._due = min(self._due, self.clock() + SETTLE)
        self._edits = edits

    def _run(self, opened: Opened) -> None:
        with self.wake:
            asked = self._wanted is not None
            allowances, self._wanted = self._wanted or (), None
        self._tell(State.WORKING, "")
        try:
            outcome = opened.syncing.run(
                allowances=allowances, progress=self._progress, asked=asked
            )
        except Cancelled:
            raise
        except LocalmemError as problem:
            outcome = Outcome(State.LATER, message=str(problem), code=problem.code, wait=LOOK)
        self._edits = opened.edits()
        self._plan(outcome, opened.syncing.status())
        keyless = outcome.code == "no_key"  # no run, so no list of runs tells it
        self._tell(outcome.state if keyless else None, outcome.message if keyless else "")

    def _progress(self, doing: str, count: int) -> None:
        self.check()
        self._tell(State.WORKING, f"{doing} {count:,}" if count else doing)

    def _plan(self, outcome: Outcome, status: Status) -> None:
        if outcome.state in (State.OFFLINE, State.LATER):
            self._failures += 1
            longest = MOST_OFFLINE if outcome.state is State.OFFLINE else SLOWEST
            backoff = 1.0 + min(longest, pause(self._failures, self.chance()))
            wait = max(outcome.wait or 0.0, backoff)
        else:
            self._failures = 0
            # What was edited while it ran is not to wait as long as nothing does.
            wait = SETTLE if status.unseen else self._pace(status)
        self._due = self.clock() + wait

    def _pace(self, status: Status) -> float:
        here = self.clock() - self._seen_at < HERE
        if status.feed:
            return FEED_HERE if here else FEED_AWAY
        return LIST_HERE if here else LIST_AWAY

    def _tell(self, state: State | None, words: str) -> None:
        number, before, said = self._told
        if (before, said) != (state, words):
            self._told = (number + 1, state, words)


def _runs_by_itself(status: Status) -> bool:
    """Whether there is an account that may run, and the person need not be asked first."""
    waits = status.state in (State.SIGNED_OUT, State.ASKING)
    return status.account is not None and not status.account.paused and not waits
