"""What a sync asks of a server and what it can be answered, as values (sync.md 2.1, 2.11, 2.12).

`sync/http_remote` turns them into HTTP and back, the simulator into its own server's calls; the
planner and its executor know nothing else of either. One request is in one scope. A reply that
cannot be trusted whole is `NoReply`: nothing is ever inferred from a part of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, Protocol

from localmem.core.model import NO_METADATA, Collection, Json, Millis
from localmem.core.records import Removal
from localmem.core.scope import Scope

# --- what the server is ------------------------------------------------------------------------


class Capabilities(NamedTuple):
    """What it can do beside the documented API; the defaults are that API."""

    changes: bool = False
    """Has a feed of changes with tombstones."""
    epoch: bool = False
    idempotency: bool = False
    if_match: bool = True
    """Refuses a write whose `If-Match` is not its rev. A server that does not is only read."""
    if_match_delete: bool = False
    if_none_match: bool = False
    reasons: bool = False
    batch: int = 25
    """Steps of a batch at most; 1 where it has none."""
    conditional_batch: bool = False
    """Its batches take `If-Match` and `If-None-Match` per step."""
    fact_batch: bool = False
    replaces: bool = False
    """Keeps a new wording and drops the old ones in one request."""
    echoes_metadata: bool = True
    bare_if_match: bool = False
    """Takes the rev of `If-Match` without quotes alone."""
    if_match_absent: bool = True
    """Refuses a write with `If-Match` also where nothing is."""


DOCUMENTED = Capabilities()


class Identity(NamedTuple):
    """Whose copy of which space it is. Names no key."""

    server: str
    account: str
    partition: str
    """`live` or `test`."""
    epoch: str | None
    can: Capabilities
    high: int = 0


# --- requests ----------------------------------------------------------------------------------


class Identify(NamedTuple):
    """Answered by Identity."""


class AskChanges(NamedTuple):
    """Answered by Changes or Expired."""

    cursor: str | None
    gone_too: bool = False
    """From the beginning, also what was gone before."""


class ListFacts(NamedTuple):
    """Answered by Facts."""

    scope: Scope
    cursor: str | None = None


class ListCollections(NamedTuple):
    """Answered by Collections."""

    cursor: str | None = None


class CreateCollection(NamedTuple):
    """Answered by Done, also when there is one of that name."""

    collection: Collection


class ListItems(NamedTuple):
    """Answered by Items; by Absent where there is no such collection."""

    scope: Scope
    collection: str
    cursor: str | None = None


class ReadItem(NamedTuple):
    """Answered by ItemRow or Absent."""

    scope: Scope
    collection: str
    key: str


class Step(NamedTuple):
    """One write of one item."""

    key: str
    value: Json = None
    delete: bool = False
    ttl: int | None = None
    """Seconds; None keeps it until it is deleted."""
    if_match: str | None = None
    only_new: bool = False


class WriteItem(NamedTuple):
    """Answered by Done or Refusal; Absent where an `if_match` or a delete found nothing."""

    scope: Scope
    collection: str
    step: Step
    op: str


class WriteItems(NamedTuple):
    """Answered by Results, one a step."""

    scope: Scope
    collection: str
    steps: tuple[Step, ...]
    op: str


class NewFact(NamedTuple):
    text: str
    metadata: Mapping[str, str] = NO_METADATA
    ttl: int | None = None
    replaces: tuple[str, ...] = ()
    """Server ids, dropped with it; only for servers that can."""


class AddFact(NamedTuple):
    """Answered by Added or Refusal."""

    scope: Scope
    fact: NewFact
    op: str


class AddFacts(NamedTuple):
    """Answered by Results, one a fact."""

    scope: Scope
    facts: tuple[NewFact, ...]
    op: str


class DropFact(NamedTuple):
    """Answered by Done, also when it is gone already."""

    scope: Scope
    server_id: str
    why: Removal
    op: str


class DropFacts(NamedTuple):
    """Answered by Results, one a fact; only for servers with fact batches."""

    scope: Scope
    facts: tuple[tuple[str, Removal], ...]
    """Server id and reason of each."""
    op: str


Read = Identify | AskChanges | ListFacts | ListCollections | ListItems | ReadItem
Write = CreateCollection | WriteItem | WriteItems | AddFact | AddFacts | DropFact | DropFacts
Request = Read | Write


class Begin(NamedTuple):
    """Not answered: the request will be asked for next, and may be under way until then."""

    request: Request


# --- replies -----------------------------------------------------------------------------------


class FactRow(NamedTuple):
    """A fact as the server has it."""

    scope: Scope
    server_id: str
    text: str
    metadata: Mapping[str, str] = NO_METADATA
    """All of it, what localmem adds included."""
    created_at: Millis = 0
    expires_at: Millis | None = None


class ItemRow(NamedTuple):
    """An item as the server has it."""

    scope: Scope
    collection: str
    key: str
    rev: str
    value: Json
    inc: str = ""
    """The server's own name of the incarnation, where it gives one."""
    updated_at: Millis = 0
    expires_at: Millis | None = None


