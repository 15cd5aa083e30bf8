"""The person's own keys over the table of actions, from `[keys]` of config.toml.

Refuses a map that locks somebody out (field report FR-87): leaving, the palette and every key that
a text field needs stay; of two actions on one key the one that was there keeps it; and whatever is
passed over is told with what holds instead. Pure: the app, `localmem config` and the Settings
screen all read a map here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from textual.keys import _character_to_key, key_to_character

from localmem.errors import InvalidSettings
from localmem.tui import actions as table
from localmem.tui.actions import Action, Place, key_label, keys_label, no_key

Chosen = Mapping[str, tuple[str, ...]]
"""An action's id -> the keys chosen for it, as they were written."""

_PARTS: Mapping[Place, frozenset[Place]] = {
    Place.LIBRARY: frozenset(
        (
            Place.ROWS,
            Place.PREVIEW,
            Place.RESULTS,
            Place.SEARCH,
            Place.INBOX,
            Place.PAST,
            Place.CONFLICTS,
            Place.SYNC,
        )
    ),
    Place.BRING: frozenset((Place.LINES, Place.ROWS, Place.PREVIEW)),
    Place.SAVE: frozenset(),
    Place.FORM: frozenset(),
    Place.CHOICE: frozenset(),
    Place.ACCOUNT: frozenset(),
    Place.COUNT: frozenset(),
}
"""What else may be at hand in a place; a list and a page where nothing else is said."""
_ANYWHERE = frozenset((Place.ROWS, Place.PREVIEW))
_TYPING = frozenset((
    Place.SEARCH, Place.FORM, Place.CHOICE, Place.BRING, Place.SAVE, Place.ACCOUNT, Place.COUNT,
))  # fmt: skip
"""Where a letter is text."""
FIELD_KEYS = frozenset((
    "alt+backspace", "alt+delete", "backspace", "ctrl+a", "ctrl+backspace", "ctrl+c", "ctrl+d",
    "ctrl+e", "ctrl+k", "ctrl+left", "ctrl+right", "ctrl+shift+a", "ctrl+shift+k",
    "ctrl+shift+left", "ctrl+shift+right", "ctrl+u", "ctrl+v", "ctrl+w", "ctrl+x", "ctrl+y",
    "ctrl+z", "delete", "down", "end", "enter", "f6", "f7", "home", "left", "pagedown",
    "pageup", "right", "shift+down", "shift+end", "shift+home", "shift+left", "shift+right",
    "shift+up", "super+backspace", "super+c", "super+x", "super+y", "super+z", "up",
))  # fmt: skip
"""Keys that a text field keeps for itself; a test holds them to Textual's."""
_KEPT = ("quit", "palette")
"""Never without a key: the ways out and to everything."""

_NAMED = frozenset((
    "escape", "enter", "tab", "space", "backspace", "delete", "insert", "home", "end",
    "pageup", "pagedown", "up", "down", "left", "right",
    *(f"f{number}" for number in range(1, 25)),
))  # fmt: skip
_ALSO = {
    "esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "pgup": "pageup",
    "pgdn": "pagedown", "pgdown": "pagedown", "spacebar": "space", "bs": "backspace", "↑": "up",
    "↓": "down", "←": "left", "→": "right", " ": "space",
}  # fmt: skip
_MODIFIERS = {"ctrl": "ctrl", "control": "ctrl", "alt": "alt", "option": "alt", "shift": "shift",
              "super": "super", "cmd": "super", "meta": "meta"}  # fmt: skip
_SAME = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+left_square_bracket": "esc"}
"""What a terminal cannot tell from another key."""


