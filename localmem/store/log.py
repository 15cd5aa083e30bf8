"""What was done: the undo log, drafts, and the activity of every author.

Refuses content: undo steps and deeds name items and versions, never what they said. Drafts are the
one exception, and go with the item they belong to.
"""

from __future__ import annotations

import json
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

    def record_undo(self, label: str, steps: Sequence[UndoStep], at: Millis) -> None:
        held = json.dumps([[step.item, step.made, step.before] for step in steps])
        seq = self.session.one(
            "INSERT INTO undo (at, label, steps) VALUES (?, ?, ?) RETURNING seq", at, label, held
        )
        self.session.run("DELETE FROM undo WHERE seq <= ?", seq - KEPT_UNDOS)

    def last_undo(self) -> UndoEntry | None:
        """The newest change that has not been undone."""
        row = self.session.run(
            "SELECT seq, at, label, steps FROM undo WHERE undone = 0 ORDER BY seq DESC LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        seq, at, label, steps = row
        return UndoEntry(
            seq,
            at,
            label,
            tuple(UndoStep(ItemId(item), made, was) for item, made, was in json.loads(steps)),
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

    def deeds(self, limit: int, before: int | None = None) -> list[Deed]:
        """Newest first; `before` is a time in milliseconds."""
        found = self.session.run(
            "SELECT at, author_kind, author, origin, action, kind, scope, item, items "
            "FROM activity WHERE at < ? ORDER BY seq DESC LIMIT ?",
            before if before is not None else 1 << 62,
            limit,
        )
        return [
            Deed(
                at,
                Actor(AuthorKind(by_kind), by, Origin(origin)),
                action,
                kind,
                scope,
                ItemId(item) if item else None,
                items,
            )
            for at, by_kind, by, origin, action, kind, scope, item, items in found
        ]

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
