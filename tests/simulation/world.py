"""One schedule: devices, one server, people and bad luck, all of it out of one seed (sync.md 3.2).

A device runs the production cycle, a generator that is sent the answers. Between two of its steps
anything may happen: acts of the person at that device and at others, requests that arrive late or
twice, power cuts at any block of its transactions, a server that refuses, goes back in time or
becomes another one. At the end the world is healed, everybody syncs until nothing moves, and the
oracle judges.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from localmem.core.model import ItemId, Kind, Millis
from localmem.core.replica import (
    Block,
    Pending,
    RecordKey,
    block_place,
    preference_key,
)
from localmem.core.scope import PROJECT, Scope
from sync import cycle as production
from sync import resolving as production_resolving
from sync.messages import (
    Added,
    AddFact,
    Begin,
    Capabilities,
    Done,
    Identify,
    Identity,
    NoReply,
    OtherEpoch,
    Refusal,
    Refused,
    Reply,
    Request,
)
from sync.policy import HOUR, LEFT_OUT
from sync.run import End, Ending, Options
from tests.simulation.acts import DEFINED, DOCUMENTS, SCOPES, Acts
from tests.simulation.oracle import CANARY, Oracle, Violation, knows, tokens
from tests.simulation.replica import MemoryLibrary, MemoryTables, Person
from tests.simulation.rows import Database, PowerCut
from tests.simulation.server import WRITES, Documented, Extended, Server

BEGUN = 1_760_000_000_000
YEAR = 31_536_000_000
SKEWS = (0, 0, 0, -500_000, 800_000, -YEAR, YEAR)
ROUNDS = 16
"""Within so many rounds of all devices everything must be quiet."""
MOST_REQUESTS = 600
"""Of one cycle in a healed world."""
Cycle = Callable[..., Generator[Request | Begin, Reply | None, Ending]]


class Mode(NamedTuple):
    """Which server it is, and what it can do."""

    name: str = "ext"
    create_cas: bool = True
    delete_cas: bool = True
    echoes: bool = True

    @property
    def conditions(self) -> bool:
        return self.create_cas and self.delete_cas


EXT = Mode()
DOCUMENTED = Mode("documented", False, False)


class Weather(NamedTuple):
    """How bad it is; chances of one step unless said otherwise."""

    loss: float = 0.12
    """Of a request: lost on the way, on the way back, or answered with nonsense."""
    crash: float = 0.02
    """At a yield."""
    cut: float = 0.01
    """At the begin and at the end of a block that writes."""
    late: float = 0.06
    """Of a write: it arrives a second time, at some time."""
    busy: float = 0.004
    strangers: float = 0.0
    restores: float = 0.0
    limits: float = 0.02
    expiry: bool = False


@dataclass(eq=False)
class Device:
    index: int
    name: str
    tables: MemoryTables
    library: MemoryLibrary
    person: Person
    skew: Millis = 0
    running: Generator[Request | Begin, Reply | None, Ending] | None = None
    asking: Request | None = None
    ahead: tuple[Request, Reply, int] | None = None
    """What was under way before the cycle asked for it, what came back, and of which epoch."""
    awake: bool = False
    """Whether its cycle computes just now: power cuts hit a sync, acts of a person are whole."""
    identity: Identity | None = None
    left_out: RecordKey | None = None
    allowances: frozenset[str] = frozenset()
    ends: list[Ending] = field(default_factory=list)
    # of the cycle that runs, for the oracle
    stale: Counter[Any] = field(default_factory=Counter)
    quota: bool = False
    full: set[Scope] = field(default_factory=set)
    over: str = ""
    asked: int = 0
    told: dict[Any, tuple[Any, int]] = field(default_factory=dict)
    """What both sides agree on, once the device has written it down."""
    trace: list[str] = field(default_factory=list)

    @property
    def can(self) -> Capabilities:
        assert self.identity is not None
        return self.identity.can

    @property
    def epoch(self) -> str | None:
        return None if self.identity is None else self.identity.epoch

    def shown(self) -> list[str]:
        """The versions that the person sees."""
        return [kept.version for kept in self.library.live()]

    def everything(self) -> dict[str, list[Any]]:
        """All rows of what is remembered and kept, by table."""
        return {
            name.strip("_"): list(held.values())
            for owner in (self.tables, self.library)
            for name, held in vars(owner).items()
            if isinstance(held, dict)
        }


class World:
    def __init__(
        self,
        seed: int,
        mode: Mode = EXT,
        *,
        devices: int = 3,
        steps: int = 140,
        weather: Weather | None = None,
        skew: Millis = 0,
        trace: bool = False,
    ) -> None:
        self.seed, self.mode, self.steps = seed, mode, steps
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.resolving = production_resolving
        self.clock = BEGUN
        self.weather = weather or self._weather()
        self.hasty = random.Random(~seed).random() < 0.5
        """Drawn apart, so that what a seed once showed stays what it shows where it is not."""
        self.tracing = trace
        self.log: list[str] = []
        self.server = self._server()
        self.oracle = Oracle(self)
        self.acts = Acts(self)
        self.late: list[tuple[Request, str | None]] = []
        """With the epoch that each was sent in."""
        self.backup: Any = None
        self.forgotten: set[str] = set()
        """Tokens that were, when that was made."""
        self.jumped = False
        self.over_at = -1
        """So many steps before the end nobody is signed out, or in a queue, any more."""
        self.healed = False
        self.devices = [self._device(index, skew) for index in range(devices)]

    def _weather(self) -> Weather:
        chance = self.chance.random
        ext = self.mode.name == "ext"
        return Weather(
            late=0.06 if ext else 0.08,
            strangers=0.03 if chance() < 0.25 else 0.0,
            restores=0.012 if ext and chance() < 0.4 else 0.0,
            limits=0.02 if chance() < 0.7 else 0.0,
            expiry=chance() < 0.3,
        )

    def _server(self) -> Server:
        def clock() -> Millis:
            return self.clock

        if self.mode.name == "ext":
            return Extended(self.chance, clock)
        return Documented(
            self.chance, clock, create_cas=self.mode.create_cas, delete_cas=self.mode.delete_cas,
            echoes=self.mode.echoes,
        )  # fmt: skip

    def _device(self, index: int, skew: Millis) -> Device:
        name = f"dev{index:05d}"
        base = Database()
        tables = MemoryTables(base, name)
        holder: list[Device] = []

        def clock() -> Millis:
            return self.clock + holder[0].skew

        library = MemoryLibrary(base, tables, index + 1, clock)
        device = Device(index, name, tables, library, Person(library))
        holder.append(device)
        device.skew = self.chance.choice(SKEWS) + skew
        device.person.define(DEFINED)
        base.fault = self._fault(device)
        return device

    def _fault(self, device: Device) -> Callable[[str], None]:
        def fault(where: str) -> None:
            if not device.awake or self.healed:
                return
            if self.chance.random() < self.weather.cut:
                self.counts[f"fault cut {where}"] += 1
                raise PowerCut(where)

        return fault

    def say(self, *words: object) -> None:
        if self.tracing:
            self.log.append(" ".join(str(word) for word in words))

    # one cycle

    def step(self, device: Device) -> bool:
        """One answer for a device; False when its cycle is over."""
        if device.running is None:
            return self._begin(device)
        request = device.asking
        assert request is not None
        if not self.healed and self.chance.random() < self.weather.crash:
            self.crash(device)
            return False
        reply, of = self._reply(device, request)
        self.oracle.reply(device, request, reply, of)
        quiet = isinstance(reply, OtherEpoch | NoReply) or (
            isinstance(request, WRITES) and isinstance(reply, Done)
        )
        before = device.shown() if quiet else None
        going = self._send(device, reply)
        if quiet and device.shown() != before:
            raise Violation("S10 an answer changed what the person sees", request, reply)
        return going

    def _reply(self, device: Device, request: Request) -> tuple[Reply, int]:
        """What came back, and of which epoch it is."""
        ahead = device.ahead
        if ahead is not None and ahead[0] == request:
            device.ahead = None
            return ahead[1:]
        self.oracle.request(device, request)
        reply, of = self._net(device, request), self.oracle.epochs
        self.say(device.name, request, "->", reply)
        return reply, of

    def _hurry(self, device: Device, begun: Begin) -> None:
        """It may be under way at once, or leave when it is asked for."""
        if device.tables.base.depth:
            raise Violation("S8 a request inside a transaction", begun)
        if self.hasty and self.chance.random() < 0.7:
            self.counts["ahead " + type(begun.request).__name__] += 1
            device.ahead = begun.request, *self._reply(device, begun.request)

    def _begin(self, device: Device) -> bool:
        self.oracle.begin(device)
        identity = self._net(device, Identify())
        if not isinstance(identity, Identity):
            self.counts["cycle not begun"] += 1
            return False
        device.identity = identity
        options = Options(allowances=device.allowances)
        device.running = production.cycle(device.tables, device.library, identity, options)
        self.say(device.name, "begins", identity.epoch)
        return self._send(device, None)

    def _send(self, device: Device, reply: Any) -> bool:
        assert device.running is not None
        device.awake = True
        commits = device.tables.base.commits
        try:
            asked = device.running.send(reply)
            while isinstance(asked, Begin):
                self._hurry(device, asked)
                asked = device.running.send(None)
            device.asking = asked
        except StopIteration as end:
            device.running = device.asking = device.ahead = None
            self._ended(device, end.value)
            return False
        except PowerCut:
            if isinstance(reply, Added) and not (
                self.mode.echoes or knows(device, reply.server_id)
            ):
                self.oracle.loose |= _facts_of(device.asking)  # its answer was lost after all
            self._dead(device)
            return False
        finally:
            device.awake = False
            if device.tables.base.commits > commits:
                self.oracle.agree(device)
        if device.tables.base.depth:
            raise Violation("S8 a request inside a transaction", device.asking)
        return True

    def _ended(self, device: Device, ending: Ending) -> None:
        self.counts[f"end {ending.end}"] += 1
        self.say(device.name, "ended", ending)
        device.ends = [ending]
        if ending.end is End.BRAKE and ending.braked is not None:
            self.counts[f"brake {ending.braked.brake}"] += 1
            device.allowances |= {ending.braked.allowance}

    def crash(self, device: Device) -> None:
        self.counts["fault crash"] += 1
        self._dead(device)

    def _dead(self, device: Device) -> None:
        """The process is gone: nothing it might still do at its end is done."""
        self.say(device.name, "dies")
        base, running = device.tables.base, device.running
        if device.ahead is not None and not self.mode.echoes:
            self.oracle.loose |= _facts_of(device.ahead[0])  # its answer was lost after all
        device.running = device.asking = device.ahead = None
        base.off = True
        try:
            if running is not None:
                running.close()
        except PowerCut:
            pass
        finally:
            base.off = False
        assert base.depth == 0

    # the network

    def _net(self, device: Device, request: Request) -> Reply:
        self.counts["request " + type(request).__name__] += 1
        chance, weather = self.chance.random, self.weather
        loss = 0.0 if self.healed else weather.loss
        draw = chance() if loss else 1.0
        if draw < loss * 0.4:
            self.counts["fault request lost"] += 1
            return NoReply("offline", "It is not there.", reached=chance() < 0.5)
        reply = self.deliver(request, device.epoch)
        if isinstance(request, WRITES) and loss and chance() < weather.late:
            self._repeat(request, device.epoch)
        if draw < loss and not self.mode.echoes:
            self.oracle.loose |= _facts_of(request)
        if draw < loss * 0.9:
            self.counts["fault reply lost"] += 1
            return NoReply("timeout", "It did not answer in time.")
        if draw < loss:
            self.counts["fault reply broken"] += 1
            return NoReply("broken_reply", "What it answered is not whole.")
        if loss and chance() < weather.busy:
            self.counts["reply Refusal busy"] += 1
            if not self.mode.echoes:
                self.oracle.loose |= _facts_of(request)  # it says later, and has done it
            return Refusal(Refused.BUSY, "rate_limited", "Later.", 3.0)
        name = f" {reply.why}" if isinstance(reply, Refusal) else ""
        self.counts[f"reply {type(reply).__name__}{name}"] += 1
        return self._shifted(device, reply)

    def _repeat(self, request: Request, epoch: str | None) -> None:
        """It will arrive once more, some time."""
        if not self.mode.create_cas and getattr(request, "collection", "") == CANARY:
            return  # nothing could tell the mark's first writing, come late, from a restore
        self.late.append((request, epoch))
        self.counts["fault late"] += 1
        if not self.mode.echoes:
            self.oracle.loose |= _facts_of(request)

    def deliver(self, request: Request, epoch: str | None) -> Reply:
        """What was sent in another epoch names that, and nothing is done of it."""
        if not isinstance(request, Identify) and epoch != self.server.epoch:
            return OtherEpoch(str(self.server.epoch))
        reply = self.server.handle(request)
        if isinstance(request, WRITES):
            self.oracle.taken(request, reply)
        return reply

    def _shifted(self, device: Device, reply: Reply) -> Reply:
        """Moments of the server in the device's time, as the transport tells them."""
        rows = getattr(reply, "rows", None)
        if not device.skew:
            return reply
        if rows:
            return reply._replace(rows=tuple(_moved(row, device.skew) for row in rows))  # type: ignore[union-attr, call-arg]
        return _moved(reply, device.skew)  # type: ignore[no-any-return]

    # what happens

    def run(self) -> Counter[str]:
        """The whole schedule. Raises Violation."""
        self._first_content()
        while self.steps:
            self.steps -= 1
            if self.steps == self.over_at:
                self.server.limits.signed_out, self.server.limits.busy = False, None
            self._happen()
        self.heal()
        self.settle()
        self.oracle.judge()
        return self.counts

    def _first_content(self) -> None:
        """Devices that had a life before they ever met a server."""
        for device in self.devices:
            if self.chance.random() < 0.3:
                for _ in range(self.chance.randrange(6)):
                    self.acts.act(device)

    def _happen(self) -> None:
        chance = self.chance
        self.clock += chance.randint(1_000, 30_000)
        device = chance.choice(self.devices)
        draw = chance.random()
        weather = self.weather
        if draw < 0.22:
            self.acts.act(device)
        elif draw < 0.26:
            self._arrive_late()
        elif draw < 0.26 + weather.limits:
            self._limit()
        elif draw < 0.28 + weather.restores:
            self._go_back()
        elif draw < 0.292 + weather.strangers:
            if weather.strangers:
                self.acts.stranger()
        elif draw < 0.33 and weather.expiry:
            self._expire(device)
        else:
            for _ in range(chance.randint(1, 6)):
                self.step(device)
        self.oracle.look(device)

    def _arrive_late(self) -> None:
        if self.late:
            request, epoch = self.late.pop(self.chance.randrange(len(self.late)))
            self.counts["fault arrived late"] += 1
            self.say("late", request, "->", self.deliver(request, epoch))

    def _limit(self) -> None:
        limits, chance = self.server.limits, self.chance
        what = chance.randrange(5)
        if what == 0:
            limits.quota = not limits.quota
            self.counts["limit account"] += 1
        elif what == 1:
            limits.full ^= {chance.choice(SCOPES)}
            self.counts["limit scope"] += 1
        elif what == 2:
            limits.signed_out, self.over_at = True, self.steps - 6
            self.counts["limit signed out"] += 1
        elif what == 3:
            limits.busy, self.over_at = 3.0, self.steps - 6
            self.counts["limit busy"] += 1
        else:
            place = chance.choice(DOCUMENTS)
            limits.too_large ^= {(place.scope, place.collection, place.key)}
            self.counts["limit too large"] += 1

    def _go_back(self) -> None:
        server, chance = self.server, self.chance
        if not isinstance(server, Extended):
            return
        draw = chance.random()
        if draw < 0.5 or (self.backup is None and draw < 0.85):
            self.backup, self.forgotten = server.snapshot(), {*self.oracle.forgot}
            self.counts["backup"] += 1
        elif draw < 0.85:
            server.restore(self.backup)
            self.backup = None
            self.oracle.epochs += 1
            self.oracle.went_back(self.forgotten)
            self.counts["restore"] += 1
            self.say("restore")
        elif draw < 0.93:
            server.wipe()
            self.oracle.epochs += 1
            self.oracle.went_back(())
            self.counts["wipe"] += 1
            self.say("wipe")
        else:
            server.forget_tombstones()
            self.counts["tombstones dropped"] += 1
            self.say("tombstones dropped")

    def _expire(self, device: Device) -> None:
        draw = self.chance.random()
        if draw < 0.4:
            self.clock += self.chance.choice((60_000, 300_000, 900_000))
            self.counts["time passes"] += 1
        elif draw < 0.7:
            self.counts["expired here"] += device.person.purge()
        elif draw < 0.9:
            self.counts["expired there"] += self.server.purge()
        else:
            device.skew = self.chance.choice(SKEWS)
            self.jumped = True
            self.counts["clock jumps"] += 1

    # what the person at a device looks after

    def conflicts(self, device: Device) -> list[tuple[RecordKey | None, ItemId | None]]:
        records: list[tuple[RecordKey | None, ItemId | None]] = [
            (key, None) for key in sorted(device.tables._conflicts)
        ]
        return records + [(None, item) for item in sorted(device.tables._fact_conflicts)]

    def leave_out(self, device: Device, key: RecordKey) -> None:
        device.left_out = key
        with device.tables.writing():
            device.tables.put_block(
                block_place(Pending(key, None)), Block(LEFT_OUT, "Left out by you.")
            )

    def let_in(self, device: Device) -> None:
        assert device.left_out is not None
        with device.tables.writing():
            device.tables.drop_block(block_place(Pending(device.left_out, None)))
        device.left_out = None

    def kept_back(self, device: Device, pending: Pending) -> bool:
        """Whether something rightly waits: it ends before it is worth sending."""
        if pending.key is None:
            fact = device.library._items.get(pending.item)
            return fact is not None and fact.expires_at is not None
        kept = device.library._items.get(device.library._places.get((pending.key, None)))
        return kept is not None and kept.expires_at is not None

    # the end

    def heal(self) -> None:
        server = self.server
        quota = self.chance.random() < 0.25
        for device in self.devices:
            if device.running is not None:
                self._dead(device)
        self.healed = True
        server.limits.signed_out, server.limits.busy = False, None
        server.limits.too_large.clear()
        server.limits.full.clear()
        self._late_ones()
        server.limits.quota = quota
        if quota:
            self._forgets_go_on()
        server.limits.quota = False
        self.clock += 3_600_000 * 2
        for device in self.devices:
            if device.left_out is not None:
                self.let_in(device)
            self._unblock(device)
        self._end_of_time()

    def _late_ones(self) -> None:
        for request, epoch in self.late:
            self.say("late", request, "->", self.deliver(request, epoch))
        self.late = []

    def _end_of_time(self) -> None:
        """Whatever has an end is over everywhere."""
        self.clock += 3_600_000
        self.server.purge()
        for device in self.devices:
            device.person.purge()

    def _unblock(self, device: Device) -> None:
        """The person asks for everything that was refused once more."""
        with device.tables.writing():
            for place, _ in device.tables.blocks():
                device.tables.drop_block(place)

    def _forgets_go_on(self) -> None:
        """S15: the account takes no writes, and yet what was forgotten goes. What is over goes by
        itself, and nobody is told of it."""
        self.counts["settled without quota"] += 1
        self._rounds(most=6, quiet=False)
        for token in tokens(self.server.told()) & self.oracle.forgot.keys():
            if self.oracle.dead(token) and not self._undecided_token(token):
                raise Violation("S15 a forget waits for the account's limit", token)

    def _undecided_token(self, token: str) -> bool:
        return any(token in self.open_tokens(device) for device in self.devices) or any(
            device.left_out is not None for device in self.devices
        )

    def settle(self) -> None:
        """An hour between two rounds: so long nothing is sent to an account that was full."""
        self._rounds(most=ROUNDS, quiet=True)

    def _rounds(self, *, most: int, quiet: bool) -> None:
        still = 0
        for _ in range(most):
            before = self.server.changes
            self.clock += HOUR if quiet else 0
            for device in self.devices:
                self.whole_cycle(device)
                self.oracle.look(device)
            still = still + 1 if self.server.changes == before else 0
            if still == 2:
                return
        if quiet:
            raise Violation("S6 it never comes to rest")

    def whole_cycle(self, device: Device) -> None:
        for _ in range(8):
            device.ends = []
            going = self._begin(device)
            for _ in range(MOST_REQUESTS):
                if not going:
                    break
                going = self.step(device)
            else:
                raise Violation("S6 a cycle does not end", device.name)
            if device.ends and device.ends[0].end is End.DONE:
                return
        raise Violation("S6 a cycle is never done", device.name, device.ends)

    # what is to be seen where

    def open_tokens(self, device: Device) -> set[str]:
        """Of what a person has to decide: both sides."""
        found: set[str] = set()
        for key, conflict in device.tables._conflicts.items():
            theirs = None if conflict.theirs is None else conflict.theirs.body
            found |= tokens(theirs)
            if key.kind is Kind.PREFERENCE:
                with device.tables.reading():
                    held = device.library.preference(key.key)
                found |= tokens((held.declared, held.inferred))
                continue
            with device.tables.reading():
                document = device.library.document(key.scope, key.collection, key.key)
            found |= set() if document is None else tokens(document.body.value)
        for item in device.tables._fact_conflicts:
            kept = device.library._items.get(item)
            found |= set() if kept is None else tokens(kept.body)
        return found

    def undecided(self, device: Device, place: Any) -> bool:
        return place in device.tables._conflicts

    def server_view(self) -> dict[Any, Any]:
        """Tokens by place; facts by their words.

        Without a feed nobody is told which scopes there are: what others keep in one that no device
        has anything in is asked for by none.
        """
        view: dict[Any, Any] = {}
        unknown = self._unknown_scopes()
        for (scope, collection, name), item in self.server.items.items():
            if collection == CANARY or scope in unknown:
                continue
            found = frozenset(tokens(item.value))
            if collection == "preferences":
                key = preference_key(name)
                if found:
                    view[key] = found
                continue
            view[RecordKey(Kind.DOCUMENT, scope, collection, name)] = found
        for (scope, _), row in self.server.facts.items():
            if scope in unknown:
                continue
            view[str(scope), frozenset(tokens(row.text))] = True
        return view

    def _unknown_scopes(self) -> set[Scope]:
        known: set[Scope] = set()
        for device in self.devices:
            with device.tables.reading():
                known.update(device.tables.scopes())
        return set() if self.server.can.changes else {*SCOPES} - {PROJECT} - known

    def device_view(self, device: Device) -> dict[Any, Any]:
        view: dict[Any, Any] = {}
        conflicts = device.tables._fact_conflicts
        for kept in device.library.live():
            found = frozenset(tokens(kept.body))
            if kept.kind is Kind.FACT:
                if kept.item not in conflicts:
                    view[str(kept.scope), found] = True
            elif kept.key is not None:
                view[kept.key] = view.get(kept.key, frozenset()) | found
        return view


def _facts_of(request: Request | None) -> set[str]:
    """Tokens of facts that a server without metadata may have and nobody can tell again."""
    return tokens(request.fact.text) if isinstance(request, AddFact) else set()


def _moved(row: Any, by: Millis) -> Any:
    """A row with its moments in another clock's time; not when it was made, which is part of a
    name."""
    changes = {
        name: held + by
        for name in ("expires_at", "updated_at")
        if isinstance(held := getattr(row, name, None), int) and held
    }
    return row._replace(**changes) if changes else row
