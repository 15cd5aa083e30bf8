"""What screens ask the engine for, as functions that run on its thread and answer with values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from localmem.core.model import Item, ItemId, Kind
from localmem.core.ports import Slice
from localmem.core.query import Query
from localmem.core.scope import PROJECT, Scope
from localmem.engine import Engine
from localmem.engine.library import Shelf
from localmem.engine.meaning import MeaningState
from localmem.engine.recall import Found
from localmem.tui.present.places import Shelves, Spot, spots
from localmem.tui.present.preview import Details
from localmem.tui.present.rows import Row, item_of

WINDOW = 128
"""Rows read for a first look, and on each side of a cursor that is kept."""
MOST_HITS = 200

Address = tuple[Shelves, Scope | None, str]


@dataclass(frozen=True, slots=True)
class Standing:
    """How far meaning search has come, for the header."""

    meaning: MeaningState
    waiting: int
    problem: str
    """Why there is none, "" when there is."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list as it opens: the rows around its cursor."""

    spot: Spot
    rows: tuple[Row, ...]
    offset: int
    count: int
    cursor: int


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything the library screen shows but the preview."""

    spots: tuple[Spot, ...]
    listing: Listing
    standing: Standing
    data_version: int
    empty: bool
    """Nothing at all is kept."""


def overview(address: Address, *, keep: ItemId | None = None, near: int = 0) -> Callable[
    [Engine], Overview
]:  # fmt: skip
    """The tree and the list at `address` (the first place when it is gone).

    `keep` stays under the cursor, searched for around its old line `near`.
    """

    def work(engine: Engine) -> Overview:
        shelf = engine.library.shelf()
        tree = spots(shelf, _preferences_set(engine))
        spot = next((each for each in tree if each.address == address), tree[0])
        return Overview(
            tree,
            listing(engine, spot, keep, near),
            standing(engine),
            engine.data_version(),
            empty=not shelf.counts and not shelf.collections,
        )

    return work


def listing(engine: Engine, spot: Spot, keep: ItemId | None = None, near: int = 0) -> Listing:
    if spot.shelf is Shelves.PREFERENCES:
        entries = engine.preferences.list()
        return Listing(spot, entries, 0, len(entries), min(near, len(entries) - 1))
    count = engine.library.count(spot.slice)
    offset = max(0, near - WINDOW)
    rows = engine.library.window(spot.slice, offset=offset, limit=2 * WINDOW)
    found = (at for at, item in enumerate(rows, offset) if item.id == keep)
    cursor = next(found, max(0, min(near, count - 1)))
    return Listing(spot, tuple(rows), offset, count, cursor)


def tree(engine: Engine) -> tuple[Spot, ...]:
    """Every place there is."""
    return spots(engine.library.shelf(), _preferences_set(engine))


def _preferences_set(engine: Engine) -> int:
    return sum(entry.effective is not None for entry in engine.preferences.list())


def window(slice: Slice, offset: int, limit: int) -> Callable[[Engine], list[Item]]:
    return lambda engine: engine.library.window(slice, offset=offset, limit=limit)


def search(query: Query, floor: float) -> Callable[[Engine], tuple[Found, Standing]]:
    def work(engine: Engine) -> tuple[Found, Standing]:
        return engine.recall.search(query, limit=MOST_HITS, floor=floor), standing(engine)

    return work


def details(row: Row) -> Callable[[Engine], Details]:
    """History and last use; nothing for a preference that is not set."""

    def work(engine: Engine) -> Details:
        item = item_of(row)
        if item is None:
            return Details()
        return Details(engine.library.history(item.id), engine.library.last_used(item.id))

    return work


def standing(engine: Engine) -> Standing:
    meaning, waiting = engine.meaning.state()
    return Standing(meaning, waiting, engine.meaning.problem)


def scopes(shelf: Shelf) -> tuple[Scope, ...]:
    """Every scope that holds something, the project first."""
    held = {count.scope for count in shelf.counts if count.kind is not Kind.PREFERENCE}
    return tuple(sorted({PROJECT, *held}, key=lambda scope: (scope != PROJECT, scope)))
