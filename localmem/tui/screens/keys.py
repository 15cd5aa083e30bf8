"""The keys of every action: change one by pressing it, or go back to the app's own.

Refuses a key that another action has where both are at hand, as the file would: one rule.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from localmem.tui import keymap
from localmem.tui.actions import Action, Place, bindings, keys_label
from localmem.tui.desk import Desk
from localmem.tui.present import ink
from localmem.tui.present import settings as present
from localmem.tui.screens.base import OverScreen, Screenful
from localmem.tui.widgets.chrome import Footer, TooSmall
from localmem.tui.widgets.page import Page
from localmem.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from localmem.config.book import Book


class KeysScreen(Screenful[None]):
    BINDINGS = bindings(Place.SETTINGS)
    places = (Place.SETTINGS,)
    AUTO_FOCUS = "#entries"

    def __init__(self, desk: Desk, book: Book) -> None:
        super().__init__(desk)
        self.book = book

    def compose(self) -> ComposeResult:
        yield Static(
            Content.assemble(("Keys ", ink.STRONG), ("· enter changes one",
                             ink.DIM)), id="form-title", markup=False,
        )  # fmt: skip
        with Horizontal(id="settings"):
            yield Rows[Action](self._draw, id="entries")
            yield Page(id="about")
        yield Footer()
        yield TooSmall()

    @property
    def rows(self) -> Rows[Action]:
        rows: Rows[Action] = self.query_one("#entries", Rows)
        return rows

    def on_mount(self) -> None:
        super().on_mount()
        self._show()

    def _draw(self, action: Action, width: int) -> Content:
        return present.action_row(action, self.desk.keys, width)

    def _show(self) -> None:
        self.rows.show(self.desk.keys.actions, cursor=self.rows.cursor, keep_scroll=True)
        self._tell()

    @on(Rows.Moved, "#entries")
    def _tell(self) -> None:
        action = self.rows.row
        if action is not None:
            about = present.about_action(action, self.desk.keys)
            self.query_one("#about", Page).show(about)

    @on(Rows.Opened, "#entries")
    def _open(self) -> None:
        if self.rows.row is not None:
            self.begin(self._ask, self.rows.row)

    async def _ask(self, action: Action) -> None:
        with self.contained():
            chosen = (await asyncio.to_thread(self.book.found)).settings.keys
            key = await self.app.push_screen_wait(PressScreen(self.desk, action, chosen))
            if key is not None:
                await asyncio.to_thread(self.book.set, f"keys.{action.id}", (key,))
                await self._take_up(action)

    def action_default(self) -> None:
        if self.rows.row is not None:
            self.work("keep", self._reset, self.rows.row)

    async def _reset(self, action: Action) -> None:
        with self.contained():
            await asyncio.to_thread(self.book.unset, f"keys.{action.id}")
            await self._take_up(action)

    async def _take_up(self, action: Action) -> None:
        """Have the keys of the file hold from now on."""
        found = await asyncio.to_thread(self.book.found)
        self.desk.chosen.keys = keymap.read(found.settings.keys)
        self.app.set_keymap(self.desk.keys.bound)
        self.say(f"{action.label}: {keys_label(self.desk.keys.by_id(action.id))}")
        self._show()
        self.show_keys()

    def action_back(self) -> None:
        self.dismiss(None)


class PressScreen(OverScreen[str | None]):
    """Dismisses with the key that was pressed, once it can be had; with None for esc."""

    asks = True

    def __init__(self, desk: Desk, action: Action, chosen: keymap.Chosen) -> None:
        """`chosen` are the keys that the person has chosen so far."""
        super().__init__(desk)
        self._action = action
        self._chosen = {id: keys for id, keys in chosen.items() if id != action.id}

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = Content("Another key")
            yield Static(present.pressed(self._action, "", ""), id="pressed", markup=False)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.dismiss(None)
            return
        before = keymap.read(self._chosen).problems
        wanted = {**self._chosen, self._action.id: (event.key,)}
        wrong = [each for each in keymap.read(wanted).problems if each not in before]
        if wrong:
            said = wrong[0].removeprefix("[keys] ")
            self.query_one("#pressed", Static).update(
                present.pressed(self._action, said, event.key)
            )
        else:
            self.dismiss(event.key)
