"""The facts of the hosted API: remember, list, recall, read, forget one, forget a scope."""

from __future__ import annotations

import asyncio
import threading
from contextlib import closing
from typing import Any

import pytest

from localmem.core.hosting import Wipe, plan
from localmem.core.model import ItemId
from localmem.core.scope import PROJECT
from localmem.engine.answers import MeaningState
from localmem.store.hosting.database import open_hosting
from localmem.wire import memory_api as wire
from tests.server.conftest import OpenServer, Server
from tests.support.library import WordsEmbedder

ANA = {"scope": "contact", "contactId": "ana"}


async def test_a_fact_comes_back_as_it_is_listed_and_read(server: Server) -> None:
    answer = await server.post(
        "/v1/memory", {"text": "Prefers WhatsApp.", "metadata": {"source": "customer"}, **ANA}
    )
    assert answer.status_code == 201
    fact = answer.json()
    assert fact == {
        "id": fact["id"],
        "text": "Prefers WhatsApp.",
        "scope": "contact",
        "contactId": "ana",
        "metadata": {"source": "customer"},
        "createdAt": "2026-11-30T18:00:00.000Z",
    }
    assert fact["id"].startswith("mem_") and len(fact["id"]) == 30
    assert (await server.get("/v1/memory?scope=contact%3Aana")).json() == {
        "items": [fact],
        "nextCursor": None,
    }
    assert (await server.get(f"/v1/memory/{fact['id']}?scope=contact:ana")).json() == fact


@pytest.mark.parametrize(
    ("body", "query"),
    [
        ({}, ""),
        ({}, "?scope=project"),
        ({"scope": "project"}, ""),
        ({"scope": "contact", "contactId": "a:b@c"}, "?scope=contact:a:b@c"),
        ({"scope": "conversation", "conversationId": "t1"}, "?scope=conversation:t1"),
    ],
)
async def test_the_scope_of_a_body_is_the_scope_of_a_query(
    server: Server, body: dict[str, str], query: str
) -> None:
    await server.remember("Ships the same day.", **body)
    listed = (await server.get(f"/v1/memory{query}")).json()["items"]
    assert [item["text"] for item in listed] == ["Ships the same day."]


async def test_what_the_scope_knows_already_is_answered_and_not_kept_twice(server: Server) -> None:
    first = await server.remember("Has two cats.")
    again = await server.post("/v1/memory", {"text": "has  two CATS."})
    assert (again.status_code, again.json()["id"]) == (200, first)
    assert await server.texts() == ["Has two cats."]


async def test_a_list_is_newest_first_and_its_pages_miss_nothing_and_repeat_nothing(
    server: Server,
) -> None:
    for number in range(7):
        await server.remember(f"Fact number {number}.")
    found: list[str] = []
    cursor, pages = "", 0
    while True:
        page = (await server.get(f"/v1/memory?limit=3{cursor}")).json()
        found += [item["text"] for item in page["items"]]
        pages += 1
        if page["nextCursor"] is None:
            break
        await server.remember(f"Meanwhile {pages}.")
        cursor = f"&cursor={page['nextCursor']}"
    assert found == [f"Fact number {number}." for number in range(6, -1, -1)]
    assert pages == 3


async def test_a_page_longer_than_there_is_gives_the_longest(server: Server) -> None:
    for number in range(101):
        await server.remember(f"Fact number {number}.")
    page = (await server.get("/v1/memory?limit=5000")).json()
    assert len(page["items"]) == 100 and page["nextCursor"]


async def test_a_fact_is_recalled_by_meaning_right_after_it_was_kept(server: Server) -> None:
    await server.remember("Prefers WhatsApp over email.", **ANA)
    await server.settled()
    await server.remember("The gate code changes in May.", **ANA)
    partition = await server.services.control.run(lambda store: store.access.partitions()[0])
    async with server.services.spaces.using(server.services.spaces.file(partition)) as space:
        state, waiting = await space.engine.read(lambda engine: engine.meaning.state())
    assert (state, waiting) == (MeaningState.READY, 0)  # asked in the same line, behind the vector
    found = await server.post("/v1/memory/search", {"query": "gate code", **ANA})
    hits = found.json()["items"]
    assert hits[0]["text"] == "The gate code changes in May."
    assert set(hits[0]) == {"id", "text", "score", "createdAt"}


