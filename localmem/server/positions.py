"""Cursors of the changes of a partition: signed like any other, and good in one epoch alone.

A cursor of an epoch before is refused as expired and not as foreign: its client has something to
do, which is to compare everything (sync.md 2.11).
"""

from __future__ import annotations

from localmem.core.feed import Position
from localmem.server.errors import Refused
from localmem.server.operations.operation import Call

_PLACE = "changes"


def seal(position: Position, call: Call) -> str:
    """The cursor for a client."""
    partition = call.holder.partition
    text = f"{partition.epoch} {position.seq} {position.begun}"
    sealed = call.cursors.seal(text, str(partition), _PLACE)
    assert sealed is not None
    return sealed


def open_(cursor: str, call: Call) -> Position:
    """Raises Refused (invalid_cursor, cursor_expired)."""
    partition = call.holder.partition
    text = call.cursors.open(cursor, str(partition), _PLACE)
    assert text is not None
    epoch, seq, begun = text.split(" ")
    if epoch != partition.epoch:
        raise expired("epoch")
    return Position(int(seq), int(begun))


def expired(why: str) -> Refused:
    """`why` is `epoch` or `age`."""
    return Refused(
        "cursor_expired",
        "What changed since then is told no more. Ask again without a cursor, and compare all of "
        "it.",
        details={"reason": why},
    )
