"""Items of the hosted API: written, read, deleted and listed by key, on conditions or without."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from localmem.core.documents import MAX_BYTES, MAX_DEPTH
from localmem.wire import collections_api as wire
from tests.server.conftest import Server

ITEMS = "/v1/memory/collections/orders/items"
ANA = "?scope=contact:ana"
SCOPES = ["", "?scope=project", ANA, "?scope=contact:an", "?scope=conversation:ana"]


async def put(
    server: Server, item: str, value: Any, query: str = "", **headers: str
) -> httpx.Response:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return await server.put(f"{ITEMS}/{item}{query}", {"value": value}, headers=named)


async def get(server: Server, item: str, query: str = "") -> httpx.Response:
    return await server.get(f"{ITEMS}/{item}{query}")


async def delete(server: Server, item: str, query: str = "", **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return await server.delete(f"{ITEMS}/{item}{query}", headers=named)


async def keys(server: Server, query: str = "") -> list[str]:
    answer = await server.get(f"{ITEMS}{query}")
    if answer.status_code == 404:
        assert answer.json()["code"] == "collection_not_found"
        return []
    return [item["key"] for item in answer.json()["items"]]


def is_conflict(answer: httpx.Response, current: int | None) -> None:
    assert (answer.status_code, answer.json()["code"]) == (409, "revision_conflict"), answer.text
    assert answer.json()["details"] == {"currentRev": current}
    assert answer.headers["x-should-retry"] == "false"


# written and read


async def test_an_item_comes_back_as_it_was_answered_and_listed(server: Server) -> None:
    answer = await put(server, "ORD-12345", {"status": "shipped", "total": 42.5}, ANA)
    assert answer.status_code == 200
    assert answer.json() == {
        "key": "ORD-12345",
        "value": {"status": "shipped", "total": 42.5},
        "rev": 1,
        "createdAt": "2026-11-30T18:00:00.000Z",
        "updatedAt": "2026-11-30T18:00:00.000Z",
    }
    assert answer.headers["etag"] == '"1"'
    read = await get(server, "ORD-12345", ANA)
    assert (read.json(), read.headers["etag"]) == (answer.json(), '"1"')
    listed = (await server.get(f"{ITEMS}{ANA}")).json()
    assert listed == {"items": [answer.json()], "nextCursor": None}


async def test_a_write_replaces_the_whole_document(server: Server) -> None:
    await put(server, "k", {"a": 1, "b": 2})
    server.clock.advance(5)
    again = (await put(server, "k", {"b": 3})).json()
    assert again["value"] == {"b": 3} and again["rev"] == 2
    assert again["createdAt"] < again["updatedAt"] == "2026-11-30T18:00:05.000Z"


VALUES = [None, True, 0, -1.5, 1e300, "", "ação ö \u0000 \U0001f600", [], {}, [None, {"": [1]}]]


@pytest.mark.parametrize("value", VALUES, ids=repr)
async def test_any_json_is_a_value(server: Server, value: Any) -> None:
    assert (await put(server, "k", value)).json()["value"] == value
    assert (await get(server, "k")).json()["value"] == value


@pytest.mark.parametrize(
    "item", ["a", "A-1_b.c:d@e", "...", "x" * 255, "phone:56940560201", "batch"]
)
async def test_keys_of_every_allowed_form_are_taken(server: Server, item: str) -> None:
    assert (await put(server, item, 1)).status_code == 200
    assert (await get(server, item)).json()["key"] == item
    assert await keys(server) == [item]


@pytest.mark.parametrize(
    "item", ["+56940560201", "a+b", "a b", "a%20b", "a%25", "é", "x" * 256, "a%0A", "%00", "a,b"]
)
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_a_key_out_of_shape_is_refused_whatever_is_done_with_it(
    server: Server, item: str, method: str
) -> None:
    body = {"value": 1} if method == "PUT" else None
    answer = await server.ask(method, f"{ITEMS}/{item}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_key")
    assert answer.json()["details"]["field"] == "key"
    assert (await server.get("/v1/memory/collections")).json()["items"] == []


async def test_a_phone_number_is_answered_with_the_key_to_use(server: Server) -> None:
    assert "phone:56940560201" in (await put(server, "+56940560201", 1)).json()["message"]


async def test_the_first_document_of_the_limit_is_taken_and_one_byte_more_is_not(
    server: Server,
) -> None:
    largest = "x" * (MAX_BYTES - 2)
    assert (await put(server, "k", largest)).status_code == 200
    answer = await put(server, "k", largest + "x")
    assert (answer.status_code, answer.json()["code"]) == (413, "document_too_large")
    assert answer.json()["details"]["field"] == "value"
    assert (await get(server, "k")).json()["rev"] == 1


async def test_spaces_and_escapes_do_not_count(server: Server) -> None:
    value = ["é" * 40_000, "b"]
    body = json.dumps({"value": value}, ensure_ascii=True, indent=8)
    assert len(body) > MAX_BYTES
    answer = await server.ask(
        "PUT", f"{ITEMS}/k", content=body, headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["value"]) == (200, value)


async def test_a_body_of_10_megabytes_is_a_document_too_large(server: Server) -> None:
    answer = await put(server, "k", "x" * 10_000_000)
    assert (answer.status_code, answer.json()["code"]) == (413, "document_too_large")
    assert await keys(server) == []


def nested(depth: int) -> Any:
    value: Any = 1
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


async def test_32_levels_are_taken_and_33_are_not(server: Server) -> None:
    assert (await put(server, "k", nested(MAX_DEPTH))).status_code == 200
    for depth in (MAX_DEPTH + 1, 500):
        answer = await put(server, "k", nested(depth))
        assert (answer.status_code, answer.json()["code"]) == (400, "document_too_deep")
    assert (await get(server, "k")).json()["rev"] == 1


WRONG: dict[str, tuple[bytes, str, str]] = {
    "no body": (b"", "invalid_request", "body"),
    "broken JSON": (b'{"value": ', "invalid_request", "body"),
    "no value": (b"{}", "invalid_request", "value"),
    "a bare value": (b"[1]", "invalid_request", "body"),
    "NaN": (b'{"value": NaN}', "invalid_request", "body"),
    "beyond a double": (b'{"value": 1e999}', "invalid_request", "body"),
    "a member twice": (b'{"value": {"a": 1, "a": 2}}', "invalid_request", "body"),
    "half a character": (b'{"value": "\\ud800"}', "invalid_request", "body"),
    "nested beyond reading": (b'{"value": ' + b"[" * 100_000, "document_too_deep", "body"),
    "a misspelt field": (b'{"value": 1, "ttlSecond": 60}', "invalid_request", "ttlSecond"),
    "a key in the body": (b'{"value": 1, "key": "k"}', "invalid_request", "key"),
    "a scope in the body": (b'{"value": 1, "scope": "project"}', "invalid_request", "scope"),
    "a short ttl": (b'{"value": 1, "ttlSeconds": 59}', "invalid_request", "ttlSeconds"),
    "a long ttl": (b'{"value": 1, "ttlSeconds": 63072001}', "invalid_request", "ttlSeconds"),
    "a ttl that is text": (b'{"value": 1, "ttlSeconds": "60"}', "invalid_request", "ttlSeconds"),
}


@pytest.mark.parametrize("what", WRONG)
async def test_a_wrong_body_writes_nothing(server: Server, what: str) -> None:
    content, code, field = WRONG[what]
    answer = await server.ask(
        "PUT", f"{ITEMS}/k", content=content, headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, code), answer.text
    assert answer.json()["details"]["field"] == field
    assert (await server.get("/v1/memory/collections")).json()["items"] == []


@pytest.mark.parametrize("scope", ["contact", "contact:", "person", "team:a", "contact:a+b", ""])
async def test_a_scope_out_of_shape_is_refused_by_every_endpoint_of_items(
    server: Server, scope: str
) -> None:
    query = {"field": "a", "op": "eq", "value": 1}
    batch = {"operations": [{"op": "set", "key": "k", "value": 1}]}
    for method, path, body in (
        ("GET", ITEMS, None), ("GET", f"{ITEMS}/k", None), ("DELETE", f"{ITEMS}/k", None),
        ("PUT", f"{ITEMS}/k", {"value": 1}), ("POST", f"{ITEMS}/batch", batch),
        ("POST", "/v1/memory/collections/orders/query", query),
    ):  # fmt: skip
        answer = await server.ask(method, path, params={"scope": scope}, json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_scope"), path
    assert (await server.get("/v1/memory/collections")).json()["items"] == []


async def test_a_secret_in_a_document_is_masked_and_one_in_a_key_is_refused(
    server: Server,
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    answer = await put(server, "k", {"note": f"the token is {secret}, ask Rui"})
    assert answer.status_code == 200 and secret not in answer.text and "ask Rui" in answer.text
    refused = await put(server, secret, 1)
    assert (refused.status_code, refused.json()["code"]) == (400, "secret_rejected")
    named = await put(server, "k", {secret: 1})
    assert (named.status_code, named.json()["code"]) == (400, "secret_rejected")
    assert await keys(server) == ["k"] and (await get(server, "k")).json()["rev"] == 1
    new = await server.put(f"/v1/memory/collections/tokens/items/{secret}", {"value": 1})
    assert new.status_code == 400
    there = (await server.get("/v1/memory/collections")).json()["items"]
    assert [each["name"] for each in there] == ["orders"]


# rev and conditions


async def test_each_write_counts_whatever_it_says(server: Server) -> None:
    revs = [(await put(server, "k", {"a": 1})).json()["rev"] for _ in range(3)]
    assert revs == [1, 2, 3]


async def test_rev_goes_on_after_a_delete_in_its_scope_and_only_there(server: Server) -> None:
    await put(server, "k", 1)
    await put(server, "k", 2)
    await delete(server, "k")
    again = await put(server, "k", 3)
    assert (again.json()["rev"], again.headers["etag"]) == (3, '"3"')
    assert (await put(server, "k", 1, ANA)).json()["rev"] == 1


@pytest.mark.parametrize("said", ["1", '"1"', " 1 ", "*", "01"])
async def test_a_write_that_saw_the_item_as_it_is_is_done(server: Server, said: str) -> None:
    await put(server, "k", 1)
    answer = await put(server, "k", 2, If_Match=said)
    assert (answer.status_code, answer.json()["rev"]) == (200, 2)


@pytest.mark.parametrize("said", ["1", '"1"', "3", "0", "9" * 18])
@pytest.mark.parametrize("value", ["mine", "theirs"])
async def test_a_write_that_saw_another_rev_is_a_conflict_even_if_it_says_the_same(
    server: Server, said: str, value: str
) -> None:
    await put(server, "k", "base")
    held = (await put(server, "k", "theirs")).json()
    is_conflict(await put(server, "k", value, If_Match=said), 2)
    is_conflict(await delete(server, "k", If_Match=said), 2)
    assert (await get(server, "k")).json() == held


@pytest.mark.parametrize("said", ["1", '"1"', "0", "*"])
async def test_where_there_is_no_item_no_rev_matches(server: Server, said: str) -> None:
    is_conflict(await put(server, "k", 1, If_Match=said), None)
    is_conflict(await delete(server, "k", If_Match=said), None)
    assert (await server.get("/v1/memory/collections")).json()["items"] == []
    await put(server, "k", 1)
    await delete(server, "k")
    is_conflict(await put(server, "k", 1, If_Match=said), None)
    assert await keys(server) == []


@pytest.mark.parametrize(
    "said", ["", "abc", "-1", "1.0", '"1', '1"', "'1'", 'W/"1"', '"1", "2"', '"*"', "1" * 19, "+1"]
)
async def test_a_malformed_condition_writes_and_deletes_nothing(server: Server, said: str) -> None:
    held = (await put(server, "k", 1)).json()
    for answer in (
        await put(server, "k", 2, If_Match=said),
        await delete(server, "k", If_Match=said),
    ):
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_if_match")
        assert answer.json()["details"]["field"] == "If-Match"
    assert (await get(server, "k")).json() == held


async def test_two_conditions_at_once_are_refused(server: Server) -> None:
    held = (await put(server, "k", 1)).json()
    twice = await server.ask(
        "PUT",
        f"{ITEMS}/k",
        json={"value": 2},
        headers=httpx.Headers([("If-Match", "1"), ("If-Match", "2")]),
    )
    assert (twice.status_code, twice.json()["details"]["field"]) == (400, "If-Match")
    both = await put(server, "k", 2, If_Match="1", If_None_Match="*")
    assert (both.status_code, both.json()["code"]) == (400, "invalid_request")
    assert (await get(server, "k")).json() == held


async def test_create_only_creates_once(server: Server) -> None:
    made = await put(server, "k", 1, If_None_Match="*")
    assert (made.status_code, made.json()["rev"]) == (200, 1)
    is_conflict(await put(server, "k", 1, If_None_Match="*"), 1)
    assert (await put(server, "k", 1, ANA, If_None_Match="*")).status_code == 200
    await delete(server, "k")
    assert (await put(server, "k", 2, If_None_Match="*")).json()["rev"] == 2


@pytest.mark.parametrize("said", ["", "1", '"1"', "**"])
async def test_create_only_is_said_with_a_star(server: Server, said: str) -> None:
    answer = await put(server, "k", 1, If_None_Match=said)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert answer.json()["details"]["field"] == "If-None-Match"
    assert await keys(server) == []


# deleted


async def test_deleting_is_done_also_when_there_is_nothing(server: Server) -> None:
    await put(server, "k", "vermilion")
    for _ in range(2):
        answer = await delete(server, "k")
        assert (answer.status_code, answer.content) == (204, b"")
    gone = await get(server, "k")
    assert (gone.status_code, gone.json()["code"]) == (404, "item_not_found")
    await server.settled()
    files = [file for file in server.folder.rglob("live.db*") if not file.name.endswith("-shm")]
    assert files and not any(b"vermilion" in file.read_bytes() for file in files)


async def test_a_delete_that_saw_the_item_as_it_is_is_done(server: Server) -> None:
    await put(server, "k", 1)
    assert (await delete(server, "k", If_Match='"1"')).status_code == 204
    assert await keys(server) == []


# how long they are kept


async def test_an_expired_item_is_gone_from_every_answer_and_its_numbers_go_on(
    server: Server,
) -> None:
    path = f"{ITEMS}/k"
    await server.post("/v1/memory/collections", {"name": "orders", "indexes": [{"field": "f"}]})
    held = (await server.put(path, {"value": {"f": 1}, "ttlSeconds": 60})).json()
    assert held["expiresAt"] == "2026-11-30T18:01:00.000Z"
    server.clock.advance(59)
    assert (await get(server, "k")).json() == held
    server.clock.advance(1)
    assert (await get(server, "k")).status_code == 404
    assert await keys(server) == []
    query = {"field": "f", "op": "eq", "value": 1}
    found = await server.post("/v1/memory/collections/orders/query", query)
    assert found.json() == {"items": [], "nextCursor": None}
    is_conflict(await put(server, "k", 2, If_Match="1"), None)
    assert (await put(server, "k", 2, If_None_Match="*")).json()["rev"] == 2


async def test_a_write_says_how_long_and_else_the_collection_does(server: Server) -> None:
    await server.post("/v1/memory/collections", {"name": "orders", "defaultTtlSeconds": 3600})
    path = f"{ITEMS}/k"
    ends = [
        (await server.put(path, {"value": 1, **more})).json().get("expiresAt")
        for more in ({}, {"ttlSeconds": 60}, {"ttlSeconds": None}, {})
    ]
    hour, minute = "2026-11-30T19:00:00.000Z", "2026-11-30T18:01:00.000Z"
    assert ends == [hour, minute, None, hour]
    other = "/v1/memory/collections/other/items/k"
    first = (await server.put(other, {"value": 1, "ttlSeconds": 60})).json()
    assert first["expiresAt"] == minute
    assert "expiresAt" not in (await server.put(other, {"value": 2})).json()


# listed


async def test_a_list_is_in_the_order_of_the_bytes_of_its_keys(server: Server) -> None:
    written = ["b", "a", "B", "a-1", "a.1", "a:1", "_", "10", "9", "@", "a1"]
    for each in written:
        await put(server, each, 1)
    assert await keys(server) == sorted(written)


async def test_a_prefix_narrows_a_list_to_the_keys_that_begin_so(server: Server) -> None:
    for each in ("ORD-2025-1", "ORD-2026-1", "ORD-2026-2", "ORD-2027", "ord-2026-3", "ORD-2026"):
        await put(server, each, 1)
    assert await keys(server, "?prefix=ORD-2026") == ["ORD-2026", "ORD-2026-1", "ORD-2026-2"]
    assert await keys(server, "?prefix=ORD-2026-2") == ["ORD-2026-2"]
    assert len(await keys(server, "?prefix=")) == 6
    for nothing in ("x", "%25", "_", "ORD*", "%00", "é", "~", "%7F"):
        assert await keys(server, f"?prefix={nothing}") == []


async def test_pages_miss_nothing_and_repeat_nothing_while_others_write(server: Server) -> None:
    for number in range(7):
        await put(server, f"k{number}", number)
        await put(server, f"other{number}", number)
    found: list[str] = []
    cursor, pages = "", 0
    while True:
        page = (await server.get(f"{ITEMS}?prefix=k&limit=3{cursor}")).json()
        found += [item["key"] for item in page["items"]]
        pages += 1
        if page["nextCursor"] is None:
            break
        await put(server, f"k0{pages}", "behind the cursor")
        await delete(server, found[-1])
        cursor = f"&cursor={page['nextCursor']}"
    assert found == [f"k{number}" for number in range(7)] and pages == 3


async def test_a_page_has_50_items_unless_asked_and_never_more_than_100(server: Server) -> None:
    for start in (0, 60):
        sets = [
            {"op": "set", "key": f"k{number:03}", "value": number}
            for number in range(start, start + 60)
        ]
        batch = await server.post(
            f"{ITEMS}/batch", {"operations": sets}, headers={"Memory-Batch": "100"}
        )
        assert batch.status_code == 200
    for query, length in (("", 50), ("?limit=7", 7), ("?limit=100", 100), ("?limit=5000", 100)):
        assert len(await keys(server, query)) == length
    for wrong in ("0", "-1", "ten", "1.5", ""):
        answer = await server.get(f"{ITEMS}?limit={wrong}")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


async def test_a_cursor_is_good_for_its_own_list_alone(server: Server) -> None:
    for query in SCOPES:
        for each in ("a1", "a2", "a3"):
            await put(server, each, 1, query)
    await server.put("/v1/memory/collections/carts/items/a1", {"value": 1})
    cursor = (await server.get(f"{ITEMS}{ANA}&limit=1")).json()["nextCursor"]
    assert (await server.get(f"{ITEMS}{ANA}&limit=2&cursor={cursor}")).status_code == 200
    foreign = [
        f"{ITEMS}?cursor={cursor}",
        f"{ITEMS}?scope=contact:an&cursor={cursor}",
        f"{ITEMS}?scope=conversation:ana&cursor={cursor}",
        f"{ITEMS}{ANA}&prefix=a&cursor={cursor}",
        f"/v1/memory/collections/carts/items{ANA}&cursor={cursor}",
        f"/v1/memory{ANA}&cursor={cursor}",
        f"{ITEMS}{ANA}&cursor={cursor}A",
        f"{ITEMS}{ANA}&cursor=",
    ]
    for path in foreign:
        answer = await server.get(path)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_cursor"), path
    for key in (server.new_key(space="another"), server.new_key(mode="test")):
        await server.put(f"{ITEMS}/a1{ANA}", {"value": 1}, key=key)
        answer = await server.get(f"{ITEMS}{ANA}&cursor={cursor}", key=key)
        assert answer.json()["code"] == "invalid_cursor"


# scopes, spaces and modes


@pytest.mark.parametrize("other", [scope for scope in SCOPES if scope != ANA])
async def test_no_endpoint_tells_of_an_item_of_another_scope_or_touches_it(
    server: Server, other: str
) -> None:
    await server.post("/v1/memory/collections", {"name": "orders", "indexes": [{"field": "f"}]})
    held = (await put(server, "k", {"f": 1}, ANA)).json()
    query = {"field": "f", "op": "eq", "value": 1}
    foreign, missing = await get(server, "k", other), await get(server, "none", other)
    assert foreign.status_code == missing.status_code == 404
    assert foreign.text.replace("/k ", "/none ") == missing.text
    assert await keys(server, other) == []
    found = await server.post(f"/v1/memory/collections/orders/query{other}", query)
    assert found.json()["items"] == []
    is_conflict(await put(server, "k", 2, other, If_Match="1"), None)
    is_conflict(await delete(server, "k", other, If_Match="1"), None)
    assert (await delete(server, "k", other)).status_code == 204
    batch = await server.post(
        f"{ITEMS}/batch{other}",
        {"operations": [{"op": "delete", "key": "k"}, {"op": "set", "key": "k", "value": 2}]},
    )
    assert batch.json()["results"][1]["rev"] == 1
    assert (await get(server, "k", ANA)).json() == held


@pytest.mark.parametrize("options", [{"space": "another"}, {"mode": "test"}], ids=str)
async def test_no_endpoint_tells_of_an_item_of_another_space_or_mode(
    server: Server, options: dict[str, str]
) -> None:
    held = (await put(server, "k", 1)).json()
    key = server.new_key(**options)
    assert (await server.get(f"{ITEMS}/k", key=key)).status_code == 404
    assert (await server.get(f"{ITEMS}", key=key)).json()["code"] == "collection_not_found"
    assert (await server.delete(f"{ITEMS}/k", key=key)).status_code == 204
    created = await server.put(f"{ITEMS}/k", {"value": 2}, key=key, headers={"If-None-Match": "*"})
    assert created.json()["rev"] == 1
    assert (await get(server, "k")).json() == held


async def test_every_answer_about_an_item_is_of_the_shape_the_document_says(
    server: Server,
) -> None:
    answer = await server.put(f"{ITEMS}/k", {"value": {"a": [1]}, "ttlSeconds": 60})
    wire.ItemOut.model_validate(answer.json())
    assert wire.ItemPage.model_validate((await server.get(ITEMS)).json()).items
