"""What is known of preferences and documents: copies, their log, writes under way, conflicts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from localmem.core.bodies import Held
from localmem.core.model import ItemId
from localmem.core.records import Removal
from localmem.core.replica import Conflict, Copy, Flight, RecordKey, Verb
from localmem.core.scope import Scope
from localmem.store import erase
from localmem.store.syncing import shape
from localmem.store.syncing.of_account import OfAccount

LOGGED = 16
"""Earlier bases of a record that are kept."""

_ADDRESS = "account, kind, scope, collection, key"
_AT = "account = ? AND kind = ? AND scope = ? AND collection = ? AND key = ?"

_COPY = (
    "item, inc, there, vv, synced, rev, fights, last_is_base, base_lineage, base_content, "
    "last_lineage, last_content"
)
_FLIGHT = "op, place, verb, counter, if_match, only_new, ttl, batch, lineage, content"
_CONFLICT = "why, since, rev, lineage, content"


def _upsert(table: str, columns: str) -> str:
    names = columns.split(", ")
    places = "?, " * (len(names) + 4) + "?"
    changes = ", ".join(f"{name} = excluded.{name}" for name in names)
    return (
        f"INSERT INTO {table} ({_ADDRESS}, {columns}) VALUES ({places}) "
        f"ON CONFLICT ({_ADDRESS}) DO UPDATE SET {changes}"
    )


_PUT_COPY = _upsert("copy", _COPY)
_PUT_FLIGHT = _upsert("flight", _FLIGHT)
_PUT_CONFLICT = _upsert("conflict", _CONFLICT)

_LOG_BASE = (
    f"INSERT INTO copy_log (copy, lineage, content) SELECT id, base_lineage, base_content "
    f"FROM copy WHERE {_AT} AND base_content IS NOT NULL "
    "AND (base_lineage IS NOT ? OR base_content IS NOT ?)"
)
_CUT_LOG = (
    "DELETE FROM copy_log WHERE copy = (SELECT copy FROM copy_log WHERE seq = ?1) AND seq <= "
    "(SELECT seq FROM copy_log WHERE copy = (SELECT copy FROM copy_log WHERE seq = ?1) "
    f"ORDER BY seq DESC LIMIT 1 OFFSET {LOGGED})"
)


class Records(OfAccount):
    # copies

    def copy(self, key: RecordKey) -> Copy | None:
        row = self._run(f"SELECT {_COPY} FROM copy WHERE {_AT}", *shape.address(key)).fetchone()
        return None if row is None else _copy(*row)

    def copies_at(self, keys: Sequence[RecordKey]) -> Mapping[RecordKey, Copy]:
        return {key: _copy(*row) for key, row in self._at("copy", _COPY, keys)}

    def put_copy(self, key: RecordKey, copy: Copy) -> None:
        place = shape.address(key)
        self._run(_LOG_BASE, *place, *shape.held_columns(copy.base))
        connection = self._session.connection
        if connection.changes():
            self._session.run(_CUT_LOG, connection.last_insert_rowid())
        self.put_copies([(key, copy)])

    def put_copies(self, copies: Sequence[tuple[RecordKey, Copy]]) -> None:
        self._session.connection.executemany(
            _PUT_COPY,
            ((self._account, *shape.address(key), *_copy_columns(copy)) for key, copy in copies),
        )
        self._were_in(key.scope for key, _ in copies)

    def drop_copy(self, key: RecordKey) -> None:
        self._drop("copy", key)

    def copy_of(self, item: ItemId) -> RecordKey | None:
        row = self._run(
            "SELECT kind, scope, collection, key FROM copy WHERE account = ? AND item = ?", item
        ).fetchone()
        return None if row is None else shape.record_key(*row)

    def copy_named(self, inc: str) -> RecordKey | None:
        # Two searches: by `OR` and by `IN` SQLite would walk every copy of the account.
        by = (
            "SELECT kind, scope, collection, key FROM copy "
            f"WHERE account = ?1 AND {name} = ?2 AND {name} <> ''"
            for name in ("inc", "there")
        )
        found = self._run(" UNION ALL ".join(by), inc).fetchall()
        return shape.record_key(*found[0]) if found else None

    def copies(self, *, after: RecordKey | None, limit: int) -> Sequence[RecordKey]:
        found = self._run(
            "SELECT kind, scope, collection, key FROM copy WHERE account = ? "
            "AND (kind, scope, collection, key) > (?, ?, ?, ?) AND rev IS NOT NULL "
            "ORDER BY kind, scope, collection, key LIMIT ?",
            *(("", "", "", "") if after is None else shape.address(after)),
            limit,
        )
        return [shape.record_key(*row) for row in found.fetchall()]

    def log(self, key: RecordKey) -> Sequence[Held]:
        found = self._run(
            f"SELECT lineage, content FROM copy_log WHERE copy = (SELECT id FROM copy WHERE {_AT}) "
            "ORDER BY seq",
            *shape.address(key),
        )
        held = (shape.held_of(*row) for row in found.fetchall())
        return [each for each in held if each is not None]

    def collections(self) -> Sequence[str]:
        found = self._run(
            "SELECT DISTINCT collection FROM copy WHERE account = ? AND kind = 'document' "
            "ORDER BY collection"
        )
        return [name for (name,) in found.fetchall()]

    # flights

    def flight(self, key: RecordKey) -> Flight | None:
        row = self._run(f"SELECT {_FLIGHT} FROM flight WHERE {_AT}", *shape.address(key)).fetchone()
        return None if row is None else _flight(key, *row)

    def flights(self) -> Sequence[Flight]:
        found = self._run(
            f"SELECT kind, scope, collection, key, {_FLIGHT} FROM flight WHERE account = ? "
            "ORDER BY op, place"
        )
        return [_flight(shape.record_key(*row[:4]), *row[4:]) for row in found.fetchall()]

    def flights_at(self, keys: Sequence[RecordKey]) -> Mapping[RecordKey, Flight]:
        return {key: _flight(key, *row) for key, row in self._at("flight", _FLIGHT, keys)}

    def put_flights(self, flights: Sequence[Flight]) -> None:
        self._session.connection.executemany(
            _PUT_FLIGHT,
            (
                (
                    self._account,
                    *shape.address(flight.key),
                    flight.op,
                    flight.place,
                    flight.verb,
                    flight.counter,
                    flight.if_match,
                    int(flight.only_new),
                    flight.ttl,
                    int(flight.batch),
                    *shape.held_columns(flight.body),
                )
                for flight in flights
            ),
        )
        self._were_in(flight.key.scope for flight in flights)

    def drop_flight(self, key: RecordKey) -> None:
        self.drop_flights([key])

    def drop_flights(self, keys: Sequence[RecordKey]) -> None:
        self._drop_named(f"DELETE FROM flight WHERE {_AT}", keys)

    # conflicts

    def conflict(self, key: RecordKey) -> Conflict | None:
        row = self._run(
            f"SELECT {_CONFLICT} FROM conflict WHERE {_AT}", *shape.address(key)
        ).fetchone()
        return None if row is None else shape.conflict_of(*row)

    def put_conflict(self, key: RecordKey, conflict: Conflict) -> None:
        self._run(_PUT_CONFLICT, *shape.address(key), *shape.conflict_columns(conflict))
        self._was_in(key.scope)

    def drop_conflict(self, key: RecordKey) -> None:
        self._drop("conflict", key)

    def conflicts(self) -> Sequence[RecordKey]:
        found = self._run(
            "SELECT kind, scope, collection, key FROM conflict WHERE account = ? "
            "ORDER BY kind, scope, collection, key"
        )
        return [shape.record_key(*row) for row in found.fetchall()]

    # what is gone

    def gone(self, id: str) -> Removal | None:
        reason = self._one("SELECT reason FROM gone WHERE account = ? AND id = ?", id)
        return None if reason is None else Removal(reason)

    def gone_among(self, ids: Sequence[str]) -> Mapping[str, Removal]:
        found = self._run(
            "SELECT id, reason FROM gone WHERE account = ? "
            "AND id IN (SELECT value FROM json_each(?))",
            json.dumps(list(ids)),
        )
        return {id: Removal(reason) for id, reason in found}

    def put_gone(self, id: str, scope: Scope, why: Removal) -> None:
        self._run(
            "INSERT INTO gone (account, id, scope, reason) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (account, id) DO UPDATE SET reason = excluded.reason "
            "WHERE excluded.reason = 'forget'",
            id,
            str(scope),
            why,
        )
        self._was_in(scope)

    def _at(
        self, table: str, columns: str, keys: Sequence[RecordKey]
    ) -> Iterator[tuple[RecordKey, list[Any]]]:
        for place, names in shape.shelves(keys).items():
            kind, scope, collection = place
            for key, *row in self._run(
                f"SELECT key, {columns} FROM {table} WHERE account = ? AND kind = ? AND scope = ? "
                "AND collection = ? AND key IN (SELECT value FROM json_each(?))",
                kind,
                str(scope),
                collection,
                json.dumps(names),
            ):
                yield RecordKey(*place, key), row

    def _drop(self, table: str, key: RecordKey) -> None:
        """With it goes what the person has not: an address that was forgotten, another's words."""
        self._run(f"DELETE FROM {table} WHERE {_AT}", *shape.address(key))
        if self._session.connection.changes():
            erase.want_scrub(self._session)


