"""`account login`, `status`, `logout`: what a person sees, and where the key never goes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from localmem.core.syncing import Look, NotDone, Outcome, SignedIn, State
from tests.support import keyrings, syncing
from tests.support.syncing import ACCOUNT, KEY, NO_KEYRING, PASSPHRASE, URL, FakeSyncing
from tests.support.terminal import Terminal
from tests.surfaces.conftest import Cli
from tests.surfaces.test_cli_hostile import DANGEROUS, HOSTILE

SIGNED_OUT, NO_ANSWER = 13, 12
LATER, ANOTHER = "check the address, or sign in later", "sign in with one that may read"


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeSyncing:
    """Nobody is signed in yet."""
    keyrings.install(monkeypatch, keyrings.Keyring())
    return syncing.install(monkeypatch, FakeSyncing())


# the address


def test_the_address_is_the_argument_then_the_setting_then_what_is_typed(
    cli: Cli, fake: FakeSyncing
) -> None:
    cli.ok("account", "login", URL, typed=KEY + "\n")
    cli.ok("config", "set", "account.url", "https://other.example.com")
    cli.ok("account", "login", typed=KEY + "\n")
    cli.ok("config", "unset", "account.url")
    fake.account = None
    asked = cli("account", "login", typed=f"memory.example.org\n{KEY}\n", terminal=True)
    assert asked.code == 0 and "The address of the memory API:" in asked.err
    assert "it is used with https://" in asked.err
    assert [url for url, _, _ in fake.given] == [
        URL, "https://other.example.com", "https://memory.example.org"
    ]  # fmt: skip


def test_who_was_signed_in_before_needs_no_address(cli: Cli, fake: FakeSyncing) -> None:
    fake.account = ACCOUNT
    cli.ok("account", "login", typed=KEY + "\n")
    assert fake.given[0][0] == URL


def test_without_an_address_and_a_person_it_says_what_is_missing(
    cli: Cli, fake: FakeSyncing
) -> None:
    refused = cli("account", "login", "--json", typed=KEY + "\n")
    assert (refused.code, refused.error["code"]) == (2, "invalid_request")
    assert "account.url" in refused.error["message"] and not fake.asked


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("http://memory.example.com", "https"),
        ("https://ana:secret@memory.example.com", "name or a password"),
        ("https://memory.example.com/?key=1", "behind ? or #"),
        ("ftp://memory.example.com", "https://"),
    ],
)
def test_an_address_that_cannot_be_is_refused_and_not_repeated(
    cli: Cli, fake: FakeSyncing, typed: str, why: str
) -> None:
    refused = cli("account", "login", typed, "--json", typed=KEY + "\n")
    assert (refused.code, refused.error["code"]) == (2, "invalid_request")
    assert why in refused.error["message"] and typed not in refused.err
    assert not fake.asked


def test_a_key_in_the_place_of_the_address_is_seen_and_never_looked_up(
    cli: Cli, fake: FakeSyncing
) -> None:
    refused = cli("account", "login", KEY, typed="x\n", terminal=True)
    assert refused.code == 2 and "looks like a key" in refused.err and "revoke" in refused.err
    assert KEY[8:] not in refused.out + refused.err and not fake.asked


def test_a_key_behind_the_address_is_not_repeated(cli: Cli, fake: FakeSyncing) -> None:
    refused = cli("account", "login", URL, KEY)
    assert refused.code == 2 and KEY[:16] not in refused.err


# the key


def test_the_key_is_read_from_stdin_where_nobody_types(cli: Cli, fake: FakeSyncing) -> None:
    for raw in (KEY, f"{KEY}\n", f'  "{KEY}"\r\nmore\n', f"Authorization: Bearer {KEY}\n"):
        fake.account = None
        result = cli.ok("account", "login", URL, typed=raw)
        assert KEY not in result.out + result.err
    assert {key for _, key, _ in fake.given} == {KEY}


def test_a_person_is_asked_for_it(cli: Cli, fake: FakeSyncing) -> None:
    result = cli("account", "login", URL, typed=KEY + "\n", terminal=True)
    assert result.code == 0
    assert "The account's key (it is not shown):" in result.err
    assert KEY not in result.out + result.err


def test_a_file_may_hold_it(cli: Cli, fake: FakeSyncing, tmp_path: Path) -> None:
    file = tmp_path / "key file"
    file.write_text(f"\ufeff{KEY}\n")
    result = cli.ok("account", "login", URL, "--key-file", str(file), "--json")
    assert fake.given == [(URL, KEY, None)] and KEY not in result.out + result.err
    missing = cli("account", "login", URL, "--key-file", str(tmp_path / "none"), "--json")
    assert (missing.code, missing.error["code"]) == (2, "invalid_request")
    file.write_bytes(b"\xff\xfe\x00")
    assert "not text" in cli("account", "login", URL, "--key-file", str(file)).err


def test_a_machine_s_variable_gives_it_unasked(cli: Cli, fake: FakeSyncing) -> None:
    cli.monkeypatch.setenv("LOCALMEM_ACCOUNT_KEY", KEY)
    result = cli.ok("account", "login", URL)
    assert fake.given == [(URL, KEY, None)]
    assert "taken from LOCALMEM_ACCOUNT_KEY" in result.err and KEY not in result.err
    cli.monkeypatch.delenv("LOCALMEM_ACCOUNT_KEY")
    cli.monkeypatch.setenv("LOCALMEM_ACCOUNT_KEY_FILE", str(cli.home / "none"))
    broken = cli("account", "login", URL, "--json")
    assert broken.code == 2 and "LOCALMEM_ACCOUNT_KEY_FILE" in broken.error["message"]


@pytest.mark.parametrize("typed", ["", "\n", "short\n", "has a space in its middle 1234\n"])
def test_what_is_no_key_is_not_sent(cli: Cli, fake: FakeSyncing, typed: str) -> None:
    refused = cli("account", "login", URL, "--json", typed=typed)
    assert (refused.code, refused.error["code"]) == (2, "invalid_request")
    assert "not an account's key" in refused.error["message"] and not fake.asked


def test_there_is_no_option_that_takes_a_key(cli: Cli) -> None:
    """What stands on a command line is seen by everybody on the machine."""
    help = cli.ok("account", "login", "--help").out
    assert "--key-file" in help and "--key " not in help and "--token" not in help


# what comes of it


def test_it_tells_what_it_found_and_what_sync_will_do(cli: Cli, fake: FakeSyncing) -> None:
    result = cli("account", "login", URL, typed=KEY + "\n", terminal=True)
    assert result.out.splitlines() == [
        "account  memory.example.com (live) at https://memory.example.com",
        "key      in your keyring",
        "here     12 items",
        "there    3 changes",
    ]
    assert "brings both together" in result.err and "--dry-run" in result.err


@pytest.mark.parametrize(
    ("first", "here", "there", "said"),
    [
        (False, 5, 5, "goes on where it was"),
        (True, 0, 5, "takes what the account has"),
        (True, 1, 0, "sends your 1 item"),
        (True, 5, 5, "brings both together"),
    ],
)
def test_what_comes_next_depends_on_both_sides(
    cli: Cli, fake: FakeSyncing, first: bool, here: int, there: int, said: str
) -> None:
    fake.signs = SignedIn(ACCOUNT, first, here, there, "file", ("Another key is left.",))
    result = cli("account", "login", URL, typed=KEY + "\n", terminal=True)
    assert result.code == 0 and said in result.err
    assert "in an encrypted file" in result.out and "Another key is left." in result.err


def test_a_script_gets_json(cli: Cli, fake: FakeSyncing) -> None:
    assert cli.ok("account", "login", URL, "--json", typed=KEY).json == {
        "account": {
            "url": URL,
            "label": "memory.example.com",
            "server": "srv-1",
            "account": "acc-1",
            "partition": "live",
            "signedInAt": "2026-09-21T14:13:20.000Z",
        },
        "first": True,
        "here": 12,
        "there": 3,
        "where": "keyring",
        "warnings": [],
    }


@pytest.mark.parametrize(
    ("code", "exit_code", "hint"),
    [
        ("offline", NO_ANSWER, LATER), ("certificate", NO_ANSWER, LATER),
        ("not_a_memory_api", NO_ANSWER, LATER), ("unauthorized", SIGNED_OUT, ANOTHER),
        ("bearer_token_has_no_person", SIGNED_OUT, ANOTHER),
        ("invalid_key", 2, "The next run goes on."), ("anything_else", 1, "The next run goes on."),
    ],
)  # fmt: skip
def test_what_was_not_done_is_a_sentence_and_a_code_and_promises_no_next_run(
    cli: Cli, fake: FakeSyncing, code: str, exit_code: int, hint: str
) -> None:
    fake.signs = NotDone(code, "It was not done.", "The next run goes on.")
    shown = cli("account", "login", URL, typed=KEY)
    assert (shown.code, shown.out) == (exit_code, "")
    assert "Error: It was not done." in shown.err and hint in " ".join(shown.err.split())
    error = cli("account", "login", URL, "--json", typed=KEY).error
    assert (error["code"], error["message"]) == (code, "It was not done.")
    assert hint in error["hint"]


# a machine without a keyring (FR-109, FR-112, FR-114)


def test_without_a_keyring_the_file_needs_consent_and_a_passphrase_typed_twice(
    cli: Cli, fake: FakeSyncing
) -> None:
    fake.place = "file"
    typed = f"{KEY}\ny\n{PASSPHRASE}\n{PASSPHRASE}\n"
    result = cli("account", "login", URL, typed=typed, terminal=True)
    assert result.code == 0, result.err
    assert "Keep the key in an encrypted file beside your library" in result.err
    assert "in an encrypted file beside your library" in result.out
    assert fake.given[-1] == (URL, KEY, PASSPHRASE)
    assert PASSPHRASE not in result.out + result.err


@pytest.mark.parametrize(
    "typed", ["n\n", "\n", "", "y\n\n", "y\none of them 12\nanother of it\n" * 3]
)
def test_without_consent_nothing_is_kept(cli: Cli, fake: FakeSyncing, typed: str) -> None:
    fake.place = "file"
    result = cli("account", "login", URL, typed=f"{KEY}\n{typed}", terminal=True)
    assert (result.code, result.out) == (1, "")
    assert "Not signed in" in result.err
    assert [passphrase for _, _, passphrase in fake.given] == [None]


def test_a_weak_passphrase_is_asked_for_again_and_two_that_differ_too(
    cli: Cli, fake: FakeSyncing
) -> None:
    fake.place = "file"
    typed = f"{KEY}\ny\nweak\nweak\n{PASSPHRASE}\nother\n{PASSPHRASE}\n{PASSPHRASE}\n"
    result = cli("account", "login", URL, typed=typed, terminal=True)
    assert result.code == 0
    assert "at least 12 characters" in result.err and "These two differ." in result.err
    assert fake.given[-1][2] == PASSPHRASE


def test_a_machine_is_given_the_passphrase_in_its_environment(
    cli: Cli, fake: FakeSyncing, tmp_path: Path
) -> None:
    fake.place = "file"
    refused = cli("account", "login", URL, "--json", typed=KEY)
    assert (refused.code, refused.error["code"]) == (1, NO_KEYRING.code)
    assert "LOCALMEM_ACCOUNT_PASSPHRASE" in refused.error["hint"]
    assert "at least 12 characters" in refused.error["hint"]
    assert "at least 12 characters" in " ".join(cli.ok("account", "login", "--help").out.split())
    cli.monkeypatch.setenv("LOCALMEM_ACCOUNT_PASSPHRASE", PASSPHRASE)
    result = cli.ok("account", "login", URL, "--json", typed=KEY)
    assert result.json["where"] == "file" and PASSPHRASE not in result.out + result.err
    cli.monkeypatch.delenv("LOCALMEM_ACCOUNT_PASSPHRASE")
    cli.monkeypatch.setenv("LOCALMEM_ACCOUNT_PASSPHRASE_FILE", str(tmp_path / "none"))
    broken = cli("account", "login", URL, "--json", typed=KEY)
    assert broken.code == 1 and "LOCALMEM_ACCOUNT_PASSPHRASE_FILE" in broken.error["message"]


# status


def test_status_asks_the_network_only_when_it_is_told_to(cli: Cli, fake: FakeSyncing) -> None:
    fake.account = ACCOUNT
    shown = cli.ok("account", "status").out
    assert "memory.example.com (live) at https://memory.example.com" in shown
    assert "in step" in shown and not fake.asked
    checked = cli.ok("account", "status", "--check").out
    assert "checked       the key is let in" in checked and fake.asked == ["look"]


def test_status_says_where_the_key_is(cli: Cli, fake: FakeSyncing) -> None:
    ring = keyrings.Keyring()
    ring.held["localmem", "account"] = KEY
    keyrings.install(cli.monkeypatch, ring)
    fake.account = ACCOUNT
    cli.monkeypatch.setenv("LOCALMEM_ACCOUNT_KEY", KEY)
    shown = cli.ok("account", "status")
    assert "environment: LOCALMEM_ACCOUNT_KEY; keyring: localmem/account" in shown.out
    shape = cli.ok("account", "status", "--json")
    assert shape.json["key"] == [
        {"place": "environment", "name": "LOCALMEM_ACCOUNT_KEY"},
        {"place": "keyring", "name": "localmem/account"},
    ]
    assert KEY not in shown.out + shown.err + shape.out + shape.err


def test_status_of_nobody_has_its_own_exit_code(cli: Cli, fake: FakeSyncing) -> None:
    shown = cli("account", "status")
    assert shown.code == SIGNED_OUT and "signed out: everything stays here" in shown.out
    assert "localmem account login" in shown.err
    shape = cli("account", "status", "--check", "--json")
    assert shape.code == SIGNED_OUT and shape.json["account"] is None and not fake.asked


@pytest.mark.parametrize(
    ("outcome", "code"),
    [(syncing.OFFLINE, NO_ANSWER), (syncing.REFUSED, SIGNED_OUT), (syncing.later(3), NO_ANSWER),
     (syncing.asking(syncing.asked()), 0), (Outcome(State.WAITING), 0)],
)  # fmt: skip
def test_a_check_says_whether_the_key_is_let_in(
    cli: Cli, fake: FakeSyncing, outcome: Outcome, code: int
) -> None:
    fake.account, fake.looks = ACCOUNT, [Look(outcome, (), 0)]
    shown = cli("account", "status", "--check")
    assert shown.code == code
    assert shown.err.startswith(f"Error: {outcome.message}" if code else "")
    assert bool(shown.err) == bool(code)
    assert cli("account", "status", "--check", "--json").json["check"]["state"] == outcome.state


# logout


def test_signing_out_says_what_is_left(cli: Cli, fake: FakeSyncing) -> None:
    fake.account, fake.left = ACCOUNT, ("LOCALMEM_ACCOUNT_KEY is set. Unset it.",)
    result = cli("account", "logout", terminal=True)
    assert result.code == 0 and not fake.dropped
    assert fake.status().account is None
    assert "LOCALMEM_ACCOUNT_KEY is set" in result.err and "Signed out." in result.err
    again = cli("account", "logout", terminal=True)
    assert again.code == 0 and "Nobody was signed in." in again.err


def test_forgetting_the_account_asks_and_says_what_that_means(cli: Cli, fake: FakeSyncing) -> None:
    fake.account, fake.queue = ACCOUNT, [syncing.to_send()]
    refused = cli("account", "logout", "--forget-account", typed="n\n", terminal=True)
    assert refused.code == 1 and "could come back" in refused.err
    assert "1 change was not sent." in refused.err and fake.account is not None
    assert cli("account", "logout", "--forget-account").code == 2
    shape = cli.ok("account", "logout", "--forget-account", "--yes", "--json").json
    assert fake.dropped and shape["was"]["account"] == "acc-1" and shape["signedIn"] is False


# whatever a server is called


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_server_is_called_is_shown_and_never_obeyed(
    cli: Cli, fake: FakeSyncing, text: str
) -> None:
    named = ACCOUNT._replace(label=text, account=text)
    fake.signs = SignedIn(named, True, 1, 1, text, (text,))
    cli.monkeypatch.setenv("NO_COLOR", "1")
    signed = cli("account", "login", URL, typed=KEY + "\n", terminal=True)
    fake.account = named
    shown = cli("account", "status", terminal=True)
    for result in (signed, shown):
        assert not DANGEROUS.search((result.out + result.err).replace("\r\x1b[K", ""))
    fake.signs = NotDone("offline", text, text)
    assert not DANGEROUS.search(cli("account", "login", URL, typed=KEY).err)


# where the key never goes (FR-115)


def test_a_fault_of_ours_shows_no_key(cli: Cli, fake: FakeSyncing) -> None:
    def broken(self: FakeSyncing, url: str, key: str, *, passphrase: str | None = None) -> None:
        raise ZeroDivisionError(f"in the middle of {key}")

    cli.monkeypatch.setattr(FakeSyncing, "sign_in", broken)
    for debug in ("", "1"):
        cli.monkeypatch.setenv("LOCALMEM_DEBUG", debug)
        result = cli("account", "login", URL, typed=KEY)
        assert result.code == 1 and "ZeroDivisionError" in result.err
        assert KEY[8:] not in result.out + result.err


def test_what_is_typed_at_a_terminal_is_not_shown_and_the_terminal_is_given_back(
    tmp_path: Path,
) -> None:
    """On a real terminal. What is typed is no key, so that nobody is asked about it."""
    environment = {**os.environ, "LOCALMEM_HOME": str(tmp_path / "home"), "TERM": "xterm"}
    program = (
        "import sys\nfrom localmem.cli.main import run\n"
        "code = run(sys.argv[1:])\n"
        "import termios\n"
        "print('echo on' if termios.tcgetattr(0)[3] & termios.ECHO else 'echo off')\n"
        "sys.exit(code)"
    )
    terminal = Terminal(
        ["-c", program, "account", "login", URL], environment,
        Path(__file__).parents[2],
    )  # fmt: skip
    terminal.wait_for("The account's key (it is not shown):")
    listed = Path(f"/proc/{terminal.pid}/cmdline")
    terminal.press(f"{KEY} with spaces\n")
    terminal.wait_for("not an account's key")
    terminal.wait_for("echo on")
    assert terminal.ended() == 2
    assert KEY[8:24].encode() not in terminal.everything
    assert not listed.exists() or KEY.encode() not in listed.read_bytes()
