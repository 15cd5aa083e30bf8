"""Whose copy of a library there is on a server, as a library remembers it. Names no key."""

from __future__ import annotations

from typing import NamedTuple

from localmem.core.model import Millis


class Account(NamedTuple):
    """One account this library is, or was, signed in to."""

    id: int
    """This library's own number for it."""
    server: str
    account: str
    partition: str
    """`live` or `test`. With the server and the account it says which copy it is."""
    url: str
    label: str
    """As shown to the person."""
    signed_in_at: Millis
    signed_out_at: Millis | None = None
    """None for the one that is signed in."""
    paused: bool = False
    """It is synchronised only when the person says so."""
    can: str = ""
    """What its server can, as `sync/` wrote it down; "" when that is not known yet."""
