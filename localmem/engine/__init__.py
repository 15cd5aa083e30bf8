"""Every use case once, synchronous; every surface calls this and nothing below it.

    engine.preferences   the six keys: list, remember, correct, forget
    engine.facts         add, edit
    engine.documents     collections and documents: set, get, page, query
    engine.library       browse, history, drafts, usage, backup
    engine.versions      restore, decide a stale write, undo
    engine.forgetting    plan, forget, wipe, delete a collection, purge what expired
    engine.recall        search
    engine.inbox         what agents wrote: accept, reject
    engine.past          the library as it was at a moment
    engine.activity      who read and wrote what
    engine.skills        what an agent that talks to somebody may do
    engine.feed          what changed, in order; requests sent twice
    engine.health        whether it is whole; making again what can be; masking secrets
    engine.imports       files of memories, taken in and undone as one
    engine.exports       all that is kept, for files
    engine.replica       what a sync with a server reads and writes here
    engine.sync_runs     what each run of a sync did; taking one back
    engine.meaning       the model and what waits to be embedded

An engine acts for one actor; `acting` gives the same library for another. One thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from localmem.core.model import Actor, ItemId, Millis
from localmem.engine.context import KEEP, Context, Unset
from localmem.engine.meaning import Meaning

if TYPE_CHECKING:
    from localmem.core.ports import Clock, Embedder, Ids, Store
    from localmem.core.scope import Scope
    from localmem.engine.activity import Activity
    from localmem.engine.documents import Documents
    from localmem.engine.exports import Exports
    from localmem.engine.facts import Facts
    from localmem.engine.feed import Feed
    from localmem.engine.forgetting import Forgetting
    from localmem.engine.health import Health
    from localmem.engine.imports import Imports
    from localmem.engine.inbox import Inbox
    from localmem.engine.library import Library
    from localmem.engine.preferences import Preferences
    from localmem.engine.recall import Recall
    from localmem.engine.replica import Replica
    from localmem.engine.skills import Skills
    from localmem.engine.sync_runs import SyncRuns
    from localmem.engine.times import Past
    from localmem.engine.together import DocumentsTogether, FactsTogether
    from localmem.engine.versions import Versions

__all__ = ["KEEP", "Engine", "Unset"]

_WELCOME = "welcome"


class Engine:
    """The use cases of one library for one actor."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        actor: Actor,
        *,
        load_embedder: Callable[[], Embedder] | None = None,
    ) -> None:
        """`load_embedder` may take a second and is called once; None means words only."""
        context = Context(store, clock, ids, actor).acting(actor)
        self._setup(context, Meaning(context, load_embedder))

    def _setup(self, context: Context, meaning: Meaning) -> None:
        self._context = context
        self.meaning = meaning

    def acting(self, actor: Actor) -> Engine:
        """The same library, acted on by somebody else."""
        other = Engine.__new__(Engine)
        other._setup(self._context.acting(actor), self.meaning)
        return other

    # Each use case is loaded when it is first asked for: most commands, and the app's first rows,
    # need two or three of them, and all together are a third of the start.

    @cached_property
    def activity(self) -> Activity:
        from localmem.engine.activity import Activity

        return Activity(self._context)

    @cached_property
    def documents(self) -> Documents:
        from localmem.engine.documents import Documents

        return Documents(self._context)

    @cached_property
    def exports(self) -> Exports:
        from localmem.engine.exports import Exports

        return Exports(self._context)

    @cached_property
    def facts(self) -> Facts:
        from localmem.engine.facts import Facts

        return Facts(self._context)

    @cached_property
    def feed(self) -> Feed:
        from localmem.engine.feed import Feed

        return Feed(self._context)

    @cached_property
    def forgetting(self) -> Forgetting:
        from localmem.engine.forgetting import Forgetting

        return Forgetting(self._context)

    @cached_property
    def health(self) -> Health:
        from localmem.engine.health import Health

        return Health(self._context, self.meaning)

    @cached_property
    def imports(self) -> Imports:
        from localmem.engine.imports import Imports

        return Imports(self._context)

    @cached_property
    def inbox(self) -> Inbox:
        from localmem.engine.inbox import Inbox

        return Inbox(self._context)

    @cached_property
    def library(self) -> Library:
        from localmem.engine.library import Library

        return Library(self._context)

    @cached_property
    def past(self) -> Past:
        from localmem.engine.times import Past

        return Past(self._context)

    @cached_property
    def preferences(self) -> Preferences:
        from localmem.engine.preferences import Preferences

        return Preferences(self._context)

    @cached_property
    def recall(self) -> Recall:
        from localmem.engine.recall import Recall

        return Recall(self._context, self.meaning)

    @cached_property
    def replica(self) -> Replica:
        from localmem.engine.replica import Replica

        return Replica(self._context)

    @cached_property
    def sync_runs(self) -> SyncRuns:
        from localmem.engine.sync_runs import SyncRuns

        return SyncRuns(self._context)

    @cached_property
    def versions(self) -> Versions:
        from localmem.engine.versions import Versions

        return Versions(self._context)

    def documents_together(
        self, collection: str, scope: Scope, keys: Sequence[str], *, most_collections: int | None
    ) -> DocumentsTogether:
        """For many documents in one transaction; inside it."""
        from localmem.engine.together import DocumentsTogether

        return DocumentsTogether(
            self.documents, collection, scope, keys, most_collections=most_collections
        )

    def facts_together(self, scope: Scope, *, cap: int | None) -> FactsTogether:
        """For many facts in one transaction; inside it."""
        from localmem.engine.together import FactsTogether

        return FactsTogether(self.facts, scope, cap=cap)

    def skills(self, contact_id: str | None) -> Skills:
        """The rules for an agent that talks to this contact, or to nobody identified."""
        from localmem.engine.skills import Skills

        return Skills(self.facts, self.documents, self.recall, contact_id)

    @property
    def actor(self) -> Actor:
        return self._context.actor

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about this library a person should see."""
        return self._context.store.notes

    @property
    def path(self) -> str:
        return self._context.store.path

    @property
    def read_only(self) -> bool:
        return self._context.store.read_only

    def now(self) -> Millis:
        """The time by this library's clock."""
        return self._context.clock()

    def mark(self) -> ItemId:
        """An id above that of everything kept until now, and below what is kept from now on."""
        return ItemId(self._context.ids())

    def maintain(self) -> int:
        """Erase what expired, finish an interrupted erasure, renew an outdated word index, drop
        what is kept for so many days only.

        Returns how many items expired. Cheap when there is nothing to do.
        """
        if self.read_only:
            return 0
        from localmem.engine import writing

        writing.refill_index(self._context)
        purged = self.forgetting.purge_expired()
        self.feed.tidy()
        self._context.store.scrub()
        return purged

    def greet(self) -> bool:
        """True once, in a library where nobody has done anything yet: its first start."""
        store = self._context.store
        if self.read_only:
            return False
        with store.reading():
            first = not store.history.seen(_WELCOME) and not store.history.deeds(1)
        if first:
            with store.writing():
                store.history.mark_seen(_WELCOME, self.now())
        return first

    def data_version(self) -> int:
        """Changes whenever another process wrote."""
        return self._context.store.data_version()

    def interrupt(self) -> None:
        """Stop what runs on another thread: it raises Cancelled there and writes nothing."""
        self._context.store.interrupt()

    def resume(self) -> None:
        """Answer again after `interrupt`."""
        self._context.store.resume()

    def close(self) -> None:
        self._context.store.close()
