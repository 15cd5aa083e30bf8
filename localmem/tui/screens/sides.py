"""Two versions at once: what was before, yours and theirs, and what of them could be merged.

For a save that came late; `conflict.py` shows what a sync found in the same way. Decides nothing
by itself: it says what the person chose.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from localmem.core import merge
from localmem.core.change import Stale
from localmem.core.merge import Clash, Clean
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

T = TypeVar("T")

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


class Shown(NamedTuple):
    """What stands on the screen."""

    head: Content
    titles: tuple[str, str, str, str]
    """Over what was before, yours, theirs, and what is below."""
    sides: tuple[Content, Content, Content]
    whose: str
    """Who wrote theirs, and when."""
    outcome: Clean | Clash | None
    """What could be merged; None where a side is missing."""
    merged_head: Content
    instead: Content = Content("")
    """What stands below where nothing can be merged."""


class ThreeSides(Screenful[T]):
    """Three sides above, what they make below; one at a time where four have no room."""

    shown: Shown

    def compose(self) -> ComposeResult:
        yield Static(id="form-title", markup=False)
        with Horizontal(id="sides"):
            for name in _BESIDE:
                yield Page(id=name)
        yield Static(id="merged-head", markup=False)
        yield Page(id="merged")
        yield Footer()
        yield TooSmall()

    def on_mount(self) -> None:
        super().on_mount()
        self.show(self.shown)
        self.query_one("#merged").focus()

    def show(self, shown: Shown) -> None:
        """Draw it, or draw it anew."""
        self.shown = shown
        self.show_keys()
        self.query_one("#form-title", Static).update(shown.head)
        self.query_one("#merged-head", Static).update(shown.merged_head)
        for name, title in zip(_PAGES, shown.titles, strict=True):
            self.query_one(f"#{name}").border_title = Content(title)
        self._arrange()

    def here(self) -> tuple[Place, ...]:
        """What decides comes before what scrolls."""
        focused, *rest = super().here()
        return (*rest, focused)

    def show_keys(self) -> None:
        """The merged version is offered where there is one."""
        keys = self.desk.keys.in_footer(self.here())
        merges = isinstance(self.shown.outcome, Clean)
        for footer in self.query(Footer):
            footer.show(tuple(key for key in keys if merges or key.id != "accept"))

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self._arrange()

    def on_descendant_focus(self) -> None:
        super().on_descendant_focus()
        self._arrange()

    @property
    def _alone(self) -> bool:
        return self.size.width < TWO_FROM or self.size.height < _ROOM_FOR_ALL

    def _arrange(self) -> None:
        alone = self._alone
        self.query_one(Footer).set_class(self.size.width < _ONE_LINE_FROM, "-two")
        here = self.focused.id if self.focused is not None else "merged"
        for name in _PAGES:
            page = self.query_one(f"#{name}")
            page.display = not alone or name == here
            whose = self.shown.whose if name == "theirs" else ""
            at = f"{_PAGES.index(name) + 1} of {len(_PAGES)} · tab" if alone else ""
            page.border_subtitle = Content(" · ".join(part for part in (whose, at) if part))
        merged = not alone or here == "merged"
        self.query_one("#merged-head").display = merged
        self.query_one("#sides").display = not alone or not merged
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        if not self.is_attached:
            return
        for name, text in zip(_BESIDE, self.shown.sides, strict=True):
            page = self.query_one(f"#{name}", Page)
            page.show(indented(text, page.width), keep_scroll=True)
        page, outcome = self.query_one("#merged", Page), self.shown.outcome
        below = (
            changes.merged_lines(outcome, page.width)
            if outcome is not None
            else indented(self.shown.instead, page.width)
        )
        page.show(below, keep_scroll=True)

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


class SidesScreen(ThreeSides[Verdict]):
    """A save that came late."""

    BINDINGS = bindings(Place.SIDES)
    places = (Place.SIDES,)

    def __init__(self, desk: Desk, stale: Stale, can_keep_both: bool) -> None:
        super().__init__(desk)
        self.stale = stale
        self.can_keep_both = can_keep_both
        base, mine, theirs = stale.base, stale.mine.content, stale.current.head
        before = base.content if base is not None else None
        self.outcome = merge.merge(before, mine, theirs.content)
        self.shown = Shown(
            changes.other_side(stale, desk.now, desk.zone),
            (f"before · v{base.number}" if base else "before", "yours · not saved", "theirs",
             "merged"),
            (changes.kept_lines(before), changes.kept_lines(mine),
             changes.kept_lines(theirs.content)),
            f"{visible(theirs.by.name)} · {when(theirs.at, desk.now, desk.zone)}",
            self.outcome,
            changes.merged_head(self.outcome, desk.keys.label),
        )  # fmt: skip

    @property
    def merged(self) -> Kept:
        return merged_of(self.outcome)

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


def merged_of(outcome: Clean | Clash) -> Kept:
    """What an editor starts from."""
    return outcome.content if isinstance(outcome, Clean) else outcome.merged
