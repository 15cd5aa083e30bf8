"""Every operation is asked with the ids of every other scope, mode, space and person.

What comes is compared, byte for byte, with what comes for ids that never existed: the status, each
header and the body, in which each id is replaced by its name. A reply that differs tells somebody
that there is something.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

import pytest

from localmem.server.operations import OPERATIONS
from tests.server.conftest import Server
from tests.server.shop import SHOE, person

OWNER = {"scope": "contact", "contactId": "ana"}
OF_OWNER = {"scope": "contact:ana"}
FACTS = "/v1/memory"
COLLECTIONS = "/v1/memory/collections"
ITEMS = COLLECTIONS + "/{collection}/items"
ONE = ITEMS + "/{key}"
THEIR_OWN = {
    "x-request-id", "memory-epoch", "memory-seq", "memory-cursor", "memory-inc", "memory-own"
}  # fmt: skip
"""Headers that name the one request, or the one change of the asker's own."""
_NEW = re.compile(r'mem_[0-9A-Z]{26}|(?<="nextCursor":")[^"]+|(?<="cursor":")[^"]+')
"""What a reply makes anew."""
_SEQ = re.compile(r'(?<="seq":)[0-9]+')
"""The number of the asker's own change, which each result of a batch bears."""

Mark = Mapping[str, str]
"""Ids by their names, which stand in a request as `{name}`."""


@dataclass(frozen=True, slots=True)
class Ask:
    operation: str
    path: str
    query: Mapping[str, str] | None = None
    body: Any = None
    headers: Mapping[str, str] | None = None
    shared: bool = False
    """Collections and changes are the space's, whatever the scope (memory-api, "Collections")."""

    @property
    def method(self) -> str:
        return next(each.method for each in OPERATIONS if each.name == self.operation)


@dataclass(frozen=True, slots=True)
class Asker:
    key: str
    scope: str
    same_space: bool


