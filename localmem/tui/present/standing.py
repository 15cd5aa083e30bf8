"""The right of the header: what waits, where everything is, how far search by meaning has come."""

from __future__ import annotations

from textual.content import Content

from localmem.engine.answers import MeaningState
from localmem.tui.present import ink
from localmem.tui.present.words import WAITING


def state(
    meaning: MeaningState, waiting: int, inbox: int, width: int, *, demo: bool = False
) -> Content:
    """The right of the header: what waits in the inbox, where everything is, how far meaning is.

    What waits, and that a demo keeps nothing, is said at any width.
    """
    asks = Content.styled(f"{WAITING}{inbox:,}  " if inbox else "", ink.ALERT)
    return Content.assemble(asks, _state(meaning, waiting, width, demo=demo))


def _state(meaning: MeaningState, waiting: int, width: int, *, demo: bool) -> Content:
    said = {
        MeaningState.READY: "words + meaning",
        MeaningState.FILLING: f"{waiting:,} waiting",
        MeaningState.LOADING: "loading model",
        MeaningState.OFF: "words only",
    }[meaning]
    sign = {
        MeaningState.READY: ("●", ink.GOOD),
        MeaningState.FILLING: ("◐", ink.ALERT),
        MeaningState.LOADING: ("◌", ink.ALERT),
        MeaningState.OFF: ("○", ink.DIM),
    }[meaning]
    where = "demo · nothing is kept" if demo else "offline, local only"
    long = Content.assemble(sign, (f" {said} · {where}", ink.DIM))
    short = Content.assemble(sign, (f" {where if demo else said}", ink.DIM))
    if width >= 100:
        return long
    if demo and width < 56:
        return Content.assemble(sign, (" demo", ink.DIM))
    return short if width >= 56 else Content.assemble(sign)
