"""AsyncEngine: one worker thread owns the engine, the event loop only awaits.

The interface never waits for the disk on its loop. Refuses a second colour of the engine: a job is
a function of the engine, `await bridge.read(lambda engine: engine.library.shelf())`.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from localmem.engine import Engine
from localmem.errors import ModelUnavailable

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class _Job:
    work: Callable[[Engine], Any]
    future: Future[Any] = field(default_factory=Future)


class AsyncEngine:
    """Jobs run one after another, in the order they were asked for."""

    def __init__(self, open_engine: Callable[[], Engine]) -> None:
        """`open_engine` runs on the worker thread, which alone touches the engine."""
        self._open_engine = open_engine
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._running: _Job | None = None
        self._engine: Engine | None = None
        self._saving = 0
        self.on_saving: Callable[[bool], None] = lambda saving: None
        """Told on the loop when a write of the person's begins and when the last one is done."""
        self._thread = threading.Thread(target=self._work, name="localmem-store", daemon=True)

    async def start(self) -> None:
        """Open the library. Raises what opening raises; then nothing is left running."""
        opened = _Job(lambda engine: None)
        self._jobs.put(opened)
        self._thread.start()
        await asyncio.wrap_future(opened.future)

    async def read(self, work: Callable[[Engine], T]) -> T:
        """Run `work`; a cancelled waiter stops it, also in the middle of a statement."""
        job = _Job(work)
        self._jobs.put(job)
        try:
            result: T = await asyncio.wrap_future(job.future)
        except asyncio.CancelledError:
            self._stop(job)
            raise
        return result

    async def write(self, work: Callable[[Engine], T], *, quiet: bool = False) -> T:
        """Run `work` to its end, even when the waiter is gone: what was confirmed is kept.

        `quiet` for what goes on by itself and nobody waits for.
        """
        job = _Job(work)
        self._jobs.put(job)
        written = asyncio.wrap_future(job.future)
        if not quiet:
            self._count_saving(1)
            written.add_done_callback(lambda done: self._count_saving(-1))
        result: T = await asyncio.shield(written)
        return result

    def _count_saving(self, by: int) -> None:
        before, self._saving = self._saving, self._saving + by
        if bool(before) != bool(self._saving):
            self.on_saving(bool(self._saving))

    async def beside(self, work: Callable[[], T]) -> T:
        """Run what needs no engine on a thread of its own: neither waits for the other."""
        return await asyncio.to_thread(work)

    async def load_model(self) -> str:
        """Load the model beside the store's thread; why there is none, or "" when there is."""
        meaning = await self.read(lambda engine: engine.meaning)
        if not meaning.possible:
            return meaning.problem
        try:
            embedder = await asyncio.to_thread(meaning.load)
        except ModelUnavailable as problem:
            why = str(problem)
            await self.write(lambda engine: engine.meaning.fail(why))
            return why
        if embedder is not None:
            await self.write(lambda engine: engine.meaning.attach(embedder))
        return meaning.problem

    async def embed_waiting(self) -> int:
        """Embed a few of the memories that wait, without holding up the store; how many were.

        Raises ModelUnavailable.
        """
        batch = await self.read(lambda engine: engine.meaning.next_batch())
        if batch is None:
            return 0
        while await self.beside(batch.embed_some):
            pass  # nor may leaving wait for more than one step
        return await self.write(lambda engine: engine.meaning.keep(batch), quiet=True)

    async def close(self) -> None:
        """Finish what was asked for, then close the library."""
        self._jobs.put(None)
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join)

    def _stop(self, job: _Job) -> None:
        with self._lock:
            if self._running is job and self._engine is not None:
                self._engine.interrupt()

    def _work(self) -> None:
        try:
            self._engine = self._open_engine()
        except BaseException as problem:  # noqa: BLE001 - handed to everyone who waits
            self._refuse(problem)
            return
        try:
            while (job := self._jobs.get()) is not None:
                self._do(job, self._engine)
        finally:
            self._engine.close()

    def _do(self, job: _Job, engine: Engine) -> None:
        with self._lock:
            if not job.future.set_running_or_notify_cancel():
                return
            engine.resume()
            self._running = job
        try:
            result = job.work(engine)
        except BaseException as problem:  # noqa: BLE001 - raised where the job is awaited
            self._finished()
            job.future.set_exception(problem)
        else:
            self._finished()
            job.future.set_result(result)

    def _finished(self) -> None:
        with self._lock:
            self._running = None

    def _refuse(self, problem: BaseException) -> None:
        """The library could not be opened: everyone who asked hears why."""
        while True:
            job = self._jobs.get()
            if job is None:
                return
            job.future.set_exception(problem)
