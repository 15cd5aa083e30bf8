"""What a server of the memory API answers, read by a program that keeps a copy of a space.

Members nobody asked about are passed over, for an API grows; a member of the wrong type spoils the
whole answer, for nothing may be inferred from a part of one. JSON is read as strictly as a
person's own (`core.json_text`): a name that stands there twice means two things. Refuses to repeat
in its sentences what an answer holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from localmem.core import json_text
from localmem.core.model import Json, Millis
from localmem.core.records import Removal
from localmem.core.scope import Scope, ScopeKind
from localmem.errors import LocalmemError
from localmem.wire.requests import whole
from localmem.wire.sync_api import REASONS

M = TypeVar("M", bound=BaseModel)

REMOVALS: Mapping[str, Removal] = {
    reason: removal for removal, reason in REASONS.items() if removal is not Removal.ABSENT
}
"""What a reason means; nobody says that something is merely absent."""
_SINCE = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Broken(NamedTuple):
    """An answer that is not what it should be."""

    why: str
    """To stand behind a colon; nothing of the answer's contents."""


class Answer(BaseModel):
    """What a server says, camelCase."""

    model_config = ConfigDict(frozen=True, strict=True, alias_generator=to_camel)


class Snake(BaseModel):
    """What only programs that synchronise are told (docs/sync-api.md), mostly snake_case."""

    model_config = ConfigDict(frozen=True, strict=True)


def _moment(given: object) -> Millis:
    if not isinstance(given, str):
        raise ValueError("is no text")
    at = datetime.fromisoformat(given)
    if at.tzinfo is None:
        raise ValueError("has no zone")
    return (at - _SINCE) // _MILLISECOND


def rev_text(given: object) -> object:
    """A rev as the text it is compared and sent as: 3, "3" and "\\"3\\"" are one."""
    number = whole(given)
    if type(number) is int:
        return str(number)
    quoted = isinstance(number, str) and len(number) > 2 and number[0] == number[-1] == '"'
    return number[1:-1] if isinstance(number, str) and quoted else number


Moment = Annotated[int, BeforeValidator(_moment)]
REV = re.compile("[!#-~]{1,255}")
"""What can stand between the quotes of If-Match."""
Rev = Annotated[str, StringConstraints(pattern=f"^{REV.pattern}$"), BeforeValidator(rev_text)]
Whole = Annotated[int, BeforeValidator(whole)]
Name = Annotated[str, StringConstraints(pattern="^[!-~]{1,255}$")]
"""An id of the server's own, opaque."""
Id = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9._:@~+=-]{1,255}$")]
"""One that stands in a path: nothing that a path means something by."""
CollectionName = Annotated[str, StringConstraints(pattern="^[a-z0-9][a-z0-9_-]{0,62}$")]
Key = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9._:@-]{1,255}$")]
Cursor = Annotated[str, StringConstraints(min_length=1, max_length=8192)]


class Scoped(Answer):
    """A row that may say where it belongs, in the form of a body or of a query."""

    scope: str | None = None
    contact_id: str | None = None
    conversation_id: str | None = None

    def is_of(self, asked: Scope) -> bool:
        """Whether it is of the scope that was asked for, or says nothing of any."""
        ids = {ScopeKind.CONTACT: self.contact_id, ScopeKind.CONVERSATION: self.conversation_id}
        others = [id for kind, id in ids.items() if kind is not asked.kind and id is not None]
        own = ids.get(asked.kind)
        if others or own not in (None, asked.id):
            return False
        if self.scope == asked.kind and asked.id:
            return own is not None
        return self.scope in (None, str(asked))


class Fact(Scoped):
    id: Id
    text: str
    metadata: dict[str, str] | None = None
    created_at: Moment = 0
    expires_at: Moment | None = None


class Kept(Scoped):
    """What a POST of a fact tells; the text is known to whoever sent it."""

    id: Id
    metadata: dict[str, str] | None = None


class FactPage(Answer):
    items: list[Fact]
    next_cursor: str | None = None


class Item(Scoped):
    key: Key
    value: Any
    rev: Rev | None = None
    collection: str | None = None
    inc: str | None = None
    own: str | None = None
    updated_at: Moment = 0
    expires_at: Moment | None = None


class Written(Scoped):
    """What a PUT tells; the value is known to whoever sent it."""

    key: Key | None = None
    rev: Rev | None = None


class ItemPage(Answer):
    items: list[Item]
    next_cursor: str | None = None


class Index(Answer):
    field: str


class Collection(Answer):
    name: CollectionName
    indexes: list[Index] = []
    default_ttl_seconds: Whole | None = None
    status: str = "active"
    implicit: bool = False
    created_at: Moment = 0


