"""What a fact may hold, and when two facts are one."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import facts
from localmem.core.model import NO_METADATA, FactContent
from localmem.errors import InvalidInput


def refusal(
    text: str = "x", metadata: dict[str, object] | None = None, path: str | None = None
) -> InvalidInput:
    with pytest.raises(InvalidInput) as refused:
        facts.new(text, metadata, path)
    assert refused.value.hint
    return refused.value


def test_a_fact_is_kept_as_typed_but_for_unicode_form_and_line_endings() -> None:
    typed = "  Cafe\u0301 <b>\x1b[31m\u202e\r\nat 8 "
    assert facts.new(typed) == FactContent("  Café <b>\x1b[31m\u202e\nat 8 ", NO_METADATA, None)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b", "\u00a0\u2060", "\x07"])
def test_a_fact_with_nothing_to_see_is_refused(text: str) -> None:
    assert refusal(text).details["field"] == "text"


@pytest.mark.parametrize("text", ["nul\0", "half \ud83d"])
def test_text_that_cannot_be_kept_is_refused(text: str) -> None:
    refusal(text)
    with pytest.raises(InvalidInput):
        facts.size(text)


def test_the_limit_counts_bytes_after_normalisation() -> None:
    composed = "é" * 4_096
    assert facts.size(composed) == 8_192
    assert facts.new(unicodedata.normalize("NFD", composed)).text == composed
    refused = refusal(composed + "a")
    assert "8,193 / 8,192 bytes" in refused.message
    assert refused.details == {"field": "text", "bytes": 8_193, "limit": 8_192}


def test_metadata_is_normalised_frozen_and_equal_by_value() -> None:
    given_ = {"cafe\u0301": "a\r\nb", "n": ""}
    fact = facts.new("x", given_)
    given_["late"] = "no"
    assert fact.metadata == {"café": "a\nb", "n": ""}
    assert fact == facts.new("x", {"café": "a\nb", "n": ""})
    with pytest.raises(TypeError):
        fact.metadata["n"] = "1"  # type: ignore[index]
    assert facts.new("x", {}).metadata is NO_METADATA


@pytest.mark.parametrize("value", [3, 1.5, True, None, ["a"], {"a": "b"}])
def test_metadata_that_is_not_text_is_refused_by_its_key(value: object) -> None:
    refused = refusal(metadata={"when": value})
    assert "'when'" in refused.message
    assert refused.details["field"] == "metadata"


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ({"": "x"}, "empty"),
        ({"  ": "x"}, "empty"),
        ({"k" * 65: "x"}, "65 / 64"),
        ({"k": "v" * 513}, "513 / 512"),
        ({f"k{i}": "v" * 500 for i in range(5)}, "/ 2,048 bytes"),
        ({"é": "1", "e\u0301": "2"}, "twice"),
    ],
)
def test_metadata_over_a_bound_names_it(metadata: dict[str, object], said: str) -> None:
    assert said in refusal(metadata=metadata).message


def test_a_metadata_key_that_is_not_text_is_refused() -> None:
    with pytest.raises(InvalidInput):
        facts.new("x", {3: "x"})  # type: ignore[dict-item]


def test_the_metadata_bounds_themselves_are_allowed() -> None:
    key, value = "é" * 64, "ü" * 512
    assert facts.new("x", {key: value}).metadata == {key: value}
    filler = "v" * (2_048 - 4 * 512 + 512 - len('{"a":"","b":"","c":"","d":""}'))
    whole = {"a": "v" * 512, "b": "v" * 512, "c": "v" * 512, "d": filler}
    assert facts.metadata_size(whole) == 2_048
    assert facts.new("x", whole).metadata == whole
    refusal(metadata={**whole, "d": filler + "v"})


def test_metadata_size_is_the_bytes_of_compact_json() -> None:
    metadata = {"é": '"\n', "b": "日本"}
    written = json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))
    assert facts.metadata_size(metadata) == len(written.encode())


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("projects/x/decisions", "projects/x/decisions"),
        (" projects / x y /decisions ", "projects/x y/decisions"),
        ("/a//b/", "a/b"),
        ("cafe\u0301", "café"),
        ("p" * 512, "p" * 512),
    ],
)
def test_a_path_has_trimmed_segments(typed: str, kept: str) -> None:
    assert facts.new("x", path=typed).path == kept


@pytest.mark.parametrize(
    "path", ["", " ", "/", " / / ", "a\nb", "a\tb", "a\u2028b", "a\x9bb", "p" * 513]
)
def test_a_path_that_names_no_place_is_refused(path: str) -> None:
    assert refusal(path=path).details["field"] == "path"


@pytest.mark.parametrize(
    "twin",
    [
        "Allergic to kiwi é",
        "Allergic to kiwi é  ",
        "\tallergic  TO\nkiwi é",
        "Allergic to kiwi e\u0301",
        "ALLERGIC TO KIWI É",
    ],
)
def test_the_same_fact_in_other_spellings_is_known(twin: str) -> None:
    assert facts.sameness(twin) == facts.sameness("Allergic to kiwi é")


@pytest.mark.parametrize("other", ["Allergic to kiwi", "Allergic to kiwi é.", "Allergic tokiwi é"])
def test_another_fact_is_not_known(other: str) -> None:
    assert facts.sameness(other) != facts.sameness("Allergic to kiwi é")


def test_sameness_is_stable_under_itself_case_and_form() -> None:
    reached: Counter[str] = Counter()
    odd = "aAßſÉéıİiΣςσµﬁŉΐᾳ\u0345\u0301\u0323 \n\u00a0日"

    @settings(derandomize=True, deadline=None, max_examples=400)
    @given(st.text(st.one_of(st.sampled_from(odd), st.characters(exclude_categories=["Cs"]))))
    def holds(text: str) -> None:
        key = facts.sameness(text)
        assert facts.sameness(key) == key
        assert unicodedata.is_normalized("NFC", key)
        for form in ("NFC", "NFD"):
            other = unicodedata.normalize(form, f" {text}\n")
            reached["form"] += other.strip() != text.strip()
            assert facts.sameness(other) == key
        reached["case"] += text.casefold() != text
        assert facts.sameness(text.casefold()) == key

    holds()
    assert reached["form"] and reached["case"]


def test_every_text_is_kept_within_its_limit_or_refused() -> None:
    reached: Counter[str] = Counter()
    pieces = st.sampled_from(
        ["", " ", "a", "é" * 1_024, "日" * 2_730, "\u200b", "\0", "\ud800", "\r\n"]
    )

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(st.lists(pieces, max_size=6))
    def holds(parts: list[str]) -> None:
        text = "".join(parts)
        try:
            fact = facts.new(text)
        except InvalidInput as refused:
            reached["too long" if refused.details.get("bytes") else "refused"] += 1
            return
        reached["kept"] += 1
        assert 1 <= facts.size(text) == len(fact.text.encode()) <= 8_192
        assert facts.new(fact.text) == fact

    holds()
    assert {"kept", "too long", "refused"} <= set(reached)
