"""`pref`: the six shopping preferences (shop-memory).

The person speaks here, so no quote is needed; one that is given is checked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from localmem.cli import answers, columns, options, present
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import Group
from localmem.cli.items import show_history
from localmem.cli.session import Session
from localmem.core import preferences
from localmem.core.model import Evidence, ItemId, Kind, Provenance
from localmem.core.preferences import PreferenceKey
from localmem.errors import InvalidInput, MemoryNotFound
from localmem.wire import shapes

if TYPE_CHECKING:
    from localmem.engine import Engine
    from localmem.engine.answers import PreferenceEntry


class KeyType(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """Completes the six keys; the engine checks them, and names the nearest."""

    name = "key"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        return [
            click.shell_completion.CompletionItem(str(key), help=preferences.label(key))
            for key in PreferenceKey
            if key.startswith(incomplete)
        ]


KEY = KeyType()
_ID = re.compile(r"[0-9a-f-]{8,36}")


@click.group("pref", cls=Group)
def pref() -> None:
    """Your six shopping preferences: sizes, brands, stores, diet.

    The keys are shoe_size, clothing_size, preferred_brands, avoided_brands, preferred_merchants
    and dietary_restrictions. What you declare filters offers; what a purchase suggests only
    orders them.
    """


@pref.command_of("list", examples=["localmem pref list", "localmem pref list --json"])
@click.pass_obj
def list_(session: Session) -> None:
    """Show all six, declared and inferred."""
    with session.reading() as engine:
        entries = engine.preferences.list()
        rows = [row for entry in entries for row in _rows(entry)]
        lines = columns.lines(rows, room=session.console.room, styles=(session.console.strong,))
        session.answer(shapes.preferences(entries), lines)


@pref.command_of(
    "remember",
    examples=[
        "localmem pref remember shoe_size 42",
        "localmem pref remember preferred_brands Asics Mizuno",
        'localmem pref remember avoided_brands "Marca X, Marca Y"',
        "localmem pref remember clothing_size M --inferred --purchase-id ord-81",
    ],
)
@click.argument("key", type=KEY)
@click.argument("value", nargs=-1, required=True)
@click.option("--inferred", is_flag=True, help="What a purchase suggests, not your own word.")
@click.option("--purchase-id", help="The purchase it is inferred from; needed with --inferred.")
@click.option("--quote", help="Your own words that hold the value, at most 500 characters.")
@options.if_version
@click.pass_obj
def remember(
    session: Session,
    key: str,
    value: tuple[str, ...],
    inferred: bool,
    purchase_id: str | None,
    quote: str | None,
    made_on: int | None,
) -> ExitCode:
    """Keep a value; over another one it becomes a new version.

    A size is one VALUE. Brands, stores and diet take up to 10 names, as several VALUEs or
    separated by commas.
    """
    if purchase_id is not None and not inferred:
        raise click.UsageError("--purchase-id is for --inferred: a purchase is not your own word.")
    with session.writing() as engine:
        outcome = engine.preferences.remember(
            key,
            _value(key, value),
            provenance=Provenance.INFERRED if inferred else Provenance.DECLARED,
            evidence=Evidence(quote, purchase_id),
            made_on=made_on,
        )
        return answers.written(session, engine, outcome)


@pref.command_of(
    "correct",
    examples=["localmem pref correct shoe_size 43", "localmem pref history shoe_size"],
)
@click.argument("key", type=KEY)
@click.argument("value", nargs=-1, required=True)
@click.option("--quote", help="Your own words that hold the value, at most 500 characters.")
@options.if_version
@click.pass_obj
def correct(
    session: Session, key: str, value: tuple[str, ...], quote: str | None, made_on: int | None
) -> ExitCode:
    """Replace a value by your own word; the old one stays in the history.

    Correcting an inferred value declares the right one beside it. KEY may be a memory's id.
    """
    with session.writing() as engine:
        name = _key(engine, key)
        outcome = engine.preferences.correct(
            name, _value(name, value), evidence=Evidence(quote), made_on=made_on
        )
        return answers.written(session, engine, outcome)


@pref.command_of(
    "forget",
    examples=["localmem pref forget avoided_brands", "localmem pref forget shoe_size --yes"],
)
@click.argument("key", type=KEY)
@options.yes_option
@click.pass_obj
def forget(session: Session, key: str, yes: bool) -> ExitCode:
    """Forget a whole key for good: declared, inferred, and every version.

    It is not inferred again until you declare it yourself. KEY may be a memory's id.
    """
    with session.writing() as engine:
        return answers.forget(session, engine, _held(engine, _key(engine, key)), yes=yes)


@pref.command_of(
    "history",
    examples=["localmem pref history shoe_size", "localmem pref history shoe_size --json"],
)
@click.argument("key", type=KEY)
@click.option("--diff", "with_diff", is_flag=True, help="Show what each version changed.")
@click.pass_obj
def history(session: Session, key: str, with_diff: bool) -> None:
    """Show every version of a key, declared and inferred, newest first."""
    with session.reading() as engine:
        held = [
            (engine.library.get(id), engine.library.history(id))
            for id in _held(engine, _key(engine, key))
        ]
        times = present.Times(engine.now(), session.zone())
        show_history(session, held, times, with_diff=with_diff)


def _value(key: str, given: tuple[str, ...]) -> str | list[str]:
    """What the engine normalises: a size as it is, names apart."""
    held = preferences.parse_key(key)
    if preferences.is_list(held):
        names = [name for part in given for name in part.split(",")]
        return [name for name in names if name.strip()] or names
    if len(given) > 1:
        raise InvalidInput(
            f"{preferences.label(held)} is one size, not {len(given)}.",
            hint=f"`localmem pref remember {held} {given[0][:20]}` keeps one.",
        )
    return given[0]


def _key(engine: Engine, text: str) -> PreferenceKey:
    """The key itself, or the key of the preference with that id. Raises as both do."""
    if not _ID.fullmatch(text):
        return preferences.parse_key(text)
    item = engine.library.get(engine.library.resolve(text))
    if item.kind is not Kind.PREFERENCE:
        raise InvalidInput(
            f"That is the id of a {item.kind}, not of a preference.",
            hint="`localmem pref list --json` shows the ids of preferences.",
        )
    return preferences.parse_key(item.key)


def _held(engine: Engine, key: PreferenceKey) -> list[ItemId]:
    entry = engine.preferences.entry(key)
    held = [item.id for item in (entry.declared, entry.inferred) if item is not None]
    if not held:
        raise MemoryNotFound(
            f"Nothing is remembered for {key}.", hint="`localmem pref list` shows what is."
        )
    return held


def _rows(entry: PreferenceEntry) -> list[list[str]]:
    name = str(entry.key)
    rows = []
    if entry.declared is not None:
        rows.append([name, "declared", present.value_of(entry.declared)])
    if entry.inferred is not None:
        says = "inferred, not used" if entry.declared else "inferred"
        rows.append([name if not rows else "", says, present.value_of(entry.inferred)])
    if entry.inference_blocked:
        rows.append([name if not rows else "", "not inferred again", present.NOTHING])
    return rows or [[name, "", present.NOTHING]]
