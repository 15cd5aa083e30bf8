"""What the groups of tables share: whose rows they are, named in one place.

Each statement's first value is the account, so that none can reach the rows of another.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from localmem.core.model import Kind
from localmem.core.replica import RecordKey
from localmem.core.scope import Scope
from localmem.store import erase
from localmem.store.session import Rows, Session
from localmem.store.syncing import shape


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

    def _were_in(self, scopes: Iterable[Scope]) -> None:
        for scope in dict.fromkeys(scopes):
            self._was_in(scope)

    def _drop_named(self, sql: str, keys: Sequence[RecordKey], *values: Any) -> None:
        """Drop rows that name records, by an address and `values`: where a document is forgotten,
        its key leaves the bytes too."""
        connection = self._session.connection
        before = connection.total_changes()
        connection.executemany(sql, ((self._account, *shape.address(key), *values) for key in keys))
        if connection.total_changes() != before and not self._are_there(keys):
            erase.want_scrub(self._session)

    def _are_there(self, keys: Sequence[RecordKey]) -> bool:
        """Whether the library has a document at each of them that is one's place."""
        documents = [key for key in dict.fromkeys(keys) if key.kind is Kind.DOCUMENT]
        return all(
            len(names)
            == self._session.one(
                "SELECT count(*) FROM item WHERE kind <> 'fact' AND scope = ? AND collection = ? "
                "AND provenance = '' AND key IN (SELECT value FROM json_each(?))",
                str(scope),
                collection,
                json.dumps(names),
            )
            for (_, scope, collection), names in shape.shelves(documents).items()
        )
