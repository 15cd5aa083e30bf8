"""Items of collections: read, write, delete, list, find by a field, many at once (memory-api).

A PUT replaces the whole item, its lifetime included, and counts as a `rev` whatever it says. What
a write was made on is judged by the engine inside the write, never before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from localmem.core import documents
from localmem.core.change import Stale
from localmem.core.hosting import Right
from localmem.core.model import Item, ItemId, Json
from localmem.engine import Engine
from localmem.engine.context import KEEP, Unset
from localmem.engine.outcomes import NotErased
from localmem.errors import InvalidInput, ItemNotFound, LocalmemError, RevisionConflict
from localmem.server.errors import Refused, refusal
from localmem.server.limits import allowance, check_room, check_units
from localmem.server.operations.operation import (
    NUMBERED,
    WRITE_UNITS,
    Answer,
    Call,
    Later,
    Operation,
    another_request,
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
    item = _set(engine, asked, asked, condition, call)
    return replace(_written(item), kept={"id": item.id, "rev": item.head.number})


def _put(engine: Engine, asked: wire.PutItem, kept: Mapping[str, Json]) -> Answer:
    """Raises MemoryNotFound."""
    id, rev = ItemId(str(kept["id"])), int(str(kept["rev"]))
    return _written(engine.library.at_version(id, rev))


def _written(item: Item) -> Answer:
    return _found(item).with_headers({"Memory-Inc": incarnation(item)})


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
    documents.collection_name(asked.collection)
    asked.where()
    results: list[Shape] = []
    done, high = 0, engine.feed.high()
    for step in asked.steps():
        try:
            result = _step(engine, asked, step, call, spent=done * WRITE_UNITS)
            done, before, high = done + 1, high, engine.feed.high()
            if asked.most is not None and high > before:
                result |= {"seq": high}
            results.append(result)
        except (LocalmemError, Refused) as problem:
            results.append({"key": step.key, "ok": False, "error": refusal(problem).body})
    later = (Later.SCRUB,) if any(step.op == "delete" for step in asked.operations) else ()
    return Answer(
        {"results": list(results)},
        later=later,
        units=done * WRITE_UNITS,
        kept={"results": [_outcome(result) for result in results]},
        undone=_set_and_deleted(asked),
    )


_NUMBERS = ("ok", "rev", "seq", "inc")


def _outcome(result: Shape) -> Json:
    """A result without its key and its sentence."""
    kept = {name: value for name, value in result.items() if name in _NUMBERS}
    error = result.get("error")
    if isinstance(error, dict):
        kept["code"] = error["code"]
        details = error.get("details")
        if isinstance(details, dict) and "currentRev" in details:
            kept["currentRev"] = details["currentRev"]
    return kept


def _batched(engine: Engine, asked: wire.Batch, kept: Mapping[str, Json]) -> Answer:
    outcomes = kept["results"]
    assert isinstance(outcomes, list)
    if len(outcomes) != len(asked.operations):
        raise another_request()
    pairs = zip(asked.operations, outcomes, strict=True)
    return Answer({"results": [_result(step.key, held) for step, held in pairs]})


def _result(key: str, held: Json) -> Shape:
    assert isinstance(held, dict)
    result: dict[str, Json] = {name: value for name, value in held.items() if name in _NUMBERS}
    if "code" in held:
        error: dict[str, Json] = {
            "code": held["code"],
            "message": "This was refused when it was first asked.",
        }
        if "currentRev" in held:
            error["details"] = {"currentRev": held["currentRev"]}
        result["error"] = error
    return {"key": key, **result}


def _set_and_deleted(asked: wire.Batch) -> bool:
    """Whether a key is written and deleted behind that."""
    written: set[str] = set()
    for step in asked.operations:
        if step.op == "delete" and step.key in written:
            return True
        written.add(step.key)
    return False


def _step(engine: Engine, asked: wire.Batch, step: wire.Step, call: Call, spent: int) -> Shape:
    condition = _condition(step.if_match)
    if step.op == "set":
        check_units(call.holder, call.units_used + spent)
        written = _set(engine, asked, step, condition, call)
        result: Shape = {"key": step.key, "ok": True, "rev": written.head.number}
        return result if asked.most is None else result | {"inc": incarnation(written)}
    if not call.holder.has(Right.DELETE):
        raise Refused(
            "forbidden",
            f"This key does not allow that: it needs the scope {Right.DELETE}.",
            details={"required": str(Right.DELETE)},
        )
    _delete(engine, asked, step.key, condition)
    return {"key": step.key, "ok": True}


def _set(
    engine: Engine,
    place: wire.ItemsOf,
    said: wire.PutItem | wire.Step,
    condition: Condition,
    call: Call,
) -> Item:
    """What is kept now. Raises RevisionConflict."""
    check_room(call.holder, engine)
    try:
        done = engine.documents.set(
            place.collection,
            said.key,
            said.value,
            scope=place.where(),
            ttl_seconds=_lifetime(said),
            made_on=condition.rev,
            only_new=condition.only_new,
            only_existing=condition.only_existing,
            always=True,
            most_collections=allowance(call.holder).collections,
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
