"""Keys of services, from the environment or the operating system's keyring; never written here.

Asked only when a service needs a key: local use never touches the keyring (field report FR-117).
The keyring may be missing, locked or hang for ever (FR-109, FR-110, FR-112): each of these is None
with a reason, and never shows a key.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

SERVICE = "localmem"
MODEL_VARIABLE = "LOCALMEM_MODEL_KEY"
"""Environment variable with the key of an embedding endpoint; wins over the keyring."""
MODEL_ENTRY = "model"
"""The keyring's entry for it: `keyring set localmem model`."""
PATIENCE = 10.0
"""Seconds a keyring may take to answer, a person unlocking it included."""


@dataclass(frozen=True, slots=True)
class Key:
    value: str | None
    """None when there is none, or it cannot be had."""
    why: str = ""
    """Why it cannot be had, as a sentence; "" otherwise."""

    def __repr__(self) -> str:
        return f"Key({'set' if self.value else 'none'}, why={self.why!r})"


def model_key(environment: Mapping[str, str], *, patience: float = PATIENCE) -> Key:
    """The key of the embedding endpoint."""
    value = environment.get(MODEL_VARIABLE)
    return Key(value) if value else _from_keyring(MODEL_ENTRY, patience)


def _from_keyring(entry: str, patience: float) -> Key:
    answer: list[Key] = []
    # A daemon: a keyring that never answers must not keep the process alive.
    asking = threading.Thread(target=lambda: answer.append(_ask(entry)), daemon=True)
    asking.start()
    asking.join(patience)
    if not answer:
        return Key(None, f"The keyring did not answer within {patience:.0f} seconds.")
    return answer[0]


def _ask(entry: str) -> Key:
    try:
        import keyring

        return Key(keyring.get_password(SERVICE, entry))
    except Exception as problem:  # noqa: BLE001 backends raise whatever their system raises
        return Key(None, f"The keyring cannot be used ({type(problem).__name__}).")
