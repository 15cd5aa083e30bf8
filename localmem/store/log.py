"""What was done: the undo log, drafts, and the activity of every author.

Refuses content: undo steps and deeds name items and versions, never what they said. Drafts are the
one exception, and go with the item they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from localmem.core.model import Actor, AuthorKind, ItemId, Millis, Origin
from localmem.core.records import Deed, Draft, UndoEntry, UndoStep
from localmem.store.items import LIVE
from localmem.store.session import Session

KEPT_UNDOS = 500
"""At least; older ones go a few at a time, for looking costs a tenth of a small write."""
_PRUNED_EVERY = 20
KEPT_IMPORTS = 50
"""Of so many imports the undo is kept, whatever was done since."""
KEPT_DEEDS = 50_000


@dataclass(slots=True, eq=False, repr=False)
class Log:
    session: Session

    def record_undo(self, label: str, steps: Sequence[UndoStep], at: Millis) -> int:
        """A new entry; its number, for `extend_undo`."""
        seq = int(
            self.session.one("INSERT INTO undo (at, label) VALUES (?, ?) RETURNING seq", at, label)
        )
        self.extend_undo(seq, steps)
        if seq % _PRUNED_EVERY == 0:
            self._prune(seq - KEPT_UNDOS)
        return seq

    def _prune(self, latest: int) -> None:
        self.session.run(
            "DELETE FROM undo WHERE seq <= ? AND seq NOT IN (SELECT undo FROM import_run "
            "WHERE undo IS NOT NULL ORDER BY id DESC LIMIT ?)",
            latest,
            KEPT_IMPORTS,
        )

    def extend_undo(self, seq: int, steps: Sequence[UndoStep]) -> None:
        """More steps of one change; a second step on an item goes back as far as the first."""
        self.session.connection.executemany(
            "INSERT INTO undo_step (undo, item, made, before) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (undo, item) DO UPDATE SET made = excluded.made",
            ((seq, step.item, step.made, step.before) for step in steps),
        )

    def last_undo(self) -> UndoEntry | None:
        """The newest change that has not been undone."""
        seq = self.session.one("SELECT seq FROM undo WHERE undone = 0 ORDER BY seq DESC LIMIT 1")
        return None if seq is None else self.undo_entry(seq)

    def undo_entry(self, seq: int) -> UndoEntry | None:
        """One change; None when it is undone already or too old to be known."""
        row = self.session.run(
            "SELECT at, label, (SELECT count(*) FROM undo_step WHERE undo_step.undo = undo.seq) "
            "FROM undo WHERE seq = ? AND undone = 0",
            seq,
        ).fetchone()
        return None if row is None else UndoEntry(seq, *row)

    def undo_steps(self, seq: int, *, after: str, limit: int) -> list[tuple[UndoStep, int | None]]:
        """Steps by item, behind the item `after`, each with the item's head; None: it is gone."""
        found = self.session.run(
            "SELECT undo_step.item, undo_step.made, undo_step.before, item.head FROM undo_step "
            f"LEFT JOIN item ON item.id = undo_step.item AND {LIVE} "
            "WHERE undo_step.undo = ? AND undo_step.item > ? ORDER BY undo_step.item LIMIT ?",
            self.session.clock(),
            seq,
            after,
            limit,
        )
        return [(UndoStep(ItemId(item), made, was), head) for item, made, was, head in found]

    def mark_undone(self, seq: int) -> None:
        self.session.run("UPDATE undo SET undone = 1 WHERE seq = ?", seq)

    def save_draft(self, draft: Draft) -> None:
        self.session.run(
            "INSERT OR REPLACE INTO draft (slot, item, body, at) VALUES (?, ?, ?, ?)",
            draft.slot,
            draft.item,
            draft.body,
            draft.at,
        )

    def draft(self, slot: str) -> Draft | None:
        row = self.session.run(
            "SELECT slot, item, body, at FROM draft WHERE slot = ?", slot
        ).fetchone()
        return Draft(row[0], ItemId(row[1]) if row[1] else None, row[2], row[3]) if row else None

    def drop_draft(self, slot: str) -> None:
        self.session.run("DELETE FROM draft WHERE slot = ?", slot)

    def record_deed(self, deed: Deed) -> None:
        self.record_deeds([deed])

    def record_deeds(self, deeds: Sequence[Deed]) -> None:
        connection = self.session.connection
        connection.executemany(
            "INSERT INTO activity (at, author_kind, author, origin, action, kind, scope, item, "
            "items) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (each.at, each.by.kind, each.by.name, each.by.origin, each.action, each.kind,
                 each.scope, each.item, each.items)
                for each in deeds
            ),
        )  # fmt: skip
        latest = connection.last_insert_rowid() - KEPT_DEEDS
        self.session.run("DELETE FROM activity WHERE seq <= ?", latest)

    def deeds(
        self,
        limit: int,
        *,
        before: int | None = None,
        item: ItemId | None = None,
        by: str = "",
        since: Millis | None = None,
        until: Millis | None = None,
        offset: int = 0,
    ) -> list[Deed]:
        """Newest first, those with a place in the log below `before`; `offset` leaves some out.

        `since` is the first moment, `until` the first that is too late.
        """
        wanted = {
            "seq < ?": before,
            "item = ?": item,
            "author = ?": by or None,
            "at >= ?": since,
            "at < ?": until,
        }
        given = {part: value for part, value in wanted.items() if value is not None}
        where = f"WHERE {' AND '.join(given)}" if given else ""
        found = self.session.run(
            "SELECT at, author_kind, author, origin, action, kind, scope, item, items, seq "
            f"FROM activity {where} ORDER BY seq DESC LIMIT ? OFFSET ?",
            *given.values(),
            limit,
            offset,
        )
        return [
            Deed(
                at,
                Actor(AuthorKind(by_kind), name, Origin(origin)),
                action,
                kind,
                scope,
                ItemId(id) if id else None,
                items,
                seq,
            )
            for at, by_kind, name, origin, action, kind, scope, id, items, seq in found
        ]

    def deed_count(self, by: str = "") -> int:
        if not by:
            return int(self.session.one("SELECT count(*) FROM activity"))
        return int(self.session.one("SELECT count(*) FROM activity WHERE author = ?", by))

    def deed_authors(self, limit: int) -> list[tuple[str, int]]:
        """Who did how much, the busiest first."""
        found = self.session.run(
            "SELECT author, count(*) AS much FROM activity GROUP BY author "
            "ORDER BY much DESC, author LIMIT ?",
            limit,
        )
        return [(name, int(much)) for name, much in found]

    def drafted(self) -> frozenset[ItemId]:
        """The items that have a draft."""
        found = self.session.run("SELECT item FROM draft WHERE item IS NOT NULL")
        return frozenset(ItemId(id) for (id,) in found)

    def seen(self, name: str) -> bool:
        """Whether something that is shown once was shown in this library."""
        return bool(self.session.one("SELECT count(*) FROM library WHERE key = ?", _seen(name)))

    def mark_seen(self, name: str, at: Millis) -> None:
        self.session.run(
            "INSERT OR IGNORE INTO library (key, value) VALUES (?, ?)", _seen(name), at
        )

    def record_use(self, ids: Sequence[ItemId], by: str, at: Millis) -> None:
        for id in ids:
            self.session.run(
                "INSERT OR REPLACE INTO used (item, at, by) SELECT seq, ?, ? FROM item "
                "WHERE id = ?",
                at,
                by,
                id,
            )

    def last_used(self, id: ItemId) -> tuple[Millis, str] | None:
        row = self.session.run(
            "SELECT used.at, used.by FROM used JOIN item ON item.seq = used.item WHERE item.id = ?",
            id,
        ).fetchone()
        return (row[0], row[1]) if row else None


def _seen(name: str) -> str:
    return f"seen:{name}"
