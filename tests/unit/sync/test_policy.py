"""What a sync may do without asking, how long it waits, and what keeps a thing from being sent."""

from __future__ import annotations

from itertools import pairwise

import pytest

from localmem.core.bodies import DocumentBody, PreferenceBody, husk
from localmem.core.replica import ACCOUNT, Block
from sync.messages import Refusal, Refused
from sync.policy import (
    EVERYTHING,
    HOUR,
    LONGEST_BODY,
    LONGEST_WAIT,
    MANY_GONE,
    Brake,
    Braked,
    allowed,
    block,
    holds,
    is_forget,
    parts,
    pause,
    too_many_gone,
)

NOW = 1_790_000_000_000


@pytest.mark.parametrize(
    ("gone", "held", "asks"),
    [
        (0, 0, False),
        (1, 1, False),
        (MANY_GONE, MANY_GONE, False),
        (MANY_GONE + 1, MANY_GONE + 1, True),
        (MANY_GONE + 1, 40, True),
        (100, 200, False),
        (101, 200, True),
        (200, 200, True),
        (5_000, 10_000, False),
        (5_001, 10_000, True),
    ],
)
def test_more_than_twenty_and_more_than_half_of_a_scope_is_asked_about(
    gone: int, held: int, asks: bool
) -> None:
    assert too_many_gone(gone, held) is asks


SHOWN = Braked(Brake.MANY_GONE, 40, 50, "contact:ana:2")


@pytest.mark.parametrize(
    "braked",
    [SHOWN, SHOWN._replace(items=39), SHOWN._replace(items=0), SHOWN._replace(among=9)],
)
def test_what_was_shown_is_allowed_and_so_is_less(braked: Braked) -> None:
    assert allowed(braked, frozenset({SHOWN.allowance}))


@pytest.mark.parametrize(
    "braked",
    [
        SHOWN._replace(items=41),
        SHOWN._replace(scope="contact:ana"),
        SHOWN._replace(scope=""),
        SHOWN._replace(scope="project"),
        SHOWN._replace(brake=Brake.WENT_BACK),
        SHOWN._replace(brake=Brake.FIRST_PUSH),
    ],
)
def test_more_than_was_shown_or_another_thing_is_not_allowed(braked: Braked) -> None:
    assert not allowed(braked, frozenset({SHOWN.allowance}))
    assert not allowed(braked, frozenset())


@pytest.mark.parametrize(
    "allowance",
    ["", ":", "many_gone", "many_gone:", "many_gone:contact:ana:2:", "many_gone:contact:ana:2:-9",
     "many_gone:contact:ana:2:4e9", "many_gone:contact:ana:2: 99", "many_gone:*:99", "all"],
)  # fmt: skip
def test_an_allowance_of_another_form_allows_nothing(allowance: str) -> None:
    assert not allowed(SHOWN, frozenset({allowance}))


def test_one_of_several_allowances_is_enough_and_a_rehearsal_has_all_of_them() -> None:
    assert allowed(SHOWN, frozenset({"first_push::3", SHOWN.allowance}))
    for brake in Brake:
        assert allowed(Braked(brake, 10**9, 10**9), frozenset({EVERYTHING}))


def test_a_wait_grows_with_each_try_up_to_its_limit_and_chance_decides_how_much_of_it() -> None:
    longest = [pause(attempt, 1.0) for attempt in range(30)]
    assert longest[:7] == [1, 2, 4, 8, 16, 32, 64]
    assert all(before <= after <= LONGEST_WAIT for before, after in pairwise(longest))
    assert [pause(attempt, 0.0) for attempt in (0, 3, 10**6)] == [0, 0, 0]
    assert pause(3, 0.5) == 4


BLOCKS = {
    Refused.QUOTA: (ACCOUNT, NOW + HOUR, 0),
    Refused.SCOPE_FULL: ("scope", NOW + HOUR, 0),
    Refused.INVALID: ("", None, 7),
    Refused.TOO_LARGE: ("", None, 7),
    Refused.STALE: None,
    Refused.FORGOTTEN: None,
    Refused.REUSED: None,
    Refused.SIGNED_OUT: None,
    Refused.BUSY: None,
}


def test_each_refusal_keeps_back_what_it_is_about_and_nothing_else() -> None:
    assert set(BLOCKS) == set(Refused)
    for why, expected in BLOCKS.items():
        kept = block(Refusal(why, "its_code", "Its words."), NOW, 7)
        if expected is None:
            assert kept is None
        else:
            place, until, change = expected
            assert kept == (place, Block("its_code", "Its words.", until, change))


def test_a_block_holds_until_its_time_or_for_good() -> None:
    assert not holds(None, NOW)
    assert holds(Block("c", "m", None), NOW)
    assert holds(Block("c", "m", NOW + 1), NOW)
    assert not holds(Block("c", "m", NOW), NOW)


def test_what_takes_something_away_is_a_forget() -> None:
    assert is_forget(None)
    assert is_forget(PreferenceBody(2, forgotten=True))
    assert is_forget(husk(PreferenceBody(2, forgotten=True)))
    assert not is_forget(PreferenceBody(2))
    assert not is_forget(DocumentBody("a", None))


def test_a_request_carries_no_more_than_stands_between_here_and_a_server() -> None:
    half = LONGEST_BODY // 2
    assert parts([half, half, 1, half], int, 9) == [[half, half], [1, half]]
    assert parts([1, 3 * half, 1], int, 9) == [[1], [3 * half], [1]]
    assert parts([], int, 9) == []


def test_a_request_carries_no_more_things_than_it_may() -> None:
    assert parts(list("abcde"), len, 2) == [["a", "b"], ["c", "d"], ["e"]]
    assert parts(list("abc"), len, 1) == [["a"], ["b"], ["c"]]
