"""Preferences and documents of one cycle: what is seen is taken, what changed here is sent.

What a look means is `sync/plan.py`'s to say; this keeps its promise to the tables and the library,
one record in one transaction. Nothing leaves before the flight that names it is on the disk, and
an answer never touches what the person sees, only what both sides agreed on (sync.md 2.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from localmem.core.bodies import (
    NO_VV,
    VV,
    Body,
    DocumentBody,
    Held,
    PreferenceBody,
    generation,
    husk,
    incarnation,
    join,
    live,
    same,
)
from localmem.core.model import ItemId, Kind
from localmem.core.records import Removal
from localmem.core.replica import (
    ACCOUNT,
    Block,
    Copy,
    Document,
    Flight,
    Pending,
    RecordKey,
    Verb,
    block_place,
)
from localmem.core.scope import Scope
from localmem.errors import LocalmemError
from sync import encoding, plan
from sync.encoding import Unreadable
from sync.messages import (
    Absent,
    CreateCollection,
    Done,
    ItemRow,
    ReadItem,
    Refusal,
    Refused,
    Results,
    Step,
    WriteItem,
    WriteItems,
)
from sync.plan import Look, Outcome, Record
from sync.policy import LEFT_OUT, ROUNDS, block, holds, is_forget
from sync.run import Act, Run, Steps

NOTHING_THERE = Look(None, None)
SHORTEST_TTL = 60
"""Seconds; what ends sooner is not worth sending, and no server takes it."""
_MARGIN = 1_000
_GLANCE = 500
"""Records that are looked up at once."""


# --- what is known of a record -----------------------------------------------------------------


class _Here(NamedTuple):
    """A record and the document that holds it in the library."""

    record: Record
    document: Document | None


class _Glance(NamedTuple):
    """What is known of many records, looked up at once; not their logs, which only a look needs."""

    copies: Mapping[RecordKey, Copy]
    documents: Mapping[RecordKey, Document]
    flights: Mapping[RecordKey, Flight]
    clashing: frozenset[RecordKey]


def _glance(run: Run, keys: Sequence[RecordKey]) -> _Glance:
    return _Glance(
        run.tables.copies_at(keys),
        run.library.documents([key for key in keys if key.kind is Kind.DOCUMENT]),
        {flight.key: flight for flight in run.tables.flights()},
        frozenset(run.tables.conflicts()),
    )


def load(run: Run, key: RecordKey) -> Record:
    """All that is known of it; inside `writing()`: what the person forgot since is noted."""
    return _load(run, key).record


def _load(run: Run, key: RecordKey, seen: _Glance | None = None) -> _Here:
    """`seen`: what was looked up in this transaction, of records that nothing touched since."""
    copy = run.tables.copy(key) if seen is None else seen.copies.get(key)
    flight = conflict = None
    log: tuple[Held, ...] = ()
    if copy is not None:
        flight = run.tables.flight(key) if seen is None else seen.flights.get(key)
        conflict = run.tables.conflict(key) if seen is None or key in seen.clashing else None
        log = tuple(run.tables.log(key)) if seen is None else ()
    if key.kind is Kind.PREFERENCE:
        body: PreferenceBody | None = run.library.preference(key.key)
        if copy is None and body == PreferenceBody(0):
            body = None
        known = copy is not None or body is not None
        record = Record(key.kind, body, known, copy or Copy(), flight, conflict, log)
        return _Here(_forgotten_preference(run, key, record), None)
    if seen is None:
        document = run.library.document(key.scope, key.collection, key.key)
    else:
        document = seen.documents.get(key)
    record = Record(key.kind, None, copy is not None, copy or Copy(), flight, conflict, log)
    return _Here(_with_document(run, key, record, document), document)


def _with_document(run: Run, key: RecordKey, record: Record, document: Document | None) -> Record:
    copy = record.copy
    before = copy.item
    if before is not None and (document is None or document.item != before):
        record = _left(run, key, record, before)
        copy = record.copy
    if document is None:
        return record
    named = copy.inc if copy.item == document.item and copy.inc else document.body.inc
    copy = copy._replace(item=document.item, inc=named)
    return replace(record, known=True, local=document.body._replace(inc=named), copy=copy)


def _left(run: Run, key: RecordKey, record: Record, before: ItemId) -> Record:
    """The document that stood here is gone: forgotten for ever, or expired and free to return."""
    copy, conflict = record.copy, record.conflict
    why = run.library.why_gone(before)
    if why is None or why is Removal.EXPIRED:
        run.library.remove(before, Removal.EXPIRED)  # a clock that is set back would show it again
        there = incarnation(copy.last)
        if there != copy.inc and run.dead(there):
            # What it stood in place of was forgotten, and is still to be deleted there.
            run.tables.drop_conflict(key)
            return replace(record, copy=copy._replace(item=None, inc=""), conflict=None)
        return Record(record.kind, None, False, Copy(vv=copy.vv, there=copy.there))
    run.bury(copy.inc, key.scope, why)
    copy = copy._replace(item=None, inc="", base=_husk(copy.base), last=_bare(copy.last))
    if conflict is not None:
        theirs = conflict.theirs
        if theirs is not None:
            run.bury(incarnation(theirs.body), key.scope, why)
        copy = _with_theirs_forgotten(copy, theirs)
        run.tables.drop_conflict(key)
    run.tables.put_copy(key, copy)
    run.tables.add_pending(Pending(key, None))
    return replace(record, copy=copy, conflict=None)


def _forgotten_preference(run: Run, key: RecordKey, record: Record) -> Record:
    """Whoever forgets a key in conflict forgets both sides of it."""
    conflict, body = record.conflict, record.local
    if conflict is None or not isinstance(body, PreferenceBody):
        return record
    if body.gen <= generation(conflict.mine):
        return record
    theirs = conflict.theirs
    if body.gen <= generation(theirs.body if theirs else None):
        assert theirs is not None
        body = body._replace(gen=generation(theirs.body) + 1)
        run.library.put_preference(key.key, body)
    copy = _with_theirs_forgotten(record.copy, theirs)
    run.tables.drop_conflict(key)
    run.tables.put_copy(key, copy)
    return replace(record, local=body, copy=copy, conflict=None)


def _with_theirs_forgotten(copy: Copy, theirs: Held | None) -> Copy:
    """The person saw theirs when they forgot it: what is sent from now on descends from it."""
    vv = join(theirs.vv if theirs else NO_VV, copy.vv)
    last = _bare(theirs.body if theirs else None)
    return copy._replace(vv=vv, base=_husk(theirs), last=last)


def _husk(held: Held | None) -> Held | None:
    return None if held is None else Held(husk(held.body), held.vv)


def _bare(body: Body | None) -> Body | None:
    return None if body is None else husk(body)


# --- looking -----------------------------------------------------------------------------------


def see(run: Run, row: ItemRow) -> None:
    """Take in one item as the server has it; inside `writing()`."""
    key = encoding.record_at(row.scope, row.collection, row.key)
    copy = run.tables.copy(key)
    known = copy is not None and copy.rev == row.rev and run.tables.flight(key) is None
    if known and not run.standing().resync:
        return  # our own write, or seen before
    look(run, key, row)


def look(
    run: Run,
    key: RecordKey,
    found: ItemRow | None,
    why: Removal = Removal.FORGET,
    *,
    told: bool = False,
) -> None:
    """Take in what a look at one record found; inside `writing()`.

    `told`: a tombstone names the very incarnation, so it was there, whatever was answered.
    """
    here = _load(run, key)
    if told:
        here = here._replace(record=_arrived(here.record))
    seen = _look(here.record, found)
    if _outlived(run, here.record, seen):
        return
    outcome = plan.observe(
        here.record,
        seen,
        me=run.me,
        dead=_Dead(run),
        now=run.now(),
        back=run.standing().resync,
    )
    try:
        _keep(run, key, here, outcome, why)
    except LocalmemError as problem:
        _refuse(run, key, problem)
        return
    if found is not None and found.inc:
        kept = run.tables.copy(key)
        if kept is not None and kept.there != found.inc:
            run.tables.put_copy(key, kept._replace(there=found.inc))


def _arrived(record: Record) -> Record:
    """A write that was under way did arrive."""
    flight = record.flight
    if flight is None or flight.body is None:
        return record
    return replace(record, flight=None, copy=record.copy._replace(base=flight.body))


class _Dead:
    """The incarnations that are gone for ever, asked one by one."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and bool(id) and self._run.dead(id)


