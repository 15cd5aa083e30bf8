"""Heads and their versions, written together; every read leaves expired items out.

Refuses to change a version: a write is a new version and a moved head, in one transaction.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from localmem.core.model import Item, ItemId, Kind, Millis, Version
from localmem.core.records import Erased, NewItem, Removal, ScopeCount, Slice
from localmem.core.scope import Scope, stored
from localmem.errors import InvalidInput
from localmem.store import erase, rows
from localmem.store.session import Session

LIVE = "(item.expires_at IS NULL OR item.expires_at > ?)"

INSERT_VERSION = (
    f"INSERT INTO version (item, {', '.join(rows.VERSION_COLUMNS)}) "
    f"VALUES (?{', ?' * len(rows.VERSION_COLUMNS)})"
)

_INSERT_ITEM = (
    "INSERT INTO item (id, kind, scope, collection, key, provenance, head, created_at, expires_at, "
    "sameness, change) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_WORDS = "INSERT INTO words (rowid, body) VALUES (?, ?)"


@dataclass(slots=True, eq=False, repr=False)
class ItemTable:
    session: Session
    _words_later: list[dict[int, str]] = field(default_factory=list)
    """By row, while `words_at_once` holds them back."""

    # reading

    def get(self, id: ItemId) -> Item | None:
        return self._first("item.id = ?", id)

    def named(self, ids: Sequence[ItemId]) -> list[Item]:
        """The live items among those, in no order."""
        found = self.session.run(
            f"SELECT {rows.HEAD} FROM {rows.HEAD_FROM} "
            f"WHERE item.id IN (SELECT value FROM json_each(?)) AND {LIVE}",
            json.dumps(list(ids)),
            self.session.clock(),
        )
        return [rows.item(row) for row in found]

    def many(self, wanted: Sequence[int]) -> dict[int, Item]:
        """The live items among the rows `wanted`."""
        found = self.session.run(
            f"SELECT item.seq, {rows.HEAD} FROM {rows.HEAD_FROM} "
            f"WHERE item.seq IN (SELECT value FROM json_each(?)) AND {LIVE}",
            json.dumps(list(wanted)),
            self.session.clock(),
        )
        return {row[0]: rows.item(row[1:]) for row in found}

    def at(
        self, kind: Kind, scope: Scope, *, collection: str, key: str, provenance: str
    ) -> Item | None:
        # The kind stands in the statement: because of the indexes that are only of some kinds
        # SQLite would plan anew for each value of it.
        return self._first(
            f"item.kind = '{kind}' AND item.scope = ? AND item.collection = ? AND item.key = ? "
            "AND item.provenance = ?",
            str(scope),
            collection,
            key,
            provenance,
        )

    def documents(self, scope: Scope, collection: str, keys: Sequence[str]) -> list[Item]:
        """Those that are there, in no order."""
        found = self.session.run(
            f"SELECT {rows.HEAD} FROM {rows.HEAD_FROM} "
            "WHERE item.kind = 'document' AND item.scope = ? AND item.collection = ? "
            f"AND item.key IN (SELECT value FROM json_each(?)) AND {LIVE}",
            str(scope),
            collection,
            json.dumps(list(keys)),
            self.session.clock(),
        )
        return [rows.item(row) for row in found]

    def twin(self, scope: Scope, sameness: str, *, without: Sequence[ItemId] = ()) -> Item | None:
        """A live fact of that scope with the same words, if any but those `without`."""
        others = " AND item.id NOT IN (SELECT value FROM json_each(?))" if without else ""
        return self._first(
            f"item.kind = 'fact' AND item.scope = ? AND item.sameness = ?{others}",
            str(scope),
            self.session.digest(sameness),
            *([json.dumps(list(without))] if without else ()),
        )

    def twins(self, asked: Sequence[tuple[Scope, str]]) -> dict[tuple[Scope, str], ItemId]:
        """The id of `twin` for each (scope, sameness) that has one, all looked up at once."""
        found = self.session.run(
            "SELECT asked.key, item.id FROM json_each(?) AS asked CROSS JOIN item "
            "ON item.scope = asked.value ->> 0 AND item.sameness = unhex(asked.value ->> 1) "
            f"WHERE item.kind = 'fact' AND {LIVE} ORDER BY item.seq DESC",
            json.dumps([(str(scope), self.session.digest(said).hex()) for scope, said in asked]),
            self.session.clock(),
        )
        return {asked[at]: ItemId(id) for at, id in found}

    def matching(self, id_prefix: str, limit: int) -> list[ItemId]:
        """Ids of live items that begin with `id_prefix`."""
        found = self.session.run(
            f"SELECT id FROM item WHERE id >= ? AND id < ? AND {LIVE} ORDER BY id LIMIT ?",
            id_prefix,
            id_prefix + "\x7f",
            self.session.clock(),
            limit,
        )
        return [ItemId(id) for (id,) in found]

    def history(self, id: ItemId) -> tuple[Version, ...]:
        """Every version, oldest first; empty when nothing live has that id."""
        return self._versions("ORDER BY version.number", id, self.session.clock())

    def version(self, id: ItemId, number: int) -> Version | None:
        if number >= 1 << 63:  # no column holds it, so no version has it
            return None
        found = self._versions("AND version.number = ?", id, self.session.clock(), number)
        return found[0] if found else None

    def count(self, slice: Slice) -> int:
        where, values = narrow(self.session, slice)
        return int(self.session.one(f"SELECT count(*) FROM item WHERE {where}", *values))

    def window(self, slice: Slice, *, offset: int, limit: int) -> list[Item]:
        """Rows `offset` … of the slice: facts newest first, documents by key."""
        where, values = narrow(self.session, slice)
        found = self.session.run(
            f"SELECT {rows.HEAD} FROM (SELECT * FROM item WHERE {where} "
            f"ORDER BY {order(slice)} LIMIT ? OFFSET ?) AS item "
            "JOIN version ON version.item = item.seq AND version.number = item.head "
            f"ORDER BY {order(slice)}",
            *values,
            limit,
            offset,
        )
        return [rows.item(row) for row in found]

    def place(self, slice: Slice, item: Item) -> int:
        """At which offset of `window` the item stands, or would."""
        where, values = narrow(self.session, slice)
        before, at = "item.id > ?", [str(item.id)]
        if slice.kind is Kind.DOCUMENT:
            before = "(item.collection, item.key, item.scope) < (?, ?, ?)"
            at = [item.collection, item.key, str(item.scope)]
        counted = f"SELECT count(*) FROM item WHERE {where} AND {before}"
        return int(self.session.one(counted, *values, *at))

    def page(self, slice: Slice, *, after: str | None, limit: int) -> list[Item]:
        """The rows behind the cursor `after`; a cursor stays right when rows come and go.

        Raises InvalidInput for what is no cursor of such a list.
        """
        where, values = narrow(self.session, slice)
        if after is not None and slice.kind is Kind.DOCUMENT:
            where += " AND (item.collection, item.key, item.scope) > (?, ?, ?)"
            values = (*values, *_place(after, parts=3))
        elif after is not None:
            where, values = where + " AND item.id < ?", (*values, *_place(after, parts=1))
        found = self.session.run(
            f"SELECT {rows.HEAD} FROM {rows.HEAD_FROM} WHERE {where} "
            f"ORDER BY {order(slice)} LIMIT ?",
            *values,
            limit,
        )
        return [rows.item(row) for row in found]

    def cursor(self, slice: Slice, item: Item) -> str:
        """Where `page` of that slice goes on behind `item`; opaque, tells nothing of others."""
        by_key = slice.kind is Kind.DOCUMENT
        place = [item.collection, item.key, str(item.scope)] if by_key else [item.id]
        return urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")

    def counts(self) -> list[ScopeCount]:
        """Live items by kind, scope and collection, in that order."""
        found = self.session.run(
            f"SELECT kind, scope, collection, count(*) FROM item WHERE {LIVE} "
            "GROUP BY kind, scope, collection ORDER BY kind, scope, collection",
            self.session.clock(),
        )
        return [ScopeCount(Kind(k), stored(s), c, int(n)) for k, s, c, n in found]

    def rows(self, slice: Slice) -> list[ItemId]:
        """The ids of everything in the slice."""
        where, values = narrow(self.session, slice)
        found = self.session.run(f"SELECT id FROM item WHERE {where} ORDER BY seq", *values)
        return [ItemId(id) for (id,) in found]

    def by_field(
        self,
        collection: str,
        scope: Scope,
        *,
        field: str,
        value: str,
        after: str | None,
        limit: int,
    ) -> list[Item]:
        """Documents whose indexed `field` equals the canonical scalar `value`, by key."""
        found = self.session.run(
            f"SELECT {rows.HEAD} FROM document_index JOIN item ON item.seq = document_index.item "
            "JOIN version ON version.item = item.seq AND version.number = item.head "
            "WHERE document_index.collection = ? AND document_index.field = ? "
            f"AND document_index.value = ? AND item.scope = ? AND item.key > ? AND {LIVE} "
            "ORDER BY item.key LIMIT ?",
            collection,
            field,
            self.session.digest(value),
            str(scope),
            after or "",
            self.session.clock(),
            limit,
        )
        return [rows.item(row) for row in found]

    def expired(self, limit: int) -> list[ItemId]:
        found = self.session.run(
            "SELECT id FROM item WHERE expires_at <= ? LIMIT ?", self.session.clock(), limit
        )
        return [ItemId(id) for (id,) in found]

    def words_edition(self) -> str:
        return str(self.session.one("SELECT value FROM library WHERE key = 'words'") or "")

    def refill_words(self, edition: str, words: Callable[[Item], str]) -> None:
        """Index every item again by `words`."""
        for row, item in self.many(
            [row for (row,) in self.session.run("SELECT seq FROM item").fetchall()]
        ).items():
            self.session.run("UPDATE words SET body = ? WHERE rowid = ?", words(item), row)
        self.session.run("INSERT OR REPLACE INTO library (key, value) VALUES ('words', ?)", edition)

    def versions(self) -> int:
        return int(self.session.one("SELECT count(*) FROM version"))

    def last_number(self, scope: Scope, collection: str, key: str) -> int:
        """The last version number a forgotten document had at that address; 0 when none."""
        found = self.session.one(
            "SELECT max(last_number) FROM tombstone WHERE address = ?",
            self.session.digest(str(scope), collection, key),
        )
        return int(found or 0)

    def free(self, scope: Scope, collection: str, keys: Sequence[str]) -> dict[str, int]:
        held = self.session.run(
            "SELECT key FROM item WHERE kind <> 'fact' AND scope = ? AND collection = ? "
            "AND provenance = '' AND key IN (SELECT value FROM json_each(?))",
            str(scope),
            collection,
            json.dumps(list(keys)),
        )
        found = dict.fromkeys(keys, 0)
        for (key,) in held:
            found.pop(key, None)
        if self.session.one("SELECT EXISTS (SELECT 1 FROM tombstone WHERE address IS NOT NULL)"):
            return {key: self.last_number(scope, collection, key) for key in found}
        return found

    # writing

    @contextmanager
    def words_at_once(self) -> Iterator[None]:
        """Index the words of what is inserted inside at its end; search finds them then.

        FTS5 writes out what it holds whenever a statement that can fail follows: row by row, that
        is as long as all the rest of a row takes.
        """
        self._words_later.append({})
        try:
            yield
            held = self._words_later[-1]
        finally:
            self._words_later.pop()
        # Some may have been removed again inside.
        there = self.session.run(
            "SELECT seq FROM item WHERE seq IN (SELECT value FROM json_each(?))",
            json.dumps(list(held)),
        ).fetchall()
        if self._words_later:
            self._words_later[-1] |= {seq: held[seq] for (seq,) in there}
        else:
            words = ((seq, held[seq]) for (seq,) in there)
            self.session.connection.executemany(_INSERT_WORDS, words)

    def make_room(
        self, scope: Scope, *, collection: str, key: str, provenance: str, at: Millis
    ) -> None:
        """An expired item holds its address until it is purged: purge it now."""
        expired = self.session.one(
            "SELECT id FROM item WHERE kind <> 'fact' AND scope = ? AND collection = ? "
            "AND key = ? AND provenance = ? AND expires_at <= ?",
            str(scope),
            collection,
            key,
            provenance,
            at,
        )
        if expired is not None:
            self.remove([expired], reason=Removal.EXPIRED, at=at)

    def insert(self, new: Sequence[NewItem]) -> None:
        """All of them table by table, in their order: half the time of one after the other."""
        if not new:
            return
        connection = self.session.connection
        first_change = self.session.next_changes(len(new)) - len(new) + 1
        connection.executemany(_INSERT_ITEM, map(self._item_values, new, count(first_change)))
        # Nobody else writes meanwhile, so their rows follow each other.
        first = connection.last_insert_rowid() - len(new) + 1
        connection.executemany(
            INSERT_VERSION,
            ((seq, *rows.version_values(each.item.head)) for seq, each in enumerate(new, first)),
        )
        self._add_words({seq: each.words for seq, each in enumerate(new, first)})
        for seq, each in enumerate(new, first):
            if each.fields:
                self._index(seq, each.item.collection, each.fields)

    def _item_values(self, new: NewItem, change: int) -> tuple[Any, ...]:
        item = new.item
        return (
            item.id,
            item.kind,
            str(item.scope),
            item.collection,
            item.key,
            item.provenance or "",
            item.head.number,
            item.created_at,
            item.head.expires_at,
            self._sameness(new.sameness),
            change,
        )

    def append(
        self,
        id: ItemId,
        version: Version,
        *,
        sameness: str | None,
        fields: Mapping[str, str],
        words: str,
    ) -> None:
        """Make `version` the item's head."""
        seq, collection = self.session.one("SELECT seq, collection FROM item WHERE id = ?", id)
        self.session.run(INSERT_VERSION, seq, *rows.version_values(version))
        self.session.run(
            "UPDATE item SET head = ?, expires_at = ?, sameness = ?, change = ? WHERE seq = ?",
            version.number,
            version.expires_at,
            self._sameness(sameness),
            self.session.next_change(),
            seq,
        )
        if self._words_later and seq in self._words_later[-1]:
            self._words_later[-1][seq] = words
        else:
            self.session.run("UPDATE words SET body = ? WHERE rowid = ?", words, seq)
        self.session.run("DELETE FROM document_index WHERE item = ?", seq)
        self._index(seq, collection, fields)

    def remove(self, ids: Sequence[ItemId], *, reason: Removal, at: Millis) -> Erased:
        return erase.remove(self.session, ids, reason=reason, at=at)

    def remove_earlier(self, id: ItemId) -> None:
        erase.remove_earlier(self.session, id)

    # inside

    def _first(self, where: str, *values: Any) -> Item | None:
        # The row first and its version then: in one step SQLite plans anew for each new value,
        # which takes fifteen times as long as finding nothing does.
        row = self.session.run(
            f"SELECT {rows.HEAD} FROM (SELECT * FROM item WHERE {where} AND {LIVE} LIMIT 1) "
            "AS item JOIN version ON version.item = item.seq AND version.number = item.head",
            *values,
            self.session.clock(),
        ).fetchone()
        return rows.item(row) if row else None

    def _add_words(self, words: dict[int, str]) -> None:
        if self._words_later:
            self._words_later[-1] |= words
        else:
            self.session.connection.executemany(_INSERT_WORDS, words.items())

    def _versions(self, rest: str, *values: Any) -> tuple[Version, ...]:
        """Those of the live item whose id and the time come first among the values."""
        columns = ", ".join(f"version.{name}" for name in rows.VERSION_COLUMNS)
        found = self.session.run(
            f"SELECT item.kind, {columns} FROM item JOIN version ON version.item = item.seq "
            f"WHERE item.id = ? AND {LIVE} {rest}",
            *values,
        )
        return tuple(rows.version(row[1:], Kind(row[0])) for row in found)

    def _sameness(self, sameness: str | None) -> bytes | None:
        return None if sameness is None else self.session.digest(sameness)

    def _index(self, seq: int, collection: str, fields: Mapping[str, str]) -> None:
        for name, value in fields.items():
            self.session.run(
                "INSERT INTO document_index (collection, field, value, item) VALUES (?, ?, ?, ?)",
                collection,
                name,
                self.session.digest(value),
                seq,
            )


