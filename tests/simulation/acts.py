"""What people and strangers do while devices are half way through a sync.

Every act tells the oracle what was written, seen and forgotten, in the words of a person: what was
on the screen, and what the person did about it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from localmem.core.model import Collection, ItemId, Json, Kind
from localmem.core.preferences import PreferenceKey
from localmem.core.records import Removal
from localmem.core.replica import FactBody, RecordKey, document_key, preference_key
from localmem.core.scope import PROJECT, Scope, contact
from sync.messages import NewFact
from tests.simulation.oracle import CANARY, Chain, Where, tokens
from tests.simulation.replica import Kept

if TYPE_CHECKING:
    from tests.simulation.world import Device, World

ANA = contact("ana")
SCOPES = (PROJECT, ANA)
DEFINED = Collection("orders", ("status",))
DOCUMENTS = (
    document_key(PROJECT, "orders", "a"),
    document_key(ANA, "orders", "a"),
    document_key(PROJECT, "notes", "list"),
)
"""Equal keys in two scopes; `list` holds an array, which has no place for a lineage."""
NEIGHBOUR = document_key(PROJECT, "orders", "b")
"""One more where lists have pages, so that a page can pass it over."""
SIZE = PreferenceKey.SHOE_SIZE
NAMES = PreferenceKey.PREFERRED_BRANDS
MEMBERS = ("status", "note", "inner")
_SIZES = [f"{low}/{high}" for low in range(15, 60) for high in range(low + 1, 61)]
SHORT = (60, 90, 300, 900)
"""Lifetimes in seconds."""


class Acts:
    """The person at one of the devices, chosen by the world's one source of chance."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.chance = world.chance
        paged = world.mode.name != "ext"
        self.places = (*DOCUMENTS, NEIGHBOUR) if paged else DOCUMENTS
        self.undoes = 0.12 if paged else 0.07
        """How often somebody takes the last change of a document back: more of them have none
        where there are more documents."""
        self.brief = True
        """Whether some of what is kept has an end."""
        self._tokens = 0
        self._sizes = 0
        self._chains = 0

    # tokens

    def token(self, scope: Scope) -> str:
        self._tokens += 1
        code = "pr" if scope == PROJECT else "an"
        return f"{code}{self._tokens:04d}"

    def name(self) -> str:
        self._tokens += 1
        return f"me{self._tokens:04d}"

    def size(self) -> str:
        """One of the sizes that a shoe can have, each once."""
        self._sizes += 1
        return _SIZES[self._sizes - 1]

    def chain(self) -> Chain:
        self._chains += 1
        return Chain(self._chains)

    # one act

    def act(self, device: Device) -> None:
        self.world.say("-- somebody at", device.name)
        if self.world.conflicts(device) and self.chance.random() < 0.3:
            self.resolve(device)
            return
        draw = self.chance.random()
        if draw < 0.34:
            self.preference(device)
        elif draw < 0.66:
            self.document(device, self.chance.choice(self.places))
        elif draw < 0.97:
            self.fact(device)
        else:
            self.leave_out(device)

    def count(self, what: str) -> None:
        self.world.counts["act " + what] += 1
        self.world.say("--", what)

    # preferences

    def preference(self, device: Device) -> None:
        key = self.chance.choice((SIZE, NAMES))
        place = preference_key(key)
        with device.tables.reading():
            held = device.library.preference(key)
        declared = held.declared.value if held.declared else None
        inferred = held.inferred.value if held.inferred else None
        draw = self.chance.random()
        if (declared or inferred) and draw < 0.18:
            self.forget_preference(device, place)
        elif draw < 0.30:
            value: str | tuple[str, ...] = self.size() if key is SIZE else (self.name(),)
            if device.person.infer(key, value, f"p{self._tokens}"):
                self.world.oracle.loose |= tokens(value)
                self.world.oracle.saw(tokens(inferred))
                self.wrote(device, tokens(value), place)
                self.count("infer")
        elif inferred and draw < 0.36:
            device.person.reject(key)
            self.world.oracle.saw(tokens(inferred))
            self.world.oracle.edited(device.index, place)
            self.count("reject")
        else:
            self.declare(device, key, declared)

    def declare(self, device: Device, key: PreferenceKey, declared: object) -> None:
        place = preference_key(key)
        if key is SIZE:
            value: str | tuple[str, ...] = self.size()
            self.world.oracle.saw(tokens(declared))
            new = tokens(value)
        else:
            names = list(declared) if isinstance(declared, tuple) else []
            if names and (len(names) > 6 or self.chance.random() < 0.35):
                gone = names.pop(self.chance.randrange(len(names)))
                self.world.oracle.saw(tokens(gone))
            added = self.name()
            value, new = (*names, added), {added}
        quote = f"I say {value if isinstance(value, str) else ' and '.join(value)}"
        device.person.declare(key, value, quote if self.chance.random() < 0.5 else None)
        self.wrote(device, new, place)
        self.count("declare")

    def forget_preference(self, device: Device, place: RecordKey) -> None:
        with device.tables.reading():
            held = device.library.preference(place.key)
        shown = tokens((held.declared, held.inferred)) | self._theirs(device, place)
        device.person.forget_preference(PreferenceKey(place.key))
        self.world.oracle.forget(shown, device.index, place)
        self.count("forget preference")

    def _theirs(self, device: Device, place: RecordKey) -> set[str]:
        conflict = device.tables._conflicts.get(place)
        if conflict is None or conflict.theirs is None:
            return set()
        return tokens(conflict.theirs.body)

    # documents

    def document(self, device: Device, place: RecordKey) -> None:
        with device.tables.reading():
            held = device.library.document(place.scope, place.collection, place.key)
        draw = self.chance.random()
        if held is not None and draw < 0.18:
            self.forget_document(device, place)
        elif held is not None and draw < 0.18 + self.undoes:
            if device.person.undo(held.item):
                # The state before is what the person asks for, whoever wrote it.
                self.world.oracle.saw(tokens(held.body.value))
                self.world.oracle.edited(device.index, place)
                with device.tables.reading():
                    now = device.library.document(place.scope, place.collection, place.key)
                if now is not None:  # else it had an end then, which is over
                    self.again(device, tokens(now.body.value), place)
                self.count("undo document")
        elif held is not None and draw < 0.21 + self.undoes and held.number == 1:
            device.person.undo_making(held.item)
            self.world.oracle.forget(
                tokens(held.body.value) | self._theirs(device, place), device.index, place
            )
            self.count("undo making")
        else:
            self.edit_document(device, place, None if held is None else held.body.value)

    def again(self, device: Device, found: set[str], where: Where) -> None:
        """Old words on the screen again: no promise is made for them a second time."""
        self.world.oracle.seen |= found
        self.world.oracle.loose |= found

    def edit_document(self, device: Device, place: RecordKey, held: Json) -> None:
        token = self.token(place.scope)
        if place.key == "list":
            value: Json = [*(held if isinstance(held, list) else ())]
            assert isinstance(value, list)
            if len(value) > 4:
                self.world.oracle.saw(tokens(value.pop(0)))
            value.append(token)
        else:
            value = dict(held) if isinstance(held, dict) else {}
            assert isinstance(value, dict)
            member = self.chance.choice(MEMBERS)
            if member == "inner":
                inner = value.get("inner")
                inner = dict(inner) if isinstance(inner, dict) else {}
                part = self.chance.choice("xy")
                self.world.oracle.saw(tokens(inner.get(part)))
                value["inner"] = {**inner, part: token}
            else:
                self.world.oracle.saw(tokens(value.get(member)))
                value[member] = token
        ends = None
        if held is None and self.brief and self.chance.random() < 0.12:
            ends = device.library.now() + self.chance.choice(SHORT) * 1000
        device.person.write_document(place, value, ends)
        with device.tables.reading():
            now = device.library.document(place.scope, place.collection, place.key)
        if now is not None and now.body.expires_at is not None:
            self.world.oracle.mortal |= tokens(now.body.value)
            self.world.oracle.brief.add(place)
        self.wrote(device, {token}, place)
        self.count("edit document" if held is not None else "write document")

    def forget_document(self, device: Device, place: RecordKey) -> None:
        with device.tables.reading():
            held = device.library.document(place.scope, place.collection, place.key)
        assert held is not None
        shown = tokens(held.body.value) | self._theirs(device, place)
        device.person.forget(held.item)
        self.world.oracle.forget(shown, device.index, place)
        self.count("forget document")

    # facts

    def fact(self, device: Device) -> None:
        scope = self.chance.choice(SCOPES)
        held = [
            kept for kept in device.library.live() if kept.kind is Kind.FACT and kept.scope == scope
        ]
        draw = self.chance.random()
        if not held or (draw < 0.45 and len(held) < 8):
            self.add_fact(device, scope)
        elif draw < 0.72:
            self.edit_fact(device, self.chance.choice(held))
        elif draw < 0.78:
            self.undo_fact(device, self.chance.choice(held))
        else:
            self.forget_fact(device, self.chance.choice(held))

    def add_fact(self, device: Device, scope: Scope) -> None:
        token = self.token(scope)
        text = f"Likes {token}."
        metadata = {"source": "call"} if self.chance.random() < 0.3 else {}
        ends = None
        if self.brief and self.chance.random() < 0.1:
            ends = device.library.now() + self.chance.choice(SHORT) * 1000
            self.world.oracle.mortal.add(token)
        chain = self.chain()
        body = FactBody(text, metadata, None, ends, device.library.now())
        device.person.add_fact(scope, body)
        self.wrote(device, {token}, chain)
        self.count("add fact")
        if ends is None and self.chance.random() < 0.14:
            other = self.chance.choice(self.world.devices)
            if other is not device:
                spelt = text.upper() if self.chance.random() < 0.5 else text
                body = FactBody(spelt, {}, None, None, other.library.now())
                other.person.add_fact(scope, body)
                self.world.oracle.loose.add(token)
                self.count("add twin")

    def _chain_of(self, kept: Kept) -> Where:
        found = [self.world.oracle.by[token][1] for token in tokens(kept.body)
                 if token in self.world.oracle.by]  # fmt: skip
        return found[0] if found else self.chain()

    def edit_fact(self, device: Device, kept: Kept) -> None:
        before = tokens(kept.body)
        chain = self._chain_of(kept)
        token = self.token(kept.scope)
        if device.person.edit_fact(kept.item, f"Likes {token} now."):
            self.world.oracle.saw(before)
            if kept.expires_at is not None:
                self.world.oracle.mortal.add(token)
            if before & self.world.oracle.loose:
                self.world.oracle.loose.add(token)
            self.wrote(device, {token}, chain)
            self.count("edit fact")

    def undo_fact(self, device: Device, kept: Kept) -> None:
        chain = self._chain_of(kept)
        if device.person.undo(kept.item):
            self.world.oracle.saw(tokens(kept.body))
            now = device.library._items[kept.item]
            self.again(device, tokens(now.body), chain)
            self.count("undo fact")

    def forget_fact(self, device: Device, kept: Kept) -> None:
        shown = tokens(kept.body)
        if kept.item in device.tables._fact_conflicts:
            self.count("forget fact in conflict")
        device.person.forget(kept.item)
        self.world.oracle.forget(shown, device.index, self._chain_of(kept))
        self.count("forget fact")

    def wrote(self, device: Device, new: set[str], where: Where) -> None:
        for token in new:
            self.world.say("-- wrote", token, where)
            self.world.oracle.wrote(token, device.index, where)

    # conflicts

    def resolve(self, device: Device) -> None:
        record, fact = self.world.conflicts(device)[
            self.chance.randrange(len(self.world.conflicts(device)))
        ]
        mine = self.chance.random() < 0.5
        if record is not None:
            self.resolve_record(device, record, mine=mine)
        elif fact is not None:
            self.resolve_fact(device, fact, mine=mine)

    def resolve_record(self, device: Device, key: RecordKey, *, mine: bool) -> None:
        with device.tables.reading():
            if key.kind is Kind.PREFERENCE:
                held = device.library.preference(key.key)
                ours = tokens((held.declared, held.inferred))
            else:
                document = device.library.document(key.scope, key.collection, key.key)
                ours = set() if document is None else tokens(document.body.value)
        theirs = self._theirs(device, key)
        conflict = device.tables._conflicts[key]
        self.world.counts[f"resolve {conflict.why} {'mine' if mine else 'theirs'}"] += 1
        resolving = self.world.resolving
        if mine:
            if resolving.keep_mine(device.tables, device.library, key):
                self.world.oracle.said_again(ours)
                self.world.oracle.saw(theirs - ours)
                self.world.oracle.edited(device.index, key)
        elif resolving.keep_theirs(device.tables, device.library, key):
            self.world.oracle.saw(ours - theirs)
        self.count("resolve")

    def resolve_fact(self, device: Device, item: ItemId, *, mine: bool) -> None:
        kept = device.library._items.get(item)
        resolving = self.world.resolving
        if mine:
            resolving.keep_mine_fact(device.tables, device.library, item)
            self.world.oracle.person_kept(device)
            self.world.oracle.said_again(set() if kept is None else tokens(kept.body))
        else:
            if kept is not None:
                self.world.oracle.saw(tokens(kept.body))
            resolving.drop_fact(device.tables, device.library, item)
        self.count("resolve fact")

    # leaving out

    def leave_out(self, device: Device) -> None:
        """Nothing of one record is sent until it is let in again."""
        if device.left_out is not None:
            self.world.let_in(device)
        else:
            self.world.leave_out(device, self.chance.choice(self.places))
        self.count("leave out")

    # strangers

    def stranger(self) -> None:
        """An agent of somebody else, which knows nothing of lineage or conditions."""
        choices: list[Callable[[], None]] = [
            self._strange_document,
            self._strange_delete,
            self._strange_fact,
            self._strange_forget,
            self._strange_preference,
        ]
        self.chance.choice(choices)()

    def _strange_document(self) -> None:
        server = self.world.server
        place = self.chance.choice(self.places)
        where = (place.scope, place.collection, place.key)
        held = server.item(where)
        token = self.token(place.scope)
        if held is not None:
            self.world.oracle.lost_to_others(tokens(held.value))
        self.world.oracle.loose.add(token)
        self.world.oracle.strange.add(place)
        server.put_item(where, [token] if place.key == "list" else {"status": token})
        self.count("stranger writes a document")

    def _strange_delete(self) -> None:
        server = self.world.server
        places = [
            place for place in sorted(server.items) if place[1] not in ("preferences", CANARY)
        ]
        if not places:
            return
        place = self.chance.choice(places)
        self.world.oracle.lost_to_others(tokens(server.items[place].value), document_key(*place))
        server.remove_item(place, Removal.FORGET)
        self.count("stranger deletes a document")

    def _strange_fact(self) -> None:
        scope = self.chance.choice(SCOPES)
        token = self.token(scope)
        self.world.oracle.loose.add(token)
        self.world.server.put_fact(scope, NewFact(f"Bought {token}.", {"agent": "shop"}))
        self.count("stranger adds a fact")

    def _strange_forget(self) -> None:
        server = self.world.server
        if not server.facts:
            return
        key = self.chance.choice(sorted(server.facts))
        found = tokens(server.facts[key].text)
        self.world.oracle.lost_to_others(found)
        server.remove_fact(*key, Removal.FORGET)
        self.count("stranger forgets a fact")

    def _strange_preference(self) -> None:
        """Erased by DELETE, or made into something that nobody can read."""
        server = self.world.server
        places = [place for place in sorted(server.items) if place[1] == "preferences"]
        if not places:
            return
        place = self.chance.choice(places)
        where = preference_key(place[2])
        self.world.oracle.lost_to_others(tokens(server.items[place].value), where)
        if self.chance.random() < 0.7:
            server.remove_item(place, Removal.FORGET)
            self.count("stranger deletes a preference")
        else:
            server.put_item(place, {"size": "big"})
            self.count("stranger breaks a preference")
