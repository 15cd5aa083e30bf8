"""The elements of a JSON file, one after the other, however large the file is.

A list gives its elements; an object gives those of the lists it holds, or itself when it holds
none; JSON a line gives what each line says, also where two stand on one because a line feed was
lost (FR-98). What is broken is named where it stands, and the rest goes on (FR-99).
"""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import IO, Any

import ijson  # type: ignore[import-untyped]  # the package ships no types

from localmem.core.incoming import Unreadable
from localmem.core.model import Json
from localmem.errors import ImportUnreadable
from localmem.portable import lines
from localmem.portable.streams import LONGEST, JsonBytes, TokenBytes

Broken: type[Exception] = ijson.JSONError
"""What is not JSON, or not all of it."""

_WHOLE = frozenset(("metadata", "tags", "categories", "labels", "memory_files"))
"""Members that are lists or objects of their owner, never lists of memories."""
LISTS = frozenset(
    ("memories", "facts", "items", "results", "data", "entries", "notes", "list", "preferences")
)
"""Members whose lists are memories even where they are bare sentences."""
_DEEPEST = 500


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
    at = _skip(text, 0)
    while at < len(text):
        try:
            value, at = scan(text, at)
        except (json.JSONDecodeError, RecursionError) as problem:
            yield Unreadable(number, _broken(problem))
            return
        yield Element(number, value)
        at = _skip(text, at)


_MOST_DIGITS = 400
"""JSON readers hold numbers of some 300; Python refuses to read more than 4,300."""


def _integer(digits: str) -> int | str:
    """A number that nothing can hold stays the text it is."""
    return int(digits) if len(digits) <= _MOST_DIGITS else digits


scan = json.JSONDecoder(parse_int=_integer).raw_decode
"""The value at a place of a text, and where it ends."""


def _skip(text: str, at: int) -> int:
    while at < len(text) and (text[at].isspace() or text[at] in "\ufeff,"):
        at += 1
    return at


def _broken(problem: json.JSONDecodeError | RecursionError) -> str:
    if isinstance(problem, RecursionError):
        return "The JSON is nested too deep."
    cut = _is_cut(problem)
    return (
        f"The JSON of this line {'breaks off' if cut else f'is broken at column {problem.colno}'}."
    )


def of_document(stream: IO[bytes], *, listed: bool = False) -> Iterator[Element | Unreadable]:
    """One JSON value over many lines, or several after one another; `listed` when it is a list.

    Raises ImportUnreadable when it is broken before its first element ends.
    """
    number = 0
    try:
        values = of_list(stream) if listed else _walk(TokenBytes(stream))
        for section, value in values:
            number += 1
            yield Element(number, value, section)
    except Broken as problem:
        why = _fault(problem)
        if not number:
            raise ImportUnreadable(why, hint="Export it again, or repair it.") from problem
        yield Unreadable(number + 1, f"{why} Nothing behind element {number:,} was read.")


def _fault(problem: Exception) -> str:
    said = str(problem).casefold()
    if "premature" in said or "incomplete" in said or "eof" in said:
        return "The JSON breaks off in the middle; the file is not whole."
    return "The file is not valid JSON."


# --- A list: the standard library's scanner over a window, which nesting cannot exhaust ----------

_WINDOW = 262_144
_BETWEEN = re.compile(r"[\s,\ufeff]*")


def of_list(stream: IO[bytes]) -> Iterator[tuple[str, Json]]:
    """The elements of a list, and of a second one behind it. Raises Broken, RecursionError."""
    window = _Window(JsonBytes(stream))
    inside = False
    while (character := window.next()) is not None:
        if character == ("]" if inside else "["):
            inside = not inside
            window.at += 1
        else:
            yield "", window.value()


class _Window:
    """The part of the text that is being read: as long as the element that is read, at most."""

    def __init__(self, stream: JsonBytes) -> None:
        self._stream = io.BufferedReader(stream, _WINDOW)
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._scan = scan
        self._text = ""
        self._ended = False
        self.at = 0

    def next(self) -> str | None:
        """The next character that means something; None at the end."""
        while True:
            found = _BETWEEN.match(self._text, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self._text):
                return self._text[self.at]
            if self._ended:
                return None
            self._more()

    def value(self) -> Json:
        while True:
            try:
                value, end = self._scan(self._text, self.at)
            except json.JSONDecodeError as problem:
                if self._ended:
                    raise Broken("incomplete" if _is_cut(problem) else problem.msg) from problem
                if len(self._text) - self.at > LONGEST * 4:
                    raise Broken("an element of more than 64 MB") from problem
            else:
                if end < len(self._text) or self._ended:
                    self.at = end
                    return value  # type: ignore[no-any-return]
            self._more()

    def _more(self) -> None:
        kept = self._text[self.at :]
        chunk = self._stream.read(max(_WINDOW, len(kept)))
        self._ended = not chunk
        try:
            self._text = kept + self._decode(chunk, not chunk)
        except UnicodeDecodeError as problem:
            raise Broken("not UTF-8") from problem
        self.at = 0


def _is_cut(problem: json.JSONDecodeError) -> bool:
    """Whether the text ends before its JSON does."""
    return problem.msg.startswith("Unterminated") or problem.pos >= len(problem.doc.rstrip())


# --- An object: its lists one element at a time ---------------------------------------------------

Token = tuple[str, Any]


def tokens(stream: TokenBytes) -> Iterator[Token]:
    """(what, value) of every token of the JSON. Raises Broken."""
    try:
        yield from ijson.basic_parse(stream, multiple_values=True)
    except (InvalidOperation, ValueError) as problem:
        raise ijson.JSONError("a number nothing can hold") from problem


def _walk(stream: TokenBytes) -> Iterator[tuple[str, Json]]:
    """(section, value) of what can be a memory."""
    found = tokens(stream)
    for event, value in found:
        if event == "start_array":
            yield from (("", each) for each in _items(found))
        elif event == "start_map":
            yield from _of_object(found)
        else:
            yield "", value


def _of_object(found: Iterator[Token]) -> Iterator[tuple[str, Json]]:
    """The elements of its lists of objects; itself, when there are none."""
    own: dict[str, Json] = {}
    lists = 0
    for event, name in found:
        if event == "end_map":
            break
        event, value = next(found)
        if event != "start_array":
            own[name] = _build(found, event, value)
            continue
        event, value = next(found)
        if event == "end_array":
            own[name] = []
        elif name not in _WHOLE and (event == "start_map" or name in LISTS):
            lists += 1
            yield name, _build(found, event, value)
            yield from ((name, each) for each in _items(found))
        else:
            own[name] = [_build(found, event, value), *_items(found)]
    if own and not lists:
        yield "", own


def _items(found: Iterator[Token]) -> Iterator[Json]:
    """What is left of a list whose beginning was read."""
    for event, value in found:
        if event == "end_array":
            return
        yield _build(found, event, value)


def _build(found: Iterator[Token], event: str, value: Any) -> Json:
    """One value whose first token was read. Raises RecursionError."""
    if event not in ("start_map", "start_array"):
        return value  # type: ignore[no-any-return]
    builder = ijson.common.ObjectBuilder()
    builder.event(event, value)
    depth = 1
    for event, value in found:
        builder.event(event, value)
        depth += event.startswith("start_") - (event in ("end_map", "end_array"))
        if depth > _DEEPEST:
            raise RecursionError
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
