"""The first screen in words: three ways to begin, and what needs no doing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from textual.content import Content

from localmem.tui.present import ink
from localmem.tui.present.words import spread


class Begin(StrEnum):
    EMPTY = "empty"
    DEMO = "demo"


@dataclass(frozen=True, slots=True)
class Way:
    begin: Begin
    label: str
    detail: str


WAYS = (
    Way(Begin.EMPTY, "Start empty", "press n, write one thing down, find it with /"),
    Way(Begin.DEMO, "Try the demo", "a made-up library to play with; nothing of it is kept"),
)
_LABEL = 18
"""Cells for a sign and a label."""
_BESIDE = 60
"""Cells from which the detail stands beside the label."""
_SPACIOUS = 16
"""Lines of the window from which the words stand apart."""


def greeting(height: int) -> Content:
    """What this is; in a low window the first line alone."""
    first = Content.styled("What your assistants know about you.", ink.STRONG)
    if height < _SPACIOUS:
        return first
    return Content.assemble(
        first, "\nIt stays in one file on this machine, and you see, find, correct and erase it.\n"
    )


def way(shown: Way, width: int, *, focused: bool) -> Content:
    """One button: a sign, not colour alone, shows which one enter presses."""
    sign = "▸ " if focused else "  "
    label = Content.styled(f"{sign}{shown.label}", ink.STRONG if focused else ink.PLAIN)
    if width < _BESIDE:
        return label
    beside = Content.styled(shown.detail, ink.DIM)
    return spread(Content.assemble(label.pad_right(_LABEL - label.cell_length), beside),
                  Content(""), width)  # fmt: skip


def note(shown: Way, width: int, height: int) -> Content:
    """The detail where it does not stand beside, and the promise that nothing else is needed."""
    lines = [] if width >= _BESIDE else [Content.styled(f"{shown.detail}.", ink.PLAIN)]
    if height >= _SPACIOUS:
        lines.append(Content(""))
    lines.append(Content.styled(
        "No network, account or key is needed. Search by meaning joins by itself in a moment.",
        ink.DIM))  # fmt: skip
    return Content("\n").join(lines)
