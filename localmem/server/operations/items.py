"""Items of collections: read, write, delete, list, find by a field, many at once (memory-api).

A PUT replaces the whole item, its lifetime included, and counts as a `rev` whatever it says. What
a write was made on is judged by the engine inside the write, never before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from localmem.core import documents, feed
from localmem.core.change import Stale, Written
from localmem.core.hosting import Right
from localmem.core.model import Item, ItemId, Json
from localmem.engine import Engine
from localmem.engine.context import KEEP, Unset
from localmem.engine.outcomes import NotErased
from localmem.errors import InvalidInput, ItemNotFound, RevisionConflict
from localmem.server.errors import Refused
from localmem.server.limits import allowance, check_room, check_units
from localmem.server.operations import steps
from localmem.server.operations.operation import (
    NUMBERED,
    WRITE_UNITS,
    Answer,
    Call,
    Later,
    Operation,
    nothing_again,
)
from localmem.wire import collections_api as wire
from localmem.wire.shapes import Shape, page
from localmem.wire.sync_api import incarnation

PUT_BYTES = 1024 * 1024
"""Of a body whose document may have a fifth of it: JSON may be spaced, and escaped."""
BATCH_BYTES = 8 * 1024 * 1024
"""25 of the largest documents."""

ETAG = {"ETag": "The item's `rev` in quotes, as If-Match takes it."}

_REV = re.compile(r'"([0-9]{1,18})"|([0-9]{1,18})')


@dataclass(frozen=True, slots=True)
class Condition:
    """What a write asks to find."""

    rev: int | None = None
    only_existing: bool = False
    only_new: bool = False


def get(engine: Engine, asked: wire.OneItem, call: Call) -> Answer:
    return _found(engine.documents.get(asked.collection, asked.key, scope=asked.where()))


def put(engine: Engine, asked: wire.PutItem, call: Call) -> Answer:
    condition = _condition(asked.if_match, asked.if_none_match)
    write = partial(
        engine.documents.set,
        asked.collection,
        scope=asked.where(),
        always=True,
        most_collections=allowance(call.holder).collections,
    )
    check_room(call.holder, engine)
    item = _set(write, asked, condition)
    later = (Later.SCRUB_MANY,) if _may_forget(item) else ()
    kept: dict[str, Json] = {"id": item.id, "rev": item.head.number}
    return replace(_written(item), kept=kept, later=later)


def _put(engine: Engine, asked: wire.PutItem, kept: Mapping[str, Json]) -> Answer:
    """Raises MemoryNotFound."""
    id, rev = ItemId(str(kept["id"])), int(str(kept["rev"]))
    return _written(engine.library.at_version(id, rev))


def _written(item: Item) -> Answer:
    named = {"Memory-Inc": incarnation(item), "Memory-Own": str(item.id)}
    return _found(item).with_headers(named)


def _may_forget(item: Item) -> bool:
    """Whether its being written may have taken away what was there before."""
    return item.head.number > 1 and feed.identity(item) != feed.NOBODY


def delete(engine: Engine, asked: wire.DeleteItem, call: Call) -> Answer:
    """204 also where there was nothing: who deletes wants it gone."""
    _delete(engine, asked, asked.key, _condition(asked.if_match))
    return Answer(later=(Later.SCRUB,))


def list_(engine: Engine, asked: wire.ListItems, call: Call) -> Answer:
    """By key."""
    scope, place = asked.where(), (asked.collection, asked.prefix)
    found = engine.documents.page(
        asked.collection,
        scope=scope,
        prefix=asked.prefix,
        limit=asked.length,
        cursor=call.open(asked.cursor, scope, *place),
    )
    items = [wire.item(item) for item in found.items]
    return Answer(page(items, call.seal(found.next_cursor, scope, *place)))


def query(engine: Engine, asked: wire.QueryItems, call: Call) -> Answer:
    """By key."""
    if asked.op != "eq":
        raise Refused("unsupported_op", "The only op is eq.", details={"field": "op"})
    scope = asked.where()
    place = (asked.collection, asked.field, documents.canonical(asked.value))
    found = engine.documents.query(
        asked.collection,
        asked.field,
        asked.value,
        scope=scope,
        limit=asked.length,
        cursor=call.open(asked.cursor, scope, *place),
    )
    items = [wire.item(item) for item in found.items]
    return Answer(page(items, call.seal(found.next_cursor, scope, *place)))


def batch(engine: Engine, asked: wire.Batch, call: Call) -> Answer:
    """One result for each operation, in order; one that is refused keeps no other from its work."""
    together = engine.documents_together(
        asked.collection,
        asked.where(),
        [step.key for step in asked.steps()],
        most_collections=allowance(call.holder).collections,
    )

    forgets: list[bool] = []

    def do(step: wire.Step, spent: int) -> Shape:
        condition = _condition(step.if_match, step.if_none_match)
        if step.op == "set":
            check_units(call.holder, call.units_used + spent)
            check_room(call.holder, engine)
            written = _set(together.set, step, condition)
            forgets.append(_may_forget(written))
            named = {"inc": incarnation(written), "own": str(written.id)}
            inc = {} if asked.most is None else named
            return {"rev": written.head.number, **inc}
        call.check_right(Right.DELETE)
        forgets.append(True)
        together.flush()
        _delete(engine, asked, step.key, condition)
        return {}

    found, done = steps.judge(asked.operations, do, together.high, numbered=asked.most is not None)
    together.flush()
    results = _keyed(asked, found)
    return Answer(
        {"results": list(results)},
        later=(Later.SCRUB_MANY,) if any(forgets) else (),
        units=done * WRITE_UNITS,
        kept=steps.outcomes(results),
        undone=_set_and_deleted(asked),
    )


def _batched(engine: Engine, asked: wire.Batch, kept: Mapping[str, Json]) -> Answer:
    held = steps.kept(kept, len(asked.operations))
    return Answer({"results": list(_keyed(asked, map(steps.again, held)))})


def _keyed(asked: wire.Batch, results: Iterable[Shape]) -> list[Shape]:
    pairs = zip(asked.operations, results, strict=True)
    return [{"key": step.key, **result} for step, result in pairs]


def _set_and_deleted(asked: wire.Batch) -> bool:
    """Whether a key is written and deleted behind that."""
    written: set[str] = set()
    for step in asked.operations:
        if step.op == "delete" and step.key in written:
            return True
        written.add(step.key)
    return False


def _set(
    write: Callable[..., Written], said: wire.PutItem | wire.Step, condition: Condition
) -> Item:
    """What is kept now. Raises RevisionConflict."""
    try:
        done = write(
            said.key,
            said.value,
            ttl_seconds=_lifetime(said),
            made_on=condition.rev,
            only_new=condition.only_new,
            only_existing=condition.only_existing,
        )
    except ItemNotFound:
        raise _conflict(None) from None
    if isinstance(done, Stale):
        raise _conflict(done.current)
    return done.item


def _delete(engine: Engine, place: wire.ItemsOf, key: str, condition: Condition) -> None:
    """Raises RevisionConflict."""
    done = engine.forgetting.drop_document(
        place.collection,
        key,
        scope=place.where(),
        made_on=condition.rev,
        only_existing=condition.only_existing,
    )
    if isinstance(done, NotErased):
        raise _conflict(done.current)


def _lifetime(said: wire.PutItem | wire.Step) -> int | Unset | None:
    """KEEP is the collection's own."""
    return said.ttl_seconds if "ttl_seconds" in said.model_fields_set else KEEP


