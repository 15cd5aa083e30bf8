"""Commands for whatever is kept: list, show, history, restore, delete, wipe, undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import click

from localmem.cli import answers, columns, days, options, past, present
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core.model import Item, ItemId, Kind, Version
from localmem.core.records import Slice
from localmem.core.scope import Scope
from localmem.errors import MemoryNotFound
from localmem.wire import shapes

if TYPE_CHECKING:
    from localmem.core.diff import FieldDiff


@command(
    "list",
    examples=[
        "localmem list",
        "localmem list --scope contact:ana --kind fact --limit 20",
        "localmem list --as-of 2026-03-29",
        "localmem list --json | jq -r '.items[].text'",
    ],
)
@options.read_scope
@click.option("--kind", type=click.Choice([str(kind) for kind in Kind]), help="Only this kind.")
@days.as_of_option
@options.limit_option(50)
@options.cursor_option
@click.pass_obj
def list_(
    session: Session,
    scope: Scope | None,
    kind: str | None,
    as_of: str | None,
    limit: int,
    cursor: str | None,
) -> None:
    """Show what is kept, newest first; documents alone by collection and key.

    Each line is an id, a scope and what it says. Commands take the id as it is shown. What was
    forgotten since is not in any past.
    """
    slice = Slice(Kind(kind) if kind else None, scope)
    with session.reading() as engine:
        at = days.as_of(session, engine.now(), as_of)
        if at is not None:
            past.page(session, engine, slice, at, limit=limit, cursor=cursor)
            return
        found, next_cursor = engine.library.page(slice, limit=limit, cursor=cursor)
        answers.items(session, engine, found, next_cursor, _empty(scope, kind))


def _empty(scope: Scope | None, kind: str | None) -> str:
    what = f"No {kind}s are kept" if kind else "Nothing is kept"
    where = f" in {scope}." if scope else " here yet."
    return f'{what}{where} `localmem add "…"` keeps a first fact.'


@command(
    "show",
    examples=[
        "localmem show 0199c1b2-3d4e",
        "localmem show 0199c1b2-3d4e --as-of yesterday",
        "localmem show 0199c1b2-3d4e --json | jq .metadata",
    ],
)
@click.argument("id", type=options.ID)
@days.as_of_option
@click.pass_obj
def show(session: Session, id: str, as_of: str | None) -> None:
    """Show one item whole: content, scope, author, expiry, metadata.

    ID is an id or its beginning, as `localmem list` and `localmem search` show it.
    """
    with session.reading() as engine:
        at = days.as_of(session, engine.now(), as_of)
        if at is not None:
            past.show(session, engine, engine.library.resolve(id), at)
            return
        item = engine.library.get(engine.library.resolve(id))
        used = engine.library.last_used(item.id)
        shape = shapes.mixed(item, shadowed=answers.is_shadowed(engine, item))
        shape["writtenBy"] = shapes.author(item.head.by)
        if used is not None:
            shape["lastUsed"] = {"at": shapes.moment(used[0]), "by": used[1]}
        times = present.Times(engine.now(), session.zone())
        about = [[name, value] for name, value in present.details(item, times, used)]
        lines = [*present.block(item), "", *columns.lines(about, room=None)]
        session.answer(shape, lines)


@command(
    "history",
    examples=["localmem history 0199c1b2-3d4e", "localmem history 0199c1b2-3d4e --diff"],
)
@click.argument("id", type=options.ID)
@click.option("--diff", "with_diff", is_flag=True, help="Show what each version changed.")
@click.pass_obj
def history(session: Session, id: str, with_diff: bool) -> None:
    """Show every version an item had, newest first; JSON has the oldest first.

    With --diff, words that went stand in [-…-] and words that came in {+…+}.
    """
    with session.reading() as engine:
        item = engine.library.get(engine.library.resolve(id))
        held = engine.library.history(item.id)
        times = present.Times(engine.now(), session.zone())
        show_history(session, [(item, held)], times, with_diff=with_diff)


def show_history(
    session: Session,
    histories: Sequence[tuple[Item, tuple[Version, ...]]],
    times: present.Times,
    *,
    with_diff: bool = False,
) -> None:
    """Answer with the versions of an item, or of the halves of a preference key."""
    shape: shapes.Shape = {
        "versions": [
            each for item, held in histories for each in _shapes(item, held, with_diff=with_diff)
        ]
    }
    listed = [(item, held, each) for item, held in histories for each in reversed(held)]
    rows = [present.version(each, times, item) for item, _, each in listed]
    console = session.console
    lines = columns.lines(rows, room=console.room, styles=(console.strong,))
    if with_diff:
        lines = [
            part
            for (_, held, each), line in zip(listed, lines, strict=True)
            for part in (line, *_differences(held, each))
        ]
    session.answer(shape, lines)


def _shapes(item: Item, held: Sequence[Version], *, with_diff: bool) -> list[shapes.Shape]:
    half: shapes.Shape = {} if item.provenance is None else {"provenance": str(item.provenance)}
    changed = _changes(held) if with_diff else {}
    return [half | shapes.version(each, changed.get(each.number)) for each in held]


def _differences(held: Sequence[Version], new: Version) -> list[str]:
    old = next((old for old, after in pairwise(held) if after is new), None)
    return [f"      {change}" for change in (present.changes(old, new) if old else [])]


def _changes(held: Sequence[Version]) -> dict[int, Sequence[FieldDiff]]:
    from localmem.core.diff import fields

    return {new.number: fields(old.content, new.content) for old, new in pairwise(held)}


@command(
    "restore",
    examples=["localmem restore 0199c1b2-3d4e 1", "localmem undo       # takes the restore back"],
)
@click.argument("id", type=options.ID)
@click.argument("version", type=click.IntRange(min=1))
@options.if_version
@click.pass_obj
def restore(session: Session, id: str, version: int, made_on: int | None) -> ExitCode:
    """Make an old version current again, as a new version.

    VERSION is its number in `localmem history ID`.
    """
    with session.writing() as engine:
        outcome = engine.versions.restore(engine.library.resolve(id), version, made_on=made_on)
        return answers.written(session, engine, outcome)


@command(
    "delete",
    examples=[
        "localmem delete 0199c1b2-3d4e",
        "localmem delete 0199c1b2-3d4e 0199c1b2-9f00 --yes --json",
    ],
)
@click.argument("ids", type=options.ID, nargs=-1, required=True, metavar="ID...")
@options.yes_option
@click.pass_obj
def delete(session: Session, ids: tuple[str, ...], yes: bool) -> ExitCode:
    """Forget items for good: every version, the word index, the vectors.

    Names what goes and asks first. A preference takes its whole key with it, and is not inferred
    again. When one ID is not kept here, nothing is forgotten. Also called `forget`.
    """
    with session.writing() as engine:
        found = dict.fromkeys(_resolved(engine.library.resolve, id) for id in ids)
        return answers.forget(session, engine, list(found), yes=yes)


def _resolved(resolve: Callable[[str], ItemId], text: str) -> ItemId:
    try:
        return resolve(text)
    except MemoryNotFound as missing:
        raise MemoryNotFound(
            f"Nothing is kept under the id {text[:80]}, so nothing was forgotten.",
            hint="It may be forgotten or expired already; `localmem list` shows the ids.",
        ) from missing


@command(
    "wipe",
    examples=["localmem wipe --scope conversation:th-81", "localmem wipe --scope project --yes"],
)
@click.option("--scope", type=options.SCOPE, required=True, help="The scope to empty of facts.")
@options.yes_option
@click.pass_obj
def wipe(session: Session, scope: Scope, yes: bool) -> ExitCode:
    """Forget every fact of one scope for good; its documents stay.

    The scope is always named: there is no default for this one.
    """
    with session.writing() as engine:
        facts = engine.library.count(Slice(Kind.FACT, scope))
        question = f"Forget {present.count(facts, 'fact')} of {scope} for good?"
        if facts and not answers.confirmed(session, question, (), yes=yes):
            return ExitCode.FAILURE
        return answers.forgotten(session, engine, engine.forgetting.wipe(scope))


@command("undo", examples=["localmem undo", "localmem undo --yes --json"])
@options.yes_option
@click.pass_obj
def undo(session: Session, yes: bool) -> ExitCode:
    """Take back your last change, whichever program you made it in.

    Taking back what was new erases it for good, so that is shown and asked first. Forgetting cannot
    be taken back. What an agent wrote is not yours to undo here: see its history.
    """
    from localmem.engine.outcomes import NothingToUndo

    with session.writing() as engine:
        coming = engine.versions.undo_preview()
        if isinstance(coming, NothingToUndo):
            return answers.not_undone(session, coming)
        if not answers.may_undo(session, engine, coming, yes=yes):
            return ExitCode.FAILURE
        return answers.undone(session, engine, engine.versions.undo(coming.seq))
