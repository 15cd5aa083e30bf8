"""The accounts this library was ever signed in to; at most one of them is current.

What is known of one is never used for another: rows stay bound to the account they were made for,
and wait for it to be signed in again, or go with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from localmem.core.accounts import Account
from localmem.core.model import Millis
from localmem.store import erase
from localmem.store.session import Session
from localmem.store.syncing.tables import TablesOf

_ACCOUNT = "id, server, account, partition, url, label, signed_in_at, signed_out_at, paused, can"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AccountTable:
    session: Session
    reading: Callable[[], AbstractContextManager[None]]
    writing: Callable[[], AbstractContextManager[None]]

    def current(self) -> Account | None:
        """The one that is signed in."""
        row = self.session.run(
            f"SELECT {_ACCOUNT} FROM account WHERE signed_out_at IS NULL"
        ).fetchone()
        return None if row is None else _account(*row)

    def all(self) -> Sequence[Account]:
        """In the order in which they first signed in."""
        found = self.session.run(f"SELECT {_ACCOUNT} FROM account ORDER BY id")
        return [_account(*row) for row in found.fetchall()]

    def begin(
        self, server: str, account: str, partition: str, *, url: str, label: str, at: Millis
    ) -> Account:
        """Make it the current one, with what was known of it; another stays, signed out."""
        self.session.run("UPDATE account SET signed_out_at = ? WHERE signed_out_at IS NULL", at)
        row = self.session.run(
            "INSERT INTO account (server, account, partition, url, label, signed_in_at) "
            "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (server, account, partition) DO UPDATE "
            "SET url = excluded.url, label = excluded.label, "
            "signed_in_at = excluded.signed_in_at, signed_out_at = NULL "
            f"RETURNING {_ACCOUNT}",
            server,
            account,
            partition,
            url,
            label,
            at,
        ).fetchall()
        return _account(*row[0])

    def end(self, id: int, *, at: Millis, drop: bool = False) -> None:
        """Sign it out. What is known of it stays for the next time, or is erased too (`drop`)."""
        if drop:
            self.session.run("DELETE FROM account WHERE id = ?", id)
            erase.want_scrub(self.session)
            return
        self.session.run(
            "UPDATE account SET signed_out_at = ? WHERE id = ? AND signed_out_at IS NULL", at, id
        )

    def pause(self, id: int, paused: bool) -> None:
        """Whether it is synchronised only when the person says so."""
        self.session.run("UPDATE account SET paused = ? WHERE id = ?", int(paused), id)

    def note(self, id: int, can: str) -> None:
        """Write down what its server can."""
        self.session.run("UPDATE account SET can = ? WHERE id = ?", can, id)

    def tables(self, id: int) -> TablesOf:
        return TablesOf(self.session, id, self.reading, self.writing)


def _account(*row: Any) -> Account:
    *named, paused, can = row
    return Account._make([*named, bool(paused), can])
