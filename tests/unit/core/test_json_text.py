"""JSON text: what is read, what is refused, and what the person is told about it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import documents, json_text
from localmem.core.documents import same
from localmem.core.model import Json
from localmem.errors import DocumentTooDeep, InvalidInput


def refused(text: str) -> InvalidInput:
    with pytest.raises(InvalidInput) as raised:
        json_text.parse(text)
    assert raised.value.code == "invalid_request"
    assert raised.value.hint
    assert len(str(raised.value)) < 200
    return raised.value


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("", 1, 1, "no JSON here"),
        (" \n ", 1, 1, "no JSON here"),
        ("\ufeff", 1, 1, "no JSON here"),
        ('{"a": 1,}', 1, 8, "comma stands before a closing"),
        ('{"a": 1 ,\n }', 1, 9, "comma stands before a closing"),
        ("[1, 2, ]", 1, 6, "comma stands before a closing"),
        ("{,}", 1, 2, "comma stands before a closing"),
        ('{"a": 1 "b": 2}', 1, 9, "comma is missing"),
        ('["a""b"]', 1, 5, "comma is missing"),
        ("[1 2]", 1, 4, "comma is missing"),
        ("[1;2]", 1, 3, "comma is missing"),
        ("[1,\r\n2,\n\n3 4]", 4, 3, "comma is missing"),
        ("[1}", 1, 3, "bracket closes another"),
        ('{"a": [1}', 1, 9, "bracket closes another"),
        ("{}}", 1, 3, "bracket closes another"),
        ('{"a" 1}', 1, 6, "colon is missing"),
        ("{a: 1}", 1, 2, "The name a has no quotes"),
        ("{1: 1}", 1, 2, "The name 1 has no quotes"),
        ("\ufeff{a}", 1, 2, "The name a has no quotes"),
        ('{"a": 1, , "b": 2}', 1, 10, "member name is missing"),
        ("{'a': 1}", 1, 2, "' is no JSON quote"),
        ("{“a”: 1}", 1, 2, "“ is no JSON quote"),
        ("['a']", 1, 2, "' is no JSON quote"),
        ('{"a": }', 1, 7, "value is missing"),
        ("[,1]", 1, 2, "value is missing"),
        ('{"a": hello}', 1, 7, "The text hello has no quotes"),
        ("[nullable]", 1, 2, "The text nullable has no quotes"),
        ("٣", 1, 1, "no quotes"),
        ('{"a": True}', 1, 7, "True is not JSON"),
        ('{"a": FALSE}', 1, 7, "FALSE is not JSON"),
        ('{"a": None}', 1, 7, "None is not JSON"),
        ('{"a": undefined}', 1, 7, "undefined is not JSON"),
        ("[01]", 1, 2, "01 is not a JSON number"),
        ("[+1]", 1, 2, "not a JSON number"),
        ("[.5]", 1, 2, "not a JSON number"),
        ("[5.]", 1, 2, "5. is not a JSON number"),
        ("[-]", 1, 2, "not a JSON number"),
        ("[0x1F]", 1, 2, "not a JSON number"),
        ("[1_000]", 1, 2, "1_000 is not a JSON number"),
        ("2026-01-31", 1, 1, "2026-01-31 is not a JSON number"),
        ("1 2", 1, 3, "ends before this"),
        ("{} x", 1, 4, "ends before this"),
        ("{}\n// note", 2, 1, "no comments"),
        ('{"a": 1 /* b */}', 1, 9, "no comments"),
        ("# x", 1, 1, "no comments"),
        ("{", 1, 2, "never closed"),
        ('{\n  "a": [1,', 2, 11, "never closed"),
        ('{"a"', 1, 5, "never closed"),
        ('{"a":', 1, 6, "never closed"),
        ('{"a": 1', 1, 8, "never closed"),
        ('"abc', 1, 1, "no closing quote"),
        ('"abc\\', 1, 1, "no closing quote"),
        ('["abc\n"]', 1, 6, "line ends inside a text"),
        ('"a\tb"', 1, 3, "control character"),
        ('"a\0b"', 1, 3, "control character"),
        ('"ok \\q"', 1, 5, "escape is not known"),
        ('"\\\\ \\u12g4"', 1, 6, "escape is not known"),
        ("[\u00a01]", 1, 2, r"invisible '\xa0'"),
        ("[\u200b1]", 1, 2, r"invisible '\u200b'"),
        ("[1\x00]", 1, 3, r"invisible '\x00'"),
    ],
)
def test_a_fault_has_a_line_a_column_and_a_sentence(
    text: str, line: int, column: int, said: str
) -> None:
    problem = refused(text)
    assert problem.message.startswith(f"Line {line}, column {column}: ")
    assert said in problem.message
    assert problem.details == {"field": "value", "line": line, "column": column}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[True]", "Write true or false."),
        ("[None]", "Write null."),
        ("[hello]", 'Write "hello".'),
        ("{name: 1}", 'Write "name".'),
        ("", 'Write a value such as {"a": 1}.'),
        ("[", "Close { with }, [ with ]."),
        ("{]", 'Write "name": value.'),
        ("[}", "Write a value, or null for none."),
        ("[1}", "Close { with }, [ with ]."),
        ('"C:\\data"', "Write \\\\ for a backslash, é or \\u00e9 for é."),
    ],
)
def test_the_hint_says_what_to_write(text: str, told: str) -> None:
    assert refused(text).hint == told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("NaN", "NaN is not JSON."),
        ("[-Infinity]", "-Infinity is not JSON."),
        ("[1e999]", "1e999 is beyond"),
        ("-1e999", "-1e999 is beyond"),
        ("[" + "9" * 5_000 + "]", "99 is beyond"),
        ('"\\ud83d"', "half of a character"),
        ('["\ud83d"]', "half of a character"),
        ('{"\\udd5d\\ud83e": 1}', "half of a character"),
        ('{"a": 1, "b": 2, "a": 3}', "'a' appears twice"),
        ('{"a": 1, "\\u0061": 3}', "'a' appears twice"),
        ('{"x": {"a": 1}, "y": [{"b": 1, "b": 1}]}', "'b' appears twice"),
    ],
)
def test_what_the_standard_reader_lets_pass_is_named_and_refused(text: str, said: str) -> None:
    problem = refused(text)
    assert said in problem.message
    assert problem.details == {"field": "value"}


def test_a_fault_the_reader_words_in_a_new_way_still_has_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def newer(text: str, **_: Any) -> Json:
        raise json.JSONDecodeError("Something else", text, 2)

    monkeypatch.setattr(json, "loads", newer)
    assert refused("[\n1]").message == "Line 2, column 1: This is not JSON."


def test_a_newer_python_points_at_the_comma_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def newer(text: str, **_: Any) -> Json:
        raise json.JSONDecodeError("Illegal trailing comma before end of array", text, 2)

    monkeypatch.setattr(json, "loads", newer)
    assert refused("[1,]").message == "Line 1, column 3: A comma stands before a closing bracket."


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"b":'])
def test_no_depth_of_nesting_can_hurt(opening: str) -> None:
    with pytest.raises(DocumentTooDeep) as raised:
        documents.new(json_text.parse(opening * 100_000))
    assert raised.value.hint


def test_a_closed_hostile_depth_is_refused_too() -> None:
    with pytest.raises(DocumentTooDeep):
        documents.new(json_text.parse("[" * 100_000 + "]" * 100_000))
    with pytest.raises(DocumentTooDeep):
        documents.new(json_text.parse("[" * 33 + "]" * 33))
    assert json_text.parse("[" * 32 + "]" * 32) == json.loads("[" * 32 + "]" * 32)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("\ufeff{}", {}),
        (' \t\r\n{ "a" : [ 1 , 2 ] } \n', {"a": [1, 2]}),
        ('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83e\\udd5d"', '"\\/\b\f\n\r\té🥝'),
        ("-0", 0),
        ("-0.5e+2", -50.0),
        ("1E5", 100_000.0),
        ("1e-999", 0.0),
        ("1" + "0" * 308, 10**308),
        ('{"": {"": null}}', {"": {"": None}}),
        ('"\u2028é"', "\u2028é"),
        ('[{"a": 1}, {"a": 1}]', [{"a": 1}, {"a": 1}]),
    ],
)
def test_strict_json_is_read(text: str, value: Json) -> None:
    assert same(json_text.parse(text), value)


def test_numbers_keep_their_type() -> None:
    read = json_text.parse("[1, 1.0]")
    assert isinstance(read, list)
    assert [type(number) for number in read] == [int, float]


NAMES = st.text('abé\u0301"\\\0\n/日', max_size=3)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**20), 10**20),
        st.floats(allow_nan=False, allow_infinity=False),
        NAMES,
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
)
PIECES = st.one_of(
    st.sampled_from(['"a"', '"b"', ":", ",", "{", "}", "[", "]", "1", "-", ".5", "e3", " ", "\n"]),
    st.sampled_from(["true", "null", "nul", "NaN", "//", "é", "\t", "\x00", '"', "\\", "\ud800"]),
    st.sampled_from(["\\u00e9", "\\ud83d"]),
)
EDITS = st.lists(st.tuples(st.integers(0, 60), st.booleans(), PIECES), max_size=2)
BLANKS = st.lists(
    st.tuples(st.integers(0, 60), st.just(False), st.sampled_from([" ", "\n"])),
    min_size=1,
    max_size=2,
)
"""Most of these leave JSON what it is; of other edits few do."""


def distinct(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    members = list(pairs)
    if len(dict(members)) < len(members):
        raise ValueError(members)
    return dict(members)


def test_every_text_is_read_as_the_standard_reader_does_or_refused_in_words() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=400)
    @given(VALUES, EDITS | BLANKS)
    def holds(value: Json, edits: list[tuple[int, bool, str]]) -> None:
        text = json.dumps(value, ensure_ascii=False)
        for at, replaces, piece in edits:
            text = text[:at] + piece + text[at + replaces :]
        try:
            expected = json.loads(text, object_pairs_hook=distinct)
            json.dumps(expected, ensure_ascii=False, allow_nan=False).encode()
        except ValueError:
            reached["refused"] += 1
            place = refused(text).details
            assert 1 <= place.get("line", 1) <= text.count("\n") + 1  # type: ignore[operator]
            assert 1 <= place.get("column", 1) <= len(text) + 1  # type: ignore[operator]
        else:
            reached["edited" if edits else "read"] += 1
            assert same(json_text.parse(text), expected)

    holds()
    assert min(reached[case] for case in ("refused", "edited", "read")) > 5
