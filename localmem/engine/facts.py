"""Facts: add, edit. Recalled by meaning; one fact a write (memory-api, "Facts")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from localmem.core import facts, ttl
from localmem.core.change import Unchanged, Write, Written
from localmem.core.model import (
    NO_EVIDENCE,
    Change,
    Evidence,
    FactContent,
    Item,
    ItemId,
    Kind,
    Millis,
)
from localmem.core.records import Removal, Slice, Where
from localmem.core.scope import PROJECT, Scope
from localmem.engine import guard, writing
from localmem.engine.context import KEEP, Context, Unset
from localmem.errors import InvalidInput, MemoryNotFound, ScopeFull


class Replaced(NamedTuple):
    """A fact that took the place of older wordings."""

    written: Written
    gone: tuple[ItemId, ...] = ()
    """Those that were there."""


@dataclass(frozen=True, slots=True)
class Facts:
    context: Context

    def add(
        self,
        text: str,
        *,
        scope: Scope = PROJECT,
        metadata: Mapping[str, object] | None = None,
        ttl_seconds: int | None = None,
        path: str | None = None,
        evidence: Evidence = NO_EVIDENCE,
        keep_secret: bool = False,
        cap: int | None = None,
        without: Sequence[ItemId] = (),
    ) -> Written:
        """Keep one fact. Unchanged when the scope holds the same words already.

        `evidence` is what it rests on: the words it came from and where they stand. `cap` is how
        many facts a plan allows the scope, where that is fewer than it holds. `without` are facts
        that go in the same transaction: what they say is not known already.
        Raises InvalidInput (limits), SecretRejected, ScopeFull.
        """
        content, notes = guard.fact(
            self.context, text, metadata or {}, path, keep_secret=keep_secret
        )
        expires = self.expiry(ttl_seconds)
        with self.context.store.writing():
            twin = self.context.store.items.twin(
                scope, facts.sameness(content.text), without=without
            )
            if twin is not None:
                return Unchanged(twin, notes)
            self._check_room(scope, cap, going=len(without))
            wanted = Write(Change.REMEMBER, content, expires, guard.evidence(evidence))
            return writing.create(
                self.context, writing.Address(Kind.FACT, scope), wanted, notes=notes
            )

    def replace(
        self,
        ids: Sequence[ItemId],
        text: str,
        *,
        scope: Scope = PROJECT,
        metadata: Mapping[str, object] | None = None,
        ttl_seconds: int | None = None,
        cap: int | None = None,
    ) -> Replaced:
        """Keep a newer wording of facts of the same scope, which go: both or neither.

        One of them that is not there any more is passed over. As `add` beside that.
        """
        with self.context.store.writing():
            going = self._of(ids, scope)
            written = self.add(
                text, scope=scope, metadata=metadata, ttl_seconds=ttl_seconds, cap=cap,
                without=going,
            )  # fmt: skip
            if going:
                # Here: most who keep a fact replace none.
                from localmem.engine.forgetting import Forgetting

                Forgetting(self.context).drop(going, reason=Removal.SUPERSEDED)
        return Replaced(written, tuple(going))

    def edit(
        self,
        id: ItemId,
        *,
        text: str | Unset = KEEP,
        metadata: Mapping[str, object] | Unset = KEEP,
        ttl_seconds: int | Unset | None = KEEP,
        path: str | Unset | None = KEEP,
        made_on: int | None = None,
        change: Change = Change.EDIT,
        evidence: Evidence = NO_EVIDENCE,
        keep_secret: bool = False,
    ) -> Written:
        """Change parts of a fact. Unchanged(twin) when another fact already says the new text.

        Raises MemoryNotFound, InvalidInput, SecretRejected.
        """
        with self.context.store.writing():
            item = self._get(id)
            held = _content(item)
            content, notes = guard.fact(
                self.context,
                held.text if text is KEEP else text,
                held.metadata if metadata is KEEP else metadata,
                held.path if path is KEEP else path,
                keep_secret=keep_secret,
                held=held,
            )
            twin = self.context.store.items.twin(item.scope, facts.sameness(content.text))
            if twin is not None and twin.id != id:
                return Unchanged(twin, notes)
            expires = item.head.expires_at if ttl_seconds is KEEP else self.expiry(ttl_seconds)
            wanted = Write(change, content, expires, guard.evidence(evidence), made_on)
            return writing.write(self.context, item, wanted, notes=notes)

    def get(self, id: ItemId, *, scope: Scope | None = None) -> Item:
        """Raises MemoryNotFound; the same for a fact of another scope than `scope`."""
        with self.context.store.reading():
            return self._get(id, scope)

    def _get(self, id: ItemId, scope: Scope | None = None) -> Item:
        item = self.context.store.items.get(id)
        if item is None or item.kind is not Kind.FACT or scope not in (None, item.scope):
            raise MemoryNotFound(
                "No fact has that id here.", hint="`localmem list` shows the ids of a scope."
            )
        return item

    def _of(self, ids: Sequence[ItemId], scope: Scope) -> list[ItemId]:
        """Those of the ids that are facts of the scope, each once."""
        held = [self.context.store.items.get(id) for id in dict.fromkeys(ids)]
        return [
            item.id
            for item in held
            if item is not None and item.kind is Kind.FACT and item.scope == scope
        ]

    def _check_room(self, scope: Scope, cap: int | None, *, going: int = 0) -> None:
        """Counts the scope, each fact of it, only where the whole library holds as many."""
        store = self.context.store
        if store.finder.size(Where()) >= _most(scope, cap):
            check_room(scope, store.items.count(Slice(Kind.FACT, scope)) - going, cap)

    def expiry(self, seconds: int | None) -> Millis | None:
        """When what is kept now is over. Raises InvalidInput."""
        if seconds is None:
            return None
        return ttl.expires_at(self.context.clock(), ttl.check(seconds))


def check_room(scope: Scope, held: int, cap: int | None = None) -> None:
    """Whether a scope that holds so many facts takes one more. Raises ScopeFull."""
    most = _most(scope, cap)
    if held >= most:
        raise ScopeFull(
            f"{scope} holds {held:,} of {most:,} facts.",
            hint="Forget facts you no longer need, or keep this one in a narrower scope.",
            details={"scope": str(scope), "facts": held, "cap": most},
        )


def _most(scope: Scope, cap: int | None) -> int:
    return scope.fact_cap if cap is None else min(cap, scope.fact_cap)


def _content(item: Item) -> FactContent:
    if not isinstance(item.head.content, FactContent):
        raise InvalidInput("That is not a fact.")
    return item.head.content
