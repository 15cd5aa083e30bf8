"""Bringing memories in: name a file, see what it would do, import it, take it back.

The file is read beside the app and kept batch by batch, so every key echoes meanwhile. Esc stops
what runs, then goes back; the path that was typed is offered again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from enum import Enum
from functools import partial
from typing import Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from localmem.core import scope as scopes
from localmem.core.records import Draft
from localmem.core.visible import visible
from localmem.errors import InvalidScope, LocalmemError
from localmem.tui import jobs
from localmem.tui.actions import Place, bindings
from localmem.tui.bringing import Bringing, Entry, Tally, Wish
from localmem.tui.desk import Desk
from localmem.tui.entries import DraftBody
from localmem.tui.errors import sentence
from localmem.tui.present import bring, ink
from localmem.tui.screens.base import Screenful
from localmem.tui.screens.choose import Choice, ChooseScreen
from localmem.tui.screens.imports import ImportsScreen, undo_import
from localmem.tui.typed_path import complete, path_of
from localmem.tui.widgets.chrome import Footer, TooSmall
from localmem.tui.widgets.fields import Field
from localmem.tui.widgets.rows import Rows

_SLOT = "import"
"""Where the fields are kept as a draft."""
_LOW = 18
"""Rows of a window below which the list has room only for itself."""
_PATIENCE = 10.0
"""Seconds the app waits on leaving for the batch that is being written."""
_LOOK_EVERY = 0.2
"""Seconds between two looks at how far it is."""


_Job = Callable[[Bringing], Coroutine[Any, Any, None]]


class Stage(Enum):
    CHOOSING = "choosing"
    LOOKING = "looking"
    LOOKED = "looked"
    TAKING = "taking"
    TAKEN = "taken"


class BringField(Field):
    place = Place.BRING


async def open_import(screen: Screenful[Any]) -> bool:
    """Show the import screen over `screen`; whether anything was kept or taken back."""
    draft = await screen.desk.bridge.read(lambda engine: engine.library.draft(_SLOT))
    return await screen.app.push_screen_wait(BringScreen(screen.desk, draft))


class BringScreen(Screenful[bool]):
    """Dismisses with whether the library changed."""

    BINDINGS = bindings(Place.BRING, Place.LINES)
    places = (Place.BRING,)
    AUTO_FOCUS = "#file"

    def __init__(self, desk: Desk, draft: Draft | None = None) -> None:
        super().__init__(desk)
        body = DraftBody.read(draft.body) if draft is not None else None
        self._start = body.fields if body is not None else {}
        self.stage = Stage.CHOOSING
        self.bringing: Bringing | None = None
        self._changed = False
        self._drawn = 0
        self._told_of = ""
        """The path that the line below the fields speaks of."""

    def compose(self) -> ComposeResult:
        yield Static("Import", id="form-title", markup=False)
        with Vertical(id="bring"):
            yield _line("file", BringField(self._start.get("file", ""), id="file",
                                           placeholder="a path; tab completes it"))  # fmt: skip
            with Horizontal(classes="line", id="how"):
                yield Static(Content.styled("keep in", ink.DIM), classes="name", markup=False)
                yield BringField(self._start.get("scope", "project"), id="scope")
                yield Static(Content.styled("from", ink.DIM), classes="name short", markup=False)
                yield BringField(self._start.get("from", ""), id="from", placeholder="as it looks")
        yield Static(id="bring-found", markup=False)
        yield Static(id="bring-said", markup=False)
        yield Rows[Entry](bring.row, id="lines")
        yield Static(id="bring-detail", markup=False)
        yield Footer()
        yield TooSmall()

    def on_mount(self) -> None:
        super().on_mount()
        self._clear()
        self.set_interval(_LOOK_EVERY, self._draw)
        self._draw()

    def here(self) -> tuple[Place, ...]:
        """In a field letters are typed, so its footer names no letter."""
        if isinstance(self.focused, BringField):
            return (Place.BRING,)
        return (Place.ROWS, Place.LINES, Place.BRING)

    @property
    def rows(self) -> Rows[Entry]:
        return self.query_one("#lines", Rows)

    def _typed(self, name: str) -> str:
        return self.query_one(f"#{name}", BringField).typed

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.set_class(event.size.height < _LOW, "-low")
        self._draw()

    def _say_here(self, name: str, text: Content) -> None:
        line = self.query_one(f"#bring-{name}", Static)
        line.update(text)
        line.display = bool(text.plain)

    # what is chosen

    def _wish(self) -> Wish:
        """Raises InvalidScope."""
        return Wish(
            path_of(self._typed("file")),
            self._typed("from").strip(),
            scopes.parse(self._typed("scope").strip() or "project"),
        )

    @on(Input.Changed)
    def _rechosen(self) -> None:
        """Another file or another way: what was found is of the one before."""
        if self.stage is Stage.LOOKING and self.bringing is not None:
            self.bringing.stop()
        if self.stage is Stage.CHOOSING and self._typed("file") != self._told_of:
            self._say_here("said", Content(""))
        if self.stage in (Stage.LOOKED, Stage.TAKEN, Stage.LOOKING):
            self._clear()

    @on(Input.Submitted)
    def _look_now(self) -> None:
        if self.stage is not Stage.TAKING:
            self.begin_look()

    def action_next_field(self) -> None:
        """In the path, tab completes it; where nothing is left to complete it goes on."""
        typed = self._typed("file")
        if self.focused is not None and self.focused.id == "file" and typed.strip():
            self.work("complete", self._complete, typed)
        else:
            self.focus_next()

    async def _complete(self, typed: str) -> None:
        done = await asyncio.to_thread(complete, typed)
        if self._typed("file") != typed:
            return  # typed on meanwhile
        if done.text in (typed, path_of(typed)):
            self._tell_names(done.names) if done.names else self.focus_next()
            return
        field = self.query_one("#file", BringField)
        field.typed = done.text
        field.cursor_position = len(field.value)
        self._tell_names(done.names)

    def _tell_names(self, names: tuple[str, ...]) -> None:
        self._told_of = self._typed("file")
        shown = "  ".join(visible(name) for name in names[:12])
        more = f"  and {len(names) - 12:,} more" if len(names) > 12 else ""
        self._say_here("said", Content.styled(f"{shown}{more}", ink.DIM))

    def action_pick(self) -> None:
        self.begin(self._pick)

    async def _pick(self) -> None:
        with self.contained():
            name = self.focused.id if self.focused is not None else ""
            if name == "scope":
                held = await self.desk.bridge.read(lambda e: jobs.scopes(e.library.shelf()))
                await self._choose(
                    "scope", "Keep them in", [Choice(str(each), str(each)) for each in held]
                )
            elif name == "from":
                from localmem.portable import format_names

                known = [Choice(name, name, title) for name, title in format_names()]
                await self._choose("from", "What the file is", known)
            else:
                self.say("A path is typed or pasted; tab completes it.")

    async def _choose(self, name: str, title: str, choices: list[Choice]) -> None:
        asked = ChooseScreen(self.desk, title, choices, free=name == "scope")
        chosen = await self.app.push_screen_wait(asked)
        if chosen is not None:
            self.query_one(f"#{name}", BringField).typed = str(chosen)

    # looking and taking

    def begin_look(self) -> None:
        self._start_job(Stage.LOOKING, self._look)

    def action_save(self) -> None:
        """Import; a file that was not looked at is looked at first."""
        if self.stage in (Stage.LOOKING, Stage.LOOKED):
            if self.bringing is not None:
                self.bringing.stop()
            self._start_job(Stage.TAKING, self._take)
        elif self.stage is not Stage.TAKING:
            self.begin_look()

    def _start_job(self, stage: Stage, job: _Job) -> None:
        try:
            bringing = Bringing(self.desk.bridge, self._wish())
        except LocalmemError as problem:
            self._refuse(problem)
            return
        if self.bringing is not None:
            self.bringing.stop()
        self.stage, self.bringing, self._drawn = stage, bringing, 0
        self.rows.show((), empty=Content(""))
        self.finish("bring", partial(job, bringing))
        self._draw()

    async def _look(self, bringing: Bringing) -> None:
        await self._run(bringing, bringing.look(), Stage.LOOKED)
        if self.bringing is bringing and self.stage is Stage.LOOKED and bringing.tally.entries:
            self.rows.focus()

    async def _take(self, bringing: Bringing) -> None:
        await self._run(bringing, bringing.take(), Stage.TAKEN)
        self._changed = self._changed or bringing.run is not None
        if self.stage is Stage.TAKEN:
            self.rows.focus()
            await self.desk.bridge.write(lambda engine: engine.library.drop_draft(_SLOT))

    async def _run(
        self, bringing: Bringing, work: Coroutine[Any, Any, object], then: Stage
    ) -> None:
        """Do it; what is wrong with the file is said where the file is named."""
        with self.contained():
            try:
                await work
            except LocalmemError as problem:
                if self.bringing is not bringing:
                    return
                if not bringing.tally.lines:
                    self._refuse(problem)
                    return
                self.say(sentence(problem), "error")  # below stands what was read until then
            if self.bringing is bringing:
                self.stage = then
                self._draw()

    def _refuse(self, problem: LocalmemError) -> None:
        self._told_of = self._typed("file")
        self._clear()
        said = Content.assemble(("▲ ", ink.BAD), (sentence(problem), ink.STRONG))
        self._say_here("said", said)
        wrong = "scope" if isinstance(problem, InvalidScope) else "file"
        self.query_one(f"#{wrong}", BringField).focus()

    # what is shown

    def _clear(self) -> None:
        """As it was opened: nothing is said of a file that is not looked at any more."""
        self.stage, self.bringing, self._drawn = Stage.CHOOSING, None, 0
        self.rows.border_title = Content("Lines")
        self.rows.show((), empty=bring.empty())
        self._draw()

    def _draw(self) -> None:
        """How far it is, and the lines that came since."""
        bringing = self.bringing
        self.set_class(bringing is not None, "-begun")
        if bringing is None:
            if self.stage is Stage.CHOOSING and not self._drawn:
                self.query_one("#form-title", Static).update(Content("Import"))
                self._say_here("found", Content(""))
                self._say_here("said", Content(""))
                self._say_here("detail", Content(""))
                self._drawn = -1
            return
        tally = bringing.tally
        self._tell_found(tally)
        self._say_here("said", self._said(bringing))
        if len(tally.entries) != self._drawn:
            self._drawn = len(tally.entries)
            self.rows.show(tally.entries, cursor=self.rows.cursor, keep_scroll=True)
        self.rows.border_title = Content(_shown(tally.lines, len(tally.entries)))
        self._tell_detail()

    def _tell_found(self, tally: Tally) -> None:
        """What the file is: in a low window the title says it."""
        low = self.has_class("-low")
        title = Content.assemble("Import: ", bring.found(tally)) if low else Content("Import")
        self.query_one("#form-title", Static).update(title)
        self._say_here("found", Content("") if low else bring.found(tally))

    def _said(self, bringing: Bringing) -> Content:
        tally, read, key = bringing.tally, bringing.read_bytes, self.desk.keys.label
        match self.stage:
            case Stage.LOOKING:
                return bring.looking(tally, read)
            case Stage.TAKING:
                return bring.taking(tally, read, key, stopping=bringing.stopping)
            case Stage.TAKEN if bringing.run is not None:
                return bring.taken(tally, bringing.run, key)
            case _:
                return bring.looked(tally, key)

    @on(Rows.Moved, "#lines")
    def _tell_detail(self) -> None:
        self._say_here("detail", bring.detail(self.rows.row))

    # taking back, leaving

    def action_undo(self) -> None:
        run = self.bringing.run if self.bringing is not None else None
        if self.stage is Stage.TAKEN and run is not None:
            self.begin(self._undo, run.id)
        else:
            key = self.desk.keys.label("imports")
            self.say(f"Nothing was imported here yet; {key} shows the imports so far.")

    async def _undo(self, run: int) -> None:
        with self.contained():
            if await undo_import(self, run):
                self._changed = True
                self._clear()

    def action_imports(self) -> None:
        self.begin(self._show_imports)

    async def _show_imports(self) -> None:
        with self.contained():
            runs = await self.desk.bridge.read(lambda engine: engine.imports.recent())
            if await self.app.push_screen_wait(ImportsScreen(self.desk, runs)):
                self._changed = True

    def action_back(self) -> None:
        if self.stage is Stage.TAKING and self.bringing is not None:
            self.bringing.stop()
            self._draw()
            return
        self.finish("leave", self._leave)

    async def _leave(self) -> None:
        with self.contained():
            await self.before_leaving()
        self.dismiss(self._changed)

    async def before_leaving(self) -> None:
        """Stop what runs, and keep what was typed."""
        if self.bringing is not None and self.stage in (Stage.LOOKING, Stage.TAKING):
            self.bringing.stop()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.bringing.over.wait(), _PATIENCE)
        fields = {name: self._typed(name) for name in ("file", "scope", "from")}
        if fields["file"].strip() and self.stage is not Stage.TAKEN:
            body = DraftBody(fields, None).written()
            await self.desk.bridge.write(lambda engine: engine.library.save_draft(_SLOT, body))


def _line(name: str, field: Widget) -> Widget:
    label = Static(Content.styled(name, ink.DIM), classes="name", markup=False)
    return Horizontal(label, field, classes="line")


def _shown(lines: int, shown: int) -> str:
    if shown == lines:
        return f"Lines · {lines:,}"
    return f"Lines · {lines:,}, of which {shown:,} are shown"
