"""Nothing of a scope, a space or a mode is to be had from another: no answer, count or cursor."""

from __future__ import annotations

import pytest

from tests.server.conftest import Server

SCOPES = {
    "project": {},
    "contact:ana": {"scope": "contact", "contactId": "ana"},
    "contact:an": {"scope": "contact", "contactId": "an"},
    "contact:ANA": {"scope": "contact", "contactId": "ANA"},
    "conversation:ana": {"scope": "conversation", "conversationId": "ana"},
}


@pytest.mark.parametrize("other", [scope for scope in SCOPES if scope != "contact:ana"])
async def test_no_endpoint_tells_of_a_fact_of_another_scope(server: Server, other: str) -> None:
    id = await server.remember("Has two cats.", **SCOPES["contact:ana"])
    await server.settled()
    foreign = await server.get(f"/v1/memory/{id}?scope={other}")
    missing = await server.get(f"/v1/memory/mem_{'0' * 26}?scope={other}")
    assert (foreign.status_code, foreign.content) == (404, missing.content)
    gone = await server.delete(f"/v1/memory/{id}?scope={other}")
    assert (gone.status_code, gone.content) == (404, missing.content)
    assert await server.texts(other) == []
    found = await server.post("/v1/memory/search", {"query": "Has two cats.", **SCOPES[other]})
    assert found.json() == {"items": []}
    added = await server.post("/v1/memory", {"text": "Has two cats.", **SCOPES[other]})
    assert added.status_code == 201 and added.json()["id"] != id  # no twin of another scope
    assert (await server.delete(f"/v1/memory?scope={other}")).status_code == 202
    await server.settled()
    assert await server.texts("contact:ana") == ["Has two cats."]


async def test_a_score_does_not_depend_on_what_another_scope_holds(server: Server) -> None:
    asked = {"query": "two cats at home", **SCOPES["contact:ana"]}
    await server.remember("Has two cats.", **SCOPES["contact:ana"])
    await server.settled()
    before = (await server.post("/v1/memory/search", asked)).json()
    for number in range(30):
        await server.remember(f"Cat number {number} is at home.", **SCOPES["contact:an"])
    await server.settled()
    assert (await server.post("/v1/memory/search", asked)).json() == before


async def test_a_cursor_is_good_for_its_own_list_alone(server: Server) -> None:
    for scope in SCOPES.values():
        for number in range(3):
            await server.remember(f"Fact number {number}.", **scope)
    cursor = (await server.get("/v1/memory?limit=1&scope=contact:ana")).json()["nextCursor"]
    assert (await server.get(f"/v1/memory?scope=contact:ana&cursor={cursor}")).status_code == 200
    for other in set(SCOPES) - {"contact:ana"}:
        answer = await server.get(f"/v1/memory?scope={other}&cursor={cursor}")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_cursor")
    for key in (server.new_key(space="another"), server.new_key(mode="test")):
        answer = await server.get(f"/v1/memory?scope=contact:ana&cursor={cursor}", key=key)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_cursor")
    changed = ("A" if cursor[0] != "A" else "B") + cursor[1:]
    answer = await server.get(f"/v1/memory?scope=contact:ana&cursor={changed}")
    assert answer.json()["code"] == "invalid_cursor"


@pytest.mark.parametrize("options", [{"space": "another"}, {"mode": "test"}], ids=str)
async def test_no_endpoint_tells_of_a_fact_of_another_space_or_mode(
    server: Server, options: dict[str, str]
) -> None:
    id = await server.remember("Has two cats.")
    await server.settled()
    key = server.new_key(**options)
    assert await server.texts(key=key) == []
    assert (await server.get(f"/v1/memory/{id}", key=key)).status_code == 404
    assert (await server.delete(f"/v1/memory/{id}", key=key)).status_code == 404
    found = await server.post("/v1/memory/search", {"query": "Has two cats."}, key=key)
    assert found.json() == {"items": []}
    assert (await server.post("/v1/memory", {"text": "Has two cats."}, key=key)).status_code == 201
    usage = (await server.get("/v1/memory/usage", key=key)).json()
    assert usage["facts"]["used"] == 1
    await server.delete("/v1/memory", key=key)
    await server.settled()
    assert await server.texts() == ["Has two cats."]


async def test_each_partition_is_a_file_of_its_own(server: Server) -> None:
    keys = [server.key, server.new_key(mode="test"), server.new_key(space="another")]
    for number, key in enumerate(keys):
        await server.post("/v1/memory", {"text": f"Only in library {number}."}, key=key)
    files = sorted(server.folder.glob("spaces/*/*.db"))
    assert sorted(file.name for file in files) == ["live.db", "live.db", "test.db"]
    epochs = {(await server.get("/v1/me", key=key)).headers["memory-epoch"] for key in keys}
    assert len(epochs) == 3


async def test_more_spaces_than_may_be_open_take_turns(open_server: object) -> None:
    server: Server = await open_server(most_open=2)  # type: ignore[operator]
    keys = [server.new_key(space=f"space {number}") for number in range(5)]
    for _ in range(2):
        for number, key in enumerate(keys):
            answer = await server.post("/v1/memory", {"text": f"Of space {number}."}, key=key)
            assert answer.status_code in (200, 201)
            await server.settled()
    for number, key in enumerate(keys):
        assert await server.texts(key=key) == [f"Of space {number}."]
