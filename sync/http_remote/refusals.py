"""What a refusal means for the sync (sync.md 2.11), by its status and its code.

A refusal counts where a memory API made it: a page of a hotel's network is none, and neither is a
404 that says nothing of what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from localmem.core.model import Millis
from localmem.wire.remote import Fault
from sync.http_remote import exchange, words
from sync.http_remote.exchange import Came, Exchange
from sync.messages import Refusal, Refused

LONGEST_WAIT = 3600.0
"""Seconds; whoever says more is asked again all the same."""

_OF_THE_RECORD = (
    "memory_source_not_person",
    "memory_inference_blocked",
    "memory_rejected",
    "secret_rejected",
    "memory_value_invalid",
)
"""Refusals with 403 that a person mends in the record, not by signing in."""
_REUSED = ("idempotency_conflict", "idempotency_key_reused", "idempotency_mismatch")
_QUOTA, _FULL = "memory_limit_exceeded", "memory_scope_full"

_BY_STATUS: Mapping[int, Refused] = {
    401: Refused.SIGNED_OUT,
    402: Refused.QUOTA,
    403: Refused.SIGNED_OUT,
    409: Refused.STALE,
    412: Refused.STALE,
    413: Refused.TOO_LARGE,
    429: Refused.BUSY,
    503: Refused.BUSY,
}
"""Every other refusal is INVALID."""
_BY_CODE: Mapping[int, Mapping[str, Refused]] = {
    403: {_QUOTA: Refused.QUOTA} | dict.fromkeys(_OF_THE_RECORD, Refused.INVALID),
    409: dict.fromkeys(_REUSED, Refused.REUSED),
    410: {"memory_forgotten": Refused.FORGOTTEN},
    422: dict.fromkeys(_REUSED, Refused.REUSED),
    429: {_QUOTA: Refused.QUOTA, _FULL: Refused.SCOPE_FULL},
}
"""Where the code says more than the status."""

_OF_STEPS: Mapping[str, int] = {
    "revision_conflict": 409,
    "precondition_failed": 412,
    "item_exists": 409,
    "item_not_found": 412,
    "collection_not_found": 412,
    "idempotency_conflict": 409,
    "memory_forgotten": 410,
    "document_too_large": 413,
    _QUOTA: 429,
    _FULL: 429,
    "rate_limited": 429,
    "unauthorized": 401,
    "forbidden": 403,
    "memory_unavailable": 503,
    "server_error": 503,
    "internal_error": 503,
    "cancelled": 503,
}
"""A step of a batch has a code and no status of its own."""
_SECONDS = re.compile(r"[0-9]{1,30}(\.[0-9]{1,9})?")
_STORE = "store_"
"""What every code about the server's own library begins with."""

_SENTENCES: Mapping[Refused, str] = {
    Refused.STALE: "It was changed on the server meanwhile.",
    Refused.FORGOTTEN: "It was kept on the server, and forgotten there since.",
    Refused.REUSED: "The server has done something else under this request's name.",
    Refused.INVALID: "The server does not take this as it is.",
    Refused.TOO_LARGE: "This is too large for the server.",
    Refused.SCOPE_FULL: "The server takes no more facts in this scope until some are forgotten.",
    Refused.QUOTA: "The account's limit is reached; nothing more is written there for now.",
    Refused.SIGNED_OUT: "The server does not let this key in, or not for this.",
    Refused.BUSY: "The server says to come back later.",
}


def meaning(status: int, code: str) -> Refused:
    """Total over what is no success."""
    return _BY_CODE.get(status, {}).get(code) or _BY_STATUS.get(status, Refused.INVALID)


def refusal(came: Came, fault: Fault | None, to: Exchange) -> Refusal:
    """Of a whole request."""
    told = fault or Fault("", "")
    why = meaning(came.status, told.code)
    waits = why in (Refused.BUSY, Refused.QUOTA, Refused.SCOPE_FULL)
    wait = retry_after(came, to.now()) if waits else None
    return _refusal(why, told, f"http_{came.status}", to, wait)


def of_step(fault: Fault, to: Exchange, *, deletes: bool = False) -> Refusal:
    """Of one operation of a batch. Nothing is invalid about a delete: it is asked again."""
    otherwise = 503 if deletes or fault.code.startswith(_STORE) else 400
    status = _OF_STEPS.get(fault.code, otherwise)
    return _refusal(meaning(status, fault.code), fault, "refused", to, None)


def _refusal(
    why: Refused, fault: Fault, otherwise: str, to: Exchange, wait: float | None
) -> Refusal:
    said = to.printable(fault.message)
    code = words.code(to.printable(fault.code), otherwise)
    return Refusal(why, code, _SENTENCES[why] + words.quoted(said), wait, fault.rev)


def retry_after(came: Came, now: Millis) -> float | None:
    """Seconds to wait, at most an hour; None where it says nothing that can be read.

    A date counts against the server's own clock, which may be another one than ours.
    """
    text = came.headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(text):
        return min(float(text), LONGEST_WAIT)
    at = exchange.http_date(text)
    if at is None:
        return None
    seconds = (at - (exchange.date(came.headers) or now)) / 1000
    return min(max(seconds, 0.0), LONGEST_WAIT)
