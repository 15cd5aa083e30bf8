"""Around every request: its id, the host it was sent to, the last line of defence, one log line.

Pure ASGI, so that a reply of any kind passes it. Logs hold ids, codes and times, never a query
string, a body, a key or a scope. Refuses a host name this server does not answer for: a page in a
browser could otherwise reach it by a name of its own (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import time
import traceback
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from localmem.server.errors import Refused, refusal

MOST_DISCARDED = 16 * 1024 * 1024
"""Bytes of a body nobody wants that are still read; a longer one ends the connection."""
REST_SECONDS = 20
"""How long a client may take to send it, where the connection ends with the reply."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD = "other"
"""A word of the client's own, which is not written down."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_PORT = re.compile(r":[0-9]{1,5}$")

log = logging.getLogger("localmem.server")


@dataclass(frozen=True, slots=True)
class Served:
    """One request that was answered, for the log and the metrics."""

    request: str
    method: str
    operation: str
    """Its name; "" for what is no operation."""
    status: int
    code: str
    """Of its refusal; "" for none."""
    seconds: float
    space: str
    key: str
    """Public prefix; "" when nobody was let in."""


Observer = Callable[[Served], None]


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Edge:
    """The whole app seen from outside."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        addresses: bool = False,
        observers: Sequence[Observer],
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`hosts` are the names it answers to, without a port; `addresses` answers to every address
        too, which no page in a browser can make its own."""
        self._app = app
        self._hosts = frozenset(each.lower() for each in hosts)
        self._addresses = addresses
        self._observers = observers
        self._timer = timer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = self._timer()
        headers = Headers(scope=scope)
        said = headers.get("x-request-id", "")
        request = said if _REQUEST_ID.fullmatch(said) else f"req_{secrets.token_hex(12)}"
        state = scope.setdefault("state", {})
        status = 0
        unread = "transfer-encoding" in headers or declared(headers) > MOST_DISCARDED
        coming = unread or declared(headers) > 0
        last = _is_last(scope, headers)

        async def received() -> Message:
            nonlocal unread, coming
            message = await receive()
            coming = coming and bool(message.get("more_body"))
            unread = unread and coming
            return message

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if coming and last and declared(headers) <= MOST_DISCARDED:
                    await _read_out(received)
                MutableHeaders(scope=message)["X-Request-Id"] = request
                if unread:
                    MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        try:
            if self._foreign(headers):
                await _refuse(scope, received, answer, _foreign_host())
            else:
                await self._app(scope, received, answer)
        except Exception as fault:  # noqa: BLE001  the last line of defence: a sentence, no trace
            _log_fault(request, fault)
            if status == 0:
                await _refuse(scope, received, answer, server_error())
        finally:
            served = Served(
                request,
                scope["method"] if scope["method"] in METHODS else OTHER_METHOD,
                state.get("operation", ""),
                status,
                state.get("code", ""),
                self._timer() - started,
                state.get("space", ""),
                state.get("key", ""),
            )
            for observe in self._observers:
                observe(served)

    def _foreign(self, headers: Headers) -> bool:
        named = headers.getlist("host")
        if len(named) != 1:
            return True
        host = _PORT.sub("", named[0].lower())
        return host not in self._hosts and not (self._addresses and _is_address(host))


def _is_address(host: str) -> bool:
    """As it stands in the header Host."""
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        return (":" in bare) == (bare != host) and bool(ip_address(bare))
    except ValueError:
        return False


def declared(headers: Headers) -> int:
    """Bytes the body has as its header says; 0 when it says nothing."""
    said = headers.get("content-length", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 20 else 0


def _is_last(scope: Scope, headers: Headers) -> bool:
    """Whether the connection ends with the reply while the client sends on, unasked."""
    if "expect" in headers:
        return False
    asked = scope["http_version"] == "1.0" or "close" in headers.get("connection", "").lower()
    return asked or "transfer-encoding" in headers


async def _read_out(receive: Receive) -> None:
    """Throw away the body of a request that is refused: a client that is cut off while it sends
    never sees the answer."""
    length, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(REST_SECONDS):
            while more and length <= MOST_DISCARDED:
                message = await receive()
                length += len(message.get("body", b""))
                more = bool(message.get("more_body"))


async def _refuse(scope: Scope, receive: Receive, send: Send, problem: Refused) -> None:
    told = refusal(problem)
    scope["state"]["code"] = told.code
    known = scope["state"].get("told", {})  # once somebody was let in
    reply = JSONResponse(told.body, told.status, {**known, **told.headers})
    await reply(scope, receive, send)


def _foreign_host() -> Refused:
    return Refused("invalid_host", "This server does not answer to that name.")


def server_error() -> Refused:
    return Refused(
        "server_error",
        "The server made a mistake of its own; its log has it under the X-Request-Id of this "
        "reply.",
    )


def _log_fault(request: str, fault: Exception) -> None:
    log.error("fault", extra={"request": request, "kind": type(fault).__name__}, exc_info=fault)


def write_log(served: Served) -> None:
    """One line a request."""
    log.info("request", extra={"served": served})


class JsonLines(logging.Formatter):
    """A line of JSON each: `{at, level, event, …}`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        for name in ("request", "work", "code", "kind", "version", "library", "hint"):
            if hasattr(record, name):
                line[name] = getattr(record, name)
        served = getattr(record, "served", None)
        if isinstance(served, Served):
            line |= {
                "request": served.request,
                "method": served.method,
                "operation": served.operation,
                "status": served.status,
                "code": served.code,
                "ms": round(served.seconds * 1000, 1),
                "space": served.space,
                "key": served.key,
            }
        if record.exc_info:
            # Where it was, never what it said: an exception may repeat what it choked on.
            frames = traceback.extract_tb(record.exc_info[2])
            line["trace"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(line)
