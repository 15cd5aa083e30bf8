"""Finding things: words and meaning together, one calibrated score, and what was hidden and why.

A hit's score does not depend on what else is stored (design section 4). Scope, expiry and every
filter narrow the candidates before they are scored, so nothing of another scope shows in a count,
a score or an order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localmem.core import plain, rank, words
from localmem.core.model import AuthorKind, Item, Kind
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
                hits, searched = self._filtered(query, limit)
            else:
                hits, searched = self._scored(query)
        shown = [hit for hit in hits if floor is None or hit.score >= floor][:limit]
        below = [hit for hit in hits if floor is not None and CLOSE <= hit.score < floor][:limit]
        if self.context.actor.kind is not AuthorKind.PERSON:
            self._note(query, shown)
        return Found(tuple(shown), tuple(below), searched, floor or 0.0, state, waiting)

    def _scored(self, query: Query) -> tuple[list[Hit], int]:
        where = _where(query)
        finder = self.context.store.finder
        held, searched = self._coverage(query, where)
        vector = self._vector(query)
        near = finder.by_meaning(vector, where, NEAREST) if vector is not None else {}
        if vector is not None:
            near |= finder.cosines(vector, [row for row in held if row not in near])
        items = self.context.store.items.many([*near, *(row for row in held if row not in near)])
        calibration = self._calibration()
        hits = {
            row: _hit(item, near.get(row), *held.get(row, (0.0, ())), calibration)
            for row, item in items.items()
            if _obeys(item, query)
        }
        return [
            hits[row] for row in sorted(hits, key=lambda row: (-hits[row].score, -row))
        ], searched

    def _coverage(
        self, query: Query, where: Where
    ) -> tuple[dict[int, tuple[float, tuple[str, ...]]], int]:
        """Coverage and terms by row, of the rows that hold most; and how many were searched."""
        finder = self.context.store.finder
        searched = finder.size(where)
        terms = words.terms(_question(query))
        rows = {term: finder.by_words(words.term_expression(term), where) for term in terms}
        weights = {term: rank.idf(len(rows[term]), searched) for term in terms}
        held: dict[int, list[str]] = defaultdict(list)
        for term, found in rows.items():
            for row in found:
                held[row].append(term)
        if query.phrases:
            held = self._with_phrases(query, where, held)
        covered = {row: (_share(its, weights), tuple(its)) for row, its in held.items()}
        best = sorted(covered, key=lambda row: (-covered[row][0], -row))[:MOST_BY_WORDS]
        return {row: covered[row] for row in best}, searched

    def _with_phrases(
        self, query: Query, where: Where, held: Mapping[int, list[str]]
    ) -> dict[int, list[str]]:
        match = words.match_expression("", query.phrases, query.without)
        allowed = self.context.store.finder.by_words(match, where) if match else []
        return {row: held.get(row, []) for row in allowed}

    def _vector(self, query: Query) -> bytes | None:
        try:
            return self.meaning.question(query.meaning[:LONGEST_QUESTION])
        except ModelUnavailable as problem:
            self.meaning.fail(str(problem))
            return None

    def _calibration(self) -> rank.Calibration:
        embedder = self.meaning.embedder
        return rank.calibration_for(embedder.model.name if embedder else "")

    def _filtered(self, query: Query, limit: int) -> tuple[list[Hit], int]:
        where = _where(query)
        finder = self.context.store.finder
        rows = finder.newest(where, limit)
        items = self.context.store.items.many(rows)
        hits = [Hit(items[row], 1.0, None, 0.0, ()) for row in rows if row in items]
        return [hit for hit in hits if _obeys(hit.item, query)], finder.size(where)

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


def _question(query: Query) -> str:
    return query.meaning[:LONGEST_QUESTION]


def _where(query: Query) -> Where:
    return Where(
        scopes=query.scopes,
        kinds=query.kinds,
        collections=query.collections,
        authors=query.authors,
        after=query.after,
        before=query.before,
    )


def _share(terms: Collection[str], weights: Mapping[str, float]) -> float:
    total = sum(weights.values())
    return sum(weights[term] for term in terms) / total if total else 0.0


def _obeys(item: Item, query: Query) -> bool:
    """Whether a candidate found by meaning has the exact words and none of the excluded ones."""
    if not (query.phrases or query.without):
        return True
    text = plain.text(item)
    return all(words.holds(text, phrase) for phrase in query.phrases) and not any(
        words.holds(text, phrase) for phrase in query.without
    )


def _hit(
    item: Item,
    cosine: float | None,
    coverage: float,
    terms: tuple[str, ...],
    calibration: rank.Calibration,
) -> Hit:
    by_meaning = cosine if item.kind is not Kind.DOCUMENT else None
    return Hit(
        item,
        round(calibration(rank.fuse(by_meaning, coverage)), 4),
        None if by_meaning is None else round(calibration(by_meaning), 4),
        round(coverage, 4),
        terms,
    )
