"""One file looked through or brought in while the app goes on: read beside, kept batch by batch.

Reading has a thread of its own turn by turn, writing the engine's; between two batches everything
else has its turn. Stopping ends the reading at once and the writing after the batch that runs, so
that what is kept is whole. Holds a part of the answers: the first ones, and those worth reading.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from localmem.bridge import AsyncEngine
from localmem.core import plain
from localmem.core.incoming import Definition, Incoming, Line, Standing, Unreadable, Whole
from localmem.core.model import FactContent, PreferenceContent
from localmem.core.scope import PROJECT, Scope
from localmem.core.visible import visible
from localmem.engine.imports import Fate, Outcome, Rules, Run, Seen, batches
from localmem.errors import Cancelled, ImportUnreadable

if TYPE_CHECKING:
    from localmem.portable import Source

_FIRST = 2_000
"""Answers kept of whatever kind."""
_TELLING = 10_000
"""Answers kept in all, of those that are not simply new or known."""
_LONGEST = 400
"""Characters of a memory in the list."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the person chose."""

    path: str
    format: str = ""
    """"" goes by what the file looks like."""
    scope: Scope = PROJECT


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the file, and what became of it."""

    line: int
    fate: Fate
    text: str
    """The memory itself; "" where there is none."""
    why: str
    source: str
    quote: str
    inbox: bool
    """It waits in the inbox."""


@dataclass(slots=True)
class Tally:
    """How far it is, for the screen."""

    title: str = ""
    """What the file was taken for."""
    name: str = ""
    notes: Sequence[str] = ()
    total: int | None = None
    read: int = 0
    lines: int = 0
    line: int = 0
    """The last one."""
    fates: Counter[Fate] = field(default_factory=Counter)
    inbox: int = 0
    entries: list[Entry] = field(default_factory=list)
    ended: bool = False
    """The file was read to its end."""
    resumed: int = 0
    """The line an import went on behind; 0 for a new one."""

    def take(self, batch: Sequence[Line], outcomes: Sequence[Outcome]) -> None:
        for value, outcome in zip(batch, outcomes, strict=True):
            entry = entry_of(value, outcome)
            self.lines += 1
            self.line = max(self.line, entry.line)
            self.fates[entry.fate] += 1
            self.inbox += entry.inbox
            if len(self.entries) < (_TELLING if entry.why else _FIRST):
                self.entries.append(entry)


def entry_of(value: Line, outcome: Outcome) -> Entry:
    made = outcome.fate in (Fate.NEW, Fate.CHANGED)
    evidence = value.evidence if isinstance(value, Incoming) else None
    waits = bool(value.author) if isinstance(value, Incoming) else _waits(value)
    return Entry(
        outcome.line,
        outcome.fate,
        text_of(value)[:_LONGEST],
        outcome.why,
        (evidence.source if evidence else None) or "",
        (evidence.quote if evidence else None) or "",
        made and waits,
    )


def _waits(value: Line) -> bool:
    return isinstance(value, Whole) and value.waiting is not None


def text_of(value: Line) -> str:
    """What a line offers, in words."""
    match value:
        case Incoming(content=FactContent(text)):
            return text
        case Incoming(content=PreferenceContent(held), key=key):
            return f"{key}: {held if isinstance(held, str) else ', '.join(held)}"
        case Incoming(content=content, collection=collection, key=key):
            return plain.content_text(content, key=key, collection=collection)
        case Whole(item=item):
            return plain.text(item)
        case Definition(collection=collection):
            return f"The collection {collection.name}."
        case Standing(key=key):
            return f"That {key} was forgotten once."
        case Unreadable():
            return ""


def _refuse_pipe(path: str) -> None:
    """Opening one waits for who writes to it, and nothing can end that. Raises ImportUnreadable."""
    place = Path(os.path.expanduser(path))
    if place.is_fifo():
        raise ImportUnreadable(
            f"{visible(place.name)} is a pipe: what comes through it cannot be looked at first.",
            hint="In a terminal: `localmem import FILE`, or write it to a file first.",
        )


_Answer = Callable[[Sequence[Line]], Awaitable[Sequence[Outcome]]]


class Bringing:
    """One look through a file, or one import of it."""

    def __init__(self, bridge: AsyncEngine, wish: Wish) -> None:
        self._bridge = bridge
        self.wish = wish
        self.rules = Rules(wish.scope)
        self.tally = Tally()
        self.run: Run | None = None
        self._source: Source | None = None
        self._stopping = False
        self.over = asyncio.Event()

    def stop(self) -> None:
        """End as soon as what runs is whole."""
        self._stopping = True
        if self._source is not None:
            self._source.halt()

    @property
    def stopping(self) -> bool:
        return self._stopping

    @property
    def read_bytes(self) -> int:
        return self._source.read_bytes if self._source is not None else 0

    async def look(self) -> None:
        """What an import would do; writes nothing. Raises ImportUnreadable, InvalidInput."""
        seen = Seen()
        rules = self.rules

        async def preview(batch: Sequence[Line]) -> Sequence[Outcome]:
            return await self._bridge.read(
                lambda engine: engine.imports.preview(batch, rules, seen)
            )

        try:
            source = await self._open()
            self.tally.ended = await self._each(iter(batches(source)), preview)
        finally:
            self._close()

    async def take(self) -> Run:
        """Bring it in; the run as it ended. Raises ImportUnreadable, InvalidInput, StoreError."""
        try:
            source = await self._open()
            name, format, mark = source.name, source.format, source.fingerprint
            run = await self._bridge.write(
                lambda engine: engine.imports.begin(name, format, mark, self.rules)
            )
            self.run = run
            self.tally.resumed = run.line
            return await self._take_all(source, run)
        finally:
            self._close()

    async def _take_all(self, source: Source, run: Run) -> Run:
        async def keep(batch: Sequence[Line]) -> Sequence[Outcome]:
            at = self.run or run
            taken = await self._bridge.write(
                lambda engine: engine.imports.take(at, batch, self.rules)
            )
            self.run = taken.run
            return taken.outcomes

        try:
            self.tally.ended = await self._each(iter(batches(source, after=run.line)), keep)
        finally:
            last, ended = self.run or run, self.tally.ended
            self.run = await self._bridge.write(
                lambda engine: engine.imports.finish(last) if ended else engine.imports.stop(last)
            )
        return self.run

    async def _open(self) -> Source:
        from localmem import portable

        now = await self._bridge.read(lambda engine: engine.now())
        wish = self.wish
        await asyncio.to_thread(_refuse_pipe, wish.path)
        self._source = await asyncio.to_thread(
            lambda: portable.open_source(wish.path, format=wish.format or None, now=now)
        )
        source = self._source
        self.tally.title, self.tally.name = source.title, source.name
        self.tally.total, self.tally.notes = source.total, source.notes
        return source

    async def _each(self, found: Iterator[list[Line]], answer: _Answer) -> bool:
        """Every batch in its turn; False when it was stopped before the end."""
        try:
            while not self._stopping:
                batch = await asyncio.to_thread(next, found, None)
                if batch is None:
                    return True
                self.tally.take(batch, await answer(batch))
                self.tally.read = self.read_bytes
        except Cancelled:
            return False
        return False

    def _close(self) -> None:
        if self._source is not None:
            self.tally.read = self.read_bytes
            self._source.close()
        self.over.set()
