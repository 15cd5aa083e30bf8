"""A request's path, query, headers and body as the values of an operation's input model.

Refuses a field in a place it does not stand in, a query parameter given twice, and a body where
none is read: a scope sent in the wrong place would otherwise be passed over, and the project be
wiped instead of a contact.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from fastapi import Request as HttpRequest
from starlette.requests import ClientDisconnect

from localmem.core import json_text
from localmem.core.model import Json
from localmem.errors import DocumentTooLarge, InvalidInput
from localmem.server.edge import MOST_DISCARDED, declared
from localmem.server.operations.operation import Route
from localmem.wire.memory_api import ID_FIELDS
from localmem.wire.requests import Place, Request, places, read, unknown

BODY_SECONDS = 30
"""How long a client may take to send a body."""


async def asked(request: HttpRequest, operation: Route) -> Request:
    """What the request asks of the operation. Raises InvalidInput and its kin."""
    stand = places(operation.asks)
    values: dict[str, object] = {
        **request.path_params,
        **_query(request, [name for name, place in stand.items() if place is Place.QUERY]),
        **_headers(request, [name for name, place in stand.items() if place is Place.HEADER]),
        **await _body(request, operation, [n for n, p in stand.items() if p is Place.BODY]),
    }
    return read(operation.asks, values)


def _query(request: HttpRequest, known: list[str]) -> Mapping[str, object]:
    values: dict[str, object] = {}
    for name, value in request.query_params.multi_items():
        if name not in known:
            raise _not_in_query(name, known)
        if name in values:
            raise InvalidInput(
                f"{name} is given twice in the query string.", details={"field": name}
            )
        values[name] = value
    return values


def _not_in_query(name: str, known: list[str]) -> InvalidInput:
    problem = unknown(name, known, "the query string")
    kind = next((kind for kind, field in ID_FIELDS.items() if field == name), None)
    if kind is not None and "scope" in known:
        problem.hint = f"Send scope={kind}:<id>; {name} stands in a body alone."
    return problem


def _headers(request: HttpRequest, known: list[str]) -> Mapping[str, object]:
    values: dict[str, object] = {}
    for name in known:
        given = request.headers.getlist(name)
        if len(given) > 1:
            raise InvalidInput(f"The header {name} is given twice.", details={"field": name})
        if given:
            values[name] = given[0]
    return values


async def _body(request: HttpRequest, operation: Route, known: list[str]) -> Mapping[str, object]:
    raw = await _bytes(request, operation)
    if not known:
        if raw:
            raise InvalidInput(
                "This request takes no body.",
                hint="Its scope stands in the query string: ?scope=contact:<id>.",
                details={"field": "body"},
            )
        return {}
    _check_type(request)
    value = _parsed(raw)
    if not isinstance(value, dict):
        raise InvalidInput("The body must be a JSON object.", details={"field": "body"})
    for name in value:
        if name not in known:
            raise unknown(name, known, "the body")
    return dict(value)


async def _bytes(request: HttpRequest, operation: Route) -> bytes:
    """The body, up to the operation's limit.

    What is beyond is read and thrown away, as far as `MOST_DISCARDED`: a client that is cut off
    while it sends never sees the answer.
    """
    parts: list[bytes] = []
    length = declared(request.headers)
    if length <= MOST_DISCARDED:
        length = 0
        try:
            async with asyncio.timeout(BODY_SECONDS):
                async for part in request.stream():
                    length += len(part)
                    if length <= operation.most_bytes:
                        parts.append(part)
                    if length > MOST_DISCARDED:
                        break
        except TimeoutError:
            raise InvalidInput(
                f"The body did not arrive within {BODY_SECONDS} seconds.",
                details={"field": "body"},
            ) from None
        except ClientDisconnect:
            raise InvalidInput("The body was not sent to its end.") from None
    if length > operation.most_bytes:
        raise _too_large(operation)
    return b"".join(parts)


def _too_large(operation: Route) -> InvalidInput:
    kind = DocumentTooLarge if operation.too_large == DocumentTooLarge.code else InvalidInput
    return kind(
        f"The body is larger than {operation.most_bytes:,} bytes.",
        details={"field": "body", "limit": operation.most_bytes},
    )


def _check_type(request: HttpRequest) -> None:
    said = request.headers.get("content-type", "application/json").partition(";")[0].strip()
    if said.lower() != "application/json" and not said.lower().endswith("+json"):
        raise InvalidInput(
            "The body must be JSON.",
            hint="Send it with Content-Type: application/json.",
            details={"field": "body"},
        )


def _parsed(raw: bytes) -> Json:
    """Raises InvalidInput, DocumentTooDeep."""
    try:
        return json_text.parse(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InvalidInput("The body is not UTF-8.", details={"field": "body"}) from None
    except InvalidInput as problem:
        if problem.details.get("field") == "value":
            problem.details["field"] = "body"
        raise
