"""What schemathesis asks for besides: ids that are there, and scopes that are asked again.

Loaded by schemathesis (`hooks` in the configuration that fuzz.py writes), not by us. Without it
every id it makes up is of nothing, and the operations on one fact or session answer 404 alone.
"""

from __future__ import annotations

from collections import deque
from itertools import count
from typing import Any

import schemathesis

KEPT = 200
MADE_BY = {"add_fact": "memoryId", "open_session": "id"}
"""By operation: the parameter that the `id` of its reply is a value of."""

there: dict[str, deque[str]] = {name: deque(maxlen=KEPT) for name in MADE_BY.values()}
turns = count()


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Every second valid request is about something that is there, in the scope it was made in."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or next(turns) % 2:
        return
    for name, ids in there.items():
        if name in (case.path_parameters or {}) and ids:
            case.path_parameters[name] = ids[next(turns) % len(ids)]
            if case.query:
                case.query.pop("scope", None)


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    name = MADE_BY.get(case.operation.definition.raw.get("operationId", ""))
    if name is None or response.status_code not in (200, 201):
        return
    made = response.json()
    if made.get("scope", "project") == "project":
        there[name].append(made["id"])
