"""How long something is kept."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import ttl
from localmem.errors import InvalidInput

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("60", 60),
        ("3600", 3_600),
        ("90s", 90),
        ("90m", 5_400),
        ("90 min", 5_400),
        ("12h", 43_200),
        ("30d", 2_592_000),
        ("30 days", 2_592_000),
        ("1 day", 86_400),
        ("2w", 1_209_600),
        ("1y", 31_536_000),
        ("2y", 63_072_000),
        ("1d12h", 129_600),
        ("1d 12h", 129_600),
        (" 30D ", 2_592_000),
        ("never", None),
        ("Never", None),
    ],
)
def test_the_forms_people_write_are_read(text: str, seconds: int | None) -> None:
    assert ttl.parse(text) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "soon",
        "d",
        "30x",
        "1.5h",
        "-5m",
        "1d 30",
        "30 d x",
        "٣٠d",
        "6 mo",
        "1h,",
        "9" * 5_000,
    ],
)
def test_other_forms_are_refused_with_the_forms_there_are(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        ttl.parse(text)
    assert "30d" in refused.value.hint


@pytest.mark.parametrize("text", ["59", "59s", "0", "63072001", "3y", "731d"])
def test_outside_the_bounds_both_bounds_are_named(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        ttl.parse(text)
    assert "60 seconds" in refused.value.message
    assert "63,072,000" in refused.value.message
    assert refused.value.details == {"field": "ttl", "min": 60, "max": 63_072_000}


def test_the_bounds_themselves_are_allowed() -> None:
    assert [ttl.check(60), ttl.check(63_072_000)] == [ttl.MIN_SECONDS, ttl.MAX_SECONDS]


def test_expiry_is_in_milliseconds_after_now() -> None:
    assert ttl.expires_at(1_000, 60) == 61_000
    with pytest.raises(InvalidInput):
        ttl.expires_at(1_000, 59)


@pytest.mark.parametrize(
    ("remaining", "shown"),
    [
        (None, "never"),
        (-1, "expired"),
        (0, "expired"),
        (1, "in under a minute"),
        (59_999, "in under a minute"),
        (MINUTE, "in 1 minute"),
        (90 * MINUTE, "in 2 hours"),
        (HOUR - 1, "in 1 hour"),
        (HOUR, "in 1 hour"),
        (47 * HOUR, "in 47 hours"),
        (48 * HOUR - 1, "in 2 days"),
        (3 * DAY, "in 3 days"),
        (30 * DAY - 1, "in 30 days"),
        (90 * DAY, "in 3 months"),
        (365 * DAY, "in 12 months"),
        (730 * DAY, "in 2 years"),
    ],
)
def test_what_remains_is_said_to_the_nearest_unit(remaining: int | None, shown: str) -> None:
    assert ttl.describe(remaining) == shown


def test_every_whole_number_of_a_unit_reads_back() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=200)
    @given(
        st.integers(0, 3) | st.integers(0, 100) | st.integers(0, 100_000),
        st.sampled_from(["s", "m", "h", "d", "w", "y"]),
    )
    def holds(count: int, unit: str) -> None:
        scale = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_536_000}[unit]
        seconds = count * scale
        if 60 <= seconds <= 63_072_000:
            reached[unit] += 1
            assert ttl.parse(f"{count}{unit}") == seconds
            shown = ttl.describe(seconds * 1_000)
            assert shown.startswith("in ") and " 0 " not in shown
        else:
            reached["refused"] += 1
            with pytest.raises(InvalidInput):
                ttl.parse(f"{count}{unit}")

    holds()
    assert set("smhdwy") | {"refused"} <= set(reached)
