"""A synchronisation in memory: it does what its script says, and remembers what it was asked.

Keeps the promises of `core.syncing`: nothing raises for what a network does, an id that is settled
answers False, what was allowed is never more than what was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import pytest

from localmem import wiring
from localmem.core.accounts import Account
from localmem.core.bodies import Author
from localmem.core.model import (
    AuthorKind,
    Content,
    DocumentContent,
    FactContent,
    ItemId,
    Kind,
    Millis,
    PreferenceContent,
)
from localmem.core.scope import PERSON, PROJECT, Scope
from localmem.core.syncing import (
    Background,
    Clash,
    Counts,
    Decision,
    Look,
    NotDone,
    Outcome,
    Past,
    Progress,
    Question,
    SignedIn,
    State,
    Status,
    Syncing,
    Undone,
    Waiting,
)

T = TypeVar("T")

URL = "https://memory.example.com"
KEY = "zv_live_Ab3dEf9h" + "Q7" * 16
"""Of the shape that our own server gives out."""
PASSPHRASE = "four words nobody joins"
AT: Millis = 1_790_000_000_000

ACCOUNT = Account(1, "srv-1", "acc-1", "live", URL, "memory.example.com", AT)
TEA, COFFEE = FactContent("Prefers tea."), FactContent("Prefers coffee.")
UNDONE = Undone(3, 1, 0, 0)
WENT = Outcome(State.IN_STEP, (), requests=1)
OFF = Outcome(State.OFF, message="Nobody is signed in, so everything stays here.",
              hint="`localmem account login` signs in.", code="not_signed_in")  # fmt: skip
OFFLINE = Outcome(State.OFFLINE, message="memory.example.com does not answer. Check the network.",
                  hint="Nothing is lost; it is tried again by itself.", code="offline")  # fmt: skip
REFUSED = Outcome(State.SIGNED_OUT, message="The server does not let this key in.",
                  hint="Everything is kept. Sign in again.", code="unauthorized")  # fmt: skip
NO_KEY = Outcome(State.SIGNED_OUT, message="There is no key for this account on this machine.",
                 hint="Sign in again: `localmem account login`.", code="no_key")  # fmt: skip
NO_KEYRING = NotDone("no_keyring", "The key was not kept. There is no keyring here.",
                     "Keep it in an encrypted file, with a passphrase of yours.", True)  # fmt: skip


def later(seconds: float) -> Outcome:
    """A server that says when to come back."""
    return Outcome(State.LATER, message="The server says to come back later.",
                   code="rate_limited", wait=seconds)  # fmt: skip


def asked(brake: str = "many_gone", items: int = 397, scope: str = "project") -> Question:
    return Question(
        brake,
        items,
        400,
        scope,
        f"{brake}:{scope}:{items}",
        f"{items:,} of 400 memories of {scope or 'this library'} are gone on the server.",
        "Say yes only if they were meant to go.",
    )


def asking(question: Question) -> Outcome:
    """A run that stopped before something large."""
    return Outcome(State.ASKING, (), question.text, question.hint, question.brake,
                   question=question)  # fmt: skip


def clash(
    id: str = "c0ffee01",
    kind: Kind = Kind.FACT,
    *,
    mine: Content | None = TEA,
    theirs: Content | None = COFFEE,
    base: Content | None = None,
    title: str = "Prefers tea.",
    scope: Scope = PROJECT,
    parts: tuple[tuple[str, ...], ...] = (),
) -> Clash:
    """Something that was changed here and there."""
    return Clash(
        id,
        kind,
        PERSON if kind is Kind.PREFERENCE else scope,
        title,
        "changed",
        "Changed here and on the server, to different values.",
        AT,
        ItemId("00000001-0000-7000-8000-000000000000"),
        base,
        mine,
        theirs,
        Author(AuthorKind.AGENT, "shop-agent"),
        AT,
        parts,
    )


def size_clash() -> Clash:
    """The shoe size of FR-01: 42 once, 43 here, 41 there."""
    base, mine, theirs = (PreferenceContent(size) for size in ("42", "43", "41"))
    return clash("51ee0001", Kind.PREFERENCE, mine=mine, theirs=theirs, base=base,
                 title="Shoe size")  # fmt: skip


def order_clash() -> Clash:
    mine, theirs = DocumentContent({"status": "paid"}), DocumentContent({"status": "shipped"})
    return clash("d0c00001", Kind.DOCUMENT, mine=mine, theirs=theirs, title="orders/ORD-1",
                 parts=(("status",),))  # fmt: skip


def to_send(id: str = "5e4d0001", act: str = "send", **more: Any) -> Waiting:
    held = Waiting(id, Kind.FACT, PROJECT, "Prefers tea.", None, act)
    return held._replace(**more)


@dataclass(slots=True)
class FakeSyncing:
    """Gives its script's answers one after the other, the last one for ever."""

    account: Account | None = None
    outcomes: list[Outcome] = field(default_factory=lambda: [WENT])
    looks: list[Look] = field(default_factory=lambda: [Look(WENT, (), 0)])
    clashes: list[Clash] = field(default_factory=list)
    queue: list[Waiting] = field(default_factory=list)
    past: list[Past] = field(default_factory=list)
    """Newest first."""
    keys: tuple[str, ...] = (KEY,)
    """What the server lets in."""
    place: str = "keyring"
    """Where a key is kept; "file" wants a passphrase first."""
    weak: str = "weak"
    """A passphrase that is not good enough."""
    signs: SignedIn | NotDone | None = None
    """What signing in answers; None for what follows from the rest."""
    left: tuple[str, ...] = ()
    going: Undone | NotDone = UNDONE
    stands: State | None = None
    locked: bool = False
    """The key is in a file that is not open yet."""
    asked: list[str] = field(default_factory=list)
    """The calls that would ask the network, in order."""
    allowed: list[tuple[str, ...]] = field(default_factory=list)
    decided: list[tuple[str, Decision, Content | None]] = field(default_factory=list)
    steps: tuple[tuple[str, int], ...] = ()
    """What a run tells of its progress."""
    paused: bool = False
    given: list[tuple[str, str, str | None]] = field(default_factory=list)
    """Address, key and passphrase of each time somebody signed in."""
    dropped: bool = False
    question: Question | None = None
    message: str = ""
    hint: str = ""
    last: Millis | None = AT

    # how it stands

    def status(self) -> Status:
        if self.account is None:
            return Status(State.OFF)
        held = sum(bool(each.code) for each in self.queue)
        state = self.stands or (State.WAITING if len(self.queue) > held else State.IN_STEP)
        if self.paused and state in (State.IN_STEP, State.WAITING):
            state = State.PAUSED
        return Status(
            State.ASKING if self.question is not None else state,
            self.account._replace(paused=self.paused),
            self.message,
            self.hint,
            waiting=len(self.queue),
            conflicts=len(self.clashes),
            held=held,
            last=self.last,
            question=self.question,
        )

    # signing in and out

    def sign_in(self, url: str, key: str, *, passphrase: str | None = None) -> SignedIn | NotDone:
        self.asked.append("sign_in")
        self.given.append((url, key, passphrase))
        if self.signs is not None:
            return self.signs
        if key not in self.keys:
            return NotDone("unauthorized", "The server does not let this key in.", "Try another.")
        if self.place == "file" and passphrase is None:
            return NO_KEYRING
        if passphrase == self.weak:
            return NotDone("no_keyring", "A passphrase has at least 12 characters.", "", True)
        first = self.account is None
        self.account = ACCOUNT._replace(url=url)
        return SignedIn(self.account, first, 12, 3, self.place)

    def unlock(self, passphrase: str) -> NotDone | None:
        if passphrase != PASSPHRASE:
            return NotDone("no_key", "That passphrase does not open it.", "Try again.", True)
        self.locked = False
        return None

    def sign_out(self, *, drop: bool = False) -> tuple[str, ...] | NotDone:
        self.account, self.dropped = None, drop
        return self.left

    # running

    def run(
        self,
        *,
        allowances: Sequence[str] = (),
        progress: Progress | None = None,
        asked: bool = False,
    ) -> Outcome:
        if self.account is None:
            return OFF
        if self.locked:
            return NO_KEY
        self.asked.append("run")
        self.allowed.append(tuple(allowances))
        for doing, done in self.steps if progress else ():
            assert progress is not None
            progress(doing, done)
        return _next(self.outcomes)

    def look(self) -> Look:
        if self.account is None:
            return Look(OFF, (), 0)
        if self.locked:
            return Look(NO_KEY, (), 0)
        self.asked.append("look")
        return _next(self.looks)

    # what waits

    def waiting(self, *, limit: int = 500) -> tuple[Waiting, ...]:
        return tuple(sorted(self.queue, key=lambda each: not each.code)[:limit])

    def leave_out(self, id: str) -> bool:
        return self._hold(id, "left_out", "You left it out: it stays on this device.")

    def take_in(self, id: str) -> bool:
        return self._hold(id, "", "")

    def _hold(self, id: str, code: str, message: str) -> bool:
        for at, each in enumerate(self.queue):
            if each.id == id and each.act != "delete":
                self.queue[at] = each._replace(code=code, message=message)
                return True
        return False

    # conflicts

    def conflicts(self) -> tuple[Clash, ...]:
        return tuple(self.clashes)

    def conflict(self, id: str) -> Clash | None:
        return next((each for each in self.clashes if each.id == id), None)

    def decide(self, id: str, decision: Decision, content: Content | None = None) -> bool:
        open_ = self.conflict(id)
        if open_ is None:
            return False
        self.clashes.remove(open_)
        self.decided.append((id, decision, content))
        return True

    # runs

    def runs(self, *, limit: int = 50) -> tuple[Past, ...]:
        return tuple(self.past[:limit])

    def undo(self, run: int) -> Undone | NotDone:
        for at, each in enumerate(self.past):
            if each.id == run and isinstance(self.going, Undone):
                self.past[at] = each._replace(undoable=0, undone=True)
        return self.going

    def pause(self, paused: bool) -> None:
        self.paused = paused

    def close(self) -> None:
        """Nothing is open."""


