"""What a reader takes in, and the way back to the text as it was given."""

from __future__ import annotations

import sys
import unicodedata
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core.disguise import undisguise


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("plain words", "plain words"),
        ("喜欢喝茶，不加糖", "喜欢喝茶,不加糖"),
        ("s\u200bk\u2060-\xada\ufeffb", "sk-ab"),
        ("4111\xa01111\u202f1111\u30001111", "4111 1111 1111 1111"),
        ("ｓｋ－ＡＢ４１", "sk-AB41"),
        ("٤١١١ ४१११", "4111 4111"),
        ("sk‑a‐b–c", "sk-a-b-c"),
        ("s\u0336k\u0336-\u0336a", "sk-a"),
        ("a\ufe0fb\U000e0041c", "abc"),
        ("contrasen\u0303a cartão", "contraseña cartão"),
        ("ハ\u309aスワート\u3099 ﾊﾟｽﾜｰﾄﾞ", "パスワード パスワード"),
        (unicodedata.normalize("NFD", "비밀번호"), "비밀번호"),
        ("пароль", "пароль"),
        ("n\u200b\u0303", "ñ"),
    ],
)
def test_a_text_is_read_without_what_hides_it(text: str, plain: str) -> None:
    assert undisguise(text).text == plain


def test_no_format_character_survives() -> None:
    formats = [c for c in map(chr, range(sys.maxunicode)) if unicodedata.category(c) == "Cf"]
    assert len(formats) > 150
    assert [f"{ord(c):x}" for c in formats if undisguise(f"a{c}b").text != "ab"] == []


def test_every_place_leads_back_to_the_characters_it_was_read_from() -> None:
    reached: Counter[str] = Counter()
    pieces = st.sampled_from(
        ("a", "key ", "\u200b", "n\u0303", "½", "℡", "４", "，", "é", "\xa0", "\u0301", "ﾊﾟ")
    )

    @settings(max_examples=300, deadline=None, derandomize=True, database=None)
    @given(st.lists(pieces, max_size=12).map("".join))
    def check(text: str) -> None:
        plain = undisguise(text)
        at = 0
        for place in range(len(plain.text)):
            start, end = plain.start(place), plain.end(place + 1)
            assert at <= start < end <= len(text)
            assert plain.text[place] in undisguise(text[start:end]).text
            at = start
        assert undisguise(plain.text).text == plain.text
        reached["moved" if plain.starts else "same places"] += 1

    check()
    assert min(reached["moved"], reached["same places"]) >= 20, reached


def test_a_flood_of_marks_is_read_to_an_end() -> None:
    assert undisguise("a" + "\u0301\u0323" * 100_000 + "b").text[-1] == "b"
