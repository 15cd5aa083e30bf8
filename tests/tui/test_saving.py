"""A save that waits is seen to wait, and one that does not wait shows nothing."""

from __future__ import annotations

import asyncio
import threading

import pytest

from localmem.core.scope import PROJECT
from localmem.engine import Engine
from localmem.tui import saving
from localmem.tui.widgets.area import Area
from localmem.tui.widgets.chrome import Footer
from tests.tui.conftest import Open, Running


def one_fact(engine: Engine) -> None:
    engine.facts.add("Prefers email.", scope=PROJECT)


class Held:
    """Another program's engine in the middle of a write, until it is let go."""

    def __init__(self, running: Running) -> None:
        self._go, self.holds = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold, args=(running,))

    def _hold(self, running: Running) -> None:
        other = running.other()
        try:
            with other.library.context.store.writing():
                self.holds.set()
                self._go.wait(20)
        finally:
            self.holds.set()
            other.close()

    async def __aenter__(self) -> None:
        self._thread.start()
        await asyncio.to_thread(self.holds.wait)

    async def __aexit__(self, *_: object) -> None:
        self._go.set()
        await asyncio.to_thread(self._thread.join)


async def until_said(running: Running, *, saving: bool) -> None:
    """Until the footer says that a save waits, or no longer says it."""
    changed = asyncio.Event()
    footer = running.app.screen.query_one(Footer)
    footer.watch(footer, "saving", changed.set, init=False)
    async with asyncio.timeout(20):
        while footer.saving is not saving:
            changed.clear()
            await changed.wait()
    await running.pilot.pause(0)


async def test_a_save_that_waits_for_another_program_says_so_until_it_is_done(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "SHOWN_AFTER", 0.01)
    async with open_app(one_fact) as running:
        await running.press("e")
        running.app.screen.query_one(Area).typed = "Prefers WhatsApp."
        async with Held(running):
            running.press_ahead("ctrl+s")
            await until_said(running, saving=True)
            assert "saving…" in running.text
            assert "esc" in running.text
        await running.settle()
        await running.settle()
        assert running.at_library
        assert "saving…" not in running.text
        assert "Prefers WhatsApp." in running.text


async def test_a_save_that_does_not_wait_shows_no_sign(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        running.app.screen.query_one(Area).typed = "Prefers WhatsApp."
        seen: list[bool] = []
        footer = running.app.screen.query_one(Footer)
        footer.watch(footer, "saving", lambda on: seen.append(on), init=False)
        await running.press("ctrl+s")
        assert running.at_library
        assert True not in seen


async def test_what_goes_on_by_itself_shows_no_sign(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        told: list[bool] = []
        running.bridge.on_saving = told.append
        await running.bridge.write(lambda engine: engine.maintain(), quiet=True)
        assert told == []
        await running.bridge.write(lambda engine: None)
        await running.settle()
        assert told == [True, False]
