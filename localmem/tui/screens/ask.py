"""A question with two answers; the careful one has the focus."""

from __future__ import annotations

from typing import TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button
from textual.widgets.button import ButtonVariant

from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.screens.base import OverScreen
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.page import Page

T = TypeVar("T")


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


class Asking(OverScreen[T]):
    """A question with buttons: the arrows move between them, tab also to a text that scrolls."""

    BINDINGS = [  # noqa: RUF012
        *bindings(Place.ASK),
        Binding("left", "step(-1)", "other", show=False),
        Binding("right", "step(1)", "other", show=False),
    ]
    places = (Place.ASK,)

    def action_step(self, by: int) -> None:
        buttons = list(self.query(Button))
        if self.focused in buttons:
            buttons[(buttons.index(self.focused) + by) % len(buttons)].focus()
        else:
            buttons[0].focus()


class AskScreen(Asking[bool]):
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
