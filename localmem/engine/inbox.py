"""What agents wrote and what was inferred, until the person has decided: accept, correct, reject.

It is kept and found like everything else meanwhile, under its author's name. What was rejected is
not taken again from anybody but the person. Correcting is an ordinary edit, which settles it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localmem.core.model import Change, Item, ItemId, Version
from localmem.core.records import Review, UndoStep
from localmem.engine.answers import Waiting
from localmem.engine.context import Context
from localmem.errors import MemoryNotFound

if TYPE_CHECKING:
    from localmem.core.change import Saved
    from localmem.engine.outcomes import Receipt


@dataclass(slots=True, eq=False, repr=False)
class Inbox:
    context: Context

    def count(self) -> int:
        with self.context.store.reading():
            return self.context.store.reviews.count()

    def window(self, *, offset: int, limit: int) -> list[Waiting]:
        """What waits, newest first."""
        with self.context.store.reading():
            found = self.context.store.reviews.window(offset=offset, limit=limit)
            return [self._waiting(each) for each in found]

    def find(self, id: ItemId) -> Waiting | None:
        """None for what does not wait."""
        with self.context.store.reading():
            found = self.context.store.reviews.find(id)
            return None if found is None else self._waiting(found)

    def among(self, ids: Sequence[ItemId]) -> frozenset[ItemId]:
        """Those of `ids` that wait."""
        with self.context.store.reading():
            return self.context.store.reviews.among(ids)

    def accept(self, ids: Sequence[ItemId], *, seen: Mapping[ItemId, int] | None = None) -> int:
        """Take these out of the inbox as they are; how many did wait. One undo for all.

        With `seen`, the version of each that was looked at, those that moved since go on waiting.
        """
        with self.context.store.writing():
            found = [self.context.store.reviews.find(id) for id in ids]
            heads = [(each.item.id, each.item.head.number) for each in found if each]
            return self._accept([(id, head) for id, head in heads if not seen or seen[id] == head])

    def accept_all(self) -> int:
        """As `accept`, for everything that waits."""
        with self.context.store.writing():
            return self._accept(self.context.store.reviews.waiting())

    def reject(self, id: ItemId) -> Receipt | Saved:
        """What is new is erased, what was edited goes back to the version the person last saw.

        Either way the same is not taken again. Raises MemoryNotFound for what does not wait.
        """
        from localmem.engine import reviewing  # counting, as the first rows do, needs none of it
        from localmem.engine.forgetting import Forgetting

        with self.context.store.writing():
            waiting = self._find(id)
            if waiting.before is not None:
                said = reviewing.said(waiting.item)
                self.context.store.reviews.reject(said, self.context.clock())
                return self._back(waiting.item, waiting.before)
        return Forgetting(self.context).reject(id)

    def _accept(self, found: Sequence[tuple[ItemId, int]]) -> int:
        for id, number in found:
            self.context.store.reviews.settle(id, number)
        if found:
            steps = [UndoStep(id, made=number, before=number) for id, number in found]
            now = self.context.clock()
            self.context.store.history.record_undo(_label(len(found)), steps, now)
            self.context.record("accepted", kind="item", scope="", items=len(found))
        return len(found)

    def _back(self, item: Item, before: Version) -> Saved:
        from localmem.core.change import Saved, Stale, Unchanged, Write
        from localmem.engine import reviewing, writing

        wanted = Write(Change.RESTORE, before.content, before.expires_at, before.evidence)
        result = writing.write(self.context, item, wanted)
        match result:
            case Saved():
                return result
            case Unchanged():
                # The agent came back to it by itself: what the person knew is no proposal.
                self.context.store.reviews.lift(reviewing.said(item))
                self.context.store.reviews.settle(item.id, item.head.number)
                return Saved(item, created=False)
            case Stale():
                raise AssertionError("nobody else writes inside this transaction")

    def _find(self, id: ItemId) -> Waiting:
        found = self.context.store.reviews.find(id)
        if found is None:
            raise MemoryNotFound(
                "Nothing with that id waits in the inbox.",
                hint="It was decided already, forgotten, or expired.",
            )
        return self._waiting(found)

    def _waiting(self, found: Review) -> Waiting:
        if found.before is None:
            return Waiting(found.item, found.since, None)
        before = self.context.store.items.version(found.item.id, found.before)
        return Waiting(found.item, found.since, before)


def _label(count: int) -> str:
    return "accepted a memory" if count == 1 else f"accepted {count:,} memories"