def _look(record: Record, found: ItemRow | None) -> Look:
    if found is None:
        return NOTHING_THERE
    seen = encoding.read(found)
    if isinstance(seen, Unreadable):
        return Look(found.rev, None, None, unreadable=True)
    body = seen.body
    if isinstance(body, DocumentBody) and seen.vv is None:
        body = body._replace(inc=_same_one(record, found, body.inc))
    return Look(found.rev, body, seen.vv)


def _same_one(record: Record, found: ItemRow, told: str) -> str:
    """Who wrote without lineage wrote over what was there, unless the server tells otherwise."""
    copy, flight = record.copy, record.flight
    if found.inc and copy.there and found.inc != copy.there:
        return told
    if flight is not None and flight.body is not None:
        return incarnation(flight.body.body) or told
    if copy.base is not None:
        return incarnation(copy.base.body) or told
    return told


def _outlived(run: Run, record: Record, seen: Look) -> bool:
    """What expired here and is about to expire there is left alone."""
    body = seen.body
    if record.known or not isinstance(body, DocumentBody) or body.expires_at is None:
        return False
    return body.expires_at <= run.now()


def _keep(run: Run, key: RecordKey, here: _Here, outcome: Outcome, why: Removal) -> None:
    """Write down what became of a record. Raises LocalmemError where the library cannot keep it;
    nothing is written then."""
    before, after = here.record, outcome.record
    copy = after.copy
    if outcome.write:
        copy = _write(run, key, here, outcome, why)
    for inc in outcome.died:
        run.bury(inc, key.scope, why)
    if after.flight is None and before.flight is not None:
        run.tables.drop_flight(key)
    if after.conflict is not None:
        if before.conflict is None:
            run.tally.add(key.scope, Act.CONFLICT)
        run.tables.put_conflict(key, after.conflict)
    else:
        run.tables.drop_conflict(key)
    if after.local is None and copy.base is None and after.conflict is None and not live(copy.last):
        run.tables.drop_copy(key)  # gone on both sides: its incarnation is remembered
        run.tables.drop_pending(Pending(key, None))
        return
    run.tables.put_copy(key, copy)
    waiting = Pending(key, None)
    if after.dirty and after.conflict is None:
        run.tables.add_pending(waiting)
    else:
        run.tables.drop_pending(waiting)


