"""What the surfaces ask of synchronisation, on real libraries and a server in dictionaries."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from localmem.core.model import (
    Content,
    DocumentContent,
    FactContent,
    Kind,
    PreferenceContent,
)
from localmem.core.records import Removal
from localmem.core.scope import PROJECT, contact
from localmem.core.syncing import Counts, Decision, NotDone, State, Undone
from localmem.errors import Cancelled
from localmem.store.alone import only
from localmem.synchronise import LOCK
from sync import report
from sync.messages import (
    AddFact,
    AskChanges,
    Capabilities,
    Identify,
    NoReply,
    OtherEpoch,
    Refusal,
    Refused,
    Reply,
    Request,
    Write,
    WriteItem,
)
from sync.policy import MANY_FIRST, MANY_GONE
from sync.service import BUSY
from tests.simulation.server import Documented, Extended, Server
from tests.support.devices import KEY, LOST, UNREACHED, URL, Device, Go, devices, settled
from tests.support.library import FixedClock

ANA = contact("ana")
SIZE = PROJECT, "preferences", "shoe_size"
ORDER = PROJECT, "orders", "A1"


@dataclass(slots=True)
class Answers:
    """A server in dictionaries, over a line that is never cut."""

    server: Server

    def ask(self, request: Request, *, epoch: str | None) -> Reply:
        if epoch is not None and self.server.epoch != epoch:
            if self.server.epoch is None:
                return NoReply("broken_reply", "It does not say which library it is of.")
            return OtherEpoch(self.server.epoch)
        return self.server.handle(request)


@pytest.fixture
def server(clock: FixedClock) -> Extended:
    return Extended(random.Random(1), clock)


@pytest.fixture
def make(tmp_path: Path, clock: FixedClock) -> Iterator[Callable[..., Device]]:
    with devices(tmp_path, clock) as making:
        yield making


Make = Callable[..., Device]


@pytest.fixture
def device(make: Make, server: Server) -> Device:
    """Signed in, with nothing in it."""
    made = make(Answers(server))
    made.sign_in()
    return made


@pytest.fixture
def both(make: Make, server: Server) -> tuple[Device, Device]:
    """Two that are in step about one of each kind."""
    one, other = make(Answers(server)), make(Answers(server))
    for each in (one, other):
        each.sign_in()
    one.engine.facts.add("Prefers tea.")
    one.engine.documents.set("orders", "A1", {"status": "new", "paid": False})
    one.engine.preferences.remember("shoe_size", "42")
    settled([one, other])
    return one, other


def refusing(why: Refused, code: str, kind: type[Any] = object, wait: float | None = None) -> Any:
    """A script that refuses requests of that kind."""

    def script(request: Request, go: Go) -> Reply:
        return Refusal(why, code, "No.", wait) if isinstance(request, kind) else go()

    return script


def silent(request: Request, go: Go) -> Reply:
    return UNREACHED


# --- signing in and out ------------------------------------------------------------------------


def test_signing_in_tells_what_there_is_on_both_sides_and_sends_nothing(
    make: Make, server: Extended
) -> None:
    device = make(Answers(server))
    device.engine.facts.add("Prefers tea.")
    device.engine.preferences.remember("shoe_size", "42")
    signed = device.sign_in(f" {KEY} ")
    assert (signed.first, signed.here, signed.there, signed.where) == (True, 2, 0, "keyring")
    assert (signed.account.label, signed.account.partition) == ("memory.example.com", "live")
    assert signed.warnings == ("The address ends without a slash.",)
    assert device.keys.kept == KEY
    assert device.line.asked == [Identify()]
    assert not device.line.open


NOT_SIGNED_IN: dict[str, tuple[Reply, str]] = {
    "a key that is not let in": (Refusal(Refused.SIGNED_OUT, "unknown_key", "No."), "unknown_key"),
    "a server that wants us to wait": (Refusal(Refused.BUSY, "slow_down", "No.", 9), "slow_down"),
    "no way to the server": (UNREACHED, "offline"),
    "another thing than an identity": (LOST._replace(code="not_a_memory_api"), "not_a_memory_api"),
    "no answer at all": (OtherEpoch("x"), "broken_reply"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_SIGNED_IN)
def test_who_is_not_let_in_is_not_signed_in_and_no_key_is_kept(
    make: Make, server: Extended, name: str
) -> None:
    reply, code = NOT_SIGNED_IN[name]
    device = make(Answers(server), script=lambda request, go: reply)
    refused = device.syncing.sign_in(URL, KEY)
    assert isinstance(refused, NotDone)
    assert refused.code == code and refused.message
    assert refused.hint and "next run" not in refused.hint
    assert (device.keys.kept, device.syncing.status().state) == (None, State.OFF)
    assert not device.line.open


def test_an_address_that_is_none_is_never_asked(make: Make, server: Extended) -> None:
    device = make(Answers(server))
    assert isinstance(device.syncing.sign_in("nowhere", KEY), NotDone)
    assert device.line.keys == []


def test_where_no_key_can_be_kept_nobody_is_signed_in(make: Make, server: Extended) -> None:
    """FR-109."""
    device = make(Answers(server))
    device.keys.refuses = NotDone("no_keyring", "No.", "A passphrase?", wants_passphrase=True)
    assert device.syncing.sign_in(URL, KEY) == device.keys.refuses
    assert device.syncing.status().state is State.OFF


def test_a_server_that_does_not_say_what_it_can_is_tried_once(
    make: Make, clock: FixedClock
) -> None:
    found = Capabilities(if_none_match=True, if_match_delete=True)
    device = make(Answers(Documented(random.Random(1), clock)), can=found)
    device.sign_in()
    assert device.line.probes == 1
    assert not device.syncing.status().feed
    device.run()
    assert device.line.probes == 1


@pytest.mark.parametrize("probed", [UNREACHED, OtherEpoch("x"), Refusal(Refused.BUSY, "b", "No.")])
def test_a_trial_that_fails_signs_nobody_in(make: Make, clock: FixedClock, probed: Any) -> None:
    device = make(Answers(Documented(random.Random(1), clock)), can=probed)
    refused = device.syncing.sign_in(URL, KEY)
    assert isinstance(refused, NotDone) and refused.message and refused.hint
    assert device.keys.kept is None


def test_signing_out_leaves_every_memory_and_nothing_to_ask(
    device: Device, server: Extended
) -> None:
    device.engine.facts.add("Prefers tea.")
    device.sync()
    device.keys.left = ("Another program may still have the key.",)
    assert device.syncing.sign_out() == ("Another program may still have the key.",)
    assert (device.keys.kept, device.line.open) == (None, False)
    asked = len(device.line.asked)
    outcome, look = device.run(), device.syncing.look()
    assert (outcome.state, outcome.code, look.outcome) == (State.OFF, "not_signed_in", outcome)
    assert len(device.line.asked) == asked
    assert device.texts() == ["Prefers tea."] and len(server.facts) == 1
    assert device.syncing.waiting() == device.syncing.conflicts() == ()
    assert not device.syncing.leave_out("x") and not device.syncing.decide("x", Decision.MINE)


@pytest.mark.parametrize(("drop", "first"), [(False, False), (True, True)])
def test_what_is_known_of_an_account_stays_for_the_next_time_unless_it_is_dropped(
    device: Device, drop: bool, first: bool
) -> None:
    device.engine.facts.add("Prefers tea.")
    device.sync()
    device.syncing.sign_out(drop=drop)
    assert device.sign_in().first is first
    assert device.sync().total.sent == 0, "it is there already"


def test_another_account_begins_with_nothing_and_the_first_keeps_its_rows(
    device: Device, server: Extended, clock: FixedClock
) -> None:
    """FR-06, FR-118: what is known of one server is never applied to another."""
    device.engine.facts.add("Prefers tea.")
    device.engine.documents.set("orders", "A1", {"status": "new"})
    device.sync()
    second = Extended(random.Random(2), clock)
    second.account = "spc_two"
    device.line.server = Answers(second)
    assert device.sign_in().first
    sent = device.sync().total
    assert (sent.sent, sent.deleted_here, sent.deleted_there) == (2, 0, 0)
    device.line.server = Answers(server)
    assert not device.sign_in().first
    assert device.asks() == 1


@pytest.mark.parametrize("what", ["account", "partition", "epoch"])
def test_another_server_at_the_same_address_is_asked_about(
    device: Device, server: Extended, what: str
) -> None:
    """FR-06, FR-118: another account or partition stops it; a server that was replaced is
    compared whole, and nothing is deleted for it."""
    device.engine.facts.add("Prefers tea.")
    device.sync()
    if what == "epoch":
        server.wipe()
        assert device.sync().total == Counts("", sent=1)
        return
    inner = device.line.server

    def script(request: Request, go: Go) -> Reply:
        reply = go()
        if isinstance(request, Identify):
            place = {"account": "spc_other"} if what == "account" else {"partition": "test"}
            return reply._replace(**place)  # type: ignore[union-attr, call-arg]
        return reply

    server.wipe()
    device.line.script = script
    outcome = device.run()
    assert (outcome.state, outcome.code) == (State.ASKING, "other_server")
    assert not server.facts and device.texts() == ["Prefers tea."]
    assert inner is device.line.server


# --- running -----------------------------------------------------------------------------------


def test_a_run_tells_what_it_did_and_the_list_of_runs_remembers(device: Device) -> None:
    device.engine.facts.add("Prefers tea.")
    device.engine.facts.add("Prefers WhatsApp.", scope=ANA)
    outcome = device.sync()
    assert outcome.counts == (Counts("contact:ana", sent=1), Counts("project", sent=1))
    assert outcome.requests == len(device.line.asked) - 1
    (past,) = device.syncing.runs()
    assert (past.id, past.counts, past.code, past.undone) == (
        outcome.run,
        outcome.counts,
        "",
        False,
    )


def test_runs_that_found_nothing_are_not_listed_and_those_that_failed_are(device: Device) -> None:
    for _ in range(3):
        device.sync()
    device.line.script = silent
    device.run()
    assert [past.code for past in device.syncing.runs() if past.code] == ["offline"]
    assert len(device.syncing.runs()) <= 2


def test_progress_says_what_is_done_and_may_end_it_between_two_requests(device: Device) -> None:
    told: list[tuple[str, int]] = []
    device.engine.facts.add("Prefers tea.")
    device.syncing.run(progress=lambda doing, count: told.append((doing, count)))
    assert told == [("looking", 0), ("sending", 0)]
    device.engine.facts.add("Has two cats.")

    def give_up(doing: str, count: int) -> None:
        if doing == "sending":
            raise Cancelled("Enough.")

    with pytest.raises(Cancelled):
        device.syncing.run(progress=give_up)
    assert device.sync().total.sent == 1, "the next one goes on"


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        (UNREACHED, State.OFFLINE),
        (LOST, State.OFFLINE),
        (Refusal(Refused.BUSY, "rate_limited", "Later.", 120.0), State.LATER),
        (Refusal(Refused.SIGNED_OUT, "unauthorized", "No."), State.SIGNED_OUT),
        (OtherEpoch("e9"), State.WAITING),
    ],
)
def test_every_way_a_run_ends_is_how_the_library_stands_until_the_next(
    device: Device, reply: Reply, state: State
) -> None:
    device.sync()
    device.engine.facts.add("Prefers tea.")
    device.line.script = lambda request, go: go() if isinstance(request, Identify) else reply
    outcome = device.run()
    status = device.syncing.status()
    assert (outcome.state, status.state) == (state, state)
    assert outcome.message and outcome.hint and (status.message, status.hint) == outcome[2:4]
    assert outcome.wait == getattr(reply, "wait", None)
    device.line.script = lambda request, go: go()
    device.sync()
    assert device.syncing.status()[2:4] == ("", "")


def test_after_a_key_that_was_refused_the_next_run_takes_the_key_anew(device: Device) -> None:
    device.sync()
    device.line.script = refusing(Refused.SIGNED_OUT, "unauthorized")
    assert device.run().state is State.SIGNED_OUT
    assert not device.line.open
    device.keys.kept = "another"
    device.line.script = lambda request, go: go()
    device.sync()
    assert device.line.keys[-1] == "another"


def test_without_a_key_nobody_is_asked_and_no_run_is_listed(device: Device) -> None:
    device.keys.kept = None
    asked = len(device.line.asked)
    outcome, look = device.run(), device.syncing.look()
    assert (outcome.state, outcome.code, outcome.run) == (State.SIGNED_OUT, "no_key", None)
    assert (look.outcome.state, look.outcome.code) == (State.SIGNED_OUT, "no_key")
    assert len(device.line.asked) == asked and device.syncing.runs() == ()
    assert device.syncing.unlock("right") is None


def test_while_another_process_synchronises_this_one_goes_on_without(device: Device) -> None:
    asked = len(device.line.asked)
    with only(device.file.parent / LOCK) as alone:
        assert alone
        outcome = device.run()
    assert (outcome.state, outcome.code, outcome.run) == (State.WORKING, BUSY, None)
    assert outcome.hint and len(device.line.asked) == asked
    device.sync()


# --- how it stands -----------------------------------------------------------------------------


def test_how_a_library_stands_is_told_without_asking_anybody(
    device: Device, make: Make, server: Extended
) -> None:
    assert make(Answers(server)).syncing.status().state is State.OFF
    asked = len(device.line.asked)
    status = device.syncing.status()
    assert (status.state, status.last) == (State.WAITING, None)
    assert len(device.line.asked) == asked
    device.sync()
    status = device.syncing.status()
    assert (status.state, status.waiting, status.unseen) == (State.IN_STEP, 0, False)
    assert status.last == device.clock()
    assert status.feed
    device.engine.facts.add("Prefers tea.")
    status = device.syncing.status()
    assert (status.state, status.waiting, status.unseen) == (State.WAITING, 1, True)
    device.syncing.pause(True)
    assert device.syncing.status().state is State.PAUSED
    device.sync()
    assert device.syncing.status().state is State.PAUSED, "it runs when it is told to"
    device.syncing.pause(False)
    assert device.syncing.status().state is State.IN_STEP


@pytest.mark.parametrize(
    ("reply", "shown"),
    [(UNREACHED, State.PAUSED), (Refusal(Refused.SIGNED_OUT, "u", "No."), State.SIGNED_OUT)],
)
def test_what_only_the_person_can_help_is_shown_also_where_it_is_paused(
    device: Device, reply: Reply, shown: State
) -> None:
    device.sync()
    device.syncing.pause(True)
    device.line.script = lambda request, go: reply
    device.run()
    assert device.syncing.status().state is shown


def test_what_is_held_leaves_no_status_red(device: Device) -> None:
    """FR-20: what was refused for good is counted apart, and nothing waits for it."""
    device.line.script = refusing(Refused.TOO_LARGE, "text_too_long", AddFact)
    device.engine.facts.add("Prefers tea.")
    assert device.sync().total.held == 1
    status = device.syncing.status()
    assert (status.state, status.held, status.waiting) == (State.IN_STEP, 1, 1)


# --- looking ahead -----------------------------------------------------------------------------


def test_a_look_tells_what_a_run_would_do_and_writes_nothing_anywhere(
    both: tuple[Device, Device], server: Extended
) -> None:
    one, other = both
    one.engine.documents.set("orders", "A1", {"status": "paid", "paid": True})
    one.engine.preferences.remember("shoe_size", "43")
    one.sync()
    other.engine.facts.add("Has two cats.", scope=ANA)
    other.engine.preferences.remember("shoe_size", "41")
    other.forget(other.fact("Prefers tea.").id)
    before, changes = other.contents(), server.changes
    other.line.asked.clear()
    look = other.syncing.look()
    assert other.contents() == before
    assert server.changes == changes
    assert not any(
        isinstance(request, Write) for request in other.line.asked[-look.outcome.requests :]
    )
    assert {(each.title, each.act) for each in look.waiting if each.title} == {
        ("Has two cats.", "send")
    }
    assert look.more == 0
    done = other.sync()
    assert done.counts == look.outcome.counts
    assert done.total == Counts("", sent=1, deleted_there=1, changed_here=1, conflicts=1)


def test_a_look_asks_what_a_run_would_ask(device: Device) -> None:
    for number in range(MANY_FIRST + 1):
        device.engine.facts.add(f"Number {number}.")
    before = device.contents()
    look = device.syncing.look()
    assert look.outcome.state is State.ASKING and look.outcome.question is not None
    assert look.outcome.question.brake == "first_push"
    assert len(look.waiting) == MANY_FIRST + 1
    assert device.contents() == before
    assert device.run(look.outcome.question.allowance).total.sent == MANY_FIRST + 1


def test_a_look_at_a_server_that_must_be_listed_reads_it_whole_and_tells_the_same(
    make: Make, clock: FixedClock
) -> None:
    listed = Documented(random.Random(1), clock)
    one, other = make(Answers(listed)), make(Answers(listed))
    for each in (one, other):
        each.sign_in()
    for number in range(5):
        one.engine.facts.add(f"Number {number}.")
        one.engine.documents.set("orders", f"A{number}", {"number": number})
    settled([one, other])
    one.engine.documents.set("orders", "A1", {"number": 9})
    one.forget(one.fact("Number 2.").id)
    settled([one])
    other.engine.facts.add("Has two cats.")
    other.engine.documents.set("orders", "A5", {"number": 5})
    before, changes = other.contents(), listed.changes
    other.line.asked.clear()
    look = other.syncing.look()
    assert (other.contents(), listed.changes) == (before, changes)
    assert not any(isinstance(request, Write) for request in other.line.asked)
    assert {each.title for each in look.waiting} == {"Has two cats.", "orders/A5"}
    assert other.sync().counts == look.outcome.counts
    assert look.outcome.total == Counts("", sent=2, changed_here=1, deleted_here=1)


def test_a_look_names_each_of_many_that_would_go_together(both: tuple[Device, Device]) -> None:
    one, _ = both
    for number in range(3):
        one.engine.facts.add(f"Number {number}.")
    one.sync()
    for number in range(3):
        one.engine.facts.edit(one.fact(f"Number {number}.").id, text=f"Number {number}, again.")
        one.engine.documents.set("orders", f"B{number}", {"number": number})
    one.forget(*(item.id for item in one.items(Kind.PREFERENCE)))
    look = one.syncing.look()
    told = sorted((each.act, each.title) for each in look.waiting)
    assert told == [
        ("change", "Number 0, again."),
        ("change", "Number 1, again."),
        ("change", "Number 2, again."),
        ("change", "Shoe size"),
        ("send", "orders/B0"),
        ("send", "orders/B1"),
        ("send", "orders/B2"),
    ]


@pytest.mark.parametrize("name", ["offline", "busy", "signed out"])
def test_a_look_without_an_answer_ends_as_a_run_would(device: Device, name: str) -> None:
    device.sync()
    replies: dict[str, Reply] = {
        "offline": UNREACHED,
        "busy": Refusal(Refused.BUSY, "b", "Later.", 3.0),
        "signed out": Refusal(Refused.SIGNED_OUT, "u", "No."),
    }
    device.line.script = lambda request, go: replies[name]
    before = device.contents()
    look = device.syncing.look()
    assert device.contents() == before
    assert look.outcome[:3] == device.run()[:3]


# --- what waits --------------------------------------------------------------------------------


def test_what_is_left_out_stays_here_until_it_is_taken_in(device: Device, server: Extended) -> None:
    device.engine.facts.add("Prefers tea.")
    device.engine.documents.set("orders", "A1", {"status": "new"})
    device.engine.preferences.remember("shoe_size", "42")
    waiting = {each.title: each for each in device.syncing.waiting()}
    assert {each.act for each in waiting.values()} == {"send"}
    for each in waiting.values():
        assert device.syncing.leave_out(each.id)
    assert not device.syncing.leave_out("nothing")
    assert device.sync().total == Counts("")
    assert not server.facts and not server.items
    held = device.syncing.waiting()
    assert {each.code for each in held} == {"left_out"} and all(each.message for each in held)
    assert [each.id for each in device.syncing.waiting(limit=1)] == [held[0].id]
    device.engine.facts.edit(device.fact("Prefers tea.").id, text="Prefers green tea.")
    assert device.sync().total.sent == 0, "an edit does not take it in"
    for each in device.syncing.waiting():
        assert device.syncing.take_in(each.id)
    assert device.sync().total.sent == 3
    assert device.syncing.waiting() == ()


def test_what_was_forgotten_waits_without_its_words(both: tuple[Device, Device]) -> None:
    one, _ = both
    one.forget(one.fact("Prefers tea.").id)
    one.engine.preferences.remember("shoe_size", "43")
    one.forget(*(item.id for item in one.items(Kind.DOCUMENT)))
    found = {(each.kind, each.act): each for each in one.syncing.waiting()}
    assert set(found) == {
        (Kind.FACT, "delete"),
        (Kind.DOCUMENT, "delete"),
        (Kind.PREFERENCE, "change"),
    }
    assert found[Kind.FACT, "delete"].title == ""


# --- conflicts ---------------------------------------------------------------------------------


def changed_size(one: Device, other: Device, server: Extended) -> None:
    one.engine.preferences.remember("shoe_size", "43")
    other.engine.preferences.remember("shoe_size", "41")


def forgotten_size(one: Device, other: Device, server: Extended) -> None:
    one.engine.preferences.remember("shoe_size", "43")
    other.engine.preferences.forget("shoe_size")


def unreadable_size(one: Device, other: Device, server: Extended) -> None:
    one.engine.preferences.remember("shoe_size", "43")
    server.put_item(SIZE, {"size": 43})


def changed_order(one: Device, other: Device, server: Extended) -> None:
    one.engine.documents.set("orders", "A1", {"status": "paid", "paid": True})
    other.engine.documents.set("orders", "A1", {"status": "sent", "paid": False})


def forgotten_order(one: Device, other: Device, server: Extended) -> None:
    one.engine.documents.set("orders", "A1", {"status": "paid"})
    other.forget(*(item.id for item in other.items(Kind.DOCUMENT)))


def unanswered_order(one: Device, other: Device, server: Extended) -> None:
    """A write whose reply never came, and another client that wrote there meanwhile."""
    one.engine.documents.set("orders", "A1", {"status": "paid"})
    one.line.script = lambda request, go: LOST if isinstance(request, WriteItem) else go()
    assert one.run().state is State.OFFLINE
    one.line.script = lambda request, go: go()
    server.put_item(ORDER, {"status": "sent"})


def created_order(one: Device, other: Device, server: Extended) -> None:
    for each, status in ((one, "paid"), (other, "sent")):
        each.forget(*(item.id for item in each.items(Kind.DOCUMENT)))
        each.engine.documents.set("orders", "A1", {"status": status})


def forgotten_fact(one: Device, other: Device, server: Extended) -> None:
    one.engine.facts.edit(one.fact("Prefers tea.").id, text="Prefers green tea.")
    other.forget(other.fact("Prefers tea.").id)


Made = Callable[[Device, Device, Extended], None]
SIZES = {Decision.MINE: "43", Decision.THEIRS: "41", Decision.MERGED: "42.5", Decision.FORGET: None}
MERGED_SIZE = PreferenceContent("42.5")
MERGED_ORDER = DocumentContent({"status": "refunded"})
MERGED_FACT = FactContent("Prefers any tea.")
CLASHES: dict[str, tuple[Made, str, Content, dict[Decision, Any]]] = {
    "a size changed twice": (changed_size, "changed", MERGED_SIZE, SIZES),
    "a size forgotten elsewhere": (
        forgotten_size, "forgotten", MERGED_SIZE, SIZES | {Decision.THEIRS: None},
    ),
    "a document changed twice": (
        changed_order, "changed", MERGED_ORDER,
        {Decision.MINE: {"status": "paid", "paid": True},
         Decision.THEIRS: {"status": "sent", "paid": False},
         Decision.MERGED: {"status": "refunded"}, Decision.FORGET: None},
    ),
    "a document forgotten elsewhere": (
        forgotten_order, "forgotten", MERGED_ORDER,
        {Decision.MINE: {"status": "paid"}, Decision.THEIRS: None,
         Decision.MERGED: {"status": "refunded"}, Decision.FORGET: None},
    ),
    "a document made twice": (
        created_order, "created", MERGED_ORDER,
        {Decision.MINE: {"status": "paid"}, Decision.THEIRS: {"status": "sent"},
         Decision.MERGED: {"status": "refunded"}, Decision.FORGET: None},
    ),
    "a document another client wrote over": (
        unanswered_order, "changed", MERGED_ORDER,
        {Decision.MINE: {"status": "paid"}, Decision.THEIRS: {"status": "sent"},
         Decision.MERGED: {"status": "refunded"}, Decision.FORGET: None},
    ),
    "a fact forgotten elsewhere": (
        forgotten_fact, "forgotten", MERGED_FACT,
        {Decision.MINE: ["Prefers green tea."], Decision.THEIRS: [],
         Decision.MERGED: ["Prefers any tea."], Decision.FORGET: []},
    ),
}  # fmt: skip


def shown(device: Device, kind: Kind) -> Any:
    if kind is Kind.FACT:
        return device.texts()
    return device.document() if kind is Kind.DOCUMENT else device.preference()


@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("name", CLASHES)
def test_each_conflict_can_be_decided_each_way_and_both_devices_end_alike(
    both: tuple[Device, Device], server: Extended, name: str, decision: Decision
) -> None:
    """FR-23: every choice has its own effect, and is no question any more on either side."""
    make, why, content, outcomes = CLASHES[name]
    one, other = both
    make(one, other, server)
    other.sync()
    assert one.sync().total.conflicts == 1
    clash = one.clash()
    assert (clash.why, clash.since, len(clash.id)) == (why, one.clock(), 8)
    assert clash.text and clash.title and one.syncing.conflict(clash.id) == clash
    assert one.syncing.status().conflicts == 1
    assert one.syncing.decide(clash.id, decision, content if decision is Decision.MERGED else None)
    assert not one.syncing.decide(clash.id, decision, content), "it is settled"
    assert one.syncing.conflict(clash.id) is None
    settled([one, other])
    assert shown(one, clash.kind) == shown(other, clash.kind) == outcomes[decision]
    assert one.syncing.conflicts() == other.syncing.conflicts() == ()
    assert one.all() == other.all()


def test_a_conflict_has_all_three_sides_and_whose_theirs_is(
    both: tuple[Device, Device], server: Extended
) -> None:
    """FR-01."""
    one, other = both
    changed_size(one, other, server)
    settled([other])
    one.sync()
    clash = one.clash()
    sides = clash.base, clash.mine, clash.theirs
    assert sides == tuple(PreferenceContent(size) for size in ("42", "43", "41"))
    assert clash.theirs_by is not None and clash.theirs_by.name == "you"
    assert (clash.title, clash.parts) == ("Shoe size", ())


def test_only_the_members_that_both_changed_are_in_conflict(
    both: tuple[Device, Device], server: Extended
) -> None:
    one, other = both
    changed_order(one, other, server)
    settled([other])
    one.sync()
    assert one.clash().parts == (("status",),)


@pytest.mark.parametrize(
    ("decision", "after"),
    [(Decision.MINE, "43"), (Decision.MERGED, "42.5"), (Decision.FORGET, None)],
)
def test_what_nobody_can_read_is_written_over_or_forgotten_but_not_taken(
    both: tuple[Device, Device], server: Extended, decision: Decision, after: Any
) -> None:
    one, other = both
    unreadable_size(one, other, server)
    one.sync()
    clash = one.clash()
    assert (clash.why, clash.theirs) == ("shape", None)
    assert not one.syncing.decide(clash.id, Decision.THEIRS)
    assert one.syncing.decide(clash.id, decision, MERGED_SIZE)
    settled([one, other])
    assert one.preference() == other.preference() == after
    assert one.syncing.conflicts() == other.syncing.conflicts() == ()


def test_a_conflict_waits_through_restarts_while_all_else_goes_on(
    both: tuple[Device, Device], server: Extended, make: Make
) -> None:
    """FR-23: later is a choice too."""
    one, other = both
    changed_size(one, other, server)
    settled([other])
    one.sync()
    before = one.clash()
    again = make(Answers(server), one.file.parent.name)
    assert again.clash() == before
    one.engine.facts.add("Has two cats.")
    assert one.sync().total == Counts("", sent=1)
    assert (one.preference(), other.preference()) == ("43", "41")


def test_the_losing_words_are_in_the_history(both: tuple[Device, Device], server: Extended) -> None:
    """FR-23: byte for byte."""
    one, other = both
    changed_order(one, other, server)
    settled([other])
    one.sync()
    one.syncing.decide(one.clash().id, Decision.THEIRS)
    (item,) = one.items(Kind.DOCUMENT)
    kept = [version.content for version in one.engine.library.history(item.id)]
    assert DocumentContent({"status": "paid", "paid": True}) in kept


def test_forgetting_what_is_in_conflict_leaves_neither_side_anywhere(
    both: tuple[Device, Device], server: Extended
) -> None:
    one, other = both
    changed_order(one, other, server)
    settled([other])
    one.sync()
    one.syncing.decide(one.clash().id, Decision.FORGET)
    settled([one, other])
    for each in both:
        assert each.remembers('"sent"') == each.remembers('"paid"') == []
    assert ORDER not in server.items


# --- taking a run back -------------------------------------------------------------------------


def test_a_run_is_taken_back_here_and_there(both: tuple[Device, Device]) -> None:
    one, other = both
    one.engine.documents.set("orders", "A1", {"status": "paid"})
    one.engine.facts.add("Has two cats.")
    one.sync()
    number = other.sync().run
    assert number is not None
    assert (other.document(), len(other.texts())) == ({"status": "paid"}, 2)
    assert other.syncing.runs()[0].undoable == 2
    assert other.syncing.undo(number) == Undone(1, 1, 0, 0)
    assert (other.document(), other.texts()) == ({"status": "new", "paid": False}, ["Prefers tea."])
    assert other.syncing.runs()[0].undone and other.syncing.runs()[0].undoable == 0
    settled([other, one])
    assert one.all() == other.all()
    assert one.texts() == ["Prefers tea."], "taken back is forgotten there too"


def test_what_cannot_be_taken_back_says_why(device: Device) -> None:
    device.engine.facts.add("Prefers tea.")
    number = device.sync().run
    assert number is not None
    for run, code in ((number, "nothing_to_undo"), (99, "memory_not_found")):
        refused = device.syncing.undo(run)
        assert isinstance(refused, NotDone) and refused.code == code and refused.message


# --- brakes ------------------------------------------------------------------------------------


def test_much_that_is_gone_on_the_server_is_asked_about_and_no_more_goes_than_was_shown(
    make: Make, server: Extended
) -> None:
    """FR-04: an emptied server empties no library."""
    device = make(Answers(server))
    device.sign_in()
    count = 2 * MANY_GONE + 2
    for number in range(count):
        device.engine.facts.add(f"Number {number}.")
    device.sync()
    places = sorted(server.facts)
    for place in places[: count - 10]:
        server.remove_fact(*place, Removal.FORGET)
    outcome = device.run()
    asked = outcome.question
    assert outcome.state is State.ASKING and asked is not None
    assert (asked.items, asked.among, asked.scope) == (count - 10, count, "project")
    assert len(device.texts()) == count
    assert device.syncing.status().question == asked
    for place in places[count - 10 : count - 5]:
        server.remove_fact(*place, Removal.FORGET)
    again = device.run(asked.allowance)
    assert again.question is not None and again.question.items == count - 5
    assert len(device.texts()) == count, "more than was shown is asked about again"
    assert device.run("many_gone:contact:ana:999").state is State.ASKING
    assert device.run(again.question.allowance).total.deleted_here == count - 5
    assert device.syncing.status().question is None


def test_where_the_feed_begins_anew_what_it_leaves_out_is_asked_about_too(
    device: Device, server: Extended
) -> None:
    """FR-04: also where nothing tells that it was deleted."""
    for number in range(MANY_GONE + 5):
        device.engine.facts.add(f"Number {number}.")
    device.sync()
    for place in sorted(server.facts):
        server.remove_fact(*place, Removal.FORGET)
    server.forget_tombstones()
    outcome = device.run()
    assert outcome.question is not None and outcome.question.items == MANY_GONE + 5
    assert len(device.texts()) == MANY_GONE + 5
    assert device.run(outcome.question.allowance).total.deleted_here == MANY_GONE + 5


def test_what_was_replaced_or_has_expired_is_not_counted_as_gone(device: Device) -> None:
    for number in range(2 * MANY_GONE):
        device.engine.facts.add(f"Number {number}.", ttl_seconds=120)
    device.sync()
    device.clock.advance(121)
    device.engine.forgetting.purge_expired()
    device.sync()
    assert device.texts() == []


def test_a_first_push_of_much_is_asked_about(device: Device, server: Extended) -> None:
    for number in range(MANY_FIRST + 1):
        device.engine.facts.add(f"Number {number}.")
    outcome = device.run()
    assert outcome.question is not None and outcome.question.items == MANY_FIRST + 1
    assert not server.facts
    device.engine.facts.add("One more.")
    again = device.run(outcome.question.allowance)
    assert again.state is State.ASKING and not server.facts, "one more than was shown"
    assert again.question is not None
    assert device.run(again.question.allowance).total.sent == MANY_FIRST + 2


def test_a_server_that_was_emptied_is_filled_again_only_when_the_person_says_so(
    device: Device, server: Extended
) -> None:
    """FR-06, FR-25."""
    for number in range(MANY_FIRST + 1):
        device.engine.facts.add(f"Number {number}.")
    first = device.run()
    assert first.question is not None
    device.run(first.question.allowance)
    server.wipe()
    outcome = device.run()
    assert outcome.question is not None and outcome.question.brake == "went_back"
    assert not server.facts and len(device.texts()) == MANY_FIRST + 1
    done = device.run(outcome.question.allowance)
    assert done.total == Counts("", sent=MANY_FIRST + 1)


def test_a_question_is_told_again_by_the_list_of_runs(device: Device) -> None:
    for number in range(MANY_FIRST + 1):
        device.engine.facts.add(f"Number {number}.")
    outcome = device.run()
    assert device.syncing.status().question == outcome.question
    assert device.syncing.runs()[0].code == "first_push"
    assert report.told(report.tell(outcome)).question == outcome.question


def test_nothing_to_do_is_one_request_that_shows_who_answers(device: Device) -> None:
    device.sync()
    device.line.asked.clear()
    device.sync()
    assert [type(request) for request in device.line.asked] == [AskChanges]


def test_another_process_goes_on_with_a_server_that_has_no_epochs(
    make: Make, clock: FixedClock
) -> None:
    server = Documented(random.Random(1), clock)
    device = make(Answers(server))
    device.sign_in()
    device.engine.facts.add("Prefers tea.")
    device.sync()
    again = make(Answers(server), device.file.parent.name)
    again.keys.kept = KEY
    again.engine.facts.add("Has two cats.")
    assert again.sync().total.sent == 1
    assert not again.syncing.look().waiting
