"""The lines of our own export: what each may say, and values to shapes and back.

One object a line. The head's members stand in the item itself, older versions in `earlier`. Times
are RFC 3339 with an offset and milliseconds. Refuses members it does not know: a later format has
a later number, and what is dropped in silence is lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
)

from localmem.core import scope as scopes
from localmem.core.incoming import Definition, Standing, Waiting, Whole
from localmem.core.model import (
    Actor,
    AuthorKind,
    Change,
    Collection,
    Content,
    DocumentContent,
    Evidence,
    FactContent,
    Item,
    ItemId,
    Json,
    Kind,
    Millis,
    Origin,
    PreferenceContent,
    Provenance,
    Version,
)
from localmem.core.preferences import PreferenceKey, PreferenceState
from localmem.errors import InvalidInput
from localmem.wire.shapes import Shape, author, moment

FORMAT = 1
"""Rises when a reader of this one could lose something."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_MOST_VERSIONS = 2**53

# --- Values to shapes ----------------------------------------------------------------------------


def header(*, history: bool, left_out: Mapping[str, str]) -> Shape:
    """The first line: what the file is and what it does not hold."""
    return {
        "localmem": "export",
        "format": FORMAT,
        "history": history,
        "leftOut": dict(left_out),
    }


def shape(value: Definition | Standing | Whole) -> Shape:
    match value:
        case Definition(collection=made):
            return _definition(made)
        case Standing(key=key, state=state):
            return {
                "type": "preference-key",
                "key": str(key),
                "generation": state.generation,
                "inferenceBlocked": state.inference_blocked,
            }
        case Whole(item=item, earlier=earlier, waiting=waiting):
            held: Shape = {"type": str(item.kind), "id": item.id, "scope": str(item.scope)}
            held |= _place(item) | {"createdAt": moment(item.created_at)} | _version(item.head)
            if waiting is not None:
                held["waiting"] = _waiting(waiting)
            if earlier:
                held["earlier"] = [_version(version) for version in earlier]
            return held


def _definition(made: Collection) -> Shape:
    held: Shape = {"type": "collection", "name": made.name, "indexes": list(made.indexes)}
    if made.default_ttl is not None:
        held["defaultTtlSeconds"] = made.default_ttl
    return held | {"implicit": made.implicit, "createdAt": moment(made.created_at)}


def _place(item: Item) -> Shape:
    match item.kind:
        case Kind.DOCUMENT:
            return {"collection": item.collection, "key": item.key}
        case Kind.PREFERENCE:
            return {"key": item.key, "provenance": str(item.provenance)}
        case Kind.FACT:
            return {}


def _version(version: Version) -> Shape:
    held: Shape = {"version": version.number, "versionId": version.id}
    held |= {"change": str(version.change)} | _content(version.content)
    held |= {"by": author(version.by), "at": moment(version.at)}
    if version.expires_at is not None:
        held["expiresAt"] = moment(version.expires_at)
    grounds = {
        name: text
        for name, text in (
            ("quote", version.evidence.quote),
            ("purchaseId", version.evidence.purchase_id),
            ("source", version.evidence.source),
        )
        if text is not None
    }
    if grounds:
        held["evidence"] = dict(grounds)
    return held if version.base is None else held | {"base": version.base}


def _content(content: Content) -> Shape:
    match content:
        case FactContent(text, metadata, path):
            held: Shape = {"text": text}
            if metadata:
                held["metadata"] = dict(metadata)
            return held if path is None else held | {"path": path}
        case PreferenceContent(value):
            return {"value": value if isinstance(value, str) else list(value)}
        case DocumentContent(value):
            return {"value": value}


def _waiting(waiting: Waiting) -> Shape:
    held: Shape = {"since": moment(waiting.since)}
    return held if waiting.before is None else held | {"before": waiting.before}


# --- Shapes to values ----------------------------------------------------------------------------


