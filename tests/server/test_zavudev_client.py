"""The memory vendor's own Python SDK against a server of its own on loopback, requests counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import anyio
import httpx
import pytest

from tests.server.conftest import OpenServer, Process
from tests.server.memory_clients import FULL, TABLE, Stage, no_waiting, set_up

zavudev = pytest.importorskip("zavudev", reason="the memory vendor's SDK is not installed")
from zavudev.pagination import SyncCursor  # noqa: E402

ANA = {"scope": "contact", "contactId": "ana"}
OF_ANA = {"scope": "contact:ana"}
FACTS = "/v1/memory"
COLLECTIONS = "/v1/memory/collections"
ORDERS = f"{COLLECTIONS}/orders"


@dataclass(slots=True)
class Sdk:
    """The SDK, and each request that it sent."""

    client: Any
    sent: list[tuple[str, int]] = field(default_factory=list)
    """(path, status)"""

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
    ) -> Any:
        """By the SDK's raw verb."""
        said = {"params": query or {}, "headers": headers or {}}
        options = {"cast_to": object, "options": said}
        verb = getattr(self.client, method.lower())
        return verb(path, **options) if method == "GET" else verb(path, body=body, **options)

    def every(self, path: str, **query: Any) -> list[Any]:
        """All pages, as the SDK turns them."""
        pages = self.client.get_api_list(
            path, page=SyncCursor[object], model=object, options={"params": query}
        )
        return list(pages)


Connect = Callable[[str], Sdk]


@pytest.fixture
def stage(process: Process) -> Stage:
    return set_up(process)


