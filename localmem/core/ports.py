"""What the engine asks of the world, as Protocols; implementations live in store/ and embed/."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from localmem.core.model import Actor, Collection, Item, ItemId, Kind, Millis, Version
from localmem.core.scope import Scope

if TYPE_CHECKING:
    from localmem.core.health import Health
    from localmem.core.incoming import Run, Waiting
    from localmem.core.preferences import PreferenceState


class Clock(Protocol):
    def __call__(self) -> Millis:
        """Now, in UTC milliseconds."""
        ...


class Ids(Protocol):
    def __call__(self) -> str:
        """A new UUIDv7 text, later than every one before it."""
        ...


@dataclass(frozen=True, slots=True)
class Model:
    """Identity of an embedding model, recorded beside the vectors it made."""

    name: str
    """Selects the calibration, e.g. "use-m3-512"."""
    version: str
    """Package version and weights digest, or the endpoint's own model name."""
    dimensions: int


class Embedder(Protocol):
    @property
    def model(self) -> Model: ...

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One unit-length little-endian float32 vector per text. Raises ModelUnavailable."""
        ...


class Removal(StrEnum):
    """Why an item is gone, as its tombstone says."""

    FORGET = "forget"
    UNDO = "undo"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Slice:
    """Which live items a list shows; None and "" do not restrict."""

    kind: Kind | None = None
    scope: Scope | None = None
    collection: str = ""
    prefix: str = ""
    """Documents only: the key starts with it."""


@dataclass(frozen=True, slots=True)
class ScopeCount:
    kind: Kind
    scope: Scope
    collection: str
    items: int


@dataclass(frozen=True, slots=True)
class Where:
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


@dataclass(frozen=True, slots=True)
class UndoStep:
    """Content-free: takes the item from version `made` back to `before` (None: it was new)."""

    item: ItemId
    made: int
    before: int | None


@dataclass(frozen=True, slots=True)
class UndoEntry:
    seq: int
    at: Millis
    label: str
    """What was done, without content: "edited a fact"."""
    steps: int
    """How many; none for what cannot be undone: it bars the way to what was done before it."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What one removal took away; counts only."""

    items: int
    versions: int
    vectors: int
    copies: int
    """Synced copies, queued requests, conflicts and drafts that held the content."""


@dataclass(frozen=True, slots=True)
class Scrub:
    """Whether the freed bytes are gone from the files too."""

    done: bool
    """False while another process keeps reading: the rows are gone, the bytes not yet."""
    files: tuple[str, ...]
    """Every file of the library that was rewritten."""
    why: str = ""
    """Why it is not done, as part of a sentence."""


@dataclass(frozen=True, slots=True)
class Draft:
    slot: str
    item: ItemId | None
    body: str
    at: Millis


@dataclass(frozen=True, slots=True)
class Deed:
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


@dataclass(frozen=True, slots=True)
class Review:
    """An item that waits for the person."""

    item: Item
    since: Millis
    before: int | None
    """The version they last saw; None when all of it is new."""


class Items(Protocol):
    """Heads and versions. Every read leaves expired items out."""

    def get(self, id: ItemId) -> Item | None: ...
    def many(self, rows: Sequence[int]) -> dict[int, Item]: ...
    def at(
        self, kind: Kind, scope: Scope, *, collection: str, key: str, provenance: str
    ) -> Item | None: ...
    def twin(self, scope: Scope, sameness: str) -> Item | None: ...
    def matching(self, id_prefix: str, limit: int) -> list[ItemId]: ...
    def history(self, id: ItemId) -> tuple[Version, ...]: ...
    def version(self, id: ItemId, number: int) -> Version | None: ...
    def count(self, slice: Slice) -> int: ...
    def window(self, slice: Slice, *, offset: int, limit: int) -> list[Item]: ...
    def place(self, slice: Slice, item: Item) -> int: ...
    def page(self, slice: Slice, *, after: str | None, limit: int) -> list[Item]: ...
    def cursor(self, slice: Slice, item: Item) -> str: ...
    def counts(self) -> list[ScopeCount]: ...
    def rows(self, slice: Slice) -> list[ItemId]: ...
    def by_field(
        self,
        collection: str,
        scope: Scope,
        *,
        field: str,
        value: str,
        after: str | None,
        limit: int,
    ) -> list[Item]: ...
    def expired(self, limit: int) -> list[ItemId]: ...
    def words_edition(self) -> str:
        """Which edition of the words and concepts the index was filled under."""
        ...

    def refill_words(self, edition: str, words: Callable[[Item], str]) -> None:
        """Index every item again; inside a transaction."""
        ...

    def versions(self) -> int:
        """How many versions all items have together."""
        ...

    def last_number(self, scope: Scope, collection: str, key: str) -> int: ...
    def make_room(
        self, scope: Scope, *, collection: str, key: str, provenance: str, at: Millis
    ) -> None: ...
    def insert(
        self, item: Item, *, sameness: str | None, fields: Mapping[str, str], words: str
    ) -> None: ...
    def append(
        self,
        id: ItemId,
        version: Version,
        *,
        sameness: str | None,
        fields: Mapping[str, str],
        words: str,
    ) -> None: ...
    def remove(self, ids: Sequence[ItemId], *, reason: Removal, at: Millis) -> Erased: ...


