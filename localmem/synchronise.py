"""The part of the composition root that puts synchronisation together, imported when it is needed.

One `Synchroniser` a process: it alone knows the account's key while the process runs, and hands a
`Syncing` to whoever has a library open. The key goes to the server's connection and nowhere else.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from localmem import credentials, ids
from localmem.config import address
from localmem.core.syncing import NotDone, Undone
from localmem.credentials import Place
from localmem.engine import Engine
from localmem.engine.outcomes import NothingToUndo
from localmem.errors import MemoryNotFound
from localmem.store.alone import only
from sync.messages import Capabilities
from sync.service import Ports, Probing, Service
from sync.worker import Worker

LOCK = "sync.lock"
"""Beside the library: whoever holds it synchronises."""
_STEP = 0.1
"""Seconds between two looks at whether a wait was given up."""


@dataclass(slots=True)
class AccountKey:
    """The key of the account: `sync.service.Keys`."""

    environment: Mapping[str, str] = field(repr=False)
    folder: Path
    _open: str | None = field(default=None, repr=False)
    """As a passphrase opened it, for as long as this process runs and the file is the same."""
    _sealed: bytes = field(default=b"", repr=False)
    """What the file held when it was opened: who signs in elsewhere writes another one."""

    def judge(self, url: str, key: str) -> tuple[str, str, tuple[str, ...]] | NotDone:
        found = address.read(url)
        if not found.url:
            return NotDone("invalid_address", f"That address cannot be used: {found.wrong}.")
        read = credentials.read_account_key(key)
        if read.value is None:
            return NotDone("invalid_key", read.why, read.hint)
        return found.url, read.value, found.notes

    def get(self) -> str | NotDone:
        if self._open is not None and self._sealed == self._file():
            return self._open
        self._open = None
        found = credentials.account_key(self.environment, self.folder)
        if found.value is not None:
            return found.value
        why = found.why or "There is no key for this account on this machine."
        hint = found.hint or "Sign in again: `localmem account login`, or in the app."
        return NotDone("no_key", why, hint, found.wants_passphrase)

    def unlock(self, passphrase: str) -> NotDone | None:
        found = credentials.account_key(self.environment, self.folder, passphrase=passphrase)
        if found.value is None:
            return NotDone("no_key", found.why, found.hint, found.wants_passphrase)
        self._open, self._sealed = found.value, self._file()
        return None

    def keep(self, key: str, passphrase: str | None) -> tuple[str, tuple[str, ...]] | NotDone:
        given = credentials.given_account_key(self.environment)
        if given.value == key:
            return Place.ENVIRONMENT, ()
        kept = credentials.keep_account_key(
            key, self.environment, self.folder, passphrase=passphrase
        )
        if kept.place is None:
            return NotDone("no_keyring", kept.why, kept.hint, wants_passphrase=True)
        self._open, self._sealed = key if kept.place is Place.FILE else None, self._file()
        return kept.place, kept.warnings

    def drop(self) -> tuple[str, ...] | NotDone:
        self._open = None
        dropped = credentials.drop_account_key(self.environment, self.folder)
        return (*dropped.left, *([dropped.meaning] if dropped.meaning else []))

    def _file(self) -> bytes:
        try:
            return (self.folder / credentials.ACCOUNT_FILE).read_bytes()
        except OSError:
            return b""


def _never() -> None:
    """Nobody gives it up."""


@dataclass(slots=True)
class Synchroniser:
    """Makes what synchronises one library, for each thread that has it open."""

    library: Path
    open_engine: Callable[[], Engine]
    """Opens the library once more, on whatever thread calls it."""
    key: AccountKey

    def of(self, engine: Engine, check: Callable[[], None] = _never) -> Service:
        """For an open library, on its thread. `check` may raise Cancelled, between two requests
        and while the network is waited for."""
        store = engine.replica.context.store
        return Service(
            Ports(
                engine.replica,
                store.accounts,
                store.reading,
                store.writing,
                engine.replica,
                engine.sync_runs,
                lambda run: _undo(engine, run),
                self.key,
                lambda url, key, can: self._connect(url, key, can, check),
                lambda: only(_lock(self.library)),
                engine.maintain,
                engine.now,
            )
        )

    def _connect(self, url: str, key: str, can: Capabilities, check: Callable[[], None]) -> Probing:
        from sync.http_remote import HttpRemote  # what only looks at the library needs no HTTP

        def sleep(seconds: float) -> None:
            until = time.monotonic() + seconds
            while (left := until - time.monotonic()) > 0:
                check()
                time.sleep(min(left, _STEP))

        return HttpRemote(url, key, sleep=sleep, now=ids.now, jitter=random.random, probed=can)

    @contextmanager
    def opened(self, check: Callable[[], None] = _never) -> Iterator[Opened]:
        """The library once more, with its synchronisation; closed at the end."""
        engine = self.open_engine()
        try:
            syncing = self.of(engine, check)
            try:
                yield Opened(engine, syncing)
            finally:
                syncing.close()
        finally:
            engine.close()

    def background(self) -> Worker:
        """The sync that runs beside a surface; not started yet."""
        return Worker(self.opened, random.random)


def goes_on(library: Path) -> bool:
    """Whether somebody synchronises it just now. Raises StoreUnavailable."""
    with only(_lock(library)) as alone:
        return not alone


def _lock(library: Path) -> Path:
    return library.parent / LOCK


def _undo(engine: Engine, run: int) -> Undone | NotDone:
    try:
        done = engine.sync_runs.undo(run)
    except MemoryNotFound as problem:
        return NotDone(problem.code, str(problem), problem.hint)
    if isinstance(done, NothingToUndo):
        return NotDone("nothing_to_undo", done.why)
    return Undone(done.restored, len(done.gone), done.kept, done.lost)


@dataclass(frozen=True, slots=True)
class Opened:
    """`sync.worker.Opened`."""

    engine: Engine
    syncing: Service

    def edits(self) -> int:
        return self.engine.feed.high()
