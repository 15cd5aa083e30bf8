"""Every place says how to use it, and everything can be done without a mouse (FR-85, FR-90)."""

from __future__ import annotations

from pathlib import Path

import pytest

from localmem.core.scope import PROJECT
from localmem.engine import Engine
from localmem.tui.actions import Place, in_footer, of_place
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.base import Screenful
from localmem.tui.screens.bring import BringScreen
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.screens.forget import ForgetScreen, ReceiptScreen
from localmem.tui.screens.help import HelpScreen
from localmem.tui.screens.settings import SettingsScreen
from localmem.tui.screens.sides import SidesScreen
from localmem.tui.widgets.area import Area
from tests.support.library import AGENT
from tests.tui.conftest import Open, Running

WAYS = {
    "library": (),
    "results": ("slash", "q", "enter"),
    "preview": ("tab",),
    "history": ("h",),
    "settings": ("comma",),
    "past": ("d", "enter"),
}


def facts(engine: Engine) -> None:
    for text in ("Prefers WhatsApp over email.", "Quiet hours after ten."):
        engine.facts.add(text, scope=PROJECT)


@pytest.mark.parametrize("way", WAYS)
async def test_help_begins_with_the_keys_of_where_the_person_is(
    open_app: Open, tmp_path: Path, way: str
) -> None:
    async with open_app(facts, settings=tmp_path / "settings.toml") as running:
        await running.press(*WAYS[way])
        here = screenful(running).here()
        await running.press("question_mark")
        assert isinstance(running.app.screen, HelpScreen)
        shown = [line for line in running.text.splitlines() if "Keys in" in line]
        assert f"Keys in {here[0]}" in shown[0]
        assert of_place(here[0])[0].label in running.text


@pytest.mark.parametrize("place", list(Place))
def test_every_place_has_its_own_keys_and_a_way_out_in_its_footer(place: Place) -> None:
    assert of_place(place)
    ways_out = {"back", "quit", "palette", "leave", "open"}
    assert ways_out & {action.id for action in in_footer([place])}


@pytest.mark.parametrize("keys", ["n enter", "n down down enter"])
@pytest.mark.parametrize("size", [(120, 36), (40, 12)])
async def test_a_form_prints_the_way_out_of_a_field_of_many_lines(
    open_app: Open, keys: str, size: tuple[int, int]
) -> None:
    """FR-90."""
    async with open_app(facts, size=size) as running:
        await running.press(*keys.split())
        running.app.screen.query(Area).first().focus()
        await running.settle()
        last = running.text.splitlines()[-1]
        assert "^s save" in last and "esc back" in last


async def test_all_is_done_with_tab_esc_enter_and_plain_keys(
    open_app: Open, tmp_path: Path
) -> None:
    """FR-90, FR-85: add, edit, search, forget, inbox, import and settings, no mouse."""
    file = tmp_path / "in.jsonl"
    file.write_text('{"text": "Came with a file."}\n')
    async with open_app(facts, settings=tmp_path / "settings.toml") as running:
        await running.press("n", "enter")
        await running.type("Rides a bicycle.")
        await running.press("tab", "tab", "shift+tab", "shift+tab", "ctrl+s")
        assert running.at_library and "Rides a bicycle." in running.text
        await running.press("e")
        await running.type("Now: ")
        await running.press("ctrl+s")
        await running.press("slash")
        await running.type("bicycle")
        await running.press("enter", "tab", "escape", "escape")
        assert running.at_library and running.library.found is None
        await running.press("home", "f")
        assert isinstance(running.app.screen, ForgetScreen)
        await running.press("shift+tab", "enter")
        assert isinstance(running.app.screen, ReceiptScreen | ForgetScreen)
        await running.press("escape")
        await running.press("i")
        assert isinstance(running.app.screen, BringScreen)
        await running.type(str(file))
        await running.press("enter")
        await over(running)
        await running.press("ctrl+s")
        await over(running)
        await running.press("escape")
        assert running.at_library
        assert any("Came with a file." in text for text in await texts(running))
        await running.press("comma")
        assert isinstance(running.app.screen, SettingsScreen)
        await running.press("tab", "shift+tab", "enter", "escape", "escape")
        assert running.at_library


async def test_a_conflict_is_decided_with_tab_and_plain_keys(open_app: Open) -> None:
    async with open_app(facts) as running:
        await running.press("e")
        item = running.library.item
        assert item is not None
        other = running.other()
        other.facts.edit(item.id, text="Theirs.")
        other.close()
        running.app.screen.query_one("#text", Area).typed = "Mine."
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, SidesScreen)
        await running.press("tab", "tab", "shift+tab", "m")
        assert running.at_library and "Mine." in await texts(running)


async def test_the_inbox_is_decided_with_plain_keys(open_app: Open) -> None:
    async with open_app(facts) as running:
        other = running.other(AGENT)
        for number in range(3):
            other.facts.add(f"An agent says {number}.")
        other.close()
        running.library.reload()
        await running.settle()
        await running.press("ctrl+p")
        await running.type("inbox")
        await running.press("enter", "a", "x", "A")
        assert isinstance(running.app.screen, AskScreen)
        await running.press("tab", "enter")
        assert running.at_library
        assert await running.ask(lambda engine: engine.inbox.count()) == 0


async def test_a_draft_left_with_esc_is_offered_again(open_app: Open) -> None:
    async with open_app(facts) as running:
        await running.press("n", "enter")
        await running.type("half")
        await running.press("escape", "n", "enter")
        assert isinstance(running.app.screen, FactForm)
        assert running.app.screen.query_one("#text", Area).typed == "half"


def screenful(running: Running) -> Screenful[object]:
    screen = running.app.screen
    assert isinstance(screen, Screenful)
    return screen


async def over(running: Running) -> None:
    """Until the import has come to an end."""
    screen = running.app.screen
    assert isinstance(screen, BringScreen) and screen.bringing is not None
    await screen.bringing.over.wait()
    await running.settle()


async def texts(running: Running) -> list[str]:
    from localmem.core import plain
    from localmem.core.records import Slice

    return await running.ask(
        lambda engine: [plain.text(i) for i in engine.library.window(Slice(), offset=0, limit=50)]
    )
