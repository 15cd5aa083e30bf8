"""What a server does by itself: removes test partitions at their end, erases what expired.

A library that nobody asks for is opened once a day for that, so that what was to be gone by then
is gone from the disk too. Refuses to touch a live partition of a space that was not removed.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from localmem.core.hosting import Mode, Partition
from localmem.core.model import Millis
from localmem.errors import LocalmemError
from localmem.server.control import Control
from localmem.server.spaces import Spaces

if TYPE_CHECKING:
    from localmem.core.hosting_ports import Hosting
    from localmem.core.ports import Clock

ROUND_SECONDS = 3_600
TEND_EVERY: Millis = 86_400_000
"""How long what expired may stay in the file of a library that nobody asks for."""

log = logging.getLogger("localmem.server")


@dataclass(slots=True)
class Upkeep:
    control: Control
    spaces: Spaces
    clock: Clock
    erase: Callable[[Path], None]
    """Removes the files of a library that nobody has open."""
    _tended: dict[Path, Millis] = field(default_factory=dict)

    async def go_on(self) -> None:
        """A round now, and then every hour."""
        while True:
            await self._quietly(self.round())
            await asyncio.sleep(ROUND_SECONDS)

    async def round(self) -> None:
        """One library that cannot be opened keeps nothing from the others."""
        for partition in await self.control.run(_partitions):
            if partition.over(self.clock()):
                await self._quietly(self.remove(partition))
        for file in await self.control.run(lambda store: list(self._files(store))):
            await self._tend(file)
        await self.erase_removed()

    async def erase_removed(self) -> None:
        """Erase the libraries of spaces and people who were removed meanwhile."""
        await self._quietly(self._erase_removed())

    async def _erase_removed(self) -> None:
        for name in await self.control.run(_removed):
            folder = self.spaces.at(name)
            if folder.exists():
                await self._quietly(self._erase_folder(folder))

    async def _erase_folder(self, folder: Path) -> None:
        for file in sorted(folder.glob("*.db")):
            async with self.spaces.closed(file):
                await asyncio.to_thread(self.erase, file)
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def remove(self, partition: Partition) -> None:
        """Erase a test partition that came to its end; one that was made since stays.

        The file goes first: a stop in between leaves a partition that is still to be removed, never
        a file that a new one would find.
        """
        assert partition.mode is Mode.TEST
        file = self.spaces.file(partition)
        async with self.spaces.closed(file):
            if await self.control.run(lambda store: _held(store, partition)):
                await asyncio.to_thread(self.erase, file)
                await self.control.run(lambda store: _drop(store, partition))

    async def _tend(self, file: Path) -> None:
        now = self.clock()
        if now - self._tended.get(file, now - TEND_EVERY) < TEND_EVERY or not file.exists():
            return
        self._tended[file] = now
        await self._quietly(self.spaces.tend(file))

    async def _quietly(self, work: Awaitable[None]) -> None:
        try:
            await work
        except (LocalmemError, OSError) as problem:
            code = getattr(problem, "code", type(problem).__name__)
            log.warning("background", extra={"work": "upkeep", "code": code})

    def _files(self, store: Hosting) -> Iterator[Path]:
        with store.reading():
            for partition in store.access.partitions():
                yield self.spaces.file(partition)
            for person in store.access.people():
                yield self.spaces.own(person.id)


def _partitions(store: Hosting) -> list[Partition]:
    with store.reading():
        return store.access.partitions()


def _removed(store: Hosting) -> list[str]:
    with store.reading():
        return list(store.access.removed())


def _held(store: Hosting, partition: Partition) -> bool:
    with store.reading():
        return store.access.partition(partition.space, partition.mode) == partition


def _drop(store: Hosting, partition: Partition) -> None:
    with store.writing():
        store.access.drop_partition(partition.space, partition.mode)
