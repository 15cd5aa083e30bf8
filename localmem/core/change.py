"""How a head moves: a write says which version it was made on, and gets a version or the reason.

Pure: the store commits what this decides. Refuses to overwrite what the writer has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass

from localmem.core import documents
from localmem.core.model import (
    NO_EVIDENCE,
    Actor,
    Change,
    Content,
    DocumentContent,
    Evidence,
    Item,
    Millis,
    Version,
)


@dataclass(frozen=True, slots=True)
class Write:
    """What somebody wants an item to be."""

    change: Change
    content: Content
    expires_at: Millis | None = None
    evidence: Evidence = NO_EVIDENCE
    made_on: int | None = None
    """The version the writer saw; None writes on whatever is current."""
    always: bool = False
    """A version of its own, also where it says what the head already says."""


@dataclass(frozen=True, slots=True)
class Same:
    """The head already says so; nothing is written."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Somebody wrote since `made_on`; nothing is written."""


def apply(
    head: Version | None, write: Write, *, id: str, at: Millis, by: Actor, last_number: int = 0
) -> Version | Same | Moved:
    """The version that `write` makes of `head` (None: the item is new).

    `last_number` is where a forgotten item at the same address stopped counting. A write that is
    late but says what the head already says is Same, not Moved: there is nothing to decide, unless
    each write counts (`always`): then two that say the same must not both have been the one.
    """
    if head is None:
        return _version(write, id, last_number + 1, at, by, None)
    if not write.always and _says(head, write):
        return Same()
    if write.made_on is not None and write.made_on != head.number:
        return Moved()
    return _version(write, id, head.number + 1, at, by, head.number)


def _says(head: Version, write: Write) -> bool:
    return same(head.content, write.content) and head.expires_at == write.expires_at


def same(left: Content, right: Content) -> bool:
    """Whether two contents say the same; JSON's 1 is 1.0, but is not true."""
    if isinstance(left, DocumentContent) and isinstance(right, DocumentContent):
        return documents.same(left.value, right.value)
    return left == right


def _version(
    write: Write, id: str, number: int, at: Millis, by: Actor, base: int | None
) -> Version:
    return Version(
        id=id,
        number=number,
        change=write.change,
        content=write.content,
        by=by,
        at=at,
        expires_at=write.expires_at,
        evidence=write.evidence,
        base=base,
    )


@dataclass(frozen=True, slots=True)
class Saved:
    """Written; `item` is what is kept now."""

    item: Item
    created: bool
    notes: tuple[str, ...] = ()
    """Sentences for the writer: what was masked or dropped on the way in."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Already kept; nothing was written."""

    item: Item
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stale:
    """Not written: the item moved since the writer looked. The interface shows the three."""

    current: Item
    base: Version | None
    """The version the writer saw; None when it is gone."""
    mine: Write


Written = Saved | Unchanged | Stale
