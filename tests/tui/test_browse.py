"""Browsing: the tree, the list, the preview, and what another process writes meanwhile."""

from __future__ import annotations

import pytest

from localmem.core.model import FactContent
from localmem.core.scope import contact
from localmem.engine import Engine
from localmem.tui.keymap import Keymap
from localmem.tui.present import places
from localmem.tui.present.rows import item_of
from tests.support.library import WordsEmbedder
from tests.tui.conftest import Fill, Open

PANES = ("tree", "list", "preview")


async def test_the_first_screen_shows_everything_with_the_cursor_in_the_list(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        assert running.library.list_pane.has_focus
        assert running.library.list_pane.count == 46
        assert "Dietary restrictions: sem lactose" in running.text
        assert "contact:ana" in running.text


async def test_an_empty_library_says_what_to_do_first(open_app: Open) -> None:
    async with open_app() as running:
        assert "Nothing is kept here yet." in running.text
        assert "Press n to keep a fact" in running.text


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 20), (40, 12)])
async def test_the_first_screen_is_read_in_full_at_every_size(
    open_app: Open, size: tuple[int, int]
) -> None:
    async with open_app(size=size) as running:
        width = running.library.list_pane.size.width
        rows = running.library.list_pane
        shown = " ".join(rows.render_line(y).text.strip() for y in range(rows.size.height))
        assert " ".join(places.empty_library(Keymap().label).plain.split()) == " ".join(
            shown.split()
        )
        assert width < size[0]
        order = [shown.index(part) for part in ("Press n", "command line", "one file")]
        assert order == sorted(order)


async def test_the_tree_says_how_many_of_the_six_preferences_are_set(open_app: Open) -> None:
    async with open_app() as running:
        assert "0 of 6" in running.text

    def sized(engine: Engine) -> None:
        engine.preferences.remember("shoe_size", "42")

    async with open_app(sized) as running:
        assert "1 of 6" in running.text


