"""Two servers in dictionaries: `Extended` is ours (docs/sync-api.md), `Documented` the hosted API.

They answer `sync.messages` requests as the truth, without a network: losing and repeating is
world.py's. `Documented` is as unhelpful as its documents allow: cursors are offsets, which pass
over rows when a list changes between two pages; revs are random; nothing is told of what is gone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from localmem.core import facts, feed
from localmem.core.model import Collection, DocumentContent, FactContent, Json, Millis
from localmem.core.records import Removal
from localmem.core.scope import Scope
from sync.messages import (
    Absent,
    Added,
    AddFact,
    AddFacts,
    AskChanges,
    Capabilities,
    Changes,
    Collections,
    CreateCollection,
    Done,
    DropFact,
    DropFacts,
    Expired,
    FactRow,
    Facts,
    GoneFact,
    GoneItem,
    Identify,
    Identity,
    ItemRow,
    Items,
    ListCollections,
    ListFacts,
    ListItems,
    NewFact,
    ReadItem,
    Refusal,
    Refused,
    Reply,
    Request,
    Results,
    Step,
    WriteItem,
    WriteItems,
)

Place = tuple[Scope, str, str]
"""Scope, collection and key of an item."""

FACTS_A_PAGE = 2
ITEMS_A_PAGE = 1
CHANGES_A_PAGE = 5
WRITES = (WriteItem, WriteItems, AddFact, AddFacts, DropFact, DropFacts, CreateCollection)

EXTENDED = Capabilities(
    changes=True,
    epoch=True,
    idempotency=True,
    if_match=True,
    if_match_delete=True,
    if_none_match=True,
    reasons=True,
    batch=250,
    conditional_batch=True,
    fact_batch=True,
    replaces=True,
)


class Item(NamedTuple):
    id: str
    rev: str
    value: Json
    updated_at: Millis
    expires_at: Millis | None = None


@dataclass
class Limits:
    """What it refuses just now."""

    quota: bool = False
    full: set[Scope] = field(default_factory=set)
    signed_out: bool = False
    busy: float | None = None
    too_large: set[Any] = field(default_factory=set)
    """Places of items, and scopes of facts, whose content is too large for it."""


def refuse(
    why: Refused, code: str, *, wait: float | None = None, rev: str | None = None
) -> Refusal:
    return Refusal(why, code, f"The server refused it ({code}).", wait, rev)


class Server:
    """What both have in common."""

    can: Capabilities

    def __init__(self, chance: random.Random, clock: Callable[[], Millis]) -> None:
        self.chance = chance
        self.clock = clock
        self.limits = Limits()
        self.items: dict[Place, Item] = {}
        self.facts: dict[tuple[Scope, str], FactRow] = {}
        self.collections: dict[str, Collection] = {}
        self.account = "spc_one"
        self.epoch: str | None = None
        self.changes = 0
        """How often anything was changed by anybody."""
        self.refused = 0
        self._made = 0
        self._asks: dict[type, Callable[[Any], Reply]] = {
            Identify: self._identify,
            AskChanges: self._feed,
            ListFacts: self._list_facts,
            ListItems: self._list_items,
            ListCollections: self._list_collections,
            CreateCollection: self._create_collection,
            ReadItem: self._read,
            WriteItem: self._write_item,
            WriteItems: self._write_items,
            AddFact: self._add_one,
            AddFacts: self._add_many,
            DropFact: self._drop,
            DropFacts: self._drop_many,
        }

    def handle(self, request: Request) -> Reply:
        if self.limits.signed_out:
            return refuse(Refused.SIGNED_OUT, "unauthorized")
        if self.limits.busy is not None:
            return refuse(Refused.BUSY, "rate_limited", wait=self.limits.busy)
        return self._asks[type(request)](request)

    # reads

    def _identify(self, request: Identify) -> Reply:
        return Identity("sim", self.account, "live", self.epoch, self.can, self.changes)

    def _feed(self, request: AskChanges) -> Reply:
        raise AssertionError("a feed is asked for only where there is one")

    def _offset(self, rows: Sequence[Any], cursor: str | None, size: int) -> tuple[Any, Any]:
        start = int(cursor) if cursor else 0
        end = start + size
        return rows[start:end], str(end) if end < len(rows) else None

    def _list_facts(self, request: ListFacts) -> Reply:
        rows = [row for (scope, _), row in sorted(self.facts.items()) if scope == request.scope]
        rows = [self._told(row) for row in rows if not self._over(row.expires_at)]
        page, after = self._offset(rows, request.cursor, FACTS_A_PAGE)
        return Facts(tuple(page), after)

    def _told(self, row: FactRow) -> FactRow:
        return row if self.can.echoes_metadata else row._replace(metadata={})

    def _list_items(self, request: ListItems) -> Reply:
        if request.collection not in self.collections:
            return Absent()
        rows = [
            self._row(place, item)
            for place, item in sorted(self.items.items())
            if place[:2] == (request.scope, request.collection) and not self._over(item.expires_at)
        ]
        page, after = self._offset(rows, request.cursor, ITEMS_A_PAGE)
        return Items(tuple(page), after)

    def _list_collections(self, request: ListCollections) -> Reply:
        page, after = self._offset(
            [self.collections[name] for name in sorted(self.collections)], request.cursor, 2
        )
        return Collections(tuple(page), after)

    def _read(self, request: ReadItem) -> Reply:
        place = (request.scope, request.collection, request.key)
        item = self.item(place)
        return Absent() if item is None else self._row(place, item)

    def _row(self, place: Place, item: Item) -> ItemRow:
        inc = self._inc(item) if self.can.changes else ""
        return ItemRow(*place, item.rev, item.value, inc, item.updated_at, item.expires_at)

    def _inc(self, item: Item) -> str:
        return item.id

    def item(self, place: Place) -> Item | None:
        item = self.items.get(place)
        return None if item is None or self._over(item.expires_at) else item

    def _over(self, expires_at: Millis | None) -> bool:
        return expires_at is not None and self.clock() >= expires_at

    def id(self) -> str:
        self._made += 1
        return f"{self._made:08x}-0000-7000-9000-{self.chance.getrandbits(40):012x}"

    # writes

    def _create_collection(self, request: CreateCollection) -> Reply:
        if self.limits.quota:
            return self._quota()
        self.collections.setdefault(request.collection.name, request.collection)
        return Done()

    def _quota(self) -> Refusal:
        self.refused += 1
        return refuse(Refused.QUOTA, "memory_limit_exceeded")

    def _write_item(self, request: WriteItem) -> Reply:
        place = (request.scope, request.collection, request.step.key)
        return self.step(place, request.step, conditions=True)

    def _write_items(self, request: WriteItems) -> Reply:
        raise NotImplementedError

    def step(self, place: Place, step: Step, *, conditions: bool) -> Done | Absent | Refusal:
        return self._delete(place, step) if step.delete else self._put(place, step, conditions)

    def _delete(self, place: Place, step: Step) -> Done | Absent | Refusal:
        item = self.item(place)
        if item is None:
            return self._nothing_to_delete(step)
        if step.if_match is not None and self.can.if_match_delete and step.if_match != item.rev:
            return refuse(Refused.STALE, "revision_conflict", rev=item.rev)
        self.remove_item(place, Removal.FORGET)
        return self.done()

    def _put(self, place: Place, step: Step, conditions: bool) -> Done | Absent | Refusal:
        item = self.item(place)
        if self.limits.quota:
            return self._quota()
        if place in self.limits.too_large:
            return refuse(Refused.TOO_LARGE, "document_too_large")
        if conditions and step.if_match is not None and self.can.if_match:
            if item is None:
                return self._nothing_to_match()
            if item.rev != step.if_match:
                return refuse(Refused.STALE, "revision_conflict", rev=item.rev)
        if conditions and step.only_new and self.can.if_none_match and item is not None:
            return refuse(Refused.STALE, "revision_conflict", rev=item.rev)
        self.put_item(place, step.value, step.ttl)
        return self.done(self.items[place])

    def put_item(self, place: Place, value: Json, ttl: int | None = None) -> Item:
        """Write it, whoever asks."""
        self._purge_item(place)
        held = self.items.get(place)
        self.collections.setdefault(place[1], Collection(place[1], implicit=True))
        ends = None if ttl is None else self.clock() + ttl * 1000
        item = Item(held.id if held else self.id(), self._rev(place), value, self.clock(), ends)
        self.items[place] = item
        self.changes += 1
        return item

    def _purge_item(self, place: Place) -> None:
        item = self.items.get(place)
        if item is not None and self._over(item.expires_at):
            self.remove_item(place, Removal.EXPIRED)

    def remove_item(self, place: Place, why: Removal) -> None:
        del self.items[place]
        self.changes += 1

    def _rev(self, place: Place) -> str:
        raise NotImplementedError

    def _nothing_to_match(self) -> Done | Absent | Refusal:
        raise NotImplementedError

    def _nothing_to_delete(self, step: Step) -> Done | Absent | Refusal:
        raise NotImplementedError

    def done(self, item: Item | None = None) -> Done:
        return Done(None if item is None else item.rev)

    def _add_one(self, request: AddFact) -> Reply:
        return self.add(request.scope, request.fact)

    def _add_many(self, request: AddFacts) -> Reply:
        raise AssertionError("facts are sent in batches only where they are taken")

    def add(self, scope: Scope, fact: NewFact) -> Added | Refusal:
        if self.limits.quota:
            return self._quota()
        if scope in self.limits.full:
            self.refused += 1
            return refuse(Refused.SCOPE_FULL, "memory_scope_full")
        if scope in self.limits.too_large and len(fact.text) % 2:
            return refuse(Refused.TOO_LARGE, "text_too_long")
        row = self.put_fact(scope, fact)
        return Added(row.server_id, row.metadata.get("lm", "") if self.can.changes else "")

    def put_fact(self, scope: Scope, fact: NewFact) -> FactRow:
        """Keep it, whoever asks."""
        ends = None if fact.ttl is None else self.clock() + fact.ttl * 1000
        # Not in the order of their making: ids of a server are opaque.
        self._made += 1
        id = f"mem_{self.chance.getrandbits(24):06x}{self._made:05x}"
        row = FactRow(scope, id, fact.text, dict(fact.metadata), self.clock(), ends)
        self.facts[scope, id] = row
        self.changes += 1
        return row

    def _drop(self, request: DropFact) -> Reply:
        if (request.scope, request.server_id) in self.facts:
            why = request.why if self.can.reasons else Removal.FORGET
            self.remove_fact(request.scope, request.server_id, why)
        return self.done()

    def _drop_many(self, request: DropFacts) -> Reply:
        raise AssertionError("facts are dropped in batches only where those are taken")

    def remove_fact(self, scope: Scope, id: str, why: Removal) -> None:
        del self.facts[scope, id]
        self.changes += 1

    def told(self) -> list[Json]:
        """Everything that it would tell somebody of."""
        items = [item.value for item in self.items.values() if not self._over(item.expires_at)]
        return [
            *items,
            *(row.text for row in self.facts.values() if not self._over(row.expires_at)),
        ]

    def purge(self) -> int:
        """Erase what has expired, when it comes to it."""
        places = [place for place, item in self.items.items() if self._over(item.expires_at)]
        for place in places:
            self.remove_item(place, Removal.EXPIRED)
        over = [key for key, row in self.facts.items() if self._over(row.expires_at)]
        for scope, id in over:
            self.remove_fact(scope, id, Removal.EXPIRED)
        return len(places) + len(over)


class Documented(Server):
    """The hosted API: no feed, no epoch, no idempotency."""

    def __init__(
        self,
        chance: random.Random,
        clock: Callable[[], Millis],
        *,
        create_cas: bool = False,
        delete_cas: bool = False,
        echoes: bool = True,
    ) -> None:
        super().__init__(chance, clock)
        self.can = Capabilities(
            if_none_match=create_cas, if_match_delete=delete_cas, echoes_metadata=echoes
        )

    def _rev(self, place: Place) -> str:
        return f"{self.chance.getrandbits(48):012x}"

    def _nothing_to_match(self) -> Done | Absent | Refusal:
        return Absent()

    def _nothing_to_delete(self, step: Step) -> Done | Absent | Refusal:
        return Absent() if self.chance.random() < 0.5 else Done()

    def _write_items(self, request: WriteItems) -> Reply:
        assert len(request.steps) <= self.can.batch
        each = (
            self.step((request.scope, request.collection, step.key), step, conditions=False)
            for step in request.steps
        )
        return Results(tuple(each))


class Answered(NamedTuple):
    """What is kept of a request that was done."""

    asked: Request | None
    """None once something that it wrote was forgotten."""
    kind: type
    reply: Reply
    ids: tuple[str, ...]
    """Of what it wrote and told of."""


class Extended(Server):
    """Our own: feed, tombstones, epoch, idempotency, conditions everywhere."""

    can = EXTENDED

    def __init__(self, chance: random.Random, clock: Callable[[], Millis]) -> None:
        super().__init__(chance, clock)
        self.epoch = "e0"
        self.seq = 0
        self.floor = 0
        self._feed_rows: dict[int, Any] = {}
        self._at: dict[Any, int] = {}
        self._revs: dict[Place, int] = {}
        self._answers: dict[str, Answered] = {}
        self._touched: list[str] = []
        self._told: list[str] = []

    # backup

    def snapshot(self) -> tuple[Any, ...]:
        return (
            dict(self.items), dict(self.facts), dict(self.collections), self.seq, self.floor,
            dict(self._feed_rows), dict(self._at), dict(self._revs), dict(self._answers),
        )  # fmt: skip

    def restore(self, held: tuple[Any, ...]) -> None:
        """The library of then, and another epoch."""
        items, facts, collections, self.seq, self.floor, rows, at, revs, answers = held
        self.items, self.facts, self.collections = dict(items), dict(facts), dict(collections)
        self._feed_rows, self._at, self._revs = dict(rows), dict(at), dict(revs)
        self._answers = dict(answers)
        self._new_epoch()

    def wipe(self) -> None:
        """Its file was removed: it begins anew."""
        self.items, self.facts, self.collections = {}, {}, {}
        self.seq = self.floor = 0
        self._feed_rows, self._at, self._revs, self._answers = {}, {}, {}, {}
        self._new_epoch()

    def forget_tombstones(self) -> None:
        """400 days are over: what is gone is told no more."""
        self.floor = self.seq
        for seq, row in list(self._feed_rows.items()):
            if isinstance(row, GoneFact | GoneItem):
                del self._feed_rows[seq]

    def _new_epoch(self) -> None:
        self.epoch = f"e{self.chance.getrandbits(40):x}"
        self.changes += 1

    # feed

    def _cursor(self, seq: int, begun: int) -> str:
        return f"{self.epoch}:{seq}:{begun}"

    def _feed(self, request: AskChanges) -> Reply:
        if request.cursor is None:
            seq, begun = 0, self.floor if request.gone_too else self.seq
        else:
            epoch, told, first = request.cursor.split(":")
            seq, begun = int(told), int(first)
            if epoch != self.epoch or max(seq, begun) < self.floor:
                return Expired()
        seen = max(seq, begun)
        rows: list[Any] = []
        count, end = 0, self.seq
        for number in sorted(each for each in self._feed_rows if each > seq):
            row = self._feed_rows[number]
            gone = isinstance(row, GoneFact | GoneItem)
            if gone and number <= seen:
                continue
            count += 1
            if not gone:
                row = self._current(row)
            if row is not None:
                rows.append(row)
            if count == CHANGES_A_PAGE:
                end = number
                break
        return Changes(tuple(rows), self._cursor(end, begun), end, end < self.seq)

    def _current(self, place: Any) -> FactRow | ItemRow | None:
        """None for what has expired, which is not told."""
        if len(place) == 2:
            fact = self.facts[place]
            return None if self._over(fact.expires_at) else fact
        item = self.item(place)
        return None if item is None else self._row(place, item)

    def _number(self, place: Any, row: Any, id: str) -> None:
        self.seq += 1
        before = self._at.pop(place, None)
        if before is not None:
            del self._feed_rows[before]
        self._feed_rows[self.seq] = row
        if not isinstance(row, GoneFact | GoneItem):
            self._at[place] = self.seq
        self._touched.append(id)

    def done(self, item: Item | None = None) -> Done:
        rev, inc = (None, "") if item is None else (item.rev, self._inc(item))
        return Done(rev, self.seq, self._cursor(self.seq, self.seq), inc)

    def put_item(self, place: Place, value: Json, ttl: int | None = None) -> Item:
        item = super().put_item(place, value, ttl)
        self._number(place, place, item.id)
        return item

    def remove_item(self, place: Place, why: Removal) -> None:
        item = self.items[place]
        known = feed.identity_of(DocumentContent(item.value))
        super().remove_item(place, why)
        self._number(
            place, GoneItem(place[0], known.inc or item.id, known.gen, why, item.id), item.id
        )
        self._forget_answers(item.id)

    def put_fact(self, scope: Scope, fact: NewFact) -> FactRow:
        row = super().put_fact(scope, fact)
        self._number((scope, row.server_id), (scope, row.server_id), row.server_id)
        return row

    def remove_fact(self, scope: Scope, id: str, why: Removal) -> None:
        row = self.facts[scope, id]
        lm = feed.identity_of(FactContent(row.text, row.metadata)).lm
        super().remove_fact(scope, id, why)
        self._number((scope, id), GoneFact(scope, id, lm, why), id)
        self._forget_answers(id)

    def _rev(self, place: Place) -> str:
        self._revs[place] = self._revs.get(place, 0) + 1
        return str(self._revs[place])

    def _nothing_to_match(self) -> Done | Absent | Refusal:
        return refuse(Refused.STALE, "revision_conflict")

    def _nothing_to_delete(self, step: Step) -> Done | Absent | Refusal:
        if step.if_match is not None:
            return refuse(Refused.STALE, "revision_conflict")
        return Done()

    # facts

    def add(self, scope: Scope, fact: NewFact) -> Added | Refusal:
        """The fact it knows where the same words are kept already."""
        if self.limits.quota:
            return self._quota()
        going = [id for id in fact.replaces if (scope, id) in self.facts]
        wanted = facts.sameness(fact.text)
        twin = next(
            (
                row
                for (where, id), row in sorted(self.facts.items())
                if where == scope
                and id not in going
                and facts.sameness(row.text) == wanted
                and not self._over(row.expires_at)
            ),
            None,
        )
        if twin is None:
            if scope in self.limits.full and not going:
                self.refused += 1
                return refuse(Refused.SCOPE_FULL, "memory_scope_full")
            if scope in self.limits.too_large and len(fact.text) % 2:
                return refuse(Refused.TOO_LARGE, "text_too_long")
        row = twin or self.put_fact(scope, fact)
        for id in going:
            self.remove_fact(scope, id, Removal.SUPERSEDED)
        self._told.append(row.server_id)
        lm = feed.identity_of(FactContent(row.text, row.metadata)).lm
        if twin is not None and not going:
            return Added(row.server_id, lm)
        return Added(row.server_id, lm, self.seq, self._cursor(self.seq, self.seq))

    # idempotency

    def handle(self, request: Request) -> Reply:
        if not isinstance(request, WRITES) or isinstance(request, CreateCollection):
            return super().handle(request)
        if self.limits.signed_out or self.limits.busy is not None:
            return super().handle(request)
        held = self._answers.get(request.op)
        if held is not None:
            return self._again(request, held)
        self._touched, self._told = [], []
        before = self.seq
        reply = super().handle(request)
        if isinstance(reply, Refusal | Absent):
            return reply
        if isinstance(reply, Done) and self.seq == before:
            reply = Done()
        ids = (*self._touched, *self._told)
        alive = {item.id for item in self.items.values()} | {id for _, id in self.facts}
        asked = None if _mixed(request) and not set(ids) <= alive else request
        self._answers[request.op] = Answered(asked, type(request), reply, ids)
        return reply

    def _again(self, request: Request, held: Answered) -> Reply:
        if held.kind is not type(request) or held.asked not in (None, request):
            return refuse(Refused.REUSED, "idempotency_conflict")
        alive = {item.id for item in self.items.values()} | {id for _, id in self.facts}
        gone = refuse(Refused.FORGOTTEN, "memory_forgotten")
        match request:
            case WriteItem(step=step) if not step.delete and not set(held.ids) <= alive:
                return gone
            case AddFact() if isinstance(held.reply, Added) and held.reply.server_id not in alive:
                return gone
            case AddFacts() if isinstance(held.reply, Results):
                each = tuple(
                    gone if isinstance(one, Added) and one.server_id not in alive else one
                    for one in held.reply.each
                )
                return held.reply._replace(each=each)
        return held.reply

    def _forget_answers(self, id: str) -> None:
        for op, held in self._answers.items():
            if id in held.ids:
                self._answers[op] = held._replace(asked=None)

    def _write_items(self, request: WriteItems) -> Reply:
        assert len(request.steps) <= self.can.batch
        each = tuple(
            self.step((request.scope, request.collection, step.key), step, conditions=True)
            for step in request.steps
        )
        return Results(each, self.seq, self._cursor(self.seq, self.seq))

    def _add_many(self, request: AddFacts) -> Reply:
        assert len(request.facts) <= self.can.batch
        each = tuple(self.add(request.scope, fact) for fact in request.facts)
        return Results(each, self.seq, self._cursor(self.seq, self.seq))

    def _drop_many(self, request: DropFacts) -> Reply:
        assert len(request.facts) <= self.can.batch
        each = []
        for id, why in request.facts:
            gone = (request.scope, id) in self.facts
            if gone:
                self.remove_fact(request.scope, id, why)
            each.append(self.done() if gone else Done())
        return Results(tuple(each), self.seq, self._cursor(self.seq, self.seq))


def _mixed(request: Request) -> bool:
    """Whether it may erase part of what it wrote."""
    return isinstance(request, WriteItems | AddFacts)
