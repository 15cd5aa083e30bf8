"""Differences as data: exact, readable, and never slow."""

from __future__ import annotations

import itertools
import random
import string
from collections import Counter
from difflib import Match, SequenceMatcher
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import diff
from localmem.core.diff import FieldDiff, Op, Piece
from localmem.core.documents import MISSING, canonical, same
from localmem.core.model import Content, DocumentContent, FactContent, Json, PreferenceContent
from localmem.errors import InvalidInput

MARKS = {Op.KEEP: "{}", Op.ADD: "[+{}]", Op.REMOVE: "[-{}]"}


def shown(old: str, new: str) -> str:
    return "".join(MARKS[piece.op].format(piece.text) for piece in diff.words(old, new))


def side(pieces: tuple[Piece, ...], without: Op) -> str:
    return "".join(piece.text for piece in pieces if piece.op is not without)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ""),
        ("a", "a", "a"),
        ("", "a b", "[+a b]"),
        ("a b", "", "[-a b]"),
        (
            "Prefers WhatsApp over email.",
            "Prefers Signal over email.",
            "Prefers [-WhatsApp][+Signal] over email.",
        ),
        ("Calls before 10.", "Calls only before 9.", "Calls [+only ]before [-10][+9]."),
        ("a b c", "x y z", "[-a b c][+x y z]"),
        ("one two", "one  two", "one[- ][+  ]two"),
        ("first\nsecond", "1st\n2nd", "[-first][+1st]\n[-second][+2nd]"),
        ("今天我只喝无糖豆浆", "今天我只喝有糖豆浆", "今天我只喝[-无][+有]糖豆浆"),
        ("辛い物は苦手", "甘い物は苦手", "[-辛][+甘]い物は苦手"),
        ("매운 음식을 싫어함", "매운 음식을 좋아함", "매운 음식을 [-싫어함][+좋아함]"),
        ("น้ำชา", "น้ำกา", "น้ำ[-ช][+ก]า"),
        ("हिन्दी भाषा", "हिन्दी लिपि", "हिन्दी [-भाषा][+लिपि]"),
        ("cafe\u0301 au lait", "cafe au lait", "[-cafe\u0301][+cafe] au lait"),
        ("👩\u200d🍳 cooks", "👩\u200d🚀 cooks", "[-👩\u200d🍳][+👩\u200d🚀] cooks"),
        ("size 42", "size 43", "size [-42][+43]"),
    ],
)
def test_words_change_as_a_reader_sees_them(old: str, new: str, expected: str) -> None:
    assert shown(old, new) == expected


TEXTS = st.lists(
    st.sampled_from(["a", "b", "c", "word", " ", "  ", "\n", ".", "中", "文", "\u0301", "\u200d"])
    | st.text(max_size=3),
    max_size=25,
).map("".join)


def test_both_texts_can_be_read_back_exactly() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=400)
    @given(TEXTS, TEXTS, st.booleans())
    def holds(old: str, tail: str, related: bool) -> None:
        new = old[: len(old) // 2] + tail if related else tail
        pieces = diff.words(old, new)
        reached.update(piece.op for piece in pieces)
        assert side(pieces, Op.REMOVE) == new
        assert side(pieces, Op.ADD) == old
        assert all(piece.text for piece in pieces)
        for one, two in itertools.pairwise(pieces):
            assert one.op is not two.op
            assert (one.op, two.op) != (Op.ADD, Op.REMOVE)
        if old == new:
            assert {piece.op for piece in pieces} <= {Op.KEEP}

    holds()
    assert set(reached) == set(Op)


def kept(old: str, new: str) -> str:
    return "".join(piece.text for piece in diff.words(old, new) if piece.op is Op.KEEP)


def test_what_two_short_texts_share_is_kept() -> None:
    reached: Counter[bool] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(st.text("中文字典", max_size=6), st.text("中文字典", max_size=6))
    def holds(old: str, new: str) -> None:
        shared = bool(set(old) & set(new))
        reached[shared] += 1
        assert bool(kept(old, new)) is shared

    holds()
    assert min(reached[True], reached[False]) > 20


PLAIN = st.lists(st.sampled_from(["a", "b", " ", "  ", "\n", ".", "中"]), max_size=8).map("".join)


def test_a_change_in_one_place_keeps_everything_else() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=150)
    @given(PLAIN, PLAIN, PLAIN, st.sampled_from([1, 40]))
    def holds(start: str, end: str, other: str, times: int) -> None:
        start, end = f"{start * times}<", f">{end * times}"
        reached["long" if len(start + end) > 400 else "short"] += 1
        left = kept(f"{start}was{end}", f"{start}is{other}{end}")
        assert left.startswith(start)
        assert left.endswith(end)

    holds()
    assert min(reached["long"], reached["short"]) > 20


