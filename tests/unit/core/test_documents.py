"""Documents: what fits, what is refused, what an index sees."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import documents
from localmem.core.documents import MISSING
from localmem.core.model import Collection, Json
from localmem.errors import (
    DocumentTooDeep,
    DocumentTooLarge,
    FieldNotIndexed,
    InvalidInput,
    InvalidKey,
)

ORDERS = Collection("orders", ("status", "customer.city"))
NAMES = st.text('abé\u0301"\\\0\n/日', max_size=3)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    NAMES,
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4)
)


def nested(levels: int) -> Json:
    value: Json = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


# --- Collections -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a", "0", "orders", "my-orders_2", "a" * 63])
def test_a_collection_name_of_the_hosted_alphabet_is_kept(name: str) -> None:
    assert documents.collection_name(name) == name


@pytest.mark.parametrize(
    "name", ["", "-a", "_a", "Orders", "a b", "a.b", "é", "orders\n", "a/b", "a" * 64]
)
def test_any_other_collection_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidKey) as refused:
        documents.collection_name(name)
    assert "63" in refused.value.hint


@pytest.mark.parametrize("key", ["a", "ORD-12345", "phone:56940560201", "a.b_c@d", "k" * 255])
def test_a_key_of_the_hosted_alphabet_is_kept(key: str) -> None:
    assert documents.key(key) == key


@pytest.mark.parametrize("key", ["", "a b", "a/b", "é", "a\n", "🥝", "k" * 256])
def test_any_other_key_is_refused(key: str) -> None:
    with pytest.raises(InvalidKey) as refused:
        documents.key(key)
    assert "255" in refused.value.hint


@pytest.mark.parametrize("phone", ["+56940560201", "+56 9 4056 0201", "+56 (9) 4056-0201"])
def test_a_phone_number_is_refused_with_the_key_to_use_instead(phone: str) -> None:
    with pytest.raises(InvalidKey) as refused:
        documents.key(phone)
    assert "56940560201 or phone:56940560201" in refused.value.hint


def test_a_plus_elsewhere_is_named() -> None:
    with pytest.raises(InvalidKey) as refused:
        documents.key("ana+news@example.org")
    assert "A + is not allowed" in refused.value.hint


def test_a_collection_has_up_to_two_distinct_indexes_and_a_ttl_in_bounds() -> None:
    made = documents.collection("orders", ["status", "customer.city"], 2_592_000, created_at=7)
    assert made == Collection("orders", ("status", "customer.city"), 2_592_000, False, 7)
    with pytest.raises(InvalidInput):
        documents.collection("orders", default_ttl=59)


@pytest.mark.parametrize(
    "fields",
    [["a", "b", "c"], ["a", "a"], [""], ["."], ["a."], [".a"], ["a..b"], ["a\n"], ["a" * 256]],
)
def test_other_indexes_are_refused(fields: list[str]) -> None:
    with pytest.raises(InvalidInput) as refused:
        documents.check_indexes(fields)
    assert refused.value.details == {"field": "indexes"}
    assert refused.value.hint


# --- Values ------------------------------------------------------------------------------------


def test_a_document_is_a_copy_nobody_else_can_change() -> None:
    given_: dict[str, Json] = {"tags": ["a"]}
    content = documents.new(given_)
    tags = given_["tags"]
    assert isinstance(tags, list)
    tags.append("b")
    assert content.value == {"tags": ["a"]}


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        -math.inf,
        10**309,
        (1, 2),
        {1: "a"},
        {None: 1},
        b"a",
        {"a": {1, 2}},
        "\ud800",
        {"\udfff": 1},
        object(),
    ],
)
def test_what_json_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        documents.new([value])
    assert refused.value.details["field"] == "value"
    assert refused.value.hint


@pytest.mark.parametrize("value", [None, True, 0, -0.0, "", "\0", [], {}, 1.7e308, 10**308])
def test_any_json_value_is_a_document(value: Json) -> None:
    assert documents.new(value).value == value


def test_the_thirty_second_level_is_the_last() -> None:
    assert documents.new(nested(32)).value == nested(32)
    with pytest.raises(DocumentTooDeep):
        documents.new(nested(33))


def test_no_depth_or_cycle_exhausts_the_stack() -> None:
    with pytest.raises(DocumentTooDeep):
        documents.new(nested(100_000))
    cycle: list[Json] = []
    cycle.append(cycle)
    with pytest.raises(DocumentTooDeep):
        documents.new(cycle)


def test_the_size_is_the_bytes_of_compact_json() -> None:
    fits = "é" * ((204_800 - 2) // 2)
    assert documents.size(fits) == 204_800
    assert documents.new(fits).value == fits
    with pytest.raises(DocumentTooLarge) as refused:
        documents.new(fits + "a")
    assert "204,801 / 204,800 bytes" in refused.value.message
    assert refused.value.details["bytes"] == 204_801


def test_a_value_that_shares_its_parts_a_billion_times_is_refused_at_once() -> None:
    value: Json = "lol"
    for _ in range(30):
        value = [value] * 10
    with pytest.raises(DocumentTooLarge):
        documents.new(value)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
        (1.0, "1"),
        (-0.0, "0"),
        (1e16, "1e+16"),
        (2**60, "1152921504606846976"),
        (0.1, "0.1"),
        ("é\u2028\0", '"é\u2028\\u0000"'),
    ],
)
def test_the_canonical_form_is_compact_sorted_and_plain(value: Json, written: str) -> None:
    assert documents.canonical(value) == written


def test_the_canonical_form_reads_back_equal_and_tells_apart_what_differs() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=150)
    @given(VALUES, VALUES)
    def holds(left: Json, right: Json) -> None:
        written = documents.canonical(left)
        assert documents.same(json.loads(written), left)
        assert documents.canonical(json.loads(written)) == written
        assert documents.size(left) == len(written.encode())
        reached["same"] += documents.same(left, right)
        reached["other"] += not documents.same(left, right)
        if documents.canonical(right) == written:
            assert documents.same(left, right)

    holds()
    assert reached["same"] and reached["other"]


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (False, 0, False),
        ("1", 1, False),
        (None, False, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": True}, {"a": 1}, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ([], {}, False),
        (MISSING, None, False),
        (MISSING, MISSING, True),
    ],
)
def test_equality_is_that_of_json_not_of_python(left: Any, right: Any, equal: bool) -> None:
    assert documents.same(left, right) is equal
    assert documents.same(right, left) is equal


@pytest.mark.parametrize(
    ("dotted", "found"),
    [
        ("status", "shipped"),
        ("customer.city", "Lima"),
        ("customer", {"city": "Lima", "zip": None}),
        ("customer.zip", None),
        ("customer.name", MISSING),
        ("status.x", MISSING),
        ("tags.0", MISSING),
        ("", MISSING),
    ],
)
def test_a_dotted_field_is_a_path_of_names(dotted: str, found: object) -> None:
    value: Json = {
        "status": "shipped",
        "customer": {"city": "Lima", "zip": None},
        "tags": ["a"],
    }
    assert documents.field(value, dotted) == found


def test_an_index_tells_types_apart_and_numbers_by_value() -> None:
    scalars: list[Json] = [None, True, False, 0, 1, 1.5, "1", "true", "null", ""]
    assert len({documents.index_value(value) for value in scalars}) == len(scalars)
    assert documents.index_value(1) == documents.index_value(1.0) == "1"
    assert documents.index_value(0) == documents.index_value(-0.0)
    assert documents.index_value(2**60) == documents.index_value(float(2**60))
    assert documents.index_value("é") == documents.index_value("e\u0301")


@pytest.mark.parametrize("value", [[], {}, [1], {"a": 1}, MISSING])
def test_containers_and_missing_fields_are_not_indexed(value: Any) -> None:
    assert documents.index_value(value) is None


def test_a_query_by_a_declared_index_gives_the_value_to_look_up() -> None:
    assert documents.check_query(ORDERS, "status", "eq", "shipped") == '"shipped"'
    assert documents.check_query(ORDERS, "customer.city", "eq", None) == "null"


@pytest.mark.parametrize(
    ("collection", "said"),
    [
        (ORDERS, "Look up by status or customer.city."),
        (Collection("orders"), "created without indexes"),
        (Collection("orders", implicit=True), "The first write created orders"),
    ],
)
def test_a_field_without_index_is_refused_with_what_can_be_done(
    collection: Collection, said: str
) -> None:
    with pytest.raises(FieldNotIndexed) as refused:
        documents.check_query(collection, "total", "eq", 1)
    assert said in refused.value.hint
    assert "fixed at creation" in refused.value.hint
    assert refused.value.details["implicit"] is collection.implicit


@pytest.mark.parametrize(
    ("op", "value"),
    [("gt", 1), ("", 1), ("EQ", 1), ("eq", []), ("eq", {}), ("eq", "\ud800"), ("eq", math.inf)],
)
def test_other_comparisons_and_values_no_index_holds_are_refused(op: str, value: Json) -> None:
    with pytest.raises(InvalidInput) as refused:
        documents.check_query(ORDERS, "status", op, value)
    assert refused.value.code == "invalid_request"


def test_the_word_index_sees_every_name_and_text() -> None:
    value: Json = {"status": "shipped", "items": [{"na\0me": "ki\0wi"}, 3, None, True]}
    seen = ["status", "shipped", "items", "na me", "ki wi"]
    assert list(documents.texts(value)) == seen
    assert list(documents.texts("plain")) == ["plain"]
