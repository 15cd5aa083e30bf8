"""Opens `server.db` and gives its transactions; the tables are in the files beside.

Used by the running server and by commands beside it at once, so every write is a short
transaction of its own. Refuses use by two threads at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import apsw

from localmem.store import folder
from localmem.store.connect import MEMORY, refuse_network, translated
from localmem.store.hosting import schema
from localmem.store.hosting.access import AccessTable
from localmem.store.hosting.ledger import LedgerTable
from localmem.store.hosting.place import restorable
from localmem.store.hosting.sessions import SessionsTable
from localmem.store.session import BUSY_MILLISECONDS


class HostingStore:
    """The Hosting port over one SQLite file (or ":memory:")."""

    def __init__(self, connection: apsw.Connection, path: str) -> None:
        self._connection = connection
        self._path = path
        self.access = AccessTable(connection)
        self.ledger = LedgerTable(connection)
        self.sessions = SessionsTable(connection)

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._transaction("BEGIN"):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self._transaction("BEGIN IMMEDIATE"):
            yield

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        if self._inside():
            yield
            return
        with translated(self._path, writing=begin != "BEGIN"):
            self._connection.execute(begin)
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._inside():
                    self._connection.execute("ROLLBACK")
                raise

    def _inside(self) -> bool:
        return self._connection.in_transaction

    @property
    def server_id(self) -> str:
        return str(self._value("server_id"))

    @property
    def signing_key(self) -> bytes:
        return cast(bytes, self._value("signing_key"))

    def _value(self, key: str) -> Any:
        return self._connection.execute("SELECT value FROM server WHERE key = ?", (key,)).get

    def close(self) -> None:
        self._connection.close()


def open_hosting(path: Path | str, *, allow_network: bool = False) -> HostingStore:
    """Open or create a server's database. Raises StoreError subclasses."""
    name = MEMORY
    if path != MEMORY:
        file = Path(path).expanduser().resolve()
        refuse_network(file, allowed=allow_network)
        with translated(str(file)), folder.named(file):
            folder.make_private(file.parent)
            folder.make_private_file(file)
        name = str(file)
    with restorable(), translated(name):
        # Opened on one thread and used on another, never on both at once.
        connection = apsw.Connection(name)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        schema.version(connection)  # before anything of a file that is not ours is touched
        for pragma, value in (
            ("trusted_schema", 0),
            ("foreign_keys", 1),
            ("secure_delete", 1),
            ("synchronous", 2),
            ("journal_mode", "WAL" if name != MEMORY else "MEMORY"),
        ):
            connection.pragma(pragma, value)
        schema.migrate(connection)
        _identify(connection)
    return HostingStore(connection, name)


def _identify(connection: apsw.Connection) -> None:
    """What names this server, and signs its cursors; made once."""
    for key, value in (
        ("server_id", secrets.token_hex(8)),
        ("signing_key", secrets.token_bytes(32)),
    ):
        connection.execute("INSERT OR IGNORE INTO server (key, value) VALUES (?, ?)", (key, value))
