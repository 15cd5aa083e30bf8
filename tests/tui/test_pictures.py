"""How the screens look, as text, at four sizes; each test says first what the eye should see."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from localmem import demo
from localmem.core import plain
from localmem.core.model import Item, Kind
from localmem.core.preferences import PreferenceKey
from localmem.core.records import Slice
from localmem.engine import Engine
from localmem.engine.answers import Found, Hit, MeaningState
from localmem.tui.present import ink
from localmem.tui.present.places import Shelves
from localmem.tui.screens.edit_document import DocumentForm
from localmem.tui.screens.edit_preference import PreferenceForm
from localmem.tui.screens.sides import SidesScreen
from localmem.tui.widgets.area import Area
from tests.support import screen
from tests.support.library import FixedClock, fill_sample
from tests.support.syncing import FakeSyncing
from tests.tui.conftest import Fill, Open, Running
from tests.tui.test_sync import TO_SYNC, busy, synchroniser

DEVICE = re.compile(r"\b[0-9a-f]{8}\b(?= ·)")
"""Drawn by SQLite, so it differs from run to run."""
PICTURES = Path(__file__).parent / "pictures"
SIZES = [(120, 36), (80, 24), (60, 20), (40, 12)]


def steady_randomness() -> Callable[[int], bytes]:
    """The same bytes in every run, so that ids and devices look the same."""
    count = itertools.count()

    def urandom(length: int) -> bytes:
        return hashlib.shake_128(str(next(count)).encode()).digest(length)

    return urandom


@pytest.fixture(scope="module")
def steady_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("steady") / "library.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", steady_randomness())
        fill_sample(path, FixedClock())
    return path


@pytest.fixture
def steady(
    steady_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Fill]:
    monkeypatch.setattr(os, "urandom", steady_randomness())
    place = tmp_path / "data"
    place.mkdir(mode=0o700)
    shutil.copy(steady_file, place / "library.db")
    yield lambda engine: None


async def pictures(running: Running, name: str) -> None:
    """Compare the screen at every size; nothing overflows, nothing dangerous is drawn."""
    for width, height in SIZES:
        await running.pilot.resize_terminal(width, height)
        await running.settle()
        assert screen.wrong(running.app) == []
        picture = DEVICE.sub("0badcafe", running.text)
        screen.matches(picture, PICTURES / f"{name}-{width}x{height}.txt")


async def test_the_library(open_app: Open, steady: Fill) -> None:
    """Tree, list and preview; fewer panes as the window narrows, the list always there."""
    async with open_app(steady) as running:
        assert running.library.list_pane.count == 46
        await pictures(running, "library")


async def test_the_preferences(open_app: Open, steady: Fill) -> None:
    """All six, set or not, declared and inferred told apart in words."""
    async with open_app(steady) as running:
        await running.press("left", "down", "right", "down", "down")
        assert running.library.list_pane.count == len(PreferenceKey)
        await pictures(running, "preferences")


async def test_the_inbox(open_app: Open, steady: Fill) -> None:
    """Who wrote what; beside it where it comes from, what it changes, and what each key does."""
    async with open_app(steady) as running:
        await running.press("left", "G", "k", "k", "right")
        while "What it changes" not in running.library.page.text:
            await running.press("j")
        await pictures(running, "inbox")
        await running.press("enter")
        await pictures(running, "inbox-preview")


async def test_the_question_before_all_of_it_is_accepted(open_app: Open, steady: Fill) -> None:
    async with open_app(steady) as running:
        await running.press("left", "G", "k", "k", "right", "A")
        assert "Accept all" in running.text
        await pictures(running, "accept-all")


async def test_the_activity(open_app: Open, steady: Fill) -> None:
    """Agents' reads and writes told apart from yours, and the memory a line is about."""
    async with open_app(steady) as running:
        await running.press("left", "G", "k", "right", "j")
        assert "◂ searched" in running.text
        await pictures(running, "activity")


async def test_the_library_as_of_a_day(open_app: Open, steady: Fill) -> None:
    """The day and the way back stand over everything, at every size."""
    async with open_app(steady) as running:
        await running.press("d")
        await running.type("2026-11-20")
        assert "→ 20 Nov 2026, 23:59" in running.text
        await pictures(running, "day")
        await running.press("enter")
        await pictures(running, "as-of")


async def test_a_document_in_its_collection(open_app: Open, steady: Fill) -> None:
    async with open_app(steady) as running:
        await running.press("left", "G", "k", "k", "k", "k", "right")
        assert running.library.spot is not None and running.library.spot.collection == "orders"
        await running.press("right")
        await pictures(running, "document")


async def test_search_results(open_app: Open, steady: Fill) -> None:
    """Bars, numbers, weak marks, and why the first one is a result; scores are given here, so
    that better recall changes no picture."""
    async with open_app(steady) as running:
        await running.press("slash")
        running.library.box.typed = "how do they like to be contacted whatsapp"
        await running.settle()
        await running.press("down", "w")
        facts = {text: (await kept(running, text)) for text in (*demo.OF_ANA[:3], demo.YOURS[0])}
        first, second, third, hidden = (Hit(item, 0.0, 0.0, 0.0, ()) for item in facts.values())
        running.library.found = Found(
            hits=(
                first._replace(score=0.71, meaning=0.64, coverage=0.4, terms=("whats",)),
                second._replace(score=0.52, meaning=0.52),
                third._replace(score=0.34, meaning=None),
            ),
            below=(hidden._replace(score=0.22, meaning=0.22),),
            searched=214,
            floor=0.30,
            meaning=MeaningState.READY,
            waiting=0,
        )
        running.library._show_results()
        await running.settle()
        assert "Results · 3 of 214 · 1 below 0.30 (press +)" in running.text
        assert "0.34~" in running.text and "0.71 " in running.text
        await pictures(running, "search")


