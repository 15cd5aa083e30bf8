"""Each request as HTTP: method, path, headers, body. Scopes are written here and nowhere else.

A body has a scope in two fields, a query string in one (protocols 1.3), and always one: nothing is
ever sent to a default. Refuses what a path would mean something else by: a key of two dots could
delete a collection on its way through a proxy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import quote

from localmem.core.model import Json
from localmem.core.records import Removal
from localmem.core.scope import Scope, ScopeKind
from localmem.wire import shapes
from localmem.wire.remote import REV
from sync.http_remote.exchange import Asked, Headers
from sync.messages import (
    AddFact,
    AddFacts,
    AskChanges,
    Capabilities,
    CreateCollection,
    DropFact,
    DropFacts,
    ListCollections,
    ListFacts,
    ListItems,
    NewFact,
    ReadItem,
    Step,
    WriteItem,
    WriteItems,
)

READ_TRIES = 4
WRITE_TRIES = 2
PAGE = 100
FEED_PAGE = 500
DOCUMENTED_BATCH = 25
MEMORY = "/v1/memory"
COLLECTIONS = "/v1/memory/collections"

_REASONS = {Removal.SUPERSEDED: "sup", Removal.DUPLICATE: "dup"}
"""Every other reason is `forget`."""


class Unsendable(ValueError):
    """What cannot be said in a request without meaning something else; a sentence."""


def segment(text: str) -> str:
    """One name of a path. Raises Unsendable."""
    if text in ("", ".", ".."):
        raise Unsendable(f'"{text}" cannot stand in an address.')
    return quote(text, safe="")


def in_query(scope: Scope) -> str:
    _check(scope)
    return "scope=" + quote(str(scope), safe="")


def in_body(scope: Scope) -> shapes.Shape:
    _check(scope)
    return shapes.scope(scope)


def _check(scope: Scope) -> None:
    if scope.kind is ScopeKind.PERSON:
        raise Unsendable("A person's own scope has no name on a server.")


def content(value: Mapping[str, Json]) -> bytes:
    """Raises ValueError for what JSON cannot hold."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def items(collection: str) -> str:
    return f"{COLLECTIONS}/{segment(collection)}/items"


_JSON = ("Content-Type", "application/json")


def get(target: str, tries: int = READ_TRIES) -> Asked:
    return Asked("GET", target, tries=tries)


def sending(
    method: str, target: str, value: Mapping[str, Json], headers: Headers = (), tries: int = 1
) -> Asked:
    return Asked(method, target, (_JSON, *headers), content(value), tries)


One = (
    AskChanges
    | ListFacts
    | ListCollections
    | ListItems
    | ReadItem
    | CreateCollection
    | WriteItem
    | WriteItems
    | AddFact
    | AddFacts
    | DropFact
    | DropFacts
)
"""What is one request over HTTP."""


def asked(request: One, can: Capabilities) -> Asked:
    """Raises Unsendable, and ValueError for what JSON cannot hold."""
    match request:
        case AskChanges():
            return _changes(request)
        case ListFacts():
            return _facts(request)
        case ListCollections():
            return _collections(request)
        case ListItems():
            return _items_of(request)
        case ReadItem():
            return _read_item(request)
        case CreateCollection():
            return _create(request)
        case WriteItem():
            return _write_item(request, can)
        case WriteItems():
            return _write_items(request, can)
        case AddFact():
            return _add_fact(request, can)
        case AddFacts():
            return _add_facts(request, can)
        case DropFact():
            return _drop_fact(request, can)
        case DropFacts():
            return _drop_facts(request, can)


def _changes(request: AskChanges) -> Asked:
    older = "&tombstones=all" if request.gone_too else ""
    return get(f"{MEMORY}/changes?limit={FEED_PAGE}{older}{_after(request.cursor)}")


def _facts(request: ListFacts) -> Asked:
    return get(f"{MEMORY}?{in_query(request.scope)}&limit={PAGE}{_after(request.cursor)}")


def _collections(request: ListCollections) -> Asked:
    return get(f"{COLLECTIONS}?limit={PAGE}{_after(request.cursor)}")


def _items_of(request: ListItems) -> Asked:
    where = f"{items(request.collection)}?{in_query(request.scope)}"
    return get(f"{where}&limit={PAGE}{_after(request.cursor)}")


def _read_item(request: ReadItem) -> Asked:
    return get(_item(request.scope, request.collection, request.key))


