"""`backup`: writing copies, and bringing one back; what is said before and after."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.support import keyrings
from tests.support.keyrings import Keyring
from tests.surfaces.conftest import Cli


@pytest.fixture
def copy(cli: Cli) -> Path:
    """A backup of two facts and a preference; a third fact came later."""
    cli.ok("add", "Likes oolong tea.")
    cli.ok("add", "Likes walks.")
    cli.ok("pref", "remember", "shoe_size", "42")
    target = cli.home.parent / "copy.db"
    cli.ok("backup", str(target))
    cli.clock.advance(3600)
    cli.ok("add", "Came later.")
    return target


def kept(cli: Cli) -> set[str]:
    held = cli.ok("list", "--kind", "fact", "--json").json["items"]
    return {item["text"] for item in held}


def test_a_person_is_told_what_is_replaced_and_may_say_no(cli: Cli, copy: Path) -> None:
    result = cli("backup", "--restore", str(copy), typed="n\n", terminal=True)
    assert result.code == 1
    assert "Now:  3 facts, 1 preference, 0 documents; last change 2026-11-30 19:00" in result.err
    assert "Then: 2 facts, 1 preference, 0 documents; last change 2026-11-30 18:00" in result.err
    assert "Put copy.db in the place of your library? [y/N]" in result.err
    assert "Nothing was restored" in result.err
    assert "Came later." in kept(cli)


def test_a_yes_restores_names_the_file_to_go_back_to_and_it_works(cli: Cli, copy: Path) -> None:
    result = cli("backup", "--restore", str(copy), typed="y\n", terminal=True)
    assert result.code == 0, result.err
    before = Path(result.out.strip())
    assert before.parent == cli.home and before.name.startswith("before-restore-20261130T190000Z")
    assert kept(cli) == {"Likes oolong tea.", "Likes walks."}
    assert "restored" in cli.ok("activity").out
    cli.ok("backup", "--restore", str(before), "--yes")
    assert kept(cli) == {"Likes oolong tea.", "Likes walks.", "Came later."}


def test_without_a_terminal_nothing_is_replaced_unless_told(cli: Cli, copy: Path) -> None:
    refused = cli("backup", "--restore", str(copy), "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid_request")
    answer = cli.ok("backup", "--restore", str(copy), "--yes", "--json").json
    assert answer == {
        "restored": str(copy), "keptAs": answer["keptAs"], "facts": 2, "preferences": 1,
        "documents": 0, "stillForgotten": 0, "encrypted": False,
    }  # fmt: skip
    assert Path(answer["keptAs"]).is_file()


def test_a_copy_may_be_named_from_the_folder_one_is_in(
    cli: Cli, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copy.parent)
    answer = cli.ok("backup", "--restore", copy.name, "--yes", "--json").json
    assert answer["facts"] == 2
    torn = copy.with_name("torn.db")
    torn.write_bytes(copy.read_bytes()[:5_000])
    result = cli("backup", "--restore", torn.name, "--yes", "--json")
    assert (result.code, result.error["code"]) == (1, "restore_failed"), result.err


def test_what_was_forgotten_since_stays_forgotten_and_that_is_said(cli: Cli, copy: Path) -> None:
    tea = next(
        item["id"] for item in cli.ok("list", "--json").json["items"]
        if item.get("text") == "Likes oolong tea."
    )  # fmt: skip
    cli.ok("delete", tea, "--yes")
    result = cli.ok("backup", "--restore", str(copy), "--yes")
    assert "1 memory you have forgotten since" in result.err
    assert kept(cli) == {"Likes walks."}
    cli.ok("backup", "--restore", str(copy), "--forgotten-too", "--yes")
    assert kept(cli) == {"Likes walks.", "Likes oolong tea."}


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("--restore", "--plain", "x.db"), 2),
        (("--forgotten-too", "x.db"), 2),
        (("--restore", "/no/such/file.db", "--yes"), 1),
        (("--restore", "", "--yes"), 2),
        (("--restore",), 2),
    ],
)
def test_what_makes_no_sense_is_answered_with_a_sentence(
    cli: Cli, copy: Path, argv: tuple[str, ...], code: int
) -> None:
    result = cli("backup", *argv, "--json")
    assert result.code == code, result.err
    assert result.error["message"] and result.out == ""
    assert "Came later." in kept(cli)


def test_a_file_that_is_no_library_is_refused_and_the_library_stays(cli: Cli, copy: Path) -> None:
    for content in (b"hello", copy.read_bytes()[:9000], b""):
        copy.write_bytes(content)
        result = cli("backup", "--restore", str(copy), "--yes", "--json")
        assert (result.code, result.error["code"]) == (1, "restore_failed"), result.err
        assert copy.read_bytes() == content
    assert "Came later." in kept(cli)


def test_it_is_refused_while_the_app_is_open(cli: Cli, copy: Path) -> None:
    engine = cli.engine()
    engine.library.usage()
    result = cli("backup", "--restore", str(copy), "--yes", "--json")
    assert (result.code, result.error["code"]) == (6, "store_busy")
    engine.close()


def test_a_damaged_library_is_replaced_and_kept(cli: Cli, copy: Path) -> None:
    """FR-65."""
    (cli.home / "library.db").write_bytes(b"\0" * 20_000)
    assert cli("list", "--json").error["code"] == "store_damaged"
    assert "backup --restore" in cli("list").err
    result = cli("backup", "--restore", str(copy), typed="y\n", terminal=True)
    assert result.code == 0, result.err
    assert "Now:  a library that cannot be read" in result.err
    assert Path(result.out.strip()).read_bytes() == b"\0" * 20_000
    assert kept(cli) == {"Likes oolong tea.", "Likes walks."}


def test_an_encrypted_library_gives_encrypted_copies_and_plain_ones_when_asked(
    cli: Cli, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyrings.install(monkeypatch, Keyring())
    cli.ok("config", "encrypt", "--yes")
    sealed, plain = cli.home / "sealed.db", cli.home / "plain.db"
    told = cli("backup", str(sealed), terminal=True)
    assert "encrypted with the library's key" in told.err
    assert cli("backup", "--plain", str(plain), "--json").code == 2
    assert cli("backup", "--plain", str(plain), typed="n\n", terminal=True).code == 1
    assert not plain.exists()
    assert cli.ok("backup", "--plain", str(plain), "--yes", "--json").json["encrypted"] is False
    assert b"oolong" in plain.read_bytes() and b"oolong" not in sealed.read_bytes()
    cli.ok("add", "Came after that.")
    answer = cli.ok("backup", "--restore", str(sealed), "--yes", "--json").json
    assert answer["encrypted"] is True
    assert "Came after that." not in kept(cli)
    assert b"oolong" not in (cli.home / "library.db").read_bytes()


def test_an_encrypted_copy_goes_to_another_machine_with_its_recovery_key(
    cli: Cli, copy: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keyrings.install(monkeypatch, Keyring())
    key = cli.ok("config", "encrypt", "--yes").out.strip()
    sealed = cli.home / "sealed.db"
    cli.ok("backup", str(sealed))
    keyrings.install(monkeypatch, Keyring())
    monkeypatch.setenv("LOCALMEM_HOME", str(tmp_path / "other-machine"))
    refused = cli("backup", "--restore", str(sealed), "--yes", "--json")
    assert (refused.code, refused.error["code"]) == (6, "store_locked")
    assert cli.ok("config", "unlock", "--for", str(sealed), "--json", typed=key).json["tried"]
    answer = cli.ok("backup", "--restore", str(sealed), "--yes", "--json").json
    assert answer["keptAs"] is None
    assert "Came later." in kept(cli)


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")
def test_copies_and_what_is_kept_beside_are_private(cli: Cli, copy: Path) -> None:
    """FR-140."""
    before = os.umask(0o022)
    try:
        written = cli.home / "again.db"
        cli.ok("backup", str(written))
        kept_as = cli.ok("backup", "--restore", str(copy), "--yes").out.strip()
    finally:
        os.umask(before)
    for file in (written, Path(kept_as), cli.home / "library.db"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    assert stat.S_IMODE(cli.home.stat().st_mode) == 0o700
