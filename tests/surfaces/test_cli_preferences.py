"""pref: the six keys on the command line (shop-memory)."""

from __future__ import annotations

import pytest

from tests.surfaces.conftest import Cli


def test_a_size_is_remembered_and_corrected_and_its_history_stays(cli: Cli) -> None:
    first = cli.ok("pref", "remember", "shoe_size", "42", "--json").json
    assert (first["value"], first["provenance"], first["version"]) == ("42", "declared", 1)
    second = cli.ok("pref", "correct", "shoe_size", "43", "--json").json
    assert (second["memory_id"], second["value"], second["version"]) == (
        first["memory_id"],
        "43",
        2,
    )
    versions = cli.ok("pref", "history", "shoe_size", "--json").json["versions"]
    assert [(v["value"], v["change"], v["provenance"]) for v in versions] == [
        ("42", "remember", "declared"),
        ("43", "correct", "declared"),
    ]


@pytest.mark.parametrize(
    "given", [("Asics", "Mizuno"), ("Asics,Mizuno",), ("Asics, Mizuno, ",), ("Asics,", " Mizuno ")]
)
def test_names_come_as_several_values_or_with_commas(cli: Cli, given: tuple[str, ...]) -> None:
    shape = cli.ok("pref", "remember", "preferred_brands", *given, "--json").json
    assert shape["value"] == ["Asics", "Mizuno"]


def test_a_size_with_a_comma_is_one_size(cli: Cli) -> None:
    assert cli.ok("pref", "remember", "shoe_size", "42,5", "--json").json["value"] == "42.5"


def test_an_inferred_value_stands_behind_a_declared_one(cli: Cli) -> None:
    cli.ok("pref", "remember", "shoe_size", "41", "--inferred", "--purchase-id", "ord-1")
    assert cli.ok("pref", "list", "--json").json["memories"][0]["shadowed"] is False
    cli.ok("pref", "correct", "shoe_size", "42", "--quote", "eu calço 42")
    memories = cli.ok("pref", "list", "--json").json["memories"]
    assert [(m["provenance"], m["value"], m["shadowed"]) for m in memories] == [
        ("declared", "42", False),
        ("inferred", "41", True),
    ]
    assert memories[0]["quote"] == "eu calço 42" and memories[1]["purchase_id"] == "ord-1"
    assert "inferred, not used" in cli.ok("pref", "list").out


def test_forgetting_takes_both_and_blocks_inference_until_declared_again(cli: Cli) -> None:
    infer = ("pref", "remember", "shoe_size", "41", "--inferred", "--purchase-id", "ord-1")
    cli.ok(*infer)
    cli.ok("pref", "remember", "shoe_size", "42")
    assert cli.ok("pref", "forget", "shoe_size", "--yes", "--json").json["erased"]["items"] == 2
    assert cli.ok("pref", "list", "--json").json == {
        "memories": [],
        "blocked_inference": ["shoe_size"],
    }
    assert "not inferred again" in cli.ok("pref", "list").out
    blocked = cli(*infer, "--json")
    assert (blocked.code, blocked.error["code"]) == (5, "memory_inference_blocked")
    cli.ok("pref", "remember", "shoe_size", "42")
    cli.ok(*infer)


def test_all_six_are_listed_even_when_empty(cli: Cli) -> None:
    lines = cli.ok("pref", "list").out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "shoe_size", "clothing_size", "preferred_brands", "avoided_brands", "preferred_merchants",
        "dietary_restrictions",
    ]  # fmt: skip
    assert all(line.endswith("-") for line in lines)


def test_a_preference_is_named_by_its_id_too(cli: Cli) -> None:
    id = cli.new("pref", "remember", "avoided_brands", "Marca X")
    assert cli.ok("pref", "correct", id, "Marca Y", "--json").json["value"] == ["Marca Y"]
    assert cli.ok("pref", "history", id[:13], "--json").json["versions"][1]["value"] == ["Marca Y"]
    assert cli.ok("pref", "forget", id, "--yes", "--json").json["forgotten"] == [id]


def test_the_same_value_again_is_no_new_version(cli: Cli) -> None:
    cli.ok("pref", "remember", "clothing_size", "m")
    again = cli.ok("pref", "remember", "clothing_size", "M", "--json")
    assert again.json["version"] == 1 and "Already kept" in again.err


def test_a_stale_correction_writes_nothing(cli: Cli) -> None:
    cli.ok("pref", "remember", "shoe_size", "42")
    cli.ok("pref", "correct", "shoe_size", "43")
    assert cli("pref", "correct", "shoe_size", "44", "--if-version", "1").code == 4
    assert cli.ok("pref", "list", "--json").json["memories"][0]["value"] == "43"


@pytest.mark.parametrize(
    ("argv", "code", "name", "says"),
    [
        (("remember", "shoe_siz", "42"), 2, "memory_key_unknown", "shoe_size"),
        (("remember", "shoe_size", "99"), 2, "memory_value_invalid", "15 to 60"),
        (("remember", "shoe_size", "42", "43"), 2, "invalid_request", "one size"),
        (("remember", "preferred_brands", ","), 2, "memory_value_invalid", "empty"),
        (("remember", "preferred_brands", *"abcdefghijk"), 2, "memory_value_invalid", "11 names"),
        (("remember", "shoe_size", "42", "--inferred"), 2, "memory_value_invalid", "purchase"),
        (("remember", "shoe_size", "42", "--purchase-id", "p"), 2, "invalid_request", "--inferred"),
        (("remember", "shoe_size", "42", "--quote", "43 is it"), 5, "memory_source_not_person", ""),
        (("correct", "shoe_size", "42"), 3, "memory_not_found", "pref remember"),
        (("forget", "shoe_size", "--yes"), 3, "memory_not_found", "pref list"),
        (("history", "shoe_size"), 3, "memory_not_found", "pref list"),
        (("history", "nothing"), 2, "memory_key_unknown", "six"),
    ],
)  # fmt: skip
def test_wrong_input_has_its_code_and_its_way_out(
    cli: Cli, argv: tuple[str, ...], code: int, name: str, says: str
) -> None:
    result = cli("pref", *argv, "--json")
    assert (result.code, result.out, result.error["code"]) == (code, "", name)
    assert says in result.error["message"] + result.error["hint"]


def test_the_id_of_something_else_is_no_preference(cli: Cli) -> None:
    id = cli.new("add", "Tea.")
    result = cli("pref", "forget", id, "--yes")
    assert result.code == 2 and "a fact, not of a preference" in result.err
    assert cli("pref", "correct", "00000000-ffff", "42").code == 3
