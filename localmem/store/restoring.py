"""Brings a backup back in the library's place, and keeps the one it replaces beside it.

Refuses a file that is not whole, not ours or newer, before anything is touched. Nothing forgotten
comes back by it unless that is asked for: what the present library knows as forgotten is erased
from the copy before it takes its place.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import apsw

from localmem.core.model import Actor, ItemId, Millis
from localmem.core.records import Deed, Removal
from localmem.errors import RestoreFailed, StoreDamaged, StoreError, StoreLocked
from localmem.store import cipher, connect, encryption, erase, folder, raw, swap
from localmem.store.session import Session
from localmem.store.sqlite import open_store

if TYPE_CHECKING:
    from localmem.core.ports import Clock

_GONE = (
    "SELECT server, account.account, partition, gone.id, scope, reason "
    "FROM gone JOIN account ON account.id = gone.account"
)
_TOMBSTONE = "id, kind, scope, address, wire_ids, last_number, reason, at, identity"


@dataclass(frozen=True, slots=True)
class Contents:
    """What a library holds, for a person who decides between two."""

    preferences: int
    facts: int
    documents: int
    newest: Millis | None
    """Its last change; None when it holds no version."""
    encrypted: bool


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What the present library knows as forgotten, without any content."""

    salt: bytes
    tombstones: tuple[tuple[object, ...], ...] = ()
    states: tuple[tuple[object, ...], ...] = ()
    rejected: tuple[tuple[object, ...], ...] = ()
    gone: tuple[tuple[object, ...], ...] = ()
    """What accounts know as gone for ever, each with whose it is."""

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(str(row[0]) for row in self.tombstones)


@dataclass(frozen=True, slots=True)
class Restoring:
    """A backup that is ready to take the library's place."""

    backup: Contents
    unreadable: str
    """Why the present one cannot be read, as a sentence; "" when it can, or there is none."""
    still_forgotten: int
    """Items of the backup that were forgotten since, and stay so."""
    encrypted: bool
    """Whether the restored library is."""
    finish: Callable[[], Path | None]
    """Swaps; gives the file that the replaced library is kept as."""


def contents(file: Path, key: cipher.KeySource | None) -> Contents:
    """What a backup holds, once it is found whole. Raises RestoreFailed, StoreLocked, StoreNewer,
    StoreUnavailable."""
    if not file.is_file():
        raise RestoreFailed(f"{file} is not a file.", hint="Name a file that `backup` wrote.")
    try:
        encrypted = connect.look(file)
        secret = connect.unlocking(file, key) if encrypted else None
        with connect.translated(str(file)):
            encryption.held(file, secret)
            return _contents(file, secret)
    except StoreDamaged as problem:
        raise RestoreFailed(
            f"{file} is not a whole library, so nothing was restored.",
            hint="It was left as it is; your library too. Try an older backup.",
        ) from problem


def _contents(file: Path, key: bytes | None) -> Contents:
    connection = connect.looking(file, key)
    try:
        if connection.execute("PRAGMA foreign_key_check").fetchall():
            raise connect.damaged(str(file))
        return _counted(connection, key)
    finally:
        connection.close()


def _counted(connection: apsw.Connection, key: bytes | None) -> Contents:
    counts = {
        str(kind): cast(int, count)
        for kind, count in connection.execute("SELECT kind, count(*) FROM item GROUP BY kind")
    }
    return Contents(
        counts.get("preference", 0),
        counts.get("fact", 0),
        counts.get("document", 0),
        cast("Millis | None", connection.execute("SELECT max(at) FROM version").get),
        key is not None,
    )


@contextmanager
def restoring(
    file: Path,
    backup: Path,
    clock: Clock,
    *,
    key: cipher.KeySource | None,
    kept_as: Path,
    by: Actor,
    forgotten_too: bool = False,
) -> Iterator[Restoring]:
    """A copy of `backup`, made ready beside the library `file`; `finish` lets it take its place.

    Nobody else can use the library meanwhile. Encrypted when either of the two is. Raises
    RestoreFailed, StoreBusy, StoreLocked, StoreNewer, StoreFull and others; then all is as it was.
    """
    if backup.exists() and folder.identity(backup) == folder.identity(file):
        raise RestoreFailed(
            f"{backup} is the library itself.", hint="Name a file that `localmem backup` wrote."
        )
    found = contents(backup, key)
    with ExitStack() as taken:
        with swap.explained(file):
            folder.make_private(file.parent)
            present = taken.enter_context(_present(file, key))
            copy = taken.enter_context(swap.fresh(file))
            secret = _secret(found, present, key, backup)
            with connect.translated(str(file), writing=True):
                _copy(backup, secret if found.encrypted else None, copy, secret)
            past = None if forgotten_too else present.forgotten
            still = _make_ready(copy, secret, clock, past, by)
        yield Restoring(
            found,
            present.why,
            still,
            secret is not None,
            lambda: _finish(present, copy, file, kept_as),
        )


