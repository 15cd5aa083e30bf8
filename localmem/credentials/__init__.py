"""Keys, from the environment, the operating system's keyring, or an encrypted file.

Asked only when a service needs a key or the library is encrypted: other use never touches the
keyring (field report FR-117). Refuses to write a key in the clear anywhere, and to write one to a
file at all without the person's passphrase for it. A key stands in no message and no repr.
"""

from __future__ import annotations

from localmem.credentials.account import (
    ACCOUNT_ENTRY,
    ACCOUNT_FILE,
    ACCOUNT_FILE_VARIABLE,
    ACCOUNT_VARIABLE,
    PASSPHRASE_FILE_VARIABLE,
    PASSPHRASE_VARIABLE,
    Dropped,
    Found,
    Kept,
    Place,
    Whereabouts,
    account_key,
    drop_account_key,
    given_account_key,
    given_passphrase,
    keep_account_key,
    where_account_key,
)
from localmem.credentials.key import Key
from localmem.credentials.library import (
    LIBRARY_ENTRY,
    LIBRARY_FILE_VARIABLE,
    LIBRARY_VARIABLE,
    MODEL_ENTRY,
    MODEL_VARIABLE,
    drop_library_key,
    keep_library_key,
    library_key,
    model_key,
)
from localmem.credentials.passphrase import LEAST_PASSPHRASE, passphrase_problem
from localmem.credentials.ring import PATIENCE, SERVICE
from localmem.credentials.shape import read_account_key

__all__ = [
    "ACCOUNT_ENTRY",
    "ACCOUNT_FILE",
    "ACCOUNT_FILE_VARIABLE",
    "ACCOUNT_VARIABLE",
    "LEAST_PASSPHRASE",
    "LIBRARY_ENTRY",
    "LIBRARY_FILE_VARIABLE",
    "LIBRARY_VARIABLE",
    "MODEL_ENTRY",
    "MODEL_VARIABLE",
    "PASSPHRASE_FILE_VARIABLE",
    "PASSPHRASE_VARIABLE",
    "PATIENCE",
    "SERVICE",
    "Dropped",
    "Found",
    "Kept",
    "Key",
    "Place",
    "Whereabouts",
    "account_key",
    "drop_account_key",
    "drop_library_key",
    "given_account_key",
    "given_passphrase",
    "keep_account_key",
    "keep_library_key",
    "library_key",
    "model_key",
    "passphrase_problem",
    "read_account_key",
    "where_account_key",
]
