"""`inbox`: what agents wrote and what was inferred, until the person has decided.

Refuses to decide half: when one id does not wait, nothing is done. Accepting is undone with
`undo`; what a rejection erases is named and asked about first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from localmem.cli import answers, columns, days, options, present
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import Group, json_option
from localmem.cli.session import Session
from localmem.core.change import Saved
from localmem.core.visible import visible
from localmem.errors import MemoryNotFound
from localmem.wire import inbox as wire
from localmem.wire import shapes

if TYPE_CHECKING:
    from localmem.engine import Engine
    from localmem.engine.answers import Waiting
    from localmem.engine.outcomes import Receipt

SHOWN = 50


@click.group("inbox", cls=Group, invoke_without_command=True)
@click.pass_context
def inbox(ctx: click.Context) -> None:
    """Show what agents wrote and what was inferred, until you have decided.

    It is kept and found like everything else meanwhile. To correct one, change it as usual: `edit`
    takes it out of the inbox. Alone, this is `localmem inbox list`.
    """
    if ctx.invoked_subcommand is None:
        _show(ctx.obj, SHOWN, None)


inbox.params.append(json_option())


@inbox.command_of(
    "list", examples=["localmem inbox list", "localmem inbox list --json | jq '.items[].written'"]
)
@options.limit_option(SHOWN)
@options.cursor_option
@click.pass_obj
def list_(session: Session, limit: int, cursor: str | None) -> None:
    """Show what waits, newest first: who wrote it, what it says, what it came from."""
    _show(session, limit, cursor)


@inbox.command_of(
    "accept",
    examples=["localmem inbox accept 0199c1b2-3d4e", "localmem inbox accept --all"],
)
@click.argument("ids", type=options.ID, nargs=-1, metavar="[ID...]")
@click.option("--all", "everything", is_flag=True, help="All that waits.")
@click.pass_obj
def accept(session: Session, ids: tuple[str, ...], everything: bool) -> None:
    """Take memories out of the inbox as they are; `localmem undo` takes that back."""
    if bool(ids) == everything:
        raise click.UsageError("Name the ids to accept, or --all.")
    with session.writing() as engine:
        if everything:
            accepted = engine.inbox.accept_all()
        else:
            found = _waiting(engine, ids, "accepted")
            accepted = engine.inbox.accept([each.item.id for each in found])
        told = f"Accepted {present.count(accepted, 'memory', 'memories')}."
        session.answer({"accepted": accepted}, [told])


@inbox.command_of(
    "reject",
    examples=[
        "localmem inbox reject 0199c1b2-3d4e",
        "localmem inbox reject 0199c1b2-3d4e --yes --json",
    ],
)
@click.argument("ids", type=options.ID, nargs=-1, required=True, metavar="ID...")
@options.yes_option
@click.pass_obj
def reject(session: Session, ids: tuple[str, ...], yes: bool) -> ExitCode:
    """Refuse memories: what is new is erased for good, what was edited goes back.

    Either way the same is not taken from an agent again. What would be erased is named and asked
    about first.
    """
    with session.writing() as engine:
        found = _waiting(engine, ids, "rejected")
        if not _may_erase(session, engine, found, yes=yes):
            return ExitCode.FAILURE
        done = [(each, engine.inbox.reject(each.item.id)) for each in found]
        shape: shapes.Shape = {"rejected": [wire.rejected(*each) for each in done]}
        session.answer(shape, [_rejected(each, outcome) for each, outcome in done])
        complete = all(isinstance(outcome, Saved) or outcome.complete for _, outcome in done)
        return ExitCode.DONE if complete else ExitCode.NOT_REWRITTEN


def _show(session: Session, limit: int, cursor: str | None) -> None:
    offset = days.offset(cursor)
    with session.reading() as engine:
        found = engine.inbox.window(offset=offset, limit=limit)
        rest = engine.inbox.count() - offset - len(found)
        following = str(offset + len(found)) if rest > 0 and found else None
        listed = [
            wire.waiting(each, shadowed=answers.is_shadowed(engine, each.item)) for each in found
        ]
        session.answer(shapes.page(listed, following), _lines(session, engine, found))
        if not found and not session.as_json:
            session.warn(
                "Nothing waits for you. What agents write and what is inferred comes here."
            )
        answers.more(session, following)


def _lines(session: Session, engine: Engine, found: Sequence[Waiting]) -> list[str]:
    if session.as_json:
        return []
    ids = engine.library.short_ids([each.item.id for each in found])
    faint = session.console.faint
    rows = [
        [
            ids[each.item.id],
            present.author(each.item.head.by),
            str(each.item.kind),
            str(each.item.scope),
            "new" if each.before is None else f"changes v{each.before.number}",
            present.text(each.item),
        ]
        for each in found
    ]
    lines = columns.lines(
        rows, room=session.console.room, styles=(faint, None, faint, faint, faint)
    )
    told: list[str] = []
    for each, line in zip(found, lines, strict=True):
        told += [line, *(f"      {part}" for part in _under(each))]
    return told


def _under(waiting: Waiting) -> list[str]:
    """What it came from, and what it changes."""
    found = [visible(f"{name}: {text}") for name, text in present.evidence(waiting.item.head)]
    if waiting.before is not None:
        found += present.changes(waiting.before, waiting.item.head)
    return found


def _waiting(engine: Engine, ids: Sequence[str], done: str) -> list[Waiting]:
    """What waits under these ids. Raises MemoryNotFound, InvalidInput."""
    found: dict[str, Waiting] = {}
    for id in ids:
        waiting = engine.inbox.find(engine.library.resolve(id))
        if waiting is None:
            raise MemoryNotFound(
                f"Nothing waits under the id {id[:80]}, so nothing was {done}.",
                hint="It may be decided already; `localmem inbox` shows what waits.",
            )
        found[waiting.item.id] = waiting
    return list(found.values())


def _may_erase(session: Session, engine: Engine, found: Sequence[Waiting], *, yes: bool) -> bool:
    new = [each.item for each in found if each.before is None]
    if not new:
        return True
    shown = engine.library.short_ids([item.id for item in new])
    return answers.confirmed(
        session,
        f"Erase {present.count(len(new), 'memory', 'memories')} for good?",
        present.named(new, shown, answers.MOST_NAMED),
        yes=yes,
        otherwise="Nothing was rejected.",
    )


def _rejected(waiting: Waiting, outcome: Receipt | Saved) -> str:
    id = waiting.item.id
    if isinstance(outcome, Saved):
        assert waiting.before is not None
        return f"Rejected {id}: it says again what version {waiting.before.number} said."
    erased = f"Rejected {id}: erased with {present.count(outcome.erased.versions, 'version')}."
    left = "" if outcome.complete else f" Its freed bytes still stand in the file: {outcome.why}."
    return erased + left
