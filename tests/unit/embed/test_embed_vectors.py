"""Numbers and texts from outside, before they become vectors."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localmem.embed.text import encodable, views, without_shouting
from localmem.embed.vectors import dimensions, unit


def test_a_vector_is_scaled_to_length_one() -> None:
    assert struct.unpack("<2f", unit([3, 4.0])) == pytest.approx((0.6, 0.8))
    assert dimensions(unit([3, 4.0])) == 2


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=40))
def test_every_finite_vector_comes_out_with_length_one_or_is_refused(values: list[float]) -> None:
    try:
        vector = unit(values)
    except ValueError:
        assert not 0 < math.hypot(*values) < math.inf
    else:
        length = math.hypot(*struct.unpack(f"<{len(values)}f", vector))
        assert math.isclose(length, 1.0, abs_tol=1e-6)


@pytest.mark.parametrize(
    "values",
    [
        None,
        [],
        {},
        "0.1",
        [0.0, 0.0],
        [1.0, float("nan")],
        [float("inf")],
        [1, None],
        [1, "2"],
        [True, 1.0],
        [[1.0]],
        [10**400],
        [1.7e308, 1.7e308],
    ],
    ids=repr,
)
def test_anything_but_a_vector_is_refused(values: object) -> None:
    with pytest.raises(ValueError, match=r"^(is|holds) "):
        unit(values)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("PREFERS MORNING CALLS", "prefers morning calls"),
        ("TAMANHO DE CALÇAS: 42!", "tamanho de calças: 42!"),
        ("DO NOT CALL", "do not call"),
        ("PREFERS morning CALLS", "PREFERS morning CALLS"),
        ("Prefers morning calls", "Prefers morning calls"),
        ("NIF PT509000000", "NIF PT509000000"),
        ("NASA ESA", "NASA ESA"),
        ("INTERNATIONAL", "INTERNATIONAL"),
        ("USBケーブル ABCDEFGH", "USBケーブル ABCDEFGH"),
        ("12 345", "12 345"),
        ("", ""),
    ],
)
def test_only_a_shouted_sentence_is_lowered(text: str, seen: str) -> None:
    assert without_shouting(text) == seen


@given(st.text(st.characters()))
def test_every_text_can_be_encoded_after_mending(text: str) -> None:
    assert encodable(text).encode("utf-8") == text.encode("utf-8", "replace")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Prefers WhatsApp.", ("Prefers WhatsApp.", "prefers whatsapp")),
        ("PREFERS CALLS!", ("prefers calls!", "prefers calls")),
        ("what size?", ("what size?",)),
        ("豆浆。", ("豆浆。",)),
        ("...", ("...",)),
        ("", ("",)),
    ],
)
def test_a_text_is_also_seen_without_case_and_full_stop(text: str, seen: tuple[str, ...]) -> None:
    assert views(text) == seen
