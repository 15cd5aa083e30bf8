"""Cells, not characters: cutting and padding text of every script."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.cli import columns


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0), ("abc", 3), ("日本", 4), ("é", 1), ("e\u0301", 1), ("👍", 2), ("👩\u200d👧", 2),
        ("❤\ufe0f", 2), ("한글", 4), ("ＡＢ", 4), ("שלום", 4), ("␛", 1), ("⟨U+202E⟩", 8),
    ],
)  # fmt: skip
def test_width_counts_what_a_terminal_uses(text: str, cells: int) -> None:
    assert columns.width(text) == cells


@pytest.mark.parametrize(
    ("text", "room", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("👩\u200d👧abc", 3, "👩\u200d👧…"),
        ("one two", 5, "one…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
    ],
)
def test_cut_keeps_whole_letters_and_says_that_it_cut(text: str, room: int, shown: str) -> None:
    assert columns.cut(text, room) == shown


REACHED: Counter[str] = Counter()
TEXT = st.text(st.sampled_from("ab 日本é\u0301\u200d👩👧\ufe0f❤…"), max_size=30)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(TEXT, st.integers(0, 40))
def test_nothing_is_wider_than_its_room(text: str, room: int) -> None:
    shown = columns.cut(text, room)
    assert columns.width(shown) <= room
    if columns.width(text) <= room:
        REACHED["whole"] += 1
        assert shown == text
    else:
        REACHED["cut"] += 1
        assert not shown or shown.endswith(columns.ELLIPSIS)


def test_the_property_above_reached_both_cases() -> None:
    assert REACHED["whole"] > 20 and REACHED["cut"] > 20


def test_columns_line_up_and_the_last_one_takes_the_rest() -> None:
    rows = [["a", "日本", "one two three four"], ["bbb", "c", "x"]]
    assert columns.lines(rows, room=20) == ["a    日本  one two…", "bbb  c     x"]
    assert columns.lines(rows, room=None)[0] == "a    日本  one two three four"


def test_styles_do_not_move_columns() -> None:
    painted = columns.lines([["a", "b"], ["ccc", "d"]], room=None, styles=[lambda t: f"<{t}>"])
    assert painted == ["<a>    b", "<ccc>  d"]
