"""Finding things: words and meaning together, one calibrated score, and what was hidden and why.

A hit's score does not depend on what else is stored (design section 4). Scope, expiry and every
filter narrow the candidates before they are scored, so nothing of another scope shows in a count,
a score or an order.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from localmem.core import concepts, rank, tongue, words
from localmem.core.model import AuthorKind
from localmem.core.plain import text
from localmem.core.records import Where
from localmem.engine.answers import Found, Hit
from localmem.engine.context import Context
from localmem.engine.meaning import Meaning
from localmem.errors import ModelUnavailable

if TYPE_CHECKING:
    from localmem.core.model import Item
    from localmem.core.query import Query

NEAREST = 64
"""Candidates by meaning."""
MOST_BY_WORDS = 100
"""Candidates by words, those that hold most of the question."""
MOST_BY_TOPIC = 100
"""Candidates by concept, likewise."""
CLOSE = 0.15
"""From here up to the floor a hit is a close one, worth a count."""
EXPIRED_SPARE = 20
"""Rows looked up beyond the limit, for those that expired and are not purged yet."""
LONGEST_QUESTION = 8_192
"""Characters that are looked at."""


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
        candidates = self.candidates(query)
        calibration = self._calibration()
        scores = {
            row: rank.score(calibration, signals) for row, signals in candidates.signals.items()
        }
        best = sorted(scores, key=lambda row: (-scores[row], -row))
        shown = -1.0 if floor is None else min(floor, CLOSE)
        read = [row for row in best if scores[row] >= shown][: limit + EXPIRED_SPARE]
        items = self.context.store.items.many(read)
        places = dict(scores)
        for row in candidates.foreign(items):
            signals = candidates.signals[row]._replace(foreign=True)
            places[row] = calibration(rank.fuse(calibration, signals))
            scores[row] = rank.score(calibration, signals)
        ordered = sorted(items, key=lambda row: (-places[row], -row))
        over = [row for row in ordered if floor is None or scores[row] >= floor]
        under = [row for row in ordered if floor is not None and CLOSE <= scores[row] < floor]

        def hits(rows: Sequence[int]) -> tuple[Hit, ...]:
            return tuple(
                Hit(
                    items[row],
                    round(scores[row], 4),
                    _alone(calibration, candidates.signals[row].cosine),
                    round(candidates.said.share(row), 4),
                    candidates.said.names(row),
                    candidates.about.names(row),
                )
                for row in rows[:limit]
            )

        return hits(over), hits(under), candidates.searched

    def candidates(self, query: Query) -> Candidates:
        """What may answer, by words, concepts or meaning, and what speaks for each."""
        where = _where(query)
        searched = self.context.store.finder.size(where)
        said = self._said(query, where, searched)
        about = self._about(query, where, said)
        allowed = self._allowed(query, where)
        others = [*said.best(MOST_BY_WORDS, allowed), *about.best(MOST_BY_TOPIC, allowed)]
        near = self._near(query, where, allowed, others)
        names = _names(query)
        signals = {
            row: rank.Signals(
                near.get(row), said.share(row), about.share(row), said.balance(names, row)
            )
            for row in {*near, *others}
        }
        return Candidates(query.meaning[:LONGEST_QUESTION], searched, said, about, signals)

    def _said(self, query: Query, where: Where, searched: int) -> _Shares:
        """Who holds which of the question's words; the exact phrases weigh as one more."""
        finder = self.context.store.finder
        terms = words.terms(query.meaning[:LONGEST_QUESTION], without=_whose(query))
        rows = {term: finder.by_words(words.term_expression(term), where) for term in terms}
        match = words.match_expression("", query.phrases)
        if match:
            rows[""] = finder.by_words(match, where)
        return _Shares(rows, searched)

    def _about(self, query: Query, where: Where, said: _Shares) -> _Shares:
        """Who is about which of the concepts the question is about, and what it asks besides."""
        finder = self.context.store.finder
        question = query.meaning[:LONGEST_QUESTION]
        names = concepts.narrowest(concepts.of(question))
        rows = {name: finder.by_words(f'"{concepts.token(name)}"', where) for name in names}
        untouched = concepts.untouched(question) - _whose(query) if names else frozenset()
        besides = words.terms(question, untouched)
        return _Shares(rows, said.searched, rank.UNTOUCHED * said.weight(besides))

    def _near(
        self, query: Query, where: Where, allowed: Callable[[int], bool], others: Sequence[int]
    ) -> dict[int, float]:
        """Cosine of the nearest rows, and of the others that have a vector."""
        vector = self._vector(query)
        if vector is None:
            return {}
        finder = self.context.store.finder
        found = finder.by_meaning(vector, where, NEAREST)
        near = {row: cosine for row, cosine in found.items() if allowed(row)}
        return near | finder.cosines(vector, [row for row in others if row not in near])

    def _allowed(self, query: Query, where: Where) -> Callable[[int], bool]:
        """Whether a row has every exact phrase and none of the excluded words."""
        if not (query.phrases or query.without):
            return _any
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


