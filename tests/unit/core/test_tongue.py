"""Languages are told apart by small words, and where they are not clear, nothing is said."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import tongue, words


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The staging deploys happen every Thursday.", "en"),
        ("who is the landlord?", "en"),
        ("O contrato da casa acaba em dezembro.", "pt"),
        ("não come carne", "pt"),
        ("La factura de la luz llega el lunes.", "es"),
        ("¿qué mascotas tiene?", "es"),
        ("Elle ne mange pas de viande.", "fr"),
        ("Mein Fahrrad hat einen 56er Rahmen.", "de"),
        ("Il medico è il dottor Rossi della clinica.", "it"),
        ("お茶は緑茶が好きです", "ja"),
        ("鞋码是42码", "zh"),
        ("고양이 이름은 나비", "ko"),
        ("ชอบกาแฟ", "th"),
        ("يفضل القهوة", "ar"),
        ("Предпочитает чай", "ru"),
    ],
)
def test_a_sentence_has_a_language(text: str, language: str) -> None:
    assert tongue.of(text) == language


@pytest.mark.parametrize(
    "text", ["", "PT509000000", "WhatsApp", "42", "shoe size", "🍕", "Calça 42.", "a"]
)
def test_what_could_be_any_language_is_none(text: str) -> None:
    assert tongue.of(text) == ""


def test_only_known_languages_are_apart() -> None:
    assert tongue.are_apart("en", "pt")
    assert not tongue.are_apart("en", "en")
    assert not tongue.are_apart("", "pt")
    assert not tongue.are_apart("en", "")


def test_the_small_words_are_written_as_words_are_folded() -> None:
    assert {words.fold(word) for word in tongue.SMALL_WORDS} == tongue.SMALL_WORDS


def test_any_text_has_one_known_language_or_none() -> None:
    reached: Counter[str] = Counter()
    small = st.lists(st.sampled_from(sorted(tongue.SMALL_WORDS)), max_size=6).map(" ".join)

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(st.one_of(st.text(), small))
    def check(text: str) -> None:
        language = tongue.of(text)
        assert language == "" or len(language) == 2
        reached["none" if not language else "one"] += 1

    check()
    assert reached["one"] > 50
    assert reached["none"] > 50
