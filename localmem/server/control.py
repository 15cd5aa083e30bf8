"""The server's own database on a thread of its own: the event loop only awaits.

Every request asks it once who is calling, so a revoked key is refused at the next request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from localmem.core.hosting_ports import Hosting

T = TypeVar("T")


class Control:
    """Jobs run one after another, each to its end."""

    def __init__(self, open_store: Callable[[], Hosting]) -> None:
        """`open_store` runs on the thread, which alone touches the store."""
        self._open_store = open_store
        self._thread = ThreadPoolExecutor(1, "localmem-control")
        self._store: Hosting | None = None

    async def start(self) -> None:
        """Raises what opening raises."""
        self._store = await asyncio.wrap_future(self._thread.submit(self._open_store))

    async def run(self, work: Callable[[Hosting], T]) -> T:
        assert self._store is not None  # the app starts it first
        return await asyncio.shield(asyncio.wrap_future(self._thread.submit(work, self._store)))

    async def close(self) -> None:
        """Finish what was asked for, then close the database; again, nothing."""
        store, self._store = self._store, None
        if store is not None:
            await asyncio.wrap_future(self._thread.submit(store.close))
        await asyncio.to_thread(self._thread.shutdown)