def make_ready(file: Path, backup: Path, new: Path, clock: Clock, by: Actor) -> int:
    """Write to `new` what shall stand in the place of `file`: the backup, without what the library
    there knows as forgotten since. How many items that were.

    For libraries in the clear. Raises RestoreFailed, StoreBusy, StoreNewer, StoreFull and others.
    """
    contents(backup, None)
    folder.make_private_file(new)
    with _present(file, None) as present, connect.translated(str(new), writing=True):
        _copy(backup, None, new, None)
        return _make_ready(new, None, clock, present.forgotten, by)


@dataclass(frozen=True, slots=True)
class _Present:
    """The library that is to be replaced, which nobody else uses."""

    forgotten: Forgotten | None = None
    why: str = ""
    """Why it cannot be read."""
    key: bytes | None = None
    keep: Callable[[Path], None] | None = None
    """Writes it to another file, as it is; None when there is nothing to keep."""
    connection: apsw.Connection | None = None


@contextmanager
def _present(file: Path, key: cipher.KeySource | None) -> Iterator[_Present]:
    with ExitStack() as held:
        if not file.exists() or not file.stat().st_size:
            yield _Present()
            return
        try:
            secret = connect.unlocking(file, key) if connect.look(file) else None
            connection = held.enter_context(swap.alone(file, secret))
            present = _read(connection, secret)
        except (StoreDamaged, StoreLocked) as problem:
            held.close()
            opened = held.enter_context(swap.alone_unread(file))
            present = _Present(why=problem.message, keep=lambda to: _keep_unread(opened, file, to))
        yield present


def _read(connection: apsw.Connection, key: bytes | None) -> _Present:
    with connect.translated(connection.filename):
        return _Present(
            forgotten=_forgotten(connection),
            key=key,
            keep=lambda to: _keep(raw.pieces(Path(connection.filename)), to),
            connection=connection,
        )


def _keep(pieces: Iterable[bytes], to: Path) -> None:
    """Byte for byte: a library that is damaged somewhere is kept as well."""
    folder.make_private_file(to)
    with to.open("wb") as written:
        for piece in pieces:
            written.write(piece)
    folder.sync(to)


def _keep_unread(opened: int, file: Path, to: Path) -> None:
    """With the log that may hold the last changes; it goes from its old place, where the restored
    library would take it for its own."""
    _keep(iter(lambda: os.read(opened, 1 << 20), b""), to)
    log = Path(f"{file}-wal")
    if log.exists():
        kept = Path(f"{to}-wal")
        folder.make_private_file(kept)
        shutil.copyfile(log, kept)
        folder.sync(kept)
    for suffix in ("-wal", "-shm", "-journal"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)


def _forgotten(connection: apsw.Connection) -> Forgotten:
    def rows(sql: str) -> tuple[tuple[object, ...], ...]:
        return tuple(connection.execute(sql).fetchall())

    salt = connection.execute("SELECT value FROM library WHERE key = 'salt'").get
    known = _has_column(connection, "tombstone", "identity")
    wanted = _TOMBSTONE if known else _TOMBSTONE.replace("identity", "'[]'")
    return Forgotten(
        salt if isinstance(salt, bytes) else b"",
        rows(f"SELECT {wanted} FROM tombstone WHERE reason = 'forget'"),
        rows("SELECT key, generation, inference_blocked FROM preference_state"),
        rows("SELECT digest, at FROM rejected") if _has_table(connection, "rejected") else (),
        rows(_GONE) if _has_table(connection, "gone") else (),
    )


def _has_table(connection: apsw.Connection, name: str) -> bool:
    return bool(
        connection.execute("SELECT count(*) FROM sqlite_master WHERE name = ?", (name,)).get
    )


