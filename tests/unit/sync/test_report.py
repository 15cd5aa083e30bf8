"""How a run ended, in words with a next step: total over everything that can happen."""

from __future__ import annotations

import pytest

from localmem.core.replica import Clashing
from localmem.core.scope import PROJECT, contact
from localmem.core.syncing import Counts, Outcome, Question, State
from sync import clashes, report
from sync.policy import Brake, Braked
from sync.run import Act, End, Ending, Tally

ANA = contact("ana")
COUNTED = "sent", "changed_there", "deleted_there", "taken", "changed_here", "deleted_here"


def ending(end: End) -> Ending:
    braked = Braked(Brake.MANY_GONE, 40, 50, "project") if end is End.BRAKE else None
    return Ending(end, "its_code", "Its words.", 12.5, braked)


@pytest.mark.parametrize("end", End)
def test_every_end_is_a_state_and_what_did_not_end_well_has_a_next_step(end: End) -> None:
    outcome = report.outcome(ending(end), Tally(), 3)
    assert outcome.state in State and outcome.requests == 3
    assert (outcome.code, outcome.wait) == ("its_code", 12.5)
    if end is not End.DONE:
        assert outcome.message and outcome.hint
        assert report._HINTS[end] == ("" if end is End.BRAKE else outcome.hint)


def test_no_two_ends_are_told_in_the_same_words() -> None:
    outcomes = [report.outcome(ending(end), Tally(), 0) for end in End]
    assert len({outcome.state for outcome in outcomes}) == len(End)
    assert len({outcome.hint for outcome in outcomes}) == len(End)


@pytest.mark.parametrize("brake", Brake)
@pytest.mark.parametrize("items", [0, 1_234])
def test_every_brake_asks_with_its_counts_and_says_what_was_not_done(
    brake: Brake, items: int
) -> None:
    asked = report.question(Braked(brake, items, 5_678, "contact:ana"))
    assert (asked.brake, asked.items, asked.among) == (brake, items, 5_678)
    assert asked.allowance == f"{brake}:contact:ana:{items}"
    assert "Nothing was" in asked.text and asked.hint
    if items and brake is not Brake.OTHER_SERVER:
        assert "1,234" in asked.text
    outcome = report.outcome(Ending(End.BRAKE, brake, braked=Braked(brake, items, 9)), Tally(), 1)
    assert outcome.state is State.ASKING
    assert outcome.question is not None
    assert (outcome.message, outcome.hint) == (outcome.question.text, outcome.question.hint)


@pytest.mark.parametrize("act", Act)
def test_every_act_is_counted_in_a_column_of_its_own(act: Act) -> None:
    tally = Tally()
    tally.add(PROJECT, act, 2)
    (counts,) = report.counts(tally)
    assert counts.scope == "project"
    assert sorted(counts[1:]) == [0] * 7 + [2]
    column = {Act.CONFLICT: "conflicts", Act.BLOCKED: "held"}.get(act, str(act))
    assert getattr(counts, column) == 2
    assert tally.total(act) == 2


def test_counts_are_by_scope_in_order_and_tell_nothing_where_nothing_happened() -> None:
    tally = Tally()
    assert report.counts(tally) == ()
    tally.add(PROJECT, Act.SENT)
    tally.add(ANA, Act.TAKEN, 3)
    tally.add(ANA, Act.SENT)
    tally.add(contact("bea"), Act.CHANGED_HERE, 0)
    found = report.counts(tally)
    assert found == (Counts("contact:ana", sent=1, taken=3), Counts("project", sent=1))
    assert Outcome(State.IN_STEP, found).total == Counts("", sent=2, taken=3)


QUESTION = Question("many_gone", 40, 50, "project", "many_gone:project:40", "Gone?", "Look.")
TOLD = {
    "all in step": Outcome(State.IN_STEP),
    "something done": Outcome(State.IN_STEP, (Counts("project", *range(8)),)),
    "offline": Outcome(State.OFFLINE, (), "No answer.", "Try.", "offline", 3.5),
    "asking": Outcome(State.ASKING, (), "Gone?", "Look.", "many_gone", question=QUESTION),
    "in any words": Outcome(State.LATER, (), 'A "quoted" \u2028 word', "\x1b[2J", "x"),
}


@pytest.mark.parametrize("outcome", TOLD.values(), ids=TOLD)
def test_what_the_list_of_runs_keeps_is_read_again(outcome: Outcome) -> None:
    assert report.told(report.tell(outcome)) == outcome


def test_a_run_that_did_nothing_keeps_nothing() -> None:
    assert report.tell(Outcome(State.IN_STEP, requests=1)) == ""
    assert report.tell(Outcome(State.IN_STEP, (Counts("project", taken=1),), requests=1))


def test_every_reason_for_a_conflict_has_its_sentence() -> None:
    assert set(clashes._TEXTS) == set(Clashing)
    assert len(set(clashes._TEXTS.values())) == len(Clashing)
