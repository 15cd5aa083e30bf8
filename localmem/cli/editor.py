"""Editing in the person's own editor, without losing what they typed or overwriting unseen.

What could not be saved is kept as a draft in the library, beside its item and erased with it, with
the version it was made on: the next `localmem edit` of that item opens it again, and saving it over
a version the person has not seen is refused. Refuses to write a secret down as a draft, to save
anything when the editor is left without saving, and to bring a draft back that was discarded.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import click

from localmem.cli import answers
from localmem.cli.exit_codes import ExitCode
from localmem.cli.present import pretty
from localmem.cli.session import Session
from localmem.core import documents, json_text
from localmem.core.change import Stale, Written
from localmem.core.model import DocumentContent, FactContent, Item
from localmem.core.screening import screen, screen_json
from localmem.errors import InvalidInput, LocalmemError

if TYPE_CHECKING:
    from localmem.engine import Engine


@dataclass(frozen=True, slots=True)
class Typed:
    """What somebody typed, and the version of the item they saw when they typed it."""

    text: str
    made_on: int

    def body(self) -> str:
        return json.dumps({"madeOn": self.made_on, "text": self.text}, ensure_ascii=False)

    @classmethod
    def read(cls, body: str) -> Self | None:
        """None for a body of another form, which nobody can say the version of."""
        try:
            held = json.loads(body)
        except ValueError:
            return None
        match held:
            case {"madeOn": int(made_on), "text": str(text)}:
                return cls(text, made_on)
            case _:
                return None


def edit(
    session: Session, engine: Engine, item: Item, made_on: int | None, *, keep_secret: bool
) -> ExitCode:
    """Open the content, or the draft of it, and save what comes back; `made_on` is the version
    the person says they have seen. Raises what saving raises; the text is kept then.
    """
    draft = _draft(engine, item)
    before = draft.text if draft else _content(item)
    base = made_on or (draft.made_on if draft else item.head.number)
    if draft is not None:
        _announce(session, item, base)
    left = click.edit(before, extension=_extension(item))
    text = "" if left is None else left.removesuffix("\n")
    if not text.strip():
        session.warn("Nothing was changed." if left is None
                     else "The editor came back empty, so nothing was changed.")  # fmt: skip
        return ExitCode.DONE
    typed = Typed(text, base)
    try:
        outcome = answers.keeping(
            session, lambda keep: _save(engine, item, typed, keep_secret=keep), keep=keep_secret
        )
    except LocalmemError:
        _keep(session, engine, item, typed, item.head.number, keep_secret=keep_secret)
        raise
    if isinstance(outcome, Stale):
        now = outcome.current.head.number
        _keep(session, engine, item, typed, now, keep_secret=keep_secret)
    elif draft is not None:
        engine.library.drop_draft(_slot(item))
    return answers.written(session, engine, outcome)


def discard(session: Session, engine: Engine, item: Item) -> ExitCode:
    """Drop what was typed and not saved; saying so when there is none is no failure."""
    held = engine.library.draft(_slot(item)) is not None
    if held:
        engine.library.drop_draft(_slot(item))
    session.answer({"id": item.id, "discarded": held}, [])
    session.warn("The draft is discarded." if held else "There is no draft of it.")
    return ExitCode.DONE


def _slot(item: Item) -> str:
    return f"cli:{item.id}"


def _draft(engine: Engine, item: Item) -> Typed | None:
    held = engine.library.draft(_slot(item))
    return Typed.read(held.body) if held is not None else None


def _announce(session: Session, item: Item, base: int) -> None:
    session.warn("This opens what you typed last time, which was not saved.")
    if base != item.head.number:
        session.warn(
            f"You typed it over version {base}; version {item.head.number} is kept now. "
            f"{_way_on(item, item.head.number)}"
        )


def _way_on(item: Item, number: int) -> str:
    return (
        f"`localmem edit {item.id} --if-version {number}` saves it over that one, "
        "--discard-draft drops it."
    )


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


def _save(engine: Engine, item: Item, typed: Typed, *, keep_secret: bool) -> Written:
    if isinstance(item.head.content, FactContent):
        return engine.facts.edit(
            item.id, text=typed.text, made_on=typed.made_on, keep_secret=keep_secret
        )
    return engine.documents.set(
        item.collection,
        item.key,
        json_text.parse(typed.text),
        scope=item.scope,
        made_on=typed.made_on,
        keep_secret=keep_secret,
    )


def _keep(
    session: Session, engine: Engine, item: Item, typed: Typed, now: int, *, keep_secret: bool
) -> None:
    """Keep the draft, unless it holds a secret nobody said to keep; `now` is the item's version."""
    if not keep_secret and _holds_secret(item, typed.text):
        session.warn("What you typed looks like a secret, so no draft of it is kept.")
        return
    engine.library.save_draft(_slot(item), typed.body(), item=item.id)
    session.warn(f"What you typed is kept: `localmem edit {item.id}` opens it again.")
    if typed.made_on != now:
        session.warn(_way_on(item, now))
    else:
        session.warn(f"`localmem edit {item.id} --discard-draft` drops it.")


def _holds_secret(item: Item, text: str) -> bool:
    """Whether screening sees a secret in the text, or in the JSON that it may be."""
    if screen(text).kinds:
        return True
    if not isinstance(item.head.content, DocumentContent):
        return False
    try:
        return bool(screen_json(documents.new(json_text.parse(text)).value).kinds)
    except InvalidInput:
        return False
