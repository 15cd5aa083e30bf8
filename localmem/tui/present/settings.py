"""Settings as rows and as what is said about them: values, where they come from, what a choice
does. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from localmem.core.visible import visible
from localmem.tui.actions import Action, key_label, keys_label
from localmem.tui.keymap import Keymap
from localmem.tui.present import ink
from localmem.tui.present.words import count, spread

if TYPE_CHECKING:
    from localmem.config.book import Entry
    from localmem.core.syncing import Status

_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")
_NAME, _KEYS = 9, 16

FLOORS = ((0.0, "hides nothing"), (0.3, "the default"), (0.45, "for whoever wants no false hit"))
SYMBOLS = (("auto", "decided by the terminal"), ("unicode", "icons, bars and arrows"),
           ("ascii", "letters and signs that every terminal has"))  # fmt: skip
MODELS = (
    ("bundled", "comes with localmem, works offline, sixteen languages"),
    ("quality", "finds more, slower; pip install localmem[quality]"),
    ("none", "words alone; nothing is embedded"),
    ("openai:", "an endpoint such as Ollama; you write openai:MODEL@URL"),
    ("fastembed:", "a model of the fastembed package; you write fastembed:MODEL"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list of settings."""

    key: str
    value: str
    source: str
    about: str


def lines(entries: Sequence[Entry], keys: Keymap) -> list[Line]:
    """The settings, and the keys as one of them; the account's have a place of their own."""
    found = [
        Line(each.key, value(each.value), source(each), each.meaning)
        for each in entries
        if each.kind != "keys" and "." not in each.key
    ]
    own = f"{len(keys.own)} of your own" if keys.own else "the app's own"
    told = "Every action and its keys; give one a key by pressing it."
    if keys.problems:
        told += "\n\nPassed over:\n" + "\n".join(f"▲ {each}" for each in keys.problems)
    return [*found, Line("keys", own, "config.toml" if keys.own else "default", told)]


def account_line(status: Status | None) -> Line:
    """The account among the settings; `enter` on it signs in or out."""
    account = status.account if status is not None else None
    told = "What keeps this library in step with your other devices; nothing is sent before."
    if account is None:
        return Line("account", "nobody is signed in", "default", told)
    return Line("account", visible(account.label), "signed in", f"{told}\n\n{visible(account.url)}")


def value(held: object) -> str:
    """A value as it may be shown: an endpoint's address may carry a password."""
    text = f"{held:g}" if isinstance(held, float) else str(held)
    return visible(_CREDENTIALS.sub("…@", text))


def source(entry: Entry) -> str:
    return entry.variable if entry.source == "environment" else str(entry.source)


def row(line: Line, width: int) -> Content:
    left = Content.assemble((f"{line.key:<{_NAME}}", ink.NAME), (line.value, ink.STRONG))
    dim = "" if line.source == "default" else line.source
    return spread(left, Content.styled(dim, ink.DIM), width - 1)


def about(line: Line) -> Content:
    return Content.assemble(
        (line.key, ink.NAME), "  ", (line.value, ink.STRONG), "\n\n", line.about, "\n\n",
        (f"from       {line.source}", ink.DIM),
    )  # fmt: skip


def consequence(choice: str, waiting: int) -> Content:
    """What another model does, said before it is done."""
    named = value(choice)
    if choice == "none":
        said = ("Search goes by words alone. What was embedded is kept for the day you want it "
                "back.")  # fmt: skip
    elif not waiting:
        said = "Everything you keep is embedded with it already."
    else:
        said = (f"{count(waiting, 'memory is', 'memories are')} embedded with it in the "
                "background. Words find them meanwhile, and you may go on as always.")  # fmt: skip
    if choice.startswith("openai:"):
        said += " Their text is sent to that address."
    if choice.startswith("fastembed:"):
        said += " Its first use needs the network."
    return Content.assemble("Use ", (named, ink.STRONG), f"? {said}")


def action_row(action: Action, keys: Keymap, width: int) -> Content:
    own = "yours" if action.id in keys.own else ""
    left = Content.assemble(
        (f"{keys_label(action) if action.keys else '-':<{_KEYS}}", ink.STRONG), " ", action.label
    )
    return spread(left, Content.styled(own, ink.DIM), width - 1)


def about_action(action: Action, keys: Keymap) -> Content:
    places = ", ".join((*action.places, *action.beside))
    wrong = [each for each in keys.problems if f" {action.id} " in f"{each} ".replace(":", " ")]
    return Content.assemble(
        (action.label, ink.NAME), "\n\n", action.help, "\n\n",
        (f"where      {places}\nname       {action.id}", ink.DIM),
        *(Content.assemble("\n\n", ("▲ ", ink.ALERT), visible(each)) for each in wrong),
    )  # fmt: skip


def pressed(action: Action, problem: str, key: str) -> Content:
    """The question for a key, and why the last one cannot be."""
    lines = [Content.assemble("Press the new key for ", (action.label, ink.STRONG), ".  ",
                              ("esc", ink.NAME), f" keeps {keys_label(action)}.")]  # fmt: skip
    if problem:
        lines += [Content(""), Content.assemble(("▲ ", ink.BAD), (key_label(key), ink.STRONG),
                                                f"  {visible(problem)}")]  # fmt: skip
    return Content("\n").join(lines)
