"""Glyphs whose width terminals disagree on, each with a bar behind it that shows whether they do.

Pure data and one function: `localmem terminal` prints the ruler and the app draws it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

GLYPHS: Final = (
    ("letter", "a"),
    ("circled digit", "\u2460"),
    ("our own signs", "\u25c6\u25cf\u25a4\u2587"),
    ("Chinese", "\u65e5\u672c"),
    ("emoji", "\U0001f600"),
    ("emoji style", "\U0001f441\ufe0f"),
    ("skin tone", "\U0001f44d\U0001f3fd"),
    ("keycap", "1\ufe0f\u20e3"),
    ("flag", "\U0001f1e7\U0001f1f7"),
    ("family", "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"),
    ("20 marks", "e" + "\u0301" * 20),
    ("zero width", "a\u200bb"),
)
_NAME, _ROOM = 15, 6


def lines(width: Callable[[str], int]) -> list[str]:
    """One line a glyph; the bars stand in line where the terminal counts as `width` does."""
    return [f"{name:<{_NAME}}{glyph}{' ' * (_ROOM - width(glyph))}|" for name, glyph in GLYPHS]
