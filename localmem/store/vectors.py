"""Vectors through sqlite-vec: one exact table for the active model, rebuilt when the model changes.

Models are never mixed: the table has the dimensions of exactly one. sqlite-vec cannot upsert,
holds no NULL metadata and takes k up to 4,096, so a row is deleted and inserted, filters run over
a bounded surplus, and the partition is the scope.
"""

from __future__ import annotations

from collections.abc import Sequence

from localmem.core.records import Model
from localmem.store.session import Session

PASSAGES = 64
"""Most passages one item has; vector id = item row * PASSAGES + passage."""
MOST_NEIGHBOURS = 4096


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
    session.run(
        "INSERT INTO model (id, name, version, dimensions) VALUES (1, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version, "
        "dimensions = excluded.dimensions",
        model.name,
        model.version,
        model.dimensions,
    )
    return True


def put(session: Session, row: int, number: int, vectors: Sequence[bytes]) -> None:
    """Replace the item's vectors by those of its version `number`; inside a transaction."""
    head = session.run("SELECT head, scope FROM item WHERE seq = ?", row).fetchone()
    if head is None or head[0] != number:
        return  # the item moved or went while it was embedded
    remove(session, row)
    for passage, vector in enumerate(vectors[:PASSAGES]):
        session.run(
            "INSERT INTO vectors (id, scope, e) VALUES (?, ?, ?)",
            row * PASSAGES + passage,
            head[1],
            vector,
        )
    session.run(
        "INSERT INTO embedded (item, number, passages, change) VALUES (?, ?, ?, ?)",
        row,
        number,
        len(vectors[:PASSAGES]),
        session.next_change(),
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
