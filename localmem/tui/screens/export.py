"""Exporting: what to write, where to, and how far it is.

Refuses to replace a file unasked. The library is read in one piece while the app goes on; esc
stops it, and then there is no file.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from localmem.core.visible import visible
from localmem.engine import Engine
from localmem.engine.exports import Wanted
from localmem.errors import BackupFailed
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.errors import sentence
from localmem.tui.present import bring, ink
from localmem.tui.present.words import count, local
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.base import OverScreen, Screenful
from localmem.tui.screens.choose import Choice, ChooseScreen
from localmem.tui.typed_path import path_of
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.fields import Field

_LOOK_EVERY = 0.2
_KINDS = (
    Choice("as it is now", ("ndjson", False), "comes back whole by importing it"),
    Choice("with every version", ("ndjson", True), "the history as well"),
    Choice("a table (CSV)", ("csv", False), "for looking at; it does not come back"),
)


async def open_export(screen: Screenful[Any]) -> None:
    """Ask what and where, and write it."""
    chosen = await screen.app.push_screen_wait(ChooseScreen(screen.desk, "Export", _KINDS))
    if chosen is not None:
        format, history = chosen
        await screen.app.push_screen_wait(ExportScreen(screen.desk, format, history=history))


class _File(Field):
    place = Place.SAVE


class ExportScreen(OverScreen[None]):
    """Dismisses when the file is written, or nothing is."""

    BINDINGS = bindings(Place.SAVE)
    places = (Place.SAVE,)
    AUTO_FOCUS = "#target"

    def __init__(self, desk: Desk, format: str, *, history: bool) -> None:
        super().__init__(desk)
        self._format, self._history = format, history
        self._written = self._count = 0
        self._busy = False

    def compose(self) -> ComposeResult:
        day = f"{local(self.desk.now, self.desk.zone):%Y-%m-%d}"
        with Vertical(classes="box") as box:
            box.border_title = Content("Export to")
            yield _File(f"~/localmem-{day}.{self._format}", id="target")
            yield Static(id="export-said", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        super().on_mount()
        self._say(Content.styled("Readable by you alone. Enter writes it.", ink.DIM))
        self.set_interval(_LOOK_EVERY, self._draw)

    def _say(self, text: Content) -> None:
        self.query_one("#export-said", Static).update(text)

    def _draw(self) -> None:
        if self._busy:
            done = bring.progress(self._written, max(self._count, 1))
            back = (self.desk.keys.label("back"), ink.NAME)
            self._say(Content.assemble(done, f"  {self._written:,} · ", back, " stops"))

    @on(Input.Submitted, "#target")
    def action_save(self) -> None:
        if not self._busy:
            self._busy = True
            self.finish("export", self._save)

    async def _save(self) -> None:
        with self.contained():
            try:
                await self._write()
            except BackupFailed as problem:
                said = sentence(problem).replace("add --force to replace it", "choose another")
                self._say(Content.assemble(("▲ ", ink.BAD), (said, ink.STRONG)))
        self._busy = False

    async def _write(self) -> None:
        """Raises BackupFailed."""
        typed = path_of(self.query_one("#target", _File).typed)
        if not typed:
            raise BackupFailed("No file was named.", hint="Type where to write it.")
        target = Path(typed).expanduser()
        force = target.is_file() and await self._may_replace(target)
        if target.is_file() and not force:
            return
        size, items = await self.desk.bridge.read(
            lambda engine: self._export(engine, target, force)
        )
        self.say(f"Exported {count(items, 'memory', 'memories')} to {visible(str(target))}: "
                 f"{size / 1000:,.0f} KB.")  # fmt: skip
        self.dismiss(None)

    async def _may_replace(self, target: Path) -> bool:
        self._busy = False
        text = Content(f"{visible(str(target))} is there already. Replace it?")
        asked = AskScreen(self.desk, "Replace the file?", text, yes="Replace it", no="Keep it")
        answer = await self.app.push_screen_wait(asked)
        self._busy = answer
        return answer

    def _export(self, engine: Engine, target: Path, force: bool) -> tuple[int, int]:
        """On the engine's thread: (bytes, memories). Raises BackupFailed, Cancelled."""
        from localmem.portable import csv_out, ndjson, saving

        wanted = Wanted(history=self._history)
        self._count = engine.exports.count(wanted)
        values = engine.exports.all(wanted)
        write = csv_out.write if self._format == "csv" else ndjson.write
        with closing(values):  # type: ignore[type-var]
            size = saving.save(
                target, self._counted(write(values, history=self._history)), force=force
            )
        return size, self._count

    def _counted(self, lines: Iterator[str]) -> Iterator[str]:
        for self._written, line in enumerate(lines):
            yield line

    def action_back(self) -> None:
        self.workers.cancel_group(self, "export")
        self.dismiss(None)
