"""Footer, pane titles, and the note of a window that is too small."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from localmem.tui.actions import Action
from localmem.tui.present import chrome


class Footer(Widget):
    """The keys of where the person is; a click does what the key does."""

    DEFAULT_CSS = """
    Footer {
        height: 1;
        dock: bottom;
        background: $surface;
    }
    Footer.-two { height: 2; }
    """

    actions: reactive[tuple[Action, ...]] = reactive(())
    saving: reactive[bool] = reactive(False)
    """Whether a save has been under way for a while."""
    _soon: Timer | None = None

    def show(self, actions: tuple[Action, ...]) -> None:
        self.actions = actions

    def save_soon(self, seconds: float) -> None:
        """Say that a save is under way, unless it is done by then."""
        self.saved()
        self._soon = self.set_timer(seconds, self._save)

    def _save(self) -> None:
        self.saving = True

    def saved(self) -> None:
        if self._soon is not None:
            self._soon.stop()
        self.saving = False

    def render(self) -> Content:
        return self._laid_out()[0]

    def on_click(self, event: events.Click) -> None:
        action = self._at(event)
        if action is not None:
            self.app.simulate_key(action.keys[0])

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """What a key does is said over it."""
        action = self._at(event)
        self.tooltip = Content(action.help) if action is not None else None

    def _at(self, event: events.MouseEvent) -> Action | None:
        """The action whose key is drawn there."""
        under = (
            key.action
            for key in self._laid_out()[1]
            if key.line == event.y and key.start <= event.x < key.end
        )
        return next(under, None)

    def _laid_out(self) -> tuple[Content, tuple[chrome.Key, ...]]:
        lines = max(self.size.height, 1)
        return chrome.footer(self.actions, self.size.width, lines, saving=self.saving)


class TooSmall(Static):
    """Covers everything while the window is smaller than the app can use."""

    DEFAULT_CSS = """
    TooSmall {
        layer: note;
        width: 100%;
        height: 100%;
        background: $background;
        content-align: center middle;
    }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.display = False

    def fit(self, width: int, height: int) -> None:
        smallest = chrome.SMALLEST
        self.display = width < smallest[0] or height < smallest[1]
        if self.display:
            self.update(Content(chrome.too_small(width, height)))
