"""A device in dictionaries: what the person sees, and what a sync remembers of one account.

`MemoryTables` and `MemoryLibrary` keep the contracts of core/replica.py; both write into one
database, so that a block is one transaction. `Person` is what somebody does at the keyboard.
Erasing an item empties what is remembered of it as store/ does: husks stay, content goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from localmem.core import documents, facts, preferences
from localmem.core.bodies import (
    YOU,
    Body,
    DocumentBody,
    Held,
    PreferenceBody,
    Slot,
    husk,
    same_end,
)
from localmem.core.model import Collection, ItemId, Json, Kind, Millis, Provenance
from localmem.core.preferences import PreferenceKey
from localmem.core.records import Removal
from localmem.core.replica import (
    Block,
    Changed,
    Conflict,
    Copy,
    Document,
    Errand,
    Fact,
    FactBody,
    Flight,
    Pending,
    RecordKey,
    Standing,
    Wording,
    block_place,
    document_key,
    preference_key,
)
from localmem.core.scope import PERSON, Scope
from tests.simulation import rows

MOST_LOGGED = 16


class MemoryTables:
    """core.replica.Tables over dictionaries."""

    def __init__(self, base: rows.Database, device: str) -> None:
        self.base = base
        self._standing = base.rows()
        self._copies = base.rows()
        self._logs = base.rows()
        self._flights = base.rows()
        self._conflicts = base.rows()
        self._gone = base.rows()
        self._wordings = base.rows()
        self._fact_conflicts = base.rows()
        self._errands = base.rows()
        self._pending = base.rows()
        self._blocks = base.rows()
        self._scopes = base.rows()
        self._known_collections = base.rows()
        self._known_scopes = base.rows()
        self._of_library: Callable[[], Iterable[Scope]] = tuple
        self._standing[""] = Standing(device)

    def join(self, scopes: Callable[[], Iterable[Scope]]) -> None:
        """Also these scopes are the account's."""
        self._of_library = scopes

    def reading(self) -> rows.Block:
        return self.base.reading()

    def writing(self) -> rows.Block:
        return self.base.writing()

    def standing(self) -> Standing:
        self.base.check_reading()
        held: Standing = self._standing[""]
        return held

    def stand(self, standing: Standing) -> None:
        self._standing.put("", standing)

    # records

    def copy(self, key: RecordKey) -> Copy | None:
        self.base.check_reading()
        return self._copies.get(key)

    def copies_at(self, keys: Sequence[RecordKey]) -> Mapping[RecordKey, Copy]:
        return {key: copy for key in keys if (copy := self.copy(key)) is not None}

    def put_copies(self, copies: Sequence[tuple[RecordKey, Copy]]) -> None:
        for key, copy in copies:
            before: Copy | None = self._copies.get(key)
            assert before is None or before.base is None or before.base.body.erased
            self.put_copy(key, copy)

    def put_copy(self, key: RecordKey, copy: Copy) -> None:
        before = self._copies.get(key)
        if before is not None and before.base is not None:
            replaced: Held = before.base
            if replaced != copy.base and not replaced.body.erased:
                log = (*self._logs.get(key, ()), replaced)
                self._logs.put(key, log[-MOST_LOGGED:])
        self._copies.put(key, copy)
        self._scopes.put(key.scope, True)

    def drop_copy(self, key: RecordKey) -> None:
        self._copies.drop(key)
        self._logs.drop(key)

    def copy_of(self, item: ItemId) -> RecordKey | None:
        self.base.check_reading()
        return next((key for key, copy in self._copies.items() if copy.item == item), None)

    def copy_named(self, inc: str) -> RecordKey | None:
        self.base.check_reading()
        return next(
            (key for key, copy in self._copies.items() if inc and inc in (copy.inc, copy.there)),
            None,
        )

    def copies(self, *, after: RecordKey | None, limit: int) -> Sequence[RecordKey]:
        self.base.check_reading()
        found = sorted(
            key
            for key, copy in self._copies.items()
            if copy.rev is not None and (after is None or key > after)
        )
        return found[:limit]

    def log(self, key: RecordKey) -> Sequence[Held]:
        self.base.check_reading()
        held: tuple[Held, ...] = self._logs.get(key, ())
        return held

    def flight(self, key: RecordKey) -> Flight | None:
        self.base.check_reading()
        return self._flights.get(key)

    def flights(self) -> Sequence[Flight]:
        self.base.check_reading()
        return sorted(self._flights.values(), key=lambda flight: (flight.op, flight.place))

    def flights_at(self, keys: Sequence[RecordKey]) -> Mapping[RecordKey, Flight]:
        return {key: flight for key in keys if (flight := self.flight(key)) is not None}

    def put_flights(self, flights: Sequence[Flight]) -> None:
        for flight in flights:
            self._flights.put(flight.key, flight)
            self._scopes.put(flight.key.scope, True)

    def drop_flight(self, key: RecordKey) -> None:
        self._flights.drop(key)

    def drop_flights(self, keys: Sequence[RecordKey]) -> None:
        for key in keys:
            self.drop_flight(key)

    def conflict(self, key: RecordKey) -> Conflict | None:
        self.base.check_reading()
        return self._conflicts.get(key)

    def put_conflict(self, key: RecordKey, conflict: Conflict) -> None:
        self._conflicts.put(key, conflict)
        self._scopes.put(key.scope, True)

    def drop_conflict(self, key: RecordKey) -> None:
        self._conflicts.drop(key)

    def conflicts(self) -> Sequence[RecordKey]:
        self.base.check_reading()
        return sorted(self._conflicts)

    def gone(self, id: str) -> Removal | None:
        self.base.check_reading()
        return self._gone.get(id)

    def gone_among(self, ids: Sequence[str]) -> Mapping[str, Removal]:
        return {id: why for id in ids if (why := self.gone(id)) is not None}

    def put_gone(self, id: str, scope: Scope, why: Removal) -> None:
        if id not in self._gone or why is Removal.FORGET:
            self._gone.put(id, why)
        self._scopes.put(scope, True)

    # facts

    def wording(self, lm: str) -> Wording | None:
        self.base.check_reading()
        return self._wordings.get(lm)

    def put_wording(self, wording: Wording) -> None:
        self._wordings.put(wording.lm, wording)
        self._scopes.put(wording.scope, True)

    def put_wordings(self, wordings: Sequence[Wording]) -> None:
        for wording in wordings:
            assert not wording.sup
            self.put_wording(wording)

    def drop_wording(self, lm: str) -> None:
        self._wordings.drop(lm)

    def wordings_of(self, item: ItemId) -> Sequence[Wording]:
        self.base.check_reading()
        found = [wording for wording in self._wordings.values() if wording.item == item]
        return sorted(found, key=lambda wording: wording.number, reverse=True)

    def wordings_among(self, items: Sequence[ItemId]) -> Mapping[ItemId, Sequence[Wording]]:
        return {item: held for item in items if (held := self.wordings_of(item))}

    def wording_at(self, scope: Scope, server_id: str) -> Wording | None:
        self.base.check_reading()
        for wording in self._wordings.values():
            if wording.server_id == server_id and wording.scope == scope:
                found: Wording = wording
                return found
        return None

    def naming(self, lm: str) -> Sequence[Wording]:
        self.base.check_reading()
        found = [wording for wording in self._wordings.values() if lm in wording.sup]
        return sorted(found, key=lambda wording: wording.lm)

    def leaving(self) -> Sequence[Wording]:
        self.base.check_reading()
        found = [wording for wording in self._wordings.values() if wording.leaving]
        return sorted(found, key=lambda wording: wording.lm)

    def wordings_in(self, scope: Scope) -> Sequence[Wording]:
        self.base.check_reading()
        found = [
            wording
            for wording in self._wordings.values()
            if wording.scope == scope and wording.server_id is not None
        ]
        return sorted(found, key=lambda wording: wording.lm)

    def fact_conflict(self, item: ItemId) -> Conflict | None:
        self.base.check_reading()
        return self._fact_conflicts.get(item)

    def put_fact_conflict(self, item: ItemId, conflict: Conflict) -> None:
        self._fact_conflicts.put(item, conflict)

    def drop_fact_conflict(self, item: ItemId) -> None:
        self._fact_conflicts.drop(item)

    def fact_conflicts(self) -> Sequence[ItemId]:
        self.base.check_reading()
        return sorted(self._fact_conflicts)

    def errands(self) -> Sequence[Errand]:
        self.base.check_reading()
        return [self._errands[place] for place in sorted(self._errands)]

    def errand(self, scope: Scope, server_id: str) -> Errand | None:
        self.base.check_reading()
        return self._errands.get((scope, server_id))

    def put_errand(self, errand: Errand) -> None:
        self._errands.put((errand.scope, errand.server_id), errand)
        self._scopes.put(errand.scope, True)

    def drop_errand(self, scope: Scope, server_id: str) -> None:
        self._errands.drop((scope, server_id))

    # what waits

    def pending(self) -> Sequence[Pending]:
        self.base.check_reading()
        return sorted(self._pending, key=str)

    def add_pending(self, pending: Pending) -> None:
        if pending not in self._pending:
            self._pending.put(pending, True)

    def add_all_pending(self, pending: Sequence[Pending]) -> None:
        for each in pending:
            self.add_pending(each)

    def drop_pending(self, pending: Pending) -> None:
        self._pending.drop(pending)

    def drop_all_pending(self, pending: Sequence[Pending]) -> None:
        for each in pending:
            self.drop_pending(each)

    def block(self, place: str) -> Block | None:
        self.base.check_reading()
        return self._blocks.get(place)

    def blocks_at(self, places: Sequence[str]) -> Mapping[str, Block]:
        return {place: block for place in places if (block := self.block(place)) is not None}

    def put_block(self, place: str, block: Block) -> None:
        self._blocks.put(place, block)

    def drop_block(self, place: str) -> None:
        self._blocks.drop(place)

    def blocks(self) -> Sequence[tuple[str, Block]]:
        self.base.check_reading()
        return sorted(self._blocks.items())

    def scopes(self) -> Sequence[Scope]:
        self.base.check_reading()
        return sorted({*self._scopes, *self._of_library()})

    def learn_scope(self, scope: Scope) -> None:
        self._scopes.put(scope, True)

    def collections(self) -> Sequence[str]:
        self.base.check_reading()
        return sorted({key.collection for key in self._copies if key.collection})

    def knows_collection(self, name: str) -> bool:
        self.base.check_reading()
        return name in self._known_collections

    def learn_collection(self, name: str) -> None:
        self._known_collections.put(name, True)

    def forget_collections(self) -> None:
        for name in list(self._known_collections):
            self._known_collections.drop(name)

    # what erasing takes with it (store/erase.py)

    def erase(self, item: ItemId, key: RecordKey | None) -> None:
        """Empty what is remembered of an item that is gone; inside a transaction."""
        if key is not None:
            self._erase_record(key)
            self._blocks.drop(block_place(Pending(key, None)))
            return
        self._blocks.drop(block_place(Pending(None, item)))
        conflict = self._fact_conflicts.get(item)
        if conflict is not None:
            self._fact_conflicts.put(item, _bare(conflict))

    def _erase_record(self, key: RecordKey) -> None:
        copy = self._copies.get(key)
        if copy is not None:
            last = None if copy.last is None else husk(copy.last)
            self._copies.put(key, copy._replace(base=_emptied(copy.base), last=last))
        log = self._logs.get(key)
        if log is not None:
            self._logs.put(key, tuple(Held(husk(held.body), held.vv) for held in log))
        flight = self._flights.get(key)
        if flight is not None:
            self._flights.put(key, flight._replace(body=_emptied(flight.body)))
        conflict = self._conflicts.get(key)
        if conflict is not None:
            self._conflicts.put(key, _bare(conflict))


