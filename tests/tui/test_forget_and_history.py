"""Forgetting names what goes and shows a receipt; history compares and restores."""

from __future__ import annotations

import threading

from localmem.core.model import FactContent
from localmem.engine import Engine
from localmem.errors import StoreReadOnly
from localmem.tui.screens.forget import ForgetScreen, ReceiptScreen
from localmem.tui.screens.history import HistoryScreen
from tests.support import syncing as fake
from tests.support.syncing import FakeBackground, FakeSynchroniser, FakeSyncing
from tests.tui.conftest import Open


def three_versions(engine: Engine) -> None:
    item = engine.facts.add("The first wording of it.").item  # type: ignore[union-attr]
    engine.facts.edit(item.id, text="The second wording of it.")
    engine.facts.edit(item.id, text="The third wording of it, longer.")


async def test_forgetting_names_what_goes_and_does_nothing_without_a_yes(open_app: Open) -> None:
    async with open_app(three_versions) as running:
        await running.press("f")
        assert isinstance(running.app.screen, ForgetScreen)
        assert "This erases 1 memory with 3 versions, for good:" in running.text
        assert "The third wording of it, longer." in running.text
        await running.press("enter")
        assert running.at_library
        assert running.library.list_pane.count == 1
        await running.press("f", "escape")
        assert running.library.list_pane.count == 1


async def test_a_question_shows_what_enter_would_do_without_colour(open_app: Open) -> None:
    for size in ((120, 36), (40, 12)):
        async with open_app(three_versions, size=size) as running:
            await running.press("f")
            assert "▸ Keep it" in running.text and "▸ Forget" not in running.text
            footer = running.text.splitlines()[-1]
            assert "enter do it" in footer and "tab other" in footer
            for key, focused in (("tab", "▸ Forget"), ("left", "▸ Keep"), ("left", "▸ Forget"),
                                 ("right", "▸ Keep"), ("right", "▸ Forget")):  # fmt: skip
                await running.press(key)
                assert focused in running.text and running.text.count("▸") == 1
            assert "▸ Forget for good" in running.text


async def test_who_is_signed_in_reads_that_the_server_and_other_devices_follow(
    open_app: Open,
) -> None:
    for signed_in in (True, False):
        library = FakeSyncing(fake.ACCOUNT if signed_in else None)
        sync = FakeSynchroniser(library, FakeBackground())
        async with open_app(three_versions, sync=sync) as running:
            await running.press("f")
            said = " ".join(running.text.replace("┃", " ").split())
            assert ("The server and your other devices follow" in said) is signed_in
            await running.press("right", "enter")
            await running.settle()
            assert "Erased 1 memory" in running.text
            assert ("The server is told with the next run" in running.text) is signed_in


async def test_the_text_has_more_room_than_the_list_of_versions(open_app: Open) -> None:
    async with open_app(three_versions, size=(80, 24)) as running:
        await running.press("h")
        history = running.app.screen
        assert isinstance(history, HistoryScreen)
        assert history.query_one("#difference").size.width > history.rows.size.width
        assert "remembered you" in running.text


async def test_a_toast_hides_no_error_line_and_is_never_there_twice(open_app: Open) -> None:
    async with open_app(three_versions) as running:
        running.app._disable_notifications = False
        await running.press("h", "r", "r", "r")
        said = "That is the current version already."
        assert running.toasts().count(said) == 1
        lines = [at for at, line in enumerate(running.text.splitlines()) if said in line]
        assert lines and 3 < lines[0] < 8


async def test_a_forgotten_fact_is_gone_and_the_receipt_says_where_was_looked(
    open_app: Open,
) -> None:
    async with open_app(three_versions) as running:
        await running.press("f", "tab", "enter")
        await running.settle()
        assert isinstance(running.app.screen, ReceiptScreen)
        shown = running.text
        assert "Erased 1 memory: 3 versions" in shown
        assert "Searched the files for 3 texts: found nothing." in shown
        assert "backups and exports made before" in shown
        await running.press("escape")
        assert running.library.list_pane.count == 0
        assert b"wording of it" not in running.path.read_bytes()


