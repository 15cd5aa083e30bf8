"""The one table of what a key does; bindings, footer, palette, help and README derive from it.

Refuses surprises: a key means the same in every place where it means something (a test holds the
table to that), and nothing hangs on a key that some terminals never send (FR-85).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from textual.binding import Binding, BindingType


class Place(StrEnum):
    """Where a key can be pressed, named as help calls it."""

    APP = "everywhere"
    LIBRARY = "browsing"
    SEARCH = "the search box"
    RESULTS = "results"
    ROWS = "lists"
    PREVIEW = "the preview"
    FORM = "editing"
    HISTORY = "the history"
    SIDES = "two versions at once"
    ASK = "a question"
    CHOICE = "choosing"
    PAGE = "help and receipts"


class Group(StrEnum):
    FIND = "Find"
    CHANGE = "Change"
    LOOK = "Look"
    MOVE = "Move"
    APP = "App"


@dataclass(frozen=True, slots=True)
class Action:
    id: str
    """Names the binding in a keymap, and the method `action_<id>` that does it."""
    keys: tuple[str, ...]
    """As Textual names them; the first one is shown. None at all: the palette alone offers it."""
    label: str
    """Two words at most: the footer."""
    help: str
    """One sentence: tooltip, palette and help."""
    places: tuple[Place, ...]
    group: Group
    rank: int = 0
    """Footer order, lowest first; 0 keeps it out of the footer."""
    everywhere_first: bool = False
    """True for keys that no widget may take first: there is always a way out."""
    beside: tuple[Place, ...] = ()
    """Places where the widget itself handles the key: listed in help, bound by the widget."""
    named: tuple[tuple[Place, str], ...] = ()
    """What it is called in the footer of a place, ranked or not; "" keeps it out of that one."""


_L, _S, _R, _P = Place.LIBRARY, Place.SEARCH, Place.ROWS, Place.PREVIEW
_N = Place.RESULTS
_F, _H, _2 = Place.FORM, Place.HISTORY, Place.SIDES
_ASK, _C, _PAGE = Place.ASK, Place.CHOICE, Place.PAGE
_ALL_BUT_APP = (_L, _F, _H, _2, _ASK, _C, _PAGE)

ACTIONS: tuple[Action, ...] = (
    Action("search", ("slash",), "search",
           "Find anything by its words or its meaning, as you type.", (_L,), Group.FIND, 1),
    Action("more", ("plus",), "more hits",
           "Show the close hits below the floor as well, or hide them again.", (_N,),
           Group.FIND, 8),
    Action("why", ("w",), "why",
           "Explain a result: which words it holds, how near its meaning is, where the floor "
           "lies.", (_N,), Group.FIND, 9),
    Action("open", ("enter",), "open",
           "Look at what the cursor is on; in a question, do what the button says.",
           (_R, _S), Group.FIND, beside=(_ASK, _C),
           named=((_S, "results"), (_ASK, "do it"), (_C, "choose"))),
    Action("new", ("n",), "new",
           "Keep something new: a fact, a preference or a document.", (_L,), Group.CHANGE, 2),
    Action("edit", ("e",), "edit",
           "Change what the cursor is on; the old version stays in its history.", (_L, _2),
           Group.CHANGE, 3),
    Action("forget", ("f",), "forget",
           "Erase it with every version, for good; says first what goes.", (_L,),
           Group.CHANGE, 4),
    Action("restore", ("r",), "restore",
           "Bring this version back as a new one.", (_H,), Group.CHANGE, 1),
    Action("undo", ("u",), "undo",
           "Take back the last change; only forgetting cannot be undone.", (_L, _H),
           Group.CHANGE, 7),
    Action("history", ("h",), "history",
           "Every version it ever had, who wrote it, and what changed.", (_L,), Group.LOOK, 5),
    Action("copy", ("y",), "copy",
           "Send the text to the terminal's clipboard.", (_L, _H, _2, _PAGE), Group.LOOK, 6,
           named=((_2, ""),)),
    Action("mark", ("space",), "compare",
           "Compare with this version instead of the one before.", (_H,), Group.LOOK, 2),
    Action("mine", ("m",), "keep mine", "Save your version over the other one.", (_2,),
           Group.CHANGE, 1, named=((_2, "mine"),)),
    Action("theirs", ("t",), "keep theirs", "Leave the other version as it is and drop yours.",
           (_2,), Group.CHANGE, 2, named=((_2, "theirs"),)),
    Action("both", ("b",), "keep both", "Save yours as a fact of its own beside the other.",
           (_2,), Group.CHANGE, 4, named=((_2, "both"),)),
    Action("merged", ("a",), "accept merged", "Save the merged version.", (_2,),
           Group.CHANGE, 3, named=((_2, "merged"),)),
    Action("later", ("l",), "later", "Decide later; what you typed is kept as a draft.", (_2,),
           Group.CHANGE, 5),
    Action("save", ("ctrl+s",), "save", "Save what is in the form.", (_F,), Group.CHANGE, 1),
    Action("editor", ("ctrl+o",), "$EDITOR", "Edit the text in your own editor.", (_F,),
           Group.CHANGE, 2),
    Action("start_over", ("ctrl+r",), "start over",
           "Drop the draft and show what is saved; ctrl+z brings the text back.", (_F,),
           Group.CHANGE, 3),
    Action("pick", ("ctrl+t",), "choose", "Choose from a list for the field you are in.", (_F,),
           Group.CHANGE, 4),
    Action("up", ("up", "k"), "up", "One line up.", (_R, _P), Group.MOVE),
    Action("down", ("down", "j"), "down", "One line down.", (_R, _P), Group.MOVE,
           named=((_S, "results"),)),
    Action("page_up", ("pageup", "ctrl+u"), "page up", "Half a page up.", (_R, _P), Group.MOVE),
    Action("page_down", ("pagedown", "ctrl+d"), "page down", "Half a page down.", (_R, _P),
           Group.MOVE),
    Action("first", ("home", "g"), "first", "To the first line.", (_R, _P), Group.MOVE),
    Action("last", ("end", "G"), "last", "To the last line.", (_R, _P), Group.MOVE),
    Action("pane_left", ("left",), "left pane", "To the pane on the left.", (_L,), Group.MOVE),
    Action("pane_right", ("right",), "right pane", "To the pane on the right.", (_L,),
           Group.MOVE),
    Action("next_field", ("tab",), "next", "To the next pane or field.", (*_ALL_BUT_APP, _S),
           Group.MOVE, named=((_ASK, "other"),)),
    Action("previous_field", ("shift+tab",), "previous", "To the pane or field before.",
           _ALL_BUT_APP, Group.MOVE),
    Action("back", ("escape",), "back",
           "Go back; what you typed is kept as a draft and offered again.",
           (*_ALL_BUT_APP, _S), Group.APP, 90, named=((_2, ""),)),
    Action("help", ("question_mark",), "help", "The keys of this place, then all others.",
           (_L, _H, _2, _PAGE), Group.APP, 95),
    Action("palette", ("ctrl+p",), "palette",
           "Every action by name, and every scope and collection to jump to.", (Place.APP,),
           Group.APP, 99, everywhere_first=True, named=((_ASK, ""),)),
    Action("leave", ("q",), "quit", "Leave localmem.", (_L,), Group.APP),
    Action("quit", ("ctrl+q",), "quit", "Leave localmem from anywhere; drafts are kept.",
           (Place.APP,), Group.APP, everywhere_first=True),
)  # fmt: skip

_PALETTE = next(action.keys for action in ACTIONS if action.id == "palette")
_SHOWN = {
    "slash": "/", "plus": "+", "question_mark": "?", "escape": "esc", "pageup": "pgup",
    "pagedown": "pgdn", "up": "↑", "down": "↓", "left": "←", "right": "→",
}  # fmt: skip


def by_id(id: str) -> Action:
    """Raises KeyError."""
    return {action.id: action for action in ACTIONS}[id]


def bindings(*places: Place) -> list[BindingType]:
    """Textual's bindings for the places a widget or screen stands for.

    One without a key is bound to what no terminal sends, so that a keymap can give it a key.
    """
    return [
        Binding(
            ",".join(action.keys) or no_key(action.id),
            action.id,
            action.label,
            show=bool(action.rank),
            key_display=shown_key(action),
            priority=action.everywhere_first,
            tooltip=action.help,
            id=action.id,
        )
        for action in ACTIONS
        if set(action.places) & set(places)
    ]


def in_footer(places: Iterable[Place]) -> tuple[Action, ...]:
    """What the footer of these places shows, most useful first."""
    wanted = {*places, Place.APP}
    shown = [
        named
        for action in ACTIONS
        if action.keys
        and (named := _named(action, wanted)).label
        and (action.rank or named is not action)
        and wanted & {*action.places, *action.beside, *(place for place, _ in action.named)}
    ]
    return tuple(sorted(shown, key=lambda action: action.rank))


def _named(action: Action, places: set[Place]) -> Action:
    """The action as the footer of these places calls it."""
    for place, label in action.named:
        if place in places:
            return replace(action, label=label)
    return action


def of_place(place: Place) -> tuple[Action, ...]:
    """Every action that can be done there."""
    return tuple(action for action in ACTIONS if place in (*action.places, *action.beside))


def key_label(key: str) -> str:
    """A key as a person reads it: `/`, `ctrl+p`, `esc`."""
    return _SHOWN.get(key, key)


def short_label(key: str) -> str:
    """A key where room is scarce: `^p`."""
    return key_label(key).replace("ctrl+", "^")


def no_key(id: str) -> str:
    """What an action is bound to that has no key."""
    return f"no-key-{id}"


def shown_key(action: Action) -> str:
    """The first key of an action, as a person reads it; the palette's when it has none."""
    return key_label((action.keys or _PALETTE)[0])


def keys_label(action: Action) -> str:
    return " ".join(key_label(key) for key in action.keys) or shown_key(action)


def key_table() -> str:
    """The README's table of keys, as Markdown."""
    lines = ["| Key | Action | What it does | Where |", "|---|---|---|---|"]
    for group in Group:
        for action in ACTIONS:
            if action.group is group:
                keys = ", ".join(f"`{key_label(key)}`" for key in action.keys or _PALETTE)
                where = ", ".join((*action.places, *action.beside))
                lines.append(f"| {keys} | {action.label} | {action.help} | {where} |")
    return "\n".join(lines) + "\n"
