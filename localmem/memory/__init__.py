"""`ctx.memory` for Python: the shape of memory-api's handles over a library on this machine.

    import localmem

    with localmem.open(contact_id="ana") as memory:
        memory.add("Orders before 2pm ship the same day.")
        memory.contact.add("Prefers WhatsApp over email.")
        hits = memory.contact.search("how do they like to be contacted?", min_score=0.3)

Names are Python's (`for_contact`, `min_score`, `ttl_seconds`), times are aware datetimes in UTC.
May be used from several threads; calls run one after another. Refuses to guess a scope: a handle
that is missing is None, and naming it raises MemoryScopeError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from localmem.core import scope as scopes
from localmem.core.model import Actor, AuthorKind, Json, Millis, Origin
from localmem.core.scope import PROJECT, ScopeKind
from localmem.errors import MemoryScopeError
from localmem.memory.scoped import Collection, Library, Scoped, kept
from localmem.memory.values import Document, Fact, Hit, Page, document, fact, hit

__all__ = [
    "Collection",
    "Document",
    "Fact",
    "Hit",
    "LocalContext",
    "Memory",
    "Page",
    "Scoped",
    "create_local_context",
    "open",
]


class Memory(Scoped):
    """A library as one agent, function or program sees it; itself the handle of the project."""

    def __init__(
        self, library: Library, *, contact_id: str | None, conversation_id: str | None
    ) -> None:
        """Raises InvalidScope."""
        super().__init__(library, PROJECT)
        self._contact_id = contact_id
        self.contact = None if contact_id is None else self.for_contact(contact_id)
        """Bound to whoever the agent is talking to; None when nobody is identified."""
        self.conversation = (
            None if conversation_id is None else self.for_conversation(conversation_id)
        )
        """Bound to the current thread; None outside one."""

    def for_contact(self, id: str) -> Scoped:
        """A contact you name. Raises InvalidScope."""
        return Scoped(self._library, scopes.contact(id))

    def for_conversation(self, id: str) -> Scoped:
        """A thread you name. Raises InvalidScope."""
        return Scoped(self._library, scopes.conversation(id))

    def at(self, scope: str) -> Scoped:
        """The handle that `scope` names: one of the three kinds, or one with its own id.

        Raises MemoryScopeError when it cannot be resolved here, InvalidScope when it is no scope.
        """
        match scope:
            case ScopeKind.PROJECT:
                return self
            case ScopeKind.CONTACT:
                return _resolved(self.contact, "contact")
            case ScopeKind.CONVERSATION:
                return _resolved(self.conversation, "conversation")
            case _:
                return Scoped(self._library, scopes.parse(scope))

    # the four agent skills, with their rules (memory-api, "Let the agent remember on its own")

    def remember(
        self,
        text: str,
        *,
        metadata: Mapping[str, object] | None = None,
        ttl_seconds: int | None = None,
    ) -> Fact:
        """Keep one fact about the contact, never in the project.

        Raises MemoryScopeError without a contact, and as `add`.
        """
        with self._library as engine:
            done = engine.skills(self._contact_id).remember(
                text, metadata=metadata, ttl_seconds=ttl_seconds
            )
        return fact(kept(done))

    def recall(self, question: str, *, limit: int = 5) -> list[Hit]:
        """What is known of the contact, then of everybody, at or above 0.30; secrets are masked.

        Facts that an agent wrote into the project are left out: what one contact said is never
        read back to another. [] means that nothing is on record.
        """
        with self._library as engine:
            self._library.embed()
            found = engine.skills(self._contact_id).recall(question, limit=limit)
        return [replace(hit(each.hit.item, each.hit.score), text=each.text) for each in found]

    def save_record(
        self, collection: str, key: str, value: Json, *, in_project: bool = False
    ) -> Document:
        """Keep a JSON record of the contact; in the project anybody may ask for it by its key.

        Raises MemoryScopeError without a contact, and as `Collection.set`.
        """
        with self._library as engine:
            done = engine.skills(self._contact_id).save_record(
                collection, key, value, in_project=in_project
            )
        return document(kept(done))

    def lookup_record(self, collection: str, key: str, *, in_project: bool = False) -> Json:
        """The record's value, secrets masked; None when there is none under that key.

        Raises MemoryScopeError without a contact, InvalidKey.
        """
        with self._library as engine:
            return engine.skills(self._contact_id).lookup_record(
                collection, key, in_project=in_project
            )

    def create_collection(
        self, name: str, *, indexes: Sequence[str] = (), default_ttl_seconds: int | None = None
    ) -> Collection:
        """Define a collection with up to 2 indexed fields, which cannot be added later.

        Raises CollectionExists, InvalidKey, InvalidInput.
        """
        with self._library as engine:
            engine.documents.create_collection(
                name, indexes=indexes, default_ttl=default_ttl_seconds
            )
        return self.collection(name)

    def close(self) -> None:
        """Give the library back; using a handle afterwards is a mistake."""
        self._library.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open(
    path: str | Path | None = None,
    *,
    contact_id: str | None = None,
    conversation_id: str | None = None,
    agent: str | None = None,
) -> Memory:
    """The person's own library, or the one at `path`, made when it is not there.

    `agent` names the assistant that acts: what it writes waits in the person's inbox, and the
    project skills never read it back. None is a program of the person's own.

    Raises StoreError subclasses, InvalidScope.
    """
    from localmem import wiring

    kind = AuthorKind.BACKEND if agent is None else AuthorKind.AGENT
    actor = Actor(kind, agent or "python", Origin.PYTHON)
    home = wiring.home()
    engine = wiring.open_engine(
        home if path is None else home.at(Path(path)), actor, long_lived=True
    )
    return Memory(Library(engine), contact_id=contact_id, conversation_id=conversation_id)


@dataclass(frozen=True, slots=True)
class LocalContext:
    """What a handler is called with in its tests."""

    memory: Memory


def create_local_context(
    *,
    contact_id: str | None = None,
    conversation_id: str | None = None,
    clock: Callable[[], Millis] | None = None,
) -> LocalContext:
    """An empty library in memory for tests: no file, no network, nothing kept.

    Unlike the hosted stub it ranks by meaning and enforces indexes, limits and TTLs. `clock` gives
    UTC milliseconds where a test must move the time.
    """
    from localmem import wiring

    actor = Actor(AuthorKind.BACKEND, "python", Origin.PYTHON)
    engine = wiring.open_in_memory(wiring.home(), actor, clock=clock)
    memory = Memory(Library(engine), contact_id=contact_id, conversation_id=conversation_id)
    return LocalContext(memory)


def _resolved(handle: Scoped | None, kind: str) -> Scoped:
    if handle is None:
        raise MemoryScopeError(
            f"There is no {kind} here.",
            hint=f"Open the memory with {kind}_id, or name one with for_{kind}(id).",
        )
    return handle