class Keymap(NamedTuple):
    """The table of actions with the keys that hold."""

    own: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The actions whose keys are not the table's."""
    problems: tuple[str, ...] = ()
    """A sentence for each choice that was passed over, and what holds instead."""

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(self._with_keys(action) for action in table.ACTIONS)

    def by_id(self, id: str) -> Action:
        """Raises KeyError."""
        return self._with_keys(table.by_id(id))

    def label(self, id: str) -> str:
        """The key to press for an action, as a sentence names it. Raises KeyError."""
        return table.shown_key(self.by_id(id))

    def in_footer(self, places: Iterable[Place]) -> tuple[Action, ...]:
        """What the footer of these places shows, with the keys that work there."""
        wanted = {*places, Place.APP}
        return tuple(self._at(action, wanted) for action in table.in_footer(wanted, self.actions))

    def of_place(self, place: Place) -> tuple[Action, ...]:
        """Every action that can be done there, with the keys that work there."""
        return tuple(self._at(each, {place}) for each in table.of_place(place, self.actions))

    @property
    def bound(self) -> dict[str, str]:
        """What Textual is told; nothing while all keys are the table's."""
        if not self.own:
            return {}
        return {each.id: ",".join(each.keys) or no_key(each.id) for each in self.actions}

    def _with_keys(self, action: Action) -> Action:
        keys = self.own.get(action.id)
        return action if keys is None else action._replace(keys=keys)

    def _at(self, action: Action, places: set[Place]) -> Action:
        """Widgets that bind a key themselves keep it, and a letter does nothing in a field."""
        if action.id not in self.own:
            return action
        if not places & set(action.places):
            return action._replace(keys=table.by_id(action.id).keys)
        if places & _TYPING and not places - _TYPING - {Place.APP}:
            return action._replace(keys=tuple(key for key in action.keys if not _is_text(key)))
        return action


def read(chosen: Chosen) -> Keymap:
    """The map that holds when these keys were chosen. Raises nothing."""
    known = {action.id for action in table.ACTIONS}
    wanted: dict[str, list[str]] = {}
    refused: list[tuple[str, str]] = []
    for id, names in chosen.items():
        if id not in known:
            refused.append((id, _no_action(id, known)))
            continue
        action = table.by_id(id)
        keys: list[str] = []
        for name in names:
            try:
                keys.append(_fit(action, key_name(name)))
            except InvalidSettings as problem:
                refused.append((id, f"{id}: {problem}"))
        if keys or (not names and id not in _KEPT):
            wanted[id] = keys
        elif not names:
            refused.append((id, f"{id} cannot be without a key."))
    refused += _settle(wanted)
    own = {id: _with_reserve(table.by_id(id), keys) for id, keys in wanted.items()}
    held = Keymap({id: keys for id, keys in own.items() if keys != table.by_id(id).keys})
    told = tuple(_told(held, id, why, known) for id, why in refused)
    return held._replace(problems=told)


def key_name(typed: str) -> str:
    """Textual's name of a key: `/` is `slash`, `^F` is `ctrl+f`. Raises InvalidSettings."""
    text = typed if typed == " " else typed.strip()
    if len(text) == 2 and text[0] == "^":
        text = f"ctrl+{text[1]}"
    *before, base = _parted(text)
    modifiers = {_MODIFIERS.get(each.lower(), "") for each in before}
    base = _base(base, plain=not modifiers - {"shift"})
    if "shift" in modifiers and len(base) == 1 and base.isalpha() and len(modifiers) == 1:
        modifiers, base = set(), base.upper()
    name = "+".join([*sorted(modifiers), base])
    if "" in modifiers or not base:
        raise InvalidSettings(f"{typed[:30]!r} is no key.", hint=_nearest_key(text))
    if name in _SAME:
        raise InvalidSettings(f"Terminals send the same for {name} as for {_SAME[name]}.")
    return name


def _parted(text: str) -> list[str]:
    if text in ("+", "-", "^") or len(text) < 2:
        return [text]
    parts = text[:-1].replace("-", "+").split("+")
    return [*parts[:-1], parts[-1] + text[-1]] if parts[-1] else [*parts[:-1], text[-1]]


