"""What a server says, made fit to be shown: short, printable, and without the key.

Services quote keys back in their refusals, whole or in part, and whatever stands in a reply was
written by somebody else.
"""

from __future__ import annotations

import re

from localmem.core.visible import visible

LONGEST = 300
"""Characters of a server's words."""
_LONGEST_CODE = 64
_PIECE = 8
"""So many characters of a key in a row are never shown."""
_CODE = re.compile(r"[^A-Za-z0-9_.:-]+")


def printable(text: str, key: str, longest: int = LONGEST) -> str:
    """In one line."""
    short = _without_key(text[: 4 * longest], key)
    shown = " ".join(visible(short).split())
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def code(text: str, otherwise: str) -> str:
    """A stable code of the server's own; `otherwise` where it has none."""
    return _CODE.sub("_", text)[:_LONGEST_CODE].strip("_") or otherwise


def quoted(text: str) -> str:
    """To stand behind a sentence of ours."""
    return f' The server says: "{text}"' if text else ""


def _without_key(text: str, key: str) -> str:
    """Every run of characters that is in the key as well, in whatever case, becomes one sign."""
    small, length = key.lower(), min(_PIECE, len(key))
    pieces = {small[at : at + length] for at in range(len(small) - length + 1)}
    hidden = [False] * len(text)
    for at in range(len(text) - length + 1):
        if text[at : at + length].lower() in pieces:
            hidden[at : at + length] = [True] * length
    kept = (
        "" if hides and at and hidden[at - 1] else "…" if hides else letter
        for at, (letter, hides) in enumerate(zip(text, hidden, strict=True))
    )
    return "".join(kept)
