"""Conflicts: listed with why and since, all sides read, decided with one key, never lost."""

from __future__ import annotations

import pytest

from localmem.core.model import DocumentContent, FactContent, ItemId, Kind, PreferenceContent
from localmem.core.syncing import Clash, Decision
from localmem.engine import Engine
from localmem.tui.present.places import Shelves
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.conflict import ConflictScreen
from localmem.tui.screens.edit_document import DocumentForm
from localmem.tui.screens.edit_preference import PreferenceForm
from localmem.tui.widgets.area import Area
from localmem.tui.widgets.fields import Field
from tests.support import screen
from tests.support import syncing as fake
from tests.support.hostile import HOSTILE
from tests.support.syncing import FakeBackground, FakeSyncing
from tests.tui.conftest import Open, Running, rows_at
from tests.tui.test_bursts import settled
from tests.tui.test_sync import SIZES, signed_in, synchroniser

CHOICES = ("m mine", "t theirs", "e edit", "f forget", "l later")


def kept(engine: Engine) -> None:
    engine.facts.add("Prefers tea.")
    engine.documents.set("orders", "ORD-1", {"status": "paid", "n": 1})
    engine.preferences.remember("shoe_size", "43")
    engine.preferences.remember("avoided_brands", ["Acme"])


def gone_there() -> Clash:
    return fake.clash("90e00001", theirs=None)._replace(
        why="forgotten", text="Forgotten on the server, and changed here before that was known.",
        theirs_by=None, theirs_at=None,
    )  # fmt: skip


def unreadable() -> Clash:
    return fake.order_clash()._replace(
        id="5ba9e001", theirs=None, why="shape", theirs_by=None, theirs_at=None,
        text="The server has something there that localmem cannot read.",
    )  # fmt: skip


def of_names() -> Clash:
    """A list that both added to: it merges entry by entry."""
    base, mine, theirs = (
        PreferenceContent(names) for names in (("Acme",), ("Acme", "Bolt"), ("Acme", "Core"))
    )
    return fake.clash("4a3e5001", Kind.PREFERENCE, base=base, mine=mine, theirs=theirs,
                      title="Avoided brands")  # fmt: skip


async def item_of(running: Running, clash: Clash) -> ItemId:
    """The kept memory that a clash is about."""

    def work(engine: Engine) -> ItemId:
        if clash.kind is Kind.PREFERENCE:
            key = "shoe_size" if clash.title == "Shoe size" else "avoided_brands"
            entry = engine.preferences.entry(key)  # type: ignore[arg-type]
            assert entry.effective is not None
            return entry.effective.id
        found = engine.documents.get("orders", "ORD-1")
        return found.id

    found: ItemId = await running.ask(work)
    return found


async def opened(running: Running) -> ConflictScreen:
    """The first conflict, from the tree."""
    conflicts = [spot.shelf for spot in running.library.spots].index(Shelves.CONFLICTS)
    running.library.tree_pane.focus()
    running.library.tree_pane.cursor = conflicts
    await running.settle()
    await running.press("right", "enter")
    assert isinstance(running.app.screen, ConflictScreen), running.text
    return running.app.screen


def said(running: Running) -> str:
    text = running.text
    for line in "┃│╭╮╰╯┏┓┗┛━─":
        text = text.replace(line, " ")
    return " ".join(text.split())


@pytest.mark.parametrize("size", SIZES)
async def test_the_list_shows_kind_title_and_why(open_app: Open, size: tuple[int, int]) -> None:
    library = signed_in(clashes=[fake.order_clash(), fake.size_clash(), gone_there(), unreadable()])
    async with open_app(kept, sync=synchroniser(library), size=size) as running:
        running.library.tree_pane.focus()
        spots = [spot.shelf for spot in running.library.spots]
        running.library.tree_pane.cursor = spots.index(Shelves.CONFLICTS)
        await running.settle()
        assert "⚠ Conflicts" in running.text or size[0] < 70
        running.library.list_pane.focus()
        await running.settle()
        assert "▤ orders/ORD-1" in running.text and "◆ Shoe size" in running.text
        if size[0] >= 80:
            assert "changed on both sides" in running.text
            assert "forgotten there" in running.text
            assert "not readable there" in running.text
        if size[0] >= 120:
            page = " ".join(running.library.page.text.split())
            assert "scope project" in page and "since 21 Sep" in page
            assert "theirs by shop-agent" in page
        assert screen.overflowing(running.app) == []


@pytest.mark.parametrize("size", SIZES)
async def test_all_sides_and_every_choice_are_read_at_every_size(
    open_app: Open, size: tuple[int, int]
) -> None:
    library = signed_in(clashes=[fake.size_clash()])
    async with open_app(kept, sync=synchroniser(library), size=size) as running:
        await opened(running)
        footer = " ".join(running.text.splitlines()[-2:])
        assert [choice for choice in CHOICES if choice not in footer] == []
        assert "a merged" not in footer
        read = ""
        for _ in range(4):
            read += said(running)
            await running.press("tab")
        for words in ("Conflict: ◆ Shoe size", "before", "42", "yours · here", "43", "theirs", "41",
                      "shop-agent", "merged"):  # fmt: skip
            assert words in read
        assert screen.overflowing(running.app) == []


