"""A running app over a real library with a clock that stands still."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
from textual import screen as textual_screen
from textual.css import stylesheet
from textual.css.model import RuleSet
from textual.css.tokenizer import Token
from textual.css.types import CSSLocation
from textual.events import Key, Resize
from textual.geometry import Size
from textual.keys import _character_to_key, key_to_character
from textual.pilot import Pilot

from localmem import wiring
from localmem.bridge import AsyncEngine
from localmem.config import NO_MODEL
from localmem.config.book import Book
from localmem.core.model import Actor
from localmem.core.ports import Embedder
from localmem.core.syncing import Synchronising
from localmem.engine import Engine
from localmem.tui import keymap
from localmem.tui.app import LocalmemApp
from localmem.tui.desk import Chosen, Desk
from localmem.tui.screens.library import LibraryScreen
from tests.support import screen
from tests.support.library import AGENT, PERSON, FixedClock, fill_sample, open_library, put_blank

Fill = Callable[[Engine], None]
T = TypeVar("T")
_STUCK = 60
"""Seconds after which a test says where it hangs instead of hanging."""


_ROUNDS, _STILL = 6, 2
"""Rounds at most, for work that hangs on purpose; and those in a row that end it sooner."""


class WatchedEngine(AsyncEngine):
    """Counts what is asked of it: a test sees when nothing is asked any more."""

    asked = 0

    async def read(self, work: Callable[[Engine], T]) -> T:
        self.asked += 1
        return await super().read(work)

    async def write(self, work: Callable[[Engine], T], *, quiet: bool = False) -> T:
        self.asked += 1
        return await super().write(work, quiet=quiet)


@dataclass
class Running:
    """One app under test."""

    app: LocalmemApp
    pilot: Pilot[Any]
    bridge: WatchedEngine
    clock: FixedClock
    path: Path

    @property
    def library(self) -> LibraryScreen:
        return self.app.library

    @property
    def at_library(self) -> bool:
        """Whether the main screen is the one that is seen."""
        return self.app.screen is self.app.library

    async def press(self, *keys: str) -> None:
        """Each key once what the key before it opened is seen, as a person presses them."""
        for at, key in enumerate(keys):
            if at:
                await self._round()
            self.app.post_message(Key(key, key if len(key) == 1 else key_to_character(key)))
            await self.met()
        await self.settle()

    def press_ahead(self, *keys: str) -> None:
        """All keys at once, before the first has had any effect."""
        for key in keys:
            name = _character_to_key(key) if len(key) == 1 else key
            self.app.post_message(Key(name, key if len(key) == 1 else None))

    async def type(self, text: str) -> None:
        for character in text:
            self.app.post_message(Key(_character_to_key(character), character))
            await self.met()
        await self.settle()

    async def resize(self, width: int, height: int) -> None:
        size = Size(width, height)
        self.app._driver._size = size  # type: ignore[union-attr]
        self.app.post_message(Resize(size, size))
        await self.pilot.pause(0)

    async def met(self) -> None:
        """Until every key had its effect, and the next would meet what is seen."""
        async with asyncio.timeout(_STUCK):
            await self.pilot.pause(0)
            while not (self.app.takes_keys or self.app._exit):
                await self._round()

    async def _round(self) -> bool:
        """Until what was asked of the engine so far was answered, and the answer seen.

        Whether nothing else was asked meanwhile, and nobody is about to ask.
        """
        before = self.bridge.asked
        await self.bridge.read(lambda engine: None)
        await self.pilot.pause(0)
        return self.bridge.asked == before + 1 and self._is_still

    @property
    def _is_still(self) -> bool:
        busy = any(each.is_running for each in self.app.workers if each.group != "deed")
        return self.app.takes_keys and not busy

    async def settle(self) -> None:
        """Until everything that was asked of the engine is on the screen."""
        still = 0
        for _ in range(_ROUNDS):
            still = still + 1 if await self._round() else 0
            if still == _STILL:
                break

    async def until(self, holds: Callable[[], bool]) -> None:
        """For what threads of their own do, or a timer: no number of rounds tells when."""
        try:
            async with asyncio.timeout(_STUCK):
                while not holds():
                    await self.settle()
        except TimeoutError:
            raise AssertionError(f"it never came:\n{self.text}") from None

    async def looked(self) -> None:
        """Until how the library stands to its account was looked at, again."""
        await self.until(lambda: self.app.keeper._background is not None)
        await self.app._look()
        await self.settle()

    async def embedded(self) -> None:
        """Until everything that is kept is found by meaning, and the header says so."""
        await self.until(lambda: "words + meaning" in self.text)

    async def ask(self, work: Callable[[Engine], Any]) -> Any:
        return await self.bridge.write(work)

    @property
    def text(self) -> str:
        return screen.text(self.app)

    def other(self, actor: Actor = AGENT) -> Engine:
        """Another process's engine over the same library."""
        return open_library(self.path, self.clock, actor=actor)

    def toasts(self) -> list[str]:
        return [note.message for note in self.app._notifications]


