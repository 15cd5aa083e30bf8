"""`localmem terminal`: what is known of this terminal without opening the app."""

from __future__ import annotations

import shutil
import sys
import unicodedata

import click

from localmem.cli import columns
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core import ruler
from localmem.core.terminal import understand
from localmem.core.visible import visible
from localmem.wire.shapes import Shape

_JOINER = "\u200d"


@command("terminal", examples=["localmem terminal", "localmem terminal --json | jq .symbols"])
@click.pass_obj
def terminal(session: Session) -> None:
    """Show what this terminal can draw, and where a copy goes.

    The bars of the ruler stand in one line where the terminal counts widths as the app does. Where
    they do not, `localmem config set symbols ascii` keeps borders straight.
    """
    home = session.home()
    known = understand(home.environment, sys.platform, lambda name: shutil.which(name) is not None)
    symbols = known.symbols(home.settings.symbols)
    tools = [tool.name for tool in known.clipboard.tools]
    if known.clipboard.tmux:
        tools.append("tmux")
    rows = [
        ["terminal", visible(" ".join((known.name, known.program, *known.inside)).strip())],
        ["remote", "yes" if known.remote else "no"],
        ["utf-8", "yes" if known.utf8 else "no"],
        ["colours", known.colours],
        ["symbols", f"{symbols} ({home.settings.symbols})"],
        ["copying", ", ".join([*tools, "escape code"])],
    ]
    lines = [*columns.lines(rows, room=None), "", *ruler.lines(_width)]
    shape: Shape = {
        "term": known.name,
        "program": known.program,
        "inside": list(known.inside),
        "remote": known.remote,
        "utf8": known.utf8,
        "colours": str(known.colours),
        "symbols": str(symbols),
        "setting": home.settings.symbols,
        "clipboard": [*tools, "osc52"],
    }
    session.answer(shape, lines)


def _width(glyph: str) -> int:
    """Cells of one glyph of the ruler, as the app counts them."""
    if _JOINER in glyph or "\ufe0f" in glyph or "\U0001f1e6" <= glyph[0] <= "\U0001f1ff":
        return 2
    if any("\U0001f3fb" <= each <= "\U0001f3ff" for each in glyph):
        return 2
    return sum(
        0 if unicodedata.category(each) in ("Mn", "Cf") else
        2 if unicodedata.east_asian_width(each) == "W" else 1
        for each in glyph
    )  # fmt: skip
