"""Keyrings for tests: one that works, and those that people have."""

from __future__ import annotations

import sys
import threading
from types import SimpleNamespace
from typing import NoReturn

import pytest


class Keyring:
    """Keeps entries in memory; `asked` counts what was looked up."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], str] = {}
        self.asked = 0

    def get_password(self, service: str, entry: str) -> str | None:
        self.asked += 1
        return self.held.get((service, entry))

    def set_password(self, service: str, entry: str, value: str) -> None:
        self.held[service, entry] = value

    def delete_password(self, service: str, entry: str) -> None:
        del self.held[service, entry]


def install(monkeypatch: pytest.MonkeyPatch, keyring: object) -> None:
    monkeypatch.setitem(sys.modules, "keyring", keyring)


def forgetful() -> SimpleNamespace:
    """Takes everything and keeps nothing, as `keyring.backends.null` does."""
    return SimpleNamespace(
        get_password=lambda *_: None, set_password=lambda *_: None, delete_password=lambda *_: None
    )


def failing(problem: Exception) -> SimpleNamespace:
    """One that is locked, or has no session to speak with."""

    def fail(*_: str) -> NoReturn:
        raise problem

    return SimpleNamespace(get_password=fail, set_password=fail, delete_password=fail)


def hanging(release: threading.Event) -> SimpleNamespace:
    """One whose prompt nobody can see."""

    def wait(*_: str) -> None:
        release.wait()

    return SimpleNamespace(get_password=wait, set_password=wait, delete_password=wait)