def _write(run: Run, key: RecordKey, here: _Here, outcome: Outcome, why: Removal) -> Copy:
    after, merged = outcome.record, outcome.merged
    body = after.local
    if isinstance(body, PreferenceBody):
        run.library.put_preference(key.key, body, merged=merged)
        erased = body.forgotten
    elif isinstance(body, DocumentBody):
        if here.document is not None and _made_anew(here.record, body):
            # Forgotten and written again elsewhere: nothing of the old one may stay, not even as
            # an earlier version of the new one.
            run.bury(here.record.copy.inc, key.scope, why)
            run.library.remove(here.document.item, why)
        item = run.library.put_document(key.scope, key.collection, key.key, body, merged=merged)
        run.tally.add(key.scope, Act.CHANGED_HERE if here.document else Act.TAKEN)
        return after.copy._replace(item=item, inc=body.inc)
    else:
        erased = here.document is not None
        if here.document is not None:
            run.library.remove(here.document.item, why)
        run.tally.add(key.scope, Act.DELETED_HERE, int(erased))
        return after.copy._replace(item=None, inc="")
    took = Act.TAKEN if here.record.local is None else Act.CHANGED_HERE
    run.tally.add(key.scope, Act.DELETED_HERE if erased else took)
    return after.copy


def _made_anew(before: Record, body: DocumentBody) -> bool:
    """Whether both sides had the document that stood here, and this is another one."""
    known = incarnation(before.base)
    return known == before.copy.inc != body.inc


