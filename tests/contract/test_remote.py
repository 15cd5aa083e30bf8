"""`HttpRemote` against our own server, in this process: every request it can be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from localmem.core.hosting import Mode
from localmem.core.model import Collection
from localmem.core.records import Removal
from localmem.core.scope import PROJECT, Scope, contact
from sync.http_remote import HttpRemote
from sync.messages import (
    Absent,
    Added,
    AddFact,
    AddFacts,
    AskChanges,
    Capabilities,
    Changes,
    Collections,
    CreateCollection,
    Done,
    DropFact,
    DropFacts,
    Expired,
    FactRow,
    Facts,
    GoneFact,
    GoneItem,
    Identify,
    Identity,
    ItemRow,
    Items,
    ListCollections,
    ListFacts,
    ListItems,
    NewFact,
    NoReply,
    OtherEpoch,
    ReadItem,
    Refusal,
    Refused,
    Reply,
    Request,
    Results,
    Step,
    WriteItem,
    WriteItems,
)
from tests.server.conftest import HOST, Server
from tests.server.conftest import embedder as embedder
from tests.server.conftest import open_server as open_server
from tests.server.conftest import server as server

ANA = contact("ana")
LM = "018f0000-0000-7000-8000-00000000000"


class InProcess(httpx.BaseTransport):
    """Hands a request of another thread to an app in this event loop."""

    def __init__(self, client: httpx.AsyncClient, missing: tuple[str, ...] = ()) -> None:
        """`missing`: paths that this server does not have."""
        self._client = client
        self._loop = asyncio.get_running_loop()
        self._missing = missing

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return asyncio.run_coroutine_threadsafe(self._handle(request), self._loop).result()

    async def _handle(self, request: httpx.Request) -> httpx.Response:
        if request.url.path in self._missing:
            return httpx.Response(404, json={"code": "memory_not_found", "message": "No."})
        came = await self._client.send(request)
        return httpx.Response(came.status_code, headers=came.headers, content=came.content)


class Remote:
    """A remote whose requests are made on a thread of their own."""

    def __init__(self, server: Server, key: str = "", **options: Any) -> None:
        transport = InProcess(server.client, options.pop("missing", ()))
        self.http = HttpRemote(
            f"http://{HOST}",
            key or server.key,
            client=httpx.Client(transport=transport),
            sleep=lambda seconds: None,
            now=server.clock,
            jitter=lambda: 0.5,
            **options,
        )
        self.epoch: str | None = None

    async def ask(self, request: Request) -> Reply:
        return await asyncio.to_thread(self.http.ask, request, epoch=self.epoch)

    async def known(self) -> Remote:
        """Identified, and asked from then on for that epoch alone."""
        identity = await self.ask(Identify())
        assert isinstance(identity, Identity), identity
        self.epoch = identity.epoch
        return self

    async def refused(self, request: Request) -> Refusal:
        reply = await self.ask(request)
        assert isinstance(reply, Refusal), reply
        return reply

    async def changes(self, cursor: str | None = None, *, gone_too: bool = False) -> Changes:
        reply = await self.ask(AskChanges(cursor, gone_too))
        assert isinstance(reply, Changes), reply
        return reply


@pytest.fixture
async def remote(server: Server) -> Remote:
    return await Remote(server).known()


def put(key: str, value: Any, *, op: str, scope: Scope = PROJECT, **step: Any) -> WriteItem:
    return WriteItem(scope, "orders", Step(key, value, **step), op)


def remove(key: str, *, op: str, **step: Any) -> WriteItem:
    return WriteItem(PROJECT, "orders", Step(key, delete=True, **step), op)


async def test_it_says_whose_copy_it_is_and_what_it_can(remote: Remote) -> None:
    identity = await remote.ask(Identify())
    assert isinstance(identity, Identity)
    assert identity.account.startswith("spc_") and identity.partition == "live"
    assert identity.can == Capabilities(
        changes=True, epoch=True, idempotency=True, if_match_delete=True, if_none_match=True,
        reasons=True, batch=250, conditional_batch=True, fact_batch=True, replaces=True,
    )  # fmt: skip


async def test_a_key_for_tests_opens_another_partition(server: Server, remote: Remote) -> None:
    await remote.ask(AddFact(PROJECT, NewFact("Tea."), "op-1"))
    other = Remote(server, server.new_key("trial", mode=Mode.TEST))
    identity = await other.ask(Identify())
    assert isinstance(identity, Identity) and identity.partition == "test"
    assert await other.ask(ListFacts(PROJECT)) == Facts((), None)


async def test_a_fact_goes_there_and_comes_back(remote: Remote) -> None:
    fact = NewFact("Is vegetarian.", {"lm": f"{LM}1", "source": "call"}, ttl=90)
    added = await remote.ask(AddFact(ANA, fact, "op-1"))
    assert isinstance(added, Added) and (added.lm, added.seq) == (f"{LM}1", 1)
    listed = await remote.ask(ListFacts(ANA))
    assert isinstance(listed, Facts)
    (row,) = listed.rows
    assert (row.scope, row.server_id, row.text) == (ANA, added.server_id, "Is vegetarian.")
    assert row.metadata == {"lm": f"{LM}1", "source": "call"}
    assert row.expires_at == row.created_at + 90_000
    assert (await remote.changes()).rows == (row,)
    assert await remote.ask(ListFacts(PROJECT)) == Facts((), None)


async def test_who_stands_at_the_last_change_goes_on_behind_its_own(remote: Remote) -> None:
    before = await remote.changes()
    added = await remote.ask(AddFact(PROJECT, NewFact("Tea."), "op-1"))
    assert isinstance(added, Added) and added.seq == before.seq + 1
    after = await remote.changes(added.cursor)
    assert after.rows == () and after.seq == added.seq and not after.more


async def test_words_that_are_known_already_are_kept_as_what_they_are(remote: Remote) -> None:
    first = await remote.ask(AddFact(PROJECT, NewFact("Tea.", {"lm": f"{LM}1"}), "op-1"))
    second = await remote.ask(AddFact(PROJECT, NewFact("Tea.", {"lm": f"{LM}2"}), "op-2"))
    assert isinstance(first, Added) and isinstance(second, Added)
    assert (second.server_id, second.lm) == (first.server_id, f"{LM}1")


async def test_what_was_asked_twice_was_done_once(remote: Remote) -> None:
    request = AddFact(PROJECT, NewFact("Tea."), "op-1")
    first, again = await remote.ask(request), await remote.ask(request)
    assert first == again
    reused = await remote.refused(AddFact(PROJECT, NewFact("Coffee."), "op-1"))
    assert reused.why is Refused.REUSED
    assert isinstance(first, Added)
    await remote.ask(DropFact(PROJECT, first.server_id, Removal.FORGET, "op-2"))
    assert (await remote.refused(request)).why is Refused.FORGOTTEN


@pytest.mark.parametrize("why", [Removal.FORGET, Removal.SUPERSEDED, Removal.DUPLICATE], ids=str)
async def test_a_fact_that_is_dropped_is_told_as_gone_with_its_reason(
    remote: Remote, why: Removal
) -> None:
    added = await remote.ask(AddFact(PROJECT, NewFact("Tea.", {"lm": f"{LM}1"}), "op-1"))
    assert isinstance(added, Added)
    drop = DropFact(PROJECT, added.server_id, why, "op-2")
    elsewhere = await remote.ask(drop._replace(scope=ANA, op="op-3"))
    assert elsewhere == Done()  # nothing is there, and nothing happens here
    dropped = await remote.ask(drop)
    assert isinstance(dropped, Done) and dropped.seq == 2
    assert (await remote.changes(added.cursor)).rows == (
        GoneFact(PROJECT, added.server_id, f"{LM}1", why),
    )
    assert await remote.ask(drop._replace(op="op-4")) == Done()


async def test_a_newer_wording_takes_the_place_of_the_older_one(remote: Remote) -> None:
    old = await remote.ask(AddFact(PROJECT, NewFact("Tea."), "op-1"))
    assert isinstance(old, Added)
    new = await remote.ask(
        AddFact(PROJECT, NewFact("Green tea.", {}, None, (old.server_id,)), "op-2")
    )
    assert isinstance(new, Added)
    rows = (await remote.changes(old.cursor)).rows
    assert GoneFact(PROJECT, old.server_id, "", Removal.SUPERSEDED) in rows
    assert [row.text for row in rows if isinstance(row, FactRow)] == ["Green tea."]


async def test_many_facts_go_at_once_and_each_has_its_result(remote: Remote) -> None:
    known = await remote.ask(AddFact(ANA, NewFact("Tea.", {"lm": f"{LM}1"}), "op-1"))
    facts = (
        *(NewFact(f"Fact {number}.", {"lm": f"{LM}{number}"}) for number in range(3, 9)),
        NewFact("Tea.", {"lm": f"{LM}2"}),
        NewFact("x" * 9_000),
    )
    request = AddFacts(ANA, facts, "op-2")
    reply = await remote.ask(request)
    assert isinstance(reply, Results) and isinstance(known, Added)
    *added, same, long = reply.each
    assert [each.lm for each in added if isinstance(each, Added)] == [
        f"{LM}{number}" for number in range(3, 9)
    ]
    assert isinstance(same, Added) and (same.server_id, same.lm) == (known.server_id, f"{LM}1")
    assert isinstance(long, Refusal) and long.why is Refused.INVALID
    last = added[-1]
    assert isinstance(last, Added) and last.seq == reply.seq
    assert reply.cursor and (await remote.changes(reply.cursor)).rows == ()
    again = await remote.ask(request)
    assert isinstance(again, Results) and again.each[:7] == reply.each[:7]


async def test_many_facts_are_dropped_at_once_the_gone_ones_too(remote: Remote) -> None:
    facts = (NewFact("One."), NewFact("Two."))
    added = await remote.ask(AddFacts(PROJECT, facts, "op-1"))
    assert isinstance(added, Results)
    ids = [each.server_id for each in added.each if isinstance(each, Added)]
    named = ((ids[0], Removal.FORGET), (ids[1], Removal.DUPLICATE), ("mem_x", Removal.FORGET))
    reply = await remote.ask(DropFacts(PROJECT, named, "op-2"))
    assert isinstance(reply, Results) and len(reply.each) == 3
    assert all(isinstance(each, Done) for each in reply.each)
    gone = {row.server_id: row.why for row in (await remote.changes(added.cursor)).rows
            if isinstance(row, GoneFact)}  # fmt: skip
    assert gone == {ids[0]: Removal.FORGET, ids[1]: Removal.DUPLICATE}


async def test_an_item_is_written_on_what_was_read(remote: Remote) -> None:
    assert await remote.ask(ReadItem(PROJECT, "orders", "o-1")) == Absent()
    made = await remote.ask(put("o-1", {"a": [1, None]}, op="op-1", only_new=True))
    assert isinstance(made, Done) and (made.rev, made.seq) == ("1", 1) and made.inc
    row = await remote.ask(ReadItem(PROJECT, "orders", "o-1"))
    assert isinstance(row, ItemRow) and (row.rev, row.value) == ("1", {"a": [1, None]})
    there = await remote.refused(put("o-1", 2, op="op-2", only_new=True))
    assert (there.why, there.rev) == (Refused.STALE, "1")
    changed = await remote.ask(put("o-1", 2, op="op-3", if_match="1"))
    assert isinstance(changed, Done) and changed.rev == "2"
    stale = await remote.refused(put("o-1", 3, op="op-4", if_match="1"))
    assert (stale.why, stale.rev) == (Refused.STALE, "2")
    assert (await remote.refused(put("o-2", 3, op="op-5", if_match="1"))).why is Refused.STALE
    assert await remote.ask(ReadItem(ANA, "orders", "o-1")) == Absent()


async def test_an_item_is_deleted_on_what_was_read(remote: Remote) -> None:
    made = await remote.ask(put("o-1", 1, op="op-1"))
    assert isinstance(made, Done)
    stale = await remote.refused(remove("o-1", op="op-2", if_match="7"))
    assert (stale.why, stale.rev) == (Refused.STALE, "1")
    gone = await remote.ask(remove("o-1", op="op-3", if_match="1"))
    assert isinstance(gone, Done) and gone.rev is None and gone.seq == 2
    assert await remote.ask(remove("o-1", op="op-4", if_match="1")) == Absent()
    assert isinstance(await remote.ask(remove("o-1", op="op-5")), Done | Absent)
    assert (await remote.changes(made.cursor)).rows == (
        GoneItem(PROJECT, made.inc, None, Removal.FORGET, made.inc),
    )


async def test_an_item_without_a_lifetime_stays_for_good(remote: Remote) -> None:
    await remote.ask(CreateCollection(Collection("orders", default_ttl=3_600)))
    await remote.ask(put("o-1", 1, op="op-1"))
    await remote.ask(put("o-2", 1, op="op-2", ttl=90))
    reply = await remote.ask(ListItems(PROJECT, "orders"))
    assert isinstance(reply, Items)
    first, second = reply.rows
    assert first.expires_at is None
    assert second.expires_at == second.updated_at + 90_000


async def test_many_items_go_at_once_each_on_its_own_condition(remote: Remote) -> None:
    await remote.ask(put("there", 1, op="op-1"))
    steps = (
        Step("new", {"a": 1}, only_new=True), Step("there", 2, only_new=True),
        Step("there", 3, if_match="1"), Step("there", 4, if_match="1"),
        Step("never", delete=True), Step("new", delete=True, if_match="9"),
    )  # fmt: skip
    reply = await remote.ask(WriteItems(PROJECT, "orders", steps, "op-2"))
    assert isinstance(reply, Results)
    made, existed, changed, stale, never, kept = reply.each
    assert isinstance(made, Done) and (made.rev, made.seq) == ("1", 2) and made.inc
    assert isinstance(existed, Refusal) and (existed.why, existed.rev) == (Refused.STALE, "1")
    assert isinstance(changed, Done) and changed.rev == "2"
    assert isinstance(stale, Refusal) and (stale.why, stale.rev) == (Refused.STALE, "2")
    assert isinstance(never, Done | Absent)
    assert isinstance(kept, Refusal) and kept.why is Refused.STALE
    assert reply.seq == 3


async def test_a_hundred_items_go_in_one_batch(remote: Remote) -> None:
    steps = tuple(Step(f"o-{number:03}", number) for number in range(100))
    reply = await remote.ask(WriteItems(ANA, "orders", steps, "op-1"))
    assert isinstance(reply, Results) and all(isinstance(each, Done) for each in reply.each)
    keys: list[str] = []
    page: Reply = await remote.ask(ListItems(ANA, "orders"))
    while isinstance(page, Items):
        keys += [row.key for row in page.rows]
        if page.next is None:
            break
        page = await remote.ask(ListItems(ANA, "orders", page.next))
    assert keys == [step.key for step in steps]
    rows = (await remote.changes()).rows
    assert {row.scope for row in rows} == {ANA} and len(rows) == 100


async def test_collections_are_made_once_and_listed(remote: Remote) -> None:
    orders = Collection("orders", ("status",), 3_600)
    assert await remote.ask(CreateCollection(orders)) == Done()
    assert await remote.ask(CreateCollection(orders)) == Done()
    await remote.ask(WriteItem(PROJECT, "notes", Step("n", 1), "op-1"))
    reply = await remote.ask(ListCollections())
    assert isinstance(reply, Collections)
    made = {each.name: each for each in reply.rows}
    assert made["orders"]._replace(created_at=0) == orders
    assert made["notes"].implicit
    assert await remote.ask(ListItems(PROJECT, "nothing")) == Absent()


async def test_changes_come_in_pages_and_what_was_gone_before_when_asked_for(
    remote: Remote,
) -> None:
    facts = tuple(NewFact(f"Fact {number}.") for number in range(100))
    for turn in range(6):
        kept = tuple(NewFact(f"{turn}: {fact.text}") for fact in facts)
        assert isinstance(await remote.ask(AddFacts(PROJECT, kept, f"op-{turn}")), Results)
    first = await remote.changes()
    assert first.more and len(first.rows) == 500
    second = await remote.changes(first.cursor)
    assert not second.more and len(second.rows) == 100 and second.seq == 600
    row = second.rows[0]
    assert isinstance(row, FactRow)
    await remote.ask(DropFact(PROJECT, row.server_id, Removal.FORGET, "op-x"))
    assert not [r for r in (await _all(remote)) if isinstance(r, GoneFact)]
    assert [r for r in (await _all(remote, gone_too=True)) if isinstance(r, GoneFact)]


async def _all(remote: Remote, *, gone_too: bool = False) -> list[object]:
    page = await remote.changes(gone_too=gone_too)
    rows: list[object] = [*page.rows]
    while page.more:
        page = await remote.changes(page.cursor)
        rows += page.rows
    return rows


async def test_a_cursor_of_nobodys_is_void(remote: Remote) -> None:
    assert await remote.ask(AskChanges("made-up")) == Expired()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Identify(), lambda: AskChanges(None), lambda: ListFacts(PROJECT),
        lambda: ListCollections(), lambda: ListItems(PROJECT, "orders"),
        lambda: ReadItem(PROJECT, "orders", "never"), lambda: put("o-1", 1, op="op-1"),
        lambda: AddFact(PROJECT, NewFact("Tea."), "op-2"),
        lambda: DropFact(PROJECT, "mem_x", Removal.FORGET, "op-3"),
    ],
    ids=range(9),
)  # fmt: skip
async def test_a_reply_of_another_library_than_was_asked_is_dropped(
    remote: Remote, make: Callable[[], Request]
) -> None:
    epoch, remote.epoch = remote.epoch, "another"
    assert await remote.ask(make()) == OtherEpoch(str(epoch))


async def test_a_key_that_is_not_let_in_is_signed_out(server: Server) -> None:
    stranger = Remote(server, "zv_live_000000000000000000000000")
    stranger.epoch = "e"
    for request in (Identify(), ListFacts(PROJECT), put("o-1", 1, op="op-1")):
        assert (await stranger.refused(request)).why is Refused.SIGNED_OUT


async def test_what_no_server_takes_is_refused_with_its_words(remote: Remote) -> None:
    for request in (
        put("o-1", "x" * 250_000, op="op-1"),
        AddFact(PROJECT, NewFact("x" * 9_000), "op-2"),
        AddFact(PROJECT, NewFact("Tea.", {"k" * 65: "v"}), "op-3"),
        put("a b", 1, op="op-4"),
    ):
        told = await remote.refused(request)
        assert told.why in (Refused.INVALID, Refused.TOO_LARGE)
        assert "The server says" in told.message


DOCUMENTED_ONLY = ("/v1/memory/sync", "/v1/memory/changes")


async def test_without_what_it_has_beside_the_documented_api_it_is_known_by_its_project(
    server: Server,
    remote: Remote,
) -> None:
    plain = Remote(server, missing=DOCUMENTED_ONLY)
    identity = await plain.ask(Identify())
    ours = await remote.ask(Identify())
    assert isinstance(identity, Identity) and isinstance(ours, Identity)
    assert (identity.epoch, identity.partition) == (None, "live")
    keyless = Remote(server, missing=(*DOCUMENTED_ONLY, "/v1/me"))
    other = await keyless.ask(Identify())
    assert isinstance(other, Identity) and other.account != identity.account
    assert server.key not in repr(other)


async def test_what_it_can_is_found_out_without_its_saying_so(server: Server) -> None:
    plain = Remote(server, missing=DOCUMENTED_ONLY)
    await plain.ask(AddFact(PROJECT, NewFact("Mine."), "op-1"))
    found = await asyncio.to_thread(plain.http.probe)
    assert found == Capabilities(idempotency=True, if_match_delete=True, if_none_match=True)
    await server.settled()
    assert await server.texts() == ["Mine."]
    assert await plain.ask(ListCollections()) == Collections((), None)


async def test_a_server_of_another_kind_is_none(server: Server) -> None:
    everything = ("/v1/memory/sync", "/v1/me", "/v1/memory/collections")
    reply = await Remote(server, missing=everything).ask(Identify())
    assert isinstance(reply, NoReply) and reply.code == "not_a_memory_api"
