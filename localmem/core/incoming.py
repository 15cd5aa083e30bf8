"""What a file offers to be kept, before any rule has looked at it: from reader to engine.

Readers (localmem.portable) make them and judge nothing but the shape of the file; the engine holds
each against the same rules as anything that is typed, and answers line by line.
"""

from __future__ import annotations

from dataclasses import dataclass

from localmem.core.model import NO_EVIDENCE, Content, Evidence, Kind, Millis, Provenance
from localmem.core.scope import Scope


@dataclass(frozen=True, slots=True)
class Incoming:
    """One memory as a file of another program, or a plain list, says it."""

    line: int
    """The line it stands on, from 1; the element's number where a file has no lines."""
    content: Content
    """As read: limits, control characters and secrets are the engine's business."""
    kind: Kind = Kind.FACT
    scope: Scope | None = None
    """None takes the scope the person chose for the whole import."""
    collection: str = ""
    key: str = ""
    provenance: Provenance | None = None
    written_at: Millis | None = None
    """When the file says it was written; None: now."""
    expires_at: Millis | None = None
    evidence: Evidence = NO_EVIDENCE
    """The words it came from and where they stand, as far as the file has them."""
    author: str = ""
    """The assistant that wrote it, which then waits in the inbox; "" is the person."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that offers nothing, and why."""

    line: int
    why: str
    """A sentence; quotes at most a few characters of the line."""
