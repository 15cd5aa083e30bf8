"""How a credential is made and known again: random letters, and their SHA-256.

A slow digest is for what people think up; 190 random bits need none.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from localmem.core.hosting import ALPHABET, PREFIX_LETTERS, SECRET_LETTERS, Minted

NOBODYS = hashlib.sha256(secrets.token_bytes(32)).digest()
"""Compared with where there is no such prefix, so that both take as long."""


def letters(count: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def mint(family: str) -> Minted:
    return Minted(family + letters(PREFIX_LETTERS), letters(SECRET_LETTERS))


def digest(minted: Minted) -> bytes:
    return hashlib.sha256(str(minted).encode()).digest()


def matches(minted: Minted, held: bytes | None) -> bool:
    """Whether it is the one of that digest, in constant time."""
    return hmac.compare_digest(digest(minted), held or NOBODYS) and held is not None
