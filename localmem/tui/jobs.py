"""What screens ask the engine for, as functions that run on its thread and answer with values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from localmem.core.model import Item, Kind, Millis
from localmem.core.records import Deed
from localmem.core.scope import PROJECT, Scope
from localmem.engine import Engine
from localmem.engine.answers import Found, Hit, MeaningState, Shelf
from localmem.errors import NotFound
from localmem.tui.lists import Asked, Listing, Part, Source, listing, not_asked, part, signs
from localmem.tui.present.places import EVERYTHING, Address, Beside, Shelves, Spot, spots
from localmem.tui.present.preview import Details
from localmem.tui.present.rows import Row, Signs, item_of, items_of

if TYPE_CHECKING:
    from localmem.core.query import Query
    from localmem.core.syncing import Status

MOST_HITS = 200


class Standing(NamedTuple):
    """How far meaning search has come and what waits for the person, for the header."""

    meaning: MeaningState
    waiting: int
    """Memories without a vector yet."""
    problem: str
    """Why there is no meaning, "" when there is."""
    inbox: int


class Overview(NamedTuple):
    """Everything the library screen shows but the preview."""

    spots: tuple[Spot, ...]
    listing: Listing
    standing: Standing
    data_version: int
    empty: bool
    """Nothing at all is kept."""
    sync: Status | None = None
    """How it stands to its account; None where that was not asked."""


class Wanted(NamedTuple):
    """Which place to show, and where its cursor goes."""

    address: Address
    """The first place is shown when it is gone."""
    at: Millis | None = None
    """The moment to look at; None is now."""
    keep: object = None
    """Stays under the cursor: a `rows.key_of`, searched for around its old line `near`."""
    near: int = 0
    seek: Item | None = None
    """Comes under the cursor, wherever it stands."""
    syncing: Asked = not_asked


OPENING = Wanted(EVERYTHING)
"""What the app opens at."""


def overview(wanted: Wanted) -> Callable[[Engine], Overview]:
    """The tree and the list of a place."""

    def work(engine: Engine) -> Overview:
        syncing = wanted.syncing(engine)
        sync = syncing.status() if syncing is not None else None
        shelf, found = _tree(engine, wanted.address, wanted.at, sync.conflicts if sync else 0)
        spot = next((each for each in found if each.address == wanted.address), found[0])
        source = Source(spot, wanted.at, syncing=wanted.syncing)
        return Overview(
            found,
            listing(engine, source, wanted.keep, wanted.near, wanted.seek),
            standing(engine),
            engine.data_version(),
            not shelf.counts and not shelf.collections,
            sync,
        )

    return work


def tree(conflicts: int) -> Callable[[Engine], tuple[Spot, ...]]:
    """Every place there is."""
    return lambda engine: _tree(engine, Address(Shelves.ACTIVITY), None, conflicts)[1]


def _tree(
    engine: Engine, near: Address, at: Millis | None, conflicts: int
) -> tuple[Shelf, tuple[Spot, ...]]:
    if at is not None:
        shelf, entries = engine.past.shelf(at), engine.past.preferences(at)
        beside = None
    else:
        shelf, entries = engine.library.shelf(), engine.preferences.list()
        authors = engine.activity.authors() if near.shelf is Shelves.ACTIVITY else ()
        beside = Beside(engine.inbox.count(), authors, conflicts)
    return shelf, spots(shelf, sum(entry.effective is not None for entry in entries), beside)


def window(source: Source, offset: int, limit: int) -> Callable[[Engine], Part]:
    return lambda engine: part(engine, source, offset, limit)


def search(
    query: Query, floor: float, at: Millis | None
) -> Callable[[Engine], tuple[Found, Signs, Standing]]:
    def work(engine: Engine) -> tuple[Found, Signs, Standing]:
        if at is not None:
            return _searched_then(engine, query, at), Signs(), standing(engine)
        found = engine.recall.search(query, limit=MOST_HITS, floor=floor)
        hits = found.hits + found.below
        return found, signs(engine, (hit.item for hit in hits)), standing(engine)

    return work


def _searched_then(engine: Engine, query: Query, at: Millis) -> Found:
    """What held the words then; nothing is compared or scored in the past."""
    held = engine.past.find(query, at, limit=MOST_HITS)
    hits = tuple(Hit(item, 1.0, None, 0.0, ()) for item in held)
    shelf = engine.past.shelf(at)
    searched = sum(count.items for count in shelf.counts)
    return Found(hits, (), searched, 0.0, MeaningState.OFF, 0)


def details(row: Row, at: Millis | None) -> Callable[[Engine], Details]:
    """What is known of a row's item beyond its head; nothing for a preference that is not set."""

    def work(engine: Engine) -> Details:
        if isinstance(row, Deed):
            return _of_deed(engine, row)
        item = item_of(row)
        if item is None:
            return Details()
        if at is not None:
            return Details(engine.past.history(item.id, at))
        return _of_items(engine, item, items_of(row))

    return work


def _of_deed(engine: Engine, deed: Deed) -> Details:
    item = kept(engine, deed)
    return _of_items(engine, item, (item,)) if item is not None else Details()


def kept(engine: Engine, deed: Deed) -> Item | None:
    """The memory a line of the activity is about; None when it is gone, or there were several."""
    try:
        return engine.library.get(deed.item) if deed.item is not None else None
    except NotFound:
        return None


def _of_items(engine: Engine, item: Item, every: tuple[Item, ...]) -> Details:
    waits = (engine.inbox.find(each.id) for each in every)
    return Details(
        engine.library.history(item.id),
        engine.library.last_used(item.id),
        next((waiting for waiting in waits if waiting is not None), None),
        item.id in engine.library.drafted(),
        item,
    )


def standing(engine: Engine) -> Standing:
    meaning, waiting = engine.meaning.state()
    return Standing(meaning, waiting, engine.meaning.problem, engine.inbox.count())


def scopes(shelf: Shelf) -> tuple[Scope, ...]:
    """Every scope that holds something, the project first."""
    held = {count.scope for count in shelf.counts if count.kind is not Kind.PREFERENCE}
    return tuple(sorted({PROJECT, *held}, key=lambda scope: (scope != PROJECT, scope)))
