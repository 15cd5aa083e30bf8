"""The app: theme, first screen, and the work that goes on behind every screen.

Rows come first; only then the model is loaded, and what waits is embedded in small batches between
which everything else has its turn.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text
from textual import events
from textual.filter import LineFilter
from textual.notifications import SeverityLevel

from localmem import __version__
from localmem.tui import jobs
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk, contained, say, start
from localmem.tui.errors import report
from localmem.tui.keeper import Keeper
from localmem.tui.saving import show_saving
from localmem.tui.screens.base import Screenful
from localmem.tui.screens.library import LibraryScreen
from localmem.tui.symbols import filter_for
from localmem.tui.themes import OURS, muted, worn
from localmem.tui.typeahead import InOrder

if TYPE_CHECKING:
    from textual.driver import Driver

    from localmem.core.ports import Embedder
    from localmem.tui.screens.settings import SettingsScreen

POLL_SECONDS = 1.0
"""How often another process's writes are looked for."""
_AFTER_FAULT = 60_000
"""Milliseconds; how long the looking rests after it failed, so that a fault is told once."""
PURGE_SECONDS = 30.0


class LocalmemApp(InOrder):
    """localmem in a terminal."""

    TITLE = "localmem"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = bindings(Place.APP)

    def __init__(self, desk: Desk, first: jobs.Overview | None = None) -> None:
        """`first` is what the library screen opens with; without it the screen reads it."""
        super().__init__()
        self.desk = desk
        self.library = LibraryScreen(desk, first)
        self.keeper = Keeper(desk, partial(say, self))
        self._rest_until = 0
        self._stayed = False
        self.demo_wanted = False
        """Left for the demo, to be opened again after it."""
        # Before the styles are read: another theme afterwards has them read again.
        for theme in OURS:
            self.register_theme(theme)
        name = desk.chosen.theme
        self.theme = worn(name, dark=self.available_themes[name].dark, no_color=self.no_color)

    def get_driver_class(self) -> type[Driver]:
        """Textual's, where it runs on a terminal made to outlive it (FR-88)."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":
            return found
        from localmem.tui.hangup import PatientDriver

        return PatientDriver

    def get_default_screen(self) -> LibraryScreen:
        return self.library

    def on_mount(self) -> None:
        self.set_keymap(self.desk.keys.bound)
        self.desk.bridge.on_saving = partial(show_saving, self)
        self.set_interval(POLL_SECONDS, self.poll)
        self.set_interval(PURGE_SECONDS, self.purge)

    def get_css_variables(self) -> dict[str, str]:
        """Textual's, with lesser text that can be read in a pale theme too."""
        variables = super().get_css_variables()
        if "foreground-muted" not in self.current_theme.variables:
            variables["foreground-muted"] = muted(variables)
        return variables

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """A toast in place of one that says the same; never markup, whatever is asked for."""
        for shown in list(self._notifications):
            if (shown.title, shown.message) == (title, message):
                self._unnotify(shown)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=False)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, then what the terminal can draw (FR-79)."""
        symbols = self.desk.terminal.symbols(self.desk.chosen.symbols)
        ours = filter_for(symbols)
        return [*super().get_line_filters(), *([ours] if ours.enabled else [])]

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            self.keeper.active()
        await super().on_event(event)

    def leaves(self, key: events.Key) -> bool:
        return key.key in self.desk.keys.by_id("quit").keys

    def copy_to_clipboard(self, text: str) -> None:
        """Every field's ctrl+c comes here as well as `y` (FR-82)."""
        from localmem.tui.copying import start_copying

        start_copying(self, self.desk, text)

    # behind the screens

    def on_library_screen_opened(self) -> None:
        """The first rows are on the screen: now the slow things."""
        gc.enable()
        if not self.desk.demo:
            self.library.begin_unasked(self._greet)
        start(self, "start", self._start, replace=False)

    def on_library_screen_written(self) -> None:
        """Something was kept or changed; its vector follows."""
        self.embed()

    async def _greet(self) -> None:
        with contained(self):
            if await self.desk.bridge.write(lambda engine: engine.greet(), quiet=True):
                await self._welcome()

    def action_welcome(self) -> None:
        if self.desk.demo:
            say(self, "This is the demo. q leaves it.")
            return
        self.library.begin(self._welcome)

    async def _welcome(self) -> None:
        from localmem.tui.screens import welcome

        with contained(self):
            if await welcome.wants_demo(self.library):
                self.demo_wanted = True
                self.leave()

    async def _start(self) -> None:
        while self.desk.notes:
            say(self, self.desk.notes.pop(0))
        while self.desk.problems:
            say(self, self.desk.problems.pop(0), "warning", title="Settings")
        with contained(self):
            for note in await self.desk.bridge.read(lambda engine: engine.notes):
                say(self, note, "warning")
        await self._purge()
        # So that the first form opens as fast as the second.
        await asyncio.to_thread(import_module, "localmem.tui.screens.deeds")
        start(self, "sync", self._synchronise, replace=False)
        await self._load_model()

    async def _synchronise(self) -> None:
        with contained(self):
            if await self.keeper.begin():
                await self._look()

    async def _load_model(self) -> None:
        with contained(self):
            problem = await self.desk.bridge.load_model()
            await self._tell_standing()
            if problem:
                say(self, f"Words only: {problem}", "warning")
        self.embed()

    def on_settings_screen_model_chosen(self, chosen: SettingsScreen.ModelChosen) -> None:
        """Another model: what it has not embedded yet follows in the background."""
        start(self, "start", partial(self._change_model, chosen.load), replace=True)

    async def _change_model(self, load: Callable[[], Embedder] | None) -> None:
        with contained(self):
            await self.desk.bridge.write(lambda engine: engine.meaning.change(load), quiet=True)
        await self._load_model()

    def embed(self) -> None:
        """Embed what waits, unless that is going on already."""
        if not any(worker.group == "embed" for worker in self.workers):
            start(self, "embed", self._embed, replace=False)

    async def _embed(self) -> None:
        with contained(self):
            embedded = 0
            while done := await self.desk.bridge.embed_waiting():
                embedded += done
                await self._tell_standing()
                await asyncio.sleep(0)
            if embedded:
                self.library.search_again()

    async def _tell_standing(self) -> None:
        self.library.show_standing(await self.desk.bridge.read(jobs.standing))

    def poll(self) -> None:
        """Look whether another process wrote; the view follows without losing its place."""
        if self.desk.now >= self._rest_until:
            start(self, "poll", self._poll, replace=True)

    async def _poll(self) -> None:
        rest, self._rest_until = self._rest_until, self.desk.now + _AFTER_FAULT
        with contained(self):
            await self._look()
            self._rest_until = rest

    async def _look(self) -> None:
        """What was written elsewhere, and how the library stands to its account."""
        version, moved = await self.keeper.look()
        if self.library.data_version not in (version, -1):
            self.library.reload()
            self.embed()
        if moved:
            for screen in self.screen_stack:
                if isinstance(screen, Screenful):
                    screen.sync_moved()
        self.library.show_sync()

    def look_at_sync(self) -> None:
        """Something was asked of the synchronisation here: show what came of it."""
        self.keeper.look_anew()
        start(self, "look", self._look_contained, replace=True)

    async def _look_contained(self) -> None:
        with contained(self):
            await self._look()

    def purge(self) -> None:
        start(self, "purge", self._purge, replace=True)

    async def _purge(self) -> None:
        """Erase what expired, so that it is not only hidden."""
        with contained(self):
            if await self.desk.bridge.write(lambda engine: engine.maintain(), quiet=True):
                self.library.reload()

    # keys that work everywhere

    def action_palette(self) -> None:
        from localmem.tui.screens.palette import open_palette

        if isinstance(self.screen, Screenful):
            self.screen.begin(open_palette, self, self.screen, self.library)

    def action_terminal(self) -> None:
        from localmem.tui.screens.terminal import TerminalScreen

        self.push_screen(TerminalScreen(self.desk))

    async def action_quit(self) -> None:
        self.leave()

    def leave(self, *, at_once: bool = False) -> None:
        """Leave; what is being typed anywhere is kept as a draft first.

        When that fails the app stays, once: the next time, or `at_once`, it leaves all the same.
        """
        start(self, "leave", partial(self._leave, at_once or self._stayed), replace=True)

    async def _leave(self, whatever: bool) -> None:
        kept = False
        with contained(self):
            for screen in self.screen_stack:
                if isinstance(screen, Screenful):
                    await screen.before_leaving()
            kept = True
        if kept or whatever:
            await self.keeper.stop()
            self.exit()
            return
        self._stayed = True
        say(self, "What you typed could not be kept. Leave again to go without it.", "warning")

    def _fatal_error(self) -> None:
        """A fault of the interface itself. Textual would print the values it was working on."""
        problem = self._exception
        told = report(problem, version=__version__) if problem else "localmem ended."
        self.panic(Text(told))
