"""Two versions at once: what was before, yours and the other's, and what of them could be merged.

For a save that came late, and the one screen that sync conflicts use too. Decides nothing by
itself: it says what the person chose.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from localmem.core import merge
from localmem.core.change import Stale
from localmem.core.merge import Clean
from localmem.core.model import Content as Kept
from localmem.core.visible import visible
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import changes
from localmem.tui.present.preview import copied_text
from localmem.tui.present.words import indented, when
from localmem.tui.screens.base import Screenful
from localmem.tui.widgets.chrome import Footer, TooSmall
from localmem.tui.widgets.page import Page
from localmem.tui.widgets.panes import TWO_FROM

_BESIDE = ("base", "mine", "theirs")
_PAGES = (*_BESIDE, "merged")
_ROOM_FOR_ALL = 20
"""Rows of the window from which three sides stand above the merged one."""
_ONE_LINE_FROM = 100
"""Columns from which every choice fits in one line of the footer."""


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
        self._alone = False
        base = stale.base.content if stale.base is not None else None
        self.outcome = merge.merge(base, stale.mine.content, stale.current.head.content)

    @property
    def merged(self) -> Kept:
        outcome = self.outcome
        return outcome.content if isinstance(outcome, Clean) else outcome.merged

    def compose(self) -> ComposeResult:
        head = changes.other_side(self.stale, self.desk.now, self.desk.zone)
        yield Static(head, id="form-title", markup=False)
        with Horizontal(id="sides"):
            for name in _BESIDE:
                yield Page(id=name)
        merged = changes.merged_head(self.outcome, self.desk.keys.label)
        yield Static(merged, id="merged-head", markup=False)
        yield Page(id="merged")
        yield Footer()
        yield TooSmall()

    def on_mount(self) -> None:
        super().on_mount()
        base = self.stale.base
        titles = {
            "base": f"before · v{base.number}" if base else "before",
            "mine": "yours · not saved",
            "theirs": "the other's",
            "merged": "merged",
        }
        for id, title in titles.items():
            self.query_one(f"#{id}").border_title = Content(title)
        self.query_one("#merged").focus()

    # one page at a time where four have no room

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self._alone = event.size.width < TWO_FROM or event.size.height < _ROOM_FOR_ALL
        self.query_one(Footer).set_class(event.size.width < _ONE_LINE_FROM, "-two")
        self._arrange()

    def on_descendant_focus(self) -> None:
        super().on_descendant_focus()
        self._arrange()

    def _arrange(self) -> None:
        here = self.focused.id if self.focused is not None else "merged"
        for name in _PAGES:
            page = self.query_one(f"#{name}")
            page.display = not self._alone or name == here
            whose = self._other if name == "theirs" else ""
            at = f"{_PAGES.index(name) + 1} of {len(_PAGES)} · tab" if self._alone else ""
            page.border_subtitle = Content(" · ".join(part for part in (whose, at) if part))
        merged = not self._alone or here == "merged"
        self.query_one("#merged-head").display = merged
        self.query_one("#sides").display = not self._alone or not merged
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        texts = {
            "base": changes.kept_lines(self._base),
            "mine": changes.kept_lines(self.stale.mine.content),
            "theirs": changes.kept_lines(self.stale.current.head.content),
        }
        for name, text in texts.items():
            page = self.query_one(f"#{name}", Page)
            page.show(indented(text, page.width), keep_scroll=True)
        page = self.query_one("#merged", Page)
        page.show(changes.merged_lines(self.outcome, page.width), keep_scroll=True)

    def action_next_field(self) -> None:
        self._step(1)

    def action_previous_field(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        here = self.focused.id if self.focused is not None else "merged"
        at = _PAGES.index(here) if here in _PAGES else 0
        page = self.query_one(f"#{_PAGES[(at + by) % len(_PAGES)]}")
        self.query_one("#sides").display = True
        page.display = True
        page.focus()

    @property
    def _other(self) -> str:
        """Who wrote the other side, and when."""
        head = self.stale.current.head
        return f"{visible(head.by.name)} · {when(head.at, self.desk.now, self.desk.zone)}"

    @property
    def _base(self) -> Kept | None:
        return self.stale.base.content if self.stale.base is not None else None

    def action_mine(self) -> None:
        self.dismiss(Verdict(Decision.MINE))

    def action_theirs(self) -> None:
        self.dismiss(Verdict(Decision.THEIRS))

    def action_both(self) -> None:
        if self.can_keep_both:
            self.dismiss(Verdict(Decision.BOTH))
        else:
            self.say("There is one place for this; only facts can be kept twice.")

    def action_accept(self) -> None:
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
        self.copy(copied_text(self.stale.mine.content))
