"""Preferences and documents that changed here, on their way to the server (sync.md 2.7).

Nothing leaves before the flight that names it is on the disk, and an answer never touches what the
person sees, only what both sides agreed on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from localmem.core import documents
from localmem.core.bodies import (
    TTL_TOLERANCE,
    Body,
    DocumentBody,
    Held,
    PreferenceBody,
    generation,
    incarnation,
    join,
    same,
)
from localmem.core.model import Collection, Kind
from localmem.core.records import Removal
from localmem.core.replica import (
    ACCOUNT,
    Copy,
    Document,
    Flight,
    Pending,
    RecordKey,
    Verb,
    block_place,
)
from localmem.core.scope import Scope
from sync import encoding, known, records
from sync.known import Glance
from sync.messages import (
    Absent,
    CreateCollection,
    Done,
    ItemRow,
    ReadItem,
    Refusal,
    Refused,
    Reply,
    Results,
    Step,
    WriteItem,
    WriteItems,
)
from sync.pipeline import Pipeline
from sync.plan import Record
from sync.policy import LEFT_OUT, ROUNDS, block, holds, is_forget, parts
from sync.run import Act, Run, Steps

SHORTEST_TTL = 60
"""Seconds; what ends sooner is not worth sending, and no server takes it."""
_MARGIN = 1_000
_GLANCE = 500
"""Records that are looked up at once."""


def recover(run: Run) -> Steps[None]:
    """Find out what became of writes whose answers were lost (sync.md 2.7).

    Where the server knows an op again, the very same request comes first: reading first would be
    wrong, because the write may have been done and forgotten elsewhere since.
    """
    with run.tables.reading():
        flights = list(run.tables.flights())
    for _, group in groupby(flights, key=lambda flight: flight.op):
        sent = list(group)
        with run.tables.reading():
            again = run.can.idempotency and _whole(sent) and not _limited(run, sent)
        if again:
            request = _request(sent)
            reply = yield from run.tell(request.request)
            yield from _answered([], run, request, reply)
            continue
        for flight in sent:
            yield from refresh(run, flight.key)


def _limited(run: Run, sent: Sequence[Flight]) -> bool:
    """Whether the account's limit keeps them here, if they did not arrive."""
    return run.blocked(ACCOUNT) and not all(map(_takes_away, sent))


def _whole(sent: Sequence[Flight]) -> bool:
    """Whether the very same request can be made of them: no words are gone, and none of a batch
    was read already, which is done from its first on."""
    told = all(flight.body is None or not flight.body.body.erased for flight in sent)
    return told and sent[0].place == 0


def refresh(run: Run, key: RecordKey) -> Steps[None]:
    """Read one record on the server and plan it again."""
    reply = yield from run.ask(ReadItem(*encoding.place(key)))
    with run.writing():
        records.look(run, key, reply if isinstance(reply, ItemRow) else None)
        run.tables.drop_flight(key)


def send(run: Run, *, forgets: bool) -> Steps[None]:
    """Send what waits: what takes something away first, the rest when not `forgets`."""
    with run.tables.reading():
        keys = [each.key for each in run.tables.pending() if each.key is not None]
        outlived = _outlived_by_theirs(run, keys)
        if forgets:
            keys = _known_there(run, keys)
    for key in outlived:
        yield from refresh(run, key)
    for _ in range(ROUNDS + 1):
        keys = yield from _send_all(run, keys, forgets)
        if not keys:
            return


def _send_all(run: Run, keys: Sequence[RecordKey], forgets: bool) -> Steps[list[RecordKey]]:
    """The keys that must be planned and sent once more."""
    stale: list[RecordKey] = []
    pipeline = Pipeline(run, partial(_answered, stale))
    for batch in _batches(run, keys):
        made = _unmade(run, batch[0])
        if made is not None:
            yield from pipeline.end()
            yield from _make(run, made, batch[0].scope)
        with run.writing():
            flights, seen = _prepared(run, batch, forgets)
            groups = _together(run, flights)
        for group in groups:
            yield from pipeline.send(partial(_leaving, run, group, seen))
    yield from pipeline.end()
    return stale


def _known_there(run: Run, keys: Sequence[RecordKey]) -> list[RecordKey]:
    """Those of which something may be taken away there: of a document that was never sent nothing
    is."""
    found: list[RecordKey] = []
    for at in range(0, len(keys), _GLANCE):
        part = keys[at : at + _GLANCE]
        copies = run.tables.copies_at(part)
        found += [key for key in part if key.kind is Kind.PREFERENCE or key in copies]
    return found


