"""`config`: see and change settings and keys; each value is checked before anything is written.

Refuses to write over a config.toml that cannot be understood, and to repeat a password that an
endpoint's address may carry.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from localmem.cli import columns, options
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import Entry, LazyGroup, command
from localmem.cli.session import Session
from localmem.core.model import Json
from localmem.core.visible import visible
from localmem.errors import InvalidSettings

if TYPE_CHECKING:
    from localmem.config.book import Changed, Value
    from localmem.config.book import Entry as Setting
    from localmem.tui.keymap import Keymap
    from localmem.wiring import Home

_SEE, _CHANGE, _FILE = "See", "Change", "The library's file"
_KEYS = "keys."
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")

COMMANDS: Mapping[str, Entry] = {
    "list": Entry(
        "settings", "list_", "Show every setting, its value, where it comes from, and what it "
        "means.", _SEE
    ),
    "get": Entry("settings", "get", "Print the value of one setting.", _SEE),
    "keys": Entry(
        "settings", "keys", "Show the app's actions, the keys they have, and where.", _SEE
    ),
    "path": Entry("settings", "path", "Print where config.toml is, whether or not it is there "
                  "yet.", _SEE),
    "set": Entry("settings", "set_", "Change one setting, checked before it is written.", _CHANGE),
    "unset": Entry("settings", "unset", "Go back to the default of one setting.", _CHANGE),
    "encrypt": Entry(
        "encryption", "encrypt", "Encrypt the library's file; its key goes to your keyring.", _FILE
    ),
    "decrypt": Entry(
        "encryption", "decrypt", "Write the library's file in the clear again.", _FILE
    ),
    "unlock": Entry(
        "encryption",
        "unlock",
        "Give this machine's keyring the key of an encrypted library.",
        _FILE,
    ),
}  # fmt: skip


@click.group("config", cls=LazyGroup, entries=COMMANDS)
def config() -> None:
    """See and change settings and keys; encrypt the library.

    Settings live in config.toml, which you may edit as well: comments and what is not known stay.
    An environment variable such as LOCALMEM_FLOOR wins over the file.
    """


@command("list", examples=["localmem config list", "localmem config list --json"])
@click.pass_obj
def list_(session: Session) -> None:
    """Show every setting, its value, where it comes from, and what it means."""
    home = session.home()
    entries = home.book.entries()
    shape: dict[str, Json] = {
        "file": str(home.paths.settings),
        "settings": [_shape(each) for each in entries],
        "problems": list(home.problems),
    }
    session.answer(shape, _lines(session, entries))
    _tell_key_problems(session, home)


def _lines(session: Session, entries: Sequence[Setting]) -> list[str]:
    """In a terminal the meaning stands below each, in whole."""
    room, bold, faint = session.console.room, session.console.strong, session.console.faint
    rows = [[visible(each.key), _shown(each.value), _source(each)] for each in entries]
    if room is None:
        told = [[*row, each.meaning] for row, each in zip(rows, entries, strict=True)]
        return columns.lines(told, room=None)
    lines: list[str] = []
    drawn = columns.lines(rows, room=room, styles=(bold,), widest=40)
    for line, each in zip(drawn, entries, strict=True):
        lines += [line, *(faint(f"  {part}") for part in textwrap.wrap(each.meaning, room - 2))]
    return lines


@command("get", examples=["localmem config get floor", "localmem config get keys.search"])
@click.argument("key", type=options.SETTING)
@click.pass_obj
def get(session: Session, key: str) -> None:
    """Print the value of one setting; of an action's keys, one a line."""
    book = session.home().book
    value = book.value(key)
    if value is None:
        value = _own_keys(_action(key))
    values = value if isinstance(value, tuple) else (value,)
    shape: dict[str, Json] = {"key": key, "value": _json(value)}
    session.answer(shape, [_shown(each) for each in values])


@command("path", examples=["localmem config path", "$EDITOR $(localmem config path)"])
@click.pass_obj
def path(session: Session) -> None:
    """Print where config.toml is, whether or not it is there yet."""
    file = session.home().paths.settings
    session.answer({"file": str(file)}, [visible(str(file))])


@command("keys", examples=["localmem config keys", "localmem config keys --json"])
@click.pass_obj
def keys(session: Session) -> None:
    """Show the app's actions, the keys they have, and where they work.

    Give an action keys of your own with `localmem config set keys.ACTION KEY`.
    """
    from localmem.tui.actions import keys_label

    held = _keymap(session.home().settings.keys)
    rows: list[list[str]] = []
    shapes: list[Json] = []
    for action in held.actions:
        where = ", ".join((*action.places, *action.beside))
        mine = "yours" if action.id in held.own else ""
        rows.append([action.id, keys_label(action), mine, where])
        shapes.append({"action": action.id, "keys": list(action.keys), "yours": bool(mine),
                       "where": list(action.places), "does": action.help})  # fmt: skip
    shape: dict[str, Json] = {"actions": shapes, "problems": list(held.problems)}
    bold = session.console.strong
    session.answer(shape, columns.lines(rows, room=session.console.room, styles=(bold,)))
    for problem in held.problems:
        session.warn(problem)


