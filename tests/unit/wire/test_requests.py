"""A request is read once, and what is wrong with it is a sentence that names the field."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import Field

from localmem.errors import InvalidInput
from localmem.wire.requests import AsDigits, Part, Place, Request, Whole, places, read


class Line(Part):
    key: str
    how_many: Annotated[Whole, Field(ge=1)] = 1


class Order(Request):
    order_id: Annotated[str, Place.PATH]
    limit: Annotated[int, Field(ge=1), AsDigits, Place.QUERY] = 50
    if_match: Annotated[str | None, Place.HEADER] = Field(None, alias="If-Match")
    lines: Annotated[list[Line], Field(max_length=2)] = Field(default_factory=list)


def test_every_field_has_its_place_and_its_name_on_the_wire() -> None:
    assert places(Order) == {
        "orderId": Place.PATH,
        "limit": Place.QUERY,
        "If-Match": Place.HEADER,
        "lines": Place.BODY,
    }


def test_a_request_is_read_by_its_names_on_the_wire() -> None:
    asked = read(Order, {"orderId": "1", "limit": "7", "If-Match": "3",
                         "lines": [{"key": "a", "howMany": 2.0}]})  # fmt: skip
    assert (asked.order_id, asked.limit, asked.if_match) == ("1", 7, "3")
    assert asked.lines == [Line(key="a", how_many=2)]


@pytest.mark.parametrize(
    ("values", "field", "message"),
    [
        ({}, "orderId", "orderId is missing."),
        ({"order_id": "1"}, "orderId", "orderId is missing."),
        ({"orderId": 1}, "orderId", "orderId must be text."),
        ({"orderId": "1", "limit": "x"}, "limit", "limit must be a whole number."),
        ({"orderId": "1", "limit": "0"}, "limit", "limit must be at least 1."),
        ({"orderId": "1", "lines": {}}, "lines", "lines must be a list."),
        ({"orderId": "1", "lines": [3]}, "lines.0", "lines.0 must be an object."),
        ({"orderId": "1", "lines": [{}]}, "lines.0.key", "lines.0.key is missing."),
        (
            {"orderId": "1", "lines": [{"key": "a"}] * 3},
            "lines",
            "lines must have at most 2 entries.",
        ),
        (
            {"orderId": "1", "lines": [{"key": "a", "howMany": True}]},
            "lines.0.howMany",
            "lines.0.howMany must be a whole number.",
        ),
        (
            {"orderId": "1", "lines": [{"key": "a", "howMnay": 1}]},
            "howMnay",
            "There is no field 'howMnay' in lines.0. Did you mean howMany?",
        ),
    ],
)
def test_a_fault_names_its_field_in_a_sentence(
    values: dict[str, object], field: str, message: str
) -> None:
    with pytest.raises(InvalidInput) as fault:
        read(Order, values)
    assert str(fault.value) == message
    assert fault.value.details["field"] == field


def test_no_sentence_repeats_what_was_sent() -> None:
    secret = "zv_live_Ab3dEf9hJk2m"
    for values in ({"orderId": [secret]}, {"orderId": "1", "lines": secret}):
        with pytest.raises(InvalidInput) as fault:
            read(Order, values)
        assert secret not in str(fault.value)
