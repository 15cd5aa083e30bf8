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
from localmem.wire.requests import (
    AsDigits,
    AsWhole,
    AtLeastOne,
    Once,
    Part,
    Place,
    Request,
    Whole,
)
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


BATCH = 25
"""Operations of a batch (memory-api, "Limits")."""
LONGEST_BATCH = 250
"""Of a batch whose client asked for more (sync.md 2.12)."""


class InSteps(Once):
    """A batch: operations that are judged one by one, each with a result of its own."""

    most: Annotated[int | None, Field(ge=1, le=LONGEST_BATCH), AsDigits, Place.HEADER] = Field(
        None,
        alias="Memory-Batch",
        description=f"How many operations a batch may have, up to {LONGEST_BATCH}.",
    )

    def check_length(self, count: int) -> None:
        """Raises InvalidInput."""
        most = self.most or BATCH
        if count > most:
            raise InvalidInput(
                f"A batch has up to {most} operations, this one {count}.",
                hint="Send the rest in another.",
                details={"field": "operations", "limit": most},
            )


Operations = Field(
    min_length=1,
    max_length=LONGEST_BATCH,
    description=f"1 to {BATCH}, or as many as Memory-Batch asks for.",
)


# facts


Reason = Literal["forget", "sup", "dup"]
MOST_REPLACED = 25
"""Older wordings that one write replaces."""


def _listed(given: object) -> object:
    """A header has ids with commas between."""
    return [each.strip() for each in given.split(",")] if isinstance(given, str) else given


Replaced = Annotated[list[str], Field(max_length=MOST_REPLACED)]


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
    replaces: Annotated[Replaced, BeforeValidator(_listed), Place.HEADER] = Field(
        [],
        alias="Memory-Replaces",
        description="Ids of facts of the same scope, with commas between: this is their newer "
        "wording, and they go.",
    )


class FactStep(Part):
    """One operation of a batch of facts."""

    op: Literal["add", "delete"]
    text: str | None = Field(None, description="Of an `add`, which needs it.")
    metadata: dict[str, Any] | None = None
    ttl_seconds: Whole | None = None
    replaces: Replaced = Field([], description="Of an `add`: the facts whose place it takes.")
    id: str | None = Field(None, description="Of a `delete`, which needs it.")
    reason: Reason | None = Field(None, description="Of a `delete`; `forget` unless it is given.")

    def check(self, place: str) -> None:
        """Raises InvalidInput for what is missing, and for what the other `op` has."""
        needed = "text" if self.op == "add" else "id"
        if getattr(self, needed) is None:
            raise InvalidInput(
                f"{place}.{needed} is missing.", details={"field": f"{place}.{needed}"}
            )
        for name, wire in _OF_DELETES if self.op == "add" else _OF_ADDS:
            if name in self.model_fields_set:
                raise InvalidInput(
                    f"{self.op} has no {wire}.", details={"field": f"{place}.{wire}"}
                )


_OF_ADDS = (
    ("text", "text"), ("metadata", "metadata"), ("ttl_seconds", "ttlSeconds"),
    ("replaces", "replaces"),
)  # fmt: skip
_OF_DELETES = (("id", "id"), ("reason", "reason"))


class FactBatch(BodyScope, InSteps):
    operations: list[FactStep] = Operations

    def steps(self) -> list[FactStep]:
        """Raises InvalidInput."""
        self.check_length(len(self.operations))
        for number, step in enumerate(self.operations):
            step.check(f"operations.{number}")
        return self.operations


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
    reason: Annotated[Reason, Place.HEADER] = Field(
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


class StepError(Part):
    code: str
    message: str
    details: dict[str, Any] | None = None


class FactStepResult(Part):
    ok: bool
    id: str | None = None
    """The fact that says it now; of a `delete` the one that is gone."""
    created: bool | None = None
    """Of an `add`: false where the scope knew the words already."""
    created_at: str | None = None
    expires_at: str | None = None
    text: str | None = None
    """As it was kept, where that is not as it was sent."""
    metadata: dict[str, str] | None = None
    """Likewise."""
    replaced: list[str] | None = None
    """Of `replaces` those that went."""
    seq: int | None = None
    """The number of its last change, where there was one."""
    error: StepError | None = None
    """Why it was not done."""


class FactBatchResults(Part):
    results: list[FactStepResult]


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
