"""Check the library: what is wrong, worst first, and mending what can be mended safely.

Looks on a thread of its own, through a connection of its own that only reads, so that the app goes
on. Refuses to mend without asking, and to mask secrets at all: that is the command line's.
"""

from __future__ import annotations

from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from localmem.core.health import Finding
from localmem.core.visible import visible
from localmem.doctor import Mended, Patient, examine, mend
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import check, ink
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.base import OverScreen
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.page import Page
from localmem.tui.widgets.rows import Rows

LOOKING = "looking it over…"


class CheckScreen(OverScreen[bool]):
    """Dismisses with whether something was mended."""

    BINDINGS = bindings(Place.CHECK)
    places = (Place.CHECK,)
    AUTO_FOCUS = "#findings"

    def __init__(self, desk: Desk, patient: Patient) -> None:
        super().__init__(desk)
        self._patient = patient
        self._changed = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="box tall", id="check") as box:
            box.border_title = Content("Check the library")
            yield Rows[Finding](check.row, id="findings")
            yield Page(id="finding")
        yield Footer()

    @property
    def rows(self) -> Rows[Finding]:
        return self.query_one("#findings", Rows)

    def on_mount(self) -> None:
        super().on_mount()
        self.rows.show([], empty=Content.styled("This takes a moment.", ink.DIM))
        self.work("check", self._look)

    async def _look(self) -> None:
        with self.contained():
            self._entitle(LOOKING)
            found = await self.desk.bridge.beside(partial(examine, self._patient))
            self.rows.show(check.worst_first(found), cursor=0)
            self._entitle(check.title(found))
            self._tell()

    def _entitle(self, state: str) -> None:
        box = self.query_one("#check", Vertical)
        box.border_title = Content(f"Check the library · {state}")

    @on(Rows.Moved, "#findings")
    def _tell(self) -> None:
        finding = self.rows.row
        self.query_one("#finding", Page).show(
            check.page(finding, self.desk.keys.label("open")) if finding else Content("")
        )

    @on(Rows.Opened, "#findings")
    def _opened(self) -> None:
        finding = self.rows.row
        if finding is not None and check.can_mend(finding):
            self.begin(self._mend, finding)
        else:
            self.query_one("#finding", Page).focus()

    async def _mend(self, finding: Finding) -> None:
        with self.contained():
            asked = AskScreen(
                self.desk, "Mend this?", check.question(finding), yes="Mend it", no="Leave it"
            )
            if not await self.app.push_screen_wait(asked):
                return
            mended: Mended = await self.desk.bridge.write(
                lambda engine: mend(self._patient, finding, engine)
            )
            self._changed = True
            self.say(visible(f"{mended.said} {mended.undo}"))
            self.work("check", self._look)

    def action_back(self) -> None:
        self.dismiss(self._changed)
