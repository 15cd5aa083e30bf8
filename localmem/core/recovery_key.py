"""The key of an encrypted library as a person writes it down and types it in again.

256 bits as nine groups of seven characters. The last character of each group checks that group and
its place, so that a slip is found and named; what is left over checks the whole. Letters that look
like digits are read as those. Refuses anything else, and never repeats what was typed.
"""

from __future__ import annotations

import hashlib
import re

from localmem.errors import InvalidInput

KEY_BYTES = 32
GROUPS = 9
_DATA = 6
"""Characters of a group that carry the key."""
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUES = {character: value for value, character in enumerate(_ALPHABET)}
_READ_AS = str.maketrans("OILU", "011V")
_SEPARATORS = re.compile(r"[\s\-\u2010-\u2015_.]+")
_HEX = re.compile(r"[0-9A-Fa-f]{64}")
_SPARE = GROUPS * _DATA * 5 - KEY_BYTES * 8
"""Bits beside the key's own, which check it as a whole."""


def written(key: bytes) -> str:
    """The recovery key: nine groups with hyphens between."""
    number = int.from_bytes(key, "big") << _SPARE | _sum_of(key)
    values = [number >> 5 * place & 31 for place in reversed(range(GROUPS * _DATA))]
    groups = (values[at : at + _DATA] for at in range(0, len(values), _DATA))
    return "-".join(_group(place, group) for place, group in enumerate(groups))


def read(text: str) -> bytes:
    """The key of a recovery key, or of 64 hexadecimal digits. Raises InvalidInput."""
    bare = _SEPARATORS.sub("", text)
    if _HEX.fullmatch(bare):
        return bytes.fromhex(bare)
    bare = bare.upper().translate(_READ_AS)
    length = GROUPS * (_DATA + 1)
    strange = next((at for at, character in enumerate(bare) if character not in _VALUES), None)
    if strange is not None:
        raise _wrong(f"its character {strange + 1} is none that a key has")
    if len(bare) != length:
        raise _wrong(f"it has {len(bare)} characters, and a key has {length}")
    return _key([_VALUES[character] for character in bare])


def _key(values: list[int]) -> bytes:
    number = 0
    for place in range(GROUPS):
        *group, check = values[place * (_DATA + 1) : (place + 1) * (_DATA + 1)]
        if check != _check(place, group):
            raise _wrong(f"group {place + 1} of {GROUPS} has a slip in it")
        for value in group:
            number = number << 5 | value
    key = (number >> _SPARE).to_bytes(KEY_BYTES, "big")
    if number & (1 << _SPARE) - 1 != _sum_of(key):
        raise _wrong("its groups do not belong together")
    return key


def _group(place: int, values: list[int]) -> str:
    return "".join(_ALPHABET[value] for value in (*values, _check(place, values)))


def _check(place: int, values: list[int]) -> int:
    # Odd weights: one wrong character always changes the sum.
    weighted = sum((2 * at + 1) * value for at, value in enumerate(values))
    return (weighted + 11 * (place + 1)) % 32


def _sum_of(key: bytes) -> int:
    digest = hashlib.sha256(b"localmem recovery key" + key).digest()
    return int.from_bytes(digest[:2], "big") & (1 << _SPARE) - 1


def _wrong(why: str) -> InvalidInput:
    return InvalidInput(
        f"That is not a recovery key: {why}.",
        hint=f"It has {GROUPS} groups of {_DATA + 1} letters and digits; look at it once more.",
    )
