"""A text as a reader takes it in, to be matched and never to be kept.

A token with a zero-width space inside it, a card number in full-width digits or with no-break
spaces is still read, copied and used by whoever recalls it. `undisguise` drops what cannot be
seen, brings letters, digits, dashes and spaces to their plain form (NFKC), and knows the way back,
so that what is found is masked in the text as it was given.

Refuses to fold look-alike letters of other scripts: a Cyrillic "а" is how Russian is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

# Format characters (Cf), fillers and selectors that show nothing, marks that strike letters out.
_HIDDEN_CLASS = (
    "\xad\u0300-\u036f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff"
    "\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff9-\ufffb\U000110bd\U000110cd"
    "\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# What composes with the character before it without being a mark: kana voicing, Hangul jamo.
_JOINING_CLASS = "\u3099\u309a\uff9e\uff9f\u1161-\u11ff"
_MARK_CLASS = "\u0300-\u036f"

_HIDDEN = re.compile(f"[{_HIDDEN_CLASS}]")
_HIDDEN_BUT_MARKS = re.compile(f"(?![{_MARK_CLASS}])[{_HIDDEN_CLASS}]")
_FOLLOWS = re.compile(f"[{_HIDDEN_CLASS}{_JOINING_CLASS}]")
_CLUSTER = re.compile(
    f"[\x00-\x7f]+(?![{_HIDDEN_CLASS}{_JOINING_CLASS}])"
    f"|.[{_HIDDEN_CLASS}{_JOINING_CLASS}]{{0,64}}",  # ordering marks costs their number squared
    re.DOTALL,
)
_PLAIN = {ord(dash): "-" for dash in "‐‑‒–—―−"} | {0x1680: " ", 0x2800: " "}


@dataclass(frozen=True, slots=True)
class Undisguised:
    text: str
    starts: Sequence[int] | None = None
    """For every character of `text` where it starts in the text as given; None: the same place."""
    ends: Sequence[int] | None = None
    """As `starts`: where it ends, with the hidden characters behind it."""

    def start(self, at: int) -> int:
        """The place in the text as given; `at` is that of a character."""
        return at if self.starts is None else self.starts[at]

    def end(self, at: int) -> int:
        """The end in the text as given of a span that ends at `at` and is not empty."""
        return at if self.ends is None else self.ends[at - 1]


def undisguise(text: str) -> Undisguised:
    """`text` without hidden characters and in plain forms; takes time linear in its length."""
    if text.isascii():
        return Undisguised(text)
    occurring = {character for character in set(text) if not character.isascii()}
    if _FOLLOWS.search("".join(occurring)):
        return _by_clusters(text)
    folded = {ord(c): form for c in occurring if (form := _folded_character(c)) != c}
    if any(len(form) != 1 for form in folded.values()):
        return _by_clusters(text)
    # Most texts end here, those of scripts without spaces too: every place stays the same.
    return Undisguised(text.translate(folded) if folded else text)


def _by_clusters(text: str) -> Undisguised:
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    known: dict[str, str] = {}
    for match in _CLUSTER.finditer(text):
        cluster, start, end = match[0], match.start(), match.end()
        if cluster.isascii():
            parts.append(cluster)
            starts += range(start, end)
            ends += range(start + 1, end + 1)
            continue
        if cluster not in known:
            known[cluster] = _folded(cluster)
        parts.append(known[cluster])
        starts += [start] * len(known[cluster])
        ends += [end] * len(known[cluster])
    return Undisguised("".join(parts), starts, ends)


@lru_cache(maxsize=4096)
def _folded_character(character: str) -> str:
    return _folded(character)


def _folded(cluster: str) -> str:
    composed = unicodedata.normalize("NFKC", _HIDDEN_BUT_MARKS.sub("", cluster))
    seen = _HIDDEN.sub("", composed).translate(_PLAIN)
    return seen if seen.isascii() else "".join(map(_plain_digit, seen))


def _plain_digit(character: str) -> str:
    return str(unicodedata.decimal(character)) if character.isdecimal() else character
