"""The terminal check, and windows of every size (FR-79, FR-81, FR-85)."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from textual import events

from localmem.core import ruler
from localmem.core.scope import PROJECT
from localmem.engine import Engine
from localmem.tui.screens.terminal import TerminalScreen
from localmem.tui.widgets.search_box import MOST
from tests.support import screen
from tests.tui.conftest import Open, Running


def three_facts(engine: Engine) -> None:
    for text in ("Prefers WhatsApp over email.", "Quiet hours after ten.", "Eats no nuts."):
        engine.facts.add(text, scope=PROJECT)


async def check(running: Running) -> None:
    await running.press("ctrl+p")
    await running.type("terminal check")
    await running.press("enter")
    assert isinstance(running.app.screen, TerminalScreen)


async def test_a_key_is_named_with_what_it_does_and_does_nothing(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        await check(running)
        for key, said in (("q", "quit"), ("f", "forget"), ("f5", "no action"), ("ctrl+s", "save")):
            await running.press(key)
            assert isinstance(running.app.screen, TerminalScreen)
            line = next(line for line in running.text.splitlines() if "pressed" in line)
            assert key in line and said in line
        await running.press("escape")
        assert running.at_library


async def test_enter_sets_the_symbols_to_ascii_and_back(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        await check(running)
        assert "sets symbols to ascii" in running.text
        await running.press("enter")
        assert running.app.desk.chosen.symbols == "ascii"
        assert "sets symbols to unicode" in running.text
        await running.press("escape")
        assert running.text.isascii()
        await check(running)
        await running.press("enter", "escape")
        assert running.app.desk.chosen.symbols == "unicode"
        assert "●" in running.text


async def test_the_ruler_is_drawn_as_it_is_in_any_symbols(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        running.app.desk.chosen.symbols = "ascii"
        await check(running)
        for _, glyph in ruler.GLYPHS:
            assert glyph in running.text


def test_the_bars_of_the_ruler_stand_in_line_as_the_app_counts() -> None:
    assert len({cell_len(line) for line in ruler.lines(cell_len)}) == 1


@pytest.mark.parametrize("size", [(120, 36), (60, 20), (40, 12)])
async def test_the_check_can_be_read_and_left_at_any_size(
    open_app: Open, size: tuple[int, int]
) -> None:
    async with open_app(three_facts, size=size) as running:
        await check(running)
        assert screen.overflowing(running.app) == []
        assert "esc" in running.text
        await running.press("escape")
        assert running.at_library


async def test_a_paste_of_ten_thousand_lines_is_cut_to_what_a_search_holds_and_that_is_said(
    open_app: Open,
) -> None:
    async with open_app(three_facts) as running:
        await running.press("slash")
        running.app.post_message(events.Paste("whatsapp email\n" * 10_000))
        await running.settle()
        assert len(running.library.box.typed) == MOST
        assert any("1,000 characters" in toast for toast in running.toasts())
        await running.press("escape", "slash")
        running.app.post_message(events.Paste("quiet"))
        await running.settle()
        assert running.library.box.typed == "quiet"


@pytest.mark.parametrize("size", [(1, 1), (10, 3), (20, 5), (20, 40), (300, 90)])
async def test_every_size_is_survived_and_a_small_one_says_so(
    open_app: Open, size: tuple[int, int]
) -> None:
    async with open_app(three_facts) as running:
        for keys in ((), ("e",)):
            await running.press(*keys)
            await running.pilot.resize_terminal(*size)
            await running.settle()
            small = size[0] < 36 or size[1] < 9
            if small and size[0] >= 20 and not keys:
                assert "localmem needs" in running.text
            await running.pilot.resize_terminal(120, 36)
            await running.settle()
            await running.press("escape")
        assert running.at_library
        assert "Prefers WhatsApp over email." in running.text


async def test_many_resizes_leave_the_screen_as_it_was(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        before = running.text
        for step in range(50):
            await running.resize(1 + step * 47 % 160, 1 + step * 17 % 60)
        await running.resize(120, 36)
        await running.settle()
        assert running.text == before


async def test_the_mouse_selects_opens_scrolls_and_presses_keys_of_the_footer(
    open_app: Open,
) -> None:
    async with open_app(three_facts) as running:
        rows = running.library.list_pane
        await running.pilot.click("#list", offset=(5, 3))
        await running.settle()
        assert rows.cursor == 2
        await running.pilot.click("#list", offset=(5, 2), times=2)
        await running.settle()
        assert rows.cursor == 1
        assert running.library.page.has_focus
        footer = running.text.splitlines()[-1]
        await running.pilot.click("Footer", offset=(footer.index("? help"), 0))
        await running.settle()
        assert "Help" in running.text
        await running.press("escape")
        assert running.at_library


async def test_a_click_outside_a_question_answers_nothing(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        await running.press("f")
        asked = running.app.screen
        await running.pilot.click(offset=(1, 1))
        await running.settle()
        assert running.app.screen is asked
        await running.press("escape")
        assert running.at_library
        assert "Eats no nuts." in running.text


async def test_hovering_a_key_of_the_footer_tells_its_sentence(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        footer = running.text.splitlines()[-1]
        await running.pilot.hover("Footer", offset=(footer.index("search"), 0))
        from localmem.tui.widgets.chrome import Footer

        tooltip = running.app.screen.query_one(Footer).tooltip
        assert "Find anything" in str(tooltip)


async def test_a_low_window_scrolls_to_the_last_bar_by_keys(open_app: Open) -> None:
    async with open_app(three_facts, size=(80, 24)) as running:
        await check(running)
        assert "zero width" not in running.text
        await running.press("end")
        assert "zero width" in running.text
        await running.press("home")
        assert "pressed   home: first" in running.text


async def test_the_key_chosen_for_going_back_leaves_the_page_and_is_named_there(
    open_app: Open, tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[keys]\nback = ["f3"]\n')
    async with open_app(three_facts, settings=file) as running:
        await check(running)
        assert "f3 goes back" in running.text
        await running.press("f3")
        assert running.at_library
