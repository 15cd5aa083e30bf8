"""What must be true whatever happens, judged from outside (sync.md 3.1, S1 to S18).

It knows no merge: every value that anybody writes holds a token nobody wrote before, and a token is
found again or there is a reason why not. Only people's eyes count (`saw`, `forgot`), what the
server was given, and what requests say. A broken promise is a `Violation` with its number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from localmem.core.model import Json, Kind
from localmem.core.records import Removal
from localmem.core.replica import FactBody, RecordKey
from localmem.core.scope import PERSON, PROJECT, Scope
from sync import encoding
from sync.messages import (
    Absent,
    Added,
    AddFact,
    AddFacts,
    Changes,
    Done,
    DropFact,
    DropFacts,
    FactRow,
    Facts,
    GoneFact,
    ItemRow,
    Items,
    NewFact,
    OtherEpoch,
    Refusal,
    Refused,
    Reply,
    Request,
    Results,
    Step,
    WriteItem,
    WriteItems,
)

if TYPE_CHECKING:
    from tests.simulation.world import Device, World

CODES = {"me": PERSON, "pr": PROJECT}
CANARY = "localmem"
_TOKEN = re.compile(r"\b(?:me|pr|an)\d{4}\b|\b\d\d/\d\d\b", re.IGNORECASE)
ROUNDS = 4
"""How often one record may be refused as stale in one cycle."""


class Violation(AssertionError):
    def __init__(self, promise: str, *about: object) -> None:
        super().__init__(promise, *about)
        self.promise = promise


def tokens(value: object) -> set[str]:
    """Every token in the texts of a value, whatever holds it."""
    found: set[str] = set()
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            if len(part) > 4:
                found |= _in(part)
        elif isinstance(part, dict):
            stack += part.values()
        elif isinstance(part, tuple | list | set | frozenset):
            stack += part
    return found


@lru_cache(maxsize=8192)
def _in(text: str) -> frozenset[str]:
    return frozenset(token.lower() for token in _TOKEN.findall(text))


def of_scope(token: str, scope: Scope) -> bool:
    """Sizes have no room for a scope: they are only ever the person's."""
    if "/" in token:
        return scope in (PERSON, PROJECT)
    held = CODES.get(token[:2])
    if held is PERSON:
        return scope in (PERSON, PROJECT)  # preferences lie in the project's scope on a server
    return scope == held if held else str(scope).startswith("contact")


class Chain(NamedTuple):
    """All wordings of one fact."""

    number: int


Where = RecordKey | Chain


class _Sent(NamedTuple):
    request: Request
    epoch: str | None
    """Of the server that the device believed to speak with."""


