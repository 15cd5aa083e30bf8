"""Sessions of tools, as rows. Nothing is said or kept in one: it is a name, an owner and an end."""

from __future__ import annotations

import json
from dataclasses import dataclass

import apsw

from localmem.core.hosting import Session
from localmem.core.model import Millis

_COLUMNS = "id, owner, user, servers, created_at, expires_at"


@dataclass(frozen=True, slots=True)
class SessionsTable:
    connection: apsw.Connection

    def add(self, session: Session) -> None:
        self.connection.execute(
            f"INSERT INTO session ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
            (
                session.id,
                session.owner,
                session.user,
                json.dumps(session.servers),
                session.created_at,
                session.expires_at,
            ),
        )

    def get(self, id: str, owner: str, now: Millis) -> Session | None:
        """None for one that is over, and in the same time for somebody else's."""
        row = self.connection.execute(
            f"SELECT {_COLUMNS} FROM session WHERE id = ? AND owner = ? AND expires_at > ?",
            (id, owner, now),
        ).fetchone()
        if row is None:
            return None
        id, owner, user, servers, created_at, expires_at = row
        return Session(id, owner, user, tuple(json.loads(servers)), created_at, expires_at)

    def remove(self, id: str, owner: str) -> None:
        self.connection.execute("DELETE FROM session WHERE id = ? AND owner = ?", (id, owner))

    def drop_expired(self, now: Millis) -> None:
        self.connection.execute("DELETE FROM session WHERE expires_at <= ?", (now,))

    def drop_oldest(self, owner: str, *, keep: int) -> None:
        """All but the newest `keep` of an owner."""
        self.connection.execute(
            "DELETE FROM session WHERE id IN (SELECT id FROM session WHERE owner = ? "
            "ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?)",
            (owner, keep),
        )
