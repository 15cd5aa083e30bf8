"""Collections and their documents: recalled by key or indexed field (memory-api, "Collections").

A collection is defined once for the library; its documents are per scope. Writing to a name that
does not exist creates the collection without indexes, and indexes cannot be added later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from localmem.core import documents, feed, ttl
from localmem.core.change import Saved, Stale, Write, Written
from localmem.core.model import Change, Collection, Item, Json, Kind, Millis
from localmem.core.records import Slice
from localmem.core.scope import PROJECT, Scope
from localmem.engine import guard, writing
from localmem.engine.context import KEEP, Context, Unset
from localmem.errors import (
    CollectionExists,
    CollectionLimit,
    CollectionNotFound,
    InvalidInput,
    ItemNotFound,
)

PAGE = 50
LONGEST_PAGE = 100


@dataclass(frozen=True, slots=True)
class Page:
    items: tuple[Item, ...]
    next_cursor: str | None
    """None at the end."""


@dataclass(frozen=True, slots=True)
class Documents:
    context: Context

    def create_collection(
        self,
        name: str,
        *,
        indexes: Sequence[str] = (),
        default_ttl: int | None = None,
        most: int | None = None,
    ) -> Collection:
        """`most` is how many collections a plan allows.

        Raises InvalidKey, InvalidInput, SecretRejected, CollectionExists, CollectionLimit.
        """
        made = documents.collection(name, indexes, default_ttl, created_at=self.context.clock())
        guard.collection(made)
        with self.context.store.writing():
            if self.context.store.collections.get(name) is not None:
                raise CollectionExists(
                    f"There is a collection {name} already.",
                    hint="Its indexes were fixed when it was created; choose another name to have "
                    "other indexes.",
                )
            self._make(made, most)
            self.context.record("created", kind="collection", scope="project", items=1)
            self.context.bar_undo("created a collection")
        return made

    def set_default_ttl(self, name: str, seconds: int | None) -> Collection:
        """How long what is written from now on is kept; what is kept already keeps its end.

        Raises InvalidKey, InvalidInput, CollectionNotFound.
        """
        wanted = None if seconds is None else ttl.check(seconds)
        documents.collection_name(name)
        with self.context.store.writing():
            held = self._known(name)
            if held.default_ttl == wanted:
                return held
            self.context.store.collections.set_default_ttl(name, wanted)
            self.context.record("changed", kind="collection", scope="project", items=1)
            self.context.bar_undo("changed a collection")
        return held._replace(default_ttl=wanted)

    def collections(self) -> list[Collection]:
        """By name."""
        with self.context.store.reading():
            return self.context.store.collections.all()

    def collection(self, name: str) -> Collection:
        """Raises CollectionNotFound."""
        documents.collection_name(name)
        with self.context.store.reading():
            return self._known(name)

    def set(
        self,
        collection: str,
        key: str,
        value: Json,
        *,
        scope: Scope = PROJECT,
        ttl_seconds: int | Unset | None = KEEP,
        made_on: int | None = None,
        only_new: bool = False,
        only_existing: bool = False,
        always: bool = False,
        most_collections: int | None = None,
        change: Change | None = None,
        keep_secret: bool = False,
    ) -> Written:
        """Write the whole document. `made_on` is the version it must still have; 0: it is new.

        `always` is a PUT: the document is replaced also by one that says the same, and has no more
        of the old one's time to live than of its value. `most_collections` as `create_collection`.

        Raises InvalidKey, InvalidInput, DocumentTooLarge, DocumentTooDeep, SecretRejected,
        CollectionLimit, and ItemNotFound when there is none that could have that version or, with
        `only_existing`, none at all.
        """
        documents.collection_name(collection)
        documents.key(key)
        content, notes = guard.document(
            self.context, value, keep_secret=keep_secret, under=(collection, key)
        )
        with self.context.store.writing():
            held = self._collection_for_write(collection, most_collections)
            item = self._find(collection, key, scope)
            expires = expiry(self.context, held, None if always else item, ttl_seconds)
            if item is not None:
                wanted = Write(
                    change or Change.EDIT, content, expires, made_on=made_on, always=always
                )
                if only_new:
                    return Stale(item, None, wanted)
                done = writing.write(self.context, item, wanted, notes=notes)
                if always:
                    self._forget_earlier(done.item if isinstance(done, Saved) else item)
                return done
            if made_on or only_existing:
                raise ItemNotFound(
                    f"{collection}/{key} is gone in {scope}, so no version of it can be replaced.",
                    hint="Write it without a version to create it again.",
                )
            address = writing.Address(Kind.DOCUMENT, scope, collection, key)
            wanted = Write(change or Change.REMEMBER, content, expires)
            return writing.create(self.context, address, wanted, notes=notes)

    def find(self, collection: str, key: str, *, scope: Scope = PROJECT) -> Item | None:
        """The document, or None. Raises InvalidKey."""
        documents.collection_name(collection)
        documents.key(key)
        with self.context.store.reading():
            return self._find(collection, key, scope)

    def get(self, collection: str, key: str, *, scope: Scope = PROJECT) -> Item:
        """Raises ItemNotFound, InvalidKey."""
        item = self.find(collection, key, scope=scope)
        if item is None:
            raise ItemNotFound(
                f"Nothing is kept under {collection}/{key} in {scope}.",
                hint="Check the scope it was written with.",
            )
        return item

    def page(
        self,
        collection: str,
        *,
        scope: Scope = PROJECT,
        prefix: str = "",
        limit: int = PAGE,
        cursor: str | None = None,
    ) -> Page:
        """By key. Raises CollectionNotFound, InvalidInput."""
        self.collection(collection)
        _check_limit(limit)
        slice = Slice(Kind.DOCUMENT, scope, collection, prefix)
        with self.context.store.reading():
            found = self.context.store.items.page(slice, after=cursor, limit=limit + 1)
            last = found[limit - 1] if len(found) > limit else None
            after = None if last is None else self.context.store.items.cursor(slice, last)
        return Page(tuple(found[:limit]), after)

    def query(
        self,
        collection: str,
        field: str,
        value: Json,
        *,
        op: str = "eq",
        scope: Scope = PROJECT,
        limit: int = PAGE,
        cursor: str | None = None,
    ) -> Page:
        """Documents whose indexed `field` equals `value`, by key.

        Raises CollectionNotFound, FieldNotIndexed, InvalidInput.
        """
        wanted = documents.check_query(self.collection(collection), field, op, value)
        _check_limit(limit)
        with self.context.store.reading():
            found = self.context.store.items.by_field(
                collection, scope, field=field, value=wanted, after=cursor, limit=limit + 1
            )
        more = len(found) > limit
        return Page(tuple(found[:limit]), found[limit - 1].key if more else None)

    def _find(self, collection: str, key: str, scope: Scope) -> Item | None:
        return self.context.store.items.at(
            Kind.DOCUMENT, scope, collection=collection, key=key, provenance=""
        )

    def _forget_earlier(self, item: Item) -> None:
        """Erase the versions before it where it stands for something forgotten: who forgets and
        writes anew sends one PUT, where a DELETE would take them along. Inside a transaction."""
        if feed.identity(item) == feed.NOBODY:
            return
        earlier = self.context.store.items.history(item.id)[:-1]
        if any(feed.stands_for_forgotten(item, version.content) for version in earlier):
            self.context.store.items.remove_earlier(item.id)

    def _known(self, name: str) -> Collection:
        found = self.context.store.collections.get(name)
        if found is None:
            raise CollectionNotFound(
                f"There is no collection {name}.",
                hint="`localmem collections list` shows them; writing to a name creates it.",
            )
        return found

    def _collection_for_write(self, name: str, most: int | None) -> Collection:
        held = self.context.store.collections.get(name)
        if held is not None:
            return held
        made = Collection(name, implicit=True, created_at=self.context.clock())
        self._make(made, most)
        return made

    def _make(self, made: Collection, most: int | None) -> None:
        if most is not None:
            used = len(self.context.store.collections.all())
            if used >= most:
                raise CollectionLimit(
                    f"There are {used} of {most} collections.",
                    hint="Delete one, or write to one that is there.",
                    details={"used": used, "included": most},
                )
        self.context.store.collections.create(made)


def expiry(
    context: Context, collection: Collection, item: Item | None, seconds: int | Unset | None
) -> Millis | None:
    """When what is written now is over; KEEP is the collection's time, or the item's own where the
    collection has none. Raises InvalidInput."""
    if seconds is KEEP:
        if item is not None and collection.default_ttl is None:
            return item.head.expires_at
        seconds = collection.default_ttl
    if seconds is None:
        return None
    return ttl.expires_at(context.clock(), ttl.check(seconds))


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= LONGEST_PAGE:
        raise InvalidInput(
            f"A page has 1 to {LONGEST_PAGE} documents, not {limit}.",
            hint="Ask for more with the cursor of the page before.",
        )
