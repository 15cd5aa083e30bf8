"""Pasting: what is pasted goes in once, whole, with line breaks as the field holds them."""

from __future__ import annotations

import pytest
from textual import events

from localmem.engine import Engine
from localmem.tui.screens.edit_document import DocumentForm
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.screens.edit_preference import PreferenceForm
from localmem.tui.widgets.fields import Area, Field
from tests.tui.conftest import Open, Running


async def paste(running: Running, text: str) -> None:
    """As the terminal sends a bracketed paste: to the app, which hands it to the focus."""
    running.app.post_message(events.Paste(text))
    await running.settle()


def area(running: Running, id: str = "text") -> Area:
    return running.app.screen.query_one(f"#{id}", Area)


def field(running: Running, id: str) -> Field:
    return running.app.screen.query_one(f"#{id}", Field)


def brands(engine: Engine) -> None:
    engine.preferences.remember("preferred_brands", ["Asics"])


@pytest.mark.parametrize("text", ["Likes tea.", "Likes tea.\x1b[31m", "Gosta de chá."])
async def test_a_paste_into_a_fact_goes_in_once(open_app: Open, text: str) -> None:
    async with open_app() as running:
        await running.press("n", "enter")
        assert isinstance(running.app.screen, FactForm)
        await paste(running, text)
        assert area(running).typed == text
        await paste(running, " Twice")
        assert area(running).typed == f"{text} Twice"


async def test_a_paste_into_a_field_goes_in_once_in_place_of_what_is_selected(
    open_app: Open,
) -> None:
    async with open_app() as running:
        await running.press("n", "enter")
        field(running, "path").focus()
        await paste(running, "home")
        await paste(running, "/decisions")
        assert field(running, "path").typed == "home/decisions"
        field(running, "path").select_all()
        await paste(running, "work")
        assert field(running, "path").typed == "work"


async def test_a_paste_into_the_search_box_goes_in_once(open_app: Open) -> None:
    async with open_app() as running:
        await running.press("slash")
        await paste(running, "likes tea")
        assert running.library.box.typed == "likes tea"


async def test_a_paste_into_the_body_of_a_document_goes_in_once(open_app: Open) -> None:
    async with open_app() as running:
        await running.press("n", "down", "down", "enter")
        assert isinstance(running.app.screen, DocumentForm)
        body = area(running, "value")
        body.focus()
        body.select_all()
        await paste(running, '{\r  "a": 1\r}')
        assert body.typed == '{\n  "a": 1\n}'


async def test_a_paste_into_the_list_of_names_goes_in_once(open_app: Open) -> None:
    async with open_app(brands) as running:
        await running.press("e")
        assert isinstance(running.app.screen, PreferenceForm)
        names = area(running, "value")
        names.select_all()
        await paste(running, "Asics\rMizuno\r")
        assert names.typed == "Asics\nMizuno\n"
        assert "2 / 10 names" in running.text


@pytest.mark.parametrize("text", ["One.\rTwo.", "One.\r\nTwo.", "One.\nTwo."])
async def test_line_breaks_of_every_terminal_are_line_breaks_of_the_text(
    open_app: Open, text: str
) -> None:
    async with open_app() as running:
        await running.press("n", "enter")
        await paste(running, text)
        assert area(running).typed == "One.\nTwo."
        assert "␍" not in running.text


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("likes\rtea", "likes tea"),
        ("likes\r\ntea\r\n", "likes tea"),
        ("\nlikes\ttea", "likes tea"),
        ("\r", ""),
    ],
)
async def test_line_breaks_in_a_field_of_one_line_become_spaces(
    open_app: Open, text: str, typed: str
) -> None:
    async with open_app() as running:
        await running.press("slash")
        await paste(running, text)
        assert running.library.box.typed == typed
        assert "␍" not in running.text
