"""What a person gets from the model that comes with the package: the right fact, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from localmem import embed
from localmem.core.model import FactContent
from localmem.core.query import Query
from localmem.engine import Engine
from tests.support.library import FixedClock, open_library

KEPT = (
    "Prefers WhatsApp over email.",
    "Prefere WhatsApp a e-mail.",
    "Has a dog called Rex and an old tabby.",
    "Alérgica a amendoim e a camarão.",
    "Works from the Lisbon office on Tuesdays.",
    "Plays the cello in an amateur orchestra.",
    "Always books an aisle seat near the front.",
    "Toma café sem açúcar.",
    "Invoices go to accounting before the 25th.",
    "The spare key is under the blue pot.",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    cache: Path = tmp_path_factory.mktemp("model")
    engine = open_library(":memory:", FixedClock(), embedder=embed.load(cache_dir=cache))
    for text in KEPT:
        engine.facts.add(text)
    while engine.meaning.embed_waiting():
        pass
    return engine


def found(engine: Engine, question: str) -> list[str]:
    hits = engine.recall.search(Query(text=question, meaning=question)).hits
    contents = [hit.item.head.content for hit in hits]
    return [content.text for content in contents if isinstance(content, FactContent)]


@pytest.mark.parametrize(("question", "fact"), [
    ("how do they like to be contacted?", "Prefers WhatsApp over email."),
    ("como ela gosta de ser contatada?", "Prefere WhatsApp a e-mail."),
    ("does she have any pets?", "Has a dog called Rex and an old tabby."),
    ("a que ela tem alergia?", "Alérgica a amendoim e a camarão."),
    ("what instrument do they play?", "Plays the cello in an amateur orchestra."),
])  # fmt: skip
def test_a_question_that_shares_no_word_with_its_fact_finds_it(
    engine: Engine, question: str, fact: str
) -> None:
    assert fact in found(engine, question)


@pytest.mark.parametrize("question", [
    "what is the capital of France?", "how deep is the Pacific ocean?",
    "quem ganhou a guerra do Paraguai?", "which planet has the most moons?",
])  # fmt: skip
def test_a_question_about_nothing_in_the_library_finds_nothing(
    engine: Engine, question: str
) -> None:
    assert found(engine, question) == []
