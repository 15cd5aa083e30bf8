"""Who may use a server and for what: spaces, keys, people, and the text of their credentials.

A space is what the hosted API calls a project: one library for live keys and one for test keys,
each a file of its own (design section 8). Refuses to keep a credential: of each there is a public
prefix, to name it by, and a digest, to know it by (protocols 1.1, 3.3, 5.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from localmem.core.model import ItemId, Millis
from localmem.core.scope import Scope
from localmem.errors import InvalidInput

MAX_NAME = 80
SECRET_LETTERS = 32
"""Of 62 letters and digits: 190 bits, so that a fast digest is enough."""
PREFIX_LETTERS = 8
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
TEST_DAYS = 30
"""A test partition is gone so long after it was made (memory-api, "Test mode and billing")."""


class Mode(StrEnum):
    LIVE = "live"
    TEST = "test"
    """A partition no live key sees, which is never counted and removes itself."""


class KeyKind(StrEnum):
    """What holds the key; decides who its writes are by."""

    PROJECT = "project"
    BACKEND = "backend"
    AGENT = "agent"
    """Whatever it writes an agent wrote, whatever it says of itself."""
    SHOP = "shop"
    """For the shop vendor's SDK; reaches no memory and no person."""


class Right(StrEnum):
    READ = "memory:read"
    WRITE = "memory:write"
    DELETE = "memory:delete"


EVERY_RIGHT = tuple(Right)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a space may use; None does not limit."""

    name: str
    units: int | None
    """A month. A write is 5, a read is 1 (memory-api, "Test mode and billing")."""
    bytes: int | None
    collections: int | None
    project_facts: int | None
    """Fewer than the engine's own cap of the project's scope; None leaves that one."""


PLANS: Mapping[str, Plan] = MappingProxyType(
    {
        plan.name: plan
        for plan in (
            Plan("own", None, None, None, None),
            Plan("free", 250_000, 500_000_000, 10, 5_000),
            Plan("pro", 2_000_000, 5_000_000_000, 100, None),
        )
    }
)
"""`own` is the default: whoever runs a server for themselves pays nobody."""


@dataclass(frozen=True, slots=True)
class Space:
    id: str
    """`spc_` and 16 letters; also the name of its folder."""
    name: str
    plan: Plan
    created_at: Millis


TEST_LASTS: Millis = 30 * 86_400_000
"""A test partition (memory-api, "Test mode and billing")."""


@dataclass(frozen=True, slots=True)
class Partition:
    """One library file of a space."""

    space: str
    mode: Mode
    epoch: str
    """Random; another one after a restore (sync.md 2.11)."""
    created_at: Millis

    def over(self, now: Millis) -> bool:
        """Whether it is to be removed: a test partition is, 30 days after it was made."""
        return self.mode is Mode.TEST and now >= self.created_at + TEST_LASTS

    def __str__(self) -> str:
        return f"{self.space}/{self.mode}"


class Lineage(NamedTuple):
    """By which it is known whether a library is still the one it was."""

    epoch: str
    device: str
    """The library's own name of itself: another one after a restore; "" before it is known."""
    high: int
    """The number of a change it had."""

    def goes_on(self, device: str, high: int) -> bool:
        """Whether a library of that name which came so far is the same one, gone on."""
        return self.device in ("", device) and high >= self.high


@dataclass(frozen=True, slots=True)
class Key:
    id: str
    space: str
    name: str
    kind: KeyKind
    mode: Mode
    rights: tuple[Right, ...]
    prefix: str
    """The public beginning, such as `zv_live_Ab3dEf9h`."""
    created_at: Millis
    expires_at: Millis | None = None
    revoked_at: Millis | None = None

    @property
    def allowed(self) -> tuple[Right, ...]:
        """What it may do in its space's memory."""
        return () if self.kind is KeyKind.SHOP else self.rights

    def usable(self, now: Millis) -> bool:
        return _usable(self.revoked_at, self.expires_at, now)


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    """`per_` and 16 letters; also the name of their folder."""
    name: str
    created_at: Millis


@dataclass(frozen=True, slots=True)
class Token:
    """A person's own session on one device; alone reaches their preferences (protocols 5.3)."""

    id: str
    person: str
    device: str
    prefix: str
    created_at: Millis
    expires_at: Millis | None = None
    revoked_at: Millis | None = None

    def usable(self, now: Millis) -> bool:
        return _usable(self.revoked_at, self.expires_at, now)


@dataclass(frozen=True, slots=True)
class Session:
    """What a client opened to call tools in: a handle, which proves nothing of anybody."""

    id: str
    """`ses_` and 24 letters."""
    owner: str
    """The id of the key or the person that opened it; nobody else reaches it."""
    user: str
    """Whom its client says it is for: a claim, never an identity (protocols 6.1)."""
    servers: tuple[str, ...]
    created_at: Millis
    expires_at: Millis


@dataclass(frozen=True, slots=True)
class Minted:
    """The text of a credential, which is shown once."""

    prefix: str
    secret: str

    def __str__(self) -> str:
        return self.prefix + self.secret


@dataclass(frozen=True, slots=True)
class Wipe:
    """A scope whose facts are to go: those kept before `mark`, which is an id made then."""

    space: str
    mode: Mode
    scope: Scope
    mark: ItemId


@dataclass(frozen=True, slots=True)
class Deed:
    """A line of a server's audit log: what was done to which key, person or space."""

    at: Millis
    action: str
    target: str
    """Ids and public prefixes only."""


_FORM = re.compile(
    rf"(?P<prefix>(?:(?:zv|csk)_(?:live|test)|cps)_[A-Za-z0-9]{{{PREFIX_LETTERS}}})"
    rf"(?P<secret>[A-Za-z0-9]{{{SECRET_LETTERS}}})"
)
PERSON_FAMILY = "cps_"


def family(kind: KeyKind, mode: Mode) -> str:
    """How a key of that kind begins: `zv_live_`, `csk_test_`."""
    return f"{'csk' if kind is KeyKind.SHOP else 'zv'}_{mode}_"


def credential(text: str) -> Minted | None:
    """The parts of a key or token; None for what is neither."""
    found = _FORM.fullmatch(text)
    return Minted(found["prefix"], found["secret"]) if found else None


def name(text: str, what: str) -> str:
    """A name a person gives to a space, key, person or device. Raises InvalidInput."""
    trimmed = " ".join(text.split())
    if not 1 <= len(trimmed) <= MAX_NAME or not trimmed.isprintable():
        raise InvalidInput(
            f"The name of a {what} is 1 to {MAX_NAME} characters that can be printed.",
            details={"field": "name"},
        )
    return trimmed


def rights(wanted: Iterable[str]) -> tuple[Right, ...]:
    """In their own order, each once; all of them for none. Raises InvalidInput."""
    chosen = set(wanted)
    unknown = chosen - set(Right)
    if unknown:
        raise InvalidInput(
            f"{min(unknown)[:80]!r} is not a right of a key.",
            hint=f"There are {', '.join(Right)}.",
            details={"field": "scope"},
        )
    return tuple(right for right in Right if right in chosen) or EVERY_RIGHT


def plan(text: str) -> Plan:
    """Raises InvalidInput."""
    if text not in PLANS:
        raise InvalidInput(
            f"There is no plan {text[:80]!r}.",
            hint=f"There are {', '.join(PLANS)}.",
            details={"field": "plan"},
        )
    return PLANS[text]


def _usable(revoked_at: Millis | None, expires_at: Millis | None, now: Millis) -> bool:
    return revoked_at is None and (expires_at is None or now < expires_at)