FACT_NAMES = ("fact", "older", "oldest", "last")
"""Each goes by another ask, where it is the asker's own."""
S = {"scope": "{scope}"}
AT_ONE = {"If-Match": "1"}
SET = {"op": "set", "key": "{key}", "value": 1}
ASKS = (
    Ask("get_collection", COLLECTIONS + "/{collection}", shared=True),
    Ask("change_collection", COLLECTIONS + "/{collection}", body={"defaultTtlSeconds": 60},
        shared=True),
    Ask("get_fact", FACTS + "/{fact}", S),
    Ask("delete_fact", FACTS + "/{fact}", S),
    Ask("delete_fact", FACTS + "/{fact}", S, headers={"Memory-Reason": "dup"}),
    Ask("list_facts", FACTS, S | {"cursor": "{facts cursor}"}),
    Ask("search_facts", FACTS + "/search", body={"query": "{text}", "minScore": 0}),
    Ask("add_fact", FACTS, body={"text": "{text}"}),
    Ask("add_fact", FACTS, body={"text": "{text}!"}, headers={"Memory-Replaces": "{older}"}),
    Ask("batch_facts", FACTS + "/batch",
        body={"operations": [
            {"op": "add", "text": "{text}?", "replaces": ["{oldest}", "{older}"]},
            {"op": "delete", "id": "{oldest}"},
            {"op": "add", "text": "{text}", "replaces": ["{fact}"]},
        ]}),
    Ask("batch_facts", FACTS + "/batch",
        body={"operations": [{"op": "delete", "id": "{last}"},
                             {"op": "delete", "id": "{last}", "reason": "sup"}]}),
    Ask("list_facts", FACTS, S),
    Ask("list_items", ITEMS, S | {"prefix": "{key}"}),
    Ask("list_items", ITEMS, S | {"cursor": "{items cursor}"}),
    Ask("query_items", COLLECTIONS + "/{collection}/query", S,
        {"field": "status", "op": "eq", "value": "{status}"}),
    Ask("query_items", COLLECTIONS + "/{collection}/query", S,
        {"field": "status", "op": "eq", "value": "{status}", "cursor": "{query cursor}"}),
    Ask("get_item", ONE, S),
    Ask("delete_item", ONE, S, headers=AT_ONE),
    Ask("delete_collection", COLLECTIONS + "/{collection}", shared=True),
    Ask("delete_item", ONE, S),
    Ask("put_item", ONE, S, {"value": 1}, AT_ONE),
    Ask("put_item", ONE, S, {"value": 1}, {"If-Match": "*"}),
    Ask("batch_items", ITEMS + "/batch", S, {"operations": [SET | {"ifMatch": 1}]}),
    Ask("put_item", ONE, S, {"value": {"status": "{status}"}}, {"If-None-Match": "*"}),
    Ask("get_item", ONE, S),
    Ask("batch_items", ITEMS + "/batch", S,
        {"operations": [{"op": "delete", "key": "{key}"}, SET]}),
    Ask("list_collections", COLLECTIONS, {"cursor": "{collections cursor}"}, shared=True),
    Ask("delete_item", ONE, S),
    Ask("delete_collection", COLLECTIONS + "/{collection}", shared=True),
    Ask("create_collection", COLLECTIONS, body={"name": "{collection}"}, shared=True),
    Ask("list_collections", COLLECTIONS, shared=True),
    Ask("delete_collection", COLLECTIONS + "/{collection}", shared=True),
    Ask("changes", FACTS + "/changes", {"cursor": "{changes cursor}"}, shared=True),
    Ask("add_fact", FACTS, body={"text": "Something else."},
        headers={"Idempotency-Key": "{once}"}, shared=True),
    Ask("batch_facts", FACTS + "/batch",
        body={"operations": [{"op": "delete", "id": "{fact}"}]},
        headers={"Idempotency-Key": "{once}"}, shared=True),
    Ask("put_item", ONE, S, {"value": 1}, {"Idempotency-Key": "{once}"}, shared=True),
    Ask("delete_item", ONE, S, headers={"Idempotency-Key": "{once}"}, shared=True),
    Ask("wipe_facts", FACTS, S),
)  # fmt: skip
UNNAMED = ("me", "usage", "sync", "list_facts", "list_items", "list_collections", "changes")
SESSION_ASKS = (
    Ask("get_session", "/v1/sessions/{session}"),
    Ask("session_connections", "/v1/sessions/{session}/connections"),
    *(
        Ask("execute_tool", "/v1/sessions/{session}/execute",
            body={"tool": "codespar_memory", "input": given})
        for given in ({"action": "list"}, {"action": "remember", **SHOE})
    ),
    *(
        Ask("execute_tool", "/v1/sessions/{own}/execute",
            body={"tool": "codespar_memory", "input": given})
        for given in ({"action": "correct", "memory_id": "{memory}", "value": "41",
                       "quote": "calço 41"}, {"action": "forget", "memory_id": "{memory}"})
    ),
    Ask("close_session", "/v1/sessions/{session}"),
)  # fmt: skip


def filled(given: Any, mark: Mark) -> Any:
    if isinstance(given, str):
        for name, value in mark.items():
            given = given.replace("{" + name + "}", value)
        return given
    if isinstance(given, Mapping):
        return {name: filled(value, mark) for name, value in given.items()}
    return [filled(each, mark) for each in given] if isinstance(given, list) else given


async def told(server: Server, key: str, asked: Ask, mark: Mark) -> tuple[Any, ...]:
    """The reply, with each id replaced by its name."""
    path_mark = {name: quote(value, safe="") for name, value in mark.items()}
    answer = await server.ask(
        asked.method,
        filled(asked.path, path_mark),
        key=key,
        params=filled(asked.query or {}, mark),
        json=None if asked.body is None else filled(asked.body, mark),
        headers=filled(asked.headers or {}, mark),
    )
    await server.settled()
    headers = {name: "" if name in THEIR_OWN else value for name, value in answer.headers.items()}
    text = answer.text
    for name, value in mark.items():
        text = text.replace(value, "{" + name + "}")
    if answer.status_code < 300:
        text = _NEW.sub("{new}", text)
        if asked.operation == "batch_facts":
            text = _SEQ.sub("{seq}", text)
        headers.pop("content-length", None)
    return answer.status_code, headers, text