def _has_column(connection: apsw.Connection, table: str, name: str) -> bool:
    found = "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?"
    return bool(connection.execute(found, (table, name)).get)


def _secret(
    backup: Contents, present: _Present, key: cipher.KeySource | None, file: Path
) -> bytes | None:
    """The key of what comes of it: encrypted when either is."""
    if present.key is not None:
        return present.key
    return connect.unlocking(file, key) if backup.encrypted else None


def _copy(backup: Path, key: bytes | None, copy: Path, secret: bytes | None) -> None:
    source = connect.looking(backup, key)
    try:
        cipher.copy_into(source, copy, secret)
    finally:
        source.close()


def _make_ready(
    copy: Path, secret: bytes | None, clock: Clock, past: Forgotten | None, by: Actor
) -> int:
    """Bring the copy to this localmem's schema, under a device name of its own, without what was
    forgotten since; how many items that were."""
    store = open_store(copy, clock, key=(lambda: secret) if secret is not None else None)
    try:
        session = store.items.session
        with store.writing():
            _rename_device(session, clock())
            deed = Deed(clock(), by, "restored", "backup", "", None, 1)
            store.history.record_deed(deed)
            same = past is not None and past.salt == session.salt
            still = _forget_again(session, past, clock()) if past is not None and same else 0
            erase.want_scrub(session)
        scrubbed = store.scrub()
    finally:
        store.close()
    if not scrubbed.done:
        raise RestoreFailed(
            f"The copy could not be rewritten: {scrubbed.why}.", hint="Your library is as it was."
        )
    return still


def _rename_device(session: Session, at: Millis) -> None:
    """A restored library is another device to a server: its counters went back, and numbers that
    were used once must not be used again (sync.md 2.2). When it was restored is kept beside, and
    what it knows of a server is no longer so: the next sync compares everything."""
    for key, value in (("device", secrets.token_hex(4)), ("sends", 0), ("restored", at)):
        session.run("INSERT OR REPLACE INTO library (key, value) VALUES (?, ?)", key, value)
    session.run("UPDATE account SET resync = 1, confirmed = 0")


def _forget_again(session: Session, past: Forgotten, at: Millis) -> int:
    held = {str(id) for (id,) in session.run("SELECT id FROM item")}
    gone = [ItemId(id) for id in sorted(held & past.ids)]
    erase.remove(session, gone, reason=Removal.FORGET, at=at)
    marks = ", ?" * len(_TOMBSTONE.split(","))
    for row in past.tombstones:
        session.run(
            f"INSERT OR IGNORE INTO tombstone (change, {_TOMBSTONE}) VALUES (?{marks})",
            session.next_change(),
            *row,
        )
    for row in past.states:
        session.run(
            "INSERT INTO preference_state (key, generation, inference_blocked) VALUES (?, ?, ?) "
            "ON CONFLICT (key) DO UPDATE SET generation = excluded.generation, "
            "inference_blocked = excluded.inference_blocked "
            "WHERE excluded.generation > generation",
            *row,
        )
    for row in past.rejected:
        session.run("INSERT OR IGNORE INTO rejected (digest, at) VALUES (?, ?)", *row)
    for row in past.gone:
        session.run(
            "INSERT OR REPLACE INTO gone (account, id, scope, reason) "
            "SELECT id, ?4, ?5, ?6 FROM account "
            "WHERE server = ?1 AND account = ?2 AND partition = ?3",
            *row,
        )
    return len(gone)


def _finish(present: _Present, copy: Path, file: Path, kept_as: Path) -> Path | None:
    """Keep the old one, then swap. Raises RestoreFailed; the library is as it was then."""
    kept = _free(kept_as) if present.keep is not None else None
    try:
        if present.keep is not None and kept is not None:
            with connect.translated(str(kept), writing=True):
                present.keep(kept)
            folder.sync(kept.parent)
        swap.replace(present.connection, copy, file)
    except (StoreError, OSError) as problem:
        raise RestoreFailed(
            f"The backup was not restored: {problem}", hint="Your library is as it was."
        ) from problem
    return kept


def _free(name: Path) -> Path:
    """The name, or the first like it that nobody has."""
    names = (name, *(name.with_stem(f"{name.stem}-{n}") for n in range(2, 1000)))
    return next(each for each in names if not each.exists())