def instant(text: object) -> Millis:
    """Milliseconds of an RFC 3339 time. Raises ValueError, also without an offset (FR-105)."""
    if not isinstance(text, str):
        raise ValueError("a time is written as text, such as 2026-11-30T18:00:00.000Z")
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("this is not a time such as 2026-11-30T18:00:00.000Z") from None
    if at.tzinfo is None:
        raise ValueError("this time does not say its offset, such as Z or -03:00")
    since = (at - _EPOCH) // timedelta(milliseconds=1)
    if since < 0:
        raise ValueError("this time is before 1970")
    return since


def _check_id(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError("this is not an id of localmem")
    return text


Instant = Annotated[int, BeforeValidator(instant)]
Id = Annotated[StrictStr, AfterValidator(_check_id)]
Number = Annotated[StrictInt, Field(ge=1, le=_MOST_VERSIONS)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class HeaderIn(BaseModel):
    """Whatever a later format adds here, its number says whether the file can be read."""

    localmem: Literal["export"]
    format: StrictInt
    history: StrictBool = False


class AuthorIn(_Strict):
    kind: AuthorKind
    name: StrictStr
    origin: Origin
    device: Annotated[StrictStr, Field(max_length=64)] = ""


class EvidenceIn(_Strict):
    quote: StrictStr | None = None
    purchaseId: StrictStr | None = None
    source: StrictStr | None = None


class VersionIn(_Strict):
    version: Number
    versionId: Id
    change: Change
    text: StrictStr | None = None
    metadata: dict[StrictStr, StrictStr] = Field(default_factory=dict)
    path: StrictStr | None = None
    value: Any = None
    by: AuthorIn
    at: Instant
    expiresAt: Instant | None = None
    evidence: EvidenceIn = Field(default_factory=EvidenceIn)
    base: Number | None = None


class WaitingIn(_Strict):
    since: Instant
    before: Number | None = None


class ItemIn(VersionIn):
    type: Kind
    id: Id
    scope: StrictStr
    createdAt: Instant
    collection: StrictStr = ""
    key: StrictStr = ""
    provenance: Provenance | None = None
    waiting: WaitingIn | None = None
    earlier: list[VersionIn] = Field(default_factory=list)


class VersionsIn(_Strict):
    type: Literal["versions"]
    id: Id
    versions: list[VersionIn]


class DefinitionIn(_Strict):
    type: Literal["collection"]
    name: StrictStr
    indexes: list[StrictStr] = Field(default_factory=list)
    defaultTtlSeconds: StrictInt | None = None
    implicit: StrictBool = False
    createdAt: Instant


class StandingIn(_Strict):
    type: Literal["preference-key"]
    key: PreferenceKey
    generation: Annotated[StrictInt, Field(ge=0, le=_MOST_VERSIONS)]
    inferenceBlocked: StrictBool


def versions(value: Whole) -> Shape:
    """Its older versions on a line of their own, for the item that follows."""
    held = [_version(version) for version in value.earlier]
    return {"type": "versions", "id": value.item.id, "versions": list(held)}


def read_header(value: Json) -> int | None:
    """The format's number when this is the first line of an export, otherwise None."""
    try:
        return HeaderIn.model_validate(value).format
    except ValidationError:
        return None


class Versions:
    """Older versions that stood on lines before their item."""

    def __init__(self) -> None:
        self._held: dict[str, list[VersionIn]] = {}

    def take(self, value: Json) -> bool:
        """Whether the line holds nothing else. Raises InvalidInput."""
        if not isinstance(value, dict) or value.get("type") != "versions":
            return False
        try:
            told = VersionsIn.model_validate(value)
        except ValidationError as wrong:
            raise _sentence(wrong) from None
        if told.id not in self._held:
            self._held.clear()  # the item they belong to never came
        self._held.setdefault(told.id, []).extend(told.versions)
        return True

    def of(self, id: str) -> list[VersionIn]:
        return self._held.pop(id, [])


def read(value: Json, line: int, before: Versions) -> Definition | Standing | Whole:
    """What a line says, with the versions from the lines `before` it.

    Raises InvalidInput, InvalidScope.
    """
    if not isinstance(value, dict):
        raise InvalidInput("It is not a JSON object.")
    try:
        match value.get("type"):
            case "collection":
                return _read_definition(DefinitionIn.model_validate(value), line)
            case "preference-key":
                told = StandingIn.model_validate(value)
                state = PreferenceState(told.generation, told.inferenceBlocked)
                return Standing(line, told.key, state)
            case _:
                told_item = ItemIn.model_validate(value)
                return _read_item(told_item, line, before.of(told_item.id))
    except ValidationError as wrong:
        raise _sentence(wrong) from None


def _read_definition(told: DefinitionIn, line: int) -> Definition:
    made = Collection(
        told.name, tuple(told.indexes), told.defaultTtlSeconds, told.implicit, told.createdAt
    )
    return Definition(line, made)


def _read_item(told: ItemIn, line: int, before: list[VersionIn]) -> Whole:
    earlier = tuple(_read_version(each, told.type) for each in (*before, *told.earlier))
    head = _read_version(told, told.type)
    _check_order((*earlier, head))
    item = Item(
        id=ItemId(told.id),
        kind=told.type,
        scope=scopes.stored(told.scope),
        head=head,
        created_at=told.createdAt,
        key=told.key,
        collection=told.collection,
        provenance=told.provenance,
    )
    if (told.type is Kind.PREFERENCE) != (told.provenance is not None):
        raise InvalidInput("Only a preference is declared or inferred, and it always is.")
    if told.type is Kind.FACT and (told.key or told.collection):
        raise InvalidInput("A fact has no key and no collection.")
    if told.type is Kind.PREFERENCE and told.collection:
        raise InvalidInput("A preference has no collection.")
    return Whole(line, item, earlier, _read_waiting(told.waiting))


def _read_waiting(told: WaitingIn | None) -> Waiting | None:
    return None if told is None else Waiting(told.since, told.before)


def _read_version(told: VersionIn, kind: Kind) -> Version:
    return Version(
        id=told.versionId,
        number=told.version,
        change=told.change,
        content=_read_content(told, kind),
        by=Actor(told.by.kind, told.by.name, told.by.origin, told.by.device),
        at=told.at,
        expires_at=told.expiresAt,
        evidence=Evidence(told.evidence.quote, told.evidence.purchaseId, told.evidence.source),
        base=told.base,
    )


def _read_content(told: VersionIn, kind: Kind) -> Content:
    given = told.model_fields_set
    if kind is Kind.FACT:
        if told.text is None or "value" in given:
            raise InvalidInput("A fact says text, and no value.")
        return FactContent(told.text, told.metadata, told.path)
    if "value" not in given or {"text", "metadata", "path"} & given:
        raise InvalidInput(f"A {kind} says a value, and no text.")
    if kind is Kind.DOCUMENT:
        return DocumentContent(told.value)
    value = told.value
    return PreferenceContent(tuple(value) if isinstance(value, list) else value)


def _check_order(versions: tuple[Version, ...]) -> None:
    numbers = [version.number for version in versions]
    if numbers != sorted(set(numbers)) or len({version.id for version in versions}) < len(numbers):
        raise InvalidInput("Its versions are not in order, or one of them stands there twice.")


def _sentence(wrong: ValidationError) -> InvalidInput:
    first = wrong.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])[:80] or "line"
    match first["type"]:
        case "missing":
            return InvalidInput(f"The member {place} is missing.")
        case "extra_forbidden":
            return InvalidInput(f"The member {place} is not known here.")
        case _:
            said = first["msg"].removeprefix("Value error, ")
            return InvalidInput(f"The member {place} cannot be read: {said[:1].lower()}{said[1:]}.")
