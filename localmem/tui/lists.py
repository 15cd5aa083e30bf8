"""What each place of the tree lists: how many rows there are, and any part of them.

Runs on the engine's thread. Refuses to read more than a window, whatever the list holds, and to
change anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from localmem.core.model import Item, Millis
from localmem.engine import Engine
from localmem.tui.present.places import Shelves, Spot
from localmem.tui.present.rows import Row, Signs, items_of, key_of

if TYPE_CHECKING:
    from localmem.core.syncing import Syncing

WINDOW = 64
"""Rows read for a first look, and on each side of a cursor that is kept."""
MOST = 10_000
"""Rows of a list that is read whole."""


Asked = Callable[[Engine], "Syncing | None"]
"""Synchronisation of the library, on its thread; None where it cannot be asked yet, or ever."""


def not_asked(engine: Engine) -> Syncing | None:
    """For what opens before synchronisation is loaded."""
    return None


class Source(NamedTuple):
    """Where the rows of a list come from."""

    spot: Spot
    at: Millis | None = None
    """The moment that is looked at; None is now."""
    top: int | None = None
    """Of the activity the newest line there was when the list was opened, so that what is done
    meanwhile moves no row."""
    syncing: Asked = not_asked


class Listing(NamedTuple):
    """A list as it opens: the rows around its cursor."""

    source: Source
    rows: tuple[Row, ...]
    offset: int
    size: int
    cursor: int
    signs: Signs

    @property
    def spot(self) -> Spot:
        return self.source.spot


class Part(NamedTuple):
    """Some rows of a list that is open."""

    rows: tuple[Row, ...]
    signs: Signs


def listing(
    engine: Engine, source: Source, keep: object = None, near: int = 0, seek: Item | None = None
) -> Listing:
    """The list as it opens, `keep` (a `rows.key_of`) under the cursor.

    It is looked for around its old line `near`; `seek` is found wherever it stands.
    """
    source = _opened(engine, source)
    if source.spot.shelf in _WHOLE:
        return _whole(engine, source, keep, near)
    count = _count(engine, source)
    if seek is not None and source.spot.holds(seek):
        keep, near = _sought(engine, source.spot, seek)
    offset = max(0, near - WINDOW)
    found = rows(engine, source, offset, 2 * WINDOW)
    lines = (at for at, row in enumerate(found, offset) if key_of(row) == keep)
    cursor = max(0, min(near, count - 1))
    if keep is not None:
        cursor = next(lines, cursor)
    return Listing(source, found, offset, count, cursor, _signs(engine, source, found))


_WHOLE = (Shelves.CONFLICTS, Shelves.SYNC)
"""Lists that are short and made in one piece."""


def _whole(engine: Engine, source: Source, keep: object, near: int) -> Listing:
    found = rows(engine, source, 0, MOST)
    cursor = max(0, min(near, len(found) - 1))
    if keep is not None:
        cursor = next((at for at, row in enumerate(found) if key_of(row) == keep), cursor)
    return Listing(source, found, 0, len(found), cursor, Signs())


def _sought(engine: Engine, spot: Spot, item: Item) -> tuple[object, int]:
    """The key of the row that shows an item, and its line."""
    if spot.shelf is Shelves.PREFERENCES:
        return item.key, 0
    return item.id, engine.library.place(spot.slice, item)


def part(engine: Engine, source: Source, offset: int, limit: int) -> Part:
    found = rows(engine, source, offset, limit)
    return Part(found, _signs(engine, source, found))


def rows(engine: Engine, source: Source, offset: int, limit: int) -> tuple[Row, ...]:
    spot, at = source.spot, source.at
    match spot.shelf:
        case Shelves.PREFERENCES:
            held = engine.preferences.list() if at is None else engine.past.preferences(at)
            return held[offset : offset + limit]
        case Shelves.INBOX:
            return tuple(engine.inbox.window(offset=offset, limit=limit))
        case Shelves.CONFLICTS | Shelves.SYNC:
            from localmem.tui.sync_lists import of_shelf

            return of_shelf(spot.shelf, source.syncing(engine))[offset : offset + limit]
        case Shelves.ACTIVITY:
            before = None if source.top is None else source.top + 1
            return tuple(
                engine.activity.window(limit=limit, offset=offset, before=before, by=spot.author)
            )
        case _:
            if at is None:
                return tuple(engine.library.window(spot.slice, offset=offset, limit=limit))
            return tuple(engine.past.window(spot.slice, at, offset=offset, limit=limit))


def signs(engine: Engine, items: Iterable[Item]) -> Signs:
    """Which of these wait in the inbox, and what has a draft."""
    waiting = engine.inbox.among([item.id for item in items])
    return Signs(waiting, engine.library.drafted())


def _signs(engine: Engine, source: Source, found: Sequence[Row]) -> Signs:
    """Of the past nothing waits; in the inbox everything does, and a sign would say nothing."""
    if source.at is not None:
        return Signs()
    if source.spot.shelf is Shelves.INBOX:
        return Signs(drafted=engine.library.drafted())
    return signs(engine, (item for row in found for item in items_of(row)))


def _opened(engine: Engine, source: Source) -> Source:
    if source.spot.shelf is not Shelves.ACTIVITY:
        return source
    return source._replace(top=engine.activity.newest())


def _count(engine: Engine, source: Source) -> int:
    spot, at = source.spot, source.at
    match spot.shelf:
        case Shelves.PREFERENCES:
            return spot.of
        case Shelves.INBOX:
            return engine.inbox.count()
        case Shelves.ACTIVITY:
            return engine.activity.count(by=spot.author)
        case _:
            if at is None:
                return engine.library.count(spot.slice)
            return engine.past.count(spot.slice, at)
