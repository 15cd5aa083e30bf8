"""Undo: one key, and a question only where taking back would erase something for good."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from localmem.engine.outcomes import NothingToUndo, Undone, UndoPreview
from localmem.tui.desk import say
from localmem.tui.present import changes
from localmem.tui.present.words import some
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.base import Screenful


async def take_back(screen: Screenful[Any]) -> Undone | None:
    """Take back the last change and say which; None when nothing was."""
    bridge = screen.desk.bridge
    preview = await bridge.read(lambda engine: engine.versions.undo_preview())
    if isinstance(preview, NothingToUndo):
        say(screen.app, preview.why)
        return None
    if preview.erases and not await screen.app.push_screen_wait(_question(screen, preview)):
        return None
    seq = preview.seq
    result = await bridge.write(lambda engine: engine.versions.undo(seq))
    say(screen.app, changes.undone(result, preview.items))
    return result if isinstance(result, Undone) else None


def _question(screen: Screenful[Any], preview: UndoPreview) -> AskScreen:
    lines = [Content(f"You {preview.label}. Taking that back erases it for good:"), Content("")]
    lines += some(preview.items, preview.count)
    return AskScreen(
        screen.desk,
        "Take it back?",
        Content("\n").join(lines),
        yes="Take it back",
        no="Keep it",
    )