def _outlived_by_theirs(run: Run, keys: Sequence[RecordKey]) -> list[RecordKey]:
    """Those of which mine went in a conflict, or a part of it, but was not forgotten, or went
    before what is there does: that was told before, its words are gone with mine, and only reading
    it again shows it."""
    clashing, found = set(run.tables.conflicts()), list[RecordKey]()
    for at in range(0, len(keys), _GLANCE):
        copies = run.tables.copies_at(keys[at : at + _GLANCE])
        documents = run.library.documents([key for key in copies if key.kind is Kind.DOCUMENT])
        for key, copy in copies.items():
            if key.kind is Kind.PREFERENCE:
                conflict = run.tables.conflict(key) if key in clashing else None
                theirs = conflict.theirs if conflict is not None else None
                if theirs is not None and theirs.body.erased:
                    found.append(key)
            elif _expired(run, copy, documents.get(key)) and (key in clashing or _lasts(run, copy)):
                found.append(key)
    return found


def _expired(run: Run, copy: Copy, document: Document | None) -> bool:
    if copy.item is None or (document is not None and document.item == copy.item):
        return False
    return run.library.why_gone(copy.item) in (None, Removal.EXPIRED)


def _lasts(run: Run, copy: Copy) -> bool:
    """Whether what is there ends later than this, or never."""
    body = copy.base.body if copy.base is not None else None
    if not isinstance(body, DocumentBody):
        return False
    return body.expires_at is None or body.expires_at > run.now() + TTL_TOLERANCE


def _leaving(run: Run, flights: Sequence[Flight], seen: Glance, _: bool) -> _Request | None:
    """What still may leave of what was made ready: not what was forgotten since, and nothing that
    the account's limit, met since, keeps here."""
    with run.writing():
        stay = set[RecordKey]()
        if run.library.high() != seen.high:
            held = run.tables.flights_at([flight.key for flight in flights])
            stay = {key for key, flight in held.items() if flight.body and flight.body.body.erased}
        if _limited(run, flights):
            stay = {flight.key for flight in flights}
        if stay:
            run.tables.drop_flights(sorted(stay))
    left = [flight for flight in flights if flight.key not in stay]
    return _request(left, seen) if left else None


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
    groups: list[list[Flight]] = []
    joined: list[Flight] = []
    for flight in flights:
        if len(flights) > 1 and _may_join(run, flight):
            joined.append(flight)
        else:
            groups.append([flight])
    for part in parts(joined, _size, len(joined)):
        op, several = part[0].op, len(part) > 1
        groups.append(
            [flight._replace(op=op, place=at, batch=several) for at, flight in enumerate(part)]
        )
    run.tables.put_flights([flight for group in groups for flight in group])
    return groups


def _size(flight: Flight) -> int:
    body = flight.body.body if flight.body is not None else None
    return documents.size(body.value) if isinstance(body, DocumentBody) else 0


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

    seen: Glance
    me: str
    numbers: Iterator[int]
    """Of sends, that nobody ever had."""
    forgets: bool
    blocked: frozenset[str]
    """Places that wait."""

    @property
    def full(self) -> bool:
        """The account's limit was met."""
        return ACCOUNT in self.blocked


def _prepared(run: Run, keys: Sequence[RecordKey], forgets: bool) -> tuple[list[Flight], Glance]:
    """The flights of what waits there, each with its copy on the disk, and what is known then."""
    numbers = _numbers(run, len(keys))
    blocked = run.blocked_among([ACCOUNT, *(block_place(Pending(key, None)) for key in keys)])
    batch = _Batch(known.glance(run, keys), run.me, numbers, forgets, blocked)
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
    seen = batch.seen
    _put_copies(run, seen, copies)
    in_flight = {flight.key: flight for flight in flights}
    return flights, seen._replace(
        copies={**seen.copies, **dict(copies)}, flights=in_flight, high=run.library.high()
    )


def _put_copies(run: Run, seen: Glance, copies: Sequence[tuple[RecordKey, Copy]]) -> None:
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
    here = known.here(run, key, batch.seen)
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
    if owed and (not _says_so(body) or _refused(run, pending)):
        return _prepare_delete(run, key, record, batch)
    if batch.forgets and not takes_away:
        return None
    if _held_back(run, pending, record, batch) or (batch.full and not takes_away):
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


def _says_so(body: Body | None) -> bool:
    """Whether what is written tells a server that it stands for something forgotten: a value that
    is no object has no lineage with it, and what was there before would stay as its history."""
    return isinstance(body, PreferenceBody) or (body is not None and isinstance(body.value, dict))


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


