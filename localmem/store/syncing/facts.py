"""What is known of facts: their wordings, which hold no words, conflicts, and what to delete."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from localmem.core.model import ItemId
from localmem.core.records import Removal
from localmem.core.replica import Conflict, Errand, Wording
from localmem.core.scope import Scope
from localmem.store import erase
from localmem.store.session import Rows
from localmem.store.syncing import shape
from localmem.store.syncing.of_account import OfAccount

_WORDING = "lm, item, number, scope, server_id, sent, sup, leaving"
_WORDINGS = f"SELECT {_WORDING} FROM wording WHERE account = ?"
_PUT_WORDING = (
    f"INSERT INTO wording (account, {_WORDING}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (account, lm) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _WORDING.split(", ")[1:])
)


class Facts(OfAccount):
    # wordings

    def wording(self, lm: str) -> Wording | None:
        return _first(self._run(f"{_WORDINGS} AND lm = ?", lm))

    def put_wording(self, wording: Wording) -> None:
        id = self._one(f"{_PUT_WORDING} RETURNING id", *_columns(wording))
        self._session.run("DELETE FROM wording_sup WHERE wording = ?", id)
        for sup in dict.fromkeys(wording.sup):
            self._session.run("INSERT INTO wording_sup (wording, sup) VALUES (?, ?)", id, sup)
        self._was_in(wording.scope)

    def put_wordings(self, wordings: Sequence[Wording]) -> None:
        self._session.connection.executemany(
            _PUT_WORDING, ((self._account, *_columns(wording)) for wording in wordings)
        )
        self._were_in(wording.scope for wording in wordings)

    def drop_wording(self, lm: str) -> None:
        self._run("DELETE FROM wording WHERE account = ? AND lm = ?", lm)

    def wordings_of(self, item: ItemId) -> Sequence[Wording]:
        return _all(self._run(f"{_WORDINGS} AND item = ? ORDER BY number DESC, id DESC", item))

    def wordings_among(self, items: Sequence[ItemId]) -> Mapping[ItemId, Sequence[Wording]]:
        found = dict[ItemId, list[Wording]]()
        rows = self._run(
            f"{_WORDINGS} AND item IN (SELECT value FROM json_each(?)) "
            "ORDER BY number DESC, id DESC",
            json.dumps(list(items)),
        )
        for wording in _all(rows):
            found.setdefault(wording.item, []).append(wording)
        return found

    def wording_at(self, scope: Scope, server_id: str) -> Wording | None:
        return _first(
            self._run(
                f"{_WORDINGS} AND scope = ? AND server_id = ? ORDER BY id", str(scope), server_id
            )
        )

    def naming(self, lm: str) -> Sequence[Wording]:
        # The + keeps SQLite from walking every wording of the account.
        return _all(
            self._run(
                f"SELECT {_WORDING} FROM wording WHERE +account = ? "
                "AND id IN (SELECT wording FROM wording_sup WHERE sup = ?) ORDER BY id",
                lm,
            )
        )

    def leaving(self) -> Sequence[Wording]:
        return _all(self._run(f"{_WORDINGS} AND leaving = 1 ORDER BY id"))

    def wordings_in(self, scope: Scope) -> Sequence[Wording]:
        return _all(
            self._run(
                f"{_WORDINGS} AND scope = ? AND server_id IS NOT NULL ORDER BY id", str(scope)
            )
        )

    # conflicts

    def fact_conflict(self, item: ItemId) -> Conflict | None:
        row = self._run(
            "SELECT why, since, rev, lineage, content FROM fact_conflict "
            "WHERE account = ? AND item = ?",
            item,
        ).fetchone()
        return None if row is None else shape.conflict_of(*row)

    def put_fact_conflict(self, item: ItemId, conflict: Conflict) -> None:
        self._run(
            "INSERT OR REPLACE INTO fact_conflict (account, item, why, since, rev, lineage, "
            "content) VALUES (?, ?, ?, ?, ?, ?, ?)",
            item,
            *shape.conflict_columns(conflict),
        )

    def drop_fact_conflict(self, item: ItemId) -> None:
        self._run("DELETE FROM fact_conflict WHERE account = ? AND item = ?", item)
        if self._session.connection.changes():
            erase.want_scrub(self._session)

    def fact_conflicts(self) -> Sequence[ItemId]:
        found = self._run("SELECT item FROM fact_conflict WHERE account = ? ORDER BY item")
        return [ItemId(item) for (item,) in found.fetchall()]

    # errands

    def errands(self) -> Sequence[Errand]:
        found = self._run(
            "SELECT scope, server_id, why, lm FROM errand WHERE account = ? "
            "ORDER BY scope, server_id"
        )
        return [_errand(*row) for row in found.fetchall()]

    def errand(self, scope: Scope, server_id: str) -> Errand | None:
        row = self._run(
            "SELECT scope, server_id, why, lm FROM errand "
            "WHERE account = ? AND scope = ? AND server_id = ?",
            str(scope),
            server_id,
        ).fetchone()
        return None if row is None else _errand(*row)

    def put_errand(self, errand: Errand) -> None:
        self._run(
            "INSERT OR REPLACE INTO errand (account, scope, server_id, why, lm) "
            "VALUES (?, ?, ?, ?, ?)",
            str(errand.scope),
            errand.server_id,
            errand.why,
            errand.lm,
        )
        self._was_in(errand.scope)

    def drop_errand(self, scope: Scope, server_id: str) -> None:
        self._run(
            "DELETE FROM errand WHERE account = ? AND scope = ? AND server_id = ?",
            str(scope),
            server_id,
        )


def _columns(wording: Wording) -> tuple[Any, ...]:
    return (
        wording.lm,
        wording.item,
        wording.number,
        str(wording.scope),
        wording.server_id,
        int(wording.sent),
        shape.encoded(list(wording.sup)) if wording.sup else "[]",
        int(wording.leaving),
    )


def _errand(scope: str, server_id: str, why: str, lm: str) -> Errand:
    return Errand(shape.stored_scope(scope), server_id, Removal(why), lm)


def _first(found: Rows) -> Wording | None:
    rows = found.fetchall()
    return _wording(*rows[0]) if rows else None


def _all(found: Rows) -> Sequence[Wording]:
    return [_wording(*row) for row in found.fetchall()]


def _wording(
    lm: str,
    item: str,
    number: int,
    scope: str,
    server_id: str | None,
    sent: int,
    sup: str,
    leaving: int,
) -> Wording:
    named: Any = () if sup == "[]" else tuple(shape.decoded(sup))
    return Wording(
        lm=lm,
        item=ItemId(item),
        number=number,
        scope=shape.stored_scope(scope),
        server_id=server_id,
        sent=bool(sent),
        sup=named,
        leaving=bool(leaving),
    )