def _refuse(run: Run, key: RecordKey, problem: LocalmemError) -> None:
    """What is there cannot be kept here: said once, and never written over."""
    held = Block(problem.code, f"It cannot be kept here: {problem}", None, run.library.high())
    run.keep_back(block_place(Pending(key, None)), held, key.scope)


def see_many(run: Run, rows: Sequence[ItemRow]) -> None:
    """As `see`, one after the other; what was never here is kept together. Inside `writing()`."""
    fresh, others = _fresh(run, rows)
    for row in others:
        see(run, row)
    dead = run.dead_among([new.body.inc for new in fresh])
    others = [new.row for new in fresh if new.body.inc in dead]
    fresh = [new for new in fresh if new.body.inc not in dead]
    try:
        items = run.library.put_documents([(new.key, new.body) for new in fresh])
    except LocalmemError:
        others += [new.row for new in fresh]
    else:
        run.tables.put_copies(
            [(new.key, new.copy(item)) for new, item in zip(fresh, items, strict=True)]
        )
        for new in fresh:
            run.tally.add(new.key.scope, Act.TAKEN)
    for row in others:
        see(run, row)


class _New(NamedTuple):
    row: ItemRow
    key: RecordKey
    body: DocumentBody
    vv: VV

    def copy(self, item: ItemId) -> Copy:
        """What is known of it once it is kept."""
        agreed = Held(self.body, self.vv)
        return Copy(
            item, self.body.inc, self.row.inc, self.vv, True, self.row.rev, agreed, self.body
        )


def _fresh(run: Run, rows: Sequence[ItemRow]) -> tuple[list[_New], list[ItemRow]]:
    """Documents of places where nothing is or was; and all else, which must be planned."""
    keys = [encoding.record_at(row.scope, row.collection, row.key) for row in rows]
    seen, now = _glance(run, keys), run.now()
    told, fresh, others = set[RecordKey](), list[_New](), list[ItemRow]()
    for row, key in zip(rows, keys, strict=True):
        known = key in seen.copies or key in seen.documents or key in told
        told.add(key)
        new = None if known or key.kind is Kind.PREFERENCE else _new(row, key)
        ends = None if new is None else new.body.expires_at
        if new is None or (ends is not None and ends <= now):
            others.append(row)
        else:
            fresh.append(new)
    return fresh, others


def _new(row: ItemRow, key: RecordKey) -> _New | None:
    seen = encoding.read(row)
    if isinstance(seen, Unreadable) or not isinstance(seen.body, DocumentBody):
        return None
    return _New(row, key, seen.body, seen.vv or NO_VV)


def regress(run: Run, key: RecordKey) -> None:
    """The server went back to before it had this: what is here is sent again; in `writing()`.

    A document that was forgotten stays so; what has expired is left alone.
    """
    here = _load(run, key)
    record = here.record
    run.tables.drop_flight(key)
    if record.conflict is not None and run.dead(incarnation(record.local)):
        # It was forgotten elsewhere; that nothing is there now answers nothing.
        asked = record.conflict._replace(theirs=None, rev=None)
        run.tables.put_conflict(key, asked)
        run.tables.put_copy(key, record.copy._replace(rev=None, last=None, there=""))
        return
    run.tables.drop_conflict(key)
    if record.local is None:
        run.tables.drop_copy(key)
        run.tables.drop_pending(Pending(key, None))
        return
    run.tables.put_copy(key, record.copy._replace(rev=None, base=None, last=None, there=""))
    run.tables.add_pending(Pending(key, None))


