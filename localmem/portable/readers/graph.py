"""The knowledge graph of the MCP reference memory server, as sentences.

An observation is a memory of its own, with the name of what it is about in front unless it says it
itself; a relation reads as it is stored: from, what, to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from localmem.core.incoming import Incoming, Unreadable
from localmem.core.model import Evidence, FactContent
from localmem.portable.elements import Element
from localmem.portable.records import Origin, millis, small


def read(
    elements: Iterable[Element | Unreadable], origin: Origin, *, unit: str
) -> Iterator[Incoming | Unreadable]:
    for element in elements:
        if isinstance(element, Unreadable):
            yield element
        elif isinstance(element.value, dict) and "relationType" in element.value:
            yield _relation(element.value, element.number, origin, unit)
        elif isinstance(element.value, dict) and isinstance(element.value.get("name"), str):
            yield from _entity(element.value, element.number, origin, unit)
        else:
            yield Unreadable(element.number, "It is neither an entity nor a relation.")


def _entity(
    entity: Mapping[str, Any], number: int, origin: Origin, unit: str
) -> Iterator[Incoming | Unreadable]:
    name, observations = entity["name"], entity.get("observations")
    about = {"entity": name, "entityType": entity.get("entityType")}
    said = [each for each in map(_said, observations if isinstance(observations, list) else ())
            if each]  # fmt: skip
    if not said:
        yield Unreadable(number, f"Nothing was observed of {name[:40]!r}.")
    for text in said:
        named = text if name.casefold() in text.casefold() else f"{name}: {text}"
        yield _fact(named, about, entity, number, origin, unit)


def _said(observation: object) -> str:
    """Older servers keep strings, some newer ones objects with their content."""
    if isinstance(observation, dict):
        observation = observation.get("content")
    return observation.strip() if isinstance(observation, str) else ""


def _relation(
    relation: Mapping[str, Any], number: int, origin: Origin, unit: str
) -> Incoming | Unreadable:
    parts = [relation.get(name) for name in ("from", "relationType", "to")]
    if not all(isinstance(part, str) and part for part in parts):
        return Unreadable(number, "The relation names no two ends.")
    first, kind, second = map(str, parts)
    text = f"{first} {kind.replace('_', ' ')} {second}"
    return _fact(text, {"relation": kind}, relation, number, origin, unit)


def _fact(
    text: str, about: Mapping[str, Any], element: Mapping[str, Any], number: int, origin: Origin,
    unit: str,
) -> Incoming:  # fmt: skip
    written = element.get("createdAt", element.get("timestamp"))
    return Incoming(
        number,
        FactContent(text, small(about, origin.leave_out)),
        written_at=millis(written) if written is not None else None,
        evidence=Evidence(source=origin.source(number, unit=unit)),
        author=origin.author,
    )
