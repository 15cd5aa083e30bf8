"""collections and collection: JSON documents by key and by indexed field (memory-api)."""

from __future__ import annotations

import pytest

from tests.surfaces.conftest import Cli


def test_a_document_is_written_read_and_replaced_whole(cli: Cli) -> None:
    cli.ok("collection", "set", "orders", "ORD-1", '{"status": "paid", "total": 42.5}')
    second = cli.ok("collection", "set", "orders", "ORD-1", '{"status": "shipped"}', "--json").json
    assert (second["value"], second["rev"]) == ({"status": "shipped"}, 2)
    assert cli.ok("collection", "get", "orders", "ORD-1", "--json").json == second


@pytest.mark.parametrize("value", ["-5", "null", "true", '"text"', "[]", "1e3", '{"a":{"b":[1]}}'])
def test_any_json_value_can_be_a_document(cli: Cli, value: str) -> None:
    import json

    cli.ok("collection", "set", "things", "k", value)
    assert cli.ok("collection", "get", "things", "k").json == json.loads(value)


def test_a_document_is_read_from_stdin(cli: Cli) -> None:
    cli.ok("collection", "set", "orders", "k", "-", typed='\ufeff{"a": "é"}\r\n')
    assert cli.ok("collection", "get", "orders", "k").json == {"a": "é"}


def test_each_scope_has_its_own_documents(cli: Cli) -> None:
    """FR-142: a wrong scope gives not found."""
    cli.ok("collection", "set", "orders", "k", "1", "--scope", "contact:ana")
    missing = cli("collection", "get", "orders", "k", "--json")
    assert (missing.code, missing.error["code"]) == (3, "item_not_found")
    assert cli.ok("collection", "list", "orders", "--json").json == {
        "items": [],
        "nextCursor": None,
    }
    assert cli.ok("collection", "get", "orders", "k", "--scope", "contact:ana").json == 1


def test_documents_are_listed_by_key_with_prefix_and_cursor(cli: Cli) -> None:
    for key in ("b-2", "a-1", "b-1", "b-3"):
        cli.ok("collection", "set", "orders", key, "{}")
    page = cli.ok("collection", "list", "orders", "--prefix", "b-", "--limit", "2", "--json").json
    assert [item["key"] for item in page["items"]] == ["b-1", "b-2"]
    rest = cli.ok("collection", "list", "orders", "--prefix", "b-", "--cursor", page["nextCursor"])
    assert rest.out == "b-3  rev 1  {}\n"


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("status", "shipped", ["o-1"]),
        ("status", '"shipped"', ["o-1"]),
        ("owner.id", "7", ["o-1", "o-2"]),
        ("owner.id", '"7"', ["o-3"]),
        ("status", "lost", []),
    ],
)
def test_an_indexed_field_is_queried_by_json_or_text(
    cli: Cli, field: str, value: str, found: list[str]
) -> None:
    cli.ok("collections", "create", "orders", "--index", "status", "--index", "owner.id")
    cli.ok("collection", "set", "orders", "o-1", '{"status": "shipped", "owner": {"id": 7}}')
    cli.ok("collection", "set", "orders", "o-2", '{"status": "paid", "owner": {"id": 7}}')
    cli.ok("collection", "set", "orders", "o-3", '{"status": "paid", "owner": {"id": "7"}}')
    result = cli.ok("collection", "query", "orders", "--field", field, "--eq", value, "--json")
    assert [item["key"] for item in result.json["items"]] == found


def test_a_late_write_is_stale_and_only_new_never_overwrites(cli: Cli) -> None:
    write = ("collection", "set", "orders", "k")
    cli.ok(*write, "1")
    cli.ok(*write, "2", "--if-version", "1")
    for late in (("--if-version", "1"), ("--only-new",), ("--if-version", "0")):
        result = cli(*write, "3", *late, "--json")
        assert (result.code, result.error["code"]) == (4, "revision_conflict")
        assert result.error["details"] == {"currentRev": 2}
        assert "localmem collection get orders k" in result.error["hint"]
    assert cli.ok("collection", "get", "orders", "k").json == 2
    assert (
        cli.ok("collection", "set", "orders", "new", "1", "--only-new", "--json").json["rev"] == 1
    )
    assert cli("collection", "set", "orders", "absent", "1", "--if-version", "4").code == 3


