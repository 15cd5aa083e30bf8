"""The palette: every action of this place by name, and every scope and collection to jump to."""

from __future__ import annotations

from typing import Any

from textual.app import App

from localmem.tui import jobs
from localmem.tui.actions import Action, Group, Place, key_label
from localmem.tui.desk import contained
from localmem.tui.keymap import Keymap
from localmem.tui.present.places import Spot
from localmem.tui.screens.base import Screenful
from localmem.tui.screens.choose import Choice, ChooseScreen
from localmem.tui.screens.library import LibraryScreen


def choices(
    here: tuple[Place, ...], places: tuple[Spot, ...], keys: Keymap | None = None
) -> list[Choice]:
    """What the palette offers; moving about is left to the keys."""
    keys = keys or Keymap()
    found: dict[str, Action] = {}
    for place in (*here, Place.APP):
        for action in keys.of_place(place):
            if action.group is not Group.MOVE and action.id not in ("palette", "leave"):
                found[action.id] = action
    offered = [
        Choice(action.label, action, action.help, key_label(action.keys[0]) if action.keys else "")
        for action in found.values()
    ]
    return offered + [Choice(spot.title, spot, spot.detail, "go") for spot in places]


async def open_palette(app: App[Any], screen: Screenful[Any], library: LibraryScreen) -> None:
    """Ask, then do it where the person was."""
    with contained(app):
        focused = screen.focused
        at_library = screen is library
        known = library.desk.seen.status
        tree = jobs.tree(known.conflicts if known else 0)
        spots = await library.desk.bridge.read(tree) if at_library else ()
        offered = choices(screen.here(), spots, screen.desk.keys)
        chosen = await app.push_screen_wait(ChooseScreen(library.desk, "Palette", offered))
        if isinstance(chosen, Spot):
            library.visit(chosen)
        elif isinstance(chosen, Action):
            screen.opened()
            await _do(app, chosen, screen, focused)


async def _do(app: App[Any], action: Action, screen: Screenful[Any], focused: object) -> None:
    for target in (focused, screen, app):
        if hasattr(target, f"action_{action.id}"):
            await app.run_action(action.id, default_namespace=target)  # type: ignore[arg-type]
            return
