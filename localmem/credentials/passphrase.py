"""From a passphrase to the key of an encrypted file.

The file may be copied and tried for as long as somebody likes, so each guess costs what scrypt asks
(N = 65,536, r = 8, p = 2: half a second of one core and 64 MB), and a new one has to be long.
"""

from __future__ import annotations

import unicodedata

LEAST_PASSPHRASE = 12
_N, _R, _P = 1 << 16, 8, 2
_KEY_BYTES = 32
_MOST_MEMORY = 2 * 128 * _N * _R


def derived(passphrase: str, salt: bytes) -> bytes:
    """Raises MemoryError."""
    import hashlib

    text = _typed(passphrase).encode("utf-8", "surrogatepass")
    try:
        return hashlib.scrypt(
            text, salt=salt, n=_N, r=_R, p=_P, maxmem=_MOST_MEMORY, dklen=_KEY_BYTES
        )
    except ValueError as problem:  # OpenSSL's word for no memory
        raise MemoryError from problem


def _typed(passphrase: str) -> str:
    """The same from every keyboard and every file: é may be one sign or two."""
    return unicodedata.normalize("NFC", passphrase).strip()


def passphrase_problem(passphrase: str) -> str:
    """Why a new passphrase cannot be, as a sentence; "" when it can."""
    typed = _typed(passphrase)
    if len(typed) < LEAST_PASSPHRASE:
        return (
            f"A passphrase has at least {LEAST_PASSPHRASE} characters; "
            "four or five words that belong together for you alone are good."
        )
    if len(set(typed)) < 5:
        return "That passphrase is too easily guessed: it has fewer than five different characters."
    return ""
