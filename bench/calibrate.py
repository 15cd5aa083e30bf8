"""Fits the numbers of `core.rank` for a model: what words, concepts, names and languages count,
and where the published points lie. Prints them as code, and how they fare where they were not
fitted.

    python bench/calibrate.py [DIRECTORY ...] [--model CHOICE] [--picture FILE]

DIRECTORY holds question sets, as for `bench/recall.py`; without one, those beside the repository
and the project's own (`bench/sets`) are read. CHOICE is a model as the setting names it
("bundled", "quality"). FILE gets the curves of the floor as an SVG.

Fitted on a grid are the four weights, for the highest sum of three means over all sets: recall at
5 (alone, and in one library of all sets), and the questions kept at the floor, of those that share
no word with their fact and of those that do. The floor is where one in eight unanswerable questions
finds something. Weights under which the questions that are promised an answer
(`recall.MUST`) would not get it are passed over.

Held out: the questions in five parts (seed 7), each judged by what the other four chose; each set
by what the others chose; the sets of each directory by what those of the other chose.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import curves
import numpy as np
import recall
from numpy.typing import NDArray

from localmem import embed
from localmem.core import plain, rank
from localmem.core.ports import Embedder
from localmem.core.query import Query

WORDS = (0.5, 0.65, 0.8, 1.0, 1.15, 1.3)
TOPIC = (0.08, 0.10, 0.13, 0.16, 0.19, 0.22)
NAMED = (0.0, 0.05, 0.08, 0.10, 0.15)
FOREIGN = (0.0, 0.02, 0.04, 0.06)
"""Beyond, texts whose language is not clear overtake those that are clearly in another."""
FALSE = 1 / 8
"""Share of the unanswerable questions that may find something at the floor."""
FOLDS, SEED = 5, 7
PROMISED = "promised"
NOWHERE = -9.0
"""Score of what is no candidate."""

Floats = NDArray[np.float64]
Which = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Questions, a row each; what speaks for their candidates, in columns."""

    sets: NDArray[np.str_]
    """With a number where a file has several."""
    directories: NDArray[np.str_]
    numbers: NDArray[np.int_]
    """Place among the questions of its set, the same in both libraries."""
    mixed: Which
    """Asked in the library of all sets."""
    answered: NDArray[np.int_]
    """Texts that answer it."""
    hard: Which
    """None of them shares a word with it."""
    signals: Floats
    """Question, candidate, signal: level of the cosine, words, topic, named, foreign."""
    relevant: Which
    """Question, candidate."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one choice of weights makes of a sheet, question by question."""

    weights: tuple[float, ...]
    found: Floats
    """Share of the relevant texts among the first five."""
    best: Floats
    """Score of the best relevant candidate; of the best one where nothing is relevant."""


# --- What speaks for each candidate ---------------------------------------------------------------


def gather(sets: Sequence[tuple[str, recall.Set]], embedder: Embedder, unrelated: float) -> Sheet:
    """Ask every question in the library of its set and in one of all."""
    everything = list(dict.fromkeys(text for _, each in sets for text in each.texts))
    mixed = recall.Library(everything, embedder)
    promised = ("", recall.promised([each for _, each in sets]))
    told: list[tuple[str, str, int, bool, int, bool]] = []
    speaking: list[tuple[Floats, Which]] = []
    for directory, each in (*sets, promised):
        alone = recall.Library(each.texts, embedder)
        for library in (alone,) if each.name == PROMISED else (alone, mixed):
            for number, question in enumerate((*each.questions, *each.unanswerable)):
                signals, relevant = _ask(library, question, unrelated)
                hard = not (signals[relevant, 1] > 0).any()
                place = (each.name, directory, number, library is mixed)
                told.append((*place, len(question.relevant), hard))
                speaking.append((signals, relevant))
    named, directories, numbers, everywhere, answered, harder = zip(*told, strict=True)
    return Sheet(
        np.array(named),
        np.array(directories),
        np.array(numbers),
        np.array(everywhere),
        np.array(answered),
        np.array(harder),
        _padded([signals for signals, _ in speaking], NOWHERE),
        _padded([relevant for _, relevant in speaking], 0).astype(bool),
    )


