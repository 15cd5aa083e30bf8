"""The library screen as of another day: everything is shown as it was, and nothing can be changed.

Only one thing leads from there to now: a version that is brought back.
"""

from __future__ import annotations

from localmem.core.model import Item, Millis
from localmem.tui.present import past
from localmem.tui.present.places import EVERYTHING, Shelves
from localmem.tui.present.rows import item_of
from localmem.tui.screens.library_files import LibraryFiles

_OF_NOW = (Shelves.INBOX, Shelves.CONFLICTS, Shelves.ACTIVITY, Shelves.SYNC)
"""Places that no past has."""


class LibraryPast(LibraryFiles):
    """Looking back and coming back."""

    def is_locked(self) -> bool:
        if self.at is not None:
            self.say(past.locked(self.at, self.desk.zone, self.desk.keys.label))
        return self.at is not None

    def look_back(self, at: Millis | None) -> None:
        """Show the whole library as it was at a moment; None comes back to now."""
        self.show_moment(at)
        if self.found is not None:
            self.search()
        self.reload(opening=True)

    def show_moment(self, at: Millis | None) -> None:
        """Say over the lists which moment is shown; they have to be read again."""
        self.at = at
        self.banner.show(at)
        if at is not None and self.address.shelf in _OF_NOW:
            self.address = EVERYTHING
        self.show_keys()

    def action_as_of(self) -> None:
        self.begin(self._ask_day)

    async def _ask_day(self) -> None:
        from localmem.tui.screens.as_of import DayScreen

        with self.contained():
            earliest = await self.desk.bridge.read(lambda engine: engine.past.earliest())
            day = await self.app.push_screen_wait(DayScreen(self.desk, earliest))
            if day is not None and day.at != self.at:
                self.look_back(day.at)

    def action_restore(self) -> None:
        item = item_of(self.list_pane.row)
        if self.at is None:
            self.say(past.no_version(self.desk.keys.label))
        elif item is not None:
            self.begin(self._restore, item, self.at)

    async def _restore(self, item: Item, at: Millis) -> None:
        from localmem.tui.screens import deeds

        with self.contained():
            if await deeds.restore(self, item, at):
                self.was_written()