def _bare(conflict: Conflict) -> Conflict:
    base, mine = (None if body is None else husk(body) for body in (conflict.base, conflict.mine))
    return conflict._replace(base=base, mine=mine, theirs=_emptied(conflict.theirs))


def _emptied(held: Held | None) -> Held | None:
    return None if held is None else Held(husk(held.body), held.vv)


def _says_same(left: DocumentBody, right: DocumentBody) -> bool:
    return documents.same(left.value, right.value) and same_end(left.expires_at, right.expires_at)


# --- what the person sees ----------------------------------------------------------------------


class Kept(NamedTuple):
    """An item with its current version."""

    item: ItemId
    kind: Kind
    scope: Scope
    key: RecordKey | None
    provenance: Provenance | None
    number: int
    version: str
    body: Slot | DocumentBody | FactBody
    proposed: bool = False

    @property
    def expires_at(self) -> Millis | None:
        return None if isinstance(self.body, Slot) else self.body.expires_at

    @property
    def place(self) -> tuple[RecordKey | None, Provenance | None]:
        return self.key, self.provenance


class Tombstone(NamedTuple):
    why: Removal
    kind: Kind
    change: int


class MemoryLibrary:
    """core.replica.Library over dictionaries."""

    def __init__(
        self, base: rows.Database, tables: MemoryTables, name: int, clock: Callable[[], Millis]
    ) -> None:
        self.base = base
        self.tables = tables
        self._name = name
        self._clock = clock
        self._made = 0
        self._items = base.rows()
        self._places = base.rows()
        self._changes = base.rows()
        self._tombstones = base.rows()
        self._history = base.rows()
        self._versions = base.rows()
        self._keys = base.rows()
        self._collections = base.rows()
        self._high = base.rows()
        self._high[""] = 0
        tables.join(lambda: {kept.scope for kept in self._items.values()})

    def now(self) -> Millis:
        return self._clock()

    def new_id(self) -> str:
        # Not part of the transaction: what is rolled back does not bring an id back.
        self._made += 1
        return f"{self._made:08x}-0000-7000-8000-{self._name:012x}"

    def high(self) -> int:
        held: int = self._high[""]
        return held

    def changed(self, after: int, limit: int) -> Sequence[Changed]:
        self.base.check_reading()
        if after >= self._high[""]:
            return []
        found = [
            Changed(change, self._items[item].kind, item, self._items[item].key)
            for item, change in self._changes.items()
            if change > after
        ]
        found += [
            Changed(stone.change, stone.kind, item, None, stone.why)
            for item, stone in self._tombstones.items()
            if stone.change > after
        ]
        found.sort()
        return found[:limit]

    def why_gone(self, item: ItemId) -> Removal | None:
        self.base.check_reading()
        stone = self._tombstones.get(item)
        return None if stone is None else stone.why

    def whys_gone(self, items: Sequence[ItemId]) -> Mapping[ItemId, Removal]:
        return {item: why for item in items if (why := self.why_gone(item)) is not None}

    def why_gone_id(self, id: str) -> Removal | None:
        """As `why_gone`, also for a version of what is gone."""
        self.base.check_reading()
        held = self._versions.get(id)
        return self.why_gone(id) or (None if held is None else self.why_gone(held))

    # preferences

    def preference(self, key: str) -> PreferenceBody:
        self.base.check_reading()
        gen, forgotten = self._keys.get(key, (0, False))
        slots = [self._slot(key, provenance) for provenance in Provenance]
        return PreferenceBody(gen, forgotten and slots == [None, None], *slots)

    def _slot(self, key: str, provenance: Provenance) -> Slot | None:
        kept = self._at(preference_key(key), provenance)
        return kept.body if kept is not None and isinstance(kept.body, Slot) else None

    def preference_items(self, key: str) -> Sequence[ItemId]:
        self.base.check_reading()
        held = (self._at(preference_key(key), provenance) for provenance in Provenance)
        return [kept.item for kept in held if kept is not None]

    def put_preference(self, key: str, body: PreferenceBody, *, merged: bool = False) -> None:
        assert not body.erased
        held: int = self._keys.get(key, (0, False))[0]
        if body.gen < held:
            return
        if body.gen > held:
            for provenance in Provenance:
                self.say(key, provenance, None)
        wanted = {
            Provenance.DECLARED: None if body.forgotten else body.declared,
            Provenance.INFERRED: None if body.forgotten else body.inferred,
        }
        for provenance, slot in wanted.items():
            self.say(key, provenance, slot)
        self._keys.put(key, (body.gen, body.forgotten))

    def say(self, key: str, provenance: Provenance, slot: Slot | None) -> None:
        place = preference_key(key)
        kept = self._at(place, provenance)
        if slot is None:
            if kept is not None:
                self._erase(kept, Removal.FORGET)
        elif kept is None:
            self._create(
                Kept(ItemId(self.new_id()), Kind.PREFERENCE, PERSON, place, provenance, 1,
                     self.new_id(), slot)
            )  # fmt: skip
        elif not isinstance(kept.body, Slot) or kept.body.says() != slot.says():
            self._write(kept, self.new_id(), slot)

    def set_key(self, key: str, gen: int, forgotten: bool) -> None:
        self._keys.put(key, (gen, forgotten))

    # documents

    def document(self, scope: Scope, collection: str, key: str) -> Document | None:
        self.base.check_reading()
        kept = self._at(document_key(scope, collection, key), None)
        if kept is None or not isinstance(kept.body, DocumentBody):
            return None
        return Document(kept.item, kept.number, kept.body._replace(inc=kept.item))

    def documents(self, keys: Sequence[RecordKey]) -> Mapping[RecordKey, Document]:
        found = ((key, self.document(key.scope, key.collection, key.key)) for key in keys)
        return {key: document for key, document in found if document is not None}

    def put_document(
        self, scope: Scope, collection: str, key: str, body: DocumentBody, *, merged: bool = False
    ) -> ItemId:
        assert not body.erased
        place = document_key(scope, collection, key)
        if collection not in self._collections:
            self._collections.put(collection, Collection(collection, implicit=True))
        kept = self._at(place, None)
        if kept is not None and isinstance(kept.body, DocumentBody):
            if not _says_same(kept.body, body):
                self._write(kept, self.new_id(), body)
            return kept.item
        self._clear(place)
        taken = body.inc in self._items or body.inc in self._tombstones
        item = ItemId(self.new_id() if taken or not body.inc else body.inc)
        self._create(Kept(item, Kind.DOCUMENT, scope, place, None, 1, self.new_id(), body))
        return item

    def put_documents(self, wanted: Sequence[tuple[RecordKey, DocumentBody]]) -> Sequence[ItemId]:
        return [self.put_document(key.scope, key.collection, key.key, body) for key, body in wanted]

    def collection(self, name: str) -> Collection | None:
        self.base.check_reading()
        return self._collections.get(name)

    def define_collection(self, collection: Collection) -> None:
        if collection.name not in self._collections:
            self._collections.put(collection.name, collection)

    # facts

    def fact(self, item: ItemId) -> Fact | None:
        self.base.check_reading()
        kept = self._items.get(item)
        if kept is None or not isinstance(kept.body, FactBody) or self._over(kept):
            return None
        return Fact(kept.item, kept.scope, kept.number, kept.version, kept.body)

    def earlier(self, item: ItemId, number: int) -> FactBody | None:
        return None  # nobody shows a conflict here

    def facts(self, items: Sequence[ItemId]) -> Mapping[ItemId, Fact]:
        return {item: fact for item in items if (fact := self.fact(item)) is not None}

    def twin(self, scope: Scope, text: str) -> Fact | None:
        self.base.check_reading()
        wanted = facts.sameness(text)
        for kept in self._items.values():
            if kept.scope == scope and isinstance(kept.body, FactBody):
                found = facts.sameness(kept.body.text) == wanted
                if found and not self._over(kept):
                    return self.fact(kept.item)
        return None

    def add_fact(self, scope: Scope, lm: str, body: FactBody, *, proposed: bool) -> Fact:
        item = ItemId(self.new_id())
        self._create(Kept(item, Kind.FACT, scope, None, None, 1, self._free(lm), body, proposed))
        made = self.fact(item)
        return made or Fact(item, scope, 1, self._items[item].version, body)

    def add_facts(self, wanted: Sequence[tuple[Scope, str, FactBody, bool]]) -> Sequence[Fact]:
        return [
            self.add_fact(scope, lm, body, proposed=proposed)
            for scope, lm, body, proposed in wanted
        ]

    def reword_fact(self, item: ItemId, lm: str, body: FactBody, *, merged: bool = False) -> Fact:
        kept: Kept = self._items[item]
        self._write(kept, self._free(lm), body)
        made = self.fact(item)
        return made or Fact(item, kept.scope, kept.number + 1, self._items[item].version, body)

    def _free(self, lm: str) -> str:
        return self.new_id() if lm in self._versions else lm

    # all kinds

    def count(self, scope: Scope) -> int:
        self.base.check_reading()
        held = [kept for kept in self.live() if kept.scope == scope]
        return len({kept.key or kept.item for kept in held})

    def remove(self, item: ItemId, why: Removal) -> None:
        kept = self._items.get(item)
        if kept is not None:
            self._erase(kept, why)

    def live(self) -> list[Kept]:
        """Everything the person sees."""
        return [kept for kept in self._items.values() if not self._over(kept)]

    def purge(self) -> int:
        """Erase what has expired."""
        over = [kept for kept in self._items.values() if self._over(kept)]
        for kept in over:
            self._erase(kept, Removal.EXPIRED)
        return len(over)

    def _at(self, place: RecordKey, provenance: Provenance | None) -> Kept | None:
        item = self._places.get((place, provenance))
        kept: Kept | None = None if item is None else self._items[item]
        return None if kept is None or self._over(kept) else kept

    def _clear(self, place: RecordKey) -> None:
        item = self._places.get((place, None))
        if item is not None:
            self._erase(self._items[item], Removal.EXPIRED)

    def _over(self, kept: Kept) -> bool:
        return kept.expires_at is not None and self._clock() >= kept.expires_at

    def _create(self, kept: Kept) -> None:
        assert kept.item not in self._items and kept.item not in self._tombstones
        if kept.key is not None:
            assert kept.place not in self._places
            self._places.put(kept.place, kept.item)
        self._keep(kept)

    def _write(self, kept: Kept, version: str, body: Slot | DocumentBody | FactBody) -> None:
        self._history.put(kept.item, (*self._history.get(kept.item, ()), kept.body))
        self._keep(kept._replace(number=kept.number + 1, version=version, body=body))

    def _keep(self, kept: Kept) -> None:
        self._items.put(kept.item, kept)
        self._versions.put(kept.version, kept.item)
        self._changes.put(kept.item, self._next())

    def _erase(self, kept: Kept, why: Removal) -> None:
        self._items.drop(kept.item)
        self._history.drop(kept.item)
        self._changes.drop(kept.item)
        if kept.key is not None:
            self._places.drop(kept.place)
        self._tombstones.put(kept.item, Tombstone(why, kept.kind, self._next()))
        self.tables.erase(kept.item, kept.key)

    def _next(self) -> int:
        number: int = self._high[""] + 1
        self._high.put("", number)
        return number


