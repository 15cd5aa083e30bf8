"""Batches of facts: one transaction, each part judged alone; and newer wordings for older ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import apsw
import httpx
import pytest

from localmem.core import hosting
from localmem.core.hosting import Right, plan
from localmem.wire import memory_api as wire
from tests.server.conftest import Server

BATCH = "/v1/memory/batch"
ANA = {"scope": "contact", "contactId": "ana"}
LARGE = {"Memory-Batch": "250"}
LM = "018f2f5e-7d1c-7a3b-9c4d-5e6f708192{:02x}"
SECRET = "her brother's name is Anselm"


def add(text: str, **more: Any) -> dict[str, Any]:
    return {"op": "add", "text": text, **more}


def delete(id: str, **more: Any) -> dict[str, Any]:
    return {"op": "delete", "id": id, **more}


async def send(server: Server, *steps: Any, **options: Any) -> httpx.Response:
    scope = options.pop("scope", {})
    return await server.post(BATCH, {"operations": list(steps), **scope}, **options)


async def results(server: Server, *steps: Any, **options: Any) -> list[dict[str, Any]]:
    answer = await send(server, *steps, **options)
    assert answer.status_code == 200, answer.text
    wire.FactBatchResults.model_validate(answer.json())
    found: list[dict[str, Any]] = answer.json()["results"]
    assert len(found) == len(steps)
    return found


def codes(found: list[dict[str, Any]]) -> list[Any]:
    """True of what was done, or the code of what was refused."""
    return [each["ok"] or each["error"]["code"] for each in found]


async def changes(server: Server, cursor: str | None = None) -> dict[str, Any]:
    params = {"cursor": cursor} if cursor else {}
    return dict((await server.get("/v1/memory/changes", params=params)).json())


async def test_facts_are_kept_and_forgotten_in_the_order_they_were_sent(server: Server) -> None:
    old = await server.remember("Has a dog.", **ANA)
    found = await results(
        server, add("Has two cats.", metadata={"lm": LM.format(1)}), delete(old),
        add("Back on Friday.", ttlSeconds=60), scope=ANA,
    )  # fmt: skip
    now = "2026-11-30T18:00:00.000Z"
    first, gone, last = found
    assert first == {
        "ok": True, "id": first["id"], "created": True, "createdAt": now, "seq": 2,
    }  # fmt: skip
    assert gone == {"ok": True, "id": old, "seq": 3}
    assert (last["expiresAt"], last["seq"]) == ("2026-11-30T18:01:00.000Z", 4)
    assert await server.texts("contact:ana") == ["Back on Friday.", "Has two cats."]
    assert await server.texts() == []
    (fact,) = [row for row in (await changes(server))["changes"] if row["id"] == first["id"]]
    assert fact["lm"] == LM.format(1)


async def test_the_changes_of_a_batch_are_in_the_order_of_its_results(server: Server) -> None:
    old = await server.remember("old")
    found = await results(server, *map(add, "abc"), delete(old), *map(add, "de"))
    rows = (await changes(server))["changes"]
    assert [each["seq"] for each in found] == [2, 3, 4, 5, 6, 7]
    told = {row["seq"]: row["body"]["text"] for row in rows if "body" in row}
    assert told == {2: "a", 3: "b", 4: "c", 6: "d", 7: "e"}


async def test_a_delete_of_what_is_absent_is_done(server: Server) -> None:
    elsewhere = await server.remember("Ana's.", **ANA)
    found = await results(server, delete("mem_" + "0" * 26), delete("no id"), delete(elsewhere))
    assert codes(found) == [True] * 3
    assert not any("seq" in each for each in found)
    assert await server.texts("contact:ana") == ["Ana's."]


async def test_words_that_the_scope_knows_already_are_not_kept_twice(server: Server) -> None:
    known = await server.remember("Has two cats.")
    found = await results(server, add("has  two CATS."), add("New."), add("new."))
    assert [each["created"] for each in found] == [False, True, False]
    assert found[0]["id"] == known and found[1]["id"] == found[2]["id"]
    assert found[0]["text"] == "Has two cats." and "seq" not in found[0]
    assert await server.texts() == ["New.", "Has two cats."]


async def test_a_refusal_keeps_nothing_else_from_its_work_and_leaves_nothing(
    server: Server,
) -> None:
    found = await results(
        server, add("first"), add("  "), add("x" * 8_193), add("much", metadata={"k": "v" * 513}),
        add("soon", ttlSeconds=59), add("ghp_" + "a1B2c3D4e5F6" * 3),
        add("key", metadata={"ghp_" + "a1B2c3D4e5F6" * 3: "v"}), add("last"),
    )  # fmt: skip
    assert codes(found) == [
        True, *["invalid_request"] * 4, "secret_rejected", "secret_rejected", True,
    ]  # fmt: skip
    assert await server.texts() == ["last", "first"]
    assert [each.get("seq") for each in (found[0], found[-1])] == [1, 2]


async def test_what_was_kept_otherwise_than_sent_is_told(server: Server) -> None:
    token = "zv_live_Ab3dEf9hJk2mAb3dEf9hJk2m"
    (masked, plain) = await results(
        server, add(f"The key of the shop is {token}.", metadata={"owner_id": "x"}), add("plain")
    )
    assert token not in masked["text"] and masked["metadata"] == {}
    assert not {"text", "metadata"} & plain.keys()


async def test_a_newer_wording_takes_the_place_of_older_ones(server: Server) -> None:
    one, two = await server.remember("Has a cat."), await server.remember("Has a dog.")
    other = await server.remember("Ana's.", **ANA)
    (result,) = await results(
        server, add("Has a cat and a dog.", replaces=[one, two, one, other, "mem_x"])
    )
    assert (result["created"], result["replaced"]) == (True, [one, two])
    assert await server.texts() == ["Has a cat and a dog."]
    assert await server.texts("contact:ana") == ["Ana's."]


async def test_a_replaced_one_does_not_count_against_the_cap(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(plan("free"), project_facts=2)
    monkeypatch.setattr(hosting, "PLANS", {**hosting.PLANS, "free": small})
    server.manage(lambda issuing: issuing.create_space("small", "free"))
    server.key = server.new_key(space="small")
    one, _ = await results(server, add("One."), add("Two."))
    found = await results(
        server, add("Three."), add("Uno.", replaces=[one["id"]]), add("Four."), add("two.")
    )
    assert codes(found) == ["memory_scope_full", True, "memory_scope_full", True]
    assert found[0]["error"]["details"]["cap"] == 2
    assert await server.texts() == ["Uno.", "Two."]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "operations"),
        ({"operations": []}, "operations"),
        ({"operations": [{"op": "add"}]}, "operations.0.text"),
        ({"operations": [{"op": "delete"}]}, "operations.0.id"),
        ({"operations": [add("x"), add("y", id="z")]}, "operations.1.id"),
        ({"operations": [add("x", reason="sup")]}, "operations.0.reason"),
        ({"operations": [delete("x", text="y")]}, "operations.0.text"),
        ({"operations": [delete("x", replaces=[])]}, "operations.0.replaces"),
        ({"operations": [delete("x", reason="expired")]}, "operations.0.reason"),
        ({"operations": [add("x", replaces=["m"] * 26)]}, "operations.0.replaces"),
        ({"operations": [add("x", ttl=60)]}, "ttl"),
        ({"operations": [add("x")], "contactId": "ana"}, "contactId"),
        ({"operations": [add(f"{n}") for n in range(26)]}, "operations"),
    ],
)
async def test_a_batch_out_of_shape_keeps_nothing_of_it(
    server: Server, body: Any, field: str
) -> None:
    answer = await server.post(BATCH, body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["details"]["field"] == field
    assert await server.texts() == []


async def test_who_asks_for_it_may_send_250(server: Server) -> None:
    many = [add(f"fact {number}") for number in range(251)]
    assert len(await results(server, *many[:25])) == 25
    assert codes(await results(server, *many[:250], headers=LARGE)) == [True] * 250
    assert (await send(server, *many, headers=LARGE)).status_code == 400
    assert (await changes(server))["seq"] == 250


async def test_keys_do_what_their_rights_allow(server: Server) -> None:
    old = await server.remember("old")
    writes = server.new_key("w", rights=(Right.READ, Right.WRITE))
    found = await results(server, add("a"), delete(old), add("b", replaces=[old]), key=writes)
    assert codes(found) == [True, "forbidden", "forbidden"]
    reads = server.new_key("r", rights=(Right.READ,))
    assert (await send(server, add("c"), key=reads)).status_code == 403
    single = await server.post(
        "/v1/memory", {"text": "b"}, key=writes, headers={"Memory-Replaces": old}
    )
    assert (single.status_code, single.json()["code"]) == (403, "forbidden")
    assert await server.texts() == ["a", "old"]


async def test_units_are_those_of_what_was_done(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(plan("free"), units=16)
    monkeypatch.setattr(hosting, "PLANS", {**hosting.PLANS, "free": small})
    server.manage(lambda issuing: issuing.create_space("small", "free"))
    server.key = server.new_key(space="small")
    one, *_ = await results(server, add("a"), add(""), add("b"))
    assert (await server.get("/v1/memory/usage")).json()["units"]["used"] == 10
    found = await results(server, add("c"), add("d"), delete(one["id"]), add("e"))
    assert codes(found) == [True, True, True, "memory_limit_exceeded"]


async def test_asked_again_it_is_answered_and_not_done_again(server: Server) -> None:
    old = await server.remember("old")
    steps = [
        add(SECRET, metadata={"lm": LM.format(1)}), add(""), delete(old), add("tea"), add("TEA"),
    ]  # fmt: skip
    keyed = {"Idempotency-Key": "op-1"}
    first, again = [await send(server, *steps, headers=keyed) for _ in range(2)]
    before, now = first.json()["results"], again.json()["results"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Memory-Seq"] == first.headers["Memory-Seq"] == "4"
    for each in (before[1], now[1]):
        each["error"].pop("message"), each["error"].pop("details", None)
    assert before == now
    assert await server.texts() == ["tea", SECRET]
    assert "Anselm" not in str(_answered(server))
    other = await send(server, *steps[:-1], headers=keyed)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")


async def test_what_was_forgotten_since_is_told_so_in_its_place_and_not_kept_again(
    server: Server,
) -> None:
    keyed = {"Idempotency-Key": "op-1"}
    steps = [add(SECRET), add("tea")]
    secret, _ = (await send(server, *steps, headers=keyed)).json()["results"]
    assert [row is None for row in _answered(server)] == [False]
    await server.delete(f"/v1/memory/{secret['id']}")
    assert [row is None for row in _answered(server)] == [True]
    found = (await send(server, *steps, headers=keyed)).json()["results"]
    assert codes(found) == ["memory_forgotten", True]
    assert await server.texts() == ["tea"]


async def test_a_batch_that_forgets_what_it_was_told_keeps_no_digest_of_it(server: Server) -> None:
    known = await server.remember(SECRET)
    keyed = {"Idempotency-Key": "op-1"}
    await send(server, add(SECRET), delete(known), headers=keyed)
    assert _answered(server) == [None]
    longer = await send(server, add(SECRET), headers=keyed)
    assert longer.json()["code"] == "idempotency_conflict"


def _answered(server: Server) -> list[Any]:
    """The digests of requests."""
    (file,) = server.folder.glob("spaces/*/live.db")
    connection = apsw.Connection(str(file))
    try:
        return [asked for (asked,) in connection.execute("SELECT asked FROM answered")]
    finally:
        connection.close()


async def test_the_facts_of_a_batch_are_found_by_words_and_by_meaning(server: Server) -> None:
    await results(server, *[add(f"Likes bread number {number}.") for number in range(20)])
    await server.settled()
    found = (await server.post("/v1/memory/search", {"query": "bread"})).json()["items"]
    assert len(found) == 5
    assert server.services.spaces.to_embed == 0


# a newer wording, alone


async def test_a_fact_may_be_kept_in_place_of_its_older_wordings(server: Server) -> None:
    one, two = await server.remember("Has a cat."), await server.remember("Has a dog.")
    cursor = (await changes(server))["cursor"]
    answer = await server.post(
        "/v1/memory",
        {"text": "Has both."},
        headers={"Memory-Replaces": f"{one}, {two},mem_{'0' * 26}"},
    )
    assert answer.status_code == 201
    assert answer.headers["Memory-Replaced"] == f"{one}, {two}"
    assert await server.texts() == ["Has both."]
    rows = (await changes(server, cursor))["changes"]
    assert [(row["seq"], row.get("reason")) for row in rows] == [(3, None), (4, "sup"), (5, "sup")]
    assert int(answer.headers["Memory-Seq"]) == 2 + 1 + 2


@pytest.mark.parametrize(
    "body",
    [
        {"text": "Has two cats.", "metadata": {"lm": LM.format(2)}},
        {"text": "Has two cats.", "ttlSeconds": 60},
        {"text": "has  two CATS."},
        {"text": "Has two cats."},
    ],
    ids=str,
)
async def test_a_wording_that_differs_little_from_the_one_it_replaces_comes_to_be(
    server: Server, body: dict[str, Any]
) -> None:
    old = await server.remember("Has two cats.", metadata={"lm": LM.format(1)})
    answer = await server.post("/v1/memory", body, headers={"Memory-Replaces": old})
    assert answer.status_code == 201 and answer.json()["id"] != old
    (item,) = (await server.get("/v1/memory")).json()["items"]
    assert item == answer.json() and item["text"] == body["text"]
    (again,) = await results(server, add("Has two cats.", replaces=[item["id"]]))
    assert again["created"] is True and again["replaced"] == [item["id"]]


async def test_where_another_fact_says_the_new_words_the_older_ones_go_all_the_same(
    server: Server,
) -> None:
    known, old = await server.remember("Has both."), await server.remember("Has a cat.")
    answer = await server.post(
        "/v1/memory", {"text": "has both."}, headers={"Memory-Replaces": old}
    )
    assert (answer.status_code, answer.json()["id"]) == (200, known)
    assert answer.headers["Memory-Replaced"] == old
    assert await server.texts() == ["Has both."]


async def test_a_newer_wording_that_is_refused_keeps_the_older_one(server: Server) -> None:
    old = await server.remember("Has a cat.")
    answer = await server.post("/v1/memory", {"text": " "}, headers={"Memory-Replaces": old})
    assert answer.status_code == 400
    assert await server.texts() == ["Has a cat."]


async def test_a_replacement_asked_for_again_is_the_first_answer(server: Server) -> None:
    old = await server.remember("Has a cat.")
    headers = {"Memory-Replaces": old, "Idempotency-Key": "op-1"}
    first, again = [
        await server.post("/v1/memory", {"text": "Has two."}, headers=headers) for _ in range(2)
    ]
    assert first.content == again.content
    assert again.headers["Memory-Replaced"] == first.headers["Memory-Replaced"] == old
    without = await server.post(
        "/v1/memory", {"text": "Has two."}, headers={"Idempotency-Key": "op-1"}
    )
    assert without.json()["code"] == "idempotency_conflict"
