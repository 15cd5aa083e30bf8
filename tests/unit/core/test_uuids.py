"""Ids: which texts may be one, and the time they tell."""

from __future__ import annotations

import pytest

from localmem.core import uuids
from tests.support.library import NOW

OLD = "019ad60b-1111-7abc-8def-0123456789ab"
NEW = "01a22d9d-1900-70db-b1f5-934f6b5852ac"
AT = 0x019AD60B1111


@pytest.mark.parametrize("text", ["", "x", OLD.upper(), OLD[:-1], f"{OLD}\n", OLD.replace("-", "")])
def test_only_uuids_in_one_form_are_ids(text: str) -> None:
    assert uuids.is_uuid(OLD) and not uuids.is_uuid(text)
    assert not uuids.tells_time(text, until=NOW)


def test_an_id_tells_its_time_unless_that_is_to_come_or_the_id_tells_none() -> None:
    assert uuids.tells_time(OLD, until=AT) and not uuids.tells_time(OLD, until=AT - 1)
    assert not uuids.tells_time(OLD.replace("-7", "-4"), until=NOW)


def test_a_new_id_takes_the_time_of_an_old_one() -> None:
    made = uuids.of_the_time(OLD, NEW, until=NOW)
    assert made == "019ad60b-1111-70db-b1f5-934f6b5852ac" and uuids.tells_time(made, until=AT)
    assert uuids.of_the_time("made by hand", NEW, until=NOW) == NEW