class GoneFact(NamedTuple):
    scope: Scope
    server_id: str
    lm: str
    """"" where it had none."""
    why: Removal


class GoneItem(NamedTuple):
    """No place: what is forgotten leaves no key. Its incarnation tells which it was."""

    scope: Scope
    inc: str
    """As it was last written; the server's own where that names none."""
    gen: int | None
    why: Removal
    there: str = ""
    """The server's own name of the incarnation, which no client can leave out."""


class Changes(NamedTuple):
    rows: tuple[FactRow | ItemRow | GoneFact | GoneItem, ...]
    """In the order they were committed."""
    cursor: str
    seq: int
    more: bool


class Expired(NamedTuple):
    """The cursor is void: begin anew."""


class Facts(NamedTuple):
    rows: tuple[FactRow, ...]
    next: str | None


class Items(NamedTuple):
    rows: tuple[ItemRow, ...]
    next: str | None


class Collections(NamedTuple):
    rows: tuple[Collection, ...]
    next: str | None


class Absent(NamedTuple):
    """It is not there, in that scope, now."""


class Done(NamedTuple):
    rev: str | None = None
    """Of what was written; None for deletes."""
    seq: int | None = None
    """The number of the change, and the cursor behind it, where the server tells."""
    cursor: str | None = None
    inc: str = ""


class Added(NamedTuple):
    server_id: str
    lm: str = ""
    """Of the fact it is kept as: another one's where the server knew the same words."""
    seq: int | None = None
    cursor: str | None = None


class Results(NamedTuple):
    each: tuple[Done | Added | Absent | Refusal, ...]
    seq: int | None = None
    cursor: str | None = None


class Refused(StrEnum):
    """What a refusal means for the sync."""

    STALE = "stale"
    """Its rev is another one, or something is there already: read again, plan again."""
    FORGOTTEN = "forgotten"
    """It was done under that op, and forgotten since."""
    REUSED = "reused"
    """The op was used for another request."""
    INVALID = "invalid"
    """The server will never take this as it is."""
    TOO_LARGE = "too_large"
    SCOPE_FULL = "scope_full"
    QUOTA = "quota"
    """The account's limit: no writes until it says otherwise."""
    SIGNED_OUT = "signed_out"
    """The key is not let in, or not for this."""
    BUSY = "busy"
    """Later, after `wait`."""


class Refusal(NamedTuple):
    why: Refused
    code: str
    """The server's own, made printable."""
    message: str
    """A sentence of ours with the server's words in it, made printable."""
    wait: float | None = None
    """Seconds to wait at least, where the server says; capped."""
    rev: str | None = None
    """The item's, where it tells."""


class NoReply(NamedTuple):
    """Nothing that can be used came back; a write may have been done or not."""

    code: str
    """`offline`, `timeout`, `certificate`, `not_a_memory_api`, `broken_reply`, `server_error`,
    `redirected`, …: stable, one a sentence in docs/sync.md."""
    message: str
    """A sentence with the next step."""
    wait: float | None = None
    reached: bool = True
    """False when the request certainly never left: it was not done."""


class OtherEpoch(NamedTuple):
    """The server is another one than it was. Whatever else the reply said is dropped."""

    epoch: str


Reply = (
    Identity
    | Changes
    | Expired
    | Facts
    | Items
    | Collections
    | ItemRow
    | Absent
    | Done
    | Added
    | Results
    | Refusal
    | NoReply
    | OtherEpoch
)


def went_well(reply: Reply | None) -> bool:
    """Whether a write was done whole: nothing in the answer keeps back what comes next."""
    if isinstance(reply, Results):
        return not any(isinstance(each, Refusal) for each in reply.each)
    return isinstance(reply, Done | Added)


class Remote(Protocol):
    """A server, as one account sees it. Threads: one at a time."""

    def ask(self, request: Request, *, epoch: str | None) -> Reply:
        """Never raises for anything a network or a server can do.

        `epoch`: the one the reply must come from; None takes any.
        """
        ...

    def clock_offset(self) -> Millis | None:
        """Server's time minus this machine's, from the last replies; None before one."""
        ...

    def requests(self) -> int:
        """How many were sent so far."""
        ...

    def close(self) -> None: ...
