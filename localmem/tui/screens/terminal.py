"""The terminal check: keys that arrive, widths, and where a copy goes (FR-79, FR-82, FR-85).

Takes every key for itself but those of going back, of `enter`, and those that work everywhere, so
that a key can be tried without doing anything; those that move scroll a low window beside.
"""

from __future__ import annotations

import asyncio

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.filter import LineFilter
from textual.widgets import Static

from localmem.core import ruler
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import ink, terminal
from localmem.tui.screens.base import Screenful
from localmem.tui.symbols import Drawn, redraw
from localmem.tui.widgets.chrome import Footer, TooSmall


class _Ruler(Static):
    """Drawn without the last look: it is there to show what the terminal makes of the glyphs."""

    def get_line_filters(self) -> list[LineFilter]:
        return [each for each in super().get_line_filters() if not isinstance(each, Drawn)]


class TerminalScreen(Screenful[None]):
    BINDINGS = bindings(Place.TERMINAL)
    places = (Place.TERMINAL,)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._pressed = Content.styled("nothing yet", ink.DIM)

    def compose(self) -> ComposeResult:
        yield Static(Content.styled("Terminal check", ink.STRONG), id="form-title", markup=False)
        with VerticalScroll(id="terminal-page", can_focus=False):
            yield Static(id="terminal-known", markup=False)
            yield _Ruler(Content("\n".join(ruler.lines(cell_len))), id="ruler", markup=False)
        yield Footer()
        yield TooSmall()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self._draw()

    def _draw(self) -> None:
        size = self.app.size
        text = terminal.page(
            self.desk.terminal,
            self.desk.chosen.symbols,
            size,
            self._pressed,
            size.width - 2,
            self.desk.keys,
        )
        self.query_one("#terminal-known", Static).update(text)

    def on_key(self, event: events.Key) -> None:
        """Show the key; those with a use on this page go on to it."""
        named = [action for action in self.desk.keys.actions if event.key in action.keys]
        self._pressed = terminal.key(event.key, event.character, tuple(named))
        self._draw()
        done = {action.id for action in named}
        if not done & {"back", "open"}:
            event.stop()
            self._scroll(done)

    def _scroll(self, done: set[str]) -> None:
        page = self.query_one("#terminal-page", VerticalScroll)
        moves = {"up": page.scroll_up, "down": page.scroll_down, "first": page.scroll_home,
                 "page_up": page.scroll_page_up, "page_down": page.scroll_page_down,
                 "last": page.scroll_end}  # fmt: skip
        for id in done & {*moves}:
            moves[id](animate=False)

    def on_click(self, event: events.Click) -> None:
        self._pressed = Content(
            f"mouse button {event.button} at {event.screen_x}, {event.screen_y}"
        )
        self._draw()

    def action_open(self) -> None:
        """Set them to what holds not; kept when settings can be kept."""
        self.work("symbols", self._set)

    async def _set(self) -> None:
        with self.contained():
            value = terminal.other(self.desk.chosen.symbols, self.desk.terminal)
            book = self.desk.book
            if book is not None:
                await asyncio.to_thread(book.set, "symbols", value)
            self.desk.chosen.symbols = value
            redraw(self.app)
            self._draw()
            kept = "" if book is not None else " until the app ends"
            self.say(f"Symbols are {value} now{kept}.")

    def action_back(self) -> None:
        self.dismiss(None)
