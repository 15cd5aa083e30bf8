"""The first screen in words: the ways to begin, and what needs no doing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from textual.content import Content

from localmem.tui.present import ink
from localmem.tui.present.words import spread


class Begin(StrEnum):
    EMPTY = "empty"
    DEMO = "demo"
    BRING = "bring"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Way:
    begin: Begin
    label: str
    detail: str


_GO_ON = Way(Begin.EMPTY, "Your library", "go on where you were")
_DEMO = Way(Begin.DEMO, "Try the demo", "a made-up library to play with; nothing is kept")
_BRING = Way(Begin.BRING, "Bring memories", "from a file: an assistant's export, a list, JSON")
_SERVER = Way(Begin.SERVER, "From a server", "sign in to an account that has them already")
_LABEL = 18
"""Cells for a sign and a label."""
_BESIDE = 60
"""Cells from which the detail stands beside the label."""
SPACIOUS = 16
"""Lines of the window from which the words stand apart."""


def ways(key: Callable[[str], str], *, empty: bool, server: bool = False) -> tuple[Way, ...]:
    """What is offered, the harmless one first; `empty` is the library, `key` an action's key.

    `server` is whether it can be kept in step with an account.
    """
    first = f"press {key('new')}, write one thing down, find it with {key('search')}"
    start = Way(Begin.EMPTY, "Start empty", first)
    found = (start if empty else _GO_ON, _DEMO, _BRING)
    return (*found, _SERVER) if server else found


def greeting() -> Content:
    """What this is; a low window has no room for it beside what can be done."""
    return Content.assemble(
        ("What your assistants know about you.", ink.STRONG),
        "\nIt stays in one file on this machine, and you see, find, correct and erase it.\n",
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
    spacious = height >= SPACIOUS
    lines = [Content("")] if spacious else []
    if width < _BESIDE:
        lines += [Content(f"{shown.detail[0].upper()}{shown.detail[1:]}."), *lines]
    if spacious:
        promise = "No network, account or key is needed; search by meaning joins by itself."
    else:
        promise = "No network, no key; search by meaning joins by itself."
    lines.append(Content.styled(promise, ink.DIM))
    return Content("\n").join(lines)