class Oracle:
    def __init__(self, world: World) -> None:
        self.world = world
        self.by: dict[str, tuple[int, Where]] = {}
        self.seen: set[str] = set()
        self.forgot: dict[str, set[int]] = {}
        self.erased: set[Where] = set()
        """Records that somebody forgot, on any side."""
        self.mortal: set[str] = set()
        """Tokens of what has an end: also those that were written elsewhere into a document to
        which somebody gave one meanwhile, because an end is merged as a member is."""
        self.brief: set[Where] = set()
        """Places where something with an end was kept: where nothing can be made only once, that
        may have been written over something, and gone before anybody saw it there. What is missing
        then looks like what was deleted."""
        self.strange: set[Where] = set()
        """Places where somebody wrote without lineage: a tombstone may name what nobody knows."""
        self.loose: set[str] = set()
        """Tokens that nobody is promised: inferred ones, and words kept in two places at once."""
        self.again: set[str] = set()
        """Tokens that somebody kept, knowing that they were forgotten or changed elsewhere."""
        self.untold: set[str] = set()
        """Tokens that somebody forgot when a server that went back had lost them: there is nothing
        to delete there, and so nobody else is told."""
        self.given: set[str] = set()
        """Tokens the server had at some time."""
        self.epochs = self._of = 0
        self._ops: dict[str, _Sent] = {}
        self._counters: dict[int, set[int]] = {}
        self._agreed: dict[tuple[int, Any], tuple[Any, int]] = {}
        self._doubled: set[str] = set()
        self._visible: dict[str, frozenset[str]] = {}
        self._read: set[Any] = set()
        self._looked: dict[int, tuple[int, int]] = {}
        self._gens: dict[tuple[int, str], int] = {}

    # what people do

    def wrote(self, token: str, device: int, where: Where) -> None:
        self.by[token] = device, where
        self.edited(device, where)

    def edited(self, device: int, where: Where) -> None:
        self._agreed.pop((device, _place(where)), None)

    def saw(self, found: Iterable[str]) -> None:
        self.seen.update(found)

    def forget(self, found: Iterable[str], device: int, where: Where | None = None) -> None:
        self.world.say("-- forgets", *found)
        if self.epochs:
            self.untold |= (self.given & {*found}) - tokens(self.world.server.told())
        for token in found:
            self.forgot.setdefault(token, set()).add(device)
            if token in self.by:
                self.erased.add(self.by[token][1])
        if where is not None:
            self.erased.add(where)
            self.edited(device, where)

    def went_back(self, told: Iterable[str]) -> None:
        """The server lost also that something was forgotten, but for what it was `told` by then:
        whoever did not hear of it hears no more, unless they bring it there again."""
        self.untold |= self.forgot.keys() - {*told} - tokens(self.world.server.told())

    def said_again(self, found: Iterable[str]) -> None:
        """The person was told of the other side, and keeps these: a new declaration."""
        self.again.update(found)

    def dead(self, token: str) -> bool:
        """Whether it must be nowhere, once somebody forgot it."""
        return token not in self.loose and token not in self.again and self._has_lineage(token)

    def lost_to_others(self, found: Iterable[str], where: Where | None = None) -> None:
        """Somebody who is no device wrote over it or deleted it on the server."""
        self.seen.update(found)
        self.erased.update(self.by[token][1] for token in found if token in self.by)
        if where is not None:
            self.erased.add(where)

    # one cycle

    def begin(self, device: Device) -> None:
        device.stale = Counter()
        device.quota = False
        device.full = set()
        device.over = ""
        device.asked = 0
        device.told = {}

    def request(self, device: Device, request: Request) -> None:
        """Before it leaves."""
        device.asked += 1
        if device.over:
            raise Violation("S16 nothing after the end", device.name, device.over, request)
        match request:
            case WriteItem(scope, collection, step, op):
                self._write(device, request, scope, collection, (step,), op)
            case WriteItems(scope, collection, steps, op):
                self._write(device, request, scope, collection, steps, op)
            case AddFact(scope, fact, op):
                self._facts(device, request, scope, (fact,), op)
            case AddFacts(scope, many, op):
                self._facts(device, request, scope, many, op)
            case DropFact(scope, server_id):
                self._errands(device, scope, (server_id,), request)
            case DropFacts(scope, many):
                self._errands(device, scope, tuple(server_id for server_id, _ in many), request)

    def _errands(
        self, device: Device, scope: Scope, ids: tuple[str, ...], request: Request
    ) -> None:
        for server_id in ids:
            if (scope, server_id) not in device.tables._errands:
                raise Violation("S8 a delete without an errand", device.name, request)

    def _write(
        self,
        device: Device,
        request: WriteItem | WriteItems,
        scope: Scope,
        collection: str,
        steps: tuple[Step, ...],
        op: str,
    ) -> None:
        again = self._op(device, op, request)
        if collection == CANARY:
            return
        flights = [flight for flight in device.tables._flights.values() if flight.op == op]
        owed = len(steps) == 1 and steps[0].delete and collection == "preferences"
        if len(flights) != len(steps) and not owed:
            raise Violation("S8 a write without a flight", device.name, request, flights)
        for step in steps:
            self._of_scope(scope, step.value, request)
            if step.delete:
                continue
            if step.if_match is None and not step.only_new:
                raise Violation("S11 a write without a condition", device.name, request)
            marker = isinstance(step.value, dict) and step.value.get("forgotten") is True
            if device.quota and not marker:
                raise Violation("S15 a write after the account's limit", device.name, request)
            if again:
                continue
            self._counter(device, step.value)
            if step.if_match is None and not marker:
                self._created(device, (scope, collection, step.key), step.value, request)
        blind = isinstance(request, WriteItems) and not device.can.conditional_batch
        if blind and any(step.if_match is not None for step in steps):
            raise Violation("S11 a condition where none is known", device.name, request)

    def _op(self, device: Device, op: str, request: Request) -> bool:
        """Whether it was sent before; another request under one op is a broken promise."""
        held = self._ops.get(op)
        if held is None:
            self._ops[op] = _Sent(request, device.epoch)
            return False
        if held.request != request:
            raise Violation("S8 one op for two requests", op, held.request, request)
        if held.epoch != device.epoch:
            raise Violation("S16 an op for two servers", op, request)
        return True

    def _counter(self, device: Device, value: Json) -> None:
        told = value.get("_lm") if isinstance(value, dict) else None
        vv = told.get("vv") if isinstance(told, dict) else None
        if not isinstance(vv, dict):
            return
        number = vv.get(device.name)
        used = self._counters.setdefault(device.index, set())
        if not isinstance(number, int) or number in used:
            raise Violation("S13 a counter twice", device.name, number)
        used.add(number)

    def _created(self, device: Device, place: Any, value: Json, request: Request) -> None:
        agreed = self._agreed.get((device.index, place))
        if agreed is not None and agreed == (_bare(value), self.epochs):
            raise Violation("S7 a clean record was sent as new", device.name, request)

    def _facts(
        self, device: Device, request: AddFact | AddFacts, scope: Scope, many: Any, op: str
    ) -> None:
        again = self._op(device, op, request)
        if device.quota:
            raise Violation("S15 a write after the account's limit", device.name, request)
        if scope in device.full and not any(fact.replaces for fact in many):
            raise Violation("S15 a fact into a full scope", device.name, request)
        for fact in many:
            self._of_scope(scope, (fact.text, dict(fact.metadata)), request)
            lm = fact.metadata.get("lm", "")
            with device.tables.reading():
                wording = device.tables.wording(lm)
            if wording is None or not wording.sent:
                raise Violation("S8 a fact without a journal", device.name, request, wording)
            if wording.scope != scope:
                raise Violation("S4 a fact in another scope", device.name, request)
            held = self._agreed.get((device.index, lm))
            if tokens(fact.text) & self.loose:
                continue  # the same words of two people, each in their own spelling
            if not again and held == (lm, self.epochs) and lm not in self._doubled:
                raise Violation("S7 a clean fact was sent as new", device.name, request)

    def _of_scope(self, scope: Scope, value: object, request: Request) -> None:
        for token in tokens(value):
            if not of_scope(token, scope):
                raise Violation("S4 a value in another scope", token, request)

    # answers

    def reply(self, device: Device, request: Request, reply: Reply, of: int) -> None:
        """Before the device reads it; `of` are the epochs there had been when it was made."""
        self._of = of
        match reply:
            case Refusal(why=Refused.QUOTA):
                device.quota = True
            case Refusal(why=Refused.SCOPE_FULL):
                device.full.add(getattr(request, "scope", PROJECT))
            case Refusal(why=Refused.SIGNED_OUT | Refused.BUSY):
                device.over = str(reply.why)
            case OtherEpoch():
                device.over = "another epoch"
            case Refusal(why=Refused.REUSED):
                raise Violation("S8 an op was used twice", device.name, request)
            case Results(each=each):
                device.quota |= any(
                    isinstance(one, Refusal) and one.why is Refused.QUOTA for one in each
                )
        if isinstance(request, WriteItem):
            self._wrote_item(device, request, request.step, reply)
        elif isinstance(request, WriteItems) and isinstance(reply, Results):
            for step, one in zip(request.steps, reply.each, strict=True):
                self._wrote_item(device, request, step, one)
        elif isinstance(request, AddFact) and isinstance(reply, Added):
            self._added(device, request.fact, reply)
        elif isinstance(request, AddFacts) and isinstance(reply, Results):
            for fact, one in zip(request.facts, reply.each, strict=True):
                if isinstance(one, Added):
                    self._added(device, fact, one)
        elif isinstance(reply, Changes | Items | Facts):
            for row in reply.rows:
                self._row(device, row)
        elif isinstance(reply, ItemRow):
            self._row(device, reply)

    def _wrote_item(
        self, device: Device, request: WriteItem | WriteItems, step: Step, reply: object
    ) -> None:
        place = (request.scope, request.collection, step.key)
        if isinstance(reply, Done):
            if step.delete:
                self._agreed.pop((device.index, place), None)
            else:
                device.told[place] = _bare(step.value), self._of
        elif isinstance(reply, Refusal) and reply.why is Refused.STALE:
            device.stale[place] += 1
            if device.stale[place] > ROUNDS:
                raise Violation("S17 too many rounds", device.name, place)
        elif isinstance(reply, Absent) and step.delete:
            self._agreed.pop((device.index, place), None)

    def _row(self, device: Device, row: object) -> None:
        if isinstance(row, ItemRow):
            place = (row.scope, row.collection, row.key)
            told = _bare(row.value)
            agreed = self._agreed.get((device.index, place))
            if not self.world.mode.create_cas and agreed is not None and agreed[0] != told:
                # Another's was written over it: what is here is no longer what both have.
                del self._agreed[device.index, place]
            device.told[place] = told, self._of
            self._of_scope_row(row.scope, row.value, (place, row.rev))
        elif isinstance(row, FactRow):
            self._agree_fact(device, row.metadata.get("lm", ""), row.server_id)
            self._of_scope_row(row.scope, row.text, (row.scope, row.server_id))
        elif isinstance(row, GoneFact) and row.why is Removal.DUPLICATE:
            self._doubled.add(row.lm)

    def _of_scope_row(self, scope: Scope, value: object, row: Any) -> None:
        if (self.epochs, row) in self._read:
            return
        self._read.add((self.epochs, row))
        for token in tokens(value):
            if not of_scope(token, scope):
                raise Violation("S4 a value in another scope on the server", token, scope)

    def _added(self, device: Device, fact: NewFact, reply: Added) -> None:
        lm = fact.metadata.get("lm", "")
        if reply.lm in ("", lm):  # else the server knew the words as another fact
            self._agree_fact(device, lm, reply.server_id)

    def _agree_fact(self, device: Device, lm: str, server_id: str) -> None:
        if lm:
            device.told[lm] = server_id, self._of

    def agree(self, device: Device) -> None:
        """The device wrote down what it was told; what it lost with its power it never knew, and
        what it has not come to yet it does not know yet: not before the end, where it compares
        everything.

        Without epochs only a mark tells a server from another one. Where nothing can be made only
        once, one device writes over another's; the person is asked, says that the server is the
        one that is meant, and of what was agreed before nothing counts. Nor does it where two that
        come of nothing common stand against each other: mine is there no more, and is not clean.
        """
        for key, conflict in device.tables._conflicts.items():
            if conflict.base is None:
                self._agreed.pop((device.index, _place(key)), None)
        if device.tables._standing[""].resync:
            if not device.can.epoch:
                self._disagree(device)
            return
        for what, (told, of) in list(device.told.items()):
            fact = isinstance(what, str)
            if knows(device, told) if fact else _written(device, what, told):
                self._agreed[device.index, what] = what if fact else told, of
                del device.told[what]

    def person_kept(self, device: Device) -> None:
        """The person said what is to be sent again, whatever the server had."""
        self._disagree(device)
        device.told = {}

    def _disagree(self, device: Device) -> None:
        for key in [key for key in self._agreed if key[0] == device.index]:
            del self._agreed[key]
        if not self.world.mode.echoes:
            # It sends what it misses again, and nothing says that it was there before.
            for kept in device.library.live():
                if isinstance(kept.body, FactBody):
                    self.loose |= tokens(kept.body.text)

    def taken(self, request: Request, reply: Reply) -> None:
        """What the server took of a write."""
        match request:
            case WriteItem(step=step) if isinstance(reply, Done):
                self.given |= tokens(step.value)
            case WriteItems(steps=steps) if isinstance(reply, Results):
                for step, one in zip(steps, reply.each, strict=True):
                    if isinstance(one, Done):
                        self.given |= tokens(step.value)
            case AddFact(fact=fact) if isinstance(reply, Added):
                self.given |= tokens(fact.text)
            case AddFacts(facts=many) if isinstance(reply, Results):
                for fact, one in zip(many, reply.each, strict=True):
                    if isinstance(one, Added):
                        self.given |= tokens(fact.text)

    # live

    def look(self, device: Device) -> None:
        """What the person sees on one device now, if anything was written there since."""
        library, written = device.library, (device.tables.base.commits, device.skew)
        if self._looked.get(device.index) == written:
            return
        self._looked[device.index] = written
        for kept in library.live():
            held = self._visible.get(kept.version)
            if held is None:
                held = self._visible[kept.version] = frozenset(tokens(kept.body))
                for token in held:
                    if not of_scope(token, kept.scope):
                        raise Violation("S4 a value in another scope", device.name, token, kept)
            if kept.expires_at is not None and kept.key in self.brief:
                self.mortal |= held
            for token in held:
                who = self.forgot.get(token)
                if who is not None and device.index in who and self.dead(token):
                    raise Violation("S2 what was forgotten is here again", device.name, token)
        for key, (gen, _) in library._keys.items():
            if gen < self._gens.get((device.index, key), 0):
                raise Violation("S12 a generation fell", device.name, key, gen)
            self._gens[device.index, key] = gen
        for key, copy in device.tables._copies.items():
            if copy.item not in library._items or key in device.tables._conflicts:
                continue
            if copy.inc and device.tables._gone.get(copy.inc) is Removal.FORGET:
                raise Violation("S13 a dead incarnation lives", device.name, key, copy.inc)
        for key, conflict in device.tables._conflicts.items():
            theirs = None if conflict.theirs is None else conflict.theirs.body
            for token in tokens((conflict.base, conflict.mine, theirs)):
                if not of_scope(token, key.scope):
                    raise Violation("S4 a conflict shows another scope", device.name, token, key)

    # at the end

    def judge(self) -> None:
        """When everything has come to rest."""
        world = self.world
        final = set().union(*(tokens(item.value) for item in world.server.items.values()))
        final |= {token for row in world.server.facts.values() for token in tokens(row.text)}
        open_: set[str] = set()
        for device in world.devices:
            open_ |= world.open_tokens(device)
        for device in world.devices:
            self._at_rest(device)
            self._same(device)
        for token in final & self.forgot.keys():
            if self.dead(token):
                raise Violation("S3 what was forgotten is on the server", token, self.by.get(token))
        for token, (index, where) in self.by.items():
            if token in final or token in self.seen or token in self.forgot or token in open_:
                continue
            if token in self.loose or token in self.mortal:
                continue
            if where in self.brief and not world.mode.create_cas:
                continue
            if not self._has_lineage(token) and not world.mode.conditions:
                continue  # neither the server nor the document tells who wrote over whom
            if where in self.erased and token in self.given:
                continue  # it was in step, and went with what somebody forgot
            raise Violation("S1 an edit was lost", token, world.devices[index].name, where)
        self._traces()

    def _at_rest(self, device: Device) -> None:
        tables = device.tables
        if tables._flights:
            raise Violation("S8 the journal is not empty", device.name, dict(tables._flights))
        if tables._errands:
            raise Violation("S8 errands are left", device.name, dict(tables._errands))
        if tables._pending:
            waiting = [each for each in tables._pending if not self.world.kept_back(device, each)]
            if waiting:
                raise Violation("S8 something still waits", device.name, waiting)

    def _same(self, device: Device) -> None:
        """A device shows what the server has, but for what a person has to decide."""
        there = self.world.server_view()
        here = self.world.device_view(device)
        for place in sorted({*there, *here}, key=str):
            if self.world.undecided(device, place):
                continue
            if place in self.strange:
                continue
            if self.world.jumped and self.mortal & tokens(
                (place, there.get(place), here.get(place))
            ):
                continue  # by a clock that was set back it lives for longer
            if there.get(place) != here.get(place):
                raise Violation(
                    "S5 a device and the server differ", device.name, place,
                    there.get(place), here.get(place),
                )  # fmt: skip

    def _has_lineage(self, token: str) -> bool:
        """Of a document that is no object nobody can tell which incarnation a copy is."""
        where = self.by[token][1] if token in self.by else None
        return not isinstance(where, RecordKey) or where.key != "list"

    def _written_behind(self, token: str) -> bool:
        """Whether a stranger wrote where it stood, without lineage, and the server has no
        tombstones: who was not looking cannot tell that from an edit of it."""
        unsaid = self.world.mode.name != "ext" and token in self.by
        return unsaid and self.by[token][1] in self.strange

    def _traces(self) -> None:
        """S18: nothing that was forgotten is left in any table of a device that is in step."""
        if not self.world.mode.echoes or not self.world.mode.conditions:
            return  # nothing there tells which was made of which, or after which
        for device in self.world.devices:
            if self.world.open_tokens(device):
                continue
            for table, held in device.everything().items():
                for token in tokens(held) & self.forgot.keys():
                    told = token not in self.untold and not self._written_behind(token)
                    if not told and device.index not in self.forgot[token]:
                        continue
                    if self.dead(token):
                        raise Violation(
                            "S18 a trace of what was forgotten", device.name, token, table
                        )


def _place(where: Where) -> Any:
    """Where it is on a server."""
    if isinstance(where, Chain):
        return where
    if where.kind is Kind.PREFERENCE:
        return PROJECT, "preferences", where.key
    return where.scope, where.collection, where.key


def knows(device: Device, server_id: str) -> bool:
    """Whether the device wrote down what the server calls a fact."""
    owed = any(place[1] == server_id for place in device.tables._errands)
    return owed or any(
        wording.server_id == server_id for wording in device.tables._wordings.values()
    )


def _written(device: Device, place: tuple[Scope, str, str], told: Any) -> bool:
    """Whether the device has it for what both sides agreed on."""
    copy = device.tables._copies.get(encoding.record_at(*place))
    base = None if copy is None else copy.base
    return base is not None and _bare(encoding.value(base.body, base.vv)) == told


def _bare(value: Json) -> Any:
    """A value without its lineage, as something that can be compared."""
    if isinstance(value, dict):
        return repr(sorted((name, held) for name, held in value.items() if name != "_lm"))
    return repr(value)
