"""Pasting: what is pasted goes in once, whole, with line breaks as the field holds them."""

from __future__ import annotations

import pytest
from rich.text import Text
from textual import events
from textual.content import Content

from localmem.core.visible import visible
from localmem.engine import Engine
from localmem.tui.screens.edit_document import DocumentForm
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.screens.edit_preference import PreferenceForm
from localmem.tui.widgets.area import Area
from localmem.tui.widgets.fields import Carriers, Field
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


async def test_a_large_text_is_checked_once_the_typing_pauses(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = 0
    real = FactForm.check

    def counted(form: FactForm) -> Content:
        nonlocal checks
        checks += 1
        return real(form)

    async with open_app() as running:
        await running.press("n", "enter")
        form = running.app.screen
        assert isinstance(form, FactForm)
        monkeypatch.setattr(FactForm, "check", counted)
        monkeypatch.setattr("localmem.tui.screens.draft_form.CHECK_AFTER", 3_600.0)
        await paste(running, "Gosta de chá. " * 1_300)
        assert "19,500 bytes · checked when you pause" in running.text
        await running.type("x" * 20)
        assert checks == 0
        form.check_now()
        assert checks == 1
        assert "19,520 / 8,192 bytes" in running.text


async def test_leaving_before_the_pause_keeps_all_of_a_large_text(open_app: Open) -> None:
    async with open_app() as running:
        await running.press("n", "enter")
        await paste(running, "é" * 12_000)
        await running.press("escape", "n", "enter")
        assert area(running).typed == "é" * 12_000


def test_drawing_a_line_again_looks_at_its_characters_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = 0
    real = visible

    def counted(text: str, *, keep_newlines: bool = False) -> str:
        nonlocal looked
        looked += 1
        return real(text, keep_newlines=keep_newlines)

    monkeypatch.setattr("localmem.tui.widgets.fields.visible", counted)
    carriers = Carriers()
    line = "Gosta de chá.\t" * 1_300
    assert carriers.signs(carriers.load(line)) == line
    assert looked <= 4
    hostile = carriers.load(line + "\x1b")
    looked = 0
    for _ in range(30):
        assert carriers.signs(hostile) == line + "␛"
    assert looked <= 4 + len(hostile)


async def test_a_long_line_is_cut_only_where_it_is_seen(open_app: Open) -> None:
    """Each row shows its own part, coloured as before, tabs and all."""
    async with open_app() as running:
        await running.press("n", "enter")
        text = area(running)
        await paste(running, "".join(f"{number:03}\t" for number in range(120)))
        line = text.get_line(0)
        line.stylize("bold", 6, 14)
        offsets = text.wrapped_document.get_offsets(0)
        cut, whole = line.divide(offsets), Text.divide(line, offsets)
        assert len(offsets) > 3 and len(cut) == len(whole)
        for one, other in zip(cut, whole, strict=True):
            assert one.plain == other.plain and one.spans == other.spans
        assert "119" in running.text


PAGE = "Prefers WhatsApp over email.\r" * 10_000


@pytest.mark.parametrize("keys", ["", "question_mark", "f", "h"])
async def test_a_page_pasted_where_nothing_is_typed_changes_nothing_and_is_told(
    open_app: Open, keys: str
) -> None:
    """FR-84: a paste that hits a list, a page or a question is one sentence."""
    async with open_app(brands) as running:
        await running.press(*keys.split())
        screen, before = running.app.screen, running.text
        await paste(running, PAGE)
        assert running.app.screen is screen
        assert any("A paste goes into a field" in toast for toast in running.toasts())
        assert before.splitlines()[-1] == running.text.splitlines()[-1]


@pytest.mark.parametrize("keys", ["slash", "ctrl+p", "n", "d", "n enter tab tab"])
async def test_a_page_pasted_into_one_line_is_cut_and_that_is_told(
    open_app: Open, keys: str
) -> None:
    async with open_app() as running:
        await running.press(*keys.split())
        box = running.app.focused
        assert isinstance(box, Field)
        await paste(running, PAGE)
        assert len(box.typed) == box.max_length
        assert any("the rest was left out" in toast for toast in running.toasts())
        await running.type("x")
        assert len(box.typed) == box.max_length
