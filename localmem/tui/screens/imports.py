"""The imports so far, each of which one key takes back."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from localmem.core.incoming import Run
from localmem.engine.outcomes import NothingToUndo, UndoPreview
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import bring, changes, ink
from localmem.tui.present.words import told
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.base import OverScreen, Screenful
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.rows import Rows


async def undo_import(screen: Screenful[Any], id: int) -> bool:
    """Ask where something goes for good, then take a whole import back; whether it was."""
    bridge = screen.desk.bridge
    preview = await bridge.read(lambda engine: engine.imports.undo_preview(id))
    if isinstance(preview, NothingToUndo):
        screen.say(preview.why)
        return False
    if preview.erases and not await screen.app.push_screen_wait(_question(screen.desk, preview)):
        return False
    result = await bridge.write(lambda engine: engine.imports.undo(id))
    screen.say(changes.undone(result, preview.items))
    return not isinstance(result, NothingToUndo)


def _question(desk: Desk, preview: UndoPreview) -> AskScreen:
    lines = [
        Content(f"Taking it back erases what it brought for good, {preview.count:,} in all:"),
        Content(""),
    ]
    lines += [told(item) for item in preview.items[:8]]
    text = Content("\n").join(lines)
    return AskScreen(desk, "Take the import back?", text, yes="Take it back", no="Keep it")


class ImportsScreen(OverScreen[bool]):
    """Dismisses with whether one was taken back."""

    BINDINGS = bindings(Place.IMPORTS)
    places = (Place.IMPORTS,)
    AUTO_FOCUS = "#runs"

    def __init__(self, desk: Desk, runs: tuple[Run, ...]) -> None:
        super().__init__(desk)
        self._runs = runs
        self._changed = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = Content("Imports so far")
            yield Rows[Run](self._draw, id="runs")
        yield Footer()

    @property
    def rows(self) -> Rows[Run]:
        return self.query_one("#runs", Rows)

    def on_mount(self) -> None:
        super().on_mount()
        self._show()

    def _show(self) -> None:
        nothing = Content.styled("Nothing was imported yet.", ink.DIM)
        self.rows.show(self._runs, cursor=self.rows.cursor, empty=nothing)

    def _draw(self, run: Run, width: int) -> Content:
        return bring.run_row(run, width, self.desk.now, self.desk.zone)

    def action_undo(self) -> None:
        if self.rows.row is not None:
            self.begin(self._undo, self.rows.row.id)

    async def _undo(self, id: int) -> None:
        with self.contained():
            if await undo_import(self, id):
                self._changed = True
                self._runs = await self.desk.bridge.read(lambda engine: engine.imports.recent())
                self._show()

    def action_back(self) -> None:
        self.dismiss(self._changed)
