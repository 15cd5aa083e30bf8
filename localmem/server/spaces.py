"""The open libraries: a file each, one engine and one thread each; few are open at a time.

Nothing of one library is reachable from another: a request has the engine of its own partition and
no other. What goes on after a reply (embedding, rewriting files, wiping) stands in the same line
as requests, in small steps, so that none waits long. Refuses to close a library in use.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from localmem.bridge import AsyncEngine
from localmem.core.hosting import Partition, Wipe
from localmem.engine import Engine
from localmem.errors import LocalmemError, StoreDamaged
from localmem.server.errors import Refused

T = TypeVar("T")

MOST_OPEN = 64
READ_SECONDS = 30
MODEL_SECONDS = 5
"""How long the first request of a library waits for the model at most."""
QUIET_SECONDS = 0.5
"""So long nobody has written when what batches left is begun: each of its steps, and each
rewriting of the files, holds up whoever comes next."""
LONGEST_WAIT = 5.0
"""Then it is begun whoever writes."""
WIPE_STEP = 250
"""Facts wiped between two requests."""

log = logging.getLogger("localmem.server")


class OpenSpace:
    """One open library."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.to_embed = 0
        """Memories not yet found by meaning, as of the last step of it."""
        self._users = 0
        self._unused = asyncio.Event()
        self._unused.set()
        self._waiting: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers = 0
        """Writes that were asked for and are not done."""
        self._written = 0.0
        """When the last one was done, by the loop's time."""
        self._hurried = asyncio.Event()
        """Nothing is put off any more."""

    @contextmanager
    def used(self) -> Iterator[OpenSpace]:
        """Not closed meanwhile."""
        self._users += 1
        self._unused.clear()
        try:
            yield self
        finally:
            self._users -= 1
            if not self._users:
                self._unused.set()

    async def start(self) -> None:
        """Open the library, with its model where that is soon at hand: until then, searches would
        quietly find words alone. Raises what opening the library raises."""
        try:
            await self.engine.start()
        except BaseException:
            await self.engine.close()
            raise
        self.soon("model", self._attach())
        await asyncio.wait(self._tasks, timeout=MODEL_SECONDS)
        self.scrub_soon()

    def embed_soon(self) -> None:
        """Embed what waits; a search asked from now on comes after the first step of it."""
        self.soon("embed", self._embed())

    def scrub_soon(self) -> None:
        """Erase what expired, and rewrite the files without what was forgotten."""
        self.soon("scrub", self._maintain())

    def embed_when_quiet(self) -> None:
        """As `embed_soon`, once no write comes any more."""
        self.soon("embed when quiet", self._when_quiet(self.embed_soon))

    def scrub_when_quiet(self) -> None:
        """As `scrub_soon`, likewise."""
        self.soon("scrub when quiet", self._when_quiet(self.scrub_soon))

    def wipe_soon(self, wipe: Wipe, finished: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Wipe in steps, then await `finished`."""
        self.soon(f"wipe {wipe.scope} {wipe.mark}", self._wipe(wipe, finished))

    def soon(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Go on with it in the background; a second of the same name waits for no first."""
        if name in self._waiting:
            work.close()
            return
        self._waiting.add(name)
        task = asyncio.ensure_future(self._quietly(name, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def run(self, work: Callable[[Engine], T], *, changes: bool) -> T:
        """A change is always finished; a read that takes too long is stopped.

        Raises Refused (memory_unavailable), and what `work` raises.
        """
        if changes:
            self._writers += 1
            try:
                return await self.engine.write(work)
            finally:
                self._writers -= 1
                self._written = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(READ_SECONDS):
                return await self.engine.read(work)
        except TimeoutError:
            raise Refused("memory_unavailable", "It took too long and was stopped.") from None

    @property
    def busy(self) -> bool:
        return bool(self._users or self._tasks)

    async def settled(self) -> None:
        """Wait until nothing goes on in the background."""
        self._hurried.set()
        while self._tasks:
            await asyncio.wait(self._tasks)
        self._hurried.clear()

    async def close(self) -> None:
        """Once nobody uses it: finish what was begun, then close the library."""
        await self._unused.wait()
        await self.settled()
        await self.engine.close()

    async def _quietly(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except LocalmemError as problem:
            # Nobody waits for it: what is not done now is done when the library is next opened.
            log.warning("background", extra={"work": name.split()[0], "code": problem.code})
        finally:
            self._waiting.discard(name)

    async def _attach(self) -> None:
        await self.engine.load_model()
        self.embed_soon()

    async def _when_quiet(self, work: Callable[[], None]) -> None:
        """Do it once no write came for a while, and soon in any case."""
        await self._quiet()
        work()

    async def _quiet(self) -> None:
        now = asyncio.get_running_loop().time
        end = now() + LONGEST_WAIT
        while not self._hurried.is_set():
            last = now() if self._writers else self._written
            wait = min(last + QUIET_SECONDS, end) - now()
            if wait <= 0:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._hurried.wait()

    async def _embed(self) -> None:
        def some(engine: Engine) -> int:
            done = engine.meaning.embed_waiting()
            self.to_embed = engine.meaning.state()[1]
            return done

        while await self._step("embed", some):
            await self._quiet()

    async def _maintain(self) -> None:
        await self._step("scrub", Engine.maintain)

    async def _wipe(self, wipe: Wipe, finished: Callable[[], Coroutine[Any, Any, None]]) -> None:
        def some(engine: Engine) -> int:
            return engine.forgetting.wipe_some(wipe.scope, before=wipe.mark, limit=WIPE_STEP)

        while await self.engine.write(some, quiet=True):
            continue
        await finished()
        self.scrub_soon()

    async def _step(self, name: str, work: Callable[[Engine], int]) -> int:
        """One piece of work; once it has begun, what is asked for meanwhile needs another."""

        def begun(engine: Engine) -> int:
            self._waiting.discard(name)
            return work(engine)

        return await self.engine.write(begun, quiet=True)


class Spaces:
    """Opens libraries when they are asked for, and closes the ones longest unused."""

    def __init__(
        self, folder: Path, open_engine: Callable[[Path], Engine], *, most_open: int = MOST_OPEN
    ) -> None:
        self._folder = folder
        self._open_engine = open_engine
        self._most_open = most_open
        self._open: OrderedDict[Path, OpenSpace] = OrderedDict()
        self._doors: dict[Path, asyncio.Lock] = {}
        """Held while a library is opened or closed, so that it never is both."""
        self._closing: set[asyncio.Task[None]] = set()

    def at(self, name: str) -> Path:
        """A folder inside the server's own."""
        return self._folder / name

    def file(self, partition: Partition) -> Path:
        return self._folder / "spaces" / partition.space / f"{partition.mode}.db"

    def own(self, person: str) -> Path:
        """The file of a person's own library."""
        return self._folder / "people" / person / "library.db"

    @asynccontextmanager
    async def using(self, file: Path) -> AsyncIterator[OpenSpace]:
        """The library of that file, open. Raises what opening it raises."""
        space = await self._opened(file)
        try:
            with space.used():
                yield space
        finally:
            self._close_some()

    @property
    def open(self) -> int:
        """How many libraries are open."""
        return len(self._open)

    @property
    def to_embed(self) -> int:
        """Memories of the open libraries that are not yet found by meaning."""
        return sum(space.to_embed for space in self._open.values())

    async def tend(self, file: Path) -> None:
        """Erase what expired in a library, open or not. Raises what opening it raises."""
        async with self._door(file):
            if file in self._open:
                self._open[file].scrub_soon()
                return
            engine = AsyncEngine(lambda: self._open_engine(file))
            try:
                await engine.start()
                await engine.write(Engine.maintain, quiet=True)
            finally:
                await engine.close()

    @asynccontextmanager
    async def closed(self, file: Path) -> AsyncIterator[None]:
        """The library closed once nobody uses it; whoever asks for it meanwhile waits."""
        async with self._door(file):
            space = self._open.pop(file, None)
            if space is not None:
                await space.close()
            yield

    async def _opened(self, file: Path) -> OpenSpace:
        if file not in self._open:
            async with self._door(file):
                if file not in self._open:
                    space = OpenSpace(AsyncEngine(lambda: self._open_engine(file)))
                    try:
                        await space.start()
                    except StoreDamaged as problem:
                        self._tell_damaged(file, problem)
                        raise
                    self._open[file] = space
        self._open.move_to_end(file)
        return self._open[file]

    def _tell_damaged(self, file: Path, problem: StoreDamaged) -> None:
        """To whoever runs the server; a client is told neither."""
        library = file.relative_to(self._folder).as_posix()
        hint = "localmem serve restore brings a backup of the whole server back"
        log.error("library", extra={"code": problem.code, "library": library, "hint": hint})

    def _door(self, file: Path) -> asyncio.Lock:
        return self._doors.setdefault(file, asyncio.Lock())

    def _close_some(self) -> None:
        spare = len(self._open) - self._most_open
        idle = [file for file, space in self._open.items() if not space.busy]
        for file in idle[: max(spare, 0)]:
            task = asyncio.ensure_future(self._close(file, self._open.pop(file)))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def _close(self, file: Path, space: OpenSpace) -> None:
        async with self._door(file):
            await space.close()

    async def settled(self) -> None:
        """Wait until nothing goes on in the background."""
        while self._closing:
            await asyncio.wait(self._closing)
        for space in list(self._open.values()):
            await space.settled()

    async def close(self) -> None:
        """Finish what was accepted, then close every library."""
        await self.settled()
        for space in self._open.values():
            await space.close()
        self._open.clear()
