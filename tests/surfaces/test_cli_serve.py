"""`localmem serve` beside a running server: who may use it; and how it refuses to listen."""

from __future__ import annotations

import builtins
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import localmem
from localmem.core.hosting import credential
from tests.surfaces.conftest import Cli


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "served"


def test_a_key_is_printed_once_and_kept_nowhere(cli: Cli, data: Path) -> None:
    made = cli.ok("serve", "keys", "create", "laptop", "--data", str(data)).out.strip()
    minted = credential(made)
    assert minted is not None and made.startswith("zv_live_")
    listed = cli.ok("serve", "keys", "list", "--data", str(data), "--json")
    (key,) = listed.json["keys"]
    assert key["prefix"] == minted.prefix and key["space"] == "default"
    assert key["scopes"] == ["memory:read", "memory:write", "memory:delete"]
    assert minted.secret not in listed.out
    files = [file for file in data.iterdir() if not file.name.endswith("-shm")]
    assert files and not any(minted.secret.encode() in file.read_bytes() for file in files)
    assert (data / "server.db").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("argv", "start"),
    [
        (["--test"], "zv_test_"),
        (["--kind", "shop"], "csk_live_"),
        (["--kind", "shop", "--test"], "csk_test_"),
    ],
)
def test_a_key_begins_as_its_kind_and_mode_say(
    cli: Cli, data: Path, argv: list[str], start: str
) -> None:
    made = cli.ok("serve", "keys", "create", "x", "--data", str(data), *argv).out
    assert made.startswith(start)


def test_a_revoked_key_says_so_and_a_key_can_name_itself(cli: Cli, data: Path) -> None:
    made = cli.ok("serve", "--data", str(data), "keys", "create", "laptop").out.strip()
    cli.ok("serve", "keys", "revoke", made, "--data", str(data))
    (key,) = cli.ok("serve", "keys", "list", "--data", str(data), "--json").json["keys"]
    assert "revokedAt" in key
    assert "revoked" in cli.ok("serve", "keys", "list", "--data", str(data)).out


