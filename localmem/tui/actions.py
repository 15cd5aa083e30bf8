"""The one table of what a key does; bindings, footer, palette, help and README derive from it.

Refuses surprises: a key means the same in every place where it means something (a test holds the
table to that), and nothing hangs on a key that some terminals never send (FR-85).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from textual.binding import Binding, BindingType
from textual.keys import key_to_character


class Place(StrEnum):
    """Where a key can be pressed, named as help calls it; True for one that decides something.

    What was typed before such a place is seen is not meant for it.
    """

    decides: bool

    def __new__(cls, name: str, decides: bool = False) -> Place:
        place = str.__new__(cls, name)
        place._value_ = name
        place.decides = decides
        return place

    APP = "everywhere"
    LIBRARY = "browsing"
    SEARCH = "the search box"
    RESULTS = "results"
    INBOX = "the inbox"
    CONFLICTS = "the conflicts"
    SYNC = "the sync"
    PAST = "the library as it was"
    ROWS = "lists"
    PREVIEW = "the preview"
    FORM = "editing"
    HISTORY = "the history"
    SIDES = "two versions at once", True
    CONFLICT = "a conflict", True
    ACCOUNT = "the account"
    COUNT = "a large question", True
    BRING = "bringing in"
    LINES = "the lines of an import"
    IMPORTS = "the imports so far", True
    SAVE = "exporting"
    WELCOME = "the first start", True
    ASK = "a question", True
    CHOICE = "choosing"
    SETTINGS = "settings"
    CHECK = "checking the library", True
    TERMINAL = "the terminal check"
    PAGE = "help and receipts"


class Group(StrEnum):
    FIND = "Find"
    CHANGE = "Change"
    LOOK = "Look"
    MOVE = "Move"
    APP = "App"


class Action(NamedTuple):
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
_N, _I, _T = Place.RESULTS, Place.INBOX, Place.PAST
_F, _H, _2 = Place.FORM, Place.HISTORY, Place.SIDES
_Y, _X, _3, _ACC, _SURE = (
    Place.SYNC, Place.CONFLICTS, Place.CONFLICT, Place.ACCOUNT, Place.COUNT
)  # fmt: skip
_ASK, _C, _PAGE = Place.ASK, Place.CHOICE, Place.PAGE
_B, _BL, _RUNS, _SAVE = Place.BRING, Place.LINES, Place.IMPORTS, Place.SAVE
_W, _SET, _CHECK = Place.WELCOME, Place.SETTINGS, Place.CHECK
_ALL_BUT_APP = (
    _L, _F, _H, _2, _3, _ACC, _SURE, _B, _RUNS, _SAVE, _W, _ASK, _C, _SET, _CHECK, _PAGE
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    Action("search", ("slash",), "search",
           "Find anything by its words or its meaning, as you type.", (_L,), Group.FIND, 1,
           named=((_I, ""), (_X, ""), (_Y, ""))),
    Action("more", ("plus",), "more hits",
           "Show the close hits below the floor as well, or hide them again.", (_N,),
           Group.FIND, 8),
    Action("why", ("w",), "why",
           "Explain a result: which words it holds, how near its meaning is, where the floor "
           "lies.", (_N,), Group.FIND, 9),
    Action("open", ("enter",), "open",
           "Look at what the cursor is on; in a question, do what the button says.",
           (_R, _S, Place.TERMINAL), Group.FIND, beside=(_W, _ASK, _C, _SURE, _X),
           named=((_X, "decide"), (_S, "results"), (_W, "do it"), (_ASK, "do it"), (_C, "choose"),
                  (_SET, "change"), (_CHECK, "mend"), (Place.TERMINAL, "symbols"))),
    Action("new", ("n",), "new",
           "Keep something new: a fact, a preference or a document.", (_L,), Group.CHANGE, 2,
           named=((_I, ""), (_T, ""), (_X, ""), (_Y, ""))),
    Action("accept", ("a",), "accept",
           "Keep what an agent wrote as it is; of two versions, save the merged one.",
           (_I, _2, _3), Group.CHANGE, 3, named=((_2, "merged"), (_3, "merged"))),
    Action("sync", ("s",), "sync",
           "Bring this library and its account in step now, or answer what a sync asks.", (_L,),
           Group.CHANGE, 6, named=((_I, ""), (_T, ""), (_N, ""), (_X, ""))),
    Action("look_ahead", ("P",), "preview",
           "Show what a sync would do, scope by scope; nothing is written.", (_L,), Group.LOOK, 6,
           named=((_Y, "preview"), (_L, ""))),
    Action("pause", ("S",), "pause",
           "Stop synchronising by itself, or go on again.", (_L,), Group.CHANGE, 9,
           named=((_Y, "pause"), (_L, ""))),
    Action("account", ("c",), "account",
           "Sign in to a server, unlock its key, or sign out.", (_L,), Group.CHANGE, 8,
           named=((_Y, "account"), (_L, ""))),
    Action("accept_all", ("A",), "accept all",
           "Keep all that waits in the inbox as it is; asks first.", (_I,), Group.CHANGE, 8),
    Action("edit", ("e",), "edit",
           "Change what the cursor is on; the old version stays in its history.", (_L, _2, _3),
           Group.CHANGE, 3, named=((_I, "correct"), (_T, ""), (_X, ""), (_Y, ""))),
    Action("reject", ("x",), "reject",
           "Erase what an agent added, or bring back what it changed; the same is not taken "
           "again. Of a sync: leave one out, or take it in again.", (_I, _Y), Group.CHANGE, 3,
           named=((_Y, "leave out"),)),
    Action("forget", ("f",), "forget",
           "Erase it with every version, for good; says first what goes.", (_L, _3),
           Group.CHANGE, 4, named=((_I, ""), (_T, ""), (_X, ""), (_Y, ""))),
    Action("restore", ("r",), "restore",
           "Bring this version back as a new one.", (_H, _T), Group.CHANGE, 1),
    Action("undo", ("u",), "undo",
           "Take back the last change, a whole import, or what a sync changed here; only "
           "forgetting cannot be undone.", (_L, _H, _BL, _RUNS), Group.CHANGE, 7,
           named=((_T, ""), (_X, ""), (_Y, "undo run"), (_BL, "take back"),
                  (_RUNS, "take back"))),
    Action("history", ("h",), "history",
           "Every version it ever had, who wrote it, and what changed.", (_L,), Group.LOOK, 5,
           named=((_X, ""), (_Y, ""))),
    Action("copy", ("y",), "copy",
           "Send the text to the terminal's clipboard.", (_L, _H, _2, _3, _PAGE), Group.LOOK, 6,
           named=((_2, ""), (_3, ""), (_X, ""), (_Y, ""))),
    Action("as_of", ("d",), "as of",
           "See the whole library as it was on another day; today comes back.", (_L,),
           Group.LOOK, 10, named=((_T, "other day"), (_I, ""), (_X, ""), (_Y, ""))),
    Action("mark", ("space",), "compare",
           "Compare with this version instead of the one before.", (_H,), Group.LOOK, 2),
    Action("mine", ("m",), "keep mine", "Save your version over the other one.", (_2, _3),
           Group.CHANGE, 1, named=((_2, "mine"), (_3, "mine"))),
    Action("theirs", ("t",), "keep theirs", "Leave the other version as it is and drop yours.",
           (_2, _3), Group.CHANGE, 2, named=((_2, "theirs"), (_3, "theirs"))),
    Action("both", ("b",), "keep both", "Save yours as a fact of its own beside the other.",
           (_2,), Group.CHANGE, 4, named=((_2, "both"),)),
    Action("later", ("l",), "later", "Decide later; what you typed is kept as a draft.",
           (_2, _3), Group.CHANGE, 5),
    Action("bring", ("i",), "import",
           "Bring in memories from a file or another assistant's export.", (_L,), Group.CHANGE,
           11, named=((_I, ""), (_T, ""), (_X, ""), (_Y, ""))),
    Action("imports", ("p",), "past imports",
           "Every import so far, each of which can be taken back.", (_BL,), Group.LOOK, 8),
    Action("export", (), "export",
           "Write everything that is kept to a file, which comes back whole.", (_L,),
           Group.CHANGE),
    Action("save", ("ctrl+s",), "save", "Save what is in the form; import or export it.",
           (_F, _B, _SAVE, _ACC), Group.CHANGE, 1,
           named=((_B, "import"), (_SAVE, "export"), (_ACC, "go on"))),
    Action("editor", ("ctrl+o",), "$EDITOR", "Edit the text in your own editor.", (_F,),
           Group.CHANGE, 2),
    Action("start_over", ("ctrl+r",), "start over",
           "Drop the draft and show what is saved; ctrl+z brings the text back.", (_F,),
           Group.CHANGE, 3),
    Action("pick", ("ctrl+t",), "choose", "Choose from a list for the field you are in.", (_F, _B),
           Group.CHANGE, 4),
    Action("up", ("up", "k"), "up", "One line up.", (_R, _P, _W), Group.MOVE),
    Action("down", ("down", "j"), "down", "One line down.", (_R, _P, _W), Group.MOVE,
           named=((_S, "results"), (_W, "other"))),
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
           (*_ALL_BUT_APP, _S, Place.TERMINAL), Group.APP, 90,
           named=((_2, ""), (_3, ""), (_W, "begin"))),
    Action("help", ("question_mark",), "help", "The keys of this place, then all others.",
           (_L, _H, _2, _3, _SET, _BL, _RUNS, _CHECK, _PAGE), Group.APP, 95),
    Action("palette", ("ctrl+p",), "palette",
           "Every action by name, and every scope and collection to jump to.", (Place.APP,),
           Group.APP, 99, everywhere_first=True, named=((_ASK, ""), (_W, ""))),
    Action("welcome", (), "welcome",
           "The first screen again, with the way to the demo.", (_L,), Group.APP),
    Action("settings", ("comma",), "settings",
           "See and change the model, the floor, the theme, the symbols and your keys.", (_L,),
           Group.APP),
    Action("check", (), "check the library",
           "Look whether the library, its files and its settings are sound, and mend them.",
           (_L,), Group.APP),
    Action("terminal", (), "terminal check",
           "See which keys arrive, how wide signs are, and where a copy goes; sets the symbols.",
           (Place.APP,), Group.APP),
    Action("default", ("delete", "backspace"), "default",
           "Go back to what localmem has by itself.", (_SET,), Group.CHANGE, 4),
    Action("leave", ("q",), "quit", "Leave localmem.", (_L,), Group.APP),
    Action("quit", ("ctrl+q",), "quit", "Leave localmem from anywhere; drafts are kept.",
           (Place.APP,), Group.APP, everywhere_first=True),
)  # fmt: skip

_PALETTE = next(action.keys for action in ACTIONS if action.id == "palette")
_SHOWN = {
    "slash": "/", "plus": "+", "question_mark": "?", "escape": "esc", "pageup": "pgup",
    "pagedown": "pgdn", "up": "↑", "down": "↓", "left": "←", "right": "→", "delete": "del",
    "space": "space",
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


def in_footer(
    places: Iterable[Place], actions: Iterable[Action] | None = None
) -> tuple[Action, ...]:
    """What the footer of these places shows, most useful first."""
    wanted = {*places, Place.APP}
    shown = [
        named
        for action in (ACTIONS if actions is None else actions)
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
            return action._replace(label=label)
    return action


def of_place(place: Place, actions: Iterable[Action] | None = None) -> tuple[Action, ...]:
    """Every action that can be done there."""
    every = ACTIONS if actions is None else actions
    return tuple(action for action in every if place in (*action.places, *action.beside))


def key_label(key: str) -> str:
    """A key as a person reads it: `/`, `ctrl+p`, `esc`."""
    before, plus, base = key.rpartition("+")
    if base in _SHOWN or len(base) == 1:
        return before + plus + _SHOWN.get(base, base)
    character = key_to_character(base) or ""
    return before + plus + (character if character.isprintable() and character else base)


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
