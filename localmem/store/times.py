"""The library as it was at a moment: the newest version of each item that was there by then.

Refuses what is gone: a forgotten item left nothing to look at, and what has expired since is
hidden here as everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from localmem.core.model import Item, ItemId, Kind, Millis
from localmem.core.records import ScopeCount, Slice
from localmem.core.scope import stored
from localmem.store import rows
from localmem.store.items import narrow, order
from localmem.store.session import Session

_THEN = (
    "item JOIN version ON version.item = item.seq AND version.number = ("
    "SELECT max(older.number) FROM version AS older "
    "WHERE older.item = item.seq AND older.at <= ?)"
)
_WAS_LIVE = "(version.expires_at IS NULL OR version.expires_at > ?)"


@dataclass(slots=True, eq=False, repr=False)
class PastTable:
    session: Session

    def get(self, id: ItemId, at: Millis) -> Item | None:
        where, values = self._where(Slice(), at)
        row = self.session.run(
            f"SELECT {rows.HEAD} FROM {_THEN} WHERE {where} AND item.id = ?", *values, id
        ).fetchone()
        return None if row is None else rows.item(row)

    def count(self, slice: Slice, at: Millis) -> int:
        where, values = self._where(slice, at)
        return int(self.session.one(f"SELECT count(*) FROM {_THEN} WHERE {where}", *values))

    def counts(self, at: Millis) -> list[ScopeCount]:
        """By kind, scope and collection, in that order."""
        where, values = self._where(Slice(), at)
        found = self.session.run(
            f"SELECT kind, scope, collection, count(*) FROM {_THEN} WHERE {where} "
            "GROUP BY kind, scope, collection ORDER BY kind, scope, collection",
            *values,
        )
        return [ScopeCount(Kind(k), stored(s), c, int(n)) for k, s, c, n in found]

    def window(self, slice: Slice, at: Millis, *, offset: int, limit: int) -> list[Item]:
        where, values = self._where(slice, at)
        found = self.session.run(
            f"SELECT {rows.HEAD} FROM {_THEN} WHERE {where} "
            f"ORDER BY {order(slice)} LIMIT ? OFFSET ?",
            *values,
            limit,
            offset,
        )
        return [rows.item(row) for row in found]

    def each(self, slice: Slice, at: Millis, *, changed: bool = False) -> Iterator[Item]:
        """All of it, one by one, in the order of `window`; `changed` only what differs today."""
        where, values = self._where(slice, at)
        differs = " AND version.number < item.head" if changed else ""
        for row in self.session.run(
            f"SELECT {rows.HEAD} FROM {_THEN} WHERE {where}{differs} ORDER BY {order(slice)}",
            *values,
        ):
            yield rows.item(row)

    def unchanged(self, wanted: Sequence[int], at: Millis) -> list[Item]:
        """Those of the rows that were then what they are today."""
        where, values = self._where(Slice(), at)
        found = self.session.run(
            f"SELECT {rows.HEAD} FROM {_THEN} WHERE {where} AND version.number = item.head "
            "AND item.seq IN (SELECT value FROM json_each(?)) ORDER BY item.id DESC",
            *values,
            json.dumps(list(wanted)),
        )
        return [rows.item(row) for row in found]

    def earliest(self) -> Millis | None:
        """When the oldest version that is kept was written; None in an empty library."""
        found = self.session.one("SELECT min(at) FROM version")
        return None if found is None else int(found)

    def _where(self, slice: Slice, at: Millis) -> tuple[str, tuple[Any, ...]]:
        now, values = narrow(self.session, slice)
        return f"{_WAS_LIVE} AND {now}", (at, at, *values)
