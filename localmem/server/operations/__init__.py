"""The one table of what the memory API can be asked.

To add an operation:

1. `localmem/wire/`: a `Request` with its fields, each marked with its `Place` unless it stands in
   the body; a `Part` for the answer and a function that makes its shape.
2. A module here, or the one it belongs to: a handler `(engine, asked, call) -> Answer`, and a row
   in that module's OPERATIONS. A list seals its cursors with `call.seal` and reads them with
   `call.open`, naming every filter that must stay the same.
3. What the engine cannot do yet goes into the engine, with a test of its own there.

A tool is a row of TOOLS in `shop`; sessions list and execute it, and so may any other surface.

Routes, rights, units, body limits, the error map and the OpenAPI document follow from the row.
A fixed path must stand before one with a name in its place: OPERATIONS is matched in order.
"""

from __future__ import annotations

from localmem.server.operations import account, collections, facts, items, sessions, sync
from localmem.server.operations.operation import Route

OPERATIONS: tuple[Route, ...] = (
    *account.OPERATIONS,
    *sync.OPERATIONS,
    *collections.OPERATIONS,
    *items.OPERATIONS,
    *facts.OPERATIONS,
    *sessions.OPERATIONS,
)
