"""What waits for the person as JSON: the item, where it comes from, and what it would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localmem.core.change import Saved
from localmem.wire import shapes
from localmem.wire.shapes import Shape

if TYPE_CHECKING:
    from localmem.engine.answers import Waiting
    from localmem.engine.outcomes import Receipt


def waiting(held: Waiting, *, shadowed: bool = False) -> Shape:
    """`{kind, id, …, waitingSince, written: {version, by, quote?, …}, replaces: version|null}`."""
    return shapes.mixed(held.item, shadowed=shadowed) | {
        "waitingSince": shapes.moment(held.since),
        "written": shapes.version(held.item.head),
        "replaces": None if held.before is None else shapes.version(held.before),
    }


def rejected(held: Waiting, outcome: Receipt | Saved) -> Shape:
    """`{id, erased: true, receipt}` of what was new, `{id, erased: false, version}` of an edit."""
    shape: Shape = {"id": held.item.id, "erased": not isinstance(outcome, Saved)}
    if isinstance(outcome, Saved):
        return shape | {"version": shapes.version(outcome.item.head)}
    return shape | {"receipt": shapes.receipt(outcome)}
