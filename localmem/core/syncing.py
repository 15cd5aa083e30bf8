"""What the surfaces see of synchronisation, and the Protocols they use; `sync/` implements them.

Values only: sentences for a person are made here once, so that the app, the command line and the
journal say the same. What the network and a server can do is never an exception: it is a `State`,
an `Outcome` or a `Question`, each with its next step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from localmem.core.accounts import Account
from localmem.core.bodies import Author
from localmem.core.model import Content, ItemId, Kind, Millis
from localmem.core.scope import Scope


class State(StrEnum):
    """How the library stands to its account, as the header shows it."""

    OFF = "off"
    """Nobody is signed in: everything stays here."""
    IN_STEP = "in_step"
    WAITING = "waiting"
    """Something is to be sent, or was not looked for yet."""
    WORKING = "working"
    OFFLINE = "offline"
    """No answer that can be used; tried again by itself."""
    LATER = "later"
    """The server asked to wait; tried again by itself."""
    SIGNED_OUT = "signed_out"
    """The key is not let in: the person signs in again."""
    ASKING = "asking"
    """Stopped before something large; the person says whether it is meant."""
    PAUSED = "paused"


class Question(NamedTuple):
    """What a sync stopped before."""

    brake: str
    """`many_gone`, `first_push`, `other_server`, `went_back`."""
    items: int
    among: int
    scope: str
    """"" for all of them."""
    allowance: str
    """What is given back to `run` when the person says yes; not more than they were shown."""
    text: str
    """One sentence: what would happen."""
    hint: str
    """One sentence: what to do."""


class Status(NamedTuple):
    state: State
    account: Account | None = None
    message: str = ""
    """A sentence about the last run where it did not end well; "" otherwise."""
    hint: str = ""
    """The next step; "" where there is none."""
    waiting: int = 0
    """Items that are to be sent."""
    conflicts: int = 0
    held: int = 0
    """Items that cannot be sent, or are left out."""
    last: Millis | None = None
    """When everything was last in step with the server; None for never."""
    again: Millis | None = None
    """When it is tried again by itself; None where nothing is planned."""
    question: Question | None = None
    feed: bool = True
    """False for a server that has to be listed: changes there are seen later."""
    unseen: bool = False
    """Somebody changed something here that no run has looked at yet."""


class Counts(NamedTuple):
    """Items of one scope, or of all."""

    scope: str
    sent: int = 0
    changed_there: int = 0
    deleted_there: int = 0
    taken: int = 0
    changed_here: int = 0
    deleted_here: int = 0
    conflicts: int = 0
    held: int = 0

    @property
    def anything(self) -> bool:
        return any(self[1:])


class Outcome(NamedTuple):
    """One run: what happened, and what to do next."""

    state: State
    """IN_STEP when it went through."""
    counts: tuple[Counts, ...] = ()
    """By scope, in their order; those with something in them."""
    message: str = ""
    hint: str = ""
    code: str = ""
    """Stable; "" when it went through."""
    wait: float | None = None
    """Seconds after which another try makes sense, where the server says."""
    question: Question | None = None
    requests: int = 0
    run: int | None = None
    """Its number in the list of runs; None where nothing was written down."""

    @property
    def total(self) -> Counts:
        sums = [sum(column) for column in zip(*(each[1:] for each in self.counts), strict=True)]
        return Counts("", *sums)


class Past(NamedTuple):
    """A run of before, as listed."""

    id: int
    started_at: Millis
    ended_at: Millis | None
    """None: it was killed."""
    counts: tuple[Counts, ...]
    code: str
    message: str
    undoable: int
    """How many items undoing it would put back."""
    undone: bool


class Waiting(NamedTuple):
    """Something that is to be sent, or cannot be."""

    id: str
    """Names it for `leave_out` and `take_in`."""
    kind: Kind
    scope: Scope
    title: str
    """What it is, on one line; stored text, so it is cleaned where it is shown."""
    item: ItemId | None
    act: str
    """`send`, `change`, `delete`."""
    code: str = ""
    """Why it is held: `left_out`, the server's code; "" when it just waits."""
    message: str = ""
    until: Millis | None = None


class Clash(NamedTuple):
    """An open conflict, with its three sides."""

    id: str
    """Names it for `decide`; stays the same while it is open."""
    kind: Kind
    scope: Scope
    title: str
    why: str
    """`changed`, `forgotten`, `created`, `fork`, `shape`."""
    text: str
    """One sentence: what happened."""
    since: Millis
    item: ItemId | None
    """What is here; None where nothing is."""
    base: Content | None
    mine: Content | None
    theirs: Content | None
    """None: gone there, or nothing that can be read."""
    theirs_by: Author | None
    theirs_at: Millis | None
    parts: tuple[tuple[str, ...], ...]
    """What both changed, as `core.merge.FieldClash.path`; () for all of it."""