@pytest.mark.parametrize(("key", "decision"), [("m", Decision.MINE), ("t", Decision.THEIRS)])
async def test_one_key_keeps_a_side(open_app: Open, key: str, decision: Decision) -> None:
    library = signed_in(clashes=[fake.size_clash()])
    async with open_app(kept, sync=synchroniser(library)) as running:
        await opened(running)
        await running.press(key)
        assert library.decided == [("51ee0001", decision, None)]
        await running.looked()
        assert running.at_library and "⚠ Conflicts" not in running.text
        assert "in step" in running.text.splitlines()[0]


async def test_lists_merge_entry_by_entry_and_a_keeps_that(open_app: Open) -> None:
    library = signed_in(clashes=[of_names()])
    async with open_app(kept, sync=synchroniser(library)) as running:
        await opened(running)
        assert "Both changes fit together" in said(running)
        assert "a merged" in running.text.splitlines()[-1]
        await running.press("a")
        [(_, decision, content)] = library.decided
        assert decision is Decision.MERGED
        assert isinstance(content, PreferenceContent)
        assert set(content.value) == {"Acme", "Bolt", "Core"}


async def test_documents_differ_field_by_field_and_e_opens_the_merged_one(open_app: Open) -> None:
    base = DocumentContent({"status": "new", "n": 1})
    mine = DocumentContent({"status": "paid", "n": 1, "gift": True})
    theirs = DocumentContent({"status": "shipped", "n": 2})
    library = signed_in()
    async with open_app(kept, sync=synchroniser(library)) as running:
        clash = fake.clash("d0c00002", Kind.DOCUMENT, base=base, mine=mine, theirs=theirs,
                           title="orders/ORD-1", parts=(("status",),))  # fmt: skip
        library.clashes.append(clash._replace(item=await item_of(running, clash)))
        running.app.keeper.look_anew()
        await running.looked()
        await opened(running)
        assert "Changed on both sides: status." in said(running)
        await running.press("a")
        assert library.decided == [] and any("edit the merged" in t for t in running.toasts())
        await running.press("e")
        form = running.app.screen
        assert isinstance(form, DocumentForm)
        area = form.query_one("#value", Area)
        assert '"gift": true' in area.typed and '"n": 2' in area.typed
        area.typed = '{"status": "shipped", "n": 2, "gift": true}'
        await running.press("ctrl+s")
        [(id, decision, content)] = library.decided
        assert (id, decision) == ("d0c00002", Decision.MERGED)
        assert content == DocumentContent({"status": "shipped", "n": 2, "gift": True})
        assert running.at_library


async def test_what_is_typed_for_a_conflict_is_kept_as_a_draft_of_its_own(open_app: Open) -> None:
    library = signed_in()
    async with open_app(kept, sync=synchroniser(library)) as running:
        clash = fake.size_clash()
        library.clashes.append(clash._replace(item=await item_of(running, clash)))
        running.app.keeper.look_anew()
        await running.looked()
        conflict = await opened(running)
        await running.press("e")
        form = running.app.screen
        assert isinstance(form, PreferenceForm)
        form.query_one("#value", Field).typed = "42"
        await running.press("escape")
        assert running.app.screen is conflict and library.decided == []
        await running.press("e")
        assert running.app.screen.query_one("#value", Field).typed == "42"
        await running.press("ctrl+s")
        assert library.decided == [("51ee0001", Decision.MERGED, PreferenceContent("42"))]


async def test_forgetting_asks_first(open_app: Open) -> None:
    library = signed_in(clashes=[fake.size_clash()])
    async with open_app(kept, sync=synchroniser(library)) as running:
        conflict = await opened(running)
        await running.press("f")
        assert isinstance(running.app.screen, AskScreen)
        await running.press("enter")
        assert running.app.screen is conflict and library.decided == []
        await running.press("f", "tab", "enter")
        assert library.decided == [("51ee0001", Decision.FORGET, None)]


async def test_later_and_esc_leave_it_open_and_everything_else_goes_on(open_app: Open) -> None:
    library = signed_in(clashes=[fake.size_clash()])
    async with open_app(kept, sync=synchroniser(library)) as running:
        for key in ("l", "escape"):
            await opened(running)
            await running.press(key)
            assert running.at_library and library.decided == []
            assert "⚠ Conflicts           1" in running.text


