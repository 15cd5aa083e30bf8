"""Two libraries and our own server in this process: what the field reports ask of a sync.

Each library is what a process has (`tests/support/devices.py`), each request goes through the
production client and the production server, and only the wire between them is a test's to cut.
With `documented` the server has the hosted API alone: no feed, no epoch, no idempotency.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from localmem.core.hosting import Mode
from localmem.core.model import (
    DocumentContent,
    Evidence,
    FactContent,
    Kind,
    PreferenceContent,
    Provenance,
)
from localmem.core.preferences import PreferenceKey
from localmem.core.scope import contact
from localmem.core.syncing import Counts, Decision, State
from localmem.errors import InferenceBlocked, MemoryNotFound
from localmem.synchronise import Synchroniser
from sync import worker
from sync.http_remote import HttpRemote
from sync.messages import (
    DOCUMENTED,
    AskChanges,
    Capabilities,
    Changes,
    Expired,
    Reply,
    Request,
    WriteItem,
)
from sync.worker import Worker
from tests.server.conftest import HOST, Server, serve
from tests.support.devices import KEY, Device, Go, devices, settled
from tests.support.library import AGENT, NOW, FixedClock, WordsEmbedder
from tests.surfaces.conftest import Cli

T = TypeVar("T")
ANA = contact("ana")
OURS = ("/v1/memory/sync", "/v1/memory/changes")
"""What the documented API does not have."""
BOUND = 20.0
"""Seconds that a test waits at most for another thread."""
HOUR = 3_600.0

Wire = Callable[[httpx.Request, Callable[[], httpx.Response]], httpx.Response]


class Killed(BaseException):
    """The process is gone, between two of its steps."""


@dataclass(slots=True)
class Hosted(httpx.BaseTransport):
    """The server, on a loop of its own, and the wire to it."""

    loop: asyncio.AbstractEventLoop
    server: Server
    missing: tuple[str, ...] = ()
    wire: Wire = field(default=lambda request, go: go())
    waited: list[float] = field(default_factory=list)
    """What the client would have waited between two tries."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path in self.missing:
            return httpx.Response(404, json={"code": "memory_not_found", "message": "No."})
        return self.wire(request, lambda: self.done(self._handle(request)))

    async def _handle(self, request: httpx.Request) -> httpx.Response:
        came = await self.server.client.send(request)
        return httpx.Response(came.status_code, headers=came.headers, content=came.content)

    def done(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(BOUND)

    def remote(
        self, key: str = "", clock: FixedClock | None = None, can: Capabilities = DOCUMENTED
    ) -> HttpRemote:
        return HttpRemote(
            f"http://{HOST}",
            key or self.server.key,
            client=httpx.Client(transport=self),
            sleep=self.waited.append,
            now=clock or self.server.clock,
            jitter=lambda: 0.5,
            probed=can,
        )

    # as another client sees it

    def texts(self, scope: str = "project") -> list[str]:
        found: list[str] = []
        cursor = ""
        while True:
            after = f"&cursor={cursor}" if cursor else ""
            answer = self.done(self.server.get(f"/v1/memory?scope={scope}&limit=100{after}"))
            found += [item["text"] for item in answer.json()["items"]]
            cursor = answer.json().get("nextCursor")
            if not cursor:
                return sorted(found)

    def item(self, collection: str, key: str) -> Any:
        """Its value and rev; None where it is not there."""
        answer = self.done(self.server.get(f"/v1/memory/collections/{collection}/items/{key}"))
        return answer.json() if answer.status_code == 200 else None


@pytest.fixture
def hosted(tmp_path: Path, clock: FixedClock) -> Iterator[Hosted]:
    loop, stack = asyncio.new_event_loop(), AsyncExitStack()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def done(work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, loop).result(BOUND)

    server = done(serve(stack, tmp_path / "server", clock, WordsEmbedder(), meaning=False))
    server.key = server.new_key("everything")
    yield Hosted(loop, server)
    done(stack.aclose())
    loop.call_soon_threadsafe(loop.stop)
    thread.join(BOUND)
    loop.close()


@pytest.fixture
def documented(hosted: Hosted) -> Hosted:
    hosted.missing = OURS
    return hosted


@pytest.fixture(params=["ours", "documented"])
def either(request: pytest.FixtureRequest, hosted: Hosted) -> Hosted:
    hosted.missing = OURS if request.param == "documented" else ()
    return hosted


Make = Callable[..., Device]


@pytest.fixture
def make(tmp_path: Path, clock: FixedClock, hosted: Hosted) -> Iterator[Make]:
    """Makes libraries that are signed in; `key` and `clock` may be their own. `restarted`: they
    were before."""
    with devices(tmp_path / "devices", clock) as making:

        def signed_in(**options: Any) -> Device:
            key, its_own = options.pop("key", ""), options.get("clock")
            restarted = options.pop("restarted", False)

            def dial(can: Capabilities = DOCUMENTED) -> HttpRemote:
                return hosted.remote(key, its_own, can)

            device = making(dial(), dial=dial, **options)
            if restarted:
                device.keys.kept = KEY
            else:
                device.sign_in()
            return device

        yield signed_in


def write(request: httpx.Request) -> bool:
    return request.method in ("PUT", "POST") and not request.url.path.endswith("/query")


# --- what is promised to everybody --------------------------------------------------------------


def test_an_edit_on_one_device_is_on_the_other_and_nobody_called_anything(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SETTLE", "LOOK", "AGAIN", "FEED_HERE"):
        monkeypatch.setattr(worker, name, 0.02)
    one, other = make(), make()
    workers = [Worker(device.opened, lambda: 0.5) for device in (one, other)]
    for each in workers:
        each.start()
    try:
        one.engine.facts.add("Prefers tea.")
        until(lambda: other.texts() == ["Prefers tea."])
        other.engine.facts.edit(other.fact("Prefers tea.").id, text="Prefers green tea.")
        until(lambda: one.texts() == ["Prefers green tea."])
        one.forget(one.fact("Prefers green tea.").id)
        until(lambda: other.texts() == [])
    finally:
        for each in workers:
            each.stop()


def until(so: Callable[[], bool]) -> None:
    """Wait for what other threads do, and no longer than BOUND."""
    pause = threading.Event()
    for _ in range(int(BOUND / 0.02)):
        if so():
            return
        pause.wait(0.02)
    raise AssertionError("it never came to that")


def test_nothing_to_do_is_one_request_and_a_change_or_a_delete_are_two(make: Make) -> None:
    one, other = make(), make()
    one.engine.facts.add("Prefers tea.")
    one.engine.documents.set("orders", "A1", {"status": "new"})
    settled([one, other])
    assert one.asks() == other.asks() == 1
    one.engine.documents.set("orders", "A1", {"status": "paid"})
    assert one.asks() == 2
    assert other.asks() == 1, "what is new comes with the answer"
    one.engine.facts.edit(one.fact("Prefers tea.").id, text="Prefers green tea.")
    assert one.asks() == 2
    one.engine.preferences.remember("shoe_size", "42")
    assert one.asks() == 2
    settled([one, other])
    one.forget(one.fact("Prefers green tea.").id)
    assert one.asks() == 2
    one.forget(*(item.id for item in one.items(Kind.DOCUMENT)))
    assert one.asks() == 2
    assert one.asks() == 1, "our own writes are not told to us"
    settled([one, other])
    assert one.all() == other.all()


def test_many_large_things_arrive_in_requests_that_every_proxy_lets_through(
    make: Make, either: Hosted
) -> None:
    sizes: list[int] = []

    def weighed(request: httpx.Request, go: Callable[[], httpx.Response]) -> httpx.Response:
        sizes.append(len(request.content))
        return go() if sizes[-1] < 1_000_000 else httpx.Response(413)

    either.wire = weighed
    one, other = make(), make()
    for number in range(12):
        one.engine.documents.set("notes", f"n{number}", {"text": f"{number} " + "word " * 39_000})
        one.engine.facts.add(f"Fact {number} " + "word " * 1_600)
    settled([one, other])
    assert one.all() == other.all() and len(other.items(Kind.DOCUMENT)) == 12
    assert max(sizes) > 190_000 and one.syncing.status().waiting == 0


# --- FR-01 … FR-25 ------------------------------------------------------------------------------


@pytest.mark.parametrize("decision", [Decision.MINE, Decision.THEIRS])
def test_fr_01_an_edit_made_offline_is_a_conflict_with_three_sides_and_overwrites_nothing(
    make: Make, either: Hosted, decision: Decision
) -> None:
    one, other = make(), make()
    one.engine.preferences.remember("shoe_size", "42")
    settled([one, other])
    one.engine.preferences.remember("shoe_size", "43")
    other.engine.preferences.remember("shoe_size", "41")
    other.sync()
    assert one.sync().total.conflicts == 1
    clash = one.clash()
    sides = clash.base, clash.mine, clash.theirs
    assert sides == tuple(PreferenceContent(size) for size in ("42", "43", "41"))
    assert one.syncing.status().conflicts == 1
    assert one.preference() == "43"
    assert either.item("preferences", "shoe_size")["value"]["declared"]["value"] == "41"
    assert one.syncing.decide(clash.id, decision)
    settled([one, other])
    assert one.preference() == other.preference() == ("43" if decision is Decision.MINE else "41")
    kept = {version.content for device in (one, other) for version in history(device)}
    assert kept == {PreferenceContent(size) for size in ("42", "43", "41")}


def history(device: Device) -> Any:
    (item,) = device.items(Kind.PREFERENCE)
    return device.engine.library.history(item.id)


def test_fr_01_the_command_line_says_that_there_is_a_conflict_and_settles_it(
    cli: Cli, make: Make, hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR-23: later survives a restart, for each command is one."""
    monkeypatch.setenv("LOCALMEM_ACCOUNT_KEY", hosted.server.key)
    monkeypatch.setattr(
        Synchroniser, "_connect", lambda self, url, key, can, check: hosted.remote(key, can=can)
    )
    other = make()
    cli.ok("account", "login", f"http://{HOST}")
    cli.ok("pref", "remember", "shoe_size", "42")
    cli.ok("sync")
    other.sync()
    other.engine.preferences.remember("shoe_size", "41")
    other.sync()
    cli.ok("pref", "remember", "shoe_size", "43")
    assert cli("sync").code == 10
    assert cli("sync", "--status").code == 10
    (clash,) = cli.ok("sync", "conflicts", "--json").json["items"]
    cli.ok("sync", "resolve", clash["id"], "--mine")
    cli.ok("sync")
    other.sync()
    assert other.preference() == "43"


def test_fr_03_a_clock_that_is_an_hour_behind_loses_no_edit_and_no_lifetime(
    make: Make, either: Hosted, clock: FixedClock
) -> None:
    behind = make(clock=FixedClock(NOW - 61 * 60_000))
    other = make()
    for number in range(3):
        behind.engine.documents.set("orders", "A1", {"edit": number})
        settled([behind, other])
        assert either.item("orders", "A1")["value"]["edit"] == number
        assert other.document() == behind.document() == {"edit": number}
    other.engine.documents.set("orders", "A1", {"edit": 3})
    settled([other, behind])
    assert behind.document() == {"edit": 3}
    behind.engine.facts.add("For an hour.", ttl_seconds=3_600)
    settled([behind, other])
    for device in (behind, other):
        device.clock.advance(3_500)
        assert device.texts() == ["For an hour."]
    assert either.texts() == ["For an hour."]
    behind.clock.advance(200)
    clock.advance(200)
    assert behind.texts() == other.texts() == either.texts() == []


def test_fr_04_an_empty_answer_empties_no_library(make: Make, hosted: Hosted) -> None:
    device = make()
    for number in range(200):
        device.engine.facts.add(f"Number {number}.")
    asked = device.run().question
    assert asked is not None and device.run(asked.allowance).total.sent == 200
    void = [True]

    def emptied(request: Request, go: Go) -> Reply:
        if not isinstance(request, AskChanges):
            return go()
        if void.pop() if void else False:
            return Expired()
        return Changes((), "0", 0, False)

    device.line.script = emptied
    outcome = device.run()
    assert outcome.state is State.ASKING and outcome.question is not None
    assert (outcome.question.items, outcome.question.among) == (200, 200)
    assert len(device.texts()) == 200
    assert len(hosted.texts()) == 200
    assert device.run("many_gone:project:199").state is State.ASKING


def test_fr_04_an_empty_list_of_a_server_without_a_feed_empties_none_either(
    make: Make, documented: Hosted
) -> None:
    device = make()
    for number in range(30):
        device.engine.facts.add(f"Number {number}.")
    device.sync()

    def emptied(request: httpx.Request, go: Callable[[], httpx.Response]) -> httpx.Response:
        if request.method == "GET" and request.url.path == "/v1/memory":
            return httpx.Response(200, json={"items": [], "nextCursor": None})
        return go()

    documented.wire = emptied
    outcome = device.run()
    assert outcome.question is not None and outcome.question.items == 30
    assert len(device.texts()) == 30


@pytest.mark.parametrize("other", ["account", "partition"])
def test_fr_06_another_account_at_the_same_address_gets_nothing_and_takes_nothing(
    make: Make, either: Hosted, other: str
) -> None:
    device = make()
    device.engine.facts.add("Prefers tea.")
    device.engine.documents.set("orders", "A1", {"status": "new"})
    device.sync()
    server = either.server
    if other == "account":
        server.manage(lambda issuing: issuing.create_space("away"))
        key = server.new_key("away", space="away")
    else:
        key = server.new_key("trial", mode=Mode.TEST)
    device.line.dial = lambda can: either.remote(key, can=can)
    device.line.open = False
    device.syncing.close()
    sent: list[str] = []

    def watched(request: httpx.Request, go: Callable[[], httpx.Response]) -> httpx.Response:
        sent.append(request.method)
        return go()

    either.wire = watched
    outcome = device.run()
    assert (outcome.state, outcome.total) == (State.ASKING, Counts(""))
    assert set(sent) == {"GET"}
    assert device.sign_in().first
    sent.clear()
    assert device.sync().total == Counts("", sent=2), "it is the person's choice to push"
    assert "DELETE" not in sent
    assert (device.texts(), device.document()) == (["Prefers tea."], {"status": "new"})
    assert either.texts() == ["Prefers tea."], "the first account keeps its own"


@pytest.mark.parametrize("first", ["who forgot", "who edited"])
def test_fr_08_forgotten_here_and_edited_there_is_decided_by_no_order(
    make: Make, either: Hosted, first: str
) -> None:
    """An edit that both sides have goes with what was forgotten, and is counted; one that never
    left its device is the person's to decide. It is never made again by itself."""
    forgot, edited = make(), make()
    forgot.engine.documents.set("orders", "gym_day", {"day": "Tuesday"})
    settled([forgot, edited])
    forgot.forget(*(item.id for item in forgot.items(Kind.DOCUMENT)))
    edited.engine.documents.set("orders", "gym_day", {"day": "Thursday"})
    if first == "who forgot":
        forgot.sync()
        assert edited.sync().total.conflicts == 1
        clash = edited.clash()
        assert (clash.why, clash.mine) == ("forgotten", DocumentContent({"day": "Thursday"}))
        assert edited.document("gym_day") == {"day": "Thursday"}, "it can be kept"
        assert edited.syncing.decide(clash.id, Decision.THEIRS)
    else:
        edited.sync()
        forgot.sync()
        assert edited.sync().total.deleted_here == 1
    settled([forgot, edited])
    assert forgot.document("gym_day") is edited.document("gym_day") is None
    assert either.item("orders", "gym_day") is None


def test_fr_08_an_edit_of_what_was_forgotten_elsewhere_can_be_kept(
    make: Make, either: Hosted
) -> None:
    forgot, edited = make(), make()
    forgot.engine.documents.set("orders", "gym_day", {"day": "Tuesday"})
    settled([forgot, edited])
    forgot.forget(*(item.id for item in forgot.items(Kind.DOCUMENT)))
    edited.engine.documents.set("orders", "gym_day", {"day": "Thursday"})
    forgot.sync()
    edited.sync()
    assert edited.syncing.decide(edited.clash().id, Decision.MINE)
    settled([edited, forgot])
    assert forgot.document("gym_day") == edited.document("gym_day") == {"day": "Thursday"}


def test_fr_08_what_was_forgotten_is_shown_beside_the_edit_of_it(
    make: Make, either: Hosted
) -> None:
    forgot, edited = make(), make()
    forgot.engine.facts.add("Has two cats.")
    forgot.engine.documents.set("orders", "gym_day", {"day": "Tuesday"})
    settled([forgot, edited])
    edited.engine.facts.edit(edited.fact("Has two cats.").id, text="Has three cats.")
    edited.engine.documents.set("orders", "gym_day", {"day": "Thursday"})
    forgot.forget(*(item.id for kind in (Kind.FACT, Kind.DOCUMENT) for item in forgot.items(kind)))
    forgot.sync()
    edited.sync()
    shown = [(clash.base, clash.mine) for clash in edited.syncing.conflicts()]
    assert sorted(shown, key=str) == [
        (DocumentContent({"day": "Tuesday"}), DocumentContent({"day": "Thursday"})),
        (FactContent("Has two cats."), FactContent("Has three cats.")),
    ]


def test_fr_09_what_was_forgotten_never_comes_back_from_an_old_copy(
    make: Make, either: Hosted, clock: FixedClock, tmp_path: Path
) -> None:
    forgot, away = make(), make()
    forgot.engine.preferences.remember("avoided_brands", ["Marca X"])
    settled([forgot, away])
    backup = tmp_path / "devices" / "backup" / "library.db"
    backup.parent.mkdir()
    away.engine.library.backup(str(backup))
    forgot.engine.preferences.forget("avoided_brands")
    forgot.sync()
    clock.advance(10 * 24 * HOUR)
    away.engine.facts.add("Has two cats.")
    restored = make(name="backup")
    for late in (away, restored):
        settled([late, forgot])
        assert late.preference("avoided_brands") is None
        assert late.remembers("Marca X") == []
        agent = late.engine.acting(AGENT)
        with pytest.raises(InferenceBlocked):
            agent.preferences.remember(
                "avoided_brands",
                ["Marca X"],
                provenance=Provenance.INFERRED,
                evidence=Evidence(purchase_id="p-1"),
            )
        with pytest.raises(MemoryNotFound):
            late.engine.preferences.forget("avoided_brands")
    told = either.item("preferences", PreferenceKey.AVOIDED_BRANDS)
    assert told is None or "Marca X" not in repr(told)
    assert forgot.remembers("Marca X") == []


def test_fr_10_killed_at_any_point_of_an_upload_everything_arrives_once(
    make: Make, either: Hosted
) -> None:
    device, chance = make(), random.Random(10)
    for number in range(15):
        device.engine.facts.add(f"Fact {number}.")
    for number in range(10):
        device.engine.documents.set("orders", f"A{number}", {"number": number})
    stored = 0

    def kill_at(after: int, *, reply_lost: bool) -> Wire:
        left = [after]

        def wire(request: httpx.Request, go: Callable[[], httpx.Response]) -> httpx.Response:
            nonlocal stored
            left[0] -= write(request)
            if left[0] < 0 and not reply_lost:
                raise Killed
            came = go()
            stored += write(request)
            if left[0] < 0:
                raise Killed
            return came

        return wire

    for reply_lost in (True, False) * 5:
        either.wire = kill_at(chance.randrange(13), reply_lost=reply_lost)
        with suppress(Killed):
            device.run()
    either.wire = lambda request, go: go()
    settled([device])
    assert stored and either.texts() == sorted(f"Fact {number}." for number in range(15))
    assert all(either.item("orders", f"A{number}")["value"]["number"] == number
               for number in range(10))  # fmt: skip
    assert device.syncing.conflicts() == ()
    assert len(device.texts()) == 15
    other = make()
    settled([other])
    assert other.all() == device.all()


def test_fr_13_a_rev_that_rose_without_a_change_is_no_question(make: Make, either: Hosted) -> None:
    device = make()
    device.engine.documents.set("orders", "A1", {"status": "new"})
    device.sync()
    device.engine.documents.set("orders", "A1", {"status": "paid"})
    tries: list[str] = []

    def touched(request: Request, go: Go) -> Reply:
        if isinstance(request, WriteItem) and request.collection == "orders":
            if not tries:
                value = either.item("orders", "A1")["value"]
                path = "/v1/memory/collections/orders/items/A1"
                answer = either.done(either.server.put(path, {"value": value, "ttlSeconds": 9_000}))
                assert answer.status_code == 200
            tries.append(request.op)
        return go()

    device.line.script = touched
    device.sync()
    settled([device])
    assert 2 <= len(tries) <= 3
    assert device.syncing.conflicts() == ()
    assert either.item("orders", "A1")["value"]["status"] == "paid"


@pytest.mark.parametrize("fault", ["error", "cut", "late"])
def test_fr_14_a_write_that_was_done_although_it_seemed_to_fail_is_known_again(
    make: Make, either: Hosted, fault: str
) -> None:
    device = make()
    device.engine.documents.set("orders", "A1", {"status": "new"})
    device.sync()
    device.engine.documents.set("orders", "A1", {"status": "paid"})

    def wire(request: httpx.Request, go: Callable[[], httpx.Response]) -> httpx.Response:
        came = go()
        if not write(request) or "orders" not in request.url.path:
            return came
        if fault == "error":
            return httpx.Response(500, json={"code": "internal", "message": "No."})
        raise httpx.ReadTimeout("late") if fault == "late" else httpx.ReadError("cut")

    either.wire = wire
    outcome = device.run()
    assert outcome.state is State.OFFLINE and outcome.message
    rev = either.item("orders", "A1")["rev"]
    either.wire = lambda request, go: go()
    device.sync()
    settled([device])
    assert device.syncing.conflicts() == ()
    assert either.item("orders", "A1")["rev"] == rev, "no second version"
    assert device.syncing.status().state is State.IN_STEP


def test_fr_15_a_fact_whose_reply_is_lost_again_and_again_is_kept_once(
    make: Make, either: Hosted
) -> None:
    device = make()
    device.engine.facts.add("Prefers aisle seats.")

    def lost(request: httpx.Request, go: Callable[[], httpx.Response]) -> httpx.Response:
        came = go()
        if request.method == "POST":
            raise httpx.ReadError("cut")
        return came

    either.wire = lost
    device.run()
    device.run()
    restarted = make(name=device.file.parent.name, restarted=True)
    restarted.run()
    either.wire = lambda request, go: go()
    settled([restarted])
    assert either.texts() == restarted.texts() == ["Prefers aisle seats."]
    assert restarted.syncing.status().state is State.IN_STEP
    other = make()
    settled([other])
    assert other.texts() == ["Prefers aisle seats."]


def test_fr_17_what_was_written_early_and_sent_late_is_seen_by_who_looked_in_between(
    make: Make, either: Hosted, clock: FixedClock
) -> None:
    late, other = make(), make()
    late.engine.facts.add("Written at 10:02.")
    clock.advance(18 * 60)
    other.engine.facts.add("Written at 10:20.")
    settled([other])
    clock.advance(10 * 60)
    settled([late])
    clock.advance(5 * 60)
    other.sync()
    assert other.texts() == late.texts() == ["Written at 10:02.", "Written at 10:20."]


def test_fr_19_a_change_of_a_lifetime_a_tag_or_a_path_alone_reaches_the_other_side(
    make: Make, hosted: Hosted
) -> None:
    one, other = make(), make()
    one.engine.facts.add("Prefers tea.", metadata={"tag": "drinks"})
    one.engine.documents.set("orders", "A1", {"status": "new"})
    settled([one, other])
    changes: tuple[dict[str, Any], ...] = (
        {"ttl_seconds": 7_200},
        {"metadata": {"tag": "hot drinks"}},
        {"path": "food/drinks"},
        {"ttl_seconds": None},
    )
    for change in changes:
        for here, there in ((one, other), (other, one)):
            name = here.file.parent.name
            edit = {what: f"{said}-{name}" if isinstance(said, str) else said
                    for what, said in change.items()}  # fmt: skip
            edit |= {"metadata": {"tag": name}} if "metadata" in change else {}
            here.engine.facts.edit(here.fact("Prefers tea.").id, **edit)
            here.sync()
            there.sync()
            mine, theirs = (device.fact("Prefers tea.").head for device in (here, there))
            assert mine.content == theirs.content
            assert (mine.expires_at is None) == (theirs.expires_at is None)
    one.engine.documents.set("orders", "A1", {"status": "new"}, ttl_seconds=3_600)
    one.sync()
    other.sync()
    (document,) = other.items(Kind.DOCUMENT)
    assert document.head.expires_at is not None
    assert hosted.texts() == ["Prefers tea."]


def test_fr_20_a_limit_met_in_the_middle_is_no_gap_and_leaves_nothing_red(
    make: Make, either: Hosted
) -> None:
    one, other = make(), make()
    for number in range(21):
        one.engine.facts.add(f"Goes {number}.")
    settled([one, other])
    one.forget(*(item.id for item in one.items(Kind.FACT)))
    settled([one])
    one.engine.facts.add("Prefers tea.")

    def limited(request: httpx.Request, go: Callable[[], httpx.Response]) -> httpx.Response:
        came = go()
        if request.method == "POST":
            return httpx.Response(429, json={"code": "rate_limited", "message": "Slow down."},
                                  headers={"retry-after": "7"})  # fmt: skip
        return came

    either.wire = limited
    outcome = one.run()
    assert (outcome.state, outcome.wait) == (State.LATER, 7.0)
    status = one.syncing.status()
    assert (status.waiting, status.held, status.conflicts) == (1, 0, 0)
    either.wire = lambda request, go: go()
    asked = other.run().question
    if asked is not None:
        other.run(asked.allowance)
    settled([one, other])
    assert one.texts() == other.texts() == either.texts() == ["Prefers tea."]
    for device in (one, other):
        status = device.syncing.status()
        assert (status.state, status.waiting, status.held) == (State.IN_STEP, 0, 0)


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("memory_limit_exceeded", ["Prefers tea.", "Reads crime novels.", "orders/A1"]),
        ("memory_scope_full", ["Prefers tea.", "Reads crime novels."]),
    ],
)
def test_fr_21_a_limit_is_said_of_everything_it_keeps_and_tried_again_when_asked(
    make: Make, either: Hosted, code: str, kept: list[str]
) -> None:
    one = make()
    settled([one])
    one.engine.facts.add("Prefers tea.")
    one.engine.facts.add("Reads crime novels.")
    if code == "memory_limit_exceeded":
        one.engine.documents.set("orders", "A1", {"status": "new"})

    def full(request: httpx.Request, go: Callable[[], httpx.Response]) -> httpx.Response:
        told = {"code": code, "message": "Full."}
        return httpx.Response(429, json=told) if write(request) else go()

    either.wire = full
    one.run()
    waiting = one.syncing.waiting()
    assert sorted(each.title for each in waiting if each.code == code) == kept
    status = one.syncing.status()
    assert (status.held, status.waiting) == (len(kept), len(kept))
    either.wire = lambda request, go: go()
    one.run()
    assert one.syncing.status().held == len(kept), "by itself it waits as long as it was told"
    one.syncing.run(asked=True)
    status = one.syncing.status()
    assert (status.held, status.waiting, one.syncing.waiting()) == (0, 0, ())


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ("120", 120.0),
        ("Mon, 30 Nov 2026 18:02:00 GMT", 120.0),
        ("-5", None),
        ("999999999", 3_600.0),
        ("soon", None),
        (None, None),
    ],
)
def test_fr_21_a_server_that_says_how_long_is_not_asked_again_before(
    make: Make, hosted: Hosted, said: str | None, wait: float | None
) -> None:
    device = make()
    device.sync()
    headers = {} if said is None else {"retry-after": said}
    asked: list[str] = []

    def limited(request: httpx.Request, go: Callable[[], httpx.Response]) -> httpx.Response:
        asked.append(request.url.path)
        body = {"code": "rate_limited", "message": "Slow down."}
        return httpx.Response(429, json=body, headers=headers)

    hosted.wire = limited
    outcome = device.run()
    assert (outcome.state, outcome.wait or None) == (State.LATER, wait)
    assert len(asked) == 1
    assert hosted.waited == []


