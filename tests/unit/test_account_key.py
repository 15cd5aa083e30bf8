"""The key of an account: where it is kept, what is said when it cannot be had, and where it never
stands."""

from __future__ import annotations

import logging
import os
import stat
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from localmem import credentials, wiring
from localmem.core.syncing import NotDone
from localmem.credentials import Place, passphrase, read_account_key, ring
from localmem.store import sealed
from localmem.synchronise import AccountKey
from tests.support import keyrings
from tests.support.keyrings import Keyring

KEY = "zv_live_9f3KQx7Lm2Tt5Rr8"
OLDER = "zv_live_older_older_older"
WORDS = "four quiet words here"
REAL_COST = passphrase.COST


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real cost is tried by one test below."""
    monkeypatch.setattr(passphrase, "COST", passphrase.Cost(16, 8, 1))


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Keyring:
    keyring = Keyring()
    keyrings.install(monkeypatch, keyring)
    return keyring


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """In a folder that is not there yet."""
    return tmp_path / "library" / "account.key"


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    release = threading.Event()
    keyrings.install(monkeypatch, keyrings.hanging(release))
    yield
    release.set()


def kept_in_file(file: Path, value: str = KEY, words: str = WORDS) -> Path:
    kept = credentials.keep_account_key(value, {}, file.parent, passphrase=words)
    assert kept == credentials.Kept(Place.FILE)
    return file


def opened(file: Path, words: str | None = WORDS) -> credentials.Key:
    return credentials.account_key({}, file.parent, passphrase=words, patience=0.05)


def contents(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())


# what a key looks like


@pytest.mark.parametrize("text", [
    KEY, f" {KEY}\r\n", f'"{KEY}"', f"'{KEY}' ", f"`{KEY}`", f"“{KEY}”", f"Bearer {KEY}",
    f"bearer  {KEY}\n", f"Authorization: Bearer {KEY}", f'"Bearer {KEY}"', f'Bearer "{KEY}"',
    f"authorization:{KEY}", f"\ufeff{KEY}\u200b", f"'\"Bearer {KEY}\"'",
])  # fmt: skip
def test_what_comes_along_with_a_pasted_key_is_taken_off(text: str) -> None:
    assert read_account_key(text).value == KEY


@pytest.mark.parametrize(("text", "says"), [
    ("", "it is empty"), (" \n", "it is empty"), ('""', "it is empty"), ("Bearer ", "it is empty"),
    ("zv_live_short", "13 characters, and a key has at least 16"), ("k" * 513, "more than 512"),
    (f"{KEY} {KEY}", "a space or a line break"), (f"{KEY}\n{OLDER}", "a space or a line break"),
    (f"{KEY}é", "a character in it that no key has"), (f"{KEY}\x1b[2J", "no key has"),
    (f"{KEY[:9]}\u200b{KEY[9:]}", "no key has"), (f"{KEY}\x00", "no key has"),
])  # fmt: skip
def test_what_is_no_key_is_refused_without_repeating_it(text: str, says: str) -> None:
    read = read_account_key(text)
    assert read.value is None and says in read.why and read.hint
    assert not text.strip() or text.strip()[:8] not in f"{read.why} {read.hint} {read!r}"


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=600))
def test_a_key_that_was_read_is_read_as_itself(text: str) -> None:
    read = read_account_key(text).value
    assert read is None or (16 <= len(read) <= 512 and read_account_key(read).value == read)


# the environment and the keyring


def test_the_environment_wins_over_the_keyring_which_wins_over_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: Path
) -> None:
    keyring = Keyring()
    kept_in_file(file)
    keyrings.install(monkeypatch, keyring)
    named = tmp_path / "secret"
    named.write_text(f"Bearer {OLDER}\n")
    environment = {"LOCALMEM_ACCOUNT_KEY_FILE": str(named)}
    found = credentials.account_key({"LOCALMEM_ACCOUNT_KEY": KEY, **environment}, file.parent)
    assert (found.value, found.variable) == (KEY, "LOCALMEM_ACCOUNT_KEY")
    found = credentials.account_key(environment, file.parent)
    assert (found.value, found.variable) == (OLDER, "LOCALMEM_ACCOUNT_KEY_FILE")
    assert keyring.asked == 0
    assert opened(file).value == KEY
    keyring.set_password("localmem", "account", OLDER)
    assert opened(file).value == OLDER


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00", b"two words"])
def test_a_variable_that_gives_no_key_says_so_and_nothing_else_is_asked(
    held: Keyring, tmp_path: Path, content: bytes | None
) -> None:
    named = tmp_path / "secret"
    if content is not None:
        named.write_bytes(content)
    found = credentials.account_key({"LOCALMEM_ACCOUNT_KEY_FILE": str(named)}, tmp_path)
    assert found.value is None and "LOCALMEM_ACCOUNT_KEY_FILE" in found.why and found.hint
    found = credentials.account_key({"LOCALMEM_ACCOUNT_KEY": "two words"}, tmp_path)
    assert found.value is None and "LOCALMEM_ACCOUNT_KEY is not" in found.why
    assert held.asked == 0


def test_the_keyring_keeps_gives_and_forgets_the_key(held: Keyring, tmp_path: Path) -> None:
    assert credentials.keep_account_key(f'"{KEY}"\n', {}, tmp_path).place is Place.KEYRING
    assert held.held == {("localmem", "account"): KEY}
    assert credentials.account_key({}, tmp_path).value == KEY
    assert credentials.drop_account_key({}, tmp_path) == ((Place.KEYRING,), (), "")
    assert credentials.drop_account_key({}, tmp_path) == ((), (), "")
    found = credentials.account_key({}, tmp_path)
    assert (found.value, found.why, "account login" in found.hint) == (None, "", True)
    assert list(tmp_path.iterdir()) == []


def test_what_the_keyring_holds_is_looked_at_too(held: Keyring, tmp_path: Path) -> None:
    held.set_password("localmem", "account", "not a key")
    found = credentials.account_key({}, tmp_path)
    assert found.value is None
    assert "What the keyring holds is not an account's key" in found.why


@pytest.mark.parametrize("problem", [RuntimeError(KEY), OSError(KEY), TypeError(KEY)])
def test_a_keyring_that_refuses_says_what_to_do_and_nothing_of_the_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, problem: Exception
) -> None:
    """FR-112, FR-115."""
    keyrings.install(monkeypatch, keyrings.failing(problem))
    found = credentials.account_key({}, tmp_path)
    assert found.value is None and "cannot be used" in found.why and "Unlock" in found.hint
    kept = credentials.keep_account_key(KEY, {}, tmp_path)
    assert kept.place is None and "cannot be used" in kept.why and "encrypted file" in kept.hint
    dropped = credentials.drop_account_key({}, tmp_path)
    assert dropped.gone == () and "may have the key still" in dropped.left[0]
    where = credentials.where_account_key({}, tmp_path)
    assert where.found == () and "cannot be used" in where.why
    assert KEY[:8] not in f"{found!r} {found.why} {kept} {dropped} {where}"
    assert list(tmp_path.iterdir()) == []


def test_a_machine_without_a_keyring_has_nothing_left_behind_in_it(tmp_path: Path) -> None:
    """FR-109: the backend that always fails is set for every test."""
    assert credentials.drop_account_key({}, tmp_path) == ((), (), "")
    found = credentials.account_key({}, tmp_path)
    kept = credentials.keep_account_key(KEY, {}, tmp_path)
    assert "NoKeyringError" in found.why and found.hint.startswith("Sign in with")
    assert "NoKeyringError" in kept.why and kept.hint.startswith("Keep the key in an encrypted")


def test_a_keyring_that_hangs_is_given_up_on_by_every_question(
    hanging: None, tmp_path: Path
) -> None:
    """FR-110."""
    found = credentials.account_key({}, tmp_path, patience=0.01)
    assert found.value is None and "did not answer" in found.why and found.hint
    kept = credentials.keep_account_key(KEY, {}, tmp_path, patience=0.01)
    assert kept.place is None and "did not answer" in kept.why
    assert "did not answer" in credentials.drop_account_key({}, tmp_path, patience=0.01).left[0]
    assert "did not answer" in credentials.where_account_key({}, tmp_path, patience=0.01).why


def test_beside_a_file_a_keyring_gets_a_moment_only(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    kept_in_file(file)
    waited: list[float] = []

    def fetch(entry: str, patience: float) -> credentials.Key:
        waited.append(patience)
        return credentials.Key(None, "The keyring did not answer.")

    monkeypatch.setattr(ring, "fetch", fetch)
    assert credentials.account_key({}, file.parent, passphrase=WORDS).value == KEY
    credentials.account_key({}, file.parent / "other")
    assert waited == [2.0, 10.0]


def test_a_keyring_that_forgets_at_once_is_not_relied_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keyrings.install(monkeypatch, keyrings.forgetful())
    kept = credentials.keep_account_key(KEY, {}, tmp_path)
    assert kept.place is None and "does not give it back" in kept.why


# the encrypted file


def test_the_file_needs_a_passphrase_and_opens_with_it(file: Path) -> None:
    kept_in_file(file)
    asked = opened(file, None)
    assert (asked.value, asked.wants_passphrase) == (None, True)
    assert "account.key" in asked.why and "LOCALMEM_ACCOUNT_PASSPHRASE" in asked.hint
    found = opened(file)
    assert (found.value, found.why, found.variable) == (KEY, "", "")


def test_a_machine_gives_the_passphrase_by_its_environment(tmp_path: Path, file: Path) -> None:
    kept_in_file(file)
    named = tmp_path / "words"
    named.write_text(f"{WORDS}\n")
    for environment in ({"LOCALMEM_ACCOUNT_PASSPHRASE": WORDS},
                        {"LOCALMEM_ACCOUNT_PASSPHRASE_FILE": str(named)}):  # fmt: skip
        assert credentials.account_key(environment, file.parent).value == KEY
    wrong = credentials.account_key({"LOCALMEM_ACCOUNT_PASSPHRASE": "another one"}, file.parent)
    assert wrong.value is None and "LOCALMEM_ACCOUNT_PASSPHRASE does not open" in wrong.why
    named.unlink()
    gone = credentials.account_key({"LOCALMEM_ACCOUNT_PASSPHRASE_FILE": str(named)}, file.parent)
    assert gone.value is None and "cannot be read" in gone.why and gone.wants_passphrase


def test_the_same_passphrase_typed_on_another_keyboard_opens_it(file: Path) -> None:
    kept_in_file(file, words="canção de embalar")
    assert opened(file, "canc\u0327a\u0303o de embalar\n").value == KEY


@pytest.mark.parametrize("words", ["", "another passphrase", WORDS.upper(), "\udcff" * 12])
def test_a_wrong_passphrase_is_told_and_may_be_tried_again(file: Path, words: str) -> None:
    kept_in_file(file)
    found = opened(file, words)
    assert (found.value, found.wants_passphrase) == (None, True)
    assert "That passphrase does not open" in found.why and "Try again" in found.hint
    assert opened(file).value == KEY


@pytest.mark.parametrize("words", ["", "short", " " * 20, "a" * 40, "abababababababab"])
def test_a_passphrase_that_is_soon_guessed_is_not_taken(file: Path, words: str) -> None:
    kept = credentials.keep_account_key(KEY, {}, file.parent, passphrase=words)
    assert kept.place is None and kept.why.endswith(".") and not file.parent.exists()


def test_the_file_is_private_and_holds_neither_key_nor_passphrase(file: Path) -> None:
    kept_in_file(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [each.name for each in file.parent.iterdir()] == ["account.key"]
    held = contents(file.parent)
    assert KEY[:8].encode() not in held and WORDS[:8].encode() not in held
    assert KEY[8:].encode("utf-16-le") not in held and b"sealed" not in held


def test_nothing_is_in_the_clear_on_the_way_and_a_file_is_never_half(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    kept_in_file(file, OLDER)
    seen: list[bytes] = []
    real = os.replace

    def look(source: Path, target: Path) -> None:
        seen.append(contents(file.parent))
        assert stat.S_IMODE(Path(source).stat().st_mode) == 0o600
        assert opened(file).value == OLDER
        real(source, target)

    monkeypatch.setattr(os, "replace", look)
    kept_in_file(file)
    assert len(seen) == 1 and KEY[:8].encode() not in seen[0]
    assert opened(file).value == KEY


def test_a_file_that_is_replaced_while_it_is_opened_gives_the_newer_key(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    kept_in_file(file, OLDER)
    real = sealed._salt

    def replaced(path: Path) -> bytes:
        found = real(path)
        monkeypatch.setattr(sealed, "_salt", real)
        kept_in_file(file)
        return found

    monkeypatch.setattr(sealed, "_salt", replaced)
    assert opened(file).value == KEY


def test_two_files_of_one_key_and_passphrase_have_nothing_in_common(tmp_path: Path) -> None:
    one, other = (kept_in_file(tmp_path / name / "account.key") for name in ("a", "b"))
    assert one.read_bytes()[:16] != other.read_bytes()[:16]
    assert one.read_bytes()[100:] != other.read_bytes()[100:]


@pytest.mark.parametrize("at", ["first", "last", "short", "long", "empty", "other"])
def test_a_damaged_file_is_told_and_never_gives_another_key(file: Path, at: str) -> None:
    data = bytearray(kept_in_file(file).read_bytes())
    if at in ("first", "last"):
        data[40 if at == "first" else -10] ^= 1
    changed = {"short": data[:-1], "long": data + b"x", "empty": b"", "other": b"{}" * 512}
    file.write_bytes(changed.get(at, data))
    found = opened(file)
    assert found.value is None and found.hint
    assert (" is damaged" in found.why) == (at != "first")
    assert " is damaged" in f"{found.why} {found.hint}" and "account logout" in found.hint


def test_no_changed_byte_gives_another_key(file: Path) -> None:
    data = kept_in_file(file).read_bytes()
    tried = 0
    for at in range(0, len(data), 13):
        file.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
        assert opened(file).value in (None, KEY)
        tried += 1
    assert tried > 150


def test_a_file_that_others_may_read_is_made_private(file: Path) -> None:
    kept_in_file(file).chmod(0o644)
    assert opened(file).value == KEY
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_of_somebody_else_is_not_used(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    kept_in_file(file)
    real = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: real + 1)
    found = opened(file)
    assert found.value is None and "another user" in found.why and found.hint


@pytest.mark.parametrize("kind", ["link", "dangling", "folder", "pipe"])
def test_what_is_no_plain_file_is_neither_read_nor_replaced(
    tmp_path: Path, file: Path, kind: str
) -> None:
    file.parent.mkdir()
    elsewhere = kept_in_file(tmp_path / "elsewhere" / "account.key")
    before = elsewhere.read_bytes()
    match kind:
        case "link":
            file.symlink_to(elsewhere)
        case "dangling":
            file.symlink_to(tmp_path / "nowhere")
        case "folder":
            file.mkdir()
        case _:
            os.mkfifo(file)
    found = opened(file)
    kept = credentials.keep_account_key(OLDER, {}, file.parent, passphrase=WORDS)
    assert (found.value, kept.place) == (None, None)
    for why, hint in ((found.why, found.hint), (kept.why, kept.hint)):
        assert "has to be a file of its own" in why and "move it away" in hint
    assert elsewhere.read_bytes() == before
    assert not (tmp_path / "nowhere").exists()
    assert [each.name for each in file.parent.iterdir()] == ["account.key"]


def test_a_link_is_removed_and_what_it_names_stays(tmp_path: Path, file: Path) -> None:
    elsewhere = kept_in_file(tmp_path / "elsewhere" / "account.key")
    file.parent.mkdir()
    file.symlink_to(elsewhere)
    assert credentials.drop_account_key({}, file.parent).gone == (Place.FILE,)
    assert elsewhere.exists() and not file.is_symlink()


@pytest.mark.parametrize(("problem", "says"), [
    (OSError(28, "No space left on device"), "the disk is full"),
    (OSError(122, "Disk quota exceeded"), "the disk is full"),
    (PermissionError(13, "Permission denied"), "Permission denied"),
    (apsw.FullError(KEY), "the disk is full"), (apsw.IOError(KEY), "IOError"),
])  # fmt: skip
def test_what_the_disk_refuses_leaves_the_older_key_and_no_other_file(
    monkeypatch: pytest.MonkeyPatch, file: Path, problem: Exception, says: str
) -> None:
    kept_in_file(file, OLDER)

    def refuse(*_: object) -> None:
        raise problem

    with monkeypatch.context() as patched:
        patched.setattr(sealed.folder, "sync", refuse)
        kept = credentials.keep_account_key(KEY, {}, file.parent, passphrase=WORDS)
    assert kept.place is None and says in kept.why and kept.hint and KEY not in str(kept)
    assert [each.name for each in file.parent.iterdir()] == ["account.key"]
    assert opened(file).value == OLDER


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "library").write_text("a file")
    folder = tmp_path / "library"
    kept = credentials.keep_account_key(KEY, {}, folder, passphrase=WORDS)
    assert kept.place is None and "cannot be written" in kept.why
    assert credentials.drop_account_key({}, folder) == ((), (), "")
    assert "NoKeyringError" in credentials.account_key({}, folder).why


def test_a_machine_without_the_memory_says_how_much_it_takes(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    kept_in_file(file)

    def none_left(*_: object, **__: object) -> bytes:
        raise ValueError("memory limit exceeded")

    monkeypatch.setattr("hashlib.scrypt", none_left)
    assert "takes 64 MB" in opened(file).why
    kept = credentials.keep_account_key(OLDER, {}, file.parent, passphrase=WORDS)
    assert kept.place is None and "takes 64 MB" in kept.why and kept.hint


def test_the_cost_that_is_promised_is_the_one_that_is_paid(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(passphrase, "COST", REAL_COST)
    asked: list[dict[str, object]] = []

    def scrypt(text: bytes, **cost: object) -> bytes:
        asked.append(cost)
        return bytes(32)

    monkeypatch.setattr("hashlib.scrypt", scrypt)
    passphrase.derived(WORDS, bytes(16))
    assert {name: asked[0][name] for name in "nrp"} == {"n": 65_536, "r": 8, "p": 2}


def test_the_real_cost_is_one_that_this_machine_can_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passphrase, "COST", REAL_COST)
    assert len(passphrase.derived(WORDS, bytes(16))) == 32


# one key in one place


def test_keeping_the_key_in_one_place_takes_it_out_of_the_other(held: Keyring, file: Path) -> None:
    credentials.keep_account_key(OLDER, {}, file.parent)
    kept_in_file(file)
    assert held.held == {} and opened(file).value == KEY
    assert credentials.keep_account_key(OLDER, {}, file.parent).place is Place.KEYRING
    assert not file.exists() and opened(file, None).value == OLDER


def test_a_keyring_that_may_have_an_older_key_is_told(hanging: None, file: Path) -> None:
    kept = credentials.keep_account_key(KEY, {}, file.parent, passphrase=WORDS, patience=0.01)
    assert kept.place is Place.FILE and "would win over this one" in kept.warnings[0]


def test_a_file_that_cannot_be_removed_is_told(held: Keyring, file: Path) -> None:
    file.mkdir(parents=True)
    kept = credentials.keep_account_key(KEY, {}, file.parent)
    assert kept.place is Place.KEYRING and "older key is left" in kept.warnings[0]
    dropped = credentials.drop_account_key({}, file.parent)
    assert dropped.gone == (Place.KEYRING,)
    assert "account.key cannot be written or removed" in dropped.left[0]


def test_dropping_says_what_it_means_and_what_still_gives_a_key(held: Keyring, file: Path) -> None:
    kept_in_file(file)
    (file.parent / ".localmem-0123abcd.key").write_bytes(b"left by a write that was cut off")
    dropped = credentials.drop_account_key({"LOCALMEM_ACCOUNT_KEY": KEY}, file.parent)
    assert dropped.gone == (Place.FILE,)
    assert "not overwritten" in dropped.meaning and "revoked" in dropped.meaning
    assert dropped.left == ("LOCALMEM_ACCOUNT_KEY is set and gives a key still. Unset it.",)
    assert list(file.parent.iterdir()) == []


def test_where_the_key_is_names_every_place_in_its_order_and_never_the_key(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    kept_in_file(file)
    keyring = Keyring()
    keyring.set_password("localmem", "account", KEY)
    keyrings.install(monkeypatch, keyring)
    where = credentials.where_account_key({"LOCALMEM_ACCOUNT_KEY": KEY}, file.parent)
    assert where.found == (
        (Place.ENVIRONMENT, "LOCALMEM_ACCOUNT_KEY"),
        (Place.KEYRING, "localmem/account"),
        (Place.FILE, str(file)),
    )
    assert KEY not in str(where)


def test_a_variable_that_wins_is_told_when_a_key_is_kept(held: Keyring, tmp_path: Path) -> None:
    kept = credentials.keep_account_key(KEY, {"LOCALMEM_ACCOUNT_KEY": OLDER}, tmp_path)
    assert kept.warnings == ("LOCALMEM_ACCOUNT_KEY is set and wins over it until it is unset.",)


# where it never stands


def test_the_key_and_its_passphrase_stand_in_no_repr_log_or_process(
    held: Keyring, file: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """FR-115: not eight characters of them."""
    caplog.set_level(logging.DEBUG)
    argv = list(sys.argv)
    told = [
        repr(credentials.keep_account_key(KEY, {}, file.parent)),
        repr(credentials.account_key({}, file.parent)),
        repr(credentials.keep_account_key(KEY, {}, file.parent, passphrase=WORDS)),
        repr(opened(file)), str(opened(file)), repr(opened(file, "wrong passphrase")),
        repr(credentials.where_account_key({}, file.parent)),
        repr(credentials.drop_account_key({}, file.parent)),
        repr(credentials.given_passphrase({"LOCALMEM_ACCOUNT_PASSPHRASE": WORDS})),
    ]  # fmt: skip
    said = " ".join((*told, caplog.text, *capfd.readouterr(), *sys.argv))
    assert sys.argv == argv
    for secret in (KEY, WORDS):
        assert not [at for at in range(len(secret) - 7) if secret[at : at + 8] in said]


def test_the_wiring_keeps_the_file_beside_the_library(tmp_path: Path) -> None:
    home = wiring.home({"LOCALMEM_HOME": str(tmp_path / "home")})
    assert wiring.keep_account_key(home, KEY, passphrase=WORDS).place is Place.FILE
    assert wiring.account_key(home).wants_passphrase
    assert wiring.account_key(home, passphrase=WORDS).value == KEY
    assert wiring.where_account_key(home).found[0].name == str(tmp_path / "home" / "account.key")
    assert wiring.drop_account_key(home).gone == (Place.FILE,)


def test_a_key_that_a_passphrase_opened_is_not_used_for_who_signed_in_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyrings.install(monkeypatch, keyrings.failing(RuntimeError("no backend")))
    here, elsewhere = AccountKey({}, tmp_path), AccountKey({}, tmp_path)
    here.keep(KEY, WORDS)
    assert here.get() == KEY
    elsewhere.drop()
    assert isinstance(here.get(), NotDone)
    elsewhere.keep(OLDER, WORDS)
    assert isinstance(here.get(), NotDone)
    assert here.unlock(WORDS) is None
    assert (here.get(), elsewhere.get()) == (OLDER, OLDER)