def _base(text: str, *, plain: bool) -> str:
    if len(text) == 1:
        return _character_to_key(text if plain else text.lower()) if text.isprintable() else ""
    lower = _ALSO.get(text.lower(), text.lower())
    if lower in _NAMED:
        return lower
    character = key_to_character(lower)
    return _character_to_key(character) if character and len(character) == 1 else ""


def _nearest_key(text: str) -> str:
    import difflib

    *modifiers, base = _parted(text.lower())
    pools = [*([*_MODIFIERS] for _ in modifiers), [*_NAMED, *_ALSO] if len(base) > 1 else [base]]
    meant = "+".join(
        (difflib.get_close_matches(part, pool, n=1) or [""])[0]
        for part, pool in zip([*modifiers, base], pools, strict=True)
    )
    if not base or meant == text.lower() or "" in meant.split("+"):
        return _EXAMPLES
    return f"Did you mean {meant}?"


_EXAMPLES = "Write it as f, F, /, ctrl+f, f5, pageup or space."


def _is_text(key: str) -> bool:
    """Whether the key types something in a field."""
    character = key_to_character(key) or ""
    return len(character) == 1 and character.isprintable()


def _fit(action: Action, key: str) -> str:
    """Raises InvalidSettings for a key that works everywhere and would be missed in a field."""
    if action.everywhere_first and (_is_text(key) or key in FIELD_KEYS or key in _NAMED):
        raise InvalidSettings(
            f"{key_label(key)} is needed where text is typed, and this works there too."
        )
    return key


def _with_reserve(action: Action, keys: Sequence[str]) -> tuple[str, ...]:
    """The keys, and those of the table without which somebody would be locked in."""
    if action.id == "quit":
        spare: Iterable[str] = action.keys
    elif set(action.places) & _TYPING and all(_is_text(key) or key in FIELD_KEYS for key in keys):
        spare = [key for key in action.keys if not _is_text(key)]
    else:
        spare = ()
    return tuple(dict.fromkeys([*keys, *spare]))


def _settle(wanted: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Take keys out of `wanted` until no two actions meet on one; (the action, why) for each."""
    refused = []
    while found := _clash(wanted):
        loser, key, holder = found
        place = ", ".join(_meeting(holder, table.by_id(loser)))
        refused.append((loser, f"{loser} cannot have {key_label(key)}: {holder.id} has it "
                               f"({place})."))  # fmt: skip
        wanted[loser].remove(key)
        if not wanted[loser]:
            del wanted[loser]
    return refused


def _clash(wanted: Mapping[str, list[str]]) -> tuple[str, str, Action] | None:
    """(the action that has to give way, the key, the one that keeps it)."""
    later = list(wanted)
    held: dict[str, list[Action]] = {}
    for action in table.ACTIONS:
        keys = wanted.get(action.id)
        for key in action.keys if keys is None else _with_reserve(action, keys):
            for other in held.setdefault(key, []):
                if _meeting(other, action):
                    chose = [each for each in (other, action) if key not in each.keys]
                    loser = max(chose, key=lambda each: later.index(each.id))
                    return loser.id, key, action if loser is other else other
            held[key].append(action)
    return None


def _meeting(one: Action, other: Action) -> tuple[Place, ...]:
    """Places where both are at hand."""
    return tuple(place for place in Place if _reaches(one, place) and _reaches(other, place))


def _reaches(action: Action, screen: Place) -> bool:
    places = {*action.places, *action.beside}
    return bool(places & {Place.APP, screen}) or bool(places & _PARTS.get(screen, _ANYWHERE))


def _no_action(id: str, known: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(id, list(known), n=1)
    meant = f"Did you mean {near[0]}?" if near else "`localmem config keys` lists them."
    return f"There is no action {id[:40]!r}. {meant}"


def _told(held: Keymap, id: str, why: str, known: Iterable[str]) -> str:
    if id not in known:
        return f"[keys] {why} It is passed over."
    action = held.by_id(id)
    keeps = f"keeps {keys_label(action)}" if action.keys else "stays in the palette"
    return f"[keys] {why} {id} {keeps}."
