"""What every part of the store shares: the connection, the clock and the library's own counters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

import apsw

if TYPE_CHECKING:
    from localmem.core.ports import Clock


BUSY_MILLISECONDS = 10_000
"""How long a write waits for another process before it says "not saved"."""


class Rows(Protocol):
    """The rows of one statement; what a column holds is the schema's promise, not the type's."""

    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...
    def fetchone(self) -> tuple[Any, ...] | None: ...
    def fetchall(self) -> list[tuple[Any, ...]]: ...


@dataclass(slots=True, eq=False, repr=False)
class Session:
    connection: apsw.Connection
    clock: Clock
    salt: bytes
    """32 random bytes of this library; keys its digests."""
    device: str
    vectors: bool
    path: str

    def run(self, sql: str, *values: Any) -> Rows:
        return cast(Rows, self.connection.execute(sql, values))

    def one(self, sql: str, *values: Any) -> Any:
        """The only value of the only row; None when there is no row."""
        return self.connection.execute(sql, values).get

    def next_change(self) -> int:
        """The number of a change to an item: one above the change before it, without a gap."""
        return self.next_changes(1)

    def next_changes(self, count: int) -> int:
        """The last of so many numbers."""
        return self._next("change", count)

    def next_upkeep(self) -> int:
        """A number above every piece of upkeep (vectors, rewriting) before; no reader of changes
        is told of those."""
        return self._next("upkeep", 1)

    def _next(self, counter: str, by: int) -> int:
        return int(
            self.one(
                "UPDATE library SET value = value + ? WHERE key = ? RETURNING value", by, counter
            )
        )

    def state(self) -> int:
        """Rises with every write to the library, by any process."""
        return int(self.one("SELECT sum(value) FROM library WHERE key IN ('change', 'upkeep')"))

    def digest(self, *parts: str) -> bytes:
        """16 bytes that name the parts without holding them."""
        text = "\x00".join(parts).encode("utf-8", "surrogatepass")
        import hmac  # here: nothing before the first frame needs it

        return hmac.digest(self.salt, text, "sha256")[:16]
