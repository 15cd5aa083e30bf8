"""Recall and the floor, measured through the product's own engine: one table for every library.

    python bench/recall.py [DIRECTORY ...] [--model CHOICE] [--json]

DIRECTORY holds question sets (`name`, `library`, `questions`, `unanswerable`); without one, those
beside the repository and the project's own (`bench/sets`) are read. CHOICE is a model as the
setting names it: "bundled", or "quality" where it is installed. Each library is kept in memory as
facts of one scope and asked through `engine.recall`: with words alone, with meaning alone, with
both, and with both in one library of all sets of its directory. `--json` prints the same figures as
one JSON document.

What `bench/calibrate.py` fitted it fitted on these sets: figures on questions it never saw are its
own to print. Sets are for measuring: nothing in the product may be fitted to a single question.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from localmem import embed, ids
from localmem.core.change import Saved, Unchanged
from localmem.core.model import Actor, AuthorKind, Origin
from localmem.core.ports import Embedder
from localmem.core.query import Query
from localmem.engine import Engine
from localmem.store.sqlite import open_store

FLOORS = (0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50, 0.60)
_HERE = Path(__file__).resolve()
DIRECTORIES = (_HERE.parents[2] / "shared" / "eval", _HERE.parent / "sets")
WAYS = ("words alone", "meaning alone", "words and meaning", "in one library")
MUST = (
    ("how do they like to be contacted?", "Prefers WhatsApp over email."),
    ("como ela gosta de ser contatada?", "Prefere WhatsApp a e-mail."),
    ("como ela gosta de ser contatada?", "Prefers WhatsApp over email."),
)


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    relevant: frozenset[str]
    """Texts that answer it; empty when nothing in the library does."""


@dataclass(frozen=True, slots=True)
class Asked:
    places: tuple[int, ...]
    """Place of each relevant text among the hits, from 0; 999 when it is not among them."""
    score: float
    """Of the best relevant hit; of the best hit where nothing is relevant."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How a set of questions fared in one way."""

    recall: dict[int, float]
    """Mean share of the relevant texts among the first 1, 5 and 10 hits."""
    reciprocal_rank: float
    kept: dict[float, float]
    """Share of the answered questions whose best relevant hit is at a floor or above."""
    false: dict[float, float] | None
    """Share of the unanswerable ones that find something there; None without any."""
    questions: int
    unanswerable: int


class Library:
    """Texts kept in memory, found with the model or without it."""

    def __init__(self, texts: Sequence[str], embedder: Embedder | None) -> None:
        actor = Actor(AuthorKind.PERSON, "you", Origin.PYTHON)
        store = open_store(":memory:", ids.now, cached=True)
        load = (lambda: embedder) if embedder is not None else None
        self.engine = Engine(store, ids.now, ids.TimeOrderedIds(), actor, load_embedder=load)
        for text in texts:
            assert isinstance(self.engine.facts.add(text, keep_secret=True), Saved | Unchanged)
        self.engine.meaning.ensure()
        while self.engine.meaning.embed_waiting(limit=256):
            pass

    def ask(self, question: Question, *, by_meaning: bool = False) -> Asked:
        """`by_meaning` ranks and judges by the score of meaning alone."""
        found = self.engine.recall.search(Query(meaning=question.text), limit=100, floor=None)
        scores = {
            getattr(hit.item.head.content, "text", ""): (hit.meaning or 0.0)
            if by_meaning
            else hit.score
            for hit in found.hits
        }
        texts = sorted(scores, key=scores.__getitem__, reverse=True) if by_meaning else [*scores]
        if not question.relevant:
            return Asked((), max(scores.values(), default=0.0))
        places = (texts.index(text) if text in scores else 999 for text in question.relevant)
        return Asked(tuple(places), max(scores.get(text, 0.0) for text in question.relevant))

    def ask_all(self, questions: Sequence[Question], *, by_meaning: bool = False) -> list[Asked]:
        return [self.ask(question, by_meaning=by_meaning) for question in questions]


@dataclass(frozen=True, slots=True)
class Set:
    name: str
    texts: tuple[str, ...]
    questions: tuple[Question, ...]
    unanswerable: tuple[Question, ...]


def read(directory: Path) -> Iterator[Set]:
    for file in sorted(directory.glob("*.json")):
        held = json.loads(file.read_text("utf-8"))
        for library in held if isinstance(held, list) else [held]:
            yield _set(file.stem, library)


def _set(name: str, held: dict[str, Any]) -> Set:
    texts = {fact["id"]: fact["text"] for fact in held["library"]}
    questions = (
        Question(each["q"], frozenset(texts[id] for id in each["relevant"]))
        for each in held["questions"]
    )
    nothing = (Question(text, frozenset()) for text in held["unanswerable"])
    return Set(name, tuple(texts.values()), tuple(questions), tuple(nothing))


