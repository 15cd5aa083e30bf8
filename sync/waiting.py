"""What waits to be sent, and what is held back, as a person is shown it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from localmem.core.model import ItemId, Kind
from localmem.core.replica import (
    ACCOUNT,
    Block,
    Errand,
    Library,
    Pending,
    RecordKey,
    Tables,
    block_place,
)
from localmem.core.scope import PERSON, Scope
from localmem.core.syncing import Waiting
from sync import canary, clashes, encoding
from sync.messages import AddFact, AddFacts, NewFact, Step, Write, WriteItem, WriteItems
from sync.policy import LEFT_OUT, holds
from sync.run import OF_SCOPES, scope_place

_LEFT_OUT = Block(LEFT_OUT, "You left it out: it stays on this device.")


def everything(tables: Tables, library: Library) -> list[Waiting]:
    """What is held first; inside a transaction, after a `scan`."""
    blocks = _blocks(tables, library)
    found: list[Waiting] = []
    for pending in tables.pending():
        waiting = one(tables, library, pending)
        held = _held(blocks, pending, waiting)
        if held is not None:
            waiting = waiting._replace(code=held.code, message=held.message, until=held.until)
        found.append(waiting)
    found += map(_delete, tables.errands())
    return sorted(found, key=lambda waiting: not waiting.code)


def held_back(tables: Tables, library: Library) -> int:
    """How much cannot be sent, or is left out; inside a transaction."""
    blocks, pending = _blocks(tables, library), tables.pending()
    wide = {place for place in blocks if place == ACCOUNT or place.startswith(OF_SCOPES)}
    if not wide:
        return len(blocks)
    free = [each for each in pending if block_place(each) not in blocks]
    limited = len(free)
    if ACCOUNT not in wide:
        found = library.facts([each.item for each in free if each.item is not None])
        limited = sum(scope_place(fact.scope) in wide for fact in found.values())
    return len(blocks) - len(wide) + limited


def try_again(tables: Tables) -> None:
    """Limits end when they end, not when it was guessed; inside `writing()`."""
    for place, held in tables.blocks():
        if held.until is not None:
            tables.drop_block(place)


def _blocks(tables: Tables, library: Library) -> dict[str, Block]:
    now = library.now()
    return {place: held for place, held in tables.blocks() if holds(held, now)}


def _held(blocks: Mapping[str, Block], pending: Pending, waiting: Waiting) -> Block | None:
    """What keeps it: its own block, its scope's or the account's, which keep no delete."""
    places = [block_place(pending)]
    if waiting.act != "delete":
        places += [scope_place(waiting.scope)] if pending.key is None else []
        places.append(ACCOUNT)
    return next((blocks[place] for place in places if place in blocks), None)


def _delete(errand: Errand) -> Waiting:
    return Waiting(errand.server_id, Kind.FACT, errand.scope, "", None, "delete")


def one(tables: Tables, library: Library, pending: Pending) -> Waiting:
    id, title = clashes.name(pending), clashes.title(library, pending)
    if pending.key is not None:
        copy, item = tables.copy(pending.key), _item(library, pending.key)
        act = "delete" if item is None else "change" if copy and copy.rev else "send"
        return Waiting(id, pending.key.kind, pending.key.scope, title, item, act)
    fact = library.fact(pending.item) if pending.item is not None else None
    if fact is None:
        return Waiting(id, Kind.FACT, PERSON, title, None, "delete")
    known = any(held.number < fact.number for held in tables.wordings_of(fact.item))
    return Waiting(id, Kind.FACT, fact.scope, title, fact.item, "change" if known else "send")


def _item(library: Library, key: RecordKey) -> ItemId | None:
    if key.kind is Kind.PREFERENCE:
        return next(iter(library.preference_items(key.key)), None)
    document = library.document(key.scope, key.collection, key.key)
    return None if document is None else document.item


def of_write(tables: Tables, library: Library, write: Write) -> list[Waiting]:
    """What a request carries."""
    match write:
        case WriteItem(scope=scope, collection=collection, step=step):
            return _items(tables, library, (scope, collection), [step])
        case WriteItems(scope=scope, collection=collection, steps=steps):
            return _items(tables, library, (scope, collection), steps)
        case AddFact(fact=fact):
            return _facts(tables, library, [fact])
        case AddFacts(facts=facts):
            return _facts(tables, library, facts)
        case _:
            return []


def _items(
    tables: Tables, library: Library, place: tuple[Scope, str], steps: Sequence[Step]
) -> list[Waiting]:
    found: list[Waiting] = []
    for step in steps:
        act = "delete" if step.delete else "send" if step.only_new else "change"
        key = encoding.record_at(*place, step.key)
        if place[1] != canary.COLLECTION:
            found.append(one(tables, library, Pending(key, None))._replace(act=act))
    return found


def _facts(tables: Tables, library: Library, facts: Sequence[NewFact]) -> list[Waiting]:
    held = [tables.wording(fact.metadata["lm"]) for fact in facts]
    return [one(tables, library, Pending(None, each.item)) for each in held if each]


def hold(tables: Tables, id: str, *, held: bool) -> bool:
    """Leave out what is called `id`, or send it after all; False when nothing is called so."""
    for pending in tables.pending():
        if clashes.name(pending) == id:
            if held:
                tables.put_block(block_place(pending), _LEFT_OUT)
            else:
                tables.drop_block(block_place(pending))
            return True
    return False
