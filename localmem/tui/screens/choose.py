"""Choose one of many by typing a part of it: the palette, scopes, times to live, kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from localmem.core.visible import visible
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import ink
from localmem.tui.present.words import spread
from localmem.tui.screens.base import OverScreen
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.fields import Field
from localmem.tui.widgets.rows import Rows

_LABEL, _GAP = 22, 2


@dataclass(frozen=True, slots=True)
class Choice:
    label: str
    value: object
    detail: str = ""
    """A sentence beside it."""
    key: str = ""
    """The key that does the same without choosing."""


def matching(choices: Sequence[Choice], typed: str) -> list[Choice]:
    """Those that hold every typed word; where the label begins so, first."""
    words = typed.casefold().split()
    if not words:
        return list(choices)
    held = [
        choice
        for choice in choices
        if all(word in f"{choice.label} {choice.detail}".casefold() for word in words)
    ]
    return sorted(
        held,
        key=lambda choice: (
            not choice.label.casefold().startswith(words[0]),
            words[0] not in choice.label.casefold(),
        ),
    )


def choice_row(choice: Choice, width: int) -> Content:
    label = visible(choice.label)
    left = Content.assemble(
        (f"{label:<{_LABEL - _GAP}}{' ' * _GAP}", ink.STRONG), (visible(choice.detail), ink.DIM)
    )
    return spread(left, Content.styled(choice.key, ink.NAME), width)


class _Filter(Field):
    place = Place.CHOICE
    BINDINGS = [  # noqa: RUF012
        Binding("up", "screen.move(-1)", "up", show=False),
        Binding("down", "screen.move(1)", "down", show=False),
        Binding("pageup", "screen.move(-8)", "up", show=False),
        Binding("pagedown", "screen.move(8)", "down", show=False),
    ]


class ChooseScreen(OverScreen[Any]):
    """Dismisses with the value of the choice, with typed text where that is allowed, or None."""

    BINDINGS = bindings(Place.CHOICE)
    places = (Place.CHOICE,)

    def __init__(
        self, desk: Desk, title: str, choices: Sequence[Choice], *, free: bool = False, at: int = 0
    ) -> None:
        """`free` lets what is typed be the answer when no choice fits; the cursor begins `at`."""
        super().__init__(desk)
        self._title = title
        self._choices = choices
        self._free = free
        self._at = at

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = Content(visible(self._title))
            hint = "type to narrow, or a value of your own" if self._free else "type to narrow"
            yield _Filter(placeholder=hint, id="filter")
            yield Rows[Choice](choice_row, id="choices", always_lit=True)
        yield Footer()

    @property
    def rows(self) -> Rows[Choice]:
        return self.query_one("#choices", Rows)

    def on_mount(self) -> None:
        super().on_mount()
        self.rows.show(self._choices, cursor=self._at)

    @on(Input.Changed, "#filter")
    def _narrow(self) -> None:
        typed = self.query_one("#filter", _Filter).typed
        empty = "enter takes what you typed" if self._free else "nothing matches"
        self.rows.show(matching(self._choices, typed), empty=Content.styled(empty, ink.DIM))

    @on(Input.Submitted, "#filter")
    @on(Rows.Opened, "#choices")
    def _choose(self) -> None:
        typed = self.query_one("#filter", _Filter).typed.strip()
        if self.rows.row is not None:
            self.dismiss(self.rows.row.value)
        elif self._free and typed:
            self.dismiss(typed)

    def action_move(self, step: int) -> None:
        self.rows.cursor += step

    def action_back(self) -> None:
        self.dismiss(None)
