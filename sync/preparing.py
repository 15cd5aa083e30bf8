"""What waits to be sent, made ready: its flight and its copy are on the disk before it leaves.

What is held back stays: in a conflict, left out, refused before, or over soon (sync.md 2.7).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from localmem.core import documents
from localmem.core.bodies import (
    Body,
    DocumentBody,
    Held,
    PreferenceBody,
    generation,
    incarnation,
    join,
)
from localmem.core.replica import ACCOUNT, Copy, Flight, Pending, RecordKey, Verb, block_place
from sync import known
from sync.known import Glance
from sync.plan import Record
from sync.policy import LEFT_OUT, SHORTEST_TTL, holds, is_forget, parts, seconds_left
from sync.run import Run


def prepare(
    run: Run, keys: Sequence[RecordKey], forgets: bool
) -> tuple[list[list[Flight]], Glance]:
    """The flights of what waits there, each with its copy on the disk, as requests carry them; and
    what is known of them then. Inside `writing()`."""
    flights, seen = _prepared(run, keys, forgets)
    return _together(run, flights), seen


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
    put_copies(run, seen, copies)
    in_flight = {flight.key: flight for flight in flights}
    return flights, seen._replace(
        copies={**seen.copies, **dict(copies)}, flights=in_flight, high=run.library.high()
    )


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


def put_copies(run: Run, seen: Glance, copies: Sequence[tuple[RecordKey, Copy]]) -> None:
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
    ttl = seconds_left(body.expires_at, run.now()) if isinstance(body, DocumentBody) else None
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
