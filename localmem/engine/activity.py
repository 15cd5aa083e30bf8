"""The activity log as a list that is looked through: who read and wrote what, and when.

Content-free by its making: a deed names an item, never what it said. Reading the log is not a deed.
"""

from __future__ import annotations

from dataclasses import dataclass

from localmem.core.model import ItemId, Millis
from localmem.core.records import Deed
from localmem.engine.context import Context

MOST_AUTHORS = 12
"""Authors told apart, the busiest first."""


@dataclass(frozen=True, slots=True)
class Activity:
    context: Context

    def window(
        self,
        *,
        limit: int = 50,
        offset: int = 0,
        before: int | None = None,
        by: str = "",
        item: ItemId | None = None,
        since: Millis | None = None,
        until: Millis | None = None,
    ) -> list[Deed]:
        """Newest first; `before` is the `seq` of a deed, and a cursor that no new deed moves.

        `since` is the first moment that counts, `until` the first that does not.
        """
        with self.context.store.reading():
            return self.context.store.history.deeds(
                limit, before=before, item=item, by=by, since=since, until=until, offset=offset
            )

    def newest(self) -> int | None:
        """The `seq` of the last deed; None in a library where nothing was done."""
        found = self.window(limit=1)
        return found[0].seq if found else None

    def count(self, *, by: str = "") -> int:
        with self.context.store.reading():
            return self.context.store.history.deed_count(by)

    def authors(self) -> tuple[tuple[str, int], ...]:
        """Who did how much, the busiest first."""
        with self.context.store.reading():
            return tuple(self.context.store.history.deed_authors(MOST_AUTHORS))