def _condition(if_match: str | None, if_none_match: str | None = None) -> Condition:
    """Raises Refused (invalid_if_match), InvalidInput."""
    if if_none_match is not None:
        if if_match is not None or if_none_match.strip() != "*":
            raise InvalidInput(
                "If-None-Match must be *, and no If-Match beside it.",
                details={"field": "If-None-Match"},
            )
        return Condition(only_new=True)
    if if_match is None:
        return Condition()
    if if_match.strip() == "*":
        return Condition(only_existing=True)
    rev = _REV.fullmatch(if_match.strip())
    if rev is None:
        raise Refused(
            "invalid_if_match",
            'If-Match must be one rev, plain or quoted, or *: 3, "3", *.',
            details={"field": "If-Match"},
        )
    return Condition(int(rev[1] or rev[2]), only_existing=True)


def _conflict(current: Item | None) -> RevisionConflict:
    if current is None:
        return RevisionConflict(
            "Nothing was changed: there is no such item here.", details={"currentRev": None}
        )
    rev = current.head.number
    return RevisionConflict(
        f"Nothing was changed: the item is at rev {rev}.",
        hint="Read it again, then send that rev.",
        details={"currentRev": rev},
    )


def _found(item: Item) -> Answer:
    return Answer(wire.item(item), headers={"ETag": f'"{item.head.number}"'})