# --- sending -----------------------------------------------------------------------------------


def recover(run: Run) -> Steps[None]:
    """Find out what became of writes whose answers were lost (sync.md 2.7).

    Where the server knows an op again, the very same request comes first: reading first would be
    wrong, because the write may have been done and forgotten elsewhere since.
    """
    with run.tables.reading():
        flights = list(run.tables.flights())
    for _, group in groupby(flights, key=lambda flight: flight.op):
        sent = list(group)
        if run.can.idempotency and all(_whole(flight) for flight in sent):
            yield from _fly(run, sent)
            continue
        for flight in sent:
            yield from refresh(run, flight.key)


def _whole(flight: Flight) -> bool:
    return flight.body is None or not flight.body.body.erased


def refresh(run: Run, key: RecordKey) -> Steps[None]:
    """Read one record on the server and plan it again."""
    reply = yield from run.ask(ReadItem(*encoding.place(key)))
    with run.writing():
        look(run, key, reply if isinstance(reply, ItemRow) else None)
        run.tables.drop_flight(key)


def send(run: Run, *, forgets: bool) -> Steps[None]:
    """Send what waits: what takes something away first, the rest when not `forgets`."""
    with run.tables.reading():
        keys = [each.key for each in run.tables.pending() if each.key is not None]
        clashing = set(run.tables.conflicts())
        outlived = [key for key in keys if key in clashing and _outlived_by_theirs(run, key)]
        if forgets:
            keys = _known_there(run, keys)
    for key in outlived:
        yield from refresh(run, key)
    for _ in range(ROUNDS + 1):
        again: list[RecordKey] = []
        for batch in _batches(run, keys):
            yield from _collection(run, batch[0])
            with run.writing():
                groups = _together(run, _prepared(run, batch, forgets))
            for group in groups:
                if not _grounded(run, group):
                    again += yield from _fly(run, group)
        if not again:
            return
        keys = again


def _known_there(run: Run, keys: Sequence[RecordKey]) -> list[RecordKey]:
    """Those of which something may be taken away there: of a document that was never sent nothing
    is."""
    found: list[RecordKey] = []
    for at in range(0, len(keys), _GLANCE):
        part = keys[at : at + _GLANCE]
        copies = run.tables.copies_at(part)
        found += [key for key in part if key.kind is Kind.PREFERENCE or key in copies]
    return found


def _outlived_by_theirs(run: Run, key: RecordKey) -> bool:
    """Whether mine went in a conflict, or a part of it, but was not forgotten: what is there was
    told before, its words are gone with mine, and only reading it again shows it."""
    copy, conflict = run.tables.copy(key), run.tables.conflict(key)
    if copy is None or conflict is None:
        return False
    if key.kind is Kind.PREFERENCE:
        return conflict.theirs is not None and conflict.theirs.body.erased
    if copy.item is None:
        return False
    document = run.library.document(key.scope, key.collection, key.key)
    left = document is None or document.item != copy.item
    return left and run.library.why_gone(copy.item) in (None, Removal.EXPIRED)


def _grounded(run: Run, flights: list[Flight]) -> bool:
    """Whether the account's limit was met since they were prepared: they stay here then."""
    with run.writing():
        if not run.blocked(ACCOUNT) or all(_takes_away(flight) for flight in flights):
            return False
        for flight in flights:
            run.tables.drop_flight(flight.key)
    return True


def _takes_away(flight: Flight) -> bool:
    return flight.body is None or is_forget(flight.body.body)


def _batches(run: Run, keys: Iterable[RecordKey]) -> list[list[RecordKey]]:
    """Keys of one place each, as many as a batch takes; in their order."""
    placed: dict[tuple[Scope, str], list[RecordKey]] = {}
    for key in keys:
        placed.setdefault(encoding.place(key)[:2], []).append(key)
    most = max(1, run.can.batch)
    return [held[at : at + most] for held in placed.values() for at in range(0, len(held), most)]


