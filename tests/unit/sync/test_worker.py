"""When the sync beside a surface runs, and what it says meanwhile: no second of it passes here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest

from localmem.core.accounts import Account
from localmem.core.syncing import Outcome, Progress, Question, State, Status
from localmem.errors import Cancelled, StoreBusy
from sync.worker import (
    AGAIN,
    FEED_AWAY,
    FEED_HERE,
    HERE,
    LIST_AWAY,
    LIST_HERE,
    LOOK,
    MOST_OFFLINE,
    SETTLE,
    Worker,
)

ACCOUNT = Account(1, "srv", "acc", "live", "https://memory.example", "memory.example", 1)
WENT = Outcome(State.IN_STEP)
OFFLINE = Outcome(State.OFFLINE, code="offline")
LONG = 5.0
"""Seconds that a test with a thread waits at most."""


def later(seconds: float | None) -> Outcome:
    return Outcome(State.LATER, code="rate_limited", wait=seconds)


class Time:
    """A clock, and a condition of which a wait takes no time but moves the clock."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.begun = self.now
        self._plans: list[tuple[float, Callable[[], None]]] = []
        self.held = 0

    def __call__(self) -> float:
        return self.now

    def at(self, seconds: float, *acts: Callable[[], None]) -> None:
        """So long after the begin."""
        self._plans += [(self.begun + seconds, act) for act in acts]
        self._plans.sort(key=lambda plan: plan[0])

    def wait(self, timeout: float) -> None:
        assert self.held, "who waits holds the lock"
        assert 0 < timeout <= LOOK, "between two looks at whether anybody edited"
        until = self.now + timeout
        while self._plans and self._plans[0][0] <= until:
            self.now, act = self._plans.pop(0)
            act()
        self.now = max(self.now, until)

    def notify_all(self) -> None:
        assert self.held

    def __enter__(self) -> None:
        self.held += 1

    def __exit__(self, *_: object) -> None:
        self.held -= 1


class Library:
    """An open library whose synchronisation does what it is told to."""

    def __init__(self, time: Time) -> None:
        self.time = time
        self.changes = 0
        self.state = State.IN_STEP
        self.account: Account | None = ACCOUNT
        self.feed = True
        self.unseen = False
        self.outcomes: list[Outcome] = [WENT]
        """The last one for ever."""
        self.during: Callable[[Progress | None], None] = lambda progress: None
        self.runs: list[tuple[float, tuple[str, ...]]] = []
        self.closed = False

    @property
    def syncing(self) -> Any:
        return self

    def edits(self) -> int:
        return self.changes

    def edit(self) -> None:
        self.changes += 1

    def status(self) -> Status:
        asked = Question("many_gone", 1, 1, "", "", "", "")
        question = asked if self.state is State.ASKING else None
        return Status(self.state, self.account, question=question, feed=self.feed,
                      unseen=self.unseen)  # fmt: skip

    def run(
        self,
        *,
        allowances: Sequence[str] = (),
        progress: Progress | None = None,
        asked: bool = False,
    ) -> Outcome:
        self.runs.append((self.time.now - self.time.begun, tuple(allowances)))
        self.during(progress)
        return self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]

    @property
    def times(self) -> list[float]:
        return [at for at, _ in self.runs]


class Beside:
    """A worker whose thread is this one."""

    def __init__(self) -> None:
        self.time = Time()
        self.library = Library(self.time)
        self.worker = Worker(self.open, lambda: 1.0, self.time, self.time)  # type: ignore[arg-type]

    @contextmanager
    def open(self, check: Callable[[], None]) -> Iterator[Any]:
        yield self.library
        self.library.closed = True

    def runs(self, seconds: float) -> list[float]:
        """Let it work so long; when it ran."""
        self.time.at(seconds, self.worker.stop)
        self.worker.work()
        return self.library.times


@pytest.fixture
def beside() -> Beside:
    return Beside()


# --- by itself ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("feed", "here", "away"), [(True, FEED_HERE, FEED_AWAY), (False, LIST_HERE, LIST_AWAY)]
)
def test_it_runs_at_the_start_and_more_often_while_the_person_is_there(
    beside: Beside, feed: bool, here: float, away: float
) -> None:
    beside.library.feed = feed
    times = beside.runs(HERE + 3 * away)
    gaps = [after - before for before, after in pairwise(times)]
    assert times[0] == 0
    assert set(gaps) == {here, away}
    assert gaps == sorted(gaps), "more often first"
    assert sum(gap == here for gap in gaps) == HERE // here


