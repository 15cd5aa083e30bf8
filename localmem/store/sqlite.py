"""SqliteStore: one library file behind the Store port; its tables are in the files beside.

Refuses writes inside a reading transaction and use by two threads at once; several processes on
one file are the normal case.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from localmem.core.records import Scrub
from localmem.errors import StoreDamaged, StoreReadOnly, StoreUnavailable
from localmem.store import cipher, copies, erase, folder, swap
from localmem.store.connect import (
    MEMORY,
    Opened,
    look,
    looking,
    open_library,
    open_to_look,
    translated,
    unlocking,
)
from localmem.store.items import ItemTable
from localmem.store.log import Log
from localmem.store.reviews import ReviewTable
from localmem.store.search import Searcher
from localmem.store.session import BUSY_MILLISECONDS, Session
from localmem.store.tables import CollectionTable, PreferenceStateTable
from localmem.store.times import PastTable
from localmem.store.vector_cache import VectorCache
from localmem.store.word_cache import WordCache

if TYPE_CHECKING:
    from localmem.core.ports import Clock
    from localmem.store.answers import AnswerTable
    from localmem.store.changes import ChangeTable
    from localmem.store.feed import FeedTable
    from localmem.store.health import HealthTable
    from localmem.store.imports import ImportTable
    from localmem.store.sync_runs import SyncRunTable
    from localmem.store.syncing.accounts import AccountTable

PROGRESS_STEPS = 20_000
"""Virtual machine steps between two looks at whether the caller gave up: well under 1 ms."""


class SqliteStore:
    """The Store port over one SQLite file (or ":memory:")."""

    def __init__(self, opened: Opened, clock: Clock, *, cached: bool = False) -> None:
        """`cached` keeps the vectors in memory: for processes that answer many searches."""
        self._connection = opened.connection
        self._path = opened.path
        self._read_only = opened.read_only
        self._notes = opened.notes
        self._file = opened.file
        self._key = opened.key
        # Between two statements there is nothing for interrupt() to stop; the handler sees it.
        self._stop = threading.Event()
        opened.connection.set_progress_handler(self._stop.is_set, PROGRESS_STEPS)
        with translated(self._path):
            salt, device = _identity(opened)
        self._session = Session(opened.connection, clock, salt, device, opened.vectors, opened.path)
        self.items = ItemTable(self._session)
        self.collections = CollectionTable(self._session)
        self.preference_states = PreferenceStateTable(self._session)
        self.finder = Searcher(
            self._session,
            VectorCache(self._session) if cached else None,
            WordCache(self._session) if cached else None,
        )
        self.history = Log(self._session)
        self.reviews = ReviewTable(self._session)
        self.past = PastTable(self._session)

    # Loaded when they are first asked for: most commands, and the app's first rows, never are.

    @cached_property
    def health(self) -> HealthTable:
        from localmem.store.health import HealthTable

        return HealthTable(self._session)

    @cached_property
    def imports(self) -> ImportTable:
        from localmem.store.imports import ImportTable

        return ImportTable(self._session)

    @cached_property
    def feed(self) -> FeedTable:
        from localmem.store.feed import FeedTable

        return FeedTable(self._session)

    @cached_property
    def changes(self) -> ChangeTable:
        from localmem.store.changes import ChangeTable

        return ChangeTable(self._session)

    @cached_property
    def sync_runs(self) -> SyncRunTable:
        from localmem.store.sync_runs import SyncRunTable

        return SyncRunTable(self._session)

    @cached_property
    def answers(self) -> AnswerTable:
        from localmem.store.answers import AnswerTable

        return AnswerTable(self._session)

    @cached_property
    def accounts(self) -> AccountTable:
        from localmem.store.syncing.accounts import AccountTable

        return AccountTable(self._session, self.reading, self.writing)

    @property
    def vectors_available(self) -> bool:
        return self._session.vectors

    @property
    def read_only(self) -> bool:
        return self._read_only

    @property
    def notes(self) -> tuple[str, ...]:
        return self._notes

    @property
    def path(self) -> str:
        return self._path

    @property
    def device(self) -> str:
        return self._session.device

    @contextmanager
    def reading(self) -> Iterator[None]:
        if self._connection.in_transaction:
            yield
            return
        try:
            with self._transaction("BEGIN"):
                yield
        except StoreDamaged as problem:
            if not self._replaced():
                raise
            raise StoreUnavailable(
                f"{self._path} was replaced while it was open.", hint="Start localmem again."
            ) from problem

    @contextmanager
    def writing(self, *, patient: bool = True, lasting: bool = True) -> Iterator[None]:
        with translated(self._path):
            begun = self._connection.txn_state() == apsw.SQLITE_TXN_WRITE
        if begun:
            with self._step():
                yield
            return
        if self._read_only:
            raise StoreReadOnly(
                f"Not saved: {self._path} can only be read.",
                hint="Make the file and its folder writable, then start localmem again.",
            )
        if not lasting:
            self._connection.pragma("synchronous", 1)
        try:
            with self._transaction("BEGIN IMMEDIATE", patience=BUSY_MILLISECONDS if patient else 0):
                # Only now: while we waited, another program may have put a file in its place.
                if self._replaced():
                    raise StoreUnavailable(
                        f"Not saved: {self._path} was removed or replaced while it was open.",
                        hint="Copy what you typed, then start localmem again.",
                    )
                yield
        finally:
            if not lasting:
                self._connection.pragma("synchronous", 2)

    @contextmanager
    def _step(self) -> Iterator[None]:
        """A transaction inside another: taken back alone when it fails."""
        self._connection.execute("SAVEPOINT step")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK TO step; RELEASE step")
            raise
        self._connection.execute("RELEASE step")

    def _replaced(self) -> bool:
        return self._file is not None and self._file != folder.identity(Path(self._path))

    @contextmanager
    def _transaction(self, begin: str, *, patience: int = BUSY_MILLISECONDS) -> Iterator[None]:
        with translated(self._path, writing=begin != "BEGIN"):
            self._connection.set_busy_timeout(patience)
            try:
                self._connection.execute(begin)
            finally:
                self._connection.set_busy_timeout(BUSY_MILLISECONDS)
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def scrub(self) -> Scrub:
        if self._path == MEMORY or self._read_only:
            return Scrub(True, ())
        with translated(self._path):
            return erase.scrub(self._session)

    def occurrences(self, needles: Sequence[str]) -> int:
        if self._path == MEMORY:
            return 0
        found = erase.occurrences(self._session, needles)
        if self._key is not None:
            with translated(self._path):
                found += erase.occurrences_inside(self._session, needles)
        return found

    @property
    def encrypted(self) -> bool:
        return self._key is not None

    def backup(self, target: str, *, plain: bool = False) -> None:
        """Raises BackupFailed; leaves no half file and touches no file that is there."""
        copies.write(self._connection, target, None if plain else self._key, self._key)

    def size(self) -> int:
        return sum(file.stat().st_size for file in erase.files(self._session))

    def data_version(self) -> int:
        with translated(self._path):
            return int(self._session.one("PRAGMA data_version"))

    def interrupt(self) -> None:
        self._stop.set()
        self._connection.interrupt()

    def resume(self) -> None:
        self._stop.clear()

    def close(self) -> None:
        self._connection.close()


def open_store(
    path: Path | str,
    clock: Clock,
    *,
    cached: bool = False,
    vectors: bool = True,
    allow_network: bool = False,
    key: cipher.KeySource | None = None,
) -> SqliteStore:
    """Open or create a library; `key` is asked when it is encrypted, and only then.

    Raises StoreError subclasses, each saying what to do.
    """
    opened = open_library(path, allow_network=allow_network, vectors=vectors, key=key)
    if opened.file is not None and not opened.read_only:
        swap.clear_leftover(opened.connection, Path(opened.path))
    return SqliteStore(opened, clock, cached=cached)


def look_into(
    path: Path | str, clock: Clock, *, key: cipher.KeySource | None = None
) -> SqliteStore:
    """Open a library without changing anything of it. Raises what `open_to_look` does."""
    return SqliteStore(open_to_look(path, key=key), clock)


def copy_unopened(library: Path, target: Path, *, key: cipher.KeySource | None = None) -> None:
    """Copy a library without upgrading it first. Raises BackupFailed, StoreLocked."""
    secret = unlocking(library, key) if look(library) else None
    with translated(str(library)):
        source = looking(library, secret)
    try:
        copies.write(source, str(target), secret, secret)
    finally:
        source.close()


def _identity(opened: Opened) -> tuple[bytes, str]:
    """The library's salt and this file's device name, made once."""
    connection = opened.connection
    held = dict(connection.execute("SELECT key, value FROM library"))
    if not opened.read_only and _MADE - held.keys():
        for key, value in _made().items():
            connection.execute(
                "INSERT OR IGNORE INTO library (key, value) VALUES (?, ?)", (key, value)
            )
        held = dict(connection.execute("SELECT key, value FROM library"))
    return held["salt"], held["device"]


_COUNTERS = ("change", "upkeep", "sends", "scrub")
_MADE = {"salt", "device", *_COUNTERS}


def _made() -> dict[str, bytes | str | int]:
    import secrets  # here: a library needs it once, and the app starts every day

    drawn: dict[str, bytes | str | int] = {
        "salt": secrets.token_bytes(32),
        "device": secrets.token_hex(4),
    }
    return {**drawn, **dict.fromkeys(_COUNTERS, 0)}
