"""Settings: what holds and why, changed in place and kept in config.toml; at once where possible.

Refuses to change the model before saying what that does, and to write what config.py would not
read. Every write goes through the settings' own book, off the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from localmem.core.visible import visible
from localmem.errors import InvalidSettings
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import ink
from localmem.tui.present import settings as present
from localmem.tui.present.settings import Line
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.base import Screenful
from localmem.tui.screens.choose import Choice
from localmem.tui.screens.choose_setting import SettingChoice
from localmem.tui.symbols import redraw
from localmem.tui.themes import worn
from localmem.tui.widgets.chrome import Footer, TooSmall
from localmem.tui.widgets.page import Page
from localmem.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from localmem.config.book import Book
    from localmem.core.ports import Embedder


class SettingsScreen(Screenful[None]):
    BINDINGS = bindings(Place.SETTINGS)
    places = (Place.SETTINGS,)
    AUTO_FOCUS = "#entries"

    class ModelChosen(Message):
        """Another model, and how to get it; None is words alone."""

        def __init__(self, load: Callable[[], Embedder] | None) -> None:
            super().__init__()
            self.load = load

    def __init__(self, desk: Desk, book: Book) -> None:
        super().__init__(desk)
        self.book = book

    def compose(self) -> ComposeResult:
        yield Static(
            Content.assemble(("Settings ", ink.STRONG), (f"· {visible(str(self.book.file))}",
                             ink.DIM)), id="form-title", markup=False,
        )  # fmt: skip
        with Horizontal(id="settings"):
            yield Rows[Line](present.row, id="entries")
            yield Page(id="about")
        yield Footer()
        yield TooSmall()

    @property
    def rows(self) -> Rows[Line]:
        rows: Rows[Line] = self.query_one("#entries", Rows)
        return rows

    def on_mount(self) -> None:
        super().on_mount()
        self.work("load", self._load)

    async def _load(self) -> None:
        with self.contained():
            entries = await asyncio.to_thread(self.book.entries)
            lines = present.lines(entries, self.desk.keys)
            if self.desk.sync is not None:
                lines.append(present.account_line(self.desk.seen.status))
            self.rows.show(lines, cursor=self.rows.cursor, keep_scroll=True)
            self._tell()

    @on(Rows.Moved, "#entries")
    def _tell(self) -> None:
        line = self.rows.row
        if line is not None:
            self.query_one("#about", Page).show(present.about(line))

    # changing

    @on(Rows.Opened, "#entries")
    def _change(self) -> None:
        if self.rows.row is not None:
            self.begin(self._ask, self.rows.row)

    async def _ask(self, line: Line) -> None:
        asked = {"theme": self._ask_theme, "floor": self._ask_floor, "symbols": self._ask_symbols,
                 "model": self._ask_model, "keys": self._ask_keys,
                 "account": self._ask_account}  # fmt: skip
        with self.contained():
            await asked[line.key]()
            await self._load()

    async def _ask_theme(self) -> None:
        before = self.desk.chosen.theme
        ours = ("localmem", "localmem-light")
        names = [*ours, *sorted(set(self.app.available_themes) - {*ours})]
        choices = [Choice(name, name, self._shade(name)) for name in names]
        chosen = await self.app.push_screen_wait(
            SettingChoice(self.desk, "Theme", choices, current=before, preview=self._wear)
        )
        self._wear(before)
        if chosen is not None:
            await self._keep("theme", chosen)

    def _shade(self, name: str) -> str:
        return "dark" if self.app.available_themes[name].dark else "light"

    def _wear(self, theme: object) -> None:
        name = str(theme)
        dark = self.app.available_themes[name].dark
        self.app.theme = worn(name, dark=dark, no_color=self.app.no_color)

    async def _ask_floor(self) -> None:
        choices = [Choice(f"{floor:g}", f"{floor:g}", why) for floor, why in present.FLOORS]
        await self._ask_value("floor", "Floor", choices, f"{self.desk.floor:g}")

    async def _ask_symbols(self) -> None:
        choices = [Choice(name, name, why) for name, why in present.SYMBOLS]
        await self._ask_value("symbols", "Symbols", choices, self.desk.chosen.symbols)

    async def _ask_value(self, key: str, title: str, choices: list[Choice], now: str) -> None:
        """Ask for one of the choices, or for anything that may stand in the file."""
        screen = SettingChoice(self.desk, title, choices, current=now, check=self._checker(key))
        chosen = await self.app.push_screen_wait(screen)
        if chosen is not None:
            await self._keep(key, self.book.typed(key, str(chosen)))

    def _checker(self, key: str) -> Callable[[str], None]:
        def check(typed: str) -> None:
            self.book.typed(key, typed)

        return check

    async def _ask_model(self) -> None:
        now = str(self.book.value("model"))
        choices = [Choice(name, name, why) for name, why in present.MODELS]
        screen = SettingChoice(self.desk, "Model", choices, current=now,
                               check=self._checker("model"))  # fmt: skip
        chosen = await self.app.push_screen_wait(screen)
        if chosen is None or chosen == now:
            return
        waiting = await self.desk.bridge.read(lambda engine: engine.meaning.would_wait(str(chosen)))
        question = AskScreen(self.desk, "Another model", present.consequence(chosen, waiting),
                             yes="Use it", no="Leave it")  # fmt: skip
        if await self.app.push_screen_wait(question):
            await self._keep("model", self.book.typed("model", chosen))

    async def _ask_keys(self) -> None:
        from localmem.tui.screens.keys import KeysScreen

        await self.app.push_screen_wait(KeysScreen(self.desk, self.book))

    async def _ask_account(self) -> None:
        from localmem.tui.screens.account import open_account

        await open_account(self)

    def sync_moved(self) -> None:
        self.work("load", self._load)

    def action_default(self) -> None:
        line = self.rows.row
        if line is not None and line.key not in ("keys", "account"):
            self.work("keep", self._reset, line.key)
        elif line is not None:
            self.say(f"Open the {line.key} to change that.")

    async def _reset(self, key: str) -> None:
        with self.contained():
            await self._keep(key, None)
            await self._load()

    async def _keep(self, key: str, value: Any | None) -> None:
        """Write it and take it up. Raises InvalidSettings; then all is as it was."""
        write = self.book.unset if value is None else self.book.set
        arguments = (key,) if value is None else (key, value)
        changed = await asyncio.to_thread(write, *arguments)
        if changed.outranked:
            self.say(f"Kept, but {changed.outranked} is set and wins until it is unset.", "warning")
            return
        self._take_up(key, changed.new)
        if changed.new != changed.old:
            self.say(f"{key} is {present.value(changed.new)} now.")

    def _take_up(self, key: str, value: Any) -> None:
        match key:
            case "floor":
                self.desk.chosen.floor = value
            case "theme":
                self.desk.chosen.theme = value
                self._wear(value)
            case "symbols":
                self.desk.chosen.symbols = value
                redraw(self.app)
            case "model" if self.desk.load is not None:
                self.post_message(self.ModelChosen(self.desk.load(value)))
            case _:
                raise InvalidSettings(f"{key} cannot be changed while the app runs.")

    def action_back(self) -> None:
        self.dismiss(None)
