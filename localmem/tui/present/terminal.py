"""The terminal check as it looks: what is known, what was pressed, and the ruler's heading."""

from __future__ import annotations

from textual.content import Content

from localmem.core.terminal import Symbols, Terminal
from localmem.core.visible import visible
from localmem.tui.actions import Action
from localmem.tui.keymap import Keymap
from localmem.tui.present import ink
from localmem.tui.present.words import table

_DRAWN = {
    Symbols.UNICODE: "everything as it is",
    Symbols.STEADY: "our signs as they are; joined emoji, flags and keycaps as one plain sign",
    Symbols.ASCII: "our signs in ASCII; joined emoji, flags and keycaps as one plain sign",
}
RULER = "The bars below stand in one line where this terminal counts as the app does:"


def page(
    terminal: Terminal,
    setting: str,
    size: tuple[int, int],
    pressed: Content,
    width: int,
    keys: Keymap,
) -> Content:
    """Everything but the ruler."""
    symbols = terminal.symbols(setting)
    rows = [
        ("pressed", pressed),
        ("terminal", Content(_named(terminal))),
        ("size", Content(f"{size[0]} columns, {size[1]} rows")),
        ("colours", Content(_colours(terminal))),
        ("symbols", Content(f"{setting}: {_DRAWN[symbols]}")),
        ("copying", Content(copying(terminal))),
        ("mouse", Content("click anywhere: it is shown above when it arrives")),
    ]
    switch = Content.assemble(
        (keys.label("open"), ink.NAME), f" sets symbols to {other(setting, terminal)}; ",
        (keys.label("back"), ink.NAME), " goes back.",
    )  # fmt: skip
    head = Content.assemble("Press any key: its name is shown, and what it does here. ", switch)
    return Content("\n").join([head, Content(""), *table(rows, width), Content(""), Content(RULER)])


def other(setting: str, terminal: Terminal) -> str:
    """What the key sets: the opposite of what holds."""
    return "unicode" if terminal.symbols(setting) is Symbols.ASCII else "ascii"


def key(name: str, character: str | None, actions: tuple[Action, ...]) -> Content:
    """A key that arrived and every action that has it."""
    typed = f" (types {visible(character)})" if character and character.isprintable() else ""
    labels = ", ".join(dict.fromkeys(action.label for action in actions)) or "no action"
    return Content.assemble((visible(name), ink.STRONG), f"{typed}: {labels}")


def _named(terminal: Terminal) -> str:
    told = (terminal.name or "TERM is not set", terminal.program, *terminal.inside)
    parts = dict.fromkeys(told)
    where = "another machine, over SSH" if terminal.remote else "this machine"
    utf8 = "UTF-8" if terminal.utf8 else "not UTF-8"
    return visible(" · ".join([*(part for part in parts if part), where, utf8]))


def _colours(terminal: Terminal) -> str:
    if terminal.no_color:
        return "none: NO_COLOR is set"
    return {"none": "none", "16": "16", "256": "256"}.get(terminal.colours, "true colour")


def copying(terminal: Terminal) -> str:
    """The ways that are tried, in order."""
    ways = [tool.name for tool in terminal.clipboard.tools]
    if terminal.clipboard.tmux:
        ways.append("tmux's buffer")
    wrapped = ", wrapped for screen" if terminal.clipboard.in_screen else ""
    return ", then ".join([*ways, f"an escape code to the terminal{wrapped}"])
