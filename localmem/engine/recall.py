"""Finding things: words and meaning together, one calibrated score, and what was hidden and why.

A hit's score does not depend on what else is stored (design section 4). Scope, expiry and every
filter narrow the candidates before they are scored, so nothing of another scope shows in a count,
a score or an order.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localmem.core import rank, words
from localmem.core.model import AuthorKind, Item
from localmem.core.ports import Where
from localmem.engine.context import Context
from localmem.engine.meaning import Meaning, MeaningState
from localmem.errors import ModelUnavailable

if TYPE_CHECKING:
    from localmem.core.query import Query

NEAREST = 64
"""Candidates by meaning."""
MOST_BY_WORDS = 200
"""Candidates by words, those that hold most of the question."""
CLOSE = 0.15
"""From here up to the floor a hit is a close one, worth a count."""
EXPIRED_SPARE = 20
"""Rows looked up beyond the limit, for those that expired and are not purged yet."""
LONGEST_QUESTION = 8_192
"""Characters that are looked at."""


@dataclass(frozen=True, slots=True)
class Hit:
    item: Item
    score: float
    """0 … 1, calibrated: 0.30 means the same for every model; 4 places."""
    meaning: float | None
    """Calibrated score of meaning alone; None when the item has no vector yet."""
    coverage: float
    """0 … 1: how much of the question's telling words the item holds."""
    terms: tuple[str, ...]
    """The question's terms it holds, for marking them."""

    @property
    def weak(self) -> bool:
        return self.score < rank.WEAK


@dataclass(frozen=True, slots=True)
class Found:
    hits: tuple[Hit, ...]
    """Best first."""
    below: tuple[Hit, ...]
    """Close ones under the floor, best first: hidden unless asked for."""
    searched: int
    """How many live items the filters allow."""
    floor: float
    meaning: MeaningState
    waiting: int
    """Memories that have no vector yet: found by words only."""