_KEPT_OUT = (
    "invalid_key",
    "document_too_large",
    "document_too_deep",
    "secret_rejected",
    "memory_rejected",
    "memory_limit_exceeded",
)

OPERATIONS = (
    Operation(
        "batch_items",
        "POST",
        "/v1/memory/collections/{collection}/items/batch",
        "Write and delete several items; each operation has a result of its own.",
        batch,
        answers={200: wire.BatchResults},
        asks=wire.Batch,
        right=Right.WRITE,
        units=WRITE_UNITS,
        in_parts=True,
        among_keys=True,
        numbered=True,
        again=_batched,
        headers=NUMBERED,
        most_bytes=BATCH_BYTES,
        too_large="document_too_large",
        faults=(
            "invalid_key",
            "invalid_scope",
            "document_too_large",
            "document_too_deep",
            "idempotency_conflict",
        ),
    ),
    Operation(
        "query_items",
        "POST",
        "/v1/memory/collections/{collection}/query",
        "Find the items whose indexed field equals a value, by key.",
        query,
        answers={200: wire.ItemPage},
        asks=wire.QueryItems,
        right=Right.READ,
        faults=(
            "invalid_key",
            "invalid_scope",
            "invalid_cursor",
            "field_not_indexed",
            "unsupported_op",
            "document_too_deep",
            "collection_not_found",
        ),
    ),
    Operation(
        "list_items",
        "GET",
        "/v1/memory/collections/{collection}/items",
        "List the items of a scope, by key.",
        list_,
        answers={200: wire.ItemPage},
        asks=wire.ListItems,
        right=Right.READ,
        faults=("invalid_key", "invalid_scope", "invalid_cursor", "collection_not_found"),
    ),
    Operation(
        "get_item",
        "GET",
        "/v1/memory/collections/{collection}/items/{key}",
        "Read one item.",
        get,
        answers={200: wire.ItemOut},
        asks=wire.OneItem,
        right=Right.READ,
        faults=("invalid_key", "invalid_scope", "item_not_found"),
        headers=ETAG,
    ),
    Operation(
        "put_item",
        "PUT",
        "/v1/memory/collections/{collection}/items/{key}",
        "Write one item whole.",
        put,
        answers={200: wire.ItemOut},
        asks=wire.PutItem,
        right=Right.WRITE,
        units=WRITE_UNITS,
        most_bytes=PUT_BYTES,
        too_large="document_too_large",
        faults=(
            *_KEPT_OUT,
            "invalid_scope",
            "invalid_if_match",
            "revision_conflict",
            "idempotency_conflict",
            "memory_forgotten",
        ),
        numbered=True,
        again=_put,
        headers={
            **ETAG,
            **NUMBERED,
            "Memory-Inc": "The incarnation it is of, as changes name it.",
            "Memory-Own": "The server's own id of the incarnation.",
        },
    ),
    Operation(
        "delete_item",
        "DELETE",
        "/v1/memory/collections/{collection}/items/{key}",
        "Delete one item, with every version; it may be gone already.",
        delete,
        answers={204: None},
        asks=wire.DeleteItem,
        right=Right.DELETE,
        units=WRITE_UNITS,
        faults=(
            "invalid_key",
            "invalid_scope",
            "invalid_if_match",
            "revision_conflict",
            "idempotency_conflict",
        ),
        numbered=True,
        again=nothing_again,
        headers=NUMBERED,
    ),
)
