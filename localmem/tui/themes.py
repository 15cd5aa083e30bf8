"""The app's own theme: dark, warm accents on ink blue, every text at a contrast of 4.5 or more."""

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
        "input-selection-background": "#7AA2F7 35%",
        "block-cursor-text-style": "bold",
    },
)
