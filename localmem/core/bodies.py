"""What a record says as it travels: preferences with their generation, documents with their inc.

A body has two halves. Its **lineage** (generation, incarnation, end, version vector) names and
counts and holds no content, so it stays when a person forgets; its **content** goes. A body whose
content is gone is a *husk*: it still tells which incarnation or generation it was, and equals
nothing. Identity on the wire is sync.md 2.2; facts travel as wordings (`core/replica.py`), not as
bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from localmem.core import documents
from localmem.core.model import AuthorKind, Json, Millis

VV = Mapping[str, int]
"""Version vector: device name -> the highest send counter of that device it descends from."""

NO_VV: VV = MappingProxyType({})

TTL_TOLERANCE = 60_000
"""Milliseconds by which two ends of one lifetime may differ: a server counts from its own now."""


class Author(NamedTuple):
    kind: AuthorKind
    name: str


YOU = Author(AuthorKind.PERSON, "you")


class Slot(NamedTuple):
    """One half of a preference: what was declared, or what was inferred."""

    value: str | tuple[str, ...]
    at: Millis
    """When it was said, by the clock of whoever wrote it; shown, never compared."""
    by: Author = YOU
    quote: str | None = None
    purchase_id: str | None = None
    source: str | None = None
    ver: str = ""
    """The id of the version it comes from."""

    def says(self) -> tuple[str | tuple[str, ...], str | None, str | None]:
        return (self.value, self.quote, self.purchase_id)


class PreferenceBody(NamedTuple):
    gen: int
    """Grows by one at each forget; of an older generation nothing counts any more."""
    forgotten: bool = False
    """The whole key was forgotten in this generation, and not declared since."""
    declared: Slot | None = None
    inferred: Slot | None = None
    erased: bool = False
    """A husk."""


class DocumentBody(NamedTuple):
    inc: str
    """The incarnation: what is forgotten and kept again has another one."""
    value: Json = None
    expires_at: Millis | None = None
    at: Millis = 0
    by: Author = YOU
    erased: bool = False
    """A husk."""


Body = PreferenceBody | DocumentBody


class Held(NamedTuple):
    """A body with the vector it was sent with."""

    body: Body
    vv: VV


def live(body: Body | None) -> bool:
    """Whether it is there, and not the marker of a forgotten preference."""
    return body is not None and not (isinstance(body, PreferenceBody) and body.forgotten)


def same(left: Body | None, right: Body | None) -> bool:
    """Whether two bodies say the same to a person; a husk says nothing that could be compared."""
    if left is None or right is None:
        return left is right
    if left.erased or right.erased:
        return left is right
    if isinstance(left, PreferenceBody) and isinstance(right, PreferenceBody):
        return (left.gen, left.forgotten, _says(left.declared), _says(left.inferred)) == (
            right.gen,
            right.forgotten,
            _says(right.declared),
            _says(right.inferred),
        )
    if isinstance(left, DocumentBody) and isinstance(right, DocumentBody):
        return (
            left.inc == right.inc
            and same_end(left.expires_at, right.expires_at)
            and documents.same(left.value, right.value)
        )
    return False


def same_end(left: Millis | None, right: Millis | None) -> bool:
    """Whether two lifetimes are one."""
    if left is None or right is None:
        return left is right
    return abs(left - right) <= TTL_TOLERANCE


def _says(slot: Slot | None) -> object:
    return None if slot is None else slot.says()


def husk(body: Body) -> Body:
    """The body without its content."""
    if isinstance(body, PreferenceBody):
        return PreferenceBody(body.gen, body.forgotten, erased=True)
    return DocumentBody(body.inc, expires_at=body.expires_at, erased=True)


def incarnation(body: Body | None) -> str:
    """Of a document; "" for what has none."""
    return body.inc if isinstance(body, DocumentBody) else ""


def generation(body: Body | None) -> int:
    """Of a preference; 0 for what has none."""
    return body.gen if isinstance(body, PreferenceBody) else 0


def le(left: VV, right: VV) -> bool:
    """Whether `right` descends from everything that `left` does."""
    return all(right.get(device, 0) >= counter for device, counter in left.items())


def join(left: VV, right: VV) -> VV:
    """The vector of what descends from both."""
    if not left or not right:
        return left or right
    return {device: max(left.get(device, 0), right.get(device, 0)) for device in {**left, **right}}
