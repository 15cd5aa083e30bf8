"""Editing in the person's own editor, without ever losing what they typed.

What could not be saved is kept as a draft in the library, beside its item and erased with it, and
the next `localmem edit` of that item opens it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from localmem.cli import answers
from localmem.cli.exit_codes import ExitCode
from localmem.cli.present import pretty
from localmem.cli.session import Session
from localmem.core import json_text
from localmem.core.change import Stale, Written
from localmem.core.model import DocumentContent, FactContent, Item
from localmem.errors import LocalmemError

if TYPE_CHECKING:
    from localmem.engine import Engine


def edit(
    session: Session, engine: Engine, item: Item, made_on: int | None, *, keep_secret: bool
) -> ExitCode:
    """Open the content, save what comes back. Raises what saving raises; the text is kept then."""
    slot = f"cli:{item.id}"
    draft = engine.library.draft(slot)
    before = _content(item)
    if draft is not None:
        session.warn("This opens what you typed last time, which was not saved.")
    typed = click.edit(draft.body if draft else before, extension=_extension(item))
    if typed is None and draft is None:
        session.warn("Nothing was changed.")
        return ExitCode.DONE
    text = (typed if typed is not None else draft.body if draft else before).removesuffix("\n")
    try:
        outcome = _save(engine, item, text, made_on or item.head.number, keep_secret=keep_secret)
    except LocalmemError:
        _keep(session, engine, slot, text, item)
        raise
    if isinstance(outcome, Stale):
        _keep(session, engine, slot, text, item)
    elif draft is not None:
        engine.library.drop_draft(slot)
    return answers.written(session, engine, outcome)


def _content(item: Item) -> str:
    match item.head.content:
        case FactContent(text=text):
            return text
        case DocumentContent(value):
            return pretty(value)
        case _:
            raise AssertionError("preferences are corrected, not edited")


def _extension(item: Item) -> str:
    return ".json" if isinstance(item.head.content, DocumentContent) else ".txt"


def _save(engine: Engine, item: Item, text: str, made_on: int, *, keep_secret: bool) -> Written:
    if isinstance(item.head.content, FactContent):
        return engine.facts.edit(item.id, text=text, made_on=made_on, keep_secret=keep_secret)
    return engine.documents.set(
        item.collection,
        item.key,
        json_text.parse(text),
        scope=item.scope,
        made_on=made_on,
        keep_secret=keep_secret,
    )


def _keep(session: Session, engine: Engine, slot: str, text: str, item: Item) -> None:
    engine.library.save_draft(slot, text, item=item.id)
    session.warn(f"What you typed is kept: `localmem edit {item.id}` opens it again.")
