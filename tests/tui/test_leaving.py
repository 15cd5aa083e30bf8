"""Nothing typed is lost by leaving, and one key too many closes nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest

from localmem.engine import Engine
from localmem.engine.library import Library
from localmem.errors import StoreFull
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.widgets.area import Area
from tests.tui.conftest import Running

Open = Callable[..., AbstractAsyncContextManager[Running]]


def one_fact(engine: Engine) -> None:
    engine.facts.add("Prefers email.")


def full(*_: object, **__: object) -> None:
    raise StoreFull("Not saved: the disk is full.")


async def test_a_form_whose_draft_cannot_be_kept_stays_open_with_its_text(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        running.app.screen.query_one(Area).typed = "Half a thou"
        monkeypatch.setattr(Library, "save_draft", full)
        await running.press("escape")
        assert isinstance(running.app.screen, FactForm)
        assert running.app.screen.query_one(Area).typed == "Half a thou"
        assert any("disk is full" in toast for toast in running.toasts())


async def test_leaving_the_app_without_a_draft_takes_a_second_key(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        running.app.screen.query_one(Area).typed = "Half a thou"
        monkeypatch.setattr(Library, "save_draft", full)
        left: list[bool] = []
        monkeypatch.setattr(running.app, "exit", lambda *_: left.append(True))
        await running.press("ctrl+q")
        assert left == []
        assert any("Leave again" in toast for toast in running.toasts())
        await running.press("ctrl+q")
        assert left == [True]


async def test_saving_twice_at_once_closes_the_form_and_nothing_more(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        running.app.screen.query_one(Area).typed = "Prefers WhatsApp."
        running.press_ahead("ctrl+s", "ctrl+s", "escape")
        await running.settle()
        assert running.at_library
        item = running.library.item
        assert item is not None
        assert item.head.number == 2


async def test_a_key_that_is_under_way_as_the_app_asks_for_a_first_start_has_its_effect(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was pressed as the first rows came met them, and no question that came after it."""
    async with open_app(one_fact) as running:
        left: list[bool] = []
        monkeypatch.setattr(running.app, "exit", lambda *_: left.append(True))
        asked, go_on = asyncio.Event(), asyncio.Event()

        async def greeting() -> None:
            asked.set()
            await go_on.wait()

        running.library.begin_unasked(greeting)
        await asked.wait()
        assert not running.library.takes_keys
        await running.library.run_action("leave")
        go_on.set()
        await running.settle()
        assert left == [True]
        running.library.begin(greeting)
        await running.library.run_action("leave")
        await running.settle()
        assert left == [True]
