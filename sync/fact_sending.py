"""Facts that changed here, on their way to the server, and the deletes that are owed there.

Refuses to send a wording again before it knows that the first one did not arrive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from localmem.core.model import ItemId
from localmem.core.records import Removal
from localmem.core.replica import (
    ACCOUNT,
    Block,
    Errand,
    Fact,
    Pending,
    Wording,
    block_place,
)
from localmem.core.scope import Scope
from sync import encoding, facts
from sync.encoding import MOST_SUP
from sync.messages import (
    Added,
    AddFact,
    AddFacts,
    Done,
    DropFact,
    DropFacts,
    FactRow,
    Facts,
    ListFacts,
    NewFact,
    Refusal,
    Refused,
    Reply,
    Results,
)
from sync.pipeline import Pipeline
from sync.policy import SHORTEST_TTL, block, parts, seconds_left
from sync.run import FORGETS, Act, Run, Steps, scope_place

NO_ROOM = "metadata_full"
_GLANCE = 500
"""Facts that are looked up at once."""


def send(run: Run) -> Steps[None]:
    """Send the wordings that the server has not."""
    with run.tables.reading():
        items = [each.item for each in run.tables.pending() if each.item is not None]
    if not run.options.pull:
        yield from _find_sent(run, items)
    pipeline = Pipeline(run, _answered)
    for batch in _batches(run, items):
        with run.writing():
            ready = _prepared(run, batch)
        yield from pipeline.send(partial(_leaving, run, ready))
    yield from pipeline.end()


def _find_sent(run: Run, items: Sequence[ItemId]) -> Steps[None]:
    """Look for wordings that were sent without an answer, before any is sent again: where this
    cycle has not looked at everything already."""
    with run.tables.reading():
        unsure = {
            held.scope for item in items for held in run.tables.wordings_of(item) if held.sent
        }
    for scope in sorted(unsure):
        rows = yield from list_all(run, scope)
        with run.writing():
            facts.adopt(run, rows.values())


def list_all(run: Run, scope: Scope) -> Steps[dict[str, FactRow]]:
    """Every fact of a scope, by the server's id. Raises Halt when a page fails: a part of a list
    tells nothing."""
    found: dict[str, FactRow] = {}
    cursor: str | None = None
    while True:
        reply = yield from run.ask(ListFacts(scope, cursor))
        if not isinstance(reply, Facts):
            return found
        found |= {row.server_id: row for row in reply.rows}
        if reply.next is None:
            return found
        cursor = reply.next


def _batches(run: Run, items: Sequence[ItemId]) -> list[list[ItemId]]:
    """Items of one scope each, as many as one request takes."""
    placed: dict[Scope, list[Fact]] = {}
    with run.tables.reading():
        for at in range(0, len(items), _GLANCE):
            part = items[at : at + _GLANCE]
            found = run.library.facts(part)
            for item in part:
                if item in found:
                    placed.setdefault(found[item].scope, []).append(found[item])
    most = run.can.batch if run.can.fact_batch else 1
    return [
        [fact.item for fact in part]
        for held in placed.values()
        for part in parts(held, _size, most)
    ]


def _size(fact: Fact) -> int:
    beside = sum(len(name) + len(said) for name, said in fact.body.metadata.items())
    return len(fact.body.text.encode()) + beside


class _Ready(NamedTuple):
    """A wording that is about to be sent."""

    fact: Fact
    wording: Wording
    new: NewFact
    unsure: bool
    """Whether it was sent before, without an answer."""
    alone: bool
    """Whether the fact never had another wording."""

    @property
    def sent(self) -> Wording:
        return self.wording._replace(sent=True)


class _Batch(NamedTuple):
    """What is made ready together."""

    ready: Sequence[_Ready]
    high: int
    """The newest change of the library then."""


class _Request(NamedTuple):
    batch: _Batch
    request: AddFact | AddFacts


class _Glance(NamedTuple):
    """What is known of many facts, looked up at once."""

    facts: Mapping[ItemId, Fact]
    wordings: Mapping[ItemId, Sequence[Wording]]
    clashing: frozenset[ItemId]
    blocked: frozenset[str]
    """Places that wait."""


def _glance(run: Run, items: Sequence[ItemId]) -> _Glance:
    found = run.library.facts(items)
    scopes = {fact.scope for fact in found.values()}
    own = (block_place(Pending(None, item)) for item in items)
    return _Glance(
        found,
        run.tables.wordings_among(items),
        frozenset(run.tables.fact_conflicts()),
        run.blocked_among([ACCOUNT, *map(scope_place, sorted(scopes)), *own]),
    )


def _prepared(run: Run, items: Sequence[ItemId]) -> _Batch:
    """Those that are to be sent now, noted as being about to be."""
    seen = _glance(run, items)
    ready = [each for item in items if (each := _prepare(run, item, seen)) is not None]
    run.tables.put_wordings([each.sent for each in ready if not each.wording.sup])
    for each in ready:
        if each.wording.sup:
            run.tables.put_wording(each.sent)
    return _Batch(ready, run.library.high())


def _leaving(run: Run, batch: _Batch, bad: bool) -> _Request | None:
    """What still may leave: made ready once more where the person changed something since, or
    after a `bad` answer, since a limit may have been met."""
    with run.writing():
        if bad or run.library.high() != batch.high:
            for each in batch.ready:
                held = run.tables.wording(each.wording.lm)
                if held is not None:
                    run.tables.put_wording(held._replace(sent=each.unsure))
            batch = _prepared(run, [each.fact.item for each in batch.ready])
    return _request(run, batch) if batch.ready else None


def _prepare(run: Run, item: ItemId, seen: _Glance) -> _Ready | None:
    """None when there is nothing to send now."""
    fact, pending = seen.facts.get(item), Pending(None, item)
    wordings = seen.wordings.get(item, ())
    if fact is None or facts.has_current(fact, wordings) or item in seen.clashing:
        run.tables.drop_pending(pending)
        if fact is not None:
            facts.replaced(run, item)
        return None
    places = (ACCOUNT, scope_place(fact.scope), block_place(pending))
    if not seen.blocked.isdisjoint(places):
        return None
    wording = next((held for held in wordings if held.number == fact.number), None)
    older = [held for held in wordings if held.number < fact.number]
    if wording is None:
        wording = Wording(fact.version, item, fact.number, fact.scope, sup=_sup(older))
    new = _new(run, fact, wording, older)
    if new is None:
        return None
    alone = not wording.sup and all(held.lm == wording.lm for held in wordings)
    return _Ready(fact, wording, new, wording.sent, alone)


def _sup(older: Sequence[Wording]) -> tuple[str, ...]:
    named: dict[str, None] = {}
    for held in older:
        named[held.lm] = None
    for held in older:
        named |= dict.fromkeys(held.sup)
    return tuple(named)[:MOST_SUP]


def _new(run: Run, fact: Fact, wording: Wording, older: Sequence[Wording]) -> NewFact | None:
    beside: Mapping[str, str] | None = encoding.metadata(wording, fact.body)
    if beside is None:
        message = (
            "Its metadata leaves no room for the id it is known by elsewhere, so it stays here: "
            "make the metadata shorter by some 100 bytes."
        )
        held = Block(NO_ROOM, message, None, run.library.high())
        run.keep_back(block_place(Pending(None, fact.item)), held, fact.scope)
        return None
    ttl = seconds_left(fact.body.expires_at, run.now())
    if ttl is not None and ttl < SHORTEST_TTL:
        return None
    there = tuple(held.server_id for held in older if held.server_id is not None)
    return NewFact(fact.body.text, beside, ttl, there if run.can.replaces else ())


def _request(run: Run, batch: _Batch) -> _Request:
    new = tuple(each.new for each in batch.ready)
    scope, op = batch.ready[0].fact.scope, run.library.new_id()
    return _Request(batch, AddFact(scope, *new, op) if len(new) == 1 else AddFacts(scope, new, op))


def _answered(run: Run, sent: _Request, reply: Reply) -> Steps[None]:
    """Write down what the server said of them. Raises Halt."""
    ready, high = sent.batch
    results = list(reply.each) if isinstance(reply, Results) else [reply] * len(ready)
    with run.writing():
        changes, calm = 0, run.library.high() == high
        arrived: list[Wording] = []
        for each, result in zip(ready, results, strict=True):
            if isinstance(result, Added):
                changes += 1 + len(each.new.replaces)
            there = _first_there(run, each, result) if calm else None
            if there is None:
                _settle_sent(run, each, result)
            else:
                arrived.append(there)
                run.tally.add(there.scope, Act.SENT)
        run.tables.put_wordings(arrived)
        run.tables.drop_all_pending([Pending(None, held.item) for held in arrived])
        if isinstance(reply, Added | Results):
            run.advance(reply.seq, reply.cursor, changes)
    if isinstance(reply, Refusal):
        run.check(reply)
    yield from ()


def _first_there(run: Run, ready: _Ready, result: object) -> Wording | None:
    """The wording as it is known now, where the server has it under its own name, as the fact's
    first: nothing else hangs on it."""
    if not isinstance(result, Added) or not ready.alone:
        return None
    wording = ready.wording
    if _name_there(run, wording.scope, result, wording.lm) != wording.lm:
        return None
    return wording._replace(server_id=result.server_id, sent=False)


def _name_there(run: Run, scope: Scope, added: Added, lm: str) -> str:
    """It may have known the same words under another name, or tell no names at all."""
    if not run.can.echoes_metadata:
        return encoding.name_of(scope, added.server_id)
    return added.lm or lm


def _settle_sent(run: Run, ready: _Ready, result: object) -> None:
    held = run.tables.wording(ready.wording.lm)
    scope = ready.fact.scope
    if isinstance(result, Added):
        name = _name_there(run, scope, result, ready.wording.lm)
        if held is None:  # forgotten while it was under way
            why = run.tables.gone(ready.wording.lm) or Removal.FORGET
            run.bury(name, scope, why)
            facts.owe(run, scope, result.server_id, why, name)
            return
        if name != held.lm:
            run.tables.drop_wording(held.lm)
        run.tables.put_wording(held._replace(lm=name, server_id=result.server_id, sent=False))
        for older in run.tables.wordings_of(held.item) if ready.new.replaces else ():
            if older.server_id is not None and older.server_id in ready.new.replaces:
                run.tables.put_wording(older._replace(server_id=None, sent=False))
        facts.replaced(run, held.item)
        facts.settle_pending(run, held.item)
        run.tally.add(scope, Act.CHANGED_THERE if held.sup else Act.SENT)
        return
    if held is None or not isinstance(result, Refusal):
        return
    run.tables.put_wording(held._replace(sent=False))
    if result.why is Refused.FORGOTTEN:
        run.bury(held.lm, scope, Removal.FORGET)
        facts.remove(run, held.item, Removal.FORGET)
        return
    kept = block(result, run.now(), run.library.high())
    if kept is not None:
        place = scope_place(scope) if kept[0] == "scope" else kept[0]
        run.keep_back(place or block_place(Pending(None, held.item)), kept[1], scope)


def delete(run: Run, *, forgets: bool) -> Steps[None]:
    """Send the deletes that are owed; what was only replaced not when `forgets`."""
    with run.tables.reading():
        owed = [each for each in run.tables.errands() if each.why in FORGETS or not forgets]
    for batch in _errands(run, owed):
        scope, op = batch[0].scope, run.library.new_id()
        if len(batch) == 1:
            reply = yield from run.tell(DropFact(scope, batch[0].server_id, batch[0].why, op))
            results: list[object] = [reply]
        else:
            named = tuple((each.server_id, each.why) for each in batch)
            reply = yield from run.tell(DropFacts(scope, named, op))
            results = list(reply.each) if isinstance(reply, Results) else [reply] * len(batch)
        with run.writing():
            done = [
                errand
                for errand, result in zip(batch, results, strict=True)
                if not isinstance(result, Refusal)
            ]
            for errand in done:
                run.tables.drop_errand(errand.scope, errand.server_id)
                run.tally.add(errand.scope, Act.DELETED_THERE)
            if isinstance(reply, Done | Results):
                run.advance(reply.seq, reply.cursor, len(done))
        if isinstance(reply, Refusal):
            run.check(reply)


def _errands(run: Run, owed: Sequence[Errand]) -> list[list[Errand]]:
    placed: dict[Scope, list[Errand]] = {}
    for errand in owed:
        placed.setdefault(errand.scope, []).append(errand)
    most = run.can.batch if run.can.fact_batch else 1
    return [held[at : at + most] for held in placed.values() for at in range(0, len(held), most)]
