"""The app's own themes, dark and light, with every text at a contrast of 4.5 or more (see its test).

Textual brings the others. None is chosen by the terminal's background: too few terminals tell it.
"""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

LOCALMEM: Final = Theme(
    name="localmem",
    primary="#7AA2F7",
    secondary="#9ECE9A",
    accent="#F2B56B",
    foreground="#D8DEE9",
    background="#12151C",
    surface="#171B24",
    panel="#202634",
    success="#8FCB9B",
    warning="#E8C26E",
    error="#F07B7B",
    dark=True,
    variables={
        "border": "#7AA2F7",
        "border-blurred": "#323B4E",
        "footer-background": "#171B24",
        "foreground-muted": "#9BA3B3",
        "input-selection-background": "#7AA2F7 35%",
        "block-cursor-text-style": "bold",
    },
)
"""Warm accents on ink blue."""

LIGHT: Final = Theme(
    name="localmem-light",
    primary="#2B59C3",
    secondary="#2F6B3A",
    accent="#8F4F00",
    foreground="#262B36",
    background="#FBF9F4",
    surface="#F3F0E8",
    panel="#E7E2D6",
    success="#1A5C39",
    warning="#6E4600",
    error="#A3211C",
    dark=False,
    variables={
        "border": "#2B59C3",
        "border-blurred": "#C9C2B2",
        "footer-background": "#F3F0E8",
        "foreground-muted": "#50565F",
        "input-selection-background": "#2B59C3 25%",
        "block-cursor-text-style": "bold",
    },
)
"""The same warmth on paper."""

OURS: Final = (LOCALMEM, LIGHT)
