"""Something broke that should not: say so, give a report to copy, and let the person go on."""

from __future__ import annotations

from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from localmem.tui.actions import Place, bindings
from localmem.tui.present import ink
from localmem.tui.widgets.page import Page

STYLES = Path(__file__).parents[1] / "screens.tcss"
"""Of every screen but the library, which opens without them."""


class FaultScreen(ModalScreen[None]):
    """The error panel of FR-91; needs nothing but a text, so it works when all else fails."""

    CSS_PATH = STYLES
    BINDINGS = bindings(Place.PAGE)

    def __init__(self, report: str) -> None:
        super().__init__()
        self.report = report

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(
                Content.assemble(
                    ("✗ Something went wrong in localmem itself.\n", ink.BAD),
                    "Nothing you typed is lost, and the app goes on. ",
                    ("y", ink.NAME), " copies this report; it holds no memories.  ",
                    ("esc", ink.NAME), " goes back.\n",
                ),
                markup=False,
            )  # fmt: skip
            yield Page(Content(self.report), id="report")

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self.report)

    def action_back(self) -> None:
        self.dismiss(None)

    def action_help(self) -> None:
        """Nothing more to say than the panel does."""

    def action_next_field(self) -> None:
        self.focus_next()

    def action_previous_field(self) -> None:
        self.focus_previous()
