"""What is kept of an answer so that a request sent again is answered again, and not done again.

Ids, numbers and codes; what the request itself said is in the request that comes again.
"""

from __future__ import annotations

from typing import NamedTuple

from localmem.core.model import Json

DAYS = 30
"""So long an answer is kept (sync.md 2.12)."""
LONGEST_KEY = 255


class Answered(NamedTuple):
    same: bool
    """Whether the request says what the first one said; also when that cannot be known any more,
    because what it wrote was forgotten."""
    status: int
    kept: dict[str, Json]
    """Without contents."""
    seq: int | None
    """The number of the last change it made; None when it made none."""
