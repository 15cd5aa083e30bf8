"""The elements of a JSON file, one after the other, however large the file is.

A list gives its elements; an object gives those of the lists it holds, or itself when it holds
none; JSON a line gives what each line says, also where two stand on one because a line feed was
lost (FR-98). What is broken is named where it stands, and the rest goes on (FR-99).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import IO, Any

import ijson  # type: ignore[import-untyped]  # the package ships no types

from localmem.core.incoming import Unreadable
from localmem.core.model import Json
from localmem.errors import ImportUnreadable
from localmem.portable import lines
from localmem.portable.streams import JsonBytes

Broken: type[Exception] = ijson.JSONError
"""What is not JSON, or not all of it."""

_WHOLE = frozenset(("metadata", "tags", "categories", "labels"))
"""Members that are lists or objects of their owner, never lists of memories."""


@dataclass(frozen=True, slots=True)
class Element:
    number: int
    """The line where the file has lines, else which one it is, from 1."""
    value: Json
    section: str = ""
    """The member of the file's object that it stands in."""


def of_lines(stream: IO[bytes]) -> Iterator[Element | Unreadable]:
    """JSON a line."""
    for line in lines.read(stream):
        if isinstance(line, Unreadable):
            yield line
        else:
            yield from _of_line(*line)


def _of_line(number: int, text: str) -> Iterator[Element | Unreadable]:
    decoder = json.JSONDecoder()
    at = _skip(text, 0)
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError) as problem:
            yield Unreadable(number, _broken(text, problem))
            return
        yield Element(number, value)
        at = _skip(text, at)


def _skip(text: str, at: int) -> int:
    while at < len(text) and (text[at].isspace() or text[at] in "\ufeff,"):
        at += 1
    return at


def _broken(text: str, problem: Exception) -> str:
    if isinstance(problem, RecursionError):
        return "The JSON is nested too deep."
    at = getattr(problem, "pos", 0)
    where = "breaks off" if at >= len(text.rstrip()) else f"is broken at column {at + 1}"
    return f"The JSON of this line {where}."


def of_document(stream: IO[bytes]) -> Iterator[Element | Unreadable]:
    """One JSON value over many lines, or several after one another.

    Raises ImportUnreadable when it is broken before its first element ends.
    """
    number = 0
    try:
        for section, value in _walk(JsonBytes(stream)):
            number += 1
            yield Element(number, value, section)
    except Broken as problem:
        why = _fault(problem)
        if not number:
            raise ImportUnreadable(why, hint="Export it again, or repair it.") from problem
        yield Unreadable(number + 1, f"{why} Nothing behind element {number:,} was read.")


def of_list(stream: IO[bytes]) -> Iterator[tuple[int, Json]]:
    """The elements of a list, the fastest way; of several lists, of all. Raises Broken."""
    found = ijson.items(JsonBytes(stream), "item", multiple_values=True)
    yield from enumerate(found, 1)


def _fault(problem: Exception) -> str:
    said = str(problem).casefold()
    if "premature" in said or "incomplete" in said or "eof" in said:
        return "The JSON breaks off in the middle; the file is not whole."
    return "The file is not valid JSON."


def events(stream: IO[bytes] | JsonBytes) -> Iterator[tuple[str, str, Any]]:
    """(where, what, value) of every token. Raises Broken."""
    yield from ijson.parse(stream, multiple_values=True)


def _walk(stream: IO[bytes] | JsonBytes) -> Iterator[tuple[str, Json]]:
    """(section, value) of what can be a memory."""
    tokens = events(stream)
    for _, event, value in tokens:
        if event == "start_array":
            yield from (("", each) for each in _items(tokens))
        elif event == "start_map":
            yield from _of_object(tokens)
        else:
            yield "", value


def _of_object(tokens: Iterator[tuple[str, str, Any]]) -> Iterator[tuple[str, Json]]:
    """The elements of its lists of objects; itself, when there are none."""
    own: dict[str, Json] = {}
    lists = 0
    for _, event, name in tokens:
        if event == "end_map":
            break
        _, event, value = next(tokens)
        if event != "start_array":
            own[name] = _build(tokens, event, value)
        elif name in _WHOLE:
            own[name] = list(_items(tokens))
        else:
            lists += 1
            yield from ((name, each) for each in _items(tokens))
    if own and not lists:
        yield "", own


def _items(tokens: Iterator[tuple[str, str, Any]]) -> Iterator[Json]:
    """What is left of a list whose beginning was read."""
    for _, event, value in tokens:
        if event == "end_array":
            return
        yield _build(tokens, event, value)


def _build(tokens: Iterable[tuple[str, str, Any]], event: str, value: Any) -> Json:
    """One value whose first event was read."""
    if event not in ("start_map", "start_array"):
        return value  # type: ignore[no-any-return]
    builder = ijson.common.ObjectBuilder()
    builder.event(event, value)
    depth = 1
    for _, event, value in tokens:
        builder.event(event, value)
        depth += event.startswith("start_") - (event in ("end_map", "end_array"))
        if not depth:
            break
    return builder.value  # type: ignore[no-any-return]


def plain(value: Any) -> Json:
    """The value with its numbers as JSON holds them; readers give exact decimals."""
    if isinstance(value, Decimal):
        return (
            int(value)
            if value == value.to_integral_value() and abs(value) < 2**53
            else float(value)
        )
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [plain(member) for member in value]
    return value  # type: ignore[no-any-return]
