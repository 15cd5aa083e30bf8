"""The last look at what goes to the terminal: signs it cannot draw, or not in the width we count.

One filter over everything that is drawn, borders and fields and toasts alike, so that no screen
needs to know. It never changes how many cells a text takes, and never a text that is kept, read or
copied.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter

from localmem.core.terminal import Symbols
from localmem.core.visible import steady
from localmem.tui.present.signs import ASCII

_DOUBTFUL = "A"
"""Unicode's word for characters that are one or two cells wide, by the terminal's taste."""


def drawn(text: str, symbols: Symbols) -> str:
    """The text as it may reach the terminal, as wide as before."""
    if symbols is Symbols.UNICODE or text.isascii():
        return text
    shown = steady(text, cell_len)
    return shown if symbols is Symbols.STEADY else _in_ascii(shown)


def _in_ascii(text: str) -> str:
    """Our signs in ASCII; the letters of any language stay."""
    text = text.translate(ASCII)
    return text if text.isascii() else "".join(map(_certain, text))


@cache
def _certain(character: str) -> str:
    if unicodedata.east_asian_width(character) != _DOUBTFUL:
        return character
    if unicodedata.category(character)[0] in "LM":
        return character
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 and plain.isascii() else "?"


class Drawn(LineFilter):
    """Draws everything as far as the terminal is trusted."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(enabled=symbols is not Symbols.UNICODE)
        self._symbols = symbols

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment
            if segment.control or segment.text.isascii()
            else Segment(drawn(segment.text, self._symbols), segment.style)
            for segment in segments
        ]


@cache
def filter_for(symbols: Symbols) -> Drawn:
    """One for each: what was drawn through it is kept by who it was."""
    return Drawn(symbols)


def redraw(app: App[Any]) -> None:
    """Draw everything again after another choice."""
    for screen in app.screen_stack:
        for widget in screen.walk_children(with_self=True):
            widget.refresh()
