"""For programs that keep a copy of a space: whose it is, and what changed (sync.md 2.12)."""

from __future__ import annotations

from localmem.core.hosting import Right
from localmem.engine import Engine
from localmem.server import positions
from localmem.server.operations.operation import Answer, Call, Operation
from localmem.wire import sync_api as wire
from localmem.wire.memory_api import NoInput


def sync(engine: Engine, asked: NoInput, call: Call) -> Answer:
    partition = call.holder.partition
    return Answer(
        {
            "server_id": call.server,
            "epoch": partition.epoch,
            "account": partition.space,
            "partition": str(partition.mode),
            "capabilities": dict(wire.CAPABILITIES),
            "high": engine.feed.high(),
        }
    )


def changes(engine: Engine, asked: wire.AskChanges, call: Call) -> Answer:
    """In the order they were committed; the cursor goes on also where there is nothing more."""
    after = None if asked.cursor is None else positions.open_(asked.cursor, call)
    found = engine.feed.changes(after, limit=asked.length, gone_too=asked.tombstones == "all")
    if found is None:
        raise positions.expired("age")
    return Answer(
        {
            "changes": [wire.change(row) for row in found.rows],
            "cursor": positions.seal(found.position, call),
            "seq": found.position.seq,
            "more": found.more,
            "epoch": call.holder.partition.epoch,
        }
    )


OPERATIONS = (
    Operation(
        "sync",
        "GET",
        "/v1/memory/sync",
        "Say which copy of which space this is, and what a program that synchronises may use.",
        sync,
        answers={200: wire.SyncOut},
        asks=NoInput,
        right=Right.READ,
        units=0,
    ),
    Operation(
        "changes",
        "GET",
        "/v1/memory/changes",
        "What changed behind a cursor, in the order it was committed.",
        changes,
        answers={200: wire.ChangesOut},
        asks=wire.AskChanges,
        right=Right.READ,
        faults=("invalid_cursor", "cursor_expired"),
    ),
)
