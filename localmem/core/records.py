"""What the engine and the store hand each other: values about items, and beside them.

Split from `ports`, whose Protocols no running program needs. Named tuples, like every plain value
that the first frame needs: making a frozen dataclass takes six times as long, and seventy of them
were a tenth of the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from localmem.core.model import Actor, Item, ItemId, Kind, Millis
from localmem.core.scope import Scope


class Model(NamedTuple):
    """Identity of an embedding model, recorded beside the vectors it made."""

    name: str
    """Selects the calibration, e.g. "use-m3-512"."""
    version: str
    """Package version and weights digest, or the endpoint's own model name."""
    dimensions: int


_NO_FIELDS: Mapping[str, str] = MappingProxyType({})


class NewItem(NamedTuple):
    """What the tables take of an item that is new."""

    item: Item
    words: str
    """What it is found by."""
    sameness: str | None = None
    """Facts only."""
    fields: Mapping[str, str] = _NO_FIELDS
    """The indexed ones of a document."""


class Made(NamedTuple):
    """The vectors of one item, as an embedder made them."""

    row: int
    number: int
    """The version they are of."""
    vectors: Sequence[bytes]
    """One a passage."""


class Removal(StrEnum):
    """Why an item is gone, as its tombstone says."""

    FORGET = "forget"
    UNDO = "undo"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    """A newer wording took its place."""
    DUPLICATE = "duplicate"
    """It was kept twice."""
    ABSENT = "absent"
    """A server that names no reasons had it no more."""


class Slice(NamedTuple):
    """Which live items a list shows; None and "" do not restrict."""

    kind: Kind | None = None
    scope: Scope | None = None
    collection: str = ""
    prefix: str = ""
    """Documents only: the key starts with it."""


class ScopeCount(NamedTuple):
    kind: Kind
    scope: Scope
    collection: str
    items: int


class Where(NamedTuple):
    """What a search may return; empty tuples and None do not restrict."""

    scopes: tuple[Scope, ...] = ()
    kinds: tuple[Kind, ...] = ()
    collections: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    after: Millis | None = None
    """Written at or after this moment."""
    before: Millis | None = None
    """Written before this moment."""
    without_agents: bool = False
    """Nothing whose current version an agent wrote."""


class UndoStep(NamedTuple):
    """Content-free: takes the item from version `made` back to `before` (None: it was new)."""

    item: ItemId
    made: int
    before: int | None


class UndoEntry(NamedTuple):
    seq: int
    at: Millis
    label: str
    """What was done, without content: "edited a fact"."""
    steps: int
    """How many; none for what cannot be undone: it bars the way to what was done before it."""


class Erased(NamedTuple):
    """What one removal took away; counts only."""

    items: int
    versions: int
    vectors: int
    copies: int
    """Synced copies, queued requests, conflicts and drafts that held the content."""


class Scrub(NamedTuple):
    """Whether the freed bytes are gone from the files too."""

    done: bool
    """False while another process keeps reading: the rows are gone, the bytes not yet."""
    files: tuple[str, ...]
    """Every file of the library that was rewritten."""
    why: str = ""
    """Why it is not done, as part of a sentence."""


class Draft(NamedTuple):
    slot: str
    item: ItemId | None
    body: str
    at: Millis


class Deed(NamedTuple):
    """One line of the activity log: who did what, never what it said."""

    at: Millis
    by: Actor
    action: str
    kind: str
    scope: str
    item: ItemId | None
    items: int
    seq: int = 0
    """Its place in the log; 0 before it is recorded."""


class Review(NamedTuple):
    """An item that waits for the person."""

    item: Item
    since: Millis
    before: int | None
    """The version they last saw; None when all of it is new."""


class Expiry(NamedTuple):
    """How much of the library has an end."""

    items: int
    """Live items that expire at some time."""
    soon: int
    """Those of them that expire before the moment asked about."""
    first: Millis | None
    """When the next one does."""


NO_EXPIRY = Expiry(0, 0, None)
