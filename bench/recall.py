"""Recall and the floor, measured through the product's own engine: one table for every library.

    python bench/recall.py [DIRECTORY]

DIRECTORY holds question sets (`name`, `library`, `questions`, `unanswerable`); without it, the
project's own beside the repository. Each library is kept in memory as facts of one scope and asked
through `engine.recall`, once with words alone and once with the bundled model.

The score, the floor's place and the size of passages were chosen on these very sets, among about
a hundred settings: what is printed is an upper bound of what other questions will see. Sets are for
measuring: none is part of the project, and nothing in it may be fitted to a single question.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "eval"
MUST = (
    ("how do they like to be contacted?", "Prefers WhatsApp over email."),
    ("como ela gosta de ser contatada?", "Prefere WhatsApp a e-mail."),
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

    def ask(self, question: Question) -> Asked:
        found = self.engine.recall.search(Query(meaning=question.text), limit=100, floor=None)
        texts = [getattr(hit.item.head.content, "text", "") for hit in found.hits]
        scores = dict(zip(texts, (hit.score for hit in found.hits), strict=True))
        if not question.relevant:
            return Asked((), max(scores.values(), default=0.0))
        places = (texts.index(text) if text in scores else 999 for text in question.relevant)
        return Asked(tuple(places), max(scores.get(text, 0.0) for text in question.relevant))

    def ask_all(self, questions: Sequence[Question]) -> list[Asked]:
        return [self.ask(question) for question in questions]


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


def recall(asked: Sequence[Asked], at: int) -> float:
    """Mean share of the relevant texts among the first `at` hits."""
    shares = (sum(place < at for place in each.places) / len(each.places) for each in asked)
    return sum(shares) / len(asked)


def reciprocal(asked: Sequence[Asked]) -> float:
    return sum(1 / (min(each.places) + 1) for each in asked) / len(asked)


def share_over(asked: Sequence[Asked], floor: float) -> str:
    return f"{sum(each.score >= floor for each in asked) / len(asked):.0%}" if asked else "-"


def table(name: str, size: int, ways: dict[str, tuple[list[Asked], list[Asked]]]) -> str:
    lines = [f"\n{name}: {size:,} facts, {len(next(iter(ways.values()))[0])} questions"]
    for way, (asked, nothing) in ways.items():
        figures = "  ".join(f"R@{at} {recall(asked, at):.3f}" for at in (1, 5, 10))
        lines.append(f"  {way:<18} {figures}  MRR {reciprocal(asked):.3f}")
        kept = " ".join(f"{share_over(asked, floor):>5}" for floor in FLOORS)
        false = " ".join(f"{share_over(nothing, floor):>5}" for floor in FLOORS)
        lines.append(f"  {'':<18} kept at the floor   {kept}")
        lines.append(f"  {'':<18} false ({len(nothing):>3} asked)   {false}")
    return "\n".join(lines)


def report(sets: Sequence[Set], embedder: Embedder) -> Iterator[str]:
    yield "floors" + " " * 35 + " ".join(f"{floor:>5.2f}" for floor in FLOORS)
    named: dict[str, list[Set]] = {}
    for each in sets:
        named.setdefault(each.name, []).append(each)
    everything = list(dict.fromkeys(text for each in sets for text in each.texts))
    mixed = Library(everything, embedder)
    for name, group in named.items():
        ways: dict[str, tuple[list[Asked], list[Asked]]] = {}
        for way in ("words alone", "words and meaning", "in one library"):
            answers = ([], [])  # type: tuple[list[Asked], list[Asked]]
            for each in group:
                model = None if way == "words alone" else embedder
                library = mixed if way == "in one library" else Library(each.texts, model)
                answers[0].extend(library.ask_all(each.questions))
                answers[1].extend(library.ask_all(each.unanswerable))
            ways[way] = answers
        yield table(name, sum(len(each.texts) for each in group), ways)
    yield from _must_haves(sets, embedder)


def promised(sets: Sequence[Set]) -> Set:
    """The two questions that are promised an answer, in a library of some thirty facts."""
    others = [text for each in sets[:3] for text in each.texts[1:11]]
    questions = (Question(question, frozenset({fact})) for question, fact in MUST)
    return Set("promised", (*(fact for _, fact in MUST), *others), tuple(questions), ())


def _must_haves(sets: Sequence[Set], embedder: Embedder) -> Iterator[str]:
    held = promised(sets)
    library = Library(held.texts, embedder)
    for question in held.questions:
        asked = library.ask(question)
        (fact,) = question.relevant
        yield f"\n{question.text!r} -> {fact!r}: {asked.score:.2f}, place {asked.places[0] + 1}"


def main(arguments: Sequence[str]) -> int:
    directory = Path(arguments[0]) if arguments else DEFAULT
    sets = list(read(directory))
    if not sets:
        sys.stderr.write(f"There are no question sets in {directory}: name another folder.\n")
        return 2
    with tempfile.TemporaryDirectory() as cache:
        embedder = embed.load(cache_dir=Path(cache))
        for line in report(sets, embedder):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