def _copy(
    item: str | None,
    inc: str,
    there: str,
    vv: str,
    synced: int,
    rev: str | None,
    fights: int,
    last_is_base: int,
    *bodies: str | None,
) -> Copy:
    base = shape.held_of(*bodies[:2])
    last = base.body if last_is_base and base is not None else shape.body_of(*bodies[2:])
    return Copy(
        item=None if item is None else ItemId(item),
        inc=inc,
        there=there,
        vv=shape.vv_of(vv),
        synced=bool(synced),
        rev=rev,
        base=base,
        last=last,
        fights=fights,
    )


def _copy_columns(copy: Copy) -> tuple[Any, ...]:
    base = shape.held_columns(copy.base)
    last_is_base, last = _last(copy, base)
    return (
        copy.item,
        copy.inc,
        copy.there,
        shape.vv_column(copy.vv),
        int(copy.synced),
        copy.rev,
        copy.fights,
        int(last_is_base),
        *base,
        *last,
    )


def _last(copy: Copy, base: shape.Columns) -> tuple[bool, shape.Columns]:
    """What `last` is stored as: mostly it is the base's body, and then once is enough."""
    if copy.last is None:
        return False, shape.NO_BODY
    if copy.base is None:
        return False, shape.body_columns(copy.last)
    if copy.last is copy.base.body:
        return True, shape.NO_BODY
    last = shape.body_columns(copy.last)
    # As texts: to Python 1, 1.0 and true are equal.
    same = last == (shape.body_columns(copy.base.body)[0], base[1])
    return (True, shape.NO_BODY) if same else (False, last)


def _flight(
    key: RecordKey,
    op: str,
    place: int,
    verb: str,
    counter: int,
    if_match: str | None,
    only_new: int,
    ttl: int | None,
    batch: int,
    lineage: str | None,
    content: str | None,
) -> Flight:
    return Flight(
        op=op,
        place=place,
        key=key,
        verb=Verb(verb),
        counter=counter,
        body=shape.held_of(lineage, content),
        if_match=if_match,
        only_new=bool(only_new),
        ttl=ttl,
        batch=bool(batch),
    )
