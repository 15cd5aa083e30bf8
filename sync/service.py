"""Synchronisation of one open library: what the surfaces ask, done (`core/syncing.py`, Syncing).

Puts the parts together that the other modules keep apart: the account and its key, the server, the
cycle, the list of runs. Decides nothing about memories itself. One run at a time for a library, on
however many devices' processes: the others are told so and go on without.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from localmem.core.accounts import Account
from localmem.core.model import Content, Millis
from localmem.core.ports import Accounts
from localmem.core.replica import Library
from localmem.core.scope import PERSON
from localmem.core.sync_runs import SyncRun, SyncState
from localmem.core.syncing import (
    Clash,
    Decision,
    Look,
    NotDone,
    Outcome,
    Past,
    Progress,
    SignedIn,
    State,
    Status,
    Undone,
    Waiting,
)
from sync import clashes, report, waiting
from sync.cycle import cycle, scan
from sync.driver import drive
from sync.messages import (
    DOCUMENTED,
    Capabilities,
    Identify,
    Identity,
    NoReply,
    OtherEpoch,
    Refusal,
    Refused,
    Remote,
    Request,
    Write,
)
from sync.policy import EVERYTHING, Brake, Braked
from sync.rehearsal import Reading, Rehearsed, TakenBack, Unread
from sync.run import End, Ending, Options, Run, Tally

_TRIES = 3
"""How often a run begins again because the server became another one meanwhile."""
_SHOWN = 500
BUSY = "busy_elsewhere"


_OFF = Outcome(
    State.OFF,
    message="Nobody is signed in, so everything stays here.",
    hint="`localmem account login` signs in, or the Sync place of the app.",
    code="not_signed_in",
)
_ELSEWHERE = Outcome(
    State.WORKING,
    message="Another localmem synchronises this library just now.",
    hint="It does the same: nothing is to be done.",
    code=BUSY,
)


_SIGN_IN = {
    End.NO_REPLY: "Nothing was changed. Check the address, or sign in later.",
    End.WAIT: "Nothing was changed. Sign in later.",
    End.SIGNED_OUT: "Nothing was changed. Sign in with a key that may read, write and delete.",
}
"""What to do when signing in did not go: there is no run yet that could go on."""


class Probing(Remote, Protocol):
    """A server that can be asked what it can, where it does not say."""

    def probe(self) -> Capabilities | Refusal | NoReply | OtherEpoch: ...


class Keys(Protocol):
    """Where the account's key is kept, and what an address and a key must look like."""

    def judge(self, url: str, key: str) -> tuple[str, str, tuple[str, ...]] | NotDone:
        """The address and the key as they are used, and sentences about what was changed."""
        ...

    def get(self) -> str | NotDone: ...
    def unlock(self, passphrase: str) -> NotDone | None: ...
    def keep(self, key: str, passphrase: str | None) -> tuple[str, tuple[str, ...]] | NotDone:
        """Where it is now, and warnings."""
        ...

    def drop(self) -> tuple[str, ...] | NotDone:
        """Sentences about what is left."""
        ...


class Recorder(Protocol):
    """Remembers runs, and which versions each wrote here (engine/replica.py)."""

    def begin_run(self, account: int | None = None) -> None: ...
    def end_run(self, told: str = "") -> SyncRun: ...


class Runs(Protocol):
    """The runs that a library remembers (engine/sync_runs.py)."""

    def recent(self, *, limit: int = 50) -> Sequence[SyncRun]: ...


@dataclass(frozen=True, slots=True)
class Ports:
    """What synchronisation is given; `localmem/wiring.py` puts it together."""

    library: Library
    accounts: Accounts
    reading: Callable[[], AbstractContextManager[None]]
    writing: Callable[[], AbstractContextManager[None]]
    recorder: Recorder
    runs: Runs
    undo: Callable[[int], Undone | NotDone]
    keys: Keys
    connect: Callable[[str, str, Capabilities], Probing]
    """To the server at an address, with a key. Raises InvalidSettings."""
    alone: Callable[[], AbstractContextManager[bool]]
    """Whether nobody else synchronises this library meanwhile."""
    maintain: Callable[[], object]
    """Rewrites the files after something was erased."""
    now: Callable[[], Millis]


