"""Numbers for Prometheus: true counts, no ids and no contents, and not for everybody."""

from __future__ import annotations

import re

import httpx
import pytest

from tests.server.conftest import OpenServer, Server

TOKEN = "a-token-of-the-operator"


async def numbers(server: Server, **headers: str) -> str:
    answer = await server.client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return answer.text


def number(text: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


async def test_it_counts_requests_refusals_units_and_what_is_open(server: Server) -> None:
    await server.remember("Has two cats.")
    await server.remember("Drinks tea.")
    await server.get("/v1/memory/mem_unknown")
    await server.get("/v1/memory", key="")
    await server.settled()
    told = await numbers(server)
    added = 'operation="add_fact"'
    assert number(told, f'localmem_requests_total{{{added},status="201"}}') == 2
    assert number(told, f"localmem_request_seconds_count{{{added}}}") == 2
    assert number(told, 'localmem_refusals_total{code="memory_not_found"}') == 1
    assert number(told, 'localmem_refusals_total{code="unauthorized"}') == 1
    assert number(told, "localmem_units_total") == 2 * 5
    assert number(told, "localmem_open_libraries") == 1
    assert number(told, "localmem_memories_to_embed") == 0
    assert "_created" not in told


async def test_it_counts_what_the_rate_refused_and_no_units_of_a_test_key(
    open_server: OpenServer,
) -> None:
    server = await open_server(rate=2)
    key = server.new_key(mode="test")
    for expected in (201, 201, 429):
        answer = await server.post("/v1/memory", {"text": f"Number {expected}."}, key=key)
        assert answer.status_code in (expected, 200)
    told = await numbers(server)
    assert number(told, 'localmem_refusals_total{code="rate_limited"}') == 1
    assert number(told, "localmem_units_total") == 0


async def test_what_waits_for_the_model_is_counted(open_server: OpenServer) -> None:
    server = await open_server(meaning=False)
    server.key = server.new_key()
    await server.remember("Has two cats.")
    await server.settled()
    assert number(await numbers(server), "localmem_memories_to_embed") == 1


async def test_no_label_says_who_or_what(server: Server) -> None:
    token = server.new_token("Ana Quartz")
    await server.remember("Zebra.", scope="contact", contactId="contact-quartz")
    await server.get("/v1/memory?scope=contact:contact-quartz")
    await server.get("/nowhere/quartz", key=token)
    told = await numbers(server)
    labels = set(re.findall(r'(\w+)="', told))
    assert labels == {"operation", "status", "code", "le"}
    spaces = [space.id for space in server.manage(lambda issuing: issuing.spaces())]
    people = [person.id for person in server.manage(lambda issuing: issuing.people())]
    secrets = [*spaces, *people, server.key[:16], token[:16], "uartz", "Zebra", "home"]
    assert [each for each in secrets if each in told] == []


@pytest.mark.parametrize("client", ["192.0.2.7", "10.0.0.1", "::ffff:192.0.2.7", "unknown"])
async def test_another_machine_finds_nothing_there(server: Server, client: str) -> None:
    transport = httpx.ASGITransport(app=server.client._transport.app, client=(client, 1))  # type: ignore[attr-defined]
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as other:
        answer = await other.get("/metrics")
        nothing = await other.get("/metricz")
    assert (answer.status_code, answer.json()) == (404, nothing.json())


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
async def test_what_came_through_a_proxy_finds_nothing_there(server: Server, header: str) -> None:
    answer = await server.client.get("/metrics", headers={header: "127.0.0.1"})
    assert answer.status_code == 404


async def test_with_a_token_only_the_token_reads_them(open_server: OpenServer) -> None:
    server = await open_server(metrics_token=TOKEN)
    server.key = server.new_key()
    assert (await server.client.get("/metrics")).status_code == 404
    for wrong in (TOKEN + "x", "Bearer", f"Basic {TOKEN}", "Bearer é", f"Bearer {server.key}"):
        sent = {"Authorization": wrong.encode()}
        assert (await server.client.get("/metrics", headers=sent)).status_code == 404
    await numbers(server, Authorization=f"Bearer {TOKEN}", **{"X-Forwarded-For": "192.0.2.7"})
    assert TOKEN not in repr(server.services)
