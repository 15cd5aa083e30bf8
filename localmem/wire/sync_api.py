"""What programs that keep a copy of a space ask beside the documented API (sync.md 2.8, 2.12).

Nobody else needs any of it. A row of changes is made here alone, and one of what is gone has ids
and numbers in it and nothing else.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from localmem.core import answers, feed
from localmem.core.feed import Gone, Kept
from localmem.core.model import Item, ItemId, Kind
from localmem.core.records import Removal
from localmem.wire import memory_api
from localmem.wire.collections_api import item as item_shape
from localmem.wire.memory_api import BATCH, LONGEST_BATCH
from localmem.wire.memory_ids import fact_id
from localmem.wire.requests import AsDigits, AtLeastOne, Part, Place, Request
from localmem.wire.shapes import Shape

REASONS = {
    Removal.ABSENT: "forget",
    Removal.FORGET: "forget",
    Removal.SUPERSEDED: "sup",
    Removal.DUPLICATE: "dup",
    Removal.EXPIRED: "expired",
    Removal.UNDO: "undo",
}
"""Total over Removal; a test asserts it."""

CAPABILITIES: Shape = {
    "changes": True,
    "changes_page": feed.PAGE,
    "tombstone_days": feed.TOMBSTONE_DAYS,
    "epoch": True,
    "seq": True,
    "idempotency_key": True,
    "idempotency_days": answers.DAYS,
    "if_match": True,
    "if_match_delete": True,
    "if_none_match": True,
    "reasons": True,
    "batch": BATCH,
    "batch_asked": LONGEST_BATCH,
    "batch_if_none_match": True,
    "fact_batch": True,
    "if_epoch": True,
    "own": True,
    "replaces": True,
}


class AskChanges(Request):
    cursor: Annotated[str | None, Place.QUERY] = Field(
        None, description="Of the page before; without it from the beginning."
    )
    limit: Annotated[AtLeastOne, AsDigits, Place.QUERY] = feed.PAGE
    tombstones: Annotated[Literal["new", "all"], Place.QUERY] = Field(
        "new",
        description="From the beginning, `all` tells also what was gone before: for a copy whose "
        "cursor is void.",
    )

    @property
    def length(self) -> int:
        return min(self.limit, feed.PAGE)


class Capabilities(Part):
    changes: bool
    changes_page: int = Field(alias="changes_page")
    tombstone_days: int = Field(alias="tombstone_days")
    epoch: bool
    seq: bool
    idempotency_key: bool = Field(alias="idempotency_key")
    idempotency_days: int = Field(alias="idempotency_days")
    if_match: bool = Field(alias="if_match")
    if_match_delete: bool = Field(alias="if_match_delete")
    if_none_match: bool = Field(alias="if_none_match")
    reasons: bool
    batch: int
    batch_asked: int = Field(alias="batch_asked")
    batch_if_none_match: bool = Field(alias="batch_if_none_match")
    fact_batch: bool = Field(alias="fact_batch")
    if_epoch: bool = Field(alias="if_epoch")
    own: bool
    replaces: bool


class SyncOut(Part):
    server_id: str = Field(alias="server_id")
    epoch: str
    account: str
    partition: Literal["live", "test"]
    capabilities: Capabilities
    high: int = Field(ge=0)


class ChangeOut(Part):
    seq: int = Field(ge=1)
    scope: str
    kind: Literal["fact", "document"]
    id: str | None = None
    """Of a fact."""
    lm: str | None = None
    """A fact's `metadata.lm`, where it is a UUID."""
    collection: str | None = None
    key: str | None = None
    inc: str | None = None
    """A document's `_lm.inc`; the server's own id of the incarnation where that is no UUID."""
    own: str | None = None
    """The server's own id of the incarnation; stays when a client leaves `_lm.inc` out."""
    gen: int | None = None
    rev: int | None = None
    body: dict[str, Any] | None = None
    deleted: bool | None = None
    reason: Literal["forget", "sup", "dup", "expired", "undo"] | None = None


class ChangesOut(Part):
    changes: list[ChangeOut]
    cursor: str
    seq: int = Field(ge=0)
    more: bool
    epoch: str


def change(row: Kept | Gone) -> Shape:
    """`{seq, scope, kind, …}` and `rev` and `body`, or `deleted` and `reason`."""
    if isinstance(row, Gone):
        named = _names(row.kind, row.id, row.identity)
        gone: Shape = {"deleted": True, "reason": REASONS[row.reason]}
        return _row(row.seq, str(row.scope), row.kind, named) | gone
    item = row.item
    shape = _row(
        row.seq, str(item.scope), item.kind, _names(item.kind, item.id, feed.identity(item))
    )
    if item.kind is Kind.DOCUMENT:
        shape |= {"collection": item.collection, "key": item.key}
    return shape | {"rev": item.head.number, "body": _body(item)}


def _row(seq: int, scope: str, kind: Kind, named: Shape) -> Shape:
    return {"seq": seq, "scope": scope, "kind": str(kind), **named}


def _names(kind: Kind, id: ItemId, known: feed.Identity) -> Shape:
    if kind is Kind.FACT:
        fact: Shape = {"id": fact_id(id)}
        return fact | {"lm": known.lm} if known.lm else fact
    named: Shape = {"inc": _inc(id, known), "own": str(id)}
    return named if known.gen is None else named | {"gen": known.gen}


def _inc(id: ItemId, known: feed.Identity) -> str:
    return known.inc or str(id)


def incarnation(item: Item) -> str:
    """The `inc` of a document."""
    return _inc(item.id, feed.identity(item))


_FACT_BODY = ("text", "metadata", "createdAt", "expiresAt")
_ITEM_BODY = ("value", "createdAt", "updatedAt", "expiresAt")


def _body(item: Item) -> Shape:
    fact = item.kind is Kind.FACT
    whole, names = (memory_api.fact(item), _FACT_BODY) if fact else (item_shape(item), _ITEM_BODY)
    return {name: whole[name] for name in names if name in whole}
