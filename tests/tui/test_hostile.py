"""Hostile text is shown, never obeyed: in every field, on every screen, at every size."""

from __future__ import annotations

from datetime import UTC

import pytest
from textual.content import Content

from localmem.core.model import FactContent
from localmem.core.visible import hidden
from localmem.engine import Engine
from localmem.tui.present import rows
from localmem.tui.widgets.area import Area
from localmem.tui.widgets.fields import Carriers, Field
from tests.support import screen
from tests.support.hostile import HOSTILE
from tests.tui.conftest import Open, Running, rows_at

SIZES = [(120, 36), (80, 24), (60, 20), (40, 12)]


def fill(engine: Engine) -> None:
    """Every value in every place that takes it: text, metadata, path, names, quotes, JSON."""
    for number, value in enumerate(HOSTILE):
        short = value[:200]
        item = engine.facts.add(
            f"{value} #{number}", metadata={"note": short, short[:40]: "x"}
        ).item  # type: ignore[union-attr]
        engine.facts.edit(item.id, text=f"{value} changed #{number}")
        engine.documents.set("hostile", f"DOC-{number}", {short: [value[:500], {"a": value[:500]}]})
    engine.facts.add("A path", path="\u202egnp.exe/[/]/x")
    names = [name for value in HOSTILE if not hidden(name := value.strip()[:50])][:10]
    engine.preferences.remember("avoided_brands", names)


def check(running: Running) -> None:
    """Nothing dangerous, nothing too wide, and the app is still there."""
    assert screen.wrong(running.app) == []
    assert running.app.is_running and not running.app._exit


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_every_row_and_preview_shows_hostile_values_as_text(
    open_app: Open, size: tuple[int, int]
) -> None:
    async with open_app(fill, size=size) as running:
        check(running)
        last = running.library.list_pane.count - 1
        for row in rows_at(size, last + 1):
            running.library.list_pane.cursor = row
            await running.settle()
            if row % 5 == 0:
                await running.press("enter")
                check(running)
                await running.press("escape")
            check(running)
        assert last > 2 * len(HOSTILE)


async def test_markup_in_values_is_literal(open_app: Open) -> None:
    async with open_app(fill, size=(120, 60)) as running:
        for literal in ("[/]", "[size=42]", ":smile:", "[@click=app.quit]hi[/]", "[bold"):
            assert literal in running.text
        assert "␛]52;c;aGVsbG8=␇" in running.text
        assert "⟨U+202E⟩" in running.text


async def test_clicking_on_hostile_rows_runs_nothing(open_app: Open) -> None:
    async with open_app(fill) as running:
        for y in range(2, 30, 3):
            await running.pilot.click("#list", offset=(8, y))
            await running.pilot.click("#preview", offset=(4, 1))
        await running.settle()
        check(running)
        assert running.at_library


@pytest.mark.parametrize("group", range(4))
async def test_every_screen_over_a_hostile_fact(open_app: Open, group: int) -> None:
    value = " and ".join(each[:1_000] for each in HOSTILE[group::4])

    def one(engine: Engine) -> None:
        item = engine.facts.add(value, metadata={"note": value[:400]}).item  # type: ignore[union-attr]
        engine.facts.edit(item.id, text=f"{value[:4000]} again")

    async with open_app(one, size=(80, 24)) as running:
        await running.press("e")
        check(running)
        area = running.app.screen.query_one("#text", Area)
        assert area.typed == one_text(value)
        await running.press("escape", "h")
        check(running)
        await running.press("escape", "f")
        check(running)
        await running.press("escape")
        # A late save shows the same text on the screen of two sides.
        await running.press("e")
        item = running.library.item
        assert item is not None
        other = running.other()
        other.facts.edit(item.id, text=f"{value[:4000]} theirs")
        other.close()
        running.app.screen.query_one("#text", Area).typed = f"{value[:4000]} mine"
        await running.press("ctrl+s")
        check(running)
        await running.press("m")
        kept = await running.ask(lambda engine: engine.library.get(item.id))
        assert isinstance(kept.head.content, FactContent)
        assert kept.head.content.text == one_text(value, "mine")


def one_text(value: str, end: str = "again") -> str:
    from localmem.core.screening import clean_text

    return clean_text(f"{value[:4000]} {end}")


async def test_hostile_text_pasted_into_every_field_is_kept_and_never_drawn(
    open_app: Open,
) -> None:
    from textual.events import Paste

    async with open_app() as running:
        await running.press("n")
        await running.press("enter")
        for value in HOSTILE:
            for field in (*running.app.screen.query(Area), *running.app.screen.query(Field)):
                field.focus()
                field.post_message(Paste(value[:300]))
            await running.settle()
            check(running)


async def test_hostile_searches_are_shown_literally(open_app: Open) -> None:
    async with open_app(fill) as running:
        for value in HOSTILE:
            running.library.box.typed = value[:300].replace("\n", " ")
            await running.settle()
            check(running)


def test_rows_fit_their_width_whatever_they_show() -> None:
    from localmem.core.model import Actor, AuthorKind, Change, Item, ItemId, Kind, Origin, Version
    from localmem.core.scope import PROJECT

    by = Actor(AuthorKind.PERSON, "[/]\x1b]0;x\x07", Origin.TUI)
    look = rows.Look(0, UTC, scopes=True, collections=True)
    for value in HOSTILE:
        version = Version("v", 1, Change.REMEMBER, FactContent(value), by, 0)
        item = Item(ItemId("i"), Kind.FACT, PROJECT, version, 0)
        for width in (1, 2, 5, 20, 40, 79, 200):
            line = rows.draw(item, width, look)
            assert isinstance(line, Content)
            assert line.cell_length <= width
            assert not hidden(line.plain)


@pytest.mark.parametrize("value", HOSTILE)
def test_what_a_field_carries_is_read_back_exactly(value: str) -> None:
    carriers = Carriers()
    held = carriers.load(value)
    assert carriers.read(held) == value
    signs = carriers.signs(held)
    assert len(signs) == len(held)
    assert not hidden(signs.replace("\r", ""))
    assert carriers.read(held + carriers.load(value)) == value * 2


async def test_a_form_draws_a_sign_for_each_character_it_carries(open_app: Open) -> None:
    def one(engine: Engine) -> None:
        engine.facts.add("red \x1b[31m alert \u202eend", path="a\u202eb")

    async with open_app(one) as running:
        await running.press("e")
        assert "red ␛[31m alert ¤end" in running.text
        assert "a¤b" in running.text
