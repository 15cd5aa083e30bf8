"""Which day to look back at: what is typed is explained while it is typed."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from localmem.core import query
from localmem.core.model import Millis
from localmem.errors import InvalidInput
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import past
from localmem.tui.screens.base import OverScreen
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.fields import Field


@dataclass(frozen=True, slots=True)
class Day:
    at: Millis | None
    """The last moment of the day; None is now."""


class _Box(Field):
    place = Place.CHOICE


class DayScreen(OverScreen[Day | None]):
    """Dismisses with a day, or None when nothing is to change."""

    BINDINGS = bindings(Place.CHOICE)
    places = (Place.CHOICE,)

    def __init__(self, desk: Desk, earliest: Millis | None) -> None:
        """`earliest` is when the library begins."""
        super().__init__(desk)
        self._earliest = earliest

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = Content("See the library as of")
            yield _Box(placeholder="yesterday", id="day")
            yield Static(
                past.understood("", self.desk.now, self.desk.zone), id="understood", markup=False
            )
            yield Static(past.question(self._earliest, self.desk.zone), markup=False)
        yield Footer()

    @property
    def typed(self) -> str:
        return self.query_one("#day", _Box).typed

    @on(Input.Changed, "#day")
    def _explain(self) -> None:
        said = past.understood(self.typed, self.desk.now, self.desk.zone)
        self.query_one("#understood", Static).update(said)

    @on(Input.Submitted, "#day")
    def _choose(self) -> None:
        """A mistake is told already, and stays to be mended."""
        text = self.typed if self.typed.strip() else "yesterday"
        try:
            at = query.end_of(text, now=self.desk.now, zone=self.desk.zone)
        except InvalidInput:
            return
        self.dismiss(Day(at))

    def action_back(self) -> None:
        self.dismiss(None)
