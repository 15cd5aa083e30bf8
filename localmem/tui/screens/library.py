"""Browse and search: the tree, a list, and what the cursor is on.

As many panes as the window holds, always with the focused one among them; the rest slide in.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Literal

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from localmem.core import query as grammar
from localmem.core.model import Item, ItemId, Kind
from localmem.core.query import Query
from localmem.engine.preferences import PreferenceEntry
from localmem.engine.recall import Found, Hit
from localmem.errors import InvalidQuery
from localmem.tui import jobs
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import ink, places, preview, rows, search
from localmem.tui.present.places import Shelves, Spot
from localmem.tui.present.rows import Row, item_of
from localmem.tui.screens import deeds
from localmem.tui.screens.base import Screenful
from localmem.tui.widgets.chrome import Footer, TooSmall
from localmem.tui.widgets.page import Page
from localmem.tui.widgets.rows import Rows
from localmem.tui.widgets.search_box import SearchBox

Pane = Literal["tree", "list", "preview"]
PANES: tuple[Pane, ...] = ("tree", "list", "preview")
_TWO_FROM, _THREE_FROM = 70, 100


class LibraryScreen(Screenful[None]):
    """The app's main screen."""

    BINDINGS = bindings(Place.LIBRARY)
    places = (Place.LIBRARY,)
    AUTO_FOCUS = "#list"

    class Opened(Message):
        """The first rows are on the screen."""

    class Written(Message):
        """Something was kept or changed here."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.address: jobs.Address = (Shelves.EVERYTHING, None, "")
        self.spot: Spot | None = None
        self.data_version = -1
        self.asked = Query()
        self.found: Found | None = None
        """The results on the screen; None while browsing."""
        self.below_shown = False
        self.explain = False
        self._generation = 0
        self._shown: tuple[Row, preview.Details] | None = None
        self._standing: jobs.Standing | None = None
        self._empty = False
        self._opened_once = False
        self._left_pane: Pane = "tree"

    def compose(self) -> ComposeResult:
        with Horizontal(id="header"):
            yield Static(Content.assemble(("localmem", ink.NAME)), id="brand", markup=False)
            yield SearchBox(id="search")
            yield Static(id="state", markup=False)
        yield Static(id="mistake", markup=False)
        with Horizontal(id="panes"):
            yield Rows[Spot](places.spot_row, id="tree")
            yield Rows[Row](self._draw, id="list")
            yield Page(id="preview")
        yield Footer()
        yield TooSmall()

    def on_mount(self) -> None:
        super().on_mount()
        self.tree_pane.border_title = Content("Library")
        self.list_pane.border_title = Content("…")
        self.query_one("#mistake").display = False
        self._arrange()
        self.reload(opening=True)

    @property
    def tree_pane(self) -> Rows[Spot]:
        return self.query_one("#tree", Rows)

    @property
    def list_pane(self) -> Rows[Row]:
        return self.query_one("#list", Rows)

    @property
    def page(self) -> Page:
        return self.query_one("#preview", Page)

    @property
    def box(self) -> SearchBox:
        return self.query_one(SearchBox)

    @property
    def item(self) -> Item | None:
        """What the cursor is on."""
        return item_of(self.list_pane.row)

    # loading

    def reload(self, *, keep: ItemId | None = None, opening: bool = False) -> None:
        """Read the tree and the list again; the cursor stays on what it is on."""
        self.work(self._load(keep, opening), "load")

    async def _load(self, keep: ItemId | None, opening: bool) -> None:
        with self.contained():
            if keep is None and not opening and self.item is not None:
                keep = self.item.id
            near = 0 if opening else self.list_pane.cursor
            browsing_near = near if self.found is None else 0
            seen = await self.desk.bridge.read(
                jobs.overview(self.address, keep=keep, near=browsing_near)
            )
            self._empty = seen.empty
            self.data_version = seen.data_version
            self.show_standing(seen.standing)
            self._show_tree(seen.spots, seen.listing.spot)
            if self.found is None:
                self._show_listing(seen.listing, keep_scroll=not opening)
            else:
                self.search(keep=keep)
            if not self._opened_once:
                self._opened_once = True
                self.call_after_refresh(self.post_message, self.Opened())

    def _show_tree(self, spots: tuple[Spot, ...], current: Spot) -> None:
        self.spot = current
        at = next((n for n, each in enumerate(spots) if each.address == current.address), 0)
        self.tree_pane.show(spots, cursor=at, keep_scroll=True)

    def _show_listing(self, listing: jobs.Listing, *, keep_scroll: bool) -> None:
        empty = places.empty_library() if self._empty else places.empty_place(listing.spot)
        self.list_pane.show(
            listing.rows,
            count=listing.count,
            offset=listing.offset,
            cursor=listing.cursor,
            keep_scroll=keep_scroll,
            empty=empty,
        )
        self._title(self.list_pane, f"{listing.spot.title} · {listing.count:,}")
        self._preview()

    def show_standing(self, standing: jobs.Standing) -> None:
        self._standing = standing
        width = self.size.width
        state = self.query_one("#state", Static)
        state.update(search.state(standing.meaning, standing.waiting, width))
        state.tooltip = Content(standing.problem) if standing.problem else None

    @on(Rows.Wanted, "#list")
    def _fetch(self, wanted: Rows.Wanted) -> None:
        if self.spot is not None and self.found is None:
            self.work(self._fill(self.spot, wanted), "window")

    async def _fill(self, spot: Spot, wanted: Rows.Wanted) -> None:
        with self.contained():
            found = await self.desk.bridge.read(
                jobs.window(spot.slice, wanted.offset, wanted.limit)
            )
            self.list_pane.fill(wanted.generation, wanted.offset, found)

    # the tree

    @on(Rows.Moved, "#tree")
    def _visit(self, moved: Rows.Moved) -> None:
        spot = moved.row
        if isinstance(spot, Spot) and spot.address != self.address:
            self.address = spot.address
            self.leave_search()
            self.reload(opening=True)

    @on(Rows.Opened, "#tree")
    def _enter(self) -> None:
        self.list_pane.focus()

    def visit(self, spot: Spot) -> None:
        """Jump to a place, as the palette does."""
        self.address = spot.address
        self.leave_search()
        self.list_pane.focus()
        self.reload(opening=True)

    # search

    @on(Input.Changed, "#search")
    def _typed(self) -> None:
        self.search()

    def search(self, *, keep: ItemId | None = None) -> None:
        """Ask for what is in the box; a newer question takes the place of a running one."""
        self._generation += 1
        text = self.box.typed
        if not text.strip():
            was_searching, self.found = self.found is not None, None
            self._show_mistake(None)
            if was_searching:
                self.reload(opening=True)
            return
        try:
            self.asked = grammar.parse(text, now=self.desk.now, zone=self.desk.zone)
        except InvalidQuery as problem:
            self._show_mistake(problem)
            return
        self._show_mistake(None)
        self.work(self._search(self.asked, self._generation, keep), "search")

    async def _search(self, asked: Query, generation: int, keep: ItemId | None) -> None:
        with self.contained():
            found, standing = await self.desk.bridge.read(jobs.search(asked, self.desk.floor))
            if generation != self._generation:
                return
            self.found = found
            self.show_standing(standing)
            self._show_results(keep)

    def _show_results(self, keep: ItemId | None = None) -> None:
        found = self.found
        if found is None:
            return
        shown = found.hits + (found.below if self.below_shown else ())
        cursor = next((at for at, hit in enumerate(shown) if hit.item.id == keep), 0)
        words = bool(self.asked.meaning or self.asked.phrases)
        self.list_pane.show(shown, cursor=cursor, empty=search.no_results(found, words=words))
        title = search.results_title(found, below_shown=self.below_shown, words=words)
        self._title(self.list_pane, title)
        self._preview()

    def search_again(self) -> None:
        """The same question to a library that knows more now."""
        if self.found is not None:
            self.search(keep=self.item.id if self.item else None)

    def show_item(self, item: Item | None) -> None:
        """Show the list again with the cursor on `item`, going to where it is when need be."""
        if item is not None and self.found is None and not self._holds(item):
            shelf = {Kind.FACT: Shelves.FACTS, Kind.PREFERENCE: Shelves.PREFERENCES,
                     Kind.DOCUMENT: Shelves.DOCUMENTS}[item.kind]  # fmt: skip
            self.address = (shelf, None, item.collection)
        self.reload(keep=item.id if item is not None else None)

    def _holds(self, item: Item) -> bool:
        shelf, scope, collection = self.address
        kind = Spot(shelf, "", 0).slice.kind
        return (
            kind in (None, item.kind)
            and scope in (None, item.scope)
            and collection in ("", item.collection)
        )

    def _show_mistake(self, problem: InvalidQuery | None) -> None:
        self.box.mark(problem)
        line = self.query_one("#mistake", Static)
        line.display = problem is not None
        if problem is not None:
            line.update(search.mistake(problem))

    def leave_search(self) -> None:
        self._generation += 1
        self.found = None
        self.below_shown = False
        self._show_mistake(None)
        with self.prevent(Input.Changed):
            self.box.value = ""

    # the preview

    @on(Rows.Moved, "#list")
    def _moved(self) -> None:
        self._preview()

    @on(Rows.Opened, "#list")
    def _opened(self, opened: Rows.Opened) -> None:
        if isinstance(opened.row, PreferenceEntry) and opened.row.effective is None:
            self.action_edit()
        else:
            self.page.focus()

    def _preview(self) -> None:
        row = self.list_pane.row
        if row is None:
            self._shown = None
            self._title(self.page, "")
            self.page.show(Content(""))
            return
        self.work(self._look_at(row), "preview")

    async def _look_at(self, row: Row) -> None:
        with self.contained():
            details = await self.desk.bridge.read(jobs.details(row))
            same = self._shown is not None and _is_same(self._shown[0], row)
            self._shown = (row, details)
            self._draw_preview(keep_scroll=same)

    def _draw_preview(self, *, keep_scroll: bool = False) -> None:
        if self._shown is None:
            return
        row, details = self._shown
        now, zone, width = self.desk.now, self.desk.zone, self.page.width
        item = item_of(row)
        if isinstance(row, PreferenceEntry):
            self._title(self.page, "preference · yours")
            text = preview.preference_lines(row, details, now=now, zone=zone, width=width)
        elif item is not None:
            hit = row if isinstance(row, Hit) else None
            self._title(self.page, preview.title(item))
            text = preview.item_lines(
                item, details, now=now, zone=zone, width=width, hit=hit, found=self.found,
                explain=self.explain,
            )  # fmt: skip
        self.page.show(text, keep_scroll=keep_scroll)

    def _draw(self, row: Row, width: int) -> Content:
        spot = self.spot
        several = self.found is not None or (spot is not None and spot.scope is None)
        named = self.found is not None or (spot is not None and not spot.collection)
        return rows.draw(row, width, self.desk.look(scopes=several, collections=named))

    def _title(self, pane: Rows[Row] | Page, text: str) -> None:
        pane.border_title = Content(text)

    # panes

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self._arrange()
        if self._standing is not None:
            self.show_standing(self._standing)

    def on_descendant_focus(self) -> None:
        super().on_descendant_focus()
        self._arrange()

    def _arrange(self) -> None:
        """Show as many panes as fit, the focused one among them."""
        width = self.size.width
        room = 3 if width >= _THREE_FROM else 2 if width >= _TWO_FROM else 1
        at = PANES.index(self._pane())
        first = PANES.index(self._left_pane)
        first = max(0, min(max(at - room + 1, min(first, at)), len(PANES) - room))
        self._left_pane = PANES[first]
        for number, name in enumerate(PANES):
            self.query_one(f"#{name}").display = first <= number < first + room
        self.query_one("#brand").display = width >= _TWO_FROM
        self.call_after_refresh(self._draw_preview, keep_scroll=True)

    def _pane(self) -> Pane:
        focused = self.focused.id if self.focused else None
        return next((pane for pane in PANES if pane == focused), "list")

    def action_pane_left(self) -> None:
        self._to_pane(-1)

    def action_pane_right(self) -> None:
        self._to_pane(1)

    def _to_pane(self, step: int) -> None:
        at = max(0, min(PANES.index(self._pane()) + step, len(PANES) - 1))
        self._focus(PANES[at])

    def _focus(self, pane: Pane) -> None:
        self.query_one(f"#{pane}").display = True
        self.query_one(f"#{pane}").focus()

    # keys

    def action_search(self) -> None:
        self.box.focus()

    def action_to_results(self) -> None:
        self.list_pane.focus()

    def action_back(self) -> None:
        """From the preview to the list, out of a search, then to the tree."""
        pane = self._pane()
        if self.focused is self.box or (pane == "list" and self.box.value):
            if self.box.value:
                self.leave_search()
                self.reload(opening=True)
            self.list_pane.focus()
        elif pane != "tree":
            self._focus(PANES[PANES.index(pane) - 1])

    def action_next_field(self) -> None:
        self._cycle(1)

    def action_previous_field(self) -> None:
        self._cycle(-1)

    def _cycle(self, step: int) -> None:
        ring = ("search", *PANES)
        at = (
            ring.index(self.focused.id or "list") if self.focused and self.focused.id in ring else 2
        )
        target = self.query_one(f"#{ring[(at + step) % len(ring)]}")
        target.display = True
        target.focus()

    def action_more(self) -> None:
        if self.found is not None:
            self.below_shown = not self.below_shown
            self._show_results(self.item.id if self.item else None)

    def action_why(self) -> None:
        if self.found is None:
            self.say("There is no result to explain: search with / first.")
            return
        self.explain = not self.explain
        self._draw_preview(keep_scroll=True)

    def action_copy(self) -> None:
        if self.item is None:
            self.say("There is nothing here to copy.")
        else:
            self.copy(preview.copied_text(self.item))

    def action_edit(self) -> None:
        if self.list_pane.row is None:
            self.say("There is nothing here to edit; n keeps something new.")
        else:
            self._do(deeds.edit(self, self.list_pane.row))

    def action_new(self) -> None:
        self._do(deeds.new(self, self.spot))

    def action_history(self) -> None:
        if self.list_pane.row is not None:
            self._do(deeds.history(self, self.list_pane.row))

    def action_undo(self) -> None:
        self._do(deeds.undo(self), always=True)

    def _do(self, deed: Coroutine[Any, Any, Item | None], *, always: bool = False) -> None:
        """Run a deed; when it changed something, show it with the cursor on it."""

        async def run() -> None:
            with self.contained():
                item = await deed
                if item is not None or always:
                    self.post_message(self.Written())
                    self.show_item(item)

        self.work(run(), "deed", only=False)

    def action_forget(self) -> None:
        if self.list_pane.row is not None:
            self.work(self._forget(self.list_pane.row), "deed", only=False)

    async def _forget(self, row: Row) -> None:
        with self.contained():
            if await deeds.forget(self, row):
                self.reload()

    async def action_leave(self) -> None:
        await self.app.run_action("quit")


def _is_same(one: Row, other: Row) -> bool:
    if isinstance(one, PreferenceEntry) and isinstance(other, PreferenceEntry):
        return one.key == other.key
    first, second = item_of(one), item_of(other)
    return first is not None and second is not None and first.id == second.id
