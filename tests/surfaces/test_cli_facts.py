"""add, edit, list, show, history, restore, delete, wipe, undo on a real library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.conftest import Cli


def test_a_fact_is_kept_and_listed(cli: Cli) -> None:
    added = cli.ok("add", "Prefers WhatsApp over email.", "--scope", "contact:ana")
    listed = cli.ok("list")
    assert listed.out == added.out
    assert listed.out.endswith("  contact:ana  Prefers WhatsApp over email.\n")
    assert (added.err, listed.err) == ("", "")


def test_words_without_quotes_are_one_fact(cli: Cli) -> None:
    assert cli.ok("add", "Prefers", "green", "tea.", "--json").json["text"] == "Prefers green tea."


def test_text_behind_two_dashes_may_begin_with_one(cli: Cli) -> None:
    assert cli.ok("add", "--json", "--", "-5 --json").json["text"] == "-5 --json"


def test_a_fact_is_read_from_stdin_with_its_lines(cli: Cli) -> None:
    shape = cli.ok("add", "-", "--json", typed="\ufeffone\r\ntwo\n").json
    assert shape["text"] == "one\ntwo"


def test_stdin_that_is_not_utf8_is_refused_with_what_to_do(cli: Cli) -> None:
    result = cli("add", "-", typed=b"caf\xe9")
    assert result.code == 2
    assert "not UTF-8 (byte 4)" in result.err


def test_everything_a_fact_can_have_comes_back(cli: Cli) -> None:
    cli.new("add", "Calls after nine.", "--scope", "conversation:t1", "--ttl", "30d",
            "--meta", "source=phone", "--meta", "by=rita=x", "--path", "projects/x")  # fmt: skip
    shape = cli.ok("list", "--json").json["items"][0]
    assert shape["metadata"] == {"source": "phone", "by": "rita=x"}
    assert shape["path"] == "projects/x"
    assert shape["expiresAt"] == "2026-12-30T18:00:00.000Z"
    assert (shape["scope"], shape["conversationId"]) == ("conversation", "t1")


def test_a_known_fact_is_not_kept_twice_and_that_is_no_failure(cli: Cli) -> None:
    first = cli.new("add", "Prefers tea.")
    again = cli.ok("add", "prefers  TEA.", "--json")
    assert again.json["id"] == first
    assert "Already kept" in again.err
    assert len(cli.ok("list", "--json").json["items"]) == 1


def test_reserved_metadata_is_dropped_and_named_on_stderr(cli: Cli) -> None:
    result = cli.ok("add", "Likes tea.", "--meta", "owner_id=42", "--json")
    assert "metadata" not in result.json
    assert "owner_id" in result.err


@pytest.mark.parametrize(
    ("argv", "code", "says"),
    [
        (("add", ""), 2, "nothing to remember"),
        (("add", "x" * 9000), 2, "8,192"),
        (("add", "tea", "--scope", "person"), 2, "project, contact:<id>"),
        (("add", "tea", "--scope", "contact:+55"), 2, "no +"),
        (("add", "tea", "--ttl", "5s"), 2, "60 seconds"),
        (("add", "tea", "--ttl", "soon"), 2, "30d"),
        (("add", "tea", "--meta", "nothing"), 2, "--meta name=value"),
        (("add", "tea", "--meta", "a=1", "--meta", "a=2"), 2, "twice"),
        (("add",), 2, "TEXT"),
        (("add", "-5 degrees"), 2, "behind --"),
        (("list", "--limit", "0"), 2, "range"),
        (("list", "--cursor", "!"), 2, "not a cursor"),
        (("list", "--kind", "poem"), 2, "preference"),
        (("show", "abc"), 2, "too short"),
        (("show", "abcdefgh-0000"), 3, "Nothing with that id"),
        (("history", "abcdefgh-0000"), 3, "Nothing with that id"),
        (("edit", "abcdefgh-0000", "--text", "x"), 3, "Nothing with that id"),
        (("restore", "abcdefgh-0000", "1"), 3, "Nothing with that id"),
        (("delete", "abcdefgh-0000", "--yes"), 3, "nothing was forgotten"),
        (("wipe", "--yes"), 2, "--scope"),
        (("undo",), 1, "nothing to undo"),
    ],
)  # fmt: skip
def test_wrong_input_says_what_to_do(cli: Cli, argv: tuple[str, ...], code: int, says: str) -> None:
    result = cli(*argv)
    assert (result.code, result.out) == (code, "")
    assert says in result.err
    in_json = cli(*argv, "--json")
    assert (in_json.code, in_json.out) == (code, "")
    assert set(in_json.error) == {"code", "message", "hint", "details"}


def test_a_list_pages_by_cursor_without_losing_or_repeating_any(cli: Cli) -> None:
    kept = [cli.new("add", f"Fact {n}.") for n in range(7)]
    seen: list[str] = []
    cursor: list[str] = []
    while True:
        page = cli.ok("list", "--limit", "3", "--json", *cursor).json
        seen += [item["id"] for item in page["items"]]
        if page["nextCursor"] is None:
            break
        cursor = ["--cursor", page["nextCursor"]]
    assert seen == kept[::-1]


def test_a_page_that_is_not_the_last_says_how_to_go_on(cli: Cli) -> None:
    for n in range(3):
        cli.new("add", f"Fact {n}.")
    cursor = cli.ok("list", "--limit", "2", "--json").json["nextCursor"]
    assert f"--cursor {cursor}\n" in cli.ok("list", "--limit", "2").err


def test_a_list_of_documents_is_by_collection_and_key_as_its_help_says(cli: Cli) -> None:
    for name, key in (("b", "2"), ("a", "3"), ("b", "1")):
        cli.ok("collection", "set", name, key, "1")
    listed = cli.ok("list", "--kind", "document", "--json").json["items"]
    assert [item["collection"] + item["key"] for item in listed] == ["a3", "b1", "b2"]
    assert "documents alone by collection and key" in cli.ok("list", "--help").out


def test_lists_keep_to_their_scope_and_kind(cli: Cli) -> None:
    """FR-142: never a row of another scope."""
    for scope in ("project", "contact:ana", "contact:bia"):
        cli.new("add", "The same sentence.", "--scope", scope)
    cli.new("pref", "remember", "shoe_size", "42")
    listed = cli.ok("list", "--scope", "contact:ana", "--json").json["items"]
    assert [item["contactId"] for item in listed] == ["ana"]
    assert len(cli.ok("list", "--kind", "fact", "--json").json["items"]) == 3
    preferences = cli.ok("list", "--kind", "preference", "--json").json["items"]
    assert [item["kind"] for item in preferences] == ["preference"]
    empty = cli.ok("list", "--scope", "contact:nobody")
    assert (empty.out, "contact:nobody" in empty.err) == ("", True)


def test_an_item_is_named_by_the_beginning_that_the_list_shows(cli: Cli) -> None:
    id = cli.new("add", "Prefers tea.")
    shown = cli.ok("list").out.split()[0]
    assert id.startswith(shown) and len(shown) < len(id)
    assert cli.ok("show", shown, "--json").json["id"] == id


def test_a_beginning_that_several_share_names_them_and_touches_none(cli: Cli) -> None:
    """FR-126: ambiguity returns candidates, removes none."""
    with pytest.MonkeyPatch.context() as patch:
        numbers = iter(range(100))
        patch.setattr("localmem.ids.TimeOrderedIds", lambda: lambda: f"samehead-{next(numbers):04}")
        first, second = cli.new("add", "One."), cli.new("add", "Two.")
    result = cli("delete", "samehead", "--yes", "--json")
    assert result.code == 2
    assert set(result.error["details"]["ids"]) == {first, second}
    assert len(cli.ok("list", "--json").json["items"]) == 2
    rows = [line.split()[0] for line in cli.ok("list").out.splitlines()]
    assert len(set(rows)) == 2 and all(cli.ok("show", row) for row in rows)


def test_show_tells_everything_about_an_item(cli: Cli) -> None:
    id = cli.new(
        "add", "line one\nline two", "--ttl", "2d", "--meta", "source=call", "--path", "p/q"
    )
    out = cli.ok("show", id).out
    assert out.startswith("line one\nline two\n\n")
    for said in (id, "fact", "project", "1, remembered by you (cli)", "2026-11-30 18:00",
                 "in 2 days (2026-12-02 18:00)", "p/q", "source = call"):  # fmt: skip
        assert said in out
    shape = cli.ok("show", id, "--json").json
    assert shape["writtenBy"]["kind"] == "person"


def test_times_are_shown_in_the_persons_zone(cli: Cli) -> None:
    from zoneinfo import ZoneInfo

    cli.monkeypatch.setattr("localmem.wiring.zone", lambda: ZoneInfo("Asia/Kathmandu"))
    assert "2026-11-30 23:45" in cli.ok("show", cli.new("add", "Tea.")).out


def test_an_edit_is_a_new_version_and_the_old_one_stays(cli: Cli) -> None:
    id = cli.new("add", "Prefers tea.", "--meta", "source=a")
    edited = cli.ok("edit", id, "--text", "Prefers coffee.", "--json").json
    assert (edited["text"], edited["version"], edited["metadata"]) == (
        "Prefers coffee.", 2, {"source": "a"}
    )  # fmt: skip
    versions = cli.ok("history", id, "--json").json["versions"]
    assert [(each["version"], each["text"], each["change"]) for each in versions] == [
        (1, "Prefers tea.", "remember"),
        (2, "Prefers coffee.", "edit"),
    ]


def test_an_edit_changes_only_what_was_named(cli: Cli) -> None:
    id = cli.new("add", "Tea.", "--meta", "a=1", "--meta", "b=2", "--ttl", "1d", "--path", "x")
    shape = cli.ok("edit", id, "--meta", "a=3", "--drop-meta", "b", "--json").json
    assert (shape["metadata"], shape["path"], "expiresAt" in shape) == ({"a": "3"}, "x", True)
    shape = cli.ok("edit", id, "--ttl", "never", "--path", "", "--json").json
    assert ("expiresAt" in shape, "path" in shape, shape["text"]) == (False, False, "Tea.")
    assert cli("edit", id, "--drop-meta", "zzz").code == 2


def test_an_edit_on_an_old_version_is_stale_and_writes_nothing(cli: Cli) -> None:
    id = cli.new("add", "One.")
    cli.ok("edit", id, "--text", "Two.")
    result = cli("edit", id, "--text", "Three.", "--if-version", "1", "--json")
    assert (result.code, result.out) == (4, "")
    assert result.error["code"] == "revision_conflict"
    assert result.error["details"] == {"currentRev": 2}
    assert cli.ok("show", id, "--json").json["text"] == "Two."


def test_edit_without_a_terminal_opens_no_editor(cli: Cli) -> None:
    id = cli.new("add", "One.")
    cli.monkeypatch.setenv("EDITOR", "false")
    result = cli("edit", id)
    assert result.code == 2 and "--text" in result.err


@pytest.fixture
def editor(cli: Cli, tmp_path: Path) -> Path:
    """An editor that writes what stands in `typed`."""
    typed, program = tmp_path / "typed", tmp_path / "editor.sh"
    program.write_text(
        f'#!/bin/sh\ncp "$1" {tmp_path}/opened; cp {typed} "$1"; touch -t 203001010000 "$1"\n'
    )
    program.chmod(0o700)
    cli.monkeypatch.setenv("EDITOR", str(program))
    return typed


def test_the_editor_opens_the_text_and_saves_what_comes_back(cli: Cli, editor: Path) -> None:
    id = cli.new("add", "One.")
    editor.write_text("Two\nlines.\n")
    assert cli("edit", id, terminal=True).code == 0
    assert (editor.parent / "opened").read_text().rstrip("\n") == "One."
    assert cli.ok("show", id, "--json").json["text"] == "Two\nlines."


def test_what_was_typed_in_the_editor_is_never_lost(cli: Cli, editor: Path) -> None:
    id = cli.new("add", "One.")
    editor.write_text("x" * 9000)
    refused = cli("edit", id, terminal=True)
    assert refused.code == 2 and "is kept" in refused.err
    editor.write_text("Shorter.")
    again = cli("edit", id, terminal=True)
    assert again.code == 0 and "typed last time" in again.err
    assert (editor.parent / "opened").read_text().rstrip("\n") == "x" * 9000
    editor.write_text("Shorter still.")
    assert "typed last time" not in cli("edit", id, terminal=True).err


def test_a_document_is_edited_as_json(cli: Cli, editor: Path) -> None:
    cli.ok("collection", "set", "orders", "o-1", '{"a": 1}')
    id = cli.ok("list").out.split()[0]
    editor.write_text('{"a": 2}')
    assert cli("edit", id, terminal=True).code == 0
    assert cli.ok("collection", "get", "orders", "o-1", "--json").json["value"] == {"a": 2}
    assert cli("edit", id, "--text", "x").code == 2


def test_history_shows_what_changed_word_by_word(cli: Cli) -> None:
    id = cli.new("add", "Prefers green tea.", "--meta", "source=a")
    cli.ok("edit", id, "--text", "Prefers black tea.", "--meta", "source=b")
    out = cli.ok("history", id, "--diff").out
    assert "Prefers [-green-]{+black+} tea." in out
    assert "metadata.source: [-a-] {+b+}" in out
    changes = cli.ok("history", id, "--diff", "--json").json["versions"][1]["changes"]
    assert {"path": ["metadata", "source"], "old": "a", "new": "b"} in changes


def test_restore_brings_an_old_version_back_as_a_new_one(cli: Cli) -> None:
    id = cli.new("add", "One.")
    cli.ok("edit", id, "--text", "Two.")
    shape = cli.ok("restore", id, "1", "--json").json
    assert (shape["text"], shape["version"]) == ("One.", 3)
    missing = cli("restore", id, "9", "--json")
    assert (missing.code, missing.error["code"]) == (3, "version_not_found")
    assert cli("restore", id, "1", "--if-version", "2").code in (0, 4)
    assert cli("restore", id, "2", "--if-version", "2").code == 4


def test_undo_takes_back_one_change_at_a_time(cli: Cli) -> None:
    id = cli.new("add", "One.")
    cli.ok("edit", id, "--text", "Two.")
    undone = cli.ok("undo", "--json").json
    assert (undone["undone"], undone["items"][0]["text"], undone["gone"]) == (
        "edited a fact",
        "One.",
        [],
    )
    assert cli.ok("undo", "--yes", "--json").json["gone"] == [id]
    assert cli("undo", "--json").error["code"] == "nothing_to_undo"
    assert cli("show", id).code == 3


def test_an_undo_that_erases_shows_what_goes_and_asks(cli: Cli) -> None:
    id = cli.new("add", "The wedding is in May.")
    unasked = cli("undo", typed="y\n")
    assert (unasked.code, unasked.out) == (2, "") and "--yes" in unasked.err
    declined = cli("undo", typed="n\n", terminal=True)
    assert (declined.code, declined.out) == (1, "")
    assert "The wedding is in May." in declined.err and "Nothing was undone." in declined.err
    assert cli.ok("show", id)
    agreed = cli("undo", typed="y\n", terminal=True)
    assert agreed.code == 0 and "erases it for good? [y/N]" in agreed.err
    assert cli("show", id).code == 3


def test_delete_erases_every_version_and_says_what_was_checked(cli: Cli) -> None:
    id = cli.new("add", "The gate code is Marimba.")
    cli.ok("edit", id, "--text", "The gate code is Xylophone.")
    receipt = cli.ok("delete", id, "--yes", "--json").json
    assert receipt["forgotten"] == [id]
    assert receipt["erased"] == {"items": 1, "versions": 2, "vectors": 0, "copies": 0}
    assert (receipt["complete"], receipt["searchedFor"], receipt["found"]) == (True, 2, 0)
    assert "library.db" in receipt["files"] and receipt["outOfReach"]
    for held in cli.home.iterdir():
        assert not held.is_file() or b"Marimba" not in held.read_bytes()
    assert cli("show", id).code == 3


def test_delete_takes_several_and_is_also_called_forget(cli: Cli) -> None:
    first, second = cli.new("add", "One."), cli.new("add", "Two.")
    assert cli.ok("forget", first, second, first, "--yes", "--json").json["forgotten"] == [
        first,
        second,
    ]


def test_delete_forgets_nothing_when_one_id_is_unknown(cli: Cli) -> None:
    """FR-126: unknown, or forgotten already."""
    first, second = cli.new("add", "One."), cli.new("add", "Two.")
    cli.ok("delete", second, "--yes")
    result = cli("delete", first, second, "--yes")
    assert (result.code, result.out) == (3, "")
    assert second in result.err
    assert cli.ok("show", first)


def test_an_expired_fact_is_gone_on_every_path_from_its_first_millisecond(cli: Cli) -> None:
    """FR-107: one rule for get, list, search, edit, delete."""
    id = cli.new("add", "Short lived.", "--ttl", "60s")
    cli.clock.advance(59.999)
    assert cli.ok("show", id) and "Short lived." in cli.ok("list").out
    cli.clock.advance(0.001)
    assert cli("show", id).code == 3
    assert cli.ok("list").out == ""
    assert cli.ok("search", "--words", "short").out == ""
    assert cli("edit", id, "--text", "x").code == 3
    assert cli("delete", id, "--yes").code == 3


def test_a_write_erases_what_expired_before(cli: Cli) -> None:
    cli.new("add", "Short lived Glockenspiel.", "--ttl", "60s")
    cli.clock.advance(61)
    cli.ok("list")
    assert any(b"Glockenspiel" in each.read_bytes() for each in cli.home.glob("library.db*"))
    cli.ok("add", "Another.")
    assert not any(b"Glockenspiel" in each.read_bytes() for each in cli.home.glob("library.db*"))


def test_wipe_empties_one_scope_of_facts_and_nothing_else(cli: Cli) -> None:
    for scope in ("contact:ana", "contact:bia"):
        cli.new("add", "One.", "--scope", scope)
        cli.new("add", "Two.", "--scope", scope)
    cli.ok("collection", "set", "orders", "o-1", "1", "--scope", "contact:ana")
    receipt = cli.ok("wipe", "--scope", "contact:ana", "--yes", "--json").json
    assert receipt["erased"]["items"] == 2
    assert len(cli.ok("list", "--kind", "fact", "--json").json["items"]) == 2
    assert cli.ok("collection", "get", "orders", "o-1", "--scope", "contact:ana").out == "1\n"
    assert cli.ok("wipe", "--scope", "contact:ana", "--json").json["erased"]["items"] == 0


@pytest.mark.parametrize("command", ["delete", "wipe", "pref", "collections", "collection"])
def test_nobody_is_asked_where_there_is_no_terminal(cli: Cli, command: str) -> None:
    id = cli.new("add", "One.")
    cli.ok("pref", "remember", "shoe_size", "42")
    cli.ok("collection", "set", "orders", "o-1", "1")
    argv = {
        "delete": ("delete", id),
        "wipe": ("wipe", "--scope", "project"),
        "pref": ("pref", "forget", "shoe_size"),
        "collections": ("collections", "delete", "orders"),
        "collection": ("collection", "delete", "orders", "o-1"),
    }[command]
    result = cli(*argv, typed="y\n")
    assert (result.code, result.out) == (2, "")
    assert "--yes" in result.err
    assert len(cli.ok("list", "--json").json["items"]) == 3
    agreed = cli(*argv, typed="y\n", terminal=True)
    assert agreed.code == 0 and "Forgotten: 1 item" in agreed.out and "[y/N]" in agreed.err


@pytest.mark.parametrize("answer", ["", "n\n", "\n", "maybe\n"])
def test_everything_but_yes_forgets_nothing(cli: Cli, answer: str) -> None:
    id = cli.new("add", "A named thing.")
    result = cli("delete", id, typed=answer, terminal=True)
    assert (result.code, result.out) == (1, "")
    assert "A named thing." in result.err and "Nothing was forgotten." in result.err
    assert cli.ok("show", id)