def test_people_have_tokens_of_their_own(cli: Cli, data: Path) -> None:
    at = ("--data", str(data))
    cli.ok("serve", "people", "add", "Ana", *at)
    made = cli.ok("serve", "people", "token", "Ana", "--device", "phone", *at).out.strip()
    assert made.startswith("cps_")
    (person,) = cli.ok("serve", "people", "list", *at, "--json").json["people"]
    assert person["name"] == "Ana" and person["tokens"][0]["device"] == "phone"
    assert "expiresAt" in person["tokens"][0]
    cli.ok("serve", "people", "revoke", made[:12], *at)
    assert "revoked" in cli.ok("serve", "people", "list", *at).out


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("keys", "create", " "), "1 to 80 characters"),
        (("keys", "create", "x", "--scope", "memory:all"), "not a right"),
        (("keys", "create", "x", "--days", "0"), "1 to 3,650 days"),
        (("keys", "revoke", "zv_live_nothing"), "no such key"),
        (("people", "token", "Nobody"), "no person"),
        (("people", "revoke", "cps_nothing"), "no such token"),
        (("--host", "0.0.0.0"), "--tls-cert"),
        (("--host", "192.0.2.1", "--tls-key", "/nowhere"), "belong together"),
        (("--tls-cert", "/nowhere", "--tls-key", "/nowhere"), "not a file"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_made(
    cli: Cli, data: Path, argv: tuple[str, ...], said: str
) -> None:
    result = cli("serve", "--data", str(data), *argv)
    assert result.code == 2 and said in result.err, result.err
    if (data / "server.db").exists():
        assert cli.ok("serve", "keys", "list", "--data", str(data), "--json").json == {"keys": []}


def test_a_name_on_a_list_cannot_act_on_the_terminal(cli: Cli, data: Path) -> None:
    at = ("--data", str(data))
    assert cli("serve", "keys", "create", "a\x1b[31mb", *at).code == 2
    cli.ok("serve", "keys", "create", "[bold]ok[/]", *at)
    assert "[bold]ok[/]" in cli.ok("serve", "keys", "list", *at).out


def test_another_database_in_its_place_is_left_alone(cli: Cli, data: Path) -> None:
    data.mkdir()
    other = sqlite3.connect(data / "server.db")
    other.execute("CREATE TABLE mine (x)")
    other.close()
    before = (data / "server.db").read_bytes()
    result = cli("serve", "keys", "list", "--data", str(data))
    assert result.code == 6 and "not one of a localmem server" in result.err
    assert (data / "server.db").read_bytes() == before


def test_a_restore_says_from_where_to_where_and_that_nobody_knew_what_was_revoked(
    cli: Cli, data: Path, tmp_path: Path
) -> None:
    cli.ok("serve", "people", "add", "Ana", "--data", str(data))
    cli.ok("serve", "spaces", "create", "shop", "--data", str(data))
    copy, elsewhere = tmp_path / "copy", tmp_path / "elsewhere"
    cli.ok("serve", "backup", str(copy), "--data", str(data))
    there = cli.ok("serve", "restore", str(copy), "--data", str(data), "--yes")
    assert str(copy) in there.err and str(data) in there.err and "1 person" in there.err
    assert "the new folder" not in there.err and "revoked" not in there.err
    into_new = cli.ok("serve", "restore", str(copy), "--data", str(elsewhere), "--yes")
    assert f"to the new folder {elsewhere}" in into_new.err
    assert "keys and tokens revoked since open it again" in into_new.err


def test_a_space_and_a_person_are_removed_and_a_plan_is_changed(cli: Cli, data: Path) -> None:
    where = ("--data", str(data))
    cli.ok("serve", "people", "add", "Ana", *where)
    cli.ok("serve", "spaces", "create", "shop", *where)
    again = cli("serve", "spaces", "create", "shop", "--plan", "pro", *where)
    assert again.code != 0 and "serve spaces plan" in again.err
    cli.ok("serve", "spaces", "plan", "shop", "pro", *where)
    (space,) = cli.ok("serve", "spaces", "list", *where, "--json").json["spaces"]
    assert space["plan"] == "pro"
    unasked = cli("serve", "spaces", "remove", "shop", *where)
    assert unasked.code != 0 and "--yes" in unasked.err
    gone = cli.ok("serve", "spaces", "remove", "shop", "--yes", "--json", *where).json
    assert gone == {"id": space["id"], "removed": True, "erased": True}
    cli.ok("serve", "people", "remove", "Ana", "--yes", *where)
    assert cli.ok("serve", "spaces", "list", *where, "--json").json["spaces"] == []
    assert cli.ok("serve", "people", "list", *where, "--json").json["people"] == []
    assert cli("serve", "people", "remove", "Ana", "--yes", *where).code != 0


def test_a_shop_key_is_listed_without_rights_in_the_memory(cli: Cli, data: Path) -> None:
    cli.ok("serve", "keys", "create", "vendor", "--kind", "shop", "--data", str(data))
    listed = cli.ok("serve", "keys", "list", "--data", str(data))
    assert "memory:" not in listed.out and "sessions alone" in listed.out
    (key,) = cli.ok("serve", "keys", "list", "--data", str(data), "--json").json["keys"]
    assert key["scopes"] == []


def test_a_damaged_database_names_the_way_back(cli: Cli, data: Path, tmp_path: Path) -> None:
    cli.ok("serve", "keys", "create", "laptop", "--data", str(data))
    (data / "server.db").write_bytes(b"this is no database at all" * 400)
    for argv in (("keys", "list"), ("backup", str(tmp_path / "copy"))):
        refused = cli("serve", *argv, "--data", str(data))
        assert refused.code != 0 and "localmem serve restore FOLDER" in refused.err
        assert "backup --restore" not in refused.err


def test_without_the_extra_it_says_what_to_install(
    cli: Cli, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setattr(localmem, "server", getattr(localmem, "server", None), raising=False)
    for name in [name for name in sys.modules if name.startswith("localmem.server")]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] in ("fastapi", "uvicorn", "starlette"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    result = cli("serve", "--data", str(data))
    assert result.code == 2 and "pip install 'localmem[server]'" in result.err
    assert not data.exists()
