"""How often a space may ask and how much it may use: counted here, decided by its plan.

Both are kept in memory, where a request costs nothing; units are written down now and then and at
the stop. A test key is never counted (memory-api, "Test mode and billing").
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from localmem.core.hosting import Mode, Plan
from localmem.core.model import Millis
from localmem.engine import Engine
from localmem.errors import CollectionLimit
from localmem.hosting.admission import KeyHolder
from localmem.server.errors import Refused

if TYPE_CHECKING:
    from localmem.core.ports import Clock

MINUTE: Millis = 60_000
REQUESTS_A_MINUTE = 600
"""Of a space, over all its keys (protocols 1.1)."""
SWEEP_AT = 10_000
"""Windows kept before those that are over are dropped."""
UNCOUNTED = Plan("test", None, None, None, None)


@dataclass(slots=True)
class Window:
    ends: Millis
    asked: int = 0


@dataclass(slots=True)
class Rates:
    """Fixed windows of a minute, by space and mode."""

    clock: Clock
    most: int = REQUESTS_A_MINUTE
    """0 limits nothing, and says nothing of limits."""
    _windows: dict[str, Window] = field(default_factory=dict)

    def take(self, whose: str) -> dict[str, str]:
        """Count a request; the headers of its reply. Raises Refused (rate_limited)."""
        if self.most == 0:
            return {}
        now = self.clock()
        window = self._windows.get(whose)
        if window is None or not window.ends - MINUTE <= now < window.ends:  # clocks are set back
            self._sweep(now)
            window = self._windows[whose] = Window(now - now % MINUTE + MINUTE)
        window.asked += 1
        headers = {
            "X-RateLimit-Limit": str(self.most),
            "X-RateLimit-Remaining": str(max(self.most - window.asked, 0)),
            "X-RateLimit-Reset": str(window.ends),
        }
        if window.asked > self.most:
            wait = -((now - window.ends) // 1000)
            raise Refused(
                "rate_limited",
                f"More than {self.most} requests in a minute. Try again in {wait} s.",
                details={"retryAfter": window.ends},
                headers=headers | {"Retry-After": str(wait)},
            )
        return headers

    def _sweep(self, now: Millis) -> None:
        if len(self._windows) >= SWEEP_AT:
            self._windows = {who: each for who, each in self._windows.items() if now < each.ends}


def allowance(holder: KeyHolder) -> Plan:
    """What the caller may use: a test key's use is never counted."""
    return UNCOUNTED if holder.key.mode is Mode.TEST else holder.space.plan


def check_units(holder: KeyHolder, used: int) -> None:
    """Whether a write may still be made this month. Raises CollectionLimit."""
    included = allowance(holder).units
    if included is None or used < included:
        return
    raise CollectionLimit(
        f"The {included:,} units of this month are used up.",
        hint="Reads and deletes go on; writes do from the first of next month.",
        details={"used": used, "included": included},
    )


def check_room(holder: KeyHolder, engine: Engine) -> None:
    """Whether there is room for a write. Raises CollectionLimit."""
    included = allowance(holder).bytes
    if included is None:
        return
    used = engine.library.size()
    if used >= included:
        raise CollectionLimit(
            f"The {included:,} bytes of the plan are used up.",
            hint="Reads and deletes go on; delete what is not needed.",
            details={"used": used, "included": included},
        )


def month(now: Millis) -> str:
    """`2026-11`."""
    return time.strftime("%Y-%m", time.gmtime(now / 1000))


@dataclass(slots=True)
class Meter:
    """Units by space and month; what is not written down yet counts too."""

    clock: Clock
    counted: int = 0
    """Units of every space since the start."""
    _unwritten: Counter[tuple[str, str]] = field(default_factory=Counter)

    def used(self, space: str, written: int) -> int:
        """Units of this month, `written` of which are in the database."""
        return written + self._unwritten[space, month(self.clock())]

    def count(self, holder: KeyHolder, units: int) -> None:
        if holder.key.mode is Mode.LIVE and units:
            self.counted += units
            self._unwritten[holder.space.id, month(self.clock())] += units

    def take(self) -> Counter[tuple[str, str]]:
        """What is to be written down; from here on it counts no more."""
        taken, self._unwritten = self._unwritten, Counter()
        return taken

    def put_back(self, taken: Counter[tuple[str, str]]) -> None:
        """It was not written down."""
        self._unwritten.update(taken)
