"""Three-way merge: what is safe merges, what is not is shown, nothing is dropped."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import documents, preferences
from localmem.core.documents import MISSING, Missing, same
from localmem.core.merge import Clash, Clean, FieldClash, merge
from localmem.core.model import Content, DocumentContent, FactContent, Json, PreferenceContent
from localmem.errors import InvalidInput


def brands(*names: str) -> PreferenceContent:
    return PreferenceContent(names)


def doc(value: Json) -> DocumentContent:
    return DocumentContent(value)


def clean(base: Content | None, mine: Content, theirs: Content) -> Content:
    merged = merge(base, mine, theirs)
    assert isinstance(merged, Clean), merged
    return merged.content


def clash(base: Content | None, mine: Content, theirs: Content) -> Clash:
    merged = merge(base, mine, theirs)
    assert isinstance(merged, Clash), merged
    return merged


# --- Preferences -------------------------------------------------------------------------------


def test_a_size_changed_twice_clashes_and_changed_alike_does_not() -> None:
    found = clash(PreferenceContent("41"), PreferenceContent("42"), PreferenceContent("43"))
    assert found == Clash(PreferenceContent("42"), (FieldClash(("value",), "41", "42", "43"),))
    assert clean(PreferenceContent("41"), PreferenceContent("42"), PreferenceContent("42")) == (
        PreferenceContent("42")
    )


def test_two_sizes_without_a_base_clash() -> None:
    found = clash(None, PreferenceContent("42"), PreferenceContent("43"))
    assert found.clashes == (FieldClash(("value",), MISSING, "42", "43"),)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [
        (("A", "B"), ("A", "B", "C"), ("A", "B", "D"), ("A", "B", "C", "D")),
        (("A", "B"), ("A",), ("A", "B", "C"), ("A", "C")),
        (("A", "B", "C"), ("A", "C"), ("A", "B"), ("A",)),
        (("A", "B"), ("B", "A", "C"), ("D", "A", "B"), ("B", "A", "C", "D")),
        (("Asics",), ("asics", "Mizuno"), ("Asics", "Nike"), ("asics", "Mizuno", "Nike")),
        (("Asics",), ("Asics", "Mizuno"), ("ASICS",), ("ASICS", "Mizuno")),
        (("asics",), ("Asics", "X"), ("ASICS",), ("ASICS", "X")),
        (("Café",), ("Cafe\u0301", "X"), ("CAFÉ ", "Y"), ("CAFÉ ", "X", "Y")),
        (None, ("A", "B"), ("b", "C"), ("A", "B", "C")),
    ],
)
def test_lists_of_names_merge_as_sets(
    base: tuple[str, ...] | None,
    mine: tuple[str, ...],
    theirs: tuple[str, ...],
    merged: tuple[str, ...],
) -> None:
    start = None if base is None else PreferenceContent(base)
    assert clean(start, PreferenceContent(mine), PreferenceContent(theirs)) == (
        PreferenceContent(merged)
    )


def test_an_eleventh_name_clashes() -> None:
    mine, theirs = brands(*"ABCDEF"), brands(*"GHIJKL")
    found = clash(None, mine, theirs)
    assert found == Clash(mine, (FieldClash(("value",), MISSING, list("ABCDEF"), list("GHIJKL")),))
    assert clean(None, brands(*"ABCDE"), brands(*"FGHIJ")) == brands(*"ABCDEFGHIJ")


def test_two_removals_that_would_leave_no_name_clash() -> None:
    found = clash(brands("A", "B"), brands("A"), brands("B"))
    assert found.merged == brands("A")
    assert found.clashes == (FieldClash(("value",), ["A", "B"], ["A"], ["B"]),)


# --- Facts -------------------------------------------------------------------------------------


def test_a_text_changed_twice_clashes_while_the_rest_of_the_fact_merges() -> None:
    base = FactContent("old", {"a": "1", "b": "1"}, "p")
    found = clash(
        base,
        FactContent("mine", {"a": "2", "b": "1"}, "p"),
        FactContent("theirs", {"a": "1", "c": "3"}, "q"),
    )
    assert found.merged == FactContent("mine", {"a": "2", "c": "3"}, "q")
    assert found.clashes == (FieldClash(("text",), "old", "mine", "theirs"),)


def test_one_new_text_and_the_others_metadata_both_stay() -> None:
    base = FactContent("old", {"a": "1"})
    merged = clean(base, FactContent("new", {"a": "1"}), FactContent("old", {"a": "2"}, "p"))
    assert merged == FactContent("new", {"a": "2"}, "p")


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "clashes"),
    [
        ({"k": "1"}, {"k": "2"}, {"k": "3"}, [FieldClash(("metadata", "k"), "1", "2", "3")]),
        ({"k": "1"}, {}, {"k": "3"}, [FieldClash(("metadata", "k"), "1", MISSING, "3")]),
        ({}, {"k": "2"}, {"k": "3"}, [FieldClash(("metadata", "k"), MISSING, "2", "3")]),
        ({"k": "1", "l": "1"}, {"l": "1"}, {"k": "1"}, []),
    ],
)
def test_metadata_merges_per_key(
    base: dict[str, str], mine: dict[str, str], theirs: dict[str, str], clashes: list[FieldClash]
) -> None:
    merged = merge(FactContent("x", base), FactContent("x", mine), FactContent("x", theirs))
    assert list(merged.clashes if isinstance(merged, Clash) else ()) == clashes


def test_a_path_is_one_value() -> None:
    base, mine, theirs = (FactContent("x", path=path) for path in ("a/b", None, "a/c"))
    assert clash(base, mine, theirs).clashes == (FieldClash(("path",), "a/b", MISSING, "a/c"),)
    assert clean(base, base, mine) == mine


def test_facts_without_a_base_keep_what_only_one_side_has() -> None:
    found = clash(None, FactContent("x", {"a": "1", "b": "1"}), FactContent("x", {"b": "2"}, "p"))
    assert found.merged == FactContent("x", {"a": "1", "b": "1"}, "p")
    assert found.clashes == (FieldClash(("metadata", "b"), MISSING, "1", "2"),)


def test_metadata_that_no_longer_fits_together_clashes_whole() -> None:
    mine = FactContent("x", {"a": "v" * 512, "b": "v" * 512, "k": "1"})
    theirs = FactContent("y", {"c": "v" * 512, "d": "v" * 512, "k": "2"})
    found = clash(FactContent("x"), mine, theirs)
    sides: list[dict[str, Json]] = [{}, {**mine.metadata}, {**theirs.metadata}]
    assert found.merged == FactContent("y", mine.metadata)
    assert found.clashes == (FieldClash(("metadata",), *sides),)


def test_metadata_fits_whichever_side_is_kept_or_clashes_whole() -> None:
    base = FactContent("x", {"a": "1"})
    large = FactContent("x", {"a": "v" * 512})
    many = FactContent("x", dict.fromkeys("defg", "v" * 500))
    for mine, theirs in ((large, many), (many, large)):
        found = clash(base, mine, theirs)
        assert found.merged == mine
        assert [part.path for part in found.clashes] == [("metadata",)]


# --- Documents ---------------------------------------------------------------------------------


def test_documents_merge_member_by_member_through_objects() -> None:
    base: Json = {"a": 1, "b": {"c": 1, "d": [1]}, "e": 1}
    mine: Json = {"a": 2, "b": {"c": 1, "d": [1, 2]}, "e": 1}
    theirs: Json = {"a": 1, "b": {"c": 3, "d": [1], "f": 4}}
    assert clean(doc(base), doc(mine), doc(theirs)) == doc(
        {"a": 2, "b": {"c": 3, "d": [1, 2], "f": 4}}
    )


def test_only_the_members_changed_twice_clash() -> None:
    base: Json = {"a": {"x": 1, "y": 1}, "b": 1, "c": [1]}
    mine: Json = {"a": {"x": 2, "y": 1}, "b": 2, "c": [1, 2]}
    theirs: Json = {"a": {"x": 3, "y": 3}, "b": 2, "c": [2, 1]}
    assert clash(doc(base), doc(mine), doc(theirs)) == Clash(
        doc({"a": {"x": 2, "y": 3}, "b": 2, "c": [1, 2]}),
        (
            FieldClash(("a", "x"), 1, 2, 3),
            FieldClash(("c",), [1], [1, 2], [2, 1]),
        ),
    )


def test_a_member_deleted_here_and_edited_there_clashes() -> None:
    assert clash(doc({"a": 1}), doc({}), doc({"a": 2})) == Clash(
        doc({}), (FieldClash(("a",), 1, MISSING, 2),)
    )


def test_two_objects_in_place_of_something_else_are_not_mixed() -> None:
    found = clash(doc({"a": 1}), doc({"a": {"x": 1}}), doc({"a": {"y": 1}}))
    assert found.clashes == (FieldClash(("a",), 1, {"x": 1}, {"y": 1}),)


def test_without_a_base_members_unite_and_differing_ones_clash() -> None:
    mine: Json = {"a": 1, "b": 1, "o": {"x": 1}}
    theirs: Json = {"b": 2, "c": 1, "o": {"y": 1}}
    assert clash(None, doc(mine), doc(theirs)) == Clash(
        doc({"a": 1, "b": 1, "c": 1, "o": {"x": 1, "y": 1}}),
        (FieldClash(("b",), MISSING, 1, 2),),
    )


def test_documents_that_are_no_objects_clash_whole() -> None:
    assert clash(doc([1]), doc([2]), doc({"a": 1})).clashes == (FieldClash((), [1], [2], {"a": 1}),)


def test_true_and_one_are_a_change() -> None:
    assert clean(doc({"a": 1}), doc({"a": True}), doc({"a": 1.0})) == doc({"a": True})
    assert documents.canonical({"a": True}) == '{"a":true}'


def test_documents_that_no_longer_fit_together_clash_whole() -> None:
    half = "x" * 110_000
    mine, theirs = doc({"a": half, "k": 1}), doc({"b": half, "k": 2})
    found = clash(doc({}), mine, theirs)
    assert found == Clash(mine, (FieldClash((), {}, mine.value, theirs.value),))


STATES: list[Any] = [MISSING, None, 1, True, "1", [], [1], {}, {"x": 1}, {"x": 2}, {"y": 1}]


def member(state: Any) -> DocumentContent:
    return doc({} if state is MISSING else {"m": state})


def test_every_case_of_presence_and_change_follows_the_rules() -> None:
    reached: Counter[str] = Counter()
    for base, mine, theirs in itertools.product(STATES, repeat=3):
        merged = merge(member(base), member(mine), member(theirs))
        if same(mine, theirs):
            reached["equal"] += 1
            expected = mine
        elif same(base, theirs):
            reached["only mine"] += 1
            expected = mine
        elif same(base, mine):
            reached["only theirs"] += 1
            expected = theirs
        elif (
            isinstance(mine, dict) and isinstance(theirs, dict) and isinstance(base, dict | Missing)
        ):
            reached["both objects"] += 1
            continue
        else:
            reached["clash"] += 1
            assert isinstance(merged, Clash)
            assert merged.clashes == (FieldClash(("m",), base, mine, theirs),)
            assert merged.merged == member(mine)
            continue
        assert isinstance(merged, Clean), (base, mine, theirs)
        assert isinstance(merged.content, DocumentContent)
        assert same(merged.content.value, member(expected).value)
    assert set(reached) == {"equal", "only mine", "only theirs", "both objects", "clash"}


# --- Laws --------------------------------------------------------------------------------------

NAMES = st.lists(
    st.sampled_from(["Asics", "asics", "ASICS ", "Café", "Cafe\u0301", *"BCDEFGHIJK"]),
    min_size=1,
    max_size=9,
    unique_by=preferences.same_name_key,
)
PREFERENCES = st.builds(PreferenceContent, NAMES.map(tuple)) | st.builds(
    PreferenceContent, st.sampled_from(["40", "41", "42"])
)
METADATA = st.dictionaries(
    st.sampled_from("abc"), st.sampled_from(["1", "2", "v" * 512]), max_size=3
) | st.dictionaries(st.sampled_from("defgh"), st.just("v" * 500), max_size=4)
FACTS = st.builds(FactContent, st.sampled_from("xyz"), METADATA, st.sampled_from([None, "p", "q"]))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([None, True, 1, 2, 1.0, "1"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)
DOCUMENTS = st.builds(DocumentContent, OBJECTS | VALUES)
TRIPLES: st.SearchStrategy[tuple[Any, Any, Any]] = st.one_of(
    *(st.tuples(st.none() | of, of, of) for of in (PREFERENCES, FACTS, DOCUMENTS))
)


def equal(left: Content, right: Content) -> bool:
    """Up to the order of names in a list."""
    match left, right:
        case PreferenceContent(value=tuple(a)), PreferenceContent(value=tuple(b)):
            return sorted(a) == sorted(b)
        case DocumentContent(a), DocumentContent(b):
            return same(a, b)
        case _:
            return left == right


def swapped(clashes: tuple[FieldClash, ...]) -> list[FieldClash]:
    return [FieldClash(found.path, found.base, found.theirs, found.mine) for found in clashes]


def kind_of(content: Content) -> str:
    if isinstance(content, PreferenceContent):
        return "list" if isinstance(content.value, tuple) else "size"
    return type(content).__name__


def test_swapping_the_sides_swaps_the_clashes_and_nothing_else() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=400)
    @given(TRIPLES)
    def holds(triple: tuple[Any, Any, Any]) -> None:
        base, mine, theirs = triple
        merged, other = merge(base, mine, theirs), merge(base, theirs, mine)
        based = "no base" if base is None else "base"
        reached[f"{kind_of(mine)}, {based}, {type(merged).__name__}"] += mine != theirs
        if isinstance(merged, Clean):
            assert isinstance(other, Clean)
            assert equal(merged.content, other.content)
        else:
            assert isinstance(other, Clash)
            assert list(other.clashes) == swapped(merged.clashes)
            assert merged.clashes

    holds()
    everything = itertools.product(
        ["list", "FactContent", "DocumentContent"], ["base", "no base"], ["Clean", "Clash"]
    )
    for case in [", ".join(case) for case in everything] + ["size, base, Clash"]:
        assert reached[case], (case, reached)


def test_what_only_one_side_changed_is_the_result() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(TRIPLES)
    def holds(triple: tuple[Any, Any, Any]) -> None:
        _, base, edited = triple
        reached[kind_of(base)] += base != edited
        for merged in (merge(base, edited, base), merge(base, base, edited)):
            assert isinstance(merged, Clean)
            assert equal(merged.content, edited)
        assert clean(base, edited, edited) == edited
        assert clean(None, edited, edited) == edited

    holds()
    assert all(reached[k] for k in ("list", "size", "FactContent", "DocumentContent")), reached


def test_merging_a_result_again_changes_nothing() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(TRIPLES)
    def holds(triple: tuple[Any, Any, Any]) -> None:
        base, mine, theirs = triple
        merged = merge(base, mine, theirs)
        if isinstance(merged, Clash):
            reached["clash"] += 1
            return
        reached["clean"] += mine != theirs
        assert equal(clean(theirs, merged.content, theirs), merged.content)
        assert equal(clean(mine, merged.content, mine), merged.content)
        if base is not None:
            assert equal(clean(base, merged.content, merged.content), merged.content)

    holds()
    assert reached["clash"] and reached["clean"]


def at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value[name] if isinstance(value, dict) and name in value else MISSING
    return value


def leaves(value: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict) and value:
        return [leaf for name in value for leaf in leaves(value[name], (*path, name))]
    return [(path, value)]


def test_nothing_new_on_either_side_is_dropped_from_a_document() -> None:
    """Each leaf that a side wrote is in the result or at or below a clash."""
    reached: Counter[str] = Counter()
    document = st.builds(DocumentContent, OBJECTS)

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(st.none() | document, document, document)
    def holds(base: DocumentContent | None, mine: DocumentContent, theirs: DocumentContent) -> None:
        merged = merge(base, mine, theirs)
        clashes = merged.clashes if isinstance(merged, Clash) else ()
        content = merged.merged if isinstance(merged, Clash) else merged.content
        assert isinstance(content, DocumentContent)
        for side in (mine, theirs):
            for path, value in leaves(side.value):
                if base is not None and same(at(base.value, path), value):
                    continue
                shown = any(path[: len(found.path)] == found.path for found in clashes)
                reached["shown" if shown else "merged"] += 1
                kept = at(content.value, path)
                assert shown or same(kept, value) or (value == {} and isinstance(kept, dict))

    holds()
    assert reached["shown"] and reached["merged"]


def test_contents_of_different_kinds_are_not_merged() -> None:
    with pytest.raises(InvalidInput):
        merge(None, FactContent("x"), PreferenceContent("42"))
    with pytest.raises(InvalidInput):
        merge(doc({}), FactContent("x"), FactContent("y"))
