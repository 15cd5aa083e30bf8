"""Search as you type: late answers, the floor, the grammar and its mistakes, and why."""

from __future__ import annotations

import asyncio

import pytest

from localmem.core.query import Query
from localmem.engine.answers import Hit
from localmem.tui.present.rows import Row, item_of
from tests.support.library import WordsEmbedder
from tests.tui.conftest import Fill, Open, Running


def hits(running: Running) -> list[Row]:
    rows = running.library.list_pane
    return [rows._held[at] for at in range(rows.count)]


async def test_results_come_while_typing_and_mark_the_words(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("slash")
        await running.type("whatsapp")
        assert "Results · 1 of 46" in running.text
        assert "Prefers WhatsApp over email." in running.text
        (hit,) = hits(running)
        assert isinstance(hit, Hit) and hit.terms
        assert "words 100% (WhatsApp)" in " ".join(running.library.page.text.split())


async def test_a_late_answer_is_dropped_and_old_rows_stay_until_then(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("slash")
        await running.type("penicillin")
        library = running.library
        shown = hits(running)
        await library._search(Query(text="boiler", meaning="boiler"), library._generation - 1, None)
        assert hits(running) == shown
        await library._search(Query(text="boiler", meaning="boiler"), library._generation, None)
        assert hits(running) != shown


async def test_a_newer_question_cancels_the_one_that_runs(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        stopped = asyncio.Event()
        original = running.bridge.read

        async def slow(work: object) -> object:
            try:
                return await original(work)  # type: ignore[arg-type]
            except asyncio.CancelledError:
                stopped.set()
                raise

        running.bridge.read = slow  # type: ignore[method-assign,assignment]
        blocked = asyncio.get_running_loop().create_task(
            original(lambda engine: sum(range(10_000_000)))
        )
        running.library.box.focus()
        running.library.box.value = "boiler"
        await running.pilot.pause()
        running.library.box.value = "passport"
        await running.settle()
        await blocked
        assert stopped.is_set()
        assert "My passport is valid until M" in running.text


async def test_plus_shows_what_is_below_the_floor_and_hides_it_again(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library, embedder=WordsEmbedder()) as running:
        await running.embedded()
        await running.press("slash")
        await running.type("boiler serviced monthly or weekly by somebody else")
        await running.press("down")
        found = running.library.found
        assert found is not None and found.below, "the corpus must reach this case"
        above = running.library.list_pane.count
        assert "(press +)" in running.text
        await running.press("plus")
        assert running.library.list_pane.count == above + len(found.below)
        assert "shown, + hides" in running.text
        await running.press("plus")
        assert running.library.list_pane.count == above


async def test_a_mistake_is_said_and_the_old_rows_stay(open_app: Open, demo_library: Fill) -> None:
    async with open_app(demo_library) as running:
        await running.press("slash")
        await running.type("passport")
        shown = hits(running)
        await running.type(" kind:fcat x")
        assert "'fcat' is not a kind." in running.text
        assert [item_of(row) for row in hits(running)] == [item_of(row) for row in shown]
        assert shown


async def test_filters_narrow_and_escape_brings_the_list_back(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("slash")
        await running.type("kind:document")
        assert "Results · 4 of 4" in running.text
        assert "orders/ORD-1042" in running.text
        await running.press("escape")
        assert running.library.list_pane.count == 46
        assert running.library.box.value == ""
        assert running.library.list_pane.has_focus


async def test_w_explains_a_result_and_says_when_there_is_none(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("w")
        assert "There is no result to explain: search with / first." in running.toasts()
        await running.press("slash")
        await running.type("boiler october")
        await running.press("down", "w")
        assert "Why this result" in running.library.page.text
        assert "the floor of 0.30" in " ".join(running.library.page.text.split())


async def test_nothing_found_says_how_much_was_looked_through(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("slash")
        await running.type("xylophone")
        assert "Nothing in 46 memories fits." in running.text


async def test_markup_and_syntax_can_be_typed_key_by_key(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("slash")
        for typed in ("[", "[/]", "[bold", "]", "\\[", '"', "NEAR(", 'a"b', "*", "{"):
            running.library.box.value = ""
            await running.type(typed)
            assert running.library.box.typed == typed
            assert typed in running.text


async def test_typing_goes_on_while_results_arrive_and_the_focus_stays_in_the_box(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("slash")
        await running.type("qfnehyu?+")
        assert running.library.box.typed == "qfnehyu?+"
        assert running.library.box.has_focus


def shown(running: Running) -> list[str]:
    panes = ("#tree", "#list", "#preview")
    return [pane for pane in panes if running.library.query_one(pane).display]


@pytest.mark.parametrize("size", [(60, 20), (40, 12)])
@pytest.mark.parametrize("pane", ["preview", "tree"])
async def test_typing_a_search_shows_the_results_where_one_pane_fits(
    open_app: Open, demo_library: Fill, size: tuple[int, int], pane: str
) -> None:
    async with open_app(demo_library, size=size) as running:
        await running.press("right" if pane == "preview" else "left")
        assert f"#{pane}" in shown(running)
        await running.press("slash")
        await running.type("whatsapp")
        assert shown(running) == ["#list"]
        assert "Results · 1 of 46" in running.text and running.library.box.has_focus
        await running.press("enter")
        assert running.library.list_pane.has_focus


async def test_while_letters_are_typed_the_footer_names_no_letter(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("slash")
        await running.type("boiler")
        footer = running.text.splitlines()[-1]
        assert footer.split() == [
            "enter",
            "results",
            "↓",
            "results",
            "esc",
            "back",
            "^p",
            "palette",
        ]
        await running.press("enter")
        assert "n new" in running.text.splitlines()[-1]


async def test_the_hint_at_plus_fits_where_the_person_types(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library, embedder=WordsEmbedder()) as running:
        await running.embedded()
        await running.press("slash")
        await running.type("boiler serviced monthly or weekly by somebody else")
        assert "(enter, then +)" in running.text
        await running.press("enter")
        assert "(press +)" in running.text
        await running.press("slash")
        assert "(enter, then +)" in running.text


async def test_a_pure_filter_is_explained_without_contradicting_itself(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("slash")
        await running.type("kind:document")
        await running.press("down", "w")
        told = " ".join(running.library.page.text.split())
        assert "Why this result filters allowed by the filters; nothing was compared" in told
        assert "no vector was compared" not in told and "floor" not in told
