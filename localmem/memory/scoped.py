"""The facts of one scope and its collections; every call goes through one lock to the engine.

Refuses what is outside its scope: an id of another scope is not found.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import assert_never

from localmem.core.change import Saved, Stale, Unchanged, Written
from localmem.core.model import Item, ItemId, Json, Kind
from localmem.core.query import Query
from localmem.core.records import Slice
from localmem.core.scope import Scope
from localmem.engine import KEEP, Engine, Unset
from localmem.errors import InvalidInput, MemoryNotFound, ModelUnavailable, RevisionConflict
from localmem.memory.values import Document, Fact, Hit, Page, document, fact, hit

MOST_HITS = 20
"""Results of one search at most (memory-api, "Limits")."""
MOST_LISTED = 100
MOST_ASKED = 8_192
"""Bytes of a query."""


class Library:
    """The engine behind all handles of one `Memory`, one call at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.RLock()

    def __enter__(self) -> Engine:
        self._lock.acquire()
        return self._engine

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def embed(self) -> None:
        """Give what was written since its vectors; without a model words find it."""
        meaning = self._engine.meaning
        try:
            meaning.ensure()
            while meaning.embed_waiting():
                pass
        except ModelUnavailable as problem:
            meaning.fail(str(problem))

    def close(self) -> None:
        with self._lock:
            self._engine.close()


class Scoped:
    """The facts of one scope, and the way to its documents. Nothing of another scope shows here."""

    def __init__(self, library: Library, scope: Scope) -> None:
        self._library = library
        self._scope = scope

    @property
    def scope(self) -> str:
        """`project`, `contact:<id>` or `conversation:<id>`."""
        return str(self._scope)

    def add(
        self,
        text: str,
        *,
        metadata: Mapping[str, object] | None = None,
        ttl_seconds: int | None = None,
        path: str | None = None,
    ) -> Fact:
        """Keep one fact: at most 8,192 bytes; metadata 2 KB; TTL 60 seconds to 2 years.

        The same words are kept once: the fact that says them already is returned.

        Raises InvalidInput, SecretRejected, RejectedBefore (the person rejected it), ScopeFull.
        """
        with self._library as engine:
            done = engine.facts.add(
                text,
                scope=self._scope,
                metadata=metadata,
                ttl_seconds=ttl_seconds,
                path=path,
            )
        return fact(kept(done))

    def search(self, query: str, *, limit: int = 5, min_score: float | None = None) -> list[Hit]:
        """The facts nearest in meaning and words, best first; `limit` is 1 to 20.

        Without `min_score` the closest come back however distant. An empty scope gives [].

        Raises InvalidInput.
        """
        _check_search(query, limit, min_score)
        asked = Query(text=query, meaning=query, scopes=(self._scope,), kinds=(Kind.FACT,))
        with self._library as engine:
            self._library.embed()
            found = engine.recall.search(asked, limit=limit, floor=min_score)
        return [hit(each.item, each.score) for each in found.hits]

    def list(self, *, limit: int = 50, cursor: str | None = None) -> Page[Fact]:
        """The facts, newest first; `limit` is 1 to 100. Raises InvalidInput."""
        if not 1 <= limit <= MOST_LISTED:
            raise InvalidInput(f"A page has 1 to {MOST_LISTED} facts, not {limit}.")
        with self._library as engine:
            found, after = engine.library.page(
                Slice(Kind.FACT, self._scope), limit=limit, cursor=cursor
            )
        return Page(tuple(map(fact, found)), after)

    def get(self, id: str) -> Fact:
        """Raises MemoryNotFound: nothing under that id in this scope."""
        with self._library as engine:
            return fact(self._find(engine, id))

    def delete(self, id: str) -> None:
        """Forget a fact with every version, for good. Raises MemoryNotFound."""
        with self._library as engine:
            engine.forgetting.forget([self._find(engine, id).id])

    def collection(self, name: str) -> Collection:
        """JSON documents by key; the first write makes the collection, without indexes."""
        return Collection(self._library, self._scope, name)

    def _find(self, engine: Engine, id: str) -> Item:
        item = engine.facts.get(ItemId(id))
        if item.scope != self._scope:
            raise MemoryNotFound(f"No fact has that id in {self._scope}.")
        return item


