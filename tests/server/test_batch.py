"""Batches: up to 25 writes and deletes of one scope, each with a result of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx
import pytest

from localmem.core import hosting
from localmem.core.hosting import Right, plan
from localmem.wire import collections_api as wire
from tests.server.conftest import Server

ITEMS = "/v1/memory/collections/orders/items"
ANA = "?scope=contact:ana"


def set_(key: str, value: Any = 1, **more: Any) -> dict[str, Any]:
    return {"op": "set", "key": key, "value": value, **more}


def delete(key: str, **more: Any) -> dict[str, Any]:
    return {"op": "delete", "key": key, **more}


async def send(server: Server, *operations: Any, query: str = "", **options: Any) -> httpx.Response:
    return await server.post(f"{ITEMS}/batch{query}", {"operations": list(operations)}, **options)


async def results(server: Server, *operations: Any, **options: Any) -> list[dict[str, Any]]:
    answer = await send(server, *operations, **options)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["results"]
    assert [result["key"] for result in found] == [each["key"] for each in operations]
    return [{name: result[name] for name in result if name != "seq"} for result in found]


def outcomes(found: list[dict[str, Any]]) -> list[Any]:
    """The rev, True of a delete, or the code of what was refused."""
    return [each.get("rev", True) if each["ok"] else each["error"]["code"] for each in found]


async def kept(server: Server, query: str = "") -> dict[str, Any]:
    answer = await server.get(f"{ITEMS}{query}")
    return {item["key"]: item["value"] for item in answer.json().get("items", [])}


async def test_each_operation_has_one_result_in_the_order_it_was_sent(server: Server) -> None:
    await results(server, set_("b"))
    found = await results(
        server, set_("c", None), delete("b"), set_("a", [1]), delete("never"), set_("a", [2])
    )
    assert found == [
        {"key": "c", "ok": True, "rev": 1},
        {"key": "b", "ok": True},
        {"key": "a", "ok": True, "rev": 1},
        {"key": "never", "ok": True},
        {"key": "a", "ok": True, "rev": 2},
    ]
    assert await kept(server) == {"a": [2], "c": None}


async def test_what_is_refused_keeps_nothing_else_from_its_work(server: Server) -> None:
    await results(server, set_("held"), set_("held"))
    deep: Any = 1
    for _ in range(33):
        deep = [deep]
    found = await results(
        server,
        set_("first"),
        set_("+5694"),
        set_("deep", deep),
        set_("large", "x" * 204_800),
        set_("ttl", ttlSeconds=59),
        set_("held", ifMatch=1),
        set_("held", ifMatch="abc"),
        set_("held", ifMatch='"7"'),
        set_("gone", ifMatch="*"),
        delete("held", ifMatch=9),
        delete("a b"),
        set_("token", {"ghp_" + "a1B2c3D4e5F6" * 3: 1}),
        set_("last"),
    )
    assert outcomes(found) == [
        1, "invalid_key", "document_too_deep", "document_too_large", "invalid_request",
        "revision_conflict", "invalid_if_match", "revision_conflict", "revision_conflict",
        "revision_conflict", "invalid_key", "secret_rejected", 1,
    ]  # fmt: skip
    assert all(each["error"]["message"] for each in found if not each["ok"])
    assert [found[n]["error"]["details"] for n in (5, 8)] == [
        {"currentRev": 2},
        {"currentRev": None},
    ]
    assert found[4]["error"]["details"]["field"] == "ttlSeconds"
    assert set(await kept(server)) == {"first", "held", "last"}


@pytest.mark.parametrize("said", [1, 1.0, "1", '"1"', "*"], ids=repr)
async def test_an_operation_may_say_what_it_was_made_on(server: Server, said: Any) -> None:
    await results(server, set_("a"), set_("b"))
    found = await results(server, set_("a", 2, ifMatch=said), delete("b", ifMatch=said))
    assert outcomes(found) == [2, True]


async def test_an_operation_may_create_or_be_refused(server: Server) -> None:
    await results(server, set_("held"), set_("gone"), delete("gone"), set_("over", ttlSeconds=60))
    server.clock.advance(60)
    found = await results(
        server,
        set_("new", ifNoneMatch="*"),
        set_("held", 2, ifNoneMatch="*"),
        set_("new", 2, ifNoneMatch="*"),
        set_("gone", 2, ifNoneMatch="*"),
        set_("over", 2, ifNoneMatch="*"),
        set_("both", ifNoneMatch="*", ifMatch=1),
        set_("other", ifNoneMatch='"1"'),
        set_("none", ifNoneMatch=None),
    )
    assert outcomes(found) == [
        1, "revision_conflict", "revision_conflict", 2, 2, "invalid_request", "invalid_request", 1,
    ]  # fmt: skip
    assert [found[n]["error"]["details"] for n in (1, 2)] == [{"currentRev": 1}] * 2
    assert await kept(server) == {"gone": 2, "held": 1, "new": 1, "none": 1, "over": 2}


async def test_what_is_new_and_what_was_there_are_written_in_one_order(server: Server) -> None:
    await server.post("/v1/memory/collections", {"name": "orders", "indexes": [{"field": "s"}]})
    await results(server, set_("b", {"s": 1}))
    steps = [set_("a", {"s": 1}), set_("b", {"s": 2}), set_("c", {"s": 1}), delete("a"),
             set_("d", {"s": 1}), set_("d", {"s": 3}), set_("c", {"s": 1}, ifMatch=1)]  # fmt: skip
    answer = await send(server, *steps, headers={"Memory-Batch": "100"})
    told = answer.json()["results"]
    assert [each["seq"] for each in told] == [2, 3, 4, 5, 6, 7, 8]
    assert [each.get("rev") for each in told] == [1, 2, 1, None, 1, 2, 2]
    found = await server.post(
        "/v1/memory/collections/orders/query", {"field": "s", "op": "eq", "value": 1}
    )
    assert [item["key"] for item in found.json()["items"]] == ["c"]
    changed = (await server.get("/v1/memory/changes")).json()["changes"]
    assert [(row["seq"], row["key"]) for row in changed] == [(3, "b"), (7, "d"), (8, "c")]


async def test_what_the_person_rejected_is_not_taken_from_an_agent_in_a_batch_either(
    server: Server,
) -> None:
    agent = {"X-Zavu-Actor": "agent"}
    await results(server, set_("a", "no"), set_("b", "yes"), headers=agent)
    (space,) = server.services.spaces._open.values()

    def reject(engine: Any) -> None:
        item = engine.documents.get("orders", "a")
        engine.forgetting.reject(item.id)

    await space.run(reject, changes=True)
    found = await results(server, set_("a", "no"), set_("c", "new"), headers=agent)
    assert outcomes(found) == ["memory_rejected", 1]
    waiting = await space.run(lambda engine: engine.inbox.count(), changes=False)
    assert waiting == 2


async def test_a_batch_writes_in_one_scope(server: Server) -> None:
    await results(server, set_("k", "project's"))
    found = await results(server, set_("k", "ana's"), set_("only"), query=ANA)
    assert outcomes(found) == [1, 1]
    await results(server, delete("k"), query="?scope=conversation:ana")
    assert await kept(server) == {"k": "project's"}
    assert await kept(server, ANA) == {"k": "ana's", "only": 1}


async def test_a_time_to_live_is_each_operation_s_own(server: Server) -> None:
    await server.post("/v1/memory/collections", {"name": "orders", "defaultTtlSeconds": 120})
    await results(server, set_("a", ttlSeconds=60), set_("b"), set_("c", ttlSeconds=None))
    server.clock.advance(60)
    assert set(await kept(server)) == {"b", "c"}
    server.clock.advance(60)
    assert set(await kept(server)) == {"c"}


async def test_the_lengths_of_a_batch(server: Server) -> None:
    many = [set_(f"k{number}") for number in range(101)]
    assert len(await results(server, *many[:25])) == 25
    for wrong in ([], many[:26], many):
        answer = await send(server, *wrong)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
        assert answer.json()["details"]["field"] == "operations"
    assert len(await kept(server)) == 25


async def test_a_client_that_asks_for_it_may_send_250(server: Server) -> None:
    many = [set_(f"k{number}") for number in range(251)]
    asks = {"Memory-Batch": "250"}
    assert len(await results(server, *many[:250], headers=asks)) == 250
    over = await send(server, *many, headers=asks)
    assert (over.status_code, over.json()["details"]["field"]) == (400, "operations")
    less = await send(server, *many[:11], headers={"Memory-Batch": "10"})
    assert (less.status_code, less.json()["details"]["limit"]) == (400, 10)
    for wrong in ("0", "251", "many", "1.5", ""):
        answer = await send(server, set_("k"), headers={"Memory-Batch": wrong})
        assert (answer.status_code, answer.json()["details"]["field"]) == (400, "Memory-Batch")


WRONG: dict[str, tuple[Any, str]] = {
    "no operations": ({}, "operations"),
    "not a list": ({"operations": {}}, "operations"),
    "an operation that is text": ({"operations": ["set"]}, "operations.0"),
    "no op": ({"operations": [{"key": "k", "value": 1}]}, "operations.0.op"),
    "an unknown op": ({"operations": [set_("a"), {"op": "get", "key": "k"}]}, "operations.1.op"),
    "no key": ({"operations": [{"op": "set", "value": 1}]}, "operations.0.key"),
    "a key that is a number": ({"operations": [set_("a"), delete(5)]},  # type: ignore[arg-type]
                               "operations.1.key"),
    "a set of nothing": ({"operations": [set_("a"), {"op": "set", "key": "k"}]},
                         "operations.1.value"),
    "a delete of a value": ({"operations": [set_("a"), delete("k", value=1)]},
                            "operations.1.value"),
    "a delete with a ttl": ({"operations": [delete("k", ttlSeconds=60)]},
                            "operations.0.ttlSeconds"),
    "a delete that creates": ({"operations": [delete("k", ifNoneMatch="*")]},
                              "operations.0.ifNoneMatch"),
    "a ttl that is text": ({"operations": [set_("k", ttlSeconds="60")]},
                           "operations.0.ttlSeconds"),
    "a condition that is true": ({"operations": [set_("k", ifMatch=True)]},
                                 "operations.0.ifMatch"),
    "a misspelt field": ({"operations": [set_("k", ttlSecond=60)]}, "ttlSecond"),
    "a field beside": ({"operations": [set_("k")], "scope": "project"}, "scope"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
async def test_a_batch_out_of_shape_writes_nothing_of_it(server: Server, what: str) -> None:
    body, field = WRONG[what]
    answer = await server.post(f"{ITEMS}/batch", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request"), answer.text
    assert answer.json()["details"]["field"] == field
    assert (await server.get("/v1/memory/collections")).json()["items"] == []


async def test_a_batch_beyond_its_bytes_is_too_large_and_25_full_documents_are_not(
    server: Server,
) -> None:
    full = [set_(f"k{number}", "x" * 204_798) for number in range(25)]
    assert outcomes(await results(server, *full)) == [1] * 25
    answer = await send(server, *[set_(f"k{n}", "y" * 400_000) for n in range(25)])
    assert (answer.status_code, answer.json()["code"]) == (413, "document_too_large")
    assert set(await kept(server, "?limit=1")) == {"k0"}


async def units(server: Server, key: str | None = None) -> int:
    return int((await server.get("/v1/memory/usage", key=key)).json()["units"]["used"])


async def test_a_batch_costs_what_its_parts_cost_that_were_done(server: Server) -> None:
    before = await units(server)
    await results(server, set_("a"), set_("+"), delete("a"), set_("b", ifMatch=3), set_("c"))
    assert await units(server) - before == 15
    await server.put(f"{ITEMS}/d", {"value": 1})
    await server.delete(f"{ITEMS}/d")
    await server.get(f"{ITEMS}/c")
    await server.get(ITEMS)
    assert await units(server) - before == 15 + 5 + 5 + 1 + 1


async def test_when_the_units_are_used_up_sets_are_refused_and_deletes_are_not(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(plan("free"), units=15)
    monkeypatch.setattr(hosting, "PLANS", {**hosting.PLANS, "free": small})
    server.manage(lambda issuing: issuing.create_space("small", "free"))
    key = server.new_key(space="small")
    found = await results(server, *[set_(f"k{number}") for number in range(5)], key=key)
    assert outcomes(found) == [1, 1, 1, "memory_limit_exceeded", "memory_limit_exceeded"]
    found = await results(server, set_("k9"), delete("k0"), set_("k8"), delete("k1"), key=key)
    assert outcomes(found) == ["memory_limit_exceeded", True, "memory_limit_exceeded", True]
    put = await server.put(f"{ITEMS}/k2", {"value": 2}, key=key)
    assert (put.status_code, put.json()["code"]) == (429, "memory_limit_exceeded")
    assert (await server.delete(f"{ITEMS}/k2", key=key)).status_code == 204
    assert (await server.get(ITEMS, key=key)).json()["items"] == []


async def test_a_key_that_may_not_delete_may_not_in_a_batch(server: Server) -> None:
    key = server.new_key(rights=(Right.READ, Right.WRITE))
    found = await results(server, set_("a"), delete("a"), set_("b"), key=key)
    assert outcomes(found) == [1, "forbidden", 1]
    assert set(await kept(server)) == {"a", "b"}


async def test_the_answer_to_a_batch_is_of_the_shape_the_document_says(server: Server) -> None:
    answer = await send(server, set_("a"), set_("+"), delete("a"))
    assert len(wire.BatchResults.model_validate(answer.json()).results) == 3
