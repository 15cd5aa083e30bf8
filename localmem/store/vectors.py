"""Vectors through sqlite-vec: one exact table for the active model, rebuilt when the model changes.

Models are never mixed: the table has the dimensions of exactly one. sqlite-vec cannot upsert,
holds no NULL metadata and takes k up to 4,096, so a row is deleted and inserted, filters run over
a bounded surplus, and the partition is the scope.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from localmem.core.records import Made, Model
from localmem.store.session import Session

PASSAGES = 64
"""Most passages one item has; vector id = item row * PASSAGES + passage."""
MOST_NEIGHBOURS = 4096


class Embedded(NamedTuple):
    """An item that has vectors."""

    row: int
    passages: int
    scope: str


class Held(NamedTuple):
    vectors: int
    fresh: int
    """Those since the change number that was asked about."""
    change: int
    """The latest change number of them; -1 when there are none."""


class Chunk(NamedTuple):
    """Vectors as sqlite-vec keeps them: side by side, some places empty."""

    scope: str
    taken: bytes
    """One bit a place, the first is the lowest of its byte."""
    ids: bytes
    """One int64 a place."""
    vectors: bytes
    """One vector a place."""


def active_model(session: Session) -> Model | None:
    row = session.run("SELECT name, version, dimensions FROM model").fetchone()
    return Model(*row) if row else None


def use_model(session: Session, model: Model) -> bool:
    """Make `model` the active one; True when that emptied the vectors. Inside a transaction."""
    if active_model(session) == model:
        return False
    session.run("DROP TABLE IF EXISTS vectors")
    session.run(
        "CREATE VIRTUAL TABLE vectors USING vec0 (id INTEGER PRIMARY KEY, "
        f"scope TEXT PARTITION KEY, e FLOAT[{int(model.dimensions)}] DISTANCE_METRIC=cosine, "
        "chunk_size=64)"
    )
    session.run("DELETE FROM embedded")
    session.next_upkeep()
    session.run(
        "INSERT INTO model (id, name, version, dimensions) VALUES (1, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version, "
        "dimensions = excluded.dimensions",
        model.name,
        model.version,
        model.dimensions,
    )
    return True


def put(session: Session, made: Sequence[Made]) -> None:
    """Replace the vectors of each item by those that were made; inside a transaction.

    Passes over an item that moved or went while it was embedded.
    """
    found = session.run(
        "SELECT item.seq, item.head, item.scope, embedded.item IS NOT NULL FROM item "
        "LEFT JOIN embedded ON embedded.item = item.seq "
        "WHERE item.seq IN (SELECT value FROM json_each(?))",
        json.dumps([each.row for each in made]),
    )
    there = {row: (head, scope, replaced) for row, head, scope, replaced in found}
    current = [each for each in made if each.row in there and there[each.row][0] == each.number]
    for each in current:
        if there[each.row][2]:
            remove(session, each.row)
    session.connection.executemany(
        "INSERT INTO vectors (id, scope, e) VALUES (?, ?, ?)",
        (
            (each.row * PASSAGES + passage, there[each.row][1], vector)
            for each in current
            for passage, vector in enumerate(each.vectors[:PASSAGES])
        ),
    )
    change = session.next_upkeep()
    session.connection.executemany(
        "INSERT INTO embedded (item, number, passages, change) VALUES (?, ?, ?, ?)",
        ((each.row, each.number, len(each.vectors[:PASSAGES]), change) for each in current),
    )


def remove(session: Session, row: int) -> int:
    """Take the item's vectors away; how many there were. Inside a transaction."""
    if not session.vectors:
        return _discard_all(session)
    passages = session.one("DELETE FROM embedded WHERE item = ? RETURNING passages", row)
    if passages is None:
        return 0
    for passage in range(passages):
        session.run("DELETE FROM vectors WHERE id = ?", row * PASSAGES + passage)
    return int(passages)


def _discard_all(session: Session) -> int:
    """Empty the table's own tables: without the extension that is the only way to erase one.

    Vectors are made again from the words as soon as the extension is back.
    """
    held = int(session.one("SELECT coalesce(sum(passages), 0) FROM embedded"))
    if held:
        for part in ("chunks", "rowids", "vector_chunks00"):
            session.run(f"DELETE FROM vectors_{part}")
        session.run("DELETE FROM embedded")
        session.run("DELETE FROM model")
    return held


def nearest(
    session: Session, vector: bytes, scopes: Sequence[str], passages: int
) -> dict[int, float]:
    """Cosine by item row of the nearest `passages` passages of those scopes (all when empty)."""
    limit = min(passages, MOST_NEIGHBOURS)
    found: dict[int, float] = {}
    for scope in scopes or (None,):
        narrowed = "" if scope is None else "AND scope = ? "
        for id, distance in session.run(
            f"SELECT id, distance FROM vectors WHERE e MATCH ? {narrowed}AND k = ?",
            vector,
            *(() if scope is None else (scope,)),
            limit,
        ):
            row = id // PASSAGES
            found[row] = max(found.get(row, -1.0), 1.0 - distance)
    return found


def cosines(session: Session, vector: bytes, rows: Sequence[int]) -> dict[int, float]:
    """Cosine by item row, for the rows that have a vector."""
    found: dict[int, float] = {}
    for row in rows:
        passages = session.one("SELECT passages FROM embedded WHERE item = ?", row) or 0
        for passage in range(passages):
            distance = session.one(
                "SELECT vec_distance_cosine(e, ?) FROM vectors WHERE id = ?",
                vector,
                row * PASSAGES + passage,
            )
            if distance is not None:
                found[row] = max(found.get(row, -1.0), 1.0 - distance)
    return found


def held(session: Session, since: int) -> Held:
    """What the table holds, and how much of it came after the change number `since`."""
    row = session.run(
        "SELECT coalesce(sum(passages), 0), coalesce(sum(passages) FILTER (WHERE change > ?), 0), "
        "coalesce(max(change), -1) FROM embedded",
        since,
    ).fetchone()
    assert row is not None
    return Held(*row)


def chunks(session: Session) -> Iterator[Chunk]:
    """Every vector, scope by scope, from the table's own tables: seven times as fast as asking it.

    Their layout is that of the pinned release; a test holds it against the table.
    """
    found = session.run(
        "SELECT chunk_id, partition00, validity, rowids FROM vectors_chunks "
        "ORDER BY partition00, chunk_id"
    ).fetchall()
    for chunk, scope, taken, ids in found:
        values = session.one("SELECT vectors FROM vectors_vector_chunks00 WHERE rowid = ?", chunk)
        yield Chunk(scope, taken, ids, values)


def changed(session: Session, change: int) -> list[Embedded]:
    """What was embedded since the change number `change`, scope by scope."""
    found = session.run(
        "SELECT embedded.item, embedded.passages, item.scope FROM embedded "
        "JOIN item ON item.seq = embedded.item WHERE embedded.change > ? ORDER BY item.scope",
        change,
    )
    return [Embedded(*row) for row in found]


def rows(session: Session) -> list[int]:
    """The rows of all items that have vectors."""
    return [row for (row,) in session.run("SELECT item FROM embedded")]


def of(session: Session, item: Embedded) -> list[bytes]:
    """The vectors of one item."""
    first = item.row * PASSAGES
    return [
        session.one("SELECT e FROM vectors WHERE id = ?", id)
        for id in range(first, first + item.passages)
    ]
