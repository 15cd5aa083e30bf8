"""The outside world's clock, zone and ids: UTC milliseconds, the person's hours, and UUIDv7."""

from __future__ import annotations

import os
import threading
import time
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from localmem.core.model import Millis

if TYPE_CHECKING:
    from localmem.core.ports import Clock


def now() -> Millis:
    return time.time_ns() // 1_000_000


_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  local clock readings have no zone yet
_FURTHEST = timedelta(hours=23, minutes=59)
"""POSIX lets TZ name a zone a day and more from UTC, `datetime` refuses it."""


class LocalZone(tzinfo):
    """The zone this machine is set to, with its own clock changes.

    `datetime.astimezone()` gives today's offset for every day of the year, which puts a day of
    the other half of the year an hour off (field report FR-105).
    """

    def utcoffset(self, dt: datetime | None) -> timedelta:
        plain = (dt or datetime.now()).replace(tzinfo=None)  # noqa: DTZ005  local by intent
        # Beyond these years no clock function can be relied on and no zone has rules of its own.
        asked = plain.replace(year=min(max(plain.year, 1904), 2400))
        return _bounded((asked - _EPOCH) - timedelta(seconds=asked.timestamp()))

    def dst(self, dt: datetime | None) -> None:
        return None

    def tzname(self, dt: datetime | None) -> str:
        return "local"

    def fromutc(self, dt: datetime) -> datetime:
        utc = dt.replace(tzinfo=None)
        local = datetime.fromtimestamp((utc - _EPOCH).total_seconds())  # noqa: DTZ006
        return (utc + _bounded(local - utc)).replace(tzinfo=self, fold=local.fold)


def _bounded(offset: timedelta) -> timedelta:
    return max(-_FURTHEST, min(offset, _FURTHEST))


class TimeOrderedIds:
    """UUIDv7 (RFC 9562): sorted by time; later ones of one process are always greater."""

    def __init__(self, clock: Clock = now) -> None:
        self._clock = clock
        self._last = 0
        self._lock = threading.Lock()

    def __call__(self) -> str:
        random = int.from_bytes(os.urandom(9), "big")
        with self._lock:
            # 12 bits below the millisecond count up when ids come faster than the clock.
            ticks = max(self._clock() << 12 | random >> 62, self._last + 1)
            self._last = ticks
        return (
            f"{ticks >> 28:08x}-{ticks >> 12 & 0xFFFF:04x}-7{ticks & 0xFFF:03x}-"
            f"{0x8000 | random >> 48 & 0x3FFF:04x}-{random & 0xFFFF_FFFF_FFFF:012x}"
        )
