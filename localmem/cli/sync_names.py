"""What waits or clashes, by any name that its memory has in other commands too.

Refuses to choose: a name that several have is answered with how many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from localmem.core import preferences
from localmem.core.model import Item, Kind
from localmem.core.preferences import PreferenceKey
from localmem.core.syncing import Clash, Waiting
from localmem.errors import InvalidInput, MemoryNotFound

if TYPE_CHECKING:
    from localmem.engine import Engine

SHORTEST = 8
"""Characters from which on something may be the beginning of a memory's id."""
_LISTS = {"conflict": "conflicts", "waiting item": "waiting"}
T = TypeVar("T", Clash, Waiting)


def one(engine: Engine, found: Sequence[T], id: str, what: str) -> T:
    """The one that is called so: by its id here, or as other commands call the memory.

    Raises MemoryNotFound, InvalidInput.
    """
    named = (
        [each for each in found if each.id == id]
        or [each for each in found if id in _names(each)]
        or [each for each in found if id and _begins(each, id)]
        or _other_half(engine, found, id)
    )
    if not named:
        raise unknown(id, what)
    if len(named) > 1:
        raise InvalidInput(
            f"{id[:80]} names {len(named):,} of them.",
            hint=f"Write more of the id, as `localmem sync {_LISTS[what]}` shows it.",
        )
    return named[0]


def unknown(id: str, what: str) -> MemoryNotFound:
    return MemoryNotFound(
        f"There is no {what} under {id[:80]}.",
        hint=f"It may be settled already; `localmem sync {_LISTS[what]}` shows what there is.",
    )


def key(of: Clash | Waiting) -> PreferenceKey:
    """Of a preference; its title is its key in plain words, the only name it has here."""
    return next(each for each in PreferenceKey if preferences.label(each) == of.title)


def _names(each: Clash | Waiting) -> tuple[str, ...]:
    match each.kind:
        case Kind.DOCUMENT:
            return (each.title,)
        case Kind.PREFERENCE:
            return tuple(key for key in PreferenceKey if preferences.label(key) == each.title)
        case Kind.FACT:
            return ()


def _begins(each: Clash | Waiting, id: str) -> bool:
    of_memory = each.item is not None and each.item.startswith(id)
    return each.id.startswith(id) or (of_memory and len(id) >= SHORTEST)


def _other_half(engine: Engine, found: Sequence[T], id: str) -> list[T]:
    """A preference key that waits may have two memories, and names but one of them."""
    item = _memory(engine, id)
    if item is None or item.kind is not Kind.PREFERENCE:
        return []
    return [each for each in found if item.key in _names(each)]


def _memory(engine: Engine, id: str) -> Item | None:
    if len(id) < SHORTEST:
        return None
    try:
        return engine.library.get(engine.library.resolve(id))
    except MemoryNotFound:
        return None