def _together(run: Run, flights: list[Flight]) -> list[list[Flight]]:
    """Which of them one request carries; each is on the disk before any leaves."""
    joined = [flight for flight in flights if len(flights) > 1 and _may_join(run, flight)]
    groups = [[flight] for flight in flights if flight not in joined]
    if joined:
        op = joined[0].op
        groups.append(
            [
                flight._replace(op=op, place=place, batch=len(joined) > 1)
                for place, flight in enumerate(joined)
            ]
        )
    for group in groups:
        run.tables.put_flights(group)
    return groups


def _may_join(run: Run, flight: Flight) -> bool:
    """A batch of the documented API knows no conditions: only what is new goes into it, and only
    where a single write could not be conditional either, and where lineage shows what was lost."""
    if run.can.batch < 2:
        return False
    if run.can.conditional_batch:
        return True
    if run.can.if_none_match or not flight.only_new or flight.body is None:
        return False
    body = flight.body.body
    return isinstance(body, PreferenceBody) or isinstance(body.value, dict)


class _Batch(NamedTuple):
    """What is made ready together."""

    seen: _Glance
    me: str
    numbers: Iterator[int]
    """Of sends, that nobody ever had."""
    forgets: bool
    full: bool
    """The account's limit was met."""


def _prepared(run: Run, keys: Sequence[RecordKey], forgets: bool) -> list[Flight]:
    """The flights of what waits there, each with its copy on the disk."""
    numbers, full = _numbers(run, len(keys)), run.blocked(ACCOUNT)
    batch = _Batch(_glance(run, keys), run.me, numbers, forgets, full)
    flights: list[Flight] = []
    copies: list[tuple[RecordKey, Copy]] = []
    for key in keys:
        found = _prepare(run, key, batch)
        if found is None:
            continue
        flight, copy = found
        flights.append(flight)
        if copy is not None:
            copies.append((key, copy))
    _put_copies(run, batch.seen, copies)
    return flights


def _put_copies(run: Run, seen: _Glance, copies: Sequence[tuple[RecordKey, Copy]]) -> None:
    """Together where there is no base that would go to the log."""
    together: list[tuple[RecordKey, Copy]] = []
    for key, copy in copies:
        before = seen.copies.get(key)
        if before is None or before.base is None or before.base.body.erased:
            together.append((key, copy))
        else:
            run.tables.put_copy(key, copy)
    run.tables.put_copies(together)


def _numbers(run: Run, most: int) -> Iterator[int]:
    """So many numbers of sends, which are taken when the first of them is wanted."""
    first = run.next_counter(most)
    yield from range(first, first + most)


def _prepare(run: Run, key: RecordKey, batch: _Batch) -> tuple[Flight, Copy | None] | None:
    """The flight of what waits there, with the copy behind it; None when there is nothing to send
    now."""
    here = _load(run, key, batch.seen)
    record, pending = here.record, Pending(key, None)
    clashes = key in batch.seen.clashing and run.tables.conflict(key) is not None
    if clashes or not record.dirty:
        if not clashes and record.local is None and record.base is None:
            run.tables.drop_copy(key)
        run.tables.drop_pending(pending)
        return None
    if record.flight is not None:
        return None
    body = record.local
    owed = _stands_for_forgotten(record)
    takes_away = is_forget(body) or owed
    if owed and _refused(run, pending):
        return _prepare_delete(run, key, record, batch)
    if batch.forgets and not takes_away:
        return None
    if _held_back(run, pending, record) or (batch.full and not takes_away):
        return None
    if body is None or (takes_away and batch.full):
        return _prepare_delete(run, key, record, batch)
    ttl = _ttl(run, body)
    if ttl is not None and ttl < SHORTEST_TTL:
        return None
    counter = next(batch.numbers)
    vv = join(record.copy.vv, {batch.me: counter})
    rev, op = record.copy.rev, run.library.new_id()
    flight = Flight(op, 0, key, Verb.PUT, counter, Held(body, vv), rev, rev is None, ttl)
    return flight, record.copy._replace(vv=vv)


