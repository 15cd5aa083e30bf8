"""The hosted memory API as a client sees it: what each request says and what each answer holds.

Names, bounds and shapes are memory-api's; where it is silent, protocols 5.1 chose. The models of
answers describe what `fact` and its like make; only tests read answers back.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from localmem.core import facts
from localmem.core import scope as scopes
from localmem.core.model import FactContent, Item
from localmem.core.scope import PROJECT, Scope, ScopeKind
from localmem.core.ttl import MAX_SECONDS, MIN_SECONDS
from localmem.errors import InvalidInput, InvalidScope
from localmem.wire import shapes
from localmem.wire.memory_ids import fact_id
from localmem.wire.requests import AsDigits, AsWhole, AtLeastOne, Once, Part, Place, Request
from localmem.wire.shapes import Shape

PAGE = 50
LONGEST_PAGE = 100
HITS = 5
MOST_HITS = 20
MAX_QUERY_BYTES = 8_192

_ID = "[A-Za-z0-9._:@-]{1,255}"
_SCOPE: dict[str, Any] = {"pattern": f"^(project|(contact|conversation):{_ID})$"}
_SOMETHING: dict[str, Any] = {"pattern": r"\S"}
_METADATA: dict[str, Any] = {
    "propertyNames": {"maxLength": facts.MAX_METADATA_KEY},
    "additionalProperties": {"type": "string", "maxLength": facts.MAX_METADATA_VALUE},
}
"""Judged elsewhere; said here for whoever reads the document."""

_NAMED = {ScopeKind.CONTACT: "contactId", ScopeKind.CONVERSATION: "conversationId"}
ID_FIELDS = {str(kind): named for kind, named in _NAMED.items()}
"""The field that has a scope's id in a body, by the scope's kind."""

Ttl = Annotated[int, Field(ge=MIN_SECONDS, le=MAX_SECONDS), AsWhole]


ScopeId = Annotated[str, Field(json_schema_extra={"pattern": f"^{_ID}$"})]


def _kind(given: object) -> object:
    if isinstance(given, str) and given.partition(":")[0] in ID_FIELDS and ":" in given:
        kind = given.partition(":")[0]
        raise PydanticCustomError(
            "scope",
            '"{kind}:<id>" is how a query string says it; a body says "scope": "{kind}" and '
            '"{named}": "<id>".',
            {"kind": kind, "named": ID_FIELDS[kind]},
        )
    return given


class BodyScope(Request):
    """The scope as `POST /v1/memory` and search take it."""

    scope: Annotated[Literal["project", "contact", "conversation"], BeforeValidator(_kind)] = (
        "project"
    )
    contact_id: ScopeId | None = None
    conversation_id: ScopeId | None = None

    def where(self) -> Scope:
        """Raises InvalidScope: an id without its scope files what is one person's for all."""
        kind = ScopeKind(self.scope)
        given = {
            ScopeKind.CONTACT: self.contact_id,
            ScopeKind.CONVERSATION: self.conversation_id,
        }
        for other, id in given.items():
            if id is not None and other is not kind:
                raise InvalidScope(
                    f"{_NAMED[other]} was given, and the scope is {kind}.",
                    hint=f'Send "scope": "{other}" with it, or leave it out.',
                    details={"field": _NAMED[other]},
                )
        if kind is ScopeKind.PROJECT:
            return PROJECT
        id = given[kind]
        if id is None:
            raise InvalidScope(
                f"The scope is {kind}, and no {_NAMED[kind]} was given.",
                hint=f"Send {_NAMED[kind]} beside it.",
                details={"field": _NAMED[kind]},
            )
        return scopes.contact(id) if kind is ScopeKind.CONTACT else scopes.conversation(id)


class QueryScope(Request):
    """The scope as every other endpoint takes it."""

    scope: Annotated[str, Place.QUERY] = Field(
        "project",
        description="`project`, `contact:<id>` or `conversation:<id>`.",
        json_schema_extra=_SCOPE,
    )

    def where(self) -> Scope:
        """Raises InvalidScope."""
        return scopes.parse(self.scope)


