"""Time travel: the library as it was at a moment; bringing back is `versions.restore`.

Refuses what is gone: what was forgotten or has expired since is not shown in any past.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from localmem.core import plain, words
from localmem.core.model import Item, ItemId, Kind, Millis, Provenance, Version
from localmem.core.preferences import PreferenceKey
from localmem.core.query import Query
from localmem.core.records import Slice, Where
from localmem.core.scope import PERSON
from localmem.engine.answers import PreferenceEntry, Shelf
from localmem.engine.context import Context
from localmem.errors import MemoryNotFound

CHUNK = 500
"""Rows looked up at once."""


@dataclass(frozen=True, slots=True)
class Past:
    context: Context

    def get(self, id: ItemId, at: Millis) -> Item:
        """The item with its version of then. Raises MemoryNotFound."""
        with self.context.store.reading():
            item = self.context.store.past.get(id, at)
        if item is None:
            raise MemoryNotFound(
                "Nothing with that id was kept here then.",
                hint="What was forgotten since is gone from the past too.",
            )
        return item

    def shelf(self, at: Millis) -> Shelf:
        with self.context.store.reading():
            collections = self.context.store.collections.all()
            return Shelf(
                tuple(self.context.store.past.counts(at)),
                tuple(each for each in collections if each.created_at <= at),
            )

    def count(self, slice: Slice, at: Millis) -> int:
        with self.context.store.reading():
            return self.context.store.past.count(slice, at)

    def window(self, slice: Slice, at: Millis, *, offset: int, limit: int) -> list[Item]:
        """Rows for a list that scrolls, each with its version of then."""
        with self.context.store.reading():
            return self.context.store.past.window(slice, at, offset=offset, limit=limit)

    def preferences(self, at: Millis) -> tuple[PreferenceEntry, ...]:
        """All six keys in their order; whether inference is blocked is not known of then."""
        slice = Slice(Kind.PREFERENCE, PERSON)
        held = self.window(slice, at, offset=0, limit=2 * len(PreferenceKey))
        found = {(item.key, item.provenance): item for item in held}
        return tuple(
            PreferenceEntry(
                key,
                found.get((key, Provenance.DECLARED)),
                found.get((key, Provenance.INFERRED)),
                inference_blocked=False,
            )
            for key in PreferenceKey
        )

    def history(self, id: ItemId, at: Millis) -> tuple[Version, ...]:
        """The versions there were by then, oldest first."""
        with self.context.store.reading():
            return tuple(each for each in self.context.store.items.history(id) if each.at <= at)

    def find(self, query: Query, at: Millis, *, limit: int = 50) -> list[Item]:
        """What held every word of the question then, newest first: by words only.

        The index answers for what is still as it was; the rest is read version by version.
        """
        with self.context.store.reading():
            found = [*islice(self._unchanged(query, at), limit)]
            found += islice(self._changed(query, at), limit)
        return sorted(found, key=lambda item: item.id, reverse=True)[:limit]

    def earliest(self) -> Millis | None:
        """When the oldest version that is kept was written."""
        with self.context.store.reading():
            return self.context.store.past.earliest()

    def _unchanged(self, query: Query, at: Millis) -> Iterator[Item]:
        rows = self._rows(query)
        for start in range(0, len(rows), CHUNK):
            for item in self.context.store.past.unchanged(rows[start : start + CHUNK], at):
                if _allowed(query, item):
                    yield item

    def _rows(self, query: Query) -> list[int]:
        """The rows that hold the words today, newest first."""
        finder = self.context.store.finder
        terms = [words.term_expression(term) for term in words.terms(query.meaning)]
        phrases = [words.match_expression("", [phrase]) for phrase in query.phrases]
        sets = [set(finder.by_words(each, Where())) for each in [*terms, *phrases] if each]
        found = set.intersection(*sets) if sets else set(finder.newest(Where(), 1 << 31))
        for phrase in query.without:
            if match := words.match_expression("", [phrase]):
                found -= set(finder.by_words(match, Where()))
        return sorted(found, reverse=True)

    def _changed(self, query: Query, at: Millis) -> Iterator[Item]:
        terms = words.terms(query.meaning)
        for item in self.context.store.past.each(Slice(), at, changed=True):
            if _allowed(query, item) and _holds(query, terms, plain.text(item)):
                yield item


def _allowed(query: Query, item: Item) -> bool:
    return (
        (not query.scopes or item.scope in query.scopes)
        and (not query.kinds or item.kind in query.kinds)
        and (not query.collections or item.collection in query.collections)
        and (not query.authors or item.head.by.name in query.authors)
        and (query.after is None or item.head.at >= query.after)
        and (query.before is None or item.head.at < query.before)
    )


def _holds(query: Query, terms: tuple[str, ...], text: str) -> bool:
    vocabulary = words.vocabulary(text)
    return (
        all(words.meets(term, vocabulary) for term in terms)
        and all(words.holds(text, phrase) for phrase in query.phrases)
        and not any(words.holds(text, phrase) for phrase in query.without)
    )