async def test_moving_in_the_tree_opens_that_place_and_preferences_show_all_six(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("left", "down")
        assert running.library.list_pane.count == 6
        assert "Avoided brands" in running.text and "not set" in running.text
        await running.press("down", "down")
        assert running.library.spot is not None
        assert running.library.spot.scope == contact("ana")
        assert running.library.list_pane.count == 8


async def test_vim_keys_and_arrows_move_the_same_cursor(open_app: Open, demo_library: Fill) -> None:
    async with open_app(demo_library) as running:
        rows = running.library.list_pane
        await running.press("j", "down", "k")
        assert rows.cursor == 1
        await running.press("G")
        assert rows.cursor == 45
        await running.press("g")
        assert rows.cursor == 0
        await running.press("ctrl+d")
        half = rows.cursor
        await running.press("ctrl+u")
        assert half > 5 and rows.cursor == 0


async def test_the_preview_follows_the_cursor_and_shows_the_history(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("j", "j", "j", "j", "j", "j")
        shown = running.library.page.text
        assert "Parking code for this month is in the blue drawer." in shown
        assert "path     home/parking" in shown
        assert "edited" in shown and "remembered" in shown
        assert "in 9 days" in shown


async def test_a_write_of_another_process_is_shown_without_losing_the_cursor(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("j", "j", "j", "j", "j", "j", "j")
        before = running.library.item
        other = running.other()
        other.facts.add("Written by an agent meanwhile.", scope=contact("ana"))
        other.facts.add("And another one.", scope=contact("ana"))
        other.close()
        running.app.poll()
        await running.settle()
        rows = running.library.list_pane
        assert rows.count == 48
        assert running.library.item is not None and before is not None
        assert running.library.item.id == before.id
        assert rows.cursor == 9
        assert "Written by an agent meanwhile." in running.text


async def test_looking_for_other_writers_shows_nothing_new_when_nothing_was_written(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        generation = running.library.list_pane.generation
        running.app.poll()
        await running.settle()
        assert running.library.list_pane.generation == generation


async def test_a_hundred_thousand_rows_are_read_in_windows(open_app: Open) -> None:
    """The list holds some hundred of them however far it is scrolled."""
    async with open_app() as running:
        rows = running.library.list_pane
        rows.show([], count=100_000)
        asked = []
        rows.set_reactive(type(rows).cursor, 0)
        original = rows.post_message

        def spy(message: object) -> bool:
            if isinstance(message, type(rows).Wanted):
                asked.append((message.offset, message.limit))
                return True
            return original(message)  # type: ignore[arg-type]

        rows.post_message = spy  # type: ignore[method-assign]
        rows.cursor = 99_999
        await running.pilot.pause()
        assert asked and all(limit < 400 for _, limit in asked)
        assert max(offset for offset, _ in asked) > 99_000


async def test_rows_beyond_the_first_window_are_fetched_when_they_are_reached(
    open_app: Open,
) -> None:
    def fill(engine: object) -> None:
        for number in range(700):
            engine.facts.add(f"Fact number {number}.")  # type: ignore[attr-defined]

    async with open_app(fill) as running:
        assert running.library.list_pane.count == 700
        await running.press("G")
        assert "Fact number 0." in running.text
        item = running.library.item
        assert item is not None and "Fact number 0." in running.library.page.text


async def test_as_many_panes_as_fit_are_shown_the_focused_one_among_them(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        library = running.library

        def seen() -> tuple[str, ...]:
            return tuple(pane for pane in PANES if library.query_one(f"#{pane}").display)

        assert seen() == ("tree", "list", "preview")
        await running.pilot.resize_terminal(80, 24)
        await running.settle()
        assert seen() == ("tree", "list")
        await running.press("enter")
        assert seen() == ("list", "preview") and library.page.has_focus
        await running.pilot.resize_terminal(60, 20)
        await running.settle()
        assert seen() == ("preview",)
        await running.press("escape")
        assert seen() == ("list",)
        await running.press("escape")
        assert seen() == ("tree",)


async def test_tab_reaches_every_pane_and_comes_round(open_app: Open, demo_library: Fill) -> None:
    async with open_app(demo_library, size=(60, 20)) as running:
        visited = []
        for _ in range(4):
            await running.press("tab")
            assert running.library.focused is not None
            visited.append(running.library.focused.id)
        assert visited == ["preview", "search", "tree", "list"]
        await running.press("shift+tab")
        assert running.library.focused is not None and running.library.focused.id == "tree"


async def test_a_window_that_is_too_small_says_so_and_nothing_crashes(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        for width, height in ((1, 1), (10, 3), (20, 5), (2, 40), (300, 90), (1, 1), (40, 12)):
            await running.pilot.resize_terminal(width, height)
            await running.settle()
        assert "Everything" in running.text
        await running.pilot.resize_terminal(30, 8)
        await running.settle()
        assert "localmem needs 36x9" in running.text


async def test_meaning_joins_when_the_model_is_there_and_everything_is_embedded(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library, embedder=WordsEmbedder()) as running:
        for _ in range(4):
            await running.settle()
        assert "words + meaning" in running.text
        assert await running.ask(lambda engine: engine.meaning.state()[1]) == 0


async def test_without_a_model_the_header_says_words_only(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        assert "words only" in running.text


async def test_undo_names_what_was_taken_back_and_says_when_there_is_nothing(
    open_app: Open,
) -> None:
    async with open_app(lambda engine: engine.facts.add("Only this.")) as running:  # type: ignore[arg-type]
        await running.press("u")
        assert "Taking that back erases it for good" in running.text
        await running.press("enter")
        assert running.library.list_pane.count == 1
        await running.press("u", "tab", "enter")
        assert "Taken back: kept “Only this.”." in running.toasts()
        assert running.library.list_pane.count == 0
        await running.press("u")
        assert any("There is nothing to undo." in toast for toast in running.toasts())


async def test_undoing_an_edit_asks_nothing(open_app: Open) -> None:
    def edited(engine: Engine) -> None:
        item = engine.facts.add("Before.").item  # type: ignore[union-attr]
        engine.facts.edit(item.id, text="After.")

    async with open_app(edited) as running:
        await running.press("u")
        assert "Taken back: edited “After.”." in running.toasts()
        assert running.library.item is not None
        assert running.library.item.head.content == FactContent("Before.")


async def test_copy_sends_the_text_as_stored_and_claims_no_more(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("j", "j", "j", "j", "j", "j", "y")
        assert running.app.clipboard == "Parking code for this month is in the blue drawer."
        assert any("Sent to the terminal's clipboard" in toast for toast in running.toasts())


async def test_expired_memories_are_purged_when_the_app_opens(
    open_app: Open, clock: object
) -> None:
    def fill(engine: object) -> None:
        engine.facts.add("Short-lived.", ttl_seconds=60)  # type: ignore[attr-defined]
        clock.advance(61)  # type: ignore[attr-defined]

    async with open_app(fill) as running:
        assert running.library.list_pane.count == 0
        assert item_of(running.library.list_pane.row) is None
        assert await running.ask(lambda engine: engine.library.usage().versions) == 0


async def test_rows_of_another_list_are_dropped_when_they_come_late(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        rows = running.library.list_pane
        before = dict(rows._held)
        rows.fill(rows.generation - 1, 0, [before[5]])
        assert rows._held == before
        rows.fill(rows.generation, 0, [before[5]])
        assert rows._held[0] == before[5]