def _refused(run: Run, pending: Pending) -> bool:
    """Whether the server will not take it; what the person left out is another matter."""
    held = run.tables.block(block_place(pending))
    return held is not None and held.code != LEFT_OUT and holds(held, run.now())


def _stands_for_forgotten(record: Record) -> bool:
    """Whether the server still has what was forgotten before this was written in its place."""
    base, mine = record.base, record.local
    if base is None or not base.erased:
        return False
    return generation(mine) > generation(base) or incarnation(mine) != incarnation(base)


def _prepare_delete(
    run: Run, key: RecordKey, record: Record, batch: _Batch
) -> tuple[Flight, None] | None:
    """Of what is gone here; and of a forgotten preference while no marker is let in, which is
    owed then: forgetting waits for no quota."""
    if record.copy.rev is None:
        if record.local is None:
            run.tables.drop_copy(key)
            run.tables.drop_pending(Pending(key, None))
        return None
    op = run.library.new_id()
    return Flight(op, 0, key, Verb.DELETE, next(batch.numbers), None, record.copy.rev), None


def _held_back(run: Run, pending: Pending, record: Record) -> bool:
    if run.blocked(block_place(pending)):
        return True
    # A server that ignores If-Match could lose what others wrote.
    return not run.can.if_match and record.copy.rev is not None


def _ttl(run: Run, body: Body) -> int | None:
    if not isinstance(body, DocumentBody) or body.expires_at is None:
        return None
    return (body.expires_at - run.now() + _MARGIN - 1) // _MARGIN


def _collection(run: Run, key: RecordKey) -> Steps[None]:
    """Make a collection with its indexes before the first item would make it without."""
    name = encoding.place(key)[1]
    with run.tables.reading():
        defined = run.library.collection(name)
        if defined is None or not (defined.indexes or defined.default_ttl):
            return
        known = name in run.tables.collections()
    if known:
        return
    reply = yield from run.tell(CreateCollection(defined))
    if isinstance(reply, Refusal):
        run.check(reply)
        kept = block(reply, run.now(), run.library.high())
        if kept is not None and kept[0] == ACCOUNT:
            with run.writing():
                run.tables.put_block(*kept)


def _fly(run: Run, flights: list[Flight]) -> Steps[list[RecordKey]]:
    """Send what is on the disk already; the keys that must be planned and sent once more."""
    scope, collection, _ = encoding.place(flights[0].key)
    steps = tuple(_step(flight) for flight in flights)
    op = flights[0].op
    if not flights[0].batch:
        reply = yield from run.tell(WriteItem(scope, collection, steps[0], op))
        results, changes = [reply], 1
    else:
        reply = yield from run.tell(WriteItems(scope, collection, steps, op))
        results = list(reply.each) if isinstance(reply, Results) else [reply] * len(flights)
        changes = sum(isinstance(result, Done) for result in results)
    with run.writing():
        stale = _settle_all(run, flights, results)
        if isinstance(reply, Done | Results):
            run.advance(reply.seq, reply.cursor, changes)
    if isinstance(reply, Refusal):
        run.check(reply)
    for flight, result in zip(flights, results, strict=True):
        quota = isinstance(result, Refusal) and result.why is Refused.QUOTA
        if flight.key in stale and not quota:
            yield from refresh(run, flight.key)
    return stale


def _step(flight: Flight) -> Step:
    key = encoding.place(flight.key)[2]
    if flight.verb is Verb.DELETE:
        return Step(key, delete=True, if_match=flight.if_match)
    assert flight.body is not None
    told = encoding.value(flight.body.body, flight.body.vv)
    return Step(key, told, False, flight.ttl, flight.if_match, flight.only_new)


