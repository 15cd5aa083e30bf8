"""Many writes of one transaction, each judged alone; what is new among them is kept at the end.

Table by table that takes a third of the time. Nothing is held back before it was judged as one
alone is, so what is refused leaves nothing behind. Whatever is no plain new item is done by the
use case itself, after what came before it: the numbers of changes are in the order of the writes.
Runs inside one `store.writing()`; refuses to be looked past: whoever reads the tables meanwhile
calls `flush` first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from localmem.core import documents, facts
from localmem.core.change import Saved, Unchanged, Write, Written
from localmem.core.model import Change, Collection, Item, ItemId, Json, Kind
from localmem.core.records import Slice
from localmem.core.scope import Scope
from localmem.engine import guard, reviewing, writing
from localmem.engine.context import Context, Unset
from localmem.engine.documents import Documents, expiry
from localmem.engine.facts import Facts, Replaced, check_room
from localmem.engine.writing import Address


@dataclass(slots=True)
class _Held:
    """New items that were judged and are not in the tables yet."""

    context: Context
    new: list[writing.New] = field(default_factory=list)
    _high: int | None = None
    _rejections: bool | None = None

    def create(
        self, address: Address, wanted: Write, notes: tuple[str, ...], *, last_number: int = 0,
        collection: Collection | None = None,
    ) -> Saved:  # fmt: skip
        """Raises RejectedBefore."""
        item = writing.new(self.context, address, wanted, last_number=last_number)
        if self._rejections is None:
            self._rejections = self.context.store.reviews.any_rejected()
        if self._rejections:
            reviewing.check(self.context, item)
        fields = writing.fields_of(collection, item)
        sameness = writing.sameness(item.head.content)
        self.new.append(writing.New(self.context, item, sameness, fields))
        return Saved(item, created=True, notes=notes)

    def high(self) -> int:
        """The number of the newest change, those that are held back counted in."""
        if self._high is None:
            self._high = self.context.store.feed.high()
        return self._high + len(self.new)

    def flush(self) -> None:
        if self.new:
            writing.keep(self.new)
            writing.remember_new(self.context, [each.item for each in self.new])
            self.new.clear()
        self._high = None


class DocumentsTogether:
    """Writes to one collection in one scope."""

    def __init__(
        self, use: Documents, collection: str, scope: Scope, keys: Sequence[str], *,
        most_collections: int | None = None,
    ) -> None:  # fmt: skip
        """`keys` are those that will be written. Raises InvalidKey, SecretRejected (the scope)."""
        self._use = use
        self._collection = documents.collection_name(collection)
        self._scope = scope
        self._most_collections = most_collections
        self._held = _Held(use.context)
        self._defined = use.context.store.collections.get(collection)
        self._free = use.context.store.items.free(scope, collection, keys)
        self._placed = False

    def set(
        self,
        key: str,
        value: Json,
        *,
        ttl_seconds: int | Unset | None,
        made_on: int | None,
        only_new: bool,
        only_existing: bool,
    ) -> Written:
        """As `Documents.set` with `always`, and raises the same."""
        documents.key(key)
        if self._defined is None or key not in self._free or made_on or only_existing:
            return self._alone(key, value, ttl_seconds, made_on, only_new, only_existing)
        content, notes = guard.document(
            self._use.context, value, keep_secret=False, under=(self._collection, key)
        )
        ends = expiry(self._use.context, self._defined, None, ttl_seconds)
        self._place(key)
        saved = self._held.create(
            Address(Kind.DOCUMENT, self._scope, self._collection, key),
            Write(Change.REMEMBER, content, ends),
            notes,
            last_number=self._free[key],
            collection=self._defined,
        )
        del self._free[key]
        return saved

    def high(self) -> int:
        """The number of the newest change."""
        return self._held.high()

    def flush(self) -> None:
        """Everything is in the tables then. Call it at the end too."""
        self._held.flush()

    def _place(self, key: str) -> None:
        if not self._placed:
            guard.place(self._scope, self._collection)
            self._placed = True
        guard.name(key, "key")

    def _alone(
        self, key: str, value: Json, ttl_seconds: int | Unset | None, made_on: int | None,
        only_new: bool, only_existing: bool,
    ) -> Written:  # fmt: skip
        self.flush()
        done = self._use.set(
            self._collection,
            key,
            value,
            scope=self._scope,
            ttl_seconds=ttl_seconds,
            made_on=made_on,
            only_new=only_new,
            only_existing=only_existing,
            always=True,
            most_collections=self._most_collections,
        )
        self._free.pop(key, None)
        if self._defined is None:
            self._defined = self._use.context.store.collections.get(self._collection)
        return done


class FactsTogether:
    """New facts of one scope."""

    def __init__(self, use: Facts, scope: Scope, *, cap: int | None = None) -> None:
        """`cap` as `Facts.add` has it."""
        self._use = use
        self._scope = scope
        self._cap = cap
        self._held = _Held(use.context)
        self._said: dict[str, Item] = {}
        """By sameness, those that are held back."""
        self._count: int | None = None
        """Facts of the scope that are in the tables."""
        self._placed = False

    def add(
        self, text: str, *, metadata: Mapping[str, object] | None, ttl_seconds: int | None,
        replaces: Sequence[ItemId] = (),
    ) -> Replaced:  # fmt: skip
        """As `Facts.replace`, and raises the same."""
        if replaces:
            self.flush()
            return self._use.replace(
                replaces, text, scope=self._scope, metadata=metadata, ttl_seconds=ttl_seconds,
                cap=self._cap,
            )  # fmt: skip
        return Replaced(self._add(text, metadata, ttl_seconds))

    def high(self) -> int:
        """The number of the newest change."""
        return self._held.high()

    def flush(self) -> None:
        """Everything is in the tables then. Call it at the end too, and before anything goes."""
        self._held.flush()
        self._said.clear()
        self._count = None

    def _add(
        self, text: str, metadata: Mapping[str, object] | None, ttl_seconds: int | None
    ) -> Saved | Unchanged:
        context = self._use.context
        content, notes = guard.fact(context, text, metadata or {}, None, keep_secret=False)
        ends = self._use.expiry(ttl_seconds)
        sameness = facts.sameness(content.text)
        twin = self._said.get(sameness) or context.store.items.twin(self._scope, sameness)
        if twin is not None:
            return Unchanged(twin, notes)
        if self._count is None:
            self._count = context.store.items.count(Slice(Kind.FACT, self._scope))
        check_room(self._scope, self._count + len(self._said), self._cap)
        if not self._placed:
            guard.place(self._scope)
            self._placed = True
        wanted = Write(Change.REMEMBER, content, ends)
        saved = self._held.create(Address(Kind.FACT, self._scope), wanted, notes)
        self._said[sameness] = saved.item
        return saved
