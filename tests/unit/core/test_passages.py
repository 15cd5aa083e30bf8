"""Passages: nothing lost, nothing cut in a character, every sentence found on its own."""

from __future__ import annotations

import unicodedata
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import passages

FAMILY = "👨\u200d👩\u200d👧"


@pytest.mark.parametrize("text", ["", " ", "Prefers WhatsApp over email.", "Yes. No. Maybe."])
def test_a_short_text_is_one_passage(text: str) -> None:
    assert passages.split(text) == (text,)


def test_the_last_sentence_of_six_kilobytes_is_a_passage_of_its_own() -> None:
    last = "the spare key is under the blue pot"
    filler = "The committee met again on Tuesday and agreed on nothing in particular. "
    text = filler * 83 + last
    assert 6_000 < len(text) < 6_144
    assert passages.split(text)[-1] == last


def test_sentences_stay_whole_and_short_ones_share_a_passage() -> None:
    text = (
        "Lives in Porto since the spring of 2019 with two cats and a parrot.\n"
        "Works nights. Sleeps late. Pays 3.50 for v2.1 of the coffee he likes the most!"
    )
    first, *rest = passages.split(text)
    assert first.endswith("parrot.\n")
    assert rest == [
        "Works nights. Sleeps late. ",
        "Pays 3.50 for v2.1 of the coffee he likes the most!",
    ]


def test_scripts_without_spaces_are_cut_after_their_own_full_stops() -> None:
    text = "今天我只喝无糖豆浆，不加冰，也不加别的任何东西。" * 4
    found = passages.split(text)
    assert len(found) == 4
    assert all(passage.endswith("。") for passage in found)


@pytest.mark.parametrize(
    "unit", ["x", "word ", "豆", "e\u0301", FAMILY, "🇧🇷", "กิ", "a. ", ". ", "\n", "。", "\u200d"]
)
def test_eight_kilobytes_of_anything_fit_whole(unit: str) -> None:
    text = unit * (8_192 // len(unit.encode()))
    found = passages.split(text)
    assert "".join(found) == text
    assert len(found) <= passages.MOST


@pytest.mark.parametrize("unit", ["e\u0301", FAMILY, "👍🏽", "\u1112\u1161\u11ab"])
def test_no_cut_falls_inside_what_is_read_as_one_character(unit: str) -> None:
    for shift in range(7):
        found = passages.split("x" * shift + unit * (4_000 // len(unit)))
        assert len(found) > 1
        for passage in found[1:]:
            assert passage.startswith(unit)


def test_of_a_document_the_beginning_is_read_and_quickly_given_up() -> None:
    for unit in ("a.b", "One sentence more. ", ".", "豆"):
        text = unit * (200_000 // len(unit.encode()))
        found = passages.split(text)
        assert len(found) <= passages.MOST
        assert passages.READ - 512 < len("".join(found)) <= passages.READ
        assert text.startswith("".join(found))


TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            ["One more sentence of middling length. ", "No! ", "\n\n", "x" * 250, "豆浆。" * 30,
             "no end" * 1_500, "e\u0301" * 120, FAMILY * 60, "word " * 60, "?!", "\u2028", "v2.1"]
        ),
        st.text(max_size=20),
    ),
    max_size=30,
).map("".join)  # fmt: skip


def test_the_passages_are_the_text_and_none_is_too_long() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(TEXTS)
    def check(text: str) -> None:
        found = passages.split(text)
        fits = len(text) <= passages.READ
        assert "".join(found) == text if fits else text.startswith("".join(found))
        assert len(found) <= passages.MOST
        assert all(found) or not text
        assert all(len(passage) <= 512 for passage in found)
        reached["one" if len(found) == 1 else "several"] += 1
        reached["does not fit"] += not fits
        reached["inside a word"] += any(
            not (left[-1].isspace() or unicodedata.category(left[-1])[0] == "P")
            for left in found
            if left
        )

    check()
    cases = ("one", "several", "does not fit", "inside a word")
    assert [case for case in cases if not reached[case]] == []