def _settle_all(run: Run, flights: Sequence[Flight], results: Sequence[object]) -> list[RecordKey]:
    """As `_settle`; those that must be read again. What nobody changed meanwhile goes together."""
    seen = _glance(run, [flight.key for flight in flights])
    agreed: list[tuple[RecordKey, Copy]] = []
    stale: list[RecordKey] = []
    for sent, result in zip(flights, results, strict=True):
        # What was forgotten while it was under way is a husk on the disk by now.
        flight = seen.flights.get(sent.key) or sent
        copy = _undisturbed(flight, result, seen)
        if copy is not None:
            agreed.append((flight.key, copy))
            run.tally.add(flight.key.scope, Act.SENT if flight.only_new else Act.CHANGED_THERE)
        elif not _settle(run, flight, result):
            stale.append(flight.key)
    run.tables.drop_flights([key for key, _ in agreed])
    _put_copies(run, seen, agreed)
    run.tables.drop_all_pending([Pending(key, None) for key, _ in agreed])
    return stale


def _undisturbed(flight: Flight, result: object, seen: _Glance) -> Copy | None:
    """The copy of a document that was written there, and says the same here still."""
    copy, document = seen.copies.get(flight.key), seen.documents.get(flight.key)
    if not isinstance(result, Done) or copy is None or document is None or flight.body is None:
        return None
    here = document.body._replace(inc=copy.inc)
    if document.item != copy.item or not copy.inc or not same(here, flight.body.body):
        return None
    return _in_step(copy, flight.body, result)


def _in_step(copy: Copy, body: Held | None, done: Done) -> Copy:
    """Both sides have the body that was sent."""
    last = body.body if body else None
    return copy._replace(synced=True, rev=done.rev, base=body, last=last, there=done.inc)


def _settle(run: Run, flight: Flight, result: object) -> bool:
    """Write down an answer; False when the record must be read and planned again."""
    key, pending = flight.key, Pending(flight.key, None)
    if isinstance(result, Done) or (isinstance(result, Absent) and flight.verb is Verb.DELETE):
        _agree(run, flight, result if isinstance(result, Done) else Done())
        return True
    if isinstance(result, Refusal):
        if result.why is Refused.FORGOTTEN:
            _agree(run, flight, Done())
            return False
        if result.why not in (Refused.STALE, Refused.REUSED):
            run.tables.drop_flight(key)
            kept = block(result, run.now(), run.library.high())
            if kept is not None:
                run.keep_back(kept[0] or block_place(pending), kept[1], key.scope)
            return result.why is not Refused.QUOTA or not _owes_a_delete(flight)
    run.tables.drop_flight(key)
    return False


def _owes_a_delete(flight: Flight) -> bool:
    """The marker of a forgotten preference was not let in: what it forgets is deleted instead."""
    return flight.body is not None and _takes_away(flight) and flight.if_match is not None


def _agree(run: Run, flight: Flight, done: Done) -> None:
    """Both sides have what was sent; what the person changed meanwhile is still to be sent."""
    key = flight.key
    run.tables.drop_flight(key)
    copy = run.tables.copy(key)
    if copy is None:
        return
    body = flight.body
    if body is not None and body.body.erased:
        body = _husk(body)
    if flight.verb is Verb.DELETE:
        done = done._replace(rev=None)
    run.tables.put_copy(key, _in_step(copy, body, done))
    if flight.verb is Verb.DELETE or (body is not None and is_forget(body.body)):
        run.tally.add(key.scope, Act.DELETED_THERE)
    else:
        run.tally.add(key.scope, Act.SENT if flight.only_new else Act.CHANGED_THERE)
    record = load(run, key)
    if record.dirty:
        run.tables.add_pending(Pending(key, None))
        return
    run.tables.drop_pending(Pending(key, None))
    if record.local is None and record.base is None:
        run.tables.drop_copy(key)