def test_who_comes_back_sees_what_is_new_at_once_and_often_from_then_on(beside: Beside) -> None:
    back = 2 * HERE + 10
    beside.time.at(back, beside.worker.active)
    times = beside.runs(back + 2 * FEED_HERE - 1)
    assert times[-2:] == [pytest.approx(back, abs=LOOK), pytest.approx(back + FEED_HERE, abs=LOOK)]


def test_a_key_press_of_somebody_who_is_there_is_no_reason_to_run(beside: Beside) -> None:
    for second in range(1, 15):
        beside.time.at(second, beside.worker.active)
    assert beside.runs(FEED_HERE - 1) == [0]


def test_an_edit_by_anybody_is_sent_soon_and_what_is_typed_together_goes_together(
    beside: Beside,
) -> None:
    beside.time.at(5.5, beside.library.edit)
    beside.time.at(6.5, beside.library.edit, beside.library.edit)
    first, second = beside.runs(FEED_HERE)
    assert first == 0
    assert 5.5 + SETTLE <= second <= 5.5 + SETTLE + LOOK


def test_what_a_run_brought_here_is_no_edit(beside: Beside) -> None:
    beside.library.during = lambda progress: beside.library.edit()
    assert beside.runs(FEED_HERE - 1) == [0]


def test_what_was_edited_while_it_ran_is_sent_soon_too(beside: Beside) -> None:
    beside.library.unseen = True
    beside.time.at(SETTLE, lambda: setattr(beside.library, "unseen", False))
    assert beside.runs(FEED_HERE - 1) == [0, SETTLE]


# --- when it may not ---------------------------------------------------------------------------


@pytest.mark.parametrize("state", [State.SIGNED_OUT, State.ASKING])
def test_it_waits_for_the_person_where_only_they_can_help(beside: Beside, state: State) -> None:
    beside.library.state = state
    beside.time.at(12, lambda: setattr(beside.library, "state", State.IN_STEP))
    assert beside.runs(12 + AGAIN + 1) == [pytest.approx(12, abs=AGAIN + LOOK)]


def test_nobody_signed_in_is_nothing_to_do_until_somebody_is(beside: Beside) -> None:
    beside.library.account, beside.library.state = None, State.OFF

    def sign_in() -> None:
        beside.library.account, beside.library.state = ACCOUNT, State.IN_STEP

    beside.time.at(60, sign_in)
    assert beside.runs(60 + AGAIN + 1) == [pytest.approx(60, abs=AGAIN + LOOK)]


def test_paused_it_runs_only_when_the_person_says_so(beside: Beside) -> None:
    beside.library.account = ACCOUNT._replace(paused=True)
    beside.time.at(7, beside.library.edit)
    beside.time.at(30, beside.worker.now)
    assert beside.runs(2 * FEED_AWAY) == [30]


def test_what_the_person_allows_is_for_one_run(beside: Beside) -> None:
    beside.time.at(3, lambda: beside.worker.now(["many_gone:project:40"]))
    beside.runs(3 + FEED_HERE + 1)
    assert beside.library.runs == [
        (0, ()),
        (3, ("many_gone:project:40",)),
        (3 + FEED_HERE, ()),
    ]


# --- when nothing answers ----------------------------------------------------------------------


def test_without_an_answer_it_tries_less_and_less_often_but_every_minute(beside: Beside) -> None:
    beside.library.outcomes = [OFFLINE]
    times = beside.runs(600)
    gaps = [after - before for before, after in pairwise(times)]
    assert gaps[:6] == [3, 5, 9, 17, 33, 1 + MOST_OFFLINE]
    assert set(gaps[6:]) == {1 + MOST_OFFLINE}


def test_after_an_answer_it_begins_anew(beside: Beside) -> None:
    beside.library.outcomes = [OFFLINE, OFFLINE, WENT, OFFLINE, WENT]
    assert beside.runs(3 + 5 + FEED_HERE + 3.5) == [0, 3, 8, 28, 31]


def test_an_edit_does_not_make_a_server_answer(beside: Beside) -> None:
    beside.library.outcomes = [OFFLINE]
    beside.time.at(10, beside.library.edit)
    beside.time.at(11, beside.worker.active)
    assert beside.runs(16) == [0, 3, 8]


def test_the_person_may_try_at_once(beside: Beside) -> None:
    beside.library.outcomes = [later(3_600), WENT]
    beside.time.at(4, beside.worker.now)
    assert beside.runs(4 + FEED_HERE - 1) == [0, 4]