@pytest.mark.parametrize("size", SIZES)
async def test_what_is_gone_there_is_said_and_what_each_choice_does(
    open_app: Open, size: tuple[int, int]
) -> None:
    library = signed_in(clashes=[gone_there()])
    async with open_app(kept, sync=synchroniser(library), size=size) as running:
        await opened(running)
        read = ""
        for _ in range(4):
            read += said(running)
            await running.press("tab")
        assert "theirs · gone there" in read and "Gone there" in read
        assert "keeps yours, and brings it back there" in read
        assert "forgets it here too, with every version" in read or size[1] < 20
        await running.press("a")
        assert library.decided == []
        await running.press("t")
        assert library.decided == [("90e00001", Decision.THEIRS, None)]


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 20)])
async def test_why_is_read_whole_under_a_long_title(open_app: Open, size: tuple[int, int]) -> None:
    clash = gone_there()._replace(title="Prefers to be called back after six " * 5)
    async with open_app(kept, sync=synchroniser(signed_in(clashes=[clash])), size=size) as running:
        await opened(running)
        assert f"{clash.text} (project · since 21 Sep)" in said(running)
        assert screen.overflowing(running.app) == []


async def test_help_begins_with_what_decides(open_app: Open) -> None:
    async with open_app(kept, sync=synchroniser(signed_in(clashes=[gone_there()]))) as running:
        await opened(running)
        await running.press("question_mark")
        first = next(line for line in running.text.splitlines() if "Keys in" in line)
        assert "Keys in a conflict" in first


async def test_what_cannot_be_read_is_not_taken(open_app: Open) -> None:
    library = signed_in(clashes=[unreadable()])
    async with open_app(kept, sync=synchroniser(library)) as running:
        await opened(running)
        assert "localmem cannot read" in said(running)
        await running.press("t")
        assert library.decided == []
        assert any("cannot be taken" in note for note in running.toasts())
        await running.press("m")
        assert library.decided == [("5ba9e001", Decision.MINE, None)]


async def test_what_is_gone_here_is_taken_or_stays_gone(open_app: Open) -> None:
    library = signed_in(clashes=[fake.order_clash()._replace(mine=None, item=None)])
    async with open_app(kept, sync=synchroniser(library)) as running:
        await opened(running)
        assert "yours · gone here" in running.text
        assert "keeps it gone: it is deleted there too" in said(running)
        await running.press("e")
        assert any("nothing here to edit" in note for note in running.toasts())


async def test_a_newer_version_of_theirs_is_shown_before_anything_is_decided(
    open_app: Open,
) -> None:
    library, background = signed_in(clashes=[fake.size_clash()]), FakeBackground()
    async with open_app(kept, sync=synchroniser(library, background)) as running:
        conflict = await opened(running)
        library.clashes[0] = library.clashes[0]._replace(theirs=PreferenceContent("44"))
        await running.press("t")
        assert running.app.screen is conflict and library.decided == []
        assert "44" in said(running) and "41" not in said(running)
        assert any("Theirs changed while you looked" in note for note in running.toasts())
        library.clashes[0] = library.clashes[0]._replace(theirs=PreferenceContent("45"))
        background.moved()
        await running.looked()
        assert "45" in said(running)
        await running.press("t")
        assert library.decided == [("51ee0001", Decision.THEIRS, None)]


async def test_one_that_was_settled_elsewhere_closes_by_itself(open_app: Open) -> None:
    library, background = signed_in(clashes=[fake.size_clash()]), FakeBackground()
    async with open_app(kept, sync=synchroniser(library, background)) as running:
        await opened(running)
        library.clashes.clear()
        background.moved()
        await running.looked()
        assert running.at_library
        assert any("settled meanwhile" in note for note in running.toasts())


@pytest.mark.parametrize("size", SIZES)
async def test_hostile_sides_are_text(open_app: Open, size: tuple[int, int]) -> None:
    clashes = [
        fake.clash(
            f"{n:08x}", mine=FactContent(value[:3_000]), theirs=FactContent(f"{value[:3_000]} x"),
            title=value[:300],
        )._replace(text=value[:200], why=value[:20])
        for n, value in enumerate(HOSTILE[::3])
    ]  # fmt: skip
    library = FakeSyncing(fake.ACCOUNT, clashes=clashes)
    async with open_app(kept, sync=synchroniser(library), size=size) as running:
        await opened(running)
        await running.press("escape")
        for row in rows_at(size, len(clashes)):
            running.library.list_pane.cursor = row
            await running.settle()
            assert screen.wrong(running.app) == []
            await running.press("enter")
            for _ in range(4):
                assert screen.wrong(running.app) == []
                await running.press("tab")
            await running.press("escape")


@pytest.mark.parametrize("ahead", ["m", "t", "a", "f tab enter"])
async def test_nothing_typed_ahead_decides_a_conflict(open_app: Open, ahead: str) -> None:
    library = signed_in(clashes=[fake.order_clash()])
    async with open_app(kept, sync=synchroniser(library)) as running:
        await opened(running)
        await running.press("escape")
        running.press_ahead("enter", *ahead.split())
        await settled(running)
        assert isinstance(running.app.screen, ConflictScreen)
        assert library.decided == []
