"""Synchronisation as the app holds it: made late, asked beside the loop, and what was last seen.

Refuses to load it before the first rows are on the screen, and to let a request that hangs keep
the app from ending: what asks the network has a thread that the process does not wait for.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from localmem.core.model import ItemId
    from localmem.core.syncing import (
        Background,
        OpenedSyncing,
        State,
        Status,
        Synchronising,
        Syncing,
    )

T = TypeVar("T")


class Later:
    """`core.syncing.Synchronising`, put together by whoever asks first."""

    def __init__(self, make: Callable[[], Synchronising]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> Synchronising:
        return self._make()

    def of(self, engine: Any) -> Syncing:
        return self._made.of(engine)

    def opened(self) -> AbstractContextManager[OpenedSyncing]:
        return self._made.opened()

    def background(self) -> Background:
        return self._made.background()


@dataclass(slots=True, eq=False)
class Seen:
    """How the library stood to its account when that was looked at last."""

    ready: bool = False
    """Whether it may be asked: the first rows are on the screen."""
    status: Status | None = None
    """None before the first look."""
    doing: State | None = None
    """What goes on beside the app; None for nothing that takes a while."""
    words: str = ""
    """How far that is."""
    keyless: str = ""
    """Why no key of the account can be used here; "" while one can."""
    of_items: Mapping[ItemId, str] = field(default_factory=lambda: MappingProxyType({}))
    """What is not in step: how that stands, in words."""
    listed: bool = True
    """False where so much waits that it is not looked up one by one."""


async def beside(sync: Synchronising, work: Callable[[Syncing], T]) -> T:
    """Run what asks the network, or takes long by design, on a thread and a library of its own.

    It goes on to its end when the waiter is gone.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            with sync.opened() as opened:
                result = work(opened.syncing)
        except BaseException as problem:  # noqa: BLE001 - raised where the answer is awaited
            done.set_exception(problem)
        else:
            done.set_result(result)

    threading.Thread(target=run, name="localmem-account", daemon=True).start()
    return await asyncio.shield(asyncio.wrap_future(done))
