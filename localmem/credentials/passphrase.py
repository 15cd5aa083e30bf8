"""From a passphrase to the key of an encrypted file.

The file may be copied and tried for as long as somebody likes, so each guess costs what scrypt
asks (half a second of one core, and memory), and a new passphrase has to be long.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

LEAST_PASSPHRASE = 12
_LEAST_DIFFERENT = 5
_KEY_BYTES = 32


class Cost(NamedTuple):
    n: int
    r: int
    p: int

    @property
    def memory(self) -> int:
        """Bytes."""
        return 128 * self.n * self.r


COST = Cost(1 << 16, 8, 2)
"""Part of the file's format: another cost is another key."""


def derived(passphrase: str, salt: bytes) -> bytes:
    """Raises MemoryError."""
    import hashlib

    text = _typed(passphrase).encode("utf-8", "surrogatepass")
    n, r, p = COST
    try:
        return hashlib.scrypt(
            text, salt=salt, n=n, r=r, p=p, maxmem=2 * COST.memory, dklen=_KEY_BYTES
        )
    except ValueError as problem:  # OpenSSL's word for no memory
        raise MemoryError from problem


def passphrase_problem(passphrase: str) -> str:
    """Why a new passphrase cannot be, as a sentence; "" when it can."""
    typed = _typed(passphrase)
    if len(typed) < LEAST_PASSPHRASE:
        return (
            f"A passphrase has at least {LEAST_PASSPHRASE} characters; four or five words that "
            "nobody would think of together are good."
        )
    if len(set(typed)) < _LEAST_DIFFERENT:
        return (
            "That passphrase is too easily guessed: it has fewer than "
            f"{_LEAST_DIFFERENT} different characters."
        )
    return ""


def _typed(passphrase: str) -> str:
    """The same from every keyboard and every file: é may be one sign or two."""
    return unicodedata.normalize("NFC", passphrase).strip()
