"""Keys, from the environment or the operating system's keyring; never written to a file here.

Asked only when a service needs a key or the library is encrypted: other use never touches the
keyring (field report FR-117).
The keyring may be missing, locked or hang for ever (FR-109, FR-110, FR-112): each of these is None
with a reason, and never shows a key.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

SERVICE = "localmem"
MODEL_VARIABLE = "LOCALMEM_MODEL_KEY"
"""Environment variable with the key of an embedding endpoint; wins over the keyring."""
MODEL_ENTRY = "model"
"""The keyring's entry for it: `keyring set localmem model`."""
LIBRARY_VARIABLE = "LOCALMEM_KEY"
"""Environment variable with the key of an encrypted library; wins over the keyring."""
LIBRARY_FILE_VARIABLE = "LOCALMEM_KEY_FILE"
"""The same in a file, as services and containers are handed their secrets."""
LIBRARY_ENTRY = "library"
MOST_KEY_BYTES = 1_000
PATIENCE = 10.0
"""Seconds a keyring may take to answer, a person unlocking it included."""


@dataclass(frozen=True, slots=True)
class Key:
    value: str | None
    """None when there is none, or it cannot be had."""
    why: str = ""
    """Why it cannot be had, as a sentence; "" otherwise."""
    variable: str = ""
    """The environment variable that gave it; "" for the keyring."""

    def __repr__(self) -> str:
        return f"Key({'set' if self.value else 'none'}, why={self.why!r})"


def model_key(environment: Mapping[str, str], *, patience: float = PATIENCE) -> Key:
    """The key of the embedding endpoint."""
    value = environment.get(MODEL_VARIABLE)
    return Key(value) if value else _from_keyring(MODEL_ENTRY, patience)


def library_key(environment: Mapping[str, str], *, patience: float = PATIENCE) -> Key:
    """The key of an encrypted library, as it was written there."""
    value = environment.get(LIBRARY_VARIABLE)
    if value:
        return Key(value, variable=LIBRARY_VARIABLE)
    named = environment.get(LIBRARY_FILE_VARIABLE)
    if named:
        return _from_file(Path(named))
    return _from_keyring(LIBRARY_ENTRY, patience)


def keep_library_key(value: str, *, patience: float = PATIENCE) -> str:
    """Keep the key in the keyring; "" when it is there and comes back, else why not, a sentence."""

    def keep() -> Key:
        _keyring().set_password(SERVICE, LIBRARY_ENTRY, value)
        return Key(_keyring().get_password(SERVICE, LIBRARY_ENTRY))

    kept = _patiently(keep, patience)
    if kept.value == value:
        return ""
    return kept.why or "The keyring takes a key and does not give it back."


def drop_library_key(*, patience: float = PATIENCE) -> str:
    """Take the key out of the keyring; "" when it is gone, else why not, a sentence."""

    def drop() -> Key:
        if _keyring().get_password(SERVICE, LIBRARY_ENTRY) is not None:
            _keyring().delete_password(SERVICE, LIBRARY_ENTRY)
        return Key(None)

    return _patiently(drop, patience).why


def _from_file(file: Path) -> Key:
    try:
        with file.expanduser().open("rb") as opened:
            value = opened.read(MOST_KEY_BYTES).decode("utf-8-sig").strip()
    except (OSError, RuntimeError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is not text"
        return Key(None, f"{LIBRARY_FILE_VARIABLE} names {file}, which cannot be read: {reason}.")
    if not value:
        return Key(None, f"{LIBRARY_FILE_VARIABLE} names {file}, which is empty.")
    return Key(value, variable=LIBRARY_FILE_VARIABLE)


def _from_keyring(entry: str, patience: float) -> Key:
    return _patiently(lambda: Key(_keyring().get_password(SERVICE, entry)), patience)


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
        return Key(None, f"The keyring cannot be used ({type(problem).__name__}).")


def _keyring() -> ModuleType:
    import keyring

    return keyring
