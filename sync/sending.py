"""Preferences and documents that changed here, on their way to the server (sync.md 2.7).

Nothing leaves before the flight that names it is on the disk, and an answer never touches what the
person sees, only what both sides agreed on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from localmem.core.bodies import (
    TTL_TOLERANCE,
    DocumentBody,
    Held,
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
from sync import encoding, known, preparing, records
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
from sync.policy import ROUNDS, block, is_forget
from sync.run import Act, Run, Steps

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
            groups, seen = preparing.prepare(run, batch, forgets)
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
    preparing.put_copies(run, seen, agreed)
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
