"""Who keeps the promises of `core.replica.Tables`: each opens empty tables of one account."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from localmem.core.replica import Tables
from localmem.store.sqlite import open_store
from tests.simulation.replica import MemoryTables
from tests.simulation.rows import Database
from tests.support.library import FixedClock


@contextmanager
def in_a_library(folder: Path) -> Iterator[Tables]:
    store = open_store(folder / "library.db", FixedClock())
    with store.writing():
        account = store.accounts.begin("server", "ana", "live", url="u", label="Ana", at=1)
    yield store.accounts.tables(account.id)
    store.close()


@contextmanager
def in_dictionaries(folder: Path) -> Iterator[Tables]:
    yield MemoryTables(Database(), "device01")


TABLES: tuple[Callable[[Path], AbstractContextManager[Tables]], ...] = (
    in_a_library,
    in_dictionaries,
)
