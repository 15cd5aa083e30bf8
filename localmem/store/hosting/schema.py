"""The tables of a server's own database: who may use it, and what it must not forget.

No content of any memory is here, and no credential: a digest each. Refuses a file that a newer
localmem wrote, and one that is no such database.
"""

from __future__ import annotations

import apsw

from localmem.errors import StoreNewer, StoreUnavailable
from localmem.store import migrating

APPLICATION_ID = 0x6C6D7372
"""'lmsr' in the SQLite header."""

_FIRST = """
CREATE TABLE server (
    key   TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE space (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    plan       TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE partition (
    space      TEXT NOT NULL REFERENCES space (id),
    mode       TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    epoch      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (space, mode)
) STRICT, WITHOUT ROWID;
CREATE TABLE key (
    id         TEXT PRIMARY KEY,
    space      TEXT NOT NULL REFERENCES space (id),
    name       TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('project', 'backend', 'agent', 'shop')),
    mode       TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    rights     TEXT NOT NULL,
    prefix     TEXT NOT NULL UNIQUE,
    digest     BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE person (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE token (
    id         TEXT PRIMARY KEY,
    person     TEXT NOT NULL REFERENCES person (id),
    device     TEXT NOT NULL,
    prefix     TEXT NOT NULL UNIQUE,
    digest     BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE units (
    space TEXT NOT NULL REFERENCES space (id),
    month TEXT NOT NULL,
    used  INTEGER NOT NULL,
    PRIMARY KEY (space, month)
) STRICT, WITHOUT ROWID;
CREATE TABLE wipe (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    space TEXT NOT NULL REFERENCES space (id),
    mode  TEXT NOT NULL,
    scope TEXT NOT NULL,
    mark  TEXT NOT NULL
) STRICT;
CREATE TABLE audit (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    at     INTEGER NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL
) STRICT;
"""

_SESSIONS = """
CREATE TABLE session (
    id         TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    user       TEXT NOT NULL,
    servers    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_owner ON session (owner, created_at);
CREATE INDEX session_by_end ON session (expires_at);
"""

_FOLLOWED = """
ALTER TABLE partition ADD COLUMN device TEXT NOT NULL DEFAULT '';
ALTER TABLE partition ADD COLUMN high INTEGER NOT NULL DEFAULT 0;
"""
"""By which a library that went back is known: see server/epochs.py."""

_REMOVED = """
CREATE TABLE removed (
    folder TEXT PRIMARY KEY,
    at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""
"""Folders of spaces and people who are no more: to be erased, and never to be restored."""

REMOVED_SINCE = 4
"""The first schema that has them."""

MIGRATIONS: tuple[str, ...] = (_FIRST, _SESSIONS, _FOLLOWED, _REMOVED)
"""Entry n takes the database from schema n to schema n + 1."""


def migrate(connection: apsw.Connection) -> None:
    """Bring the database to the latest schema; where it is, write nothing, so that it can be read
    on a full disk. Raises StoreNewer, StoreUnavailable."""
    if version(connection) == len(MIGRATIONS):
        return
    migrating.upgrade(connection, MIGRATIONS, APPLICATION_ID, version)


def version(connection: apsw.Connection) -> int:
    """The schema it has; 0 when it is empty. Raises StoreNewer, StoreUnavailable."""
    found = connection.pragma("user_version")
    assert isinstance(found, int)
    if connection.pragma("application_id") != APPLICATION_ID:
        if connection.execute("SELECT count(*) FROM sqlite_master").get:
            raise StoreUnavailable(
                "This file is a database, but not one of a localmem server.",
                hint="Choose another --data folder; the file was left as it is.",
            )
        return 0
    if found > len(MIGRATIONS):
        raise StoreNewer(
            f"This server was last run by a newer localmem (schema {found}; this one knows "
            f"{len(MIGRATIONS)}).",
            hint="Nothing was changed. Upgrade localmem and start it again.",
        )
    return found
