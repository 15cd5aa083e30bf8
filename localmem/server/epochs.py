"""Whether a library is still the one that clients know, found out whenever it is opened.

A library that was brought back from a backup, replaced or removed by hand did not go on from where
it was: it has another name of itself, or fewer changes than were told. It gets a new epoch then,
and with that what clients remember of it is void (sync.md 2.11). Nobody has to tell the server.
What a kill keeps from being written down can only hide that an older copy of the same file was put
in its place by hand and has since been written to.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

from localmem.core.hosting import Lineage, Partition
from localmem.core.hosting_ports import Hosting
from localmem.errors import StoreError
from localmem.hosting import admission
from localmem.server.control import Control
from localmem.server.spaces import OpenSpace

log = logging.getLogger("localmem.server")


@dataclass(slots=True)
class Epochs:
    control: Control
    _looks: WeakKeyDictionary[OpenSpace, asyncio.Task[str]] = field(
        default_factory=WeakKeyDictionary
    )
    _highs: dict[Partition, int] = field(default_factory=dict)
    """Not yet written down."""

    async def of(self, space: OpenSpace, partition: Partition) -> str:
        """The epoch of an open library. Raises StoreError."""
        look = self._looks.get(space)
        if look is None or (look.done() and look.exception() is not None):
            look = self._looks[space] = asyncio.ensure_future(self._look(space, partition))
        return await asyncio.shield(look)

    def came_to(self, partition: Partition, high: int) -> None:
        """A client was told of that change."""
        self._highs[partition] = max(high, self._highs.get(partition, 0))

    async def flush(self) -> None:
        """Write down how far libraries came; what cannot be written now is, the next time."""
        highs, self._highs = self._highs, {}
        if not highs:
            return
        try:
            await self.control.run(lambda store: _raise(store, highs))
        except StoreError as problem:
            for partition, high in highs.items():
                self.came_to(partition, high)
            log.error("epochs", extra={"code": problem.code})

    async def _look(self, space: OpenSpace, partition: Partition) -> str:
        device, high = await space.engine.read(lambda engine: engine.feed.mark())
        epoch = await self.control.run(lambda store: _epoch(store, partition, device, high))
        self.came_to(replace(partition, epoch=epoch), high)
        return epoch


def _epoch(store: Hosting, partition: Partition, device: str, high: int) -> str:
    with store.writing():
        known = store.access.lineage(partition.space, partition.mode)
        if known is None:
            return partition.epoch
        goes_on = known.goes_on(device, high)
        if goes_on and known.device == device:
            return known.epoch  # how far it came is written with the rest: a full disk can be read
        epoch = known.epoch if goes_on else admission.epoch()
        store.access.keep_lineage(partition.space, partition.mode, Lineage(epoch, device, high))
    return epoch


def _raise(store: Hosting, highs: Mapping[Partition, int]) -> None:
    with store.writing():
        for partition, high in highs.items():
            store.access.raise_high(partition.space, partition.mode, partition.epoch, high)
