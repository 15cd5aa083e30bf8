"""`sync --watch`: goes on until it is stopped, and says what each run did, a line a run.

The work is done by the sync that runs beside every surface; this only looks on. A signal to stop
lets the step under way end. Refuses to watch nothing: who signs out elsewhere ends it.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from localmem.cli import hidden, sync_report, waiting
from localmem.cli.diagnostics import Problem, report
from localmem.cli.exit_codes import ExitCode
from localmem.cli.present import Times
from localmem.cli.session import Session
from localmem.core.syncing import Outcome, Past, State, Status

if TYPE_CHECKING:
    from localmem.core.accounts import Account
    from localmem.core.syncing import Syncing
    from localmem.engine import Engine

A_MOMENT = 1.0
"""Seconds between two looks at how far it is."""
A_WHILE = 5
"""So many looks are between two at who is signed in: another program may change that."""
_TOLD = (State.OFF, State.SIGNED_OUT, State.ASKING, State.OFFLINE, State.LATER, State.PAUSED)
"""What a person has to hear of; everything else is told by the runs."""
_SIGNED_OUT = Problem(
    "not_signed_in",
    "Signed out meanwhile, so it ended: nothing is sent or taken any more.",
    sync_report.OFF_HINT,
)


@dataclass(slots=True)
class _Stop:
    asked: bool = False


@dataclass(slots=True)
class _Watcher:
    session: Session
    engine: Engine
    syncing: Syncing
    stop: _Stop
    last: int = 0
    """The newest run that was told of."""
    told: tuple[State, str] = field(default=(State.IN_STEP, ""))
    account: Account | None = None
    """Who was signed in when it was last looked at."""
    keyless: str = ""
    """Why there is no key to work with, as it was told; "" while there is one."""
    signed_out: bool = False
    """Somebody was signed in, and is no longer."""

    def tell(self) -> None:
        """What ended since, and how it stands."""
        self.session.console.progress("")
        for run in self._ended():
            self.last = run.id
            total = Outcome(State.IN_STEP, run.counts).total
            if total.anything:
                self._line(run)
        now = self.syncing.status()
        self._account(now)
        if not self.signed_out:
            self._state(now)

    def begin(self) -> None:
        """What ran before is not told of."""
        self.last = max((run.id for run in self.syncing.runs(limit=1)), default=0)
        self.account = self.syncing.status().account

    def _account(self, now: Status) -> None:
        """Whether it is still the same one; another one is named."""
        before, self.account = self.account, now.account
        if before is None:
            return
        if now.account is None:
            self.signed_out = True
        elif _whose(now.account) != _whose(before):
            named = sync_report.named(now.account)
            if self.session.as_json:
                self.session.console.report(sync_report.status(now))
            else:
                self.session.warn(f"Signed in to another account: {named}. It goes on with that.")

    def tell_key(self, doing: State | None, words: str) -> None:
        """That there is no key here, once: no run begins, so none tells it."""
        why = words if doing is State.SIGNED_OUT else ""
        before, self.keyless = self.keyless, why
        if not why or why == before:
            return
        if self.session.as_json:
            self.session.console.report({"state": str(doing), "message": why})
        else:
            self.session.warn(why)

    def _ended(self) -> list[Past]:
        new = [run for run in self.syncing.runs() if run.id > self.last]
        return sorted(run for run in new if run.ended_at is not None)

    def _line(self, run: Past) -> None:
        console = self.session.console
        if self.session.as_json:
            console.line(console.as_json(sync_report.past(run)))
        else:
            total = Outcome(State.IN_STEP, run.counts).total
            at = Times(self.engine.now(), self.session.zone()).at(run.ended_at or run.started_at)
            console.line(f"{at}  {sync_report.summary(total)}")
        console.flush()

    def _state(self, now: Status) -> None:
        """Said once, when it changes: a server that is away for a night is one line."""
        seen = (now.state, now.message) if now.state in _TOLD else (State.IN_STEP, "")
        if now.state in (State.WORKING, State.WAITING) or seen == self.told:
            return
        self.told = seen
        if self.session.as_json:
            self.session.console.report(sync_report.status(now))
        elif now.state in _TOLD:
            message, hint = now.message, now.hint
            if now.state is State.OFF:
                message, hint = sync_report.OFF_MESSAGE, sync_report.OFF_HINT
            said = message or f"{sync_report.state(now.state)}."
            self.session.warn(f"{said} {hint}".strip())
        else:
            whole = not (now.conflicts or now.held)
            self.session.warn("In step again." if whole else "It works again.")


def watch(session: Session) -> ExitCode:
    """Until SIGTERM or Ctrl-C, which are the way to stop it and no failure."""
    with session.reading() as engine, _stopping() as stop:
        watcher = _Watcher(session, engine, session.syncing(engine), stop)
        watcher.begin()
        if watcher.account is not None:
            hidden.unlock(session, watcher.syncing)
        why = _go_on(watcher)
    session.console.progress("")
    if why is not None:
        problem, code = why
        report(session.console, problem, as_json=session.as_json)
        return code
    session.done("Stopped.")
    return ExitCode.DONE


def _go_on(watcher: _Watcher) -> tuple[Problem, ExitCode] | None:
    """Until it is to stop; why it ended by itself, where it did."""
    background = watcher.session.background()
    background.start()
    try:
        seen, looks = -1, 0
        while not watcher.stop.asked:
            number, doing, words = background.state()
            looks += 1
            if number != seen or looks % A_WHILE == 0:
                seen = number
                watcher.tell()
            if watcher.signed_out:
                return _SIGNED_OUT, ExitCode.SIGNED_OUT
            if doing is State.OFFLINE:
                return Problem("stopped", words), ExitCode.STORE
            if doing is not State.WORKING:
                watcher.tell_key(doing, words)
            if doing is not None:
                watcher.session.console.progress(words)
            waiting.pause(A_MOMENT)
    finally:
        background.stop()
    watcher.tell()
    return None


def _whose(account: Account) -> tuple[str, str, str]:
    return account.server, account.account, account.partition


@contextmanager
def _stopping() -> Iterator[_Stop]:
    """SIGTERM and the first Ctrl-C ask to stop; a second Ctrl-C stops at once."""
    stop = _Stop()

    def asked(*_: Any) -> None:
        stop.asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {each: signal.signal(each, asked) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
