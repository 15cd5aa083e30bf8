"""Documents and the collections they live in: names, keys, indexes, size, depth, strict JSON.

The limits are the hosted API's (memory-api, "Collections" and "Limits"; protocols 1.6, 5.1). A
document is data of the agent that wrote it, so its strings are never normalised, only checked.
JSON text is read by a reader of our own because the person edits it by hand: every fault has a
line, a column and a sentence, member names may not repeat, and no depth of nesting can hurt it.
"""

from __future__ import annotations

import json
import math
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, NoReturn

from localmem.core import ttl
from localmem.core.model import Collection, DocumentContent, Json, Millis
from localmem.errors import (
    DocumentTooDeep,
    DocumentTooLarge,
    FieldNotIndexed,
    InvalidInput,
    InvalidKey,
)

MAX_BYTES = 204_800
"""Of compact UTF-8 JSON."""
MAX_DEPTH = 32
"""Containers inside one another; a scalar alone has depth 0."""
MAX_INDEXES = 2
MAX_NAME = 63
MAX_KEY = 255
MAX_FIELD = 255

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_KEY = re.compile(r"[A-Za-z0-9._:@-]{1,255}")
_PHONE = re.compile(r"\+[0-9 ().-]{5,24}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LARGEST = int(sys.float_info.max)
_EXACT = 10**16
"""From here on Python writes a whole float with an exponent; below it 1.0 is written 1."""
_SHARED = 4 * MAX_BYTES
"""Where counting stops, so that a value which shares its parts a billion times is refused too."""


class Missing(Enum):
    """The type of MISSING, which is not null: null is a value."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING


# --- Collections -------------------------------------------------------------------------------


def collection(
    name: str,
    indexes: Iterable[str] = (),
    default_ttl: int | None = None,
    *,
    implicit: bool = False,
    created_at: Millis = 0,
) -> Collection:
    """A valid definition. Raises InvalidKey (name) and InvalidInput (indexes, TTL)."""
    return Collection(
        collection_name(name),
        check_indexes(indexes),
        None if default_ttl is None else ttl.check(default_ttl),
        implicit,
        created_at,
    )


def collection_name(text: str) -> str:
    """`text` itself. Raises InvalidKey unless 1 … 63 of a-z 0-9 - _, the first a-z 0-9."""
    if _NAME.fullmatch(text):
        return text
    raise InvalidKey(
        f"{text[:80]!r} is not a collection name.",
        hint=f"Names are 1 to {MAX_NAME} lowercase letters, digits, - and _, "
        "and start with a letter or digit.",
        details={"field": "collection"},
    )


def key(text: str) -> str:
    """`text` itself. Raises InvalidKey unless 1 … 255 of A-Z a-z 0-9 . _ : @ - (memory-api)."""
    if _KEY.fullmatch(text):
        return text
    hint = f"Keys are 1 to {MAX_KEY} characters of A-Z a-z 0-9 . _ : @ - (no spaces, no /)."
    if _PHONE.fullmatch(text):
        digits = re.sub(r"[^0-9]", "", text)
        hint = f"Use the digits of a phone number: {digits} or phone:{digits}."
    elif "+" in text:
        hint = f"{hint} A + is not allowed; of a phone number use the digits."
    raise InvalidKey(f"{text[:80]!r} is not a key.", hint=hint, details={"field": "key"})


def check_indexes(fields: Iterable[str]) -> tuple[str, ...]:
    """At most 2 distinct fields, dotted = nested path (memory-api). Raises InvalidInput."""
    checked = tuple(fields)
    for name in checked:
        if not all(name.split(".")) or len(name) > MAX_FIELD or not name.isprintable():
            raise _bad_indexes(
                f"{name[:80]!r} is not a field.",
                "Name a field such as status, or a nested one such as customer.city.",
            )
    if len(set(checked)) < len(checked):
        raise _bad_indexes("A field is indexed twice.", "Name every field once.")
    if len(checked) > MAX_INDEXES:
        raise _bad_indexes(
            f"A collection takes up to {MAX_INDEXES} indexes, not {len(checked)}.",
            "Keep the fields you look documents up by.",
        )
    return checked


def _bad_indexes(message: str, hint: str) -> InvalidInput:
    return InvalidInput(message, hint=hint, details={"field": "indexes"})


# --- Values ------------------------------------------------------------------------------------


def new(value: Json) -> DocumentContent:
    """A valid document with a copy of `value`, so that nobody can change it afterwards.

    Raises DocumentTooLarge, DocumentTooDeep, and InvalidInput for what JSON cannot hold: other
    types, NaN and infinities, numbers beyond a double, names that are not text, half characters.
    """
    copied = _Copy().of(value, 0)
    length = size(copied)
    if length > MAX_BYTES:
        raise _too_large(f"{length:,}", length)
    return DocumentContent(copied)


def size(value: Json) -> int:
    """Bytes of a valid value as compact UTF-8 JSON, which is what the limit counts."""
    return len(canonical(value).encode())


def canonical(value: Json) -> str:
    """Compact JSON of a valid value with sorted names: how it is stored, hashed and measured.

    Whole floats below 10^16 are written as integers, as other languages do: 1.0 and 1 alike.
    """
    return json.dumps(
        _whole(value),
        ensure_ascii=False,
        allow_nan=False,
        separators=(",", ":"),
        sort_keys=True,
    )


def same(left: Json | Missing, right: Json | Missing) -> bool:
    """Equality of JSON values: 1 and 1.0 are one number, true is no number, order of names is
    nothing, MISSING equals only itself."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(v, right[k]) for k, v in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def field(value: Json, dotted: str) -> Json | Missing:
    """What stands at a dotted path of member names, MISSING where the path does not exist."""
    found: Json = value
    for name in dotted.split("."):
        if not isinstance(found, dict) or name not in found:
            return MISSING
        found = found[name]
    return found


def index_value(value: Json | Missing) -> str | None:
    """The text under which an indexed field is looked up; None when it is not indexed.

    Numbers compare by value (1 is 1.0), strings by their NFC form, "1", 1 and true all differ;
    objects, lists and MISSING are not indexed.
    """
    if isinstance(value, Missing | dict | list):
        return None
    if isinstance(value, str):
        return json.dumps(unicodedata.normalize("NFC", value), ensure_ascii=False)
    if isinstance(value, float) and value.is_integer():
        return json.dumps(int(value))
    return json.dumps(value)


def check_query(collection: Collection, field: str, op: str, value: Json) -> str:
    """The index value to look up. Raises FieldNotIndexed; InvalidInput for another op or value.

    Only `eq` on a declared index, with a scalar (memory-api, "Collections"; protocols 5.1).
    """
    if op != "eq":
        raise InvalidInput(
            f"{op[:40]!r} is not a comparison.",
            hint="Use eq: a field is looked up by equality only.",
            details={"field": "op"},
        )
    if field not in collection.indexes:
        raise FieldNotIndexed(
            f"{field[:80]!r} has no index in {collection.name}.",
            hint=_index_hint(collection, field),
            details={"field": "field", "implicit": collection.implicit},
        )
    wanted = index_value(value)
    if wanted is None:
        raise InvalidInput(
            "A field is looked up by one string, number, true, false or null.",
            hint="Give one of these instead of an object or a list.",
            details={"field": "value"},
        )
    return wanted


def _index_hint(collection: Collection, field: str) -> str:
    remedy = (
        f"Create a new collection with an index on {field[:80]!r} and move the documents there: "
        "indexes are fixed at creation."
    )
    if collection.implicit:
        return f"The first write created {collection.name} without indexes. {remedy}"
    if not collection.indexes:
        return f"{collection.name} was created without indexes. {remedy}"
    return f"Look up by {' or '.join(collection.indexes)}. {remedy}"


def texts(value: Json) -> Iterator[str]:
    """Every member name and string of a valid value, for the word index; NULs become spaces."""
    if isinstance(value, str):
        yield value.replace("\0", " ")
    elif isinstance(value, dict):
        for name, member in value.items():
            yield name.replace("\0", " ")
            yield from texts(member)
    elif isinstance(value, list):
        for entry in value:
            yield from texts(entry)


def _whole(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _whole(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_whole(entry) for entry in value]
    if isinstance(value, float) and abs(value) < _EXACT and value.is_integer():
        return int(value)
    return value


class _Copy:
    """A checked deep copy; recursion ends at MAX_DEPTH, so no input can exhaust the stack."""

    def __init__(self) -> None:
        self._at_least = 0

    def of(self, value: object, depth: int) -> Json:
        self._count(1)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._string(value)
        if isinstance(value, int | float):
            return _check_number(value)
        if isinstance(value, list):
            self._descend(depth)
            return [self.of(entry, depth + 1) for entry in value]
        if isinstance(value, dict):
            self._descend(depth)
            return {self._name(k): self.of(member, depth + 1) for k, member in value.items()}
        raise _bad_value(
            f"JSON cannot hold a {type(value).__name__}.",
            "Use objects, lists, text, numbers, true, false and null.",
        )

    def _string(self, text: str) -> str:
        self._count(len(text))
        if _SURROGATE.search(text):
            raise _bad_value(
                "A text holds half of a character (a lone surrogate).",
                "Remove it, or write the whole character.",
            )
        return text

    def _name(self, name: object) -> str:
        if not isinstance(name, str):
            raise _bad_value(
                f"The member name {name!r:.40} is not text.", "Member names are strings in JSON."
            )
        return self._string(name)

    def _descend(self, depth: int) -> None:
        if depth == MAX_DEPTH:
            raise _too_deep()

    def _count(self, characters: int) -> None:
        self._at_least += characters
        if self._at_least > _SHARED:
            raise _too_large(f"more than {_SHARED:,}", self._at_least)


def _check_number(number: int | float) -> int | float:
    held = math.isfinite(number) if isinstance(number, float) else abs(number) <= _LARGEST
    if not held:
        raise _bad_value(
            "A number is not finite, or beyond what JSON readers hold (about 1.8e308).",
            "Write it as text.",
        )
    return number


def _bad_value(message: str, hint: str) -> InvalidInput:
    return InvalidInput(message, hint=hint, details={"field": "value"})


def _too_large(shown: str, length: int) -> DocumentTooLarge:
    return DocumentTooLarge(
        f"The document is too large: {shown} / {MAX_BYTES:,} bytes.",
        hint="Split it, or keep media in files and store where they are.",
        details={"field": "value", "bytes": length, "limit": MAX_BYTES},
    )


def _too_deep(**place: int) -> DocumentTooDeep:
    return DocumentTooDeep(
        f"The document is nested more than {MAX_DEPTH} levels deep.",
        hint="Flatten it, or split it in several documents.",
        details={"field": "value", "limit": MAX_DEPTH, **place},
    )


# --- JSON text ---------------------------------------------------------------------------------


def parse(text: str) -> Json:
    """Strict JSON for what a person typed; `new` then checks size and content.

    Raises InvalidInput with `details` line and column (1-based, in characters; a byte order mark
    does not count), and DocumentTooDeep with the same. Refuses NaN, repeated member names, and
    whatever else `json.loads` lets pass.
    """
    return _Reader(text.removeprefix("\ufeff")).document()


_SPACES = frozenset(" \t\n\r")
_SPACE = re.compile(r"[ \t\n\r]*")
_WORD = re.compile(r"[\w$.+-]+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_PLAIN = re.compile('"([^"\\\\\x00-\x1f\ud800-\udfff]*)"')
_INSIDE = re.compile(r'(?:[^"\\\x00-\x1f]|\\.)*')
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|(\\)')
_LINE = re.compile(r"\r\n|\n|\r")
_LITERALS: Mapping[str, Json] = {"true": True, "false": False, "null": None}
_ELSEWHERE: Mapping[str, str] = {
    "True": "true",
    "False": "false",
    "None": "null",
    "undefined": "null",
    "TRUE": "true",
    "FALSE": "false",
    "NULL": "null",
}
_NOT_FINITE = ("nan", "infinity", "inf")


@dataclass(slots=True)
class _Reader:
    """Recursive descent; recursion ends at MAX_DEPTH, so no input can exhaust the stack."""

    text: str
    at: int = 0

    def document(self) -> Json:
        if not self.text.strip(" \t\n\r"):
            self.fail(0, "There is no JSON here.", 'Write a value such as {"status": "shipped"}.')
        value = self.value(0)
        if self.next():
            self.fail_unexpected("The document ends before this.", "Keep one value per document.")
        return value

    def value(self, depth: int) -> Json:
        character = self.next()
        if character == "{":
            return self.members(depth)
        if character == "[":
            return self.entries(depth)
        if character == '"':
            return self.string()
        word = _WORD.match(self.text, self.at)
        if word is None:
            self.fail_unexpected("A value is missing here.", "Write a value, or null for none.")
        value = self.scalar(word[0])
        self.at = word.end()
        return value

    def members(self, depth: int) -> Json:
        opened = self.open(depth)
        members: dict[str, Json] = {}
        more = self.next() != "}"
        while more:
            start = self.at
            name = self.name(opened)
            if name in members:
                self.fail(start, f"The member {name[:80]!r} appears twice.", "Keep one of them.")
            if self.next() != ":":
                self.fail_inside(
                    opened, "A colon is missing after the member name.", 'Write "a": 1.'
                )
            self.at += 1
            members[name] = self.value_inside(opened, depth)
            more = self.more(opened, "}")
        self.at += 1
        return members

    def entries(self, depth: int) -> Json:
        opened = self.open(depth)
        entries: list[Json] = []
        more = self.next() != "]"
        while more:
            entries.append(self.value_inside(opened, depth))
            more = self.more(opened, "]")
        self.at += 1
        return entries

    def open(self, depth: int) -> int:
        if depth == MAX_DEPTH:
            line, column = self.place(self.at)
            raise _too_deep(line=line, column=column)
        self.at += 1
        return self.at - 1

    def value_inside(self, opened: int, depth: int) -> Json:
        if not self.next():
            self.fail_unclosed(opened)
        return self.value(depth + 1)

    def more(self, opened: int, closing: str) -> bool:
        """Whether a comma and another part follow; otherwise `at` is on the closing bracket."""
        if self.next() == closing:
            return False
        if self.next() != ",":
            self.fail_inside(
                opened, "A comma is missing before this.", "Separate parts with commas."
            )
        comma = self.at
        self.at += 1
        if self.next() == closing:
            self.fail(comma, f"A comma stands before {closing}.", "Remove the comma.")
        return True

    def name(self, opened: int) -> str:
        if self.next() == '"':
            return self.string()
        word = _WORD.match(self.text, self.at)
        if word:
            self.fail(
                self.at,
                f"The member name {word[0][:80]} has no quotes.",
                f'Write "{word[0][:80]}".',
            )
        self.fail_inside(opened, "A member name is missing here.", 'Write "name": value.')

    def string(self) -> str:
        start = self.at
        plain = _PLAIN.match(self.text, start)
        if plain:
            self.at = plain.end()
            return plain[1]
        end = self.end_of_string(start)
        for escape in _ESCAPE.finditer(self.text, start, end):
            if escape[1]:
                self.fail(
                    escape.start(),
                    "This escape is not known.",
                    "Write a backslash as two, other characters as they are or as \\u00e9.",
                )
        self.at = end
        value = str(json.loads(self.text[start:end]))
        if _SURROGATE.search(value):
            self.fail(
                start,
                "This text holds half of a character (a lone surrogate).",
                "Remove it, or write the whole character.",
            )
        return value

    def end_of_string(self, start: int) -> int:
        inside = _INSIDE.match(self.text, start + 1)
        end = inside.end() if inside else start + 1
        stopped = self.text[end : end + 1]
        if stopped == '"':
            return end + 1
        if stopped in ("", "\\", "\n", "\r"):
            self.fail(
                start,
                "This text has no closing quote on its line.",
                'Close it with ", and write a line break inside a text as \\n.',
            )
        written = "\\t" if stopped == "\t" else f"\\u{ord(stopped):04x}"
        self.fail(end, "A control character stands inside a text.", f"Write it as {written}.")

    def scalar(self, word: str) -> Json:
        if word in _LITERALS:
            return _LITERALS[word]
        number = _NUMBER.fullmatch(word)
        if number:
            return self.number(word, whole=number[1] is None and number[2] is None)
        if word in _ELSEWHERE:
            self.fail(self.at, f"{word} is not JSON.", f"Write {_ELSEWHERE[word]}.")
        if word.lstrip("+-").lower() in _NOT_FINITE:
            self.fail(self.at, f"{word} is not JSON.", "Write null, or the word as text.")
        if word[0] in "+-.0123456789":
            self.fail(
                self.at,
                f"{word[:80]} is not a JSON number.",
                "Write numbers as 12, -0.5 or 1e6; anything else, such as a date, in quotes.",
            )
        self.fail(self.at, f"The text {word[:80]} has no quotes.", f'Write "{word[:80]}".')

    def number(self, word: str, *, whole: bool) -> int | float:
        value = float(word)
        if math.isinf(value):
            self.fail(
                self.at,
                "This number is beyond what JSON readers hold.",
                "Write it as text in quotes.",
            )
        return int(word) if whole else value

    def next(self) -> str:
        """The next character that is not white space, "" at the end; moves there."""
        character = self.text[self.at : self.at + 1]
        if character in _SPACES:
            space = _SPACE.match(self.text, self.at)
            self.at = space.end() if space else self.at
            character = self.text[self.at : self.at + 1]
        return character

    def place(self, at: int) -> tuple[int, int]:
        line, start = 1, 0
        for ending in _LINE.finditer(self.text, 0, at):
            line, start = line + 1, ending.end()
        return line, at - start + 1

    def fail(self, at: int, sentence: str, hint: str) -> NoReturn:
        line, column = self.place(at)
        raise InvalidInput(
            f"Line {line}, column {column}: {sentence}",
            hint=hint,
            details={"field": "value", "line": line, "column": column},
        )

    def fail_unclosed(self, opened: int) -> NoReturn:
        bracket = self.text[opened]
        closing = "}" if bracket == "{" else "]"
        self.fail(opened, f"This {bracket} is never closed.", f"Add the {closing}.")

    def fail_inside(self, opened: int, sentence: str, hint: str) -> NoReturn:
        if not self.next():
            self.fail_unclosed(opened)
        self.fail_unexpected(sentence, hint)

    def fail_unexpected(self, sentence: str, hint: str) -> NoReturn:
        """Name the faults people make most before falling back to `sentence`."""
        character = self.next()
        if self.text[self.at : self.at + 2] in ("//", "/*") or character == "#":
            self.fail(self.at, "JSON has no comments.", "Remove it, or keep it as a member.")
        if character and character in "'`“”„‘’«»":
            self.fail(
                self.at, f"{character} is no JSON quote.", 'Put text in straight quotes: "…".'
            )
        if character and (character.isspace() or not character.isprintable()):
            self.fail(
                self.at,
                f"An invisible character (U+{ord(character):04X}) stands here.",
                "Remove it.",
            )
        self.fail(self.at, sentence, hint)