@pytest.mark.parametrize("code", ["memory_scope_full", "memory_limit_exceeded"])
def test_fr_21_what_does_not_fit_is_parked_with_the_reason_while_all_else_goes_on(
    make: Make, either: Hosted, code: str, clock: FixedClock
) -> None:
    one, other = make(), make()
    one.engine.facts.add("Goes.")
    one.engine.facts.add("Stays.")
    settled([one, other])
    one.engine.facts.add("Does not fit.")
    one.forget(one.fact("Goes.").id)
    other.engine.facts.add("From elsewhere.")
    other.sync()
    refused: list[str] = []

    def full(request: httpx.Request, go: Callable[[], httpx.Response]) -> httpx.Response:
        if request.method == "POST" and b"Does not fit." in request.content:
            refused.append(request.url.path)
            return httpx.Response(429, json={"code": code, "message": "It is full."})
        return go()

    either.wire = full
    one.sync()
    one.sync()
    assert len(refused) == 1, "no loop"
    assert one.texts() == ["Does not fit.", "From elsewhere.", "Stays."]
    assert either.texts() == ["From elsewhere.", "Stays."]
    (held,) = [each for each in one.syncing.waiting() if each.title == "Does not fit."]
    assert one.syncing.status().held == 1 and one.syncing.status().state is State.IN_STEP
    assert held.act == "send"
    either.wire = lambda request, go: go()
    clock.advance(HOUR + 1)
    settled([one, other])
    assert other.texts() == ["Does not fit.", "From elsewhere.", "Stays."]


