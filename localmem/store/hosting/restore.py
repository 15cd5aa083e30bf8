"""Brings a backup of a whole server back, in the place of what is there, which is kept beside.

Everything is made ready beside first: checked, brought to this schema, without what was forgotten
since, every epoch a new one. Then a note is written, and from then on the three parts are moved;
whoever opens the folder next goes on from the note, so that a kill at any moment leaves the old
server or the new one. What was revoked since stays revoked. Refuses while a server runs, and a
backup that is not whole, before anything is touched.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from localmem.core.hosting import Deed, Key, Lineage, Token
from localmem.core.model import Actor, Millis
from localmem.errors import RestoreFailed, StoreDamaged, StoreUnavailable
from localmem.store import folder, restoring, swap
from localmem.store.hosting import schema
from localmem.store.hosting.access import AccessTable
from localmem.store.hosting.copying import FORMAT, LIST, digest
from localmem.store.hosting.database import HostingStore, open_hosting
from localmem.store.hosting.ledger import LedgerTable
from localmem.store.hosting.place import CONTROL, PARTS, alone, libraries

if TYPE_CHECKING:
    from localmem.core.ports import Clock

NOTE = "restore.json"
NEW, KEPT = "restoring-", "before-restore-"


@dataclass(frozen=True, slots=True)
class Restored:
    at: Millis
    """When the backup was begun."""
    spaces: int
    people: int
    still_forgotten: int
    """Items of the backup that were forgotten since, and stay so."""
    still_revoked: int
    """Keys and tokens of the backup that were revoked since, and stay so."""
    kept: Path | None
    """Where the server of before is; None when there was none."""
    since_known: bool
    """Whether the server of before could be asked what was forgotten and revoked since."""


def restore(
    place: Path, backup: Path, clock: Clock, by: Actor, new_epoch: Callable[[], str]
) -> Restored:
    """Let the backup take the place of the server in the folder `place`.

    Raises RestoreFailed, StoreBusy, StoreNewer, StoreFull and others; all is as it was then.
    """
    at = _check(backup)
    with alone(place):
        settle_alone(place)
        new = place / f"{NEW}{secrets.token_hex(4)}"
        try:
            with swap.explained(place):
                return _restore(place, backup, new, at, clock, by, new_epoch)
        finally:
            if not (place / NOTE).exists():
                shutil.rmtree(new, ignore_errors=True)


def settle(place: Path) -> None:
    """Go on with a restore that was cut short while it moved. Raises StoreBusy."""
    if (place / NOTE).exists():
        with alone(place):
            settle_alone(place)


def settle_alone(place: Path) -> None:
    """The same for whoever is alone with the folder; and clear what was never finished."""
    note = place / NOTE
    if note.exists():
        held = json.loads(note.read_text("utf-8"))
        _move(place, place / held["new"], place / held["kept"])
    for left in place.glob(f"{NEW}*"):
        shutil.rmtree(left, ignore_errors=True)


def _check(backup: Path) -> Millis:
    """When it was made. Raises RestoreFailed."""
    try:
        listed = json.loads((backup / LIST).read_text("utf-8"))
        files: dict[str, Any] = listed["files"]
        at, known = int(listed["at"]), listed["format"] == FORMAT
    except (OSError, ValueError, KeyError, TypeError):
        raise RestoreFailed(
            f"{backup} is no backup of a server, or not a whole one.",
            hint="Name a folder that `localmem serve backup` wrote.",
        ) from None
    if not known:
        raise RestoreFailed(
            "A newer localmem wrote this backup.", hint="Upgrade localmem, then try again."
        )
    for name, told in files.items():
        file = backup / name
        if ".." in Path(name).parts or not file.is_file() or digest(file) != told["sha256"]:
            raise RestoreFailed(
                f"{file} is not as it was when the backup was made, so nothing was restored.",
                hint="Copy the backup again, or try an older one.",
            )
    if CONTROL not in files:
        raise RestoreFailed(f"{backup} has no {CONTROL}.", hint="Try an older backup.")
    return at


def _restore(
    place: Path, backup: Path, new: Path, at: Millis, clock: Clock, by: Actor,
    new_epoch: Callable[[], str],
) -> Restored:  # fmt: skip
    for part in ("spaces", "people"):
        folder.make_private(new / part)
    with _present(place) as present:
        shutil.copyfile(backup / CONTROL, new / CONTROL)
        store = open_hosting(new / CONTROL)
        try:
            revoked = _make_ready(store, present, clock(), new_epoch)
            names = libraries(store.access)
        finally:
            store.close()
        forgotten = 0
        for name in names:
            if (backup / name).exists():
                folder.make_private((new / name).parent)
                ready = restoring.make_ready(place / name, backup / name, new / name, clock, by)
                forgotten += ready
        for path in (*new.rglob("*"), new):
            folder.sync(path)
        kept = _name_kept(place, clock())
        had = any((place / part).exists() for part in PARTS)
        _write_note(place, new, kept)
        if os.name == "nt" and present is not None:
            present.close()  # Windows renames no file that is open
        _move(place, new, kept)
    return Restored(
        at,
        len({name.split("/")[1] for name in names if name.startswith("spaces/")}),
        sum(name.startswith("people/") for name in names),
        forgotten,
        revoked,
        kept if had else None,
        present is not None,
    )


@contextmanager
def _present(place: Path) -> Iterator[apsw.Connection | None]:
    """The database that is to be replaced, which nobody else uses; None when it cannot be read."""
    file = place / CONTROL
    if not file.exists() or not file.stat().st_size:
        yield None
        return
    try:
        opened = swap.alone(file, None)
        connection = opened.__enter__()
    except StoreDamaged:
        yield None
        return
    try:
        yield connection if _is_ours(connection) else None
    finally:
        opened.__exit__(None, None, None)


def _is_ours(connection: apsw.Connection) -> bool:
    try:
        return schema.version(connection) > 0
    except (StoreUnavailable, apsw.Error):
        return False


def _make_ready(
    store: HostingStore, present: apsw.Connection | None, at: Millis, new_epoch: Callable[[], str]
) -> int:
    """New epochs; what was revoked or promised since, again. How many were revoked."""
    with store.writing():
        for part in store.access.partitions():
            store.access.keep_lineage(part.space, part.mode, Lineage(new_epoch(), "", 0))
        store.ledger.record(Deed(at, "restored", store.server_id))
        return 0 if present is None else _carry_over(store, present, at)


def _carry_over(store: HostingStore, present: apsw.Connection, now: Millis) -> int:
    access, since = store.access, AccessTable(present)
    keys = _revoked_since(access.keys(), since.keys())
    tokens = _revoked_since(access.tokens(), since.tokens())
    for id, at in keys:
        access.revoke_key(id, at)
    for id, at in tokens:
        access.revoke_token(id, at)
    for name in since.removed() if schema.version(present) >= schema.REMOVED_SINCE else ():
        kind, _, id = name.partition("/")
        remove = access.remove_space if kind == "spaces" else access.remove_person
        remove(id, now)
    promised = {wipe for _, wipe in store.ledger.wipes()}
    for _, wipe in LedgerTable(present).wipes():
        if wipe not in promised and access.partition(wipe.space, wipe.mode) is not None:
            store.ledger.promise_wipe(wipe)
    return len(keys) + len(tokens)


def _revoked_since(
    copied: Iterable[Key | Token], present: Iterable[Key | Token]
) -> list[tuple[str, Millis]]:
    good = {each.id for each in copied if each.revoked_at is None}
    return [
        (each.id, each.revoked_at)
        for each in present
        if each.id in good and each.revoked_at is not None
    ]


def _name_kept(place: Path, now: Millis) -> Path:
    """The first that nobody has."""
    when = datetime.fromtimestamp(now / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
    names = (f"{KEPT}{when}", *(f"{KEPT}{when}-{n}" for n in range(2, 1000)))
    return next(place / name for name in names if not (place / name).exists())


def _write_note(place: Path, new: Path, kept: Path) -> None:
    """From here on the new server is the one."""
    draft = new / NOTE
    folder.make_private_file(draft)
    draft.write_text(json.dumps({"new": new.name, "kept": kept.name}), "utf-8")
    folder.sync(draft)
    os.replace(draft, place / NOTE)
    folder.sync(place)


def _move(place: Path, new: Path, kept: Path) -> None:
    """Each part of the old away and of the new in its place; again from wherever it was."""
    folder.make_private(kept)
    for part in PARTS:
        if not (new / part).exists():
            continue  # done before the stop
        for old in (part, *(f"{part}{suffix}" for suffix in ("-wal", "-shm", "-journal"))):
            if (place / old).exists():
                os.replace(place / old, kept / old)
        os.replace(new / part, place / part)
    for path in (kept, place):
        folder.sync(path)
    (place / NOTE).unlink()
    with suppress(OSError):  # empty: there was nothing to keep
        kept.rmdir()
    shutil.rmtree(new, ignore_errors=True)
