"""Deciding what waits: each answer is on the screen at once, and in the library in its turn.

The next one is under the cursor before the last is written, so that ten are decided with ten keys;
whatever could not be written comes back into the list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from localmem.engine import Engine
from localmem.engine.answers import Waiting
from localmem.tui.screens.library_layout import LibraryLayout

_MOVED = "What changed since you saw it still waits, and what was decided elsewhere is gone."


class Decisions:
    """The answers given on one screen."""

    def __init__(self, screen: LibraryLayout, *, show: Callable[[], None]) -> None:
        """`show` reads the list again when all that was decided is written."""
        self._screen = screen
        self._show = show
        self._under_way = 0

    def accept(self) -> None:
        """Keep what the cursor is on as it is."""
        waiting = self._take()
        if waiting is not None:
            self._screen.finish("decide", self._accept, waiting)

    def reject(self) -> None:
        """Erase what the cursor is on, or bring the version before back."""
        waiting = self._take()
        if waiting is not None:
            self._screen.finish("decide", self._reject, waiting)

    async def accept_all(self) -> None:
        """Ask with the count, then keep what was counted, and nothing that came since."""
        from localmem.tui.present import inbox
        from localmem.tui.present.words import count
        from localmem.tui.screens.ask import AskScreen

        screen = self._screen

        def look(engine: Engine) -> list[Waiting]:
            return engine.inbox.window(offset=0, limit=engine.inbox.count())

        with screen.contained():
            asked = await screen.desk.bridge.read(look)
            total = len(asked)
            if not total:
                screen.say("Nothing waits in the inbox.")
                return
            question = AskScreen(
                screen.desk,
                f"Accept {'it' if total == 1 else f'all {total:,}'}?",
                inbox.accepting(asked, screen.desk.keys.label),
                yes="Accept",
                no="Not now",
            )
            if await screen.app.push_screen_wait(question):
                accepted = await screen.desk.bridge.write(_accepting(asked))
                moved = "" if accepted == total else f" {_MOVED}"
                screen.say(f"Accepted {count(accepted, 'memory', 'memories')}.{moved}")
                self._show()

    def _take(self) -> Waiting | None:
        """What the cursor is on, out of the list; a list that is being read no longer counts."""
        row = self._screen.list_pane.row
        if not isinstance(row, Waiting):
            return None
        self._screen.workers.cancel_group(self._screen, "load")
        self._screen.list_pane.take_out()
        self._under_way += 1
        return row

    async def _accept(self, waiting: Waiting) -> None:
        try:
            with self._screen.contained():
                if not await self._screen.desk.bridge.write(_accepting([waiting])):
                    self._screen.say(_MOVED, "warning")
        finally:
            self._decided()

    async def _reject(self, waiting: Waiting) -> None:
        from localmem.tui.present import inbox

        try:
            with self._screen.contained():
                outcome = await self._screen.desk.bridge.write(
                    lambda engine: engine.inbox.reject(waiting.item.id)
                )
                self._screen.say(inbox.rejected(waiting, outcome))
        finally:
            self._decided()

    def _decided(self) -> None:
        self._under_way -= 1
        if not self._under_way:
            self._show()


def _accepting(asked: Sequence[Waiting]) -> Callable[[Engine], int]:
    """Accepts what was seen, as it was seen."""
    seen = {waiting.item.id: waiting.item.head.number for waiting in asked}
    return lambda engine: engine.inbox.accept(list(seen), seen=seen)
