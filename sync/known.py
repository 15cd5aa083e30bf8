"""All that is known of a record: what is seen here, agreed on both sides, and under way.

Reading it notes what the person forgot since, so that nobody plans with what is gone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from localmem.core import bodies
from localmem.core.bodies import (
    NO_VV,
    Body,
    Held,
    PreferenceBody,
    generation,
    incarnation,
    join,
)
from localmem.core.model import ItemId, Kind
from localmem.core.records import Removal
from localmem.core.replica import (
    Copy,
    Document,
    Flight,
    Pending,
    RecordKey,
)
from sync.plan import Record
from sync.run import Run


class Here(NamedTuple):
    """A record and the document that holds it in the library."""

    record: Record
    document: Document | None


class Glance(NamedTuple):
    """What is known of many records, looked up at once; not their logs, which only a look needs."""

    copies: Mapping[RecordKey, Copy]
    documents: Mapping[RecordKey, Document]
    flights: Mapping[RecordKey, Flight]
    clashing: frozenset[RecordKey]
    high: int
    """The newest change of the library then."""


def glance(run: Run, keys: Sequence[RecordKey]) -> Glance:
    return Glance(
        run.tables.copies_at(keys),
        run.library.documents([key for key in keys if key.kind is Kind.DOCUMENT]),
        run.tables.flights_at(keys),
        frozenset(run.tables.conflicts()),
        run.library.high(),
    )


def load(run: Run, key: RecordKey) -> Record:
    """All that is known of it; inside `writing()`: what the person forgot since is noted."""
    return here(run, key).record


def here(run: Run, key: RecordKey, seen: Glance | None = None) -> Here:
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
        return Here(_forgotten_preference(run, key, record), None)
    if seen is None:
        document = run.library.document(key.scope, key.collection, key.key)
    else:
        document = seen.documents.get(key)
    record = Record(key.kind, None, copy is not None, copy or Copy(), flight, conflict, log)
    return Here(_with_document(run, key, record, document), document)


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
    copy = copy._replace(item=None, inc="", base=husk(copy.base), last=bare(copy.last))
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
    last = bare(theirs.body if theirs else None)
    return copy._replace(vv=vv, base=husk(theirs), last=last)


def husk(held: Held | None) -> Held | None:
    return None if held is None else Held(bodies.husk(held.body), held.vv)


def bare(body: Body | None) -> Body | None:
    return None if body is None else bodies.husk(body)
