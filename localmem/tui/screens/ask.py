"""A question with two answers; the careful one has the focus."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button
from textual.widgets.button import ButtonVariant

from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.screens.base import OverScreen
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.page import Page


class Answer(Button):
    """A button that shows without colour, too, that enter would press it."""

    def __init__(self, text: str, *, id: str, danger: bool = False) -> None:
        self._said = text
        variant: ButtonVariant = "error" if danger else "default"
        super().__init__(Content(f"  {text}"), id=id, variant=variant, compact=True)

    def on_focus(self) -> None:
        self.label = Content(f"▸ {self._said}")

    def on_blur(self) -> None:
        self.label = Content(f"  {self._said}")


class AskScreen(OverScreen[bool]):
    BINDINGS = bindings(Place.ASK)
    places = (Place.ASK,)

    def __init__(self, desk: Desk, title: str, text: Content, *, yes: str, no: str) -> None:
        super().__init__(desk)
        self._title, self._text, self._yes, self._no = title, text, yes, no

    def compose(self) -> ComposeResult:
        with Vertical(classes="box asking") as box:
            box.border_title = Content(self._title)
            yield Page(self._text, id="page")
            with Horizontal(classes="buttons"):
                yield Answer(self._no, id="no")
                yield Answer(self._yes, id="yes", danger=True)
        yield Footer()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#no").focus()

    @on(Button.Pressed)
    def _answer(self, pressed: Button.Pressed) -> None:
        self.dismiss(pressed.button.id == "yes")

    def action_back(self) -> None:
        self.dismiss(False)
