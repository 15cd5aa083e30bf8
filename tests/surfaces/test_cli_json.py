"""The bytes of --json are the contract: every shape once, exactly."""

from __future__ import annotations

import pytest

from localmem.core.records import Scrub
from tests.surfaces.conftest import Cli

# Ids count up from 1: the first version of the first item is 1, the item itself 2.
ITEM = "00000002-0000-7000-8000-000000000000"
AT = "2026-11-30T18:00:00.000Z"


def test_a_fact(cli: Cli) -> None:
    out = cli.ok("add", "Prefers tea.", "--scope", "contact:ana", "--meta", "source=call",
                 "--path", "p", "--ttl", "1d", "--json").out  # fmt: skip
    assert out == (
        f'{{"id": "{ITEM}", "text": "Prefers tea.", "scope": "contact", "contactId": "ana", '
        '"metadata": {"source": "call"}, "path": "p", "version": 1, '
        f'"createdAt": "{AT}", "updatedAt": "{AT}", "expiresAt": "2026-12-01T18:00:00.000Z"}}\n'
    )


def test_a_fact_without_anything_optional(cli: Cli) -> None:
    assert cli.ok("add", "Tea.", "--json").out == (
        f'{{"id": "{ITEM}", "text": "Tea.", "scope": "project", "version": 1, '
        f'"createdAt": "{AT}", "updatedAt": "{AT}"}}\n'
    )


def test_a_document(cli: Cli) -> None:
    cli.ok("collection", "set", "orders", "o-1", '{"b": 1, "a": [null]}', "--scope", "contact:ana")
    out = cli.ok("collection", "get", "orders", "o-1", "--scope", "contact:ana", "--json").out
    assert out == (
        '{"key": "o-1", "value": {"b": 1, "a": [null]}, "rev": 1, '
        f'"createdAt": "{AT}", "updatedAt": "{AT}", "id": "{ITEM}", '
        '"collection": "orders", "scope": "contact:ana"}\n'
    )


def test_a_preference(cli: Cli) -> None:
    assert cli.ok("pref", "remember", "shoe_size", "42", "--json").out == (
        f'{{"memory_id": "{ITEM}", "key": "shoe_size", "value": "42", "provenance": "declared", '
        f'"version": 1, "created_at": "{AT}", "updated_at": "{AT}", "shadowed": false}}\n'
    )


def test_an_inferred_preference_in_the_list(cli: Cli) -> None:
    cli.ok("pref", "remember", "preferred_brands", "Asics", "--inferred", "--purchase-id", "p-1")
    assert cli.ok("pref", "list", "--json").out == (
        f'{{"memories": [{{"memory_id": "{ITEM}", "key": "preferred_brands", "value": ["Asics"], '
        '"provenance": "inferred", "version": 1, "purchase_id": "p-1", '
        f'"created_at": "{AT}", "updated_at": "{AT}", "shadowed": false}}], '
        '"blocked_inference": []}\n'
    )


def test_a_page(cli: Cli) -> None:
    assert cli.ok("list", "--json").out == '{"items": [], "nextCursor": null}\n'
    cli.ok("add", "One.")
    cli.ok("add", "Two.")
    answer = cli.ok("list", "--limit", "1", "--json")
    assert answer.out.startswith('{"items": [{"kind": "fact", "id": ')
    cursor = answer.json["nextCursor"]
    assert cursor and answer.out.endswith(f'}}], "nextCursor": "{cursor}"}}\n')


def test_a_search_in_one_scope_has_the_members_of_the_seed(cli: Cli) -> None:
    cli.ok("add", "Prefers tea.", "--meta", "source=call")
    assert cli.ok("search", "--words", "tea", "--scope", "project", "--json").out == (
        f'{{"items": [{{"id": "{ITEM}", "text": "Prefers tea.", "score": 1.0, '
        f'"metadata": {{"source": "call"}}, "createdAt": "{AT}"}}]}}\n'
    )


def test_a_search_over_all_scopes_says_which(cli: Cli) -> None:
    cli.ok("add", "Prefers tea.", "--scope", "conversation:t")
    assert cli.ok("search", "--words", "tea", "--json").out == (
        f'{{"items": [{{"id": "{ITEM}", "text": "Prefers tea.", "score": 1.0, '
        f'"createdAt": "{AT}", "scope": "conversation", "conversationId": "t"}}]}}\n'
    )


def test_hits_of_other_kinds_say_what_they_are(cli: Cli) -> None:
    cli.ok("pref", "remember", "preferred_brands", "Asics")
    assert cli.ok("search", "--words", "asics", "--json").out == (
        f'{{"items": [{{"id": "{ITEM}", "text": "Preferred brands: Asics", "score": 1.0, '
        f'"createdAt": "{AT}", "kind": "preference", "key": "preferred_brands", '
        '"provenance": "declared", "value": ["Asics"]}]}\n'
    )


def test_a_history(cli: Cli) -> None:
    cli.ok("pref", "remember", "shoe_size", "42", "--quote", "I wear 42")
    out = cli.ok("pref", "history", "shoe_size", "--json").out
    device = cli.ok("pref", "history", "shoe_size", "--json").json["versions"][0]["by"]["device"]
    assert out == (
        '{"versions": [{"provenance": "declared", "version": 1, "change": "remember", '
        '"value": "42", "by": {"kind": "person", "name": "you", "origin": "cli", '
        f'"device": "{device}"}}, "at": "{AT}", "quote": "I wear 42"}}]}}\n'
    )


