"""The library as it was: the line over it, the question for a day, what cannot be done there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from typing import TYPE_CHECKING

from textual.content import Content

from localmem.core.model import Item, Millis
from localmem.core.visible import visible
from localmem.errors import InvalidInput
from localmem.tui.present import ink
from localmem.tui.present.words import MONTHS, local

if TYPE_CHECKING:
    from localmem.core.change import Written

Label = Callable[[str], str]
"""The key of an action, by its id."""
_ROOMY, _WIDE = 58, 92
"""Columns from which the keys, and then what is missing, stand beside the moment."""
_GONE = "What was forgotten or has expired since is not in any past."


def moment(at: Millis, zone: tzinfo) -> str:
    """`12 Nov 2026, 23:59`."""
    then = local(at, zone)
    return f"{then.day} {MONTHS[then.month - 1]} {then.year}, {then:%H:%M}"


def banner(at: Millis, zone: tzinfo, width: int, key: Label) -> Content:
    """What cannot be missed: this is not now, and how to come back."""
    said = (
        f"◷ As it was on {moment(at, zone)}" if width >= _ROOMY else f"◷ As of {moment(at, zone)}"
    )
    other, back = key("as_of"), key("back")
    keys = f" · {other} other day · {back} now" if width >= _ROOMY else f" · {back}: now"
    more = f" · {key('restore')} restores · nothing else changes" if width >= _WIDE else ""
    return Content.assemble((said, ink.ALERT), f"{keys}{more}")


def help_text(key: Label) -> str:
    back = f"{key('restore')} brings a version back."
    return f"The library as it was then. {_GONE} {back}"


def locked(at: Millis, zone: tzinfo, key: Label) -> str:
    """Why a key does nothing there."""
    return (
        f"This is the library as it was on {moment(at, zone)}: {key('restore')} brings a version "
        f"back, {key('back')} returns to now."
    )


def no_version(key: Label) -> str:
    """Why there is nothing to bring back."""
    return (
        f"{key('restore')} brings a version back: from the history ({key('history')}), or from "
        f"another day ({key('as_of')})."
    )


def restored(written: Written, then: Item, at: Millis, zone: tzinfo, key: Label) -> str:
    """What bringing a version back did."""
    from localmem.core.change import Saved, Stale, Unchanged

    match written:
        case Saved(item=now):
            return (
                f"What it said on {moment(at, zone)} is back, as version {now.head.number}. "
                f"Come back to now with {key('back')}; {key('undo')} there takes it back."
            )
        case Unchanged(item=twin) if twin.id != then.id:
            return "Another fact says these words already, so nothing was restored."
        case Unchanged():
            return "It says the same today, so nothing was restored."
        case Stale():
            return "It changed meanwhile, so nothing was restored: look again."


def question(earliest: Millis | None, zone: tzinfo) -> Content:
    """What may be typed."""
    began = f" Your library begins on {moment(earliest, zone)[:-7]}." if earliest else ""
    return Content.assemble(
        "A day, a month or a year: ", ("yesterday", ink.NAME), ", ", ("2026-03-29", ink.NAME), ", ",
        ("2026-03", ink.NAME), "; ", ("today", ink.NAME), " comes back.",
        f"{began} What was forgotten is in no past.",
    )  # fmt: skip


def understood(text: str, now: Millis, zone: tzinfo) -> Content:
    """What the typed day means, or what is wrong with it."""
    if not text.strip():
        return Content.styled("→ yesterday, when nothing is typed", ink.DIM)
    try:
        from localmem.core import query

        at = query.end_of(text, now=now, zone=zone)
    except InvalidInput as problem:
        return Content.assemble(("▲ ", ink.BAD), visible(f"{problem.message} {problem.hint}"))
    return Content.assemble(("→ ", ink.NAME), "now" if at is None else moment(at, zone))
