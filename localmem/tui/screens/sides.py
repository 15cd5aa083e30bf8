"""Two versions at once: base, mine and theirs, and what of them could be merged.

For a save that came late, and the one screen that sync conflicts use too. Decides nothing by
itself: it says what the person chose.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from localmem.core import merge
from localmem.core.change import Stale
from localmem.core.merge import Clean
from localmem.core.model import Content as Kept
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import changes, ink
from localmem.tui.present.words import author, when
from localmem.tui.screens.base import Screenful
from localmem.tui.widgets.chrome import Footer, TooSmall
from localmem.tui.widgets.page import Page


class Decision(StrEnum):
    MINE = "mine"
    THEIRS = "theirs"
    BOTH = "both"
    MERGED = "merged"
    EDIT = "edit"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class Verdict:
    decision: Decision
    content: Kept | None = None
    """What is to be kept or edited, for MERGED and EDIT."""


class SidesScreen(Screenful[Verdict]):
    BINDINGS = bindings(Place.SIDES)
    places = (Place.SIDES,)

    def __init__(self, desk: Desk, stale: Stale, can_keep_both: bool) -> None:
        super().__init__(desk)
        self.stale = stale
        self.can_keep_both = can_keep_both
        base = stale.base.content if stale.base is not None else None
        self.outcome = merge.merge(base, stale.mine.content, stale.current.head.content)

    @property
    def merged(self) -> Kept:
        outcome = self.outcome
        return outcome.content if isinstance(outcome, Clean) else outcome.merged

    def compose(self) -> ComposeResult:
        current = self.stale.current.head
        at = when(current.at, self.desk.now, self.desk.zone)
        yield Static(
            Content.assemble(
                ("⚠ Not saved yet: ", ink.ALERT),
                (author(current.by), ink.STRONG),
                f" changed this ({at}) while you were writing. Choose; nothing is lost.",
            ),
            id="form-title",
            markup=False,
        )
        with Horizontal(id="sides"):
            yield Page(changes.kept_lines(self._base), id="base")
            yield Page(changes.kept_lines(self.stale.mine.content), id="mine")
            yield Page(changes.kept_lines(current.content), id="theirs")
        yield Static(changes.merged_head(self.outcome), id="merged-head", markup=False)
        yield Page(changes.merged_lines(self.outcome), id="merged")
        yield Footer()
        yield TooSmall()

    @property
    def _base(self) -> Kept | None:
        return self.stale.base.content if self.stale.base is not None else None

    def on_mount(self) -> None:
        super().on_mount()
        base = self.stale.base
        titles = {
            "base": f"base · v{base.number}" if base else "base",
            "mine": "mine · not saved",
            "theirs": f"theirs · v{self.stale.current.head.number}",
            "merged": "merged",
        }
        for id, title in titles.items():
            self.query_one(f"#{id}").border_title = Content(title)
        self.query_one("#merged").focus()

    def action_mine(self) -> None:
        self.dismiss(Verdict(Decision.MINE))

    def action_theirs(self) -> None:
        self.dismiss(Verdict(Decision.THEIRS))

    def action_both(self) -> None:
        if self.can_keep_both:
            self.dismiss(Verdict(Decision.BOTH))
        else:
            self.say("There is one place for this; only facts can be kept twice.")

    def action_merged(self) -> None:
        if isinstance(self.outcome, Clean):
            self.dismiss(Verdict(Decision.MERGED, self.merged))
        else:
            self.say("Both sides changed the same part: edit the merged version with e.")

    def action_edit(self) -> None:
        self.dismiss(Verdict(Decision.EDIT, self.merged))

    def action_later(self) -> None:
        self.dismiss(Verdict(Decision.LATER))

    def action_back(self) -> None:
        self.dismiss(Verdict(Decision.LATER))

    def action_copy(self) -> None:
        self.copy(changes.kept_lines(self.stale.mine.content).plain)
