"""Tables of one device with real transactions: what a rolled back block wrote is not there.

Every write goes into an undo log; the end of the outermost block drops it, an exception plays it
back. A power cut is an exception that `fault` raises at the begin or at the end of a block, before
or after the commit; once `off` is set, no block opens any more.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

_MISSING: Any = object()


class PowerCut(BaseException):
    """The process is gone; no handler of the program may run on."""


class Rows(dict[Any, Any]):
    """One table. Reading is a dictionary's; writing is by `put` and `drop` alone."""

    __slots__ = ("_base",)

    def __init__(self, base: Database) -> None:
        self._base = base

    def put(self, key: Any, row: Any) -> None:
        base = self._base
        base.check_writing()
        base.log.append((self, key, self.get(key, _MISSING)))
        self[key] = row

    def drop(self, key: Any) -> None:
        base = self._base
        base.check_writing()
        if key in self:
            base.log.append((self, key, self.pop(key)))


class Block:
    __slots__ = ("_base", "_writes")

    def __init__(self, base: Database, writes: bool) -> None:
        self._base = base
        self._writes = writes

    def __enter__(self) -> None:
        self._base.begin(self._writes)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._base.end(failed=kind is not None)


class Database:
    def __init__(self) -> None:
        self.log: list[tuple[Rows, Any, Any]] = []
        self.depth = 0
        self.writes = False
        self.commits = 0
        self.rolled_back = 0
        self.off = False
        self.fault: Callable[[str], None] | None = None
        """Told "begin", "before commit" and "after commit" of blocks that write."""

    def rows(self) -> Rows:
        return Rows(self)

    def reading(self) -> Block:
        return Block(self, False)

    def writing(self) -> Block:
        return Block(self, True)

    def check_reading(self) -> None:
        assert self.depth, "rows are read inside reading() or writing()"

    def check_writing(self) -> None:
        assert self.depth and self.writes, "rows are written inside writing()"

    def begin(self, writes: bool) -> None:
        if self.off:
            raise PowerCut("off")
        if self.depth:
            assert self.writes or not writes, "a block that reads cannot write"
        else:
            if writes and self.fault is not None:
                self.fault("begin")
            self.writes = writes
        self.depth += 1

    def end(self, *, failed: bool) -> None:
        self.depth -= 1
        if self.depth or not self.writes:
            return
        self.writes = False
        if failed:
            self._roll_back()
            return
        if self.fault is not None:
            try:
                self.fault("before commit")
            except BaseException:
                self._roll_back()
                raise
        self.log.clear()
        self.commits += 1
        if self.fault is not None:
            self.fault("after commit")

    def _roll_back(self) -> None:
        for table, key, before in reversed(self.log):
            if before is _MISSING:
                table.pop(key, None)
            else:
                table[key] = before
        self.log.clear()
        self.rolled_back += 1
