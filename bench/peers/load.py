"""Clients of a server, in a process of their own: asked by lines of JSON, answered by lines.

    {"base": URL, "headers": {...}, "clients": 8, "requests": [[method, path, body], ...]}

Each client takes the next request as soon as it has its answer. The answer has `each`, seconds of
each request on the wall, `wall` of all of them, and `statuses`, how often each came.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from typing import Any

import httpx


async def run(asked: dict[str, Any]) -> dict[str, Any]:
    waiting = iter(asked["requests"])
    each: list[float] = []
    statuses: Counter[int] = Counter()
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=asked["clients"])
    async with httpx.AsyncClient(
        base_url=asked["base"], headers=asked["headers"], timeout=60, limits=limits
    ) as client:

        async def one() -> None:
            for method, path, body in waiting:
                started = time.perf_counter()
                answer = await client.request(method, path, json=body)
                each.append(time.perf_counter() - started)
                statuses[answer.status_code] += 1

        started = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(asked["clients"])))
        wall = time.perf_counter() - started
    return {"each": each, "wall": wall, "statuses": dict(statuses)}


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(json.dumps(asyncio.run(run(json.loads(line)))) + "\n")
        sys.stdout.flush()
