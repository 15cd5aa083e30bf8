"""A fact's id on the wire: `mem_` and a ULID, which is the item's UUIDv7 in Crockford's letters.

Both are 128 bits whose first 48 are the millisecond, so either tells the other and they sort
alike (protocols 5.1).
"""

from __future__ import annotations

import uuid

from localmem.core.model import ItemId

PREFIX = "mem_"
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 26
_PAIRS = tuple(first + second for first in LETTERS for second in LETTERS)
_SHIFTS = range(120, -1, -10)
_VALUES = {letter: value for value, letter in enumerate(LETTERS)}


def fact_id(id: ItemId) -> str:
    number = int(id.replace("-", ""), 16)
    return PREFIX + "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])


def item_id(text: str) -> ItemId | None:
    """The item that a wire id names; None for what is no such id."""
    letters = text.removeprefix(PREFIX)
    if letters == text or len(letters) != LENGTH or not set(letters) <= _VALUES.keys():
        return None
    number = 0
    for letter in letters:
        number = number << 5 | _VALUES[letter]
    return ItemId(str(uuid.UUID(int=number))) if number < 1 << 128 else None
