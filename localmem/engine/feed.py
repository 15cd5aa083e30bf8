"""For whoever keeps a copy of the library: what changed, in order, and requests sent twice.

A reader that follows `changes` from the beginning has, once nothing more comes, exactly what the
library shows; what expires it takes out by itself. Refuses a position whose tombstones are told
no more: what is missing there was not seen to go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from localmem.core import answers, feed
from localmem.core.answers import Answered
from localmem.core.feed import Changes, Position
from localmem.core.model import ItemId, Json
from localmem.engine.context import Context

_DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class Feed:
    context: Context

    def high(self) -> int:
        """The number of the newest change."""
        with self.context.store.reading():
            return self.context.store.feed.high()

    def mark(self) -> tuple[str, int]:
        """The library's name of itself, which a restore changes, and the newest change."""
        return self.context.store.device, self.high()

    def changes(
        self,
        after: Position | None,
        *,
        limit: int = feed.PAGE,
        most_bytes: int = feed.PAGE_BYTES,
        gone_too: bool = False,
    ) -> Changes | None:
        """The page behind `after`; from the beginning without. None when `after` is too old.

        From the beginning there is nothing to tell of what is gone already, unless the reader
        has an older copy and asks for it: `gone_too`.
        """
        with self.context.store.reading():
            table = self.context.store.feed
            if after is None:
                after = Position(0, table.floor() if gone_too else table.high())
            elif after.seen < table.floor():
                return None
            return table.changes(after, limit=limit, most_bytes=most_bytes)

    @contextmanager
    def numbered(self) -> Iterator[Numbers]:
        """One transaction, and the numbers of the changes made in it."""
        with self.context.store.writing():
            yield Numbers(self, self.context.store.feed.high())

    # requests sent twice

    def answered(self, key: str, asked: str) -> Answered | None:
        """What a request of that key was answered in the last days; inside `numbered`."""
        return self.context.store.answers.find(
            key, asked, since=self.context.clock() - answers.DAYS * _DAY
        )

    def keep_answer(
        self,
        key: str,
        asked: str | None,
        *,
        status: int,
        kept: dict[str, Json],
        about: Iterable[ItemId],
        numbers: Numbers,
    ) -> None:
        """Keep what was answered, beside what was written for it; inside the same `numbered`.

        `about` are items it told of without changing them. Without `asked` another request under
        that key is not told from the same one.
        """
        table, now = self.context.store.answers, self.context.clock()
        table.drop(now - answers.DAYS * _DAY)
        table.keep(
            key,
            asked,
            Answered(True, status, kept, numbers.last()),
            {*about, *table.changed_since(numbers.before)},
            now,
        )

    def tidy(self) -> None:
        """Drop what is kept no longer: old answers, what old tombstones are known by."""
        store, now = self.context.store, self.context.clock()
        answered, gone = now - answers.DAYS * _DAY, now - feed.TOMBSTONE_DAYS * _DAY
        with store.reading():
            floor = store.feed.aged(gone)
            if floor is None and not store.answers.aged(answered):
                return
        with store.writing():
            store.answers.drop(answered)
            if floor is not None:
                store.feed.raise_floor(floor)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of the changes of a transaction that goes on."""

    feed: Feed
    before: int
    """Of the last change before it."""

    def last(self) -> int | None:
        """Of the last change in it; None when there is none yet."""
        high = self.feed.context.store.feed.high()
        return high if high > self.before else None
