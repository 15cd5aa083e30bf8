"""Numbers from outside to a vector the store accepts, or a refusal that says why.

Why: an endpoint may answer anything. Every vector that did not come from our own arithmetic goes
through `unit`, so that no NaN, no empty list and no zero vector ever reaches an index.
"""

from __future__ import annotations

import math
import struct


def unit(values: object) -> bytes:
    """`values` scaled to length one, as little-endian float32.

    Raises ValueError; its text completes the sentence "the vector ...".
    """
    if not isinstance(values, list) or not values:
        raise ValueError("is not a list of numbers")
    if not all(type(value) in (int, float) for value in values):  # bool is an int, but no number
        raise ValueError("holds something that is not a number")
    length = _length(values)
    if not math.isfinite(length):
        raise ValueError("holds a number that is not finite")
    if length == 0:
        raise ValueError("is all zeros")
    return struct.pack(f"<{len(values)}f", *(value / length for value in values))


def dimensions(vector: bytes) -> int:
    return len(vector) // struct.calcsize("<f")


def _length(values: list[float]) -> float:
    try:
        return math.hypot(*values)
    except OverflowError:  # an integer beyond the range of float
        return math.inf
