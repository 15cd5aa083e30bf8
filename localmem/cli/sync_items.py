"""`sync conflicts`, `show`, `resolve`, `waiting`, `runs` and the like: what a sync left to decide.

Refuses to decide what was settled meanwhile, and to erase without asking: a decision that takes
something away names it first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from localmem.cli import answers, options, present, sync_names, sync_report
from localmem.cli.diagnostics import Problem, report
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core import documents, facts, json_text, preferences, screening
from localmem.core.documents import MAX_BYTES
from localmem.core.model import (
    Actor,
    AuthorKind,
    Content,
    FactContent,
    Kind,
    Origin,
    PreferenceContent,
)
from localmem.core.syncing import Clash, Decision, NotDone, Past, Waiting
from localmem.core.visible import visible
from localmem.errors import InvalidInput, LocalmemError, MemoryNotFound, SecretRejected
from localmem.wire import shapes

if TYPE_CHECKING:
    from localmem.engine import Engine

LARGEST = 10 * MAX_BYTES
SHOWN = 50
MOST_RUNS = 1_000
EVERYTHING = 1_000_000
"""What an id may name: more than any library has."""
_YOU = Actor(AuthorKind.PERSON, "you", Origin.CLI)


# conflicts


@command(
    "conflicts",
    examples=["localmem sync conflicts", "localmem sync conflicts --json | jq '.items[].id'"],
)
@click.pass_obj
def conflicts(session: Session) -> None:
    """Show what was changed here and there, and waits for you."""
    with session.reading() as engine:
        found = session.syncing(engine).conflicts()
    shape = shapes.page([sync_report.clash(each, whole=False) for each in found])
    rows = [sync_report.conflict(each) for each in found]
    session.answer(shape, sync_report.aligned(rows, session.console.room))
    if found:
        session.done("`localmem sync show ID` shows both sides, `localmem sync resolve` decides.")
    elif not session.as_json:
        session.warn("There are no conflicts.")


@command("show", examples=["localmem sync show 2812f6a5", "localmem sync show 2812f6a5 --json"])
@click.argument("id", type=options.CONFLICT)
@click.pass_obj
def show(session: Session, id: str) -> None:
    """Show a conflict whole: what both sides started from, yours, and theirs."""
    with session.reading() as engine:
        clash = sync_names.one(engine, session.syncing(engine).conflicts(), id, "conflict")
        times = present.Times(engine.now(), session.zone())
    changed = ", ".join(sync_report.part(path) for path in clash.parts)
    head = [
        ["conflict", visible(clash.id)],
        [str(clash.kind), visible(clash.title)],
        ["scope", str(clash.scope)],
        ["since", times.at(clash.since)],
        ["what", visible(clash.text)],
        *([["both changed", changed]] if changed else []),
    ]
    lines = [*sync_report.aligned(head, None), "", *sync_report.sides(clash, times)]
    session.answer(sync_report.clash(clash, whole=True), lines)
    session.done(
        f"`localmem sync resolve {visible(clash.id)}` decides: --mine, --theirs, --value or "
        "--forget."
    )


@command(
    "resolve",
    examples=[
        "localmem sync resolve 2812f6a5 --mine",
        "localmem sync resolve 2812f6a5 --theirs",
        'localmem sync resolve 2812f6a5 --value "Prefers tea, and coffee on Mondays."',
        "localmem sync resolve 2812f6a5 --value - < merged.json",
        "localmem sync resolve 2812f6a5 --forget --yes",
    ],
)
@click.argument("id", type=options.CONFLICT)
@click.option("--mine", is_flag=True, help="Keep what is here.")
@click.option("--theirs", is_flag=True, help="Take what is there.")
@click.option("--forget", is_flag=True, help="Forget it on both sides, for good.")
@click.option("--value", metavar="TEXT|JSON",
              help="Keep this: a fact's text, a document's JSON, a preference's value; - reads "
              "stdin.")  # fmt: skip
@options.keep_secret
@options.yes_option
@click.pass_obj
def resolve(
    session: Session, id: str, mine: bool, theirs: bool, forget: bool, value: str | None,
    keep_secret: bool, yes: bool,
) -> ExitCode:  # fmt: skip
    """Decide a conflict; the next run sends what you decided.

    The side that is not kept stays in the item's history, unless it is forgotten.
    """
    if mine + theirs + forget + (value is not None) != 1:
        raise click.UsageError("Choose one of --mine, --theirs, --value and --forget.")
    decision = (
        Decision.MINE if mine else Decision.THEIRS if theirs else
        Decision.FORGET if forget else Decision.MERGED
    )  # fmt: skip
    text = session.console.read_all("the value", LARGEST) if value == "-" else value
    with session.writing() as engine:
        syncing = session.syncing(engine)
        clash = sync_names.one(engine, syncing.conflicts(), id, "conflict")
        content = None if text is None else _content(session, clash, text, keep=keep_secret)
        if not _may_erase(session, clash, decision, yes=yes):
            return ExitCode.FAILURE
        if not syncing.decide(clash.id, decision, content):
            return _settled(session, clash)
    session.answer({"id": clash.id, "decision": str(decision)}, [visible(clash.id)])
    session.done("Decided. `localmem sync` sends it.")
    return ExitCode.DONE


def _content(session: Session, clash: Clash, text: str, *, keep: bool) -> Content:
    """What a typed value means for this conflict. Raises InvalidInput, SecretRejected."""
    _admit(session, text, keep=keep)
    sides = (clash.mine, clash.theirs, clash.base)
    match clash.kind:
        case Kind.DOCUMENT:
            return documents.new(json_text.parse(text))
        case Kind.FACT:
            held = next((each for each in sides if isinstance(each, FactContent)), None)
            typed = text.removesuffix("\n")
            return facts.new(typed, held.metadata, held.path) if held else facts.new(typed)
        case Kind.PREFERENCE:
            key = sync_names.key(clash)
            names = [name for name in text.split(",") if name.strip()]
            given = names if preferences.is_list(key) else text.strip()
            return PreferenceContent(preferences.normalise(key, given))


def _admit(session: Session, text: str, *, keep: bool) -> None:
    """What looks like a secret is asked about where somebody can answer. Raises SecretRejected."""
    try:
        screening.admit(text, _YOU, keep=keep)
    except SecretRejected as seen:
        console = session.console
        if not console.can_ask or not console.confirm(f"{seen.message} Keep it anyway?"):
            raise


def _may_erase(session: Session, clash: Clash, decision: Decision, *, yes: bool) -> bool:
    """Asked only where something goes for good. Raises UsageError."""
    gone_there = decision is Decision.THEIRS and clash.theirs is None
    if not gone_there and decision is not Decision.FORGET:
        return True
    named = f"{clash.kind}  {clash.scope}  {visible(clash.title)}"
    question = "Forget it here too?" if gone_there else "Forget it on both sides?"
    return answers.confirmed(session, question, [named], yes=yes, otherwise="Nothing was decided.")


def _settled(session: Session, clash: Clash) -> ExitCode:
    problem = Problem(
        "revision_conflict",
        "It was settled meanwhile; nothing was changed.",
        "`localmem sync conflicts` shows what is open.",
        {"id": clash.id},
    )
    report(session.console, problem, as_json=session.as_json)
    return ExitCode.STALE


# what is to be sent


@command("waiting", examples=["localmem sync waiting", "localmem sync waiting --json"])
@options.limit_option(SHOWN)
@click.pass_obj
def waiting_(session: Session, limit: int) -> None:
    """Show what is to be sent, and what is held with the reason; held first."""
    with session.reading() as engine:
        found = session.syncing(engine).waiting(limit=limit)
        times = present.Times(engine.now(), session.zone())
    rows = [[visible(each.id), *sync_report.to_send(each, times)] for each in found]
    shape = shapes.page([sync_report.waiting(each) for each in found])
    session.answer(shape, sync_report.aligned(rows, session.console.room))
    if not found and not session.as_json:
        session.warn("Nothing is to be sent.")


@command(
    "leave-out",
    examples=["localmem sync leave-out 0199c1b2-3d4e", "localmem sync leave-out orders/ORD-1"],
)
@click.argument("id")
@click.pass_obj
def leave_out(session: Session, id: str) -> None:
    """Do not send this, until `localmem sync take-in`.

    ID is what `localmem sync waiting` shows, a memory's id, a preference's key, or a document's
    collection/key; of an id its beginning is enough.
    """
    with session.writing() as engine:
        syncing = session.syncing(engine)
        each = sync_names.one(engine, syncing.waiting(limit=EVERYTHING), id, "waiting item")
        if not syncing.leave_out(each.id):
            raise _not_held(each, id)
    session.answer({"id": each.id, "leftOut": True}, [visible(each.id)])
    session.done("It stays here. `localmem sync take-in` sends it after all.")


@command(
    "take-in",
    examples=["localmem sync take-in 0199c1b2-3d4e", "localmem sync take-in shoe_size"],
)
@click.argument("id")
@click.pass_obj
def take_in(session: Session, id: str) -> None:
    """Send what was left out, or try again what the server refused.

    ID is the same as for `localmem sync leave-out`.
    """
    with session.writing() as engine:
        syncing = session.syncing(engine)
        each = sync_names.one(engine, syncing.waiting(limit=EVERYTHING), id, "waiting item")
        if not syncing.take_in(each.id):
            raise _not_held(each, id)
    session.answer({"id": each.id, "leftOut": False}, [visible(each.id)])
    session.done("The next run sends it.")


def _not_held(each: Waiting, id: str) -> LocalmemError:
    if each.act == "delete":
        return InvalidInput(
            "What was forgotten here is always sent.", hint="Only what is kept can be left out."
        )
    return sync_names.unknown(id, "waiting item")


# runs


@command("runs", examples=["localmem sync runs", "localmem sync runs --limit 5 --json"])
@options.limit_option(SHOWN)
@click.pass_obj
def runs(session: Session, limit: int) -> None:
    """Show the last runs, newest first: when, what they did, and how they ended."""
    with session.reading() as engine:
        found = session.syncing(engine).runs(limit=limit)
        times = present.Times(engine.now(), session.zone())
    # Only the newest can still run: there is never more than one at a time.
    runs_now = bool(found) and found[0].ended_at is None and session.synchronising()
    going = found[0].id if runs_now else None
    rows = [sync_report.ran(each, times, going=each.id == going) for each in found]
    shape = shapes.page([sync_report.past(each, going=each.id == going) for each in found])
    session.answer(shape, sync_report.aligned(rows, session.console.room))
    if not found and not session.as_json:
        session.warn("Nothing was synchronised yet.")


@command("undo", examples=["localmem sync undo 12", "localmem sync undo 12 --yes --json"])
@click.argument("run", type=click.IntRange(min=1))
@options.yes_option
@click.pass_obj
def undo(session: Session, run: int, yes: bool) -> ExitCode:
    """Take back what a run changed here; what it deleted does not come back.

    Names what goes back, and asks first. RUN is its number in `localmem sync runs`. What changed
    since then stays as it is.
    """
    with session.writing() as engine:
        syncing = session.syncing(engine)
        past = next((each for each in syncing.runs(limit=MOST_RUNS) if each.id == run), None)
        if past is None:
            raise MemoryNotFound(
                f"There is no run {run}.", hint="`localmem sync runs` lists the last ones."
            )
        if past.undone or not past.undoable:
            return _nothing_to_undo(session, past)
        items = present.count(past.undoable, "item")
        lines = [f"{items} would be as before, and what was new is erased for good:"]
        lines += [] if yes else _of_run(engine, run)
        question = f"Take back what run {run} changed here?"
        if not answers.confirmed(
            session, question, lines, yes=yes, otherwise="Nothing was undone."
        ):
            return ExitCode.FAILURE
        done = syncing.undo(run)
    if isinstance(done, NotDone):
        problem = Problem(done.code, done.message, done.hint)
        report(session.console, problem, as_json=session.as_json)
        return ExitCode.FAILURE
    told = f"Undone: {done.restored:,} as they were before, {done.erased:,} erased."
    session.answer({"run": run, **done._asdict()}, [told])
    for number, what in ((done.kept, "changed since and stayed so"),
                         (done.lost, "deleted by it and cannot come back")):  # fmt: skip
        if number and not session.as_json:
            session.warn(f"{present.count(number, 'item was', 'items were')} {what}.")
    return ExitCode.DONE


def _of_run(engine: Engine, run: int) -> list[str]:
    """What a run changed here, by name; nothing where it is remembered no more."""
    from localmem.engine.outcomes import NothingToUndo

    try:
        coming = engine.sync_runs.undo_preview(run)
    except MemoryNotFound:
        return []
    if isinstance(coming, NothingToUndo):
        return []
    shown = engine.library.short_ids([item.id for item in coming.items])
    return present.named(coming.items, shown, answers.MOST_NAMED, coming.count)


def _nothing_to_undo(session: Session, past: Past) -> ExitCode:
    why = (
        f"Run {past.id} was undone already."
        if past.undone
        else f"Run {past.id} changed nothing here that could go back."
    )
    report(session.console, Problem("nothing_to_undo", why), as_json=session.as_json)
    return ExitCode.FAILURE


COMMANDS = (conflicts, show, resolve, waiting_, leave_out, take_in, runs, undo)
