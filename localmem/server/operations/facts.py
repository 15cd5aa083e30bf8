"""Facts: remember, list, recall, read one, forget one, forget a scope (memory-api, "Facts").

A fact is immutable on the wire; there is no operation that changes one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from localmem.core.change import Saved, Stale, Unchanged, Written
from localmem.core.hosting import Right
from localmem.core.model import Item, ItemId, Json, Kind
from localmem.core.query import Query
from localmem.core.records import Removal, Slice
from localmem.core.scope import Scope, ScopeKind
from localmem.engine import Engine
from localmem.errors import MemoryNotFound
from localmem.server.errors import refusal
from localmem.server.limits import allowance, check_room, check_units
from localmem.server.operations import steps
from localmem.server.operations.operation import (
    NUMBERED,
    WRITE_UNITS,
    Answer,
    Call,
    Later,
    Operation,
    WipeLater,
    another_request,
    forgotten,
    nothing_again,
)
from localmem.wire import memory_api as wire
from localmem.wire.memory_ids import fact_id, item_id
from localmem.wire.shapes import Shape, page


def add(engine: Engine, asked: wire.AddFact, call: Call) -> Answer:
    """The fact; 200 when the scope knows the same words already."""
    check_room(call.holder, engine)
    scope, replaced = asked.where(), _ids(asked.replaces)
    if asked.replaces:
        call.check_right(Right.DELETE)
    done = engine.facts.replace(
        replaced,
        asked.text,
        scope=scope,
        metadata=asked.metadata,
        ttl_seconds=asked.ttl_seconds,
        cap=_cap(scope, call),
    )
    item = _said(done.written)
    gone: list[Json] = [fact_id(id) for id in done.gone]
    kept: dict[str, Json] = {"id": item.id, "replaced": gone} if gone else {"id": item.id}
    later = (Later.SCRUB,) if gone else ()
    if isinstance(done.written, Saved):
        answer = Answer(wire.fact(item), later=(Later.EMBED, *later), kept=kept)
    else:
        answer = Answer(wire.fact(item), status=200, later=later, kept=kept, about=(item.id,))
    return _telling(answer, gone)


def _added(engine: Engine, asked: wire.AddFact, kept: Mapping[str, Json]) -> Answer:
    id = ItemId(str(kept["id"]))
    gone = kept.get("replaced", [])
    assert isinstance(gone, list)
    return _telling(Answer(wire.fact(engine.facts.get(id, scope=asked.where()))), gone)


def _telling(answer: Answer, gone: Sequence[Json]) -> Answer:
    return answer.with_headers({REPLACED: ", ".join(map(str, gone))}) if gone else answer


def batch(engine: Engine, asked: wire.FactBatch, call: Call) -> Answer:
    """One result for each operation, in order; one that is refused keeps no other from its work."""
    scope = asked.where()
    together = engine.facts_together(scope, cap=_cap(scope, call))
    told, gone = set[ItemId](), set[ItemId]()

    def do(step: wire.FactStep, spent: int) -> Shape:
        if step.op == "delete":
            call.check_right(Right.DELETE)
            together.flush()
            gone.update(_drop(engine, scope, step))
            return {"id": step.id}
        check_units(call.holder, call.units_used + spent)
        check_room(call.holder, engine)
        if step.replaces:
            call.check_right(Right.DELETE)
        done = together.add(
            step.text or "",
            metadata=step.metadata,
            ttl_seconds=step.ttl_seconds,
            replaces=_ids(step.replaces),
        )
        item = _said(done.written)
        told.add(item.id)
        gone.update(done.gone)
        went: Shape = {"replaced": [fact_id(id) for id in done.gone]} if done.gone else {}
        return _fact_result(step, item, created=isinstance(done.written, Saved)) | went

    results, done = steps.judge(asked.steps(), do, together.high, numbered=True)
    together.flush()
    adds = any(result.get("created") for result in results)
    later = [work for work, due in ((Later.EMBED_MANY, adds), (Later.SCRUB_MANY, gone)) if due]
    return Answer(
        {"results": list(results)},
        later=tuple(later),
        units=done * WRITE_UNITS,
        kept=steps.outcomes(results),
        about=tuple(told - gone),
        undone=not told.isdisjoint(gone),
    )


def _batched(engine: Engine, asked: wire.FactBatch, kept: Mapping[str, Json]) -> Answer:
    """What is gone again since is told so in its own place."""
    scope = asked.where()
    held = steps.kept(kept, len(asked.operations))
    results = [
        _once_more(engine, scope, step, steps.again(each))
        for step, each in zip(asked.operations, held, strict=True)
    ]
    return Answer({"results": list(results)})


def _once_more(engine: Engine, scope: Scope, step: wire.FactStep, result: Shape) -> Shape:
    if step.op == "delete" or not result["ok"]:
        return result
    id = item_id(str(result.get("id")))
    if id is None or "created" not in result:
        raise another_request()
    try:
        item = engine.facts.get(id, scope=scope)
    except MemoryNotFound:
        return {"ok": False, "error": refusal(forgotten()).body}
    return result | _fact_result(step, item, created=bool(result["created"]))


def _fact_result(step: wire.FactStep, item: Item, *, created: bool) -> Shape:
    """Its id, and what the client cannot know."""
    whole = wire.fact(item)
    told: Shape = {name: whole[name] for name in ("createdAt", "expiresAt") if name in whole}
    if whole["text"] != step.text:
        told["text"] = whole["text"]
    if whole.get("metadata", {}) != (step.metadata or {}):
        told["metadata"] = whole.get("metadata", {})
    return {"id": whole["id"], "created": created, **told}


def _drop(engine: Engine, scope: Scope, step: wire.FactStep) -> list[ItemId]:
    """What went: who deletes wants it gone, also where it is already."""
    id = item_id(step.id or "")
    if id is None:
        return []
    try:
        found = engine.facts.get(id, scope=scope)
    except MemoryNotFound:
        return []
    engine.forgetting.drop([found.id], reason=_REASONS[step.reason or "forget"])
    return [found.id]


def _ids(named: Sequence[str]) -> list[ItemId]:
    """The items of wire ids; what is no id names nothing."""
    return [id for text in named if (id := item_id(text)) is not None]


def _said(written: Written) -> Item:
    """The fact that says it."""
    match written:
        case Saved(item=item) | Unchanged(item=item):
            return item
        case Stale():  # pragma: no cover
            raise AssertionError("a new fact is made on nothing")


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


REPLACED = "Memory-Replaced"
BATCH_BYTES = 8 * 1024 * 1024
"""100 of the longest facts, however they are escaped."""

_KEPT_OUT = ("secret_rejected", "memory_scope_full", "memory_limit_exceeded", "memory_rejected")

OPERATIONS = (
    Operation(
        "batch_facts",
        "POST",
        "/v1/memory/batch",
        "Remember and forget several facts of a scope; each operation has a result of its own.",
        batch,
        answers={200: wire.FactBatchResults},
        asks=wire.FactBatch,
        right=Right.WRITE,
        units=WRITE_UNITS,
        in_parts=True,
        numbered=True,
        again=_batched,
        headers=NUMBERED,
        most_bytes=BATCH_BYTES,
        faults=("idempotency_conflict",),
    ),
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
        faults=(*_KEPT_OUT, "idempotency_conflict", "memory_forgotten"),
        numbered=True,
        again=_added,
        headers={**NUMBERED, REPLACED: "The ids that Memory-Replaces named and that went."},
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
