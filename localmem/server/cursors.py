"""Cursors a client cannot read as anything, make, or carry from one list to another.

A cursor is the engine's own with a signature over where it is good: the partition, the operation,
the scope and the filters. Any other is `invalid_cursor`, whichever of these differs, so that
trying tells nothing (protocols 5.1).
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from localmem.server.errors import Refused

SIGNATURE_BYTES = 16


@dataclass(frozen=True, slots=True)
class Cursors:
    signing_key: bytes

    def seal(self, cursor: str | None, *place: str) -> str | None:
        """The cursor for a client; None at the end of a list."""
        if cursor is None:
            return None
        raw = cursor.encode()
        return urlsafe_b64encode(self._signature(raw, place) + raw).decode().rstrip("=")

    def open(self, sealed: str | None, *place: str) -> str | None:
        """The engine's cursor. Raises Refused (invalid_cursor)."""
        if sealed is None:
            return None
        try:
            held = urlsafe_b64decode(sealed.encode() + b"=" * (-len(sealed) % 4))
            signature, raw = held[:SIGNATURE_BYTES], held[SIGNATURE_BYTES:]
            if hmac.compare_digest(signature, self._signature(raw, place)):
                return raw.decode()
        except ValueError:
            pass
        raise Refused(
            "invalid_cursor",
            "That is not a cursor of this list. Use the nextCursor of the page before, with the "
            "same scope and filters.",
            details={"field": "cursor"},
        )

    def _signature(self, raw: bytes, place: tuple[str, ...]) -> bytes:
        said = b"\0".join([*(part.encode() for part in place), raw])
        return hmac.digest(self.signing_key, said, "sha256")[:SIGNATURE_BYTES]
