"""What was done: the undo log, drafts, and the activity of every author.

Refuses content: undo steps and deeds name items and versions, never what they said. Drafts are the
one exception, and go with the item they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from localmem.core.model import Actor, AuthorKind, ItemId, Millis, Origin
from localmem.core.ports import Deed, Draft, UndoEntry, UndoStep
from localmem.store.session import Session

KEPT_UNDOS = 500
KEPT_DEEDS = 50_000


@dataclass(frozen=True, slots=True)
class Log:
    session: Session

    def record_undo(self, label: str, steps: Sequence[UndoStep], at: Millis) -> int:
        """A new entry; its number, for `extend_undo`."""
        seq = int(
            self.session.one("INSERT INTO undo (at, label) VALUES (?, ?) RETURNING seq", at, label)
        )
        self.extend_undo(seq, steps)
        self.session.run("DELETE FROM undo WHERE seq <= ?", seq - KEPT_UNDOS)
        return seq

    def extend_undo(self, seq: int, steps: Sequence[UndoStep]) -> None:
        """More steps of one change; a second step on an item goes back as far as the first."""
        for step in steps:
            self.session.run(
                "INSERT INTO undo_step (undo, item, made, before) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (undo, item) DO UPDATE SET made = excluded.made",
                seq,
                step.item,
                step.made,
                step.before,
            )

    def last_undo(self) -> UndoEntry | None:
        """The newest change that has not been undone."""
        seq = self.session.one("SELECT seq FROM undo WHERE undone = 0 ORDER BY seq DESC LIMIT 1")
        return None if seq is None else self.undo_entry(seq)

    def undo_entry(self, seq: int) -> UndoEntry | None:
        """One change; None when it is undone already or too old to be known."""
        row = self.session.run(
            "SELECT at, label FROM undo WHERE seq = ? AND undone = 0", seq
        ).fetchone()
        if row is None:
            return None
        steps = self.session.run(
            "SELECT item, made, before FROM undo_step WHERE undo = ? ORDER BY item", seq
        )
        at, label = row
        return UndoEntry(
            seq,
            at,
            label,
            tuple(UndoStep(ItemId(item), made, was) for item, made, was in steps),
        )

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
        seq = self.session.one(
            "INSERT INTO activity (at, author_kind, author, origin, action, kind, scope, item, "
            "items) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq",
            deed.at,
            deed.by.kind,
            deed.by.name,
            deed.by.origin,
            deed.action,
            deed.kind,
            deed.scope,
            deed.item,
            deed.items,
        )
        self.session.run("DELETE FROM activity WHERE seq <= ?", seq - KEPT_DEEDS)

    def deeds(
        self, limit: int, *, before: int | None = None, item: ItemId | None = None, by: str = ""
    ) -> list[Deed]:
        """Newest first, those with a place in the log below `before`."""
        found = self.session.run(
            "SELECT at, author_kind, author, origin, action, kind, scope, item, items, seq "
            "FROM activity WHERE seq < ? AND (? IS NULL OR item = ?) AND (? = '' OR author = ?) "
            "ORDER BY seq DESC LIMIT ?",
            before if before is not None else 1 << 62,
            item,
            item,
            by,
            by,
            limit,
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
