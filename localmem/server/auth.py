"""The credential of a request: one `Authorization: Bearer`, and nothing beside it.

Says the same of a credential that is missing, broken, unknown, expired or revoked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from localmem.errors import InvalidInput
from localmem.server.errors import Refused

_BEARER = re.compile(r"bearer +(\S+) *", re.IGNORECASE)
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="localmem"'}


def bearer(authorizations: Sequence[str], other_keys: Sequence[str]) -> str:
    """The text of the credential. Raises Refused (unauthorized), InvalidInput (for two)."""
    if len(authorizations) + len(other_keys) > 1:
        raise InvalidInput(
            "There are two credentials.", hint="Send one: Authorization: Bearer <key>."
        )
    found = _BEARER.fullmatch(authorizations[0]) if authorizations else None
    if found is None:
        raise unauthorized()
    return found[1]


def unauthorized() -> Refused:
    return Refused(
        "unauthorized",
        "A valid key or token is needed: send it as Authorization: Bearer <key or token>.",
        headers=_CHALLENGE,
    )
