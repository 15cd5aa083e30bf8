"""Who is let in and to what: credentials, rights, authors, rates, hosts, request ids."""

from __future__ import annotations

import json
import logging

import pytest

from localmem.core.hosting import ALPHABET, KeyKind
from localmem.server.edge import JsonLines, write_log
from tests.server.conftest import OpenServer, Server

CAT = {"text": "Has two cats."}


async def refused_key(server: Server, key: str) -> str:
    answer = await server.get("/v1/memory", key=key)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert "memory-epoch" not in answer.headers
    return answer.text


async def test_every_credential_that_does_not_open_is_told_the_same(server: Server) -> None:
    known = server.key
    last = known[-1]
    wrong_end = known[:-1] + next(letter for letter in ALPHABET if letter != last)
    expiring, revoked = server.new_key("expiring", days=1), server.new_key("revoked")
    assert (await server.get("/v1/me", key=expiring)).status_code == 200
    server.manage(lambda issuing: issuing.revoke_key(revoked))
    server.clock.advance(86_400)
    credentials = ["", "x", wrong_end, known[:16], known + "a", expiring, revoked,
                   "zv_live_" + "A" * 40, "cps_" + "A" * 40, "a" * 10_000]  # fmt: skip
    assert len({await refused_key(server, each) for each in credentials}) == 1
    assert json.loads(await refused_key(server, ""))["code"] == "unauthorized"


async def test_a_revoked_token_is_not_called_a_key(server: Server) -> None:
    token = server.new_token("Ana")
    server.manage(lambda issuing: issuing.revoke_token(token))
    answer = await server.post("/v1/sessions", {"servers": [], "user_id": "ana"}, key=token)
    assert answer.status_code == 401
    assert answer.json()["error"]["message"].startswith("A valid key or token is needed")


async def test_a_revoked_key_is_refused_at_the_next_request(server: Server) -> None:
    key = server.new_key()
    assert (await server.get("/v1/memory", key=key)).status_code == 200
    server.manage(lambda issuing: issuing.revoke_key(key[:16]))
    await refused_key(server, key)


