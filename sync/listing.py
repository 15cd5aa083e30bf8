"""A server without a feed: every scope is listed to its end (sync.md 2.5).

Nothing is inferred from a list that broke off.
"""

from __future__ import annotations

from localmem.core.scope import PERSON, PROJECT, Scope
from sync import absence, canary, encoding, fact_sending, facts, records
from sync.messages import Collections, FactRow, Items, ListCollections, ListItems
from sync.run import Run, Steps

LOOKS = 3
"""How many lists a fact must be missing from, where a list may pass rows over."""


def list_all(run: Run) -> Steps[None]:
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
    missing = [key for key in absence.all_copies(run) if absence.item_name(key) not in seen]
    if back:
        yield from absence.went_back(run, missing)
    else:
        yield from absence.confirm(run, missing)
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
        seen |= {absence.name(row) for row in reply.rows}
        cursor = reply.next
        if cursor is None:
            return seen


def _facts(run: Run, scope: Scope, back: bool) -> Steps[None]:
    """The facts of a scope; what is missing is looked for in more lists, because a list may pass
    rows over when others go meanwhile."""
    found: dict[str, FactRow] = {}
    missing: list[tuple[str, str]] = []
    for _ in range(LOOKS):
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
            absence.brake(run, {scope: len(missing)} if missing else {})
            for lm, server_id in missing:
                facts.vanish(run, scope, lm, server_id, absence.reason(run, lm))
