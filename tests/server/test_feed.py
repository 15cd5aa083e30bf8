"""Changes over HTTP: in order, none missed, nothing of what is gone but its ids."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from typing import Any
from uuid import UUID

import pytest

from localmem.core import feed
from localmem.core.records import Removal
from localmem.wire import sync_api
from localmem.wire.shapes import moment
from tests.server.conftest import Server

SYNC, CHANGES = "/v1/memory/sync", "/v1/memory/changes"
ITEMS = "/v1/memory/collections/things/items"
LM = "018f2f5e-7d1c-7a3b-9c4d-5e6f70819203"
INC = "018f2f5e-7d1c-7a3b-9c4d-5e6f70819299"


ACTS = (
    *["add"] * 4, *["put"] * 3, *["forget", "delete", "batch", "wait", "step"] * 2, "wipe", "drop",
)  # fmt: skip


class Follower:
    """A copy that only changes make; what expires it takes out by the times it was given."""

    def __init__(self, server: Server, **options: Any) -> None:
        self.server = server
        self.options = options
        self.cursor: str | None = None
        self.seq = 0
        self.rows: dict[str, dict[str, Any]] = {}
        self.seqs: list[int] = []
        self.pages = 0

    async def step(self, limit: int = feed.PAGE) -> bool:
        """One page; whether there is more."""
        params = {"limit": str(limit)} | ({"cursor": self.cursor} if self.cursor else {})
        answer = await self.server.get(CHANGES, params=params, **self.options)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        for row in page["changes"]:
            self._take(row)
        self.pages += 1
        self.cursor, self.seq = page["cursor"], page["seq"]
        return bool(page["more"])

    async def follow(self, limit: int = feed.PAGE) -> None:
        while await self.step(limit):
            continue

    def _take(self, row: dict[str, Any]) -> None:
        self.seqs.append(row["seq"])
        name = row["id"] if row["kind"] == "fact" else row["inc"]
        if row.get("deleted"):
            self.rows.pop(name, None)
        else:
            self.rows[name] = row

    def shown(self, now: str) -> dict[tuple[str, ...], Any]:
        found: dict[tuple[str, ...], Any] = {}
        for row in self.rows.values():
            body = row["body"]
            if body.get("expiresAt", "9") <= now:
                continue
            if row["kind"] == "fact":
                found["fact", row["scope"], row["id"]] = body["text"]
            else:
                place = ("item", row["scope"], row["collection"], row["key"])
                found[place] = (row["rev"], body["value"])
        return found


async def state(server: Server, scopes: list[str], names: list[str]) -> dict[tuple[str, ...], Any]:
    """What the documented API shows."""
    found: dict[tuple[str, ...], Any] = {}
    for scope in scopes:
        async for fact in listed(server, f"/v1/memory?scope={scope}"):
            found["fact", scope, fact["id"]] = fact["text"]
        for name in names:
            path = f"/v1/memory/collections/{name}/items?scope={scope}"
            async for item in listed(server, path):
                found["item", scope, name, item["key"]] = (item["rev"], item["value"])
    return found


async def listed(server: Server, path: str) -> Any:
    cursor = ""
    while True:
        answer = await server.get(f"{path}&limit=100{cursor}")
        if answer.status_code == 404:
            return
        for item in answer.json()["items"]:
            yield item
        if answer.json()["nextCursor"] is None:
            return
        cursor = f"&cursor={answer.json()['nextCursor']}"


async def changes(server: Server, cursor: str | None = None, **params: str) -> dict[str, Any]:
    given = params | ({"cursor": cursor} if cursor else {})
    answer = await server.get(CHANGES, params=given)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_sync_says_whose_copy_it_is_and_how_far(server: Server) -> None:
    first = (await server.get(SYNC)).json()
    await server.remember("Maria likes tea")
    answer = await server.get(SYNC)
    told = answer.json()
    assert told == first | {"high": first["high"] + 1}
    assert told["epoch"] == answer.headers["Memory-Epoch"]
    assert told["partition"] == "live"
    assert told["account"] == (await server.get("/v1/me")).json()["project"]["id"]
    assert told["capabilities"]["changes_page"] == 500
    assert told["capabilities"]["batch_asked"] == 250
    sync_api.SyncOut.model_validate(told)
    for name in ("batch_if_none_match", "fact_batch", "replaces"):
        assert told["capabilities"][name] is True


async def test_a_change_tells_what_an_item_is_now(server: Server) -> None:
    await server.remember("Maria likes tea", scope="contact", contactId="c1", metadata={"lm": LM})
    await server.put(f"{ITEMS}/a?scope=conversation:t9", {"value": {"_lm": {"inc": INC}, "n": 1}})
    await server.put(f"{ITEMS}/a?scope=conversation:t9", {"value": {"_lm": {"inc": INC}, "n": 2}})
    page = await changes(server)
    fact, item = page["changes"]
    assert (fact["kind"], fact["scope"]) == ("fact", "contact:c1")
    assert (fact["lm"], fact["body"]["text"]) == (LM, "Maria likes tea")
    assert (item["kind"], item["scope"]) == ("document", "conversation:t9")
    assert (item["collection"], item["key"], item["inc"], item["rev"]) == ("things", "a", INC, 2)
    assert item["body"]["value"]["n"] == 2
    assert [fact["seq"], item["seq"]] == [1, 3]
    assert (page["seq"], page["more"]) == (3, False)
    assert page["epoch"] == (await server.get(SYNC)).json()["epoch"]


@pytest.mark.parametrize(("reason", "said"), [("forget", None), ("sup", "sup"), ("dup", "dup")])
async def test_what_is_gone_is_told_with_its_reason_and_ids_alone(
    server: Server, reason: str, said: str | None
) -> None:
    id = await server.remember("her brother's secret", metadata={"lm": LM, "note": "private"})
    cursor = (await changes(server))["cursor"]
    headers = {"Memory-Reason": said} if said else {}
    assert (await server.delete(f"/v1/memory/{id}", headers=headers)).status_code == 204
    (row,) = (await changes(server, cursor))["changes"]
    assert row == {
        "seq": 2, "scope": "project", "kind": "fact", "id": id, "lm": LM, "deleted": True,
        "reason": reason,
    }  # fmt: skip


async def test_a_reason_that_is_none_is_refused_and_nothing_is_forgotten(server: Server) -> None:
    id = await server.remember("stays")
    answer = await server.delete(f"/v1/memory/{id}", headers={"Memory-Reason": "expired"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert await server.texts() == ["stays"]


async def test_a_deleted_item_is_named_by_its_incarnation_and_never_by_its_key(
    server: Server,
) -> None:
    wrote = await server.put(f"{ITEMS}/maria@example.org", {"value": [1, 2]})
    await server.put(f"{ITEMS}/size", {"value": {"_lm": {"vv": {}}, "gen": 3, "forgotten": False}})
    cursor = (await changes(server))["cursor"]
    await server.delete(f"{ITEMS}/maria@example.org")
    await server.delete(f"{ITEMS}/size")
    page = await changes(server, cursor)
    assert "maria" not in json.dumps(page)
    first, second = page["changes"]
    assert first["inc"] == wrote.headers["Memory-Inc"]
    assert (first["deleted"], first["reason"]) == (True, "forget")
    assert second["gen"] == 3
    assert "key" not in first


async def test_a_client_that_leaves_the_lineage_out_writes_on_the_same_incarnation(
    server: Server,
) -> None:
    wrote = await server.put(f"{ITEMS}/a", {"value": {"n": 1, "_lm": {"vv": {}, "inc": INC}}})
    over = await server.put(f"{ITEMS}/a", {"value": {"n": 2}})
    assert (wrote.headers["Memory-Inc"], over.headers["Memory-Own"]) == (
        INC,
        wrote.headers["Memory-Own"],
    )
    cursor = (await changes(server))["cursor"]
    await server.delete(f"{ITEMS}/a")
    (row,) = (await changes(server, cursor))["changes"]
    assert row["own"] == wrote.headers["Memory-Own"] == row["inc"]


async def test_a_request_that_was_meant_for_another_epoch_does_nothing(server: Server) -> None:
    id = await server.remember("stays")
    answer = await server.delete(f"/v1/memory/{id}", headers={"If-Memory-Epoch": "of-yesterday"})
    assert (answer.status_code, answer.json()["code"]) == (412, "epoch_changed")
    epoch = answer.headers["Memory-Epoch"]
    assert await server.texts() == ["stays"]
    again = await server.delete(f"/v1/memory/{id}", headers={"If-Memory-Epoch": epoch})
    assert again.status_code == 204


@pytest.mark.parametrize("lm", ["Maria's brother", "x" * 36, LM + "!", ""])
async def test_an_id_that_could_hold_words_is_kept_by_no_tombstone(server: Server, lm: str) -> None:
    id = await server.remember("told", metadata={"lm": lm})
    cursor = (await changes(server))["cursor"]
    await server.delete(f"/v1/memory/{id}")
    (row,) = (await changes(server, cursor))["changes"]
    assert "lm" not in row
    await server.settled()
    if lm:
        assert not any(lm.encode() in file.read_bytes() for file in _files(server))


def _files(server: Server) -> list[Any]:
    return [file for file in server.folder.glob("spaces/**/*") if file.is_file()]


async def test_what_expired_is_told_as_expired_once_it_is_erased(server: Server) -> None:
    await server.remember("soon gone", ttlSeconds=60)
    cursor = (await changes(server))["cursor"]
    server.clock.advance(61)
    assert (await changes(server))["changes"] == []
    id = await server.remember("another")
    await server.delete(f"/v1/memory/{id}")
    await server.settled()
    reasons = [row.get("reason") for row in (await changes(server, cursor))["changes"]]
    assert "expired" in reasons


async def test_a_key_sees_the_changes_of_its_own_partition_alone(server: Server) -> None:
    await server.remember("of home")
    other, test = server.new_key("elsewhere", space="work"), server.new_key("t", mode="test")
    for key in (other, test):
        answer = await server.get(CHANGES, key=key)
        assert (answer.json()["changes"], answer.json()["seq"]) == ([], 0)
        assert (await server.get(SYNC, key=key)).json()["high"] == 0
    mine = (await changes(server))["cursor"]
    refused = await server.get(CHANGES, key=other, params={"cursor": mine})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_cursor")


@pytest.mark.parametrize("cursor", ["", "x", "AAAA", "é", "A" * 5_000])
async def test_a_cursor_that_is_none_is_refused(server: Server, cursor: str) -> None:
    answer = await server.get(CHANGES, params={"cursor": cursor})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_cursor")


async def test_every_reply_to_a_key_that_was_let_in_has_the_epoch(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    epoch = (await server.get(SYNC)).json()["epoch"]
    none = {"Idempotency-Key": "a b"}
    answers = [
        await server.get("/v1/memory/none"),
        await server.put(f"{ITEMS}/a", {"value": 1}, headers={"If-Match": "7"}),
        await server.post("/v1/memory", {"text": ""}),
        await server.post("/v1/memory", {"text": "x"}, headers=none),
        await server.get(SYNC, key=server.new_key("w", rights=["memory:write"])),
        await server.get(CHANGES, params={"cursor": "x"}),
    ]

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a mistake")

    monkeypatch.setattr("localmem.engine.facts.Facts.replace", fail)
    answers.append(await server.post("/v1/memory", {"text": "x"}))
    assert [each.status_code for each in answers] == [404, 409, 400, 400, 403, 400, 500]
    assert {each.headers.get("Memory-Epoch") for each in answers} == {epoch}
    assert "Memory-Epoch" not in (await server.get(SYNC, key="")).headers


async def test_a_key_that_may_not_read_is_told_nothing(server: Server) -> None:
    key = server.new_key("writer", rights=["memory:write"])
    for path in (SYNC, CHANGES):
        assert (await server.get(path, key=key)).status_code == 403


async def test_a_cursor_is_too_old_once_something_it_has_not_seen_go_is_told_no_more(
    server: Server,
) -> None:
    first = await server.remember("early", metadata={"lm": LM})
    before = (await changes(server))["cursor"]
    await server.delete(f"/v1/memory/{first}")
    after = (await changes(server))["cursor"]
    server.clock.advance((feed.TOMBSTONE_DAYS + 1) * 86_400)
    late = await server.remember("late")
    await server.delete(f"/v1/memory/{late}")
    await server.settled()
    refused = await server.get(CHANGES, params={"cursor": before})
    assert (refused.status_code, refused.json()["code"]) == (410, "cursor_expired")
    assert refused.json()["details"] == {"reason": "age"}
    assert [row["seq"] for row in (await changes(server, after))["changes"]] == [4]
    everything = await changes(server, tombstones="all")
    assert LM not in json.dumps(everything)


async def test_a_reader_that_begins_is_not_told_of_what_is_gone_unless_it_asks(
    server: Server,
) -> None:
    for number in range(5):
        await server.delete(f"/v1/memory/{await server.remember(f'fact {number}')}")
    await server.remember("stays")
    assert [row["seq"] for row in (await changes(server))["changes"]] == [11]
    asked = await changes(server, tombstones="all")
    assert [row["seq"] for row in asked["changes"]] == [2, 4, 6, 8, 10, 11]


async def test_what_goes_while_a_reader_pages_is_told_to_it(server: Server) -> None:
    ids = [await server.remember(f"fact {number}") for number in range(6)]
    reader = Follower(server)
    assert await reader.step(limit=4)
    await server.delete(f"/v1/memory/{ids[0]}")
    await server.delete(f"/v1/memory/{ids[5]}")
    await reader.follow(limit=4)
    assert sorted(reader.rows) == sorted(ids[1:5])


async def test_ten_thousand_small_changes_are_pages_of_five_hundred_at_most(
    server: Server,
) -> None:
    def fill(engine: Any) -> None:
        for number in range(1_203):
            engine.facts.add(f"fact number {number}")

    await server.get(SYNC)
    (space,) = server.services.spaces._open.values()
    await space.run(fill, changes=True)
    reader = Follower(server)
    await reader.step(limit=100_000)
    assert len(reader.rows) == 500
    await reader.follow()
    assert (len(reader.rows), reader.pages, reader.seq) == (1_203, 3, 1_203)


async def test_a_page_of_large_documents_ends_early_and_goes_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(45):
        await server.put(f"{ITEMS}/{number}", {"value": "x" * 200_000})
    answer = await server.get(CHANGES)
    assert answer.json()["more"] is True
    assert len(answer.content) < feed.PAGE_BYTES + 300_000
    reader = Follower(server)
    await reader.follow()
    assert len(reader.rows) == 45


async def test_who_is_up_to_date_goes_on_behind_its_own_write_without_reading_it(
    server: Server,
) -> None:
    await server.remember("first")
    page = await changes(server)
    wrote = await server.post("/v1/memory", {"text": "mine"})
    assert int(wrote.headers["Memory-Seq"]) == page["seq"] + 1
    after = await changes(server, wrote.headers["Memory-Cursor"])
    assert (after["changes"], after["seq"]) == ([], page["seq"] + 1)
    await server.settled()  # what is embedded meanwhile takes no number
    put = await server.put(f"{ITEMS}/a", {"value": 1})
    gone = await server.delete(f"{ITEMS}/a")
    assert [int(each.headers["Memory-Seq"]) for each in (put, gone)] == [3, 4]


async def test_a_request_that_changes_nothing_has_no_number(server: Server) -> None:
    await server.remember("said once")
    for answer in (
        await server.post("/v1/memory", {"text": "said once"}),
        await server.delete(f"{ITEMS}/never"),
        await server.get("/v1/memory"),
    ):
        assert answer.status_code in (200, 204)
        assert "Memory-Seq" not in answer.headers


async def test_each_part_of_a_batch_has_its_number_for_who_asks_for_large_ones(
    server: Server,
) -> None:
    steps: list[Any] = [{"op": "set", "key": f"k{number}", "value": number} for number in range(60)]
    steps.append({"op": "set", "key": "k0", "value": 9, "ifMatch": 7})
    steps.append({"op": "delete", "key": "k1"})
    answer = await server.post(
        f"{ITEMS}/batch", {"operations": steps}, headers={"Memory-Batch": "100"}
    )
    results = answer.json()["results"]
    assert [result.get("seq") for result in results] == [*range(1, 61), None, 61]
    assert results[60]["error"]["code"] == "revision_conflict"
    assert answer.headers["Memory-Seq"] == "61"
    assert UUID(results[0]["inc"])


async def test_a_batch_keeps_what_was_good_beside_what_was_refused(server: Server) -> None:
    steps = [
        {"op": "set", "key": "a", "value": 1},
        {"op": "set", "key": "a b", "value": 2},
        {"op": "set", "key": "c", "value": 3},
    ]
    answer = await server.post(f"{ITEMS}/batch", {"operations": steps})
    assert [result["ok"] for result in answer.json()["results"]] == [True, False, True]
    assert [row["key"] for row in (await changes(server))["changes"]] == ["a", "c"]


async def test_a_reader_that_pages_while_others_write_misses_nothing(server: Server) -> None:
    """Eight writers over two scopes, with deletes; the reader never stops asking."""
    writing = 8

    async def write(number: int) -> None:
        nonlocal writing
        rng = random.Random(number)
        mine: list[tuple[str, str]] = []
        for turn in range(25):
            scope = {"scope": "contact", "contactId": "c1"} if rng.random() < 0.5 else {}
            if mine and rng.random() < 0.3:
                id, query = mine.pop(rng.randrange(len(mine)))
                assert (await server.delete(f"/v1/memory/{id}{query}")).status_code == 204
            elif rng.random() < 0.3:
                key = rng.choice("abc")
                await server.put(f"{ITEMS}/{key}", {"value": [number, turn]})
            else:
                id = await server.remember(f"writer {number} turn {turn}", **scope)
                mine.append((id, "?scope=contact:c1" if scope else ""))
        writing -= 1

    reader = Follower(server)

    async def read() -> None:
        while writing:
            await reader.step(limit=3)

    await asyncio.gather(read(), *(write(number) for number in range(8)))
    assert reader.pages > 20
    await reader.follow(limit=3)
    assert reader.seqs == sorted(set(reader.seqs))
    shown = await state(server, ["project", "contact:c1"], ["things"])
    assert reader.shown("2026") == shown
    assert len(shown) > 40


@pytest.mark.parametrize("seed", range(6))
async def test_who_only_follows_has_in_the_end_what_the_server_shows(
    server: Server, seed: int
) -> None:
    """Random writes, edits, deletes, wipes, batches and expiry; two readers of different haste."""
    rng = random.Random(seed)
    scopes = ["project", "contact:c1", "conversation:t1"]
    quick, slow = Follower(server), Follower(server)
    facts: list[tuple[str, str]] = []
    reached: Counter[str] = Counter()
    for turn in range(120):
        scope = rng.choice(scopes)
        kind, _, id = scope.partition(":")
        body: dict[str, Any] = {"scope": kind} | ({f"{kind}Id": id} if id else {})
        if rng.random() < 0.25:
            body |= {"ttlSeconds": rng.choice([60, 600])}
        act = rng.choice(ACTS)
        reached[act] += 1
        if act == "add":
            answer = await server.post("/v1/memory", {"text": f"fact {rng.randrange(40)}"} | body)
            facts.append((answer.json()["id"], scope))
        elif act == "put":
            ttl = {"ttlSeconds": 60} if rng.random() < 0.3 else {}
            place = f"/v1/memory/collections/{rng.choice(['things', 'more'])}/items"
            await server.put(f"{place}/{rng.choice('abcd')}?scope={scope}", {"value": turn} | ttl)
        elif act == "forget" and facts:
            id, where = facts.pop(rng.randrange(len(facts)))
            await server.delete(f"/v1/memory/{id}?scope={where}")
        elif act == "delete":
            await server.delete(f"{ITEMS}/{rng.choice('abcd')}?scope={scope}")
        elif act == "batch":
            steps: list[dict[str, Any]] = [
                {"op": "delete", "key": key} if rng.random() < 0.4
                else {"op": "set", "key": key, "value": [turn, key]}
                for key in rng.sample("abcdef", 3)
            ]  # fmt: skip
            await server.post(f"{ITEMS}/batch?scope={scope}", {"operations": steps})
        elif act == "wait":
            server.clock.advance(rng.choice([5, 61, 700]))
        elif act == "wipe" and rng.random() < 0.5:
            await server.delete(f"/v1/memory?scope={scope}")
            if rng.random() < 0.5:
                await server.settled()
        elif act == "drop" and rng.random() < 0.5:
            await server.delete("/v1/memory/collections/more")
        elif act == "step":
            await slow.step(limit=rng.choice([1, 2, 5]))
        if rng.random() < 0.4:
            await quick.follow(limit=rng.choice([2, 500]))
    await server.settled()
    now = moment(server.clock())
    shown = await state(server, scopes, ["things", "more"])
    for reader in (quick, slow, Follower(server)):
        await reader.follow(limit=7)
        assert reader.shown(now) == shown
        assert reader.seqs == sorted(set(reader.seqs))
    assert shown
    assert min(reached.values()) > 0


def test_every_reason_has_its_word() -> None:
    assert set(sync_api.REASONS) == set(Removal)
