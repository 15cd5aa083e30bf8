"""What the groups of tables share: whose rows they are, named in one place.

Each statement's first value is the account, so that none can reach the rows of another.
"""

from __future__ import annotations

from typing import Any

from localmem.core.model import Kind
from localmem.core.replica import RecordKey
from localmem.core.scope import Scope
from localmem.store import erase
from localmem.store.session import Rows, Session


class OfAccount:
    def __init__(self, session: Session, account: int) -> None:
        self._session = session
        self._account = account

    def _run(self, sql: str, *values: Any) -> Rows:
        return self._session.run(sql, self._account, *values)

    def _one(self, sql: str, *values: Any) -> Any:
        return self._session.one(sql, self._account, *values)

    def _was_in(self, scope: Scope) -> None:
        self._run(
            "INSERT INTO account_scope (account, scope) VALUES (?, ?) ON CONFLICT DO NOTHING",
            str(scope),
        )

    def _was_last_named(self, key: RecordKey) -> None:
        """A row that named a record was dropped: where the document is forgotten, its key leaves
        the bytes too."""
        if key.kind is not Kind.DOCUMENT or not self._session.connection.changes():
            return
        there = self._session.one(
            "SELECT EXISTS (SELECT 1 FROM item WHERE kind <> 'fact' AND scope = ? "
            "AND collection = ? AND key = ? AND provenance = '')",
            str(key.scope),
            key.collection,
            key.key,
        )
        if not there:
            erase.want_scrub(self._session)
