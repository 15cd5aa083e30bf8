"""What a sync would do, scope by scope; the server is asked, and nothing is written anywhere."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from localmem.core.syncing import Look, State, Status, Synchronising
from localmem.core.visible import visible
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import ink, sync_state
from localmem.tui.present import syncing as present
from localmem.tui.screens.base import OverScreen
from localmem.tui.synchronising import beside
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.page import Page


class LookScreen(OverScreen[None]):
    BINDINGS = bindings(Place.PAGE)
    places = (Place.PAGE,)

    def __init__(self, desk: Desk, sync: Synchronising) -> None:
        super().__init__(desk)
        self._sync = sync

    def compose(self) -> ComposeResult:
        with Vertical(classes="box tall") as box:
            box.border_title = Content("What a sync would do")
            yield Page(Content.styled("Asking the server …", ink.DIM), id="page")
        yield Footer()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Page).focus()
        self.work("look", self._look)

    async def _look(self) -> None:
        with self.contained():
            look, status = await beside(
                self._sync, lambda syncing: (syncing.look(), syncing.status())
            )
            page = self.query_one(Page)
            page.show(lines(look, status, page.width))

    def action_copy(self) -> None:
        self.copy(self.query_one(Page).text)

    def action_back(self) -> None:
        self.dismiss(None)


def lines(look: Look, status: Status, width: int) -> Content:
    """The counts, then what would be sent; why it cannot be told, where it cannot."""
    outcome = look.outcome
    parts: list[Content] = []
    if outcome.state is State.ASKING and outcome.question is not None:
        parts += [Content.assemble(("? ", ink.ALERT), visible(outcome.question.text)), Content("")]
    elif outcome.message:
        parts.append(Content.assemble(("▲ ", ink.ALERT), visible(outcome.message)))
        parts += [Content(visible(outcome.hint)), Content("")]
    if outcome.state in (State.IN_STEP, State.ASKING) or outcome.counts:
        apart = sync_state.apart(status)
        parts += present.counts_lines(
            outcome.counts, width,
            f"Nothing to do by itself; {apart}." if apart else "Nothing to do: both have the same.",
        )  # fmt: skip
        parts += [Content(""), Content.styled("Nothing was written, here or there.", ink.DIM)]
    if look.waiting:
        parts += [Content(""), Content.styled("Would be sent", ink.NAME)]
        parts += [present.waiting_row(each, width) for each in look.waiting]
    if look.more:
        parts.append(Content.styled(f"… and {look.more:,} more", ink.DIM))
    return Content("\n").join(parts)