async def fill(server: Server) -> Mark:
    """What the owner keeps: two of each at least, so that each list has a cursor."""
    facts = [
        await server.remember(f"Has {number} cats.", **OWNER)
        for number in ("two", "nine", "ten", "six")
    ]
    await server.post(COLLECTIONS, {"name": "secrets", "indexes": [{"field": "status"}]})
    await server.put(f"{COLLECTIONS}/second/items/a", {"value": 1}, params=OF_OWNER)
    for key in ("kept-1", "kept-2"):
        await server.put(
            f"{COLLECTIONS}/secrets/items/{key}", {"value": {"status": "paid"}}, params=OF_OWNER
        )
    await server.post(
        FACTS, {"text": "Said once.", **OWNER}, headers={"Idempotency-Key": "once-000001"}
    )
    one = OF_OWNER | {"limit": "1"}
    query = {"field": "status", "op": "eq", "value": "paid", "limit": 1}
    pages = {
        "facts cursor": await server.get(FACTS, params=one),
        "items cursor": await server.get(f"{COLLECTIONS}/secrets/items", params=one),
        "collections cursor": await server.get(COLLECTIONS, params={"limit": "1"}),
        "query cursor": await server.post(f"{COLLECTIONS}/secrets/query", query, params=OF_OWNER),
    }
    cursors = {name: page.json()["nextCursor"] for name, page in pages.items()}
    assert all(cursors.values())
    changes = await server.get(f"{FACTS}/changes", params={"limit": "2"})
    await server.settled()
    return cursors | {
        "changes cursor": changes.json()["cursor"],
        **dict(zip(FACT_NAMES, facts, strict=True)),
        "text": "Has two cats.",
        "collection": "secrets",
        "key": "kept-1",
        "status": "paid",
        "once": "once-000001",
    }


def never(mark: Mark) -> Mark:
    """Ids of the same form that nobody was ever given."""
    made_up = {
        name: "mem_" + mark[name][-26:][:10] + str(number) * 16
        for number, name in enumerate(FACT_NAMES)
    } | {
        "text": "Owns one boat.",
        "collection": "nothing",
        "key": "lost-1",
        "status": "open",
        "once": "once-999999",
    }
    cursors = {name: _altered(mark[name]) for name in mark if name.endswith("cursor")}
    return made_up | cursors


def _altered(cursor: str) -> str:
    middle = len(cursor) // 2
    other = "A" if cursor[middle] != "A" else "B"
    return cursor[:middle] + other + cursor[middle + 1 :]


async def everything_of_the_owner(server: Server) -> list[Any]:
    asks = [(FACTS, OF_OWNER), (f"{COLLECTIONS}/secrets/items", OF_OWNER), (COLLECTIONS, {})]
    return [(await server.get(path, params=params)).json() for path, params in asks]


ASKERS = {
    "the project": Asker("", "project", True),
    "a contact of a shorter name": Asker("", "contact:an", True),
    "a contact in capitals": Asker("", "contact:ANA", True),
    "a conversation of the same name": Asker("", "conversation:ana", True),
    "another space": Asker("", "contact:ana", False),
    "the test mode of the same space": Asker("", "contact:ana", False),
}


async def as_asker(server: Server, name: str) -> Asker:
    keys = {"another space": {"space": "another"}, "the test mode of the same space":
            {"mode": "test"}}  # fmt: skip
    key = server.new_key("asker", **keys[name]) if name in keys else server.key
    return replace(ASKERS[name], key=key)


def asks_of(asker: Asker) -> list[Ask]:
    """In its scope; what a space has in common is no secret of one of its scopes."""
    kind, _, id = asker.scope.partition(":")
    named = {} if not id else {"scope": kind, f"{kind}Id": id}
    scoped = {"add_fact", "search_facts", "batch_facts"}
    return [
        replace(each, body=each.body | named) if each.operation in scoped else each
        for each in ASKS
        if not (each.shared and asker.same_space)
    ]


