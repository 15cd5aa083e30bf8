"""The tables of a library file, as ordered migrations; docs/data-model.md explains each.

Each migration runs in one transaction together with the record of it. Refuses a file written by a
newer localmem and a file that is not a library at all.
"""

from __future__ import annotations

import apsw

from localmem.errors import StoreDamaged, StoreNewer, StoreReadOnly, StoreUnavailable
from localmem.store import migrating

APPLICATION_ID = 0x6C6D656D
"""'lmem' in the SQLite header: tells a library from any other database."""

_FIRST = """
CREATE TABLE library (
    key   TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE item (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT NOT NULL UNIQUE,
    kind       TEXT NOT NULL CHECK (kind IN ('preference', 'fact', 'document')),
    scope      TEXT NOT NULL,
    collection TEXT NOT NULL DEFAULT '',
    key        TEXT NOT NULL DEFAULT '',
    provenance TEXT NOT NULL DEFAULT '' CHECK (provenance IN ('', 'declared', 'inferred')),
    head       INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    sameness   BLOB,
    change     INTEGER NOT NULL,
    CHECK ((kind = 'preference') = (scope = 'person')),
    CHECK ((kind = 'preference') = (provenance <> '')),
    CHECK ((kind = 'document') = (collection <> '')),
    CHECK ((kind = 'fact') = (key = '')),
    FOREIGN KEY (seq, head) REFERENCES version (item, number) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE UNIQUE INDEX item_address ON item (scope, collection, key, provenance) WHERE kind <> 'fact';
CREATE INDEX item_kind ON item (kind, scope, id);
CREATE INDEX item_key ON item (kind, collection, key, scope);
CREATE INDEX item_shelf ON item (kind, scope, collection, expires_at);
CREATE INDEX item_expiry ON item (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX item_sameness ON item (scope, sameness) WHERE kind = 'fact';
CREATE INDEX item_change ON item (change);

CREATE TABLE version (
    item        INTEGER NOT NULL REFERENCES item (seq) ON DELETE CASCADE
                DEFERRABLE INITIALLY DEFERRED,
    number      INTEGER NOT NULL CHECK (number > 0),
    id          TEXT NOT NULL UNIQUE,
    change      TEXT NOT NULL,
    content     TEXT NOT NULL,
    evidence    TEXT NOT NULL DEFAULT '{}',
    author_kind TEXT NOT NULL CHECK (author_kind IN ('person', 'agent', 'backend')),
    author      TEXT NOT NULL,
    origin      TEXT NOT NULL,
    device      TEXT NOT NULL,
    at          INTEGER NOT NULL,
    expires_at  INTEGER,
    base        INTEGER,
    PRIMARY KEY (item, number)
) STRICT;
CREATE TRIGGER version_is_immutable BEFORE UPDATE ON version
BEGIN SELECT RAISE (ABORT, 'a version is never changed'); END;

CREATE TABLE tombstone (
    id          TEXT PRIMARY KEY,
    kind        TEXT NOT NULL,
    scope       TEXT NOT NULL,
    address     BLOB,
    wire_ids    TEXT NOT NULL DEFAULT '[]',
    last_number INTEGER NOT NULL,
    reason      TEXT NOT NULL
                CHECK (reason IN ('forget', 'undo', 'expired', 'superseded', 'absent')),
    at          INTEGER NOT NULL,
    change      INTEGER NOT NULL,
    confirmed   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX tombstone_address ON tombstone (address) WHERE address IS NOT NULL;
CREATE INDEX tombstone_change ON tombstone (change);

CREATE TABLE preference_state (
    key               TEXT PRIMARY KEY,
    generation        INTEGER NOT NULL,
    inference_blocked INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE collection (
    name        TEXT PRIMARY KEY,
    indexes     TEXT NOT NULL,
    default_ttl INTEGER,
    implicit    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE document_index (
    collection TEXT NOT NULL,
    field      TEXT NOT NULL,
    value      BLOB NOT NULL,
    item       INTEGER NOT NULL REFERENCES item (seq) ON DELETE CASCADE,
    PRIMARY KEY (collection, field, value, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_index_item ON document_index (item);

CREATE VIRTUAL TABLE words USING fts5 (
    body, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE words_vocab USING fts5vocab (words, 'row');

CREATE TABLE model (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    name       TEXT NOT NULL,
    version    TEXT NOT NULL,
    dimensions INTEGER NOT NULL
) STRICT;
CREATE TABLE embedded (
    item     INTEGER PRIMARY KEY REFERENCES item (seq) ON DELETE CASCADE,
    number   INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    change   INTEGER NOT NULL
) STRICT;
CREATE INDEX embedded_change ON embedded (change);

CREATE TABLE undo (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    at     INTEGER NOT NULL,
    label  TEXT NOT NULL,
    steps  TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE draft (
    slot TEXT PRIMARY KEY,
    item TEXT,
    body TEXT NOT NULL,
    at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE activity (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL,
    author_kind TEXT NOT NULL,
    author      TEXT NOT NULL,
    origin      TEXT NOT NULL,
    action      TEXT NOT NULL,
    kind        TEXT NOT NULL,
    scope       TEXT NOT NULL,
    item        TEXT,
    items       INTEGER NOT NULL
) STRICT;
CREATE TABLE used (
    item INTEGER PRIMARY KEY REFERENCES item (seq) ON DELETE CASCADE,
    at   INTEGER NOT NULL,
    by   TEXT NOT NULL
) STRICT;

CREATE TABLE remote (
    id         INTEGER PRIMARY KEY,
    server_id  TEXT NOT NULL,
    account    TEXT NOT NULL,
    partition  TEXT NOT NULL CHECK (partition IN ('live', 'test')),
    epoch      TEXT,
    caps       TEXT NOT NULL DEFAULT '{}',
    canary     INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    UNIQUE (server_id, account, partition)
) STRICT;
CREATE TABLE lineage (
    item INTEGER PRIMARY KEY REFERENCES item (seq) ON DELETE CASCADE,
    vv   TEXT NOT NULL
) STRICT;
CREATE TABLE base_copy (
    remote    INTEGER NOT NULL REFERENCES remote (id) ON DELETE CASCADE,
    scope     TEXT NOT NULL,
    kind      TEXT NOT NULL,
    address   TEXT NOT NULL,
    item      TEXT NOT NULL,
    server_id TEXT,
    rev       TEXT,
    body      TEXT,
    dead      INTEGER NOT NULL DEFAULT 0,
    vv        TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (remote, scope, kind, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX base_copy_item ON base_copy (item);
CREATE TABLE remote_copy (
    remote     INTEGER NOT NULL REFERENCES remote (id) ON DELETE CASCADE,
    scope      TEXT NOT NULL,
    kind       TEXT NOT NULL,
    address    TEXT NOT NULL,
    item       TEXT NOT NULL,
    rev        TEXT,
    body       TEXT,
    dead       INTEGER NOT NULL DEFAULT 0,
    seen_cycle INTEGER NOT NULL,
    PRIMARY KEY (remote, scope, kind, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX remote_copy_item ON remote_copy (item);
CREATE TABLE base_log (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    remote  INTEGER NOT NULL REFERENCES remote (id) ON DELETE CASCADE,
    scope   TEXT NOT NULL,
    kind    TEXT NOT NULL,
    address TEXT NOT NULL,
    item    TEXT NOT NULL,
    vv      TEXT NOT NULL,
    body    TEXT
) STRICT;
CREATE INDEX base_log_item ON base_log (item);
CREATE TABLE outbox (
    op_id      TEXT PRIMARY KEY,
    remote     INTEGER NOT NULL REFERENCES remote (id) ON DELETE CASCADE,
    scope      TEXT NOT NULL,
    kind       TEXT NOT NULL,
    address    TEXT NOT NULL,
    item       TEXT NOT NULL,
    verb       TEXT NOT NULL CHECK (verb IN ('create', 'put', 'delete')),
    body       TEXT,
    base_rev   TEXT,
    counter    INTEGER NOT NULL,
    change     INTEGER NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('ready', 'sent')),
    first_sent INTEGER,
    attempts   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX outbox_item ON outbox (item);
CREATE TABLE conflict (
    remote     INTEGER NOT NULL REFERENCES remote (id) ON DELETE CASCADE,
    scope      TEXT NOT NULL,
    kind       TEXT NOT NULL,
    address    TEXT NOT NULL,
    item       TEXT NOT NULL,
    base       TEXT,
    mine       TEXT,
    theirs     TEXT,
    theirs_rev TEXT,
    why        TEXT NOT NULL,
    since      INTEGER NOT NULL,
    PRIMARY KEY (remote, scope, kind, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX conflict_item ON conflict (item);
CREATE TABLE cursor (
    remote    INTEGER NOT NULL REFERENCES remote (id) ON DELETE CASCADE,
    scope     TEXT NOT NULL,
    cursor    TEXT,
    epoch     TEXT,
    last_full INTEGER,
    cycle     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (remote, scope)
) STRICT, WITHOUT ROWID;
CREATE TABLE block (
    remote INTEGER NOT NULL REFERENCES remote (id) ON DELETE CASCADE,
    scope  TEXT NOT NULL,
    why    TEXT NOT NULL,
    until  INTEGER,
    PRIMARY KEY (remote, scope)
) STRICT, WITHOUT ROWID;
"""

