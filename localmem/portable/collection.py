"""One collection of one scope, a document a line, as the hosted command line writes and reads it.

    {"key": "ORD-1", "value": {"status": "shipped"}, "rev": 3, "createdAt": …, "updatedAt": …}

Reading needs `key` and `value` alone. Refuses a time to live it cannot read: to keep something for
good that was to go is no small mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

from localmem.core import json_text, ttl
from localmem.core.incoming import Incoming, Line, Unreadable, Whole
from localmem.core.model import DocumentContent, Json, Kind, Millis
from localmem.errors import ImportUnreadable, InvalidInput
from localmem.portable import lines, opening, streams
from localmem.portable.ndjson import line, why
from localmem.portable.source import Source
from localmem.wire import shapes
from localmem.wire.portable import instant

_READ = ("key", "value", "createdAt", "updatedAt", "expiresAt", "ttlSeconds")
_HERE = ("rev", "id", "collection", "scope", "contactId", "conversationId")
"""Members an export has that say nothing about what is written here."""


def write(values: Iterable[object], *, ascii_only: bool = False) -> Iterator[str]:
    """The lines of its documents, each with its line break."""
    for value in values:
        if isinstance(value, Whole):
            held = shapes.document(value.item)
            told = {name: held[name] for name in _MEMBERS if name in held}
            yield line(told, ascii_only=ascii_only)


_MEMBERS = ("key", "value", "rev", "createdAt", "updatedAt", "expiresAt")


def open_source(place: Path | BinaryIO, collection: str, *, now: Millis) -> Source:
    """The file or pipe, to be read. Raises ImportUnreadable."""
    opened = opening.path(place, ()) if isinstance(place, Path) else opening.stream(place)
    if opened.file is None:
        raise ImportUnreadable(
            f"{opened.name} is a folder.", hint="Name a file with a document a line."
        )
    below = streams.Counted(opened.head, opened.file)
    text = streams.as_text(opened.head, below, opened.name)
    notes = [text.note] if text.note else []
    return Source(
        "collection",
        f"documents of {collection}",
        opened.name,
        opened.fingerprint and f"{opened.fingerprint}-{collection}",
        opened.total,
        "",
        notes,
        lambda: below.given,
        lambda: _read(text.stream, collection, now, notes),
        below.close,
    )


def _read(stream: IO[bytes], collection: str, now: Millis, notes: list[str]) -> Iterator[Line]:
    left_out: dict[str, None] = {}
    yield from read(stream, collection, now=now, left_out=left_out)
    if left_out:
        notes.append(f"Members that are not kept: {', '.join(left_out)}.")


def read(
    stream: IO[bytes], collection: str, *, now: Millis, left_out: dict[str, None]
) -> Iterator[Line]:
    """What the lines offer; names of members that are not kept go into `left_out`."""
    for found in lines.read(stream):
        if isinstance(found, Unreadable):
            yield found
            continue
        number, text = found
        if not text.strip():
            continue
        try:
            yield _document(json_text.parse(text), number, collection, now, left_out)
        except InvalidInput as problem:
            yield Unreadable(number, why(problem))


def _document(
    value: Json, number: int, collection: str, now: Millis, left_out: dict[str, None]
) -> Incoming:
    if not isinstance(value, dict) or not isinstance(value.get("key"), str):
        raise InvalidInput("It is no object with a key, as text.")
    if "value" not in value:
        raise InvalidInput("It has no value.")
    for name in value.keys() - {*_READ, *_HERE}:
        left_out.setdefault(name[:40])
    return Incoming(
        number,
        DocumentContent(value["value"]),
        kind=Kind.DOCUMENT,
        collection=collection,
        key=str(value["key"]),
        written_at=_time(value, "updatedAt") or _time(value, "createdAt"),
        expires_at=_expiry(value, now),
    )


def _time(value: dict[str, Json], name: str) -> Millis | None:
    given: Any = value.get(name)
    if given is None:
        return None
    try:
        return instant(given)
    except ValueError as problem:
        raise InvalidInput(f"The member {name} cannot be read: {problem}.") from None


def _expiry(value: dict[str, Json], now: Millis) -> Millis | None:
    seconds = value.get("ttlSeconds")
    if seconds is None:
        return _time(value, "expiresAt")
    if not isinstance(seconds, int) or isinstance(seconds, bool):
        raise InvalidInput("The member ttlSeconds is not a whole number of seconds.")
    return ttl.expires_at(now, seconds)
