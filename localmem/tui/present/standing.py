"""The right of the header: what waits, where everything is, how far search by meaning has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from localmem.engine.answers import MeaningState
from localmem.tui.present import ink
from localmem.tui.present.words import WAITING

if TYPE_CHECKING:
    from localmem.tui.present.sync_state import Said


def state(
    meaning: MeaningState,
    waiting: int,
    inbox: int,
    width: int,
    *,
    sync: Said | None = None,
    demo: bool = False,
) -> Content:
    """The right of the header: what waits in the inbox, where everything is, how far meaning is.

    What waits, what a sync asks, and that a demo keeps nothing, is said at any width. `sync` is
    None before that is known.
    """
    asks = Content.styled(f"{WAITING}{inbox:,}  " if inbox else "", ink.ALERT)
    if demo or sync is None or sync.style == ink.DIM:
        where = "demo · nothing is kept" if demo else sync.long if sync is not None else ""
        return Content.assemble(asks, _meaning(meaning, waiting, where, width, demo=demo))
    if width >= WIDE:
        long = _meaning(meaning, waiting, "", width)
        return Content.assemble(
            asks, long, "  ", (sync.sign, sync.style), (f" {sync.long}", ink.DIM)
        )
    if width < ROOMY:
        return Content.assemble(asks, (f"{sync.sign}{sync.short}", sync.style))
    sign = _SIGNS[meaning] if width >= _BOTH and meaning in _PASSING else ("", "")
    gap = " " if sign[0] else ""
    return Content.assemble(asks, sign, gap, (sync.sign, sync.style), (f" {sync.middle}", ink.DIM))


WIDE, _BOTH, ROOMY = 100, 76, 56
"""Columns from which all is said, both signs stand, and words stand beside a sign."""
_PASSING = (MeaningState.FILLING, MeaningState.LOADING)
_SIGNS = {
    MeaningState.READY: ("●", ink.GOOD),
    MeaningState.FILLING: ("◐", ink.ALERT),
    MeaningState.LOADING: ("◌", ink.ALERT),
    MeaningState.OFF: ("○", ink.DIM),
}


def _meaning(
    meaning: MeaningState, waiting: int, where: str, width: int, *, demo: bool = False
) -> Content:
    said = {
        MeaningState.READY: "words + meaning",
        MeaningState.FILLING: f"{waiting:,} waiting",
        MeaningState.LOADING: "loading model",
        MeaningState.OFF: "words only",
    }[meaning]
    sign = _SIGNS[meaning]
    if width >= WIDE:
        told = f"{said} · {where}" if where else said
        return Content.assemble(sign, (f" {told}", ink.DIM))
    if demo and width < ROOMY:
        return Content.assemble(sign, (" demo", ink.DIM))
    if width < ROOMY:
        return Content.assemble(sign)
    return Content.assemble(sign, (f" {where if demo else said}", ink.DIM))
