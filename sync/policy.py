"""What a sync may do without asking, how long it waits, and what keeps a thing from being sent.

Pure. Absence is never taken for a deletion where much would go at once, and nothing is sent to a
server that was not expected (sync.md 2.8, 2.11; field reports FR-04, FR-06, FR-21, FR-25).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from localmem.core.bodies import PreferenceBody
from localmem.core.model import Millis
from localmem.core.replica import ACCOUNT, Block
from sync.messages import Refusal, Refused

T = TypeVar("T")

MANY_GONE = 20
"""So many items of one scope may go at once, or half of what it has, whichever is more."""
MANY_FIRST = 50
"""So many may be sent to an account for the first time without asking."""
HOUR = 3_600_000
LONGEST_WAIT = 300.0
ROUNDS = 3
"""How often a record is read and planned again in one cycle."""
LONGEST_BODY = 512 * 1024
"""Bytes of what one request carries, at most, unless it is a single thing: what stands between
here and a server often takes no more than a megabyte."""
SHORTEST_TTL = 60
"""Seconds; what ends sooner is not worth sending, and no server takes it."""
EVERYTHING = "*"
"""An allowance for every brake: for a rehearsal, which does nothing."""
LEFT_OUT = "left_out"
"""The code of a block that the person put there; no edit lifts it."""


class Brake(StrEnum):
    """What a sync stops before, until the person says that it is meant."""

    MANY_GONE = "many_gone"
    """Much of a scope is gone on the server."""
    FIRST_PUSH = "first_push"
    """Much would be sent to an account that nothing was sent to yet."""
    OTHER_SERVER = "other_server"
    """The address answers as another server, account or partition than before."""
    WENT_BACK = "went_back"
    """The server was restored or emptied: much of what it had is missing there."""


class Braked(NamedTuple):
    brake: Brake
    items: int
    """What would go, or be sent."""
    among: int
    """Of so many."""
    scope: str = ""
    """"" for all of them."""

    @property
    def allowance(self) -> str:
        """What the person allows; not more than they were shown."""
        return f"{self.brake}:{self.scope}:{self.items}"


def too_many_gone(gone: int, held: int) -> bool:
    return gone > max(MANY_GONE, held // 2)


def allowed(braked: Braked, allowances: frozenset[str]) -> bool:
    """Whether the person allowed this, or more of the same."""
    if EVERYTHING in allowances:
        return True
    for allowance in allowances:
        brake, _, rest = allowance.partition(":")
        scope, _, items = rest.rpartition(":")
        named = brake == braked.brake and scope == braked.scope and items.isdecimal()
        if named and braked.items <= int(items):
            return True
    return False


def seconds_left(ends: Millis | None, now: Millis) -> int | None:
    """Whole ones, rounded up, as a server is told them; None for what has no end."""
    return None if ends is None else (ends - now + 999) // 1_000


def parts(things: Sequence[T], size: Callable[[T], int], most: int) -> list[list[T]]:
    """In their order, as many together as one request carries. `size` in bytes."""
    found: list[list[T]] = []
    room = 0
    for each in things:
        needed = size(each)
        if not found or needed > room or len(found[-1]) == most:
            found.append([])
            room = LONGEST_BODY
        found[-1].append(each)
        room -= needed
    return found


def pause(attempt: int, chance: float) -> float:
    """Seconds before try number `attempt` + 1: full jitter (sync.md 2.11). `chance` is in 0..1."""
    return chance * min(LONGEST_WAIT, 2.0 ** min(attempt, 6))


def block(refusal: Refusal, now: Millis, change: int) -> tuple[str, Block] | None:
    """What a refused write keeps back: (place, or "" for the item itself; why). None: nothing."""
    match refusal.why:
        case Refused.QUOTA:
            return ACCOUNT, Block(refusal.code, refusal.message, now + HOUR)
        case Refused.SCOPE_FULL:
            return "scope", Block(refusal.code, refusal.message, now + HOUR)
        case Refused.INVALID | Refused.TOO_LARGE:
            return "", Block(refusal.code, refusal.message, None, change)
        case _:
            return None


def holds(block: Block | None, now: Millis) -> bool:
    """Whether a block still keeps something back."""
    return block is not None and (block.until is None or now < block.until)


def is_forget(body: object) -> bool:
    """Whether sending it takes something away: never kept back by a quota."""
    return body is None or (isinstance(body, PreferenceBody) and body.forgotten)
