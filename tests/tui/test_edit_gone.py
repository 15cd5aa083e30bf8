"""A memory forgotten elsewhere while its form is open: said, and what was typed is not lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from localmem.core.model import FactContent
from localmem.core.scope import contact
from localmem.engine import Engine
from localmem.tui.screens.edit_document import DocumentForm
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.screens.edit_preference import PreferenceForm
from localmem.tui.screens.gone import GoneScreen
from localmem.tui.screens.sides import SidesScreen
from localmem.tui.widgets.area import Area
from tests.support.library import PERSON
from tests.tui.conftest import Open, Running

DAY = 86_400_000


def one_fact(engine: Engine) -> None:
    engine.facts.add("Prefers email.", scope=contact("ana"), ttl_seconds=30 * 86_400)


def one_document(engine: Engine) -> None:
    engine.documents.set("orders", "ORD-1", {"a": 1})


def brands(engine: Engine) -> None:
    engine.preferences.remember("preferred_brands", ["Asics"])


async def forgotten(running: Running, typed: str, id: str = "text") -> None:
    """Type into the form of the first row while the CLI forgets it."""
    await running.press("e")
    item = running.library.item
    assert item is not None
    other = running.other(PERSON)
    other.forgetting.forget([item.id])
    other.close()
    running.app.screen.query_one(f"#{id}", Area).typed = typed
    await running.settle()


def drafts(running: Running) -> int:
    """How many drafts are kept under any name."""
    with closing(sqlite3.connect(running.path)) as file:
        count: int = file.execute("SELECT count(*) FROM draft").fetchone()[0]
    return count


async def test_a_save_of_a_forgotten_fact_says_so_in_the_app_s_own_words(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await forgotten(running, "Prefers WhatsApp.")
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, GoneScreen)
        assert "forgotten elsewhere" in running.text
        assert "localmem list" not in running.text
        assert not any("localmem list" in toast for toast in running.toasts())


async def test_what_was_typed_can_be_kept_as_a_new_fact_for_the_time_it_had(
    open_app: Open,
) -> None:
    async with open_app(one_fact) as running:
        await forgotten(running, "Prefers WhatsApp.")
        await running.press("ctrl+s", "enter")
        assert running.at_library
        item = running.library.item
        assert item is not None and item.head.number == 1 and item.scope == contact("ana")
        assert item.head.content == FactContent("Prefers WhatsApp.")
        assert item.head.expires_at == running.clock.now + 30 * DAY
        assert "Kept." in running.toasts()


async def test_it_can_be_dropped(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await forgotten(running, "Prefers WhatsApp.")
        await running.press("ctrl+s", "tab", "enter")
        assert running.at_library
        assert await running.ask(lambda engine: engine.library.shelf().counts) == ()
        assert drafts(running) == 0


async def test_escape_from_the_question_goes_back_to_what_was_typed(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await forgotten(running, "Prefers WhatsApp.")
        await running.press("ctrl+s", "escape")
        assert isinstance(running.app.screen, FactForm)
        assert running.app.screen.query_one("#text", Area).typed == "Prefers WhatsApp."
        assert "forgotten elsewhere" in running.text


async def test_escape_from_the_form_asks_and_promises_no_draft(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await forgotten(running, "Prefers WhatsApp.")
        await running.press("escape")
        assert isinstance(running.app.screen, GoneScreen)
        assert not any("draft is kept" in toast for toast in running.toasts())
        await running.press("tab", "enter")
        assert running.at_library
        assert drafts(running) == 0


async def test_nothing_of_a_forgotten_fact_stays_behind_as_a_draft(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await forgotten(running, "Prefers WhatsApp.")
        form = running.app.screen
        assert isinstance(form, FactForm)
        await form.before_leaving()
        assert drafts(running) == 0


async def test_an_untouched_form_of_a_forgotten_fact_is_just_left(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await forgotten(running, "Prefers email.")
        await running.press("escape")
        assert running.at_library


async def test_a_fact_that_expired_meanwhile_is_said_to_have_expired(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        running.app.screen.query_one("#text", Area).typed = "Prefers WhatsApp."
        running.clock.now += 31 * DAY
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, GoneScreen)
        assert "expired while you were writing" in running.text
        await running.press("enter")
        item = running.library.item
        assert item is not None and item.head.expires_at is None


async def test_a_forgotten_document_is_written_anew(open_app: Open) -> None:
    async with open_app(one_document) as running:
        await forgotten(running, '{"a": 2}', "value")
        assert isinstance(running.app.screen, DocumentForm)
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, GoneScreen)
        await running.press("enter")
        item = await running.ask(lambda engine: engine.documents.get("orders", "ORD-1"))
        assert item.head.content.value == {"a": 2}


async def test_a_forgotten_preference_is_declared_anew(open_app: Open) -> None:
    async with open_app(brands) as running:
        await forgotten(running, "Mizuno", "value")
        assert isinstance(running.app.screen, PreferenceForm)
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, GoneScreen)
        await running.press("enter")
        held = await running.ask(lambda engine: engine.preferences.entry("preferred_brands"))
        assert held.declared.head.content.value == ("Mizuno",)


async def test_a_fact_forgotten_while_two_versions_are_compared_is_not_lost(
    open_app: Open,
) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        item = running.library.item
        assert item is not None
        other = running.other(PERSON)
        other.facts.edit(item.id, text="Prefers a letter.")
        running.app.screen.query_one("#text", Area).typed = "Prefers WhatsApp."
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, SidesScreen)
        other.forgetting.forget([item.id])
        other.close()
        await running.press("m")
        assert isinstance(running.app.screen, GoneScreen)
        await running.press("enter")
        kept = running.library.item
        assert kept is not None and kept.head.content == FactContent("Prefers WhatsApp.")