async def kept(running: Running, text: str) -> Item:
    def work(engine: Engine) -> Item:
        found = engine.library.window(Slice(Kind.FACT), offset=0, limit=100)
        return next(item for item in found if plain.text(item) == text)

    item: Item = await running.ask(work)
    return item


async def test_a_mistake_in_the_search(open_app: Open, steady: Fill) -> None:
    async with open_app(steady) as running:
        await running.press("slash")
        await running.type("kind:document")
        running.library.box.typed = "kind:document before:tomorrow"
        await running.settle()
        assert "'tomorrow' is not a date." in running.text
        await pictures(running, "mistake")


async def test_an_empty_library(open_app: Open) -> None:
    async with open_app() as running:
        assert running.library.list_pane.count == 0
        await pictures(running, "empty")


async def test_editing_a_fact(open_app: Open, steady: Fill) -> None:
    async with open_app(steady) as running:
        await running.press("j", "j", "j", "j", "j", "j", "e")
        running.app.screen.query_one("#text", Area).cursor_blink = False
        assert "bytes" in running.text
        await pictures(running, "fact")


async def test_editing_a_list_of_names(open_app: Open, steady: Fill) -> None:
    async with open_app(steady) as running:
        await running.press("j", "j", "e")
        assert isinstance(running.app.screen, PreferenceForm)
        await pictures(running, "names")


async def test_editing_a_document_with_a_mistake(open_app: Open, steady: Fill) -> None:
    async with open_app(steady) as running:
        await running.press("left", "G", "k", "k", "k", "right", "e")
        assert isinstance(running.app.screen, DocumentForm)
        broken = '{\n  "hotel": "Casa do Rio"\n  "n": 3\n}'
        running.app.screen.query_one("#value", Area).typed = broken
        await running.settle()
        assert "Line 3, column 3" in running.text
        await pictures(running, "json")


async def test_what_is_new(open_app: Open, steady: Fill) -> None:
    async with open_app(steady) as running:
        await running.press("n")
        assert "Keep something new" in running.text
        await pictures(running, "new")


async def test_the_history(open_app: Open, steady: Fill) -> None:
    async with open_app(steady) as running:
        await running.press("j", "j", "j", "j", "j", "j", "h")
        assert "[-fridge-]" in running.text
        await pictures(running, "history")


async def test_forgetting(open_app: Open, steady: Fill) -> None:
    async with open_app(steady) as running:
        await running.press("j", "f")
        assert "This erases" in running.text
        await pictures(running, "forget")


async def test_two_sides(open_app: Open, steady: Fill) -> None:
    async with open_app(steady) as running:
        await running.press("j", "j", "j", "j", "j", "j", "e")
        item = running.library.item
        assert item is not None
        other = running.other()
        other.facts.edit(item.id, text="The parking code is on the fridge again.")
        other.close()
        running.app.screen.query_one("#text", Area).typed = "Parking code for this month is 4711."
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, SidesScreen)
        await pictures(running, "sides")


async def test_help_and_palette(open_app: Open, steady: Fill) -> None:
    async with open_app(steady) as running:
        await running.press("question_mark")
        assert "Keys in lists" in running.text
        await pictures(running, "help")
        await running.press("escape", "ctrl+p")
        assert "Palette" in running.text
        await pictures(running, "palette")


async def test_without_colour_everything_is_still_told_apart(
    open_app: Open, steady: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same characters, and no colour in any of them: cursor, weak hits and diffs are signs."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_app(steady) as running:
        assert running.app.no_color
        screen.matches(running.text, PICTURES / "library-120x36.txt")
        assert any("▌" in line for line in screen.lines(running.app))


@pytest.mark.parametrize("theme", ["localmem", "textual-light", "nord", "ansi-light"])
async def test_every_style_resolves_in_dark_light_and_ansi_themes(
    open_app: Open, steady: Fill, theme: str
) -> None:
    from textual.style import Style

    async with open_app(steady) as running:
        running.app.theme = theme
        await running.settle()
        styles = [value for name, value in vars(ink).items() if name.isupper() and value]
        assert len(styles) > 10
        for style in styles:
            assert Style.parse(style) != Style(), style
        screen.matches(running.text, PICTURES / "library-120x36.txt")


async def test_the_sync(open_app: Open, steady: Fill) -> None:
    """How it stands, what waits and why something is held, the runs; beside it what one means."""
    async with open_app(steady, sync=synchroniser(busy())) as running:
        await running.press(*TO_SYNC)
        await pictures(running, "sync")


async def test_the_conflicts(open_app: Open, steady: Fill) -> None:
    """What both sides changed, and open, both sides with what can be done about it."""
    async with open_app(steady, sync=synchroniser(busy())) as running:
        running.library.tree_pane.focus()
        shelves = [spot.shelf for spot in running.library.spots]
        running.library.tree_pane.cursor = shelves.index(Shelves.CONFLICTS)
        await running.settle()
        await running.press("right")
        await pictures(running, "conflicts")
        await running.press("enter")
        await pictures(running, "conflict")


async def test_the_account(open_app: Open, steady: Fill) -> None:
    """Where the key goes is said before it is typed, and it is drawn as dots."""
    async with open_app(steady, sync=synchroniser(FakeSyncing())) as running:
        await running.press("c")
        await running.until(lambda: not running.at_library)
        await pictures(running, "account")
        await running.type("memory.example.com")
        await running.press("tab")
        await running.type("a key of mine")
        await pictures(running, "account-typed")
