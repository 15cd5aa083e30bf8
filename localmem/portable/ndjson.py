"""localmem's own export, a JSON object a line: everything that is kept, as it is kept.

The first line says what the file is and what it leaves out. The lines depend on the library alone,
not on when they were written: the same library makes the same bytes. Refuses a file of a newer
format; files that were joined are one. The shapes, and pydantic with them, are imported for such a
file alone: to tell that one is not ours takes neither.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from localmem.core import documents, json_text
from localmem.core.incoming import Definition, Line, Standing, Unreadable, Whole
from localmem.core.model import DocumentContent, Json, Version
from localmem.errors import ImportUnreadable, InvalidInput

if TYPE_CHECKING:
    from localmem.wire.shapes import Shape

LEFT_OUT: Mapping[str, str] = MappingProxyType(
    {
        "expired": "what had expired",
        "derived": "word index and vectors, which are made anew",
        "logs": "the activity, the undo log and drafts",
        "forgotten": "what was forgotten, and what was rejected in the inbox",
    }
)
LONGEST_PART = 1024 * 1024
"""Bytes of older versions on one line: readers bound what a line may hold."""
OLDER_VERSIONS = "every version but the current one (export with history keeps them)"


def is_ours(first_line: str) -> bool:
    """Whether a file that begins so is an export of localmem, of any format."""
    if '"localmem"' not in first_line:
        return False
    from localmem.wire import portable as wire

    try:
        return wire.read_header(json.loads(first_line)) is not None
    except (ValueError, RecursionError):
        return False


def read(lines: Iterable[tuple[int, str]]) -> Iterator[Line]:
    """What the lines offer, by number; a line that says nothing is Unreadable.

    Raises ImportUnreadable for a format newer than this one.
    """
    from localmem.wire import portable as wire

    before = wire.Versions()
    for number, text in lines:
        if not text.strip():
            continue
        try:
            value = json_text.parse(text)
            if not _is_header(value) and not before.take(value):
                yield wire.read(value, number, before)
        except InvalidInput as problem:
            yield Unreadable(number, why(problem))


def write(
    values: Iterable[Definition | Standing | Whole], *, history: bool, ascii_only: bool = False
) -> Iterator[str]:
    """The lines of an export, each with its line break; the first says what follows."""
    from localmem.wire import portable as wire

    left_out = dict(LEFT_OUT) if history else {**LEFT_OUT, "history": OLDER_VERSIONS}
    yield line(wire.header(history=history, left_out=left_out), ascii_only=ascii_only)
    for value in values:
        for part in _parts(value):
            yield line(part, ascii_only=ascii_only)


def why(problem: InvalidInput) -> str:
    """Its sentence, for a report that names the line itself."""
    said = problem.message.removeprefix("Line 1, ")
    return said[:1].upper() + said[1:]


def _parts(value: Definition | Standing | Whole) -> Iterator[Shape]:
    """The line of a value; a long history goes before it, a part a line."""
    from localmem.wire import portable as wire

    if not isinstance(value, Whole) or not value.earlier:
        yield wire.shape(value)
        return
    held: list[Version] = []
    size = 0
    for version in value.earlier:
        held.append(version)
        size += _size(version)
        if size >= LONGEST_PART:
            yield wire.versions(replace(value, earlier=tuple(held)))
            held, size = [], 0
    yield wire.shape(replace(value, earlier=tuple(held)))


def _size(version: Version) -> int:
    content = version.content
    return documents.size(content.value) if isinstance(content, DocumentContent) else 1_000


def line(value: Json, *, ascii_only: bool = False) -> str:
    """One JSON value on one line; no terminal that shows it obeys what is in it."""
    text = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":"))
    return json_text.without_controls(text) + "\n"


def _is_header(value: Json) -> bool:
    from localmem.wire import portable as wire

    format = wire.read_header(value)
    if format is not None and not 1 <= format <= wire.FORMAT:
        raise ImportUnreadable(
            f"This export was written by a newer localmem (format {format}; this one reads up to "
            f"{wire.FORMAT}).",
            hint="Upgrade localmem and import it again.",
        )
    return format is not None
