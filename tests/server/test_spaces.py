"""The open libraries: one thread each, none left behind, background work one step at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from localmem.core.model import Actor, AuthorKind, Origin
from localmem.core.query import Query
from localmem.engine import Engine
from localmem.engine.answers import MeaningState
from localmem.errors import ModelUnavailable, StoreBusy, StoreDamaged
from localmem.ids import TimeOrderedIds
from localmem.server.spaces import Spaces
from localmem.store.sqlite import open_store
from tests.support.library import FixedClock, WordsEmbedder

SERVER = Actor(AuthorKind.BACKEND, "server", Origin.HTTP)


def threads() -> int:
    return sum(thread.name == "localmem-store" for thread in threading.enumerate())


class Opener:
    """Opens libraries with a model that tests may slow down or break."""

    def __init__(self, clock: FixedClock) -> None:
        self.clock = clock
        self.opened: list[Path] = []
        self.loaded = threading.Event()
        self.loaded.set()
        self.problem: Exception | None = None

    def __call__(self, file: Path) -> Engine:
        self.opened.append(file)
        store = open_store(file, self.clock, cached=True)
        ids = TimeOrderedIds(self.clock)
        return Engine(store, self.clock, ids, SERVER, load_embedder=self._load)

    def _load(self) -> WordsEmbedder:
        assert self.loaded.wait(20)
        if self.problem is not None:
            raise self.problem
        return WordsEmbedder()


@pytest.fixture
def opener(clock: FixedClock) -> Opener:
    return Opener(clock)


@pytest.fixture
async def spaces(tmp_path: Path, opener: Opener) -> AsyncIterator[Spaces]:
    made = Spaces(tmp_path, opener, most_open=2)
    yield made
    await made.close()
    assert threads() == 0


async def test_a_library_is_opened_once_however_many_ask_at_once(
    tmp_path: Path, spaces: Spaces, opener: Opener
) -> None:
    async def use(number: int) -> None:
        async with spaces.using(tmp_path / "a.db") as space:
            await space.engine.write(lambda engine: engine.facts.add(f"Fact number {number}."))

    await asyncio.gather(*(use(number) for number in range(20)))
    assert opener.opened == [tmp_path / "a.db"] and threads() == 1


async def test_the_first_request_finds_by_meaning_what_was_kept_before(
    tmp_path: Path, spaces: Spaces, opener: Opener
) -> None:
    async with spaces.using(tmp_path / "a.db") as space:
        state, _ = await space.engine.read(lambda engine: engine.meaning.state())
    assert state in (MeaningState.READY, MeaningState.FILLING)


async def test_a_model_that_does_not_come_keeps_nobody_waiting_for_long(
    tmp_path: Path, spaces: Spaces, opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("localmem.server.spaces.MODEL_SECONDS", 0.01)
    opener.loaded.clear()
    async with spaces.using(tmp_path / "a.db") as space:
        await space.engine.write(lambda engine: engine.facts.add("Has two cats."))
        asked = Query(text="cats", meaning="cats")
        found = await space.engine.read(lambda engine: engine.recall.search(asked))
        assert [hit.item.head.content.text for hit in found.hits] == ["Has two cats."]  # type: ignore[union-attr]
        opener.loaded.set()
        await space.settled()
        state, waiting = await space.engine.read(lambda engine: engine.meaning.state())
    assert (state, waiting) == (MeaningState.READY, 0)


async def test_a_model_that_cannot_be_had_fails_no_write(
    tmp_path: Path, spaces: Spaces, opener: Opener
) -> None:
    opener.problem = ModelUnavailable("Its file is gone.")
    async with spaces.using(tmp_path / "a.db") as space:
        await space.engine.write(lambda engine: engine.facts.add("Has two cats."))
        space.embed_soon()
        await space.settled()
        assert await space.engine.read(lambda e: e.meaning.problem) == "Its file is gone."


async def test_a_library_that_cannot_be_opened_leaves_no_thread_and_may_be_tried_again(
    tmp_path: Path, spaces: Spaces
) -> None:
    file = tmp_path / "a.db"
    file.write_bytes(b"no library " * 100)
    for _ in range(3):
        with pytest.raises(StoreDamaged):
            async with spaces.using(file):
                raise AssertionError("it cannot be opened")
    assert threads() == 0
    file.unlink()
    async with spaces.using(file) as space:
        assert await space.engine.read(lambda engine: engine.path) == str(file)


async def test_the_longest_unused_is_closed_and_never_one_in_use(
    tmp_path: Path, spaces: Spaces, opener: Opener
) -> None:
    a, b, c = (tmp_path / f"{name}.db" for name in "abc")
    async with spaces.using(a) as space:
        for file in (b, c, b, c):
            async with spaces.using(file) as other:
                await other.settled()
        assert await space.engine.read(lambda engine: engine.path) == str(a)
    await spaces.settled()
    assert threads() <= 2
    assert opener.opened.count(a) == 1 and opener.opened.count(b) > 1


async def test_background_work_of_one_name_waits_once_and_a_failure_is_not_the_end(
    tmp_path: Path, spaces: Spaces
) -> None:
    begun: list[int] = []
    free = asyncio.Event()

    async def work(number: int) -> None:
        begun.append(number)
        await free.wait()
        raise StoreBusy("Somebody else holds it.")

    async with spaces.using(tmp_path / "a.db") as space:
        await space.settled()
        for number in range(3):
            space.soon("work", work(number))
        await asyncio.sleep(0)
        free.set()
        await space.settled()
        space.soon("work", work(3))
        await space.settled()
    assert begun == [0, 3]
