"""Checking the library from the app: found beside everything else, mended after asking."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from localmem.doctor import Patient
from localmem.engine import Engine
from localmem.ids import TimeOrderedIds
from localmem.paths import Paths
from localmem.store import connect
from localmem.store.sqlite import copy_unopened, look_into
from tests.support.library import PERSON, WordsEmbedder, open_library
from tests.tui.conftest import Open, Running

KEY = "sk-live-51Hq8kZt2eZvKYlo2C0aQ9rN"


def patient(running: Running) -> Patient:
    path, clock = running.path, running.clock
    return Patient(
        paths=Paths(path, path.with_name("config.toml"), path.with_name("cache")),
        environment={},
        problems=(),
        model="bundled",
        clock=clock,
        look=lambda: Engine(look_into(path, clock), clock, TimeOrderedIds(clock), PERSON),
        open=lambda: open_library(path, clock),
        copy=lambda target: copy_unopened(path, target),
        try_model=WordsEmbedder,
    )


def harm(running: Running, statement: str) -> None:
    """What another, faulty program does to the library while the app has it open."""
    opened = connect.open_library(running.path)
    opened.connection.execute(statement)
    opened.connection.close()


async def check(running: Running) -> None:
    """Through the palette, as a person finds it."""
    running.library.desk = replace(running.library.desk, patient=lambda: patient(running))
    await running.press("ctrl+p")
    await running.type("check the")
    await running.press("enter")
    await looked(running)


async def looked(running: Running) -> None:
    """Until the threads beside the app are done and their findings are drawn."""
    while "looking it" in running.text:
        await running.settle()
    await running.settle()


def some(engine: Engine) -> None:
    engine.facts.add("Prefers tea.")
    engine.maintain()


async def test_a_sound_library_is_told_so_in_sentences(open_app: Open) -> None:
    async with open_app(some) as running:
        await check(running)
        assert "nothing is wrong" in running.text
        assert "✓ ok" in running.text and "The library is whole." in running.text


async def test_what_is_broken_comes_first_and_enter_mends_it_after_asking(open_app: Open) -> None:
    async with open_app(some) as running:
        harm(running, "DELETE FROM words")
        await check(running)
        assert "1 problem" in running.text and "✗ problem The word index does not" in running.text
        await running.press("enter")
        assert "Mend this?" in running.text
        await running.press("escape")
        assert "1 problem" in running.text
        await running.press("enter", "tab", "enter")
        await looked(running)
        assert "nothing is wrong" in running.text
        assert any("The word index was filled again." in said for said in running.toasts())
        await running.press("escape")
        assert running.at_library


async def test_a_finding_nothing_can_be_done_about_here_asks_nothing(open_app: Open) -> None:
    def fill(engine: Engine) -> None:
        engine.facts.add(f"The key is {KEY}", keep_secret=True)
        engine.maintain()

    async with open_app(fill) as running:
        await check(running)
        assert "api key" in running.text and "doctor --mask" in running.text
        assert KEY not in running.text
        await running.press("enter")
        assert "Mend this?" not in running.text


async def test_the_app_goes_on_while_it_looks(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = threading.Event()
    monkeypatch.setattr(
        "localmem.tui.screens.check.examine", lambda patient: (going.wait(30), ())[1]
    )
    async with open_app(some) as running:
        running.library.desk = replace(running.library.desk, patient=lambda: patient(running))
        await running.press("ctrl+p")
        await running.type("check the")
        await running.press("enter")
        assert "looking it over" in running.text
        assert await running.ask(lambda engine: engine.library.usage().versions) == 1
        await running.press("escape")
        assert running.at_library
        going.set()


async def test_where_no_file_holds_the_library_that_is_said(open_app: Open) -> None:
    async with open_app(some) as running:
        await running.press("ctrl+p")
        await running.type("check the")
        await running.press("enter")
        assert running.at_library
        assert any("nothing to check" in said for said in running.toasts())


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 20), (40, 12)])
async def test_findings_and_their_fix_fit_every_size(open_app: Open, size: tuple[int, int]) -> None:
    async with open_app(some, size=size) as running:
        harm(running, "DELETE FROM words")
        await check(running)
        lines = running.text.splitlines()
        assert all(len(line.rstrip()) <= size[0] for line in lines)
        assert "✗ problem" in running.text and "esc" in running.text
        await running.press("tab", "end")
        assert "enter does it, after asking." in running.text
