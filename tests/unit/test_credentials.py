from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from localmem import credentials
from tests.support import keyrings
from tests.support.keyrings import Keyring


def keyring_that(monkeypatch: pytest.MonkeyPatch, get: object) -> None:
    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=get))


def test_the_environment_wins_and_the_keyring_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def blow_up(*_: str) -> str:
        raise AssertionError("asked")

    keyring_that(monkeypatch, blow_up)
    assert credentials.model_key({"LOCALMEM_MODEL_KEY": "k-123456"}).value == "k-123456"


def test_the_keyring_s_entry_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring_that(monkeypatch, lambda service, entry: f"{service}/{entry}")
    assert credentials.model_key({}).value == "localmem/model"


def test_a_machine_without_a_keyring_has_no_key_and_no_trace() -> None:
    found = credentials.model_key({})  # the fixture sets the backend that always fails
    assert found.value is None
    assert "cannot be used" in found.why


@pytest.mark.parametrize("problem", [RuntimeError("secret-k-123456"), TypeError(), ValueError()])
def test_every_fault_of_a_keyring_is_one_sentence_without_its_words(
    monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    def fail(*_: str) -> str:
        raise problem

    keyring_that(monkeypatch, fail)
    found = credentials.model_key({})
    assert found.value is None
    assert "k-123456" not in found.why


def test_a_keyring_that_never_answers_is_given_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    keyring_that(monkeypatch, lambda *_: release.wait())
    found = credentials.model_key({}, patience=0.01)
    release.set()
    assert found.value is None
    assert "did not answer" in found.why


def test_a_key_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "k-123456" not in repr(credentials.model_key({"LOCALMEM_MODEL_KEY": "k-123456"}))


KEY = "0123456-0123456"


def test_the_key_of_a_library_comes_from_the_environment_before_the_keyring(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    held = Keyring()
    keyrings.install(monkeypatch, held)
    file = tmp_path / "key"
    file.write_text(KEY + "\n")
    named = {"LOCALMEM_KEY_FILE": str(file)}
    assert credentials.library_key({"LOCALMEM_KEY": "other", **named}).value == "other"
    assert credentials.library_key(named).value == KEY
    assert held.asked == 0
    assert credentials.library_key({"LOCALMEM_KEY": ""}).value is None
    assert held.asked == 1


def test_a_key_is_kept_only_when_it_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    keyrings.install(monkeypatch, Keyring())
    assert credentials.keep_library_key(KEY) == ""
    assert credentials.library_key({}).value == KEY
    assert credentials.drop_library_key() == ""
    assert credentials.drop_library_key() == ""
    assert credentials.library_key({}).value is None
    keyrings.install(monkeypatch, keyrings.forgetful())
    assert "does not give it back" in credentials.keep_library_key(KEY)


@pytest.mark.parametrize("problem", [RuntimeError(KEY), OSError(KEY), KeyError(KEY)])
def test_a_keyring_that_refuses_to_keep_a_key_says_nothing_of_it(
    monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    """FR-112, FR-115."""
    keyrings.install(monkeypatch, keyrings.failing(problem))
    for why in (credentials.keep_library_key(KEY), credentials.drop_library_key()):
        assert "cannot be used" in why and KEY not in why


def test_a_keyring_that_hangs_while_it_keeps_a_key_is_given_up_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """FR-110."""
    release = threading.Event()
    keyrings.install(monkeypatch, keyrings.hanging(release))
    assert "did not answer" in credentials.keep_library_key(KEY, patience=0.01)
    release.set()


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00", b"folder"])
def test_a_key_file_that_holds_no_key_is_named_with_its_reason(
    tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "key"
    if content == b"folder":
        file.mkdir()
    elif content is not None:
        file.write_bytes(content)
    found = credentials.library_key({"LOCALMEM_KEY_FILE": str(file)})
    assert found.value is None
    assert str(file) in found.why and found.why.endswith(".")
