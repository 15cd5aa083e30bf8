"""Every refusal as HTTP: one total map from a code to a status, and whether to ask again.

The vendors' SDKs ask 409 and 429 again unless `x-should-retry: false` forbids it, so whatever
stays refused says so (protocols 1.8, 5.1). Refuses to tell a client where files lie or how a
command of this program is called: those are for whoever runs the server, in the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from localmem.core.model import Json
from localmem.errors import LocalmemError
from localmem.wire import shapes
from localmem.wire.shapes import Shape


class Envelope(StrEnum):
    FLAT = "flat"
    """`{code, message, details?}` on the memory API."""
    NESTED = "nested"
    """`{error: {code, message, details?}}` on sessions and their tools."""


@dataclass(frozen=True, slots=True)
class Status:
    status: int
    retry: bool | None = None
    """What `x-should-retry` says; None leaves it to the client."""
    sentence: str = ""
    """Instead of the error's own words, where these are for whoever runs the server."""


_STORE = "The memory of this space cannot be used now."

STATUS: Mapping[str, Status] = MappingProxyType(
    {
        "invalid_request": Status(400),
        "memory_key_unknown": Status(400),
        "memory_value_invalid": Status(400),
        "invalid_scope": Status(400),
        "invalid_key": Status(400),
        "invalid_query": Status(400),
        "invalid_settings": Status(500, False, "The server is not set up as it should be."),
        "field_not_indexed": Status(400),
        "document_too_large": Status(413),
        "document_too_deep": Status(400),
        "memory_not_found": Status(404),
        "item_not_found": Status(404),
        "collection_not_found": Status(404),
        "version_not_found": Status(404),
        "memory_source_not_person": Status(403),
        "memory_inference_blocked": Status(403),
        "secret_rejected": Status(400),
        "memory_rejected": Status(403),
        "scope_unresolved": Status(400),
        "import_unreadable": Status(400),
        "collection_exists": Status(409, False),
        "revision_conflict": Status(409, False),
        "memory_scope_full": Status(429, False),
        "memory_limit_exceeded": Status(429, False),
        "store_newer": Status(503, False, _STORE),
        "store_damaged": Status(503, False, _STORE),
        "store_busy": Status(503, True, "The memory of this space is busy; try again."),
        "store_read_only": Status(503, False, _STORE),
        "store_full": Status(503, False, "The server has no room left; nothing was written."),
        "store_unavailable": Status(503, False, _STORE),
        "store_locked": Status(503, False, _STORE),
        "backup_failed": Status(500, False, "The copy was not written."),
        "restore_failed": Status(500, False, "Nothing was brought back."),
        "model_unavailable": Status(503, True, "Search by meaning cannot be used now."),
        "cancelled": Status(503, True, "It took too long and was stopped; nothing was written."),
    }
)
"""By the error's code; total over `errors.all_errors()`, which a test asserts."""

REFUSALS: Mapping[str, Status] = MappingProxyType(
    {
        "unauthorized": Status(401),
        "forbidden": Status(403),
        "bearer_token_has_no_person": Status(403),
        "not_found": Status(404),
        "session_not_found": Status(404),
        "invalid_args": Status(400),
        "method_not_allowed": Status(405),
        "invalid_host": Status(400),
        "invalid_cursor": Status(400),
        "cursor_expired": Status(410),
        "memory_forgotten": Status(410),
        "invalid_if_match": Status(400),
        "unsupported_op": Status(400),
        "idempotency_conflict": Status(409, False),
        "epoch_changed": Status(412, False),
        "rate_limited": Status(429),
        "too_many_connections": Status(503, True),
        "memory_unavailable": Status(503, False),
        "server_error": Status(500),
    }
)
"""What HTTP alone refuses; the codes are the surface's own."""

HINTS: Mapping[Envelope, Mapping[str, str]] = MappingProxyType(
    {
        Envelope.FLAT: {
            "memory_not_found": "Check the scope it was written with.",
            "item_not_found": "Check the scope it was written with.",
            "collection_not_found": "Writing an item to it creates it.",
        },
        Envelope.NESTED: {"memory_not_found": "List again."},
    }
)
"""What to do, where the engine's own words name a command."""
_FIELDS: Mapping[str, str] = MappingProxyType({"ttl": "ttlSeconds"})
"""Bounded fields that are called otherwise on the wire."""


class Refused(Exception):
    """A request that HTTP refuses before the engine is asked; its code is one of REFUSALS."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        details: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = dict(details or {})
        self.headers = dict(headers or {})


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal as it is sent."""

    status: int
    code: str
    body: Shape
    headers: Mapping[str, str] = field(default_factory=dict)


def refusal(problem: LocalmemError | Refused, envelope: Envelope = Envelope.FLAT) -> Refusal:
    """What a client is told of it."""
    known = REFUSALS[problem.code] if isinstance(problem, Refused) else STATUS[problem.code]
    details = {} if known.sentence else dict(problem.details)
    if details.get("field") in _FIELDS and "min" in details:  # not a field the client misnamed
        details["field"] = _FIELDS[str(details["field"])]
    headers = dict(problem.headers) if isinstance(problem, Refused) else {}
    if known.retry is not None:
        headers["x-should-retry"] = "true" if known.retry else "false"
    body = _body(problem.code, known.sentence or _words(problem, envelope), details, envelope)
    return Refusal(known.status, problem.code, body, headers)


def _words(problem: LocalmemError | Refused, envelope: Envelope) -> str:
    if isinstance(problem, Refused):
        return problem.message
    hint = HINTS[envelope].get(problem.code, problem.hint)
    return problem.message if "`localmem" in hint else f"{problem.message} {hint}".strip()


def _body(code: str, message: str, details: Mapping[str, object], envelope: Envelope) -> Shape:
    whole = shapes.error(code, message, details=details)
    error: dict[str, Json] = {"code": whole["code"], "message": whole["message"]}
    if details:
        error["details"] = whole["details"]
    return error if envelope is Envelope.FLAT else {"error": error}
