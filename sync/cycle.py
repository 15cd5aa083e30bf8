"""One cycle of synchronisation: see who answers, take what changed there, send what changed here.

Sans I/O: a generator that yields what is asked and is sent the answers, so that the same code runs
over HTTP, in the simulator and against a crash at any of its steps (sync.md 2.5, 3.2). What lies
between two requests is whole transactions; a cycle that ends anywhere is taken up by the next.

Nothing is sent before a read has shown that the server is the one that is expected. Nothing is
deleted because a list or a part of one does not have it, without asking again for that very thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection as Among
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from localmem.core.model import Kind
from localmem.core.preferences import PreferenceKey
from localmem.core.records import Removal
from localmem.core.replica import (
    Changed,
    Library,
    Pending,
    RecordKey,
    Tables,
    preference_key,
)
from localmem.core.scope import PERSON, PROJECT, Scope
from sync import canary, encoding, fact_sending, facts, known, records, sending
from sync.messages import (
    AskChanges,
    Changes,
    Collections,
    Expired,
    FactRow,
    GoneFact,
    GoneItem,
    Identify,
    Identity,
    ItemRow,
    Items,
    ListCollections,
    ListItems,
    ReadItem,
)
from sync.policy import MANY_FIRST, Brake, Braked, too_many_gone
from sync.run import End, Ending, Halt, Options, Run, Steps, Tally

DONE = Ending(End.DONE)
ALL = Options()
NOTHING_GONE: Mapping[Scope, int] = MappingProxyType({})
_PAGE = 500
_LOOKS = 3
"""How many lists a fact must be missing from, where a list may pass rows over."""


def cycle(
    tables: Tables,
    library: Library,
    identity: Identity,
    options: Options = ALL,
    tally: Tally | None = None,
) -> Steps[Ending]:
    """Yields requests, is sent replies, returns how it ended. `tally` is counted into meanwhile."""
    run = Run(tables, library, identity.can, options, tally if tally is not None else Tally())
    try:
        yield from _whole(run, identity)
    except Halt as halt:
        if halt.ending.end is End.CHANGED:
            with tables.writing():
                _begin_anew(run)
        return halt.ending
    return DONE


def _whole(run: Run, identity: Identity) -> Steps[None]:
    _start(run, identity)
    scan(run)
    yield from _meet(run, identity)
    yield from sending.recover(run)
    if run.options.pull:
        yield from (_follow(run) if run.can.changes else _list(run))
    _ask_before_the_first(run)
    yield from fact_sending.delete(run, forgets=True)
    yield from sending.send(run, forgets=True)
    yield from sending.send(run, forgets=False)
    yield from fact_sending.send(run)
    yield from fact_sending.delete(run, forgets=False)
    if not run.can.epoch:
        yield from canary.confirm(run)
    with run.writing():
        standing = run.standing()
        whole = run.now() if run.options.pull else standing.last_full
        run.tables.stand(standing._replace(last_full=whole))


# --- beginning ---------------------------------------------------------------------------------


def _start(run: Run, identity: Identity) -> None:
    with run.writing():
        standing = run.standing()
        if run.can.epoch and standing.epoch != identity.epoch:
            known = standing.epoch is not None
            run.tables.stand(standing._replace(epoch=identity.epoch))
            if known:
                _begin_anew(run)
        standing = run.standing()
        run.tables.stand(standing._replace(cycle=standing.cycle + 1))
        if standing.resync:
            _forget_the_server(run)


def _begin_anew(run: Run) -> None:
    """The server is another one than it was: compare everything. Inside `writing()`."""
    standing = run.standing()
    run.tables.stand(standing._replace(cursor=None, seq=0, resync=True, sweep=False))


def _forget_the_server(run: Run) -> None:
    """What was under way spoke to another server; ids of facts are found again by their names.

    Inside `writing()`."""
    for flight in run.tables.flights():
        copy = run.tables.copy(flight.key)
        if copy is not None and copy.rev is None and copy.base is not None:
            records.regress(run, flight.key)  # it was to be read what became of it
        else:
            run.tables.drop_flight(flight.key)
            run.tables.add_pending(Pending(flight.key, None))
    for errand in run.tables.errands():
        run.tables.drop_errand(errand.scope, errand.server_id)
    for scope in run.tables.scopes():
        for held in run.tables.wordings_in(scope):
            run.tables.put_wording(held._replace(server_id=None, sent=False))
            run.tables.add_pending(Pending(None, held.item))


def scan(run: Run) -> None:
    """Note what the person changed since the last look, page by page."""
    while True:
        with run.tables.writing():
            standing = run.standing()
            changed = run.library.changed(standing.watermark, _PAGE)
            run.changed([pending for each in changed for pending in _noted(run, each)])
            if changed:
                run.tables.stand(standing._replace(watermark=changed[-1].change))
        if len(changed) < _PAGE:
            return


def _noted(run: Run, each: Changed) -> list[Pending]:
    """What is to be sent of a change."""
    if each.kind is Kind.FACT:
        if each.gone is not None:
            facts.noted(run, each.item, each.gone)
            return []
        return [] if run.tables.fact_conflict(each.item) else [Pending(None, each.item)]
    if each.key is not None:
        return [Pending(each.key, None)]
    if each.kind is Kind.PREFERENCE:
        keys = map(preference_key, PreferenceKey)
        return [Pending(key, None) for key in keys if known.load(run, key).dirty]
    left = run.tables.copy_of(each.item)
    return [] if left is None else [Pending(left, None)]


def _meet(run: Run, identity: Identity) -> Steps[None]:
    """See that the server is the one that is expected, where the first read does not show it."""
    if run.can.epoch:
        with run.tables.reading():
            sure = run.options.pull and not run.tables.flights()
        if sure:
            return  # every reply names the epoch, and the first one is a read
    found = yield from run.ask(Identify())
    if isinstance(found, Identity) and found[:3] != identity[:3]:
        raise Halt(Ending(End.BRAKE, Brake.OTHER_SERVER, braked=Braked(Brake.OTHER_SERVER, 0, 0)))
    if not run.can.epoch:
        yield from canary.meet(run)


def _ask_before_the_first(run: Run) -> None:
    """Much is not sent to an account that had nothing of it, before the person said so."""
    with run.tables.reading():
        standing = run.standing()
        waiting = len(run.tables.pending())
    if standing.last_full == 0 and waiting > MANY_FIRST:
        run.brake(Braked(Brake.FIRST_PUSH, waiting, waiting))


# --- following the feed ------------------------------------------------------------------------


def _follow(run: Run) -> Steps[None]:
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
                told |= {_name(row) for row in (*page.rows, *asked)}
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
        _brake(run, _going(run, [row for page in pages for row in page.rows]))
    return pages


def _name(row: FactRow | ItemRow | GoneFact | GoneItem) -> str:
    """What tells in a sweep that the server still has it."""
    if isinstance(row, FactRow):
        return f"fact {row.scope} {row.server_id}"
    if isinstance(row, ItemRow):
        return f"item {row.scope} {row.collection} {row.key}"
    return ""


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


def _brake(run: Run, going: dict[Scope, int]) -> None:
    """Raises Halt where much of a scope would go at once."""
    for scope, count in sorted(going.items()):
        so_far = run.gone.get(str(scope), 0) + count
        held = run.library.count(scope) + run.gone.get(str(scope), 0)
        if too_many_gone(so_far, held):
            run.brake(Braked(Brake.MANY_GONE, so_far, held, str(scope)))
    for scope, count in going.items():
        run.gone[str(scope)] = run.gone.get(str(scope), 0) + count


def _sweep(run: Run, told: set[str], last: Changes) -> Steps[None]:
    """What a whole telling did not tell is gone, or never was there since the server went back."""
    with run.tables.reading():
        back = run.standing().resync
    missing = [key for key in _all_copies(run) if _item_name(key) not in told]
    if back:
        yield from _went_back(run, missing)
    else:
        with run.tables.reading():
            lost = [
                held
                for scope in run.tables.scopes()
                for held in run.tables.wordings_in(scope)
                if held.server_id and f"fact {scope} {held.server_id}" not in told
            ]
        yield from _confirm(run, missing, Counter(held.scope for held in lost))
        with run.writing():
            for held in lost:
                why = _reason(run, held.lm)
                facts.vanish(run, held.scope, held.lm, held.server_id or "", why)
    with run.writing():
        standing = run.standing()
        run.tables.stand(
            standing._replace(cursor=last.cursor, seq=last.seq, resync=False, sweep=False)
        )


def _item_name(key: RecordKey) -> str:
    scope, collection, name = encoding.place(key)
    return f"item {scope} {collection} {name}"


def _all_copies(run: Run) -> list[RecordKey]:
    found: list[RecordKey] = []
    with run.tables.reading():
        while page := run.tables.copies(after=found[-1] if found else None, limit=_PAGE):
            found += page
    return found


def _went_back(run: Run, missing: Sequence[RecordKey]) -> Steps[None]:
    """Absence proves nothing on a server that was restored: what is missing is sent again."""
    with run.tables.reading():
        again = len(missing) + sum(each.item is not None for each in run.tables.pending())
    if again > MANY_FIRST:
        run.brake(Braked(Brake.WENT_BACK, again, again))
    with run.writing():
        for key in missing:
            records.regress(run, key)
    yield from ()


def _confirm(
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
        _brake(run, Counter(facts_gone) + Counter(key.scope for key in absent))
        for key in absent:
            records.look(run, key, None)


# --- without a feed ----------------------------------------------------------------------------


def _list(run: Run) -> Steps[None]:
    """List every scope to its end: nothing is inferred from a list that broke off."""
    with run.tables.reading():
        scopes = {PROJECT, *run.tables.scopes()} - {PERSON}
        known = list(run.tables.collections())
        back = run.standing().resync
    names = sorted({*(yield from _collections(run)), *known, encoding.PREFERENCES})
    seen: set[str] = set()
    for scope in sorted(scopes):
        for collection in names:
            seen |= yield from _items(run, scope, collection)
        yield from _facts(run, scope, back)
    missing = [key for key in _all_copies(run) if _item_name(key) not in seen]
    if back:
        yield from _went_back(run, missing)
    else:
        yield from _confirm(run, missing)
    with run.writing():
        facts.settle(run)
        run.tables.stand(run.standing()._replace(resync=False))


def _collections(run: Run) -> Steps[list[str]]:
    found: list[str] = []
    cursor: str | None = None
    while True:
        reply = yield from run.ask(ListCollections(cursor))
        if not isinstance(reply, Collections):
            return found
        with run.writing():
            for collection in reply.rows:
                found.append(collection.name)
                internal = collection.name in (encoding.PREFERENCES, canary.COLLECTION)
                if not internal and run.library.collection(collection.name) is None:
                    run.library.define_collection(collection)
        cursor = reply.next
        if cursor is None:
            return [name for name in found if name != canary.COLLECTION]


def _items(run: Run, scope: Scope, collection: str) -> Steps[set[str]]:
    seen: set[str] = set()
    cursor: str | None = None
    while True:
        reply = yield from run.ask(ListItems(scope, collection, cursor))
        if not isinstance(reply, Items):
            return seen
        with run.writing():
            records.see_many(run, reply.rows)
        seen |= {_name(row) for row in reply.rows}
        cursor = reply.next
        if cursor is None:
            return seen


def _facts(run: Run, scope: Scope, back: bool) -> Steps[None]:
    """The facts of a scope; what is missing is looked for in more lists, because a list may pass
    rows over when others go meanwhile."""
    found: dict[str, FactRow] = {}
    missing: list[tuple[str, str]] = []
    for _ in range(_LOOKS):
        found |= yield from fact_sending.list_all(run, scope)
        with run.tables.reading():
            missing = [
                (held.lm, held.server_id)
                for held in run.tables.wordings_in(scope)
                if held.server_id is not None and held.server_id not in found
            ]
        if not missing or back:
            break
    with run.writing():
        facts.adopt(run, found.values())
        if not back:
            _brake(run, {scope: len(missing)} if missing else {})
            for lm, server_id in missing:
                facts.vanish(run, scope, lm, server_id, _reason(run, lm))


def _reason(run: Run, lm: str) -> Removal:
    """A wording that a newer one names was replaced; of others nobody says why they are gone."""
    named = any(held.server_id is not None for held in run.tables.naming(lm))
    return Removal.SUPERSEDED if named else Removal.ABSENT
