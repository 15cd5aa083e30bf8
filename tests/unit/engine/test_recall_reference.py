"""Search against the plainest way to say the same: every item judged one by one, in Python."""

from __future__ import annotations

import heapq
import random
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import pytest

from localmem.core import concepts, plain, rank, tongue, words
from localmem.core.model import Item, Kind
from localmem.core.query import Query
from localmem.core.records import Removal, Slice
from localmem.core.scope import PROJECT, contact
from localmem.engine import Engine
from localmem.engine.recall import _any, _Shares
from tests.support.library import WordsEmbedder

WORDS = ["Ana", "prefers", "green", "tea", "window", "seats", "size", "42", "shoes", "morning",
         "calls", "WhatsApp", "email", "Porto", "豆浆", "café", "gluten", "bread", "dogs",
         "invoices", "the", "with", "para", "não"]  # fmt: skip
PLACES = (PROJECT, contact("ana"), contact("bo"))


def said(chosen: random.Random, count: int) -> str:
    return " ".join(chosen.choice(WORDS) for _ in range(count))


def filled(engine: Engine, chosen: random.Random) -> list[Item]:
    """At most as many as are looked at by meaning, so that every item is a candidate."""
    for number in range(50):
        engine.facts.add(f"{said(chosen, 5)} n{number}.", scope=chosen.choice(PLACES))
    for number in range(8):
        engine.documents.set("notes", f"k{number}", said(chosen, 3), scope=chosen.choice(PLACES))
    while engine.meaning.embed_waiting():
        pass
    facts = engine.library.window(Slice(Kind.FACT), offset=0, limit=100)
    documents = engine.library.window(Slice(Kind.DOCUMENT), offset=0, limit=100)
    return [*facts, *documents]


def weights(held: Mapping[str, Sequence[str]], texts: Mapping[str, str]) -> dict[str, float]:
    return {name: rank.idf(len(found), len(texts)) for name, found in held.items()}


def shares(
    held: Mapping[str, Sequence[str]], texts: Mapping[str, str], besides: float = 0.0
) -> dict[str, float]:
    weigh = weights(held, texts)
    total = sum(weigh.values()) + besides
    return {
        id: sum(weigh[name] / total for name, found in held.items() if id in found) for id in texts
    }


def reference(
    items: Sequence[Item], query: Query, embedder: WordsEmbedder | None, reached: Counter[str]
) -> dict[str, tuple[float, float]]:
    """Of every item that the filters allow and anything speaks for the published score, and the one
    that decides its place."""
    texts = {
        item.id: plain.text(item)
        for item in items
        if (not query.scopes or item.scope in query.scopes)
        and (not query.kinds or item.kind in query.kinds)
    }
    owners = [scope.id for scope in query.scopes if scope.id]
    whose = words.vocabulary(owners[0]) if len(owners) == 1 else frozenset()
    holding = {
        term: [id for id, text in texts.items() if words.meets(term, words.vocabulary(text))]
        for term in words.terms(query.meaning, without=whose)
    }
    if query.phrases:
        holding[""] = [
            id for id, text in texts.items() if all(words.holds(text, p) for p in query.phrases)
        ]
    about = {
        name: [id for id, text in texts.items() if name in concepts.of(text)]
        for name in concepts.narrowest(concepts.of(query.meaning))
    }
    weigh = weights(holding, texts)
    untouched = words.terms(query.meaning, concepts.untouched(query.meaning) - whose)
    by_words = shares(holding, texts)
    by_topic = shares(about, texts, rank.UNTOUCHED * sum(weigh[term] for term in untouched))
    names = words.terms(query.meaning, words.names(query.meaning) - whose)
    kinds = {item.id: item.kind for item in items}
    scores = {}
    for id, text in texts.items():
        if not all(words.holds(text, phrase) for phrase in query.phrases):
            continue
        if any(words.holds(text, phrase) for phrase in query.without):
            continue
        cosine = None
        if embedder is not None and plain.found_by_meaning(kinds[id]):
            both = [array("f", vector) for vector in embedder.embed([text, query.meaning])]
            cosine = sum(a * b for a, b in zip(*both, strict=True))
        if cosine is None and not by_words[id] and not by_topic[id]:
            continue
        calibration = rank.calibration_for(embedder.model.name if embedder else "")
        held = [id in holding[name] for name in names]
        signals = rank.Signals(
            cosine,
            by_words[id],
            by_topic[id],
            2 * sum(held) / len(held) - 1 if held else 0.0,
            tongue.are_apart(tongue.of(query.meaning), tongue.of(text)),
        )
        place = calibration(rank.fuse(calibration, signals))
        scores[id] = rank.score(calibration, signals), place
        reached["kept at the floor"] += scores[id][0] > place
        reached["named"] += bool(held)
        reached["foreign"] += signals.foreign
    return scores


