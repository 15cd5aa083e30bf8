"""Changes in the order of their commits, out of the numbers that heads and tombstones carry.

Whoever writes holds the library's write lock from before it takes a number until the number is
committed, so no reader ever sees a number before a lower one (sync.md 5 has what happens
otherwise). An item that changes again moves to its new number: there is nothing to compact.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from typing import Any

from localmem.core import scope
from localmem.core.feed import Changes, Gone, Identity, Kept, Position
from localmem.core.model import ItemId, Kind, Millis
from localmem.core.records import Removal
from localmem.store import rows
from localmem.store.items import LIVE
from localmem.store.session import Session

_FLOOR = "feed_floor"

_HEADS = (
    f"SELECT item.change, {LIVE} AND item.kind <> 'preference', length(version.content), "
    f"{rows.HEAD} FROM {rows.HEAD_FROM} WHERE item.change > ? ORDER BY item.change"
)
_TOMBSTONES = (
    "SELECT change, kind <> 'preference', id, kind, scope, identity, reason FROM tombstone "
    "WHERE change > ? ORDER BY change"
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
        found: list[Kept | Gone] = []
        high = end = self.high()
        looked, held = 0, 0
        for seq, size, row in self._rows(after):
            if row is not None:
                found.append(row)
            looked, held = looked + 1, held + size
            if looked == limit or held > most_bytes:
                end = seq
                break
        return Changes(tuple(found), Position(end, after.begun), more=end < high)

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

    def _rows(self, after: Position) -> Iterator[tuple[int, int, Kept | Gone | None]]:
        """Each with its number and how many bytes it holds; None for what nobody is shown."""
        heads = self.session.run(_HEADS, self.session.clock(), after.seq)
        tombstones = self.session.run(_TOMBSTONES, after.seen)
        return merge(map(_head, heads), map(_gone, tombstones), key=lambda each: each[0])


def _head(row: tuple[Any, ...]) -> tuple[int, int, Kept | None]:
    seq, shown, size, *head = row
    return (seq, size, Kept(seq, rows.item(head))) if shown else (seq, 0, None)


def _gone(row: tuple[Any, ...]) -> tuple[int, int, Gone | None]:
    seq, shown, id, kind, where, identity, reason = row
    if not shown or reason not in set(Removal):
        return seq, 0, None
    known = Identity(*json.loads(identity))
    return seq, 0, Gone(seq, ItemId(id), Kind(kind), scope.stored(where), known, Removal(reason))
