"""Collections of the hosted API: created or made by a write, listed, changed, deleted, queried."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from localmem.core import hosting
from localmem.core.hosting import Right, plan
from localmem.wire import collections_api as wire
from tests.server.conftest import Server

COLLECTIONS = "/v1/memory/collections"
ORDERS = f"{COLLECTIONS}/orders"
ANA = "?scope=contact:ana"


async def create(server: Server, name: str = "orders", **body: Any) -> dict[str, Any]:
    answer = await server.post(COLLECTIONS, {"name": name, **body})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def put(server: Server, item: str, value: Any, query: str = "", **options: Any) -> None:
    path = f"{ORDERS}/items/{item}{query}"
    answer = await server.put(path, {"value": value}, **options)
    assert answer.status_code == 200, answer.text


async def names(server: Server, **options: Any) -> list[str]:
    answer = await server.get(COLLECTIONS, **options)
    return [each["name"] for each in answer.json()["items"]]


async def queried(server: Server, field: str, value: Any, query: str = "", **body: Any) -> Any:
    answer = await server.post(
        f"{ORDERS}/query{query}", {"field": field, "op": "eq", "value": value, **body}
    )
    return answer.json()


# definitions


async def test_a_created_collection_is_read_and_listed_as_it_was_created(server: Server) -> None:
    made = await create(
        server,
        indexes=[{"field": "status"}, {"field": "customer.city"}],
        defaultTtlSeconds=2_592_000,
    )
    assert made == {
        "name": "orders",
        "indexes": [{"field": "status"}, {"field": "customer.city"}],
        "defaultTtlSeconds": 2_592_000,
        "status": "active",
        "implicit": False,
        "createdAt": "2026-11-30T18:00:00.000Z",
    }
    assert (await server.get(ORDERS)).json() == made
    assert (await server.get(COLLECTIONS)).json() == {"items": [made], "nextCursor": None}


async def test_the_first_write_to_a_name_makes_its_collection_without_indexes(
    server: Server,
) -> None:
    await put(server, "ORD-1", {"status": "shipped"}, ANA)
    assert (await server.get(ORDERS)).json() == {
        "name": "orders",
        "indexes": [],
        "status": "active",
        "implicit": True,
        "createdAt": "2026-11-30T18:00:00.000Z",
    }


@pytest.mark.parametrize("by_a_write", [False, True])
async def test_a_name_that_is_taken_stays_refused_and_says_not_to_ask_again(
    server: Server, by_a_write: bool
) -> None:
    if by_a_write:
        await put(server, "ORD-1", 1)
    else:
        await create(server)
    before = (await server.get(ORDERS)).json()
    answer = await server.post(COLLECTIONS, {"name": "orders", "indexes": [{"field": "status"}]})
    assert (answer.status_code, answer.json()["code"]) == (409, "collection_exists")
    assert answer.headers["x-should-retry"] == "false"
    assert (await server.get(ORDERS)).json() == before


@pytest.mark.parametrize("name", ["a", "0", "a-b_c", "x" * 63])
async def test_names_of_every_allowed_form_are_taken(server: Server, name: str) -> None:
    assert (await create(server, name))["name"] == name


BAD_NAMES = ["", "A", "Orders", "-a", "_a", "a b", "a.b", "a+b", "ação", "x" * 64, "a\n"]
BAD_BODIES: dict[str, tuple[Any, str, str]] = {
    **{f"the name {name[:9]!r}": ({"name": name}, "invalid_key", "name") for name in BAD_NAMES},
    "no name": ({}, "invalid_request", "name"),
    "a name that is a number": ({"name": 5}, "invalid_request", "name"),
    "three indexes": ({"name": "a", "indexes": [{"field": f} for f in "abc"]}, "invalid_request",
                      "indexes"),
    "an index twice": ({"name": "a", "indexes": [{"field": "f"}] * 2}, "invalid_request",
                       "indexes"),
    "an index on no field": ({"name": "a", "indexes": [{"field": ""}]}, "invalid_request",
                             "indexes"),
    "an index on a path with a gap": ({"name": "a", "indexes": [{"field": "a..b"}]},
                                      "invalid_request", "indexes"),
    "an index that is text": ({"name": "a", "indexes": ["status"]}, "invalid_request",
                              "indexes.0"),
    "an index with more": ({"name": "a", "indexes": [{"field": "f", "op": "eq"}]},
                           "invalid_request", "op"),
    "indexes are null": ({"name": "a", "indexes": None}, "invalid_request", "indexes"),
    "a short ttl": ({"name": "a", "defaultTtlSeconds": 59}, "invalid_request",
                    "defaultTtlSeconds"),
    "a long ttl": ({"name": "a", "defaultTtlSeconds": 63_072_001}, "invalid_request",
                   "defaultTtlSeconds"),
    "a ttl that is text": ({"name": "a", "defaultTtlSeconds": "60"}, "invalid_request",
                           "defaultTtlSeconds"),
    "a misspelt field": ({"name": "a", "index": []}, "invalid_request", "index"),
    "a status": ({"name": "a", "status": "active"}, "invalid_request", "status"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD_BODIES)
async def test_a_wrong_definition_creates_nothing(server: Server, what: str) -> None:
    body, code, field = BAD_BODIES[what]
    answer = await server.post(COLLECTIONS, body)
    error = answer.json()
    assert (answer.status_code, error["code"]) == (400, code), answer.text
    assert error["details"]["field"].endswith(field)
    assert await names(server) == []


async def test_a_collection_belongs_to_the_project_so_a_scope_is_refused(server: Server) -> None:
    for method, path in (("POST", COLLECTIONS), ("GET", COLLECTIONS), ("GET", ORDERS),
                         ("PATCH", ORDERS), ("DELETE", ORDERS)):  # fmt: skip
        answer = await server.ask(method, f"{path}{ANA}")
        assert (answer.status_code, answer.json()["details"]["field"]) == (400, "scope")


async def test_a_secret_is_no_name_of_a_collection(server: Server) -> None:
    secret = "ghp_" + "a1b2c3d4e5f6" * 3
    answer = await server.post(COLLECTIONS, {"name": "a", "indexes": [{"field": secret}]})
    assert (answer.status_code, answer.json()["code"]) == (400, "secret_rejected")
    assert secret not in answer.text and await names(server) == []


async def test_collections_are_listed_by_name_page_by_page(server: Server) -> None:
    for name in ("e", "c", "a", "d", "b"):
        await create(server, name)
    found: list[str] = []
    cursor, pages = "", 0
    while True:
        page = (await server.get(f"{COLLECTIONS}?limit=2{cursor}")).json()
        found += [each["name"] for each in page["items"]]
        pages += 1
        if page["nextCursor"] is None:
            break
        cursor = f"&cursor={page['nextCursor']}"
    assert (found, pages) == (list("abcde"), 3)
    foreign = (await server.get(f"{COLLECTIONS}?limit=2")).json()["nextCursor"]
    answer = await server.get(f"/v1/memory?cursor={foreign}")
    assert answer.json()["code"] == "invalid_cursor"


async def test_only_the_time_to_live_changes_and_only_for_what_is_written_from_now_on(
    server: Server,
) -> None:
    made = await create(server, indexes=[{"field": "status"}], defaultTtlSeconds=60)
    await put(server, "old", 1)
    answer = await server.ask("PATCH", ORDERS, json={"defaultTtlSeconds": 120})
    assert (answer.status_code, answer.json()) == (200, made | {"defaultTtlSeconds": 120})
    await put(server, "new", 1)
    server.clock.advance(60)
    assert (await server.get(f"{ORDERS}/items/old")).status_code == 404
    assert (await server.get(f"{ORDERS}/items/new")).status_code == 200
    answer = await server.ask("PATCH", ORDERS, json={"defaultTtlSeconds": None})
    del made["defaultTtlSeconds"]
    assert answer.json() == made == (await server.get(ORDERS)).json()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "defaultTtlSeconds"),
        ({"defaultTtlSeconds": 59}, "defaultTtlSeconds"),
        ({"defaultTtlSeconds": "60"}, "defaultTtlSeconds"),
        ({"defaultTtlSeconds": 60, "indexes": []}, "indexes"),
        ({"defaultTtlSeconds": 60, "name": "carts"}, "name"),
    ],
    ids=str,
)
async def test_nothing_else_of_a_collection_changes(
    server: Server, body: dict[str, Any], field: str
) -> None:
    made = await create(server, defaultTtlSeconds=90)
    answer = await server.ask("PATCH", ORDERS, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert answer.json()["details"]["field"] == field
    assert (await server.get(ORDERS)).json() == made


async def test_a_collection_that_is_not_there_is_not_found_by_anything_but_a_write(
    server: Server,
) -> None:
    asked = [
        await server.get(ORDERS),
        await server.ask("PATCH", ORDERS, json={"defaultTtlSeconds": 60}),
        await server.delete(ORDERS),
        await server.get(f"{ORDERS}/items"),
        await server.post(f"{ORDERS}/query", {"field": "a", "op": "eq", "value": 1}),
    ]
    assert [(each.status_code, each.json()["code"]) for each in asked] == [
        (404, "collection_not_found")
    ] * 5
    item = await server.get(f"{ORDERS}/items/ORD-1")
    assert (item.status_code, item.json()["code"]) == (404, "item_not_found")
    assert (await server.delete(f"{ORDERS}/items/ORD-1")).status_code == 204
    assert await names(server) == []


@pytest.mark.parametrize("path", ["", "/items", "/items/k", "/query", "/items/batch"])
async def test_a_name_out_of_shape_is_refused_in_every_path(server: Server, path: str) -> None:
    methods = {"": "GET", "/items": "GET", "/items/k": "PUT", "/query": "POST"}
    bodies = {
        "/items/k": {"value": 1},
        "/query": {"field": "a", "op": "eq", "value": 1},
        "/items/batch": {"operations": [{"op": "delete", "key": "k"}]},
    }
    answer = await server.ask(
        methods.get(path, "POST"), f"{COLLECTIONS}/Orders{path}", json=bodies.get(path)
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_key")
    assert answer.json()["details"]["field"] == "collection"
    assert await names(server) == []


async def test_a_deleted_collection_is_gone_with_its_items_in_every_scope(server: Server) -> None:
    await create(server, indexes=[{"field": "status"}])
    await create(server, "carts")
    for query in ("", ANA, "?scope=conversation:t1"):
        await put(server, "ORD-1", {"status": "vermilion"}, query)
    answer = await server.delete(ORDERS)
    assert (answer.status_code, answer.content) == (204, b"")
    assert await names(server) == ["carts"]
    for query in ("", ANA, "?scope=conversation:t1"):
        assert (await server.get(f"{ORDERS}/items/ORD-1{query}")).status_code == 404
    await server.settled()
    files = [file for file in server.folder.rglob("live.db*") if not file.name.endswith("-shm")]
    assert files and not any(b"vermilion" in file.read_bytes() for file in files)
    await put(server, "ORD-1", {"status": "new"})
    assert (await server.get(f"{ORDERS}/items/ORD-1")).json()["rev"] == 2
    assert (await server.get(ORDERS)).json()["implicit"] is True


async def test_facts_outlive_a_collection_and_a_wipe_of_facts_leaves_items(server: Server) -> None:
    await server.remember("Has two cats.")
    await put(server, "ORD-1", 1)
    await server.delete("/v1/memory")
    await server.settled()
    assert (await server.get(f"{ORDERS}/items/ORD-1")).status_code == 200
    await server.remember("Has three cats.")
    await server.delete(ORDERS)
    assert await server.texts() == ["Has three cats."]


# query


async def test_a_query_finds_by_an_indexed_field_in_its_scope_by_key(server: Server) -> None:
    await create(server, indexes=[{"field": "status"}, {"field": "customer.city"}])
    for number in (3, 1, 2):
        value = {"status": "shipped", "customer": {"city": "Porto"}}
        await put(server, f"ORD-{number}", value)
    await put(server, "ORD-4", {"status": "open", "customer.city": "Porto"})
    await put(server, "ORD-5", {"status": "shipped"}, ANA)
    found = await queried(server, "status", "shipped")
    assert [item["key"] for item in found["items"]] == ["ORD-1", "ORD-2", "ORD-3"]
    assert found["items"][0] == (await server.get(f"{ORDERS}/items/ORD-1")).json()
    assert found["nextCursor"] is None
    nested = await queried(server, "customer.city", "Porto")
    assert [item["key"] for item in nested["items"]] == ["ORD-1", "ORD-2", "ORD-3"]
    assert [i["key"] for i in (await queried(server, "status", "shipped", ANA))["items"]] == [
        "ORD-5"
    ]
    assert (await queried(server, "status", "lost"))["items"] == []


@pytest.mark.parametrize("value", ["1", 1, True, None, 1.5, ""], ids=repr)
async def test_a_query_compares_scalars_by_kind_and_value(server: Server, value: Any) -> None:
    await create(server, indexes=[{"field": "f"}])
    for number, each in enumerate(["1", 1, True, None, 1.5, "", [1], {"a": 1}]):
        await put(server, f"k{number}", {"f": each})
    await put(server, "without", {})
    found = (await queried(server, "f", value))["items"]
    assert [repr(item["value"]["f"]) for item in found] == [repr(value)]


async def test_a_query_is_paged_and_its_cursor_is_good_for_that_query_alone(
    server: Server,
) -> None:
    await create(server, indexes=[{"field": "f"}, {"field": "g"}])
    for number in range(5):
        await put(server, f"k{number}", {"f": 1, "g": 1})
    first = await queried(server, "f", 1, limit=3)
    cursor = first["nextCursor"]
    rest = await queried(server, "f", 1, limit=3, cursor=cursor)
    keys = [item["key"] for item in first["items"] + rest["items"]]
    assert keys == ["k0", "k1", "k2", "k3", "k4"] and rest["nextCursor"] is None
    for foreign in (
        await queried(server, "f", 2, cursor=cursor),
        await queried(server, "g", 1, cursor=cursor),
        await queried(server, "f", 1, ANA, cursor=cursor),
        (await server.get(f"{ORDERS}/items?cursor={cursor}")).json(),
    ):
        assert foreign["code"] == "invalid_cursor"
    assert len((await queried(server, "f", 1, limit=1000))["items"]) == 5


WRONG_QUERIES: dict[str, tuple[dict[str, Any], str, str]] = {
    "no index on it": ({"field": "total"}, "field_not_indexed", "field"),
    "part of an indexed path": ({"field": "customer"}, "field_not_indexed", "field"),
    "another comparison": ({"op": "gt"}, "unsupported_op", "op"),
    "an op in capitals": ({"op": "EQ"}, "unsupported_op", "op"),
    "an op that is null": ({"op": None}, "invalid_request", "op"),
    "an object": ({"value": {"a": 1}}, "invalid_request", "value"),
    "a list": ({"value": ["shipped"]}, "invalid_request", "value"),
    "limit 0": ({"limit": 0}, "invalid_request", "limit"),
    "a made up cursor": ({"cursor": "WyJhIl0"}, "invalid_cursor", "cursor"),
    "a field that is a number": ({"field": 1}, "invalid_request", "field"),
    "more": ({"prefix": "ORD"}, "invalid_request", "prefix"),
}


@pytest.mark.parametrize("what", WRONG_QUERIES)
async def test_a_wrong_query_says_what_is_wrong(server: Server, what: str) -> None:
    body, code, field = WRONG_QUERIES[what]
    await create(server, indexes=[{"field": "status"}, {"field": "customer.city"}])
    answer = await server.post(
        f"{ORDERS}/query", {"field": "status", "op": "eq", "value": "shipped", **body}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, code), answer.text
    assert answer.json()["details"]["field"] == field


@pytest.mark.parametrize("missing", ["field", "op", "value"])
async def test_a_query_needs_its_three_parts(server: Server, missing: str) -> None:
    await create(server, indexes=[{"field": "status"}])
    body = {"field": "status", "op": "eq", "value": None}
    del body[missing]
    answer = await server.post(f"{ORDERS}/query", body)
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, missing)


async def test_a_collection_that_a_write_made_has_no_field_to_query(server: Server) -> None:
    await put(server, "ORD-1", {"status": "shipped"})
    error = await queried(server, "status", "shipped")
    assert error["code"] == "field_not_indexed" and error["details"]["implicit"] is True


# what a key and a plan allow


@pytest.mark.parametrize(
    ("method", "path", "body", "right"),
    [
        ("POST", "", {"name": "carts"}, Right.WRITE),
        ("GET", "", None, Right.READ),
        ("GET", "/orders", None, Right.READ),
        ("PATCH", "/orders", {"defaultTtlSeconds": 60}, Right.WRITE),
        ("DELETE", "/orders", None, Right.DELETE),
        ("GET", "/orders/items", None, Right.READ),
        ("GET", "/orders/items/k", None, Right.READ),
        ("PUT", "/orders/items/k", {"value": 1}, Right.WRITE),
        ("DELETE", "/orders/items/k", None, Right.DELETE),
        ("POST", "/orders/items/batch", {"operations": [{"op": "set", "key": "k", "value": 1}]},
         Right.WRITE),
        ("POST", "/orders/query", {"field": "f", "op": "eq", "value": 1}, Right.READ),
    ],
)  # fmt: skip
async def test_each_operation_needs_its_right_and_no_other(
    server: Server, method: str, path: str, body: Any, right: Right
) -> None:
    await create(server, indexes=[{"field": "f"}])
    await put(server, "k", 1)
    others = server.new_key(rights=tuple(set(Right) - {right}))
    refused = await server.ask(method, COLLECTIONS + path, json=body, key=others)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert refused.json()["details"] == {"required": right}
    allowed = await server.ask(
        method, COLLECTIONS + path, json=body, key=server.new_key(rights=(right,))
    )
    assert allowed.is_success, allowed.text


def limit(server: Server, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> str:
    """A key of a space whose plan is free with these changes."""
    small = replace(plan("free"), **changes)
    monkeypatch.setattr(hosting, "PLANS", {**hosting.PLANS, "free": small})
    server.manage(lambda issuing: issuing.create_space("small", "free"))
    return server.new_key(space="small")


async def test_a_plan_s_collections_are_counted_however_they_are_made(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = limit(server, monkeypatch, collections=2)
    await server.post(COLLECTIONS, {"name": "a"}, key=key)
    await put(server, "ORD-1", 1, key=key)
    full = [
        await server.post(COLLECTIONS, {"name": "c"}, key=key),
        await server.put(f"{COLLECTIONS}/c/items/k", {"value": 1}, key=key),
    ]
    for answer in full:
        assert (answer.status_code, answer.json()["code"]) == (429, "memory_limit_exceeded")
        assert answer.headers["x-should-retry"] == "false"
        assert answer.json()["details"] == {"used": 2, "included": 2}
    taken = await server.post(COLLECTIONS, {"name": "a"}, key=key)
    assert taken.json()["code"] == "collection_exists"
    await put(server, "ORD-2", 1, key=key)
    assert (await server.delete(f"{COLLECTIONS}/a", key=key)).status_code == 204
    assert (await server.post(COLLECTIONS, {"name": "c"}, key=key)).status_code == 201
    assert await names(server, key=key) == ["c", "orders"]
    used = (await server.get("/v1/memory/usage", key=key)).json()
    assert used["collections"] == {"used": 2, "included": 2} and used["capReached"] is True


async def test_when_the_room_is_used_up_writes_are_refused_and_reads_and_deletes_are_not(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = limit(server, monkeypatch)
    await put(server, "ORD-1", {"status": "shipped"}, key=key)
    fact = await server.post("/v1/memory", {"text": "Has two cats."}, key=key)
    small = replace(plan("free"), bytes=1)
    monkeypatch.setattr(hosting, "PLANS", {**hosting.PLANS, "free": small})
    refused = [
        await server.put(f"{ORDERS}/items/ORD-1", {"value": 1}, key=key),
        await server.post(COLLECTIONS, {"name": "c"}, key=key),
        await server.ask("PATCH", ORDERS, json={"defaultTtlSeconds": 60}, key=key),
        await server.post("/v1/memory", {"text": "Has a dog."}, key=key),
    ]
    for answer in refused:
        assert (answer.status_code, answer.json()["code"]) == (429, "memory_limit_exceeded")
        assert answer.headers["x-should-retry"] == "false"
    batch = await server.post(
        f"{ORDERS}/items/batch",
        {"operations": [{"op": "set", "key": "k", "value": 1}, {"op": "delete", "key": "ORD-1"}]},
        key=key,
    )
    assert [result["ok"] for result in batch.json()["results"]] == [False, True]
    assert (await server.get(f"{ORDERS}/items", key=key)).json()["items"] == []
    assert (await server.delete(f"/v1/memory/{fact.json()['id']}", key=key)).status_code == 204
    assert await names(server, key=key) == ["orders"]


async def test_a_test_key_has_no_caps_and_its_own_collections(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = limit(server, monkeypatch, collections=0, bytes=1, units=0)
    test = server.new_key(space="small", mode="test")
    await put(server, "ORD-1", 1, key=test)
    assert await names(server, key=test) == ["orders"]
    assert await names(server, key=live) == []


async def test_no_collection_of_another_space_is_seen_or_touched(server: Server) -> None:
    await create(server, indexes=[{"field": "status"}])
    await put(server, "ORD-1", {"status": "shipped"})
    other = server.new_key(space="another")
    assert await names(server, key=other) == []
    for answer in (
        await server.get(ORDERS, key=other),
        await server.delete(ORDERS, key=other),
        await server.get(f"{ORDERS}/items", key=other),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "collection_not_found")
    assert (await server.post(COLLECTIONS, {"name": "orders"}, key=other)).status_code == 201
    assert (await server.delete(ORDERS, key=other)).status_code == 204
    assert (await server.get(f"{ORDERS}/items/ORD-1")).status_code == 200


async def test_every_answer_about_a_collection_is_of_the_shape_the_document_says(
    server: Server,
) -> None:
    made = await create(server, indexes=[{"field": "status"}], defaultTtlSeconds=60)
    wire.CollectionOut.model_validate(made)
    wire.CollectionPage.model_validate((await server.get(COLLECTIONS)).json())
    await put(server, "ORD-1", {"status": "shipped"})
    assert wire.ItemPage.model_validate(await queried(server, "status", "shipped")).items
