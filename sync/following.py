"""The feed of a server that has one: pages of changes, taken in behind a cursor (sync.md 2.5).

A page and the cursor behind it are one transaction. What a whole telling does not tell is for
`sync/absence.py` to judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection as Among
from collections.abc import Iterable, Sequence

from localmem.core.model import Kind
from localmem.core.records import Removal
from localmem.core.replica import RecordKey
from localmem.core.scope import Scope
from sync import absence, encoding, facts, records
from sync.messages import (
    AskChanges,
    Changes,
    Collections,
    Expired,
    FactRow,
    GoneFact,
    GoneItem,
    ItemRow,
    ListCollections,
    ReadItem,
)
from sync.run import End, Ending, Halt, Run, Steps


def follow(run: Run) -> Steps[None]:
    """Take the pages of changes behind the cursor; begin anew where it is void."""
    told: set[str] | None = None
    begun = False
    while True:
        with run.tables.reading():
            standing = run.standing()
        anew = standing.resync or standing.sweep
        if anew and not begun:
            told, begun, cursor = set(), True, None
        elif not anew:
            cursor = standing.cursor
        reply = yield from run.ask(AskChanges(cursor, gone_too=anew and cursor is None))
        if isinstance(reply, Expired):
            with run.writing():
                run.tables.stand(standing._replace(cursor=None, seq=0, sweep=True))
            begun = False
            continue
        if not isinstance(reply, Changes):
            raise Halt(Ending(End.NO_REPLY, "broken_reply", "The server answered another thing."))
        pages = yield from _counted(run, reply)
        for page in pages:
            yield from _definitions(run, page.rows)
            if page is pages[-1] and page.more:
                yield from run.begin(AskChanges(page.cursor))
            asked = yield from _page(run, page, anew)
            if told is not None:
                told |= {absence.name(row) for row in (*page.rows, *asked)}
                cursor = page.cursor
        if not page.more:
            break
    if told is not None:
        yield from _sweep(run, told, page)
    with run.writing():
        facts.settle(run)


def _counted(run: Run, first: Changes) -> Steps[list[Changes]]:
    """The page, and all behind it where something is gone: how much goes at once is known, and
    asked about, before any of it does."""
    pages = [first]
    with run.tables.reading():
        going = _going(run, first.rows)
    while going and pages[-1].more:
        reply = yield from run.ask(AskChanges(pages[-1].cursor))
        if not isinstance(reply, Changes):
            break  # it will be asked once more, behind what is taken in
        pages.append(reply)
    with run.tables.reading():
        absence.brake(run, _going(run, [row for page in pages for row in page.rows]))
    return pages


def _definitions(run: Run, rows: Iterable[object]) -> Steps[None]:
    """Collections that nobody here knows come with their indexes, before their documents do."""
    named = {
        row.collection
        for row in rows
        if isinstance(row, ItemRow)
        and encoding.record_at(row.scope, row.collection, row.key).kind is Kind.DOCUMENT
    }
    with run.tables.reading():
        new = {name for name in named if run.library.collection(name) is None}
    if new:
        yield from _learn(run, new)


def _learn(run: Run, new: Among[str]) -> Steps[None]:
    cursor: str | None = None
    while True:
        reply = yield from run.ask(ListCollections(cursor))
        if not isinstance(reply, Collections):
            return
        with run.writing():
            for collection in reply.rows:
                if collection.name in new:
                    run.library.define_collection(collection)
        cursor = reply.next
        if cursor is None:
            return


def _page(run: Run, page: Changes, anew: bool) -> Steps[list[ItemRow]]:
    """One page and the cursor behind it are one transaction; in a comparison of everything the
    cursor waits for its end. Returns what was asked for beside it, and is there."""
    unsure = yield from _asked(run, page.rows)
    with run.writing():
        for rows in _runs(page.rows):
            if isinstance(rows[0], ItemRow):
                records.see_many(run, [row for row in rows if isinstance(row, ItemRow)])
            elif isinstance(rows[0], FactRow):
                facts.adopt(run, [row for row in rows if isinstance(row, FactRow)])
            else:
                for row in rows:
                    _gone(run, row)
        for key, found in unsure.items():
            records.look(run, key, found)
        if not anew:
            standing = run.standing()
            run.tables.stand(standing._replace(cursor=page.cursor, seq=page.seq))
    return [found for found in unsure.values() if found is not None]


def _asked(run: Run, rows: Sequence[object]) -> Steps[dict[RecordKey, ItemRow | None]]:
    """A preference whose item is gone may be there again, of a newer generation: it is read before
    the page is taken in, because behind the cursor nothing tells of it again."""
    with run.tables.reading():
        named = [_record(run, row) for row in rows if isinstance(row, GoneItem)]
    found: dict[RecordKey, ItemRow | None] = {}
    for key in named:
        if key is not None and key.kind is Kind.PREFERENCE:
            reply = yield from run.ask(ReadItem(*encoding.place(key)))
            found[key] = reply if isinstance(reply, ItemRow) else None
    return found


def _runs(
    rows: Sequence[FactRow | ItemRow | GoneFact | GoneItem],
) -> list[list[FactRow | ItemRow | GoneFact | GoneItem]]:
    """Rows of one kind that follow each other, in their order."""
    found: list[list[FactRow | ItemRow | GoneFact | GoneItem]] = []
    for row in rows:
        if found and type(found[-1][0]) is type(row):
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _record(run: Run, gone: GoneItem) -> RecordKey | None:
    """Which record a tombstone is of; None for what was never here."""
    return run.tables.copy_named(gone.inc) or run.tables.copy_named(gone.there)


def _gone(run: Run, row: object) -> None:
    """Take in a tombstone."""
    if isinstance(row, GoneFact):
        facts.vanish(run, row.scope, row.lm, row.server_id, row.why)
    elif isinstance(row, GoneItem) and row.inc:
        key = _record(run, row)
        if key is None:
            run.bury(row.inc, row.scope, row.why)
        elif key.kind is not Kind.PREFERENCE:
            records.gone(run, key, row)


def _going(run: Run, rows: Sequence[object]) -> dict[Scope, int]:
    """What would go here, by scope; inside `reading()`."""
    going: dict[Scope, int] = {}
    for row in rows:
        if isinstance(row, GoneFact):
            held = run.tables.wording(row.lm) or run.tables.wording_at(row.scope, row.server_id)
            there = held is not None and run.library.fact(held.item) is not None
        elif isinstance(row, GoneItem):
            there = _record(run, row) is not None
        else:
            continue
        if there and row.why is not Removal.SUPERSEDED and row.why is not Removal.EXPIRED:
            going[row.scope] = going.get(row.scope, 0) + 1
    return going


def _sweep(run: Run, told: set[str], last: Changes) -> Steps[None]:
    """What a whole telling did not tell is gone, or never was there since the server went back."""
    with run.tables.reading():
        back = run.standing().resync
    missing = [key for key in absence.all_copies(run) if absence.item_name(key) not in told]
    if back:
        yield from absence.went_back(run, missing)
    else:
        with run.tables.reading():
            lost = [
                held
                for scope in run.tables.scopes()
                for held in run.tables.wordings_in(scope)
                if held.server_id and f"fact {scope} {held.server_id}" not in told
            ]
        yield from absence.confirm(run, missing, Counter(held.scope for held in lost))
        with run.writing():
            for held in lost:
                why = absence.reason(run, held.lm)
                facts.vanish(run, held.scope, held.lm, held.server_id or "", why)
    with run.writing():
        standing = run.standing()
        run.tables.stand(
            standing._replace(cursor=last.cursor, seq=last.seq, resync=False, sweep=False)
        )
