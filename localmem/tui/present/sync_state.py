"""How the library stands to its account, in a sign and in words, for every width. Pure.

The sign tells it without colour, the words without the sign. Refuses to flicker: what takes no
while is not named.
"""

from __future__ import annotations

from datetime import tzinfo
from typing import NamedTuple

from localmem.core.model import Millis
from localmem.core.syncing import State, Status
from localmem.core.visible import visible
from localmem.tui.present import ink
from localmem.tui.present.words import count, when
from localmem.tui.synchronising import Seen

CONFLICT, PAUSED = "⚠", "‖"


class Said(NamedTuple):
    """One state: the sign, and what is said where there is much, some and hardly any room."""

    sign: str
    style: str
    long: str
    middle: str
    short: str = ""


LOCAL = Said("○", ink.DIM, "local only", "local only")


def said(seen: Seen, now: Millis, zone: tzinfo) -> Said | None:
    """What the header says; None before anything is known."""
    status = seen.status
    if status is None:
        return None
    if status.state is State.OFF:
        return LOCAL
    first = _asks(seen, status) or _going_on(seen)
    if first is not None:
        return first
    if status.conflicts:
        return _in_conflict(status)
    return standing(status, now, zone)


def to_send(status: Status) -> int:
    """What the next run sends."""
    return max(status.waiting - status.held, 0)


def apart(status: Status) -> str:
    """What is not the same on both sides: `1 conflict and 2 held`; "" where both have the same."""
    parts = [f"{to_send(status):,} to send"] if to_send(status) else []
    parts += [count(status.conflicts, "conflict")] if status.conflicts else []
    parts += [f"{status.held:,} held"] if status.held else []
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def _in_conflict(status: Status) -> Said:
    many = count(status.conflicts, "conflict")
    return Said(CONFLICT, ink.ALERT, many, many, f"{status.conflicts:,}")


def _asks(seen: Seen, status: Status) -> Said | None:
    """What goes on only when the person does something."""
    if status.state is State.ASKING:
        return Said("?", ink.ALERT, "asks you", "asks you")
    if status.state is State.SIGNED_OUT:
        return Said("▲", ink.ALERT, "key refused", "key refused")
    if seen.keyless:
        return Said("▲", ink.ALERT, "key needed", "key needed")
    return None


def _going_on(seen: Seen) -> Said | None:
    if seen.doing is not State.WORKING:
        return None
    words = visible(seen.words) or "looking"
    return Said("↻", ink.NAME, f"{words}…", words)


def standing(status: Status, now: Millis, zone: tzinfo) -> Said:
    """How it stands while nothing goes on and nothing is asked."""
    waits = to_send(status)
    more = f", {waits:,} to send" if waits else ""
    arrow = f" ↑{waits:,}" if waits else ""
    few = f"{waits:,}" if waits else ""
    match status.state:
        case State.PAUSED:
            return Said(PAUSED, ink.ALERT, f"paused{more}", f"paused{arrow}", few)
        case State.OFFLINE:
            return Said("◌", ink.ALERT, f"offline{more}", f"offline{arrow}", few)
        case State.LATER:
            return Said("◌", ink.ALERT, f"server busy{more}", f"busy{arrow}", few)
        case State.WORKING:
            return Said("↻", ink.NAME, "syncing…", "syncing")
        case _ if waits:
            return Said("↑", ink.NAME, f"{waits:,} to send", f"{waits:,} to send", few)
        case State.IN_STEP:
            return _went_through(status, now, zone)
        case _ if status.last is not None:
            return Said("◌", ink.DIM, "to be looked at", "to look")
        case _:
            return Said("◌", ink.DIM, "not looked yet", "not looked")


def _went_through(status: Status, now: Millis, zone: tzinfo) -> Said:
    """The last run did all that a run can do by itself."""
    if status.conflicts:
        return _in_conflict(status)
    if status.held:
        return Said("▲", ink.DIM, f"{status.held:,} held", f"{status.held:,} held",
                    f"{status.held:,}")  # fmt: skip
    at = f" {when(status.last, now, zone)}" if status.last is not None else ""
    at = ", just now" if at == " now" else at
    return Said("●", ink.GOOD, f"in step{at}", "in step")


def drawn(said: Said, words: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Sign and words, for `Content.assemble`."""
    return (said.sign, said.style), (f" {words}" if words else "", ink.DIM)
