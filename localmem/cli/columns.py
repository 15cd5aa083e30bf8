"""Text in columns: how wide it is in a terminal, cutting it, lining it up. Pure.

Counts cells, not characters: Han and emoji take two, combining marks none. Refuses to look at
what the text says; cleaning it is `core.visible`'s duty and done before.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence

ELLIPSIS = "…"
GAP = "  "

_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
Styles = Sequence[Callable[[str], str] | None]


def width(text: str) -> int:
    """Cells of `text`."""
    return len(text) if text.isascii() else sum(cells for _, cells in _clusters(text))


def cut(text: str, room: int) -> str:
    """`text` in at most `room` cells, with an ellipsis where something is left out."""
    if width(text) <= room:
        return text
    if room < 1:
        return ""
    kept, used = "", 0
    for cluster, cells in _clusters(text):
        if used + cells > room - 1:
            break
        kept, used = kept + cluster, used + cells
    return kept.rstrip() + ELLIPSIS


def lines(
    rows: Sequence[Sequence[str]],
    *,
    room: int | None,
    styles: Styles = (),
    widest: int = 24,
) -> list[str]:
    """Rows of cells as aligned lines; the last cell of a row takes what is left of `room`.

    None cuts nothing. Other columns are as wide as their widest cell, at most `widest` when there
    is a limit. `styles` paint a cell after it was measured, by column; None leaves it as it is.
    """
    if room is not None:
        rows = [[*(cut(cell, widest) for cell in row[:-1]), row[-1]] for row in rows]
    columns = max((len(row) for row in rows), default=0)
    widths = [max((width(r[n]) for r in rows if n < len(r) - 1), default=0) for n in range(columns)]
    return [_line(row, widths, room, styles) for row in rows]


def _line(row: Sequence[str], widths: Sequence[int], room: int | None, styles: Styles) -> str:
    *fixed, last = row
    used = sum(widths[n] + len(GAP) for n in range(len(fixed)))
    if room is not None:
        last = cut(last, max(room - used, 8))
    cells = [_painted(cell, n, styles) + " " * (widths[n] - width(cell))
             for n, cell in enumerate(fixed)]  # fmt: skip
    return GAP.join([*cells, _painted(last, len(fixed), styles)]).rstrip()


def _painted(cell: str, column: int, styles: Styles) -> str:
    style = styles[column] if column < len(styles) else None
    return style(cell) if style and cell else cell


def _clusters(text: str) -> Iterator[tuple[str, int]]:
    """What a terminal puts in one place, with its cells: a letter with its marks, an emoji."""
    cluster, cells = "", 0
    for character in text:
        joined = cluster.endswith(_JOINER)
        taken = _cells(character)
        if cluster and (joined or taken == 0):
            cluster += character
            if character == _EMOJI_STYLE or (joined and taken == 2):
                cells = 2
        else:
            if cluster:
                yield cluster, cells
            cluster, cells = character, taken
    if cluster:
        yield cluster, cells


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
