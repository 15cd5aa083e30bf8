"""The first start: shown once, left by one key, and the demo and back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pytest

from localmem import wiring
from localmem.core.scope import contact
from localmem.engine import Engine
from localmem.tui.app import LocalmemApp
from localmem.tui.desk import Desk
from localmem.tui.screens.bring import BringScreen
from localmem.tui.screens.welcome import WelcomeScreen
from tests.support import screen
from tests.support.library import FixedClock
from tests.tui.conftest import Fill, Open, Running, WatchedEngine

PICTURES = Path(__file__).parent / "pictures"
SIZES = [(120, 36), (80, 24), (60, 20), (40, 12)]


def greets(running: Running) -> bool:
    return isinstance(running.app.screen, WelcomeScreen)


async def test_an_empty_library_greets_once_and_never_again(open_app: Open) -> None:
    async with open_app(first_start=True) as running:
        assert greets(running)
        await running.press("escape")
        assert running.at_library and "Press n to keep a fact" in running.text
    async with open_app(first_start=True) as running:
        assert running.at_library


async def test_a_library_where_something_was_done_is_not_greeted(open_app: Open) -> None:
    """No wall before what is kept, nor after all of it was forgotten."""

    def kept_and_wiped(engine: Engine) -> None:
        engine.facts.add("Likes tea.", scope=contact("ana"))
        engine.forgetting.wipe(contact("ana"))

    async with open_app() as running:
        assert running.at_library
        await running.ask(kept_and_wiped)
    async with open_app(first_start=True) as running:
        assert running.at_library and running.library.list_pane.count == 0


async def test_the_first_memory_is_four_keys_and_its_words_away(open_app: Open) -> None:
    """Start empty, n, fact, the words, save: kept, and found by one of them."""
    async with open_app(first_start=True) as running:
        await running.press("enter", "n", "enter")
        await running.type("Calls only on Sunday")
        await running.press("ctrl+s")
        await running.press("slash")
        await running.type("sunday")
        assert "Results · 1 of 1" in running.text


async def test_arrows_tab_and_vim_keys_go_through_the_ways(open_app: Open) -> None:
    async with open_app(first_start=True) as running:
        ways = (("down", "demo"), ("up", "empty"), ("j", "demo"), ("tab", "bring"), ("k", "demo"),
                ("up", "empty"), ("up", "bring"), ("tab", "empty"))  # fmt: skip
        for key, chosen in ways:
            await running.press(key)
            assert running.app.focused is not None and running.app.focused.id == f"way-{chosen}"
        marked = [line for line in running.text.splitlines() if "▸" in line]
        assert len(marked) == 1 and "Start empty" in marked[0]


async def test_a_click_chooses(open_app: Open) -> None:
    async with open_app(first_start=True) as running:
        await running.pilot.click("#way-empty")
        await running.settle()
        assert running.at_library


async def test_trying_the_demo_leaves_the_app_for_it(open_app: Open) -> None:
    async with open_app(first_start=True) as running:
        await running.press("down", "enter")
        assert running.app.demo_wanted
        assert running.app.return_code == 0


async def test_bringing_memories_opens_the_import(open_app: Open) -> None:
    """And esc comes back to the empty library, which is not greeted again."""
    async with open_app(first_start=True) as running:
        await running.press("up", "enter")
        assert isinstance(running.app.screen, BringScreen)
        await running.press("escape")
        assert running.at_library and "Press n to keep a fact" in running.text


async def test_the_palette_brings_the_first_screen_back(open_app: Open, demo_library: Fill) -> None:
    """In a library that is not empty it does not offer to start empty."""
    async with open_app(demo_library) as running:
        await running.press("ctrl+p")
        await running.type("welcome")
        await running.press("enter")
        assert greets(running)
        assert "Start empty" not in running.text and "Your library" in running.text
        await running.press("escape")
        assert running.at_library and not running.app.demo_wanted


@pytest.mark.parametrize("size", SIZES)
async def test_every_word_is_read_at_every_size(open_app: Open, size: tuple[int, int]) -> None:
    async with open_app(first_start=True, size=size) as running:
        assert screen.overflowing(running.app) == []
        said = " ".join(running.text.replace("┃", " ").split())
        ways = ("Start empty", "Try the demo", "Bring memories")
        for words in (*ways, "No network", "joins by itself.", "esc"):
            assert words in said
        screen.matches(running.text, PICTURES / f"welcome-{size[0]}x{size[1]}.txt")


async def test_the_demo_says_so_at_every_width_and_is_not_greeted(tmp_path: Path) -> None:
    home = wiring.home({"LOCALMEM_HOME": str(tmp_path / "home")})
    home = replace(home, settings=home.settings._replace(model="none"))
    bridge, clock = WatchedEngine(lambda: wiring.open_demo(home)), FixedClock()
    await bridge.start()
    app = LocalmemApp(Desk(bridge, clock, UTC, demo=True))
    async with app.run_test(size=(120, 36)) as pilot:
        running = Running(app, pilot, bridge, clock, tmp_path)
        await running.settle()
        assert running.at_library and "demo · nothing is kept" in running.text
        for width, said in ((80, "demo · nothing is kept"), (40, "demo")):
            await pilot.resize_terminal(width, 20)
            await running.settle()
            assert said in running.text.splitlines()[0]
        app.action_welcome()
        await running.settle()
        assert running.at_library
    await bridge.close()
    assert not (tmp_path / "home").exists()
