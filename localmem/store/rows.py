"""Rows of the item and version tables to values and back; knows the columns, refuses SQL."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from localmem.core import scope
from localmem.core.model import (
    NO_EVIDENCE,
    Actor,
    AuthorKind,
    Change,
    Content,
    DocumentContent,
    Evidence,
    FactContent,
    Item,
    ItemId,
    Kind,
    Origin,
    PreferenceContent,
    Provenance,
    Version,
)

Row = Sequence[Any]

VERSION_COLUMNS = (
    "id", "number", "change", "content", "evidence", "author_kind", "author", "origin", "device",
    "at", "expires_at", "base",
)  # fmt: skip
ITEM_COLUMNS = ("id", "kind", "scope", "collection", "key", "provenance", "created_at")

HEAD = ", ".join([f"item.{name}" for name in ITEM_COLUMNS] + [
    f"version.{name}" for name in VERSION_COLUMNS
])  # fmt: skip
"""What `item` reads: the item's own columns, then its head version's."""

HEAD_FROM = "item JOIN version ON version.item = item.seq AND version.number = item.head"


# `json.dumps` makes such an encoder each time, and `json.loads` looks at every option first.
_CONTENT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_EVIDENCE = json.JSONEncoder(ensure_ascii=False)
_decoded = json.JSONDecoder().decode

# A search reads hundreds of rows with the same few scopes and authors.
_scope = lru_cache(maxsize=1024)(scope.stored)
_kind, _change = lru_cache(Kind), lru_cache(Change)


def item(row: Row) -> Item:
    id, kind, where, collection, key, provenance, created_at, *head = row
    return Item(
        id=ItemId(id),
        kind=_kind(kind),
        scope=_scope(where),
        head=version(head, _kind(kind)),
        created_at=created_at,
        key=key,
        collection=collection,
        provenance=Provenance(provenance) if provenance else None,
    )


def version(row: Row, kind: Kind) -> Version:
    id, number, change, text, evidence, by_kind, by, origin, device, at, expires, base = row
    return Version(
        id=id,
        number=number,
        change=_change(change),
        content=_content(kind, _decoded(text)),
        by=_actor(by_kind, by, origin, device),
        at=at,
        expires_at=expires,
        evidence=NO_EVIDENCE if evidence == "{}" else Evidence(**_decoded(evidence)),
        base=base,
    )


@lru_cache(maxsize=1024)
def _actor(kind: str, name: str, origin: str, device: str) -> Actor:
    return Actor(AuthorKind(kind), name, Origin(origin), device)


def version_values(version: Version) -> tuple[Any, ...]:
    """In the order of VERSION_COLUMNS."""
    by = version.by
    return (
        version.id,
        version.number,
        version.change,
        content_text(version.content),
        _evidence_text(version.evidence),
        by.kind,
        by.name,
        by.origin,
        by.device,
        version.at,
        version.expires_at,
        version.base,
    )


def _evidence_text(evidence: Evidence) -> str:
    if evidence == NO_EVIDENCE:
        return "{}"
    held = evidence._asdict()
    return _EVIDENCE.encode({name: value for name, value in held.items() if value is not None})


def content_text(content: Content) -> str:
    """The stored form: JSON with the person's text as typed."""
    match content:
        case FactContent(text, metadata, path):
            if not metadata and path is None:
                return f'{{"text":{_CONTENT.encode(text)}}}'
            held: dict[str, Any] = {"text": text}
            if metadata:
                held["metadata"] = dict(metadata)
            if path is not None:
                held["path"] = path
        case PreferenceContent(value):
            held = {"value": value if isinstance(value, str) else list(value)}
        case DocumentContent(value):
            held = {"value": value}
    return _CONTENT.encode(held)


def content(kind: Kind, text: str) -> Content:
    """What `content_text` stored."""
    return _content(kind, _decoded(text))


def _content(kind: Kind, held: dict[str, Any]) -> Content:
    match kind:
        case Kind.FACT:
            return FactContent(held["text"], held.get("metadata", {}), held.get("path"))
        case Kind.PREFERENCE:
            value = held["value"]
            return PreferenceContent(value if isinstance(value, str) else tuple(value))
        case Kind.DOCUMENT:
            return DocumentContent(held["value"])