def numbered(sets: Iterable[recall.Set]) -> Iterator[recall.Set]:
    """Each with a name of its own: every library counts the same."""
    seen: Counter[str] = Counter()
    for each in sets:
        seen[each.name] += 1
        yield replace(each, name=f"{each.name} {seen[each.name]}") if seen[each.name] > 1 else each


def _ask(
    library: recall.Library, question: recall.Question, unrelated: float
) -> tuple[Floats, Which]:
    found = library.engine.recall.candidates(Query(meaning=question.text))
    items = library.engine.recall.context.store.items.many(list(found.signals))
    foreign = frozenset(found.foreign(items))
    level = rank.Calibration(((0.0, 0.0), (1.0, 1.0)), unrelated).level
    signals = [
        (level(each.cosine or 0.0), rank.shared(each.coverage), each.topic**2, each.named,
         row in foreign)
        for row, each in found.signals.items()
    ]  # fmt: skip
    relevant = [plain.text(items[row]) in question.relevant for row in found.signals]
    return np.array(signals, float).reshape(-1, 5), np.array(relevant, bool)


def _padded(rows: Sequence[NDArray[Any]], filling: float) -> Floats:
    most = max(len(row) for row in rows)
    padded = np.full((len(rows), most, *rows[0].shape[1:]), filling)
    for place, row in zip(padded, rows, strict=True):
        place[: len(row)] = row
    return padded


def unrelated_cosine(sets: Sequence[tuple[str, recall.Set]], embedder: Embedder) -> float:
    """Mean cosine of unanswerable questions and the texts they were asked of."""
    means = []
    for _, each in sets:
        if each.unanswerable:
            texts = _matrix(embedder.embed(each.texts))
            questions = _matrix([embedder.embed_question(q.text) for q in each.unanswerable])
            means.append(float((questions @ texts.T).mean()))
    return round(float(np.mean(means)), 2)


def _matrix(vectors: Iterable[bytes]) -> NDArray[np.float32]:
    return np.stack([np.frombuffer(vector, "<f4") for vector in vectors])


# --- Choosing -------------------------------------------------------------------------------------


def outcomes(sheet: Sheet) -> list[Outcome]:
    return [_outcome(sheet, weights) for weights in product(WORDS, TOPIC, NAMED, FOREIGN)]


def _outcome(sheet: Sheet, weights: tuple[float, ...]) -> Outcome:
    words, topic, named, foreign = weights
    there = sheet.signals[..., 0] > NOWHERE

    def scored(foreign: float) -> Floats:
        factors = np.array([1.0, words, topic, named, -foreign])
        return np.where(there, np.minimum(1.0, sheet.signals @ factors), NOWHERE)

    scores = scored(foreign)
    fifth = -np.partition(-scores, 4, axis=1)[:, 4:5]
    found = (sheet.relevant & (scores >= fifth)).sum(axis=1) / np.maximum(sheet.answered, 1)
    wanted = sheet.relevant | (sheet.answered == 0)[:, None]
    # Another language takes nothing below the floor (`rank.score`).
    return Outcome(weights, found, np.where(wanted, scored(0.0), NOWHERE).max(axis=1))


def mean_of_sets(sheet: Sheet, values: Floats, which: Which) -> float:
    names = sheet.sets[which]
    return float(np.mean([values[which][names == name].mean() for name in np.unique(names)]))


def floor_of(sheet: Sheet, best: Floats, which: Which, false: float) -> float:
    """The lowest score that no more than `false` of the unanswerable questions find or pass."""
    asked = which & (sheet.answered == 0) & ~sheet.mixed
    order = np.argsort(-best[asked])
    names = sheet.sets[asked][order]
    weight = np.array([1 / (names == name).sum() for name in names]) / len(np.unique(names))
    over = int(np.searchsorted(np.cumsum(weight), false, side="right"))
    return float(best[asked][order][over]) + 1e-4


