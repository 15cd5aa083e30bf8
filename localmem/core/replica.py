"""What synchronisation asks of a library, as values and Protocols (sync.md 2.3).

The planner and its executor live in `sync/` and know nothing else of the store: `Library` is what
the person sees and how a sync changes it, `Tables` is what a sync remembers of one account. Both
work on one connection, so that a step of a sync is one transaction. Implementations: engine/
(Library), store/ (Tables), and dictionaries in tests/simulation. Content in `Tables` goes with the
item it is of: what is forgotten leaves husks (`core/bodies.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import NamedTuple, Protocol

from localmem.core.bodies import (
    NO_VV,
    VV,
    YOU,
    Author,
    Body,
    DocumentBody,
    Held,
    PreferenceBody,
)
from localmem.core.model import NO_METADATA, Collection, ItemId, Kind, Millis
from localmem.core.records import Removal
from localmem.core.scope import PERSON, Scope

# --- what the person sees --------------------------------------------------------------------


class RecordKey(NamedTuple):
    """Where a preference or a document is; facts have no such place."""

    kind: Kind
    scope: Scope
    """`PERSON` for preferences."""
    collection: str
    """"" for preferences."""
    key: str


def preference_key(key: str) -> RecordKey:
    return RecordKey(Kind.PREFERENCE, PERSON, "", key)


def document_key(scope: Scope, collection: str, key: str) -> RecordKey:
    return RecordKey(Kind.DOCUMENT, scope, collection, key)


class FactBody(NamedTuple):
    """One wording of a fact; never changed, only replaced (sync.md 2.9)."""

    text: str
    metadata: Mapping[str, str] = NO_METADATA
    """The person's and the agents' own; never what localmem adds on the wire."""
    path: str | None = None
    expires_at: Millis | None = None
    at: Millis = 0
    by: Author = YOU


class Fact(NamedTuple):
    """A live fact of the library."""

    item: ItemId
    scope: Scope
    number: int
    """Of its current version."""
    version: str
    """The id of that version: the `lm` it is sent under."""
    body: FactBody


class Document(NamedTuple):
    """A live document of the library."""

    item: ItemId
    number: int
    body: DocumentBody
    """Its `inc` is the item's own id; whether it is known by another is in `Tables`."""


class Changed(NamedTuple):
    """Something that changed in the library since a number."""

    change: int
    kind: Kind
    item: ItemId
    key: RecordKey | None
    """Of a preference or a document that is there; None for facts and for what is gone."""
    gone: Removal | None = None
    """Why it is gone; None for what is there."""


