"""Every key, those of the place where the person was first; from the table of actions."""

from __future__ import annotations

from collections.abc import Iterable

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
        self._text = chrome.help_lines(here)

    def compose(self) -> ComposeResult:
        with Vertical(classes="box tall") as box:
            box.border_title = Content("Help · esc goes back")
            yield Page(self._text, id="page")
        yield Footer()

    def action_back(self) -> None:
        self.dismiss(None)

    def action_help(self) -> None:
        self.dismiss(None)

    def action_copy(self) -> None:
        self.copy(self._text.plain)