@dataclass(frozen=True, slots=True)
class Candidates:
    """Rows that may answer a question, and what speaks for each."""

    question: str
    searched: int
    said: _Shares
    about: _Shares
    signals: Mapping[int, rank.Signals]
    """As far as the rows need not be read: all but the language."""

    def foreign(self, items: Mapping[int, Item]) -> list[int]:
        """Those known to be in another language than the question."""
        asked = tongue.of(self.question)
        if not asked:
            return []
        return [
            row for row, item in items.items() if tongue.are_apart(tongue.of(text(item)), asked)
        ]


class _Shares:
    """Which rows hold which parts of a question, and how much of its weight that is."""

    def __init__(
        self, rows: Mapping[str, Sequence[int]], searched: int, besides: float = 0.0
    ) -> None:
        """`rows` by the name of the part; "" stands for the exact phrases.

        `besides` is the weight of what the question holds and no row can.
        """
        self.searched = searched
        self._rows = rows
        self._sets: dict[str, frozenset[int]] = {}
        frequencies = {name: len(found) for name, found in rows.items()}
        self._weights = rank.weights(frequencies, searched)
        self._held = rank.coverage(rows, self._weights, besides)

    def weight(self, names: Iterable[str]) -> float:
        return sum(self._weights[name] for name in names)

    def balance(self, names: Sequence[str], row: int) -> float:
        """From 1 for a row that holds all of these parts to -1 for none; 0 without any."""
        if not names:
            return 0.0
        return 2 * sum(row in self._set(name) for name in names) / len(names) - 1

    def share(self, row: int) -> float:
        return self._held.get(row, 0.0)

    def best(self, count: int, allowed: Callable[[int], bool]) -> list[int]:
        """The allowed rows that hold most, the newer of equals."""
        held = self._held
        if allowed is not _any:
            held = {row: share for row, share in held.items() if allowed(row)}
        least = min(heapq.nlargest(count, held.values()), default=0.0)
        above = [row for row, share in reversed(held.items()) if share > least]
        level = (row for row, share in reversed(held.items()) if share == least)
        above.sort(key=held.__getitem__, reverse=True)
        return [*above, *islice(level, count - len(above))]

    def names(self, row: int) -> tuple[str, ...]:
        return tuple(name for name in self._rows if name and row in self._set(name))

    def _set(self, name: str) -> frozenset[int]:
        if name not in self._sets:
            self._sets[name] = frozenset(self._rows[name])
        return self._sets[name]


def _any(_: int) -> bool:
    return True


def _whose(query: Query) -> frozenset[str]:
    """The words that name the only contact or conversation searched: there they tell nothing."""
    named = [scope.id for scope in query.scopes if scope.id]
    return frozenset(words.index_text(named[0]).split()) if len(named) == 1 else frozenset()


def _names(query: Query) -> tuple[str, ...]:
    """The terms that name someone or something, but for whose all that is searched is."""
    question = query.meaning[:LONGEST_QUESTION]
    return words.terms(question, words.names(question) - _whose(query))


def _alone(calibration: rank.Calibration, cosine: float | None) -> float | None:
    """The published score of meaning alone."""
    return None if cosine is None else round(calibration(calibration.level(cosine)), 4)


def _where(query: Query) -> Where:
    return Where(
        scopes=query.scopes,
        kinds=query.kinds,
        collections=query.collections,
        authors=query.authors,
        after=query.after,
        before=query.before,
        without_agents=query.without_agents,
    )
