"""The library screen and its account: the places Sync and Conflicts, and the keys that work there.

Quick answers come from the bridge's thread, what asks the network runs beside; screens of a sync
are loaded when they are asked for.
"""

from __future__ import annotations

from localmem.core.model import Item
from localmem.tui.present.places import Shelves
from localmem.tui.present.rows import Row
from localmem.tui.screens.library_past import LibraryPast


class LibrarySync(LibraryPast):
    """What the library screen can do about synchronisation."""

    def reload(
        self, *, keep: object = None, opening: bool = False, seek: Item | None = None
    ) -> None:
        """Read the tree and the list again."""
        raise NotImplementedError

    @property
    def at_sync(self) -> bool:
        return self.address.shelf is Shelves.SYNC and self.found is None

    @property
    def at_conflicts(self) -> bool:
        return self.address.shelf is Shelves.CONFLICTS and self.found is None

    def show_sync(self) -> None:
        """How the library stands to its account, in the header."""
        seen = self.desk.seen
        if self.desk.demo:
            return
        if seen.status is None:
            if self.desk.sync is None:
                from localmem.tui.present import sync_state

                self.header.show_sync(sync_state.LOCAL)
            return
        from localmem.tui.present import sync_state

        self.header.show_sync(sync_state.said(seen, self.desk.now, self.desk.zone))

    def sync_moved(self) -> None:
        """The tree and the two places follow; other lists are as they were."""
        spots = {spot.shelf: spot for spot in self.spots}
        conflicts = spots[Shelves.CONFLICTS].size if Shelves.CONFLICTS in spots else 0
        status = self.desk.seen.status
        shown = self.at_sync or self.at_conflicts
        if shown or (self.at is None and conflicts != (status.conflicts if status else 0)):
            self.reload()
        elif self.found is None and self.item is not None:
            self.preview()

    # keys

    def action_sync(self) -> None:
        self.begin(self._sync)

    async def _sync(self) -> None:
        from localmem.tui.screens import syncing

        with self.contained():
            await syncing.now(self)

    def action_look_ahead(self) -> None:
        self.begin(self._look_ahead)

    async def _look_ahead(self) -> None:
        from localmem.tui.screens import syncing

        with self.contained():
            await syncing.look_ahead(self)

    def action_pause(self) -> None:
        self.finish("pause", self._pause)

    async def _pause(self) -> None:
        from localmem.tui.screens import syncing

        with self.contained():
            await syncing.pause(self)

    def action_account(self) -> None:
        self.begin(self._account)

    async def _account(self) -> None:
        from localmem.tui.screens.account import open_account

        with self.contained():
            await open_account(self)

    def is_question(self, row: Row | None) -> bool:
        """Whether a line of Sync is about a question that is open."""
        status = self.desk.seen.status
        return (
            self.at_sync
            and getattr(row, "what", "") == "state"
            and bool(status and status.question)
        )

    def of_sync(self, deed: str, row: Row | None) -> bool:
        """Do what a key means for a line of a sync; False where it means nothing there."""
        if not (self.at_sync or self.at_conflicts):
            return False
        self.begin(self._of_sync, deed, row)
        return True

    async def _of_sync(self, deed: str, row: Row | None) -> None:
        from localmem.tui.screens import syncing

        with self.contained():
            await syncing.do(self, deed, row)
