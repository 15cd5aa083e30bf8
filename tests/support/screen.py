"""The app as text: what stands on its screen, and snapshots of it.

`LOCALMEM_UPDATE_SNAPSHOTS=1 pytest tests/tui` writes the pictures anew; look at them before they
are committed. A snapshot is never the only assertion of a test.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from textual.app import App

UPDATE = "LOCALMEM_UPDATE_SNAPSHOTS"


def lines(app: App[Any]) -> list[str]:
    """The rows of the window as the terminal gets them, styles left out."""
    compositor = app.screen._compositor
    width, height = app.size
    strips = compositor.render_strips(app.size) if width and height else []
    return ["".join(segment.text for segment in strip) for strip in strips]


def text(app: App[Any]) -> str:
    return "\n".join(line.rstrip() for line in lines(app)) + "\n"


def overflowing(app: App[Any]) -> list[str]:
    """Rows that are wider than the window."""
    return [line for line in lines(app) if cell_len(line) > app.size.width]


def wrong(app: App[Any]) -> list[str]:
    """Rows that are too wide for the window or hold what no terminal may be sent."""
    from localmem.core.visible import hidden

    width = app.size.width
    return [line for line in lines(app) if cell_len(line) > width or hidden(line)]


def hostile(app: App[Any]) -> set[str]:
    """Characters on the screen that a terminal would obey or nobody could see."""
    from localmem.core.visible import hidden

    return {kind for line in lines(app) for kind in hidden(line)}


def matches(picture: str, file: Path) -> None:
    """Compare with the stored picture, or store it when asked to."""
    if os.environ.get(UPDATE):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(picture, "utf-8")
        return
    assert file.exists(), f"no picture yet: run with {UPDATE}=1 and look at {file.name}"
    assert picture == file.read_text("utf-8"), f"the screen no longer looks like {file.name}"
