"""`config encrypt`, `decrypt`, `unlock`: what a person sees, with every keyring people have."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from localmem.credentials import ring
from tests.support import keyrings
from tests.support.keyrings import Keyring
from tests.surfaces.conftest import Cli

RECOVERY_KEY = re.compile(r"([0-9A-Z]{7}-){8}[0-9A-Z]{7}")
ENTRY = ("localmem", "library")


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> Keyring:
    keyring = Keyring()
    keyrings.install(monkeypatch, keyring)
    return keyring


@pytest.fixture
def tea(cli: Cli) -> str:
    """The id of the one fact that is kept."""
    return cli.new("add", "Prefers rare oolong tea.")


def on_disk(cli: Cli) -> bytes:
    return b"".join(file.read_bytes() for file in cli.home.iterdir() if file.is_file())


def test_encrypting_gives_a_recovery_key_once_and_everything_goes_on(
    cli: Cli, keyring: Keyring, tea: str
) -> None:
    result = cli("config", "encrypt", typed="y\n", terminal=True)
    assert result.code == 0, result.err
    assert RECOVERY_KEY.fullmatch(result.out.strip())
    assert "Encrypt your library?" in result.err and "in your keyring" in result.err
    assert result.out.strip() not in result.err
    assert keyring.held == {ENTRY: result.out.strip()}
    assert b"oolong" not in on_disk(cli)
    assert cli.ok("show", tea, "--json").json["text"] == "Prefers rare oolong tea."
    assert cli.ok("search", "oolong", "--words", "--json").json["items"]
    cli.ok("edit", tea, "Prefers white tea.")
    assert b"white tea" not in on_disk(cli)
    again = cli.ok("config", "encrypt", "--yes")
    assert (again.out, "already" in again.err) == ("", True)


def test_a_script_gets_the_key_as_json_and_must_say_yes(
    cli: Cli, keyring: Keyring, tea: str
) -> None:
    refused = cli("config", "encrypt", "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid_request")
    assert "--yes" in refused.error["message"]
    assert not keyring.held and b"oolong" in on_disk(cli)
    answer = cli.ok("config", "encrypt", "--yes", "--json").json
    assert answer == {"encrypted": True, "recoveryKey": keyring.held[ENTRY], "keptIn": "keyring"}


def test_a_no_at_the_question_changes_nothing(cli: Cli, keyring: Keyring, tea: str) -> None:
    result = cli("config", "encrypt", typed="\n", terminal=True)
    assert (result.code, result.out) == (1, "")
    assert "Nothing was changed" in result.err
    assert not keyring.held and b"oolong" in on_disk(cli)


def test_decrypting_keeps_the_key_for_old_backups_unless_told_to_forget_it(
    cli: Cli, keyring: Keyring, tea: str
) -> None:
    key = cli.ok("config", "encrypt", "--yes").out.strip()
    assert cli("config", "decrypt").code == 2
    cli.ok("config", "decrypt", "--yes")
    assert b"oolong" in on_disk(cli)
    assert keyring.held[ENTRY] == key
    same = cli.ok("config", "encrypt", "--yes")
    assert same.out.strip() == key and "had before" in same.err
    cli.ok("config", "decrypt", "--yes", "--forget-key")
    assert not keyring.held
    assert cli.ok("config", "decrypt", "--yes").err.strip() == "It is not encrypted."
    assert cli.ok("config", "encrypt", "--yes").out.strip() != key


BROKEN = {
    "no backend": keyrings.failing(RuntimeError("No recommended backend was available")),
    "locked": keyrings.failing(PermissionError("org.freedesktop.Secret is locked: KEY-77")),
    "no session": keyrings.failing(TypeError("DBus")),
    "forgetful": keyrings.forgetful(),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_without_a_keyring_that_keeps_nothing_is_encrypted(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tea: str, kind: str
) -> None:
    """FR-109, FR-112, FR-114: one sentence, a way on, and nothing the backend said."""
    keyrings.install(monkeypatch, BROKEN[kind])
    result = cli("config", "encrypt", "--yes", "--json")
    assert (result.code, result.error["code"], result.out) == (6, "store_locked", "")
    assert "nothing was changed" in result.error["message"]
    assert "--no-keyring" in result.error["hint"]
    assert "KEY-77" not in result.err
    assert b"oolong" in on_disk(cli)


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    release = threading.Event()
    keyring = keyrings.hanging(release)
    real = ring._patiently
    monkeypatch.setattr(ring, "_patiently", lambda ask, _: real(ask, 0.05))
    yield keyring
    release.set()


@pytest.mark.parametrize("kind", ["locked", "hanging", "empty"])
def test_a_library_whose_key_cannot_be_had_says_the_ways_on(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, keyring: Keyring, tea: str, kind: str,
    hanging: SimpleNamespace,
) -> None:  # fmt: skip
    """FR-110: nothing waits for ever, and it is not called damaged."""
    key = cli.ok("config", "encrypt", "--yes").out.strip()
    kinds = {"locked": BROKEN["locked"], "hanging": hanging, "empty": Keyring()}
    keyrings.install(monkeypatch, kinds[kind])
    before = on_disk(cli)
    for argv in (["list"], ["add", "Coffee."], ["search", "tea", "--words"], ["usage"]):
        result = cli(*argv, "--json")
        assert (result.code, result.error["code"]) == (6, "store_locked")
        assert "encrypted" in result.error["message"] and "damage" not in result.err
        assert "LOCALMEM_KEY" in result.error["hint"]
        assert "LOCALMEM_KEY_FILE" in result.error["hint"]
        # Only a keyring that answers can be given the key.
        assert ("config unlock" in result.error["hint"]) == (kind == "empty")
    assert on_disk(cli) == before
    monkeypatch.setenv("LOCALMEM_KEY", key)
    assert cli.ok("show", tea, "--json").json["text"] == "Prefers rare oolong tea."


def test_a_plain_library_never_touches_the_keyring(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tea: str
) -> None:
    """FR-117."""

    def blow_up(*_: str) -> str:
        raise AssertionError("asked")

    keyrings.install(monkeypatch, SimpleNamespace(get_password=blow_up, set_password=blow_up))
    cli.ok("edit", tea, "Prefers white tea.")
    cli.ok("search", "tea", "--words")
    cli.ok("backup", str(cli.home / "copy.db"))
    cli.ok("delete", tea, "--yes")


def test_a_machine_without_a_keyring_keeps_the_key_itself(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tea: str
) -> None:
    """FR-109: an environment variable, or a file that a service is handed."""
    result = cli.ok("config", "encrypt", "--no-keyring", "--yes")
    key = result.out.strip()
    assert "LOCALMEM_KEY" in result.err
    assert cli("show", tea).code == 6
    secret = cli.home.parent / "secret"
    for content in (key, key.lower() + "\n", "\ufeff" + key.replace("-", " ")):
        secret.write_text(content)
        monkeypatch.setenv("LOCALMEM_KEY_FILE", str(secret))
        cli.ok("show", tea)
    for content in ("", "not a key"):
        secret.write_text(content)
        assert cli("show", tea, "--json").error["code"] == "store_locked"
    monkeypatch.setenv("LOCALMEM_KEY_FILE", str(cli.home / "no-such-file"))
    assert "cannot be read" in cli("show", tea).err
    monkeypatch.setenv("LOCALMEM_KEY", key)
    cli.ok("show", tea)


def test_a_key_that_is_set_already_is_the_one_it_is_encrypted_with(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tea: str
) -> None:
    monkeypatch.setenv("LOCALMEM_KEY", "ab" * 32)
    answer = cli.ok("config", "encrypt", "--yes", "--json").json
    assert answer["keptIn"] == "LOCALMEM_KEY"
    cli.ok("show", tea)
    monkeypatch.setenv("LOCALMEM_KEY", answer["recoveryKey"])
    cli.ok("show", tea)


@pytest.mark.parametrize("value", ["secret-words", "0" * 63, "cd" * 32])
def test_a_wrong_key_in_the_environment_is_named_and_never_shown(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, keyring: Keyring, tea: str, value: str
) -> None:
    """FR-115."""
    cli.ok("config", "encrypt", "--yes")
    monkeypatch.setenv("LOCALMEM_KEY", value)
    result = cli("list", "--json")
    assert (result.code, result.error["code"]) == (6, "store_locked")
    assert value not in result.err
    assert cli("list").err.startswith("Error:")


def test_unlock_gives_a_new_keyring_the_key_once_it_opens_the_library(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, keyring: Keyring, tea: str
) -> None:
    key = cli.ok("config", "encrypt", "--yes").out.strip()
    new = Keyring()
    keyrings.install(monkeypatch, new)
    slip = ("0" if key[0] != "0" else "1") + key[1:]
    refused = cli("config", "unlock", "--json", typed=slip + "\n")
    assert (refused.code, refused.error["code"]) == (2, "invalid_request")
    assert "group 1 of 9" in refused.error["message"] and slip not in refused.err
    other = cli("config", "unlock", "--json", typed="ef" * 32 + "\n")
    assert other.error["code"] == "store_locked"
    assert not new.held
    asked = cli("config", "unlock", typed=key.lower() + "\n", terminal=True)
    assert asked.code == 0, asked.err
    assert "Type your recovery key" in asked.err and key not in asked.out + asked.err
    assert new.held == {ENTRY: key}
    cli.ok("show", tea)


def test_unlock_does_not_push_another_key_out_of_the_keyring(cli: Cli, keyring: Keyring) -> None:
    keyring.held[ENTRY] = "of another library"
    refused = cli("config", "unlock", "--json", typed="ef" * 32)
    assert (refused.code, keyring.held[ENTRY]) == (2, "of another library")
    assert "--replace" in refused.error["hint"]
    answer = cli.ok("config", "unlock", "--replace", "--json", typed="ef" * 32).json
    assert answer == {"unlocked": True, "tried": False}
    assert keyring.held[ENTRY] != "of another library"


def test_it_waits_for_nobody_who_has_the_library_open(cli: Cli, keyring: Keyring, tea: str) -> None:
    engine = cli.engine()
    engine.library.usage()
    result = cli("config", "encrypt", "--yes", "--json")
    assert (result.code, result.error["code"], result.out) == (6, "store_busy", "")
    assert "Close the app" in result.error["hint"]
    engine.close()
    cli.ok("config", "encrypt", "--yes")


def test_nothing_is_encrypted_when_the_recovery_key_cannot_be_written_out(
    cli: Cli, keyring: Keyring, tea: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from localmem.cli.console import Console, OutputLost

    def lose(_: Console) -> None:
        raise OutputLost("The output could not be written: no space left.")

    monkeypatch.setattr(Console, "flush", lose)
    assert cli("config", "encrypt", "--yes").code == 1
    assert b"oolong" in on_disk(cli)


def test_a_new_home_can_be_encrypted_before_anything_is_kept(cli: Cli, keyring: Keyring) -> None:
    cli.ok("config", "encrypt", "--yes")
    cli.ok("add", "Prefers rare oolong tea.")
    assert b"oolong" not in on_disk(cli)


def test_without_a_keyring_that_is_said_before_anything_is_asked(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tea: str
) -> None:
    keyrings.install(monkeypatch, keyrings.failing(RuntimeError("No keyring.")))
    result = cli("config", "encrypt", typed="y\n", terminal=True)
    assert result.code == 6 and "Encrypt your library?" not in result.err
    assert "--no-keyring" in result.err


def test_unlocking_a_plain_library_asks_for_no_key(cli: Cli, keyring: Keyring, tea: str) -> None:
    result = cli("config", "unlock", typed="", terminal=True)
    assert result.code == 0 and "not encrypted" in result.err
    assert "Type your recovery key" not in result.err
