"""Candidates for a search: rows by words (FTS5) and by meaning (vectors), within scope and expiry.

Scores are core.rank's; this module refuses user text as query syntax: it takes MATCH expressions
that core.words built.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from localmem.core import plain
from localmem.core.model import Kind
from localmem.core.records import Made, Model, Where
from localmem.store import vectors
from localmem.store.items import LIVE
from localmem.store.session import Session
from localmem.store.vector_cache import VectorCache
from localmem.store.word_cache import WordCache

SURPLUS = 4
"""Passages fetched per wanted item, for filters and items of several passages."""

LOOK_AHEAD = 4_000
"""Waiting rows seen at one look: several seconds of embedding."""

EVERYTHING = Where()

_BY_MEANING = ", ".join(f"'{kind}'" for kind in Kind if plain.found_by_meaning(kind))
_UNEMBEDDED = (
    "FROM item LEFT JOIN embedded ON embedded.item = item.seq AND embedded.number = item.head "
    f"WHERE embedded.item IS NULL AND +item.kind IN ({_BY_MEANING}) AND {LIVE}"
)
"""Walked in the order of the rows: the + keeps the planner from an index on kind, and a sort."""


@dataclass(slots=True, eq=False, repr=False)
class Searcher:
    session: Session
    cache: VectorCache | None
    """None reads the table each time: right for a process that asks once."""
    found: WordCache | None = None
    """None looks words up each time, likewise."""
    _ahead: list[int] = field(default_factory=list)
    """Rows that waited for vectors when last looked, newest first."""
    _newest: int | None = None
    """The last row of the library then."""
    _above: int | None = None
    """The row from which on none but those waited; None before the first look."""

    def by_words(self, match: str, where: Where) -> list[int]:
        if self.found is None:
            return self._by_words(match, where)
        return self.found.get(match, where, self._by_words)

    def _by_words(self, match: str, where: Where) -> list[int]:
        narrowed, values = _where(_of_every_kind(where))
        version = _version_join(where)
        if where == EVERYTHING:
            sql = "SELECT rowid FROM words WHERE words MATCH ?"
        elif where.scopes:
            # A scope is small, so its rows are looked up once; + keeps FTS5 from being asked for
            # each of them.
            rows = f"SELECT item.seq FROM item {version}WHERE true{narrowed}"
            sql = f"SELECT rowid FROM words WHERE words MATCH ? AND +rowid IN ({rows})"
        else:
            sql = (
                "SELECT words.rowid FROM words CROSS JOIN item ON item.seq = words.rowid "
                f"{version}WHERE words MATCH ?{narrowed}"
            )
        return [row for (row,) in self.session.run(sql, match, *values)]

    def by_meaning(self, vector: bytes, where: Where, limit: int) -> dict[int, float]:
        """Cosine by row of the nearest live items; empty where there are no vectors."""
        if not self._ready():
            return {}
        surplus = limit * SURPLUS * (4 if _narrow(where) else 1)
        source = self.cache or _Table(self.session)
        found = source.nearest(vector, [str(scope) for scope in where.scopes], surplus)
        allowed = self._allowed(list(found), where)
        best = sorted(allowed, key=lambda row: -found[row])[:limit]
        return {row: found[row] for row in best}

    def cosines(self, vector: bytes, rows: Sequence[int]) -> dict[int, float]:
        if not self._ready():
            return {}
        return (self.cache or _Table(self.session)).cosines(vector, rows)

    def size(self, where: Where) -> int:
        now = self.session.clock()
        if where == EVERYTHING:  # all rows are counted by the page, and few have expired
            expired = "SELECT count(*) FROM item WHERE expires_at <= ?"
            return int(self.session.one(f"SELECT count(*) - ({expired}) FROM item", now))
        narrowed, values = _where(_of_every_kind(where))
        return int(
            self.session.one(
                f"SELECT count(*) FROM item {_version_join(where)}WHERE {LIVE}{narrowed}",
                now,
                *values,
            )
        )

    def change(self) -> int:
        return self.session.state()

    def newest(self, where: Where, limit: int) -> list[int]:
        narrowed, values = _where(where)
        found = self.session.run(
            f"SELECT item.seq FROM item {_version_join(where)}WHERE {LIVE}{narrowed} "
            "ORDER BY item.seq DESC LIMIT ?",
            self.session.clock(),
            *values,
            limit,
        )
        return [row for (row,) in found]

    def model(self) -> Model | None:
        return vectors.active_model(self.session)

    def use_model(self, model: Model) -> bool:
        self._newest = None  # everything waits again, so the newest first
        return vectors.use_model(self.session, model)

    def pending(self, limit: int) -> list[int]:
        """Rows whose current version has no vectors yet, newest first.

        Only what was edited while others are made may wait until those are through.
        """
        newest = self.session.one("SELECT max(seq) FROM item")
        if newest != self._newest:
            self._newest, self._above = newest, None
            self._ahead.clear()
        rows = self._still_pending(limit)
        while not rows:
            whole = self._above is None
            self._look_ahead(max(limit, LOOK_AHEAD))
            rows = self._still_pending(limit)
            if whole:
                break
        return rows

    def _still_pending(self, limit: int) -> list[int]:
        """The next of those seen ahead that were not embedded or removed meanwhile."""
        rows: list[int] = []
        looked = 0
        while len(rows) < limit and looked < len(self._ahead):
            found = self.session.run(
                f"SELECT item.seq {_UNEMBEDDED} "
                "AND item.seq IN (SELECT value FROM json_each(?)) ORDER BY item.seq DESC",
                self.session.clock(),
                json.dumps(self._ahead[looked : looked + limit]),
            )
            rows += [row for (row,) in found]
            looked += limit
        self._ahead[:looked] = rows
        return rows[:limit]

    def _look_ahead(self, count: int) -> None:
        """Go on below the last look; at the end, begin again, for what moved meanwhile.

        Whatever is embedded has to be passed over one by one: so each row once, not at every look.
        """
        below = "" if self._above is None else "AND item.seq < ? "
        found = self.session.run(
            f"SELECT item.seq {_UNEMBEDDED} {below}ORDER BY item.seq DESC LIMIT ?",
            self.session.clock(),
            *(() if self._above is None else (self._above,)),
            count,
        )
        self._ahead[:] = [row for (row,) in found]
        self._above = self._ahead[-1] if self._ahead else None

    def pending_count(self) -> int:
        # Two walks in the order of the rows; looking each item up takes seven times as long.
        now = self.session.clock()
        wanted = f"item.kind IN ({_BY_MEANING}) AND {LIVE}"
        have = (
            "SELECT count(*) FROM embedded CROSS JOIN item ON item.seq = embedded.item "
            f"AND item.head = embedded.number WHERE {wanted}"
        )
        return int(
            self.session.one(f"SELECT count(*) - ({have}) FROM item WHERE {wanted}", now, now)
        )

    def put_vectors(self, made: Sequence[Made]) -> None:
        vectors.put(self.session, made)

    def _ready(self) -> bool:
        return self.session.vectors and vectors.active_model(self.session) is not None

    def _allowed(self, rows: list[int], where: Where) -> list[int]:
        narrowed, values = _where(where)
        found = self.session.run(
            f"SELECT item.seq FROM item {_version_join(where)}"
            f"WHERE item.seq IN (SELECT value FROM json_each(?)) AND {LIVE}{narrowed}",
            json.dumps(rows),
            self.session.clock(),
            *values,
        )
        return [row for (row,) in found]


@dataclass(slots=True, eq=False, repr=False)
class _Table:
    session: Session

    def nearest(self, vector: bytes, scopes: Sequence[str], passages: int) -> dict[int, float]:
        return vectors.nearest(self.session, vector, scopes, passages)

    def cosines(self, vector: bytes, rows: Sequence[int]) -> dict[int, float]:
        return vectors.cosines(self.session, vector, rows)


def _version_join(where: Where) -> str:
    asked = (where.authors, where.without_agents)
    if not (any(asked) or where.after is not None or where.before is not None):
        return ""
    return "CROSS JOIN version ON version.item = item.seq AND version.number = item.head "


def _narrow(where: Where) -> bool:
    return bool(
        where.kinds
        or where.collections
        or where.authors
        or where.after
        or where.before
        or where.without_agents
    )


def _of_every_kind(where: Where) -> Where:
    """The same, said so that an index on kind and scope serves a scope."""
    return where if where.kinds or not where.scopes else where._replace(kinds=tuple(Kind))


def _where(where: Where) -> tuple[str, list[Any]]:
    sql, values = "", list[Any]()
    for column, wanted in (
        ("item.scope", [str(scope) for scope in where.scopes]),
        ("item.kind", list(where.kinds)),
        ("item.collection", list(where.collections)),
        ("lower(version.author)", [name.lower() for name in where.authors]),
    ):
        if wanted:
            sql += f" AND {column} IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(wanted))
    if where.without_agents:
        sql += " AND version.author_kind <> 'agent'"
    if where.after is not None:
        sql += " AND version.at >= ?"
        values.append(where.after)
    if where.before is not None:
        sql += " AND version.at < ?"
        values.append(where.before)
    return sql, values
