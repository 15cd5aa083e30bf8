"""`sync` and what stands under it: every outcome's sentence, exit code and JSON."""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Callable

import pytest

from localmem import synchronise
from localmem.cli import sync_report, waiting, watching
from localmem.cli.exit_codes import ExitCode
from localmem.core.model import DocumentContent, FactContent, ItemId, Kind, PreferenceContent
from localmem.core.replica import FactBody
from localmem.core.scope import PROJECT
from localmem.core.syncing import Counts, Decision, Look, NotDone, Outcome, State, Undone
from localmem.store.alone import only
from tests.support import keyrings, syncing
from tests.support.syncing import ACCOUNT, PASSPHRASE, FakeBackground, FakeSyncing
from tests.surfaces.conftest import Cli
from tests.surfaces.test_cli_hostile import DANGEROUS, HOSTILE

CONFLICTS, HELD, NO_ANSWER, SIGNED_OUT, ASKING = 10, 11, 12, 13, 14
SEED = Counts("contact:ana", sent=1, taken=1_200), Counts("project", sent=2, changed_there=3)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeSyncing:
    """Somebody is signed in."""
    keyrings.install(monkeypatch, keyrings.Keyring())
    return syncing.install(monkeypatch, FakeSyncing(ACCOUNT))


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that passed, without any passing."""
    passed: list[float] = []
    monkeypatch.setattr(waiting, "pause", passed.append)
    return passed


# one run


def test_a_run_is_reported_by_scope_with_what_there_is_alone(cli: Cli, fake: FakeSyncing) -> None:
    fake.outcomes = [Outcome(State.IN_STEP, SEED)]
    assert cli.ok("sync").out.splitlines() == [
        "scope        sent  changed there  taken",
        "contact:ana     1              0  1,200",
        "project         2              3      0",
        "all             3              3  1,200",
    ]


def test_where_the_table_is_too_wide_each_scope_has_a_sentence(cli: Cli, fake: FakeSyncing) -> None:
    fake.outcomes = [Outcome(State.IN_STEP, (Counts("project", 1, 1, 1, 1, 1, 1, 1, 1),))]
    cli.monkeypatch.setenv("COLUMNS", "80")
    result = cli("sync", terminal=True)
    assert result.out.splitlines() == [
        "project: sent 1, changed 1 there, deleted 1 there, took 1, changed 1 here,",
        "  deleted 1 here, 1 in conflict, 1 held",
    ]
    assert len(cli("sync").out.splitlines()[0]) > 80


def test_nothing_to_do_says_so_to_a_person_and_nothing_to_a_script(
    cli: Cli, fake: FakeSyncing
) -> None:
    assert cli("sync", terminal=True).err.endswith("In step; nothing had changed.\n")
    result = cli.ok("sync")
    assert (result.out, result.err) == ("", "")
    assert "nothing on stdout means that" in " ".join(cli.ok("sync", "--help").out.split())


def test_a_script_gets_all_of_it_as_json(cli: Cli, fake: FakeSyncing) -> None:
    fake.outcomes = [Outcome(State.IN_STEP, SEED[:1], requests=4, run=7)]
    assert cli.ok("sync", "--json").json == {
        "state": "in_step",
        "run": 7,
        "requests": 4,
        "scopes": [
            {
                "scope": "contact:ana", "sent": 1, "changedThere": 0, "deletedThere": 0,
                "taken": 1200, "changedHere": 0, "deletedHere": 0, "conflicts": 0, "held": 0,
            }
        ],
        "total": {
            "sent": 1, "changedThere": 0, "deletedThere": 0,
            "taken": 1200, "changedHere": 0, "deletedHere": 0, "conflicts": 0, "held": 0,
        },
        "open": {"conflicts": 0, "held": 0, "waiting": 0},
    }  # fmt: skip


def test_progress_is_shown_to_a_person_alone(cli: Cli, fake: FakeSyncing) -> None:
    fake.steps = (("looking", 0), ("sending", 1_234))
    shown = cli("sync", terminal=True).err
    assert "looking …" in shown and "sending: 1,234" in shown
    assert cli.ok("sync").err == ""


UNHAPPY: dict[str, tuple[Outcome, int, str]] = {
    "offline": (syncing.OFFLINE, NO_ANSWER, "does not answer"),
    "refused": (syncing.REFUSED, SIGNED_OUT, "does not let this key in"),
    "off": (Outcome(State.OFF), SIGNED_OUT, "Nobody is signed in."),
    "no key": (syncing.NO_KEY, SIGNED_OUT, "There is no key"),
    "later": (Outcome(State.LATER, message="Come back later."), NO_ANSWER, "Come back later."),
    "elsewhere": (
        Outcome(State.WORKING, message="Another localmem synchronises.", code="busy_elsewhere"),
        NO_ANSWER,
        "Another localmem",
    ),
    "asking": (syncing.asking(syncing.asked()), ASKING, "397 of 400 memories"),
}


@pytest.mark.parametrize("name", UNHAPPY)
def test_every_other_end_has_a_sentence_a_next_step_and_an_exit_code(
    cli: Cli, fake: FakeSyncing, name: str
) -> None:
    outcome, code, said = UNHAPPY[name]
    fake.outcomes = [outcome]
    shown = cli("sync")
    assert (shown.code, shown.out) == (code, "")
    assert shown.err.startswith("Error: ") and said in shown.err and outcome.hint in shown.err
    shape = cli("sync", "--json")
    assert (shape.code, shape.err) == (code, "")
    assert shape.json["state"] == outcome.state and said in shape.json["message"]
    assert shape.json["code"]


def test_every_state_has_an_exit_code_and_words() -> None:
    for state in State:
        assert sync_report.ended(state) in ExitCode and sync_report.state(state)


def test_conflicts_have_their_own_exit_code_and_the_rest_goes_on(
    cli: Cli, fake: FakeSyncing
) -> None:
    """FR-01: the exit code and the status say that there is one."""
    fake.clashes = [syncing.size_clash()]
    fake.outcomes = [Outcome(State.IN_STEP, (Counts("project", sent=1, conflicts=1),))]
    result = cli("sync")
    assert result.code == CONFLICTS and "1 conflict waits for you" in result.err
    assert cli("sync", "--json").json["open"]["conflicts"] == 1
    status = cli("sync", "--status")
    assert status.code == CONFLICTS and "1: `localmem sync conflicts`" in status.out


def test_what_the_server_does_not_take_has_its_own_and_what_is_left_out_has_none(
    cli: Cli, fake: FakeSyncing
) -> None:
    """FR-20: what somebody settled long ago does not leave the status red."""
    fake.queue = [syncing.to_send(code="left_out", message="You left it out.")]
    assert cli("sync").code == cli("sync", "--status").code == 0
    fake.queue.append(syncing.to_send("5e4d0002", code="memory_scope_full", message="Full."))
    result = cli("sync")
    assert result.code == HELD and "1 item was not taken" in result.err
    assert cli("sync", "--status").code == HELD
    fake.clashes = [syncing.clash()]
    assert cli("sync").code == CONFLICTS


def test_what_fails_goes_before_what_waits(cli: Cli, fake: FakeSyncing) -> None:
    fake.clashes, fake.outcomes = [syncing.clash()], [syncing.OFFLINE]
    assert cli("sync").code == NO_ANSWER


# waits (FR-21)


def test_it_waits_as_told_and_shows_how_long_still(
    cli: Cli, fake: FakeSyncing, waited: list[float]
) -> None:
    first = syncing.later(3)._replace(counts=SEED, requests=2)
    fake.outcomes = [first, Outcome(State.IN_STEP, SEED[:1], requests=1)]
    result = cli("sync", terminal=True)
    assert result.code == 0 and waited == [1, 1, 1]
    for left in ("3 seconds left", "2 seconds left", "1 second left"):
        assert left in result.err
    assert result.out.splitlines()[1].split() == ["contact:ana", "2", "0", "2,400"]


def test_a_script_waits_too_and_says_so_once(
    cli: Cli, fake: FakeSyncing, waited: list[float]
) -> None:
    fake.outcomes = [syncing.later(90), syncing.WENT]
    result = cli.ok("sync")
    assert len(waited) == 90
    assert result.err == "The server asks to wait 90 seconds; then it goes on.\n"


@pytest.mark.parametrize(
    ("argv", "wait", "seconds"),
    [((), 301, 0), ((), 300, 300), (("--wait", "0"), 1, 0), (("--wait", "1"), 60, 60)],
)
def test_it_waits_no_longer_than_the_person_does(
    cli: Cli, fake: FakeSyncing, waited: list[float], argv: tuple[str, ...], wait: int,
    seconds: int,
) -> None:  # fmt: skip
    fake.outcomes = [syncing.later(wait)]
    result = cli("sync", *argv)
    assert result.code == NO_ANSWER and len(waited) == seconds
    assert "come back later" in result.err
    assert cli("sync", "--wait", "0", "--json").json["waitSeconds"] == wait


def test_a_server_that_always_says_zero_seconds_is_not_asked_for_ever(
    cli: Cli, fake: FakeSyncing, waited: list[float]
) -> None:
    fake.outcomes = [syncing.later(0)]
    assert cli("sync", "--wait", "1").code == NO_ANSWER
    assert len(waited) == 60 and len(fake.asked) == 61


def test_ctrl_c_ends_a_wait(cli: Cli, fake: FakeSyncing) -> None:
    def stopped(_: float) -> None:
        raise KeyboardInterrupt

    cli.monkeypatch.setattr(waiting, "pause", stopped)
    fake.outcomes = [syncing.later(30)]
    result = cli("sync", terminal=True)
    assert result.code == 130 and "Stopped." in result.err


# brakes (FR-04, FR-25)


def test_a_brake_wants_its_count_typed(cli: Cli, fake: FakeSyncing) -> None:
    fake.outcomes = [syncing.asking(syncing.asked()), syncing.WENT]
    result = cli("sync", typed="397\n", terminal=True)
    assert result.code == 0
    assert "Type 397 to go on; anything else stops:" in result.err
    assert fake.allowed == [(), ("many_gone:project:397",)]


@pytest.mark.parametrize("typed", ["", "\n", "y\n", "yes\n", "39\n", "398\n"])
def test_anything_else_stops(cli: Cli, fake: FakeSyncing, typed: str) -> None:
    fake.outcomes = [syncing.asking(syncing.asked())]
    result = cli("sync", typed=typed, terminal=True)
    assert result.code == ASKING and fake.allowed == [()]
    assert "localmem sync --allow many_gone:project:397" in result.err


def test_where_nobody_can_type_the_question_names_the_command_that_answers_it(
    cli: Cli, fake: FakeSyncing
) -> None:
    question = syncing.asked(scope="contact:ana")
    fake.outcomes = [syncing.asking(question)]
    refused = cli("sync", typed="397\n")
    assert refused.code == ASKING and "Type" not in refused.err
    assert "`localmem sync --allow many_gone:contact:ana:397`" in refused.err
    shape = cli("sync", "--json").json["question"]
    assert (shape["allowance"], shape["items"]) == (question.allowance, 397)
    fake.outcomes = [syncing.WENT]
    cli.ok("sync", "--allow", shape["allowance"], "--allow", "first_push::120")
    assert fake.allowed[-1] == ("many_gone:contact:ana:397", "first_push::120")


def test_more_than_was_allowed_asks_again(cli: Cli, fake: FakeSyncing) -> None:
    fake.outcomes = [syncing.asking(syncing.asked(items=398))]
    result = cli("sync", "--allow", "many_gone:project:397")
    assert result.code == ASKING and "many_gone:project:398" in result.err


def test_one_brake_after_the_other_is_asked_about(cli: Cli, fake: FakeSyncing) -> None:
    second = syncing.asked("first_push", 120, "")
    fake.outcomes = [syncing.asking(syncing.asked()), syncing.asking(second), syncing.WENT]
    assert cli("sync", typed="397\n120\n", terminal=True).code == 0
    assert fake.allowed[-1] == ("many_gone:project:397", "first_push::120")


def test_an_answer_that_changes_nothing_is_not_asked_for_twice(cli: Cli, fake: FakeSyncing) -> None:
    fake.outcomes = [syncing.asking(syncing.asked())]
    result = cli("sync", typed="397\n" * 5, terminal=True)
    assert result.code == ASKING and len(fake.allowed) == 2


def test_another_server_is_no_question_to_say_yes_to(cli: Cli, fake: FakeSyncing) -> None:
    fake.outcomes = [syncing.asking(syncing.asked("other_server", 0, ""))]
    result = cli("sync", typed="0\ny\n", terminal=True)
    assert result.code == ASKING and "--allow" not in result.err and len(fake.allowed) == 1


def test_a_brake_without_a_count_is_a_plain_question(cli: Cli, fake: FakeSyncing) -> None:
    fake.outcomes = [syncing.asking(syncing.asked("went_back", 0, "")), syncing.WENT]
    assert cli("sync", typed="y\n", terminal=True).code == 0
    assert fake.allowed[-1] == ("went_back::0",)


@pytest.mark.parametrize(
    "value", ["yes", "all", "many_gone", "many_gone:397", "many_gone:project:all", "x:project:1"]
)
def test_an_allowance_without_its_count_is_a_mistake(
    cli: Cli, fake: FakeSyncing, value: str
) -> None:
    refused = cli("sync", "--allow", value, "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid_request") and not fake.asked


# the passphrase of the key's file


def test_the_passphrase_of_the_key_s_file_is_asked_for_where_somebody_can_type(
    cli: Cli, fake: FakeSyncing
) -> None:
    from localmem import wiring

    home = wiring.home()
    keyrings.install(cli.monkeypatch, keyrings.failing(RuntimeError("no backend")))
    wiring.keep_account_key(home, syncing.KEY, passphrase=PASSPHRASE)
    fake.locked = True
    refused = cli("sync")
    assert refused.code == SIGNED_OUT and not fake.asked
    result = cli("sync", typed=f"wrong one\n{PASSPHRASE}\n", terminal=True)
    assert result.code == 0 and fake.asked == ["run"]
    assert "its passphrase opens it" in result.err and "does not open it" in result.err
    assert PASSPHRASE not in result.out + result.err


# looking without doing


def test_a_dry_run_shows_the_plan_and_the_first_items(cli: Cli, fake: FakeSyncing) -> None:
    items = tuple(syncing.to_send(f"{n:08x}", title=f"Fact {n}.") for n in range(30))
    fake.looks = [Look(Outcome(State.IN_STEP, SEED), items, 5)]
    result = cli.ok("sync", "--dry-run")
    lines = result.out.splitlines()
    assert lines[:2] == [
        "scope        would be sent  would be changed there  would be taken",
        "contact:ana              1                       0           1,200",
    ]
    assert "send  fact  project  Fact 19." in lines
    assert "Fact 20." not in result.out and lines[-1] == "and 15 more to be sent"
    assert fake.asked == ["look"]
    shape = cli.ok("sync", "--dry-run", "--json").json
    assert (len(shape["items"]), shape["more"], shape["dryRun"]) == (30, 5, True)
    assert shape["items"][0]["title"] == "Fact 0."
    told = cli("sync", "--dry-run", terminal=True).err
    assert "nothing was written here or there" in told and "In step" not in told


def test_a_dry_run_that_is_too_wide_for_a_table_says_would_be_in_sentences(
    cli: Cli, fake: FakeSyncing
) -> None:
    fake.looks = [Look(Outcome(State.IN_STEP, (Counts("project", 1, 1, 0, 1, 1, 0, 1),)), (), 0)]
    assert " ".join(cli("sync", "--dry-run", terminal=True).out.split()) == (
        "project: 1 would be sent, 1 would be changed there, 1 would be taken, "
        "1 would be changed here, 1 in conflict"
    )


def test_a_dry_run_of_nothing_says_so(cli: Cli, fake: FakeSyncing) -> None:
    assert "There is nothing to do." in cli("sync", "--dry-run", terminal=True).err
    piped = cli.ok("sync", "--dry-run")
    assert (piped.out, piped.err) == ("", "There is nothing to do.\n")
    assert cli.ok("sync", "--dry-run", "--json").err == ""


@pytest.mark.parametrize("name", ["offline", "refused", "off", "asking"])
def test_a_dry_run_ends_as_a_run_would(cli: Cli, fake: FakeSyncing, name: str) -> None:
    outcome, code, said = UNHAPPY[name]
    fake.looks = [Look(outcome, (), 0)]
    result = cli("sync", "--dry-run", typed="397\n", terminal=True)
    assert result.code == code and said in " ".join(result.err.split())
    assert fake.allowed == [] and "Type 397" not in result.err


def test_status_asks_nobody(cli: Cli, fake: FakeSyncing) -> None:
    fake.queue = [syncing.to_send()]
    shown = cli.ok("sync", "--status")
    assert "to be sent    1" in shown.out and "last in step  2026-09-21 14:13" in shown.out
    shape = cli.ok("sync", "--status", "--json").json
    assert (shape["state"], shape["waiting"]) == ("waiting", 1)
    assert shape["last"] == "2026-09-21T14:13:20.000Z" and not fake.asked


def test_what_is_left_out_or_held_is_not_to_be_sent_and_nothing_open_is_in_step(
    cli: Cli, fake: FakeSyncing
) -> None:
    fake.queue = [syncing.to_send(code="left_out", message="You left it out.")]
    shown = cli.ok("sync", "--status").out
    assert "to be sent    0" in shown and "left out      1: `localmem sync waiting`" in shown
    assert "state         sent and taken, but for what is open" in shown
    assert cli.ok("account", "status").out.splitlines()[1:5] == shown.splitlines()[1:5]
    assert cli.ok("sync", "--status", "--json").json["waiting"] == 0
    fake.queue.append(syncing.to_send("5e4d0002", code="memory_scope_full", message="Full."))
    assert "held          1: `localmem sync waiting`" in cli("sync", "--status").out
    fake.queue, fake.clashes = [], [syncing.clash()]
    assert "in step\n" not in cli("sync", "--status").out


@pytest.mark.parametrize(
    ("outcome", "said"),
    [(Outcome(State.IN_STEP, SEED), "The rest went through."), (syncing.WENT, "Nothing else")],
)
def test_a_run_that_leaves_something_open_is_not_called_in_step(
    cli: Cli, fake: FakeSyncing, outcome: Outcome, said: str
) -> None:
    fake.outcomes = [outcome]
    fake.queue = [syncing.to_send(code="left_out", message="You left it out.")]
    told = cli("sync", terminal=True).err
    assert said in told and "In step" not in told
    assert "Left out, so on this device alone: 1 item." in told
    fake.queue, fake.clashes = [], [syncing.clash()]
    assert "In step" not in cli("sync", terminal=True).err


def test_status_of_nobody_says_how_to_sign_in(cli: Cli, fake: FakeSyncing) -> None:
    fake.account = None
    result = cli("sync", "--status")
    assert result.code == SIGNED_OUT and "localmem account login" in result.err


def test_a_run_under_way_is_no_failure_of_the_status(cli: Cli, fake: FakeSyncing) -> None:
    fake.stands = State.WORKING
    assert "synchronising just now" in cli.ok("sync", "--status").out


def test_pause_and_resume(cli: Cli, fake: FakeSyncing) -> None:
    assert cli.ok("sync", "--pause", "--json").json == {"paused": True}
    assert "paused" in cli.ok("sync", "--status").out
    told = cli("sync", "--resume", terminal=True)
    assert "runs by itself again" in told.err
    assert "paused" not in cli.ok("sync", "--status").out


# options and commands


@pytest.mark.parametrize(
    "argv",
    [
        ("--watch", "--status"), ("--dry-run", "--allow", "many_gone:project:1"),
        ("--status", "--wait", "3"), ("--print",), ("--watch", "--print"),
        ("--watch", "conflicts"), ("--wait", "3", "runs"),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together_are_refused(
    cli: Cli, fake: FakeSyncing, argv: tuple[str, ...]
) -> None:
    refused = cli("sync", *argv)
    assert refused.code == 2 and argv[0] in refused.err and not fake.asked


def test_an_unknown_command_is_answered_with_the_nearest(cli: Cli, fake: FakeSyncing) -> None:
    assert "Did you mean `localmem sync conflicts`?" in cli("sync", "conflict").err
    assert not fake.asked


# conflicts


def test_conflicts_are_listed(cli: Cli, fake: FakeSyncing) -> None:
    fake.clashes = [syncing.size_clash(), syncing.order_clash()]
    assert cli.ok("sync", "conflicts").out.splitlines() == [
        "51ee0001  preference  person   changed  Shoe size",
        "d0c00001  document    project  changed  orders/ORD-1",
    ]
    items = cli.ok("sync", "conflicts", "--json").json["items"]
    assert [each["id"] for each in items] == ["51ee0001", "d0c00001"]
    assert items[1]["parts"] == [["status"]] and "mine" not in items[0]
    fake.clashes = []
    assert "no conflicts" in cli.ok("sync", "conflicts").err


def test_a_conflict_is_shown_in_three_blocks(cli: Cli, fake: FakeSyncing) -> None:
    fake.clashes = [syncing.size_clash(), syncing.order_clash()]
    shown = cli.ok("sync", "show", "51ee").out
    assert shown.endswith(
        "base:\n  42\n\nmine:\n  43\n\ntheirs by shop-agent (agent), 2026-09-21 14:13:\n  41\n"
    )
    order = cli.ok("sync", "show", "d0c00001").out
    assert "both changed  status" in order and '  {\n    "status": "shipped"' in order
    assert "(nothing both started from is known)" in order
    shape = cli.ok("sync", "show", "51ee0001", "--json").json
    assert [shape[side]["value"] for side in ("base", "mine", "theirs")] == ["42", "43", "41"]
    assert shape["theirs"]["by"] == {"kind": "agent", "name": "shop-agent"}


def test_a_side_that_is_gone_is_said(cli: Cli, fake: FakeSyncing) -> None:
    fake.clashes = [syncing.clash(theirs=None), syncing.clash("c0ffee02", mine=None)]
    assert "(nothing: it is gone there" in cli.ok("sync", "show", "c0ffee01").out
    assert "(nothing: it is gone here)" in cli.ok("sync", "show", "c0ffee02").out
    assert cli.ok("sync", "show", "c0ffee02", "--json").json["mine"] is None


@pytest.mark.parametrize("command", [("show",), ("resolve", "--mine")])
def test_an_id_that_names_none_or_several_is_refused(
    cli: Cli, fake: FakeSyncing, command: tuple[str, ...]
) -> None:
    fake.clashes = [syncing.clash("c0ffee01"), syncing.clash("c0ffee02")]
    assert cli("sync", *command, "deadbeef").code == 3
    assert cli("sync", *command, "").code == 3
    several = cli("sync", *command, "c0ffee", "--json")
    assert several.code == 2 and "names 2 of them" in several.error["message"]
    assert fake.decided == []


@pytest.mark.parametrize(
    ("argv", "decision", "content"),
    [
        (("--mine",), Decision.MINE, None),
        (("--theirs",), Decision.THEIRS, None),
        (("--forget", "--yes"), Decision.FORGET, None),
        (("--value", "Prefers both."), Decision.MERGED, FactContent("Prefers both.")),
    ],
)
def test_each_way_to_decide_does_its_own(
    cli: Cli, fake: FakeSyncing, argv: tuple[str, ...], decision: Decision,
    content: FactContent | None,
) -> None:  # fmt: skip
    """FR-23."""
    fake.clashes = [syncing.clash()]
    shape = cli.ok("sync", "resolve", "c0ff", *argv, "--json").json
    assert shape == {"id": "c0ffee01", "decision": str(decision)}
    assert fake.decided == [("c0ffee01", decision, content)]


def test_a_value_is_read_as_what_is_in_conflict(cli: Cli, fake: FakeSyncing) -> None:
    brands = syncing.clash("b4a4d001", Kind.PREFERENCE, title="Preferred brands",
                           mine=PreferenceContent(("Asics",)), theirs=None)  # fmt: skip
    fact = syncing.clash(mine=FactContent("Tea.", {"source": "call"}, "a/b"))
    fake.clashes = [syncing.size_clash(), syncing.order_clash(), brands, fact]
    cli.ok("sync", "resolve", "51ee0001", "--value", " 44 ")
    cli.ok("sync", "resolve", "d0c00001", "--value", "-", typed='{"status": ["paid"]}\n')
    cli.ok("sync", "resolve", "b4a4d001", "--value", "Asics, Mizuno,")
    cli.ok("sync", "resolve", "c0ffee01", "--value", "-", typed="Tea\nand coffee.\n")
    assert [content for _, _, content in fake.decided] == [
        PreferenceContent("44"),
        DocumentContent({"status": ["paid"]}),
        PreferenceContent(("Asics", "Mizuno")),
        FactContent("Tea\nand coffee.", {"source": "call"}, "a/b"),
    ]


@pytest.mark.parametrize(
    ("id", "value"),
    [("51ee0001", "many"), ("51ee0001", ""), ("d0c00001", "{not json"), ("c0ffee01", " \n"),
     ("c0ffee01", "x" * 9_000)],
)  # fmt: skip
def test_a_value_that_cannot_be_kept_decides_nothing(
    cli: Cli, fake: FakeSyncing, id: str, value: str
) -> None:
    fake.clashes = [syncing.size_clash(), syncing.order_clash(), syncing.clash()]
    assert cli("sync", "resolve", id, "--value", value, "--json").code == 2
    assert fake.decided == []


def test_a_secret_in_a_value_is_asked_about(cli: Cli, fake: FakeSyncing) -> None:
    secret = "key sk-ant-api03-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v" * 3
    fake.clashes = [syncing.clash()]
    argv = ("sync", "resolve", "c0ffee01", "--value", secret)
    assert cli(*argv).code == 5
    refused = cli(*argv, typed="n\n", terminal=True)
    assert refused.code == 5 and "Keep it anyway?" in refused.err
    assert secret not in refused.err and fake.decided == []
    cli.ok(*argv, "--keep-secret")
    assert fake.decided[0][2] == FactContent(secret)


@pytest.mark.parametrize("argv", [(), ("--mine", "--theirs"), ("--mine", "--value", "x")])
def test_a_decision_is_exactly_one(cli: Cli, fake: FakeSyncing, argv: tuple[str, ...]) -> None:
    fake.clashes = [syncing.clash()]
    assert cli("sync", "resolve", "c0ffee01", *argv).code == 2 and fake.decided == []


@pytest.mark.parametrize("argv", [("--forget",), ("--theirs",)])
def test_what_erases_asks_first(cli: Cli, fake: FakeSyncing, argv: tuple[str, ...]) -> None:
    fake.clashes = [syncing.clash(theirs=None)]
    command = ("sync", "resolve", "c0ffee01", *argv)
    assert cli(*command).code == 2
    refused = cli(*command, typed="n\n", terminal=True)
    assert refused.code == 1 and "fact  project  Prefers tea." in refused.err
    assert fake.decided == []
    assert cli(*command, typed="y\n", terminal=True).code == 0 and fake.decided


def test_what_was_settled_meanwhile_is_not_overwritten(cli: Cli, fake: FakeSyncing) -> None:
    fake.clashes = [syncing.clash()]
    cli.monkeypatch.setattr(FakeSyncing, "decide", lambda *_: False)
    late = cli("sync", "resolve", "c0ffee01", "--mine", "--json")
    assert (late.code, late.error["code"]) == (4, "revision_conflict")


# what waits


def test_what_waits_and_what_is_held_is_listed_with_its_reason(cli: Cli, fake: FakeSyncing) -> None:
    fake.queue = [
        syncing.to_send(),
        syncing.to_send("5e4d0002", "delete", title=""),
        syncing.to_send("5e4d0003", code="memory_scope_full", message="The scope is full.",
                        until=syncing.AT),
    ]  # fmt: skip
    assert cli.ok("sync", "waiting").out.splitlines() == [
        "5e4d0003  send    fact  project  Prefers tea.  "
        "(The scope is full. Until 2026-09-21 14:13.)",
        "5e4d0001  send    fact  project  Prefers tea.",
        "5e4d0002  delete  fact  project  what was forgotten here",
    ]
    (held, *_) = cli.ok("sync", "waiting", "--json").json["items"]
    assert (held["code"], held["until"]) == ("memory_scope_full", "2026-09-21T14:13:20.000Z")
    fake.queue = []
    assert "Nothing is to be sent." in cli.ok("sync", "waiting").err


def test_something_is_left_out_and_taken_in_again(cli: Cli, fake: FakeSyncing) -> None:
    fake.queue = [syncing.to_send(), syncing.to_send("de1e7e01", "delete")]
    assert cli.ok("sync", "leave-out", "5e4d", "--json").json == {"id": "5e4d0001", "leftOut": True}
    assert fake.queue[0].code == "left_out"
    assert cli.ok("sync", "take-in", "5e4d").out == "5e4d0001\n"
    assert fake.queue[0].code == ""
    assert cli("sync", "leave-out", "deadbeef").code == 3
    forgotten = cli("sync", "leave-out", "de1e7e01")
    assert forgotten.code == 2 and "always sent" in forgotten.err


def test_what_waits_is_called_as_other_commands_call_the_memory(
    cli: Cli, fake: FakeSyncing
) -> None:
    cli.ok("pref", "remember", "shoe_size", "42")
    cli.ok("pref", "remember", "shoe_size", "43", "--quote", "43 I think")
    (shoe,) = cli.ok("list", "--kind", "preference", "--json").json["items"][:1]
    fact, other = "0199c1b2-3d4e-7000-8000-000000000001", "0199c1b2-9f00-7000-8000-000000000002"
    fake.queue = [
        syncing.to_send("5e4d0001", item=ItemId(fact)),
        syncing.to_send("5e4d0002", item=ItemId(other)),
        syncing.to_send("5e4d0003", kind=Kind.DOCUMENT, title="orders/ORD-1"),
        syncing.to_send("5e4d0004", kind=Kind.PREFERENCE, title="Shoe size"),
    ]
    names = {"5e4d0001": (fact, fact[:13]), "5e4d0002": (other[:13],),
             "5e4d0003": ("orders/ORD-1",), "5e4d0004": ("shoe_size", shoe["id"])}  # fmt: skip
    for id, called in names.items():
        for name in called:
            assert cli.ok("sync", "leave-out", name).out == f"{id}\n"
            assert cli.ok("sync", "take-in", name).out == f"{id}\n"
    several = cli("sync", "leave-out", "0199c1b2")
    assert several.code == 2 and "names 2 of them" in several.err
    fake.queue.append(syncing.to_send("5e4d0005", kind=Kind.DOCUMENT, title="orders/ORD-1"))
    assert "names 2 of them" in cli("sync", "leave-out", "orders/ORD-1").err
    assert cli("sync", "leave-out", "orders/ORD-2").code == 3


def test_a_conflict_is_called_so_too(cli: Cli, fake: FakeSyncing) -> None:
    fake.clashes = [syncing.size_clash(), syncing.order_clash()]
    assert cli.ok("sync", "show", "shoe_size", "--json").json["id"] == "51ee0001"
    cli.ok("sync", "resolve", "orders/ORD-1", "--mine")
    assert fake.decided[0][0] == "d0c00001"


# runs


def test_runs_are_listed(cli: Cli, fake: FakeSyncing) -> None:
    fake.past = [
        syncing.ran(3, code="offline", message="No answer."),
        syncing.ran(2, Counts("project", sent=2), Counts("contact:ana", taken=3), undoable=3),
        syncing.ran(1, ended_at=None),
    ]
    assert cli.ok("sync", "runs").out.splitlines() == [
        "3  2026-09-21 14:13  -              No answer.",
        "2  2026-09-21 14:13  3 can go back  sent 2, took 3",
        "1  2026-09-21 14:13  -              did not end",
    ]
    newest, middle, oldest = cli.ok("sync", "runs", "--json").json["items"]
    assert (newest["code"], middle["total"]["taken"], oldest["endedAt"]) == ("offline", 3, None)
    assert len(cli.ok("sync", "runs", "--limit", "1").out.splitlines()) == 1


def test_a_run_that_goes_on_is_told_from_one_that_never_ended(cli: Cli, fake: FakeSyncing) -> None:
    from localmem import wiring

    fake.past = [syncing.ran(n, ended_at=None) for n in (2, 1)]
    lock = wiring.home().paths.library.parent / synchronise.LOCK
    with only(lock) as alone:
        assert alone
        said = [line.split("-  ")[-1].strip() for line in cli.ok("sync", "runs").out.splitlines()]
        newest, oldest = cli.ok("sync", "runs", "--json").json["items"]
    assert said == ["runs just now", "did not end"]
    assert newest["running"] is True and "running" not in oldest
    assert "runs just now" not in cli.ok("sync", "runs").out


def test_undoing_a_run_asks_and_says_what_became_of_it(cli: Cli, fake: FakeSyncing) -> None:
    fake.past = [syncing.ran(2, Counts("project", taken=3), undoable=4)]
    fake.going = Undone(3, 1, 2, 1)
    assert cli("sync", "undo", "2").code == 2
    refused = cli("sync", "undo", "2", typed="n\n", terminal=True)
    assert refused.code == 1 and "4 items would be as before" in refused.err
    done = cli("sync", "undo", "2", typed="y\n", terminal=True)
    assert done.code == 0 and done.out == "Undone: 3 as they were before, 1 erased.\n"
    assert "2 items were changed since and stayed so." in done.err
    assert "1 item was deleted by it and cannot come back." in done.err
    again = cli("sync", "undo", "2", "--yes", "--json")
    assert (again.code, again.error["code"]) == (1, "nothing_to_undo")


def test_an_undo_names_what_goes_back_before_it_asks(cli: Cli, fake: FakeSyncing) -> None:
    from localmem import wiring
    from localmem.core.model import Origin

    engine = wiring.open_engine(
        wiring.home(), wiring.person(Origin.SYNC), long_lived=False, meaning=False
    )
    engine.replica.begin_run()
    for n in range(22):
        engine.replica.add_fact(PROJECT, "", FactBody(f"Fact {n} \x1b[2J."), proposed=False)
    run = engine.replica.end_run("Pulled.")
    engine.close()
    fake.past = [syncing.ran(run.id, undoable=22)]
    asked = cli("sync", "undo", str(run.id), typed="n\n", terminal=True).err
    named = [line for line in asked.splitlines() if line.startswith("  fact  ")]
    assert len(named) == 10 and all("project" in line for line in named)
    assert "  and 12 more\n" in asked and "\x1b[2J" not in asked
    assert asked.index("and 12 more") < asked.index("Take back what run")
    cli.ok("delete", *(item["id"] for item in cli.ok("list", "--json").json["items"]), "--yes")
    assert "  fact" not in cli("sync", "undo", str(run.id), typed="n\n", terminal=True).err


def test_an_undo_as_json_and_what_cannot_be_undone(cli: Cli, fake: FakeSyncing) -> None:
    fake.past = [syncing.ran(3, undoable=1), syncing.ran(2)]
    assert cli("sync", "undo", "9").code == 3
    assert cli("sync", "undo", "2", "--yes").code == 1
    shape = cli.ok("sync", "undo", "3", "--yes", "--json").json
    assert shape == {"run": 3, "restored": 3, "erased": 1, "kept": 0, "lost": 0}
    fake.past, fake.going = [syncing.ran(3, undoable=1)], NotDone("nothing_to_undo", "Too late.")
    assert cli("sync", "undo", "3", "--yes", "--json").error["message"] == "Too late."


# watching


@pytest.fixture
def beside(fake: FakeSyncing, monkeypatch: pytest.MonkeyPatch) -> FakeBackground:
    """Runs its script, a step a look; then somebody sends SIGTERM."""
    background = FakeBackground()
    syncing.install(monkeypatch, fake, background)

    def pause(_: float) -> None:
        if not background.script:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(waiting, "pause", pause)
    return background


def run_of(fake: FakeSyncing, id: int, *counts: Counts) -> Callable[[], None]:
    return lambda: fake.past.insert(0, syncing.ran(id, *counts))


def stands(fake: FakeSyncing, state: State | None) -> Callable[[], None]:
    return lambda: setattr(fake, "stands", state)


def test_watching_says_a_line_for_each_run_that_did_something(
    cli: Cli, fake: FakeSyncing, beside: FakeBackground
) -> None:
    fake.past = [syncing.ran(1, Counts("project", sent=9))]
    beside.script = [
        run_of(fake, 2, Counts("project", sent=2), Counts("contact:ana", taken=1)),
        run_of(fake, 3),
        run_of(fake, 4, Counts("project", conflicts=1)),
    ]
    result = cli.ok("sync", "--watch")
    assert result.out.splitlines() == [
        "2026-09-21 14:13  sent 2, took 1",
        "2026-09-21 14:13  1 in conflict",
    ]
    assert beside.started and beside.stopped


def test_watching_as_json_is_an_object_a_line(
    cli: Cli, fake: FakeSyncing, beside: FakeBackground
) -> None:
    import json

    beside.script = [run_of(fake, n, Counts("project", sent=n)) for n in (1, 2)]
    lines = [json.loads(line) for line in cli.ok("sync", "--watch", "--json").out.splitlines()]
    assert [(line["run"], line["total"]["sent"]) for line in lines] == [(1, 1), (2, 2)]


def test_what_keeps_it_from_working_is_said_once_and_so_is_its_end(
    cli: Cli, fake: FakeSyncing, beside: FakeBackground
) -> None:
    states = [State.OFFLINE, State.WORKING, State.OFFLINE, State.WAITING, None, State.ASKING]
    beside.script = [stands(fake, state) for state in states]
    assert cli.ok("sync", "--watch").err.splitlines() == [
        "no answer from the server.",
        "In step again.",
        "stopped before something large.",
    ]


def test_a_service_waits_until_somebody_signs_in(
    cli: Cli, fake: FakeSyncing, beside: FakeBackground
) -> None:
    fake.account = None
    beside.script = [lambda: None, lambda: setattr(fake, "account", ACCOUNT)]
    said = cli.ok("sync", "--watch").err.splitlines()
    assert said == [
        "Nobody is signed in. `localmem account login` signs in.", "In step again."
    ]  # fmt: skip


def meanwhile(cli: Cli, *steps: Callable[[], None]) -> None:
    """Another program does so, a step a while, and no run tells of it; then SIGTERM comes."""
    left = list(steps)
    moments = itertools.count(1)

    def pause(_: float) -> None:
        if next(moments) % watching.A_WHILE:
            return
        if left:
            left.pop(0)()
        else:
            os.kill(os.getpid(), signal.SIGTERM)

    cli.monkeypatch.setattr(waiting, "pause", pause)


def test_who_signs_out_elsewhere_ends_it_as_a_run_would(
    cli: Cli, fake: FakeSyncing, beside: FakeBackground
) -> None:
    meanwhile(cli, lambda: setattr(fake, "account", None))
    result = cli("sync", "--watch")
    assert result.code == SIGNED_OUT and beside.stopped
    assert result.err.startswith("Error: Signed out meanwhile")
    assert "`localmem account login`" in result.err
    fake.account = ACCOUNT
    meanwhile(cli, lambda: setattr(fake, "account", None))
    assert cli("sync", "--watch", "--json").error["code"] == "not_signed_in"


def test_another_account_is_named_and_it_goes_on_with_that(
    cli: Cli, fake: FakeSyncing, beside: FakeBackground
) -> None:
    other = ACCOUNT._replace(id=2, server="srv-2", label="other.example.com", url="https://o.org")
    meanwhile(
        cli,
        lambda: setattr(fake, "account", ACCOUNT._replace(signed_in_at=ACCOUNT.signed_in_at + 1)),
        lambda: setattr(fake, "account", other),
        run_of(fake, 2, Counts("project", sent=2)),
    )
    result = cli.ok("sync", "--watch")
    assert result.err.splitlines() == [
        "Signed in to another account: other.example.com (live) at https://o.org. "
        "It goes on with that."
    ]
    assert result.out == "2026-09-21 14:13  sent 2\n"


def test_that_there_is_no_key_to_work_with_is_said_once_also_where_no_terminal_is(
    cli: Cli, fake: FakeSyncing, beside: FakeBackground
) -> None:
    def now(doing: State | None, words: str) -> Callable[[], None]:
        def moved() -> None:
            beside.doing, beside.words = doing, words

        return moved

    missing = now(State.SIGNED_OUT, "There is no key for this account on this machine.")
    beside.script = [missing, now(State.WORKING, "looking"), missing, now(None, ""), missing]
    said = ["There is no key for this account on this machine."] * 2
    assert cli.ok("sync", "--watch").err.splitlines() == said


@pytest.mark.parametrize("which", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_and_the_handlers_are_given_back(
    cli: Cli, fake: FakeSyncing, beside: FakeBackground, which: signal.Signals
) -> None:
    before = [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)]
    cli.monkeypatch.setattr(waiting, "pause", lambda _: os.kill(os.getpid(), which))
    result = cli("sync", "--watch", terminal=True)
    assert result.code == 0 and result.err.endswith("Stopped.\n") and beside.stopped
    assert [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)] == before


def test_a_library_that_cannot_be_used_ends_it(
    cli: Cli, fake: FakeSyncing, beside: FakeBackground
) -> None:
    beside.ended = "The disk is full."
    result = cli("sync", "--watch", "--json")
    assert (result.code, result.error["message"]) == (6, "The disk is full.")
    assert beside.stopped


# forgetting


@pytest.mark.parametrize("command", ["delete", "wipe", "pref", "collections", "collection"])
def test_forgetting_says_that_the_server_and_the_other_devices_follow(
    cli: Cli, fake: FakeSyncing, command: str
) -> None:
    id = cli.new("add", "One.")
    cli.ok("pref", "remember", "shoe_size", "42")
    cli.ok("collection", "set", "orders", "o-1", "1")
    argv = {
        "delete": ("delete", id),
        "wipe": ("wipe", "--scope", "project"),
        "pref": ("pref", "forget", "shoe_size"),
        "collections": ("collections", "delete", "orders"),
        "collection": ("collection", "delete", "orders", "o-1"),
    }[command]
    said = "the server forgets it with the next sync from here, your other devices with theirs."
    assert said in cli.ok(*argv, "--yes").out


def test_forgetting_speaks_of_no_server_where_nobody_is_signed_in(
    cli: Cli, fake: FakeSyncing
) -> None:
    fake.account = None
    assert "server" not in cli.ok("delete", cli.new("add", "One."), "--yes").out


# whatever is in a title


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_stored_is_shown_and_never_obeyed(
    cli: Cli, fake: FakeSyncing, beside: FakeBackground, text: str
) -> None:
    cli.monkeypatch.setenv("NO_COLOR", "1")
    fake.clashes = [
        syncing.clash(mine=FactContent(text, {text: text}, text), title=text),
        syncing.clash("c0ffee02", Kind.DOCUMENT, mine=DocumentContent({text: [text]}), title=text,
                      theirs=DocumentContent(text), parts=((text,),)),
    ]  # fmt: skip
    fake.queue = [syncing.to_send(f"w{text}", code=text, message=text, title=text)]
    fake.past = [syncing.ran(1, Counts(text, sent=1), code=text, message=text, undoable=1)]
    fake.looks = [Look(Outcome(State.IN_STEP, (Counts(text, sent=1),)), tuple(fake.queue), 0)]
    fake.outcomes = [Outcome(State.OFFLINE, (Counts(text, sent=1),), text, text, text)]
    beside.script = [run_of(fake, 2, Counts("project", sent=1))]
    commands: list[tuple[str, ...]] = [
        ("conflicts",), ("show", "c0ffee01"), ("show", "c0ffee02"), ("waiting",), ("runs",),
        ("--dry-run",), ("--status",), (), ("--watch",), ("show", text), ("leave-out", text),
        ("resolve", "c0ffee01", "--forget"), ("undo", "1"),
    ]  # fmt: skip
    for argv in commands:
        for result in (
            cli("sync", *argv),
            cli("sync", *argv, terminal=True, typed="n\n"),
            cli("sync", *argv, "--json", terminal=True, typed="n\n"),
        ):
            shown = (result.out + result.err).replace("\r\x1b[K", "")
            assert not DANGEROUS.search(shown), argv
            assert "Traceback" not in shown and "fault of its own" not in shown, argv


def test_json_says_exactly_what_is_stored(cli: Cli, fake: FakeSyncing) -> None:
    for text in HOSTILE:
        fake.clashes = [syncing.clash(mine=FactContent(text), title=text)]
        shape = cli.ok("sync", "show", "c0ffee01", "--json").json
        assert shape["title"] == shape["mine"]["text"] == text


# with the real thing, and nobody signed in


def test_without_an_account_everything_answers_and_nothing_is_sent(cli: Cli) -> None:
    keyrings.install(cli.monkeypatch, keyrings.failing(AssertionError("asked")))
    for argv in ((), ("--dry-run",), ("--status",)):
        result = cli("sync", *argv, "--json")
        assert (result.code, result.json["state"]) == (SIGNED_OUT, "off")
    for command in ("conflicts", "waiting", "runs"):
        assert cli.ok("sync", command, "--json").json == {"items": [], "nextCursor": None}
    assert cli.ok("sync", "--pause").code == 0
    assert cli("sync", "undo", "1", "--yes").code == 3


def test_conflicts_are_completed(cli: Cli, fake: FakeSyncing) -> None:
    cli.ok("add", "Tea.")
    fake.clashes = [syncing.clash(), syncing.clash("c0ffee02", title="Tea \x1b[2J.")]
    cli.monkeypatch.setenv("_LOCALMEM_COMPLETE", "bash_complete")
    cli.monkeypatch.setenv("COMP_LINE", "localmem sync resolve c0")
    found = [line.split("\t")[1] for line in cli().out.splitlines()]
    assert found == ["c0ffee01", "c0ffee02"] and "\x1b" not in cli().out