class Paged(Request):
    """A list that goes on behind a cursor. A longer page than there is gives the longest."""

    limit: Annotated[AtLeastOne, AsDigits, Place.QUERY] = PAGE
    cursor: Annotated[str | None, Place.QUERY] = None

    @property
    def length(self) -> int:
        return min(self.limit, LONGEST_PAGE)


class NoInput(Request):
    """Nothing is asked but the path itself."""


# facts


class AddFact(BodyScope, Once):
    text: str = Field(
        description=f"1 to {facts.MAX_TEXT_BYTES:,} bytes of UTF-8.", json_schema_extra=_SOMETHING
    )
    metadata: dict[str, Any] | None = Field(
        None,
        description="Up to 2 KB: keys up to 64 characters, values text up to 512.",
        json_schema_extra=_METADATA,
    )
    ttl_seconds: Ttl | None = None


class SearchFacts(BodyScope):
    query: str = Field(
        description=f"1 to {MAX_QUERY_BYTES:,} bytes of UTF-8.", json_schema_extra=_SOMETHING
    )
    limit: Annotated[int, Field(ge=1, le=MOST_HITS), AsWhole] = HITS
    min_score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None

    def words(self) -> str:
        """Raises InvalidInput."""
        length = len(self.query.encode())
        if not self.query.strip() or length > MAX_QUERY_BYTES:
            raise InvalidInput(
                f"A query has 1 to {MAX_QUERY_BYTES:,} bytes, this one {length:,}."
                if self.query.strip()
                else "The query is empty.",
                details={"field": "query", "bytes": length, "limit": MAX_QUERY_BYTES},
            )
        return self.query


class ListFacts(QueryScope, Paged):
    pass


class OneFact(QueryScope):
    memory_id: Annotated[str, Place.PATH]


class DeleteFact(OneFact, Once):
    reason: Annotated[Literal["forget", "sup", "dup"], Place.HEADER] = Field(
        "forget",
        alias="Memory-Reason",
        description="`sup`: a newer wording took its place; `dup`: it was kept twice.",
    )


class WipeFacts(QueryScope):
    pass


class Fact(Part):
    id: str
    text: str
    scope: Literal["project", "contact", "conversation"]
    contact_id: str | None = None
    conversation_id: str | None = None
    metadata: dict[str, str] | None = None
    created_at: str
    expires_at: str | None = None


class FactPage(Part):
    items: list[Fact]
    next_cursor: str | None


class FactHit(Part):
    id: str
    text: str
    score: float = Field(ge=0, le=1)
    metadata: dict[str, str] | None = None
    created_at: str


class FactHits(Part):
    items: list[FactHit]


class Deleting(Part):
    status: Literal["deleting"]


def fact(item: Item) -> Shape:
    """`{id, text, scope, contactId?, conversationId?, metadata?, createdAt, expiresAt?}`."""
    content = _fact(item)
    shape: Shape = {"id": fact_id(item.id), "text": content.text, **shapes.scope(item.scope)}
    if content.metadata:
        shape["metadata"] = dict(content.metadata)
    shape["createdAt"] = shapes.moment(item.created_at)
    if item.head.expires_at is not None:
        shape["expiresAt"] = shapes.moment(item.head.expires_at)
    return shape


def hit(item: Item, score: float) -> Shape:
    """`{id, text, score, metadata?, createdAt}`."""
    content = _fact(item)
    shape: Shape = {"id": fact_id(item.id), "text": content.text, "score": score}
    if content.metadata:
        shape["metadata"] = dict(content.metadata)
    return shape | {"createdAt": shapes.moment(item.created_at)}


def _fact(item: Item) -> FactContent:
    assert isinstance(item.head.content, FactContent)
    return item.head.content


# the account


class Named(Part):
    id: str
    name: str | None = None


class Project(Named):
    is_sub_account: bool


class Me(Part):
    project: Project
    team: Named
    api_key: Named
    is_test_mode: bool


class Used(Part):
    used: int
    included: int | None
    """Null: without limit."""


class Units(Used):
    remaining: int | None


class UsageOut(Part):
    period: str
    plan: str
    test_mode: bool
    units: Units
    storage_bytes: Used
    collections: Used
    facts: Used
    cap_reached: bool


# errors


class Fault(Part):
    """Flat, as the vendors' SDKs read it (protocols 1.2)."""

    code: str
    message: str
    details: dict[str, Any] | None = None
