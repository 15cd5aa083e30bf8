"""`localmem doctor` as a script and as a person uses it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import apsw
import pytest

from tests.support.library import WordsEmbedder
from tests.surfaces.conftest import Cli

KEY = "sk-live-51Hq8kZt2eZvKYlo2C0aQ9rN"


@pytest.fixture(autouse=True)
def _small_model(model: WordsEmbedder) -> None:
    """Every doctor here tries the small model."""


def harm(cli: Cli, statement: str) -> None:
    connection = apsw.Connection(str(cli.home / "library.db"))
    connection.execute(statement)
    connection.close()


def test_a_sound_library_answers_0_and_every_finding_is_a_sentence(cli: Cli) -> None:
    cli.new("add", "Prefers tea.")
    result = cli.ok("doctor", "--json")
    assert result.json["state"] in ("ok", "note") and result.json["mended"] == []
    for finding in result.json["findings"]:
        assert finding["said"].endswith(".") and finding["gravity"] in ("ok", "note", "problem")
    assert "The library is whole." in cli.ok("doctor").out


def test_a_problem_answers_9_and_nothing_is_changed_without_fix(cli: Cli) -> None:
    cli.new("add", "Prefers tea.")
    harm(cli, "DELETE FROM words")
    before = (cli.home / "library.db").read_bytes()
    result = cli("doctor")
    assert result.code == 9
    assert "✗ problem  The word index does not fit" in result.out
    assert "Fix: Fill the word index again." in result.out and "Undo:" in result.out
    assert "doctor --fix" in result.err
    assert (cli.home / "library.db").read_bytes() == before


def test_fix_with_yes_mends_says_how_to_undo_and_looks_again(cli: Cli) -> None:
    cli.new("add", "Prefers tea.")
    harm(cli, "DELETE FROM words")
    shape = cli.ok("doctor", "--fix", "--yes", "--json").json
    done = {each["code"]: each for each in shape["mended"]}
    assert done["words_broken"]["done"] and done["words_broken"]["undo"]
    assert shape["state"] == "ok"
    assert cli.ok("search", "--words", "tea").out


def test_fix_asks_before_each_and_a_no_leaves_it(cli: Cli) -> None:
    cli.new("add", "Prefers tea.")
    harm(cli, "DELETE FROM words")
    declined = cli("doctor", "--fix", typed="n\nn\n", terminal=True)
    assert declined.code == 9 and "Left as it is." in declined.err
    agreed = cli("doctor", "--fix", typed="y\ny\ny\n", terminal=True)
    assert agreed.code == 0 and "Done: The word index was filled again." in agreed.out


def test_fix_never_asks_where_nobody_can_answer(cli: Cli) -> None:
    cli.new("add", "Prefers tea.")
    harm(cli, "DELETE FROM words")
    result = cli("doctor", "--fix")
    assert result.code == 2 and "--yes" in result.err and "Nothing was done" in result.err


def test_secrets_are_named_by_id_and_kind_and_masked_by_name_only(cli: Cli) -> None:
    """FR-135."""
    id = cli.new("add", f"The key is {KEY}", "--keep-secret")
    found = cli("doctor")
    assert found.code == 9 and id[:13] in found.out and "api key" in found.out
    assert KEY not in found.out + found.err
    cli("doctor", "--fix", "--yes")
    assert KEY in cli.ok("show", id).out, "--fix masks nothing"

    assert cli("doctor", "--mask", id).code == 2, "asks, and nobody can be asked"
    receipt = cli.ok("doctor", "--mask", id, "--yes")
    assert receipt.out.startswith("Masked: 1 item, 1 version")
    assert "found none" in receipt.out
    assert "[api key removed]" in cli.ok("show", id).out
    files = [file.read_bytes() for file in cli.home.iterdir() if file.is_file()]
    assert not any(KEY.encode() in content for content in files)
    assert cli.ok("doctor", "--mask", "all", "--yes").out.strip().startswith("Nothing there")


def test_masking_of_what_is_not_kept_masks_nothing(cli: Cli) -> None:
    id = cli.new("add", f"The key is {KEY}", "--keep-secret")
    assert cli("doctor", "--mask", id, "--mask", "0199c1b2-3d4e", "--yes").code == 3
    assert KEY in cli.ok("show", id).out


def test_a_report_holds_codes_and_ids_and_no_place_name_or_text(cli: Cli) -> None:
    cli.new("add", f"The key is {KEY}", "--keep-secret", "--scope", "contact:ana")
    harm(cli, "DELETE FROM words")
    for argv in (("--report",), ("--report", "--json")):
        result = cli("doctor", *argv)
        assert result.code == 9
        assert "words_broken" in result.out and "sqlite" in result.out
        for private in (KEY, "ana", str(cli.home), "key is", os.path.expanduser("~")):
            assert private not in result.out
    assert json.loads(cli("doctor", "--report", "--json").out)["findings"]


@pytest.mark.parametrize("named", ["a file", "loop", "~nobody-of-that-name/x"])
def test_a_home_that_cannot_be_is_a_finding_with_its_cause(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    """FR-149: what keeps localmem from starting is said with its cause, never a traceback."""
    (tmp_path / "a file").write_text("x")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    home = named if named.startswith("~") else str(tmp_path / named)
    monkeypatch.setenv("LOCALMEM_HOME", home)
    result = cli("doctor")
    assert result.code == 9 and "✗ problem" in result.out and "LOCALMEM_HOME" in result.out
    assert "Traceback" not in result.err


@pytest.mark.parametrize("name", ["with space", "ação 🌿 名前", "a" * 120 + "/" + "b" * 120])
def test_spaces_other_scripts_and_long_names_in_the_home_are_fine(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """FR-149."""
    monkeypatch.setenv("LOCALMEM_HOME", str(tmp_path / name))
    cli.new("add", "Prefers tea.")
    assert "The library is whole." in cli.ok("doctor").out


def test_what_is_not_understood_in_the_settings_is_told_once(cli: Cli) -> None:
    cli.new("add", "Prefers tea.")
    (cli.home / "config.toml").write_text("flor = 0.3\n")
    (cli.home / "config.toml").chmod(0o600)
    result = cli("doctor")
    assert result.code == 9
    assert (result.out + result.err).count("Did you mean floor") == 1


def test_the_answer_fits_60_columns(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")
    cli.new("add", f"The key is {KEY}", "--keep-secret")
    harm(cli, "DELETE FROM words")
    result = cli("doctor", terminal=True)
    assert max(map(len, result.out.splitlines())) <= 60


def test_keys_that_clash_are_a_finding(cli: Cli) -> None:
    cli.new("add", "Prefers tea.")
    (cli.home / "config.toml").write_text('[keys]\nedit = "h"\n')
    (cli.home / "config.toml").chmod(0o600)
    result = cli("doctor")
    assert result.code == 9 and "history" in result.out and "edit" in result.out


def test_a_keyring_that_cannot_be_had_is_told_only_where_a_key_may_be_needed(cli: Cli) -> None:
    cli.new("add", "Prefers tea.")
    assert "keyring" not in cli.ok("doctor").out
    cli.monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "nowhere.Broken")
    (cli.home / "config.toml").write_text('model = "openai:m@http://localhost:1/v1"\n')
    (cli.home / "config.toml").chmod(0o600)
    assert "keyring" in cli("doctor").out


def test_an_encrypted_library_without_its_key_is_a_finding_with_a_way_on(cli: Cli) -> None:
    cli.new("add", "Prefers tea.")
    shown = cli.ok("config", "encrypt", "--no-keyring", "--yes", "--json")
    assert shown.code == 0
    locked = cli("doctor")
    assert locked.code == 9 and "encrypted" in locked.out and "Fix:" in locked.out