def rows_at(size: tuple[int, int], count: int) -> range:
    """Rows to look at: each in the widest and the narrowest window, and in one between those."""
    return {80: range(0, count, 2), 60: range(1, count, 2)}.get(size[0], range(count))


class Open(Protocol):
    def __call__(
        self,
        fill: Fill | None = ...,
        *,
        size: tuple[int, int] = ...,
        embedder: Embedder | None = ...,
        first_start: bool = ...,
        settings: Path | None = ...,
        sync: Synchronising | None = ...,
    ) -> AbstractAsyncContextManager[Running]: ...


def desk_for(
    bridge: AsyncEngine,
    clock: FixedClock,
    file: Path | None,
    embedder: Embedder | None,
    sync: Synchronising | None = None,
) -> Desk:
    """A desk with the settings of a file, when there is one."""
    if file is None:
        return Desk(bridge, clock, UTC, sync=sync)
    book = Book(file, {}, wiring.check_model)
    found = book.found()
    held, keys = found.settings, keymap.read(found.settings.keys)
    return Desk(
        bridge,
        clock,
        UTC,
        chosen=Chosen(held.floor, held.theme, held.symbols, keys),
        book=book,
        sync=sync,
        load=lambda name: None if name == NO_MODEL or embedder is None else (lambda: embedder),
        problems=[*found.problems, *keys.problems],
    )


@pytest.fixture(scope="session", autouse=True)
def style_sheets_read_once() -> Iterator[None]:
    """The same sheet in the same colours is parsed once for all apps, as one app would do it."""
    colours: dict[tuple[tuple[str, str], ...], dict[str, list[Token]]] = {}
    rules: dict[tuple[object, ...], list[RuleSet]] = {}
    tokenized, parsed = stylesheet.tokenize_values, stylesheet.parse

    def tokenize_values(values: dict[str, str]) -> dict[str, list[Token]]:
        key = tuple(values.items())
        if key not in colours:
            colours[key] = tokenized(values)
        return colours[key]

    def parse(
        scope: str, css: str, read_from: CSSLocation, *, variable_tokens: dict[str, list[Token]],
        is_default_rules: bool, tie_breaker: int,
    ) -> list[RuleSet]:  # fmt: skip
        key = (scope, css, read_from, id(variable_tokens), is_default_rules, tie_breaker)
        if key not in rules:
            rules[key] = list(
                parsed(scope, css, read_from, variable_tokens=variable_tokens,
                       is_default_rules=is_default_rules, tie_breaker=tie_breaker)
            )  # fmt: skip
        return rules[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stylesheet, "tokenize_values", tokenize_values)
        patch.setattr(stylesheet, "parse", parse)
        yield


@pytest.fixture(scope="session", autouse=True)
def drawn_when_looked_at() -> Iterator[None]:
    """The screen is drawn as a round ends, not also as often as the machine's time allows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textual_screen, "UPDATE_PERIOD", _STUCK)
        yield


@pytest.fixture
def open_app(tmp_path: Path, clock: FixedClock, blank_library: Path | None) -> Open:
    """Opens the app on a library filled by a function; empty, it has been greeted already."""
    path = tmp_path / "data" / "library.db"

    @asynccontextmanager
    async def opened(
        fill: Fill | None = None,
        *,
        size: tuple[int, int] = (120, 36),
        embedder: Embedder | None = None,
        first_start: bool = False,
        settings: Path | None = None,
        sync: Synchronising | None = None,
    ) -> AsyncIterator[Running]:
        put_blank(blank_library, path)
        if not first_start:
            engine = open_library(path, clock)
            engine.greet()
            if fill is not None:
                fill(engine)
            engine.close()
        bridge = WatchedEngine(
            lambda: open_library(path, clock, actor=PERSON, embedder=embedder, cached=True)
        )
        await bridge.start()
        app = LocalmemApp(desk_for(bridge, clock, settings, embedder, sync))
        try:
            async with app.run_test(size=size) as pilot:
                running = Running(app, pilot, bridge, clock, path)
                await running.settle()
                if sync is not None:
                    await running.looked()
                yield running
        finally:
            await bridge.close()

    return opened


@pytest.fixture(scope="session")
def demo_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo library, filled once."""
    path = tmp_path_factory.mktemp("demo") / "library.db"
    fill_sample(path, FixedClock())
    return path


@pytest.fixture
def demo_library(demo_file: Path, tmp_path: Path) -> Fill:
    """Puts a copy of the demo library in the app's place, before it is opened."""
    place = tmp_path / "data"
    place.mkdir(mode=0o700)
    shutil.copy(demo_file, place / "library.db")
    return lambda engine: None