_REVIEWED = """
CREATE TABLE undo_step (
    undo   INTEGER NOT NULL REFERENCES undo (seq) ON DELETE CASCADE,
    item   TEXT NOT NULL,
    made   INTEGER NOT NULL,
    before INTEGER,
    PRIMARY KEY (undo, item)
) STRICT, WITHOUT ROWID;
INSERT OR REPLACE INTO undo_step (undo, item, made, before)
    SELECT undo.seq, step.value ->> 0, step.value ->> 1, step.value ->> 2
    FROM undo, json_each(undo.steps) AS step;
ALTER TABLE undo DROP COLUMN steps;

CREATE TABLE review (
    item     INTEGER PRIMARY KEY REFERENCES item (seq) ON DELETE CASCADE,
    since    INTEGER NOT NULL,
    before   INTEGER,
    accepted INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX review_waiting ON review (item) WHERE accepted = 0;
INSERT INTO review (item, since)
    SELECT item.seq, version.at
    FROM item JOIN version ON version.item = item.seq AND version.number = item.head
    WHERE version.author_kind = 'agent' OR item.provenance = 'inferred';
CREATE TABLE rejected (
    digest BLOB PRIMARY KEY,
    at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE import_run (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    source      TEXT NOT NULL,
    format      TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    line        INTEGER NOT NULL DEFAULT 0,
    state       TEXT NOT NULL CHECK (state IN ('running', 'stopped', 'done', 'undone')),
    counts      TEXT NOT NULL DEFAULT '{}',
    undo        INTEGER REFERENCES undo (seq) ON DELETE SET NULL
) STRICT;
"""