async def test_forgetting_a_preference_says_that_it_is_not_inferred_again(open_app: Open) -> None:
    def sized(engine: Engine) -> None:
        engine.preferences.remember("shoe_size", "42")

    async with open_app(sized) as running:
        await running.press("f")
        assert "is not inferred" in running.text
        await running.press("tab", "enter")
        await running.settle()
        await running.press("escape")
        await running.press("left", "down")
        assert "forgotten · not inferred" in running.text


async def test_the_person_can_go_on_while_the_files_are_rewritten(open_app: Open) -> None:
    """The interface answers keys while the erasure is still running on its own thread."""
    async with open_app(three_versions) as running:
        go_on = threading.Event()

        def slow(engine: Engine) -> None:
            original = engine.forgetting.context.store.scrub

            def scrub() -> object:
                go_on.wait(5)
                return original()

            engine.forgetting.context.store.scrub = scrub  # type: ignore[method-assign,assignment]

        await running.ask(slow)
        await running.press("f", "tab")
        running.press_ahead("enter")
        for _ in range(20):
            await running.pilot.pause(0)
        assert "rewriting the library's files" in running.text
        go_on.set()
        await running.settle()
        assert "Erased 1 memory" in running.text


async def test_a_refused_erasure_shows_why_and_no_receipt(open_app: Open) -> None:
    async with open_app(three_versions) as running:
        original = running.bridge.write

        async def refuse(work: object) -> object:
            raise StoreReadOnly("The library can only be read.", hint="Check its permissions.")

        await running.press("f", "tab")
        running.bridge.write = refuse  # type: ignore[method-assign,assignment]
        await running.press("enter")
        running.bridge.write = original  # type: ignore[method-assign]
        assert running.at_library
        assert "The library can only be read. Check its permissions." in running.toasts()


async def test_history_shows_who_changed_what_word_by_word(open_app: Open) -> None:
    async with open_app(three_versions) as running:
        await running.press("h")
        assert isinstance(running.app.screen, HistoryScreen)
        assert "3 versions" in running.text
        assert "v2 → v3" in running.text
        assert "[-second-]{+third+}" in running.text


async def test_any_two_versions_are_compared_with_a_mark(open_app: Open) -> None:
    async with open_app(three_versions) as running:
        await running.press("h")
        await running.press("G", "space", "g")
        assert "v1 → v3" in running.text
        assert "[-first-]{+third+}" in running.text
        await running.press("G", "space", "g")
        assert "v2 → v3" in running.text


async def test_a_version_is_restored_as_a_new_one_and_undone(open_app: Open) -> None:
    async with open_app(three_versions) as running:
        await running.press("h")
        await running.press("G", "r")
        assert any("Version 1 is back, as version 4." in toast for toast in running.toasts())
        assert "4 versions" in running.text
        await running.press("u")
        assert "5 versions" in running.text
        await running.press("escape")
        item = running.library.item
        assert item is not None
        assert item.head.content == FactContent("The third wording of it, longer.")


async def test_the_cursor_stays_on_its_version_whatever_is_restored_or_undone(
    open_app: Open,
) -> None:
    async with open_app(three_versions) as running:
        await running.press("h", "j", "r")
        history = running.app.screen
        assert isinstance(history, HistoryScreen)
        assert len(history.versions) == 4
        assert history.rows.row is not None and history.rows.row.number == 2
        await running.press("r")
        assert len(history.versions) == 4
        assert "The current version says the same already." in running.toasts()
        await running.press("u")
        assert len(history.versions) == 5
        assert history.rows.row.number == 2


async def test_restoring_what_is_current_writes_nothing(open_app: Open) -> None:
    async with open_app(three_versions) as running:
        await running.press("h")
        await running.press("g", "r")
        assert "That is the current version already." in running.toasts()


async def test_a_preference_that_is_not_set_has_no_history_to_show(open_app: Open) -> None:
    async with open_app() as running:
        await running.press("left", "down", "right", "h")
        assert running.at_library
        assert "Nothing is remembered here, so there is no history." in running.toasts()