@dataclass(slots=True)
class Service:
    ports: Ports
    _remote: Probing | None = None
    _identity: Identity | None = None
    _whose: tuple[int, str, Millis] | None = None
    """The account, its address and when it was signed in to: of `_remote` and `_identity`."""

    # how it stands

    def status(self) -> Status:
        ports = self.ports
        with ports.reading():
            account = ports.accounts.current()
            if account is None:
                return Status(State.OFF)
            tables = ports.accounts.tables(account.id)
            standing = tables.standing()
            to_send = len(tables.pending()) + len(tables.errands())
            changed = len(ports.library.changed(standing.watermark, _SHOWN))
            conflicts = len(tables.conflicts()) + len(tables.fact_conflicts())
            held = waiting.held_back(tables, ports.library)
        last = self._last(account)
        state = last.state
        if state is State.IN_STEP and (to_send > held or changed or not standing.last_full):
            state = State.WAITING
        if account.paused and state in (State.IN_STEP, State.WAITING, State.OFFLINE, State.LATER):
            state = State.PAUSED
        return Status(
            state,
            account,
            last.message,
            last.hint,
            to_send + changed,
            conflicts,
            held,
            standing.last_full or None,
            None,
            last.question,
            _can(account).changes,
            bool(changed),
        )

    def _last(self, account: Account) -> Outcome:
        """How the newest run of the account ended; as if in step where there was none."""
        for run in self.ports.runs.recent(limit=_TRIES):
            if run.account == account.id and run.state is not SyncState.RUNNING:
                return report.told(run.told)
        return Outcome(State.IN_STEP)

    # signing in and out

    def sign_in(self, url: str, key: str, *, passphrase: str | None = None) -> SignedIn | NotDone:
        judged = self.ports.keys.judge(url, key)
        if isinstance(judged, NotDone):
            return judged
        url, key, notes = judged
        remote = self.ports.connect(url, key, DOCUMENTED)
        try:
            found = _identify(remote)
        finally:
            remote.close()
        if isinstance(found, NotDone):
            return found
        kept = self.ports.keys.keep(key, passphrase)
        if isinstance(kept, NotDone):
            return kept
        where, warnings = kept
        self._hang_up()
        with self.ports.writing():
            account = self._begin(found, url)
            tables = self.ports.accounts.tables(account.id)
            first = not tables.standing().last_full
            here = sum(self.ports.library.count(scope) for scope in {*tables.scopes(), PERSON})
        return SignedIn(account, first, here, found.high, where, (*notes, *warnings))

    def _begin(self, found: Identity, url: str) -> Account:
        host = url.partition("://")[2].partition("/")[0]
        label = host if found.partition == "live" else f"{host} ({found.partition})"
        account = self.ports.accounts.begin(
            found.server, found.account, found.partition, url=url, label=label, at=self.ports.now()
        )
        self.ports.accounts.note(account.id, json.dumps(found.can._asdict()))
        return account

    def unlock(self, passphrase: str) -> NotDone | None:
        return self.ports.keys.unlock(passphrase)

    def sign_out(self, *, drop: bool = False) -> tuple[str, ...] | NotDone:
        left = self.ports.keys.drop()
        if isinstance(left, NotDone):
            return left
        self._hang_up()
        with self.ports.writing():
            account = self.ports.accounts.current()
            if account is not None:
                self.ports.accounts.end(account.id, at=self.ports.now(), drop=drop)
        if drop:
            self.ports.maintain()
        return left

    # running

    def run(
        self,
        *,
        allowances: Sequence[str] = (),
        progress: Progress | None = None,
        asked: bool = False,
    ) -> Outcome:
        with self.ports.reading():
            account = self.ports.accounts.current()
        if account is None:
            return _OFF
        with self.ports.alone() as alone:
            if not alone:
                return _ELSEWHERE
            if asked:
                with self.ports.writing():
                    waiting.try_again(self.ports.accounts.tables(account.id))
            return self._run(account, frozenset(allowances), progress)

    def _run(
        self, account: Account, allowances: frozenset[str], progress: Progress | None
    ) -> Outcome:
        remote = self._connect(account)
        if isinstance(remote, NotDone):
            return Outcome(State.SIGNED_OUT, (), remote.message, remote.hint, remote.code)
        tables, tally, before = self.ports.accounts.tables(account.id), Tally(), remote.requests()
        self.ports.recorder.begin_run(account.id)
        options = Options(allowances=allowances)
        ending = Ending(End.CHANGED)
        for again in range(_TRIES):
            identity = self._known(account, remote, doubted=again > 0)
            if isinstance(identity, Ending):
                ending = identity
                break
            steps = cycle(tables, self.ports.library, identity, options, tally)
            ending = drive(steps, remote, identity.epoch, _watch(tally, progress))
            if ending.end is not End.CHANGED:
                break
        outcome = report.outcome(ending, tally, remote.requests() - before)
        if ending.end is End.SIGNED_OUT:
            self._hang_up()  # the next run takes the key anew: it may be another one
        run = self.ports.recorder.end_run(report.tell(outcome))
        if run.erased:
            self.ports.maintain()
        return outcome._replace(run=run.id)

    def _connect(self, account: Account) -> Probing | NotDone:
        whose = (account.id, account.url, account.signed_in_at)
        if self._whose != whose:  # signed in anew, by another surface or another process
            self._hang_up()
            self._whose = whose
        if self._remote is None:
            key = self.ports.keys.get()
            if isinstance(key, NotDone):
                return key
            self._remote = self.ports.connect(account.url, key, _can(account))
        return self._remote

    def _known(
        self, account: Account, remote: Remote, *, doubted: bool = False
    ) -> Identity | Ending:
        """Who answers; asked only where that is not known, or is in doubt."""
        if self._identity is None or doubted:
            can = _can(account)
            with self.ports.reading():
                epoch = self.ports.accounts.tables(account.id).standing().epoch
            if account.can and not doubted and (epoch is not None or not can.epoch):
                # Without epochs it is the cycle that asks; the name of a canary is none.
                told = epoch if can.epoch else None
                self._identity = Identity(*account[1:4], told, can)
                return self._identity
            reply = remote.ask(Identify(), epoch=None)
            if not isinstance(reply, Identity):
                return _no_identity(reply)
            if reply[:3] != account[1:4]:
                other = Braked(Brake.OTHER_SERVER, 0, 0)
                return Ending(End.BRAKE, Brake.OTHER_SERVER, braked=other)
            self._identity = reply
        return self._identity

    def _hang_up(self) -> None:
        if self._remote is not None:
            self._remote.close()
        self._remote = self._identity = None

    def close(self) -> None:
        self._hang_up()

    # looking ahead

    def look(self) -> Look:
        with self.ports.reading():
            account = self.ports.accounts.current()
        if account is None:
            return Look(_OFF, (), 0)
        remote = self._connect(account)
        if isinstance(remote, NotDone):
            return Look(Outcome(State.SIGNED_OUT, (), *remote[1:3], remote.code), (), 0)
        before = remote.requests()
        identity = self._known(account, remote)
        if isinstance(identity, Ending):
            return Look(report.outcome(identity, Tally(), remote.requests() - before), (), 0)
        reading = Reading(remote, identity.epoch)
        while True:
            try:
                found = self._rehearse(account, identity, reading)
                requests = remote.requests() - before
                return found._replace(outcome=found.outcome._replace(requests=requests))
            except Unread as unread:
                reading.fetch(unread.request)

    def _rehearse(self, account: Account, identity: Identity, reading: Reading) -> Look:
        """Raises Unread."""
        tables, tally = self.ports.accounts.tables(account.id), Tally()
        rehearsed = Rehearsed(reading)
        try:
            with self.ports.writing():
                options = Options(allowances=frozenset({EVERYTHING}))
                steps = cycle(tables, self.ports.library, identity, options, tally)
                ending = drive(steps, rehearsed, identity.epoch, lambda request: None)
                sent = [
                    each
                    for write in rehearsed.writes
                    for each in waiting.of_write(tables, self.ports.library, write)
                ]
                raise TakenBack
        except TakenBack:
            outcome = report.outcome(ending, tally, 0)
            if tally.braked is not None:
                asked = report.question(tally.braked)
                outcome = outcome._replace(state=State.ASKING, question=asked)
        return Look(outcome, tuple(sent[:_SHOWN]), max(0, len(sent) - _SHOWN))

    # what waits

    def waiting(self, *, limit: int = _SHOWN) -> tuple[Waiting, ...]:
        with self.ports.writing():
            account = self.ports.accounts.current()
            if account is None:
                return ()
            tables = self.ports.accounts.tables(account.id)
            scan(Run(tables, self.ports.library, _can(account), Options()))
            return tuple(waiting.everything(tables, self.ports.library)[:limit])

    def leave_out(self, id: str) -> bool:
        return self._hold(id, hold=True)

    def take_in(self, id: str) -> bool:
        return self._hold(id, hold=False)

    def _hold(self, id: str, *, hold: bool) -> bool:
        with self.ports.writing():
            account = self.ports.accounts.current()
            if account is None:
                return False
            return waiting.hold(self.ports.accounts.tables(account.id), id, held=hold)

    # conflicts

    def conflicts(self) -> tuple[Clash, ...]:
        with self.ports.reading():
            account = self.ports.accounts.current()
        if account is None:
            return ()
        return tuple(clashes.everything(self.ports.accounts.tables(account.id), self.ports.library))

    def conflict(self, id: str) -> Clash | None:
        return next((clash for clash in self.conflicts() if clash.id == id), None)

    def decide(self, id: str, decision: Decision, content: Content | None = None) -> bool:
        with self.ports.reading():
            account = self.ports.accounts.current()
        if account is None:
            return False
        tables = self.ports.accounts.tables(account.id)
        done = clashes.decide(tables, self.ports.library, id, decision, content)
        if done:
            self.ports.maintain()
        return done

    # runs

    def runs(self, *, limit: int = 50) -> tuple[Past, ...]:
        found = []
        for run in self.ports.runs.recent(limit=limit):
            told, undone = report.told(run.told), run.state is SyncState.UNDONE
            found.append(
                Past(run.id, run.started_at, run.ended_at, told.counts, told.code, told.message,
                     0 if undone else run.steps, undone)
            )  # fmt: skip
        return tuple(found)

    def undo(self, run: int) -> Undone | NotDone:
        return self.ports.undo(run)

    def pause(self, paused: bool) -> None:
        with self.ports.writing():
            account = self.ports.accounts.current()
            if account is not None:
                self.ports.accounts.pause(account.id, paused)


