"""Changes in the order of their commits, out of the numbers that heads and tombstones carry.

Whoever writes holds the library's write lock from before it takes a number until the number is
committed, so no reader ever sees a number before a lower one (sync.md 5 has what happens
otherwise). An item that changes again moves to its new number: there is nothing to compact.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from localmem.core import scope
from localmem.core.feed import Changes, Gone, Identity, Kept, Position
from localmem.core.model import ItemId, Kind, Millis
from localmem.core.records import Removal
from localmem.store import rows
from localmem.store.items import LIVE
from localmem.store.session import Session

_FLOOR = "feed_floor"

_NUMBERS = (
    "SELECT item.change AS seq, octet_length(version.content) AS size "
    f"FROM {rows.HEAD_FROM} WHERE item.change > ? "
    "UNION ALL SELECT change, 0 FROM tombstone WHERE change > ? ORDER BY 1 LIMIT ?"
)
_HEADS = (
    f"SELECT item.change, {rows.HEAD} FROM {rows.HEAD_FROM} WHERE item.change > ? "
    f"AND item.change <= ? AND item.kind <> 'preference' AND {LIVE} ORDER BY item.change"
)
_TOMBSTONES = (
    "SELECT change, id, kind, scope, identity, reason FROM tombstone WHERE change > ? "
    "AND change <= ? AND kind <> 'preference' ORDER BY change"
)


@dataclass(frozen=True, slots=True)
class FeedTable:
    session: Session

    def high(self) -> int:
        """The number of the newest change; 0 when there is none."""
        return int(self.session.one("SELECT value FROM library WHERE key = 'change'"))

    def floor(self) -> int:
        """What was gone by this change is told no more."""
        return int(self.session.one("SELECT value FROM library WHERE key = ?", _FLOOR) or 0)

    def changes(self, after: Position, *, limit: int, most_bytes: int) -> Changes:
        """What changed behind `after`; leaves out what has expired, which nobody sees any more."""
        high = self.high()
        end = self._end(after, high, limit, most_bytes)
        heads = self.session.run(_HEADS, after.seq, end, self.session.clock())
        tombstones = self.session.run(_TOMBSTONES, after.seen, end)
        kept = [Kept(seq, rows.item(head)) for seq, *head in heads]
        gone = [_gone(row) for row in tombstones if row[-1] in set(Removal)]
        found: list[Kept | Gone] = [*kept, *gone]
        found.sort(key=lambda row: row.seq)
        return Changes(tuple(found), Position(end, after.begun), more=end < high)

    def _end(self, after: Position, high: int, limit: int, most_bytes: int) -> int:
        """Where the page ends. The numbers first: a page of documents is not read to be dropped,
        and a statement that is left half read would keep its snapshot for good."""
        numbers = self.session.run(_NUMBERS, after.seq, after.seen, limit).fetchall()
        held = 0
        for seq, size in numbers:
            held += size
            if held > most_bytes:
                return int(seq)
        return int(numbers[-1][0]) if len(numbers) == limit else high

    def aged(self, before: Millis) -> int | None:
        """The newest change whose tombstone, like all before it, is older; None when there is no
        new one."""
        floor = self.floor()
        young = self.session.one(
            "SELECT change FROM tombstone WHERE change > ? AND at >= ? ORDER BY change LIMIT 1",
            floor,
            before,
        )
        found = self.session.one(
            "SELECT max(change) FROM tombstone WHERE change > ? AND change < ?",
            floor,
            young if young is not None else self.high() + 1,
        )
        return None if found is None else int(found)

    def raise_floor(self, floor: int) -> None:
        """Let tombstones up to that change name nothing any more; inside a transaction.

        They stay: a document's numbers go on from them, and an old backup brings back nothing
        that they know as forgotten.
        """
        self.session.run(
            "UPDATE tombstone SET wire_ids = '[]', identity = '[]' WHERE change > ? "
            "AND change <= ?",
            self.floor(),
            floor,
        )
        self.session.run("INSERT OR REPLACE INTO library (key, value) VALUES (?, ?)", _FLOOR, floor)


def _gone(row: tuple[Any, ...]) -> Gone:
    seq, id, kind, where, identity, reason = row
    known = Identity(*json.loads(identity))
    return Gone(seq, ItemId(id), Kind(kind), scope.stored(where), known, Removal(reason))