def test_a_receipt(cli: Cli) -> None:
    cli.ok("add", "Prefers tea.")
    shape = cli.ok("delete", ITEM, "--yes", "--json").json
    assert list(shape) == [
        "forgotten", "erased", "complete", "files", "searchedFor", "found", "checked", "outOfReach",
    ]  # fmt: skip
    assert list(shape["erased"]) == ["items", "versions", "vectors", "copies"]


def test_an_unfinished_receipt_says_why_and_has_its_own_exit_code(cli: Cli) -> None:
    """Whatever reads the library keeps its pages: said, and not called done."""
    cli.ok("add", "Prefers tea.")
    scrub = Scrub(done=False, files=(), why="another program is reading the library")
    with cli.monkeypatch.context() as patch:
        patch.setattr("localmem.store.sqlite.SqliteStore.scrub", lambda _: scrub)
        result = cli("delete", ITEM, "--yes", "--json")
        assert (result.code, result.json["complete"]) == (8, False)
        assert result.json["why"] == "another program is reading the library"
        cli.ok("add", "Prefers coffee.")
        for argv in (
            ("wipe", "--scope", "project", "--yes"),
            ("collections", "delete", "c", "--yes"),
        ):
            cli.ok("collection", "set", "c", "k", "1")
            shown = cli(*argv)
            assert shown.code == 8
            assert "The freed bytes still stand in the files: another program is" in shown.out


@pytest.mark.parametrize("kind", ["fact", "document", "preference"])
def test_one_member_names_an_item_of_any_kind(cli: Cli, kind: str) -> None:
    """What a list answers is enough to script show, history, restore and delete."""
    argv = {
        "fact": ("add", "Tea."),
        "document": ("collection", "set", "orders", "o-1", '{"a": 1}'),
        "preference": ("pref", "remember", "shoe_size", "42"),
    }[kind]
    cli.ok(*argv)
    (item,) = cli.ok("list", "--json").json["items"]
    assert item["kind"] == kind
    assert cli.ok("show", item["id"], "--json").json["id"] == item["id"]
    assert len(cli.ok("history", item["id"], "--json").json["versions"]) == 1
    assert cli.ok("delete", item["id"], "--yes", "--json").json["forgotten"] == [item["id"]]


def test_a_document_has_its_id_wherever_it_is_answered(cli: Cli) -> None:
    cli.ok("collections", "create", "orders", "--index", "a")
    kept = cli.ok("collection", "set", "orders", "o-1", '{"a": 1}', "--json").json
    read = cli.ok("collection", "get", "orders", "o-1", "--json").json
    (listed,) = cli.ok("collection", "list", "orders", "--json").json["items"]
    query = ("collection", "query", "orders", "--field", "a", "--eq", "1", "--json")
    (found,) = cli.ok(*query).json["items"]
    assert {each["id"] for each in (kept, read, listed, found)} == {ITEM}


def test_a_collection(cli: Cli) -> None:
    out = cli.ok(
        "collections", "create", "orders", "--index", "a.b", "--default-ttl", "1d", "--json"
    )
    assert out.out == (
        '{"name": "orders", "indexes": [{"field": "a.b"}], "defaultTtlSeconds": 86400, '
        f'"status": "active", "implicit": false, "createdAt": "{AT}"}}\n'
    )


def test_an_undo(cli: Cli) -> None:
    cli.ok("add", "Tea.")
    assert cli.ok("undo", "--yes", "--json").out == (
        f'{{"undone": "kept a fact", "items": [], "gone": ["{ITEM}"], "restored": 0, "kept": 0}}\n'
    )


def test_usage(cli: Cli) -> None:
    cli.ok("add", "Tea.", "--scope", "contact:ana")
    shape = cli.ok("usage", "--json").json
    assert shape.pop("storageBytes") > 0
    files = shape.pop("files")
    assert files["library"] == {"path": str(cli.home / "library.db"), "exists": True}
    assert set(files) == {"library", "settings", "cache"}
    assert shape == {
        "facts": [
            {"scope": "project", "used": 0, "included": 10_000},
            {"scope": "contact:ana", "used": 1, "included": 2_000},
        ],
        "preferences": 0,
        "documents": 0,
        "collections": 0,
        "versions": 1,
        "capReached": False,
        "items": [{"kind": "fact", "scope": "contact:ana", "items": 1}],
        "expiring": {"items": 0, "withinAWeek": 0},
        "meaning": {"waiting": 1},
        "imports": [],
    }
    assert "1 of  2,000" in cli.ok("usage").out or "1 of 2,000" in cli.ok("usage").out


def test_activity(cli: Cli) -> None:
    cli.ok("add", "A secret wish.", "--scope", "contact:ana")
    assert cli.ok("activity", "--json").out == (
        f'{{"items": [{{"at": "{AT}", "by": {{"kind": "person", "name": "you", "origin": "cli"}}, '
        f'"action": "kept", "kind": "fact", "scope": "contact:ana", '
        f'"id": "{ITEM}", "items": 1}}], "nextCursor": null}}\n'
    )
    shown = cli.ok("activity").out
    assert "you (cli)  person  kept  1 fact contact:ana" in shown and "wish" not in shown


def test_an_error_goes_to_stderr_alone(cli: Cli) -> None:
    result = cli("add", "tea", "--ttl", "5s", "--json")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        '{"code": "invalid_request", "message": "This time to live is too short. A time to live is '
        '60 seconds to 2 years (63,072,000 seconds).", '
        '"hint": "Use 90m, 12h, 30d, 2w, 1y, a number of seconds, or never.", '
        '"details": {"field": "ttl", "min": 60, "max": 63072000}}\n'
    )