class Collections(Protocol):
    def get(self, name: str) -> Collection | None: ...
    def all(self) -> list[Collection]: ...
    def create(self, collection: Collection) -> None: ...
    def remove(self, name: str) -> None: ...


class PreferenceStates(Protocol):
    def get(self, key: str) -> PreferenceState: ...
    def blocked(self) -> frozenset[str]: ...
    def put(self, key: str, state: PreferenceState) -> None: ...


class Finder(Protocol):
    """Candidates for a search, as rows; scoring is core.rank's."""

    def by_words(self, match: str, where: Where) -> list[int]:
        """Every row that an expression of core.words finds; unordered."""
        ...

    def by_meaning(self, vector: bytes, where: Where, limit: int) -> dict[int, float]: ...
    def cosines(self, vector: bytes, rows: Sequence[int]) -> dict[int, float]: ...
    def size(self, where: Where) -> int:
        """How many live items `where` allows."""
        ...

    def change(self) -> int:
        """Rises with every write to the library, by any process."""
        ...

    def newest(self, where: Where, limit: int) -> list[int]: ...
    def model(self) -> Model | None: ...
    def use_model(self, model: Model) -> bool: ...
    def pending(self, limit: int) -> list[int]: ...
    def pending_count(self) -> int: ...
    def put_vectors(self, row: int, number: int, vectors: Sequence[bytes]) -> None: ...


class Reviews(Protocol):
    """What waits for the person; `said` names a place and what was written there."""

    def wait(self, id: ItemId, *, since: Millis, before: int | None) -> None: ...
    def settle(self, id: ItemId, number: int) -> None: ...
    def reopen(self, id: ItemId, number: int) -> None: ...
    def count(self) -> int: ...
    def window(self, *, offset: int, limit: int) -> list[Review]: ...
    def find(self, id: ItemId) -> Review | None: ...
    def among(self, ids: Sequence[ItemId]) -> frozenset[ItemId]: ...
    def waiting(self) -> list[tuple[ItemId, int]]: ...
    def reject(self, said: str, at: Millis) -> None: ...
    def rejected(self, said: str) -> bool: ...
    def lift(self, said: str) -> None: ...


class Past(Protocol):
    """The live items as they were at a moment; an item's head is its version then."""

    def get(self, id: ItemId, at: Millis) -> Item | None: ...
    def count(self, slice: Slice, at: Millis) -> int: ...
    def counts(self, at: Millis) -> list[ScopeCount]: ...
    def window(self, slice: Slice, at: Millis, *, offset: int, limit: int) -> list[Item]: ...
    def each(self, slice: Slice, at: Millis, *, changed: bool = False) -> Iterator[Item]: ...
    def unchanged(self, wanted: Sequence[int], at: Millis) -> list[Item]: ...
    def earliest(self) -> Millis | None: ...


