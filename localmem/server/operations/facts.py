"""Facts: remember, list, recall, read one, forget one, forget a scope (memory-api, "Facts").

A fact is immutable on the wire; there is no operation that changes one.
"""

from __future__ import annotations

from collections.abc import Mapping

from localmem.core.change import Saved, Stale, Unchanged
from localmem.core.hosting import Right
from localmem.core.model import Item, ItemId, Json, Kind
from localmem.core.query import Query
from localmem.core.records import Removal, Slice
from localmem.core.scope import Scope, ScopeKind
from localmem.engine import Engine
from localmem.errors import MemoryNotFound
from localmem.server.limits import allowance, check_room
from localmem.server.operations.operation import (
    NUMBERED,
    WRITE_UNITS,
    Answer,
    Call,
    Later,
    Operation,
    WipeLater,
    nothing_again,
)
from localmem.wire import memory_api as wire
from localmem.wire.memory_ids import item_id
from localmem.wire.shapes import page


def add(engine: Engine, asked: wire.AddFact, call: Call) -> Answer:
    """The fact; 200 when the scope knows the same words already."""
    check_room(call.holder, engine)
    scope = asked.where()
    done = engine.facts.add(
        asked.text,
        scope=scope,
        metadata=asked.metadata,
        ttl_seconds=asked.ttl_seconds,
        cap=_cap(scope, call),
    )
    match done:
        case Saved(item=item):
            return Answer(wire.fact(item), later=(Later.EMBED,), kept={"id": item.id})
        case Unchanged(item=item):
            return Answer(wire.fact(item), status=200, kept={"id": item.id}, about=(item.id,))
        case Stale():  # pragma: no cover
            raise AssertionError("a new fact is made on nothing")


def _added(engine: Engine, asked: wire.AddFact, kept: Mapping[str, Json]) -> Answer:
    id = ItemId(str(kept["id"]))
    return Answer(wire.fact(engine.facts.get(id, scope=asked.where())))


def list_(engine: Engine, asked: wire.ListFacts, call: Call) -> Answer:
    scope = asked.where()
    found, after = engine.library.page(
        Slice(Kind.FACT, scope), limit=asked.length, cursor=call.open(asked.cursor, scope)
    )
    return Answer(page([wire.fact(item) for item in found], call.seal(after, scope)))


def search(engine: Engine, asked: wire.SearchFacts, call: Call) -> Answer:
    words = asked.words()
    query = Query(text=words, meaning=words, scopes=(asked.where(),), kinds=(Kind.FACT,))
    found = engine.recall.search(query, limit=asked.limit, floor=asked.min_score)
    return Answer({"items": [wire.hit(hit.item, hit.score) for hit in found.hits]})


def get(engine: Engine, asked: wire.OneFact, call: Call) -> Answer:
    return Answer(wire.fact(_find(engine, asked)))


def delete(engine: Engine, asked: wire.DeleteFact, call: Call) -> Answer:
    engine.forgetting.drop([_find(engine, asked).id], reason=_REASONS[asked.reason])
    return Answer(later=(Later.SCRUB,))


def wipe(engine: Engine, asked: wire.WipeFacts, call: Call) -> Answer:
    """At once; what was kept until now goes in the background, what is added from now on stays."""
    scope = asked.where()
    return Answer({"status": "deleting"}, later=(WipeLater(scope, engine.mark()),))


def _find(engine: Engine, asked: wire.OneFact) -> Item:
    """Raises MemoryNotFound, the same for what is nowhere and what is in another scope."""
    scope, id = asked.where(), item_id(asked.memory_id)
    if id is None:
        raise MemoryNotFound("No fact has that id here.")
    return engine.facts.get(id, scope=scope)


_REASONS = {
    "forget": Removal.FORGET,
    "sup": Removal.SUPERSEDED,
    "dup": Removal.DUPLICATE,
}


def _cap(scope: Scope, call: Call) -> int | None:
    """The plan's own cap of the project's facts."""
    return allowance(call.holder).project_facts if scope.kind is ScopeKind.PROJECT else None


OPERATIONS = (
    Operation(
        "add_fact",
        "POST",
        "/v1/memory",
        "Remember one fact.",
        add,
        answers={201: wire.Fact, 200: wire.Fact},
        asks=wire.AddFact,
        right=Right.WRITE,
        units=WRITE_UNITS,
        faults=(
            "secret_rejected",
            "memory_scope_full",
            "memory_limit_exceeded",
            "memory_rejected",
            "idempotency_conflict",
            "memory_forgotten",
        ),
        numbered=True,
        again=_added,
        headers=NUMBERED,
    ),
    Operation(
        "list_facts",
        "GET",
        "/v1/memory",
        "List the facts of a scope, newest first.",
        list_,
        answers={200: wire.FactPage},
        asks=wire.ListFacts,
        right=Right.READ,
    ),
    Operation(
        "wipe_facts",
        "DELETE",
        "/v1/memory",
        "Forget every fact of a scope; its items stay.",
        wipe,
        answers={202: wire.Deleting},
        asks=wire.WipeFacts,
        right=Right.DELETE,
        units=WRITE_UNITS,
    ),
    Operation(
        "search_facts",
        "POST",
        "/v1/memory/search",
        "Recall facts of a scope by meaning, closest first.",
        search,
        answers={200: wire.FactHits},
        asks=wire.SearchFacts,
        right=Right.READ,
    ),
    Operation(
        "get_fact",
        "GET",
        "/v1/memory/{memoryId}",
        "Read one fact.",
        get,
        answers={200: wire.Fact},
        asks=wire.OneFact,
        right=Right.READ,
        faults=("memory_not_found",),
    ),
    Operation(
        "delete_fact",
        "DELETE",
        "/v1/memory/{memoryId}",
        "Forget one fact, with every version.",
        delete,
        answers={204: None},
        asks=wire.DeleteFact,
        right=Right.DELETE,
        units=WRITE_UNITS,
        faults=("memory_not_found", "idempotency_conflict"),
        numbered=True,
        again=nothing_again,
        headers=NUMBERED,
    ),
)
