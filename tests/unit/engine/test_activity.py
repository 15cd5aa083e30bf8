"""The activity log as a list, and where an item stands in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from localmem.core.model import Kind
from localmem.core.records import Slice
from localmem.core.scope import PROJECT, contact
from localmem.engine import Engine
from tests.support.library import AGENT, BACKEND, FixedClock, open_library

DAY = 86_400


@pytest.fixture
def engine(tmp_path: Path, clock: FixedClock) -> Engine:
    return open_library(tmp_path / "library.db", clock)


def test_a_window_is_the_same_part_of_the_log_however_it_is_asked_for(engine: Engine) -> None:
    for number in range(30):
        engine.facts.add(f"Fact {number}.")
    whole = engine.activity.window(limit=100)
    assert len(whole) == engine.activity.count() == 30
    assert engine.activity.newest() == whole[0].seq
    for offset in range(0, 30, 7):
        assert engine.activity.window(limit=5, offset=offset) == whole[offset : offset + 5]
        behind = engine.activity.window(limit=5, before=whole[offset].seq)
        assert behind == whole[offset + 1 : offset + 6]


def test_it_is_narrowed_by_author_and_by_time(engine: Engine, clock: FixedClock) -> None:
    engine.facts.add("Yours.")
    clock.advance(DAY)
    at = clock()
    agent = engine.acting(AGENT)
    agent.facts.add("The agent's.")
    engine.acting(BACKEND).documents.set("orders", "ORD-1", {})
    assert {deed.by.name for deed in engine.activity.window(limit=9, by="shop-agent")} == {
        "shop-agent"
    }
    assert len(engine.activity.window(limit=9, until=at)) == 1
    assert len(engine.activity.window(limit=9, since=at)) == engine.activity.count() - 1
    assert dict(engine.activity.authors())["shop-agent"] == engine.activity.count(by="shop-agent")


@pytest.mark.parametrize(
    "slice",
    [Slice(), Slice(Kind.FACT), Slice(Kind.FACT, contact("ana")), Slice(Kind.DOCUMENT),
     Slice(Kind.DOCUMENT, PROJECT, "orders")],
    ids=str,
)  # fmt: skip
def test_an_item_stands_where_the_window_shows_it(engine: Engine, slice: Slice) -> None:
    for number in range(12):
        engine.facts.add(f"Fact {number}.", scope=contact("ana") if number % 3 else PROJECT)
        engine.documents.set("orders" if number % 2 else "carts", f"K{number}", {})
    held = engine.library.window(slice, offset=0, limit=100)
    assert len(held) > 4
    assert [engine.library.place(slice, item) for item in held] == list(range(len(held)))


def test_what_waits_is_told_among_others(engine: Engine) -> None:
    yours = engine.facts.add("Yours.").item  # type: ignore[union-attr]
    theirs = engine.acting(AGENT).facts.add("The agent's.").item  # type: ignore[union-attr]
    assert engine.inbox.among([yours.id, theirs.id]) == {theirs.id}
    engine.inbox.accept([theirs.id])
    assert engine.inbox.among([yours.id, theirs.id]) == frozenset()
