"""What is kept, as the JSON that every surface answers with (memory-api, shop-memory).

The seeds' members come first and keep their names and order; ours follow. An absent member means
there is none: only `nextCursor` is ever null by design. Times are RFC 3339 in UTC with
milliseconds. Refuses to be read back: what comes in is validated elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from localmem.core import plain
from localmem.core.model import (
    Actor,
    Collection,
    Content,
    DocumentContent,
    FactContent,
    Item,
    Json,
    Kind,
    Millis,
    PreferenceContent,
    Provenance,
    Version,
)
from localmem.core.scope import Scope, ScopeKind

if TYPE_CHECKING:
    from localmem.core.diff import FieldDiff
    from localmem.core.offers import Ranking
    from localmem.core.records import Deed
    from localmem.engine.answers import Hit, PreferenceEntry
    from localmem.engine.outcomes import Receipt, Undone, Usage

Shape = dict[str, Json]

_ID_MEMBER = {ScopeKind.CONTACT: "contactId", ScopeKind.CONVERSATION: "conversationId"}


def moment(at: Millis) -> str:
    """`2026-11-30T18:00:00.000Z`."""
    seconds, milliseconds = divmod(at, 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{milliseconds:03}Z"


# what is kept


def fact(item: Item) -> Shape:
    """`{id, text, scope, contactId?, conversationId?, metadata?, path?, version, …}`."""
    content = _fact(item)
    shape: Shape = {"id": item.id, "text": content.text, **scope(item.scope)}
    return shape | _metadata(content) | _path(content) | _version_of(item)


def document(item: Item) -> Shape:
    """`{key, value, rev, createdAt, updatedAt, id, collection, scope, expiresAt?}`."""
    content = item.head.content
    assert isinstance(content, DocumentContent)
    return {
        "key": item.key,
        "value": content.value,
        "rev": item.head.number,
        **_times(item),
        "id": item.id,
        "collection": item.collection,
        "scope": str(item.scope),
        **_expiry(item.head),
    }


def preference(item: Item, *, shadowed: bool = False) -> Shape:
    """`{memory_id, key, value, provenance, version, purchase_id?, quote?, …, shadowed}`.

    `shadowed` is true of an inferred value beside a declared one, which counts instead of it.
    """
    return {
        "memory_id": item.id,
        "key": item.key,
        "value": _value(item.head.content),
        "provenance": str(item.provenance),
        "version": item.head.number,
        **_evidence(item.head),
        "created_at": moment(item.created_at),
        "updated_at": moment(item.head.at),
        "shadowed": shadowed,
    }


def kept(item: Item, *, shadowed: bool = False) -> Shape:
    """An item in the shape of its kind."""
    match item.kind:
        case Kind.FACT:
            return fact(item)
        case Kind.DOCUMENT:
            return document(item)
        case Kind.PREFERENCE:
            return preference(item, shadowed=shadowed)


def mixed(item: Item, *, shadowed: bool = False) -> Shape:
    """An item among items of other kinds: `kind` and `id` first, then the shape of its kind.

    So that one member names any item, a preference has its `memory_id` as `id` too.
    """
    return {"kind": str(item.kind), "id": item.id, **kept(item, shadowed=shadowed)}


def preferences(entries: Iterable[PreferenceEntry]) -> Shape:
    """`{memories, blocked_inference}` (protocols 5.3)."""
    memories: list[Json] = []
    blocked: list[Json] = []
    for entry in entries:
        if entry.declared is not None:
            memories.append(preference(entry.declared))
        if entry.inferred is not None:
            memories.append(preference(entry.inferred, shadowed=entry.declared is not None))
        if entry.inference_blocked:
            blocked.append(str(entry.key))
    return {"memories": memories, "blocked_inference": blocked}


def collection(made: Collection) -> Shape:
    """`{name, indexes, defaultTtlSeconds?, status, implicit, createdAt}` (protocols 5.1)."""
    shape: Shape = {"name": made.name, "indexes": [{"field": each} for each in made.indexes]}
    if made.default_ttl is not None:
        shape["defaultTtlSeconds"] = made.default_ttl
    return shape | {
        "status": "active",
        "implicit": made.implicit,
        "createdAt": moment(made.created_at),
    }


# answers


def page(items: Sequence[Shape], next_cursor: str | None = None) -> Shape:
    """`{items, nextCursor}`; `nextCursor` is null at the end."""
    return {"items": list(items), "nextCursor": next_cursor}


def hit(found: Hit, *, with_scope: bool = False, with_why: bool = False) -> Shape:
    """`{id, text, score, metadata?, createdAt}` of a fact; other kinds say what they are.

    `with_scope` is for searches over several scopes, which the seeds do not have.
    """
    item = found.item
    content = item.head.content
    shape: Shape = {"id": item.id, "text": plain.text(item), "score": found.score}
    if isinstance(content, FactContent):
        shape |= _metadata(content)
    shape["createdAt"] = moment(item.created_at)
    if item.kind is not Kind.FACT:
        shape |= {"kind": str(item.kind)} | _address(item) | {"value": _value(content)}
    if with_scope and item.kind is not Kind.PREFERENCE:
        shape |= scope(item.scope)
    if with_why:
        shape["why"] = {
            "meaning": found.meaning,
            "words": found.coverage,
            "terms": list(found.terms),
            "concepts": list(found.concepts),
        }
    return shape


def version(held: Version, changes: Sequence[FieldDiff] | None = None) -> Shape:
    """`{version, change, text|value, metadata?, path?, by, at, expiresAt?, base?, changes?, …}`.

    `changes` against the version before; None leaves them out.
    """
    content = held.content
    shape: Shape = {"version": held.number, "change": str(held.change)}
    if isinstance(content, FactContent):
        shape |= {"text": content.text} | _metadata(content) | _path(content)
    else:
        shape["value"] = _value(content)
    shape |= {"by": author(held.by), "at": moment(held.at), **_expiry(held), **_evidence(held)}
    if held.base is not None:
        shape["base"] = held.base
    if changes is not None:
        shape["changes"] = [_change(part) for part in changes]
    return shape


def author(by: Actor) -> Shape:
    """`{kind, name, origin, device?}`."""
    shape: Shape = {"kind": str(by.kind), "name": by.name, "origin": str(by.origin)}
    return shape | ({"device": by.device} if by.device else {})


def receipt(given: Receipt) -> Shape:
    """What was erased, what was searched afterwards, and what is out of reach.

    `why` says what kept an erasure from being complete.
    """
    return {
        "forgotten": list(given.forgotten),
        "erased": {
            "items": given.erased.items,
            "versions": given.erased.versions,
            "vectors": given.erased.vectors,
            "copies": given.erased.copies,
        },
        "complete": given.complete,
        **({} if given.complete else {"why": given.why}),
        "files": list(given.files),
        "searchedFor": given.searched_for,
        "found": given.found,
        "checked": list(given.checked),
        "outOfReach": list(given.out_of_reach),
    }


def undone(done: Undone) -> Shape:
    """`{undone, items, gone, restored, kept}`; `gone` were new and are erased.

    `items` are the first of the `restored`; `kept` were changed since and stayed.
    """
    return {
        "undone": done.label,
        "items": [mixed(item) for item in done.items],
        "gone": list(done.gone),
        "restored": done.restored,
        "kept": done.kept,
    }


def usage(held: Usage) -> Shape:
    """Counts, caps and bytes of the library on this machine."""
    return {
        "facts": [
            {"scope": each.scope, "used": each.facts, "included": each.cap} for each in held.facts
        ],
        "preferences": held.preferences,
        "documents": held.documents,
        "collections": held.collections,
        "versions": held.versions,
        "storageBytes": held.bytes,
        "capReached": any(each.facts >= each.cap for each in held.facts),
        "items": [
            {
                "kind": str(each.kind),
                "scope": str(each.scope),
                **({"collection": each.collection} if each.collection else {}),
                "items": each.items,
            }
            for each in held.counts
        ],
        "expiring": {
            "items": held.expiry.items,
            "withinAWeek": held.expiry.soon,
            **({} if held.expiry.first is None else {"next": moment(held.expiry.first)}),
        },
        "meaning": {
            **({} if held.model is None else {"model": held.model.name}),
            "waiting": held.waiting,
        },
    }


def deed(done: Deed) -> Shape:
    """`{at, by, action, kind, scope, id?, items}`: who did what, never what it said."""
    shape: Shape = {
        "at": moment(done.at),
        "by": author(done.by),
        "action": done.action,
        "kind": done.kind,
        "scope": done.scope,
    }
    if done.item is not None:
        shape["id"] = done.item
    return shape | {"items": done.items}


def ranking(ranked: Ranking) -> Shape:
    """`{offers, applied: {filtered, ordered_by}}`; offers go out as they came in (5.3)."""
    filtered: list[Json] = []
    for each in ranked.filtered:
        shape: Shape = {"product_id": each.offer.product_id}
        if each.offer.sku_id is not None:
            shape["sku"] = each.offer.sku_id
        filtered.append(shape | {"key": str(each.key), "reason": each.reason})
    return {
        "offers": [dict(offer.raw) for offer in ranked.offers],
        "applied": {
            "filtered": filtered,
            "ordered_by": [
                {"key": str(each.key), "provenance": str(each.provenance)}
                for each in ranked.ordered_by
            ],
        },
    }


def error(
    code: str, message: str, hint: str = "", details: Mapping[str, object] | None = None
) -> Shape:
    """The flat envelope of every surface (protocols 1.2)."""
    shape: Shape = {"code": code, "message": message}
    given = {name: _json(each) for name, each in (details or {}).items()}
    return shape | {"hint": hint, "details": given}


def scope(held: Scope) -> Shape:
    """`{scope: kind, contactId?, conversationId?}`, as a body carries it (memory-api)."""
    shape: Shape = {"scope": str(held.kind)}
    return shape | ({_ID_MEMBER[held.kind]: held.id} if held.id else {})


# parts


def _fact(item: Item) -> FactContent:
    assert isinstance(item.head.content, FactContent)
    return item.head.content


def _value(content: Content) -> Json:
    match content:
        case PreferenceContent(value):
            return value if isinstance(value, str) else list(value)
        case DocumentContent(value):
            return value
        case FactContent():
            return content.text


def _metadata(content: FactContent) -> Shape:
    return {"metadata": dict(content.metadata)} if content.metadata else {}


def _path(content: FactContent) -> Shape:
    return {} if content.path is None else {"path": content.path}


def _version_of(item: Item) -> Shape:
    return {"version": item.head.number, **_times(item), **_expiry(item.head)}


def _times(item: Item) -> Shape:
    return {"createdAt": moment(item.created_at), "updatedAt": moment(item.head.at)}


def _expiry(held: Version) -> Shape:
    return {} if held.expires_at is None else {"expiresAt": moment(held.expires_at)}


def _evidence(held: Version) -> Shape:
    shape: Shape = {}
    if held.evidence.purchase_id is not None:
        shape["purchase_id"] = held.evidence.purchase_id
    if held.evidence.quote is not None:
        shape["quote"] = held.evidence.quote
    if held.evidence.source is not None:
        shape["source"] = held.evidence.source
    return shape


def _address(item: Item) -> Shape:
    if item.kind is Kind.DOCUMENT:
        return {"collection": item.collection, "key": item.key, "rev": item.head.number}
    return {"key": item.key, "provenance": str(item.provenance or Provenance.DECLARED)}


def _change(part: FieldDiff) -> Shape:
    shape: Shape = {"path": list(part.path)}
    for name, side in (("old", part.old), ("new", part.new)):
        if not _is_missing(side):
            shape[name] = _json(side)
    return shape | ({"entry": True} if part.entry else {})


def _is_missing(side: object) -> bool:
    from localmem.core.documents import MISSING

    return side is MISSING


def _json(value: object) -> Json:
    """A value of an error's details, whatever sequence or enum it is."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return {str(name): _json(each) for name, each in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_json(each) for each in value]
        case _:
            return str(value)
