"""The library tree: what there is and how much of it, as places a list can be opened at."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from textual.content import Content

from localmem.core.model import Item, Kind
from localmem.core.ports import Slice
from localmem.core.preferences import PreferenceKey
from localmem.core.scope import Scope
from localmem.core.visible import visible
from localmem.engine.library import Shelf
from localmem.tui.present import ink
from localmem.tui.present.words import ICON, spread


class Shelves(StrEnum):
    EVERYTHING = "everything"
    PREFERENCES = "preferences"
    FACTS = "facts"
    DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class Spot:
    """One line of the tree and the list behind it."""

    shelf: Shelves
    label: str
    count: int
    depth: int = 0
    scope: Scope | None = None
    collection: str = ""
    of: int = 0
    """How many there can be; 0 where nothing limits them."""

    @property
    def amount(self) -> str:
        """`12`, `2 of 6`."""
        return f"{self.count:,} of {self.of}" if self.of else f"{self.count:,}"

    @property
    def slice(self) -> Slice:
        kind = {
            Shelves.EVERYTHING: None,
            Shelves.PREFERENCES: Kind.PREFERENCE,
            Shelves.FACTS: Kind.FACT,
            Shelves.DOCUMENTS: Kind.DOCUMENT,
        }[self.shelf]
        return Slice(kind, self.scope, self.collection)

    def holds(self, item: Item) -> bool:
        """Whether the list behind it shows this item."""
        slice = self.slice
        return (
            slice.kind in (None, item.kind)
            and slice.scope in (None, item.scope)
            and slice.collection in ("", item.collection)
        )

    @property
    def address(self) -> tuple[Shelves, Scope | None, str]:
        """What stays the same when counts change."""
        return self.shelf, self.scope, self.collection

    @property
    def title(self) -> str:
        """As the list over it is called."""
        names = {Shelves.EVERYTHING: "Everything", Shelves.PREFERENCES: "Preferences",
                 Shelves.FACTS: "Facts", Shelves.DOCUMENTS: "Collections"}  # fmt: skip
        parts = [names[self.shelf], self.collection, str(self.scope) if self.scope else ""]
        return " · ".join(part for part in parts if part)


def home_of(item: Item) -> tuple[Shelves, Scope | None, str]:
    """The address of the widest list that shows an item among its like."""
    shelf = {
        Kind.PREFERENCE: Shelves.PREFERENCES,
        Kind.FACT: Shelves.FACTS,
        Kind.DOCUMENT: Shelves.DOCUMENTS,
    }[item.kind]
    return shelf, None, item.collection


_ICONS = {
    Shelves.EVERYTHING: "✦",
    Shelves.PREFERENCES: ICON[Kind.PREFERENCE],
    Shelves.FACTS: ICON[Kind.FACT],
    Shelves.DOCUMENTS: ICON[Kind.DOCUMENT],
}


def spots(shelf: Shelf, preferences: int) -> tuple[Spot, ...]:
    """The tree from top to bottom; scopes only where there is more than one to tell apart.

    `preferences` is how many of the six are set.
    """
    everything = sum(count.items for count in shelf.counts)
    found = [
        Spot(Shelves.EVERYTHING, "Everything", everything),
        Spot(Shelves.PREFERENCES, "Preferences", preferences, of=len(PreferenceKey)),
        Spot(Shelves.FACTS, "Facts", shelf.items(Kind.FACT)),
    ]
    found += [
        Spot(Shelves.FACTS, str(count.scope), count.items, 1, count.scope)
        for count in shelf.counts
        if count.kind is Kind.FACT
    ]
    found.append(Spot(Shelves.DOCUMENTS, "Collections", len(shelf.collections)))
    for collection in shelf.collections:
        found += _collection(shelf, collection.name)
    return tuple(found)


def _collection(shelf: Shelf, name: str) -> list[Spot]:
    scopes: Counter[Scope] = Counter()
    for count in shelf.counts:
        if count.collection == name:
            scopes[count.scope] += count.items
    found = [Spot(Shelves.DOCUMENTS, name, scopes.total(), 1, collection=name)]
    if len(scopes) > 1:
        found += [
            Spot(Shelves.DOCUMENTS, str(scope), items, 2, scope, name)
            for scope, items in scopes.items()
        ]
    return found


def spot_row(spot: Spot, width: int) -> Content:
    """One line of the tree."""
    icon = _ICONS[spot.shelf] if not spot.depth else " "
    label = Content.assemble(
        ("  " * max(spot.depth - 1, 0), ""),
        (f"{icon} ", ink.NAME),
        (visible(spot.label), ink.STRONG if not spot.depth else ink.PLAIN),
    )
    return spread(label, Content.styled(spot.amount, ink.DIM), width)


def empty_library() -> Content:
    """The first minute: what to press, what else writes here, and the promise.

    Short enough to be read in full in 34 cells by 8 lines, a window of 40x12.
    """
    return Content.assemble(
        ("Nothing is kept here yet.\n", ink.STRONG),
        "Press ", ("n", ink.NAME), " to keep a fact, a preference or a document.\n\n",
        "The command line keeps facts too (", ("localmem add", ink.NAME),
        "); they appear here by themselves.\n\n",
        ("All of it is one file on this machine; nothing leaves it.", ink.DIM),
    )  # fmt: skip


def empty_place(spot: Spot) -> Content:
    what = {
        Shelves.EVERYTHING: "Nothing is kept here yet.",
        Shelves.PREFERENCES: "No preference is set.",
        Shelves.FACTS: "No fact is kept here.",
        Shelves.DOCUMENTS: "No document is kept here.",
    }[spot.shelf]
    return Content.assemble(f"{what} ", ("n", ink.NAME), " keeps one.")