class Library(Protocol):
    """What the person sees; every method runs inside `Tables.reading()` or `writing()`.

    Writes are by synchronisation (`Origin.SYNC`), never judged again as a person's or an agent's
    words are: they were when they were first kept. None of them is the person's own last change.
    """

    def now(self) -> Millis: ...

    def new_id(self) -> str: ...

    def high(self) -> int:
        """The number of the newest change."""
        ...

    def changed(self, after: int, limit: int) -> Sequence[Changed]:
        """Behind `after`, in their order, at most `limit`; what is gone among them."""
        ...

    def why_gone(self, item: ItemId) -> Removal | None:
        """Why an item of that id is gone; None where it is there or never was."""
        ...

    def whys_gone(self, items: Sequence[ItemId]) -> Mapping[ItemId, Removal]:
        """The same for many at once; those that are gone."""
        ...

    # preferences

    def preference(self, key: str) -> PreferenceBody:
        """Always something: generation 0 without values where nothing was ever said."""
        ...

    def preference_items(self, key: str) -> Sequence[ItemId]:
        """The live items of the key: none, or those of what is declared and what is inferred."""
        ...

    def put_preference(self, key: str, body: PreferenceBody, *, merged: bool = False) -> None:
        """Make the key say this: a version where a slot says another thing, its erasure where it
        is empty. Forgotten: both go with their versions, and nothing is inferred into it.
        `merged`: the content is of two sides."""
        ...

    # documents

    def document(self, scope: Scope, collection: str, key: str) -> Document | None: ...

    def documents(self, keys: Sequence[RecordKey]) -> Mapping[RecordKey, Document]:
        """The same for many at once; those that are there."""
        ...

    def put_document(
        self, scope: Scope, collection: str, key: str, body: DocumentBody, *, merged: bool = False
    ) -> ItemId:
        """A new version of what is there, or a first one in an item of the id `inc` (of another
        id where that is taken). The collection is made where there is none."""
        ...

    def put_documents(self, wanted: Sequence[tuple[RecordKey, DocumentBody]]) -> Sequence[ItemId]:
        """The same for many places where nothing is: much faster than one by one."""
        ...

    def collection(self, name: str) -> Collection | None: ...

    def define_collection(self, collection: Collection) -> None:
        """Make a collection as it is elsewhere; one of that name stays as it is here."""
        ...

    # facts

    def fact(self, item: ItemId) -> Fact | None: ...
    def earlier(self, item: ItemId, number: int) -> FactBody | None:
        """What an earlier version of a fact said; None where nothing of it is kept."""
        ...

    def facts(self, items: Sequence[ItemId]) -> Mapping[ItemId, Fact]:
        """The same for many at once; those that are live."""
        ...

    def twin(self, scope: Scope, text: str) -> Fact | None:
        """The live fact of that scope with the same words."""
        ...

    def add_fact(self, scope: Scope, lm: str, body: FactBody, *, proposed: bool) -> Fact:
        """A new fact whose first version has the id `lm` (another where that is taken).
        `proposed`: it waits in the inbox, because nobody has seen it yet."""
        ...

    def add_facts(self, wanted: Sequence[tuple[Scope, str, FactBody, bool]]) -> Sequence[Fact]:
        """The same for many: much faster than one by one."""
        ...

    def reword_fact(self, item: ItemId, lm: str, body: FactBody) -> Fact:
        """A new version of a fact, with the id `lm` (another where that is taken)."""
        ...

    # all kinds

    def count(self, scope: Scope) -> int:
        """How many live items a scope has; of `PERSON`, how many preferences."""
        ...

    def remove(self, item: ItemId, why: Removal) -> None:
        """Erase an item with its versions; its bytes go when the library is next maintained."""
        ...


# --- what a sync remembers -------------------------------------------------------------------


class Standing(NamedTuple):
    """How far the account is in step; one row an account."""

    device: str
    """8 characters; names this library in version vectors."""
    counter: int = 0
    """Of sends; grows with each, never falls, never repeats."""
    confirmed: int = 0
    """The counter that a server without epochs is known to have been told."""
    epoch: str | None = None
    cursor: str | None = None
    """Of the feed; None before the first page."""
    seq: int = 0
    """The number of the change the cursor is behind."""
    watermark: int = 0
    """Every change of the library up to this one was looked at."""
    resync: bool = False
    """The server is another one than it was: what is missing there proves nothing."""
    sweep: bool = False
    """The feed began anew: what it does not tell again is gone."""
    cycle: int = 0
    last_full: Millis = 0
    """When everything was last compared; 0 for never."""


class Copy(NamedTuple):
    """What is known of one record besides what the person sees."""

    item: ItemId | None = None
    """The document's item that `inc` names; None for preferences."""
    inc: str = ""
    there: str = ""
    """The server's own name of the incarnation, where it told one: its tombstone has it."""
    vv: VV = NO_VV
    """Of what is here."""
    synced: bool = False
    """Whether the two sides ever agreed; without it nothing may be deleted."""
    rev: str | None = None
    """Of the server's, when last seen; None when it has none."""
    base: Held | None = None
    """What both sides last agreed on; None where they agreed on nothing being there."""
    last: Body | None = None
    """What the server was last seen to have."""
    fights: int = 0
    """How often what somebody else put there was overwritten by rule."""


class Verb(StrEnum):
    PUT = "put"
    DELETE = "delete"


