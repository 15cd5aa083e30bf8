"""Browse and search: the tree, a list, and what the cursor is on.

As many panes as the window holds, always with the focused one among them; the rest slide in.
"""

from __future__ import annotations

from textual import events, on
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from localmem.core import query as grammar
from localmem.core.model import Item, ItemId
from localmem.core.query import Query
from localmem.engine.preferences import PreferenceEntry
from localmem.engine.recall import Found
from localmem.errors import InvalidQuery
from localmem.tui import jobs
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import places, preview, rows, search
from localmem.tui.present.places import Shelves, Spot
from localmem.tui.present.preview import Details
from localmem.tui.present.rows import Row, item_of
from localmem.tui.screens.library_layout import LibraryLayout
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.rows import Rows

LIST = 1
"""Where the list stands among the panes."""


class LibraryScreen(LibraryLayout):
    """The app's main screen."""

    BINDINGS = bindings(Place.LIBRARY, Place.RESULTS)
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
        self._generation = 0
        self._empty = False
        self._opened_once = False

    def on_mount(self) -> None:
        super().on_mount()
        self.panes.title("tree", "Library")
        self.panes.fit(self.size.width)
        self.reload(opening=True)

    @property
    def item(self) -> Item | None:
        """What the cursor is on."""
        return item_of(self.list_pane.row)

    def here(self) -> tuple[Place, ...]:
        return (*super().here(), Place.RESULTS) if self.found is not None else super().here()

    # loading

    def reload(self, *, keep: ItemId | None = None, opening: bool = False) -> None:
        """Read the tree and the list again; the cursor stays on what it is on."""
        self.work("load", self._load, keep, opening)

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
        self.panes.title("list", f"{listing.spot.title} · {listing.spot.amount}")
        self._preview()

    def show_standing(self, standing: jobs.Standing) -> None:
        self.header.show_state(standing.meaning, standing.waiting, standing.problem)

    @on(Rows.Wanted, "#list")
    def _fetch(self, wanted: Rows.Wanted) -> None:
        if self.spot is not None and self.found is None:
            self.work("window", self._fill, self.spot, wanted)

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
        if self.box.has_focus:
            self.panes.bring(LIST, self.size.width)
        self.search()

    def search(self, *, keep: ItemId | None = None) -> None:
        """Ask for what is in the box; a newer question takes the place of a running one."""
        self._generation += 1
        text = self.box.typed
        if not text.strip():
            was_searching, self.found = self.found is not None, None
            self.header.show_mistake(None)
            if was_searching:
                self.reload(opening=True)
            return
        try:
            self.asked = grammar.parse(text, now=self.desk.now, zone=self.desk.zone)
        except InvalidQuery as problem:
            self.header.show_mistake(problem)
            return
        self.header.show_mistake(None)
        self.work("search", self._search, self.asked, self._generation, keep)

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
        empty = search.no_results(found, words=self._words, typing=self.box.has_focus)
        self.list_pane.show(shown, cursor=cursor, empty=empty)
        self._title_results()
        self.show_keys()
        self._preview()

    @property
    def _words(self) -> bool:
        """Whether words were asked for; False for filters alone."""
        return bool(self.asked.meaning or self.asked.phrases)

    def _title_results(self) -> None:
        if self.found is None:
            return
        typing = self.box.has_focus
        title = search.results_title(
            self.found, below_shown=self.below_shown, words=self._words, typing=typing
        )
        self.panes.title("list", title)
        self.list_pane.say_empty(search.no_results(self.found, words=self._words, typing=typing))

    def search_again(self) -> None:
        """The same question to a library that knows more now."""
        if self.found is not None:
            self.search(keep=self.item.id if self.item else None)

    def show_item(self, item: Item | None) -> None:
        """Show the list again with the cursor on `item`, going to where it is when need be."""
        if item is not None and self.found is None and not self._holds(item):
            self.address = places.home_of(item)
        self.reload(keep=item.id if item is not None else None)

    def _holds(self, item: Item) -> bool:
        return self.spot is not None and self.spot.holds(item)

    def leave_search(self) -> None:
        self._generation += 1
        self.found = None
        self.below_shown = False
        self.header.clear()
        self.show_keys()

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
            self.page.look_at(None, Details(), None)
        else:
            self.work("preview", self._look_at, row)

    async def _look_at(self, row: Row) -> None:
        with self.contained():
            details = await self.desk.bridge.read(jobs.details(row))
            self.page.look_at(row, details, self.found)

    def draw_row(self, row: Row, width: int) -> Content:
        spot = self.spot
        several = self.found is not None or (spot is not None and spot.scope is None)
        named = self.found is not None or (spot is not None and not spot.collection)
        return rows.draw(row, width, self.desk.look(scopes=several, collections=named))

    # panes

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.panes.fit(self.size.width)

    def on_descendant_focus(self) -> None:
        super().on_descendant_focus()
        self.panes.fit(self.size.width)
        self._title_results()

    def show_keys(self) -> None:
        """In the search box letters are typed, so the footer names its own keys alone."""
        for footer in self.query(Footer):
            footer.show((Place.SEARCH,) if self.box.has_focus else self.here())

    def action_pane_left(self) -> None:
        self.panes.step(-1)

    def action_pane_right(self) -> None:
        self.panes.step(1)

    # keys

    def action_search(self) -> None:
        self.set_focus(self.box)

    def action_to_results(self) -> None:
        self.list_pane.focus()

    def action_back(self) -> None:
        """From the preview to the list, out of a search, then to the tree."""
        in_box = self.box.has_focus
        if self.box.value and (in_box or self.list_pane.has_focus):
            self.leave_search()
            self.reload(opening=True)
        elif not in_box:
            self.panes.step(-1)
            return
        self.list_pane.focus()

    def action_next_field(self) -> None:
        if self.box.has_focus:
            self.panes.go(0)
        elif not self.panes.step(1):
            self.set_focus(self.box)

    def action_previous_field(self) -> None:
        if self.box.has_focus:
            self.panes.go(2)
        elif not self.panes.step(-1):
            self.set_focus(self.box)

    def action_more(self) -> None:
        if self.found is not None:
            self.below_shown = not self.below_shown
            self._show_results(self.item.id if self.item else None)

    def action_why(self) -> None:
        if self.found is None:
            self.say("There is no result to explain: search with / first.")
            return
        self.page.explain()

    def action_copy(self) -> None:
        if self.item is None:
            self.say("There is nothing here to copy.")
        else:
            self.copy(preview.copied_text(self.item))

    def action_edit(self) -> None:
        if self.list_pane.row is None:
            self.say("There is nothing here to edit; n keeps something new.")
        else:
            self.begin(self._do, "edit", self.list_pane.row)

    def action_new(self) -> None:
        self.begin(self._do, "new", self.spot)

    def action_history(self) -> None:
        if self.list_pane.row is not None:
            self.begin(self._do, "history", self.list_pane.row)

    def action_forget(self) -> None:
        if self.list_pane.row is not None:
            self.begin(self._do, "forget", self.list_pane.row)

    def action_undo(self) -> None:
        self.begin(self._do, "undo", None)

    async def _do(self, deed: str, about: Row | Spot | None) -> None:
        """Run a deed; when it changed something, show it with the cursor on what it was about."""
        with self.contained():
            # Forms are a tenth of the start-up and nobody edits before there is a row.
            from localmem.tui.screens import deeds

            done = await deeds.run(deed, self, about)
            if done is not None:
                self.post_message(self.Written())
                self.show_item(done.item)

    async def action_leave(self) -> None:
        await self.app.run_action("quit")
