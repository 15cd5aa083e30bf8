"""`sync`: one run in the foreground, how things stand, and what a service runs.

Refuses to go past a brake unless its count was typed or named: what is allowed is never more than
what was shown (field report FR-25). Waits as long as the server says, and no longer than the
person does.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from localmem.cli import hidden, sync_items, sync_report, waiting
from localmem.cli.diagnostics import Problem, report
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import Group, json_option
from localmem.cli.present import Times, count
from localmem.cli.session import Session
from localmem.core.syncing import Outcome, Question, State, Status

if TYPE_CHECKING:
    from localmem.core.syncing import Look, Syncing, Waiting

WAIT_MINUTES = 5
FIRST_ITEMS = 20
"""Items a dry run names."""
NOT_ASKED = "other_server"
"""A brake that a yes does not answer: the address or the key is another one."""
NO_KEY = "no_key"
"""The code where this machine has no key that opens unasked."""
_BRAKES = ("many_gone", "first_push", "other_server", "went_back")


class AllowanceType(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """What a brake's question offers: `many_gone:project:397`. Completes the brakes."""

    name = "allowance"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        brake, _, rest = str(value).partition(":")
        items = rest.rpartition(":")[2]
        if brake not in _BRAKES or not (items.isascii() and items.isdecimal()) or ":" not in rest:
            self.fail(
                "it is written as the question shows it, such as many_gone:project:397; a plain "
                "yes is not enough.",
                param,
                ctx,
            )
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        begun = (f"{brake}:" for brake in _BRAKES)
        return [click.shell_completion.CompletionItem(each) for each in begun
                if each.startswith(incomplete)]  # fmt: skip


@click.group(
    "sync",
    cls=Group,
    invoke_without_command=True,
    examples=[
        "localmem sync --dry-run",
        "localmem sync",
        "localmem sync --allow many_gone:project:397",
        "localmem sync --status --json | jq .conflicts",
        "localmem sync --watch",
        "localmem sync --install-service",
    ],
)
@click.option("--dry-run", is_flag=True, help="Show what it would do; nothing is written anywhere.")
@click.option("--status", is_flag=True, help="Show how it stands, without asking the network.")
@click.option("--watch", is_flag=True, help="Go on until it is stopped, a line a run.")
@click.option("--pause", is_flag=True, help="Do not let it run by itself.")
@click.option("--resume", is_flag=True, help="Let it run by itself again.")
@click.option("--install-service", is_flag=True, help="Write a service that runs --watch for you.")
@click.option("--remove-service", is_flag=True, help="Remove that service's file.")
@click.option("--print", "show", is_flag=True, help="With --install-service: only show its file.")
@click.option("--allow", "allowances", multiple=True, type=AllowanceType(), metavar="BRAKE:…",
              help="Go past a brake, as its question named it; may be given again.")  # fmt: skip
@click.option("--wait", "minutes", type=click.IntRange(0, 60), default=WAIT_MINUTES,
              show_default=True, metavar="MINUTES",
              help="How long to wait at most where the server asks to.")  # fmt: skip
@click.pass_context
def sync(
    ctx: click.Context, /, allowances: tuple[str, ...], minutes: int, show: bool, **modes: bool
) -> int:
    """Take what changed on the server, and send what changed here.

    What only one side changed goes to the other. What both changed waits for you as a conflict, and
    the rest goes on. Before something large it stops and asks. A run that found nothing to do says
    so at a terminal alone: in a pipe or a job nothing on stdout means that, with exit code 0.
    """
    if ctx.invoked_subcommand is not None:
        _refuse_options(ctx)
        return ExitCode.DONE
    chosen = [name for name, given in modes.items() if given]
    if len(chosen) > 1:
        raise click.UsageError(f"Choose one of {_options(chosen)}.")
    if chosen:
        _refuse_beside(ctx, chosen[0])
        return _MODES[chosen[0]](ctx.obj, show)
    _refuse_beside(ctx, "")
    return run(ctx.obj, allowances, minutes)


sync.params.append(json_option())
for _each in sync_items.COMMANDS:
    sync.add_command(_each)


# one run


