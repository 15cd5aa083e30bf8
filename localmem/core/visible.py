"""The one way stored text becomes text on a screen: hostile or hidden characters made visible.

What a person or an agent wrote is kept as typed (design 3) and may hold anything: terminal codes
(FR-132), direction overrides that turn a refusal into a grant (FR-145), letters nobody can see. A
terminal obeys them and a framework passes them on, so every surface shows `visible(text)` and
nothing else. Keys, titles, tags and error texts go through here too, not only values.

Refuses to hide anything: a dangerous character becomes a sign that stands for it (`␛`,
`⟨U+202E⟩`), it never disappears. And refuses to damage honest text: emoji keep their joiners and
selectors, Persian and Hindi their (non-)joiners, Mongolian and Han their variants; Hebrew and
Arabic need no control characters and stay as they are. Markup (`[/]`) is plain text here: not
parsing it is the widget's duty (FR-73).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

_NEWLINE = "⏎"
_DELETE = 0x7F
_DELETE_PICTURE = "␡"
_PICTURES = 0x2400
"""U+2400 + c pictures the control character c."""
_FIRST_PRINTABLE = 0x20
_VIRAMA = 9
"""Canonical combining class of the sign that joins two Indic consonants."""

_JOINER, _NON_JOINER = "\u200d", "\u200c"
_TEXT_STYLE, _EMOJI_STYLE = "\ufe0e", "\ufe0f"
_KEYCAP = "\u20e3"

_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_SEPARATORS = "\u2028\u2029"
_INVISIBLE = (
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U00013440\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_NO_CHARACTERS = "\ud800-\udfff\ufdd0-\ufdef" + "".join(
    f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(17)
)
# The only flags made of tag characters; any other run of tags is a message nobody can see.
_TAG_FLAGS = "|".join(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)
_SUSPECT = re.compile(
    f"{_TAG_FLAGS}|\r\n|[\x00-\x1f\x7f-\x9f{_DIRECTION}{_SEPARATORS}{_INVISIBLE}{_NO_CHARACTERS}]"
)

# Compiled when a text first asks for them: most starts of the app show none.
# What emoji sequences are built from. Wider than Unicode's list by a few symbols, which costs
# nothing: a joiner between two arrows is harmless.
_PICTOGRAPH = (
    "[©®‼⁉™ℹ↔-↙↩↪⌚⌛⌨⏏⏩-⏳⏸-⏺Ⓜ▪▫▶◀◻-◾☀-➿⤴⤵⬅-⬇⬛⬜⭐⭕〰〽㊗㊙"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
)
_MONGOLIAN = "[\u1820-\u18aa]"
_MATHS = "[∀-⋿⨀-⫿]"
# Arabic and its relations, Mongolian, and the Indic scripts with their neighbours.
_JOINING = (
    "[\u0620-\u08ff\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefe"
    "\u0900-\u109f\u1780-\u17b3\u17b6-\u17d3\u1820-\u18aa\u1900-\u1cff\ua800-\uabff"
    "\U00010a00-\U00010e7f\U00011000-\U00011fff]"
)
_CURSIVE = "[\u0620-\u08ff\u1820-\u18aa\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefe]"


# What terminals draw in different widths (FR-79): flags, keycaps, emoji with a style, a skin or a
# joiner, and a letter under a heap of marks.
_SKIN = "[\U0001f3fb-\U0001f3ff]"
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]"
_STYLED = f"{_PICTOGRAPH}[{_TEXT_STYLE}{_EMOJI_STYLE}]?{_SKIN}?"
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_CLUSTER = re.compile(
    f"{_FLAG}|{_TAG_FLAGS}|[0-9#*]{_EMOJI_STYLE}?{_KEYCAP}|{_STYLED}(?:{_JOINER}{_STYLED})*"
    f"|[^\\W_]{_MARK}{{3,}}"
)
_FIRST_OF_FLAGS = 0x1F1E6
_MARKS_KEPT = 2
"""Vietnamese needs as many on one letter."""


def visible(text: str, *, keep_newlines: bool = False) -> str:
    """`text` as it may be shown: no control character, override or invisible letter is left.

    Newlines become `⏎`, or stay when `keep_newlines` (CRLF as one); tabs become spaces; C0 and
    DEL their pictures (`␛`); C1, direction controls, invisible characters and what is no
    character at all their code point (`⟨U+202E⟩`). Showing it twice changes nothing.
    """
    if text.isascii() and text.isprintable():
        return text

    def shown(match: re.Match[str]) -> str:
        found = match[0]
        if found in ("\n", "\r\n"):
            return "\n" if keep_newlines else _NEWLINE
        if found == "\t":
            return "    " if keep_newlines else " "
        return found if _belongs(match) else _sign(found)

    return _SUSPECT.sub(shown, text)


def steady(text: str, width: Callable[[str], int]) -> str:
    """Visible text as every terminal draws it in the same cells; `width` measures it.

    A sequence that some draw as one character and some as several becomes its first one, a flag
    its two letters, as wide as before: what stands beside it stays in line.
    """
    if text.isascii():
        return text

    def stand_in(match: re.Match[str]) -> str:
        cluster = match[0]
        if len(cluster) == 1:
            return cluster
        room, shown = width(cluster), _first_of(cluster)
        taken = width(shown)
        return shown + " " * (room - taken) if taken <= room else "?" * room

    return _CLUSTER.sub(stand_in, text)


def _first_of(cluster: str) -> str:
    if re.fullmatch(_FLAG, cluster):
        return "".join(chr(ord("A") + ord(letter) - _FIRST_OF_FLAGS) for letter in cluster)
    if unicodedata.combining(cluster[1]):
        return cluster[: 1 + _MARKS_KEPT] if cluster[1] != _KEYCAP else cluster[0]
    return cluster[0]


def hidden(text: str) -> tuple[str, ...]:
    """Why `text` is not shown as it is: the kinds of character found, each once, in order.

    Of "control code", "direction override", "invisible character", "broken character"; () for
    honest text. Newlines and tabs are none of them. For the line that explains the signs.
    """
    found = (
        _kind(match[0])
        for match in _SUSPECT.finditer(text)
        if match[0] not in ("\n", "\r\n", "\t") and not _belongs(match)
    )
    return tuple(dict.fromkeys(found))


def _sign(character: str) -> str:
    code = ord(character)
    if code < _FIRST_PRINTABLE:
        return chr(_PICTURES + code)
    return _DELETE_PICTURE if code == _DELETE else f"⟨U+{code:04X}⟩"


def _kind(character: str) -> str:
    if re.fullmatch(f"[{_DIRECTION}]", character):
        return "direction override"
    if re.fullmatch(f"[{_INVISIBLE}]", character):
        return "invisible character"
    if re.fullmatch(f"[{_NO_CHARACTERS}]", character):
        return "broken character"
    return "control code"


def _belongs(match: re.Match[str]) -> bool:
    """Whether the characters around it make the suspect part of honest writing."""
    suspect, text, at = match[0], match.string, match.start()
    if len(suspect) > 1:
        return True
    before, after = text[max(at - 2, 0) : at], text[at + 1 : at + 2]
    if suspect == _JOINER and re.match(_PICTOGRAPH, after):
        return _ends_in_pictograph(before)
    if suspect in (_JOINER, _NON_JOINER):
        return _joins_letters(before[-1:], suspect, after)
    return _selects_variant(before[-1:], suspect, after)


def _ends_in_pictograph(before: str) -> bool:
    base = before[:-1] if before.endswith(_EMOJI_STYLE) else before
    return bool(re.match(_PICTOGRAPH, base[-1:]))


def _joins_letters(before: str, joiner: str, after: str) -> bool:
    if not re.match(_JOINING, before):
        return False
    if re.match(_JOINING, after) or unicodedata.combining(before) == _VIRAMA:
        return True
    return joiner == _JOINER and bool(re.match(_CURSIVE, before))  # ه‍ stands for "hijri"


def _selects_variant(before: str, selector: str, after: str) -> bool:
    if selector in (_TEXT_STYLE, _EMOJI_STYLE):
        keycap = after == _KEYCAP and before in tuple("0123456789#*")
        return keycap or bool(re.match(_PICTOGRAPH, before))
    if "\U000e0100" <= selector <= "\U000e01ef":
        return bool(_is_han(before))
    if "\ufe00" <= selector <= "\ufe02":
        return bool(_is_han(before) or re.match(_MATHS, before))
    return "\u180b" <= selector <= "\u180f" and bool(re.match(_MONGOLIAN, before))


def _is_han(character: str) -> bool:
    return bool(character) and unicodedata.name(character, "").startswith("CJK ")