@pytest.mark.parametrize("how", ["words", "table", "memory"])
def test_scores_and_order_are_those_of_judging_every_item_one_by_one(
    make_engine: Callable[..., Engine], how: str
) -> None:
    chosen, reached = random.Random(11), Counter[str]()
    embedder = None if how == "words" else WordsEmbedder()
    engine = make_engine(embedder=embedder, cached=how == "memory")
    items = filled(engine, chosen)
    for _ in range(120):
        query = Query(
            meaning=said(chosen, chosen.randint(1, 4)),
            scopes=chosen.choice([(), (), PLACES[:1], PLACES[1:]]),
            kinds=chosen.choice([(), (), (Kind.FACT,), (Kind.DOCUMENT,)]),
            phrases=chosen.choice([(), (), (chosen.choice(WORDS),)]),
            without=chosen.choice([(), (), (chosen.choice(WORDS),)]),
        )
        expected = reference(items, query, embedder, reached)
        found = engine.recall.search(query, limit=100, floor=None)
        scores = {id: score for id, (score, _) in expected.items()}
        assert {hit.item.id: hit.score for hit in found.hits} == pytest.approx(scores, abs=1e-4)
        ordered = [expected[hit.item.id][1] for hit in found.hits]
        assert all(b <= a + 1e-6 for a, b in pairwise(ordered))
        reached["some" if found.hits else "none"] += 1
        reached["scoped"] += bool(query.scopes and found.hits)
        reached["filtered"] += bool((query.phrases or query.without) and found.hits)
    assert reached["some"] > 60
    assert reached["scoped"] > 15
    assert reached["filtered"] > 15
    assert reached["named"] > 100
    assert reached["foreign"] > 30


def test_the_best_rows_are_those_of_sorting_all_of_them() -> None:
    chosen, ties = random.Random(5), 0
    for _ in range(300):
        rows = {
            f"t{n}": sorted(chosen.sample(range(80), chosen.randint(0, 60)))
            for n in range(chosen.randint(0, 4))
        }
        allowed = chosen.choice([_any, lambda row: row % 3 > 0])
        weights = rank.weights({name: len(found) for name, found in rows.items()}, 80)
        held: dict[int, float] = {}
        for name, found in rows.items():
            for row in found:
                held[row] = held.get(row, 0.0) + weights[name] / sum(weights.values())
        newest_first = [row for row in reversed(held) if allowed(row)]
        best = heapq.nlargest(20, newest_first, key=held.__getitem__)
        assert _Shares(rows, 80).best(20, allowed) == best
        assert rank.coverage(rows, weights) == held
        ties += len(newest_first) > 20 and held[best[-1]] == held[best[-2]]
    assert ties > 100


def test_what_was_found_before_is_forgotten_with_every_change(
    make_engine: Callable[..., Engine],
) -> None:
    here, elsewhere = make_engine(cached=True), make_engine()

    def found() -> int:
        return len(here.recall.search(Query(meaning="green tea")).hits)

    for number, writer in enumerate([here, elsewhere, elsewhere, here], 1):
        writer.facts.add(f"Green tea {number}")
        assert (found(), found()) == (number, number)
    store = here.recall.context.store

    class TakenBack(Exception): ...

    with pytest.raises(TakenBack), store.writing():
        store.items.remove(
            [hit.item.id for hit in here.recall.search(Query(meaning="green tea")).hits[:1]],
            reason=Removal.FORGET,
            at=1,
        )
        assert found() == 3
        raise TakenBack
    assert found() == 4
