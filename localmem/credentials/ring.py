"""The operating system's keyring, asked with patience.

It may be missing, locked or hang for ever (field reports FR-109, FR-110, FR-112): each of these is
None with a reason, which never holds what the backend said.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import ModuleType

from localmem.credentials.key import Key

SERVICE = "localmem"
PATIENCE = 10.0
"""Seconds a keyring may take to answer, a person unlocking it included."""
_REFUSED = "The keyring cannot be used ({})."
NONE_HERE = _REFUSED.format("NoKeyringError")
"""Why, on a machine that has none at all."""


def fetch(entry: str, patience: float) -> Key:
    return _patiently(lambda: Key(_keyring().get_password(SERVICE, entry)), patience)


def keep(entry: str, value: str, patience: float) -> str:
    """Keep an entry; "" when it is there and comes back, else why not, a sentence."""

    def ask() -> Key:
        _keyring().set_password(SERVICE, entry, value)
        return Key(_keyring().get_password(SERVICE, entry))

    kept = _patiently(ask, patience)
    if kept.value == value:
        return ""
    return kept.why or "The keyring takes a key and does not give it back."


def drop(entry: str, patience: float) -> tuple[bool, str]:
    """Take an entry out: whether it was there, and "" or why that failed, a sentence."""

    def ask() -> Key:
        if _keyring().get_password(SERVICE, entry) is None:
            return Key(None)
        _keyring().delete_password(SERVICE, entry)
        return Key("gone")

    done = _patiently(ask, patience)
    return done.value is not None, done.why


def _patiently(ask: Callable[[], Key], patience: float) -> Key:
    answer: list[Key] = []
    # A daemon: a keyring that never answers must not keep the process alive.
    asking = threading.Thread(target=lambda: answer.append(_ask(ask)), daemon=True)
    asking.start()
    asking.join(patience)
    if not answer:
        return Key(None, f"The keyring did not answer within {patience:.0f} seconds.")
    return answer[0]


def _ask(ask: Callable[[], Key]) -> Key:
    try:
        return ask()
    except Exception as problem:  # noqa: BLE001 backends raise whatever their system raises
        return Key(None, _REFUSED.format(type(problem).__name__))


def _keyring() -> ModuleType:
    import keyring

    return keyring