@pytest.mark.parametrize(("wait", "gap"), [(120.0, 120), (3_600.0, 3_600), (0.0, 3), (None, 3)])
def test_a_server_that_says_how_long_is_left_alone_so_long(
    beside: Beside, wait: float | None, gap: float
) -> None:
    """FR-21: a wait of no time is still no loop."""
    beside.library.outcomes = [later(wait), WENT]
    assert beside.runs(gap + 1) == [0, pytest.approx(gap)]


def test_a_library_that_is_busy_is_tried_again(beside: Beside) -> None:
    failing = [True]

    def busy(progress: Progress | None) -> None:
        if failing:
            failing.pop()
            raise StoreBusy("Another program writes to the library.", hint="")

    beside.library.during = busy
    assert beside.runs(FEED_HERE) == [0, 3]


# --- what it says ------------------------------------------------------------------------------


def test_it_says_what_it_does_and_each_change_has_a_greater_number(beside: Beside) -> None:
    said: list[tuple[int, State | None, str]] = []

    def during(progress: Progress | None) -> None:
        assert progress is not None
        said.append(beside.worker.state())
        for doing, count in (("looking", 0), ("looking", 0), ("sending", 1_234)):
            progress(doing, count)
            said.append(beside.worker.state())

    said.append(beside.worker.state())
    beside.library.during = during
    beside.runs(FEED_HERE - 1)
    said.append(beside.worker.state())
    assert [each[1:] for each in said] == [
        (None, ""),
        (State.WORKING, ""),
        (State.WORKING, "looking"),
        (State.WORKING, "looking"),
        (State.WORKING, "sending 1,234"),
        (None, ""),
    ]
    assert [each[0] for each in said] == [0, 1, 2, 2, 3, 4]


def test_without_a_key_it_says_so_for_no_list_of_runs_does(beside: Beside) -> None:
    beside.library.outcomes = [Outcome(State.SIGNED_OUT, message="No key.", code="no_key"), WENT]
    beside.time.at(1, lambda: said.append(beside.worker.state()[1:]))
    said: list[Any] = []
    beside.runs(FEED_HERE + 1)
    assert said == [(State.SIGNED_OUT, "No key.")]
    assert beside.worker.state()[1:] == (None, "")


def test_a_library_that_cannot_be_opened_ends_it_and_is_said() -> None:
    @contextmanager
    def refuse(check: Callable[[], None]) -> Iterator[Any]:
        raise StoreBusy("Another program writes to the library.", hint="")
        yield

    worker = Worker(refuse, lambda: 1.0)
    worker.work()
    assert worker.state()[1:] == (State.OFFLINE, "Another program writes to the library.")


# --- stopping ----------------------------------------------------------------------------------


def test_stopped_while_it_waits_it_closes_the_library(beside: Beside) -> None:
    assert beside.runs(1) == [0]
    assert beside.library.closed


def test_stopped_between_two_requests_it_goes_no_further(beside: Beside) -> None:
    went: list[str] = []

    def during(progress: Progress | None) -> None:
        assert progress is not None
        progress("looking", 0)
        beside.worker.stop()
        went.append("asked")
        progress("sending", 1)
        went.append("sent")

    beside.library.during = during
    beside.worker.work()
    assert went == ["asked"]
    assert len(beside.library.runs) == 1


def test_who_waits_for_the_network_can_ask_whether_it_is_to_stop(beside: Beside) -> None:
    beside.worker.check()
    beside.worker.stop()
    with pytest.raises(Cancelled):
        beside.worker.check()


def test_stopped_before_it_began_it_never_runs(beside: Beside) -> None:
    beside.worker.stop()
    beside.worker.work()
    assert beside.library.runs == []


def test_on_a_thread_of_its_own_it_runs_and_ends() -> None:
    time = Time()
    library = Library(time)
    ran, closed, where = threading.Event(), threading.Event(), set[str]()

    @contextmanager
    def open_library(check: Callable[[], None]) -> Iterator[Any]:
        where.add(threading.current_thread().name)
        yield library
        closed.set()

    def during(progress: Progress | None) -> None:
        where.add(threading.current_thread().name)
        ran.set()

    library.during = during
    worker = Worker(open_library, lambda: 1.0)
    worker.start()
    worker.start()
    assert ran.wait(LONG)
    worker.stop()
    assert closed.wait(LONG)
    assert where == {"localmem-sync"}
    assert len(library.runs) == 1