async def test_a_search_holds_nobody_up_but_its_own_space(
    server: Server, embedder: WordsEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = server.new_key(space="another")
    await server.remember("Has two cats.")
    await server.settled()
    assert (await server.post("/v1/memory", {"text": "Has a dog."}, key=other)).status_code == 201
    asked, free = threading.Event(), threading.Event()

    def slow(_: object, text: str) -> bytes:
        asked.set()
        assert free.wait(20)
        (vector,) = embedder.embed([text])
        return vector

    monkeypatch.setattr(WordsEmbedder, "embed_question", slow)
    search = asyncio.ensure_future(server.post("/v1/memory/search", {"query": "cats"}))
    assert await asyncio.to_thread(asked.wait, 20)
    assert (await server.get("/health")).status_code == 200
    assert await server.texts(key=other) == ["Has a dog."]
    assert not search.done()
    free.set()
    assert [hit["text"] for hit in (await search).json()["items"]] == ["Has two cats."]


async def test_without_a_floor_the_closest_come_back_and_with_one_only_those_above(
    server: Server,
) -> None:
    for text in ("Orders before 2pm ship today.", "Likes dark bread.", "Lives in Porto."):
        await server.remember(text)
    await server.settled()
    everything = (await server.post("/v1/memory/search", {"query": "ship orders"})).json()["items"]
    assert len(everything) == 3
    scores = [hit["score"] for hit in everything]
    assert scores == sorted(scores, reverse=True) and all(0 <= score <= 1 for score in scores)
    floor = scores[0]
    above = await server.post("/v1/memory/search", {"query": "ship orders", "minScore": floor})
    assert [hit["score"] for hit in above.json()["items"]] == [floor]
    few = await server.post("/v1/memory/search", {"query": "ship orders", "limit": 2})
    assert len(few.json()["items"]) == 2


async def test_five_hits_come_back_unless_another_number_is_asked_for(server: Server) -> None:
    for number in range(8):
        await server.remember(f"Fact number {number}.")
    await server.settled()
    found = await server.post("/v1/memory/search", {"query": "fact number"})
    assert len(found.json()["items"]) == 5


async def test_without_a_model_facts_are_kept_and_found_by_words(open_server: OpenServer) -> None:
    server = await open_server(meaning=False)
    server.key = server.new_key()
    await server.remember("Orders before 2pm ship today.")
    found = await server.post("/v1/memory/search", {"query": "orders"})
    assert [hit["text"] for hit in found.json()["items"]] == ["Orders before 2pm ship today."]


async def test_what_has_expired_is_gone_from_every_answer(server: Server) -> None:
    answer = await server.post("/v1/memory", {"text": "On holiday until Friday.", "ttlSeconds": 60})
    fact = answer.json()
    assert fact["expiresAt"] == "2026-11-30T18:01:00.000Z"
    server.clock.advance(59)
    assert await server.texts() == ["On holiday until Friday."]
    server.clock.advance(1)
    assert await server.texts() == []
    assert (await server.get(f"/v1/memory/{fact['id']}")).status_code == 404
    found = await server.post("/v1/memory/search", {"query": "holiday Friday"})
    assert found.json() == {"items": []}


async def test_a_forgotten_fact_is_gone_and_forgetting_it_again_finds_nothing(
    server: Server,
) -> None:
    id = await server.remember("Has two cats.")
    answer = await server.delete(f"/v1/memory/{id}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert await server.texts() == []
    again = await server.delete(f"/v1/memory/{id}")
    assert (again.status_code, again.json()["code"]) == (404, "memory_not_found")


async def test_a_forgotten_fact_leaves_the_files_of_the_space(server: Server) -> None:
    id = await server.remember("The secret ingredient is cardamom.")
    await server.delete(f"/v1/memory/{id}")
    await server.settled()
    files = [file for file in server.folder.rglob("live.db*") if not file.name.endswith("-shm")]
    assert files and not any(b"cardamom" in file.read_bytes() for file in files)


async def test_a_wipe_takes_one_scope_and_nothing_that_is_added_after_it(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("localmem.server.spaces.WIPE_STEP", 2)
    for number in range(12):
        await server.remember(f"Fact number {number}.", **ANA)
    await server.remember("Of the project.")
    answer = await server.delete("/v1/memory?scope=contact:ana")
    assert (answer.status_code, answer.json()) == (202, {"status": "deleting"})
    await server.remember("Added during the wipe.", **ANA)
    seen = await server.texts("contact:ana")
    assert seen[0] == "Added during the wipe." and len(seen) > 1  # it goes on in between
    await server.settled()
    assert await server.texts("contact:ana") == ["Added during the wipe."]
    assert await server.texts() == ["Of the project."]


async def test_a_wipe_that_was_accepted_is_finished_after_a_restart(
    open_server: OpenServer, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from localmem.engine.forgetting import Forgetting
    from localmem.errors import StoreBusy

    def busy(*_: object, **__: object) -> int:
        raise StoreBusy("Somebody else holds it.")

    await server.remember("Has two cats.")
    with monkeypatch.context() as patch:
        patch.setattr(Forgetting, "wipe_some", busy)
        assert (await server.delete("/v1/memory")).status_code == 202
        await server.settled()
        assert await server.texts() == ["Has two cats."]
        key = server.key
        server = await open_server(meaning=False)
        server.key = key
        await server.settled()
    assert await server.texts() == ["Has two cats."]
    server = await open_server()
    server.key = key
    await server.settled()
    assert await server.texts() == []
    assert await server.services.control.run(lambda store: store.ledger.wipes()) == []


async def test_a_library_that_is_damaged_keeps_the_server_from_starting_for_nobody_else(
    open_server: OpenServer, server: Server
) -> None:
    await server.remember("Has two cats.")
    partition = await server.services.control.run(lambda store: store.access.partitions()[0])
    wipe = Wipe(partition.space, partition.mode, PROJECT, ItemId("f"))
    with closing(open_hosting(server.folder / "server.db")) as store, store.writing():
        store.ledger.promise_wipe(wipe)
    other, key = server.new_key(space="another"), server.key
    await server.services.spaces.close()
    file = server.services.spaces.file(partition)
    file.write_bytes(b"damaged " * 1_000)
    server = await open_server()
    assert await server.texts(key=other) == []
    assert (await server.get("/v1/memory", key=key)).status_code == 503
    assert await server.services.control.run(lambda store: len(store.ledger.wipes())) == 1


async def test_the_plan_of_a_space_caps_its_facts_and_reading_goes_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from localmem.core import hosting

    small = replace(plan("free"), project_facts=2)
    monkeypatch.setattr(hosting, "PLANS", {**hosting.PLANS, "free": small})
    server.manage(lambda issuing: issuing.create_space("small", "free"))
    key = server.new_key(space="small")
    for text in ("One.", "Two."):
        assert (await server.post("/v1/memory", {"text": text}, key=key)).status_code == 201
    full = await server.post("/v1/memory", {"text": "Three."}, key=key)
    assert (full.status_code, full.json()["code"]) == (429, "memory_scope_full")
    assert full.headers["x-should-retry"] == "false"
    contact = await server.post("/v1/memory", {"text": "Three.", **ANA}, key=key)
    assert contact.status_code == 201
    assert await server.texts(key=key) == ["Two.", "One."]


async def test_every_answer_is_of_the_shape_the_document_says(server: Server) -> None:
    models: dict[str, Any] = {}
    fact = (await server.post("/v1/memory", {"text": "Has two cats.", "ttlSeconds": 90})).json()
    models["fact"] = wire.Fact.model_validate(fact)
    wire.FactPage.model_validate((await server.get("/v1/memory")).json())
    found = await server.post("/v1/memory/search", {"query": "cats"})
    assert wire.FactHits.model_validate(found.json()).items
    wire.Me.model_validate((await server.get("/v1/me")).json())
    wire.UsageOut.model_validate((await server.get("/v1/memory/usage")).json())
    wire.Deleting.model_validate((await server.delete("/v1/memory")).json())
    wire.Fault.model_validate((await server.get("/v1/memory/none")).json())
    with pytest.raises(ValueError):
        wire.Fact.model_validate(fact | {"more": 1})
