"""Copying as the app does it: beside everything else, and said when it is done."""

from __future__ import annotations

from typing import Any

from textual.app import App

from localmem.tui import clipboard
from localmem.tui.desk import Desk, contained, say, start


def start_copying(app: App[Any], desk: Desk, text: str, *, way_on: str = "") -> None:
    """Copy, and say what came of it; `way_on` is what else the person can do."""

    def send(code: str) -> None:
        if app._driver is not None:
            app._driver.write(code)

    async def copy() -> None:
        with contained(app):
            outcome = await clipboard.copy(text, desk.terminal.clipboard, send)
            say(app, clipboard.told(outcome, way_on=way_on or clipboard.ANOTHER_WAY))

    app._clipboard = text  # what ctrl+v brings back in our own fields
    start(app, "copy", copy, replace=False)
