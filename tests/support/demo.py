"""A library a person could have: what the app is looked at with, and what its tests stand on."""

from __future__ import annotations

from localmem.core.change import Saved
from localmem.core.model import Evidence, Provenance
from localmem.core.scope import PROJECT, Scope, contact, conversation
from localmem.engine import Engine
from tests.support.library import AGENT, BACKEND, FixedClock

ANA, BRUNO, TRIP = contact("ana"), contact("bruno"), conversation("trip-2026")
DAY = 86_400

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
    "Emergency contact is my sister Inês, +351 912 000 000.",
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
    "Pays by invoice, thirty days.",
    "Wants the sizes on the packing list.",
    "Answers e-mail within the hour.",
)
OF_TRIP = (
    "Seven people, two of them children 👨‍👩‍👧‍👦.",
    "Budget is 2,400 € without flights.",
    "They want a kitchen and no stairs.",
)


def fill(engine: Engine, clock: FixedClock | None = None) -> None:
    """About forty memories; with a clock, spread over the weeks before its time."""

    def later(seconds: float) -> None:
        if clock is not None:
            clock.advance(seconds)

    if clock is not None:
        clock.advance(-29 * DAY)
    _documents(engine, later)
    for text in YOURS:
        engine.facts.add(text)
        later(1.3 * DAY)
    _facts_of(engine, ANA, OF_ANA)
    _facts_of(engine, BRUNO, OF_BRUNO)
    later(2 * DAY)
    _facts_of(engine, TRIP, OF_TRIP)
    agent = engine.acting(AGENT)
    agent.facts.add(
        "Asked twice about a return label.",
        scope=ANA,
        metadata={"channel": "chat", "order": "1042"},
    )  # fmt: skip
    parking = engine.facts.add(
        "Parking code for this month is on the fridge.", ttl_seconds=12 * DAY, path="home/parking"
    )
    later(3 * DAY)
    assert isinstance(parking, Saved)
    engine.facts.edit(parking.item.id, text="Parking code for this month is in the blue drawer.")
    _preferences(engine, later)
    later(0.2 * DAY)


def _facts_of(engine: Engine, scope: Scope, texts: tuple[str, ...]) -> None:
    for text in texts:
        engine.facts.add(text, scope=scope)


def _documents(engine: Engine, later: object) -> None:
    engine.documents.create_collection("orders", indexes=["status"])
    engine.documents.create_collection("reservations", default_ttl=90 * DAY)
    backend = engine.acting(BACKEND)
    for number, status in ((1042, "shipped"), (1043, "paid"), (1051, "returned")):
        backend.documents.set(
            "orders",
            f"ORD-{number}",
            {"status": status, "total": 42.5, "items": [{"sku": "SH-42", "n": 1}], "gift": False},
            scope=ANA if number == 1051 else PROJECT,
        )
    backend.documents.set(
        "reservations", "LIS-8812", {"hotel": "Casa do Rio", "nights": 3, "from": "2026-12-18"}
    )


def _preferences(engine: Engine, later: object) -> None:
    agent = engine.acting(AGENT)
    agent.preferences.remember(
        "shoe_size", "41", evidence=Evidence(quote="acho que calço 41")
    )  # fmt: skip
    engine.preferences.correct("shoe_size", "42", evidence=Evidence(quote="eu calço 42"))
    engine.preferences.remember("clothing_size", "M")
    engine.preferences.remember("preferred_brands", ["Asics", "Mizuno", "Patagonia"])
    agent.preferences.remember(
        "preferred_brands", ["Asics"], provenance=Provenance.INFERRED,
        evidence=Evidence(purchase_id="pur_8841"),
    )  # fmt: skip
    agent.preferences.remember(
        "preferred_merchants", ["Cobasi", "Decathlon"], provenance=Provenance.INFERRED,
        evidence=Evidence(purchase_id="pur_9002"),
    )  # fmt: skip
    engine.preferences.remember("dietary_restrictions", ["sem lactose"])
