"""offers: declared preferences filter, inferred ones order, unknown fields pass through."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.surfaces.conftest import Cli

OFFERS = [
    {"product_id": "a", "title": "Runner", "brand": "Marca X", "tags": ["shoes"], "sizes": ["42"]},
    {"product_id": "b", "title": "Trail", "brand": "Mizuno", "tags": ["shoes"], "sizes": ["41"]},
    {
        "product_id": "c",
        "title": "Road",
        "brand": "Nike",
        "category": "shoes",
        "sizes": ["42", "43"],
        "price_minor": 49990,
        "currency": "BRL",
        "shop_rank": {"x": [1]},
    },
    {"product_id": "d", "title": "Track", "brand": "Asics", "sku_id": "s-4", "category": "shoes"},
]


@pytest.fixture
def shopper(cli: Cli) -> Cli:
    cli.ok("pref", "remember", "shoe_size", "42")
    cli.ok("pref", "remember", "avoided_brands", "marca x")
    cli.ok("pref", "remember", "preferred_brands", "Asics", "--inferred", "--purchase-id", "p1")
    return cli


def test_offers_are_filtered_with_reasons_and_ordered(shopper: Cli, tmp_path: Path) -> None:
    file = tmp_path / "offers.json"
    file.write_text(json.dumps(OFFERS))
    answer = shopper.ok("offers", str(file), "--json").json
    assert answer["offers"] == [OFFERS[3], OFFERS[2]]
    assert answer["applied"] == {
        "filtered": [
            {"product_id": "a", "key": "avoided_brands", "reason": "brand Marca X is avoided"},
            {"product_id": "b", "key": "shoe_size", "reason": "not in size 42, only 41"},
        ],
        "ordered_by": [{"key": "preferred_brands", "provenance": "inferred"}],
    }


def test_a_person_reads_what_stayed_and_why_the_rest_went(shopper: Cli) -> None:
    result = shopper.ok("offers", "-", typed=json.dumps({"offers": OFFERS}))
    assert result.out == "d  -           Asics  Track\nc  499.90 BRL  Nike   Road\n"
    assert "Left out Runner: brand Marca X is avoided." in result.err
    assert "Ordered by preferred_brands (inferred)." in result.err


def test_a_field_of_another_type_is_named_and_filters_nothing(shopper: Cli) -> None:
    odd = [{"product_id": "x", "category": "shoes", "sizes": "41", "brand": 7, "available": "no"}]
    result = shopper.ok("offers", "-", "--json", typed=json.dumps(odd))
    assert result.json["offers"] == odd
    for field in ("sizes", "brand", "available"):
        assert f"Offer 1: {field} was passed over" in result.err


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("[{}]", "Offer 1 has no product_id"),
        ('[{"product_id": " "}]', "Offer 1 has no product_id"),
        ("[1]", "Offer 1 is not a JSON object"),
        ("{}", "not a list of offers"),
        ("3", "not a list of offers"),
        ("[", "Line 1"),
        ("", "Line 1"),
        (json.dumps([{"product_id": "x"}] * 1001), "1,001 offers"),
    ],
)
def test_what_is_no_list_of_offers_is_refused(cli: Cli, typed: str, says: str) -> None:
    result = cli("offers", "-", typed=typed)
    assert (result.code, result.out) == (2, "")
    assert says in result.err


def test_a_file_that_cannot_be_read_is_named(cli: Cli, tmp_path: Path) -> None:
    missing = cli("offers", str(tmp_path / "none.json"))
    assert missing.code == 2 and "none.json" in missing.err
    (tmp_path / "latin.json").write_bytes(b'["\xe9"]')
    assert "UTF-8" in cli("offers", str(tmp_path / "latin.json")).err
