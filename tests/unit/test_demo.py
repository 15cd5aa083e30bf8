"""The sample library: told as it would have happened, and whole in memory."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path

import pytest

from localmem import demo, wiring
from localmem.bridge import AsyncEngine
from localmem.core import plain, query
from localmem.core.change import Saved
from localmem.core.incoming import Incoming
from localmem.core.model import AuthorKind, FactContent, Item, Kind, Millis
from localmem.core.records import Slice
from localmem.engine import Engine
from localmem.engine.answers import MeaningState
from localmem.engine.imports import Rules
from localmem.engine.outcomes import ForgetPlan, Undone
from localmem.errors import StoreDamaged
from tests.support.library import NOW, FixedClock, WordsEmbedder, open_library

DAY = 86_400_000


def filled(now: Millis = NOW, zone: tzinfo = UTC, embedder: WordsEmbedder | None = None) -> Engine:
    clock = demo.Rewound(FixedClock(now))
    engine = open_library(":memory:", clock, embedder=embedder, cached=True)
    demo.fill(engine, clock, zone)
    return engine


@pytest.fixture(scope="module")
def sample() -> Engine:
    return filled()


def everything(engine: Engine) -> list[Item]:
    return engine.library.window(Slice(), offset=0, limit=1_000)


def local(at: Millis, zone: tzinfo) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone)


@pytest.mark.parametrize(
    ("now", "zone"),
    [
        (datetime(2026, 11, 30, 18, 0, tzinfo=UTC), UTC),
        (datetime(2027, 1, 1, 0, 1, tzinfo=UTC), UTC),
        (datetime(2028, 3, 1, 6, 0, tzinfo=UTC), timezone(timedelta(hours=13))),
        (datetime(2026, 7, 1, 23, 59, tzinfo=UTC), timezone(timedelta(hours=-11))),
    ],
)
def test_all_of_it_happened_in_the_month_before_whenever_it_is_opened(
    now: datetime, zone: tzinfo
) -> None:
    at = int(now.timestamp() * 1000)
    engine = filled(at, zone)
    assert engine.now() == at
    items = everything(engine)
    assert len(items) == 46
    for item in items:
        times = [version.at for version in engine.library.history(item.id)]
        assert times == sorted(times)
        assert at - 32 * DAY < times[0] <= times[-1] < at
        assert item.head.expires_at is None or item.head.expires_at > at
    # By day, as people and shops do: nothing was kept in the middle of the night, but by the clock.
    kept = [item for item in items if item.created_at < at - DAY]
    assert all(7 <= local(item.created_at, zone).hour <= 21 for item in kept)
    engine.close()


def test_it_shows_what_can_be_kept_and_by_whom(sample: Engine) -> None:
    items = everything(sample)
    assert {item.kind for item in items} == set(Kind)
    scopes = {str(item.scope) for item in items}
    assert scopes == {"person", "project", "contact:ana", "contact:bruno",
                      "conversation:lisbon-trip"}  # fmt: skip
    scripts = {unicodedata.name(letter).split()[0] for item in items
               for letter in plain.text(item) if letter.isalpha()}  # fmt: skip
    assert {"LATIN", "HIRAGANA", "CJK"} <= scripts
    collections = {each.name: each.indexes for each in sample.documents.collections()}
    assert collections == {"orders": ("status",), "reservations": ()}
    several = [{version.by.kind for version in sample.library.history(item.id)} for item in items]
    assert set(AuthorKind) in several


def test_a_preference_stands_beside_what_a_purchase_suggests(sample: Engine) -> None:
    brands = sample.preferences.entry("preferred_brands")
    assert brands.declared is not None and brands.inferred is not None
    assert brands.inferred.head.evidence.purchase_id
    size = sample.preferences.entry("shoe_size").declared
    assert size is not None
    quotes = [version.evidence.quote for version in sample.library.history(size.id)]
    assert quotes == ["acho que calço 41", "eu calço 42"]


def test_what_agents_wrote_waits_with_the_words_it_came_from(sample: Engine) -> None:
    waiting = sample.inbox.window(offset=0, limit=50)
    assert len(waiting) == 6
    facts = [each for each in waiting if each.item.kind is Kind.FACT]
    assert len(facts) == 4
    assert all(each.item.head.evidence.quote and each.item.head.evidence.source for each in facts)
    (changed,) = (each for each in facts if each.before is not None)
    assert changed.before is not None and isinstance(changed.before.content, FactContent)
    assert changed.before.content.text == demo.OF_BRUNO[0]


def test_agents_have_read_and_something_ends_soon(sample: Engine) -> None:
    deeds = sample.activity.window(offset=0, limit=500)
    by_agents = [deed for deed in deeds if deed.by.kind is AuthorKind.AGENT]
    read = [deed for deed in by_agents if deed.action not in ("kept", "edited")]
    assert len(read) == 4
    assert any(sample.library.last_used(item.id) for item in everything(sample))
    ends = [item.head.expires_at - NOW for item in everything(sample) if item.head.expires_at]
    assert min(ends) < DAY


def test_a_fault_while_it_is_written_leaves_the_clock_right() -> None:
    clock = demo.Rewound(FixedClock())
    engine = open_library(":memory:", clock)
    engine.close()
    with pytest.raises(StoreDamaged):
        demo.fill(engine, clock, UTC)
    assert clock() == NOW


async def test_everything_a_library_does_works_in_memory(tmp_path: Path) -> None:
    """Through the app's own bridge: search by meaning, undo, history, erasing, an import, drafts;
    and there is no file, not even of a draft."""
    home = wiring.home({"LOCALMEM_HOME": str(tmp_path / "home")})
    home = replace(home, settings=home.settings._replace(model="none"))
    bridge = AsyncEngine(lambda: wiring.open_demo(home))
    await bridge.start()

    def ask(words: str) -> Callable[[Engine], list[str]]:
        asked = query.parse(words, now=NOW, zone=UTC)
        return lambda engine: [plain.text(hit.item) for hit in engine.recall.search(asked).hits]

    def change(engine: Engine) -> Item:
        saved = engine.facts.add("Keeps bees on the roof.")
        assert isinstance(saved, Saved)
        engine.facts.edit(saved.item.id, text="Keeps bees behind the house.")
        engine.library.save_draft("fact", "half a sentence")
        return saved.item

    item = await bridge.write(change)
    assert await bridge.read(ask("bees")) == ["Keeps bees behind the house."]
    undone = await bridge.write(lambda engine: engine.versions.undo())
    assert isinstance(undone, Undone)
    assert await bridge.read(ask("bees")) == ["Keeps bees on the roof."]
    assert len(await bridge.read(lambda engine: engine.library.history(item.id))) == 3
    plan = await bridge.read(lambda engine: engine.forgetting.plan([item.id]))
    assert isinstance(plan, ForgetPlan)
    receipt = await bridge.write(lambda engine: engine.forgetting.forget([item.id]))
    assert receipt.erased.versions == 3
    assert await bridge.read(ask("bees")) == []

    def bring(engine: Engine) -> int:
        rules = Rules()
        run = engine.imports.begin("bees.txt", "lines", "f1", rules)
        taken = engine.imports.take(run, [Incoming(1, FactContent("Honey is for guests."))], rules)
        engine.imports.finish(taken.run)
        return len(taken.outcomes)

    assert await bridge.write(bring) == 1
    assert await bridge.read(ask("honey")) == ["Honey is for guests."]
    await bridge.write(lambda engine: engine.maintain())
    await asyncio.gather(*(bridge.read(ask("honey")) for _ in range(5)))
    await bridge.close()
    assert list(tmp_path.iterdir()) == []


def test_meaning_is_searched_in_memory_too() -> None:
    engine = filled(embedder=WordsEmbedder())
    while engine.meaning.embed_waiting():
        pass
    assert engine.meaning.state() == (MeaningState.READY, 0)
    asked = query.parse("penicillin allergic", now=NOW, zone=UTC)
    hit = engine.recall.search(asked).hits[0]
    assert hit.meaning and plain.text(hit.item) == "Allergic to penicillin."
    engine.close()
