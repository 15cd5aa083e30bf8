"""Every key, those of the place where the person was first; from the table of actions."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import chrome
from localmem.tui.screens.base import OverScreen
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.page import Page


class HelpScreen(OverScreen[None]):
    BINDINGS = bindings(Place.PAGE)
    places = (Place.PAGE,)

    def __init__(self, desk: Desk, here: Iterable[Place]) -> None:
        super().__init__(desk)
        self._here = tuple(here)
        self._text = Content("")

    def compose(self) -> ComposeResult:
        with Vertical(classes="box tall") as box:
            box.border_title = Content("Help · esc goes back")
            yield Page(id="page")
        yield Footer()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        page = self.query_one("#page", Page)
        self._text = chrome.help_lines(self._here, page.width, self.desk.keys)
        page.show(self._text, keep_scroll=True)

    def action_back(self) -> None:
        self.dismiss(None)

    def action_help(self) -> None:
        self.dismiss(None)

    def action_copy(self) -> None:
        self.copy(self._text.plain)
