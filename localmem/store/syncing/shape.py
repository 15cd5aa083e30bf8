"""Bodies, vectors and addresses as columns, and back.

A body is two columns: its lineage, which names and counts, and its content, which is NULL once it
is forgotten (`core/bodies.py`: a husk).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from localmem.core import scope
from localmem.core.bodies import (
    NO_VV,
    VV,
    YOU,
    Author,
    Body,
    DocumentBody,
    Held,
    PreferenceBody,
    Slot,
)
from localmem.core.model import AuthorKind, Kind
from localmem.core.replica import Clashing, Conflict, RecordKey
from localmem.core.scope import Scope

Columns = tuple[str | None, str | None]
"""Lineage and content."""

NO_BODY: Columns = (None, None)

# `json.dumps` makes such an encoder each time, and `json.loads` looks at every option first.
encoded = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
decoded = json.JSONDecoder().decode

stored_scope = lru_cache(maxsize=1024)(scope.stored)


# addresses


def address(key: RecordKey) -> tuple[str, str, str, str]:
    return (key.kind, str(key.scope), key.collection, key.key)


def record_key(kind: str, where: str, collection: str, key: str) -> RecordKey:
    return RecordKey(Kind(kind), stored_scope(where), collection, key)


def shelves(keys: Sequence[RecordKey]) -> dict[tuple[Kind, Scope, str], list[str]]:
    """The keys of each place, which one statement finds at once."""
    placed = dict[tuple[Kind, Scope, str], list[str]]()
    for key in keys:
        placed.setdefault(key[:3], []).append(key.key)
    return placed


def scopes(found: list[tuple[Any, ...]]) -> tuple[Scope, ...]:
    return tuple(stored_scope(where) for (where,) in found)


# bodies


def vv_column(vv: VV) -> str:
    return encoded(dict(vv)) if vv else "{}"


def vv_of(column: str) -> VV:
    vv: VV = NO_VV if column == "{}" else decoded(column)
    return vv


def held_columns(held: Held | None) -> Columns:
    if held is None:
        return NO_BODY
    lineage = _lineage(held.body)
    if held.vv:
        lineage["vv"] = dict(held.vv)
    return encoded(lineage), content_column(held.body)


def held_of(lineage: str | None, content: str | None) -> Held | None:
    if lineage is None:
        return None
    named = decoded(lineage)
    return Held(_body(named, None if content is None else decoded(content)), named.get("vv", NO_VV))


def body_columns(body: Body | None) -> Columns:
    return NO_BODY if body is None else (encoded(_lineage(body)), content_column(body))


def body_of(lineage: str | None, content: str | None) -> Body | None:
    if lineage is None:
        return None
    return _body(decoded(lineage), None if content is None else decoded(content))


def content_column(body: Body) -> str | None:
    content = _content(body)
    return None if content is None else encoded(content)


def _lineage(body: Body) -> dict[str, Any]:
    if isinstance(body, DocumentBody):
        ends = body.expires_at
        return {"inc": body.inc} if ends is None else {"inc": body.inc, "expires_at": ends}
    return {"gen": body.gen, "forgotten": True} if body.forgotten else {"gen": body.gen}


def _content(body: Body) -> dict[str, Any] | None:
    if body.erased:
        return None
    if isinstance(body, DocumentBody):
        return _with_author({"value": body.value, "at": body.at}, body.by)
    slots = {"declared": body.declared, "inferred": body.inferred}
    return {name: _slot(slot) for name, slot in slots.items() if slot is not None}


def _body(lineage: Mapping[str, Any], content: Mapping[str, Any] | None) -> Body:
    if "inc" in lineage:
        inc, ends = lineage["inc"], lineage.get("expires_at")
        if content is None:
            return DocumentBody(inc, expires_at=ends, erased=True)
        return DocumentBody(inc, content["value"], ends, content["at"], _author(content))
    gen, forgotten = lineage["gen"], "forgotten" in lineage
    if content is None:
        return PreferenceBody(gen, forgotten, erased=True)
    declared, inferred = (_slot_of(content.get(name)) for name in ("declared", "inferred"))
    return PreferenceBody(gen, forgotten, declared, inferred)


_SAID = ("quote", "purchase_id", "source")


def _slot(slot: Slot) -> dict[str, Any]:
    value = slot.value if isinstance(slot.value, str) else list(slot.value)
    said = {name: getattr(slot, name) for name in _SAID if getattr(slot, name) is not None}
    held = {"value": value, "at": slot.at, "ver": slot.ver, **said}
    return _with_author(held, slot.by)


def _slot_of(held: Mapping[str, Any] | None) -> Slot | None:
    if held is None:
        return None
    value = held["value"] if isinstance(held["value"], str) else tuple(held["value"])
    said = {name: held[name] for name in _SAID if name in held}
    return Slot(value, held["at"], _author(held), ver=held["ver"], **said)


def _with_author(held: dict[str, Any], by: Author) -> dict[str, Any]:
    if by != YOU:
        held["by"] = list(by)
    return held


def _author(held: Mapping[str, Any]) -> Author:
    if "by" not in held:
        return YOU
    kind, name = held["by"]
    return Author(AuthorKind(kind), name)


# conflicts


def conflict_columns(conflict: Conflict) -> tuple[Any, ...]:
    """Why, since, rev, lineage, content. Its parts are names of members: content."""
    theirs = conflict.theirs
    bodies = {
        "base": conflict.base,
        "mine": conflict.mine,
        "theirs": theirs.body if theirs is not None else None,
    }
    named: dict[str, Any] = {
        side: _lineage(body) for side, body in bodies.items() if body is not None
    }
    if theirs is not None and theirs.vv:
        named["vv"] = dict(theirs.vv)
    said: dict[str, Any] = {
        side: content
        for side, body in bodies.items()
        if body is not None and (content := _content(body)) is not None
    }
    if conflict.parts:
        said["parts"] = [list(part) for part in conflict.parts]
    return conflict.why, conflict.since, conflict.rev, encoded(named), encoded(said)


def conflict_of(why: str, since: int, rev: str | None, lineage: str, content: str) -> Conflict:
    named, said = decoded(lineage), decoded(content or "{}")
    base, mine, theirs = (
        _body(named[side], said.get(side)) if side in named else None
        for side in ("base", "mine", "theirs")
    )
    return Conflict(
        Clashing(why),
        since,
        base,
        mine,
        None if theirs is None else Held(theirs, named.get("vv", NO_VV)),
        rev,
        tuple(tuple(part) for part in said.get("parts", ())),
    )
