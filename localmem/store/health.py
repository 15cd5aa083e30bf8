"""Whether a library's tables hold together, in counts and ids; and how each part is made again.

Refuses to guess at content: what is made again comes from what is there (indexes, the word index,
vectors), and what belongs to nothing is removed. Which of it is done, and when, is the engine's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import apsw

from localmem.core.health import Condition
from localmem.core.model import ItemId, Millis, Version
from localmem.core.records import Expiry
from localmem.store import erase, rows, schema, vectors
from localmem.store.search import Searcher
from localmem.store.session import Session

CLOCK_TOLERANCE: Millis = 300_000
"""Another machine's clock may be this far ahead before anybody is told."""
MOST_LINES = 100
MOST_IDS = 200

_INDEX = re.compile(r"(?:missing from|wrong # of entries in|non-unique entry in) index (\w+)")
_WORDS = "FTS5 table main.words"
_DIMENSIONS = re.compile(r"FLOAT\[(\d+)\]", re.IGNORECASE)


def sqlite_version() -> str:
    return apsw.sqlite_lib_version()


@dataclass(frozen=True, slots=True)
class HealthTable:
    session: Session

    # looking

    def condition(self) -> Condition:
        """Everything SQL can tell; of an older schema only whether it is whole."""
        found = self._whole()
        if found.schema != schema.LATEST or found.damage:
            return found
        run, now = self.session.one, self.session.clock()
        return replace(
            found,
            orphans=dict(self._orphans()),
            headless=self._ids(
                "SELECT id FROM item WHERE NOT EXISTS (SELECT 1 FROM version "
                "WHERE version.item = item.seq AND version.number = item.head)"
            ),
            wordless=self._wordless(),
            items=int(run("SELECT count(*) FROM item")),
            words_edition=str(run("SELECT value FROM library WHERE key = 'words'") or ""),
            model=vectors.active_model(self.session),
            vector_dimensions=self._dimensions(),
            loose_vectors=len(self._loose()) + len(self._lacking()),
            waiting=Searcher(self.session, None).pending_count(),
            expired=int(run("SELECT count(*) FROM item WHERE expires_at <= ?", now)),
            unfinished_erasure=bool(run("SELECT value FROM library WHERE key = 'scrub'")),
            future=self._ids(
                "SELECT DISTINCT item.id FROM version JOIN item ON item.seq = version.item "
                "WHERE version.at > ?",
                now + CLOCK_TOLERANCE,
            ),
            twins=tuple(self._twins(now)),
        )

    def _whole(self) -> Condition:
        lines = [str(line) for (line,) in self.session.run(f"PRAGMA integrity_check({MOST_LINES})")]
        broken = [line for line in lines if line != "ok"]
        indexes = dict.fromkeys(found[1] for line in broken if (found := _INDEX.search(line)))
        page = int(self.session.one("PRAGMA page_size"))
        return Condition(
            schema=int(self.session.one("PRAGMA user_version")),
            bytes=page * int(self.session.one("PRAGMA page_count")),
            free_bytes=page * int(self.session.one("PRAGMA freelist_count")),
            damage=tuple(line for line in broken if not (_INDEX.search(line) or _WORDS in line)),
            broken_indexes=tuple(indexes),
            broken_words=any(_WORDS in line for line in broken),
        )

    def _orphans(self) -> Iterator[tuple[str, int]]:
        """By table. A head without its version is told apart."""
        for table, parent, here, there in self._references():
            count = int(self.session.one(
                f"SELECT count(*) FROM {table} WHERE {here} IS NOT NULL "
                f"AND {here} NOT IN (SELECT {there} FROM {parent})"
            ))  # fmt: skip
            if count:
                yield table, count

    def _references(self) -> list[tuple[str, str, str, str]]:
        """(table, parent, column, parent's column) of every reference but an item's to its head."""
        found = self.session.run(
            'SELECT sqlite_master.name, key."table", key."from", key."to" '
            "FROM sqlite_master, pragma_foreign_key_list (sqlite_master.name) AS key "
            "WHERE sqlite_master.type = 'table' AND sqlite_master.name <> 'item'"
        )
        return [(table, parent, here, there) for table, parent, here, there in found]

    def _wordless(self) -> int:
        return int(
            self.session.one(
                "SELECT (SELECT count(*) FROM item WHERE seq NOT IN (SELECT id FROM words_content))"
                " + (SELECT count(*) FROM words_content WHERE id NOT IN (SELECT seq FROM item))"
            )
        )

    def _dimensions(self) -> int | None:
        sql = self.session.one("SELECT sql FROM sqlite_master WHERE name = 'vectors'")
        found = _DIMENSIONS.search(sql or "")
        return int(found[1]) if found else None

    def _loose(self) -> list[int]:
        """Ids of vectors that no item says it has."""
        if self._dimensions() is None:
            return []
        return [
            id
            for (id,) in self.session.run(
                "SELECT rowid FROM vectors_rowids WHERE NOT EXISTS (SELECT 1 FROM embedded "
                "WHERE embedded.item = vectors_rowids.rowid / ? "
                "AND vectors_rowids.rowid % ? < embedded.passages)",
                vectors.PASSAGES,
                vectors.PASSAGES,
            )
        ]

    def _lacking(self) -> list[int]:
        """Rows of items said to have vectors of which some are not there."""
        if self._dimensions() is None:
            return [row for (row,) in self.session.run("SELECT item FROM embedded")]
        return [
            row
            for (row,) in self.session.run(
                "SELECT item FROM embedded WHERE passages > (SELECT count(*) FROM vectors_rowids "
                "WHERE rowid >= item * ? AND rowid < item * ? + passages)",
                vectors.PASSAGES,
                vectors.PASSAGES,
            )
        ]

    def _twins(self, now: Millis) -> Iterator[tuple[ItemId, ...]]:
        found = self.session.run(
            "SELECT group_concat(id) FROM item WHERE kind = 'fact' AND sameness IS NOT NULL "
            "AND (expires_at IS NULL OR expires_at > ?) "
            f"GROUP BY scope, sameness HAVING count(*) > 1 LIMIT {MOST_IDS}",
            now,
        )
        for (ids,) in found:
            yield tuple(ItemId(id) for id in sorted(ids.split(",")))

    def _ids(self, sql: str, *values: object) -> tuple[ItemId, ...]:
        found = self.session.run(f"{sql} LIMIT {MOST_IDS}", *values)
        return tuple(ItemId(id) for (id,) in found)

    def expiry(self, soon: Millis) -> Expiry:
        """What has an end, and what of it before `soon`."""
        found = self.session.run(
            "SELECT count(*), count(*) FILTER (WHERE expires_at <= ?), min(expires_at) FROM item "
            "WHERE expires_at > ?",
            soon,
            self.session.clock(),
        ).fetchone()
        assert found is not None, "an aggregate has one row"
        return Expiry(*found)

    def index_of(self, id: ItemId) -> frozenset[tuple[str, bytes]]:
        """The document index as it is for one document: (field, digest)."""
        found = self.session.run(
            "SELECT field, value FROM document_index JOIN item ON item.seq = document_index.item "
            "WHERE item.id = ?",
            id,
        )
        return frozenset((field, bytes(value)) for field, value in found)

    def index_for(self, fields: Mapping[str, str]) -> frozenset[tuple[str, bytes]]:
        """As it should be for these values."""
        return frozenset((field, self.session.digest(value)) for field, value in fields.items())

    def drafts(self) -> list[tuple[str, str]]:
        """(slot, body) of every draft."""
        return [(slot, body) for slot, body in self.session.run("SELECT slot, body FROM draft")]

    # mending; inside a transaction

    def rebuild_indexes(self, names: Sequence[str]) -> None:
        known = {name for (name,) in self.session.run(
            "SELECT name FROM sqlite_master WHERE type = 'index'"
        )}  # fmt: skip
        for name in known.intersection(names):
            self.session.run(f'REINDEX "{name}"')

    def drop_orphans(self) -> int:
        """Remove what belongs to nothing; how many rows that were."""
        erase.want_scrub(self.session)
        gone = 0
        for table, parent, here, there in self._references():
            self.session.run(
                f"DELETE FROM {table} WHERE {here} IS NOT NULL "
                f"AND {here} NOT IN (SELECT {there} FROM {parent})"
            )
            gone += self.session.connection.changes()
        return gone

    def move_heads(self) -> tuple[list[ItemId], list[ItemId]]:
        """Give items their last version as head; those moved, and those that have none at all."""
        moved, empty = list[ItemId](), list[ItemId]()
        for id in self._ids(
            "SELECT id FROM item WHERE NOT EXISTS (SELECT 1 FROM version "
            "WHERE version.item = item.seq AND version.number = item.head)"
        ):
            last = self.session.run(
                "SELECT number, version.expires_at FROM version JOIN item "
                "ON item.seq = version.item WHERE item.id = ? ORDER BY number DESC LIMIT 1",
                id,
            ).fetchone()
            if last is None:
                empty.append(id)
                continue
            self.session.run(
                "UPDATE item SET head = ?, expires_at = ?, change = ? WHERE id = ?",
                *last,
                self.session.next_change(),
                id,
            )
            moved.append(id)
        return moved, empty

    def rebuild_words(self) -> None:
        """An empty word index with an empty entry for every item; the caller fills them."""
        self.session.run("DELETE FROM words")
        self.session.run("INSERT INTO words (words) VALUES ('rebuild')")
        self.session.run("INSERT INTO words (rowid, body) SELECT seq, '' FROM item")

    def drop_loose_vectors(self) -> None:
        """Afterwards every vector has its item; items that lack some wait to be embedded again."""
        for row in self._lacking():
            vectors.remove(self.session, row)
        if self.session.vectors:
            for id in self._loose():
                self.session.run("DELETE FROM vectors WHERE id = ?", id)

    def forget_model(self) -> None:
        """Drop every vector; everything waits to be embedded again."""
        self.session.run("DELETE FROM embedded")
        self.session.run("DELETE FROM model")
        self.session.run("DROP TABLE IF EXISTS vectors")

    def index_again(
        self, id: ItemId, *, sameness: str | None, fields: Mapping[str, str], words: str
    ) -> None:
        """Everything that is derived from an item's content, made anew."""
        seq, collection = self.session.one("SELECT seq, collection FROM item WHERE id = ?", id)
        self.session.run(
            "UPDATE item SET sameness = ?, change = ? WHERE seq = ?",
            None if sameness is None else self.session.digest(sameness),
            self.session.next_change(),
            seq,
        )
        self.session.run("UPDATE words SET body = ? WHERE rowid = ?", words, seq)
        self.session.run("DELETE FROM document_index WHERE item = ?", seq)
        for field, value in fields.items():
            self.session.run(
                "INSERT INTO document_index (collection, field, value, item) VALUES (?, ?, ?, ?)",
                collection,
                field,
                self.session.digest(value),
                seq,
            )

    def rewrite(self, id: ItemId, versions: Sequence[Version]) -> int:
        """Put other content under the same ids and numbers; how many vectors that took away.

        The one exception to the rule that a version is never changed: masking, which erases.
        Copies of the old content go as they do when it is forgotten.
        """
        erase.want_scrub(self.session)
        seq = int(self.session.one("SELECT seq FROM item WHERE id = ?", id))
        columns = ", ".join(rows.VERSION_COLUMNS)
        places = ", ?" * len(rows.VERSION_COLUMNS)
        for version in versions:
            self.session.run(
                "DELETE FROM version WHERE item = ? AND number = ?", seq, version.number
            )
            self.session.run(
                f"INSERT INTO version (item, {columns}) VALUES (?{places})",
                seq,
                *rows.version_values(version),
            )
        erase.forget_copies(self.session, id)
        return vectors.remove(self.session, seq)

    def compact(self) -> None:
        """Have the files rewritten without their empty pages at the next scrub."""
        erase.want_scrub(self.session)
