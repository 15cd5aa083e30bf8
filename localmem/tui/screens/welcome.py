"""The first start: begin empty, look at the demo, or bring memories along, from a file or a server.

Shown once, over the empty library it speaks of. Refuses to be a wall: esc begins empty, and only
what comes from a server needs a network and a key.
"""

from __future__ import annotations

from typing import assert_never

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Button, Static

from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import welcome as words
from localmem.tui.present.welcome import Begin, Way
from localmem.tui.screens.base import OverScreen
from localmem.tui.screens.library import LibraryScreen
from localmem.tui.widgets.chrome import Footer, TooSmall

_PADDED = 2
"""Cells a button keeps free at its sides."""


class WayButton(Button):
    """One way to begin; its words stand beside it where there is room."""

    def __init__(self, way: Way) -> None:
        self.way = way
        super().__init__(Content(way.label), id=f"way-{way.begin}", compact=True)

    def on_resize(self) -> None:
        self._draw(focused=self.has_focus)

    def on_focus(self) -> None:
        self._draw(focused=True)

    def on_blur(self) -> None:
        self._draw(focused=False)

    def _draw(self, *, focused: bool) -> None:
        self.label = words.way(self.way, self.size.width - _PADDED, focused=focused)


class WelcomeScreen(OverScreen[Begin]):
    """Dismisses with the way that was chosen."""

    BINDINGS = bindings(Place.WELCOME)
    places = (Place.WELCOME,)

    def __init__(self, desk: Desk, *, empty: bool) -> None:
        """`empty` is the library that it is about."""
        super().__init__(desk)
        self._ways = words.ways(desk.keys.label, empty=empty, server=desk.sync is not None)

    def compose(self) -> ComposeResult:
        with Vertical(classes="box welcome") as box:
            box.border_title = Content("Welcome to localmem")
            yield Static(words.greeting(), id="greeting", markup=False)
            for way in self._ways:
                yield WayButton(way)
            yield Static(id="note", markup=False)
        yield Footer()
        yield TooSmall()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(WayButton).focus()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.query_one("#greeting").display = event.size.height >= words.SPACIOUS
        self.call_after_refresh(self._draw_note)

    def on_descendant_focus(self) -> None:
        super().on_descendant_focus()
        self._draw_note()

    def _draw_note(self) -> None:
        button = self.focused
        if isinstance(button, WayButton):
            said = words.note(button.way, button.size.width, self.size.height)
            self.query_one("#note", Static).update(said)

    @on(Button.Pressed)
    def _choose(self, pressed: Button.Pressed) -> None:
        if isinstance(pressed.button, WayButton):
            self.dismiss(pressed.button.way.begin)

    def action_up(self) -> None:
        self.focus_previous()

    def action_down(self) -> None:
        self.focus_next()

    def action_back(self) -> None:
        self.dismiss(Begin.EMPTY)


async def wants_demo(library: LibraryScreen) -> bool:
    """Ask how to begin, over the library, and do it; True when that is to look at the demo."""
    shelf = await library.desk.bridge.read(lambda engine: engine.library.shelf())
    asked = WelcomeScreen(library.desk, empty=not shelf.counts and not shelf.collections)
    chosen = await library.app.push_screen_wait(asked)
    match chosen:
        case Begin.DEMO:
            return True
        case Begin.BRING:
            library.action_bring()
            return False
        case Begin.SERVER:
            library.action_account()
            return False
        case Begin.EMPTY:
            return False
        case _:
            assert_never(chosen)
