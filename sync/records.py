"""Preferences and documents as they are seen on the server: taken in, one in one transaction.

What a look means is `sync/plan.py`'s to say; this keeps its promise to the tables and the library
(sync.md 2.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from localmem.core.bodies import (
    NO_VV,
    VV,
    DocumentBody,
    Held,
    PreferenceBody,
    incarnation,
    live,
    same,
)
from localmem.core.model import ItemId, Kind
from localmem.core.records import Removal
from localmem.core.replica import (
    Block,
    Copy,
    Pending,
    RecordKey,
    block_place,
)
from localmem.errors import LocalmemError
from sync import encoding, known, plan
from sync.encoding import Unreadable
from sync.known import Here
from sync.messages import GoneItem, ItemRow
from sync.plan import Look, Outcome, Record
from sync.run import Act, Run

NOTHING_THERE = Look(None, None)


def see(run: Run, row: ItemRow) -> None:
    """Take in one item as the server has it; inside `writing()`."""
    key = encoding.record_at(row.scope, row.collection, row.key)
    copy = run.tables.copy(key)
    old = copy is not None and copy.rev == row.rev and run.tables.flight(key) is None
    if old and not run.standing().resync:
        return  # our own write, or seen before
    look(run, key, row)


def look(run: Run, key: RecordKey, found: ItemRow | None) -> None:
    """Take in what a look at one record found; inside `writing()`."""
    here = known.here(run, key)
    if found is not None and _another(run, here.record, found):
        _look_at(run, key, here, None, Removal.FORGET)
        here = known.here(run, key)
    _look_at(run, key, here, found, Removal.FORGET)


def _another(run: Run, record: Record, found: ItemRow) -> bool:
    """Whether the server made what is there anew, since both sides had a document there: that one
    is gone, also where no tombstone tells of it any more."""
    copy, base = record.copy, record.base
    if not isinstance(base, DocumentBody) or record.flight is not None or copy.rev is None:
        return False
    if not found.inc or not copy.there or found.inc == copy.there or run.standing().resync:
        return False
    seen = encoding.read(found)
    if isinstance(seen, Unreadable) or seen.vv is None:
        return False
    return incarnation(seen.body) != base.inc


def gone(run: Run, key: RecordKey, stone: GoneItem) -> None:
    """Take in a tombstone; inside `writing()`. It names the very incarnation: that was there,
    whatever was answered, and whatever is there in its place was not told of yet."""
    here = known.here(run, key)
    record = _arrived(here.record, stone.inc)
    base = record.copy.base.body if record.copy.base else record.copy.last
    if base is None or stone.inc == incarnation(base) or stone.there == record.copy.there:
        _look_at(run, key, here._replace(record=record), None, stone.why)
    else:
        run.bury(stone.inc, key.scope, stone.why)


def _look_at(run: Run, key: RecordKey, here: Here, found: ItemRow | None, why: Removal) -> None:
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


def _arrived(record: Record, inc: str) -> Record:
    """A write that was under way did arrive; what the server had lost, it had once more."""
    copy, flight = record.copy, record.flight
    if flight is not None and flight.body is not None:
        return replace(record, flight=None, copy=copy._replace(base=flight.body))
    had = (held for held in reversed(record.log) if incarnation(held.body) == inc)
    if copy.base is None:
        return replace(record, copy=copy._replace(base=next(had, None)))
    return record


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
        body = body._replace(inc=_same_one(record, found, body))
    return Look(found.rev, body, seen.vv)


def _same_one(record: Record, found: ItemRow, body: DocumentBody) -> str:
    """Who wrote without lineage wrote over what was there, unless the server tells otherwise. What
    says the same as what is here is that: nothing could make it any other."""
    copy, flight, told = record.copy, record.flight, body.inc
    mine = incarnation(record.local)
    if mine and same(record.local, body._replace(inc=mine)):
        return mine
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


def _keep(run: Run, key: RecordKey, here: Here, outcome: Outcome, why: Removal) -> None:
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


def _write(run: Run, key: RecordKey, here: Here, outcome: Outcome, why: Removal) -> Copy:
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
    agreed = incarnation(before.base)
    return agreed == before.copy.inc != body.inc


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
    seen, now = known.glance(run, keys), run.now()
    told, fresh, others = set[RecordKey](), list[_New](), list[ItemRow]()
    for row, key in zip(rows, keys, strict=True):
        old = key in seen.copies or key in seen.documents or key in told
        told.add(key)
        new = None if old or key.kind is Kind.PREFERENCE else _new(row, key)
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
    here = known.here(run, key)
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