def run(session: Session, allowances: Sequence[str], minutes: int) -> ExitCode:
    """One run, with the waits the server asks for and the questions it stops at."""
    with session.writing() as engine:
        syncing = session.syncing(engine)
        outcome = _through(session, syncing, list(allowances), minutes * 60)
        now = syncing.status()
        held = syncing.waiting() if now.held else ()
    refused = sync_report.refused(held)
    shape = sync_report.outcome(outcome)
    shape["open"] = {
        "conflicts": now.conflicts, "held": now.held, "waiting": sync_report.due(now)
    }  # fmt: skip
    session.answer(shape, sync_report.table(outcome.counts, session.console.room))
    code = sync_report.ended(outcome.state, conflicts=now.conflicts, refused=refused)
    if not session.as_json:
        _tell(session, outcome, now, held)
    return code


def _through(session: Session, syncing: Syncing, allowed: list[str], seconds: int) -> Outcome:
    """Runs until it went through, or the person has to be asked, or waits no longer."""
    tries: list[Outcome] = []
    while True:
        outcome = _with_key(
            session,
            syncing,
            lambda: syncing.run(allowances=tuple(allowed), progress=_progress(session), asked=True),
        )
        session.console.progress("")
        tries.append(outcome)
        wait = _wait(outcome)
        if wait is not None and wait <= seconds:
            seconds -= wait
            waiting.count_down(session, wait)
        elif outcome.question is not None and _let_go(session, outcome.question, allowed):
            allowed.append(outcome.question.allowance)
        else:
            return sync_report.joined(tries)


def _with_key(session: Session, syncing: Syncing, work: Callable[[], Outcome]) -> Outcome:
    """What `work` answers; where only the passphrase of the key's file is missing, with that."""
    outcome = work()
    if outcome.code == NO_KEY and hidden.unlock(session, syncing):
        return work()
    return outcome


def _wait(outcome: Outcome) -> int | None:
    """Whole seconds, at least one: who says 0 is not asked in a loop."""
    if outcome.state is not State.LATER or outcome.wait is None:
        return None
    return max(1, math.ceil(outcome.wait))


def _progress(session: Session) -> Callable[[str, int], None]:
    def moved(doing: str, done: int) -> None:
        session.console.progress(f"{doing}: {done:,}" if done else f"{doing} …")

    return moved


def _let_go(session: Session, asked: Question, allowed: Sequence[str]) -> bool:
    """Whether the person, having typed the count, wants it all the same."""
    console = session.console
    if not console.can_ask or asked.brake == NOT_ASKED or asked.allowance in allowed:
        return False
    console.tell(asked.text)
    console.tell(f"  {asked.hint}")
    if not asked.items:
        return console.confirm("Go on?")
    typed = console.ask(f"Type {asked.items} to go on; anything else stops:")
    return typed.replace(",", "") == str(asked.items)


def _tell(session: Session, outcome: Outcome, now: Status, held: Sequence[Waiting]) -> None:
    if sync_report.ended(outcome.state) is not ExitCode.DONE:
        code, message, hint = sync_report.problem_of(outcome)
        report(session.console, Problem(code, message, hint), as_json=False)
        if outcome.question is not None and outcome.question.brake != NOT_ASKED:
            session.warn(f"  It goes on with `{go_on(outcome.question)}`.")
        if outcome.wait is not None and outcome.state is State.LATER:
            session.warn(f"  The server asks to wait {waiting.length(math.ceil(outcome.wait))}.")
        return
    if outcome.message:
        session.warn(f"{outcome.message} {outcome.hint}".strip())
    elif outcome.state is State.IN_STEP:
        session.done(_went(outcome, now))
    if now.conflicts:
        waits = count(now.conflicts, "conflict waits", "conflicts wait")
        session.warn(f"{waits} for you: `localmem sync conflicts`.")
    if refused := sync_report.refused(held):
        session.warn(
            f"{count(refused, 'item was', 'items were')} not taken by the server: "
            "`localmem sync waiting` says why."
        )
    if left := sync_report.left_out(held):
        session.done(f"Left out, so on this device alone: {count(left, 'item')}.")


def _went(outcome: Outcome, now: Status) -> str:
    """How a run that went through ended; in step is only what has nothing open."""
    nothing = not outcome.total.anything
    if now.conflicts or now.held:
        return "Nothing else had changed." if nothing else "The rest went through."
    return "In step; nothing had changed." if nothing else "In step."


def go_on(asked: Question) -> str:
    """The command that goes past a brake."""
    return f"localmem sync --allow {shlex.quote(asked.allowance)}"


# the other modes