_WHOLE_WORDS = """
INSERT INTO words (words, rank) VALUES ('secure-delete', 0);
INSERT INTO words (words) VALUES ('rebuild');
"""
"""With `secure-delete` words of other items went missing from the index (see erase.py)."""

_FED = """
INSERT INTO library (key, value) SELECT 'upkeep', value FROM library WHERE key = 'change';

CREATE TABLE tombstone_named (
    id          TEXT PRIMARY KEY,
    kind        TEXT NOT NULL,
    scope       TEXT NOT NULL,
    address     BLOB,
    wire_ids    TEXT NOT NULL DEFAULT '[]',
    last_number INTEGER NOT NULL,
    reason      TEXT NOT NULL CHECK (
        reason IN ('forget', 'undo', 'expired', 'superseded', 'duplicate', 'absent')
    ),
    at          INTEGER NOT NULL,
    change      INTEGER NOT NULL,
    confirmed   INTEGER NOT NULL DEFAULT 0,
    identity    TEXT NOT NULL DEFAULT '[]'
) STRICT;
INSERT INTO tombstone_named
    SELECT id, kind, scope, address, wire_ids, last_number, reason, at, change, confirmed, '[]'
    FROM tombstone;
DROP TABLE tombstone;
ALTER TABLE tombstone_named RENAME TO tombstone;
CREATE INDEX tombstone_address ON tombstone (address) WHERE address IS NOT NULL;
CREATE INDEX tombstone_change ON tombstone (change);

CREATE TABLE answered (
    key    BLOB PRIMARY KEY,
    asked  BLOB,
    status INTEGER NOT NULL,
    kept   TEXT NOT NULL,
    change INTEGER,
    at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX answered_at ON answered (at);
CREATE TABLE answered_item (
    item TEXT NOT NULL,
    key  BLOB NOT NULL REFERENCES answered (key) ON DELETE CASCADE,
    PRIMARY KEY (item, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX answered_item_key ON answered_item (key);
"""
"""For those who keep a copy: numbers of changes without gaps, what clients know the gone by, and
which requests were answered how (store/feed.py, store/answers.py)."""