def choose(sheet: Sheet, tried: Sequence[Outcome], which: Which) -> tuple[Outcome, float]:
    """The best weights for some of the questions, and their floor."""
    chosen: tuple[float, Outcome, float] | None = None
    answered = which & (sheet.answered > 0)
    for each in tried:
        floor = floor_of(sheet, each.best, which, FALSE)
        if each.best[sheet.sets == PROMISED].min() < floor:
            continue
        kept = (each.best >= floor).astype(float)
        worth = mean_of_sets(sheet, each.found, answered & ~sheet.mixed)
        worth += mean_of_sets(sheet, each.found, answered & sheet.mixed)
        worth /= 2
        for kind in (sheet.hard, ~sheet.hard):
            if (answered & kind & ~sheet.mixed).any():
                worth += mean_of_sets(sheet, kept, answered & kind & ~sheet.mixed)
        if chosen is None or worth > chosen[0]:
            chosen = worth, each, floor
    assert chosen is not None, "no weights keep the promise"
    return chosen[1:]


# --- Judging --------------------------------------------------------------------------------------

FIGURES = ("recall@5", "in all", "kept, no word", "kept, a word", "false", "false in all")


def figures(sheet: Sheet, found: Floats, over: Floats, which: Which) -> list[float]:
    """Of some questions, by what was chosen for each: `over` is 1 where the floor was passed."""
    answered = sheet.answered > 0
    parts = (
        (found, answered & ~sheet.mixed),
        (found, answered & sheet.mixed),
        (over, answered & ~sheet.mixed & sheet.hard),
        (over, answered & ~sheet.mixed & ~sheet.hard),
        (over, ~answered & ~sheet.mixed),
        (over, ~answered & sheet.mixed),
    )
    return [
        float(values[which & part].mean()) if (which & part).any() else float("nan")
        for values, part in parts
    ]


def fitted(
    sheet: Sheet, tried: Sequence[Outcome], which: Which, unrelated: float
) -> tuple[Outcome, rank.Calibration]:
    """What some of the questions choose."""
    outcome, floor = choose(sheet, tried, which)
    return outcome, rank.Calibration(
        points(sheet, outcome, which, floor), unrelated, *outcome.weights
    )


def published(calibration: rank.Calibration, best: Floats) -> Floats:
    fused, shares = zip(*calibration.points, strict=True)
    return np.asarray(np.interp(best, fused, shares), float)


def held_out(
    sheet: Sheet, tried: Sequence[Outcome], parts: Iterable[Which], unrelated: float
) -> tuple[Floats, Floats]:
    """Recall and published score of each part by what the rest of the questions chose."""
    found, scores = np.zeros(len(sheet.sets)), np.zeros(len(sheet.sets))
    for part in parts:
        rest = ~part & (sheet.sets != PROMISED)
        outcome, calibration = fitted(sheet, tried, rest, unrelated)
        found[part] = outcome.found[part]
        scores[part] = published(calibration, outcome.best[part])
    return found, scores


def in_folds(sheet: Sheet) -> Iterator[Which]:
    chosen = random.Random(SEED)
    keys = sorted({*zip(sheet.sets.tolist(), sheet.numbers.tolist(), strict=True)})
    fold = {key: chosen.randrange(FOLDS) for key in keys}
    folds = np.array([fold[key] for key in zip(sheet.sets.tolist(), sheet.numbers.tolist(),
                                               strict=True)])  # fmt: skip
    return (folds == number for number in range(FOLDS))


def by(column: NDArray[np.str_]) -> Iterator[Which]:
    return (column == value for value in np.unique(column))


