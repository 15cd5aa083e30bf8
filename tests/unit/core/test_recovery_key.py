"""A recovery key survives paper: what is mistyped is noticed, and which group it was is said."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localmem.core import recovery_key
from localmem.errors import InvalidInput

KEYS = st.binary(min_size=32, max_size=32)
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


@given(KEYS)
def test_what_is_written_is_read_again(key: bytes) -> None:
    text = recovery_key.written(key)
    assert re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{7}-){8}[0-9A-HJKMNP-TV-Z]{7}", text)
    assert recovery_key.read(text) == key


@given(KEYS, st.integers(0, 62), st.sampled_from(ALPHABET))
def test_one_wrong_character_is_always_noticed_and_its_group_named(
    key: bytes, at: int, wrong: str
) -> None:
    bare = list(recovery_key.written(key).replace("-", ""))
    if bare[at] == wrong:
        return
    bare[at] = wrong
    with pytest.raises(InvalidInput, match=f"group {at // 7 + 1} of 9"):
        recovery_key.read("".join(bare))


def test_groups_that_changed_places_are_noticed() -> None:
    chosen, noticed = random.Random(5), 0
    for _ in range(300):
        groups = recovery_key.written(chosen.randbytes(32)).split("-")
        first, second = chosen.sample(range(9), 2)
        if groups[first] == groups[second]:
            continue
        groups[first], groups[second] = groups[second], groups[first]
        with pytest.raises(InvalidInput):
            recovery_key.read("-".join(groups))
        noticed += 1
    assert noticed > 250


@given(KEYS)
def test_it_may_be_typed_as_people_type(key: bytes) -> None:
    text = recovery_key.written(key)
    assert recovery_key.read(f"  {text.lower().replace('-', ' ')}\n") == key
    assert recovery_key.read(text.replace("-", "–")) == key
    assert recovery_key.read(text.replace("0", "O").replace("1", "l")) == key


@given(KEYS)
def test_a_script_may_give_hexadecimal(key: bytes) -> None:
    assert recovery_key.read(key.hex()) == recovery_key.read(key.hex().upper()) == key


@pytest.mark.parametrize("text", ["", "short", "ä" * 63, "0" * 62, "0" * 65, "1" * 63, "\x1b[31m"])
def test_anything_else_is_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(InvalidInput, match="not a recovery key") as refused:
        recovery_key.read(text)
    assert not text or text not in str(refused.value)
