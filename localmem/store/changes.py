"""What changed, for a sync of this library with a server: every kind, what is there and what not.

Unlike `feed`, which tells others of contents, this names items alone, preferences among them.
What has expired counts as gone before it is erased, because nobody sees it any more.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from localmem.core import scope
from localmem.core.model import ItemId, Kind, Millis
from localmem.core.records import Removal
from localmem.core.replica import Changed, RecordKey
from localmem.store.session import Session

_REASONS = json.dumps(list(Removal))

_CHANGED = (
    "SELECT change, kind, id, scope, collection, key, expires_at, NULL FROM item WHERE change > ? "
    "UNION ALL SELECT change, kind, id, scope, '', '', NULL, reason FROM tombstone "
    "WHERE change > ? AND reason IN (SELECT value FROM json_each(?)) ORDER BY 1 LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class ChangeTable:
    session: Session

    def after(self, change: int, limit: int) -> list[Changed]:
        """Behind the number `change`, in their order."""
        found = self.session.run(_CHANGED, change, change, _REASONS, limit)
        now = self.session.clock()
        return [_changed(row, now) for row in found]

    def gone(self, id: ItemId) -> Removal | None:
        """Why an item is gone; None where it is there or never was."""
        expired = self.session.one(
            "SELECT expires_at <= ? FROM item WHERE id = ?", self.session.clock(), id
        )
        if expired is not None:
            return Removal.EXPIRED if expired else None
        reason = self.session.one("SELECT reason FROM tombstone WHERE id = ?", id)
        return Removal(reason) if reason in list(Removal) else None

    def gone_among(self, ids: Sequence[ItemId]) -> dict[ItemId, Removal]:
        """As `gone`, many at once: those that are gone."""
        wanted = json.dumps(list(ids))
        found = self.session.run(
            "SELECT id, 'expired' FROM item WHERE expires_at <= ?1 "
            "AND id IN (SELECT value FROM json_each(?2)) "
            "UNION ALL SELECT id, reason FROM tombstone "
            "WHERE id IN (SELECT value FROM json_each(?2)) "
            "AND reason IN (SELECT value FROM json_each(?3))",
            self.session.clock(),
            wanted,
            _REASONS,
        )
        return {ItemId(id): Removal(reason) for id, reason in found}

    def taken(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids that an item has here, or one that is gone had."""
        wanted = json.dumps(list(ids))
        found = self.session.run(
            "SELECT id FROM item WHERE id IN (SELECT value FROM json_each(?)) "
            "UNION ALL SELECT id FROM tombstone WHERE id IN (SELECT value FROM json_each(?))",
            wanted,
            wanted,
        )
        return frozenset(id for (id,) in found)

    def dead(self, ids: Sequence[str]) -> dict[str, Removal]:
        """Those of the ids that an account knows as gone for ever, were they ever here or not.

        A forget counts more than any other reason.
        """
        found = self.session.run(
            "SELECT id, reason FROM gone WHERE account IN (SELECT id FROM account) "
            "AND id IN (SELECT value FROM json_each(?)) ORDER BY reason <> 'forget' DESC",
            json.dumps(list(ids)),
        )
        return {id: Removal(reason) for id, reason in found}


_Row = tuple[int, str, str, str, str, str, Millis | None, str | None]


def _changed(row: _Row, now: Millis) -> Changed:
    change, kind, id, where, collection, key, expires_at, reason = row
    if reason is None and expires_at is not None and expires_at <= now:
        reason = Removal.EXPIRED
    if reason is not None:
        return Changed(change, Kind(kind), ItemId(id), None, Removal(reason))
    place = RecordKey(Kind(kind), scope.stored(where), collection, key) if key else None
    return Changed(change, Kind(kind), ItemId(id), place)
