"""What goes wrong is told and contained: the edit stays and the app goes on (FR-91)."""

from __future__ import annotations

import pytest
from textual.app import App

from localmem.engine import Engine
from localmem.errors import StoreBusy, all_errors
from localmem.tui.desk import contained
from localmem.tui.errors import SEVERITY, report
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.screens.fault import FaultScreen
from localmem.tui.widgets.area import Area
from tests.tui.conftest import Open


def one_fact(engine: Engine) -> None:
    engine.facts.add("Prefers email.")


def test_every_error_has_a_severity() -> None:
    assert set(SEVERITY) == set(all_errors())


@pytest.mark.parametrize("kind", [TypeError, MemoryError, RuntimeError, KeyError])
async def test_an_unexpected_exception_while_editing_shows_a_panel_and_the_edit_stays(
    open_app: Open, kind: type[Exception]
) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        area = running.app.screen.query_one("#text", Area)
        area.typed = "Not saved yet."
        original = running.bridge.write

        async def broken(work: object) -> object:
            raise kind("the secret value of a memory")

        running.bridge.write = broken  # type: ignore[method-assign,assignment]
        await running.press("ctrl+s")
        running.bridge.write = original  # type: ignore[method-assign]
        panel = running.app.screen
        assert isinstance(panel, FaultScreen)
        assert kind.__name__ in panel.report
        assert "secret value" not in panel.report
        await running.press("y")
        assert running.app.clipboard == panel.report
        await running.press("escape")
        assert isinstance(running.app.screen, FactForm)
        assert area.typed == "Not saved yet."
        await running.press("ctrl+s")
        assert running.at_library
        assert "Not saved yet." in running.text


async def test_a_known_error_is_a_sentence_with_its_hint(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        running.app.screen.query_one("#text", Area).typed = "Not saved yet."

        async def busy(work: object) -> object:
            raise StoreBusy("Another program is writing.", hint="Try again in a moment.")

        original = running.bridge.write
        running.bridge.write = busy  # type: ignore[method-assign,assignment]
        await running.press("ctrl+s")
        running.bridge.write = original  # type: ignore[method-assign]
        assert "Another program is writing. Try again in a moment." in running.toasts()
        assert isinstance(running.app.screen, FactForm)


async def test_a_fault_behind_the_screens_is_told_once(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        original = running.bridge.read
        asked = 0

        async def broken(work: object) -> object:
            nonlocal asked
            asked += 1
            raise OSError("disk")

        running.bridge.read = broken  # type: ignore[method-assign,assignment]
        for _ in range(5):
            running.app.poll()
            await running.pilot.pause(0)
            await running.pilot.pause(0)
        running.bridge.read = original  # type: ignore[method-assign]
        await running.settle()
        assert asked == 1
        assert sum(isinstance(screen, FaultScreen) for screen in running.app.screen_stack) == 1


async def test_the_same_fault_twice_is_one_panel() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        for _ in range(3):
            with contained(app):
                fail()
            await pilot.pause()
        assert sum(isinstance(screen, FaultScreen) for screen in app.screen_stack) == 1


def fail() -> None:
    raise ValueError


def test_a_report_holds_places_in_the_code_and_no_values_or_folders() -> None:
    try:
        raise ValueError("a memory")
    except ValueError as problem:
        told = report(problem, version="1.2.3")
    assert "ValueError" in told and "test_faults.py" in told and "1.2.3" in told
    assert "a memory" not in told and "/home" not in told