@command(
    "set",
    examples=[
        "localmem config set floor 0.45",
        "localmem config set theme localmem-light",
        "localmem config set model openai:bge-m3@http://localhost:11434/v1 --now",
        "localmem config set keys.search ctrl+f /",
    ],
)
@click.argument("key", type=options.SETTING)
@click.argument("values", nargs=-1, required=True, metavar="VALUE...")
@click.option("--now", is_flag=True, help="With model: embed everything here and now.")
@click.pass_obj
def set_(session: Session, key: str, values: tuple[str, ...], now: bool) -> int:
    """Change one setting, checked before it is written. An action may have several keys.

    Another model has every memory embedded again: in the background of the app, or at the next
    search from the command line. --now does it here; stopped with Ctrl-C, the same command goes on.
    """
    if now and key != "model":
        raise click.UsageError("--now goes with model alone.")
    book = session.home().book
    if key.startswith(_KEYS):
        value: Value = _checked_keys(session.home(), key, values)
    elif len(values) > 1:
        raise click.UsageError("Give one value; put text with spaces in quotes.")
    else:
        value = book.typed(key, values[0])
    changed = book.set(key, value)
    session.settings_changed()
    _answer(session, changed)
    if key == "model" and not changed.outranked:
        return _embed_now(session) if now else _tell_model(session, changed)
    return ExitCode.DONE


@command("unset", examples=["localmem config unset floor", "localmem config unset keys.search"])
@click.argument("key", type=options.SETTING)
@click.pass_obj
def unset(session: Session, key: str) -> int:
    """Go back to the default: takes the line out of config.toml, also one that is not known."""
    changed = session.home().book.unset(key)
    session.settings_changed()
    _answer(session, changed)
    if key == "model" and not changed.outranked:
        return _tell_model(session, changed)
    return ExitCode.DONE


def _answer(session: Session, changed: Changed) -> None:
    shape: dict[str, Json] = {
        "key": changed.key,
        "value": _json(changed.new),
        "was": _json(changed.old),
        "outranked_by": changed.outranked or None,
    }
    name = visible(changed.key)
    session.answer(shape, [f"{name} = {_shown(changed.new)}  (was {_shown(changed.old)})"])
    if changed.outranked:
        session.warn(f"Written, but {changed.outranked} is set and wins until it is unset.")


# keys


def key_problems(chosen: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """What is wrong with the keys a person has chosen, a sentence each; nothing when none are."""
    return tuple(_keymap(chosen).problems) if chosen else ()


def _keymap(chosen: Mapping[str, tuple[str, ...]]) -> Keymap:
    from localmem.tui import keymap

    return keymap.read(chosen)


def _own_keys(id: str) -> tuple[str, ...]:
    """The keys that the app gives an action by itself."""
    from localmem.tui.actions import by_id, key_label

    return tuple(key_label(key) for key in by_id(id).keys)


def _action(key: str) -> str:
    """The action that `keys.ACTION` names. Raises InvalidSettings."""
    id = key.removeprefix(_KEYS)
    problems = _keymap({id: ("f24",)}).problems
    if problems and "There is no action" in problems[0]:
        raise InvalidSettings(_without_place(problems[0]))
    return id


def _checked_keys(home: Home, key: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The keys as they were written, when they can be that action's. Raises InvalidSettings."""
    id = _action(key)
    others = {action: held for action, held in home.settings.keys.items() if action != id}
    before = _keymap(others).problems
    wrong = [each for each in _keymap({**others, id: names}).problems if each not in before]
    if wrong:
        raise InvalidSettings(
            _without_place(wrong[0]), hint="`localmem config keys` shows which keys are taken."
        )
    return names


def _without_place(problem: str) -> str:
    return problem.removeprefix("[keys] ").removesuffix(" It is passed over.")


def _tell_key_problems(session: Session, home: Home) -> None:
    if home.settings.keys:  # only then is the table of actions worth importing
        for problem in _keymap(home.settings.keys).problems:
            session.warn(problem)


# the model


def _tell_model(session: Session, changed: Changed) -> int:
    if changed.new == changed.old:
        return ExitCode.DONE
    if changed.new == "none":
        session.warn("Search is by words alone from now on. What was embedded is kept for the day "
                     "you want it back.")  # fmt: skip
        return ExitCode.DONE
    with session.reading() as engine:
        waiting = engine.meaning.would_wait(str(changed.new))
    if waiting:
        count = f"{waiting:,} {'memory is' if waiting == 1 else 'memories are'}"
        session.warn(f"{count} embedded with it the next time the app is open, in the background, "
                     "and found by words meanwhile. --now does it here.")  # fmt: skip
    return ExitCode.DONE


def _embed_now(session: Session) -> int:
    with session.searching(meaning=True) as engine:
        engine.meaning.ensure()
        _, total = engine.meaning.state()
        made = 0
        try:
            while done := engine.meaning.embed_waiting():
                made += done
                session.console.progress(f"Embedded {made:,} of {total:,}.")
        except KeyboardInterrupt:
            session.warn(f"\n{made:,} of {total:,} are embedded; the same command goes on.")
            raise
        finally:
            session.console.progress("")
        left = engine.meaning.state()[1] if engine.meaning.embedder is not None else 0
    if left:
        session.warn(f"{left:,} still wait: another program uses the library. Run this again.")
        return ExitCode.FAILURE
    session.done(f"{made:,} memories are embedded.")
    return ExitCode.DONE


# how values look


def _shape(entry: Setting) -> dict[str, Json]:
    return {
        "key": entry.key,
        "value": _json(entry.value),
        "from": _source(entry),
        "variable": entry.variable or None,
        "type": entry.kind,
        "meaning": entry.meaning,
    }


def _json(value: Value | None) -> Json:
    if isinstance(value, tuple):
        return list(value)
    return _CREDENTIALS.sub("…@", value) if isinstance(value, str) else value


def _shown(value: Value | None) -> str:
    match value:
        case None:
            return "the default"
        case tuple():
            return visible(" ".join(value)) or "no key"
        case str():
            return visible(_CREDENTIALS.sub("…@", value)) or "not set"
        case _:
            return f"{value:g}"


def _source(entry: Setting) -> str:
    return entry.variable if entry.source == "environment" else str(entry.source)
