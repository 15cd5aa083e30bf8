"""One memory out of an object of another program: which of its fields is what.

The names that are known are those of the hosted APIs and of the memory servers in use. What a
field says beyond that is kept as metadata as long as it is small; what is not kept is named, once,
in the notes of the source. Refuses to guess at a date or a time to live that it cannot read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from localmem.core import scope as scopes
from localmem.core import ttl
from localmem.core.incoming import Incoming, Unreadable
from localmem.core.model import (
    DocumentContent,
    Evidence,
    FactContent,
    Kind,
    Millis,
    PreferenceContent,
    Provenance,
)
from localmem.core.preferences import MAX_QUOTE, PreferenceKey
from localmem.core.scope import Scope
from localmem.errors import InvalidInput, LocalmemError
from localmem.portable.elements import plain

TEXT: Final = ("text", "content", "memory", "fact", "value", "sentence", "observation")
CREATED: Final = ("createdAt", "created_at", "created_at_iso", "timestamp", "created", "date",
                  "writtenAt", "written_at")  # fmt: skip
EXPIRES: Final = ("expiresAt", "expires_at", "expiration_date")
LASTING: Final = ("ttl", "ttlSeconds", "ttl_seconds")
IGNORED: Final = frozenset(
    ("id", "uuid", "memory_id", "score", "hash", "content_hash", "rev", "embedding", "updatedAt",
     "updated_at", "updated_at_iso", "enabled", "similarity_score", "path", "quote", "author",
     "agent", "contactId", "conversationId", "scope", "metadata", "tags", "categories",
     "category", "memory_type")
)  # fmt: skip
"""Fields that are read for what they are, or mean nothing outside the program they come from."""

_SIX = frozenset(PreferenceKey)
_ROOM = 1_900
"""Bytes of metadata taken over, of 2,048."""
_LONGEST_VALUE = 512
_LONGEST_KEY = 64
_LONGEST_SOURCE = 500
_DOCUMENT = frozenset(
    ("key", "value", "rev", "createdAt", "updatedAt", "created_at", "updated_at", "collection",
     "scope", "contactId", "conversationId", *EXPIRES, *LASTING)
)  # fmt: skip
"""The members a document of a collection may have; one more, and it is a memory of its own kind."""
_MOST_NAMED = 12


@dataclass(slots=True)
class Origin:
    """What is the same for every memory of a file."""

    name: str
    """The file, as shown."""
    author: str
    now: Millis
    collection: str
    """Where documents go that name no collection."""
    left_out: dict[str, None] = field(default_factory=dict)
    """Names of fields that were not kept."""

    def source(self, number: int, more: str = "", *, unit: str = "line") -> str:
        """Where it was read: `notes.txt, line 3`."""
        return f"{self.name}, {unit} {number:,}{f' · {more}' if more else ''}"[:_LONGEST_SOURCE]

    def leave_out(self, name: str) -> None:
        if len(self.left_out) < _MOST_NAMED:
            self.left_out.setdefault(name[:40])

    def notes(self) -> list[str]:
        if not self.left_out:
            return []
        return [f"Left out, being too large for metadata: {', '.join(self.left_out)}."]


def read(value: Any, number: int, origin: Origin, *, unit: str) -> Iterator[Incoming | Unreadable]:
    """What an element offers: one memory, the six preferences of an object, or a sentence."""
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict):
        yield Unreadable(number, f"{_called(value)} is not a memory.")
        return
    try:
        yield from _of_object(value, number, origin, unit)
    except LocalmemError as problem:
        yield Unreadable(number, str(problem))
    except RecursionError:
        yield Unreadable(number, "It is nested too deep.")


def _of_object(
    value: dict[str, Any], number: int, origin: Origin, unit: str
) -> Iterator[Incoming | Unreadable]:
    key = value.get("key")
    if isinstance(key, str) and key in _SIX:
        yield _preference(key, value, number, origin, unit)
    elif isinstance(key, str) and "value" in value and value.keys() <= _DOCUMENT:
        yield _document(value, number, origin, unit)
    elif value and value.keys() <= _SIX:
        for key, held in value.items():
            yield _preference(key, {"value": held}, number, origin, unit)
    elif value.get("enabled") is False:
        yield Unreadable(number, "It is switched off in the program it comes from.")
    else:
        yield fact(value, number, origin, unit=unit)


def fact(
    value: Mapping[str, Any], number: int, origin: Origin, *, unit: str
) -> Incoming | Unreadable:
    """Raises InvalidInput, InvalidScope."""
    name = next((each for each in TEXT if isinstance(value.get(each), str)), "")
    if not name:
        known = ", ".join(list(value)[:6]) or "no fields at all"
        return Unreadable(number, f"No field holds a text: it has {known[:120]}.")
    written = moment(value)
    return Incoming(
        number,
        FactContent(value[name], _metadata(value, name, origin), _text(value, "path") or None),
        scope=_scope(value),
        written_at=written,
        expires_at=_expires(value, written, origin.now),
        evidence=_evidence(value, number, origin, unit),
        author=origin.author or _text(value, "author") or _text(value, "agent"),
    )


def _document(value: dict[str, Any], number: int, origin: Origin, unit: str) -> Incoming:
    written = moment(value)
    return Incoming(
        number,
        DocumentContent(plain(value["value"])),
        Kind.DOCUMENT,
        scope=_scope(value),
        collection=_text(value, "collection") or origin.collection,
        key=value["key"],
        written_at=written,
        expires_at=_expires(value, written, origin.now),
        evidence=_evidence(value, number, origin, unit),
        author=origin.author,
    )


def _preference(
    key: str, value: dict[str, Any], number: int, origin: Origin, unit: str
) -> Incoming | Unreadable:
    held = value.get("value")
    if isinstance(held, list) and all(isinstance(each, str) for each in held):
        held = tuple(held)
    elif isinstance(held, int | Decimal) and not isinstance(held, bool):
        held = str(held)
    if not isinstance(held, str | tuple):
        return Unreadable(number, f"{key} holds {_called(held)} instead of a size or names.")
    inferred = value.get("provenance") == Provenance.INFERRED
    return Incoming(
        number,
        PreferenceContent(held),
        Kind.PREFERENCE,
        key=key,
        provenance=Provenance.INFERRED if inferred else Provenance.DECLARED,
        written_at=moment(value),
        evidence=_evidence(value, number, origin, unit),
        author=origin.author,
    )


def _evidence(value: Mapping[str, Any], number: int, origin: Origin, unit: str) -> Evidence:
    id = next(
        (_text(value, name) for name in ("id", "uuid", "memory_id") if _text(value, name)), ""
    )
    return Evidence(
        quote=_text(value, "quote")[:MAX_QUOTE] or None,
        purchase_id=_text(value, "purchase_id") or None,
        source=origin.source(number, id[:80], unit=unit),
    )


def _scope(value: Mapping[str, Any]) -> Scope | None:
    """Raises InvalidScope."""
    for name, make in (("contactId", scopes.contact), ("conversationId", scopes.conversation)):
        if _text(value, name):
            return make(_text(value, name))
    named = _text(value, "scope")
    return scopes.parse(named) if named else None


def _expires(value: Mapping[str, Any], written: Millis | None, now: Millis) -> Millis | None:
    """Raises InvalidInput."""
    at = _moment(value, EXPIRES)
    lasting = next((value[name] for name in LASTING if value.get(name) is not None), None)
    if at is not None or lasting is None:
        return at
    seconds = ttl.parse(str(lasting))
    return None if seconds is None else (written if written is not None else now) + seconds * 1000


def moment(value: Mapping[str, Any]) -> Millis | None:
    """When it was written. Raises InvalidInput."""
    return _moment(value, CREATED)


def _moment(value: Mapping[str, Any], names: tuple[str, ...]) -> Millis | None:
    for name in names:
        if value.get(name) not in (None, ""):
            at = millis(value[name])
            if at is None:
                raise InvalidInput(f"{name} is not a date: {str(value[name])[:40]!r}.")
            return at
    return None


def millis(value: object) -> Millis | None:
    """A moment as other programs write it: RFC 3339, a day, seconds or milliseconds since 1970.

    A date without a zone is UTC.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float | Decimal):
        try:
            number = float(value)
        except OverflowError:
            return None
        if not abs(number) < 1e15:  # nor is NaN
            return None
        at = int(number * 1000) if abs(number) < 1e11 else int(number)
        return at if -62_135_596_800_000 <= at < 253_402_300_800_000 else None
    try:
        found = datetime.fromisoformat(str(value).strip().replace(" UTC", "+00:00"))
        found = found if found.tzinfo else found.replace(tzinfo=UTC)
        return int(found.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def _metadata(value: Mapping[str, Any], text: str, origin: Origin) -> dict[str, str]:
    read = {text, *CREATED, *EXPIRES, *LASTING, *IGNORED}
    given = value.get("metadata")
    offered = dict(given) if isinstance(given, dict) else {"metadata": given}
    for name in ("tags", "categories", "category", "memory_type"):
        offered[name] = value.get(name)
    offered |= {name: member for name, member in value.items() if name not in read}
    return small(offered, origin.leave_out)


def small(offered: Mapping[str, Any], leave_out: Callable[[str], None]) -> dict[str, str]:
    """What of it metadata can hold, as text; the names of the rest are given to `leave_out`."""
    kept: dict[str, str] = {}
    used = 2
    for name, member in offered.items():
        text = _as_text(member) if member is not None else ""
        if not text or not name.strip():
            continue
        size = len(f'"{name}":"{text}",'.encode("utf-8", "replace")) + text.count('"')
        if len(text) > _LONGEST_VALUE or len(name) > _LONGEST_KEY or used + size > _ROOM:
            leave_out(name)
            continue
        kept[name] = text
        used += size
    return kept


def _as_text(value: Any) -> str:
    match value:
        case None | "" | []:
            return ""
        case dict() if not value:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case list() if all(isinstance(each, str) for each in value):
            return ", ".join(value)
        case list() | dict():
            return json.dumps(plain(value), ensure_ascii=False)
        case _:
            return str(value)


def _text(value: Mapping[str, Any], name: str) -> str:
    held = value.get(name)
    return held if isinstance(held, str) else ""


def _called(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float() | Decimal():
            return "A number"
        case list():
            return "A list"
        case _:
            return "An object"
