"""The account behind a key: whose it is, and how much of it is used."""

from __future__ import annotations

from localmem.core.hosting import Mode
from localmem.core.model import Kind
from localmem.core.records import Slice
from localmem.core.scope import PROJECT
from localmem.engine import Engine
from localmem.server.operations.operation import Answer, Call, Operation
from localmem.wire import memory_api as wire
from localmem.wire.shapes import Shape


def me(engine: Engine, asked: wire.NoInput, call: Call) -> Answer:
    space, key = call.holder.space, call.holder.key
    named: Shape = {"id": space.id, "name": space.name}
    return Answer(
        {
            "project": {**named, "isSubAccount": False},
            "team": dict(named),
            "apiKey": {"id": key.id, "name": key.name},
            "isTestMode": key.mode is Mode.TEST,
        }
    )


def usage(engine: Engine, asked: wire.NoInput, call: Call) -> Answer:
    """Of this month and of what is kept now; a test key's is never counted."""
    held, plan = engine.library.usage(), call.plan
    facts = engine.library.count(Slice(Kind.FACT, PROJECT))
    test = call.holder.key.mode is Mode.TEST
    caps = (
        (call.units_used, plan.units),
        (held.bytes, plan.bytes),
        (held.collections, plan.collections),
        (facts, plan.project_facts or PROJECT.fact_cap),
    )
    units, storage, collections, kept = (_used(used, included) for used, included in caps)
    remaining = None if plan.units is None else max(plan.units - call.units_used, 0)
    return Answer(
        {
            "period": call.month,
            "plan": plan.name,
            "testMode": test,
            "units": {**units, "remaining": remaining},
            "storageBytes": storage,
            "collections": collections,
            "facts": kept,
            "capReached": not test and any(_reached(used, cap) for used, cap in caps),
        }
    )


def _used(used: int, included: int | None) -> Shape:
    return {"used": used, "included": included}


def _reached(used: int, included: int | None) -> bool:
    return included is not None and used >= included


OPERATIONS = (
    Operation(
        "me",
        "GET",
        "/v1/me",
        "Say whose key this is, and in which mode.",
        me,
        answers={200: wire.Me},
        asks=wire.NoInput,
        units=0,
    ),
    Operation(
        "usage",
        "GET",
        "/v1/memory/usage",
        "This month's units, what is stored, and whether a cap is reached.",
        usage,
        answers={200: wire.UsageOut},
        asks=wire.NoInput,
        units=0,
    ),
)
