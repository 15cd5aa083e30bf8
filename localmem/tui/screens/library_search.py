"""Search in the library screen: what is in the box is asked for as it is typed.

A newer question takes the place of a running one, and a late answer is dropped. In the past it is
asked of the versions of then, by words alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.content import Content
from textual.widgets import Input

from localmem.core.model import Item, Millis
from localmem.engine.answers import Found
from localmem.errors import InvalidQuery
from localmem.tui import jobs
from localmem.tui.desk import Desk
from localmem.tui.present.places import EVERYTHING, Spot
from localmem.tui.present.rows import NO_SIGNS, item_of
from localmem.tui.screens.library_layout import LibraryLayout

if TYPE_CHECKING:
    from localmem.core.query import Query

LIST = 1
"""Where the list stands among the panes."""


class LibrarySearch(LibraryLayout):
    """The box and its results."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.address = EVERYTHING
        """The place of the tree that is open."""
        self.asked: Query | None = None
        """The search as it was read; None before the first."""
        self.found: Found | None = None
        """The results on the screen; None while browsing."""
        self.below_shown = False
        self.at: Millis | None = None
        """The moment the library is shown at; None is now."""
        self.signs = NO_SIGNS
        self.spots: tuple[Spot, ...] = ()
        """The lines of the tree."""
        self._generation = 0

    def reload(self, *, keep: object = None, opening: bool = False) -> None:
        """Read the tree and the list again."""
        raise NotImplementedError

    def show_standing(self, standing: jobs.Standing) -> None:
        raise NotImplementedError

    def preview(self) -> None:
        """Show what the cursor is on."""
        raise NotImplementedError

    @property
    def item(self) -> Item | None:
        """What the cursor is on."""
        return item_of(self.list_pane.row)

    @on(Input.Changed, "#search")
    def _typed(self) -> None:
        if self.box.has_focus:
            self.panes.bring(LIST, self.size.width)
        self.search()

    def search(self, *, keep: object = None) -> None:
        """Ask for what is in the box; a newer question takes the place of a running one."""
        self._generation += 1
        text = self.box.typed
        if not text.strip():
            was_searching, self.found = self.found is not None, None
            self.header.show_mistake(None)
            if was_searching:
                self.reload(opening=True)
            return
        from localmem.core import query  # the grammar is loaded by the first search

        try:
            asked = query.parse(text, now=self.desk.now, zone=self.desk.zone)
        except InvalidQuery as problem:
            self.header.show_mistake(problem)
            return
        self.header.show_mistake(None)
        self.asked = asked
        self.work("search", self._search, asked, self._generation, keep)

    async def _search(self, asked: Query, generation: int, keep: object) -> None:
        with self.contained():
            found, signs, standing = await self.desk.bridge.read(
                jobs.search(asked, self.desk.floor, self.at)
            )
            if generation != self._generation:
                return
            self.found, self.signs = found, signs
            self.show_standing(standing)
            self._show_results(keep)

    def _show_results(self, keep: object = None) -> None:
        found = self.found
        if found is None:
            return
        shown = found.hits + (found.below if self.below_shown else ())
        cursor = next((at for at, hit in enumerate(shown) if hit.item.id == keep), 0)
        empty = self._no_results(found)
        self.list_pane.show(shown, cursor=cursor, empty=empty)
        self._title_results()
        self.show_keys()
        self.preview()

    @property
    def _words(self) -> bool:
        """Whether words were asked for; False for filters alone."""
        return self.asked is not None and bool(self.asked.meaning or self.asked.phrases)

    def _title_results(self) -> None:
        if self.found is None:
            return
        typing = self.box.has_focus
        self.panes.title("list", self._results_title(self.found, typing=typing))
        self.list_pane.say_empty(self._no_results(self.found))

    def _no_results(self, found: Found) -> Content:
        from localmem.tui.present import search

        typing, key = self.box.has_focus, self.desk.keys.label
        return search.no_results(found, words=self._words, typing=typing, key=key)

    def _results_title(self, found: Found, *, typing: bool) -> str:
        from localmem.tui.present import search

        if self.at is not None:
            return search.past_title(found)
        return search.results_title(
            found,
            below_shown=self.below_shown,
            words=self._words,
            typing=typing,
            key=self.desk.keys.label,
        )

    def search_again(self) -> None:
        """The same question to a library that knows more now."""
        if self.found is not None:
            self.search(keep=self.item.id if self.item else None)

    def leave_search(self) -> None:
        self._generation += 1
        self.found = None
        self.below_shown = False
        self.header.clear()
        self.show_keys()

    # keys

    def action_search(self) -> None:
        self.set_focus(self.box)

    def action_to_results(self) -> None:
        self.list_pane.focus()

    def action_more(self) -> None:
        if self.found is not None:
            self.below_shown = not self.below_shown
            self._show_results(self.item.id if self.item else None)

    def action_why(self) -> None:
        if self.found is None:
            key = self.desk.keys.label("search")
            self.say(f"There is no result to explain: search with {key} first.")
            return
        self.page.explain()
