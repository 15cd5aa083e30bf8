"""Footer, pane titles, and the note of a window that is too small."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from localmem.tui.actions import Action
from localmem.tui.present import chrome


class Footer(Widget):
    """The keys of where the person is; a click does what the key does."""

    actions: reactive[tuple[Action, ...]] = reactive(())

    def show(self, actions: tuple[Action, ...]) -> None:
        self.actions = actions

    def render(self) -> Content:
        return self._laid_out()[0]

    def on_click(self, event: events.Click) -> None:
        for key in self._laid_out()[1]:
            if key.line == event.y and key.start <= event.x < key.end:
                self.app.simulate_key(key.action.keys[0])

    def _laid_out(self) -> tuple[Content, tuple[chrome.Key, ...]]:
        return chrome.footer(self.actions, self.size.width, max(self.size.height, 1))


class TooSmall(Static):
    """Covers everything while the window is smaller than the app can use."""

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.display = False

    def fit(self, width: int, height: int) -> None:
        smallest = chrome.SMALLEST
        self.display = width < smallest[0] or height < smallest[1]
        if self.display:
            self.update(Content(chrome.too_small(width, height)))