class Flight(NamedTuple):
    """A write of a record that was sent, or is about to be; no answer was read yet."""

    op: str
    """UUIDv7: the idempotency key. Flights of one batch share it, in the order of `place`."""
    place: int
    key: RecordKey
    verb: Verb
    counter: int
    body: Held | None = None
    """As sent; None for a delete, a husk when it was forgotten meanwhile."""
    if_match: str | None = None
    only_new: bool = False
    ttl: int | None = None
    """Seconds, as sent: the same request must be sent again."""
    batch: bool = False


class Clashing(StrEnum):
    """Why a conflict needs the person."""

    CHANGED = "changed"
    """Both sides changed the same part."""
    FORGOTTEN = "forgotten"
    """Forgotten on the other side, changed here and not sent yet."""
    CREATED = "created"
    """Two were made in one place."""
    FORK = "fork"
    """The other side does not descend from what both once agreed on."""
    SHAPE = "shape"
    """What stands there is nothing localmem can read."""


class Conflict(NamedTuple):
    why: Clashing
    since: Millis
    base: Body | None = None
    mine: Body | None = None
    """As it was then; what is shown is what the library has now."""
    theirs: Held | None = None
    """None when it is gone there."""
    rev: str | None = None
    parts: tuple[tuple[str, ...], ...] = ()
    """The parts that both changed (`core.merge.FieldClash.path`)."""


class Wording(NamedTuple):
    """One wording of a fact that has left this library or came to it."""

    lm: str
    item: ItemId
    number: int
    """The version of the item it is."""
    scope: Scope
    server_id: str | None = None
    """None: not there (any more), or not known yet."""
    sent: bool = False
    """It was sent and no answer was read: it may be there under an id nobody knows here."""
    sup: tuple[str, ...] = ()
    """The wordings it replaces, newest first."""
    leaving: bool = False
    """The server says a newer wording took its place, which has not come yet."""


class Errand(NamedTuple):
    """A fact to be deleted on the server."""

    scope: Scope
    server_id: str
    why: Removal
    lm: str = ""


class Block(NamedTuple):
    """Why something is not sent; pulls and deletes go on."""

    code: str
    """The server's, or one of sync/policy.py."""
    message: str
    """A sentence, with what to do next."""
    until: Millis | None = None
    """Tried again then; None until the item changes or the person acts."""
    change: int = 0
    """The library's change at which it was blocked: an edit since lifts it."""


ACCOUNT = "account"
"""The place of a block that holds for every write."""


class Pending(NamedTuple):
    """Something that may have to be sent."""

    key: RecordKey | None
    item: ItemId | None
    """Of a fact; None for records."""