def test_edits_all_over_a_long_text_leave_the_rest_in_place() -> None:
    chance = random.Random(11)
    vocabulary = [f"{chance.choice('bcdfgk')}{n}" for n in range(300)]
    old = [chance.choice(vocabulary) for _ in range(1_300)]
    new = list(old)
    for at in range(5, len(new), 26):
        new[at] = "changed"
    assert len(kept(" ".join(old), " ".join(new)).split()) >= 1_240


def hard_pairs() -> dict[str, tuple[str, str]]:
    """8 KB against 8 KB of what makes an alignment expensive."""
    chance = random.Random(7)
    letters = string.ascii_letters + string.digits
    words = [chance.choice("abcdefghij") * chance.randrange(1, 6) for _ in range(2_000)]
    return {
        "nothing in common": (".," * 4_096, ";:" * 4_096),
        "one sign against two": ("." * 8_192, ".," * 4_096),
        "two signs by chance": (
            "".join(chance.choice(".,") for _ in range(8_192)),
            "".join(chance.choice(".,") for _ in range(8_192)),
        ),
        "words in another order": (" ".join(words), " ".join(chance.sample(words, 2_000))),
        "halves exchanged": (" ".join(words), " ".join(words[1_000:] + words[:1_000])),
        "two characters by chance": (
            "".join(chance.choice("中文") for _ in range(2_730)),
            "".join(chance.choice("中文") for _ in range(2_730)),
        ),
        "long runs on every diagonal": (
            "".join(".," * 30 + f"old{n}" for n in range(120)),
            "".join(".," * 30 + f"new{n}" for n in range(120)),
        ),
        "words that take turns": (
            "".join(f"{letters[n % 62]}!" for n in range(4_096)),
            "".join(f"{letters[n % 62]}?" for n in range(4_096)),
        ),
        "unique words reversed": (
            " ".join(map(str, range(1_600))),
            " ".join(map(str, reversed(range(1_600)))),
        ),
    }


class Counted(SequenceMatcher[str]):
    """Counts the steps of every search: a row for each token, a step for each place it has."""

    steps = 0

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        tokens, places = self.a, self.b2j  # type: ignore[attr-defined]
        Counted.steps += sum(1 + len(places.get(token, ())) for token in tokens[alo:ahi])
        return super().find_longest_match(alo, ahi, blo, bhi)


