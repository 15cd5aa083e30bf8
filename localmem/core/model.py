"""What a person keeps: items, each with a history of versions that are never changed.

Values only; the rules that make them live in the modules named after each kind. Times are UTC
milliseconds since 1970 everywhere inside; RFC 3339 exists only on the wire.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, NewType

from localmem.core.scope import Scope

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

ItemId = NewType("ItemId", str)
"""UUIDv7 text. Names one incarnation: what is forgotten and kept again gets a new id."""

Millis = int
"""UTC milliseconds since 1970-01-01."""

NO_METADATA: Mapping[str, str] = MappingProxyType({})


class Kind(StrEnum):
    PREFERENCE = "preference"
    FACT = "fact"
    DOCUMENT = "document"


class Provenance(StrEnum):
    DECLARED = "declared"
    """The person's own words; filters offers (shop-memory)."""
    INFERRED = "inferred"
    """What a purchase suggests; only orders offers (shop-memory)."""


class AuthorKind(StrEnum):
    PERSON = "person"
    AGENT = "agent"
    BACKEND = "backend"


class Origin(StrEnum):
    """The surface a write came through."""

    TUI = "tui"
    CLI = "cli"
    MCP = "mcp"
    HTTP = "http"
    SYNC = "sync"
    IMPORT = "import"
    PYTHON = "python"


class Change(StrEnum):
    """Why a version was written. Forgetting leaves no version, only a tombstone."""

    REMEMBER = "remember"
    CORRECT = "correct"
    EDIT = "edit"
    RESTORE = "restore"
    MERGE = "merge"
    IMPORT = "import"


class Actor(NamedTuple):
    """Who writes, and through what."""

    kind: AuthorKind
    name: str
    """As shown: "you", or the agent's own name. Never a credential."""
    origin: Origin
    device: str = ""
    """8 characters naming this installation; "" when unknown."""


class Evidence(NamedTuple):
    """What a version rests on (shop-memory, "Arguments")."""

    quote: str | None = None
    """The words it came from, the person's own where it is declared; at most 500 characters."""
    purchase_id: str | None = None
    """The purchase an inferred value comes from."""
    source: str | None = None
    """Where it was read: a file and its line, a conversation's title; at most 500 characters."""


NO_EVIDENCE = Evidence()


@dataclass(frozen=True, slots=True)
class PreferenceContent:
    value: str | tuple[str, ...]
    """One size, or 1 to 10 names."""


@dataclass(frozen=True, slots=True)
class FactContent:
    text: str
    """As typed, after NFC and line-ending normalisation; 1 to 8,192 bytes of UTF-8."""
    metadata: Mapping[str, str] = field(default_factory=lambda: NO_METADATA)
    """Not searchable; at most 2 KB."""
    path: str | None = None
    """Logical place ("projects/x/decisions"), None when none was given (remember-tool)."""


@dataclass(frozen=True, slots=True)
class DocumentContent:
    value: Json


Content = PreferenceContent | FactContent | DocumentContent


class Version(NamedTuple):
    """One state an item was in. Immutable."""

    id: str
    """UUIDv7; for a fact also the identity of this wording on the wire (sync.md 2.2)."""
    number: int
    """1, 2, 3 …; a document kept again after forgetting goes on where it stopped (`rev`)."""
    change: Change
    content: Content
    by: Actor
    at: Millis
    expires_at: Millis | None = None
    """The first millisecond at which the item is gone; None keeps it until forgotten."""
    evidence: Evidence = NO_EVIDENCE
    base: int | None = None
    """The version it was made on; None for the first."""


class Item(NamedTuple):
    """Something kept, with its current version."""

    id: ItemId
    kind: Kind
    scope: Scope
    """`scope.PERSON` for preferences."""
    head: Version
    created_at: Millis
    key: str = ""
    """One of the six for a preference, the document's key, "" for a fact."""
    collection: str = ""
    """The document's collection, "" otherwise."""
    provenance: Provenance | None = None
    """Preferences only."""

    def expired(self, now: Millis) -> bool:
        return self.head.expires_at is not None and now >= self.head.expires_at


class Collection(NamedTuple):
    """Defined once for the whole library; its documents are per scope (memory-api)."""

    name: str
    indexes: tuple[str, ...] = ()
    """At most 2 fields (dotted = nested), fixed at creation."""
    default_ttl: int | None = None
    """Seconds; None keeps documents until deleted."""
    implicit: bool = False
    """True when a write made it, so it has no indexes and never will."""
    created_at: Millis = 0