def figures(asked: Sequence[Asked], nothing: Sequence[Asked]) -> Figures:
    return Figures(
        {at: sum(_share_found(each, at) for each in asked) / len(asked) for at in (1, 5, 10)},
        sum(1 / (min(each.places) + 1) for each in asked) / len(asked),
        {floor: _share_over(asked, floor) for floor in FLOORS},
        {floor: _share_over(nothing, floor) for floor in FLOORS} if nothing else None,
        len(asked),
        len(nothing),
    )


def _share_found(asked: Asked, at: int) -> float:
    return sum(place < at for place in asked.places) / len(asked.places)


def _share_over(asked: Sequence[Asked], floor: float) -> float:
    return sum(each.score >= floor for each in asked) / len(asked)


def table(name: str, size: int, ways: dict[str, Figures]) -> str:
    lines = [f"\n{name}: {size:,} facts, {next(iter(ways.values())).questions} questions"]
    for way, each in ways.items():
        shares = "  ".join(f"R@{at} {share:.3f}" for at, share in each.recall.items())
        lines.append(f"  {way:<18} {shares}  MRR {each.reciprocal_rank:.3f}")
        lines.append(f"  {'':<18} kept at the floor   {_row(each.kept)}")
        if each.false is not None:
            lines.append(f"  {'':<18} false ({each.unanswerable:>3} asked)   {_row(each.false)}")
    return "\n".join(lines)


def _row(shares: dict[float, float]) -> str:
    return " ".join(f"{share:>5.0%}" for share in shares.values())


def measured(
    sets: Sequence[Set], embedder: Embedder
) -> Iterator[tuple[str, int, dict[str, Figures]]]:
    """Name, facts and figures by way of every set, the libraries of one file together."""
    named: dict[str, list[Set]] = {}
    for each in sets:
        named.setdefault(each.name, []).append(each)
    everything = list(dict.fromkeys(text for each in sets for text in each.texts))
    mixed = Library(everything, embedder)
    for name, group in named.items():
        answers: dict[str, tuple[list[Asked], list[Asked]]] = {way: ([], []) for way in WAYS}
        for each in group:
            bare, full = Library(each.texts, None), Library(each.texts, embedder)
            for way, library in zip(WAYS, (bare, full, full, mixed), strict=True):
                for place, asked in enumerate((each.questions, each.unanswerable)):
                    by_meaning = way == "meaning alone"
                    answers[way][place].extend(library.ask_all(asked, by_meaning=by_meaning))
        size = sum(len(each.texts) for each in group)
        yield name, size, {way: figures(*both) for way, both in answers.items()}


def promised(sets: Sequence[Set]) -> Set:
    """The questions that are promised an answer, in a library of some thirty facts."""
    others = [text for each in sets[:3] for text in each.texts[1:11]]
    questions = (Question(question, frozenset({fact})) for question, fact in MUST)
    facts = dict.fromkeys(fact for _, fact in MUST)
    return Set("promised", (*facts, *others), tuple(questions), ())


def must_haves(sets: Sequence[Set], embedder: Embedder) -> Iterator[tuple[str, float, int]]:
    """Question, score and place of the answer."""
    held = promised(sets)
    library = Library(held.texts, embedder)
    for question in held.questions:
        asked = library.ask(question)
        yield question.text, asked.score, asked.places[0] + 1


def report(groups: Sequence[Sequence[Set]], embedder: Embedder) -> Iterator[str]:
    yield "floors" + " " * 35 + " ".join(f"{floor:>5.2f}" for floor in FLOORS)
    for sets in groups:
        for name, size, ways in measured(sets, embedder):
            yield table(name, size, ways)
    for text, score, place in must_haves(groups[0], embedder):
        yield f"\n{text!r}: {score:.2f}, place {place}"


def document(groups: Sequence[Sequence[Set]], embedder: Embedder) -> dict[str, Any]:
    return {
        "model": embedder.model.name,
        "sets": {
            name: {"facts": size} | {way: asdict(each) for way, each in ways.items()}
            for sets in groups
            for name, size, ways in measured(sets, embedder)
        },
        "promised": [
            {"question": text, "score": score, "place": place}
            for text, score, place in must_haves(groups[0], embedder)
        ],
    }


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("directories", nargs="*", type=Path, default=DIRECTORIES)
    parser.add_argument("--model", default=embed.BUNDLED)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    groups = [sets for each in given.directories if (sets := list(read(each)))]
    if not groups:
        sys.stderr.write("There are no question sets there: name another folder.\n")
        return 2
    with tempfile.TemporaryDirectory() as cache:
        embedder = embed.load(given.model, cache_dir=Path(cache))
        lines: Iterable[str] = report(groups, embedder)
        if given.json:
            lines = [json.dumps(document(groups, embedder), indent=2)]
        for line in lines:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
