"""The library as it was at a moment."""

from __future__ import annotations

import pytest

from localmem.core import query
from localmem.core.change import Saved
from localmem.core.model import FactContent, Item, Kind, Millis, PreferenceContent
from localmem.core.records import Slice
from localmem.core.scope import contact
from localmem.engine import Engine
from localmem.errors import MemoryNotFound
from tests.support.library import FixedClock

DAY = 86_400


def fact(engine: Engine, text: str, **options: object) -> Item:
    result = engine.facts.add(text, **options)  # type: ignore[arg-type]
    assert isinstance(result, Saved)
    return result.item


def seen(engine: Engine, at: Millis, slice: Slice | None = None) -> list[str]:
    rows = engine.past.window(slice or Slice(Kind.FACT), at, offset=0, limit=50)
    assert engine.past.count(slice or Slice(Kind.FACT), at) == len(rows)
    return [row.head.content.text for row in rows if isinstance(row.head.content, FactContent)]


def test_a_list_shows_the_versions_of_then(engine: Engine, clock: FixedClock) -> None:
    first = fact(engine, "Lives in Porto")
    then = clock()
    clock.advance(DAY)
    engine.facts.edit(first.id, text="Lives in Braga")
    fact(engine, "Has a dog")
    assert seen(engine, then) == ["Lives in Porto"]
    assert seen(engine, clock()) == ["Has a dog", "Lives in Braga"]
    assert engine.past.get(first.id, then).head.number == 1
    assert [each.number for each in engine.past.history(first.id, then)] == [1]


def test_before_anything_was_kept_there_is_nothing(engine: Engine, clock: FixedClock) -> None:
    before = clock() - 1
    item = fact(engine, "Lives in Porto")
    assert seen(engine, before) == []
    assert engine.past.shelf(before).counts == ()
    assert engine.past.earliest() == clock()
    with pytest.raises(MemoryNotFound, match="was kept here then"):
        engine.past.get(item.id, before)


def test_what_had_expired_by_then_or_has_since_is_not_shown(
    engine: Engine, clock: FixedClock
) -> None:
    item = fact(engine, "Parking code", ttl_seconds=DAY)
    kept = clock()
    assert seen(engine, kept) == ["Parking code"]
    engine.facts.edit(item.id, ttl_seconds=9 * DAY)
    assert seen(engine, kept + 2 * DAY * 1000) == ["Parking code"]
    clock.advance(10 * DAY)
    assert seen(engine, kept) == []


def test_what_was_forgotten_since_is_gone_from_the_past_too(
    engine: Engine, clock: FixedClock
) -> None:
    item = fact(engine, "Lives in Porto")
    then = clock()
    clock.advance(DAY)
    engine.forgetting.forget([item.id])
    assert seen(engine, then) == []


def test_scopes_stay_apart_in_the_past(engine: Engine, clock: FixedClock) -> None:
    fact(engine, "Of Ana", scope=contact("ana"))
    fact(engine, "Of all")
    assert seen(engine, clock(), Slice(Kind.FACT, contact("ana"))) == ["Of Ana"]
    counts = {str(each.scope): each.items for each in engine.past.shelf(clock()).counts}
    assert counts == {"contact:ana": 1, "project": 1}


def test_preferences_are_those_of_then(engine: Engine, clock: FixedClock) -> None:
    engine.preferences.remember("shoe_size", "41")
    then = clock()
    clock.advance(DAY)
    engine.preferences.correct("shoe_size", "42")
    entry = next(each for each in engine.past.preferences(then) if each.key == "shoe_size")
    assert entry.effective is not None
    assert entry.effective.head.content == PreferenceContent("41")
    assert len(engine.past.preferences(then)) == 6


def test_a_collection_made_later_is_not_there(engine: Engine, clock: FixedClock) -> None:
    engine.documents.create_collection("orders")
    then = clock()
    clock.advance(DAY)
    engine.documents.create_collection("trips")
    assert [each.name for each in engine.past.shelf(then).collections] == ["orders"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("porto", ["Lives in Porto"]),
        ("lives", ["Likes tea. Lives here.", "Lives in Porto"]),
        ('"lives in"', ["Lives in Porto"]),
        ("lives -porto", ["Likes tea. Lives here."]),
        ("braga", []),
        ("scope:contact:ana lives", []),
        ("kind:fact by:you porto", ["Lives in Porto"]),
    ],
)
def test_search_finds_by_the_words_of_then(
    engine: Engine, clock: FixedClock, asked: str, found: list[str]
) -> None:
    from datetime import UTC

    item = fact(engine, "Lives in Porto")
    fact(engine, "Likes tea. Lives here.")
    then = clock()
    clock.advance(DAY)
    engine.facts.edit(item.id, text="Lives in Braga")
    wanted = query.parse(asked, now=clock(), zone=UTC)
    items = engine.past.find(wanted, then)
    assert [i.head.content.text for i in items if isinstance(i.head.content, FactContent)] == found


def test_search_in_the_past_reads_scripts_without_spaces(engine: Engine, clock: FixedClock) -> None:
    from datetime import UTC

    fact(engine, "お茶は緑茶が好きです。")
    wanted = query.parse("緑茶", now=clock(), zone=UTC)
    assert len(engine.past.find(wanted, clock())) == 1
