"""Recall and the floor, measured exactly as the product scores: prints one table per library.

    python bench/recall.py [DIRECTORY] [--views]

DIRECTORY holds question sets (`name`, `library`, `questions`, `unanswerable`); without it, the
project's own beside the repository. Word frequencies come from a real FTS5 index and vectors
from the bundled model; everything between is `localmem.core`. `--views` embeds the mean of
`passages.views` instead of each passage as it stands, which the engine does not do.

The fusion, the floor's place and the size of passages were chosen on these very sets, among about
a hundred settings: what is printed is an upper bound of what other questions will see. Sets are for
measuring: none is part of the project, and nothing in it may be fitted to a single question.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from localmem.core import passages, rank, words
from localmem.core.ports import Embedder
from localmem.embed import load

Vectors = NDArray[np.float32]
FLOORS = (0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50, 0.60)
DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "eval"
BATCH = 256
CONTACT = (
    ("how do they like to be contacted?", "Prefers WhatsApp over email."),
    ("como ela gosta de ser contatada?", "Prefere WhatsApp a e-mail."),
)


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    relevant: frozenset[str]
    """Texts that answer it; empty when nothing in the library does."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One column per way of scoring, one row per text of the library."""

    meaning: NDArray[np.float64]
    words: NDArray[np.float64]
    fused: NDArray[np.float64]
    published: NDArray[np.float64]


class Meaning:
    """Unit vectors by text, each computed once."""

    def __init__(self, embedder: Embedder, *, viewed: bool) -> None:
        self._embedder = embedder
        self._viewed = viewed
        self._known: dict[str, Vectors] = {}
        self.calibration = rank.calibration_for(embedder.model.name)

    def learn(self, texts: Sequence[str]) -> None:
        new = sorted(set(texts) - self._known.keys(), key=len)
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            views = [passages.views(text) if self._viewed else (text,) for text in batch]
            flat = [view for group in views for view in group]
            rows = iter(self._embedder.embed(flat))
            for text, group in zip(batch, views, strict=True):
                parts = [np.frombuffer(next(rows), dtype="<f4") for _ in group]
                self._known[text] = _unit(np.sum(parts, axis=0, dtype=np.float32))

    def of(self, text: str) -> Vectors:
        return self._known[text]


class Library:
    """Texts, indexed by words and by meaning."""

    def __init__(self, texts: Sequence[str], meaning: Meaning) -> None:
        self.texts = list(dict.fromkeys(texts))
        self._meaning = meaning
        self._vocabularies = [words.vocabulary(text) for text in self.texts]
        self._index = apsw.Connection(":memory:")
        self._index.execute(
            "CREATE VIRTUAL TABLE words USING fts5"
            "(body, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')"
        )
        self._index.executemany(
            "INSERT INTO words VALUES (?)", [(words.index_text(text),) for text in self.texts]
        )
        split = [(n, part) for n, text in enumerate(self.texts) for part in passages.split(text)]
        meaning.learn([part for _, part in split])
        self._owner = np.array([n for n, _ in split])
        self._vectors = np.stack([meaning.of(part) for _, part in split])

    def score(self, question: str) -> Scored:
        self._meaning.learn([question])
        cosine = np.full(len(self.texts), -1.0)
        np.maximum.at(cosine, self._owner, self._vectors @ self._meaning.of(question))
        terms = words.terms(question)
        weights = rank.weights({term: self._frequency(term) for term in terms}, len(self.texts))
        covered = [rank.coverage(terms, held, weights) for held in self._vocabularies]
        calibration = self._meaning.calibration
        pairs = list(zip(cosine.tolist(), covered, strict=True))
        return Scored(
            meaning=cosine,
            words=np.array(covered),
            fused=np.array([rank.fuse(calibration.level(c), w) for c, w in pairs]),
            published=np.array([rank.score(calibration, c, w).value for c, w in pairs]),
        )

    def _frequency(self, term: str) -> int:
        sql = "SELECT count(*) FROM words WHERE words MATCH ?"
        ((count,),) = self._index.execute(sql, (words.term_expression(term),)).fetchall()
        return int(str(count))


def _unit(vector: Vectors) -> Vectors:
    return vector / np.linalg.norm(vector)


@dataclass(frozen=True, slots=True)
class Set:
    name: str
    texts: tuple[str, ...]
    questions: tuple[Question, ...]
    unanswerable: tuple[Question, ...]


def read(directory: Path) -> Iterator[Set]:
    for file in sorted(directory.glob("*.json")):
        content: Any = json.loads(file.read_text(encoding="utf-8"))
        for entry in content if isinstance(content, list) else [content]:
            text = {item["id"]: item["text"] for item in entry["library"]}
            yield Set(
                name=file.stem,
                texts=tuple(text.values()),
                questions=tuple(
                    Question(q["q"], frozenset(text[id] for id in q["relevant"]))
                    for q in entry["questions"]
                ),
                unanswerable=tuple(Question(q, frozenset()) for q in entry["unanswerable"]),
            )