def test_a_default_time_to_live_counts_unless_the_write_says_otherwise(cli: Cli) -> None:
    cli.ok("collections", "create", "carts", "--default-ttl", "1d")
    assert (
        cli.ok("collection", "set", "carts", "a", "1", "--json")
        .json["expiresAt"]
        .startswith("2026-12-01")
    )
    assert (
        "expiresAt"
        not in cli.ok("collection", "set", "carts", "b", "1", "--ttl", "never", "--json").json
    )
    assert "1 day" in cli.ok("collections", "list").out


def test_a_document_is_forgotten_with_all_its_versions(cli: Cli) -> None:
    cli.ok("collection", "set", "orders", "k", '"Marimba"')
    cli.ok("collection", "set", "orders", "k", '"Xylophone"')
    receipt = cli.ok("collection", "delete", "orders", "k", "--yes", "--json").json
    assert receipt["erased"]["versions"] == 2
    assert cli("collection", "get", "orders", "k").code == 3
    again = cli("collection", "delete", "orders", "k", "--yes", "--json")
    assert (again.code, again.error["code"]) == (3, "item_not_found")


def test_a_collection_goes_with_its_documents_in_every_scope(cli: Cli) -> None:
    cli.ok("collection", "set", "orders", "k", "1")
    cli.ok("collection", "set", "orders", "k", "1", "--scope", "contact:ana")
    shown = cli.ok("collections", "show", "orders", "--json").json
    assert shown["documents"] == [
        {"scope": "contact:ana", "items": 1},
        {"scope": "project", "items": 1},
    ]
    assert "1 in contact:ana" in cli.ok("collections", "show", "orders").out
    assert cli.ok("collections", "delete", "orders", "--yes", "--json").json["erased"]["items"] == 2
    assert cli.ok("collections", "list", "--json").json == {"items": [], "nextCursor": None}
    assert cli("collections", "delete", "orders", "--yes").code == 3


@pytest.mark.parametrize(
    ("argv", "code", "name", "says"),
    [
        (("collection", "set", "Orders", "k", "1"), 2, "invalid_key", "lowercase"),
        (("collection", "set", "orders", "+55", "1"), 2, "invalid_key", ""),
        (("collection", "set", "orders", "k", "{'a': 1}"), 2, "invalid_request", "column 2"),
        (("collection", "set", "orders", "k", "1", "2"), 2, "invalid_request", "quotes"),
        (("collection", "set", "orders", "k", "1", "--scop", "x"), 2, "invalid_request", ""),
        (("collection", "set", "orders", "k", "[" * 40 + "]" * 40), 2, "document_too_deep", "32"),
        (("collection", "set", "orders", "k", f'"{"x" * 300_000}"'), 2, "document_too_large", ""),
        (("collection", "get", "orders", "k"), 3, "item_not_found", "scope"),
        (("collection", "list", "orders"), 3, "collection_not_found", "collections list"),
        (("collection", "list", "orders", "--limit", "101"), 2, "invalid_request", "range"),
        (("collections", "show", "orders"), 3, "collection_not_found", ""),
        (("collections", "create", "o", "--index", "a", "--index", "b", "--index", "c"), 2,
         "invalid_request", "2"),
    ],
)  # fmt: skip
def test_wrong_input_has_its_code_and_its_way_out(
    cli: Cli, argv: tuple[str, ...], code: int, name: str, says: str
) -> None:
    result = cli(*argv, "--json")
    assert (result.code, result.out, result.error["code"]) == (code, "", name)
    assert says in result.error["message"] + result.error["hint"]
    assert cli.ok("collections", "list", "--json").json["items"] == []


def test_a_query_without_an_index_says_how_to_get_one(cli: Cli) -> None:
    cli.ok("collection", "set", "orders", "k", '{"status": 1}')
    result = cli("collection", "query", "orders", "--field", "status", "--eq", "1", "--json")
    assert (result.code, result.error["code"]) == (2, "field_not_indexed")
    taken = cli("collections", "create", "orders", "--index", "status", "--json")
    assert (taken.code, taken.error["code"]) == (5, "collection_exists")