class Collection:
    """The documents of one collection in one scope."""

    def __init__(self, library: Library, scope: Scope, name: str) -> None:
        self._library = library
        self._scope = scope
        self.name = name

    def set(
        self,
        key: str,
        value: Json,
        *,
        ttl_seconds: int | Unset | None = KEEP,
        if_rev: int | None = None,
    ) -> Document:
        """Write the whole document: at most 200 KB and 32 levels.

        `if_rev` writes only when the document still has that `rev`; 0 only when there is none.

        Raises RevisionConflict (read again and retry), InvalidKey, DocumentTooLarge,
        DocumentTooDeep, SecretRejected, RejectedBefore.
        """
        with self._library as engine:
            done = engine.documents.set(
                self.name,
                key,
                value,
                scope=self._scope,
                ttl_seconds=ttl_seconds,
                made_on=if_rev,
                only_new=if_rev == 0,
            )
        return document(kept(done))

    def get(self, key: str) -> Json:
        """The value; None when there is none under that key here."""
        found = self.find(key)
        return None if found is None else found.value

    def find(self, key: str) -> Document | None:
        """The document with its `rev`, or None. Raises InvalidKey."""
        with self._library as engine:
            found = engine.documents.find(self.name, key, scope=self._scope)
        return None if found is None else document(found)

    def delete(self, key: str) -> bool:
        """Forget the document for good. True, even when there was none (memory-api)."""
        with self._library as engine:
            found = engine.documents.find(self.name, key, scope=self._scope)
            if found is not None:
                engine.forgetting.forget([found.id])
        return True

    def list(
        self, *, prefix: str = "", limit: int = 50, cursor: str | None = None
    ) -> Page[Document]:
        """By key. A collection nobody wrote to yet is empty. Raises InvalidInput."""
        with self._library as engine:
            if self.name not in {each.name for each in engine.documents.collections()}:
                return Page((), None)
            page = engine.documents.page(
                self.name, scope=self._scope, prefix=prefix, limit=limit, cursor=cursor
            )
        return Page(tuple(map(document, page.items)), page.next_cursor)

    def query(
        self,
        field: str,
        value: Json,
        *,
        op: str = "eq",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Document]:
        """Documents whose indexed field equals `value`, by key.

        Raises CollectionNotFound, FieldNotIndexed (indexes are declared by `create_collection`),
        InvalidInput.
        """
        with self._library as engine:
            page = engine.documents.query(
                self.name, field, value, op=op, scope=self._scope, limit=limit, cursor=cursor
            )
        return Page(tuple(map(document, page.items)), page.next_cursor)


def kept(done: Written) -> Item:
    match done:
        case Saved(item=item) | Unchanged(item=item):
            return item
        case Stale(current=current):
            raise RevisionConflict(
                f"Not written: it is at rev {current.head.number} now.",
                hint="Read it again, then write with that rev as if_rev.",
                details={"currentRev": current.head.number},
            )
        case _:
            assert_never(done)


def _check_search(query: str, limit: int, min_score: float | None) -> None:
    """Raises InvalidInput."""
    if not query.strip() or len(query.encode("utf-8", "replace")) > MOST_ASKED:
        raise InvalidInput(f"A query has 1 to {MOST_ASKED:,} bytes.")
    if not 1 <= limit <= MOST_HITS:
        raise InvalidInput(f"A search returns 1 to {MOST_HITS} facts, not {limit}.")
    if min_score is not None and not 0 <= min_score <= 1:
        raise InvalidInput(f"min_score is a number from 0 to 1, not {min_score}.")
