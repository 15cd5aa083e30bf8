"""As of a day: the whole library as it was then, to look at and to bring back from."""

from __future__ import annotations

import re

import pytest

from localmem.core import plain
from localmem.core.model import Item
from localmem.core.records import Slice
from localmem.core.scope import contact
from localmem.engine import Engine
from localmem.tui.present.places import Shelves
from localmem.tui.present.rows import item_of
from localmem.tui.screens.as_of import DayScreen
from localmem.tui.screens.history import HistoryScreen
from tests.support import screen
from tests.support.hostile import HOSTILE
from tests.support.library import AGENT, FixedClock
from tests.tui.conftest import Fill, Open, Running, rows_at

SIZES = [(120, 36), (80, 24), (60, 20), (40, 12)]
DAY = 86_400
THEN = "2026-11-28"
"""Two days before the clock of the tests."""


def two_days_ago(clock: FixedClock, then: Fill, since: Fill | None = None) -> Fill:
    """Writes `then` on 28 November and `since` on the 30th."""

    def fill(engine: Engine) -> None:
        clock.advance(-2 * DAY)
        then(engine)
        clock.advance(2 * DAY)
        if since is not None:
            since(engine)

    return fill


def fill_then(engine: Engine) -> None:
    kept(engine, "The blue drawer holds the key.")
    kept(engine, "The dentist is in Alvalade.")
    engine.facts.add("Calls before ten.", scope=contact("ana"))
    engine.preferences.remember("shoe_size", "41")
    engine.documents.set("orders", "ORD-1", {"status": "paid"})


def fill_since(engine: Engine) -> None:
    held = engine.library.window(Slice(), offset=0, limit=50)
    blue = next(item for item in held if "blue drawer" in plain.text(item))
    dentist = next(item for item in held if "dentist" in plain.text(item))
    engine.facts.edit(blue.id, text="The red drawer holds the key.")
    engine.forgetting.forget([dentist.id])
    engine.preferences.correct("shoe_size", "42")
    engine.documents.set("orders", "ORD-2", {"status": "new"})
    engine.acting(AGENT).facts.add("Something new today.")


async def look_back(running: Running, day: str) -> None:
    await running.press("d")
    assert isinstance(running.app.screen, DayScreen)
    await running.type(day)
    await running.press("enter")


def listed(running: Running) -> list[str]:
    rows = running.library.list_pane
    held = (rows._held[at] for at in range(rows.count))
    return [plain.text(item) for row in held if (item := item_of(row)) is not None]


async def test_lists_counts_and_previews_are_those_of_the_day(
    open_app: Open, clock: FixedClock
) -> None:
    async with open_app(two_days_ago(clock, fill_then, fill_since)) as running:
        assert "The red drawer holds the key." in listed(running)
        await look_back(running, THEN)
        assert sorted(listed(running)) == [
            "Calls before ten.",
            "Shoe size: 41",
            "The blue drawer holds the key.",
            "orders ORD-1 status paid",
        ]
        for line in (r"Everything +4│", r"Facts +2│", r"Collections +1│", r"orders +1│"):
            assert re.search(line, running.text), line
        assert "✎ Inbox" not in running.text and "Activity" not in running.text
        assert "v2" not in running.library.page.text


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_banner_cannot_be_missed_at_any_size(
    open_app: Open, clock: FixedClock, size: tuple[int, int]
) -> None:
    async with open_app(two_days_ago(clock, fill_then), size=size) as running:
        assert not running.library.banner.display
        await look_back(running, THEN)
        line = running.text.splitlines()[1]
        assert "28 Nov 2026, 23:59" in line and "esc" in line
        assert screen.overflowing(running.app) == []
        tooltip = running.library.banner.tooltip
        assert "forgotten or has expired since is not in any past" in str(tooltip)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("yesterday", "29 Nov 2026, 23:59"),
        ("2026-10", "31 Oct 2026, 23:59"),
        ("2025", "31 Dec 2025, 23:59"),
        ("2026-11-28", "28 Nov 2026, 23:59"),
    ],
)
async def test_a_day_is_named_as_in_the_search(
    open_app: Open, clock: FixedClock, typed: str, shown: str
) -> None:
    async with open_app(two_days_ago(clock, fill_then)) as running:
        await running.press("d")
        await running.type(typed)
        assert f"→ {shown}" in running.text
        assert "Your library begins on 28 Nov 2026." in " ".join(
            running.text.replace("┃", " ").split()
        )
        await running.press("enter")
        assert shown in running.text.splitlines()[1]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("soon", "'soon' is not a date."),
        ("2026-02-30", "'2026-02-30' is not a date."),
        ("2027-01", "2027-01 has not come yet."),
        ("\x1b]0;x", "is not a date."),
    ],
)
async def test_what_is_no_day_is_explained_and_can_be_mended(
    open_app: Open, typed: str, told: str
) -> None:
    async with open_app(fill_then) as running:
        await running.press("d")
        running.app.screen.query_one("#day").typed = typed  # type: ignore[attr-defined]
        await running.settle()
        assert told in running.text
        await running.press("enter")
        assert isinstance(running.app.screen, DayScreen)
        assert screen.hostile(running.app) == set()
        await running.press("escape")
        assert running.at_library and running.library.at is None


@pytest.mark.parametrize("typed", ["today", "2026", "2026-11"])
async def test_today_comes_back_to_now(open_app: Open, clock: FixedClock, typed: str) -> None:
    async with open_app(two_days_ago(clock, fill_then, fill_since)) as running:
        await look_back(running, THEN)
        await look_back(running, typed)
        assert running.library.at is None
        assert not running.library.banner.display
        assert "The red drawer holds the key." in listed(running)


