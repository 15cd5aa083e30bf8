"""What a whole telling lacks: gone, or never there since the server went back (sync.md 2.8).

Nothing is deleted because a list or a part of one does not have it, without asking again for that
very thing; and much of a scope goes only when the person says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from localmem.core.records import Removal
from localmem.core.replica import RecordKey
from localmem.core.scope import Scope
from sync import encoding, records
from sync.messages import FactRow, GoneFact, GoneItem, ItemRow, ReadItem
from sync.policy import MANY_FIRST, Brake, Braked, too_many_gone
from sync.run import Run, Steps

NOTHING_GONE: Mapping[Scope, int] = MappingProxyType({})
_PAGE = 500


def name(row: FactRow | ItemRow | GoneFact | GoneItem) -> str:
    """What tells in a sweep that the server still has it."""
    if isinstance(row, FactRow):
        return f"fact {row.scope} {row.server_id}"
    if isinstance(row, ItemRow):
        return f"item {row.scope} {row.collection} {row.key}"
    return ""


def brake(run: Run, going: dict[Scope, int]) -> None:
    """Raises Halt where much of a scope would go at once."""
    for scope, count in sorted(going.items()):
        so_far = run.gone.get(str(scope), 0) + count
        held = run.library.count(scope) + run.gone.get(str(scope), 0)
        if too_many_gone(so_far, held):
            run.brake(Braked(Brake.MANY_GONE, so_far, held, str(scope)))
    for scope, count in going.items():
        run.gone[str(scope)] = run.gone.get(str(scope), 0) + count


def item_name(key: RecordKey) -> str:
    scope, collection, name = encoding.place(key)
    return f"item {scope} {collection} {name}"


def all_copies(run: Run) -> list[RecordKey]:
    found: list[RecordKey] = []
    with run.tables.reading():
        while page := run.tables.copies(after=found[-1] if found else None, limit=_PAGE):
            found += page
    return found


def went_back(run: Run, missing: Sequence[RecordKey]) -> Steps[None]:
    """Absence proves nothing on a server that was restored: what is missing is sent again."""
    with run.tables.reading():
        again = len(missing) + sum(each.item is not None for each in run.tables.pending())
    if again > MANY_FIRST:
        run.brake(Braked(Brake.WENT_BACK, again, again))
    with run.writing():
        for key in missing:
            records.regress(run, key)
    yield from ()


def confirm(
    run: Run, missing: Sequence[RecordKey], facts_gone: Mapping[Scope, int] = NOTHING_GONE
) -> Steps[None]:
    """A list is a hint: each that is missing is asked for by itself. `facts_gone` go with them."""
    absent: list[RecordKey] = []
    for key in missing:
        reply = yield from run.ask(ReadItem(*encoding.place(key)))
        if isinstance(reply, ItemRow):
            with run.writing():
                records.look(run, key, reply)
        else:
            absent.append(key)
    with run.writing():
        brake(run, Counter(facts_gone) + Counter(key.scope for key in absent))
        for key in absent:
            records.look(run, key, None)


def reason(run: Run, lm: str) -> Removal:
    """A wording that a newer one names was replaced; of others nobody says why they are gone."""
    named = any(held.server_id is not None for held in run.tables.naming(lm))
    return Removal.SUPERSEDED if named else Removal.ABSENT
