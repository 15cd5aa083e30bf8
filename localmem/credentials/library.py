"""The key of an encrypted library, and that of an embedding endpoint."""

from __future__ import annotations

from collections.abc import Mapping

from localmem.credentials import ring
from localmem.credentials.key import Key, from_environment

MODEL_VARIABLE = "LOCALMEM_MODEL_KEY"
"""Environment variable with the key of an embedding endpoint; wins over the keyring."""
MODEL_ENTRY = "model"
"""The keyring's entry for it: `keyring set localmem model`."""
LIBRARY_VARIABLE = "LOCALMEM_KEY"
"""Environment variable with the key of an encrypted library; wins over the keyring."""
LIBRARY_FILE_VARIABLE = "LOCALMEM_KEY_FILE"
"""The same in a file, as services and containers are handed their secrets."""
LIBRARY_ENTRY = "library"


def model_key(environment: Mapping[str, str], *, patience: float = ring.PATIENCE) -> Key:
    """The key of the embedding endpoint."""
    value = environment.get(MODEL_VARIABLE)
    return Key(value) if value else ring.fetch(MODEL_ENTRY, patience)


def library_key(environment: Mapping[str, str], *, patience: float = ring.PATIENCE) -> Key:
    """The key of an encrypted library, as it was written there."""
    given = from_environment(environment, LIBRARY_VARIABLE, LIBRARY_FILE_VARIABLE)
    return given if given.value or given.why else ring.fetch(LIBRARY_ENTRY, patience)


def keep_library_key(value: str, *, patience: float = ring.PATIENCE) -> str:
    """Keep the key in the keyring; "" when it is there and comes back, else why not, a sentence."""
    return ring.keep(LIBRARY_ENTRY, value, patience)


def drop_library_key(*, patience: float = ring.PATIENCE) -> str:
    """Take the key out of the keyring; "" when it is gone, else why not, a sentence."""
    _, why = ring.drop(LIBRARY_ENTRY, patience)
    return why
