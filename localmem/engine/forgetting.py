"""Forgetting: says what goes, erases it for good, and gives a receipt of what was checked.

The only way out of the library. Content leaves every table in one transaction; then the files are
rewritten and searched. A forgotten preference takes its whole key with it (shop-memory).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from localmem.core import documents, preferences
from localmem.core.model import (
    Content,
    DocumentContent,
    FactContent,
    Item,
    ItemId,
    Json,
    Kind,
    PreferenceContent,
    Version,
)
from localmem.core.preferences import PreferenceKey
from localmem.core.records import Erased, Removal, Slice
from localmem.core.scope import PERSON, PROJECT, Scope
from localmem.engine import reviewing
from localmem.engine.context import Context
from localmem.engine.outcomes import ForgetPlan, NotErased, Receipt
from localmem.errors import CollectionNotFound, MemoryNotFound

NOTHING = Erased(0, 0, 0, 0)
SHORTEST_NEEDLE = 6
"""Bytes; shorter texts stand everywhere by chance and prove nothing."""
MOST_NEEDLES = 2_000


@dataclass(frozen=True, slots=True)
class Forgetting:
    context: Context

    def plan(self, ids: Sequence[ItemId]) -> ForgetPlan:
        """What `forget` would take; raises MemoryNotFound."""
        with self.context.store.reading():
            items = self._items(ids)
            versions = sum(len(self.context.store.items.history(item.id)) for item in items)
        return ForgetPlan(tuple(items), versions, tuple(_keys(items)))

    def forget(self, ids: Sequence[ItemId]) -> Receipt:
        """Erase the items for good. Raises MemoryNotFound (nothing is erased then)."""
        return self._erase(ids)

    def reject(self, id: ItemId) -> Receipt:
        """Erase one proposal, which is not taken again; a declared value beside it stays.

        Raises MemoryNotFound.
        """
        return self._erase([id], rejected=True)

    def wipe(self, scope: Scope) -> Receipt:
        """Erase every fact of a scope; documents stay (memory-api, DELETE /v1/memory)."""
        return self._erase_slice(Slice(Kind.FACT, scope))

    def drop(self, ids: Sequence[ItemId], *, reason: Removal = Removal.FORGET) -> Erased:
        """Erase the items, their bytes when `Engine.maintain` next runs: for many in a row.

        Raises MemoryNotFound (nothing is erased then).
        """
        with self.context.store.writing():
            return self._remove(self._items(ids), reason=reason)

    def drop_document(
        self,
        collection: str,
        key: str,
        *,
        scope: Scope = PROJECT,
        made_on: int | None = None,
        only_existing: bool = False,
    ) -> Erased | NotErased:
        """As `drop`, what is kept under a key; nothing there is nothing to do.

        `made_on` is the version it must still have; `only_existing`: it must be there at all.
        Raises InvalidKey.
        """
        documents.collection_name(collection)
        documents.key(key)
        with self.context.store.writing():
            item = self.context.store.items.at(
                Kind.DOCUMENT, scope, collection=collection, key=key, provenance=""
            )
            if item is None:
                seen = made_on is not None or only_existing
                return NotErased(None) if seen else NOTHING
            if made_on not in (None, item.head.number):
                return NotErased(item)
            return self._remove([item])

    def drop_collection(self, name: str) -> Erased:
        """As `drop`, a collection with its documents in every scope: all of it at once.

        In steps, a document written meanwhile would be lost with the ones before it. Raises
        InvalidKey, CollectionNotFound.
        """
        documents.collection_name(name)
        store = self.context.store
        with store.writing():
            if store.collections.get(name) is None:
                raise CollectionNotFound(f"There is no collection {name}.")
            erased = store.items.remove(
                store.items.rows(Slice(Kind.DOCUMENT, collection=name)),
                reason=Removal.FORGET,
                at=self.context.clock(),
            )
            store.collections.remove(name)
            self.context.record("forgot", kind="collection", scope="project", items=erased.items)
            self.context.bar_undo("deleted a collection")
        return erased

    def wipe_some(self, scope: Scope, *, before: ItemId, limit: int) -> int:
        """Drop up to `limit` facts of a scope that were kept before the id `before` was made.

        How many went, 0 when none is left: a whole scope in steps, between which others may write.
        """
        with self.context.store.writing():
            ids = self.context.store.items.rows(Slice(Kind.FACT, scope))
            gone = [id for id in ids if id < before][:limit]
            return self._remove(self._items(gone)).items if gone else 0

    def delete_collection(self, name: str) -> Receipt:
        """Erase a collection with its documents in every scope."""
        receipt = self._erase_slice(Slice(Kind.DOCUMENT, collection=name), drop=name)
        return receipt

    def purge_expired(self) -> int:
        """Erase what expired; how many items that were."""
        with self.context.store.reading():
            gone = self.context.store.items.expired(limit=1)
        if not gone or self.context.store.read_only:
            return 0
        with self.context.store.writing():
            ids = self.context.store.items.expired(limit=10_000)
            erased = self.context.store.items.remove(
                ids, reason=Removal.EXPIRED, at=self.context.clock()
            )
        self.context.store.scrub()
        return erased.items

    def _erase_slice(self, slice: Slice, drop: str | None = None) -> Receipt:
        with self.context.store.reading():
            ids = self.context.store.items.rows(slice)
        return self._erase(ids, drop=drop)

    def _erase(
        self, ids: Sequence[ItemId], *, drop: str | None = None, rejected: bool = False
    ) -> Receipt:
        store = self.context.store
        with store.writing():
            items = self._items(ids, whole_keys=not rejected)
            needles = _needles(
                version for item in items for version in store.items.history(item.id)
            )
            erased = self._remove(items, rejected=rejected)
            if drop is not None:
                store.collections.remove(drop)
        scrub = store.scrub()
        return Receipt(
            erased,
            scrub.done,
            scrub.why,
            scrub.files,
            len(needles),
            store.occurrences(needles) if scrub.done else 0,
            forgotten=tuple(item.id for item in items),
        )

    def _remove(
        self,
        items: Sequence[Item],
        *,
        rejected: bool = False,
        reason: Removal = Removal.FORGET,
    ) -> Erased:
        """Take them out of every table; inside a transaction."""
        erased = self.context.store.items.remove(
            [item.id for item in items], reason=reason, at=self.context.clock()
        )
        if rejected:
            self._bar(items)
        else:
            self._block_inference(items)
        self._note(items, "rejected" if rejected else "forgot")
        self.context.bar_undo("forgot what was kept" if items else "deleted a collection")
        return erased

    def _items(self, ids: Sequence[ItemId], *, whole_keys: bool = True) -> list[Item]:
        """The items; with `whole_keys` also the other half of each preference key."""
        found: dict[ItemId, Item] = {}
        for id in ids:
            item = self.context.store.items.get(id)
            if item is None:
                raise MemoryNotFound(
                    "Nothing was forgotten: one of these ids is not kept here.",
                    hint="It may be forgotten or expired already; list again.",
                )
            found[item.id] = item
        for key in _keys(list(found.values())) if whole_keys else ():
            for half in self.context.store.items.window(
                Slice(Kind.PREFERENCE, PERSON), offset=0, limit=2 * len(PreferenceKey)
            ):
                if half.key == key:
                    found[half.id] = half
        return list(found.values())

    def _block_inference(self, items: Sequence[Item]) -> None:
        states = self.context.store.preference_states
        for key in _keys(items):
            states.put(key, preferences.forgotten(states.get(key)))

    def _bar(self, items: Sequence[Item]) -> None:
        """What these say is not taken from anybody but the person again."""
        for item in items:
            self.context.store.reviews.reject(reviewing.said(item), self.context.clock())

    def _note(self, items: Sequence[Item], done: str) -> None:
        for item in items[:100]:
            self.context.note(done, item)
        if len(items) > 100:
            self.context.record(done, kind="item", scope="many", items=len(items))


def _keys(items: Sequence[Item]) -> list[PreferenceKey]:
    held = {item.key for item in items if item.kind is Kind.PREFERENCE}
    return [key for key in PreferenceKey if key in held]


def _needles(versions: Iterable[Version]) -> list[str]:
    """The texts of the versions, as stored and as JSON escapes them."""
    found: dict[str, None] = {}
    for version in versions:
        texts = [*_texts(version.content), version.evidence.quote or ""]
        for text in texts:
            for form in (text, json.dumps(text, ensure_ascii=False)[1:-1]):
                if len(form.encode()) >= SHORTEST_NEEDLE:
                    found[form] = None
        if len(found) >= MOST_NEEDLES:
            break
    return list(found)[:MOST_NEEDLES]


def _texts(content: Content) -> Iterator[str]:
    match content:
        case FactContent():
            yield content.text
            yield from content.metadata.values()
        case PreferenceContent(value):
            yield from (value,) if isinstance(value, str) else value
        case DocumentContent(value):
            yield from _leaves(value)


def _leaves(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from _leaves(member)
    elif isinstance(value, list):
        for entry in value:
            yield from _leaves(entry)
