"""The shop assistant's tools: `codespar_memory`, and of `codespar_shop` what needs no shop.

A person's preferences, by their own token alone: see localmem.server.tools. What may be kept, and
whose words count, the engine decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from localmem.core import offers
from localmem.core.change import Saved, Stale, Unchanged, Written
from localmem.core.model import Item, Version
from localmem.engine import Engine
from localmem.server.errors import Refused
from localmem.server.operations.operation import Answer, Later, Tool, ToolHandler
from localmem.wire import shop as wire
from localmem.wire.offers import receive


def memory(engine: Engine, asked: wire.Memory) -> Answer:
    asked.check()
    return _ACTIONS[asked.action](engine, asked)


def _list(engine: Engine, asked: wire.Memory) -> Answer:
    def earlier(item: Item) -> Sequence[Version]:
        return _earlier(engine, item)

    return Answer(wire.memories(engine.preferences.list(), earlier))


def _remember(engine: Engine, asked: wire.Memory) -> Answer:
    done = engine.preferences.remember(
        asked.named(),
        asked.value,
        provenance=asked.held_as,
        evidence=asked.evidence,
    )
    return _written(engine, done)


def _correct(engine: Engine, asked: wire.Memory) -> Answer:
    key = asked.which(engine.preferences.key_of)
    return _written(engine, engine.preferences.correct(key, asked.value, evidence=asked.evidence))


def _forget(engine: Engine, asked: wire.Memory) -> Answer:
    key = asked.which(engine.preferences.key_of)
    return Answer(wire.forgotten(key, engine.preferences.forget(key)), later=(Later.SCRUB,))


def _written(engine: Engine, done: Written) -> Answer:
    """The memory as it is kept now."""
    match done:
        case Saved(item=item) | Unchanged(item=item):
            entry = engine.preferences.entry(item.key)
            shadowed = entry.effective is not None and entry.effective.id != item.id
            shape = wire.memory(item, _earlier(engine, item), shadowed=shadowed)
            return Answer(shape, later=(Later.EMBED,))
        case Stale():  # pragma: no cover
            raise AssertionError("it was made on no version")


def _earlier(engine: Engine, item: Item) -> Sequence[Version]:
    return engine.library.history(item.id)[:-1] if item.head.number > 1 else ()


_ACTIONS: Mapping[str, ToolHandler] = MappingProxyType(
    {"list": _list, "remember": _remember, "correct": _correct, "forget": _forget}
)


def research(engine: Engine, asked: wire.Shop) -> Answer:
    """The offers a shop returned, filtered and ordered by what the person prefers."""
    if asked.action != "research":
        raise Refused(
            "invalid_args",
            "This server is connected to no shop. It takes the action research, with the offers "
            "that a shop returned.",
            details={"field": "action"},
        )
    if asked.offers is None:
        raise Refused(
            "invalid_args",
            "research needs the offers that a shop returned.",
            details={"field": "offers"},
        )
    received = receive(asked.offers)
    entries = engine.preferences.list()
    held = [item for entry in entries for item in (entry.declared, entry.inferred) if item]
    return Answer(wire.research(offers.rank(received.offers, held), received.notes, asked.most))


TOOLS: Mapping[str, Tool] = MappingProxyType(
    {
        tool.name: tool
        for tool in (
            Tool(
                "codespar_memory",
                "The person's own shopping preferences: list, remember, correct, forget. Six keys: "
                "shoe_size, clothing_size, preferred_brands, avoided_brands, preferred_merchants, "
                "dietary_restrictions. A declared value comes from the person's own words alone, "
                "which go along as quote. Needs the person's own token.",
                wire.Memory,
                memory,
                changes=frozenset({"remember", "correct", "forget"}),
            ),
            Tool(
                "codespar_shop",
                "Offers of a shop by the person's preferences: what they declared takes offers "
                "out, what a purchase suggests only orders them. Needs the person's own token.",
                wire.Shop,
                research,
            ),
        )
    }
)
"""By name."""