# --- what somebody does at the keyboard --------------------------------------------------------


class Person:
    """The person's own acts, each a transaction of its own (engine/)."""

    def __init__(self, library: MemoryLibrary) -> None:
        self._library = library
        self._base = library.base
        self._before: dict[str, list[Kept]] = {}
        """Earlier versions of an item, for undo; the engine keeps them as its history."""

    def declare(self, key: PreferenceKey, value: str | tuple[str, ...], quote: str | None) -> None:
        library = self._library
        with self._base.writing():
            gen, _ = library._keys.get(key, (0, False))
            library.say(key, Provenance.DECLARED, Slot(value, library.now(), YOU, quote,
                                                       ver=library.new_id()))  # fmt: skip
            library.set_key(key, gen, False)

    def infer(self, key: PreferenceKey, value: str | tuple[str, ...], purchase: str) -> bool:
        """What an agent concludes of a purchase; False where it may not."""
        library = self._library
        with self._base.writing():
            if library._keys.get(key, (0, False))[1]:
                return False
            slot = Slot(value, library.now(), YOU, purchase_id=purchase, ver=library.new_id())
            library.say(key, Provenance.INFERRED, slot)
            return True

    def reject(self, key: PreferenceKey) -> None:
        """Say no to what was inferred; what is declared stays."""
        with self._base.writing():
            self._library.say(key, Provenance.INFERRED, None)

    def forget_preference(self, key: PreferenceKey) -> None:
        library = self._library
        with self._base.writing():
            for provenance in Provenance:
                library.say(key, provenance, None)
            gen, _ = library._keys.get(key, (0, False))
            state = preferences.forgotten(preferences.PreferenceState(gen))
            library.set_key(key, state.generation, state.inference_blocked)

    def write_document(
        self, place: RecordKey, value: Json, expires_at: Millis | None = None
    ) -> ItemId:
        library = self._library
        with self._base.writing():
            held = library._at(place, None)
            if held is not None:
                self._remember(held)
            body = DocumentBody("", value, expires_at, library.now(), YOU)
            if held is not None and isinstance(held.body, DocumentBody):
                body = body._replace(expires_at=held.body.expires_at)
            return library.put_document(place.scope, place.collection, place.key, body)

    def add_fact(self, scope: Scope, body: FactBody) -> Fact | None:
        """None where the scope knows the same words."""
        library = self._library
        with self._base.writing():
            if library.twin(scope, body.text) is not None:
                return None
            return library.add_fact(scope, library.new_id(), body, proposed=False)

    def edit_fact(self, item: ItemId, text: str) -> bool:
        library = self._library
        with self._base.writing():
            fact = library.fact(item)
            if fact is None or library.twin(fact.scope, text) is not None:
                return False
            self._remember(library._items[item])
            body = fact.body._replace(text=text, at=library.now(), by=YOU)
            library.reword_fact(item, library.new_id(), body)
            return True

    def forget(self, item: ItemId) -> None:
        """A document or a fact, with every version."""
        with self._base.writing():
            self._library.remove(item, Removal.FORGET)
            self._before.pop(item, None)

    def undo(self, item: ItemId) -> bool:
        """Take the last change of a document or a fact back."""
        library = self._library
        with self._base.writing():
            kept: Kept | None = library._items.get(item)
            earlier = self._before.get(item)
            if kept is None or not earlier:
                return False
            body = earlier.pop().body
            if isinstance(body, FactBody):
                twin = library.twin(kept.scope, body.text)
                if twin is not None:
                    return False
            library._write(kept, library.new_id(), body)
            return True

    def undo_making(self, item: ItemId) -> None:
        """Take back that something was kept at all."""
        with self._base.writing():
            self._library.remove(item, Removal.UNDO)
            self._before.pop(item, None)

    def purge(self) -> int:
        with self._base.writing():
            return self._library.purge()

    def define(self, collection: Collection) -> None:
        with self._base.writing():
            self._library.define_collection(collection)

    def _remember(self, kept: Kept) -> None:
        self._before.setdefault(kept.item, []).append(kept)


def visible_body(library: MemoryLibrary, key: RecordKey) -> Body | None:
    """What the person sees of a record; inside a block."""
    if key.kind is Kind.PREFERENCE:
        return library.preference(key.key)
    document = library.document(key.scope, key.collection, key.key)
    return None if document is None else document.body
