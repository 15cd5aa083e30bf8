"""Sessions: opened, listed, used and closed by whoever opened them, and over after a day."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest

from localmem.hosting.sessions import LASTS, MOST_OPEN, Sessions
from localmem.store.hosting.database import open_hosting
from tests.server.conftest import OpenServer, Server
from tests.server.shop import Caller, caller, open_session, person, refusal, shop_key

ASKED: dict[str, Any] = {"servers": ["codespar", "zoop"], "user_id": "person_ana"}


async def test_a_session_is_opened_as_it_was_asked_for(server: Server) -> None:
    key = shop_key(server)
    opened = await server.post("/v1/sessions", {**ASKED, "mocks": {}}, key=key)
    assert opened.status_code == 201
    body = opened.json()
    assert body["id"].startswith("ses_") and body["status"] == "active"
    assert (body["servers"], body["user_id"]) == (ASKED["servers"], "person_ana")
    assert body["created_at"] == "2026-11-30T18:00:00.000Z"
    assert body["org_id"] == body["project_id"] != ""
    read = await server.get(f"/v1/sessions/{body['id']}", key=key)
    assert (read.status_code, read.json()) == (200, body)


async def test_a_session_lists_its_servers_and_the_tools(server: Server) -> None:
    opened = await caller(server, shop_key(server))
    answer = await open_session(server, opened.credential, servers=["zoop", "zoop"])
    path = f"/v1/sessions/{answer.json()['id']}/connections"
    listed = (await server.get(path, key=opened.credential)).json()
    assert [(each["id"], each["connected"]) for each in listed["servers"]] == [
        ("codespar", True),
        ("zoop", False),
    ]
    assert [each["name"] for each in listed["tools"]] == ["codespar_memory", "codespar_shop"]
    for tool in listed["tools"]:
        assert tool["server"] == "codespar" and tool["description"]
        assert "action" in tool["input_schema"]["properties"]


async def test_a_closed_session_is_gone(server: Server) -> None:
    ana = await person(server, "Ana")
    path = f"/v1/sessions/{ana.session}"
    closed = await server.delete(path, key=ana.credential)
    assert (closed.status_code, closed.content) == (204, b"")
    assert refusal(await server.delete(path, key=ana.credential)) == (404, "session_not_found")
    assert await ana.refused("list") == (404, "session_not_found")


async def test_a_session_is_over_after_a_day_and_leaves_no_row(server: Server) -> None:
    ana = await person(server, "Ana")
    server.clock.advance(LASTS / 1000 - 1)
    await ana.done("list")
    server.clock.advance(1)
    assert await ana.refused("list") == (404, "session_not_found")
    await person(server, "Bruno")
    with closing(open_hosting(server.folder / "server.db")) as store:
        assert store.sessions.get(ana.session, _owner(server, "Ana"), 0) is None


async def test_sessions_outlive_a_restart(open_server: OpenServer) -> None:
    server = await open_server()
    ana = await person(server, "Ana")
    again = await open_server()
    assert await Caller(again, ana.credential, ana.session).values() == {}


async def test_nobody_elses_session_is_there(server: Server) -> None:
    ana, bruno = await person(server, "Ana"), await person(server, "Bruno")
    key = await caller(server, shop_key(server))
    others = [ana.credential, bruno.credential, key.credential,
              shop_key(server), shop_key(server, mode="test")]  # fmt: skip
    tried = 0
    for held in (ana, bruno, key):
        for credential in others:
            if credential == held.credential:
                continue
            for method, end, body in (
                ("GET", "", None),
                ("GET", "/connections", None),
                ("POST", "/execute", {"tool": "codespar_memory", "input": {"action": "list"}}),
                ("DELETE", "", None),
            ):
                foreign, missing = [
                    await server.ask(method, f"/v1/sessions/{id}{end}", json=body, key=credential)
                    for id in (held.session, f"ses_{'A' * 24}")
                ]
                assert refusal(foreign) == (404, "session_not_found")
                assert foreign.content == missing.content
                tried += 1
    assert tried == 3 * 4 * 4
    for held in (ana, bruno, key):
        path = f"/v1/sessions/{held.session}"
        assert (await server.get(path, key=held.credential)).status_code == 200


async def test_one_more_than_the_most_closes_the_oldest_of_that_owner_alone(
    server: Server,
) -> None:
    ana, bruno = await person(server, "Ana"), await person(server, "Bruno")
    owner = _owner(server, "Ana")
    with closing(open_hosting(server.folder / "server.db")) as store, store.writing():
        for _ in range(MOST_OPEN - 1):
            server.clock.advance(0.001)
            Sessions(store, server.clock).open(owner, "ana", ("codespar",))
    await ana.done("list")
    server.clock.advance(1)
    assert (await open_session(server, ana.credential)).status_code == 201
    assert await ana.refused("list") == (404, "session_not_found")
    await bruno.done("list")


async def test_a_tool_there_is_none_of_is_said_and_is_no_refusal(server: Server) -> None:
    for who in (await person(server, "Ana"), await caller(server, shop_key(server))):
        answer = await who.execute("codespar_pay", {"amount": 3})
        assert answer.status_code == 200
        body = answer.json()
        assert (body["success"], body["data"]) == (False, None)
        assert body["error"] == "Tool not registered: codespar_pay"


async def test_a_call_answers_with_what_the_sdk_reads(server: Server) -> None:
    ana = await person(server, "Ana")
    body = (await ana.memory("list")).json()
    assert set(body) == {"success", "data", "error", "duration", "server", "tool",
                         "tool_call_id", "called_at"}  # fmt: skip
    assert (body["tool"], body["server"]) == ("codespar_memory", "codespar")
    assert body["called_at"] == "2026-11-30T18:00:00.000Z"
    assert isinstance(body["duration"], int) and body["tool_call_id"].startswith("tc_")


WRONG: dict[str, tuple[str, Any, str]] = {
    # what: the path's end, the body (bytes are sent as they are), the field it names
    "no servers": ("", {"user_id": "a"}, "servers"),
    "an empty list": ("", ASKED | {"servers": []}, "servers"),
    "too many servers": ("", ASKED | {"servers": ["s"] * 21}, "servers"),
    "a server with no name": ("", ASKED | {"servers": [""]}, "servers.0"),
    "no user": ("", {"servers": ["codespar"]}, "user_id"),
    "an endless user": ("", ASKED | {"user_id": "u" * 129}, "user_id"),
    "mocks": ("", ASKED | {"mocks": {"asaas/create_payment": {}}}, "mocks"),
    "an unknown field": ("", ASKED | {"user": "a"}, "user"),
    "broken JSON": ("", b'{"servers": ', "body"),
    "no tool": ("/ID/execute", {"input": {}}, "tool"),
    "an empty tool": ("/ID/execute", {"tool": ""}, "tool"),
    "input is a list": ("/ID/execute", {"tool": "codespar_memory", "input": []}, "input"),
    "deep input": ("/ID/execute", b'{"tool": "x", "input": ' + b"[" * 60_000, "body"),
    "2 MB": ("/ID/execute", b'{"tool": "' + b"x" * 2_000_000 + b'"}', "body"),
}


@pytest.mark.parametrize("what", WRONG)
async def test_a_wrong_request_names_its_field(server: Server, what: str) -> None:
    end, body, field = WRONG[what]
    opened = await caller(server, shop_key(server))
    answer = await server.client.post(
        f"/v1/sessions{end.replace('ID', opened.session)}",
        content=body if isinstance(body, bytes) else json.dumps(body),
        headers={
            "Authorization": f"Bearer {opened.credential}",
            "Content-Type": "application/json",
        },
    )
    status, code = refusal(answer)
    assert (status, code) in ((400, "invalid_request"), (400, "document_too_deep"))
    assert answer.json()["error"]["details"]["field"] == field


async def test_every_session_route_asks_who_calls(server: Server) -> None:
    ana = await person(server, "Ana")
    path = f"/v1/sessions/{ana.session}"
    for method, at in (("POST", "/v1/sessions"), ("GET", path), ("DELETE", path),
                       ("GET", f"{path}/connections"), ("POST", f"{path}/execute")):  # fmt: skip
        for key in ("", "csk_live_" + "A" * 40, "cps_" + "A" * 40):
            answer = await server.ask(method, at, key=key)
            assert refusal(answer) == (401, "unauthorized")
            assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_a_persons_requests_are_counted_for_that_person(open_server: OpenServer) -> None:
    server = await open_server(rate=3)
    ana, bruno = await person(server, "Ana"), await person(server, "Bruno")
    await ana.done("list")
    last = await ana.memory("list")
    assert last.headers["x-ratelimit-remaining"] == "0"
    over = await ana.memory("list")
    assert refusal(over) == (429, "rate_limited")
    assert int(over.headers["retry-after"]) >= 1
    await bruno.done("list")


def _owner(server: Server, name: str) -> str:
    return next(
        who.id for who in server.manage(lambda issuing: issuing.people()) if who.name == name
    )
