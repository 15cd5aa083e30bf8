"""Keys that come faster than they have an effect: stalled connections, pastes, fast hands."""

from __future__ import annotations

import pytest
from textual import events
from textual.keys import _character_to_key

from localmem.core.model import FactContent
from localmem.core.records import Slice
from localmem.core.scope import PROJECT
from localmem.engine import Engine
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.choose import ChooseScreen
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.screens.forget import ForgetScreen
from localmem.tui.widgets.fields import Area
from tests.tui.conftest import Open, Running


def three_facts(engine: Engine) -> None:
    for text in ("Prefers WhatsApp over email.", "Quiet hours after ten.", "Eats no nuts."):
        engine.facts.add(text, scope=PROJECT)


def burst(running: Running, *keys: str) -> None:
    """All keys into the app's queue before the first has had any effect."""
    for key in keys:
        name = _character_to_key(key) if len(key) == 1 else key
        running.app.post_message(events.Key(name, key if len(key) == 1 else None))


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
        burst(running, "/", *word)
        await settled(running)
        assert running.at_library
        assert running.app._exit is False
        assert running.library.box.typed == word


async def test_keys_keep_their_order_when_more_come_while_a_burst_is_under_way(
    open_app: Open,
) -> None:
    async with open_app(three_facts) as running:
        burst(running, "/", "q", "u")
        await running.pilot.pause(0)
        burst(running, "i", "e")
        await running.pilot.pause(0)
        burst(running, "t")
        running.app.post_message(events.Paste(" hours"))
        burst(running, "!")
        await settled(running)
        assert running.library.box.typed == "quiet hours!"


async def test_what_is_typed_ahead_of_a_form_stands_in_it(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        burst(running, "n", "enter", *"fun facts, quickly")
        await settled(running)
        assert isinstance(running.app.screen, FactForm)
        assert running.app.screen.query_one(Area).typed == "fun facts, quickly"
        assert len(await kept(running)) == 3


async def test_what_is_typed_ahead_of_a_choice_narrows_it(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        burst(running, "n", *"qu")
        await settled(running)
        assert isinstance(running.app.screen, ChooseScreen)
        assert "qu" in running.text


@pytest.mark.parametrize("ahead", ["y", "enter", "tab enter", "tab tab enter", "q", "j f e u"])
async def test_nothing_typed_ahead_answers_a_question(open_app: Open, ahead: str) -> None:
    async with open_app(three_facts) as running:
        burst(running, "f", *ahead.split(), "enter")
        await settled(running)
        assert isinstance(running.app.screen, ForgetScreen | AskScreen)
        assert len(await kept(running)) == 3


async def test_two_escapes_at_once_close_a_form_and_go_back_once_more(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        await running.press("slash", "q", "enter")
        burst(running, "e", "escape", "escape", "j", "j", "escape")
        await settled(running)
        assert running.at_library
        assert len(await kept(running)) == 3


async def test_keys_after_help_opens_scroll_help_and_not_the_list(open_app: Open) -> None:
    async with open_app(three_facts) as running:
        before = running.library.list_pane.cursor
        burst(running, "?", "j", "j", "G", "escape", "j")
        await settled(running)
        assert running.at_library
        assert running.library.list_pane.cursor == before + 1


async def test_every_key_in_one_burst_leaves_what_is_kept_as_it_was(open_app: Open) -> None:
    """The kind, not the case: no order of plain keys reaches the list through another screen."""
    async with open_app(three_facts) as running:
        for first in "/nefh?":
            burst(running, first, *"qwfeunhy/+jkGg")
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
