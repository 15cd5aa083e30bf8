"""HTTP/1.1 with patience that ends: uvicorn's own protocol waits for ever for three things.

A head that never comes to its end, a reader that never reads, and the last bytes for one that went
to sleep: each would keep a connection, and all connections together keep everybody out. One more
than there may be is refused before it asks, so that files can still be opened. What is no HTTP is
told so in the words that every other refusal has.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import h11
from starlette.responses import JSONResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

from localmem.errors import InvalidInput
from localmem.server.errors import Refused, refusal

HEAD_SECONDS = 20
"""From a connection's beginning, or a next request's first byte, to the end of its head; and for
the rest of a body whose request is answered."""
MOST_CONNECTIONS = 512
"""With the files of the open libraries, fewer than the 1,024 that a process may have open."""
READ_SECONDS = 60
READ_STEP = 16 * 1024
"""Bytes that a client takes at least in that time of what is sent to it."""


class PatientProtocol(H11Protocol):
    """One connection."""

    head_seconds: float = HEAD_SECONDS
    read_seconds: float = READ_SECONDS
    most_connections: int = MOST_CONNECTIONS

    _owed: asyncio.TimerHandle | None = None
    """Runs while the client owes us bytes."""
    _reading: asyncio.TimerHandle | None = None
    """Runs while the client has not read everything."""

    def __init__(self, *given: Any, turned_away: Callable[[str], None], **more: Any) -> None:
        super().__init__(*given, **more)
        self._turned_away = turned_away

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(1)  # told as soon as anything is unread; TLS errs at 0
        if len(self.connections) > self.most_connections:
            self._turned_away(_too_many().code)
            self._refuse(_too_many())
        else:
            self._await_bytes()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.our_state in (h11.IDLE, h11.DONE):
            self._await_bytes()
        else:
            _stop(self._owed)
            self._owed = None

    def connection_lost(self, exc: Exception | None) -> None:
        _stop(self._owed)
        _stop(self._reading)
        self._owed = self._reading = None
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_reader()

    def resume_writing(self) -> None:
        _stop(self._reading)
        self._reading = None
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP: nobody knows whose request it is."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.abort()  # its reply is on its way, or was sent
            return
        if self.cycle is not None:  # whoever reads the body need not go on
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self._refuse(InvalidInput("This is not HTTP, or its head is too long."))

    def _refuse(self, problem: InvalidInput | Refused) -> None:
        """The last words on this connection."""
        told = refusal(problem)
        reply = JSONResponse(told.body, told.status, {**told.headers, "Connection": "close"})
        head = h11.Response(status_code=reply.status_code, headers=reply.raw_headers)
        for event in (head, h11.Data(data=bytes(reply.body)), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _await_bytes(self) -> None:
        if self._owed is None:
            self._owed = self.loop.call_later(self.head_seconds, self.transport.abort)

    def _await_reader(self) -> None:
        unread = self.transport.get_write_buffer_size()
        self._reading = self.loop.call_later(self.read_seconds, self._look_at_reader, unread)

    def _look_at_reader(self, before: int) -> None:
        if before - self.transport.get_write_buffer_size() < READ_STEP:
            self.transport.abort()
        else:
            self._await_reader()


def _too_many() -> Refused:
    return Refused(
        "too_many_connections",
        "There are too many connections. Try again in a second.",
        headers={"Retry-After": "1"},
    )


def _stop(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
