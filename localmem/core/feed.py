"""What changed in a library, in the order of its commits, for whoever keeps a copy (sync.md 2.8).

A row is what an item is now, or that it is gone; each change has the next whole number, which no
other change ever has. Refuses contents of what is gone: a row of it names identities alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from localmem.core.model import Content, DocumentContent, FactContent, Item, ItemId, Json, Kind
from localmem.core.records import Removal
from localmem.core.scope import Scope

PAGE = 500
"""Rows of a page at most."""
PAGE_BYTES = 4_000_000
"""A page ends with the row that takes it beyond; a document alone may be 200 KB."""
TOMBSTONE_DAYS = 400
"""So long what is gone is told; who was away longer compares everything (sync.md 2.9)."""

_UUID = re.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{32}")
_UUIDS = re.compile(f"(?:{_UUID.pattern})(?: (?:{_UUID.pattern}))*")
_NAMING = ("lm", "sup")
_HIGHEST_GENERATION = 1_000_000


class Identity(NamedTuple):
    """What clients know an item by: ids they made themselves, and no other text of theirs."""

    lm: str = ""
    """A fact's `metadata.lm`; "" where it is no UUID."""
    inc: str = ""
    """A document's incarnation, its `_lm.inc`; "" where it is no UUID."""
    gen: int | None = None
    """The generation a preference is kept in as a document, its `gen`."""


NOBODY = Identity()


class Kept(NamedTuple):
    seq: int
    item: Item


class Gone(NamedTuple):
    seq: int
    id: ItemId
    kind: Kind
    scope: Scope
    identity: Identity
    reason: Removal


class Position(NamedTuple):
    """How far a reader is."""

    seq: int
    """Every change up to this one was told."""
    begun: int
    """Where the newest change stood when the reader began: what was gone by then it never had."""

    @property
    def seen(self) -> int:
        """Of what was gone by this change nothing is to be told."""
        return max(self.seq, self.begun)


class Changes(NamedTuple):
    rows: tuple[Kept | Gone, ...]
    """In the order of `seq`."""
    position: Position
    """Behind them."""
    more: bool


def identity(item: Item) -> Identity:
    """What clients know the item by."""
    return identity_of(item.head.content)


def identity_of(content: Content) -> Identity:
    match content:
        case FactContent(metadata=metadata):
            return Identity(lm=_uuid(metadata.get("lm")))
        case DocumentContent(value=dict() as value):
            lineage = value.get("_lm")
            if not isinstance(lineage, dict):
                return Identity()
            marked = type(value.get("forgotten")) is bool
            gen = _generation(value.get("gen")) if marked else None
            return Identity(inc=_uuid(lineage.get("inc")), gen=gen)
        case _:
            return Identity()


def stands_for_forgotten(item: Item, before: Content) -> bool:
    """Whether whoever wrote the item says that what was there before is forgotten: by a later
    generation, or another incarnation. What has no room for one goes by the id of the item."""
    now, then = identity(item), identity_of(before)
    if now.gen is not None and then.gen is not None:
        return now.gen > then.gen
    plain = isinstance(before, DocumentContent) and not isinstance(before.value, dict)
    known = str(item.id) if plain else then.inc
    return bool(now.inc and known and now.inc != known)


def ids_of(metadata: Mapping[str, str]) -> dict[str, str]:
    """The members of a fact's metadata that name it and the wordings it replaces, where they hold
    UUIDs and nothing else: no mask may make other ids of them."""
    return {name: metadata[name] for name in _NAMING if _UUIDS.fullmatch(metadata.get(name, ""))}


def with_lineage(masked: Json, given: Json) -> Json:
    """A document that was masked, with the counters and the incarnation of its `_lm` as given:
    beneath a name like `passwords` they look like more than they are."""
    if not (isinstance(masked, dict) and isinstance(given, dict)):
        return masked
    held, seen = given.get("_lm"), masked.get("_lm")
    if not (isinstance(held, dict) and isinstance(seen, dict)):
        return masked
    kept = {name: held[name] for name in held if _is_lineage(name, held[name])}
    return {**masked, "_lm": {**seen, **kept}}


def _is_lineage(name: str, value: Json) -> bool:
    if name == "inc":
        return bool(_uuid(value))
    return (
        name == "vv"
        and isinstance(value, dict)
        and all(type(count) is int for count in value.values())
    )


def _uuid(given: object) -> str:
    """Only what cannot hold words: a tombstone keeps it."""
    return given if isinstance(given, str) and _UUID.fullmatch(given) else ""


def _generation(given: object) -> int | None:
    return given if type(given) is int and 0 <= given <= _HIGHEST_GENERATION else None