@pytest.mark.parametrize(
    "headers",
    [
        [("Authorization", "Bearer KEY"), ("X-API-Key", "KEY")],
        [("Authorization", "Bearer KEY"), ("Authorization", "Bearer KEY")],
    ],
)
async def test_two_credentials_are_refused(server: Server, headers: list[tuple[str, str]]) -> None:
    sent = [(name, value.replace("KEY", server.key)) for name, value in headers]
    answer = await server.client.get("/v1/memory", headers=sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


@pytest.mark.parametrize("scheme", ["Basic", "Token", ""])
async def test_only_a_bearer_is_a_credential(server: Server, scheme: str) -> None:
    sent = {"Authorization": f"{scheme} {server.key}".strip()}
    assert (await server.client.get("/v1/memory", headers=sent)).status_code == 401


RIGHTS = {
    ("POST", "/v1/memory"): "memory:write",
    ("GET", "/v1/memory"): "memory:read",
    ("DELETE", "/v1/memory"): "memory:delete",
    ("POST", "/v1/memory/search"): "memory:read",
    ("GET", "/v1/memory/{id}"): "memory:read",
    ("DELETE", "/v1/memory/{id}"): "memory:delete",
}


@pytest.mark.parametrize("held", ["memory:read", "memory:write", "memory:delete"])
async def test_a_key_does_what_its_rights_allow_and_nothing_else(server: Server, held: str) -> None:
    key = server.new_key(rights=[held])
    for (method, path), needed in RIGHTS.items():
        id = await server.remember(f"For {method} {path}.")
        answer = await server.ask(method, path.replace("{id}", id), key=key)
        if needed == held:
            assert answer.status_code not in (401, 403)
            continue
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        assert answer.json()["details"] == {"required": needed}
        await server.settled()
        assert f"For {method} {path}." in await server.texts()


async def test_keys_of_a_shop_and_tokens_of_people_open_no_memory(server: Server) -> None:
    for key in (server.new_key(kind=KeyKind.SHOP), server.new_token("Ana")):
        answer = await server.get("/v1/memory", key=key)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


async def author_of(server: Server, key: str, headers: dict[str, str]) -> str:
    text = f"Kept with {len(headers)} headers by {key[-6:]}."
    answer = await server.post("/v1/memory", {"text": text}, key=key, headers=headers)
    assert answer.status_code == 201
    partition = await server.services.control.run(lambda store: store.access.partitions()[0])
    async with server.services.spaces.using(server.services.spaces.file(partition)) as space:
        (deed,) = await space.engine.read(lambda engine: engine.activity.window(limit=1))
    return f"{deed.by.kind} {deed.by.name} {deed.by.origin}"


async def test_the_author_follows_from_the_key_and_an_agent_stays_one(server: Server) -> None:
    shop, agent = server.new_key("shop"), server.new_key("Rita", kind=KeyKind.AGENT)
    assert await author_of(server, shop, {}) == "backend shop http"
    assert await author_of(server, shop, {"X-Zavu-Actor": "agent"}) == "agent shop http"
    assert await author_of(server, agent, {}) == "agent Rita http"
    assert await author_of(server, agent, {"X-Zavu-Actor": "person"}) == "agent Rita http"
    answer = await server.post("/v1/memory", CAT, headers={"X-Zavu-Actor": "root"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


async def test_me_says_whose_key_it_is_and_in_which_mode(server: Server) -> None:
    live = (await server.get("/v1/me")).json()
    test = (await server.get("/v1/me", key=server.new_key(mode="test"))).json()
    assert (live["isTestMode"], test["isTestMode"]) == (False, True)
    assert live["project"] == test["project"]
    assert live["project"]["name"] == "home" and live["project"]["isSubAccount"] is False


async def test_the_rate_is_told_on_every_reply_and_refuses_until_the_minute_is_over(
    open_server: OpenServer,
) -> None:
    server = await open_server(rate=3)
    server.key = server.new_key()
    remaining = []
    for _ in range(3):
        answer = await server.get("/v1/memory/nope")
        remaining.append(answer.headers["x-ratelimit-remaining"])
    assert remaining == ["2", "1", "0"]
    refused = await server.post("/v1/memory", CAT)
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    reset = int(refused.headers["x-ratelimit-reset"])
    assert refused.json()["details"] == {"retryAfter": reset}
    assert reset - server.clock() == 60_000 and refused.headers["retry-after"] == "60"
    assert "x-should-retry" not in refused.headers
    assert (await server.get("/v1/me", key=server.new_key(space="another"))).status_code == 200
    server.clock.advance(60)
    assert await server.texts() == []


@pytest.mark.parametrize("host", ["evil.test", "localhost.evil.test", "127.0.0.2", "", "[::2]:80"])
async def test_a_foreign_host_is_refused_before_the_key_is_looked_at(
    server: Server, host: str
) -> None:
    answer = await server.get("/v1/memory", headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_host")
    assert "x-ratelimit-limit" not in answer.headers


@pytest.mark.parametrize("host", ["localhost:8420", "LOCALHOST"])
async def test_its_own_names_are_answered_on_any_port(server: Server, host: str) -> None:
    assert (await server.get("/health", headers={"Host": host})).json() == {"status": "ok"}


@pytest.mark.parametrize(
    ("host", "status"),
    [("192.0.2.7:8420", 200), ("[2001:db8::7]:8420", 200), ("[192.0.2.7]", 400),
     ("2001:db8::7", 400), ("192.0.2.7.evil.test", 400), ("evil.test", 400), ("", 400)],
)  # fmt: skip
async def test_beyond_the_machine_every_address_is_answered_and_no_foreign_name(
    open_server: OpenServer, host: str, status: int
) -> None:
    server = await open_server(addresses=True)
    assert (await server.get("/health", headers={"Host": host})).status_code == status


async def test_health_and_readiness_need_no_key(server: Server) -> None:
    assert (await server.get("/health", key="")).json() == {"status": "ok"}
    assert (await server.get("/ready", key="")).json() == {"status": "ready"}


async def test_a_request_keeps_its_id_when_that_can_stand_in_a_log(server: Server) -> None:
    for given in ("abc-123", "req:1.2_3"):
        answer = await server.get("/v1/me", headers={"X-Request-Id": given})
        assert answer.headers["x-request-id"] == given
    for given in ("a b", "x" * 129, 'a"b'):
        answer = await server.get("/v1/me", headers={"X-Request-Id": given})
        assert answer.headers["x-request-id"].startswith("req_")


async def test_the_log_has_codes_and_never_contents_or_keys(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    await server.post("/v1/memory", {"text": "Has two cats.", "scope": "contact",
                                     "contactId": "ana"})  # fmt: skip
    await server.get("/v1/memory?scope=contact:ana&limit=0")
    await server.get("/v1/memory", key="zv_live_" + "S" * 40)
    with caplog.at_level(logging.INFO, "localmem.server"):
        for served in server.served:
            write_log(served)
    lines = [JsonLines().format(record) for record in caplog.records]
    assert [json.loads(line)["code"] for line in lines] == ["", "invalid_request", "unauthorized"]
    assert json.loads(lines[0])["operation"] == "add_fact"
    said = "\n".join(lines)
    assert not any(secret in said for secret in ("cats", "ana", "S" * 40, server.key))


async def test_units_are_counted_for_live_keys_and_survive_a_restart(
    open_server: OpenServer, server: Server
) -> None:
    await server.remember("Has two cats.")
    await server.texts()
    test = server.new_key(mode="test")
    await server.post("/v1/memory", CAT, key=test)
    await server.post("/v1/memory", {"text": ""})
    key = server.key
    for _ in range(2):
        used = (await server.get("/v1/memory/usage", key=key)).json()["units"]["used"]
        assert used == 6
        server = await open_server()
    server.clock.advance(86_400 * 31)
    assert (await server.get("/v1/memory/usage", key=key)).json()["units"]["used"] == 0


async def test_when_the_units_are_used_up_writes_are_refused_and_reads_and_deletes_are_not(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from localmem.core import hosting

    small = replace(hosting.plan("free"), units=6)
    monkeypatch.setattr(hosting, "PLANS", {**hosting.PLANS, "free": small})
    server.manage(lambda issuing: issuing.create_space("small", "free"))
    key = server.new_key(space="small")
    kept = (await server.post("/v1/memory", CAT, key=key)).json()["id"]
    assert await server.texts(key=key) == ["Has two cats."]
    refused = await server.post("/v1/memory", {"text": "More."}, key=key)
    assert (refused.status_code, refused.json()["code"]) == (429, "memory_limit_exceeded")
    assert refused.headers["x-should-retry"] == "false"
    assert (await server.get("/v1/memory/usage", key=key)).json()["capReached"] is True
    assert await server.texts(key=key) == ["Has two cats."]
    assert (await server.delete(f"/v1/memory/{kept}", key=key)).status_code == 204
    test = server.new_key(space="small", mode="test")
    assert (await server.post("/v1/memory", CAT, key=test)).status_code == 201


async def test_a_test_key_learns_nothing_of_what_live_keys_used(server: Server) -> None:
    await server.remember("tea")
    key = server.new_key(mode="test")
    assert (await server.get("/v1/memory/usage", key=key)).json()["units"]["used"] == 0
    assert (await server.get("/v1/memory/usage")).json()["units"]["used"] == 5


async def test_a_clock_that_is_set_back_keeps_nobody_waiting_for_the_time_it_showed(
    open_server: OpenServer,
) -> None:
    server = await open_server(rate=1)
    server.key = server.new_key()
    server.clock.advance(86_400 * 40)
    assert (await server.get("/v1/me")).status_code == 200
    server.clock.advance(-86_400 * 40)
    assert (await server.get("/v1/me")).status_code == 200
    refused = await server.get("/v1/me")
    assert (refused.status_code, int(refused.headers["Retry-After"]) <= 60) == (429, True)