@dataclass(frozen=True, slots=True)
class Run:
    texts: Sequence[str]
    asked: tuple[tuple[Question, Scored], ...]
    unanswerable: tuple[Scored, ...]

    def best(self) -> list[float]:
        """Published score of each question's best answer."""
        return [
            max(
                float(value)
                for text, value in zip(self.texts, scored.published, strict=True)
                if text in question.relevant
            )
            for question, scored in self.asked
        ]

    def wrong(self) -> list[float]:
        return [float(scored.published.max()) for scored in self.unanswerable]

    def ranks(self, column: Callable[[Scored], NDArray[np.float64]]) -> list[list[int]]:
        """Places (from 0) of every answer; among equals the one stored first is first."""
        found = []
        for question, scored in self.asked:
            order = np.argsort(-column(scored), kind="stable")
            found.append([n for n, at in enumerate(order) if self.texts[at] in question.relevant])
        return found


def run(library: Library, questions: Sequence[Question], unanswerable: Sequence[Question]) -> Run:
    return Run(
        library.texts,
        tuple((question, library.score(question.text)) for question in questions),
        tuple(library.score(question.text) for question in unanswerable),
    )


def _recall(ranks: Sequence[Sequence[int]], at: int) -> float:
    return float(np.mean([sum(place < at for place in places) / len(places) for places in ranks]))


def _table(name: str, runs: Sequence[Run]) -> Iterator[str]:
    asked = sum(len(one.asked) for one in runs)
    yield f"\n{name}: {asked} questions, {sum(len(one.unanswerable) for one in runs)} unanswerable"
    columns: tuple[tuple[str, Callable[[Scored], NDArray[np.float64]]], ...] = (
        ("words", lambda scored: scored.words),
        ("meaning", lambda scored: scored.meaning),
        ("fused", lambda scored: scored.fused),
    )
    yield f"  {'':8} {'R@1':>6} {'R@5':>6} {'R@10':>6} {'MRR':>6}"
    for label, column in columns:
        ranks = [places for one in runs for places in one.ranks(column)]
        mrr = float(np.mean([1 / (1 + places[0]) for places in ranks]))
        recalls = " ".join(f"{_recall(ranks, at):6.3f}" for at in (1, 5, 10))
        yield f"  {label:8} {recalls} {mrr:6.3f}"
    best = [value for one in runs for value in one.best()]
    wrong = [value for one in runs for value in one.wrong()]
    yield "  floor    " + " ".join(f"{floor:5.2f}" for floor in FLOORS)
    yield "  kept %   " + _shares(best)
    if wrong:
        yield "  false %  " + _shares(wrong)


def _shares(values: Sequence[float]) -> str:
    return " ".join(f"{100 * float(np.mean(np.array(values) >= floor)):5.0f}" for floor in FLOORS)


def _must_haves(sets: Sequence[Set], meaning: Meaning) -> Iterator[str]:
    """The two questions that a library of about thirty facts must answer (memory-api)."""
    for question, answer in CONTACT:
        home = next((one for one in sets if answer in one.texts), None)
        if home is None:
            continue
        texts = dict.fromkeys([answer, *home.texts])
        library = Library(list(texts)[:30], meaning)
        published = library.score(question).published
        place = int(np.sum(published > published[0])) + 1
        yield f"{question!r} -> {answer!r}: {published[0]:.2f}, place {place} of 30"


def report(sets: Sequence[Set], meaning: Meaning) -> Iterator[str]:
    by_name: dict[str, list[Set]] = {}
    for one in sets:
        by_name.setdefault(one.name, []).append(one)
    for name, members in by_name.items():
        runs = [run(Library(s.texts, meaning), s.questions, s.unanswerable) for s in members]
        yield from _table(name, runs)
    everything = Library([text for one in sets for text in one.texts], meaning)
    yield f"\nOne library of all sets, {len(everything.texts)} texts (twins in other languages)"
    for name, members in by_name.items():
        questions = [q for one in members for q in one.questions]
        unanswerable = [q for one in members for q in one.unanswerable]
        yield from _table(f"{name} in all", [run(everything, questions, unanswerable)])
    yield ""
    yield from _must_haves(sets, meaning)


def main(arguments: Sequence[str]) -> int:
    viewed = "--views" in arguments
    places = [Path(argument) for argument in arguments if not argument.startswith("--")]
    directory = places[0] if places else DEFAULT
    sets = list(read(directory))
    if not sets:
        sys.stderr.write(f"No question sets in {directory}: nothing measured.\n")
        return 0
    with tempfile.TemporaryDirectory() as cache:
        meaning = Meaning(load(cache_dir=Path(cache)), viewed=viewed)
        for line in report(sets, meaning):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
