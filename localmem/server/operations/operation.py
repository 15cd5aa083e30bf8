"""What an operation is: one row of the table, from which routes, documents and tools are made.

    Operation         over the library that a key opens
    SessionOperation  over the server's own database: sessions
    Tool              over a person's own library, called in a session

A handler is a function of an engine that acts for the caller, the input as its model read it, and
the call. It runs on the library's own thread, so it may take its time but never awaits. It raises
the engine's errors and Refused; what it answers is a value. Refuses every type of FastAPI.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import Enum, auto
from typing import Any

from localmem.core.hosting import Plan, Right
from localmem.core.hosting_ports import Hosting
from localmem.core.model import ItemId, Json, Millis
from localmem.core.ports import Clock
from localmem.core.scope import Scope
from localmem.engine import Engine
from localmem.hosting.admission import Holder, KeyHolder
from localmem.server.cursors import Cursors
from localmem.server.errors import Envelope, Refused
from localmem.wire.requests import Part, Request
from localmem.wire.schema import Schema, schemas
from localmem.wire.shapes import Shape

READ_UNITS, WRITE_UNITS = 1, 5
SMALL = 64 * 1024
"""Bytes of a body that holds no document."""


class Later(Enum):
    """What goes on after the reply, in its own time."""

    EMBED = auto()
    """Something new is to be found by meaning."""
    SCRUB = auto()
    """The bytes of something forgotten are to leave the files."""
    EMBED_MANY = auto()
    """As EMBED, of a batch, behind which more may come: once no write follows."""
    SCRUB_MANY = auto()
    """As SCRUB, likewise."""


@dataclass(frozen=True, slots=True)
class WipeLater:
    """The facts of a scope that were kept before `mark` are to go; promised before the reply."""

    scope: Scope
    mark: ItemId


def check_right(holder: KeyHolder, right: Right) -> None:
    """Raises Refused (forbidden)."""
    if not holder.has(right):
        raise Refused(
            "forbidden",
            f"This key does not allow that: it needs the scope {right}.",
            details={"required": str(right)},
        )


@dataclass(frozen=True, slots=True)
class Call:
    """Who asks, and what the server knows beside the library."""

    holder: KeyHolder
    operation: str
    cursors: Cursors
    now: Millis
    month: str
    """Whose units are counted, such as `2026-11`."""
    units_used: int
    server: str = ""
    """Names this server."""

    def check_right(self, right: Right) -> None:
        """Raises Refused (forbidden)."""
        check_right(self.holder, right)

    @property
    def plan(self) -> Plan:
        return self.holder.space.plan

    def seal(self, cursor: str | None, scope: Scope, *filters: str) -> str | None:
        """The engine's cursor for the client: good for this operation, scope and filters alone."""
        return self.cursors.seal(cursor, *self._place(scope, filters))

    def open(self, sealed: str | None, scope: Scope, *filters: str) -> str | None:
        """The engine's cursor again. Raises Refused (invalid_cursor)."""
        return self.cursors.open(sealed, *self._place(scope, filters))

    def _place(self, scope: Scope, filters: tuple[str, ...]) -> tuple[str, ...]:
        return (str(self.holder.partition), self.operation, str(scope), *filters)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of it."""

    body: Shape | None = None
    status: int | None = None
    """Another one than the operation's own, which it must name in `answers`."""
    headers: Mapping[str, str] = field(default_factory=dict)
    later: tuple[Later | WipeLater, ...] = ()
    units: int | None = None
    """Another number than the operation's own: a batch counts each of its parts."""
    kept: Mapping[str, Json] = field(default_factory=dict)
    """What the reply is made of again when the request comes again: ids, numbers and codes."""
    about: tuple[ItemId, ...] = ()
    """Items it tells of and did not change."""
    undone: bool = False
    """Part of what it was asked to keep it has also erased: nothing of that may stay, not even a
    digest of the request."""

    seq: int | None = None
    """The number of the last change it made."""

    def with_headers(self, headers: Mapping[str, str]) -> Answer:
        return replace(self, headers={**self.headers, **headers})


