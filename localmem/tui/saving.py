"""The sign that a save waits: another program holds the library, or the disk is slow.

Refuses to flicker: what is saved at once, as nearly always, shows nothing.
"""

from __future__ import annotations

from typing import Any, Final

from textual.app import App

from localmem.tui.widgets.chrome import Footer

SHOWN_AFTER: Final = 0.3
"""Seconds a save may take without a word."""


def show_saving(app: App[Any], saving: bool) -> None:
    """A save of the person's began, or the last one that was under way is done."""
    for footer in (each for screen in app.screen_stack for each in screen.query(Footer)):
        if saving:
            footer.save_soon(SHOWN_AFTER)
        else:
            footer.saved()