_SYNCED = """
DROP TABLE lineage;
DROP TABLE base_copy;
DROP TABLE remote_copy;
DROP TABLE base_log;
DROP TABLE outbox;
DROP TABLE conflict;
DROP TABLE cursor;
DROP TABLE block;
DROP TABLE remote;

CREATE TABLE account (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    server        TEXT NOT NULL,
    account       TEXT NOT NULL,
    partition     TEXT NOT NULL CHECK (partition IN ('live', 'test')),
    url           TEXT NOT NULL,
    label         TEXT NOT NULL,
    signed_in_at  INTEGER NOT NULL,
    signed_out_at INTEGER,
    paused        INTEGER NOT NULL DEFAULT 0,
    can           TEXT NOT NULL DEFAULT '',
    confirmed     INTEGER NOT NULL DEFAULT 0,
    epoch         TEXT,
    cursor        TEXT,
    seq           INTEGER NOT NULL DEFAULT 0,
    watermark     INTEGER NOT NULL DEFAULT 0,
    resync        INTEGER NOT NULL DEFAULT 0,
    sweep         INTEGER NOT NULL DEFAULT 0,
    cycle         INTEGER NOT NULL DEFAULT 0,
    last_full     INTEGER NOT NULL DEFAULT 0,
    UNIQUE (server, account, partition)
) STRICT;
CREATE UNIQUE INDEX account_current ON account (signed_out_at IS NULL) WHERE signed_out_at IS NULL;
CREATE TABLE account_scope (
    account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    scope   TEXT NOT NULL,
    PRIMARY KEY (account, scope)
) STRICT, WITHOUT ROWID;

CREATE TABLE copy (
    id           INTEGER PRIMARY KEY,
    account      INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL CHECK (kind IN ('preference', 'document')),
    scope        TEXT NOT NULL,
    collection   TEXT NOT NULL,
    key          TEXT NOT NULL,
    item         TEXT,
    inc          TEXT NOT NULL,
    there        TEXT NOT NULL,
    vv           TEXT NOT NULL,
    synced       INTEGER NOT NULL,
    rev          TEXT,
    fights       INTEGER NOT NULL,
    last_is_base INTEGER NOT NULL,
    base_lineage TEXT,
    last_lineage TEXT,
    base_content TEXT,
    last_content TEXT,
    UNIQUE (account, kind, scope, collection, key)
) STRICT;
CREATE INDEX copy_item ON copy (account, item) WHERE item IS NOT NULL;
CREATE INDEX copy_inc ON copy (account, inc) WHERE inc <> '';
CREATE INDEX copy_there ON copy (account, there) WHERE there <> '';
CREATE TABLE copy_log (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    copy    INTEGER NOT NULL REFERENCES copy (id) ON DELETE CASCADE,
    lineage TEXT NOT NULL,
    content TEXT
) STRICT;
CREATE INDEX copy_log_copy ON copy_log (copy);
CREATE TABLE flight (
    id         INTEGER PRIMARY KEY,
    account    INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL CHECK (kind IN ('preference', 'document')),
    scope      TEXT NOT NULL,
    collection TEXT NOT NULL,
    key        TEXT NOT NULL,
    op         TEXT NOT NULL,
    place      INTEGER NOT NULL,
    verb       TEXT NOT NULL CHECK (verb IN ('put', 'delete')),
    counter    INTEGER NOT NULL,
    if_match   TEXT,
    only_new   INTEGER NOT NULL,
    ttl        INTEGER,
    batch      INTEGER NOT NULL,
    lineage    TEXT,
    content    TEXT,
    UNIQUE (account, kind, scope, collection, key)
) STRICT;
CREATE TABLE conflict (
    id         INTEGER PRIMARY KEY,
    account    INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL CHECK (kind IN ('preference', 'document')),
    scope      TEXT NOT NULL,
    collection TEXT NOT NULL,
    key        TEXT NOT NULL,
    why        TEXT NOT NULL,
    since      INTEGER NOT NULL,
    rev        TEXT,
    lineage    TEXT NOT NULL,
    content    TEXT,
    UNIQUE (account, kind, scope, collection, key)
) STRICT;
CREATE TABLE gone (
    account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    id      TEXT NOT NULL,
    scope   TEXT NOT NULL,
    reason  TEXT NOT NULL,
    PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE wording (
    id        INTEGER PRIMARY KEY,
    account   INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    lm        TEXT NOT NULL,
    item      TEXT NOT NULL,
    number    INTEGER NOT NULL,
    scope     TEXT NOT NULL,
    server_id TEXT,
    sent      INTEGER NOT NULL,
    sup       TEXT NOT NULL,
    leaving   INTEGER NOT NULL,
    UNIQUE (account, lm)
) STRICT;
CREATE INDEX wording_item ON wording (account, item, number);
CREATE INDEX wording_there ON wording (account, scope, server_id) WHERE server_id IS NOT NULL;
CREATE INDEX wording_leaving ON wording (account) WHERE leaving = 1;
CREATE TABLE wording_sup (
    wording INTEGER NOT NULL REFERENCES wording (id) ON DELETE CASCADE,
    sup     TEXT NOT NULL,
    PRIMARY KEY (wording, sup)
) STRICT, WITHOUT ROWID;
CREATE INDEX wording_sup_named ON wording_sup (sup);
CREATE TABLE fact_conflict (
    account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    item    TEXT NOT NULL,
    why     TEXT NOT NULL,
    since   INTEGER NOT NULL,
    rev     TEXT,
    lineage TEXT NOT NULL,
    content TEXT,
    PRIMARY KEY (account, item)
) STRICT, WITHOUT ROWID;
CREATE TABLE errand (
    account   INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    scope     TEXT NOT NULL,
    server_id TEXT NOT NULL,
    why       TEXT NOT NULL,
    lm        TEXT NOT NULL,
    PRIMARY KEY (account, scope, server_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE pending (
    seq        INTEGER PRIMARY KEY,
    account    INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL,
    scope      TEXT NOT NULL,
    collection TEXT NOT NULL,
    key        TEXT NOT NULL,
    item       TEXT NOT NULL,
    UNIQUE (account, kind, scope, collection, key, item)
) STRICT;
CREATE TABLE block (
    account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    place   TEXT NOT NULL,
    code    TEXT NOT NULL,
    message TEXT NOT NULL,
    until   INTEGER,
    change  INTEGER NOT NULL,
    PRIMARY KEY (account, place)
) STRICT, WITHOUT ROWID;
"""
"""What a sync remembers, each row of one account (store/syncing); the tables before never held a
row. A column of content can be emptied without what beside it names and counts."""