# --- pieces ------------------------------------------------------------------------------------


def _identify(remote: Probing) -> Identity | NotDone:
    reply = remote.ask(Identify(), epoch=None)
    if not isinstance(reply, Identity):
        ending = _no_identity(reply)
        return NotDone(ending.code, ending.message, _SIGN_IN[ending.end])
    if reply.can.epoch:
        return reply
    probed = remote.probe()
    if isinstance(probed, Capabilities):
        return reply._replace(can=probed)
    if isinstance(probed, OtherEpoch):
        return NotDone("epoch", "The server was replaced just now.", "Sign in once more.")
    return NotDone(probed.code, probed.message, _SIGN_IN[End.NO_REPLY])


def _no_identity(reply: object) -> Ending:
    if isinstance(reply, NoReply):
        return Ending(End.NO_REPLY, reply.code, reply.message, reply.wait)
    if isinstance(reply, Refusal):
        end = End.WAIT if reply.why is Refused.BUSY else End.SIGNED_OUT
        return Ending(end, reply.code, reply.message, reply.wait)
    return Ending(End.NO_REPLY, "broken_reply", "The server did not say who it is.")


def _can(account: Account) -> Capabilities:
    held = json.loads(account.can) if account.can else {}
    return Capabilities(**{name: held[name] for name in Capabilities._fields if name in held})


def _watch(tally: Tally, progress: Progress | None) -> Callable[[Request], None]:
    def watch(request: Request) -> None:
        if progress is not None:
            sends = isinstance(request, Write)
            progress("sending" if sends else "looking", sum(tally.acts.values()))

    return watch
