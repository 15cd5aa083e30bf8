"""The frame around the content: footer, help, the note of a window that is too small."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textual.content import Content

from localmem.tui.actions import (
    Action,
    Group,
    Place,
    keys_label,
    short_label,
)
from localmem.tui.keymap import Keymap
from localmem.tui.present import ink
from localmem.tui.present.words import hanging

_ALWAYS = 90
"""From this rank on a key stands in the footer of any width: there is always a way out."""
_ROOMY = 64
"""Columns from which a key and its sentence share a line of help."""
SMALLEST = (36, 9)
"""Columns and rows below which the app only says so."""


class Key(NamedTuple):
    """One entry of the footer and the cells it covers, for the mouse."""

    action: Action
    start: int
    end: int
    line: int = 0


_SAVING = " ◐ saving… "


def footer(
    actions: Sequence[Action], width: int, lines: int = 1, *, saving: bool = False
) -> tuple[Content, tuple[Key, ...]]:
    """The keys that fit, the last ones of the table (help, palette) always among them.

    While a save waits that is said before them.
    """
    rows = [Content.styled(_SAVING if saving else "", ink.ALERT)]
    keys: list[Key] = []
    at = rows[0].cell_length
    for action in _fitting(actions, width - at) if lines == 1 else actions:
        if at and at + _width(action) > width:
            if len(rows) == lines:
                break
            rows.append(Content(""))
            at = 0
        key, label = f" {short_label(action.keys[0])}", f" {action.label} "
        keys.append(Key(action, at, at + _width(action), len(rows) - 1))
        rows[-1] = Content.assemble(rows[-1], (key, ink.NAME), (label, ink.DIM))
        at += _width(action)
    return Content("\n").join(row.truncate(max(width, 0)) for row in rows), tuple(keys)


def _fitting(actions: Sequence[Action], width: int) -> list[Action]:
    kept = [action for action in actions if action.rank >= _ALWAYS]
    room = width - sum(_width(action) for action in kept)
    first: list[Action] = []
    for action in actions:
        if action.rank < _ALWAYS and _width(action) <= room:
            first.append(action)
            room -= _width(action)
    return first + kept


def _width(action: Action) -> int:
    return len(short_label(action.keys[0])) + len(action.label) + 3


def help_lines(here: Iterable[Place], width: int, keys: Keymap | None = None) -> Content:
    """The keys of the focused place first, then every key there is; the person's own, when told."""
    keys = keys or Keymap()
    places = list(here)
    lines: list[Content] = []
    seen: set[str] = set()
    for place in places:
        lines += _help_part(f"Keys in {place}", keys.of_place(place), seen, width)
    for group in Group:
        rest = [action for action in keys.actions if action.group is group]
        lines += _help_part(f"{group}", rest, seen, width)
    lines += [
        Content.styled("Search grammar", ink.NAME),
        Content("  scope:contact:ana  kind:fact  in:orders  by:shop-agent"),
        Content('  before:2026-01  after:yesterday  "exact words"  -without'),
    ]
    return Content("\n").join(lines)


def _help_part(title: str, actions: Sequence[Action], seen: set[str], width: int) -> list[Content]:
    fresh = [action for action in actions if action.id not in seen]
    seen.update(action.id for action in fresh)
    if not fresh:
        return []
    lines = [Content.styled(title, ink.NAME)]
    for action in fresh:
        keys = Content.styled(f"  {keys_label(action)}", ink.STRONG)
        if width < _ROOMY:
            lines.append(Content.assemble(keys, f"  {action.label}"))
            lines += hanging(Content(""), Content.styled(action.help, ink.DIM), 4, width)
        else:
            said = Content.assemble(f"{action.label}  ", (action.help, ink.DIM))
            lines += hanging(keys, said, 16, width)
    return [*lines, Content("")]


def too_small(width: int, height: int) -> str:
    """What stands in a window that holds nothing else."""
    return f"localmem needs {SMALLEST[0]}x{SMALLEST[1]}; this is {width}x{height}"
