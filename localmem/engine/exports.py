"""Handing out what is kept, as values that a writer of files turns into lines.

One snapshot, in pages: memory stays flat whatever the size of the library. Leaves expired items
out, and everything that is made anew or is not a memory: vectors, indexes, logs, drafts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from localmem.core.incoming import Definition, Standing, Whole
from localmem.core.model import Item, Kind, Version
from localmem.core.preferences import PreferenceKey, PreferenceState
from localmem.core.records import Slice
from localmem.core.scope import PERSON, Scope
from localmem.engine.context import Context

_PAGE = 100


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to hand out; None and "" do not restrict."""

    scope: Scope | None = None
    kind: Kind | None = None
    collection: str = ""
    history: bool = False
    """Every version, not the current one alone."""

    @property
    def documents(self) -> bool:
        return self.kind in (None, Kind.DOCUMENT)

    @property
    def preferences(self) -> bool:
        own = self.scope in (None, PERSON) and not self.collection
        return self.kind in (None, Kind.PREFERENCE) and own


@dataclass(frozen=True, slots=True)
class Exports:
    context: Context

    def count(self, wanted: Wanted) -> int:
        """How many items `all` hands out."""
        with self.context.store.reading():
            return self.context.store.items.count(
                Slice(wanted.kind, wanted.scope, wanted.collection)
            )

    def all(self, wanted: Wanted) -> Iterator[Definition | Standing | Whole]:
        """Collections by name, preference keys that were forgotten once, items by id.

        Holds one read transaction until it is exhausted or closed. `line` is 0 everywhere.
        """
        with self.context.store.reading():
            yield from self._definitions(wanted)
            yield from self._standings(wanted)
            page = self._page(wanted, None)
            while page:
                waiting = self.context.store.imports.waiting([item.id for item in page])
                for item in page:
                    earlier = self._earlier(item) if wanted.history else ()
                    yield Whole(0, item, earlier, waiting.get(item.id))
                page = self._page(wanted, page[-1])

    def _definitions(self, wanted: Wanted) -> Iterator[Definition]:
        if not wanted.documents:
            return
        for collection in self.context.store.collections.all():
            if wanted.collection in ("", collection.name):
                yield Definition(0, collection)

    def _standings(self, wanted: Wanted) -> Iterator[Standing]:
        if not wanted.preferences:
            return
        for key in PreferenceKey:
            state = self.context.store.preference_states.get(key)
            if state != PreferenceState():
                yield Standing(0, key, state)

    def _page(self, wanted: Wanted, after: Item | None) -> list[Item]:
        return self.context.store.imports.page(
            kind=wanted.kind,
            scope=wanted.scope,
            collection=wanted.collection,
            after=None if after is None else after.id,
            limit=_PAGE,
        )

    def _earlier(self, item: Item) -> tuple[Version, ...]:
        history = self.context.store.items.history(item.id)
        return tuple(version for version in history if version.number < item.head.number)
