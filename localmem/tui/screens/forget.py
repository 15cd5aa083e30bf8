"""Forgetting: says exactly what goes, waits for a yes, and shows the receipt.

The files are rewritten while the person can go on; the receipt comes back by itself.
"""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button

from localmem.engine.outcomes import ForgetPlan, Receipt
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import erasing
from localmem.tui.screens.ask import Answer, Asking
from localmem.tui.screens.base import OverScreen
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.page import Page


class ForgetScreen(Asking[bool]):
    """Asks; dismisses with True for a yes."""

    def __init__(self, desk: Desk, plan: ForgetPlan) -> None:
        super().__init__(desk)
        self.plan = plan

    def compose(self) -> ComposeResult:
        with Vertical(classes="box danger asking") as box:
            box.border_title = Content("Forget for good?")
            lines = erasing.plan_lines(self.plan, travels=_travels(self.desk))
            yield Page(lines, id="page")
            with Horizontal(classes="buttons"):
                yield Answer("Keep it", id="no")
                yield Answer("Forget for good", id="yes", danger=True)
        yield Footer()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#no").focus()

    @on(Button.Pressed)
    def _answer(self, pressed: Button.Pressed) -> None:
        self.dismiss(pressed.button.id == "yes")

    def action_back(self) -> None:
        self.dismiss(False)


class ReceiptScreen(OverScreen[None]):
    """A note while the files are rewritten, then what was searched and what was found."""

    BINDINGS = bindings(Place.PAGE)
    places = (Place.PAGE,)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._text = erasing.working_lines()

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = Content("Receipt")
            yield Page(self._text, id="page")
        yield Footer()

    def give_up(self) -> None:
        """Nothing was erased; why is told elsewhere."""
        if self.is_attached:
            self.dismiss(None)

    def show(self, receipt: Receipt) -> None:
        self._text = erasing.receipt_lines(receipt, travels=_travels(self.desk))
        self.query_one("#page", Page).show(self._text)

    def action_back(self) -> None:
        self.dismiss(None)

    def action_copy(self) -> None:
        self.copy(self._text.plain)


def _travels(desk: Desk) -> bool:
    """Whether a server, and through it other devices, are told of what is forgotten."""
    return desk.seen.status is not None and desk.seen.status.account is not None
