"""The library tree: what there is and how much of it, as places a list can be opened at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from textual.content import Content

from localmem.core.model import Item, Kind
from localmem.core.preferences import PreferenceKey
from localmem.core.records import Slice
from localmem.core.scope import Scope
from localmem.core.visible import visible
from localmem.engine.answers import Shelf
from localmem.tui.present import ink
from localmem.tui.present.past import Label
from localmem.tui.present.words import ICON, WAITING, spread


class Shelves(StrEnum):
    EVERYTHING = "everything"
    PREFERENCES = "preferences"
    FACTS = "facts"
    DOCUMENTS = "documents"
    INBOX = "inbox"
    CONFLICTS = "conflicts"
    ACTIVITY = "activity"
    SYNC = "sync"


class Address(NamedTuple):
    """Which place a line of the tree is; stays the same when counts change."""

    shelf: Shelves
    scope: Scope | None = None
    collection: str = ""
    author: str = ""
    """Activity alone: whose."""


EVERYTHING = Address(Shelves.EVERYTHING)


class Spot(NamedTuple):
    """One line of the tree and the list behind it."""

    shelf: Shelves
    label: str
    size: int
    depth: int = 0
    scope: Scope | None = None
    collection: str = ""
    author: str = ""
    of: int = 0
    """How many there can be; 0 where nothing limits them."""

    @property
    def amount(self) -> str:
        """`12`, `2 of 6`; "" for a log, whose length says nothing, and for how something stands."""
        if self.shelf is Shelves.SYNC or (self.shelf is Shelves.ACTIVITY and not self.author):
            return ""
        return f"{self.size:,} of {self.of}" if self.of else f"{self.size:,}"

    @property
    def slice(self) -> Slice:
        """Which items it lists; the inbox and the activity list something else."""
        return Slice(_KINDS.get(self.shelf), self.scope, self.collection)

    @property
    def lists_items(self) -> bool:
        """Whether it is a shelf of items, and no list of what was written or done."""
        return self.shelf in _KINDS

    def holds(self, item: Item) -> bool:
        """Whether it is a shelf that shows this item."""
        if not self.lists_items:
            return False
        slice = self.slice
        return (
            slice.kind in (None, item.kind)
            and slice.scope in (None, item.scope)
            and slice.collection in ("", item.collection)
        )

    @property
    def address(self) -> Address:
        return Address(self.shelf, self.scope, self.collection, self.author)

    @property
    def title(self) -> str:
        """As the list over it is called."""
        parts = [_NAMES[self.shelf], self.collection, str(self.scope) if self.scope else "",
                 self.author]  # fmt: skip
        return " · ".join(visible(part) for part in parts if part)

    @property
    def detail(self) -> str:
        """What is there, beside its name."""
        match self.shelf:
            case Shelves.INBOX:
                return f"{self.amount} waiting"
            case Shelves.CONFLICTS:
                return f"{self.amount} to decide"
            case Shelves.ACTIVITY:
                return "who read and wrote what"
            case Shelves.SYNC:
                return "the account, what waits, the last runs"
            case _:
                return f"{self.amount} kept"


def home_of(item: Item) -> Address:
    """The address of the widest list that shows an item among its like."""
    shelf = next(shelf for shelf, kind in _KINDS.items() if kind is item.kind)
    return Address(shelf, None, item.collection)


_KINDS: Mapping[Shelves, Kind | None] = {
    Shelves.EVERYTHING: None,
    Shelves.PREFERENCES: Kind.PREFERENCE,
    Shelves.FACTS: Kind.FACT,
    Shelves.DOCUMENTS: Kind.DOCUMENT,
}
"""The shelves that hold items, and of which kind."""
_NAMES: Mapping[Shelves, str] = {
    Shelves.EVERYTHING: "Everything",
    Shelves.PREFERENCES: "Preferences",
    Shelves.FACTS: "Facts",
    Shelves.DOCUMENTS: "Collections",
    Shelves.INBOX: "Inbox",
    Shelves.CONFLICTS: "Conflicts",
    Shelves.ACTIVITY: "Activity",
    Shelves.SYNC: "Sync",
}
_ICONS: Mapping[Shelves, str] = {
    Shelves.EVERYTHING: "✦",
    Shelves.PREFERENCES: ICON[Kind.PREFERENCE],
    Shelves.FACTS: ICON[Kind.FACT],
    Shelves.DOCUMENTS: ICON[Kind.DOCUMENT],
    Shelves.INBOX: WAITING,
    Shelves.CONFLICTS: "⚠",
    Shelves.ACTIVITY: "◷",
    Shelves.SYNC: "⇅",
}


class Beside(NamedTuple):
    """What the tree shows that is not a shelf of items."""

    waiting: int
    authors: tuple[tuple[str, int], ...] = ()
    """Who did how much; empty while nobody looks at the activity."""
    conflicts: int = 0


def spots(shelf: Shelf, preferences: int, beside: Beside | None) -> tuple[Spot, ...]:
    """The tree from top to bottom; scopes only where there is more than one to tell apart.

    `preferences` is how many of the six are set. `beside` is None in the past, which has no inbox.
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
    if beside is not None:
        found += _beside(beside)
    return tuple(found)