class Decision(StrEnum):
    MINE = "mine"
    THEIRS = "theirs"
    MERGED = "merged"
    """With the content that it shall be."""
    FORGET = "forget"
    """Both sides go."""


class Look(NamedTuple):
    """What a run would do; nothing was written anywhere."""

    outcome: Outcome
    waiting: tuple[Waiting, ...]
    """What would be sent, at most 500."""
    more: int
    """How many more."""


class SignedIn(NamedTuple):
    account: Account
    first: bool
    """This library was never in step with that account."""
    here: int
    """Items of this library."""
    there: int
    """Changes the server has; 0 where it does not tell."""
    where: str
    """Where the key is: `keyring`, `file`, `environment`."""
    warnings: tuple[str, ...] = ()


class Undone(NamedTuple):
    """What taking back a run did."""

    restored: int
    """So many say again what they said before it."""
    erased: int
    """So many were new with it."""
    kept: int
    """So many changed since, and stay."""
    lost: int
    """So many it deleted here: those do not come back."""


class NotDone(NamedTuple):
    """Why something could not be done; nothing changed."""

    code: str
    message: str
    hint: str = ""
    wants_passphrase: bool = False
    """No keyring keeps the key: a passphrase would open a file that does."""


Progress = Callable[[str, int], None]
"""Told what is being done ("looking", "taking", "sending") and how many items of it are done."""


class Syncing(Protocol):
    """Synchronisation of one open library. Calls that ask the network say so; the others are short
    transactions. One thread at a time, that of its engine."""

    def status(self) -> Status: ...

    def sign_in(self, url: str, key: str, *, passphrase: str | None = None) -> SignedIn | NotDone:
        """Asks the network. The key is kept where `docs/privacy.md` says; with a passphrase in a
        file, where no keyring keeps it."""
        ...

    def unlock(self, passphrase: str) -> NotDone | None:
        """Open the file that keeps the key, for this process; None when it is open."""
        ...

    def sign_out(self, *, drop: bool = False) -> tuple[str, ...] | NotDone:
        """The key is removed; sentences about what is left. What is known of the account stays
        for the next time, or goes too (`drop`). Memories stay here and there."""
        ...

    def run(
        self,
        *,
        allowances: Sequence[str] = (),
        progress: Progress | None = None,
        asked: bool = False,
    ) -> Outcome:
        """Asks the network: take what changed there, send what changed here. `asked` for by a
        person, who may know that a limit is over: what waits for a time is tried again."""
        ...

    def look(self) -> Look:
        """Asks the network, and writes nothing here or there."""
        ...

    def waiting(self, *, limit: int = 500) -> tuple[Waiting, ...]:
        """What is to be sent and what is held, held first."""
        ...

    def leave_out(self, id: str) -> bool: ...
    def take_in(self, id: str) -> bool:
        """Send it after all, or try again what was refused."""
        ...

    def conflicts(self) -> tuple[Clash, ...]: ...
    def conflict(self, id: str) -> Clash | None: ...
    def decide(self, id: str, decision: Decision, content: Content | None = None) -> bool:
        """False when it is no longer open: something else settled it meanwhile."""
        ...

    def runs(self, *, limit: int = 50) -> tuple[Past, ...]: ...
    def undo(self, run: int) -> Undone | NotDone:
        """Take back what a run changed here: what was new is erased, so ask first."""
        ...

    def pause(self, paused: bool) -> None:
        """Whether it runs by itself."""
        ...


class Background(Protocol):
    """The sync that runs beside a surface, on a thread of its own. All calls are quick."""

    def start(self) -> None: ...

    def now(self, allowances: Sequence[str] = ()) -> None:
        """Run as soon as possible, also when paused."""
        ...

    def active(self) -> None:
        """The person is here: look more often."""
        ...

    def state(self) -> tuple[int, State | None, str]:
        """A number that rises with each change, what it does (None: nothing just now), and how
        far it is, as words. SIGNED_OUT: there is no key here that it could use, and why."""
        ...

    def stop(self) -> None:
        """Let the step under way end; a few seconds at most."""
        ...


class OpenedSyncing(Protocol):
    @property
    def syncing(self) -> Syncing: ...


class Synchronising(Protocol):
    """What a surface is given to synchronise a library that a file holds; one a process."""

    def of(self, engine: Any) -> Syncing:
        """For a library that is open, on the thread of its engine."""
        ...

    def opened(self) -> AbstractContextManager[OpenedSyncing]:
        """The library once more, on the thread that enters: for what waits for the network."""
        ...

    def background(self) -> Background:
        """Not started yet."""
        ...
