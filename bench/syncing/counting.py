"""Counts requests inside a server's process, in front of its app; the same for all of them.

`GET /__tally` is answered here and not counted: the requests so far, and the seconds of the
processor that this process has spent. Only the standard library: it runs in peers' interpreters.
counting.mjs is the same for Node.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

PATH = "/__tally"
Message = MutableMapping[str, Any]


class Counter:
    def __init__(self) -> None:
        self._requests = 0
        self._lock = threading.Lock()

    def count(self) -> None:
        with self._lock:
            self._requests += 1

    def told(self) -> bytes:
        return json.dumps({"requests": self._requests, "cpu": time.process_time()}).encode()


class CountedWsgi:
    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        self._app = app
        self._counter = Counter()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ.get("PATH_INFO") != PATH:
            self._counter.count()
            return self._app(environ, start)
        body = self._counter.told()
        start("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]


class CountedAsgi:
    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self._app = app
        self._counter = Counter()

    async def __call__(
        self,
        scope: Message,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        if scope["type"] != "http" or scope["path"] != PATH:
            if scope["type"] == "http":
                self._counter.count()
            await self._app(scope, receive, send)
            return
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": self._counter.told()})
