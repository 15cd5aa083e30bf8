"""A question about much that would go: yes is typing how many, so that the number was read."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import ink
from localmem.tui.screens.base import OverScreen
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.fields import Field
from localmem.tui.widgets.page import Page

_DIGITS = 12


class _Count(Field):
    place = Place.COUNT


class CountScreen(OverScreen[bool]):
    """Dismisses with whether the count was typed; esc is no."""

    BINDINGS = bindings(Place.COUNT)
    places = (Place.COUNT,)
    AUTO_FOCUS = "#count"

    def __init__(self, desk: Desk, title: str, text: Content, items: int) -> None:
        super().__init__(desk)
        self._title, self._text, self._items = title, text, items

    def compose(self) -> ComposeResult:
        with Vertical(classes="box danger counting") as box:
            box.border_title = Content(self._title)
            yield Page(self._text, id="page")
            with Vertical(classes="sure"):
                yield _Count(id="count", most=_DIGITS, placeholder="how many go")
                yield Static(id="count-said", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        super().on_mount()
        self._say()

    @on(Input.Changed, "#count")
    def _say(self) -> None:
        back = self.desk.keys.label("back")
        if self._fits:
            said = Content.assemble(("enter", ink.NAME), f" removes {self._items:,} here.")
        else:
            said = Content.assemble(
                "Type ", (f"{self._items}", ink.STRONG), " to say yes; ", (back, ink.NAME),
                " leaves all as it is.",
            )  # fmt: skip
        self.query_one("#count-said", Static).update(said)

    @property
    def _fits(self) -> bool:
        typed = self.query_one("#count", _Count).typed
        digits = "".join(each for each in typed if each not in " ,.'_")
        return digits.isdecimal() and int(digits) == self._items

    @on(Input.Submitted, "#count")
    def action_open(self) -> None:
        if self._fits:
            self.dismiss(True)

    def action_back(self) -> None:
        self.dismiss(False)