def _look(session: Session, _: bool) -> ExitCode:
    found: list[Look] = []
    with session.reading() as engine:
        syncing = session.syncing(engine)

        def looked() -> Outcome:
            found.append(syncing.look())
            return found[-1].outcome

        outcome = _with_key(session, syncing, looked)
    plan = found[-1]
    lines = sync_report.table(outcome.counts, session.console.room, would=True)
    named = [sync_report.to_send(each) for each in plan.waiting[:FIRST_ITEMS]]
    if named:
        lines += ["", *sync_report.aligned(named, session.console.room)]
    rest = len(plan.waiting) - len(named) + plan.more
    if rest:
        lines.append(f"and {rest:,} more to be sent")
    session.answer(sync_report.look(plan), lines)
    if not session.as_json:
        if sync_report.ended(outcome.state) is ExitCode.DONE and not outcome.total.anything:
            session.warn("There is nothing to do.")
        else:
            _tell(session, outcome._replace(state=_not_done(outcome)), Status(State.IN_STEP), ())
        session.done("This was a look: nothing was written here or there.")
    return sync_report.ended(outcome.state)


def _not_done(outcome: Outcome) -> State:
    """A look that went through is not in step by it."""
    return State.WAITING if outcome.state is State.IN_STEP else outcome.state


def _status(session: Session, _: bool) -> ExitCode:
    with session.reading() as engine:
        syncing = session.syncing(engine)
        now = syncing.status()
        held = syncing.waiting() if now.held else ()
        times = Times(engine.now(), session.zone())
    rows = sync_report.standing(now, times, held)
    session.answer(sync_report.status(now), sync_report.aligned(rows, session.console.room))
    if not session.as_json:
        for said in (now.message, now.hint or (sync_report.OFF_HINT if not now.account else "")):
            if said:
                session.warn(said)
        if now.question is not None and now.question.brake != NOT_ASKED:
            session.warn(f"It goes on with `{go_on(now.question)}`.")
    working = State.IN_STEP if now.state is State.WORKING else now.state
    refused = sync_report.refused(held)
    return sync_report.ended(working, conflicts=now.conflicts, refused=refused)


def _watch(session: Session, _: bool) -> ExitCode:
    from localmem.cli import watching

    return watching.watch(session)


def _pause(session: Session, _: bool) -> ExitCode:
    return _let_run(session, paused=True)


def _resume(session: Session, _: bool) -> ExitCode:
    return _let_run(session, paused=False)


def _let_run(session: Session, *, paused: bool) -> ExitCode:
    with session.writing() as engine:
        session.syncing(engine).pause(paused)
    session.answer({"paused": paused}, [])
    session.done(
        "It does not run by itself until `localmem sync --resume`; `localmem sync` still does."
        if paused
        else "It runs by itself again, where the app or the service is on."
    )
    return ExitCode.DONE


def _install(session: Session, show: bool) -> ExitCode:
    from localmem.cli import service

    return service.show(session) if show else service.install(session)


def _remove(session: Session, _: bool) -> ExitCode:
    from localmem.cli import service

    return service.remove(session)


_MODES: dict[str, Callable[[Session, bool], ExitCode]] = {
    "dry_run": _look,
    "status": _status,
    "watch": _watch,
    "pause": _pause,
    "resume": _resume,
    "install_service": _install,
    "remove_service": _remove,
}


# options that do not go together


def _given(ctx: click.Context) -> list[str]:
    """The options somebody gave, but for --json, which goes with everything."""
    source = click.core.ParameterSource.COMMANDLINE
    return [name for name in ctx.params if ctx.get_parameter_source(name) is source]


def _refuse_options(ctx: click.Context) -> None:
    """An option of `sync` itself says nothing to a command behind it. Raises UsageError."""
    if given := _given(ctx):
        raise click.UsageError(
            f"{_options(given)} belongs to `localmem sync` alone, not before "
            f"`{ctx.invoked_subcommand}`."
        )


def _refuse_beside(ctx: click.Context, mode: str) -> None:
    """Raises UsageError for --allow, --wait and --print where they mean nothing."""
    fits = {"": ("allowances", "minutes"), "install_service": ("show", mode)}.get(mode, (mode,))
    if strange := [name for name in _given(ctx) if name not in fits]:
        beside = f"beside {_options([mode])}" if mode else "without --install-service"
        raise click.UsageError(f"{_options(strange)} has no meaning {beside}.")


_NAMES = {"allowances": "--allow", "minutes": "--wait", "show": "--print"}


def _options(names: Sequence[str]) -> str:
    return ", ".join(_NAMES.get(name, f"--{name.replace('_', '-')}") for name in names)
