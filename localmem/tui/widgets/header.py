"""The top of the main screen: name, search box, state; under it the mistake, when there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from localmem.core.visible import visible
from localmem.engine.answers import MeaningState
from localmem.errors import InvalidQuery
from localmem.tui.present import ink, standing
from localmem.tui.widgets.panes import TWO_FROM
from localmem.tui.widgets.search_box import SearchBox

if TYPE_CHECKING:
    from localmem.tui.present.sync_state import Said


class Header(Vertical):
    DEFAULT_CSS = """
    Header { height: auto; }
    #bar {
        height: 1;
        padding: 0 1;
        background: $surface;
    }
    #brand { width: auto; margin-right: 2; }
    #lens { width: 3; color: $accent; background: $panel; padding: 0 1; }
    #state { width: auto; margin-left: 2; }
    #search {
        width: 1fr;
        background: $panel;
    }
    #mistake {
        height: auto;
        max-height: 3;
        padding: 0 1;
        background: $surface;
    }
    """

    def __init__(self, *, demo: bool = False) -> None:
        super().__init__(id="header")
        self._demo = demo
        self._state: tuple[MeaningState, int, int] | None = None
        self._problem = ""
        self._sync: Said | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="bar"):
            yield Static(Content.styled("localmem", ink.NAME), id="brand", markup=False)
            yield Static(Content("⌕"), id="lens", markup=False)
            yield SearchBox(id="search")
            yield Static(id="state", markup=False)
        yield Static(id="mistake", markup=False)

    def on_mount(self) -> None:
        self.show_mistake(None)

    @property
    def box(self) -> SearchBox:
        return self.query_one(SearchBox)

    def show_state(self, meaning: MeaningState, waiting: int, problem: str, inbox: int) -> None:
        """How far meaning search has come, `problem` says why there is none; what waits."""
        self._state, self._problem = (meaning, waiting, inbox), problem
        self._draw()

    def show_sync(self, said: Said | None) -> None:
        """How the library stands to its account; drawn only when that is something else."""
        if said != self._sync:
            self._sync = said
            self._draw()

    def _draw(self) -> None:
        if self._state is None:
            return
        state = self.query_one("#state", Static)
        width = self.app.size.width
        state.update(standing.state(*self._state, width, sync=self._sync, demo=self._demo))
        told = [
            visible(self._problem),
            f"{self._sync.sign} {self._sync.long}" if self._sync else "",
        ]
        state.tooltip = Content("\n".join(filter(None, told))) if any(told) else None

    def show_mistake(self, problem: InvalidQuery | None) -> None:
        """Underline it in the box and say it below; None takes both away."""
        self.box.mark(problem)
        line = self.query_one("#mistake", Static)
        line.display = problem is not None
        if problem is not None:
            from localmem.tui.present import search

            line.update(search.mistake(problem))

    def clear(self) -> None:
        """An empty box, without that being a new question."""
        self.show_mistake(None)
        with self.prevent(Input.Changed):
            self.box.value = ""

    def on_resize(self, event: events.Resize) -> None:
        self.query_one("#brand").display = self.app.size.width >= TWO_FROM
        self._draw()
