"""How a library is keyed: the cipher, the raw key, and what an encrypted file begins with.

Refuses passphrases: a raw key opens in under a millisecond, and a guess has nothing to try.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw

CIPHER = "aegis"
KEY_BYTES = 32

KeySource = Callable[[], bytes]
"""Fetches the key; called for an encrypted file only. Raises StoreLocked."""

_TAG_BYTES = 64
"""Of each page, for nonce and seal."""


def unlock(connection: apsw.Connection, key: bytes | None, salt: bytes = b"") -> None:
    """Key a connection, before anything is read through it; None leaves it plain.

    `salt` is what a new file begins with, when it is not to be any.
    """
    if key is not None:
        connection.pragma("cipher", CIPHER)
        connection.pragma("key", f"raw:{key.hex()}{salt.hex()}")


def looks_encrypted(header: bytes) -> bool:
    """Whether a file begins as one of ours does: salt, then page size and layout in the clear.

    Everything else about it is noise, so that a random file may pass, once in millions.
    """
    if len(header) < 24:
        return False
    size = int.from_bytes(header[16:18], "big")
    return (
        (size == 1 or (size >= 512 and size & (size - 1) == 0))
        and header[18] in (1, 2)
        and header[19] in (1, 2)
        and header[20] == _TAG_BYTES
        and header[21:24] == bytes((64, 32, 32))
    )


def connect(
    path: Path | str, key: bytes | None, flags: int = apsw.SQLITE_OPEN_READWRITE
) -> apsw.Connection:
    """A keyed connection to a file, from which `copy_into` may be asked."""
    connection = apsw.Connection(str(path), flags=flags | apsw.SQLITE_OPEN_URI)
    unlock(connection, key)
    return connection


def copy_into(connection: apsw.Connection, target: Path, key: bytes | None) -> None:
    """Write the library anew to an empty file, under another key or under none.

    Without free pages: what was erased before is not carried over. Raises apsw.Error, without the
    name it was given, which holds the key.
    """
    named = f"{target.absolute().as_uri()}?" + (
        f"cipher={CIPHER}&key=raw:{key.hex()}" if key is not None else "key="
    )
    connection.pragma("temp_store", 2)  # in memory: no file may hold what is sorted on the way
    try:
        connection.execute("VACUUM INTO ?", (named,))
    except apsw.Error as problem:
        raise type(problem)(f"writing {target.name} failed") from None
