"""Collections: defined once for the space, each with items in every scope (memory-api).

Indexes are fixed when a collection is made; only its time to live may change. One goes at once and
whole, so none is ever seen `deleting`; the bytes leave the files after the reply.
"""

from __future__ import annotations

from localmem.core.hosting import Right
from localmem.core.scope import PROJECT
from localmem.engine import Engine
from localmem.errors import InvalidKey
from localmem.server.limits import allowance, check_room
from localmem.server.operations.operation import WRITE_UNITS, Answer, Call, Later, Operation
from localmem.wire import collections_api as wire
from localmem.wire.shapes import collection, page


def create(engine: Engine, asked: wire.NewCollection, call: Call) -> Answer:
    check_room(call.holder, engine)
    try:
        made = engine.documents.create_collection(
            asked.name,
            indexes=[index.field for index in asked.indexes],
            default_ttl=asked.default_ttl_seconds,
            most=allowance(call.holder).collections,
        )
    except InvalidKey as problem:
        problem.details["field"] = "name"
        raise
    return Answer(collection(made))


def list_(engine: Engine, asked: wire.ListCollections, call: Call) -> Answer:
    """By name."""
    after = call.open(asked.cursor, PROJECT) or ""
    there = [each for each in engine.documents.collections() if each.name > after]
    found = there[: asked.length]
    last = found[-1].name if len(there) > len(found) else None
    return Answer(page([collection(each) for each in found], call.seal(last, PROJECT)))


def get(engine: Engine, asked: wire.OneCollection, call: Call) -> Answer:
    return Answer(collection(engine.documents.collection(asked.collection)))


def change(engine: Engine, asked: wire.ChangeCollection, call: Call) -> Answer:
    check_room(call.holder, engine)
    changed = engine.documents.set_default_ttl(asked.collection, asked.default_ttl_seconds)
    return Answer(collection(changed))


def delete(engine: Engine, asked: wire.OneCollection, call: Call) -> Answer:
    engine.forgetting.drop_collection(asked.collection)
    return Answer(later=(Later.SCRUB,))


OPERATIONS = (
    Operation(
        "create_collection",
        "POST",
        "/v1/memory/collections",
        "Create a collection, with the fields its items are to be found by.",
        create,
        answers={201: wire.CollectionOut},
        asks=wire.NewCollection,
        right=Right.WRITE,
        units=WRITE_UNITS,
        faults=("invalid_key", "secret_rejected", "collection_exists", "memory_limit_exceeded"),
    ),
    Operation(
        "list_collections",
        "GET",
        "/v1/memory/collections",
        "List the collections, by name.",
        list_,
        answers={200: wire.CollectionPage},
        asks=wire.ListCollections,
        right=Right.READ,
        faults=("invalid_cursor",),
    ),
    Operation(
        "get_collection",
        "GET",
        "/v1/memory/collections/{collection}",
        "Read a collection's definition.",
        get,
        answers={200: wire.CollectionOut},
        asks=wire.OneCollection,
        right=Right.READ,
        faults=("invalid_key", "collection_not_found"),
    ),
    Operation(
        "change_collection",
        "PATCH",
        "/v1/memory/collections/{collection}",
        "Change how long new items of a collection are kept.",
        change,
        answers={200: wire.CollectionOut},
        asks=wire.ChangeCollection,
        right=Right.WRITE,
        units=WRITE_UNITS,
        faults=("invalid_key", "collection_not_found", "memory_limit_exceeded"),
    ),
    Operation(
        "delete_collection",
        "DELETE",
        "/v1/memory/collections/{collection}",
        "Delete a collection with its items in every scope.",
        delete,
        answers={204: None},
        asks=wire.OneCollection,
        right=Right.DELETE,
        units=WRITE_UNITS,
        faults=("invalid_key", "collection_not_found"),
    ),
)
