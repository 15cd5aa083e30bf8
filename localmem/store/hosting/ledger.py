"""What a server counts and owes: units of a month, wipes it promised, who was let in and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import apsw

from localmem.core import scope as scopes
from localmem.core.hosting import Deed, Mode, Wipe
from localmem.core.model import ItemId


@dataclass(frozen=True, slots=True)
class LedgerTable:
    connection: apsw.Connection

    def units(self, space: str, month: str) -> int:
        found = self.connection.execute(
            "SELECT used FROM units WHERE space = ? AND month = ?", (space, month)
        ).get
        return int(found or 0)

    def add_units(self, used: Mapping[tuple[str, str], int]) -> None:
        """Count units by space and month; those of a space that was removed are nobody's."""
        self.connection.executemany(
            "INSERT INTO units (space, month, used) SELECT id, ?2, ?3 FROM space WHERE id = ?1 "
            "ON CONFLICT DO UPDATE SET used = used + excluded.used",
            [(space, month, units) for (space, month), units in used.items()],
        )

    def promise_wipe(self, wipe: Wipe) -> int:
        """Remember what is to be wiped, until it is; its number, 0 when the space was removed."""
        number = self.connection.execute(
            "INSERT INTO wipe (space, mode, scope, mark) SELECT id, ?2, ?3, ?4 FROM space "
            "WHERE id = ?1 RETURNING id",
            (wipe.space, wipe.mode, str(wipe.scope), wipe.mark),
        ).get
        return int(number or 0)

    def wipes(self) -> list[tuple[int, Wipe]]:
        """Those not finished, oldest first."""
        rows = self.connection.execute("SELECT id, space, mode, scope, mark FROM wipe ORDER BY id")
        return [
            (id, Wipe(space, Mode(mode), scopes.parse(scope), ItemId(mark)))
            for id, space, mode, scope, mark in rows
        ]

    def finish_wipe(self, id: int) -> None:
        self.connection.execute("DELETE FROM wipe WHERE id = ?", (id,))

    def record(self, deed: Deed) -> None:
        """One line of the audit log."""
        self.connection.execute(
            "INSERT INTO audit (at, action, target) VALUES (?, ?, ?)",
            (deed.at, deed.action, deed.target),
        )

    def deeds(self, limit: int) -> list[Deed]:
        """The newest of the audit log first."""
        rows = self.connection.execute(
            "SELECT at, action, target FROM audit ORDER BY seq DESC LIMIT ?", (limit,)
        )
        return [Deed(*row) for row in rows]
