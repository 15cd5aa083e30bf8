"""The library of `localmem demo`: a month of a made-up person, written as it would have been.

Every memory is written through the engine by whoever would write it, at its own time, so that
history, activity, inbox and expiry show what they show in a real library. Refuses to know where
it is kept: a surface hands in the engine, and the demo's own is in memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING, Protocol

from localmem.core import query
from localmem.core.change import Saved
from localmem.core.model import (
    NO_EVIDENCE,
    Actor,
    AuthorKind,
    Evidence,
    ItemId,
    Json,
    Millis,
    Origin,
    Provenance,
)
from localmem.core.scope import PROJECT, Scope, contact, conversation
from localmem.engine import Engine

if TYPE_CHECKING:
    from localmem.core.ports import Clock

SHOP = Actor(AuthorKind.AGENT, "shop-agent", Origin.MCP)
HELPDESK = Actor(AuthorKind.AGENT, "helpdesk", Origin.MCP)
ORDERS = Actor(AuthorKind.BACKEND, "orders", Origin.HTTP)
YOU = Actor(AuthorKind.PERSON, "you", Origin.TUI)
YOU_BY_COMMAND = Actor(AuthorKind.PERSON, "you", Origin.CLI)

ANA, BRUNO, TRIP = contact("ana"), contact("bruno"), conversation("lisbon-trip")
_HOUR, _DAY = 3_600_000, 86_400_000


class Rewound:
    """A clock that runs `back` milliseconds behind another one: 0 once the sample is written."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.back = 0

    def __call__(self) -> Millis:
        return self._clock() - self.back


@dataclass(slots=True)
class Cast:
    """What the steps share while they are written."""

    engine: Engine
    now: Millis
    """When the sample is opened; every step lies before it."""
    zone: tzinfo
    kept: dict[str, ItemId] = field(default_factory=dict)
    """Facts by the words they were first kept with."""

    def by(self, actor: Actor) -> Engine:
        return self.engine.acting(actor)

    def day(self, days: int) -> date:
        """The person's own day, `days` from now; negative lies before."""
        today = datetime.fromtimestamp(self.now / 1000, UTC).astimezone(self.zone).date()
        return today + timedelta(days=days)


@dataclass(frozen=True, slots=True)
class Ago:
    """A moment before now: an hour of the person's own day, or minutes."""

    days: int
    clock: str = ""
    """`18:02`; "" counts back from now."""
    minutes: int = 0

    def at(self, cast: Cast) -> Millis:
        if not self.clock:
            return cast.now - self.days * _DAY - self.minutes * 60_000
        hour, minute = map(int, self.clock.split(":"))
        moment = datetime.combine(cast.day(-self.days), time(hour, minute), cast.zone)
        return int(moment.timestamp() * 1000)


class Step(Protocol):
    """One thing somebody did."""

    @property
    def when(self) -> Ago: ...
    def do(self, cast: Cast) -> None: ...


@dataclass(frozen=True, slots=True)
class Kept:
    """A fact."""

    when: Ago
    text: str
    scope: Scope = PROJECT
    by: Actor = YOU
    evidence: Evidence = NO_EVIDENCE
    hours_left: int = 0
    """From now until it expires; 0 keeps it."""
    path: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)

    def do(self, cast: Cast) -> None:
        at = self.when.at(cast)
        left = (cast.now + self.hours_left * _HOUR - at) // 1000 if self.hours_left else None
        saved = cast.by(self.by).facts.add(
            self.text, scope=self.scope, metadata=self.metadata, path=self.path, ttl_seconds=left,
            evidence=self.evidence,
        )  # fmt: skip
        assert isinstance(saved, Saved), self.text
        cast.kept[self.text] = saved.item.id


