"""What every use case needs: the store, the clock, ids and who is acting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from localmem.core.model import Actor, AuthorKind, Item, ItemId
from localmem.core.records import Deed
from localmem.errors import MemoryNotFound

if TYPE_CHECKING:
    from localmem.core.ports import Clock, Ids, Store


class Unset(Enum):
    """The type of KEEP, which is not None: None is a value."""

    KEEP = "keep"


KEEP: Final = Unset.KEEP
"""Leave this part of an item as it is."""


@dataclass(slots=True, eq=False, repr=False)
class Context:
    store: Store
    clock: Clock
    ids: Ids
    actor: Actor

    @property
    def by_person(self) -> bool:
        return self.actor.kind is AuthorKind.PERSON

    def acting(self, actor: Actor) -> Context:
        return replace(self, actor=actor._replace(device=self.store.device))

    def item(self, id: ItemId) -> Item:
        """What is kept under the id; inside a transaction. Raises MemoryNotFound."""
        item = self.store.items.get(id)
        if item is None:
            raise MemoryNotFound(
                "Nothing with that id is kept here.",
                hint="It may be forgotten or expired; `localmem list` shows what is kept.",
            )
        return item

    def note(self, action: str, item: Item) -> None:
        """Record a deed on one item; inside a transaction."""
        self.record(action, kind=str(item.kind), scope=str(item.scope), item=item.id, items=1)

    def note_all(self, done: Sequence[tuple[str, Item]]) -> None:
        """As `note`, deeds on items of one scope; inside a transaction."""
        if not done:
            return
        from localmem.core.screening import screen

        scope = screen(str(done[0][1].scope)).text
        now = self.clock()
        self.store.history.record_deeds(
            [Deed(now, self.actor, action, str(item.kind), scope, item.id, 1)
             for action, item in done]
        )  # fmt: skip

    def bar_undo(self, label: str) -> None:
        """Something was done that undo cannot take back; inside a transaction."""
        if self.by_person:
            self.store.history.record_undo(label, (), self.clock())

    def record(
        self, action: str, *, kind: str, scope: str, item: ItemId | None = None, items: int = 0
    ) -> None:
        """Record a deed without content; inside a transaction.

        A scope that was only asked about is as an agent wrote it, so it is screened here too.
        """
        from localmem.core.screening import screen  # the first rows are read before any deed

        self.store.history.record_deed(
            Deed(self.clock(), self.actor, action, kind, screen(scope).text, item, items)
        )
