"""Keys that come faster than they have an effect: stalled connections, pastes, fast hands."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest
from textual import events

import localmem.tui.screens
from localmem.core.model import FactContent
from localmem.core.records import Slice
from localmem.core.scope import PROJECT
from localmem.engine import Engine
from localmem.tui.actions import Place
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.base import Screenful
from localmem.tui.screens.choose import ChooseScreen
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.screens.forget import ForgetScreen
from localmem.tui.screens.welcome import WelcomeScreen
from localmem.tui.widgets.area import Area
from tests.tui.conftest import Open, Running


def three_facts(engine: Engine) -> None:
    for text in ("Prefers WhatsApp over email.", "Quiet hours after ten.", "Eats no nuts."):
        engine.facts.add(text, scope=PROJECT)


async def settled(running: Running) -> None:
    for _ in range(4):
        await running.settle()


async def kept(running: Running) -> list[str]:
    def texts(engine: Engine) -> list[str]:
        items = engine.library.window(Slice(), offset=0, limit=10)
        return [c.text for item in items if isinstance(c := item.head.content, FactContent)]

    return await running.ask(texts)


@pytest.mark.parametrize("word", ["quit", "qqq", "fun", "jam", "new + G ?", "u"])
async def test_what_is_typed_right_after_the_slash_is_searched_for(
    open_app: Open, word: str
) -> None:
    async with open_app(three_facts) as running:
        running.press_ahead("/", *word)
        await settled(running)
        assert running.at_library
        assert running.app._exit is False
        assert running.library.box.typed == word


async def test_keys_keep_their_order_when_more_come_while_a_burst_is_under_way(
    open_app: Open,
) -> None:
    async with open_app(three_facts) as running:
        running.press_ahead("/", "q", "u")
        await running.pilot.pause(0)
        running.press_ahead("i", "e")
        await running.pilot.pause(0)
        running.press_ahead("t")
        running.app.post_message(events.Paste(" hours"))
        running.press_ahead("!")
        await settled(running)
        assert running.library.box.typed == "quiet hours!"


async def test_what_is_typed_ahead_of_a_form_stands_in_it(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        running.press_ahead("n", "enter", *"fun facts, quickly")
        await settled(running)
        assert isinstance(running.app.screen, FactForm)
        assert running.app.screen.query_one(Area).typed == "fun facts, quickly"
        assert len(await kept(running)) == 3


async def test_what_is_typed_ahead_of_a_choice_narrows_it(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        running.press_ahead("n", *"qu")
        await settled(running)
        assert isinstance(running.app.screen, ChooseScreen)
        assert "qu" in running.text


@pytest.mark.parametrize("ahead", ["y", "enter", "tab enter", "tab tab enter", "q", "j f e u"])
async def test_nothing_typed_ahead_answers_a_question(open_app: Open, ahead: str) -> None:
    async with open_app(three_facts) as running:
        running.press_ahead("f", *ahead.split(), "enter")
        await settled(running)
        assert isinstance(running.app.screen, ForgetScreen | AskScreen)
        assert len(await kept(running)) == 3


async def test_not_even_a_no_typed_ahead_answers_a_question_and_the_next_one_does(
    open_app: Open,
) -> None:
    """What was meant for something else would close a question that nobody had read."""
    async with open_app(three_facts) as running:
        running.press_ahead("f", "escape", "escape")
        await settled(running)
        assert isinstance(running.app.screen, ForgetScreen | AskScreen)
        await running.press("escape")
        assert running.at_library
        assert len(await kept(running)) == 3


@pytest.mark.parametrize("ahead", ["f", "f tab enter", "f y escape", "e ! ctrl+s f y"])
async def test_leaving_typed_ahead_of_a_question_leaves_and_answers_nothing(
    open_app: Open, ahead: str
) -> None:
    async with open_app(three_facts) as running:
        running.press_ahead(*ahead.split(), "ctrl+q")
        await settled(running)
        assert running.app._exit
        assert len(await kept(running)) == 3


async def test_a_key_of_one_s_own_for_leaving_also_leaves_ahead_of_a_question(
    open_app: Open, tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[keys]\nquit = "ctrl+l"\n')
    async with open_app(three_facts, settings=file) as running:
        running.press_ahead("f", "enter", "ctrl+l")
        await settled(running)
        assert running.app._exit


async def test_two_escapes_at_once_close_a_form_and_go_back_once_more(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        await running.press("slash", "q", "enter")
        running.press_ahead("e", "escape", "escape", "j", "j", "escape")
        await settled(running)
        assert running.at_library
        assert len(await kept(running)) == 3


async def test_keys_after_help_opens_scroll_help_and_not_the_list(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        before = running.library.list_pane.cursor
        running.press_ahead("?", "j", "j", "G", "escape", "j")
        await settled(running)
        assert running.at_library
        assert running.library.list_pane.cursor == before + 1


async def test_every_key_in_one_burst_leaves_what_is_kept_as_it_was(open_app: Open) -> None:
    """The kind, not the case: no order of plain keys reaches the list through another screen."""
    async with open_app(three_facts) as running:
        for first in "/nefh?":
            running.press_ahead(first, *"qwfeunhy/+jkGg")
            await settled(running)
            assert running.app._exit is False
            for _ in range(6):
                await running.press("escape")
            assert running.at_library
        assert len(await kept(running)) == 3


async def test_a_large_paste_into_the_list_does_nothing(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        running.app.post_message(events.Paste("qfenu\n" * 10_000))
        await settled(running)
        assert running.at_library
        assert running.library.list_pane.cursor == 0


@pytest.mark.parametrize("words", ["sunday", "quit", "/fun", "u"])
async def test_what_is_typed_right_after_saving_goes_to_the_library(
    open_app: Open, words: str
) -> None:
    async with open_app(three_facts) as running:
        await running.press("e")
        running.press_ahead("!", "ctrl+s", "/", *words)
        await settled(running)
        assert running.at_library
        assert running.library.box.typed == words
        assert "Quiet hours after ten." in [text.strip("!") for text in await kept(running)]
        assert sum("!" in text for text in await kept(running)) == 1


async def test_what_is_typed_right_after_leaving_a_form_goes_to_the_library(
    open_app: Open,
) -> None:
    async with open_app(three_facts) as running:
        await running.press("e")
        running.press_ahead("!", "escape", "/", *"sunday")
        await settled(running)
        assert running.at_library
        assert running.library.box.typed == "sunday"


async def test_a_save_that_is_refused_leaves_the_form_with_what_was_typed_meanwhile(
    open_app: Open,
) -> None:
    async with open_app(three_facts) as running:
        await running.press("n", "enter")
        running.press_ahead("ctrl+s", *"after all")
        await settled(running)
        assert isinstance(running.app.screen, FactForm)
        assert running.app.screen.query_one(Area).typed == "after all"


async def test_what_is_typed_right_after_the_palette_key_narrows_the_palette(
    open_app: Open,
) -> None:
    async with open_app(three_facts) as running:
        running.press_ahead("ctrl+p", *"forget", "enter")
        await settled(running)
        assert isinstance(running.app.screen, ForgetScreen)
        assert len(await kept(running)) == 3
        await running.press("escape")
        running.press_ahead("ctrl+p", *"search", "enter", *"quit")
        await settled(running)
        assert running.library.box.typed == "quit"


async def test_nothing_typed_ahead_of_the_first_start_chooses_a_way(open_app: Open) -> None:
    async with open_app() as running:
        running.app.action_welcome()
        running.press_ahead("j", "enter", "enter")
        await settled(running)
        assert isinstance(running.app.screen, WelcomeScreen)
        assert running.app._exit is False


def test_every_place_with_buttons_or_one_key_answers_decides() -> None:
    """A new place is looked at here: one that decides says so in the table."""
    harmless = {
        Place.APP, Place.LIBRARY, Place.SEARCH, Place.RESULTS, Place.INBOX, Place.PAST, Place.ROWS,
        Place.PREVIEW, Place.FORM, Place.HISTORY, Place.BRING, Place.LINES, Place.SAVE,
        Place.CHOICE, Place.SETTINGS, Place.TERMINAL, Place.PAGE, Place.SYNC, Place.CONFLICTS,
        Place.ACCOUNT,
    }  # fmt: skip
    assert {place for place in Place if not place.decides} == harmless


def test_every_screen_with_buttons_takes_no_key_from_before_it_was_seen() -> None:
    wrong = [
        kind.__name__ for kind in screens() if "Button" in source_of(kind) and not decides(kind)
    ]
    assert wrong == []
    assert sum("Button" in source_of(kind) for kind in screens()) >= 4


def screens() -> list[type[Screenful[object]]]:
    """Every screen there is."""
    for module in pkgutil.iter_modules(localmem.tui.screens.__path__):
        importlib.import_module(f"localmem.tui.screens.{module.name}")
    found, todo = [], [Screenful]
    while todo:
        kind = todo.pop()
        found.append(kind)
        todo += kind.__subclasses__()
    return found


def source_of(kind: type) -> str:
    return inspect.getsource(kind)


def decides(kind: type[Screenful[object]]) -> bool:
    return kind.asks or any(place.decides for place in kind.places)