@pytest.mark.parametrize("name", ASKERS)
async def test_a_foreign_id_is_answered_as_one_that_never_was(server: Server, name: str) -> None:
    foreign = await fill(server)
    asker = await as_asker(server, name)
    held = await everything_of_the_owner(server)
    strange = never(foreign)
    if asker.same_space:
        strange = {**strange, "collection": foreign["collection"]}
    scope = {"scope": asker.scope}
    told_of: dict[bool, list[Any]] = {}
    for real in (True, False):
        mark = (foreign if real else strange) | scope
        told_of[real] = [await told(server, asker.key, each, mark) for each in asks_of(asker)]
    for each, one, other in zip(asks_of(asker), told_of[True], told_of[False], strict=True):
        assert one == other, each
    assert await everything_of_the_owner(server) == held


async def test_the_owner_is_answered_otherwise(server: Server) -> None:
    """The comparison sees what there is to be seen."""
    foreign = await fill(server)
    owner = Asker(server.key, "contact:ana", False)
    asks, scope = asks_of(owner), {"scope": owner.scope}
    told_of = [
        [await told(server, owner.key, each, mark | scope) for each in asks]
        for mark in (foreign, never(foreign))
    ]
    seen = {each.operation for each, one, other in zip(asks, *told_of, strict=True) if one != other}
    assert seen == {each.operation for each in ASKS} - {"wipe_facts", "create_collection"}


@pytest.mark.parametrize("name", ["another space", "the test mode of the same space"])
async def test_what_names_nothing_does_not_change_with_what_others_keep(
    server: Server, name: str
) -> None:
    """Counts, bytes, units, the mark of changes: the same before and after."""
    asker = await as_asker(server, name)
    mark = {"scope": asker.scope, "collection": "own"}
    await server.put(f"{COLLECTIONS}/own/items/a", {"value": 1}, key=asker.key, params=OF_OWNER)
    asks = [
        Ask("me", "/v1/me"), Ask("usage", f"{FACTS}/usage"), Ask("sync", f"{FACTS}/sync"),
        Ask("list_facts", FACTS, S), Ask("list_items", ITEMS, S),
        Ask("list_collections", COLLECTIONS), Ask("changes", f"{FACTS}/changes"),
    ]  # fmt: skip
    assert tuple(each.operation for each in asks) == UNNAMED
    before = [await told(server, asker.key, each, mark) for each in asks[:1] + asks[2:]]
    usage = json.loads((await told(server, asker.key, asks[1], mark))[2])
    await fill(server)
    after = [await told(server, asker.key, each, mark) for each in asks[:1] + asks[2:]]
    assert after == before
    later = json.loads((await told(server, asker.key, asks[1], mark))[2])
    for units in (usage["units"], later["units"]):
        del units["used"]  # each look at a list is one
    assert later == usage


async def test_a_foreign_session_and_memory_are_answered_as_ones_that_never_were(
    server: Server,
) -> None:
    ana, bruno = await person(server, "Ana"), await person(server, "Bruno")
    kept = await ana.done("remember", **SHOE)
    id, session = kept["memory_id"], ana.session
    foreign = {"session": session, "memory": id, "own": bruno.session}
    strange = {"session": session[:4] + "x" * (len(session) - 4), "own": bruno.session,
               "memory": id[:-12] + "0" * 12}  # fmt: skip
    for each in SESSION_ASKS:
        one = await told(server, bruno.credential, each, foreign)
        assert one == await told(server, bruno.credential, each, strange), each
        assert one[0] == 404
    assert await ana.values() == {("shoe_size", "declared"): "42"}


def test_no_operation_is_left_out() -> None:
    asked = {each.operation for each in (*ASKS, *SESSION_ASKS)} | set(UNNAMED)
    makes_its_own = {"open_session"}
    assert asked == {each.name for each in OPERATIONS} - makes_its_own
