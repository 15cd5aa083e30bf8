"""A library that forgets at random, and what must be in none of its bytes afterwards.

Values are of every kind a library holds, with words that stand nowhere else, written so that each
way of storing them has a form of its own: as typed, folded for the word index, escaped in JSON, as
the numbers of a vector. Before each erasure the same search must find them, or it proves nothing.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.durability.traces import KEY, DigestEmbedder, of_vector
from bench.durability.writer import open_engine
from localmem.core import passages, plain, words
from localmem.core.bodies import DocumentBody, Held
from localmem.core.change import Saved
from localmem.core.incoming import Incoming
from localmem.core.model import Evidence, FactContent, Item, ItemId, Json, Kind, Provenance
from localmem.core.query import Query
from localmem.core.records import Slice
from localmem.core.replica import Clashing, Conflict, Copy, Flight, RecordKey, Verb
from localmem.core.scope import PROJECT, Scope, contact
from localmem.engine.imports import Rules
from localmem.errors import MemoryNotFound
from localmem.store import rows
from tests.support.library import AGENT, BACKEND, FixedClock

ERASERS = {
    "facts": 5, "documents": 3, "key": 2, "wipe": 1, "collection": 1, "undo": 2, "import": 2,
    "reject": 2, "expired": 2, "masked": 1,
}  # fmt: skip
"""What erases, and how often."""
NAMES = ("preferred_brands", "avoided_brands", "preferred_merchants", "dietary_restrictions")
PLACES = (PROJECT, contact("ana"), contact("rui"))
ODD = re.compile(r"[ÄÖÜ]w[bcdfghjklmñpqrstvwxz]{12}")
SECRET = re.compile(r"ghp_[0-9A-Za-z]{36}")
_TAIL = 9
"""Of a folded word so many last letters are looked for: the index leaves out what a word shares
with the one before it."""


class Clock(FixedClock):
    """Moves by a millisecond whenever it is asked."""

    def __call__(self) -> int:
        self.now += 1
        return self.now


@dataclass
class Traces:
    """What one memory leaves in bytes, by form."""

    typed: set[bytes] = field(default_factory=set)
    folded: set[bytes] = field(default_factory=set)
    escaped: set[bytes] = field(default_factory=set)
    vectors: set[bytes] = field(default_factory=set)

    def all(self) -> set[bytes]:
        return self.typed | self.folded | self.escaped | self.vectors

    def join(self, other: Traces) -> None:
        for name in ("typed", "folded", "escaped", "vectors"):
            getattr(self, name).update(getattr(other, name))

    def say(self, text: str) -> None:
        """Every odd word of a text, in each form."""
        for odd in (*ODD.findall(text), *SECRET.findall(text)):
            self.typed.add(odd.encode())
            self.escaped.add(json.dumps(odd)[1:-1].encode())
            if ODD.fullmatch(odd):
                self.folded.add(words.index_text(odd).split()[0][-_TAIL:].encode())


@dataclass
class Erasure:
    kind: str
    candidates: list[ItemId]
    """Ids whose traces are taken before."""
    gone: set[ItemId]
    run: Callable[[], object]
    masks: bool = False
    """The memory stays, without its secret."""


class Forgetful:
    """One library with an open engine, that writes and erases by chance."""

    def __init__(self, library: Path, chance: random.Random, *, encrypted: bool) -> None:
        self.library, self._chance = library, chance
        self.clock = Clock()
        self.key = KEY if encrypted else None
        self._embedder = DigestEmbedder()
        self.store, self.engine = open_engine(library, self.clock, cached=True)
        self._drafts: dict[ItemId, list[str]] = {}
        self._runs: list[tuple[int, list[ItemId]]] = []
        self._expiring: set[ItemId] = set()
        self._number = 0
        for _ in range(30):
            self.write()

    def reopen(self) -> None:
        self.store.close()
        self.store, self.engine = open_engine(self.library, self.clock, cached=True)

    # writing

    def write(self) -> None:
        deeds = (self._fact, self._fact, self._edit, self._edit, self._document, self._document,
                 self._preference, self._propose, self._draft, self._sync, self._import,
                 self._use, self._expire, self._secret)  # fmt: skip
        self._chance.choice(deeds)()
        if self._chance.random() < 0.7:
            self.engine.meaning.embed_waiting(64)

    def odd(self) -> str:
        letters = self._chance.choices("bcdfghjklmñpqrstvwxz", k=12)
        return self._chance.choice("ÄÖÜ") + "w" + "".join(letters)

    def _text(self) -> str:
        said, quoted = self.odd(), self.odd()
        size = self._chance.choice([0, 0, 1, 20, 200, 600])
        more = "".join(f" on {self._chance.randrange(10**6)}" for _ in range(size))
        return f'{said} says "{quoted}"\n\\ and\tgoes{more} {self.odd()}'

    def _scope(self) -> Scope:
        return self._chance.choice(PLACES)

    def _fact(self, ttl: int | None = None) -> Item:
        made = self.engine.facts.add(
            self._text(), scope=self._scope(), ttl_seconds=ttl, path=f"p/{self.odd()}",
            metadata={"note": f'{self.odd()} "x"'},
            evidence=Evidence(quote=f"I said {self.odd()}"),
        )  # fmt: skip
        assert isinstance(made, Saved)
        return made.item

    def _expire(self) -> None:
        self._expiring.add(self._fact(ttl=60).id)

    def _secret(self) -> None:
        alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        token = "ghp_" + "".join(self._chance.choices(alphabet, k=36))
        made = self.engine.facts.add(f"The token is {token}, {self.odd()}", keep_secret=True)
        assert isinstance(made, Saved)
        if self._chance.random() < 0.5:
            self.engine.facts.edit(made.item.id, text=f"It was {token} {self.odd()}",
                                   keep_secret=True)  # fmt: skip

    def _edit(self) -> None:
        facts = self._items(Kind.FACT)
        if facts:
            by = self.engine if self._chance.random() < 0.8 else self.engine.acting(AGENT)
            by.facts.edit(self._chance.choice(facts).id, text=self._text())

    def _document(self) -> None:
        name = self._chance.choice(["orders", "notes"])
        known = {each.name for each in self.engine.documents.collections()}
        if name not in known and name == "orders":
            self.engine.documents.create_collection(name, indexes=["status"])
        value: dict[str, Json] = {
            "status": self.odd(),
            "list": [self._text(), {"deep": self.odd()}],
        }
        key = self._chance.choice([f"k{self._chance.randrange(6)}", f"phone:{self._number}"])
        self._number += 1
        self.engine.documents.set(name, key, value, scope=self._scope())

    def _preference(self) -> None:
        key = self._chance.choice(NAMES)
        said = [self.odd(), self.odd()]
        blocked = self.engine.preferences.entry(key).inference_blocked
        if self._chance.random() < 0.3 and not blocked:
            self.engine.acting(BACKEND).preferences.remember(
                key, said, provenance=Provenance.INFERRED,
                evidence=Evidence(purchase_id=f"purchase {self.odd()}"))  # fmt: skip
            return
        quote = Evidence(quote=f"sim, “{said[0]}” e “{said[1]}”")
        self.engine.preferences.remember(key, said, evidence=quote)

    def _propose(self) -> None:
        self.engine.acting(AGENT).facts.add(self._text(), scope=self._scope())

    def _draft(self) -> None:
        items = self._items(Kind.FACT)
        if items:
            id, body = self._chance.choice(items).id, self._text()
            self.engine.library.save_draft(f"edit-{id}", body, item=id)
            self._drafts.setdefault(id, []).append(body)

    def _sync(self) -> None:
        """As a synchronisation would: a copy and its log, a write under way, a conflict."""
        with self.store.writing():
            accounts = self.store.accounts
            account = accounts.current() or accounts.begin(
                "s", "a", "live", url="", label="", at=self.clock()
            )
        tables = accounts.tables(account.id)
        for item in self._some(self._items(), 1):
            said = DocumentBody(item.id, rows.content_text(item.head.content))
            held = Held(said, {item.id: self._chance.randint(1, 9)})
            conflict = Conflict(Clashing.CHANGED, 1, said, said, held)
            with tables.writing():
                if item.kind is Kind.FACT:
                    tables.put_fact_conflict(item.id, conflict)
                    continue
                key = RecordKey(item.kind, item.scope, item.collection, item.key)
                tables.put_copy(key, Copy(base=held, last=said))
                tables.put_flights([Flight(item.id, 0, key, Verb.PUT, 1, held)])
                tables.put_conflict(key, conflict)

    def _import(self) -> None:
        self._number += 1
        engine, rules = self.engine.imports, Rules()
        lines = [Incoming(n, FactContent(self._text()), scope=self._scope()) for n in range(1, 6)]
        run = engine.begin(f"file-{self._number}", "lines", f"{self._number}", rules)
        taken = engine.take(run, lines, rules)
        engine.finish(taken.run)
        ids = [outcome.item for outcome in taken.outcomes if outcome.item is not None]
        self._runs.append((run.id, ids))

    def _use(self) -> None:
        for item in self._some(self._items(Kind.FACT), 1):
            said = ODD.search(rows.content_text(item.head.content))
            if said:
                self.engine.acting(AGENT).recall.search(Query(text=said[0], meaning=said[0]))

    def _items(self, kind: Kind | None = None) -> list[Item]:
        return self.engine.library.window(Slice(kind), offset=0, limit=10_000)

    def _some(self, items: Sequence[Item], most: int) -> list[Item]:
        return self._chance.sample(items, min(len(items), self._chance.randint(1, most)))

    # erasing

    def erasure(self) -> Erasure:
        """One that has something to erase."""
        while True:
            (kind,) = self._chance.choices(list(ERASERS), list(ERASERS.values()))
            made: Erasure | None = getattr(self, f"_erase_{kind}")()
            if made is not None and (made.gone or made.masks):
                return made
            self.write()

    def _forgetting(self, kind: str, items: Sequence[Item]) -> Erasure:
        ids = [item.id for item in items]
        return Erasure(kind, ids, set(ids), lambda: self.engine.forgetting.forget(ids))

    def _erase_facts(self) -> Erasure:
        return self._forgetting("facts", self._some(self._items(Kind.FACT), 4))

    def _erase_documents(self) -> Erasure:
        return self._forgetting("documents", self._some(self._items(Kind.DOCUMENT), 3))

    def _erase_key(self) -> Erasure:
        items = self._items(Kind.PREFERENCE)
        held = [item for item in items if item.key == self._chance.choice(items).key]
        both = [item for item in items if held and item.key == held[0].key]
        ids = [item.id for item in both]
        return Erasure("key", ids, set(ids),
                       lambda: self.engine.preferences.forget(both[0].key))  # fmt: skip

    def _erase_wipe(self) -> Erasure:
        scope = self._scope()
        ids = [item.id for item in self._items(Kind.FACT) if item.scope == scope]
        return Erasure("wipe", ids, set(ids), lambda: self.engine.forgetting.wipe(scope))

    def _erase_collection(self) -> Erasure | None:
        held = self._items(Kind.DOCUMENT)
        if not held:
            return None
        name = self._chance.choice(held).collection
        ids = [item.id for item in held if item.collection == name]
        return Erasure("collection", ids, set(ids),
                       lambda: self.engine.forgetting.delete_collection(name))  # fmt: skip

    def _erase_undo(self) -> Erasure:
        made = self._fact()
        self.engine.meaning.embed_waiting(64)
        return Erasure("undo", [made.id], {made.id}, self.engine.versions.undo)

    def _erase_import(self) -> Erasure | None:
        if not self._runs:
            return None
        run, ids = self._runs.pop(self._chance.randrange(len(self._runs)))
        live = {item.id: item for item in self._items(Kind.FACT)}
        held = [id for id in ids if id in live]
        as_made = {id for id in held if live[id].head.number == 1}
        return Erasure("import", held, as_made, lambda: self.engine.imports.undo(run))

    def _erase_reject(self) -> Erasure | None:
        waiting = self.engine.inbox.window(offset=0, limit=50)
        new = [each.item for each in waiting if each.before is None]
        if not new:
            return None
        id = self._chance.choice(new).id
        return Erasure("reject", [id], {id}, lambda: self.engine.inbox.reject(id))

    def _erase_expired(self) -> Erasure:
        live = {item.id: item for item in self._items(Kind.FACT)}
        ids = [id for id in self._expiring if id in live]
        gone = [id for id in ids if live[id].head.expires_at is not None]
        self._expiring.clear()

        def run() -> None:
            self.clock.advance(61)
            self.engine.maintain()

        return Erasure("expired", gone, set(gone), run)

    def _erase_masked(self) -> Erasure:
        ids = [
            item.id for item in self._items(Kind.FACT)
            if any(SECRET.search(rows.content_text(version.content))
                   for version in self.engine.library.history(item.id))
        ]  # fmt: skip
        return Erasure("masked", ids, set(), lambda: self.engine.health.mask(ids), masks=bool(ids))

    # what must go, and what must stay

    def traces(self, ids: Iterable[ItemId], *, secrets_only: bool = False) -> dict[ItemId, Traces]:
        """Taken before the erasure, from everything each memory ever said."""
        return {id: self._traces(id, secrets_only) for id in ids}

    def _traces(self, id: ItemId, secrets_only: bool) -> Traces:
        found = Traces()
        item = self.engine.library.get(id)
        for version in self.engine.library.history(id):
            content = rows.content_text(version.content)
            if secrets_only:
                for secret in SECRET.findall(content):
                    found.say(secret)
                continue
            evidence = version.evidence
            for text in (content, evidence.quote, evidence.purchase_id, evidence.source):
                found.say(text or "")
            if plain.found_by_meaning(item.kind):
                for part in passages.split(plain.text(item._replace(head=version))):
                    found.vectors.update(of_vector(self._embedder.embed([part])[0]))
        if not secrets_only:
            for body in self._drafts.get(id, ()):
                found.say(body)
        return found

    def living(self) -> dict[ItemId, tuple[str, ...]]:
        """Every memory with what each of its versions says."""
        with self.store.reading():
            ids = self.store.items.rows(Slice())
            return {
                id: tuple(rows.content_text(each.content) for each in self.store.items.history(id))
                for id in ids
            }

    def is_gone(self, id: ItemId) -> bool:
        try:
            self.engine.library.get(id)
        except MemoryNotFound:
            return True
        return False

    def finds(self, id: ItemId) -> bool:
        """Whether a memory is found by a word of it."""
        said = ODD.search(plain.text(self.engine.library.get(id)))
        if said is None:
            return True
        found = self.engine.recall.search(
            Query(text=said[0], meaning=said[0]), floor=None, limit=50
        )
        return any(hit.item.id == id for hit in (*found.hits, *found.below))

    def pending(self) -> bool:
        with self.store.reading():
            return self.engine.health.condition().unfinished_erasure
