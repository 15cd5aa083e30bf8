"""What a library must hold after the writes that were acknowledged, and what it does hold.

A state names every memory by what never changes of it (a fact by the first word it ever said) and
lists the words of its versions. An effect is what one write does to a state, said before it
begins: a writer that dies leaves the state before it or after it, never one between. Refuses to
ask the engine, whose word is what is to be proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

import apsw

from bench.durability.traces import WORD

State = dict[str, tuple[str, ...]]

MEMORIES = """
SELECT item.id, item.kind, item.scope, item.collection, item.key, item.provenance,
       version.content, version.evidence
FROM item JOIN version ON version.item = item.seq ORDER BY item.seq, version.number
"""


class Effect(TypedDict, total=False):
    add: list[list[str]]
    """[name, word]: one more version, or the first."""
    gone: list[str]
    """Forgotten: erased, and no backup brings them back."""
    undone: list[str]
    """Erased because what made them was taken back."""
    put: dict[str, list[str]]
    """What has no versions."""
    drop: list[str]
    backup: str
    restore: str


class Doubled(Exception):
    """Two memories that are one."""


def after(
    state: State,
    effect: Effect,
    backups: dict[str, State] | None = None,
    forgotten: frozenset[str] = frozenset(),
) -> State:
    """The state once the effect is whole. `forgotten` are words that no backup brings back."""
    made = dict(state)
    if backups is not None and "restore" in effect:
        made = {
            name: words
            for name, words in backups[effect["restore"]].items()
            if not forgotten.intersection(words)
        }
        made["encrypted"] = _encrypted(state, backups[effect["restore"]])
    for name in (*effect.get("gone", ()), *effect.get("undone", ())):
        made.pop(name, None)
        for draft in [each for each in made if each.startswith("draft/") and name in made[each]]:
            del made[draft]
    for name in effect.get("drop", ()):
        made.pop(name, None)
    for name, word in effect.get("add", ()):
        made[name] = (*made.get(name, ()), word)
    for name, words in effect.get("put", {}).items():
        made[name] = tuple(words)
    if backups is not None and "backup" in effect:
        backups[effect["backup"]] = made
    return made


def _encrypted(state: State, backup: State) -> tuple[str, ...]:
    return max(state["encrypted"], backup["encrypted"])


def erased(state: State, effect: Effect, *, for_good: bool = False) -> set[str]:
    """The words an effect takes out of every byte; `for_good` those no backup brings back."""
    names = [*effect.get("gone", ()), *(() if for_good else effect.get("undone", ()))]
    return {word for name in names for word in state.get(name, ()) if WORD.fullmatch(word)}


def read(connection: apsw.Connection, *, encrypted: bool) -> tuple[State, dict[str, str]]:
    """The state of a library, and the id of each memory. Raises Doubled."""
    state: State = {"encrypted": ("yes" if encrypted else "no",)}
    names: dict[str, str] = {}
    for id, kind, scope, collection, key, provenance, content, evidence in connection.execute(
        MEMORIES
    ).fetchall():
        word = first_word(content) or first_word(evidence)
        if id not in names:
            name = {
                "fact": word,
                "document": f"{collection}/{key}@{scope}",
                "preference": f"{key}:{provenance}",
            }[str(kind)]
            if name in state:
                raise Doubled(name)
            names[str(id)] = name
        state[names[str(id)]] = (*state.get(names[str(id)], ()), word)
    _read_others(connection, state, names)
    return state, {name: id for id, name in names.items()}


def _read_others(connection: apsw.Connection, state: State, names: Mapping[str, str]) -> None:
    for slot, item, body in connection.execute("SELECT slot, item, body FROM draft"):
        state[f"draft/{slot}"] = (first_word(body), *([names.get(str(item), "")] if item else ()))
    for name, implicit in connection.execute("SELECT name, implicit FROM collection"):
        state[f"collection/{name}"] = ("implicit" if implicit else "made",)
    for source, run, line in connection.execute(
        "SELECT source, state, line FROM import_run ORDER BY id"
    ):
        state[f"run/{source}"] = (str(run), str(line))


def first_word(text: Any) -> str:
    found = WORD.search(str(text))
    return found[0] if found else ""


def by_writer(state: State) -> dict[str, tuple[tuple[str, ...], ...]]:
    """As compared: two writers may take turns in any order, each keeps its own."""

    def of(words: tuple[str, ...], writer: str) -> tuple[str, ...]:
        return tuple(word for word in words if word[:2] == writer)

    def others(words: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(word for word in words if word[:2] not in ("aw", "bw"))

    return {
        name: (of(words, "aw"), of(words, "bw"), others(words)) for name, words in state.items()
    }
