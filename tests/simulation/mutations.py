"""What other programs get wrong, put into ours: a simulator that does not notice is worth nothing.

Each is one row of sync.md 3.4. `MUTATIONS` has for each what must be noticed, where, and within how
many schedules.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from localmem.core.bodies import DocumentBody, PreferenceBody, live
from localmem.core.records import Removal
from localmem.core.replica import RecordKey
from sync import absence, facts, following, listing, plan, records, sending
from sync.messages import Changes, ItemRow
from sync.run import Run
from tests.simulation.server import Extended


class Mutation(NamedTuple):
    name: str
    """Whose fault it is, in the words of sync.md 3.4."""
    mode: str
    within: int
    """Schedules."""
    promises: tuple[str, ...]
    """One of these is broken; the beginnings of their names."""
    put_in: Callable[[pytest.MonkeyPatch], None]


def _ack_overwrites_local(patch: pytest.MonkeyPatch) -> None:
    honest = sending._agree

    def mutated(run: Run, flight: Any, done: Any) -> None:
        honest(run, flight, done)
        body = None if flight.body is None else flight.body.body
        if isinstance(body, PreferenceBody) and not body.erased:
            run.library.put_preference(flight.key.key, body)
        elif isinstance(body, DocumentBody) and not body.erased:
            key = flight.key
            run.library.put_document(key.scope, key.collection, key.key, body)

    patch.setattr(sending, "_agree", mutated)


def _last_writer_wins(patch: pytest.MonkeyPatch) -> None:
    honest = plan.merge3

    def at(body: Any) -> int:
        if isinstance(body, DocumentBody):
            return body.at
        return max((slot.at for slot in (body.declared, body.inferred) if slot), default=0)

    def mutated(kind: Any, base: Any, mine: Any, theirs: Any, dead: Any) -> Any:
        if live(mine) and live(theirs):
            return plan.Merged(mine if at(mine) > at(theirs) else theirs)
        return honest(kind, base, mine, theirs, dead)

    patch.setattr(plan, "merge3", mutated)


def _edit_beats_delete(patch: pytest.MonkeyPatch) -> None:
    honest = plan.merge3

    def mutated(kind: Any, base: Any, mine: Any, theirs: Any, dead: Any) -> Any:
        if live(mine) and not live(theirs):
            if isinstance(mine, PreferenceBody) and isinstance(theirs, PreferenceBody):
                mine = mine._replace(gen=theirs.gen)
            return plan.Merged(mine)
        return honest(kind, base, mine, theirs, dead)

    patch.setattr(plan, "merge3", mutated)


def _no_tombstones(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Run, "bury", lambda *told: None)
    patch.setattr(Run, "dead", lambda *asked: False)
    patch.setattr(facts, "_fate", lambda *asked: None)


def _clean_absent_is_sent_again(patch: pytest.MonkeyPatch) -> None:
    honest = records._look_at

    def mutated(run: Run, key: RecordKey, here: Any, found: ItemRow | None, why: Removal) -> None:
        if found is None and run.tables.flight(key) is None:
            records.regress(run, key)
        else:
            honest(run, key, here, found, why)

    patch.setattr(records, "_look_at", mutated)


def _cursor_before_data(patch: pytest.MonkeyPatch) -> None:
    honest = following._page

    def mutated(run: Run, page: Changes, anew: bool) -> Generator[Any, Any, Any]:
        with run.writing():
            standing = run.standing()
            run.tables.stand(standing._replace(cursor=page.cursor, seq=page.seq))
        return (yield from honest(run, page, anew))

    patch.setattr(following, "_page", mutated)


def _no_epoch(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Extended, "_new_epoch", lambda server: None)


def _no_vectors(patch: pytest.MonkeyPatch) -> None:
    honest = records._look

    def mutated(*asked: Any) -> Any:
        return honest(*asked)._replace(vv=None)

    patch.setattr(records, "_look", mutated)


def _one_list_is_proof(patch: pytest.MonkeyPatch) -> None:
    def mutated(run: Run, missing: Any) -> Iterator[Any]:
        with run.writing():
            for key in missing:
                records.look(run, key, None)
        yield from ()

    patch.setattr(listing, "LOOKS", 1)
    patch.setattr(absence, "confirm", mutated)
    patch.setattr(absence, "reason", lambda *asked: Removal.FORGET)


MUTATIONS = (
    Mutation("an answer overwrites what is here", "ext", 60, ("S10", "S1 "), _ack_overwrites_local),
    Mutation("the last writer wins", "ext", 60, ("S1 ",), _last_writer_wins),
    Mutation("an edit beats a delete", "ext", 60, ("S2", "S3", "S13", "S5"), _edit_beats_delete),
    Mutation("no tombstones are kept", "ext", 60, ("S2", "S3", "S5", "S6"), _no_tombstones),
    Mutation("what is clean and absent is sent again", "ext", 60, ("S2", "S6", "S7"),
             _clean_absent_is_sent_again),
    Mutation("the cursor goes before the data", "ext", 150, ("S5", "S1 "), _cursor_before_data),
    Mutation("no epoch is told", "ext", 150, ("S",), _no_epoch),
    Mutation("no version vectors", "documented", 150, ("S1 ", "S5"), _no_vectors),
    Mutation("one list is proof of absence", "documented", 150, ("S",),
             _one_list_is_proof),
)  # fmt: skip


@contextmanager
def put_in(mutation: Mutation) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        mutation.put_in(patch)
        yield
