"""What a run would do, found out by doing it and taking it all back.

The cycle itself runs inside one transaction that is rolled back, against a server that is only
read: its writes are answered as if they had been done. The library's write lock is never held while
the network is waited for: what is not read yet ends the attempt, is read, and the next begins anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from localmem.core.model import Millis
from sync.messages import (
    Added,
    AddFact,
    AddFacts,
    AskChanges,
    Changes,
    Collections,
    CreateCollection,
    Done,
    DropFact,
    DropFacts,
    Facts,
    Identify,
    Items,
    ListCollections,
    ListFacts,
    ListItems,
    NewFact,
    Read,
    ReadItem,
    Remote,
    Reply,
    Request,
    Results,
    Step,
    Write,
    WriteItem,
    WriteItems,
)


class Unread(Exception):
    """The cycle asked for something that was not read yet."""

    def __init__(self, request: Read) -> None:
        super().__init__(type(request).__name__)
        self.request = request


class TakenBack(Exception):
    """Rolls back the transaction of a rehearsal that came to its end."""


@dataclass(slots=True)
class Reading:
    """What was read of the server so far."""

    remote: Remote
    epoch: str | None
    _read: dict[Read, Reply] = field(default_factory=dict)

    def reply(self, request: Read) -> Reply:
        """Raises Unread."""
        found = self._read.get(request)
        if found is None:
            raise Unread(request)
        return found

    def fetch(self, request: Read) -> None:
        """Ask the server, and on to the end of what comes in pages."""
        following: Read | None = request
        while following is not None:
            reply = self.remote.ask(following, epoch=self.epoch)
            self._read[following] = reply
            following = _behind(following, reply)


def _behind(request: Read, reply: Reply) -> Read | None:
    match request, reply:
        case AskChanges(), Changes(cursor=cursor, more=True):
            return AskChanges(cursor)
        case ListFacts(), Facts(next=str(cursor)):
            return request._replace(cursor=cursor)
        case ListItems(), Items(next=str(cursor)):
            return request._replace(cursor=cursor)
        case ListCollections(), Collections(next=str(cursor)):
            return request._replace(cursor=cursor)
        case _:
            return None


class Rehearsed:
    """A server of which only what was read is known, and which takes every write."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.writes: list[Write] = []

    def ask(self, request: Request, *, epoch: str | None) -> Reply:
        """Raises Unread."""
        match request:
            case (
                Identify()
                | AskChanges()
                | ListFacts()
                | ListCollections()
                | ListItems()
                | ReadItem()
            ):
                return self._reading.reply(request)
            case _:
                self.writes.append(request)
                return self._done(request)

    def _done(self, request: Write) -> Reply:
        match request:
            case CreateCollection() | DropFact():
                return Done()
            case WriteItem(step=step):
                return self._written(step)
            case WriteItems(steps=steps):
                return Results(tuple(self._written(step) for step in steps))
            case AddFact(fact=fact):
                return self._added(fact)
            case AddFacts(facts=facts):
                return Results(tuple(self._added(fact) for fact in facts))
            case DropFacts(facts=dropped):
                return Results(tuple(Done() for _ in dropped))

    def _name(self) -> str:
        return f"rehearsed-{len(self.writes)}"

    def _written(self, step: Step) -> Done:
        return Done(None if step.delete else self._name())

    def _added(self, fact: NewFact) -> Added:
        return Added(f"{self._name()}-{fact.metadata['lm']}", fact.metadata["lm"])

    def clock_offset(self) -> Millis | None:
        return self._reading.remote.clock_offset()

    def requests(self) -> int:
        return self._reading.remote.requests()

    def close(self) -> None:
        """The server is another's to close."""