def ran(id: int, *counts: Counts, **more: Any) -> Past:
    """A run that went through."""
    return Past(id, AT, AT + 1_000, counts, "", "", 0, False)._replace(**more)


@dataclass(slots=True)
class FakeBackground:
    """Steps through its script each time it is looked at; then it stays as it is."""

    script: list[Callable[[], None]] = field(default_factory=list)
    started: bool = False
    stopped: bool = False
    wanted: list[tuple[str, ...]] = field(default_factory=list)
    lively: int = 0
    ended: str = ""
    """Why it cannot go on; "" while it can."""
    doing: State | None = None
    words: str = ""
    _number: int = 0

    def start(self) -> None:
        self.started = True

    def now(self, allowances: Sequence[str] = ()) -> None:
        self.wanted.append(tuple(allowances))

    def active(self) -> None:
        self.lively += 1

    def state(self) -> tuple[int, State | None, str]:
        if self.script:
            self.script.pop(0)()
            self._number += 1
        if self.ended:
            return self._number, State.OFFLINE, self.ended
        return self._number, self.doing, self.words

    def moved(self) -> None:
        """Something happened: whoever looks, looks again."""
        self._number += 1

    def stop(self) -> None:
        self.stopped = True


@dataclass(slots=True)
class FakeSynchroniser:
    syncing: FakeSyncing
    beside: FakeBackground

    def of(self, *_: object) -> FakeSyncing:
        return self.syncing

    @contextmanager
    def opened(self) -> Iterator[FakeOpened]:
        yield FakeOpened(self.syncing)

    def background(self) -> FakeBackground:
        return self.beside


class FakeOpened(NamedTuple):
    syncing: FakeSyncing


def install(
    monkeypatch: pytest.MonkeyPatch,
    syncing: FakeSyncing,
    background: FakeBackground | None = None,
) -> FakeSyncing:
    """Every surface synchronises with these from now on."""
    beside = background or FakeBackground()
    _: tuple[Syncing, Background] = (syncing, beside)  # which the type checker sees to
    made = FakeSynchroniser(syncing, beside)
    monkeypatch.setattr(wiring, "synchroniser", lambda _: made)
    monkeypatch.setattr(wiring, "syncing", lambda *_: made.of())
    monkeypatch.setattr(wiring, "background", lambda _: made.background())
    return syncing


def _next(script: list[T]) -> T:
    return script.pop(0) if len(script) > 1 else script[0]
