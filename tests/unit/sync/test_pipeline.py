"""While the server is at one write the next is made ready: what that may and may not change."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from localmem.core.model import Kind
from localmem.core.replica import FactBody, RecordKey
from localmem.core.scope import PROJECT
from sync.cycle import cycle
from sync.driver import drive
from sync.messages import (
    AddFacts,
    AskChanges,
    Begin,
    Changes,
    Identify,
    Identity,
    NoReply,
    Reply,
    Request,
    WriteItems,
)
from sync.run import End, Ending, Options
from tests.simulation.replica import MemoryLibrary, MemoryTables, Person
from tests.simulation.rows import Database
from tests.simulation.server import Extended
from tests.support.library import FixedClock

MANY = 5
BATCH = 2


class Machine:
    """A device in dictionaries with five documents and five facts, and a server that is ours."""

    def __init__(self) -> None:
        base, clock = Database(), FixedClock()
        self.server = Extended(random.Random(1), clock)
        self.tables = MemoryTables(base, "device01")
        self.library = MemoryLibrary(base, self.tables, 1, clock)
        self.person = Person(self.library)
        self.items = [self.person.write_document(place(at), said(at)) for at in range(MANY)]
        for at in range(MANY):
            assert self.person.add_fact(PROJECT, FactBody(f"fact {at}")) is not None
        self.steps = cycle(
            self.tables, self.library, self._identity(), Options(allowances=frozenset({"*"}))
        )
        self.sent: list[Request] = []
        self.begun: list[Request] = []
        self.ending: Ending | None = None

    def _identity(self) -> Identity:
        found = self.server.handle(Identify())
        assert isinstance(found, Identity)
        return found._replace(can=found.can._replace(batch=BATCH))

    def go(self, until: Callable[[Request], bool]) -> Request | None:
        """Answer until something is asked for; that request, without its answer, or None."""
        reply: Reply | None = self._reply
        try:
            while True:
                asked = self.steps.send(reply)
                if isinstance(asked, Begin):
                    self.begun.append(asked.request)
                    reply = None
                    continue
                self._asked = asked
                if until(asked):
                    return asked
                reply = self.answer()
        except StopIteration as stop:
            self.ending = stop.value
            return None

    _reply: Reply | None = None
    _asked: Request

    def answer(self, reply: Reply | None = None) -> Reply:
        """By the server, unless something else came back."""
        self.sent.append(self._asked)
        self._reply = self.server.handle(self._asked) if reply is None else reply
        return self._reply

    def flights(self) -> set[str]:
        with self.tables.reading():
            return {flight.key.key for flight in self.tables.flights()}

    def texts(self) -> str:
        """All that was ever sent."""
        return str(self.sent)


def place(at: int) -> RecordKey:
    return RecordKey(Kind.DOCUMENT, PROJECT, "notes", f"note{at}")


def said(at: int) -> dict[str, str]:
    return {"text": f"words {at}"}


def documents(request: Request) -> bool:
    return isinstance(request, WriteItems)


def facts(request: Request) -> bool:
    return isinstance(request, AddFacts)


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_the_next_documents_are_ready_on_the_disk_before_the_last_are_answered(
    machine: Machine,
) -> None:
    machine.go(documents)
    assert machine.flights() == {"note0", "note1", "note2", "note3"}
    machine.answer()
    assert machine.go(documents) in machine.begun
    assert machine.flights() == {"note2", "note3", "note4"}


def test_everything_arrives_once_and_in_its_order(machine: Machine) -> None:
    assert machine.go(lambda _: False) is None
    assert machine.ending is not None and machine.ending.end is End.DONE
    keys = [
        step.key for write in machine.sent if isinstance(write, WriteItems) for step in write.steps
    ]
    assert keys == [f"note{at}" for at in range(4)]
    assert len(machine.server.items) == MANY and len(machine.server.facts) == MANY
    assert not machine.flights()


@pytest.mark.parametrize("at", [2, 3])
def test_a_document_that_is_forgotten_while_it_waits_its_turn_never_leaves(
    machine: Machine, at: int
) -> None:
    machine.go(documents)
    machine.person.forget(machine.items[at])
    machine.answer()
    machine.go(lambda _: False)
    assert f"words {at}" not in machine.texts() and "words 4" in machine.texts()
    assert not machine.flights()


def test_a_fact_that_is_forgotten_or_edited_while_it_waits_its_turn_leaves_as_it_is_then(
    machine: Machine,
) -> None:
    machine.go(facts)
    with machine.library.base.reading():
        items = [each.item for each in machine.library.changed(0, 99) if each.kind is Kind.FACT]
    machine.person.forget(items[2])
    machine.person.edit_fact(items[3], "other words")
    machine.answer()
    machine.go(lambda _: False)
    assert "fact 2" not in machine.texts() and "fact 3" not in machine.texts()
    assert "other words" in machine.texts() and "fact 4" in machine.texts()


def test_once_the_account_is_full_nothing_that_was_ready_leaves(machine: Machine) -> None:
    machine.go(documents)
    machine.server.limits.quota = True
    machine.answer()
    assert machine.go(lambda asked: documents(asked) or facts(asked)) is None
    assert not machine.flights() and not machine.server.items
    machine.server.limits.quota = False
    assert machine.ending is not None and machine.ending.end is End.DONE


def test_when_no_answer_comes_what_was_ready_stays_on_the_disk_for_the_next_run(
    machine: Machine,
) -> None:
    machine.go(documents)
    machine.answer(NoReply("timeout", "It did not answer in time."))
    assert machine.go(lambda _: True) is None
    assert machine.ending is not None and machine.ending.end is End.NO_REPLY
    assert machine.flights() == {"note0", "note1", "note2", "note3"}


# the driver


class Line:
    """A server that notes what is under way at the same time."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault = fault
        self.asked: list[Request] = []
        self.at_once = self.most = 0

    def ask(self, request: Request, *, epoch: str | None) -> Reply:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        self.asked.append(request)
        try:
            if self.fault is not None:
                raise self.fault
            return Changes((), f"after {request}", 0, False)
        finally:
            self.at_once -= 1

    def clock_offset(self) -> None:
        return None

    def requests(self) -> int:
        return len(self.asked)

    def close(self) -> None: ...


def page(cursor: str) -> AskChanges:
    return AskChanges(cursor)


def run(line: Line, *asked: Request | Begin) -> list[Reply | None]:
    replies: list[Reply | None] = []

    def steps() -> Any:
        for each in asked:
            replies.append((yield each))
        return Ending(End.DONE)

    drive(steps(), line, None, lambda request: None)
    return replies


def test_what_was_begun_is_asked_once_and_its_answer_is_kept() -> None:
    line = Line()
    replies = run(line, Begin(page("a")), page("b"), page("a"), page("a"))
    assert line.asked == [page("a"), page("b"), page("a")]
    assert replies == [
        None, *(Changes((), f"after {page(c)}", 0, False) for c in ("b", "a", "a")),
    ]  # fmt: skip


def test_nothing_is_asked_while_something_is_under_way() -> None:
    line = Line()
    run(line, *(each for c in "abcdefgh" for each in (Begin(page(c)), page(c + c), page(c))))
    assert line.most == 1 and len(line.asked) == 16


def test_what_goes_wrong_ahead_is_told_to_who_asks_for_it() -> None:
    with pytest.raises(ZeroDivisionError):
        run(Line(ZeroDivisionError()), Begin(page("a")), page("a"))
