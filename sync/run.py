"""What the parts of one cycle share: the library, the tables, the account, and what happened.

`Halt` is how a cycle ends early from any depth of its generators; only `sync/cycle.py` catches it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeVar

from localmem.core.model import ItemId, Millis
from localmem.core.records import Removal
from localmem.core.replica import (
    Block,
    Library,
    Pending,
    Standing,
    Tables,
    block_place,
)
from localmem.core.scope import Scope
from sync.messages import (
    Added,
    Begin,
    Capabilities,
    Done,
    NoReply,
    OtherEpoch,
    Read,
    Refusal,
    Refused,
    Reply,
    Request,
    Results,
    Write,
)
from sync.policy import LEFT_OUT, Braked, allowed, holds

T = TypeVar("T")
Steps = Generator[Request | Begin, Reply | None, T]
"""Yields what is asked, is sent the answers; between two of them lie whole transactions. `Begin` is
sent None."""

FORGETS = (Removal.FORGET, Removal.UNDO)
"""Reasons that a person gave; the others only say what became of a wording."""
KILLS = (Removal.FORGET, Removal.UNDO, Removal.SUPERSEDED, Removal.DUPLICATE)
"""Reasons after which an incarnation never comes back. What has expired may be kept longer."""


class End(StrEnum):
    """How a cycle ended."""

    DONE = "done"
    NO_REPLY = "no_reply"
    """Offline, or nothing that can be used came back; what was done stays done."""
    WAIT = "wait"
    """The server says later."""
    SIGNED_OUT = "signed_out"
    CHANGED = "changed"
    """The server became another one meanwhile; the next cycle compares everything."""
    BRAKE = "brake"
    """The person is asked."""


class Ending(NamedTuple):
    end: End
    code: str = ""
    """Of the reply that ended it."""
    message: str = ""
    """A sentence with the next step; "" when it is done."""
    wait: float | None = None
    """Seconds until another try makes sense, where the server says."""
    braked: Braked | None = None


class Halt(Exception):
    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.end)
        self.ending = ending


class Act(StrEnum):
    """What was done to an item, for the report."""

    SENT = "sent"
    CHANGED_THERE = "changed_there"
    DELETED_THERE = "deleted_there"
    TAKEN = "taken"
    CHANGED_HERE = "changed_here"
    DELETED_HERE = "deleted_here"
    CONFLICT = "conflict"
    BLOCKED = "blocked"


@dataclass(slots=True)
class Tally:
    """Counts of one cycle, by scope and act; nothing of what an item says."""

    acts: dict[tuple[str, Act], int] = field(default_factory=dict)
    braked: Braked | None = None
    """What it stopped before, or would have, had the person not allowed it."""

    def add(self, scope: Scope, act: Act, count: int = 1) -> None:
        key = (str(scope), act)
        self.acts[key] = self.acts.get(key, 0) + count

    def total(self, act: Act) -> int:
        return sum(count for (_, each), count in self.acts.items() if each is act)


class Options(NamedTuple):
    pull: bool = True
    """False sends only: for servers without a feed, between two full looks."""
    allowances: frozenset[str] = frozenset()
    """Brakes the person let go (`policy.Braked.allowance`)."""


@dataclass(slots=True)
class Run:
    tables: Tables
    library: Library
    can: Capabilities
    options: Options
    tally: Tally = field(default_factory=Tally)
    gone: dict[str, int] = field(default_factory=dict)
    """By scope, what this cycle took away because it is gone on the server."""
    refused: set[str] = field(default_factory=set)
    """Places that wait for a time: in this cycle it does not come, whatever the clock says."""
    told_scopes: set[Scope] = field(default_factory=set)
    """Those a server without epochs was told of."""

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction, after which nobody need look at what it changed here itself."""
        with self.tables.writing():
            before = self.library.high()
            yield
            after = self.library.high()
            standing = self.tables.standing()
            if after != before and standing.watermark == before:
                self.tables.stand(standing._replace(watermark=after))

    # standing; inside a transaction

    @property
    def me(self) -> str:
        return self.tables.standing().device

    def next_counter(self, count: int = 1) -> int:
        """The first of so many numbers of sends that nobody ever had."""
        standing = self.tables.standing()
        self.tables.stand(standing._replace(counter=standing.counter + count))
        return standing.counter + 1

    def advance(self, seq: int | None, cursor: str | None, changes: int = 1) -> None:
        """Our own write is the next change of the feed: it need not be told to us."""
        standing = self.tables.standing()
        if seq is None or cursor is None or standing.cursor is None:
            return
        if seq == standing.seq + changes and not standing.resync and not standing.sweep:
            self.tables.stand(standing._replace(seq=seq, cursor=cursor))

    # asking

    def ask(self, request: Read) -> Steps[Reply]:
        """Raises Halt for what ends a cycle."""
        reply = yield request
        assert reply is not None
        self.check(reply)
        if isinstance(reply, Refusal):
            raise Halt(Ending(End.NO_REPLY, reply.code, reply.message))
        return reply

    def brake(self, braked: Braked) -> None:
        """Raises Halt, unless the person allowed it."""
        self.tally.braked = braked
        if not allowed(braked, self.options.allowances):
            raise Halt(Ending(End.BRAKE, braked.brake, "", None, braked))

    def tell(self, request: Write) -> Steps[Done | Added | Results | Refusal | Reply]:
        """Raises Halt where it is not known what became of it."""
        reply = yield request
        assert reply is not None
        if isinstance(reply, NoReply | OtherEpoch):
            self.check(reply)
        return reply

    def begin(self, request: Request) -> Steps[None]:
        """Let it be under way while something else is done; it is asked for next all the same."""
        yield Begin(request)

    def check(self, reply: Reply) -> None:
        """Raises Halt for replies after which nothing more can be asked."""
        match reply:
            case NoReply(code=code, message=message, wait=wait):
                raise Halt(Ending(End.NO_REPLY, code, message, wait))
            case OtherEpoch():
                raise Halt(Ending(End.CHANGED, "epoch", "The server was restored or replaced."))
            case Refusal(why=Refused.SIGNED_OUT, code=code, message=message):
                raise Halt(Ending(End.SIGNED_OUT, code, message))
            case Refusal(why=Refused.BUSY, code=code, message=message, wait=wait):
                raise Halt(Ending(End.WAIT, code, message, wait))
            case _:
                pass

    # what is gone for ever; inside a transaction

    def dead(self, id: str) -> bool:
        """Whether an incarnation or a wording never comes back."""
        why = self.tables.gone(id) or self.library.why_gone(ItemId(id))
        return why in KILLS

    def dead_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of many that never come back."""
        here, known = (
            self.library.whys_gone([ItemId(id) for id in ids]),
            self.tables.gone_among(ids),
        )
        return frozenset(id for id in ids if (known.get(id) or here.get(ItemId(id))) in KILLS)

    def bury(self, id: str, scope: Scope, why: Removal) -> None:
        if id:
            self.tables.put_gone(id, scope, why)

    # what is kept back; inside a transaction

    def blocked(self, place: str) -> bool:
        return place in self.blocked_among([place])

    def blocked_among(self, places: Sequence[str]) -> frozenset[str]:
        """Those of many."""
        held, now = self.tables.blocks_at(places), self.library.now()
        return frozenset(
            place for place in places if place in self.refused or holds(held.get(place), now)
        )

    def changed(self, items: Sequence[Pending]) -> None:
        """They are to be sent: what kept them back counts no more, unless the person put it
        there."""
        for place, held in self.tables.blocks_at([block_place(each) for each in items]).items():
            if held.code != LEFT_OUT:
                self.tables.drop_block(place)
        self.tables.add_all_pending(items)

    def keep_back(self, place: str, block: Block, scope: Scope) -> None:
        self.tables.put_block(place, block)
        if block.until is not None:
            self.refused.add(place)
        self.tally.add(scope, Act.BLOCKED)

    def standing(self) -> Standing:
        return self.tables.standing()

    def now(self) -> Millis:
        return self.library.now()


OF_SCOPES = "scope:"


def scope_place(scope: Scope) -> str:
    """Where the block of a full scope is filed."""
    return f"{OF_SCOPES}{scope}"
