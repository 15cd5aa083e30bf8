"""The library as a whole: browse, history, drafts, usage, backup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localmem.core.model import (
    Item,
    ItemId,
    Kind,
    Millis,
    Version,
)
from localmem.core.records import Draft, Slice
from localmem.core.scope import PROJECT
from localmem.engine.answers import Shelf
from localmem.engine.context import Context
from localmem.errors import InvalidInput, MemoryNotFound

if TYPE_CHECKING:
    from localmem.engine.outcomes import Usage

SHORTEST_ID = 8
"""Characters of an id that are enough to name an item, when they are enough to tell it apart."""


SHOWN_ID = 13
"""Characters of an id that are shown: its millisecond, so what is kept later never shares them."""


SOON: Millis = 7 * 86_400_000
"""What expires within a week is counted apart."""


@dataclass(slots=True, eq=False, repr=False)
class Library:
    context: Context

    # looking

    def get(self, id: ItemId) -> Item:
        """Raises MemoryNotFound."""
        with self.context.store.reading():
            return self.context.item(id)

    def resolve(self, text: str) -> ItemId:
        """The full id for an id or its first 8 or more characters.

        Raises MemoryNotFound; InvalidInput when several items begin so (`details.ids`).
        """
        if len(text) < SHORTEST_ID:
            raise InvalidInput(
                f"{text[:80]!r} is too short for an id.",
                hint=f"Give at least {SHORTEST_ID} characters of it.",
            )
        with self.context.store.reading():
            found = self.context.store.items.matching(text, limit=6)
        if len(found) > 1:
            raise InvalidInput(
                f"{len(found)} memories have an id that begins with {text[:80]}.",
                hint="Give more characters of the one you mean: " + ", ".join(found[:5]),
                details={"ids": list(found)},
            )
        if not found:
            raise MemoryNotFound(
                "Nothing with that id is kept here.",
                hint="`localmem list` shows the ids of a scope.",
            )
        return found[0]

    def short_ids(self, ids: Sequence[ItemId]) -> dict[ItemId, str]:
        """For each id the beginning that `resolve` understands: at least `SHOWN_ID` characters."""
        with self.context.store.reading():
            return {id: self._short_id(id) for id in ids}

    def shelf(self) -> Shelf:
        with self.context.store.reading():
            return Shelf(
                tuple(self.context.store.items.counts()),
                tuple(self.context.store.collections.all()),
            )

    def count(self, slice: Slice) -> int:
        with self.context.store.reading():
            return self.context.store.items.count(slice)

    def window(self, slice: Slice, *, offset: int, limit: int) -> list[Item]:
        """Rows for a list that scrolls: any part of it at the same cost."""
        with self.context.store.reading():
            return self.context.store.items.window(slice, offset=offset, limit=limit)

    def place(self, slice: Slice, item: Item) -> int:
        """At which offset of `window` an item stands."""
        with self.context.store.reading():
            return self.context.store.items.place(slice, item)

    def page(
        self, slice: Slice, *, limit: int, cursor: str | None = None
    ) -> tuple[list[Item], str | None]:
        """A page and the cursor behind it (None at the end). Raises InvalidInput (cursor)."""
        with self.context.store.reading():
            found = self.context.store.items.page(slice, after=cursor, limit=limit + 1)
            more = len(found) > limit
            next_cursor = self.context.store.items.cursor(slice, found[limit - 1]) if more else None
        return found[:limit], next_cursor

    def history(self, id: ItemId) -> tuple[Version, ...]:
        """Every version, oldest first. Raises MemoryNotFound."""
        self.get(id)
        with self.context.store.reading():
            return self.context.store.items.history(id)

    def at_version(self, id: ItemId, number: int) -> Item:
        """The item as its version `number` left it. Raises MemoryNotFound."""
        with self.context.store.reading():
            item = self.context.item(id)
            version = self.context.store.items.version(id, number)
        if version is None:
            raise MemoryNotFound("That version is not kept here.")
        return item._replace(head=version)

    # beside the items

    def save_draft(self, slot: str, body: str, *, item: ItemId | None = None) -> None:
        """Keep unfinished text until it is saved or dropped; goes with its item.

        A text that holds a secret is not kept: whoever typed it has not said it may be.
        """
        from localmem.core.screening import screen  # drafts are no matter of the first rows

        if screen(body).kinds:
            return
        with self.context.store.writing():
            self.context.store.history.save_draft(Draft(slot, item, body, self.context.clock()))

    def draft(self, slot: str) -> Draft | None:
        with self.context.store.reading():
            return self.context.store.history.draft(slot)

    def drop_draft(self, slot: str) -> None:
        with self.context.store.writing():
            self.context.store.history.drop_draft(slot)

    def drafted(self) -> frozenset[ItemId]:
        """The items that have an unfinished edit."""
        with self.context.store.reading():
            return self.context.store.history.drafted()

    def last_used(self, id: ItemId) -> tuple[Millis, str] | None:
        """When an agent last recalled it, and which."""
        with self.context.store.reading():
            return self.context.store.history.last_used(id)

    def usage(self) -> Usage:
        with self.context.store.reading():
            shelf = self.shelf()
            versions, size = self.context.store.items.versions(), self.context.store.size()
            expiry = self.context.store.health.expiry(self.context.clock() + SOON)
            finder = self.context.store.finder
            model, waiting = finder.model(), finder.pending_count()
        from localmem.engine.outcomes import ScopeUsage, Usage

        scopes = {str(PROJECT): ScopeUsage(str(PROJECT), 0, PROJECT.fact_cap)}
        for count in shelf.counts:
            if count.kind is Kind.FACT:
                scopes[str(count.scope)] = ScopeUsage(
                    str(count.scope), count.items, count.scope.fact_cap
                )
        return Usage(
            tuple(scopes.values()),
            shelf.items(Kind.PREFERENCE),
            shelf.items(Kind.DOCUMENT),
            len(shelf.collections),
            versions,
            size,
            shelf.counts,
            expiry,
            model,
            waiting,
        )

    def size(self) -> int:
        """Bytes of the library's files; 0 in memory."""
        return self.context.store.size()

    @property
    def encrypted(self) -> bool:
        """Whether the library's files can be read with its key alone."""
        return self.context.store.encrypted

    def backup(self, target: str, *, plain: bool = False) -> None:
        """A whole copy, taken while others write; encrypted as the library is, unless `plain`.

        Raises BackupFailed.
        """
        self.context.store.backup(target, plain=plain)

    # inside

    def _short_id(self, id: ItemId) -> str:
        for length in range(SHOWN_ID, len(id)):
            if len(self.context.store.items.matching(id[:length], limit=2)) < 2:
                return id[:length]
        return id