class History(Protocol):
    """The undo log, the drafts, the activity log, and what is shown once and was."""

    def record_undo(self, label: str, steps: Sequence[UndoStep], at: Millis) -> int: ...
    def extend_undo(self, seq: int, steps: Sequence[UndoStep]) -> None: ...
    def last_undo(self) -> UndoEntry | None: ...
    def undo_entry(self, seq: int) -> UndoEntry | None: ...
    def undo_steps(
        self, seq: int, *, after: str, limit: int
    ) -> list[tuple[UndoStep, int | None]]: ...
    def mark_undone(self, seq: int) -> None: ...
    def save_draft(self, draft: Draft) -> None: ...
    def draft(self, slot: str) -> Draft | None: ...
    def drop_draft(self, slot: str) -> None: ...
    def record_deed(self, deed: Deed) -> None: ...
    def deeds(
        self, limit: int, *, before: int | None = None, item: ItemId | None = None, by: str = "",
        since: Millis | None = None, until: Millis | None = None, offset: int = 0,
    ) -> list[Deed]: ...  # fmt: skip
    def deed_count(self, by: str = "") -> int: ...
    def deed_authors(self, limit: int) -> list[tuple[str, int]]: ...
    def drafted(self) -> frozenset[ItemId]: ...
    def seen(self, name: str) -> bool: ...
    def mark_seen(self, name: str, at: Millis) -> None: ...
    def record_use(self, ids: Sequence[ItemId], by: str, at: Millis) -> None: ...
    def last_used(self, id: ItemId) -> tuple[Millis, str] | None: ...


class Imports(Protocol):
    """Imports that were begun, and what items of another library need of the tables."""

    def begin(self, source: str, format: str, fingerprint: str, at: Millis) -> Run: ...
    def unfinished(self, fingerprint: str) -> Run | None: ...
    def save(self, run: Run) -> None: ...
    def find(self, id: int) -> Run | None: ...
    def newest(self, limit: int) -> list[Run]: ...
    def undone(self, undo: int) -> None: ...
    def page(
        self,
        *,
        kind: Kind | None,
        scope: Scope | None,
        collection: str,
        after: ItemId | None,
        limit: int,
    ) -> list[Item]: ...
    def waiting(self, ids: Sequence[ItemId]) -> dict[ItemId, Waiting]: ...
    def removed(self, id: ItemId) -> Removal | None: ...
    def bring_back(self, id: ItemId, at: Millis) -> None: ...
    def taken_versions(self, ids: Sequence[str]) -> frozenset[str]: ...
    def keep_versions(self, id: ItemId, versions: Sequence[Version]) -> None: ...


class Store(Protocol):
    """One library. Methods run inside `reading()` or `writing()`; one thread at a time."""

    @property
    def items(self) -> Items: ...
    @property
    def collections(self) -> Collections: ...
    @property
    def preference_states(self) -> PreferenceStates: ...
    @property
    def finder(self) -> Finder: ...
    @property
    def history(self) -> History: ...
    @property
    def reviews(self) -> Reviews: ...
    @property
    def past(self) -> Past: ...
    @property
    def imports(self) -> Imports: ...
    @property
    def health(self) -> Health: ...
    @property
    def vectors_available(self) -> bool: ...
    @property
    def read_only(self) -> bool: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    @property
    def path(self) -> str: ...
    @property
    def device(self) -> str: ...

    def reading(self) -> AbstractContextManager[None]:
        """One snapshot. Raises StoreError subclasses."""
        ...

    def writing(self, *, patient: bool = True) -> AbstractContextManager[None]:
        """One transaction: all of it or nothing. Raises StoreError subclasses, Cancelled.

        Not `patient`, it gives up at once when another process is writing: for what can wait.
        """
        ...

    def scrub(self) -> Scrub:
        """Rewrite the files without what was removed; outside any transaction."""
        ...

    def occurrences(self, needles: Sequence[str]) -> int:
        """How often the texts stand in the bytes of the library's files."""
        ...

    @property
    def encrypted(self) -> bool:
        """Whether its files can be read with its key alone."""
        ...

    def backup(self, target: str, *, plain: bool = False) -> None:
        """Copy the library while others use it; encrypted as it is, unless `plain`.

        Raises BackupFailed.
        """
        ...

    def size(self) -> int:
        """Bytes of the library's files; 0 in memory."""
        ...

    def data_version(self) -> int:
        """Changes whenever another process committed."""
        ...

    def interrupt(self) -> None:
        """Stop what runs and refuse what follows, until `resume`; safe from any thread."""
        ...

    def resume(self) -> None:
        """Answer again after `interrupt`."""
        ...

    def close(self) -> None: ...
