"""The library as a sync sees and changes it: `core.replica.Library` over the store.

What comes passes the limits of every write (`engine.arriving`) and is kept as its author wrote it,
at the time it was written, under ids that other devices know it by. Refuses to be the person's own
last change, to settle what waits in the inbox, and to let a generation fall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from localmem.core import change, documents, facts, preferences
from localmem.core.bodies import Author, DocumentBody, PreferenceBody, Slot, same_end
from localmem.core.model import (
    Change,
    Collection,
    DocumentContent,
    FactContent,
    Item,
    ItemId,
    Kind,
    Millis,
    PreferenceContent,
    Provenance,
)
from localmem.core.preferences import PreferenceKey, PreferenceState
from localmem.core.records import Removal, Slice
from localmem.core.replica import Changed, Document, Fact, FactBody, RecordKey
from localmem.core.scope import PERSON, Scope
from localmem.core.sync_runs import SyncRun
from localmem.engine import arriving, guard, reviewing, writing
from localmem.engine.arriving import Arriving, Said
from localmem.engine.context import Context
from localmem.engine.pulling import Pulling
from localmem.errors import RejectedBefore

if TYPE_CHECKING:
    from localmem.core.ports import Store


class _Place(NamedTuple):
    """A document that is to be kept."""

    at: RecordKey
    body: DocumentBody
    said: Said


@dataclass(slots=True, eq=False, repr=False)
class Replica:
    """Reads run inside `store.reading()` or `writing()`; a write is a transaction, or part of one.

    A write raises InvalidInput, SecretRejected or RejectedBefore for what cannot be kept here, and
    leaves nothing of it. A write of many does so for the first such one, and leaves nothing of all.
    `merged` says that the content is of two sides.
    """

    context: Context
    _run: int | None = None
    """What is written now is part of this run."""

    # runs

    def begin_run(self, account: int | None = None) -> None:
        """From here on what is written can be taken back together; one that never ended is over.

        Outside any transaction. `account` is the library's number of it.
        """
        with self._store.writing(lasting=False):
            self._run = self._store.sync_runs.begin(account, self.context.clock())

    def end_run(self, told: str = "") -> SyncRun:
        """`told` is how it ended, and holds no content; "" when all was in step.

        Outside any transaction, after `begin_run`.
        """
        assert self._run is not None, "no run was begun"
        runs = self._store.sync_runs
        with self._store.writing(lasting=False):
            runs.end(self._run, told, self.context.clock())
            runs.drop_idle()
            ended = runs.find(self._run)
        self._run = None
        assert ended is not None, "it was begun here, and is among the newest"
        return ended

    # the library

    def now(self) -> Millis:
        return self.context.clock()

    def new_id(self) -> str:
        return self.context.ids()

    def high(self) -> int:
        return self._store.feed.high()

    def changed(self, after: int, limit: int) -> Sequence[Changed]:
        return self._store.changes.after(after, limit)

    def why_gone(self, item: ItemId) -> Removal | None:
        return self._store.changes.gone(item)

    def whys_gone(self, items: Sequence[ItemId]) -> Mapping[ItemId, Removal]:
        return self._store.changes.gone_among(items)

    # preferences

    def preference(self, key: str) -> PreferenceBody:
        """Raises UnknownPreferenceKey."""
        name = preferences.parse_key(key)
        state = self._store.preference_states.get(name)
        declared, inferred = (self._half(name, provenance) for provenance in Provenance)
        return PreferenceBody(
            state.generation,
            state.inference_blocked and declared is None and inferred is None,
            declared and _slot(declared),
            inferred and _slot(inferred),
        )

    def preference_items(self, key: str) -> Sequence[ItemId]:
        """Raises UnknownPreferenceKey."""
        name = preferences.parse_key(key)
        halves = (self._half(name, provenance) for provenance in Provenance)
        return [half.id for half in halves if half is not None]

    def put_preference(self, key: str, body: PreferenceBody, *, merged: bool = False) -> None:
        """Of an older generation than the key has nothing counts: nothing is done then.

        Of a newer one nothing that is here counts: it goes with its versions. Raises as a write
        does, and UnknownPreferenceKey.
        """
        assert not body.erased, "a husk says nothing"
        name = preferences.parse_key(key)
        arriving.generation(body.gen)
        arrives = Arriving(self.context)
        slots = (None, None) if body.forgotten else (body.declared, body.inferred)
        said = [slot and arrives.slot(name, slot) for slot in slots]
        with self._store.writing():
            state = self._store.preference_states.get(name)
            if body.gen < state.generation:
                return
            if body.gen > state.generation:
                self._pulling.erase(self.preference_items(name), Removal.FORGET)
            for provenance, slot, new in zip(Provenance, slots, said, strict=True):
                self._put_half(name, provenance, new, slot.ver if slot else "", merged)
            self._store.preference_states.put(name, _state(state, body))

    def _put_half(
        self, key: PreferenceKey, provenance: Provenance, said: Said | None, ver: str, merged: bool
    ) -> None:
        held = self._half(key, provenance)
        if said is None:
            self._pulling.erase([held.id] if held is not None else [], Removal.FORGET)
        elif held is None:
            id, (version,) = ItemId(self.context.ids()), self._pulling.version_ids([ver])
            head = said.version(version, Change.REMEMBER, base=None, number=1)
            item = Item(id, Kind.PREFERENCE, PERSON, head, said.at, key, provenance=provenance)
            self._pulling.keep(item)
        elif (held.head.content, _grounds(held)) != (said.content, said.evidence[:2]):
            # An inferred value is never corrected: that is the person's word.
            over = Change.CORRECT if provenance is Provenance.DECLARED else Change.REMEMBER
            self._pulling.move(held, said, ver, Change.MERGE if merged else over)

    # documents

    def document(self, scope: Scope, collection: str, key: str) -> Document | None:
        found = self._document(scope, collection, key)
        return None if found is None else _as_document(found)

    def documents(self, keys: Sequence[RecordKey]) -> Mapping[RecordKey, Document]:
        return {
            RecordKey(Kind.DOCUMENT, scope, collection, item.key): _as_document(item)
            for (scope, collection), names in _shelves(keys).items()
            for item in self._store.items.documents(scope, collection, names)
        }

    def put_document(
        self, scope: Scope, collection: str, key: str, body: DocumentBody, *, merged: bool = False
    ) -> ItemId:
        """Says it the same already, nothing is done. Raises as a write does, and InvalidKey."""
        at = RecordKey(Kind.DOCUMENT, scope, collection, key)
        place = self._place(Arriving(self.context), at, body)
        with self._store.writing():
            return self._put_document(place, merged)

    def put_documents(self, wanted: Sequence[tuple[RecordKey, DocumentBody]]) -> Sequence[ItemId]:
        """Raises as a write does, and InvalidKey."""
        arrives = Arriving(self.context)
        places = [self._place(arrives, at, body) for at, body in wanted]
        with self._store.writing(), self._store.items.words_at_once():
            made = self._new_documents(places)
            return [
                made.pop(place.at).id if place.at in made else self._put_document(place, False)
                for place in places
            ]

    def _place(self, arrives: Arriving, at: RecordKey, body: DocumentBody) -> _Place:
        assert not body.erased, "a husk says nothing"
        return _Place(at, body, arrives.document(*at[1:], body))

    def _new_documents(self, places: Sequence[_Place]) -> dict[RecordKey, Item]:
        """Keep the first for each place where nothing is."""
        first = dict[RecordKey, _Place]()
        for place in places:
            first.setdefault(place.at, place)
        numbers = self._free(list(first))
        free = [place for at, place in first.items() if at in numbers]
        ids = self._pulling.item_ids([place.body.inc for place in free])
        versions = self._pulling.version_ids([""] * len(free))
        defined = {name: self._collection(name) for name in {at.collection for at in numbers}}
        made = dict[RecordKey, Item]()
        for (at, _, said), id, version in zip(free, ids, versions, strict=True):
            head = said.version(version, Change.REMEMBER, base=None, number=numbers[at] + 1)
            made[at] = Item(id, Kind.DOCUMENT, at.scope, head, said.at, at.key, at.collection)
        self._pulling.keep_all(
            [
                writing.New(
                    self.context, item, None, writing.fields_of(defined[at.collection], item)
                )
                for at, item in made.items()
            ]
        )
        return made

    def _free(self, places: Sequence[RecordKey]) -> dict[RecordKey, int]:
        """Places where nothing is, with the last number that what is gone had there."""
        return {
            RecordKey(Kind.DOCUMENT, scope, collection, key): number
            for (scope, collection), keys in _shelves(places).items()
            for key, number in self._store.items.free(scope, collection, keys).items()
        }

    def _put_document(self, place: _Place, merged: bool) -> ItemId:
        _, scope, collection, key = place.at
        held = self._document(scope, collection, key)
        if held is None:
            self._store.items.make_room(
                scope, collection=collection, key=key, provenance="", at=self.context.clock()
            )
            return self._new_documents([place])[place.at].id
        said = place.said
        same = change.same(held.head.content, said.content)
        if not (same and same_end(held.head.expires_at, said.expires_at)):
            self._pulling.move(held, said, "", Change.MERGE if merged else Change.EDIT)
        return held.id

    def collection(self, name: str) -> Collection | None:
        return self._store.collections.get(name)

    def define_collection(self, collection: Collection) -> None:
        """Raises InvalidKey, InvalidInput, SecretRejected."""
        name, indexes, ttl, implicit, _ = collection
        made = documents.collection(
            name, indexes, ttl, implicit=implicit, created_at=self.context.clock()
        )
        guard.collection(made)
        with self._store.writing():
            if self._store.collections.get(name) is None:
                self._store.collections.create(made)
                self._pulling.defined()

    def _collection(self, name: str) -> Collection:
        held = self._store.collections.get(name)
        if held is None:
            held = Collection(name, implicit=True, created_at=self.context.clock())
            self._store.collections.create(held)
        return held

    # facts

    def fact(self, item: ItemId) -> Fact | None:
        found = self._store.items.get(item)
        return None if found is None or found.kind is not Kind.FACT else _as_fact(found)

    def earlier(self, item: ItemId, number: int) -> FactBody | None:
        held, version = self._store.items.get(item), self._store.items.version(item, number)
        if held is None or version is None or held.kind is not Kind.FACT:
            return None
        return _as_fact(held._replace(head=version)).body

    def facts(self, items: Sequence[ItemId]) -> Mapping[ItemId, Fact]:
        found = self._store.items.named(items)
        return {item.id: _as_fact(item) for item in found if item.kind is Kind.FACT}

    def twin(self, scope: Scope, text: str) -> Fact | None:
        found = self._store.items.twin(scope, facts.sameness(text))
        return None if found is None else _as_fact(found)

    def add_fact(self, scope: Scope, lm: str, body: FactBody, *, proposed: bool) -> Fact:
        (made,) = self.add_facts([(scope, lm, body, proposed)])
        return made

    def add_facts(self, wanted: Sequence[tuple[Scope, str, FactBody, bool]]) -> Sequence[Fact]:
        """What a scope holds is not counted: the server did, and both sides of a sync may have
        filled one. RejectedBefore is only for what is proposed."""
        arrives = Arriving(self.context)
        said = [arrives.fact(scope, body) for scope, _, body, _ in wanted]
        with self._store.writing(), self._store.items.words_at_once():
            lms = [lm for _, lm, _, _ in wanted]
            ids, versions = self._pulling.item_ids(lms), self._pulling.version_ids(lms)
            made = [
                Item(id, Kind.FACT, scope, each.version(version, Change.REMEMBER, base=None,
                     number=1), each.at)
                for (scope, *_), each, id, version in zip(wanted, said, ids, versions, strict=True)
            ]  # fmt: skip
            proposals = [
                item for item, (*_, proposed) in zip(made, wanted, strict=True) if proposed
            ]
            self._judge(proposals)
            self._pulling.keep_all(
                [writing.New(self.context, item, writing.sameness(item.head.content))
                 for item in made]
            )  # fmt: skip
            for item in proposals:
                self._store.reviews.wait(item.id, since=item.head.at, before=None)
        return [_as_fact(item) for item in made]

    def reword_fact(self, item: ItemId, lm: str, body: FactBody, *, merged: bool = False) -> Fact:
        """A version of its own also where the words are the same. Raises as a write does, and
        MemoryNotFound."""
        with self._store.writing():
            held = self.context.item(item)
            said = Arriving(self.context).fact(held.scope, body)
            return _as_fact(
                self._pulling.move(held, said, lm, Change.MERGE if merged else Change.EDIT)
            )

    def _judge(self, proposals: Sequence[Item]) -> None:
        reviews = self._store.reviews
        if not proposals or not reviews.any_rejected():
            return
        if any(reviews.rejected(reviewing.said(item)) for item in proposals):
            raise RejectedBefore(
                "The person rejected exactly this before, so it was not kept.",
                hint="Forget it on the server too, or say it yourself.",
            )

    # all kinds

    def count(self, scope: Scope) -> int:
        kinds = (Kind.PREFERENCE,) if scope == PERSON else (Kind.FACT, Kind.DOCUMENT)
        return sum(self._store.items.count(Slice(kind, scope)) for kind in kinds)

    def remove(self, item: ItemId, why: Removal) -> None:
        """Nothing of that id is nothing to do."""
        with self._store.writing():
            self._pulling.erase([item], why)

    # inside

    @property
    def _store(self) -> Store:
        return self.context.store

    @property
    def _pulling(self) -> Pulling:
        return Pulling(self.context, self._run)

    def _half(self, key: PreferenceKey, provenance: Provenance) -> Item | None:
        return self._store.items.at(
            Kind.PREFERENCE, PERSON, collection="", key=key, provenance=provenance
        )

    def _document(self, scope: Scope, collection: str, key: str) -> Item | None:
        return self._store.items.at(
            Kind.DOCUMENT, scope, collection=collection, key=key, provenance=""
        )


def _shelves(keys: Sequence[RecordKey]) -> dict[tuple[Scope, str], list[str]]:
    """The keys of each collection of each scope."""
    placed = dict[tuple[Scope, str], list[str]]()
    for at in keys:
        placed.setdefault((at.scope, at.collection), []).append(at.key)
    return placed


def _state(held: PreferenceState, body: PreferenceBody) -> PreferenceState:
    """Only a declaration lifts a block, and an inferred value beside one hides it in a body."""
    alone = body.declared is None and body.inferred is not None
    still = held.inference_blocked and held.generation == body.gen and alone
    return PreferenceState(body.gen, body.forgotten or still)


def _slot(item: Item) -> Slot:
    head = item.head
    assert isinstance(head.content, PreferenceContent)
    by = Author(head.by.kind, head.by.name)
    return Slot(head.content.value, head.at, by, *head.evidence, ver=head.id)


def _grounds(item: Item) -> tuple[str | None, str | None]:
    return item.head.evidence.quote, item.head.evidence.purchase_id


def _as_document(item: Item) -> Document:
    head = item.head
    assert isinstance(head.content, DocumentContent)
    by = Author(head.by.kind, head.by.name)
    body = DocumentBody(item.id, head.content.value, head.expires_at, head.at, by)
    return Document(item.id, head.number, body)


def _as_fact(item: Item) -> Fact:
    head = item.head
    assert isinstance(head.content, FactContent)
    by = Author(head.by.kind, head.by.name)
    text, metadata, path = head.content.text, head.content.metadata, head.content.path
    body = FactBody(text, metadata, path, head.expires_at, head.at, by)
    return Fact(item.id, item.scope, head.number, head.id, body)