async def test_esc_comes_back_from_list_and_tree_and_first_closes_what_is_open(
    open_app: Open, clock: FixedClock
) -> None:
    async with open_app(two_days_ago(clock, fill_then, fill_since)) as running:
        await look_back(running, THEN)
        await running.press("enter", "escape")
        assert running.library.at is not None
        assert running.library.list_pane.has_focus
        await running.press("escape")
        assert running.library.at is None
        await look_back(running, THEN)
        await running.press("left", "escape")
        assert running.library.at is None


async def test_nothing_can_be_changed_there(open_app: Open, clock: FixedClock) -> None:
    async with open_app(two_days_ago(clock, fill_then, fill_since)) as running:
        before = await running.ask(lambda engine: engine.activity.count())
        await look_back(running, THEN)
        for key in ("e", "n", "f", "u", "a", "x", "A"):
            await running.press(key)
            assert running.at_library, key
            assert "r brings a version back" in running.toasts()[-1]
        assert await running.ask(lambda engine: engine.activity.count()) == before


async def test_r_brings_the_version_of_then_back_and_u_takes_that_back(
    open_app: Open, clock: FixedClock
) -> None:
    async with open_app(two_days_ago(clock, fill_then, fill_since)) as running:
        await look_back(running, THEN)
        await put_cursor_on(running, "The blue drawer holds the key.")
        await running.press("r")
        assert "What it said on 28 Nov 2026, 23:59 is back, as version 3." in running.toasts()[-1]
        assert running.library.at is not None
        await running.press("r")
        assert "It says the same today" in running.toasts()[-1]
        await running.press("escape")
        assert "The blue drawer holds the key." in listed(running)
        await running.press("u")
        assert "The red drawer holds the key." in listed(running)


async def test_what_was_forgotten_since_is_gone_from_there_too(
    open_app: Open, clock: FixedClock
) -> None:
    async with open_app(two_days_ago(clock, fill_then, fill_since)) as running:
        await look_back(running, THEN)
        assert "dentist" not in " ".join(listed(running))
        await running.press("slash")
        await running.type("dentist")
        assert "dentist is" not in running.text


async def test_the_search_is_by_the_words_of_then(open_app: Open, clock: FixedClock) -> None:
    async with open_app(two_days_ago(clock, fill_then, fill_since)) as running:
        await look_back(running, THEN)
        await running.press("slash")
        await running.type("blue drawer")
        assert listed(running) == ["The blue drawer holds the key."]
        assert "Results · 1 of 4 · by words" in running.text
        running.library.box.typed = "red drawer"
        await running.settle()
        assert listed(running) == []
        running.library.box.typed = "scope:contact:ana"
        await running.settle()
        assert listed(running) == ["Calls before ten."]
        await running.press("escape")
        assert running.library.at is not None and len(listed(running)) == 4


async def test_the_history_ends_with_the_day(open_app: Open, clock: FixedClock) -> None:
    async with open_app(two_days_ago(clock, fill_then, fill_since)) as running:
        await look_back(running, THEN)
        await put_cursor_on(running, "The blue drawer holds the key.")
        await running.press("h")
        assert isinstance(running.app.screen, HistoryScreen)
        assert "up to 28 Nov 2026, 23:59" in running.text
        assert "1 version" in running.text and "red drawer" not in running.text
        await running.press("r")
        assert "as version 3" in running.toasts()[-1]


async def test_preferences_and_documents_are_those_of_the_day(
    open_app: Open, clock: FixedClock
) -> None:
    async with open_app(two_days_ago(clock, fill_then, fill_since)) as running:
        await look_back(running, THEN)
        await running.press("left", "down")
        assert re.search(r"Shoe size +41 ", running.text)
        await running.press("G", "right")
        assert running.library.spot is not None and running.library.spot.collection == "orders"
        assert "ORD-1" in running.text and "ORD-2" not in running.text


async def test_a_day_before_everything_says_that_nothing_was_there(
    open_app: Open, clock: FixedClock
) -> None:
    async with open_app(two_days_ago(clock, fill_then)) as running:
        await look_back(running, "2020")
        assert "Nothing that is still kept was here then." in running.text
        await running.press("left", "down")
        assert "not set" in running.text


async def test_the_inbox_of_today_is_left_for_the_past(open_app: Open, clock: FixedClock) -> None:
    async with open_app(two_days_ago(clock, fill_then, fill_since)) as running:
        await running.press("left", "G", "k", "k")
        assert running.library.address.shelf is Shelves.INBOX
        await look_back(running, THEN)
        assert running.library.address.shelf is Shelves.EVERYTHING


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_hostile_values_of_the_past_are_text(
    open_app: Open, clock: FixedClock, size: tuple[int, int]
) -> None:
    def hostile(engine: Engine) -> None:
        for number, value in enumerate(HOSTILE):
            item = kept(engine, f"{value[:3000]} #{number}")
            engine.facts.edit(item.id, text=f"{value[:3000]} changed #{number}")

    async with open_app(two_days_ago(clock, hostile), size=size) as running:
        await look_back(running, THEN)
        assert running.library.list_pane.count == len(HOSTILE)
        for row in rows_at(size, len(HOSTILE)):
            running.library.list_pane.cursor = row
            await running.settle()
            if row % 6 == 0:
                await running.press("enter")
                assert screen.overflowing(running.app) == []
                await running.press("escape", "h")
                assert screen.hostile(running.app) == set()
                await running.press("escape")
            assert screen.wrong(running.app) == []


async def put_cursor_on(running: Running, text: str) -> None:
    running.library.list_pane.cursor = listed(running).index(text)
    await running.settle()


def kept(engine: Engine, text: str) -> Item:
    return engine.facts.add(text).item  # type: ignore[union-attr]
