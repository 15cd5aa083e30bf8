"""One key, one write: asked again, at once, after a crash, after forgetting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import apsw
import httpx
import pytest

from localmem.core import answers, hosting
from localmem.server import replies
from tests.server.conftest import OpenServer, Server

FACTS = "/v1/memory"
ITEM = "/v1/memory/collections/things/items/a"
BATCH = "/v1/memory/collections/things/items/batch"
SECRET = "her brother's name is Anselm"


def keyed(key: str = "op-1", **headers: str) -> dict[str, str]:
    return {"Idempotency-Key": key} | headers


async def add(server: Server, text: str, key: str = "op-1", **body: Any) -> httpx.Response:
    return await server.post(FACTS, {"text": text} | body, headers=keyed(key))


def same(first: httpx.Response, again: httpx.Response) -> bool:
    """The same answer, and marked as one that was given before."""
    told = ("Memory-Seq", "ETag", "Memory-Inc")
    return (
        first.status_code == again.status_code
        and first.content == again.content
        and [first.headers.get(name) for name in told] == [again.headers.get(name) for name in told]
        and "Idempotent-Replayed" not in first.headers
        and again.headers.get("Idempotent-Replayed") == "true"
    )


async def test_a_fact_asked_for_again_is_the_first_answer_and_no_second_fact(
    server: Server,
) -> None:
    first = await add(server, SECRET, metadata={"lm": "x"}, scope="contact", contactId="c1")
    again = await add(server, SECRET, metadata={"lm": "x"}, scope="contact", contactId="c1")
    assert first.status_code == 201
    assert same(first, again)
    assert await server.texts("contact:c1") == [SECRET]


async def test_the_same_words_under_another_key_are_what_they_are_without_one(
    server: Server,
) -> None:
    first = await add(server, "tea", "op-1")
    other = await add(server, "tea", "op-2")
    assert (first.status_code, other.status_code) == (201, 200)
    assert "Idempotent-Replayed" not in other.headers
    assert same(other, await add(server, "tea", "op-2"))


async def test_how_a_request_is_spelt_makes_no_other_of_it(server: Server) -> None:
    headers = keyed() | {"Content-Type": "application/json"}
    first = await server.ask(
        "POST", FACTS, headers=headers, content='{"text": "tea", "ttlSeconds": 60}'
    )
    quoted = headers | {"Idempotency-Key": '"op-1"'}
    again = await server.ask(
        "POST", FACTS, headers=quoted, content='{"ttlSeconds":60.0,"text":"\\u0074ea"}'
    )
    assert same(first, again)


@pytest.mark.parametrize("other", [{"text": "coffee"}, {"text": "tea", "ttlSeconds": 60}])
async def test_another_request_under_a_used_key_is_refused_for_good(
    server: Server, other: dict[str, Any]
) -> None:
    await add(server, "tea")
    answer = await server.post(FACTS, other, headers=keyed())
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_conflict")
    assert answer.headers["x-should-retry"] == "false"
    assert await server.texts() == ["tea"]


async def test_a_key_used_for_one_operation_is_used_for_all(server: Server) -> None:
    await add(server, "tea")
    steps = {"operations": [{"op": "set", "key": "a", "value": 1}]}
    answer = await server.post(BATCH, steps, headers=keyed())
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_conflict")


async def test_keys_of_another_partition_are_its_own(server: Server) -> None:
    await add(server, "tea")
    for options in ({"space": "work"}, {"mode": "test"}):
        key = server.new_key("other", **options)
        answer = await server.post(FACTS, {"text": "tea"}, headers=keyed(), key=key)
        assert answer.status_code == 201
        assert "Idempotent-Replayed" not in answer.headers


async def test_keys_of_one_space_are_one_whichever_credential_sends_them(server: Server) -> None:
    await add(server, "tea")
    answer = await server.post(FACTS, {"text": "tea"}, headers=keyed(), key=server.new_key("two"))
    assert answer.headers["Idempotent-Replayed"] == "true"


async def test_what_is_forgotten_is_not_written_again_by_the_same_request(server: Server) -> None:
    first = await add(server, SECRET)
    await server.delete(f"{FACTS}/{first.json()['id']}")
    again = await add(server, SECRET)
    assert (again.status_code, again.json()["code"]) == (410, "memory_forgotten")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert SECRET not in again.text
    assert await server.texts() == []


async def test_words_known_already_are_not_written_once_they_are_forgotten(server: Server) -> None:
    id = await server.remember("tea")
    known = await add(server, "tea")
    assert known.status_code == 200
    await server.delete(f"{FACTS}/{id}")
    assert (await add(server, "tea")).status_code == 410
    assert await server.texts() == []


async def test_nothing_kept_of_a_request_tells_what_was_forgotten(server: Server) -> None:
    """Neither its words nor a digest that a guess could be compared with."""
    first = await add(server, SECRET)
    kept = _answered(server)
    assert [row[0] is None for row in kept] == [False]
    await server.delete(f"{FACTS}/{first.json()['id']}")
    await server.settled()
    assert [row[0] is None for row in _answered(server)] == [True]
    held = [file.read_bytes() for file in server.folder.rglob("*") if file.is_file()]
    assert not any(b"Anselm" in content for content in held)


async def test_a_key_whose_request_is_forgotten_writes_nothing_else_either(
    server: Server,
) -> None:
    first = await add(server, SECRET)
    await server.delete(f"{FACTS}/{first.json()['id']}")
    assert (await add(server, "something else")).status_code == 410
    assert await server.texts() == []


def _answered(server: Server) -> list[Any]:
    (file,) = server.folder.glob("spaces/*/live.db")
    connection = apsw.Connection(str(file))
    try:
        return connection.execute("SELECT asked, kept FROM answered").fetchall()
    finally:
        connection.close()


async def test_a_batch_asked_for_again_is_answered_by_the_first_results(server: Server) -> None:
    steps = {
        "operations": [
            {"op": "set", "key": "a", "value": SECRET},
            {"op": "set", "key": "a", "value": 2, "ifMatch": 1},
            {"op": "delete", "key": "b"},
        ]
    }
    first = await server.post(BATCH, steps, headers=keyed())
    again = await server.post(BATCH, steps, headers=keyed())
    assert same(first, again)
    assert (await server.get(ITEM)).json()["rev"] == 2
    assert "Anselm" not in str(_answered(server))


async def test_what_a_batch_was_refused_stays_refused(server: Server) -> None:
    steps = {
        "operations": [
            {"op": "set", "key": "a", "value": 1, "ifMatch": 1},
            {"op": "set", "key": "b", "value": 1},
            {"op": "set", "key": "b", "value": 2, "ifMatch": 7},
        ]
    }
    first = (await server.post(BATCH, steps, headers=keyed())).json()["results"]
    await server.put(ITEM, {"value": 0})
    again = (await server.post(BATCH, steps, headers=keyed())).json()["results"]
    assert [result["ok"] for result in again] == [False, True, False]
    for before, now in zip(first, again, strict=True):
        for result in (before, now):
            result.get("error", {}).pop("message", None)
        assert before == now


async def test_a_batch_that_deletes_what_it_wrote_keeps_no_digest_of_it(server: Server) -> None:
    steps = [{"op": "set", "key": "a", "value": SECRET}, {"op": "delete", "key": "a"}]
    await server.post(BATCH, {"operations": steps}, headers=keyed())
    assert [row[0] for row in _answered(server)] == [None]


async def test_an_item_written_again_is_the_version_it_was_then(server: Server) -> None:
    first = await server.put(ITEM, {"value": 1}, headers=keyed())
    await server.put(ITEM, {"value": 2})
    assert same(first, await server.put(ITEM, {"value": 1}, headers=keyed()))
    assert (await server.get(ITEM)).json()["value"] == 2


async def test_a_create_that_landed_and_was_deleted_elsewhere_is_not_created_again(
    server: Server,
) -> None:
    create = keyed(**{"If-None-Match": "*"})
    assert (await server.put(ITEM, {"value": 1}, headers=create)).status_code == 200
    await server.delete(ITEM)
    again = await server.put(ITEM, {"value": 1}, headers=create)
    assert (again.status_code, again.json()["code"]) == (410, "memory_forgotten")
    assert (await server.get(ITEM)).status_code == 404


async def test_an_absent_lifetime_and_none_are_not_the_same_request(server: Server) -> None:
    await server.put(ITEM, {"value": 1}, headers=keyed())
    answer = await server.put(ITEM, {"value": 1, "ttlSeconds": None}, headers=keyed())
    assert answer.json()["code"] == "idempotency_conflict"


async def test_a_delete_that_comes_late_spares_what_was_written_since(server: Server) -> None:
    await server.put(ITEM, {"value": 1})
    first = await server.delete(ITEM, headers=keyed())
    await server.put(ITEM, {"value": 2})
    assert same(first, await server.delete(ITEM, headers=keyed()))
    assert (await server.get(ITEM)).json()["value"] == 2


async def test_a_refusal_is_judged_anew(server: Server) -> None:
    refused = await server.put(ITEM, {"value": 1}, headers=keyed(**{"If-Match": "1"}))
    assert refused.status_code == 409
    await server.put(ITEM, {"value": 0})
    done = await server.put(ITEM, {"value": 1}, headers=keyed(**{"If-Match": "1"}))
    assert (done.status_code, "Idempotent-Replayed" in done.headers) == (200, False)


async def test_after_thirty_days_a_key_is_new_again(server: Server) -> None:
    await add(server, "tea")
    server.clock.advance(answers.DAYS * 86_400 - 1)
    assert "Idempotent-Replayed" in (await add(server, "tea")).headers
    server.clock.advance(2)
    answer = await add(server, "coffee")
    assert (answer.status_code, "Idempotent-Replayed" in answer.headers) == (201, False)
    assert len(_answered(server)) == 1


@pytest.mark.parametrize("key", ["", " ", '""', "a b", "x" * 256])
async def test_a_key_that_is_none_is_refused_and_nothing_is_written(
    server: Server, key: str
) -> None:
    answer = await add(server, "tea", key)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert answer.json()["details"]["field"] == "Idempotency-Key"
    assert await server.texts() == []


async def test_where_nothing_is_written_a_key_is_passed_over(server: Server) -> None:
    assert (await server.get(FACTS, headers=keyed())).status_code == 200


async def test_a_hundred_at_once_are_one_write(server: Server) -> None:
    found = await asyncio.gather(*(add(server, "tea") for _ in range(100)))
    assert {answer.status_code for answer in found} == {201}
    assert len({answer.content for answer in found}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in found) == 1
    assert await server.texts() == ["tea"]


async def test_what_used_up_the_last_unit_is_answered_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(hosting.plan("free"), units=5)
    monkeypatch.setattr(hosting, "PLANS", {**hosting.PLANS, "free": small})
    server.manage(lambda issuing: issuing.create_space("small", "free"))
    server.key = server.new_key(space="small")
    first = await add(server, "tea")
    assert same(first, await add(server, "tea"))
    other = await add(server, "coffee", "op-2")
    assert (other.status_code, other.json()["code"]) == (429, "memory_limit_exceeded")


class Crash(BaseException):
    """The process dies here, as far as the transaction can tell."""


@pytest.mark.parametrize("where", ["_keep", "_numbered"])
async def test_a_crash_between_the_write_and_its_record_leaves_neither(
    server: Server, open_server: OpenServer, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    real: Callable[..., Any] = getattr(replies, where)

    def die(*args: Any) -> Any:
        real(*args)
        raise Crash

    with monkeypatch.context() as dying:
        dying.setattr(replies, where, die)
        with pytest.raises(Crash):
            await add(server, "tea")
    assert await server.texts() == []
    assert _answered(server) == []
    answer = await add(server, "tea")
    assert (answer.status_code, "Idempotent-Replayed" in answer.headers) == (201, False)
    again = await open_server()
    again.key = server.key
    assert same(answer, await add(again, "tea"))


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", ITEM, {"value": 1}),
        ("POST", BATCH, {"operations": [{"op": "set", "key": "a", "value": 1}]}),
        ("DELETE", ITEM, None),
        ("DELETE", f"{FACTS}/mem_{'0' * 26}", None),
    ],
    ids=["put", "batch", "delete an item", "delete a fact"],
)
async def test_a_key_of_a_forgotten_fact_is_told_from_one_for_something_else(
    server: Server, method: str, path: str, body: Any
) -> None:
    first = await add(server, SECRET)
    await server.delete(f"{FACTS}/{first.json()['id']}")
    other = await server.ask(method, path, json=body, headers=keyed())
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")


async def test_a_key_of_a_forgotten_batch_is_told_from_a_longer_one(server: Server) -> None:
    steps = [{"op": "set", "key": "a", "value": SECRET}, {"op": "delete", "key": "a"}]
    await server.post(BATCH, {"operations": steps}, headers=keyed())
    longer = [*steps, {"op": "set", "key": "b", "value": 1}]
    other = await server.post(BATCH, {"operations": longer}, headers=keyed())
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")
    assert (await server.get("/v1/memory/collections/things/items/b")).status_code == 404