@dataclass(frozen=True, slots=True)
class Changed:
    """A fact that says something else from then on."""

    when: Ago
    first: str
    """The words it was first kept with."""
    text: str
    by: Actor = YOU
    evidence: Evidence = NO_EVIDENCE

    def do(self, cast: Cast) -> None:
        cast.by(self.by).facts.edit(
            cast.kept[self.first], text=self.text, evidence=self.evidence
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Restored:
    when: Ago
    first: str
    number: int

    def do(self, cast: Cast) -> None:
        cast.by(YOU).versions.restore(cast.kept[self.first], self.number)


@dataclass(frozen=True, slots=True)
class Preferred:
    """A preference; inferred when it names a purchase."""

    when: Ago
    key: str
    value: str | list[str]
    by: Actor = YOU
    evidence: Evidence = NO_EVIDENCE

    def do(self, cast: Cast) -> None:
        bought = self.evidence.purchase_id is not None
        cast.by(self.by).preferences.remember(
            self.key,
            self.value,
            provenance=Provenance.INFERRED if bought else Provenance.DECLARED,
            evidence=self.evidence,
        )


@dataclass(frozen=True, slots=True)
class Filed:
    """A document as it is from then on; the members named in `more` are added to it."""

    when: Ago
    collection: str
    key: str
    more: Mapping[str, Json]
    scope: Scope = PROJECT
    by: Actor = ORDERS
    days_until: int = 0
    """Sets `from` to the day that many days from now; 0 sets none."""

    def do(self, cast: Cast) -> None:
        documents = cast.by(self.by).documents
        held = documents.find(self.collection, self.key, scope=self.scope)
        value = dict(getattr(held.head.content, "value", {})) if held is not None else {}
        value.update(self.more)
        if self.days_until:
            value["from"] = cast.day(self.days_until).isoformat()
        documents.set(self.collection, self.key, value, scope=self.scope)


@dataclass(frozen=True, slots=True)
class Defined:
    """A collection."""

    when: Ago
    name: str
    indexes: tuple[str, ...] = ()
    default_ttl: int | None = None

    def do(self, cast: Cast) -> None:
        cast.by(YOU).documents.create_collection(
            self.name, indexes=self.indexes, default_ttl=self.default_ttl
        )


@dataclass(frozen=True, slots=True)
class Recalled:
    """An agent looked something up."""

    when: Ago
    words: str
    by: Actor
    scope: Scope = PROJECT

    def do(self, cast: Cast) -> None:
        asked = query.Query(text=self.words, meaning=self.words, scopes=(self.scope,))
        cast.by(self.by).recall.search(asked, limit=3)


def _order(days: int, clock: str, number: int, scope: Scope = PROJECT, **more: Json) -> Filed:
    return Filed(Ago(days, clock), "orders", f"ORD-{number}", more, scope)


YOURS = (
    "Orders before 2pm ship the same day.",
    "The office in Lisbon is closed on local holidays.",
    "I take the train rather than fly when it is under six hours.",
    "My passport is valid until March 2031.",
    "Prefer tests that can fail over tests that cannot.",
    "The wifi at the cottage only reaches the kitchen.",
    "Vegetarian at home, fish is fine in restaurants.",
    "Allergic to penicillin.",
    "The boiler is serviced every October by Martins & Filhos.",
    "Meetings before ten are a bad idea.",
    "Use metric units and 24-hour times.",
    "The landlord wants a photo of every repair.",
    "Reading glasses are +1.5, driving needs none.",
    "The car takes unleaded 95 and the tyres are 205/55 R16.",
    "Birthday of the twins: 14 July.",
    "お茶は緑茶が好きです。コーヒーは午前中だけ。",
    "Gosto de receber recados por escrito, não por telefone.",
    "Mein Fahrrad hat einen 56er Rahmen und 28-Zoll-Räder.",
    "In an emergency ring my sister Inês, +351 912 000 000.",
)
OF_ANA = (
    "Prefers WhatsApp over email.",
    "Calls only before 10 in the morning.",
    "The newsletter goes to the work address.",
    "Speaks Portuguese and French, understands German.",
    "Lives on the fourth floor; the lift is slow, so allow ten minutes.",
    "Her dog is called Café 🐕 and barks at bicycles.",
)
OF_BRUNO = (
    "Pays by invoice, fourteen days.",
    "Wants the sizes on the packing list.",
    "Answers e-mail within the hour.",
)
OF_TRIP = (
    "Seven people, two of them children 👨‍👩‍👧‍👦.",
    "Budget is 2,400 € without flights.",
    "They want a kitchen and no stairs.",
)
_HOURS = ("08:05", "12:41", "18:02", "19:26", "21:10")
PARKING = "Parking code for this month is on the fridge."
DRAWER = "Parking code for this month is in the blue drawer."
THIRTY_DAYS = "Pays by invoice, thirty days."


def _facts() -> list[Step]:
    """The person's own, one or two a day, and those of their contacts."""
    yours = [
        Kept(Ago(30 - number, _HOURS[number % 5]), text,
             by=YOU_BY_COMMAND if number % 4 == 1 else YOU)
        for number, text in enumerate(YOURS)
    ]  # fmt: skip
    ana = [Kept(Ago(11, f"09:{14 + 3 * n:02}"), text, ANA) for n, text in enumerate(OF_ANA)]
    bruno = [Kept(Ago(10, f"15:{20 + n:02}"), text, BRUNO) for n, text in enumerate(OF_BRUNO)]
    trip = [Kept(Ago(8, f"20:{31 + n:02}"), text, TRIP) for n, text in enumerate(OF_TRIP)]
    return [*yours, *ana, *bruno, *trip]


def _of_agents() -> list[Step]:
    """What agents wrote or looked up: it waits in the inbox with the words it came from."""
    return [
        Kept(Ago(7, "10:12"), "Wants to be told before a parcel is left with a neighbour.", ANA,
             HELPDESK, Evidence(
                 quote="Next time please tell me before you leave it next door.",
                 source="chat of order 1051")),
        Kept(Ago(7, "16:48"), "Prefere pagar com MB Way.", BRUNO, HELPDESK, Evidence(
            quote="se der, pago por MB Way", source="e-mail of Bruno")),
        Changed(Ago(6, "11:30"), OF_BRUNO[0], THIRTY_DAYS, HELPDESK, Evidence(
            quote="Our terms are thirty days now.", source="e-mail of Bruno")),
        Kept(Ago(6, "14:05"), "Asked twice about a return label.", ANA, SHOP, Evidence(
            quote="Could you send me the label again?", source="chat of order 1042"),
            metadata={"channel": "chat", "order": "1042"}),
        Recalled(Ago(9, "10:02"), "contacted whatsapp email", HELPDESK, ANA),
        Recalled(Ago(5, "17:30"), "newsletter address", SHOP, ANA),
        Recalled(Ago(1, "11:46"), "ship orders same day", SHOP),
        Recalled(Ago(0, minutes=150), "sizes packing list", HELPDESK, BRUNO),
    ]  # fmt: skip


def _with_histories() -> list[Step]:
    """What was changed, is about to expire, or came back."""
    return [
        Changed(Ago(16, "18:20"), YOURS[5], "The wifi at the cottage reaches the garden now."),
        Restored(Ago(15, "21:44"), YOURS[5], 1),
        Kept(Ago(5, "08:32"), "The parcel locker opens with the code in the shop's app.",
             hours_left=20),
        Kept(Ago(5, "08:40"), PARKING, hours_left=9 * 24 + 1, path="home/parking"),
        Changed(Ago(2, "08:15"), PARKING, DRAWER),
    ]  # fmt: skip


def _documents() -> list[Step]:
    line: list[Json] = [{"sku": "SH-42", "n": 1}]
    return [
        Defined(Ago(30, "07:30"), "orders", ("status",)),
        Defined(Ago(30, "07:31"), "reservations", default_ttl=90 * 86_400),
        _order(20, "09:31", 1042, status="paid", total=42.5, items=line, gift=False),
        _order(19, "07:02", 1042, status="packed"),
        Filed(Ago(18, "13:11"), "orders", "ORD-1042", {"note": "leave with the porter"},
              by=HELPDESK),
        _order(18, "17:40", 1042, status="shipped"),
        Filed(Ago(17, "08:55"), "orders", "ORD-1042", {"gift": True}, by=YOU),
        _order(13, "12:08", 1043, status="paid", total=118.0, items=line, gift=False),
        _order(12, "16:27", 1051, ANA, status="returned", total=42.5, items=line, gift=False),
        Filed(Ago(9, "21:15"), "reservations", "LIS-8812",
              {"hotel": "Casa do Rio", "nights": 3}, days_until=18),
    ]  # fmt: skip


def _preferences() -> list[Step]:
    return [
        Preferred(Ago(4, "19:12"), "shoe_size", "41", SHOP, Evidence(quote="acho que calço 41")),
        Preferred(Ago(3, "20:31"), "clothing_size", "M"),
        Preferred(Ago(2, "20:05"), "preferred_brands", ["Asics", "Mizuno", "Patagonia"]),
        Preferred(Ago(2, "20:08"), "shoe_size", "42", YOU, Evidence(quote="eu calço 42")),
        Preferred(Ago(1, "11:47"), "preferred_brands", ["Asics"], SHOP,
                  Evidence(purchase_id="pur_8841")),
        Preferred(Ago(1, "16:20"), "preferred_merchants", ["Cobasi", "Decathlon"], SHOP,
                  Evidence(purchase_id="pur_9002")),
        Preferred(Ago(0, minutes=95), "dietary_restrictions", ["sem lactose"]),
    ]  # fmt: skip


def fill(engine: Engine, clock: Rewound, zone: tzinfo) -> None:
    """Write the sample in the order it happened; afterwards the clock tells the time again."""
    cast = Cast(engine, clock(), zone)
    steps = [*_documents(), *_facts(), *_of_agents(), *_with_histories(), *_preferences()]
    try:
        for step in sorted(steps, key=lambda step: step.when.at(cast)):
            clock.back = cast.now - step.when.at(cast)
            step.do(cast)
    finally:
        clock.back = 0
