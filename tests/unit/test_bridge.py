from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from localmem.bridge import AsyncEngine
from localmem.core.change import Saved
from localmem.core.model import Kind
from localmem.core.ports import Embedder
from localmem.core.records import Slice
from localmem.engine import Engine
from localmem.engine.answers import MeaningState
from localmem.engine.meaning import STEP
from localmem.errors import Cancelled, ModelUnavailable, StoreUnavailable
from localmem.ids import TimeOrderedIds
from localmem.store.sqlite import open_store
from tests.support.library import PERSON, FixedClock, WordsEmbedder, open_library

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.fixture
def opening(tmp_path: Path, clock: FixedClock) -> Callable[[], Engine]:
    return lambda: open_library(tmp_path / "library.db", clock)


async def test_every_job_runs_on_one_thread_that_is_not_the_loop_s(
    opening: Callable[[], Engine],
) -> None:
    bridge = AsyncEngine(opening)
    await bridge.start()
    seen = await asyncio.gather(
        *(bridge.read(lambda engine: threading.get_ident()) for _ in range(20))
    )
    assert len(set(seen)) == 1
    assert seen[0] != threading.get_ident()
    await bridge.close()


async def test_an_error_is_raised_where_the_job_is_awaited(opening: Callable[[], Engine]) -> None:
    bridge = AsyncEngine(opening)
    await bridge.start()
    with pytest.raises(ZeroDivisionError):
        await bridge.read(lambda engine: 1 // 0)
    assert await bridge.read(lambda engine: engine.library.count(Slice())) == 0
    await bridge.close()


async def test_a_library_that_cannot_be_opened_says_why_and_leaves_nothing_running() -> None:
    def refuse() -> Engine:
        raise StoreUnavailable("No.")

    bridge = AsyncEngine(refuse)
    with pytest.raises(StoreUnavailable):
        await bridge.start()
    await bridge.close()
    assert "localmem-store" not in {thread.name for thread in threading.enumerate()}


async def test_cancelling_stops_a_statement_in_the_middle(opening: Callable[[], Engine]) -> None:
    bridge = AsyncEngine(opening)
    await bridge.start()
    started = threading.Event()
    outcome: list[type[BaseException]] = []

    def endless(engine: Engine) -> None:
        started.set()
        try:
            with engine.facts.context.store.reading():
                session = engine.facts.context.store.items.session  # type: ignore[attr-defined]
                session.run(ENDLESS).fetchall()
        except Cancelled:
            outcome.append(Cancelled)
            raise

    waiting = asyncio.create_task(bridge.read(endless))
    await asyncio.to_thread(started.wait)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    # The next job is answered, and not stopped by the cancellation before it.
    assert await bridge.read(lambda engine: engine.library.count(Slice())) == 0
    assert outcome == [Cancelled]
    await bridge.close()


async def test_a_job_that_waits_is_dropped_when_its_waiter_gives_up(
    opening: Callable[[], Engine],
) -> None:
    bridge = AsyncEngine(opening)
    await bridge.start()
    gate = threading.Event()
    ran: list[int] = []
    first = asyncio.create_task(bridge.read(lambda engine: gate.wait()))
    second = asyncio.create_task(bridge.read(lambda engine: ran.append(2)))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.sleep(0)
    gate.set()
    await first
    assert await bridge.read(lambda engine: list(ran)) == []
    await bridge.close()


async def test_a_write_is_finished_also_when_nobody_waits_any_more(
    opening: Callable[[], Engine],
) -> None:
    bridge = AsyncEngine(opening)
    await bridge.start()
    gate, started = threading.Event(), threading.Event()

    def add(engine: Engine) -> None:
        started.set()
        gate.wait()
        engine.facts.add("kept although the screen was closed")

    waiting = asyncio.create_task(bridge.write(add))
    await asyncio.to_thread(started.wait)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    gate.set()
    assert await bridge.read(lambda engine: engine.library.count(Slice(Kind.FACT))) == 1
    await bridge.close()


async def test_the_model_is_loaded_beside_the_store_s_thread(
    tmp_path: Path, clock: FixedClock
) -> None:
    threads: list[int] = []

    def load() -> Embedder:
        threads.append(threading.get_ident())
        return WordsEmbedder()

    def opening() -> Engine:
        threads.append(threading.get_ident())
        store = open_store(tmp_path / "library.db", clock)
        return Engine(store, clock, TimeOrderedIds(clock), PERSON, load_embedder=load)

    bridge = AsyncEngine(opening)
    await bridge.start()
    assert await bridge.load_model() == ""
    assert len(set(threads)) == 2
    result = await bridge.write(lambda engine: engine.facts.add("Likes tea"))
    assert isinstance(result, Saved)
    await bridge.write(lambda engine: engine.meaning.embed_waiting())
    state = await bridge.read(lambda engine: engine.meaning.state())
    assert state == (MeaningState.READY, 0)
    await bridge.close()


async def test_a_slow_model_holds_up_nobody_while_it_embeds_in_steps(
    tmp_path: Path, clock: FixedClock
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    steps: list[int] = []

    class Slow(WordsEmbedder):
        def embed(self, texts: Sequence[str]) -> list[bytes]:
            steps.append(len(texts))
            begun.set()
            assert go_on.wait(timeout=30)
            return super().embed(texts)

    bridge = AsyncEngine(lambda: open_library(tmp_path / "library.db", clock, embedder=Slow()))
    await bridge.start()
    long = "".join(f"Sentence number {n} of a long text that has many. " for n in range(60))
    await bridge.write(lambda engine: engine.facts.add(long))
    embedding = asyncio.create_task(bridge.embed_waiting())
    await asyncio.to_thread(begun.wait)
    # The model is in the middle of it, and the library is read and written.
    saved = await bridge.write(lambda engine: engine.facts.add("Likes tea"))
    assert isinstance(saved, Saved)
    assert await bridge.read(lambda engine: engine.library.count(Slice())) == 2
    go_on.set()
    assert await embedding == 1
    assert len(steps) > 2
    assert max(steps) <= STEP
    assert await bridge.embed_waiting() == 1
    assert await bridge.embed_waiting() == 0
    await bridge.close()


async def test_a_fact_that_changed_while_it_was_embedded_is_embedded_again(
    tmp_path: Path, clock: FixedClock
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Slow(WordsEmbedder):
        def embed(self, texts: Sequence[str]) -> list[bytes]:
            begun.set()
            assert go_on.wait(timeout=30)
            return super().embed(texts)

    bridge = AsyncEngine(lambda: open_library(tmp_path / "library.db", clock, embedder=Slow()))
    await bridge.start()
    kept = await bridge.write(lambda engine: engine.facts.add("Likes tea"))
    assert isinstance(kept, Saved)
    embedding = asyncio.create_task(bridge.embed_waiting())
    await asyncio.to_thread(begun.wait)
    await bridge.write(lambda engine: engine.facts.edit(kept.item.id, text="Likes coffee"))
    go_on.set()
    await embedding
    assert await bridge.read(lambda engine: engine.meaning.state()) == (MeaningState.FILLING, 1)
    assert await bridge.embed_waiting() == 1
    assert await bridge.read(lambda engine: engine.meaning.state()) == (MeaningState.READY, 0)
    await bridge.close()


async def test_a_missing_model_is_a_sentence_and_words_go_on(
    tmp_path: Path, clock: FixedClock
) -> None:
    def load() -> Embedder:
        raise ModelUnavailable("There is no model here.", hint="Install it again.")

    def opening() -> Engine:
        store = open_store(tmp_path / "library.db", clock)
        return Engine(store, clock, TimeOrderedIds(clock), PERSON, load_embedder=load)

    bridge = AsyncEngine(opening)
    await bridge.start()
    assert await bridge.load_model() == "There is no model here. Install it again."
    state = await bridge.read(lambda engine: engine.meaning.state())
    assert state == (MeaningState.OFF, 0)
    await bridge.close()
