"""`HttpRemote`: a `sync.messages.Remote` that is really there, at the other end of HTTP.

Works with a server that has the documented memory API alone, and with our own and what that has
beside it. Never raises for what a network or a server does, and never tells the key: not in a
repr, a message or a log.
"""

from __future__ import annotations

from collections.abc import Callable

import httpx

from localmem.core.model import Millis
from localmem.core.ports import Clock
from sync.http_remote import answering, asking, faults, identifying, probing
from sync.http_remote.asking import Unsendable
from sync.http_remote.exchange import Came, Exchange
from sync.http_remote.probing import Probed
from sync.messages import (
    DOCUMENTED,
    Capabilities,
    Identify,
    Identity,
    Refusal,
    Refused,
    Reply,
    Request,
)


class HttpRemote:
    """One account on one server. Threads: one at a time."""

    __slots__ = ("_can", "_documented", "_exchange", "_jitter")

    def __init__(
        self,
        url: str,
        key: str,
        *,
        sleep: Callable[[float], None],
        now: Clock,
        jitter: Callable[[], float],
        client: httpx.Client | None = None,
        probed: Capabilities = DOCUMENTED,
    ) -> None:
        """Raises InvalidSettings for an address or a key that cannot be used.

        `sleep` waits between tries and may raise to end the request; `jitter` is a chance in
        0 … 1. A `client` of one's own is not closed. `probed`: what `probe` found here before,
        for a server that does not say what it can.
        """
        self._exchange = Exchange(url, key, client=client, sleep=sleep, now=now, jitter=jitter)
        self._jitter = jitter
        self._documented = probed
        self._can = probed

    def __repr__(self) -> str:
        return f"<HttpRemote of {self._exchange.host}>"

    def ask(self, request: Request, *, epoch: str | None) -> Reply:
        """Never raises for anything a network or a server can do; what `sleep` raises."""
        if isinstance(request, Identify):
            return self._identify(epoch)
        try:
            asked = asking.asked(request, self._can)
        except (ValueError, RecursionError) as problem:
            return _unsendable(problem)
        came = self._exchange.send(asked, epoch)
        if not isinstance(came, Came):
            return came
        return answering.answer(request, came, self._exchange, epoch)

    def probe(self) -> Probed:
        """Finds out what a server can that does not say it; see `probing`. For our own: it says."""
        if self._can.epoch:
            return self._can
        found = probing.probe(self._exchange, self._jitter)
        if isinstance(found, Capabilities):
            self._can = self._documented = found
        return found

    def clock_offset(self) -> Millis | None:
        return self._exchange.clock_offset()

    def requests(self) -> int:
        return self._exchange.sent

    def close(self) -> None:
        self._exchange.close()

    def _identify(self, epoch: str | None) -> Reply:
        reply = identifying.identify(self._exchange, self._documented, epoch)
        if isinstance(reply, Identity):
            self._can = reply.can
        return reply


def _unsendable(problem: Exception) -> Refusal:
    why = str(problem) if isinstance(problem, Unsendable) else "It is nothing that JSON can hold."
    return Refusal(Refused.INVALID, faults.UNSENDABLE, f"This cannot be sent. {why}")
