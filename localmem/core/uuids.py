"""Which texts may be ids here: UUIDs alone, for an id goes into logs and tombstones without a look.

An item's id also says when it was made, because lists go by it. Refuses times to come, which would
stand above everything for good.
"""

from __future__ import annotations

import re

from localmem.core.model import Millis

_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME = len("01234567-89ab")
"""Characters of a UUIDv7 that are its time."""


def is_uuid(text: str) -> bool:
    """In the form every id here is written in: lower case, with dashes."""
    return _UUID.fullmatch(text) is not None


def tells_time(text: str, *, until: Millis) -> bool:
    """Whether it is a UUIDv7 of a time up to `until`."""
    found = _UUID.fullmatch(text)
    at = int(text[:_TIME].replace("-", ""), 16) if found else 0
    return found is not None and found[1] == "7" and at <= until


def of_the_time(old: str, new: str, *, until: Millis) -> str:
    """The id `new`, with the time of `old` where that tells one: its place in lists stays."""
    return old[:_TIME] + new[_TIME:] if tells_time(old, until=until) else new
