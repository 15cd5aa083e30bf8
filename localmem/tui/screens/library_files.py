"""Files in the library screen: bringing memories in, and writing them out.

Both load what they need when they are asked for: nobody imports before there is a first row.
"""

from __future__ import annotations

from localmem.tui.screens.library_search import LibrarySearch


class LibraryFiles(LibrarySearch):
    """The two deeds that end in a file or begin with one."""

    def is_locked(self) -> bool:
        """Whether nothing may be changed now; says why."""
        raise NotImplementedError

    def was_written(self) -> None:
        """Something was kept or taken back: show it."""
        raise NotImplementedError

    def action_bring(self) -> None:
        if not self.is_locked():
            self.begin(self._bring)

    async def _bring(self) -> None:
        from localmem.tui.screens.bring import open_import

        with self.contained():
            if await open_import(self):
                self.was_written()

    async def action_welcome(self) -> None:
        await self.app.run_action("welcome")

    def action_check(self) -> None:
        self.begin(self._check)

    async def _check(self) -> None:
        from localmem.tui.screens.check import CheckScreen

        with self.contained():
            if self.desk.patient is None:
                self.say("No file holds this library, so there is nothing to check.")
            elif await self.app.push_screen_wait(CheckScreen(self.desk, self.desk.patient())):
                self.was_written()

    def action_export(self) -> None:
        self.begin(self._export)

    async def _export(self) -> None:
        from localmem.tui.screens.export import open_export

        with self.contained():
            await open_export(self)
