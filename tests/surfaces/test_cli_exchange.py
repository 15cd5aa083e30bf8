"""`localmem export` and `import` as a person and a script use them."""

from __future__ import annotations

import json
import stat
import time
from pathlib import Path

import pytest

from localmem.cli import importing
from localmem.engine.imports import Imports
from tests.support.hostile import HOSTILE
from tests.surfaces.conftest import Cli


def move(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    monkeypatch.setenv("LOCALMEM_HOME", str(tmp_path / name))


def notes(path: Path, count: int) -> Path:
    path.write_text("".join(f"Fact number {n}\n" for n in range(1, count + 1)), "utf-8")
    return path


def test_an_export_is_private_ends_with_a_newline_and_comes_back_whole(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR-93, FR-98."""
    id = cli.new("add", "Prefers WhatsApp.", "--scope", "contact:ana", "--ttl", "30d")
    cli.ok("edit", id, "Prefers Signal.")
    cli.ok("pref", "remember", "shoe_size", "42")
    file = tmp_path / "all.ndjson"
    told = cli.ok("export", str(file), "--history", "--json").json
    assert (told["items"], told["bytes"]) == (2, file.stat().st_size)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    text = file.read_text("utf-8")
    assert text.endswith("}\n") and cli.ok("export", "--history").out == text
    move(monkeypatch, tmp_path, "second")
    assert cli.ok("import", str(file), "--json").json["counts"]["new"] == 2
    assert cli.ok("export", "--history").out == text
    assert cli.ok("import", str(file)).out.startswith("all.ndjson, an export of localmem: 2 here")


def test_an_export_replaces_no_file_unasked(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "all.ndjson"
    file.write_text("mine")
    refused = cli("export", str(file))
    assert (refused.code, file.read_text()) == (1, "mine")
    assert "exists already" in refused.err and "--force" in refused.err
    cli.ok("export", str(file), "--force")
    assert file.read_text().startswith('{"localmem":"export"')
    assert not list(tmp_path.glob(".localmem-*"))
    assert cli("export", str(tmp_path / "no" / "such")).code == 1
    assert cli("export", str(tmp_path), "--force").code == 1


def test_an_export_can_be_narrowed(cli: Cli) -> None:
    cli.ok("add", "For Ana", "--scope", "contact:ana")
    cli.ok("add", "For all")
    cli.ok("pref", "remember", "shoe_size", "42")
    cli.ok("collection", "set", "orders", "A", "1")
    cli.ok("collection", "set", "carts", "B", "2")

    def types(*options: str) -> list[str]:
        lines = cli.ok("export", *options).out.splitlines()[1:]
        return [json.loads(line)["type"] for line in lines]

    assert types("--scope", "contact:ana", "--kind", "fact") == ["fact"]
    assert types("--kind", "preference") == ["preference"]
    assert types("--collection", "orders") == ["collection", "document"]
    assert len(types()) == 7
    assert cli("export", "--collection", "none").code == 3


def test_the_first_line_says_the_format_and_what_is_left_out(cli: Cli) -> None:
    header = json.loads(cli.ok("export").out)
    assert (header["localmem"], header["format"], header["history"]) == ("export", 1, False)
    assert {"expired", "history", "forgotten"} <= header["leftOut"].keys()
    assert "history" not in json.loads(cli.ok("export", "--history").out)["leftOut"]


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_an_export_is_whole_on_any_code_page(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    """FR-97: escaped, not broken."""
    cli.ok("add", "Gosta de pão 🥐 e café")
    whole = cli.ok("export").out
    cli.encoding = encoding
    printed = cli.ok("export").out
    assert printed.isascii()
    cli.encoding = "utf-8"
    assert [json.loads(a) for a in printed.splitlines()] == [
        json.loads(b) for b in whole.splitlines()
    ]
    move(monkeypatch, tmp_path, "second")
    cli.ok("import", "-", typed=printed)
    assert "pão 🥐" in cli.ok("list").out


@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe"])
def test_times_of_an_export_are_the_same_in_every_zone(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    """FR-105: every time has its offset, and one with another offset is the same moment."""
    cli.ok("add", "Tea", "--ttl", "30d")
    text = cli.ok("export").out
    line = json.loads(text.splitlines()[1])
    assert line["at"] == "2026-11-30T18:00:00.000Z" and line["expiresAt"].endswith("Z")
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert cli.ok("export").out == text
        move(monkeypatch, tmp_path, "second")
        local = text.replace("2026-11-30T18:00:00.000Z", "2026-11-30T23:45:00.000+05:45")
        cli.ok("import", "-", typed=local)
        assert cli.ok("export").out == text
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()


def test_hostile_values_round_trip_and_no_terminal_obeys_them(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_words = [text for text in HOSTILE if cli("add", "--", f"{text} x").code == 0]
    assert len(with_words) > 10
    printed = cli.ok("export").out
    assert not any(c in printed for c in "\x1b\x07\x7f\x9b\u202e\u2066\u200b\r")
    table = cli.ok("export", "--format", "csv").out
    assert not any(c in table for c in "\x1b\x07\x7f\x9b\u202e\u2066\u200b\r")
    move(monkeypatch, tmp_path, "second")
    cli.ok("import", "-", typed=printed)
    assert cli.ok("export").out == printed


def test_a_table_calculates_nothing(cli: Cli) -> None:
    for text in ("=1+2", "+1", "@SUM(A1)", "-2", "  =cmd|'/C calc'!A0"):
        cli.ok("add", "--", text)
    rows = cli.ok("export", "--format", "csv").out.splitlines()[1:]
    assert len(rows) == 5 and all("'" in row for row in rows)
    assert not any(f",{sign}" in row for row in rows for sign in "=+-@")


def test_a_plain_list_comes_in_and_one_undo_takes_it_back(cli: Cli, tmp_path: Path) -> None:
    file = notes(tmp_path / "notes.txt", 30)
    told = cli.ok("import", str(file), "--scope", "contact:ana", "--json").json
    assert told["counts"]["new"] == 30 and told["run"]["state"] == "done"
    assert "contact:ana" in cli.ok("list").out
    listed = cli.ok("import", "--list", "--json").json["items"]
    assert [(each["id"], each["source"], each["counts"]["new"]) for each in listed] == [
        (told["run"]["id"], "notes.txt", 30)
    ]
    asked = cli("import", "--undo")
    assert asked.code == 2 and "--yes" in asked.err
    undone = cli.ok("import", "--undo", "--yes", "--json").json
    assert len(undone["gone"]) == 30
    assert cli.ok("list").out == ""
    assert cli("import", "--undo", "--yes").code == 3
    assert cli("import", "--undo", str(told["run"]["id"]), "--yes").code == 1
    assert cli("import", "--undo", "99", "--yes").code == 3


def test_a_dry_run_says_the_same_and_writes_nothing(cli: Cli, tmp_path: Path) -> None:
    file = notes(tmp_path / "notes.txt", 3)
    told = cli.ok("import", str(file), "--dry-run", "--json").json
    assert told["dryRun"] and told["counts"]["new"] == 3 and "run" not in told
    assert cli.ok("list").out == "" and cli.ok("import", "--list").out == ""


def broken(path: Path, cli: Cli) -> Path:
    """FR-99: 1,000 lines of our own, a few of them not as they should be."""
    path.parent.mkdir(exist_ok=True)
    template = json.loads(cli.ok("export").out.splitlines()[1])
    lines = []
    for number in range(1, 1_001):
        id = f"{number:08x}-1111-7000-8000-000000000000"
        lines.append(
            json.dumps(template | {"id": id, "versionId": id, "text": f"Fact number {number}"})
        )
    lines[499] = lines[499][:60]
    lines[500] = lines[500].replace('"version": 1', '"version": "1"')
    lines[501] = lines[501].replace("{", '{"colour": "red", ', 1)
    lines[502] = lines[502].replace("Fact number", "x" * 9_000)
    lines[503] = lines[503].replace("00:00.000Z", "00:00.000")
    path.write_text("\n".join(['{"localmem":"export","format":1,"history":false}', *lines]))
    return path


def test_a_dry_run_shows_what_would_be_kept_and_where(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "list.ndjson"
    told = [{"text": f"Fact {number}", "scope": "contact:ana"} for number in range(25)]
    told.append({"text": "token ghp_0123456789abcdefghijABCDEFGHIJ012345"})
    file.write_text("".join(json.dumps(each) + "\n" for each in told))
    result = cli.ok("import", str(file), "--dry-run", "--from", "claude")
    assert "line 1, new: Fact 0 (contact:ana, waits in the inbox)" in result.out
    assert "and 6 more that are new" in result.out
    assert "ghp_0123456789" not in result.out + result.err


def test_undoing_an_import_names_its_file(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("Likes tea.\n")
    cli.ok("import", str(file))
    asked = cli("import", "--undo", typed="n\n", terminal=True)
    assert "imported list.txt" in asked.err


def test_bad_lines_are_named_by_number_and_the_rest_is_taken(cli: Cli, tmp_path: Path) -> None:
    """FR-99: also a last line without its end (FR-98), and times without an offset (FR-105)."""
    cli.ok("add", "Something")
    file = broken(tmp_path / "broken.ndjson", cli)
    report = tmp_path / "report.ndjson"
    done = cli("import", str(file), "--report", str(report))
    assert done.code == 1
    assert "995 new, 5 refused" in done.out
    reasons = ((501, "Column 24: This text has no closing quote"), (502, "version"),
               (503, "colour"), (504, "8,192"), (505, "offset"))  # fmt: skip
    for number, reason in reasons:
        assert any(
            line.startswith(f"line {number}, refused") and reason in line
            for line in done.out.splitlines()
        ), (number, done.out)
    told = [json.loads(line) for line in report.read_text().splitlines()]
    assert [each["line"] for each in told] == [501, 502, 503, 504, 505]
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    assert cli.ok("usage", "--json").json["facts"][0]["used"] == 996


def test_strict_takes_nothing_when_one_line_is_bad(cli: Cli, tmp_path: Path) -> None:
    cli.ok("add", "Something")
    file = broken(tmp_path / "broken.ndjson", cli)
    for place, typed in ((str(file), b""), ("-", file.read_bytes())):
        done = cli("import", place, "--strict", typed=typed)
        assert done.code == 1 and "Nothing was written" in done.err
        assert "line 501" in done.out
        assert cli.ok("usage", "--json").json["facts"][0]["used"] == 1
    good = notes(tmp_path / "notes.txt", 3)
    assert "3 new" in cli.ok("import", "-", "--strict", typed=good.read_bytes()).out


def test_two_exports_that_were_joined_are_both_taken(cli: Cli) -> None:
    """FR-95, FR-98: byte order marks in the middle, CRLF, blank lines, no last line feed."""
    cli.ok("add", "First")
    one = cli.ok("export").out
    cli.ok("wipe", "--scope", "project", "--yes")
    cli.ok("add", "Second")
    two = cli.ok("export").out
    cli.ok("wipe", "--scope", "project", "--yes")
    joined = "\ufeff" + one.replace("\n", "\r\n") + "\ufeff" + two.rstrip("\n") + "\n\n\n"
    told = cli.ok("import", "-", "--bring-back", typed=joined)
    assert "2 new" in told.out
    held = cli.ok("list", "--json").json["items"]
    assert {each["text"] for each in held} == {"First", "Second"}


def test_a_newer_format_is_refused_with_a_way_on(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "new.ndjson"
    file.write_text('{"localmem":"export","format":2,"history":true,"more":1}\n')
    refused = cli("import", str(file))
    assert refused.code == 1 and "newer localmem" in refused.err and "Upgrade" in refused.err


def test_a_stopped_import_goes_on_where_it_stopped(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR-101: Ctrl-C keeps what was taken, and says how to go on and how to take it back."""
    file = notes(tmp_path / "notes.txt", 1_700)
    take, calls = Imports.take, []

    def interrupted(*given: object) -> object:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return take(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(Imports, "take", interrupted)
    stopped = cli("import", str(file))
    assert stopped.code == 130 and "1,000 new" in stopped.out
    assert "Stopped behind line 1,000" in stopped.err and "--undo 1" in stopped.err
    monkeypatch.undo()
    monkeypatch.setenv("LOCALMEM_HOME", str(cli.home))
    went_on = cli.ok("import", str(file))
    assert "Going on with import 1 behind line 1,000" in went_on.err
    assert "700 new" in went_on.out
    listed = cli.ok("import", "--list", "--json").json["items"]
    assert [(each["state"], each["counts"]["new"]) for each in listed] == [("done", 1_700)]
    assert len(cli.ok("import", "--undo", "--yes", "--json").json["gone"]) == 1_700


def test_a_terminal_sees_how_far_it_is_and_a_log_does_not(cli: Cli, tmp_path: Path) -> None:
    file = notes(tmp_path / "notes.txt", 1_600)
    assert "\r" not in cli.ok("import", str(file), "--dry-run").err
    cli.terminal = True
    seen = cli.ok("import", str(file)).err
    assert "1,000 lines" in seen and "100%" in seen and "--undo" in seen


def test_a_missing_or_wrong_file_is_a_sentence_and_a_way_on(cli: Cli, tmp_path: Path) -> None:
    """FR-104."""
    missing = cli("import", str(tmp_path / "none.ndjson"))
    assert missing.code == 1 and "none.ndjson" in missing.err
    assert cli("import").code == 2
    assert cli("import", str(notes(tmp_path / "a.txt", 1)), "--from", "nothing").code == 2
    report = tmp_path / "there"
    report.write_text("mine")
    assert cli("import", str(tmp_path / "a.txt"), "--report", str(report)).code == 1
    assert report.read_text() == "mine"


def test_secrets_in_a_file_are_masked_and_no_report_repeats_them(cli: Cli, tmp_path: Path) -> None:
    """FR-137."""
    secret = "ghp_" + "a1B2c3D4" * 5
    file = tmp_path / "notes.txt"
    file.write_text(f"The token is {secret}\nLikes tea\n")
    done = cli.ok("import", str(file), "--report", str(tmp_path / "r"))
    assert "masked" in done.out
    held = b"".join(each.read_bytes() for each in cli.home.rglob("*") if each.is_file())
    for text in (done.out, done.err, (tmp_path / "r").read_text(), held.decode("latin-1")):
        assert secret not in text


def test_a_collection_goes_out_and_comes_back_a_document_a_line(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli.ok("collections", "create", "orders", "--index", "status")
    cli.ok("collection", "set", "orders", "A", '{"status": "sent", "total": 1.0}')
    cli.ok("collection", "set", "orders", "B", "null")
    cli.ok("collection", "set", "orders", "C", "3", "--scope", "contact:ana")
    out = cli.ok("collection", "export", "orders").out
    lines = [json.loads(line) for line in out.splitlines()]
    assert [(each["key"], each["value"], each["rev"]) for each in lines] == [
        ("A", {"status": "sent", "total": 1.0}, 1), ("B", None, 1)
    ]  # fmt: skip
    assert cli("collection", "export", "none").code == 3
    changed = out.replace('"sent"', '"paid"')
    assert (
        "1 changed, 1 here already" in cli.ok("collection", "import", "orders", typed=changed).out
    )
    found = cli.ok("collection", "query", "orders", "--field", "status", "--eq", "paid", "--json")
    assert [each["rev"] for each in found.json["items"]] == [2]
    cli.ok("undo")
    assert "sent" in cli.ok("collection", "get", "orders", "A").out
    move(monkeypatch, tmp_path, "second")
    file = tmp_path / "orders.ndjson"
    file.write_text(out)
    assert "2 new" in cli.ok("collection", "import", "orders", "--file", str(file)).out
    assert cli.ok("collection", "export", "orders").out == out


def test_lines_of_a_collection_that_cannot_be_read_are_named(cli: Cli) -> None:
    """FR-99: a time to live as text, an empty key, a member that is not kept."""
    lines = [
        '{"key": "A", "value": 1, "colour": "red"}',
        '{"key": "B", "value": 1, "ttlSeconds": "300"}',
        '{"key": "", "value": 1}', '{"value": 1}', '{"key": "C"}', '{"key": "D", "value": 1',
        '{"key": "E", "value": 1, "ttlSeconds": 300}',
    ]  # fmt: skip
    done = cli("collection", "import", "orders", "-", typed="\n".join(lines))
    assert done.code == 1 and "2 new, 5 refused" in done.out
    assert "line 2, refused: The member ttlSeconds" in done.out
    assert "colour" in done.err
    assert cli.ok("collection", "get", "orders", "E", "--json").json["expiresAt"].endswith("Z")


def test_what_is_typed_into_a_pipe_is_read_once_and_nothing_is_left_in_a_folder(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing.tempfile, "tempdir", str(tmp_path))
    before = set(tmp_path.iterdir())
    cli.ok("import", "-", "--strict", typed="Likes tea\n")
    assert set(tmp_path.iterdir()) - before <= {cli.home}
