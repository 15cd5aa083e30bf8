"""Where a memory belongs, and how many facts fit there (memory-api, "Scope").

Every read and write happens in exactly one scope. Refuses ids outside the key alphabet, so that a
scope can stand in a URL, a file and a terminal without quoting.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from localmem.errors import InvalidScope

_ID = re.compile(r"[A-Za-z0-9._:@-]{1,255}")
_FORMS = "Use project, contact:<id> or conversation:<id>."


class ScopeKind(StrEnum):
    PROJECT = "project"
    """What is known in general; the default."""
    CONTACT = "contact"
    """What is known about one person, across every thread with them."""
    CONVERSATION = "conversation"
    """What is known about one thread."""
    PERSON = "person"
    """The owner's own: preferences live here and nowhere else. Never written by hand."""


_FACT_CAPS = {
    ScopeKind.PROJECT: 10_000,
    ScopeKind.CONTACT: 2_000,
    ScopeKind.CONVERSATION: 1_000,
    ScopeKind.PERSON: 0,
}


class Scope(NamedTuple):
    kind: ScopeKind
    id: str = ""
    """The contact's or conversation's id; "" for project and person."""

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}" if self.id else str(self.kind)

    @property
    def fact_cap(self) -> int:
        """How many live facts the scope holds (memory-api, "Scope")."""
        return _FACT_CAPS[self.kind]


PROJECT = Scope(ScopeKind.PROJECT)
PERSON = Scope(ScopeKind.PERSON)


def contact(id: str) -> Scope:
    """Raises InvalidScope."""
    return _named(ScopeKind.CONTACT, id)


def conversation(id: str) -> Scope:
    """Raises InvalidScope."""
    return _named(ScopeKind.CONVERSATION, id)


def parse(text: str) -> Scope:
    """Read `project`, `contact:<id>` or `conversation:<id>`. Raises InvalidScope."""
    if text == ScopeKind.PROJECT:
        return PROJECT
    kind, colon, id = text.partition(":")
    if colon and kind in (ScopeKind.CONTACT, ScopeKind.CONVERSATION):
        return _named(ScopeKind(kind), id)
    raise InvalidScope(f"{text[:80]!r} is not a scope.", hint=_FORMS)


def stored(text: str) -> Scope:
    """Read a scope this program wrote itself, the person's own included. Raises InvalidScope."""
    return PERSON if text == ScopeKind.PERSON else parse(text)


def _named(kind: ScopeKind, id: str) -> Scope:
    if not _ID.fullmatch(id):
        raise InvalidScope(
            f"{id[:80]!r} is not a {kind} id.",
            hint="Ids are 1 to 255 characters of A-Z a-z 0-9 . _ : @ - (no +, no spaces).",
        )
    return Scope(kind, id)
