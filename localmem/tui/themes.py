"""The app's own themes, dark and light: every text at a contrast of 4.5 or more, as a test holds.

Textual brings the others. None is chosen by the terminal's background: too few terminals tell it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.color import Color
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

READABLE: Final = 4.5
"""WCAG's contrast for text."""


def worn(name: str, *, dark: bool, no_color: bool) -> str:
    """The theme that can be read: without colour the terminal's own are black on black (FR-84)."""
    if no_color and name.startswith("ansi-"):
        return LOCALMEM.name if dark else LIGHT.name
    return name


def muted(variables: Mapping[str, str]) -> str:
    """Text of less weight that can still be read on every ground of a theme.

    Textual takes six tenths of the foreground whatever the theme, which on a pale one is too faint.
    """
    color = Color.parse(variables["foreground"])
    if color.ansi is not None or color.a < 1:
        return variables["foreground-muted"]
    grounds = [Color.parse(variables[name]) for name in ("background", "surface", "panel")]
    for share in (0.6, 0.7, 0.8, 0.9):
        if all(contrast(ground.blend(color, share), ground) >= READABLE for ground in grounds):
            return color.with_alpha(share).hex
    return color.hex


def contrast(one: Color, other: Color) -> float:
    """WCAG's ratio of two opaque colours, from 1 to 21."""
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def _light(color: Color) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (each / 255 for each in color.rgb)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


OURS: Final = (LOCALMEM, LIGHT)
