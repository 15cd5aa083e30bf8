"""What a command says after it wrote or erased something, the same words for every kind.

Refuses to call anything done that is not: a write that came too late and a question answered with
no have their own exit codes (field report FR-126).
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, assert_never

import click

from localmem.cli import columns, present
from localmem.cli.exit_codes import ExitCode
from localmem.cli.session import Session
from localmem.core.change import Saved, Stale, Unchanged, Write, Written
from localmem.core.model import Item, ItemId, Kind, Provenance
from localmem.errors import SecretRejected
from localmem.wire import shapes

if TYPE_CHECKING:
    from localmem.cli.diagnostics import Problem
    from localmem.engine import Engine
    from localmem.engine.outcomes import NothingToUndo, Receipt, Undone, UndoPreview

MOST_NAMED = 10
"""Items a question names one by one."""
_ELSEWHERE = (
    "Elsewhere: the server forgets it with the next sync from here, your other devices with theirs."
)


def keeping(session: Session, save: Callable[[bool], Written], *, keep: bool) -> Written:
    """What `save` does; a secret is asked about where somebody can answer, and then kept or not.

    `save` is told whether a secret may stay. Raises what it raises, SecretRejected among it.
    """
    try:
        return save(keep)
    except SecretRejected as seen:
        console = session.console
        if not console.can_ask or not console.confirm(f"{seen.message} Keep it anyway?"):
            raise
        return save(True)


def written(session: Session, engine: Engine, outcome: Written, *, where: str = "") -> ExitCode:
    """Answer with the item as it is kept now; `where` names it in the hint of a late write."""
    match outcome:
        case Saved(item=item, created=created, notes=notes):
            _tell(session, notes)
            _answer_item(session, engine, item)
            session.done("Kept." if created else f"Saved as version {item.head.number}.")
            return ExitCode.DONE
        case Unchanged(item=item, notes=notes):
            _tell(session, notes)
            _answer_item(session, engine, item)
            session.warn("Already kept so; nothing was written.")
            return ExitCode.DONE
        case Stale(current=current, mine=mine):
            from localmem.cli.diagnostics import report

            report(session.console, late(current, mine, where), as_json=session.as_json)
            return ExitCode.STALE
        case _:
            assert_never(outcome)


def late(current: Item, mine: Write, where: str) -> Problem:
    """A write made on a version that is not the last one (protocols 5.1, `revision_conflict`)."""
    from localmem.cli.diagnostics import Problem

    number = current.head.number
    seen = f"not version {mine.made_on}" if mine.made_on else "and you asked for a new one"
    look = where or f"localmem show {current.id}"
    return Problem(
        "revision_conflict",
        f"Not saved: it is at version {number} now, {seen}.",
        f"Look at it with `{look}`, then write again with --if-version {number}.",
        {"currentRev": number},
    )


def items(
    session: Session, engine: Engine, found: Sequence[Item], next_cursor: str | None, empty: str
) -> None:
    """Answer with a page of items of any kind."""
    shape = shapes.page([shapes.mixed(item, shadowed=is_shadowed(engine, item)) for item in found],
                        next_cursor)  # fmt: skip
    session.answer(shape, rows(session, engine, found))
    if not found and not session.as_json:
        session.warn(empty)
    more(session, next_cursor)


def rows(session: Session, engine: Engine, found: Sequence[Item]) -> list[str]:
    """Items as lines of a list."""
    console = session.console
    if session.as_json:
        return []
    ids = engine.library.short_ids([item.id for item in found])
    return columns.lines(
        [present.row(item, ids[item.id]) for item in found],
        room=console.room,
        styles=(console.faint, console.faint),
    )


def more(session: Session, next_cursor: str | None) -> None:
    if next_cursor is not None and not session.as_json:
        session.warn(f"There is more: add --cursor {next_cursor}")


def is_shadowed(engine: Engine, item: Item) -> bool:
    """Whether an inferred preference stands beside a declared one."""
    if item.provenance is not Provenance.INFERRED:
        return False
    return engine.preferences.entry(item.key).declared is not None


def confirmed(
    session: Session,
    question: str,
    lines: Sequence[str],
    *,
    yes: bool,
    otherwise: str = "Nothing was forgotten.",
) -> bool:
    """Whether to go on: `--yes`, or a yes typed after what goes was named.

    `otherwise` is said after a no. Raises UsageError where nobody can be asked.
    """
    if yes:
        return True
    console = session.console
    if not console.can_ask:
        raise click.UsageError(
            f"{question} Nobody can be asked here, so nothing was done: add --yes."
        )
    for line in lines:
        console.tell(columns.cut(f"  {line}", 100))
    if console.confirm(question):
        return True
    session.warn(otherwise)
    return False


def receipt(
    session: Session, given: Receipt, deed: str = "Forgotten", *, elsewhere: str = ""
) -> ExitCode:
    """Answer with what was erased and checked; an unfinished erasure is not called done.

    `elsewhere` says what becomes of it on the server.
    """
    erased = given.erased
    lines = [
        f"{deed}: {present.count(erased.items, 'item')}, "
        f"{present.count(erased.versions, 'version')}, {present.count(erased.vectors, 'vector')}"
        + (
            f", {present.count(erased.copies, 'copy', 'copies')} for synchronisation."
            if erased.copies
            else "."
        ),
        _searched(given),
        f"Checked: {'; '.join(given.checked)}.",
        *([elsewhere] if elsewhere and erased.items else []),
        f"Out of reach: {'; '.join(given.out_of_reach)}.",
    ]
    room = session.console.room
    if room is not None:
        lines = [
            part for line in lines for part in textwrap.wrap(line, room, subsequent_indent="  ")
        ]
    session.answer(shapes.receipt(given), lines)
    return ExitCode.DONE if given.complete else ExitCode.NOT_REWRITTEN


def forget(session: Session, engine: Engine, ids: Sequence[ItemId], *, yes: bool) -> ExitCode:
    """Name what goes, ask, erase, and give the receipt. Raises MemoryNotFound, UsageError."""
    plan = engine.forgetting.plan(ids)
    shown = engine.library.short_ids([item.id for item in plan.items])
    lines = present.named(plan.items, shown, MOST_NAMED)
    lines.extend(f"{key} will not be inferred again" for key in plan.blocks_inference_of)
    question = (
        f"Forget {present.count(len(plan.items), 'item')} with "
        f"{present.count(plan.versions, 'version')} for good?"
    )
    if not confirmed(session, question, lines, yes=yes):
        return ExitCode.FAILURE
    return forgotten(session, engine, engine.forgetting.forget(ids))


def forgotten(session: Session, engine: Engine, given: Receipt) -> ExitCode:
    """The receipt; where an account is signed in, with what comes of it there."""
    signed_in = session.syncing(engine).status().account is not None
    return receipt(session, given, elsewhere=_ELSEWHERE if signed_in else "")


def may_undo(session: Session, engine: Engine, coming: UndoPreview, *, yes: bool) -> bool:
    """Whether to take back: asked only where that erases something. Raises UsageError."""
    if not coming.erases:
        return True
    shown = engine.library.short_ids([item.id for item in coming.items])
    return confirmed(
        session,
        f"Undo ({coming.label}), which erases it for good?",
        present.named(coming.items, shown, MOST_NAMED, coming.count),
        yes=yes,
        otherwise="Nothing was undone.",
    )


def undone(session: Session, engine: Engine, done: Undone | NothingToUndo) -> ExitCode:
    """Answer with what was taken back and what was not."""
    from localmem.engine.outcomes import NothingToUndo

    if isinstance(done, NothingToUndo):
        return not_undone(session, done)
    lines = [f"Undone: {done.label}{_how_many(done)}.", *rows(session, engine, done.items)]
    if done.restored > len(done.items):
        lines.append(f"and {done.restored - len(done.items):,} more")
    session.answer(shapes.undone(done), lines)
    if done.kept and not session.as_json:
        changed = present.count(done.kept, "memory was", "memories were")
        session.warn(f"{changed} changed or forgotten since and stayed so.")
    return ExitCode.DONE


def _how_many(done: Undone) -> str:
    """Of one item its line says all."""
    if done.restored + len(done.gone) < 2:
        return ""
    told = [f"{len(done.gone):,} erased"] if done.gone else []
    if done.restored:
        told.append(f"{done.restored:,} as they were before")
    return f" ({', '.join(told)})"


def not_undone(session: Session, nothing: NothingToUndo) -> ExitCode:
    from localmem.cli.diagnostics import Problem, report

    report(session.console, Problem("nothing_to_undo", nothing.why), as_json=session.as_json)
    return ExitCode.FAILURE


def _searched(given: Receipt) -> str:
    if not given.complete:
        return (
            f"The freed bytes still stand in the files: {given.why}. "
            "The next command that writes rewrites them."
        )
    if not given.files:
        return "Nothing had to be rewritten."
    if not given.searched_for:
        return f"Rewrote {present.joined(given.files)}."
    searched = present.count(given.searched_for, "text")
    found = "found none" if not given.found else f"found {given.found:,} in other memories"
    return f"Rewrote {present.joined(given.files)}; searched them for {searched}, {found}."


def _answer_item(session: Session, engine: Engine, item: Item) -> None:
    shape = shapes.kept(item, shadowed=is_shadowed(engine, item))
    if item.kind is Kind.FACT:
        session.answer(shape, rows(session, engine, [item]))
    else:
        session.answer(shape, columns.lines([present.addressed(item)], room=session.console.room))


def _tell(session: Session, notes: Sequence[str]) -> None:
    for note in notes:
        session.warn(note)
