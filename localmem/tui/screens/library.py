"""Browse: the tree, a list, and what the cursor is on; now, or as it was on another day.

As many panes as the window holds, always with the focused one among them; the rest slide in.
"""

from __future__ import annotations

from textual import events, on
from textual.content import Content
from textual.message import Message

from localmem.core.model import Item
from localmem.core.records import Deed
from localmem.engine.answers import PreferenceEntry
from localmem.tui import jobs
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.keeper import of_item
from localmem.tui.lists import Listing, Source
from localmem.tui.present import places, preview, rows
from localmem.tui.present.places import Address, Shelves, Spot
from localmem.tui.present.preview import Details
from localmem.tui.present.rows import Row, item_of, key_of
from localmem.tui.screens.inbox import Decisions
from localmem.tui.screens.library_sync import LibrarySync
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.rows import Rows


class LibraryScreen(LibrarySync):
    """The app's main screen."""

    BINDINGS = bindings(
        Place.LIBRARY, Place.RESULTS, Place.INBOX, Place.PAST, Place.CONFLICTS, Place.SYNC
    )
    places = (Place.LIBRARY,)
    AUTO_FOCUS = "#list"

    class Opened(Message):
        """The first rows are on the screen."""

    class Written(Message):
        """Something was kept or changed here."""

    def __init__(self, desk: Desk, first: jobs.Overview | None = None) -> None:
        super().__init__(desk)
        self._first = first
        self.spot: Spot | None = None
        self.data_version = -1
        self.decisions = Decisions(self, show=self.was_written)
        self._source: Source | None = None
        self._empty = False
        self._opened_once = False
        self._styled = False

    def on_mount(self) -> None:
        super().on_mount()
        self.panes.title("tree", "Library")
        self.panes.fit(self.size.width)
        if self._first is None:
            self.reload(opening=True)
        else:
            self._show(self._first, opening=True)
            self._first = None

    def update_node_styles(self, animate: bool = True) -> None:
        """Not at the first request, as the screen opens: mounting has just given all their styles,
        and doing it again costs a twentieth of the start."""
        if self._styled:
            super().update_node_styles(animate)
        self._styled = True

    def here(self) -> tuple[Place, ...]:
        found = super().here()
        if self.found is not None:
            found = (*found, Place.RESULTS)
        elif self._at_inbox:
            found = (*found, Place.INBOX)
        elif self.at_sync or self.at_conflicts:
            found = (*found, Place.SYNC if self.at_sync else Place.CONFLICTS)
        return (*found, Place.PAST) if self.at is not None else found

    @property
    def _at_inbox(self) -> bool:
        return self.address.shelf is Shelves.INBOX and self.found is None

    # loading

    def reload(
        self, *, keep: object = None, opening: bool = False, seek: Item | None = None
    ) -> None:
        """Read the tree and the list again; the cursor stays on what it is on."""
        self.work("load", self._load, keep, opening, seek)

    async def _load(self, keep: object, opening: bool, seek: Item | None) -> None:
        with self.contained():
            if keep is None and not opening:
                keep = key_of(self.list_pane.row)
            near = 0 if opening or self.found is not None else self.list_pane.cursor
            wanted = jobs.Wanted(self.address, self.at, keep, near, seek, self.desk.syncing)
            seen = await self.desk.bridge.read(jobs.overview(wanted))
            self._show(seen, opening=opening, keep=keep)

    def _show(self, seen: jobs.Overview, *, opening: bool, keep: object = None) -> None:
        self._empty = seen.empty
        self.data_version = seen.data_version
        if seen.sync is not None:
            self.desk.seen.status = seen.sync
        self.show_sync()
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
        self.spot, self.address, self.spots = current, current.address, spots
        at = next((n for n, each in enumerate(spots) if each.address == current.address), 0)
        self.tree_pane.show(spots, cursor=at, keep_scroll=True)

    def _show_listing(self, listing: Listing, *, keep_scroll: bool) -> None:
        self._source, self.signs = listing.source, listing.signs
        self.list_pane.show(
            listing.rows,
            count=listing.size,
            offset=listing.offset,
            cursor=listing.cursor,
            keep_scroll=keep_scroll,
            empty=self._empty_note(listing.spot),
        )
        self.panes.title("list", places.list_title(listing.spot, listing.size))
        self.show_keys()
        self.preview()

    def _empty_note(self, spot: Spot) -> Content:
        if self._empty and spot.lists_items and self.at is None:
            return places.empty_library(self.desk.keys.label)
        return places.empty_place(spot, self.desk.keys.label, past=self.at is not None)

    def show_standing(self, standing: jobs.Standing) -> None:
        self.header.show_state(standing.meaning, standing.waiting, standing.problem, standing.inbox)

    @on(Rows.Wanted, "#list")
    def _fetch(self, wanted: Rows.Wanted) -> None:
        if self._source is not None and self.found is None:
            self.work("window", self._fill, self._source, wanted)

    async def _fill(self, source: Source, wanted: Rows.Wanted) -> None:
        with self.contained():
            found = await self.desk.bridge.read(jobs.window(source, wanted.offset, wanted.limit))
            self.signs = self.signs.also(found.signs)
            self.list_pane.fill(wanted.generation, wanted.offset, found.rows)

    # the tree

    @on(Rows.Moved, "#tree")
    def _visit(self, moved: Rows.Moved) -> None:
        spot = moved.row
        if isinstance(spot, Spot) and spot.address != self.address:
            self._go(spot.address)

    @on(Rows.Opened, "#tree")
    def _enter(self) -> None:
        self.list_pane.focus()

    def visit(self, spot: Spot) -> None:
        """Jump to a place, as the palette does; it names places of today."""
        self.show_moment(None)
        self.list_pane.focus()
        self._go(spot.address)

    def _go(self, address: Address) -> None:
        self.address = address
        self.leave_search()
        self.reload(opening=True)

    def show_item(self, item: Item | None) -> None:
        """Show the list again with the cursor on `item`, going to where it is when need be."""
        shelved = self.spot is not None and self.spot.lists_items and self.at is None
        if item is not None and self.found is None and shelved:
            self.go_to(item)
        else:
            self.reload(keep=item.id if item is not None else None)

    def go_to(self, item: Item) -> None:
        """The cursor on `item`, in the list it is in, or in the one where its like are."""
        if self.spot is None or not self.spot.holds(item):
            self.address = places.home_of(item)
        self.reload(seek=item)

    # the preview

    @on(Rows.Moved, "#list")
    def _moved(self) -> None:
        self.preview()

    @on(Rows.Opened, "#list")
    def _opened(self, opened: Rows.Opened) -> None:
        row = opened.row
        if isinstance(row, PreferenceEntry) and row.effective is None:
            self.action_edit()
        elif self.at_conflicts or self.is_question(row):
            self.of_sync("open", row)
        elif isinstance(row, Deed):
            self.work("follow", self._follow, row)
        else:
            self.page.focus()

    async def _follow(self, deed: Deed) -> None:
        """From a line of the activity to the memory it is about."""
        with self.contained():
            item = await self.desk.bridge.read(lambda engine: jobs.kept(engine, deed))
            if item is not None:
                self.go_to(item)
            elif deed.item is not None:
                self.say("That memory was forgotten since, or has expired.")
            else:
                self.page.focus()

    def preview(self) -> None:
        row = self.list_pane.row
        if row is None:
            self.page.look_at(None, Details(), None)
        else:
            self.work("preview", self._look_at, row)

    async def _look_at(self, row: Row) -> None:
        with self.contained():
            details = await self.desk.bridge.read(jobs.details(row, self.at))
            item = item_of(self.page.about(row)) or details.about
            if item is not None and self.at is None:
                details = details._replace(sync=of_item(self.desk, item.id))
            self.page.look_at(row, details, self.found)

    def draw_row(self, row: Row, width: int) -> Content:
        spot = self.spot
        several = self.found is not None or (spot is not None and spot.scope is None)
        named = self.found is not None or (spot is not None and not spot.collection)
        look = self.desk.look(scopes=several, collections=named, signs=self.signs)
        return rows.draw(row, width, look)

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
        self.box.placeholder = f"press {self.desk.keys.label('search')} to search"
        for footer in self.query(Footer):
            here = (Place.SEARCH,) if self.box.has_focus else self.here()
            footer.show(self.desk.keys.in_footer(here))

    def action_pane_left(self) -> None:
        self.panes.step(-1)

    def action_pane_right(self) -> None:
        self.panes.step(1)

    # keys

    def action_back(self) -> None:
        """From the preview to the list, out of a search, out of the past, then to the tree."""
        in_box = self.box.has_focus
        if self.box.value and (in_box or self.list_pane.has_focus):
            self.leave_search()
            self.reload(opening=True)
        elif self.at is not None and not in_box and not self.page.has_focus:
            self.look_back(None)
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

    def action_copy(self) -> None:
        item = item_of(self.subject)
        if item is None:
            self.say("There is nothing here to copy.")
        else:
            self.copy(preview.copied_text(item.head.content), id=item.id)

    @property
    def subject(self) -> Row | None:
        """What a key acts on: the row, or the memory that a line of the activity is about."""
        return self.page.about(self.list_pane.row)

    def action_edit(self) -> None:
        if self.of_sync("edit", self.list_pane.row):
            return
        if self.subject is None:
            self.say(
                f"There is nothing here to edit; {self.desk.keys.label('new')} keeps something new."
            )
        else:
            self._start("edit", self.subject)

    def action_new(self) -> None:
        self._start("new", self.spot)

    def action_history(self) -> None:
        if self.subject is not None and not self.of_sync("history", None):
            self.begin(self._do, "history", self.subject)

    def action_forget(self) -> None:
        if self.subject is not None and not self.of_sync("forget", None):
            self._start("forget", self.subject)

    def action_undo(self) -> None:
        if not self.of_sync("undo", self.list_pane.row):
            self._start("undo", None)

    def _start(self, deed: str, about: Row | Spot | None) -> None:
        """A deed that changes what is kept, which the past is not open to."""
        if not self.is_locked():
            self.begin(self._do, deed, about)

    async def _do(self, deed: str, about: Row | Spot | None) -> None:
        """Run a deed; when it changed something, show it with the cursor on what it was about."""
        with self.contained():
            # Forms are a tenth of the start-up and nobody edits before there is a row.
            from localmem.tui.screens import deeds

            done = await deeds.run(deed, self, about, at=self.at)
            if done is not None:
                self.post_message(self.Written())
                self.show_item(done.item)
            elif deed == "edit":
                self.reload()  # a draft was kept or dropped, which its row shows

    # the inbox

    def action_accept(self) -> None:
        if self._can_decide():
            self.decisions.accept()

    def action_reject(self) -> None:
        if not self.of_sync("reject", self.list_pane.row) and self._can_decide():
            self.decisions.reject()

    def action_accept_all(self) -> None:
        if self._can_decide():
            self.begin(self.decisions.accept_all)

    def _can_decide(self) -> bool:
        if self.is_locked():
            return False
        if not self._at_inbox:
            self.say("That is decided in the inbox, where all of it is shown.")
        return self._at_inbox

    def was_written(self) -> None:
        self.post_message(self.Written())
        self.reload()

    def action_settings(self) -> None:
        self.begin(self._open_settings)

    async def _open_settings(self) -> None:
        from localmem.tui.screens.settings import SettingsScreen

        with self.contained():
            if self.desk.book is None:
                self.say("There are no settings to change here.")
                return
            await self.app.push_screen_wait(SettingsScreen(self.desk, self.desk.book))
            self.show_keys()
            self.search_again()

    async def action_leave(self) -> None:
        await self.app.run_action("quit")
