"""Our own lines: whatever can be kept comes back from them as it was, and nothing else does."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core.incoming import Definition, Line, Standing, Unreadable, Waiting, Whole
from localmem.core.model import (
    Actor,
    AuthorKind,
    Change,
    Collection,
    DocumentContent,
    Evidence,
    FactContent,
    Item,
    ItemId,
    Kind,
    Origin,
    PreferenceContent,
    Provenance,
    Version,
)
from localmem.core.preferences import PreferenceKey, PreferenceState
from localmem.core.scope import PERSON, PROJECT, contact
from localmem.errors import ImportUnreadable
from localmem.portable import csv_out, ndjson

CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXT = st.text(CHARACTERS, max_size=30)
MAYBE = st.none() | TEXT
MOMENT = st.integers(0, 4_000_000_000_000)
IDS = st.integers(0, 2**48 - 1).map(lambda n: f"{n:012x}"[:8] + f"-0000-7000-8000-{n:012x}")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
PLACES = {
    Kind.FACT: {"scope": contact("ana")},
    Kind.DOCUMENT: {"scope": PROJECT, "collection": "orders", "key": "A"},
    Kind.PREFERENCE: {"scope": PERSON, "key": "shoe_size", "provenance": Provenance.INFERRED},
}
CONTENTS = {
    Kind.FACT: st.builds(FactContent, TEXT, st.dictionaries(TEXT, TEXT, max_size=3), MAYBE),
    Kind.DOCUMENT: st.builds(DocumentContent, JSON),
    Kind.PREFERENCE: st.builds(
        PreferenceContent, TEXT | st.lists(TEXT, max_size=3).map(tuple)
    ),
}  # fmt: skip


@st.composite
def versions(draw: st.DrawFn, kind: Kind) -> list[Version]:
    many = draw(st.integers(1, 4))
    numbers = sorted(draw(st.sets(st.integers(1, 50), min_size=many, max_size=many)))
    ids = draw(st.lists(IDS, min_size=len(numbers), max_size=len(numbers), unique=True))
    actors = st.builds(
        Actor, st.sampled_from(AuthorKind), TEXT, st.sampled_from(Origin), st.just("a1b2c3d4")
    )
    return [
        Version(
            id=id,
            number=number,
            change=draw(st.sampled_from(Change)),
            content=draw(CONTENTS[kind]),
            by=draw(actors),
            at=draw(MOMENT),
            expires_at=draw(st.none() | MOMENT),
            evidence=draw(st.builds(Evidence, MAYBE, MAYBE, MAYBE)),
            base=draw(st.none() | st.integers(1, 50)),
        )
        for id, number in zip(ids, numbers, strict=True)
    ]


@st.composite
def wholes(draw: st.DrawFn) -> Whole:
    kind = draw(st.sampled_from(Kind))
    *earlier, head = draw(versions(kind))
    item = Item(ItemId(draw(IDS)), kind, head=head, created_at=draw(MOMENT), **PLACES[kind])  # type: ignore[arg-type]
    waiting = draw(st.none() | st.builds(Waiting, MOMENT, st.none() | st.integers(1, 9)))
    return Whole(2, item, tuple(earlier), waiting)


def read(text: str) -> list[Line]:
    return list(ndjson.read(enumerate(text.split("\n"), 1)))


def test_whatever_is_kept_comes_back_from_its_line_as_it_was() -> None:
    reached: Counter[str] = Counter()

    @settings(deadline=None)
    @given(wholes())
    def check(value: Whole) -> None:
        text = "".join(ndjson.write([value], history=True))
        assert read(text) == [value]
        assert "".join(ndjson.write([value], history=True, ascii_only=True)).isascii()
        reached.update([str(value.item.kind), f"{len(value.earlier)} earlier"])

    check()
    assert all(reached[kind] > 5 for kind in Kind)
    assert reached["0 earlier"] > 5 and reached["2 earlier"] > 5


def test_collections_and_forgotten_keys_come_back() -> None:
    values = [
        Definition(2, Collection("orders", ("status",), 3_600, True, 5)),
        Standing(3, PreferenceKey.SHOE_SIZE, PreferenceState(2, inference_blocked=True)),
    ]
    assert read("".join(ndjson.write(values, history=False))) == values


def document(number: int) -> Version:
    value = {"n": number, "padding": "x" * 100_000}
    actor = Actor(AuthorKind.PERSON, "you", Origin.CLI)
    return Version(f"{number:08x}-0000-7000-8000-000000000000", number, Change.EDIT,
                   DocumentContent(value), actor, number)  # fmt: skip


def test_a_history_of_any_length_is_written_on_lines_that_readers_can_hold() -> None:
    *earlier, head = [document(number) for number in range(1, 101)]
    id = ItemId("00000000-0000-7000-8000-000000000000")
    item = Item(id, Kind.DOCUMENT, PROJECT, head, 0, "A", "orders")
    lines = list(ndjson.write([Whole(0, item, tuple(earlier))], history=True))
    assert len(lines) == 11 and max(map(len, lines)) < 2 * ndjson.LONGEST_PART
    (back,) = read("".join(lines))
    assert isinstance(back, Whole)
    assert (back.item, back.earlier) == (item, tuple(earlier))


def faults() -> Iterator[tuple[dict[str, object], str]]:
    yield {"at": "2026-11-30T18:00:00"}, "offset"
    yield {"createdAt": "yesterday"}, "not a time"
    yield {"version": "1"}, "version"
    yield {"colour": "red"}, "colour is not known"
    yield {"text": None}, "says text"
    yield {"value": 1}, "says text"
    yield {"scope": "planet"}, "not a scope"
    yield {"key": "A"}, "no key"
    yield {"provenance": "declared"}, "Only a preference"
    yield {"id": "1; DROP TABLE item"}, "not an id"
    yield {"earlier": [{}]}, "missing"
    yield {"by": {"kind": "god", "name": "x", "origin": "cli"}}, "by.kind"


@pytest.mark.parametrize(("fault", "reason"), faults())
def test_a_line_that_is_not_as_we_write_it_is_named_with_the_member(
    fault: dict[str, object], reason: str
) -> None:
    version = document(1)
    fact = Version(version.id, 1, Change.EDIT, FactContent("Tea"), version.by, 1)
    item = Item(ItemId(version.id), Kind.FACT, PROJECT, fact, 0)
    shape = json.loads(list(ndjson.write([Whole(0, item)], history=False))[1])
    (found,) = read(json.dumps(shape | fault))
    assert isinstance(found, Unreadable) and found.line == 1
    assert reason in found.why and found.why.endswith(".")


def test_only_the_first_line_of_an_export_says_that_it_is_ours() -> None:
    first, *_ = ndjson.write([], history=True)
    assert ndjson.is_ours(first)
    for other in ("", "localmem", '{"localmem": 1}', '{"text": "localmem"}', '["localmem"]', "{"):
        assert not ndjson.is_ours(other)


@pytest.mark.parametrize("format", [0, 2, 99])
def test_another_format_is_refused_as_a_whole(format: int) -> None:
    with pytest.raises(ImportUnreadable):
        read(json.dumps({"localmem": "export", "format": format}))


@settings(deadline=None)
@given(wholes())
def test_a_table_has_a_line_a_version_and_no_cell_that_calculates(value: Whole) -> None:
    rows = list(csv.reader(iter("".join(csv_out.write([value], history=True)).splitlines(True))))
    assert len(rows) == 2 + len(value.earlier)
    for row in rows[1:]:
        assert len(row) == len(csv_out.COLUMNS)
        assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in row)
