"""Documents and the collections they live in: names, keys, indexes, size, depth.

The limits are the hosted API's (memory-api, "Collections" and "Limits"; protocols 1.6, 5.1). A
document is data of the agent that wrote it, so its strings are never normalised, only checked.
"""

from __future__ import annotations

import json
import math
import re
import sys
import unicodedata
from collections.abc import Iterable
from enum import Enum
from typing import Final

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
_COMPACT = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
)
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
    # Sorted, and with whole numbers written short, it is no longer than so.
    if len(_COMPACT.encode(copied).encode()) > MAX_BYTES:
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
    wanted = index_value(new(value).value)
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


def texts(value: Json) -> list[str]:
    """Every member name and string of a valid value, for the word index; NULs become spaces."""
    found: list[str] = []
    _gather(value, found)
    return found


def _gather(value: Json, into: list[str]) -> None:
    if isinstance(value, str):
        into.append(value.replace("\0", " "))
    elif isinstance(value, dict):
        for name, member in value.items():
            into.append(name.replace("\0", " "))
            _gather(member, into)
    elif isinstance(value, list):
        for entry in value:
            _gather(entry, into)


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
            raise DocumentTooDeep(
                f"The document is nested more than {MAX_DEPTH} levels deep.",
                hint="Flatten it, or split it in several documents.",
                details={"field": "value", "limit": MAX_DEPTH},
            )

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
