"""True erasure: content leaves every table in one transaction, then the bytes leave the files.

Deleting rows is not enough: the word index keeps the words of what it was told to leave out,
b-tree pages keep slack, the write-ahead log keeps old pages. Only a new index, VACUUM and a
truncating checkpoint leave nothing (docs/data-model.md). Tombstones keep ids and counts, never
values or keys. Refuses FTS5's own `secure-delete`: beside a text that says one word some hundred
times it takes the words of others out of the index (tests/unit/store/test_word_index.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import apsw

from localmem.core.model import ItemId, Kind, Millis
from localmem.core.records import Erased, Removal, Scrub
from localmem.store import raw, rows, vectors
from localmem.store.session import BUSY_MILLISECONDS, Session

SCRUB_ATTEMPTS = 20
"""How often each step is tried again while another process reads."""
SCRUB_BUSY_MILLISECONDS = 250
"""How long one of those tries waits."""
READING = "another program is reading the library"
DISK = "the disk has no room to rewrite the library"

_COPIES = (
    "DELETE FROM draft WHERE item = ?",
    "UPDATE answered SET asked = NULL WHERE asked IS NOT NULL "
    "AND key IN (SELECT key FROM answered_item WHERE item = ?)",
)


def remove(session: Session, ids: Sequence[ItemId], *, reason: Removal, at: Millis) -> Erased:
    """Take the items out of every table, leaving a tombstone each; inside a transaction."""
    total = Erased(0, 0, 0, 0)
    session.run(
        "DELETE FROM words WHERE rowid IN (SELECT item.seq FROM json_each(?) AS wanted "
        "JOIN item ON item.id = wanted.value)",
        json.dumps(list(ids)),
    )
    for id in ids:
        one = _remove_one(session, id, reason, at)
        total = Erased(
            total.items + one.items,
            total.versions + one.versions,
            total.vectors + one.vectors,
            total.copies + one.copies,
        )
    want_scrub(session)
    return total


def remove_earlier(session: Session, id: ItemId) -> None:
    """Take every version but the newest out of every table; inside a transaction."""
    seq, head = session.one("SELECT seq, head FROM item WHERE id = ?", id)
    session.run("DELETE FROM version WHERE item = ? AND number < ?", seq, head)
    vectors.remove(session, seq)
    forget_copies(session, id)
    want_scrub(session)


def want_scrub(session: Session) -> None:
    """Have the files rewritten by the next scrub; inside a transaction.

    The wish has a number of its own, so that a scrub which began before it does not grant it.
    """
    session.run("UPDATE library SET value = ? WHERE key = 'scrub'", session.next_upkeep())


def _remove_one(session: Session, id: ItemId, reason: Removal, at: Millis) -> Erased:
    row = session.run(
        "SELECT seq, kind, scope, collection, key, head, (SELECT content FROM version "
        "WHERE version.item = item.seq AND version.number = item.head) FROM item WHERE id = ?",
        id,
    ).fetchone()
    if row is None:
        return Erased(0, 0, 0, 0)
    seq, kind, scope, collection, key, head, content = row
    wire_ids = [each for (each,) in session.run("SELECT id FROM version WHERE item = ?", seq)]
    session.run(
        "INSERT INTO tombstone (id, kind, scope, address, wire_ids, last_number, reason, at, "
        "change, identity) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        id,
        kind,
        scope,
        session.digest(scope, collection, key) if collection else None,
        json.dumps(wire_ids if kind == "fact" else []),
        head,
        reason,
        at,
        session.next_change(),
        _known_by(kind, content or "{}"),
    )
    gone = vectors.remove(session, seq)
    copies = forget_copies(session, id)
    session.run("DELETE FROM item WHERE seq = ?", seq)
    return Erased(1, len(wire_ids), gone, copies)


def _known_by(kind: str, content: str) -> str:
    """What clients know an item of that content by, for its tombstone."""
    if 'lm"' not in content:  # most hold no such member, and parsing is most of the work
        return "[]"
    from localmem.core import feed  # here: nothing before the first frame forgets

    return json.dumps(feed.identity_of(rows.content(Kind(kind), content)))


def forget_copies(session: Session, id: ItemId) -> int:
    """Take the content of an item that is there out of everything beside it; how many rows held
    some. What a sync remembers keeps its lineage."""
    copies = sum(_changed(session, sql, id) for sql in _COPIES)
    if not session.one("SELECT EXISTS (SELECT 1 FROM account)"):
        return copies
    from localmem.store.syncing import forgetting  # here: most libraries synchronise with nobody

    row = session.run("SELECT kind, scope, collection, key FROM item WHERE id = ?", id).fetchone()
    assert row is not None, "an item's copies are forgotten before it is"
    return copies + forgetting.forget(session, id, (row[0], row[1], row[2], row[3]))


def _changed(session: Session, sql: str, id: ItemId) -> int:
    session.run(sql, id)
    return session.connection.changes()


def scrub(session: Session) -> Scrub:
    """Rewrite the library without its freed bytes; done=False while a reader holds old pages.

    The wish is kept in the library itself, so that a later process finishes what a crash or a
    busy reader stopped.
    """
    wish = int(session.one("SELECT value FROM library WHERE key = 'scrub'"))
    if not wish:
        return Scrub(True, ())
    connection = session.connection
    connection.set_busy_timeout(SCRUB_BUSY_MILLISECONDS)
    why = READING
    steps = (_index_words, _vacuum, _checkpoint, partial(_grant, wish), _checkpoint)
    try:
        done = all(_attempt(connection, step) for step in steps)
    except (apsw.FullError, apsw.IOError):
        done, why = False, DISK
    finally:
        connection.set_busy_timeout(BUSY_MILLISECONDS)
    rewritten = tuple(file.name for file in files(session)) if done else ()
    return Scrub(done, rewritten, "" if done else why)


def _attempt(connection: apsw.Connection, step: Callable[[apsw.Connection], bool]) -> bool:
    for _ in range(SCRUB_ATTEMPTS):
        try:
            if step(connection):
                return True
        except (apsw.BusyError, apsw.LockedError):
            continue
    return False


def _index_words(connection: apsw.Connection) -> bool:
    """Make the word index anew: merging it (`optimize`) leaves some words that were deleted."""
    connection.execute("INSERT INTO words (words) VALUES ('rebuild')")
    return True


def _vacuum(connection: apsw.Connection) -> bool:
    connection.execute("VACUUM")
    return True


def _checkpoint(connection: apsw.Connection) -> bool:
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (1, 0, 0)
    return not busy


def _grant(wish: int, connection: apsw.Connection) -> bool:
    connection.execute("UPDATE library SET value = 0 WHERE key = 'scrub' AND value = ?", (wish,))
    return True


def files(session: Session) -> list[Path]:
    """The files of the library that exist now."""
    named = (Path(session.path + suffix) for suffix in ("", "-wal", "-shm", "-journal"))
    return [file for file in named if file.is_file()]


def occurrences(session: Session, needles: Iterable[str]) -> int:
    """How often the texts stand in the bytes of those files, without the one of page numbers."""
    wanted = [needle.encode() for needle in needles if needle]
    held = [file for file in files(session) if not file.name.endswith("-shm")]
    return sum(raw.count(file, wanted) for file in held)


def occurrences_inside(session: Session, needles: Iterable[str]) -> int:
    """The same for an encrypted library: in its pages as they are once decrypted.

    Its files alone would prove nothing. Decrypted it is in memory only, never in a file.
    """
    content = session.connection.serialize("main")
    return sum(content.count(needle.encode()) for needle in needles if needle)
