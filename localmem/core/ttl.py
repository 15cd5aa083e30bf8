"""How long something is kept: 60 seconds to 2 years, or until it is forgotten (memory-api).

Written once so that the CLI's `--ttl 30d`, the picker of the app and `ttlSeconds` on the wire
agree on the bounds and on what a year is. Refuses months: "m" means minutes.
"""

from __future__ import annotations

import re

from localmem.core.model import Millis
from localmem.errors import InvalidInput

MIN_SECONDS = 60
MAX_SECONDS = 63_072_000
"""Two years of 365 days."""

_MINUTE, _HOUR, _DAY, _YEAR = 60, 3_600, 86_400, 31_536_000
_MONTH = _YEAR / 12
_UNITS = {
    "": 1,
    "s": 1,
    "sec": 1,
    "second": 1,
    "min": _MINUTE,
    "m": _MINUTE,
    "minute": _MINUTE,
    "h": _HOUR,
    "hour": _HOUR,
    "d": _DAY,
    "day": _DAY,
    "w": 7 * _DAY,
    "week": 7 * _DAY,
    "y": _YEAR,
    "year": _YEAR,
}
_PART = re.compile(r"([0-9]{1,12}) ?([a-z]*) ?")
_FORMS = "Use 90m, 12h, 30d, 2w, 1y, a number of seconds, or never."
_BOUNDS = f"A time to live is {MIN_SECONDS} seconds to 2 years ({MAX_SECONDS:,} seconds)."


def parse(text: str) -> int | None:
    """Seconds of `30d`, `1d 12h`, `90 minutes` or `3600`; None for `never`.

    Raises InvalidInput for any other form and outside the bounds.
    """
    wanted = text.strip().lower()
    if wanted == "never":
        return None
    seconds, position = 0, 0
    while position < len(wanted):
        part = _PART.match(wanted, position)
        unit = _UNITS.get(_singular(part[2])) if part else None
        bare_and_more = part is not None and not part[2] and part[0] != wanted
        if part is None or unit is None or bare_and_more:
            break
        seconds += int(part[1]) * unit
        position = part.end()
    if not wanted or position < len(wanted):
        raise InvalidInput(
            f"{text[:40]!r} is not a time to live.", hint=_FORMS, details={"field": "ttl"}
        )
    return check(seconds)


def check(seconds: int) -> int:
    """`seconds` itself. Raises InvalidInput outside 60 … 63,072,000 (memory-api, "Limits")."""
    if MIN_SECONDS <= seconds <= MAX_SECONDS:
        return seconds
    side = "short" if seconds < MIN_SECONDS else "long"
    raise InvalidInput(
        f"This time to live is too {side}. {_BOUNDS}",
        hint=_FORMS,
        details={"field": "ttl", "min": MIN_SECONDS, "max": MAX_SECONDS},
    )


def expires_at(now: Millis, seconds: int) -> Millis:
    """The first millisecond at which something written `now` is gone. Raises InvalidInput."""
    return now + check(seconds) * 1000


def describe(remaining: Millis | None) -> str:
    """Such as "in 3 days", to the nearest unit; "never" for None, "expired" from 0 down."""
    if remaining is None:
        return "never"
    if remaining <= 0:
        return "expired"
    seconds = remaining / 1000
    if seconds < _MINUTE:
        return "in under a minute"
    for unit, name, below in (
        (_MINUTE, "minute", 60),
        (_HOUR, "hour", 48),
        (_DAY, "day", 60),
        (_MONTH, "month", 24),
    ):
        count = int(seconds / unit + 0.5)
        if count < below:
            return f"in {count} {name}{'s' if count != 1 else ''}"
    years = int(seconds / _YEAR + 0.5)
    return f"in {years} years"


def _singular(unit: str) -> str:
    return unit[:-1] if len(unit) > 1 and unit.endswith("s") else unit
