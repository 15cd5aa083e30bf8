"""The outside world's clock and ids, behind core.ports: UTC milliseconds and UUIDv7."""

from __future__ import annotations

import os
import threading
import time
import uuid

from localmem.core.model import Millis
from localmem.core.ports import Clock


def now() -> Millis:
    return time.time_ns() // 1_000_000


class TimeOrderedIds:
    """UUIDv7 (RFC 9562): sorted by time; later ones of one process are always greater."""

    def __init__(self, clock: Clock = now) -> None:
        self._clock = clock
        self._last = 0
        self._lock = threading.Lock()

    def __call__(self) -> str:
        random = int.from_bytes(os.urandom(10), "big")
        with self._lock:
            # 12 bits below the millisecond count up when ids come faster than the clock.
            ticks = max(self._clock() << 12 | random >> 68 & 0x7FF, self._last + 1)
            self._last = ticks
        value = ticks >> 12 << 80 | 0x7 << 76 | (ticks & 0xFFF) << 64
        return str(uuid.UUID(int=value | 0b10 << 62 | random & ((1 << 62) - 1)))
