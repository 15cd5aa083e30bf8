"""The activity: who read and wrote what, told apart in words, however long the log is."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import pytest

from localmem.core import query
from localmem.core.model import Actor, AuthorKind, Item, Origin
from localmem.core.records import Deed
from localmem.core.scope import contact
from localmem.engine import Engine
from localmem.tui.present import activity
from localmem.tui.present.places import Address, Shelves
from localmem.tui.screens.history import HistoryScreen
from tests.support import screen
from tests.support.hostile import HOSTILE
from tests.support.library import AGENT, BACKEND, NOW, FixedClock, open_library
from tests.tui.conftest import Open, Running, rows_at

SIZES = [(120, 36), (80, 24), (60, 20), (40, 12)]


async def go_to_activity(running: Running) -> None:
    await running.press("left", "G", "k", "right")
    assert running.library.address == Address(Shelves.ACTIVITY)


def some(engine: Engine) -> None:
    kept(engine, "Prefers WhatsApp over email.")
    agent = engine.acting(AGENT)
    agent.facts.add("Asked about a return label.", scope=contact("ana"))
    agent.recall.search(query.parse("whatsapp", now=NOW, zone=UTC))
    engine.acting(BACKEND).documents.set("orders", "ORD-1", {"status": "paid"})


async def test_it_lists_who_did_what_newest_first(open_app: Open) -> None:
    async with open_app(some) as running:
        await go_to_activity(running)
        lines = listed(running)
        assert [line.split()[0] for line in lines] == ["orders", "shop-agent", "shop-agent", "you"]
        assert "▸ kept a document · project" in lines[0]
        assert "◂ searched all · 1 found" in lines[1]
        assert "▸ kept a fact · contact:ana" in lines[2]
        assert "kept a fact · project" in lines[3]
        assert not {"▸", "◂"} & {*lines[3]}


async def test_with_room_reads_and_writes_are_told_apart_in_words(open_app: Open) -> None:
    async with open_app(some, size=(160, 30)) as running:
        await go_to_activity(running)
        lines = listed(running)
        assert "program writes" in lines[0]
        assert "agent reads" in lines[1] and "agent writes" in lines[2]
        assert "writes" not in lines[3] and "reads" not in lines[3]


async def test_the_preview_says_it_in_a_sentence_and_shows_the_memory(open_app: Open) -> None:
    async with open_app(some) as running:
        await go_to_activity(running)
        await running.press("j")
        assert "shop-agent, an agent, searched all · 1 found, through mcp" in said(running)
        await running.press("j")
        text = said(running)
        assert "shop-agent, an agent, kept a fact · contact:ana" in text
        assert "Asked about a return label." in text


async def test_enter_goes_to_the_memory_a_line_is_about(open_app: Open) -> None:
    def many(engine: Engine) -> None:
        kept(engine, "The first of many.")
        for number in range(400):
            engine.facts.add(f"Filler {number}.")

    async with open_app(many) as running:
        await go_to_activity(running)
        await running.press("G", "enter")
        assert running.library.address.shelf is Shelves.FACTS
        assert running.library.list_pane.cursor == 400
        assert "The first of many." in running.library.page.text


async def test_a_line_about_what_was_forgotten_says_so(open_app: Open) -> None:
    def forgotten(engine: Engine) -> None:
        engine.forgetting.forget([kept(engine, "Not for long.").id])

    async with open_app(forgotten) as running:
        await go_to_activity(running)
        assert "forgotten since" in said(running)
        await running.press("enter")
        assert "forgotten since" in running.toasts()[-1]
        assert running.library.address.shelf is Shelves.ACTIVITY
        assert "Not for long" not in running.text


async def test_the_keys_of_a_memory_work_from_its_line(open_app: Open) -> None:
    async with open_app(some) as running:
        await go_to_activity(running)
        await running.press("j", "j", "h")
        assert isinstance(running.app.screen, HistoryScreen)
        assert "Asked about a return label." in running.text


async def test_one_author_alone_is_a_line_of_the_tree(open_app: Open) -> None:
    async with open_app(some) as running:
        await running.press("left", "G", "k")
        assert "orders" in running.text and "shop-agent          2" in running.text
        await running.press("j")
        assert running.library.address.author == "shop-agent"
        assert {line.split()[0] for line in listed(running)} == {"shop-agent"}
        assert "Activity · shop-agent · 2" in running.text


async def test_what_is_done_meanwhile_moves_no_line_under_the_cursor(open_app: Open) -> None:
    async with open_app(some) as running:
        await go_to_activity(running)
        await running.press("j", "j")
        assert "Asked about a return label." in said(running)
        other = running.other(AGENT)
        other.facts.add("Something newer.")
        other.close()
        running.app.poll()
        await running.settle()
        assert running.library.list_pane.count == 5
        assert running.library.list_pane.cursor == 3
        assert "Asked about a return label." in said(running)


async def test_fifty_thousand_lines_scroll_as_ten_do(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the log holds, a window of it is read at a time, from any line."""
    asked: list[int] = []

    def long(engine: Engine) -> None:
        store: Any = engine._context.store
        with store.writing():
            store._session.run(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) "
                "INSERT INTO activity (at, author_kind, author, origin, action, kind, scope, "
                "item, items) SELECT i, 'agent', 'shop-agent', 'mcp', 'searched', 'item', "
                "'project', NULL, i FROM n"
            )

    async with open_app(long) as running:
        engine = await running.ask(lambda engine: engine)
        window = type(engine.activity).window

        def counted(self: object, *, limit: int, **more: Any) -> list[Deed]:
            asked.append(limit)
            return window(self, limit=limit, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(type(engine.activity), "window", counted)
        await go_to_activity(running)
        assert running.library.list_pane.count == 50_000
        assert "50,000 found" in running.text
        await running.press("G")
        assert "· 1 found" in listed_near_the_end(running)
        await running.press("g")
        assert "50,000 found" in running.text
        assert sum(asked) < 2_000


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_hostile_authors_and_scopes_are_shown_as_text(
    open_app: Open, size: tuple[int, int]
) -> None:
    def hostile(engine: Engine) -> None:
        for number, value in enumerate(HOSTILE):
            name = Actor(AuthorKind.AGENT, value[:300], Origin.MCP)
            kept(engine.acting(name), f"{value[:300]} #{number}")

    async with open_app(hostile, size=size) as running:
        await go_to_activity(running)
        for row in rows_at(size, running.library.list_pane.count):
            running.library.list_pane.cursor = row
            await running.settle()
            assert screen.wrong(running.app) == []
        assert running.library.list_pane.count == len(HOSTILE)


def test_a_line_fits_any_width_and_an_unknown_deed_is_shown_by_its_name() -> None:
    deed = Deed(NOW, AGENT, "vaporised", "item", "many", None, 120)
    for width in (1, 5, 20, 40, 80, 200):
        assert activity.row(deed, width, NOW, UTC).cell_length <= width
    assert "vaporised 120 memories" in activity.row(deed, 90, NOW, UTC).plain
    assert "Which memories these were is not kept" in activity.lines(deed, None, NOW, UTC).plain


def test_reading_changes_nothing_that_would_be_synchronised(tmp_path: Any) -> None:
    """FR-161: 1,000 recalls of an agent leave revisions, change numbers and indexes as they are."""
    clock = FixedClock()
    engine = open_library(tmp_path / "library.db", clock)
    agent = engine.acting(AGENT)
    items = [kept(engine, f"Fact {number} about whatsapp.") for number in range(20)]
    store: Any = engine._context.store
    tables = ("item", "version", "words", "words_data", "document_index", "review", "flight",
              "tombstone", "embedded", "undo")  # fmt: skip

    def state() -> list[Any]:
        with store.reading():
            counted = [store._session.run(f"SELECT * FROM {name}").fetchall() for name in tables]
            return [*counted, store.finder.change()]

    before = state()
    asked = query.parse("whatsapp", now=NOW, zone=UTC)
    for number in range(1_000):
        clock.advance(1)
        found = agent.recall.search(asked, limit=3)
        assert len(found.hits) == 3, number
    assert state() == before
    assert engine.activity.count(by="shop-agent") == 1_000
    used = [engine.library.last_used(item.id) for item in items]
    assert (clock.now, "shop-agent") in used
    engine.close()


def listed(running: Running) -> list[str]:
    """The lines of the list as they are drawn."""
    rows = running.library.list_pane
    shown = (rows.render_line(y).text[2:].strip() for y in range(min(rows.count, rows.size.height)))
    return list(shown)


def listed_near_the_end(running: Running) -> str:
    return listed(running)[-1]


def said(running: Running) -> str:
    """The preview, its lines joined where they were wrapped."""
    return " ".join(running.library.page.text.split())


def kept(engine: Engine, text: str) -> Item:
    return engine.facts.add(text).item  # type: ignore[union-attr]
