"""What a server writes down of requests: ids, codes and times, never a word of anybody's."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

import pytest

from localmem.engine import Engine
from localmem.server.edge import JsonLines, write_log
from localmem.server.operations import OPERATIONS
from localmem.server.operations.operation import Route
from localmem.wire.requests import Place, places
from tests.server.conftest import Server
from tests.server.shop import SHOE, person

MARK = "zebraquartz"
FIELDS = {"at", "level", "event", "request", "method", "operation", "status", "code", "ms",
          "space", "key", "work", "kind", "trace"}  # fmt: skip


def lines(server: Server, caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """The log as a running server writes it."""
    for served in server.served:
        write_log(served)
    written = [JsonLines().format(record) for record in caplog.records if record.name != "httpx"]
    assert MARK not in "\n".join(written).lower()
    return [json.loads(line) for line in written]


async def mark_everywhere(server: Server, operation: Route, key: str) -> int:
    """Asks with the mark in the path, the query, the headers and the body; the status."""
    stand = places(operation.asks)
    path = re.sub(r"\{\w+\}", MARK, operation.path)
    query = {name: f"contact:{MARK}" for name, place in stand.items() if place is Place.QUERY}
    headers = {name: MARK for name, place in stand.items() if place is Place.HEADER}
    body = {name: MARK for name, place in stand.items() if place is Place.BODY}
    answer = await server.ask(
        operation.method, path, key=key, params=query, headers=headers, json=body or None
    )
    return answer.status_code


async def test_no_operation_writes_down_what_it_was_asked(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    token = server.new_token(MARK)
    asked = [
        await mark_everywhere(server, operation, key)
        for operation in OPERATIONS
        for key in (server.key, token, "", f"zv_live_{MARK}")
    ]
    assert len(asked) >= 4 * 18
    written = lines(server, caplog)
    named = {line["operation"] for line in written if line["event"] == "request"}
    assert named >= {operation.name for operation in OPERATIONS}
    assert {key for line in written for key in line} <= FIELDS


async def test_nor_what_it_kept_found_and_gave(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    scoped = {"scope": "contact", "contactId": MARK}
    kept = await server.remember(f"The code is {MARK}.", metadata={MARK: MARK}, **scoped)
    items = f"/v1/memory/collections/{MARK}/items"
    answers = [
        await server.get(f"/v1/memory/{kept}?scope=contact:{MARK}"),
        await server.get(f"/v1/memory?scope=contact:{MARK}&limit=1"),
        await server.post("/v1/memory/search", {"query": MARK, **scoped}),
        await server.put(f"{items}/{MARK}?scope=contact:{MARK}", {"value": {MARK: MARK}}),
        await server.get(f"{items}/{MARK}?scope=contact:{MARK}"),
        await server.get(f"{items}?scope=contact:{MARK}&prefix={MARK}"),
        await server.post(f"{items}/batch?scope=contact:{MARK}",
                          {"operations": [{"op": "set", "key": MARK, "value": MARK}]}),
        await server.get(f"/v1/memory/collections/{MARK}"),
        await server.delete(f"{items}/{MARK}?scope=contact:{MARK}"),
        await server.delete(f"/v1/memory?scope=contact:{MARK}"),
    ]  # fmt: skip
    assert [answer.status_code for answer in answers if answer.status_code >= 300] == []
    ana = await person(server, MARK)
    await ana.done("remember", **SHOE | {"quote": f"{MARK} eu calço 42"})
    await ana.done("list")
    await server.settled()
    written = lines(server, caplog)
    assert len(written) >= len(answers) + 3


async def test_nor_what_nobody_asked_for_in_order(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for path in (f"/{MARK}", f"/v1/memory/../{MARK}?{MARK}={MARK}", f"/v1/{MARK}"):
        await server.get(path)
    await server.ask(MARK.upper(), "/v1/memory")
    await server.get("/v1/memory", headers={"Host": f"{MARK}.test"})
    await server.get("/v1/memory", headers={"Cookie": MARK, "User-Agent": MARK, "Referer": MARK})
    await server.post("/v1/memory", content=MARK.encode())
    written = lines(server, caplog)
    assert len(written) >= 7


async def test_nor_what_a_mistake_of_its_own_choked_on(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)

    def broken(self: Engine, *_: object) -> None:
        raise ValueError(f"cannot do {MARK}")

    monkeypatch.setattr(Engine, "acting", broken)
    answer = await server.post("/v1/memory", {"text": MARK})
    assert answer.status_code == 500
    written = lines(server, caplog)
    fault = next(line for line in written if line["event"] == "fault")
    assert fault["kind"] == "ValueError" and any("test_log.py" in each for each in fault["trace"])
    assert fault["request"] == answer.headers["x-request-id"]