@pytest.fixture
def connect(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Iterator[Connect]:
    clock = SimpleNamespace(sleep=no_waiting, time=time.time)
    monkeypatch.setattr("zavudev._base_client.time", clock)
    opened = ExitStack()

    def sdk(key: str) -> Sdk:
        sent: list[tuple[str, int]] = []

        def note(response: httpx.Response) -> None:
            sent.append((response.request.url.path, response.status_code))

        http = opened.enter_context(httpx.Client(event_hooks={"response": [note]}))
        return Sdk(zavudev.Zavudev(api_key=key, base_url=stage.url, http_client=http), sent)

    with opened:
        yield sdk


def test_the_whole_table_by_raw_verbs_and_its_lists_page_by_page(
    stage: Stage, connect: Connect
) -> None:
    sdk = connect(stage.everything)
    assert sdk.ask("GET", "/v1/me")["isTestMode"] is False
    _facts(sdk)
    _items(sdk)
    _collections(sdk)
    assert sdk.ask("GET", "/v1/memory/sync")["partition"] == "live"
    changes = sdk.ask("GET", "/v1/memory/changes", query={"limit": "3"})
    assert len(changes["changes"]) == 3 and changes["more"] is True
    assert sdk.ask("DELETE", FACTS, query=OF_ANA) == {"status": "deleting"}
    usage = sdk.ask("GET", "/v1/memory/usage")
    assert usage["units"]["used"] > 0 and usage["capReached"] is False
    served = stage.served()
    assert {operation for operation, _ in served} == TABLE
    assert [status for _, status in served] == [status for _, status in sdk.sent]
    assert all(status < 300 for _, status in served)


def _facts(sdk: Sdk) -> None:
    made = [
        sdk.ask("POST", FACTS, {"text": f"Likes tea number {number}.", **ANA})
        for number in range(5)
    ]
    assert sdk.ask("GET", f"{FACTS}/{made[0]['id']}", query=OF_ANA) == made[0]
    found = sdk.ask("POST", f"{FACTS}/search", {"query": "tea number 3", "limit": 2, **ANA})
    assert made[3]["id"] in [hit["id"] for hit in found["items"]]
    sdk.sent.append(("mark", 200))
    assert [each["id"] for each in sdk.every(FACTS, limit=2, **OF_ANA)] == [
        fact["id"] for fact in reversed(made)
    ]
    assert sdk.sent[sdk.sent.index(("mark", 200)) + 1 :] == [(FACTS, 200)] * 3
    sdk.sent.remove(("mark", 200))
    assert sdk.ask("DELETE", f"{FACTS}/{made[0]['id']}", query=OF_ANA) == ""
    assert len(sdk.every(FACTS, **OF_ANA)) == 4
    steps = [
        {"op": "add", "text": "Likes tea at five.", "replaces": [made[1]["id"]]},
        {"op": "delete", "id": made[2]["id"]},
        {"op": "add", "text": ""},
    ]
    done = sdk.ask("POST", f"{FACTS}/batch", {"operations": steps, **ANA})["results"]
    assert [each["ok"] for each in done] == [True, True, False]
    assert done[0]["created"] is True and done[0]["replaced"] == [made[1]["id"]]
    kept = {fact["text"] for fact in sdk.every(FACTS, **OF_ANA)}
    assert kept == {"Likes tea at five.", made[3]["text"], made[4]["text"]}


def _items(sdk: Sdk) -> None:
    made = sdk.ask("POST", COLLECTIONS, {"name": "orders", "indexes": [{"field": "status"}]})
    assert made["indexes"] == [{"field": "status"}] and made["implicit"] is False
    item = f"{ORDERS}/items/ORD-1"
    value = {"status": "paid", "lines": [1, 2.5, None, "é"]}
    assert sdk.ask("PUT", item, {"value": value}, query=OF_ANA)["rev"] == 1
    for form in ("1", '"2"'):
        sdk.ask("PUT", item, {"value": value}, query=OF_ANA, headers={"If-Match": form})
    held = sdk.ask("GET", item, query=OF_ANA)
    assert (held["value"], held["rev"]) == (value, 3)
    steps: list[dict[str, Any]] = [
        {"op": "set", "key": f"ORD-{number}", "value": {"status": "open"}} for number in (2, 3, 4)
    ]
    steps += [{"op": "delete", "key": "ORD-4"}, {"op": "delete", "key": "ORD-9"}]
    done = sdk.ask("POST", f"{ORDERS}/items/batch", {"operations": steps}, query=OF_ANA)
    assert [each["ok"] for each in done["results"]] == [True] * 5
    keys = [each["key"] for each in sdk.every(f"{ORDERS}/items", limit=1, prefix="ORD-", **OF_ANA)]
    assert keys == ["ORD-1", "ORD-2", "ORD-3"]
    asked = {"field": "status", "op": "eq", "value": "open"}
    found = sdk.ask("POST", f"{ORDERS}/query", asked, query=OF_ANA)
    assert [each["key"] for each in found["items"]] == ["ORD-2", "ORD-3"]
    assert sdk.ask("DELETE", item, query=OF_ANA) == ""
    assert sdk.ask("DELETE", item, query=OF_ANA) == ""


def _collections(sdk: Sdk) -> None:
    sdk.ask("PUT", f"{COLLECTIONS}/carts/items/a", {"value": 1})
    assert [each["name"] for each in sdk.every(COLLECTIONS, limit=1)] == ["carts", "orders"]
    changed = sdk.ask("PATCH", ORDERS, {"defaultTtlSeconds": 3_600})
    assert changed["defaultTtlSeconds"] == 3_600
    assert sdk.ask("GET", ORDERS) == changed
    assert sdk.ask("DELETE", f"{COLLECTIONS}/carts") == ""


def test_every_permanent_refusal_is_asked_once_and_told_in_a_sentence(
    stage: Stage, connect: Connect
) -> None:
    everything, reader, spent = (
        connect(key) for key in (stage.everything, stage.reader, stage.spent)
    )
    item = f"{ORDERS}/items/a"
    everything.ask("PUT", item, {"value": 1})
    full = {"text": "One more.", "scope": "conversation", "conversationId": FULL.split(":")[1]}
    large = {"value": "x" * 210_000}
    refusals: list[tuple[Sdk, tuple[Any, ...], Any, int, str]] = [
        (everything, ("POST", FACTS, {"text": ""}), "BadRequestError", 400, "invalid_request"),
        (everything, ("POST", FACTS, {"txt": "a"}), "BadRequestError", 400, "invalid_request"),
        (everything, ("GET", f"{FACTS}?cursor=x"), "BadRequestError", 400, "invalid_cursor"),
        (everything, ("GET", f"{FACTS}?scope=me"), "BadRequestError", 400, "invalid_scope"),
        (everything, ("PUT", f"{item}%2Bb", {"value": 1}), "BadRequestError", 400, "invalid_key"),
        (everything, ("POST", f"{ORDERS}/query", {"field": "a", "op": "eq", "value": 1}),
         "BadRequestError", 400, "field_not_indexed"),
        (connect("zv_live_" + "A" * 40), ("GET", FACTS), "AuthenticationError", 401,
         "unauthorized"),
        (reader, ("POST", FACTS, {"text": "a"}), "PermissionDeniedError", 403, "forbidden"),
        (reader, ("DELETE", FACTS), "PermissionDeniedError", 403, "forbidden"),
        (everything, ("GET", f"{FACTS}/mem_{'0' * 26}"), "NotFoundError", 404,
         "memory_not_found"),
        (everything, ("GET", f"{ORDERS}/items/b"), "NotFoundError", 404, "item_not_found"),
        (everything, ("GET", f"{COLLECTIONS}/none"), "NotFoundError", 404,
         "collection_not_found"),
        (everything, ("PATCH", FACTS, {}), "APIStatusError", 405, "method_not_allowed"),
        (everything, ("PUT", item, large), "APIStatusError", 413, "document_too_large"),
        (everything, ("POST", COLLECTIONS, {"name": "orders"}), "ConflictError", 409,
         "collection_exists"),
        (everything, ("POST", FACTS, full), "RateLimitError", 429, "memory_scope_full"),
        (spent, ("POST", FACTS, {"text": "a"}), "RateLimitError", 429, "memory_limit_exceeded"),
    ]  # fmt: skip
    for sdk, asked, kind, status, code in refusals:
        _once(sdk, lambda sdk=sdk, asked=asked: sdk.ask(*asked), kind, status, code)
    for condition in ({"If-Match": "7"}, {"If-None-Match": "*"}):
        _once(
            everything,
            lambda said=condition: everything.ask("PUT", item, {"value": 2}, headers=said),
            "ConflictError", 409, "revision_conflict",
        )  # fmt: skip
    assert everything.ask("GET", item)["value"] == 1
    served = stage.served()
    assert len(served) == len(refusals) + 2 + 2
    assert sum(status >= 400 for _, status in served) == len(refusals) + 2


def _once(sdk: Sdk, ask: Callable[[], Any], kind: str, status: int, code: str) -> None:
    before = len(sdk.sent)
    with pytest.raises(getattr(zavudev, kind)) as refused:
        ask()
    assert refused.value.status_code == status
    assert refused.value.body["code"] == code
    assert refused.value.body["message"].endswith((".", "?"))
    assert code in str(refused.value)
    assert len(sdk.sent) - before == 1, code


async def test_plain_rate_limiting_is_asked_again_after_as_long_as_it_says(
    open_server: OpenServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await open_server(rate=2)
    key, waited = server.new_key(), []

    async def wait(seconds: float) -> None:
        waited.append(seconds)
        server.clock.advance(seconds)

    monkeypatch.setattr(anyio, "sleep", wait)
    sdk = zavudev.AsyncZavudev(api_key=key, base_url="http://localhost", http_client=server.client)
    for _ in range(3):
        assert (await sdk.get("/v1/me", cast_to=object))["isTestMode"] is False
    assert [each.status for each in server.served] == [200, 200, 429, 200]
    (seconds,) = waited
    assert 0 < seconds <= 60
    server.served.clear()
    waited.clear()
    server.clock.advance = lambda seconds: None  # type: ignore[method-assign]
    await sdk.get("/v1/me", cast_to=object)
    with pytest.raises(zavudev.RateLimitError) as refused:
        await sdk.get("/v1/me", cast_to=object)
    assert refused.value.body["code"] == "rate_limited"
    assert [each.status for each in server.served] == [200, 429, 429, 429]
    assert waited == [float(refused.value.response.headers["retry-after"])] * 2
