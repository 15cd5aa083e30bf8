"""The shape of an account's key, judged before it is used; pure.

Takes off what comes along when people copy one, and never repeats what was given.
"""

from __future__ import annotations

import re

from localmem.credentials.key import Key

LEAST, MOST = 16, 512
_HINT = "Copy it once more from your account's page, the key alone."
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»"}
_AROUND = " \t\r\n\v\f\xa0\u200b\u200c\u200d\u2060\ufeff"
_HEADER = re.compile(r"(?:authorization\s*:\s*)?bearer\s+|authorization\s*:\s*", re.IGNORECASE)


def read_account_key(text: str, what: str = "That") -> Key:
    """The key that a typed or pasted text holds, or why `what` is none."""
    bare = _bare(text)
    wrong = _wrong(bare)
    if wrong:
        return Key(None, f"{what} is not an account's key: {wrong}.", hint=_HINT)
    return Key(bare)


def _bare(text: str) -> str:
    """Without quotes, `Bearer`, line ends and spaces around it, in whatever order they stand."""
    while True:
        bare = text.strip(_AROUND)
        if len(bare) >= 2 and _QUOTES.get(bare[0]) == bare[-1]:
            bare = bare[1:-1]
        header = _HEADER.match(bare)
        bare = bare[header.end() :] if header else bare
        if bare == text:
            return bare
        text = bare


def _wrong(bare: str) -> str:
    if not bare or _HEADER.fullmatch(f"{bare} "):
        return "it is empty"
    if any(letter.isspace() for letter in bare):
        return "it has a space or a line break in it"
    if not (bare.isascii() and bare.isprintable()):
        return "it has a character in it that no key has"
    if len(bare) < LEAST:
        return f"it has {len(bare)} characters, and a key has at least {LEAST}"
    if len(bare) > MOST:
        return f"it has more than {MOST} characters"
    return ""