@dataclass(frozen=True, slots=True)
class Recall:
    context: Context
    meaning: Meaning

    def search(self, query: Query, *, limit: int = 20, floor: float | None = rank.FLOOR) -> Found:
        """The best hits at or above `floor`; None returns the closest however distant.

        A query without words lists what its filters allow, newest first, each with score 1.
        Raises ModelUnavailable only from an endpoint that answered before and does not now, after
        which words alone answer.
        """
        with self.context.store.reading():
            state, waiting = self.meaning.state()
            if not query.meaning.strip() and not query.phrases:
                hits, below, searched = self._filtered(query, limit)
            else:
                hits, below, searched = self._scored(query, limit, floor)
        if self.context.actor.kind is not AuthorKind.PERSON:
            self._note(query, hits)
        return Found(hits, below, searched, floor or 0.0, state, waiting)

    def _scored(
        self, query: Query, limit: int, floor: float | None
    ) -> tuple[tuple[Hit, ...], tuple[Hit, ...], int]:
        where = _where(query)
        finder = self.context.store.finder
        words_held = self._words_held(query, where)
        allowed = self._allowed(query, where)
        covered = words_held.best(MOST_BY_WORDS, allowed)
        vector = self._vector(query)
        near = finder.by_meaning(vector, where, NEAREST) if vector is not None else {}
        near = {row: cosine for row, cosine in near.items() if allowed(row)}
        if vector is not None:
            near |= finder.cosines(vector, [row for row in covered if row not in near])
        calibration = self._calibration()
        scores = {
            row: rank.score(calibration, near.get(row), covered.get(row, 0.0)).value
            for row in near.keys() | covered.keys()
        }
        best = sorted(scores, key=lambda row: (-scores[row], -row))
        over = [row for row in best if floor is None or scores[row] >= floor]
        under = [row for row in best[len(over) :] if scores[row] >= CLOSE]

        def hits(rows: Sequence[int]) -> tuple[Hit, ...]:
            items = self.context.store.items.many(rows[: limit + EXPIRED_SPARE])
            made = [
                _hit(items[row], scores[row], near.get(row), covered.get(row, 0.0),
                     words_held.terms(row), calibration)
                for row in rows if row in items
            ]  # fmt: skip
            return tuple(made[:limit])

        return hits(over), hits(under), words_held.searched

    def _words_held(self, query: Query, where: Where) -> _WordsHeld:
        finder = self.context.store.finder
        terms = words.terms(query.meaning[:LONGEST_QUESTION])
        rows = {term: finder.by_words(words.term_expression(term), where) for term in terms}
        if query.phrases:
            match = words.match_expression("", query.phrases)
            rows[""] = finder.by_words(match, where) if match else []
        return _WordsHeld(rows, finder.size(where))

    def _allowed(self, query: Query, where: Where) -> Callable[[int], bool]:
        """Whether a row has every exact phrase and none of the excluded words."""
        if not (query.phrases or query.without):
            return lambda row: True
        finder = self.context.store.finder
        match = words.match_expression("", query.phrases)
        having = frozenset(finder.by_words(match, where)) if match else None
        unwanted = frozenset(
            row
            for phrase in query.without
            if (match := words.match_expression("", [phrase]))
            for row in finder.by_words(match, where)
        )
        return lambda row: (having is None or row in having) and row not in unwanted

    def _vector(self, query: Query) -> bytes | None:
        try:
            return self.meaning.question(query.meaning[:LONGEST_QUESTION])
        except ModelUnavailable as problem:
            self.meaning.fail(str(problem))
            return None

    def _calibration(self) -> rank.Calibration:
        embedder = self.meaning.embedder
        return rank.calibration_for(embedder.model.name if embedder else "")

    def _filtered(self, query: Query, limit: int) -> tuple[tuple[Hit, ...], tuple[Hit, ...], int]:
        where = _where(query)
        finder = self.context.store.finder
        allowed = self._allowed(query, where)
        rows = [row for row in finder.newest(where, MOST_BY_WORDS) if allowed(row)][:limit]
        items = self.context.store.items.many(rows)
        hits = tuple(Hit(items[row], 1.0, None, 0.0, ()) for row in rows if row in items)
        return hits, (), finder.size(where)

    def _note(self, query: Query, hits: Iterable[Hit]) -> None:
        """Agents' reads are seen by the person; nothing of an item changes by being read."""
        store = self.context.store
        if store.read_only:
            return
        shown = list(hits)
        with store.writing():
            scopes = ", ".join(str(scope) for scope in query.scopes) or "all"
            self.context.record("searched", kind="item", scope=scopes, items=len(shown))
            store.history.record_use(
                [hit.item.id for hit in shown], self.context.actor.name, self.context.clock()
            )


class _WordsHeld:
    """Which rows hold which of the question's terms, and how much of its weight that is."""

    def __init__(self, rows: Mapping[str, Sequence[int]], searched: int) -> None:
        """`rows` by term; "" stands for the exact phrases, which weigh as one more term."""
        self.searched = searched
        self._rows = rows
        self._sets: dict[str, frozenset[int]] = {}
        frequencies = {term: len(found) for term, found in rows.items()}
        self._weights = rank.weights(frequencies, searched)

    def best(self, count: int, allowed: Callable[[int], bool]) -> dict[int, float]:
        """Coverage, 0 to 1, of the `count` allowed rows that hold most."""
        held = rank.coverage(self._rows, self._weights)
        newest_first = filter(allowed, reversed(held))
        rows = heapq.nlargest(count, newest_first, key=held.__getitem__)
        return {row: held[row] for row in rows}

    def terms(self, row: int) -> tuple[str, ...]:
        return tuple(term for term in self._rows if term and row in self._set(term))

    def _set(self, term: str) -> frozenset[int]:
        if term not in self._sets:
            self._sets[term] = frozenset(self._rows[term])
        return self._sets[term]


def _where(query: Query) -> Where:
    return Where(
        scopes=query.scopes,
        kinds=query.kinds,
        collections=query.collections,
        authors=query.authors,
        after=query.after,
        before=query.before,
    )


def _hit(
    item: Item,
    score: float,
    cosine: float | None,
    coverage: float,
    terms: tuple[str, ...],
    calibration: rank.Calibration,
) -> Hit:
    meaning = None if cosine is None else calibration(calibration.level(cosine))
    return Hit(
        item,
        round(score, 4),
        None if meaning is None else round(meaning, 4),
        round(coverage, 4),
        terms,
    )