def test_fr_23_both_sides_can_be_kept_as_one_that_is_written_by_hand(
    make: Make, either: Hosted
) -> None:
    one, other = make(), make()
    one.engine.documents.set("orders", "A1", {"note": "base"})
    settled([one, other])
    one.engine.documents.set("orders", "A1", {"note": "mine"})
    other.engine.documents.set("orders", "A1", {"note": "theirs"})
    settled([other])
    one.sync()
    merged = DocumentContent({"note": "mine and theirs"})
    assert one.syncing.decide(one.clash().id, Decision.MERGED, merged)
    settled([one, other])
    assert one.document() == other.document() == {"note": "mine and theirs"}
    (item,) = one.items(Kind.DOCUMENT)
    kept = [version.content for version in one.engine.library.history(item.id)]
    assert DocumentContent({"note": "mine"}) in kept


@pytest.mark.parametrize("few", ["here", "there"])
def test_fr_25_few_and_many_become_all_of_both_and_nothing_is_removed(
    make: Make, hosted: Hosted, few: str
) -> None:
    full = make()
    for number in range(100):
        full.engine.facts.add(f"Number {number}.")
    new = make()
    for number in range(3):
        new.engine.facts.add(f"Few {number}.")
    order = [full, new] if few == "here" else [new, full]
    for device in order:
        outcome = device.run()
        if outcome.question is not None:
            assert (outcome.question.brake, outcome.question.items) == ("first_push", 100)
            assert device is full
            outcome = device.run(outcome.question.allowance)
        assert (outcome.total.deleted_here, outcome.total.deleted_there) == (0, 0)
    settled(order)
    assert len(full.texts()) == len(new.texts()) == len(hosted.texts()) == 103