class Tables(Protocol):
    """What a sync remembers of one account. Methods run inside `reading()` or `writing()`."""

    def reading(self) -> AbstractContextManager[None]: ...

    def writing(self) -> AbstractContextManager[None]:
        """One transaction: all of it or nothing, on the disk when it ends."""
        ...

    def standing(self) -> Standing: ...
    def stand(self, standing: Standing) -> None: ...

    # records

    def copy(self, key: RecordKey) -> Copy | None: ...
    def copies_at(self, keys: Sequence[RecordKey]) -> Mapping[RecordKey, Copy]:
        """The same for many at once; those that are known."""
        ...

    def put_copy(self, key: RecordKey, copy: Copy) -> None:
        """The base it replaces, if that is another one with content, goes to `log`."""
        ...

    def put_copies(self, copies: Sequence[tuple[RecordKey, Copy]]) -> None:
        """The same for many records that had no copy, or one whose base has no content."""
        ...

    def drop_copy(self, key: RecordKey) -> None:
        """With its log."""
        ...

    def copy_of(self, item: ItemId) -> RecordKey | None:
        """The record whose `Copy.item` that is."""
        ...

    def copy_named(self, inc: str) -> RecordKey | None:
        """The record whose `Copy.inc` or `Copy.there` that is."""
        ...

    def copies(self, *, after: RecordKey | None, limit: int) -> Sequence[RecordKey]:
        """Those the server had (`rev` is not None), by key behind `after`."""
        ...

    def log(self, key: RecordKey) -> Sequence[Held]:
        """Up to 16 earlier bases, oldest first."""
        ...

    def flight(self, key: RecordKey) -> Flight | None: ...
    def flights(self) -> Sequence[Flight]:
        """By op and place."""
        ...

    def flights_at(self, keys: Sequence[RecordKey]) -> Mapping[RecordKey, Flight]:
        """Those of these records."""
        ...

    def put_flights(self, flights: Sequence[Flight]) -> None: ...
    def drop_flight(self, key: RecordKey) -> None: ...
    def drop_flights(self, keys: Sequence[RecordKey]) -> None: ...

    def conflict(self, key: RecordKey) -> Conflict | None: ...
    def put_conflict(self, key: RecordKey, conflict: Conflict) -> None: ...
    def drop_conflict(self, key: RecordKey) -> None: ...
    def conflicts(self) -> Sequence[RecordKey]: ...

    def gone(self, id: str) -> Removal | None:
        """Why an `inc` or `lm` is gone for ever; None for others."""
        ...

    def gone_among(self, ids: Sequence[str]) -> Mapping[str, Removal]:
        """The same for many at once; those that are gone."""
        ...

    def put_gone(self, id: str, scope: Scope, why: Removal) -> None:
        """The first reason stays, but for a forget, which counts more than any other."""
        ...

    # facts

    def wording(self, lm: str) -> Wording | None: ...
    def put_wording(self, wording: Wording) -> None: ...
    def put_wordings(self, wordings: Sequence[Wording]) -> None:
        """The same for many that replace none."""
        ...

    def drop_wording(self, lm: str) -> None: ...
    def wordings_of(self, item: ItemId) -> Sequence[Wording]:
        """Newest version first."""
        ...

    def wordings_among(self, items: Sequence[ItemId]) -> Mapping[ItemId, Sequence[Wording]]:
        """The same for many at once; those that have some."""
        ...

    def wording_at(self, scope: Scope, server_id: str) -> Wording | None: ...
    def naming(self, lm: str) -> Sequence[Wording]:
        """The wordings whose `sup` has that one in it."""
        ...

    def leaving(self) -> Sequence[Wording]: ...
    def wordings_in(self, scope: Scope) -> Sequence[Wording]:
        """Those with a `server_id`."""
        ...

    def fact_conflict(self, item: ItemId) -> Conflict | None: ...
    def put_fact_conflict(self, item: ItemId, conflict: Conflict) -> None: ...
    def drop_fact_conflict(self, item: ItemId) -> None: ...
    def fact_conflicts(self) -> Sequence[ItemId]: ...

    def errands(self) -> Sequence[Errand]: ...
    def errand(self, scope: Scope, server_id: str) -> Errand | None: ...
    def put_errand(self, errand: Errand) -> None: ...
    def drop_errand(self, scope: Scope, server_id: str) -> None: ...

    # what waits

    def pending(self) -> Sequence[Pending]: ...
    def add_pending(self, pending: Pending) -> None: ...
    def add_all_pending(self, pending: Sequence[Pending]) -> None:
        """The same for many, in their order."""
        ...

    def drop_pending(self, pending: Pending) -> None: ...
    def drop_all_pending(self, pending: Sequence[Pending]) -> None:
        """The same for many."""
        ...

    def block(self, place: str) -> Block | None:
        """`place`: ACCOUNT, str(scope), or `block_place` of one item."""
        ...

    def blocks_at(self, places: Sequence[str]) -> Mapping[str, Block]:
        """Those of many places that have one."""
        ...

    def put_block(self, place: str, block: Block) -> None: ...
    def drop_block(self, place: str) -> None: ...
    def blocks(self) -> Sequence[tuple[str, Block]]: ...

    def scopes(self) -> Sequence[Scope]:
        """Every scope that anything of this account was ever in, or that the library has."""
        ...

    def learn_scope(self, scope: Scope) -> None:
        """Another device has something there: from now on it is one of `scopes`."""
        ...

    def collections(self) -> Sequence[str]:
        """Every collection of which a copy is held."""
        ...


def block_place(pending: Pending) -> str:
    """Where the block of one item is filed."""
    if pending.key is None:
        return f"item:{pending.item}"
    return "record:" + "\x00".join((pending.key.kind, str(pending.key.scope), *pending.key[2:]))
