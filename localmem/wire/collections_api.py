"""Collections and items of the hosted memory API: what each request says and each answer holds.

Names, bounds and shapes are memory-api's ("Collections", "Limits"); where it is silent, protocols
5.1 chose. Keys and names are judged by `core.documents`; here they are only described.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from localmem.core import documents
from localmem.core.model import Item
from localmem.errors import InvalidInput
from localmem.wire import shapes
from localmem.wire.memory_api import (
    LONGEST_PAGE,
    PAGE,
    InSteps,
    Operations,
    Paged,
    QueryScope,
    StepError,
    Ttl,
)
from localmem.wire.requests import (
    AsWhole,
    AtLeastOne,
    Once,
    Part,
    Place,
    Request,
    Whole,
    whole,
)
from localmem.wire.shapes import Shape

_NAME: dict[str, Any] = {"pattern": "^[a-z0-9][a-z0-9_-]{0,62}$"}
_KEY: dict[str, Any] = {"pattern": "^[A-Za-z0-9._:@-]{1,255}$"}
_REVS: dict[str, Any] = {"pattern": '^([0-9]{1,18}|"[0-9]{1,18}"|\\*)$'}
_IF_MATCH = "The item's `rev`, plain or quoted, or `*`: there must be one."

_REV: dict[str, Any] = {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}


def _text(given: object) -> object:
    number = whole(given)
    return str(number) if type(number) is int else given


Key = Annotated[str, Field(json_schema_extra=_KEY)]
Rev = Annotated[str | None, BeforeValidator(_text)]
"""A `rev` of a body: a number, or text as the header has it."""


# requests


class Index(Part):
    field: str = Field(description="A member's name; dots lead into nested objects.")


class NewCollection(Request):
    name: str = Field(json_schema_extra=_NAME)
    indexes: list[Index] = Field([], max_length=documents.MAX_INDEXES)
    default_ttl_seconds: Ttl | None = None


class ListCollections(Paged):
    pass


class OneCollection(Request):
    collection: Annotated[str, Place.PATH] = Field(json_schema_extra=_NAME)


class ChangeCollection(OneCollection):
    default_ttl_seconds: Ttl | None = Field(
        description="For what is written from now on; null keeps it until it is deleted."
    )


class ItemsOf(OneCollection, QueryScope):
    pass


class ListItems(ItemsOf, Paged):
    prefix: Annotated[str, Place.QUERY] = Field("", description="What the keys begin with.")


class OneItem(ItemsOf):
    key: Annotated[str, Place.PATH] = Field(json_schema_extra=_KEY)


class PutItem(OneItem, Once):
    value: Any = Field(description="Any JSON: 204,800 bytes without spaces, 32 levels.")
    ttl_seconds: Ttl | None = Field(
        None, description="Without it the collection's own; null keeps it until it is deleted."
    )
    if_match: Annotated[str | None, Place.HEADER] = Field(
        None, alias="If-Match", description=_IF_MATCH, json_schema_extra=_REVS
    )
    if_none_match: Annotated[str | None, Place.HEADER] = Field(
        None,
        alias="If-None-Match",
        description="`*`: create it, or be refused.",
        json_schema_extra={"enum": ["*"]},
    )


class DeleteItem(OneItem, Once):
    if_match: Annotated[str | None, Place.HEADER] = Field(
        None, alias="If-Match", description=_IF_MATCH, json_schema_extra=_REVS
    )


_OF_SETS = (("value", "value"), ("ttl_seconds", "ttlSeconds"), ("if_none_match", "ifNoneMatch"))


class Step(Part):
    """One operation of a batch."""

    op: Literal["set", "delete"]
    key: Key
    value: Any = Field(None, description="Of a `set`, which needs it; any JSON.")
    ttl_seconds: Whole | None = None
    if_match: Rev = Field(None, description=_IF_MATCH, json_schema_extra=_REV)
    if_none_match: str | None = Field(
        None,
        description="Of a `set`, `*`: create it, or be refused.",
        json_schema_extra={"enum": ["*", None]},
    )

    def check(self, place: str) -> None:
        """Raises InvalidInput for a `set` of nothing, and for a `delete` with what is for a set."""
        given = self.model_fields_set
        if self.op == "set" and "value" not in given:
            raise InvalidInput(f"{place}.value is missing.", details={"field": f"{place}.value"})
        for name, wire in _OF_SETS:
            if self.op == "delete" and name in given:
                raise InvalidInput(f"A delete has no {wire}.", details={"field": f"{place}.{wire}"})


class Batch(ItemsOf, InSteps):
    operations: list[Step] = Operations

    def steps(self) -> list[Step]:
        """Raises InvalidInput."""
        self.check_length(len(self.operations))
        for number, step in enumerate(self.operations):
            step.check(f"operations.{number}")
        return self.operations


class QueryItems(ItemsOf):
    field: str = Field(description="One that the collection has an index on.")
    op: str = Field(description="`eq`.", json_schema_extra={"enum": ["eq"]})
    value: Any = Field(description="A string, a number, true, false or null.")
    limit: Annotated[AtLeastOne, AsWhole] = PAGE
    cursor: str | None = None

    @property
    def length(self) -> int:
        return min(self.limit, LONGEST_PAGE)


# answers


class CollectionOut(Part):
    name: str
    indexes: list[Index]
    default_ttl_seconds: int | None = None
    status: Literal["active", "deleting"]
    implicit: bool
    """A write made it, so it has no indexes."""
    created_at: str


class CollectionPage(Part):
    items: list[CollectionOut]
    next_cursor: str | None


class ItemOut(Part):
    key: str
    value: Any
    rev: int = Field(ge=1)
    created_at: str
    updated_at: str
    expires_at: str | None = None


class ItemPage(Part):
    items: list[ItemOut]
    next_cursor: str | None


class StepResult(Part):
    key: str
    ok: bool
    rev: int | None = None
    """Of a `set` that was done."""
    seq: int | None = None
    """The number of its change, for who sends Memory-Batch (docs/sync-api.md)."""
    inc: str | None = None
    """Of a `set`, the incarnation it is of: likewise."""
    own: str | None = None
    """Of a `set`, the server's own id of the incarnation: likewise."""
    error: StepError | None = None
    """Why it was not."""


class BatchResults(Part):
    results: list[StepResult]


_ITEM = ("key", "value", "rev", "createdAt", "updatedAt", "expiresAt")


def item(held: Item) -> Shape:
    """`{key, value, rev, createdAt, updatedAt, expiresAt?}`."""
    shape = shapes.document(held)
    return {name: shape[name] for name in _ITEM if name in shape}
