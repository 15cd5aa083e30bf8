"""Curves as a small SVG that can be read on a light and on a dark page.

Refuses what it is not for: axes run from 0 to 1, a line is a list of points on them, and no text
but its own labels goes in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 20, 96
INK = "#808080"
COLOURS = ("#2f7ed8", "#d2691e", "#2e9e5b", "#9b59b6", "#c0392b")
"""Each at least 3:1 against white and against black."""


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    points: Sequence[tuple[float, float]]
    colour: int
    dashed: bool = False


def drawn(title: str, across: str, lines: Sequence[Line], marks: Sequence[float] = ()) -> str:
    """The picture; `across` names the horizontal axis, `marks` are vertical lines on it."""
    parts = [*_axes(across), *map(_mark, marks), *map(_line, lines), *_legend(lines)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}">\n'
        f"<title>{escape(title)}</title>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def _x(value: float) -> float:
    return round(LEFT + value * (WIDTH - LEFT - RIGHT), 1)


def _y(value: float) -> float:
    return round(HEIGHT - BOTTOM - value * (HEIGHT - TOP - BOTTOM), 1)


def _axes(across: str) -> Iterator[str]:
    for tenth in range(0, 11, 2):
        at = tenth / 10
        yield (
            f'<line x1="{_x(0)}" x2="{_x(1)}" y1="{_y(at)}" y2="{_y(at)}" stroke="{INK}" '
            'stroke-opacity="0.3"/>'
        )
        yield f'<text x="{_x(0) - 8}" y="{_y(at) + 4}" text-anchor="end">{tenth * 10}%</text>'
        yield f'<text x="{_x(at)}" y="{_y(0) + 16}" text-anchor="middle">{at:.1f}</text>'
    yield f'<text x="{_x(0.5)}" y="{_y(0) + 32}" text-anchor="middle">{escape(across)}</text>'


def _mark(at: float) -> str:
    return (
        f'<line x1="{_x(at)}" x2="{_x(at)}" y1="{_y(0)}" y2="{_y(1)}" stroke="{INK}" '
        'stroke-dasharray="2 4"/>'
    )


def _line(line: Line) -> str:
    points = " ".join(f"{_x(x)},{_y(y)}" for x, y in line.points)
    return f'<polyline points="{points}" fill="none" {_stroke(line)}/>'


def _stroke(line: Line) -> str:
    dashes = ' stroke-dasharray="6 4"' if line.dashed else ""
    return f'stroke="{COLOURS[line.colour]}" stroke-width="2"{dashes}'


def _legend(lines: Sequence[Line]) -> Iterator[str]:
    for number, line in enumerate(lines):
        x, y = LEFT + number % 2 * 300, HEIGHT - 44 + number // 2 * 18
        yield f'<line x1="{x}" x2="{x + 26}" y1="{y - 4}" y2="{y - 4}" {_stroke(line)}/>'
        yield f'<text x="{x + 32}" y="{y}">{escape(line.name)}</text>'