@pytest.mark.parametrize("name", hard_pairs())
def test_long_texts_cost_a_bounded_number_of_steps(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted, not timed: difflib by itself takes minutes on some of these."""
    monkeypatch.setattr(Counted, "steps", 0)
    monkeypatch.setattr(diff, "SequenceMatcher", Counted)
    old, new = hard_pairs()[name]
    pieces = diff.words(old, new)
    assert side(pieces, Op.REMOVE) == new
    assert side(pieces, Op.ADD) == old
    assert 0 < Counted.steps <= 1_700_000


def test_the_hardest_of_them_would_cost_more_without_the_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Counted, "steps", 0)
    monkeypatch.setattr(diff, "SequenceMatcher", Counted)
    monkeypatch.setattr(diff, "_BUDGET", 3_000_000)
    diff.words(*hard_pairs()["words that take turns"])
    assert Counted.steps > 3_000_000


def test_words_that_occur_once_align_among_a_thousand_repeated_ones() -> None:
    chance = random.Random(3)
    common = [f"anchor{n}" for n in range(40)]
    old, new = (
        " ".join(
            f"{word} {' '.join(chance.choice('abcd') + sign for _ in range(30))}" for word in common
        )
        for sign in ("!", "?")
    )
    assert all(word in kept(old, new) for word in common)


# --- Parts of a content ------------------------------------------------------------------------


def test_a_fact_differs_by_text_metadata_and_path() -> None:
    old = FactContent("a", {"k": "1", "gone": "x"})
    new = FactContent("b", {"k": "2", "new": "y"}, "p/q")
    assert diff.fields(old, new) == (
        FieldDiff(("text",), "a", "b"),
        FieldDiff(("metadata", "k"), "1", "2"),
        FieldDiff(("metadata", "gone"), "x", MISSING),
        FieldDiff(("metadata", "new"), MISSING, "y"),
        FieldDiff(("path",), MISSING, "p/q"),
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("41", "42", [FieldDiff(("value",), "41", "42")]),
        (
            ("A", "B"),
            ("B", "C"),
            [
                FieldDiff(("value",), "A", MISSING, entry=True),
                FieldDiff(("value",), MISSING, "C", entry=True),
            ],
        ),
        (("A", "B"), ("B", "A"), [FieldDiff(("value",), ["A", "B"], ["B", "A"])]),
        (("A",), ("A",), []),
    ],
)
def test_a_preference_differs_by_its_value_or_its_names(
    old: str | tuple[str, ...], new: str | tuple[str, ...], expected: list[FieldDiff]
) -> None:
    assert list(diff.fields(PreferenceContent(old), PreferenceContent(new))) == expected


def test_a_document_differs_member_by_member_and_entry_by_entry() -> None:
    old: Json = {"a": {"x": 1, "y": 1}, "gone": None, "tags": ["p", "q", "q"], "n": 1}
    new: Json = {"a": {"x": 1, "y": 2}, "tags": ["q", {"r": 1}], "n": 1.0, "b": True}
    assert diff.fields(DocumentContent(old), DocumentContent(new)) == (
        FieldDiff(("a", "y"), 1, 2),
        FieldDiff(("gone",), None, MISSING),
        FieldDiff(("tags",), "p", MISSING, entry=True),
        FieldDiff(("tags",), "q", MISSING, entry=True),
        FieldDiff(("tags",), MISSING, {"r": 1}, entry=True),
        FieldDiff(("b",), MISSING, True),
    )


def test_a_document_of_another_type_differs_whole() -> None:
    found = diff.fields(DocumentContent({"a": 1}), DocumentContent([1]))
    assert found == (FieldDiff((), {"a": 1}, [1]),)
    assert diff.fields(DocumentContent(1), DocumentContent(True)) == (FieldDiff((), 1, True),)


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([None, True, 1, 2, "1"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=10,
)


def applied(value: Any, path: tuple[str, ...], change: FieldDiff) -> Any:
    if path:
        inner = applied(value.get(path[0], MISSING), path[1:], change)
        rest = {name: member for name, member in value.items() if name != path[0]}
        return rest if inner is MISSING else {**rest, path[0]: inner}
    if not change.entry:
        return change.new
    if change.new is not MISSING:
        return [*value, change.new]
    place = [canonical(entry) for entry in value].index(canonical(change.old))  # type: ignore[arg-type]
    return value[:place] + value[place + 1 :]


def unordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: unordered(member) for name, member in value.items()}
    return sorted(map(canonical, value)) if isinstance(value, list) else value


def test_the_differences_of_a_document_lead_from_old_to_new() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=400)
    @given(VALUES, VALUES)
    def holds(old: Any, new: Any) -> None:
        value = old
        changes = diff.fields(DocumentContent(old), DocumentContent(new))
        for change in changes:
            reached["entry" if change.entry else "nested" if change.path else "whole"] += 1
            value = applied(value, change.path, change)
        assert bool(changes) is not same(old, new)
        assert same(unordered(value), unordered(new))

    holds()
    assert {"entry", "nested", "whole"} <= set(reached)


def test_contents_of_different_kinds_are_not_compared() -> None:
    one: Content = FactContent("x")
    with pytest.raises(InvalidInput):
        diff.fields(one, PreferenceContent("42"))