def _create(request: CreateCollection) -> Asked:
    made = request.collection
    body: dict[str, Json] = {"name": made.name}
    if made.indexes:
        body["indexes"] = [{"field": field} for field in made.indexes]
    if made.default_ttl is not None:
        body["defaultTtlSeconds"] = made.default_ttl
    return sending("POST", COLLECTIONS, body, tries=WRITE_TRIES)


def _write_item(request: WriteItem, can: Capabilities) -> Asked:
    step = request.step
    target = _item(request.scope, request.collection, step.key)
    headers = _once(request.op)
    if step.if_match is not None:
        headers += (("If-Match", if_match(step.if_match, can)),)
    if step.only_new:
        headers += (("If-None-Match", "*"),)
    tries = WRITE_TRIES if can.idempotency or step.if_match is not None else 1
    if step.delete:
        return Asked("DELETE", target, headers, tries=tries)
    return sending("PUT", target, {"value": step.value, **_lifetime(step.ttl, can)}, headers, tries)


def _write_items(request: WriteItems, can: Capabilities) -> Asked:
    steps = [_step(step, can) for step in request.steps]
    target = f"{items(request.collection)}/batch?{in_query(request.scope)}"
    return sending("POST", target, {"operations": [*steps]}, _batch(request.op, can), _tries(can))


def _add_fact(request: AddFact, can: Capabilities) -> Asked:
    headers = _once(request.op)
    if request.fact.replaces:
        headers += (("Memory-Replaces", ", ".join(map(segment, request.fact.replaces))),)
    body = {**_fact(request.fact), **in_body(request.scope)}
    return sending("POST", MEMORY, body, headers, _tries(can))


def _add_facts(request: AddFacts, can: Capabilities) -> Asked:
    steps = [_adding(fact) for fact in request.facts]
    body = {**in_body(request.scope), "operations": [*steps]}
    return sending("POST", f"{MEMORY}/batch", body, _batch(request.op, can), _tries(can))


def _drop_fact(request: DropFact, can: Capabilities) -> Asked:
    target = f"{MEMORY}/{segment(request.server_id)}?{in_query(request.scope)}"
    headers = (*_once(request.op), ("Memory-Reason", _reason(request.why)))
    return Asked("DELETE", target, headers, tries=_tries(can))


def _drop_facts(request: DropFacts, can: Capabilities) -> Asked:
    steps: list[Json] = [
        {"op": "delete", "id": id, "reason": _reason(why)} for id, why in request.facts
    ]
    body = {**in_body(request.scope), "operations": steps}
    return sending("POST", f"{MEMORY}/batch", body, _batch(request.op, can), _tries(can))


def _reason(why: Removal) -> str:
    return _REASONS.get(why, "forget")


def if_match(rev: str, can: Capabilities) -> str:
    """Raises Unsendable: a header must stay one header."""
    if not REV.fullmatch(rev):
        raise Unsendable("The rev cannot stand in a header.")
    return rev if can.bare_if_match else f'"{rev}"'


def _tries(can: Capabilities) -> int:
    return WRITE_TRIES if can.idempotency else 1


def _once(op: str) -> Headers:
    return (("Idempotency-Key", op),)


def _batch(op: str, can: Capabilities) -> Headers:
    asks_more = can.batch > DOCUMENTED_BATCH
    return (*_once(op), ("Memory-Batch", str(can.batch))) if asks_more else _once(op)


def _item(scope: Scope, collection: str, key: str) -> str:
    return f"{items(collection)}/{segment(key)}?{in_query(scope)}"


def _after(cursor: str | None) -> str:
    return "" if cursor is None else "&cursor=" + quote(cursor, safe="")


def _lifetime(ttl: int | None, can: Capabilities) -> dict[str, Json]:
    """Our own server keeps the time an item had unless it is told null; others may not know it."""
    return {"ttlSeconds": ttl} if ttl is not None or can.epoch else {}


def _step(step: Step, can: Capabilities) -> Json:
    told: dict[str, Json] = {"op": "delete" if step.delete else "set", "key": step.key}
    if not step.delete:
        told |= {"value": step.value, **_lifetime(step.ttl, can)}
    if step.if_match is not None:
        told["ifMatch"] = step.if_match
    if step.only_new:
        told["ifNoneMatch"] = "*"
    return told


def _fact(fact: NewFact) -> dict[str, Json]:
    told: dict[str, Json] = {"text": fact.text}
    if fact.metadata:
        told["metadata"] = dict(fact.metadata)
    if fact.ttl is not None:
        told["ttlSeconds"] = fact.ttl
    return told


def _adding(fact: NewFact) -> Json:
    told: dict[str, Json] = {"op": "add", **_fact(fact)}
    if fact.replaces:
        told["replaces"] = [*fact.replaces]
    return told
