"""What waits to be sent, and why some of it is held back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from localmem.core.model import ItemId, Kind
from localmem.core.replica import Block, Pending
from localmem.store.syncing import shape
from localmem.store.syncing.of_account import OfAccount

_PENDING = "kind, scope, collection, key, item"
_DROP_PENDING = (
    "DELETE FROM pending WHERE account = ? AND kind = ? AND scope = ? AND collection = ? "
    "AND key = ? AND item = ?"
)
_BLOCK = "code, message, until, change"


class Waiting(OfAccount):
    def pending(self) -> Sequence[Pending]:
        found = self._run(f"SELECT {_PENDING} FROM pending WHERE account = ? ORDER BY seq")
        return [_pending(*row) for row in found.fetchall()]

    def add_pending(self, pending: Pending) -> None:
        self.add_all_pending([pending])

    def add_all_pending(self, pending: Sequence[Pending]) -> None:
        self._session.connection.executemany(
            f"INSERT INTO pending (account, {_PENDING}) VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            [(self._account, *_columns(each)) for each in pending],
        )

    def drop_pending(self, pending: Pending) -> None:
        self.drop_all_pending([pending])

    def drop_all_pending(self, pending: Sequence[Pending]) -> None:
        facts = [(self._account, *_columns(each)) for each in pending if each.key is None]
        if facts:
            self._session.connection.executemany(_DROP_PENDING, facts)
        named = [each.key for each in pending if each.key is not None]
        if named:
            self._drop_named(_DROP_PENDING, named, "")

    def block(self, place: str) -> Block | None:
        row = self._run(
            f"SELECT {_BLOCK} FROM block WHERE account = ? AND place = ?", place
        ).fetchone()
        return None if row is None else Block(*row)

    def blocks_at(self, places: Sequence[str]) -> Mapping[str, Block]:
        found = self._run(
            f"SELECT place, {_BLOCK} FROM block WHERE account = ? "
            "AND place IN (SELECT value FROM json_each(?))",
            json.dumps(list(places)),
        )
        return {place: Block(*row) for place, *row in found}

    def put_block(self, place: str, block: Block) -> None:
        self._run(
            f"INSERT OR REPLACE INTO block (account, place, {_BLOCK}) VALUES (?, ?, ?, ?, ?, ?)",
            place,
            *block,
        )

    def drop_block(self, place: str) -> None:
        self._run("DELETE FROM block WHERE account = ? AND place = ?", place)

    def blocks(self) -> Sequence[tuple[str, Block]]:
        found = self._run(f"SELECT place, {_BLOCK} FROM block WHERE account = ? ORDER BY place")
        return [(place, Block(*row)) for place, *row in found.fetchall()]


def _columns(pending: Pending) -> tuple[str, ...]:
    if pending.key is None:
        return (Kind.FACT, "", "", "", pending.item or "")
    return (*shape.address(pending.key), "")


def _pending(kind: str, scope: str, collection: str, key: str, item: str) -> Pending:
    if kind == Kind.FACT:
        return Pending(None, ItemId(item))
    return Pending(shape.record_key(kind, scope, collection, key), None)
