"""How many memories are embedded at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from localmem.engine import Engine
from localmem.engine.meaning import BATCH, LONG, MOST_BATCH, SHORT, Meaning
from tests.support.library import WordsEmbedder


class Timed(WordsEmbedder):
    """A model that takes as long as it is told, by a clock of its own."""

    def __init__(self, seconds: float) -> None:
        super().__init__(8)
        self.seconds = seconds
        """For each text."""
        self.at = 0.0

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.at += self.seconds * len(texts)
        return super().embed(texts)


def meaning(engine: Engine, model: Timed) -> Meaning:
    made = Meaning(engine.facts.context, lambda: model, timer=lambda: model.at)
    made.ensure()
    return made


def fill(engine: Engine, count: int) -> None:
    with engine.facts.context.store.writing():
        for number in range(count):
            engine.facts.add(f"fact {number}")


def test_a_fast_model_embeds_ever_more_at_a_time_up_to_a_limit(
    make_engine: Callable[..., Engine],
) -> None:
    engine, model = make_engine(), Timed(SHORT / MOST_BATCH / 2)
    fill(engine, 2 * MOST_BATCH + 100)
    made = meaning(engine, model)
    steps = list(iter(made.embed_waiting, 0))
    assert steps[:8] == [BATCH, 32, 64, 128, 256, 512, MOST_BATCH, 116]
    assert sum(steps) == 2 * MOST_BATCH + 100


@pytest.mark.parametrize("seconds", [SHORT / BATCH, LONG / BATCH, 1.0])
def test_a_slow_model_embeds_no_more_than_the_least_at_a_time(
    make_engine: Callable[..., Engine], seconds: float
) -> None:
    engine = make_engine()
    fill(engine, 5 * BATCH)
    steps = list(iter(meaning(engine, Timed(seconds)).embed_waiting, 0))
    assert steps == [BATCH] * 5


def test_a_model_that_becomes_slow_embeds_fewer_at_a_time(
    make_engine: Callable[..., Engine],
) -> None:
    engine, model = make_engine(), Timed(0.0)
    fill(engine, 500)
    made = meaning(engine, model)
    assert [made.embed_waiting() for _ in range(3)] == [16, 32, 64]
    model.seconds = 0.001
    assert [made.embed_waiting() for _ in range(4)] == [128, 64, 32, 32]


def test_what_was_added_one_by_one_makes_no_batch_larger(
    make_engine: Callable[..., Engine],
) -> None:
    engine, model = make_engine(), Timed(0.0)
    made = meaning(engine, model)
    for number in range(20):
        engine.facts.add(f"one {number}")
        assert made.embed_waiting() == 1
    fill(engine, 100)
    assert made.embed_waiting() == BATCH
