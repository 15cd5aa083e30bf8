"""`add` and `edit`: facts in plain words, one a write (memory-api, "Facts")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from localmem.cli import answers, options
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core.model import FactContent, Item, Kind
from localmem.core.scope import Scope
from localmem.errors import InvalidInput

if TYPE_CHECKING:
    from localmem.engine import Engine

LARGEST = 65_536
"""Bytes that are read of a fact: more than can be kept, so that how much too long it is is said."""


@command(
    "add",
    examples=[
        'localmem add "Prefers WhatsApp over email." --scope contact:ana',
        'localmem add "The spare key is with Rita." --ttl 30d --meta source=phone',
        "pbpaste | localmem add -",
    ],
)
@click.argument("text", nargs=-1, required=True)
@options.write_scope
@options.ttl_option
@click.option("--meta", multiple=True, metavar="NAME=VALUE", help="Metadata; once for each name.")
@click.option("--path", help="A logical place, such as projects/x/decisions.")
@options.keep_secret
@click.pass_obj
def add(
    session: Session,
    text: tuple[str, ...],
    scope: Scope,
    ttl: int | None,
    meta: tuple[str, ...],
    path: str | None,
    keep_secret: bool,
) -> ExitCode:
    """Keep one fact in plain words.

    TEXT is the fact; `-` reads it from stdin. A fact that is known already is not kept twice.
    """
    with session.writing() as engine:
        said, about = _typed(session, text), options.metadata(meta)
        outcome = answers.keeping(
            session,
            lambda keep: engine.facts.add(
                said,
                scope=scope,
                metadata=about,
                ttl_seconds=ttl or None,
                path=path,
                keep_secret=keep,
            ),
            keep=keep_secret,
        )
        return answers.written(session, engine, outcome)


@command(
    "edit",
    examples=[
        "localmem edit 0199c1b2-3d4e                       # opens your editor",
        'localmem edit 0199c1b2-3d4e "Prefers Signal over WhatsApp."',
        "localmem edit 0199c1b2-3d4e --ttl never --meta source=call --drop-meta draft",
        "localmem edit 0199c1b2-3d4e --discard-draft       # what was not saved",
    ],
)
@click.argument("id", type=options.ID)
@click.argument("words", nargs=-1, metavar="[TEXT]")
@click.option("--text", help="The new text, as TEXT; `-` reads it from stdin.")
@click.option("--meta", multiple=True, metavar="NAME=VALUE", help="Set one name; others stay.")
@click.option("--drop-meta", multiple=True, metavar="NAME", help="Remove one name.")
@options.ttl_option
@click.option("--path", help="A logical place; an empty one removes it.")
@options.if_version
@click.option("--discard-draft", is_flag=True, help="Drop what was typed and not saved.")
@options.keep_secret
@click.pass_obj
def edit(
    session: Session,
    id: str,
    words: tuple[str, ...],
    text: str | None,
    meta: tuple[str, ...],
    drop_meta: tuple[str, ...],
    ttl: int | None,
    path: str | None,
    made_on: int | None,
    discard_draft: bool,
    keep_secret: bool,
) -> ExitCode:
    """Change a fact; the version before stays in its history.

    Without an option that says what, your editor ($VISUAL or $EDITOR) opens its text; a document
    opens as JSON. What could not be saved is kept as a draft, which the next edit opens.
    """
    if words and text is not None:
        raise click.UsageError("Give the new text once: as TEXT or with --text.")
    if words:
        text = " ".join(words)
    named = text is not None or meta or drop_meta or ttl is not None or path is not None
    with session.writing() as engine:
        item = engine.library.get(engine.library.resolve(id))
        if discard_draft:
            return _discard(session, engine, item, alone=not named)
        if not named:
            return _in_editor(session, engine, item, made_on, keep_secret=keep_secret)
        _require_fact(item)
        from localmem.engine import KEEP

        held = _metadata(item, meta, drop_meta) if meta or drop_meta else KEEP
        said = KEEP if text is None else _typed(session, (text,))
        outcome = answers.keeping(
            session,
            lambda keep: engine.facts.edit(
                item.id,
                text=said,
                metadata=held,
                ttl_seconds=KEEP if ttl is None else ttl or None,
                path=KEEP if path is None else path or None,
                # Metadata is changed on what was just read, so nobody may have written since.
                made_on=item.head.number if made_on is None and held is not KEEP else made_on,
                keep_secret=keep,
            ),
            keep=keep_secret,
        )
        return answers.written(session, engine, outcome)


def _typed(session: Session, words: tuple[str, ...]) -> str:
    if words == ("-",):
        return session.console.read_all("the fact", LARGEST).removesuffix("\n")
    return " ".join(words)


def _metadata(item: Item, setting: tuple[str, ...], dropping: tuple[str, ...]) -> dict[str, str]:
    assert isinstance(item.head.content, FactContent)
    held = dict(item.head.content.metadata)
    for name in dropping:
        if held.pop(name, None) is None:
            raise InvalidInput(
                "There is no metadata of that name to drop.",
                hint=f"It has {', '.join(held) or 'none'}.",
            )
    return held | options.metadata(setting)


def _require_fact(item: Item) -> None:
    if item.kind is Kind.DOCUMENT:
        raise InvalidInput(
            "That is a document, not a fact.",
            hint=f"Use `localmem collection set {item.collection} {item.key} JSON`, or edit it "
            "without options.",
        )
    if item.kind is Kind.PREFERENCE:
        raise InvalidInput(
            "That is a preference, not a fact.",
            hint=f"Use `localmem pref correct {item.key} VALUE`.",
        )


def _discard(session: Session, engine: Engine, item: Item, *, alone: bool) -> ExitCode:
    if not alone:
        raise click.UsageError("--discard-draft stands alone: it drops text, it changes none.")
    from localmem.cli import editor

    return editor.discard(session, engine, item)


def _in_editor(
    session: Session, engine: Engine, item: Item, made_on: int | None, *, keep_secret: bool
) -> ExitCode:
    from localmem.cli import editor

    if item.kind is Kind.PREFERENCE:
        _require_fact(item)
    if not session.console.can_ask:
        raise click.UsageError(
            "Say what to change (--text, --meta, --ttl, --path): without a terminal no editor "
            "opens."
        )
    return editor.edit(session, engine, item, made_on, keep_secret=keep_secret)
