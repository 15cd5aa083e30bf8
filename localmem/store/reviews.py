"""What waits for the person, and what they rejected: rows beside the items, never in a version.

Refuses content: a rejection is a digest keyed by this library's salt, so it says nothing by itself.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from localmem.core.model import ItemId, Millis
from localmem.core.records import Review
from localmem.store import rows
from localmem.store.items import LIVE
from localmem.store.session import Session

_WAITING = (
    f"SELECT review.since, review.before, {rows.HEAD} FROM review "
    "JOIN item ON item.seq = review.item "
    "JOIN version ON version.item = item.seq AND version.number = item.head "
    f"WHERE review.accepted = 0 AND {LIVE} "
)


@dataclass(slots=True, eq=False, repr=False)
class ReviewTable:
    session: Session

    def wait(self, id: ItemId, *, since: Millis, before: int | None) -> None:
        """The item waits; one that waits already keeps the version the person last saw."""
        self.session.run(
            "INSERT INTO review (item, since, before) SELECT seq, ?, ? FROM item WHERE id = ? "
            "ON CONFLICT (item) DO UPDATE SET since = excluded.since, accepted = 0, "
            "before = CASE WHEN accepted = 0 THEN before ELSE excluded.before END",
            since,
            before,
            id,
        )

    def settle(self, id: ItemId, number: int) -> None:
        """The person has seen version `number`; nothing changes for what does not wait."""
        self.session.run(
            "UPDATE review SET accepted = ? WHERE accepted = 0 "
            "AND item = (SELECT seq FROM item WHERE id = ?)",
            number,
            id,
        )

    def reopen(self, id: ItemId, number: int) -> None:
        """Version `number` is current again: it waits if it was settled only after that."""
        self.session.run(
            "UPDATE review SET accepted = 0 WHERE accepted > ? "
            "AND item = (SELECT seq FROM item WHERE id = ?)",
            number,
            id,
        )

    def count(self) -> int:
        return int(
            self.session.one(
                "SELECT count(*) FROM review JOIN item ON item.seq = review.item "
                f"WHERE review.accepted = 0 AND {LIVE}",
                self.session.clock(),
            )
        )

    def window(self, *, offset: int, limit: int) -> list[Review]:
        """What waits, newest first."""
        found = self.session.run(
            f"{_WAITING} ORDER BY review.since DESC, item.seq DESC LIMIT ? OFFSET ?",
            self.session.clock(),
            limit,
            offset,
        )
        return [_review(row) for row in found]

    def find(self, id: ItemId) -> Review | None:
        row = self.session.run(f"{_WAITING} AND item.id = ?", self.session.clock(), id).fetchone()
        return None if row is None else _review(row)

    def among(self, ids: Sequence[ItemId]) -> frozenset[ItemId]:
        """Those of `ids` that wait."""
        found = self.session.run(
            "SELECT item.id FROM item JOIN review ON review.item = item.seq "
            "WHERE review.accepted = 0 AND item.id IN (SELECT value FROM json_each(?))",
            json.dumps(list(ids)),
        )
        return frozenset(ItemId(id) for (id,) in found)

    def waiting(self) -> list[tuple[ItemId, int]]:
        """The id and head of everything that waits."""
        found = self.session.run(
            "SELECT item.id, item.head FROM review JOIN item ON item.seq = review.item "
            f"WHERE review.accepted = 0 AND {LIVE} ORDER BY item.id",
            self.session.clock(),
        )
        return [(ItemId(id), head) for id, head in found]

    def reject(self, said: str, at: Millis) -> None:
        """What is said there was rejected; `said` names place and content."""
        self.session.run(
            "INSERT OR REPLACE INTO rejected (digest, at) VALUES (?, ?)", self._digest(said), at
        )

    def rejected(self, said: str) -> bool:
        found = self.session.one("SELECT at FROM rejected WHERE digest = ?", self._digest(said))
        return found is not None

    def any_rejected(self) -> bool:
        return bool(self.session.one("SELECT EXISTS (SELECT 1 FROM rejected)"))

    def lift(self, said: str) -> None:
        """The person says it themselves: it is rejected no longer."""
        self.session.run("DELETE FROM rejected WHERE digest = ?", self._digest(said))

    def _digest(self, said: str) -> bytes:
        return self.session.digest("rejected", said)


def _review(row: rows.Row) -> Review:
    since, before = row[:2]
    return Review(rows.item(row[2:]), since, before)
