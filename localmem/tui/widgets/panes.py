"""Three panes side by side, as many as the window holds; the focused one is always among them.

The others slide in: from the list to the preview and back, as in a file manager with columns.
"""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget

THREE_FROM, TWO_FROM = 100, 70
"""Columns of the window."""


class Panes(Horizontal):
    def __init__(self, *panes: Widget, id: str) -> None:
        """`panes` from left to right, each with an id."""
        super().__init__(id=id)
        self._panes = panes
        self._first = 0
        self._last = 1

    def compose(self) -> ComposeResult:
        yield from self._panes

    def fit(self, width: int) -> None:
        """Show what fits into `width` columns."""
        room = 3 if width >= THREE_FROM else 2 if width >= TWO_FROM else 1
        at = self.position
        self._first = max(0, min(max(at - room + 1, min(self._first, at)), len(self._panes) - room))
        for number, pane in enumerate(self._panes):
            pane.display = self._first <= number < self._first + room

    @property
    def position(self) -> int:
        """Which pane has the focus; the one that had it last while a field has."""
        focused = (number for number, pane in enumerate(self._panes) if pane.has_focus)
        self._last = next(focused, self._last)
        return self._last

    def step(self, by: int) -> bool:
        """Focus the pane beside; False at the end."""
        at = self.position + by
        if not 0 <= at < len(self._panes):
            return False
        self.go(at)
        return True

    def go(self, at: int) -> None:
        self._panes[at].display = True
        self._panes[at].focus()

    def bring(self, at: int, width: int) -> None:
        """Have a pane among the visible ones while a field keeps the focus."""
        self._last = at
        self.fit(width)

    def title(self, id: str, text: str) -> None:
        self.query_one(f"#{id}").border_title = Content(text)