def _beside(beside: Beside) -> list[Spot]:
    found = [Spot(Shelves.INBOX, "Inbox", beside.waiting)]
    if beside.conflicts:
        found.append(Spot(Shelves.CONFLICTS, "Conflicts", beside.conflicts))
    found.append(Spot(Shelves.ACTIVITY, "Activity", sum(count for _, count in beside.authors)))
    if len(beside.authors) > 1:
        found += [
            Spot(Shelves.ACTIVITY, name, count, 1, author=name) for name, count in beside.authors
        ]
    return [*found, Spot(Shelves.SYNC, "Sync", 0)]


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
        (visible(spot.label), ink.PLAIN if spot.depth or _is_idle(spot) else ink.STRONG),
    )
    asks = spot.shelf in (Shelves.INBOX, Shelves.CONFLICTS) and not _is_idle(spot)
    return spread(label, Content.styled(spot.amount, ink.STRONG if asks else ink.DIM), width)


def _is_idle(spot: Spot) -> bool:
    """An inbox that asks nothing."""
    return spot.shelf is Shelves.INBOX and not spot.size


def list_title(spot: Spot, count: int) -> str:
    """Over a list: `Facts · contact:ana · 34`."""
    if spot.shelf is Shelves.SYNC:
        return spot.title
    amount = spot.amount or f"{count:,}"
    return f"{spot.title} · {amount}"


def empty_library(key: Label) -> Content:
    """The first minute: what to press, what else writes here, and the promise.

    Short enough to be read in full in 34 cells by 8 lines, a window of 40x12.
    """
    return Content.assemble(
        ("Nothing is kept here yet.\n", ink.STRONG),
        "Press ", (key("new"), ink.NAME), " to keep a fact, a preference or a document.\n\n",
        "The command line keeps facts too (", ("localmem add", ink.NAME),
        "); they appear here by themselves.\n\n",
        ("All of it is one file on this machine; nothing leaves it.", ink.DIM),
    )  # fmt: skip


def empty_place(spot: Spot, key: Label, *, past: bool = False) -> Content:
    """What an empty list says, and the next step."""
    if past:
        return Content(
            "Nothing that is still kept was here then. What you forgot since is gone from here too."
        )
    if spot.shelf is Shelves.INBOX:
        return Content.assemble(
            ("Nothing waits for you.\n", ink.STRONG),
            "What agents write and what is inferred about you comes here, to be accepted, "
            "corrected or rejected. Until then it is found like everything else.",
        )
    if spot.shelf is Shelves.ACTIVITY:
        return Content(
            "Nothing has been done here yet. Who reads and writes what is listed here, never "
            "what it said."
        )
    if spot.shelf in (Shelves.CONFLICTS, Shelves.SYNC):
        from localmem.tui.present import syncing

        said: Content = syncing.empty(key, conflicts=spot.shelf is Shelves.CONFLICTS)
        return said
    what = {
        Shelves.EVERYTHING: "Nothing is kept here yet.",
        Shelves.PREFERENCES: "No preference is set.",
        Shelves.FACTS: "No fact is kept here.",
        Shelves.DOCUMENTS: "No document is kept here.",
    }[spot.shelf]
    return Content.assemble(f"{what} ", (key("new"), ink.NAME), " keeps one.")
