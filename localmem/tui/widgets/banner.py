"""The line that says the library is shown as it was, and how to come back; away in the present."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from localmem.core.model import Millis
from localmem.tui.desk import Desk
from localmem.tui.present import past


class Banner(Static):
    DEFAULT_CSS = """
    Banner {
        height: auto;
        max-height: 2;
        padding: 0 1;
        background: $warning 25%;
    }
    """

    def __init__(self, desk: Desk, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._desk = desk
        self._at: Millis | None = None
        self.display = False

    def show(self, at: Millis | None) -> None:
        """The moment that is looked at; None takes the line away."""
        self._at = at
        self.display = at is not None
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self._at is not None:
            key = self._desk.keys.label
            self.update(past.banner(self._at, self._desk.zone, self.app.size.width, key))
            self.tooltip = Content(past.help_text(key))
