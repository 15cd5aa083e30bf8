"""Synchronisation beside the app: begun after the first rows, looked at with the poll, ended in
time.

Tells the person only what needs them, each thing once. Refuses to begin before there is something
on the screen, and to touch a widget of its own accord: it says what was seen, screens draw it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from localmem.core.model import ItemId, Millis
from localmem.core.visible import visible
from localmem.engine import Engine
from localmem.tui.desk import Desk
from localmem.tui.errors import Severity

if TYPE_CHECKING:
    from localmem.core.syncing import Background, Clash, State, Status, Synchronising, Waiting

_ACTIVE_EVERY = 5_000
"""Milliseconds between two times that a key press is told."""
_LISTED = 500
"""So much may wait for its place to be looked up for every preview."""
_NAMED = 60
"""Characters of a title in a toast."""

Say = Callable[[str, Severity], None]


class Looked(NamedTuple):
    """What one look at the library found."""

    data_version: int
    mark: tuple[int, int, int]
    """Of another process's writes, of everybody's, of the sync: the same while nothing happens."""
    status: Status | None = None
    """None where nothing moved, so nothing was read."""
    clashes: tuple[Clash, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    listed: bool = True


class Keeper:
    """One for each run of the app."""

    def __init__(self, desk: Desk, say: Say) -> None:
        self._desk, self._say = desk, say
        self._background: Background | None = None
        self._mark: tuple[int, int, int] | None = None
        self._told: set[str] = set()
        """What was said once, by name."""
        self._last: Status | None = None
        self._known: set[str] | None = None
        """The conflicts of the last look; None before the first."""
        self._was_working = self._asked = False
        self._active_at: Millis | None = None

    # from the app

    async def begin(self) -> bool:
        """Load it and set it going; False where there is nothing to keep in step."""
        sync = self._desk.sync
        if sync is None:
            return False
        self._background = await asyncio.to_thread(_set_going, sync)
        self._desk.seen.ready = True
        return True

    def now(self, allowances: Sequence[str] = ()) -> None:
        """Run as soon as possible."""
        if self._background is not None:
            self._asked = True
            self._background.now(allowances)

    def active(self) -> None:
        """A key was pressed."""
        now = self._desk.now
        if self._background is None or (
            self._active_at is not None and 0 <= now - self._active_at < _ACTIVE_EVERY
        ):
            return
        self._active_at = now
        self._background.active()

    async def stop(self) -> None:
        """Let the step under way end, a few seconds at most."""
        background, self._background = self._background, None
        self._desk.seen.ready = False
        if background is not None:
            await asyncio.to_thread(background.stop)

    def look_anew(self) -> None:
        """The next look reads, whatever moved."""
        self._mark = None

    async def look(self) -> tuple[int, bool]:
        """The library's data version, and whether how it stands is something else than before."""
        number, doing, words = 0, None, ""
        if self._background is not None and self._desk.seen.ready:
            number, doing, words = self._background.state()
        before, desk = self._mark, self._desk

        def work(engine: Engine) -> Looked:
            version = engine.data_version()
            mark = (version, engine.feed.high(), number)
            syncing = desk.syncing(engine) if mark != before else None
            if syncing is None:
                return Looked(version, mark)
            status = syncing.status()
            clashes = syncing.conflicts() if status.conflicts else ()
            some = status.waiting + status.held > 0
            listed = status.waiting + status.held <= _LISTED
            waiting = syncing.waiting(limit=_LISTED) if some and listed else ()
            return Looked(version, mark, status, clashes, waiting, listed)

        looked = await desk.bridge.read(work)
        shown = self._shows(doing, words)
        if looked.status is None:
            return looked.data_version, shown
        self._mark = looked.mark
        self._take(looked, looked.status)
        return looked.data_version, True

    # what was seen

    def _shows(self, doing: State | None, words: str) -> bool:
        """Take up what goes on; whether that is to be drawn anew. Short runs are not shown."""
        from localmem.core.syncing import State

        seen = self._desk.seen
        if self._background is None:
            return False
        working = doing is State.WORKING
        lasts = working and (self._asked or self._was_working or words[-1:].isdecimal())
        self._was_working, self._asked = working, self._asked and working
        keyless = words if doing is State.SIGNED_OUT else ""
        if doing is State.OFFLINE:
            self._tell("ended", f"Synchronisation stopped: {words}", "warning")
        before = (seen.doing, seen.words, seen.keyless)
        seen.doing, seen.words = (State.WORKING, words) if lasts else (None, "")
        seen.keyless = seen.keyless if working else keyless
        return (seen.doing, seen.words, seen.keyless) != before

    def _take(self, looked: Looked, status: Status) -> None:
        seen, before, self._last = self._desk.seen, self._last, status
        seen.status, seen.listed = status, looked.listed
        seen.of_items = {**_held(looked.waiting), **_clashing(looked.clashes)}
        self._tell_all(before, status, looked.clashes)

    def _tell_all(self, before: Status | None, status: Status, clashes: tuple[Clash, ...]) -> None:
        from localmem.core.syncing import State

        key = self._desk.keys.label
        who = visible(status.account.label) if status.account is not None else "the account"
        if self._known is not None:
            for clash in clashes:
                if clash.id not in self._known:
                    self._tell_conflict(clash)
        self._known = {clash.id for clash in clashes}
        if status.question is not None and status.state is State.ASKING:
            asked = f"{status.question.text} {key('sync')} answers."
            self._tell(f"question {status.question.allowance}", asked, "warning")
        if status.state is State.SIGNED_OUT:
            self._tell(
                f"refused {status.account}",
                f"{who} does not let the key in any more: {status.message} "
                f"Everything is kept. {key('account')} signs in again.",
                "warning",
            )
        elif self._desk.seen.keyless:
            why = self._desk.seen.keyless
            self._tell(f"keyless {why}", f"{why} {key('account')} goes on from there.", "warning")
        if (
            before is not None
            and before.account
            and before.last is None
            and status.last is not None
        ):
            said = f"Synchronised with {who} for the first time. From now on it goes on by itself."
            self._tell(f"first {status.account and status.account.id}", said, "information")

    def _tell_conflict(self, clash: Clash) -> None:
        title = clash.title.partition("\n")[0][:_NAMED] or f"a {clash.kind}"
        said = f"A conflict: “{title}”. {clash.text} Conflicts, in the tree, shows both."
        self._tell(f"conflict {clash.id} {clash.since}", said, "warning")

    def _tell(self, name: str, said: str, severity: Severity) -> None:
        if name not in self._told:
            self._told.add(name)
            self._say(said, severity)


def _set_going(sync: Synchronising) -> Background:
    """Off the loop: the first call loads what talks to the network."""
    background = sync.background()
    background.start()
    return background


def _held(waiting: tuple[Waiting, ...]) -> dict[ItemId, str]:
    return {
        each.item: f"held: {each.message or each.code}" if each.code else "to be sent"
        for each in waiting
        if each.item is not None
    }


def _clashing(clashes: tuple[Clash, ...]) -> dict[ItemId, str]:
    return {each.item: "conflict, see Conflicts" for each in clashes if each.item is not None}


def of_item(desk: Desk, item: ItemId) -> str:
    """How one memory stands to the account; "" before that is known."""
    seen = desk.seen
    if seen.status is None:
        return ""
    if seen.status.account is None:
        return "local only"
    if item in seen.of_items:
        return seen.of_items[item]
    if not seen.listed:
        return f"{seen.status.waiting:,} memories wait to be sent, see Sync"
    return "in step" if seen.status.last is not None else "not looked yet"