def narrow(session: Session, slice: Slice) -> tuple[str, tuple[Any, ...]]:
    """The condition that the live items of a slice meet, and its values."""
    parts = [LIVE]
    values: list[Any] = [session.clock()]
    # Across all scopes the rows are walked in their own order: the + keeps the planner from
    # an index on kind, after which it would sort every row of it for each window.
    by_id = slice.scope is None and slice.kind is not Kind.DOCUMENT
    kind = "+item.kind = ?" if by_id else "item.kind = ?"
    chosen: dict[str, Any] = {
        kind: slice.kind,
        "item.scope = ?": str(slice.scope) if slice.scope else None,
        "item.collection = ?": slice.collection or None,
    }
    for part, value in chosen.items():
        if value is not None:
            parts.append(part)
            values.append(value)
    if slice.prefix:
        parts.append("item.key >= ? AND item.key < ?")
        values += [slice.prefix, slice.prefix + "\x7f"]  # keys are ASCII
    return " AND ".join(parts), tuple(values)


def order(slice: Slice) -> str:
    """Facts newest first, documents by key."""
    if slice.kind is Kind.DOCUMENT:
        return "item.collection, item.key, item.scope"
    return "item.id DESC"


def _place(cursor: str, parts: int) -> list[str]:
    """What `cursor` made. Raises InvalidInput."""
    try:
        place = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError:
        place = None
    if isinstance(place, list) and len(place) == parts and all(type(p) is str for p in place):
        return place
    raise InvalidInput(
        f"{cursor[:80]!r} is not a cursor of this list.",
        hint="Use the one that the page before gave, with the same filters.",
    )