def points(
    sheet: Sheet, outcome: Outcome, which: Which, floor: float
) -> tuple[tuple[float, float], ...]:
    """Published 0 where unrelated texts lie, the floor, 0.70 and 1.

    A quarter of the questions that share a word with their fact score less than 0.70, and a tenth
    would have the fused score that is published as 1.
    """
    shared = which & (sheet.answered > 0) & ~sheet.hard & ~sheet.mixed
    weighed = [
        np.quantile(outcome.best[shared & (sheet.sets == name)], np.linspace(0, 1, 101))
        for name in np.unique(sheet.sets[shared])
    ]
    quarter, tenth = np.quantile(np.concatenate(weighed), (0.25, 0.9))
    placed = ((0.0, 0.0), (floor, rank.FLOOR), (quarter, 0.70), (tenth, 1.0))
    return tuple((round(float(fused), 2), share) for fused, share in placed)


def report(sheet: Sheet, unrelated: float, picture: Path | None = None) -> Iterator[str]:
    tried = outcomes(sheet)
    outcome, calibration = fitted(sheet, tried, sheet.sets != PROMISED, unrelated)
    yield str(calibration)
    scores = published(calibration, outcome.best)
    yield "\n" + " " * 34 + "  ".join(f"{name:>13}" for name in FIGURES)
    yield from _lines(sheet, "in sample", outcome.found, scores)
    for name, parts in (
        (f"held out: {FOLDS} parts, seed {SEED}", in_folds(sheet)),
        ("held out: each set by the others", by(sheet.sets)),
        ("held out: each directory by the other", by(sheet.directories)),
    ):
        found, held = held_out(sheet, tried, parts, unrelated)
        yield from _lines(sheet, name, found, held)
        if picture is not None and name.endswith(str(SEED)):
            picture.write_text(_drawn(sheet, scores, held), "utf-8")
    yield from _lines(sheet, f"in sample, floor {rank.WEAK}", outcome.found, scores, rank.WEAK)


def _lines(
    sheet: Sheet, name: str, found: Floats, scores: Floats, floor: float = rank.FLOOR
) -> Iterator[str]:
    yield name
    over = (scores >= floor).astype(float)
    for each in np.unique(sheet.sets[sheet.sets != PROMISED]):
        shown = figures(sheet, found, over, sheet.sets == each)
        yield f"  {each:<32}" + "  ".join(f"{value:>13.2f}" for value in shown)


def _drawn(sheet: Sheet, scores: Floats, held: Floats) -> str:
    alone = (sheet.sets != PROMISED) & ~sheet.mixed
    answered = alone & (sheet.answered > 0)
    kinds = (
        ("kept, a word shared", answered & ~sheet.hard),
        ("kept, no word shared", answered & sheet.hard),
        ("unanswerable, finds something", alone & (sheet.answered == 0)),
    )
    floors = np.linspace(0, 1, 101)
    lines = [
        curves.Line(
            f"{name} ({how})",
            [(floor, mean_of_sets(sheet, (some >= floor) * 1.0, which)) for floor in floors],
            colour,
            dashed,
        )
        for colour, (name, which) in enumerate(kinds)
        for how, some, dashed in (("fitted", scores, False), ("held out", held, True))
    ]
    return curves.drawn(
        "Questions that find their fact, and unanswerable ones that find something, by the floor",
        "floor",
        lines,
        (rank.FLOOR, rank.WEAK),
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("directories", nargs="*", type=Path, default=recall.DIRECTORIES)
    parser.add_argument("--model", default=embed.BUNDLED)
    parser.add_argument("--picture", type=Path)
    given = parser.parse_args(arguments)
    sets = [
        (directory.name, each)
        for directory in given.directories
        for each in numbered(recall.read(directory))
    ]
    if not sets:
        sys.stderr.write("There are no question sets there: name another folder.\n")
        return 2
    with tempfile.TemporaryDirectory() as cache:
        embedder = embed.load(given.model, cache_dir=Path(cache))
        unrelated = unrelated_cosine(sets, embedder)
        sheet = gather(sets, embedder, unrelated)
    for line in report(sheet, unrelated, given.picture):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