_RUNS = """
CREATE TABLE sync_run (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    account    INTEGER REFERENCES account (id) ON DELETE SET NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    state      TEXT NOT NULL CHECK (state IN ('running', 'stopped', 'done', 'undone')),
    told       TEXT NOT NULL DEFAULT '',
    erased     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sync_run_account ON sync_run (account) WHERE account IS NOT NULL;
CREATE TABLE sync_step (
    run    INTEGER NOT NULL REFERENCES sync_run (id) ON DELETE CASCADE,
    item   TEXT NOT NULL,
    made   INTEGER NOT NULL,
    before INTEGER,
    PRIMARY KEY (run, item)
) STRICT, WITHOUT ROWID;
"""
"""Each run of a sync, and the versions it wrote here (store/sync_runs.py)."""

MIGRATIONS: tuple[str, ...] = (_FIRST, _REVIEWED, _WHOLE_WORDS, _FED, _SYNCED, _RUNS)
"""Entry n takes a library from schema n to schema n + 1."""

LATEST = len(MIGRATIONS)


def migrate(connection: apsw.Connection, *, read_only: bool) -> bool:
    """Bring the library to the latest schema; True when anything was applied.

    Raises StoreNewer, StoreUnavailable (not a library) and StoreReadOnly (an old library that
    cannot be written).
    """
    found = _version(connection)
    if found == LATEST:
        return False
    if read_only:
        raise StoreReadOnly(
            "This library was made by an older localmem and cannot be upgraded here: it is "
            "read-only.",
            hint="Make the file and its folder writable, then start localmem again.",
            details={"schema": found, "known": LATEST},
        )
    migrating.upgrade(connection, MIGRATIONS, APPLICATION_ID, _version)
    return True


def _version(connection: apsw.Connection) -> int:
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    assert isinstance(version, int)
    if application != APPLICATION_ID:
        if connection.execute("SELECT count(*) FROM sqlite_master").get:
            check(0, version)
        return 0
    check(APPLICATION_ID, version)
    return version


def check(application: int, version: int) -> None:
    """Raises StoreUnavailable for another program's database, StoreNewer, StoreDamaged."""
    if application != APPLICATION_ID:
        raise StoreUnavailable(
            "This file is a database, but not a localmem library.",
            hint="Point LOCALMEM_HOME at another folder; the file was left as it is.",
        )
    if version > LATEST:
        raise StoreNewer(
            f"This library was written by a newer localmem (schema {version}; this one knows "
            f"{LATEST}).",
            hint="Your memories are intact. Upgrade localmem and start it again.",
            details={"schema": version, "known": LATEST},
        )
    if version < 0:
        raise StoreDamaged(
            f"This library says it has schema {version}, which no localmem writes.",
            hint="It was left exactly as it is. Restore a backup made with `localmem backup`.",
        )
