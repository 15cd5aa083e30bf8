from __future__ import annotations

import sys
import threading
from types import SimpleNamespace

import pytest

from localmem import credentials


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