def _held_back(run: Run, pending: Pending, record: Record, batch: _Batch) -> bool:
    if block_place(pending) in batch.blocked:
        return True
    # A server that ignores If-Match could lose what others wrote.
    return not run.can.if_match and record.copy.rev is not None


def _ttl(run: Run, body: Body) -> int | None:
    if not isinstance(body, DocumentBody) or body.expires_at is None:
        return None
    return (body.expires_at - run.now() + _MARGIN - 1) // _MARGIN


def _unmade(run: Run, key: RecordKey) -> Collection | None:
    """Its collection, where that has indexes and the first item would make it without."""
    name = encoding.place(key)[1]
    with run.tables.reading():
        defined = run.library.collection(name)
        if defined is None or not (defined.indexes or defined.default_ttl):
            return None
        return None if name in run.tables.collections() else defined


def _make(run: Run, collection: Collection, scope: Scope) -> Steps[None]:
    reply = yield from run.tell(CreateCollection(collection))
    if isinstance(reply, Refusal):
        run.check(reply)
        kept = block(reply, run.now(), run.library.high())
        if kept is not None and kept[0] == ACCOUNT:
            with run.writing():
                run.keep_back(*kept, scope)


class _Request(NamedTuple):
    """What is on the disk already, as it is sent."""

    flights: list[Flight]
    request: WriteItem | WriteItems
    seen: Glance | None
    """What was known of them, when that was all there was."""


def _request(flights: list[Flight], seen: Glance | None = None) -> _Request:
    scope, collection, _ = encoding.place(flights[0].key)
    steps = tuple(_step(flight) for flight in flights)
    op = flights[0].op
    if flights[0].batch:
        return _Request(flights, WriteItems(scope, collection, steps, op), seen)
    return _Request(flights, WriteItem(scope, collection, steps[0], op), seen)


def _answered(stale: list[RecordKey], run: Run, sent: _Request, reply: Reply) -> Steps[None]:
    """Write down what the server said of them. `stale` gets what must be planned and sent once
    more. Raises Halt."""
    flights = sent.flights
    if isinstance(reply, Results):
        results: list[object] = list(reply.each)
        changes = sum(isinstance(result, Done) for result in results)
    else:
        results, changes = [reply] * len(flights), len(flights)
    with run.writing():
        again = _settle_all(run, sent, results)
        if isinstance(reply, Done | Results):
            run.advance(reply.seq, reply.cursor, changes)
    if isinstance(reply, Refusal):
        run.check(reply)
    stale += again
    for flight, result in zip(flights, results, strict=True):
        quota = isinstance(result, Refusal) and result.why is Refused.QUOTA
        if flight.key in again and not quota:
            yield from refresh(run, flight.key)


def _step(flight: Flight) -> Step:
    key = encoding.place(flight.key)[2]
    if flight.verb is Verb.DELETE:
        return Step(key, delete=True, if_match=flight.if_match)
    assert flight.body is not None
    told = encoding.value(flight.body.body, flight.body.vv)
    return Step(key, told, False, flight.ttl, flight.if_match, flight.only_new)


def _settle_all(run: Run, sent: _Request, results: Sequence[object]) -> list[RecordKey]:
    """As `_settle`; those that must be read again. What nobody changed meanwhile goes together."""
    seen = sent.seen
    if seen is None or seen.high != run.library.high():
        seen = known.glance(run, [flight.key for flight in sent.flights])
    agreed: list[tuple[RecordKey, Copy]] = []
    stale: list[RecordKey] = []
    for left, result in zip(sent.flights, results, strict=True):
        # What was forgotten while it was under way is a husk on the disk by now.
        flight = seen.flights.get(left.key) or left
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


def _undisturbed(flight: Flight, result: object, seen: Glance) -> Copy | None:
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
            run.tables.put_flights([flight])  # until what is there was read
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
        body = known.husk(body)
    if flight.verb is Verb.DELETE:
        done = done._replace(rev=None)
    run.tables.put_copy(key, _in_step(copy, body, done))
    if flight.verb is Verb.DELETE or (body is not None and is_forget(body.body)):
        run.tally.add(key.scope, Act.DELETED_THERE)
    else:
        run.tally.add(key.scope, Act.SENT if flight.only_new else Act.CHANGED_THERE)
    record = known.load(run, key)
    if record.dirty:
        run.tables.add_pending(Pending(key, None))
        return
    run.tables.drop_pending(Pending(key, None))
    if record.local is None and record.base is None:
        run.tables.drop_copy(key)
