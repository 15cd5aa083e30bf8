"""The vectors of a long-lived process in memory, three times faster than the table.

Follows the table by its change numbers: what this or another process wrote since the last look is
read, nothing else. Refuses to be the truth: rows it still holds for items that are gone are
dropped by the caller, who looks every item up. numpy is imported when the first vector is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from localmem.store import vectors
from localmem.store.session import Session

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Matrix = NDArray[numpy.float32]
    Scores = NDArray[numpy.float32]

GONE = -1
"""The scope number of a row whose item is gone."""


class VectorCache:
    """One per connection; not shared between threads."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._looked_at = -1
        """The library's change number at the last look."""
        self._clear(None)

    def _clear(self, model: object) -> None:
        self._model = model
        self._change = -1
        self._used = 0
        self._slots: dict[int, list[int]] = {}
        """item row -> its rows of the matrix"""
        self._matrix: Matrix | None = None
        self._owners: NDArray[numpy.int64] | None = None
        self._scopes: NDArray[numpy.int32] | None = None
        self._scope_numbers: dict[str, int] = {}
        self._question: bytes | None = None
        self._answer: Scores | None = None

    def nearest(self, vector: bytes, scopes: Sequence[str], passages: int) -> dict[int, float]:
        """As vectors.nearest."""
        import numpy

        scores = self._scores(vector)
        if scores is None or self._owners is None or self._scopes is None:
            return {}
        held = self._scopes[: self._used]
        if scopes:
            wanted = [self._scope_numbers.get(scope, GONE - 1) for scope in scopes]
            slots = numpy.flatnonzero(numpy.isin(held, wanted))
        else:
            slots = numpy.flatnonzero(held != GONE)
        if len(slots) > passages:
            best = numpy.argpartition(-scores[slots], passages - 1)[:passages]
            slots = slots[best]
        found: dict[int, float] = {}
        for row, score in zip(self._owners[slots].tolist(), scores[slots].tolist(), strict=True):
            found[row] = max(found.get(row, -1.0), score)
        return found

    def cosines(self, vector: bytes, rows: Sequence[int]) -> dict[int, float]:
        """As vectors.cosines."""
        scores = self._scores(vector)
        if scores is None:
            return {}
        return {
            row: max(scores[slot].item() for slot in slots)
            for row in rows
            if (slots := self._slots.get(row))
        }

    def _scores(self, vector: bytes) -> Scores | None:
        """The cosine of every row of the matrix; one search asks for the same twice."""
        import numpy

        self._follow()
        if self._matrix is None or not self._used:
            return None
        if self._question != vector or self._answer is None:
            self._question = vector
            self._answer = self._matrix[: self._used] @ numpy.frombuffer(vector, numpy.float32)
        return self._answer

    def _follow(self) -> None:
        """Read what changed in the table since the last look."""
        change = self._session.one("SELECT value FROM library WHERE key = 'change'")
        if change == self._looked_at:
            return
        self._looked_at = change
        self._question = None
        model = vectors.active_model(self._session)
        if model != self._model:
            self._clear(model)
        latest = self._session.one("SELECT max(change) FROM embedded")
        if latest is None:
            self._clear(model)
        elif latest != self._change or self._count() != len(self._slots):
            self._drop_gone()
            self._load(self._change)
            self._change = latest

    def _count(self) -> int:
        return int(self._session.one("SELECT count(*) FROM embedded"))

    def _drop_gone(self) -> None:
        live = {row for (row,) in self._session.run("SELECT item FROM embedded")}
        for row in [row for row in self._slots if row not in live]:
            self._free(row)

    def _free(self, row: int) -> None:
        if self._scopes is not None and (slots := self._slots.pop(row, None)):
            self._scopes[slots] = GONE

    def _load(self, change: int) -> None:
        import numpy

        fresh = self._session.run(
            "SELECT embedded.item, embedded.passages, item.scope FROM embedded "
            "JOIN item ON item.seq = embedded.item WHERE embedded.change > ?",
            change,
        ).fetchall()
        if not fresh:
            return
        self._reserve(sum(passages for _, passages, _ in fresh))
        assert self._matrix is not None
        assert self._owners is not None
        assert self._scopes is not None
        held = self._vectors_of(fresh)
        for row, passages, scope in fresh:
            self._free(row)
            number = self._scope_numbers.setdefault(scope, len(self._scope_numbers))
            slots = list(range(self._used, self._used + passages))
            for passage, slot in enumerate(slots):
                self._matrix[slot] = numpy.frombuffer(
                    held[row * vectors.PASSAGES + passage], numpy.float32
                )
            self._owners[slots] = row
            self._scopes[slots] = number
            self._slots[row] = slots
            self._used += passages

    def _vectors_of(self, fresh: Sequence[tuple[int, int, str]]) -> dict[int, bytes]:
        if len(fresh) > 200:
            return dict(self._session.run("SELECT id, e FROM vectors"))
        return {
            id: self._session.one("SELECT e FROM vectors WHERE id = ?", id)
            for row, passages, _ in fresh
            for id in range(row * vectors.PASSAGES, row * vectors.PASSAGES + passages)
        }

    def _reserve(self, more: int) -> None:
        import numpy

        needed = self._used + more
        if self._matrix is not None and needed <= len(self._matrix):
            return
        model = vectors.active_model(self._session)
        assert model is not None
        size = max(1024, needed + needed // 4)
        matrix = numpy.zeros((size, model.dimensions), numpy.float32)
        owners = numpy.zeros(size, numpy.int64)
        scopes = numpy.full(size, GONE, numpy.int32)
        if self._matrix is not None and self._owners is not None and self._scopes is not None:
            matrix[: self._used] = self._matrix[: self._used]
            owners[: self._used] = self._owners[: self._used]
            scopes[: self._used] = self._scopes[: self._used]
        self._matrix, self._owners, self._scopes = matrix, owners, scopes
