"""The question when what is being edited is no longer kept: keep what was typed, or drop it.

Refuses to decide: what was forgotten comes back only by a yes, and what was typed goes only so.
"""

from __future__ import annotations

from enum import StrEnum

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button

from localmem.tui.desk import Desk
from localmem.tui.screens.ask import Asking
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.page import Page


class Fate(StrEnum):
    NEW = "new"
    DROP = "drop"


class GoneScreen(Asking[Fate | None]):
    """Dismisses with what becomes of the text; None goes back to it."""

    def __init__(self, desk: Desk, said: str, *, noun: str) -> None:
        """`said` is what happened; `noun` what the text would be kept as: `fact`."""
        super().__init__(desk)
        self._said, self._noun = said, noun

    def compose(self) -> ComposeResult:
        with Vertical(classes="box asking") as box:
            box.border_title = Content("No longer kept")
            yield Page(
                Content(f"{self._said} What you typed is here, and only here.\n\n"
                        f"Save it as a new {self._noun}, or drop it? esc goes back to the text."),
                id="page",
            )  # fmt: skip
            with Horizontal(classes="buttons"):
                yield Button(Content("Save as new"), id=Fate.NEW, compact=True)
                yield Button(Content("Drop it"), id=Fate.DROP, variant="error", compact=True)
        yield Footer()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(f"#{Fate.NEW}").focus()

    @on(Button.Pressed)
    def _answer(self, pressed: Button.Pressed) -> None:
        self.dismiss(Fate(pressed.button.id or Fate.NEW))

    def action_back(self) -> None:
        self.dismiss(None)
