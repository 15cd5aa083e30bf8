"""The vectors of a long-lived process in memory, three times faster than the table.

Follows the table by its change numbers: what this or another process wrote since the last look is
read, nothing else. Refuses to be the truth: rows it still holds for items that are gone are
dropped by the caller, who looks every item up. numpy is imported when the first vector is needed.

A search is as fast as memory is read, so a scope is read alone: its vectors lie side by side.
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
    Slots = NDArray[numpy.intp]

GONE = -1
"""The owner of a slot whose item is gone; no item's row."""
_ROOM = 1024
"""Slots made at least."""
_GAP = 64
"""So many unwanted slots are read rather than a second stretch begun."""
_ANEW = 8
"""When more than one vector in so many is new, all are read: chunks are faster than vectors."""


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
        # Slot by slot: the vector, the item's row, the scope's number.
        self._matrix: Matrix | None = None
        self._owners: NDArray[numpy.int64] | None = None
        self._scopes: NDArray[numpy.int32] | None = None
        self._scope_numbers: dict[str, int] = {}

    def nearest(self, vector: bytes, scopes: Sequence[str], passages: int) -> dict[int, float]:
        """As vectors.nearest."""
        import numpy

        self._follow()
        if self._owners is None or self._scopes is None:
            return {}
        wanted = self._owners[: self._used] != GONE
        if scopes:
            numbers = [self._scope_numbers.get(scope, GONE) for scope in scopes]
            wanted &= numpy.isin(self._scopes[: self._used], numbers)
        slots = numpy.flatnonzero(wanted)
        scores = self._cosines(slots, vector)
        if len(slots) > passages:
            best = numpy.argpartition(-scores, passages - 1)[:passages]
            slots, scores = slots[best], scores[best]
        return self._by_owner(slots, scores)

    def cosines(self, vector: bytes, rows: Sequence[int]) -> dict[int, float]:
        """As vectors.cosines."""
        import numpy

        self._follow()
        if self._owners is None or not rows:
            return {}
        slots = numpy.flatnonzero(numpy.isin(self._owners[: self._used], rows))
        return self._by_owner(slots, self._cosines(slots, vector))

    def _cosines(self, slots: Slots, vector: bytes) -> Scores:
        """Of each of the rising `slots`."""
        import numpy

        assert self._matrix is not None
        question = numpy.frombuffer(vector, numpy.float32)
        gaps = numpy.flatnonzero(numpy.diff(slots) > _GAP) + 1
        scores = numpy.empty(len(slots), numpy.float32)
        done = 0
        for run in numpy.split(slots, gaps) if len(slots) else ():
            stretch = self._matrix[run[0] : run[-1] + 1] @ question
            scores[done : done + len(run)] = stretch[run - run[0]]
            done += len(run)
        return scores

    def _by_owner(self, slots: Slots, scores: Scores) -> dict[int, float]:
        """The best passage of each item."""
        assert self._owners is not None
        found: dict[int, float] = {}
        for row, score in zip(self._owners[slots].tolist(), scores.tolist(), strict=True):
            found[row] = max(found.get(row, -1.0), score)
        return found

    def _follow(self) -> None:
        """Read what changed in the table since the last look."""
        state = self._session.state()
        if state == self._looked_at:
            return
        self._looked_at = state
        model = vectors.active_model(self._session)
        if model != self._model:
            self._clear(model)
        if model is None:
            return
        held = vectors.held(self._session, self._change)
        if held.fresh * _ANEW > held.vectors:
            self._clear(model)
            self._read_all(held.vectors, model.dimensions)
        else:
            self._read_fresh(model.dimensions)
            if self._live() != held.vectors:
                self._drop_gone()
        self._change = held.change

    def _live(self) -> int:
        import numpy

        owners = self._owners
        return 0 if owners is None else int(numpy.count_nonzero(owners[: self._used] != GONE))

    def _drop_gone(self) -> None:
        import numpy

        assert self._owners is not None
        owners = self._owners[: self._used]
        owners[~numpy.isin(owners, vectors.rows(self._session))] = GONE

    def _read_all(self, count: int, dimensions: int) -> None:
        """Everything, one scope after the other."""
        import numpy

        self._reserve(count, dimensions)
        for chunk in vectors.chunks(self._session):
            bits = numpy.unpackbits(numpy.frombuffer(chunk.taken, numpy.uint8), bitorder="little")
            taken = bits.astype(bool)
            ids = numpy.frombuffer(chunk.ids, numpy.int64)
            stored = numpy.frombuffer(chunk.vectors, numpy.float32).reshape(-1, dimensions)
            self._put(ids[taken] // vectors.PASSAGES, stored[taken], chunk.scope)

    def _read_fresh(self, dimensions: int) -> None:
        """What was embedded since the last look, in place of what there was of it."""
        import numpy

        fresh = vectors.changed(self._session, self._change)
        if self._owners is not None and fresh:
            owners = self._owners[: self._used]
            owners[numpy.isin(owners, [each.row for each in fresh])] = GONE
        for each in fresh:
            values = b"".join(vectors.of(self._session, each))
            stored = numpy.frombuffer(values, numpy.float32).reshape(-1, dimensions)
            self._put(numpy.full(len(stored), each.row), stored, each.scope)

    def _put(self, owners: NDArray[numpy.int64], stored: Matrix, scope: str) -> None:
        self._reserve(len(owners), stored.shape[1])
        assert self._matrix is not None
        assert self._owners is not None
        assert self._scopes is not None
        slots = slice(self._used, self._used + len(owners))
        self._matrix[slots] = stored
        self._owners[slots] = owners
        self._scopes[slots] = self._scope_numbers.setdefault(scope, len(self._scope_numbers))
        self._used += len(owners)

    def _reserve(self, more: int, dimensions: int) -> None:
        import numpy

        needed = self._used + more
        if self._matrix is not None and needed <= len(self._matrix):
            return
        size = max(_ROOM, needed + needed // 4)
        matrix = numpy.zeros((size, dimensions), numpy.float32)
        owners = numpy.full(size, GONE, numpy.int64)
        scopes = numpy.full(size, GONE, numpy.int32)
        if self._matrix is not None and self._owners is not None and self._scopes is not None:
            matrix[: self._used] = self._matrix[: self._used]
            owners[: self._used] = self._owners[: self._used]
            scopes[: self._used] = self._scopes[: self._used]
        self._matrix, self._owners, self._scopes = matrix, owners, scopes