Handler = Callable[[Engine, Any, Call], Answer]
Again = Callable[[Engine, Any, Mapping[str, Json]], Answer]
"""The reply once more, of the request and what was kept of the reply. Raises
MemoryNotFound or ItemNotFound when what it told of is gone, and Refused (idempotency_conflict) when
it cannot be of this request."""

NUMBERED = {
    "Memory-Seq": "The number of the last change it made.",
    "Memory-Cursor": "Behind that change: for who was at the number before it.",
    "Idempotent-Replayed": "`true`: the answer to a request that was done before.",
}
"""Headers of the replies of numbered operations."""


def another_request() -> Refused:
    return Refused(
        "idempotency_conflict",
        "That Idempotency-Key was used for another request. Nothing was done.",
        details={"field": "Idempotency-Key"},
    )


def forgotten() -> Refused:
    return Refused(
        "memory_forgotten",
        "This was done when it was first asked, and what it kept has been forgotten since.",
    )


def nothing_again(engine: Engine, asked: Any, kept: Mapping[str, Json]) -> Answer:
    """A reply without a body."""
    return Answer()


@dataclass(frozen=True, slots=True)
class Route:
    """What every row says: how it is reached over HTTP, what it takes and what it answers."""

    name: str
    """`operationId`, and what cursors are bound to."""
    method: str
    path: str
    """Its `{names}` are the fields of the input that stand in the path."""
    summary: str
    _: KW_ONLY
    answers: Mapping[int, type[Part] | None]
    """By status, the expected one first; None has no body."""
    asks: type[Request]
    most_bytes: int = SMALL
    too_large: str = "invalid_request"
    """The code for a body beyond `most_bytes`: 413 is named for documents only (protocols 5.1)."""
    faults: tuple[str, ...] = ()
    """Codes it may answer beside those that every operation may."""
    among_keys: bool = False
    """Its path is an item's too, whose key a client chose: other methods are the item's."""
    envelope: Envelope = Envelope.FLAT
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers of its own replies, each with a sentence for the document."""

    @property
    def status(self) -> int:
        return next(iter(self.answers))


@dataclass(frozen=True, slots=True)
class Operation(Route):
    """A row of the memory API: runs over the library that the key opens."""

    handle: Handler
    _: KW_ONLY
    right: Right | None = None
    """What a key needs; None is for every key of the memory API."""
    units: int = READ_UNITS
    in_parts: bool = False
    """Its handler judges the units of each part: a delete among them is never refused."""

    numbered: bool = False
    """It is one transaction, and its reply tells the number of its change."""
    again: Again | None = None
    """Numbered ones only: with it, it takes an Idempotency-Key."""

    @property
    def writes(self) -> bool:
        """Refused when the month's units are used up; reads and deletes never are."""
        return self.right is Right.WRITE and not self.in_parts

    @property
    def changes(self) -> bool:
        """Run to its end once it has begun, whoever still waits."""
        return self.right in (Right.WRITE, Right.DELETE)


@dataclass(frozen=True, slots=True)
class Visit:
    """Who asks for a session."""

    holder: Holder
    clock: Clock


@dataclass(frozen=True, slots=True)
class Use:
    """What `execute` comes to once its session is found: a tool, and what it is given."""

    tool: str
    given: Mapping[str, object]


SessionHandler = Callable[[Hosting, Any, Visit], Answer | Use]


@dataclass(frozen=True, slots=True)
class SessionOperation(Route):
    """A row of sessions: runs on the thread of the server's own database."""

    handle: SessionHandler


ToolHandler = Callable[[Engine, Any], Answer]


@dataclass(frozen=True, slots=True)
class Tool:
    """What a person's assistant may call; through whatever surface, it is the same."""

    name: str
    description: str
    asks: type[Request]
    """Has a field `action`."""
    handle: ToolHandler
    changes: frozenset[str] = frozenset()
    """Actions that are run to their end once begun."""

    @property
    def schema(self) -> Schema:
        """Of its input."""
        found: Schema = schemas([self.asks])[self.asks.__name__]
        return found