class CollectionPage(Answer):
    items: list[Collection]
    next_cursor: str | None = None


class Fault(NamedTuple):
    """Why something was refused, as far as it says."""

    code: str
    message: str
    details: Mapping[str, Json] = {}

    @property
    def rev(self) -> str | None:
        """The rev the item has, where it tells."""
        told = rev_text(self.details.get("currentRev"))
        return told if isinstance(told, str) and REV.fullmatch(told) else None

    @property
    def nothing_there(self) -> bool:
        """Whether it says that there is no such item."""
        return "currentRev" in self.details and self.details["currentRev"] is None


class Result(Answer):
    """Of one operation of a batch, of items or of facts."""

    ok: bool
    key: str | None = None
    rev: Rev | None = None
    inc: str | None = None
    own: str | None = None
    id: Id | None = None
    metadata: dict[str, str] | None = None
    """Of a fact, where another one than was sent is kept."""
    seq: Whole | None = None
    error: Any = None

    def fault(self) -> Fault:
        return fault_of(self.error) or Fault("", "")


class Results(Answer):
    results: list[Result]


class Project(Answer):
    id: Name


class Me(Answer):
    project: Project
    is_test_mode: bool | None = None


class Told(Snake):
    """What it can do; what is missing it cannot."""

    changes: bool = False
    epoch: bool = False
    idempotency_key: bool = False
    if_match: bool = False
    if_match_delete: bool = False
    if_none_match: bool = False
    reasons: bool = False
    batch: Annotated[int, Field(ge=1, le=10_000)] = 1
    batch_asked: Annotated[int, Field(ge=0, le=10_000)] = 0
    batch_if_none_match: bool = False
    fact_batch: bool = False
    replaces: bool = False


class Copy(Snake):
    """Whose copy of which space it is."""

    server_id: Name
    epoch: Name
    account: Name
    partition: Literal["live", "test"]
    capabilities: Told = Told()
    high: Annotated[int, Field(ge=0)] = 0


class Body(Answer):
    """Of a fact or a document that is there."""

    text: str | None = None
    metadata: dict[str, str] | None = None
    value: Any = None
    created_at: Moment = 0
    updated_at: Moment = 0
    expires_at: Moment | None = None


class Change(Answer):
    """A row of the feed: what is there has a body, what is gone a reason."""

    seq: int = Field(ge=1)
    scope: str
    kind: Literal["fact", "document"]
    id: Id | None = None
    lm: str | None = None
    collection: CollectionName | None = None
    key: Key | None = None
    inc: str | None = None
    own: str | None = None
    gen: int | None = None
    rev: Rev | None = None
    body: Body | None = None
    deleted: Literal[True] | None = None
    reason: Literal["forget", "sup", "dup", "expired", "undo"] | None = None


class Changes(Answer):
    changes: list[Change]
    cursor: Cursor
    seq: int = Field(ge=0)
    more: bool
    epoch: Name | None = None


def read(model: type[M], body: bytes) -> M | Broken:
    """The answer that the bytes are."""
    value = parse(body)
    if isinstance(value, Broken):
        return value
    try:
        return model.model_validate(value, by_alias=True, by_name=False)
    except ValidationError as problem:
        fault = problem.errors(include_url=False, include_context=False, include_input=False)[0]
        return Broken(f"{_place(fault['loc'])} is not what it should be")


def parse(body: bytes) -> Json | Broken:
    """Strict JSON of UTF-8."""
    try:
        return json_text.parse(body.decode())
    except UnicodeDecodeError:
        return Broken("it is not UTF-8")
    except LocalmemError:
        return Broken("it is not strict JSON")


def fault(body: bytes) -> Fault | None:
    """Why a request was refused, flat or nested; None where the body says nothing of the kind."""
    value = parse(body)
    return None if isinstance(value, Broken) else fault_of(value)


def fault_of(value: Json) -> Fault | None:
    if not isinstance(value, dict):
        return None
    inner = value.get("error")
    said = inner if isinstance(inner, dict) else value
    code, details = said.get("code"), said.get("details")
    message = next((said[name] for name in ("message", "detail", "error") if name in said), "")
    if not isinstance(code, str) and not isinstance(message, str):
        return None
    return Fault(
        code if isinstance(code, str) else "",
        message if isinstance(message, str) else "",
        details if isinstance(details, dict) else {},
    )


def _place(loc: tuple[int | str, ...]) -> str:
    """Where in the answer; without the names inside somebody's own data."""
    parts: list[str] = []
    for part in loc[:6]:
        parts.append(str(part)[:40])
        if part == "metadata":
            break
    return ".".join(parts) or "it"
