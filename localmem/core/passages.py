"""Long texts as passages, each embedded on its own, so that nothing is cut off unseen.

One vector for six kilobytes says what they are about and forgets their last sentence (FR-48).
Refuses to lose or to alter a character: the passages of a fact, one after another, are the fact.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

AIM = 64
"""Letters (a Chinese character counts as two) up to which sentences share a passage.

Mostly a passage is one sentence. In texts made of 4 to 9 facts, a question that shares no word
with its fact found it above the floor 50 times in 100 (18 with an aim of 128, 2 with one vector),
and some other text as well 43 times (28, 5). Unrelated facts side by side are the hardest case; how
much a text with one thread gains was not measured.
"""
LONGEST = 200
"""Characters of a sentence that stays whole."""
MOST = 64
"""Passages of one text."""
READ = 8_192
"""Characters that are read: every fact whole, of a longer text the beginning."""

# A sentence with the blanks after it: up to a full stop that something blank follows, one of a
# script that needs no blank, or the end of a line.
_SENTENCE = re.compile(
    r"[^.!?…؟。！？；।\n]*"
    r"(?:[.!?…؟]+(?:[\"'”’)\]]*\s+|\Z)?|[。！？；।]+[”’」』）]*\s*|\n\s*|\Z)"
)
_CLOSERS = "。！？；।”’」』）"
_DENSE = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\uffef\U00020000-\U0003ffff]")
_LAST_BLANK = re.compile(r".*\s", re.DOTALL)
_JOINER = "\u200d"


def split(text: str) -> tuple[str, ...]:
    """The passages of `text`, in order; joined they are `text`, or its beginning beyond `READ`.

    Cut between sentences where there are any, else between words, else between characters that
    stand alone: never between a letter and its accent or inside an emoji.
    """
    found: list[str] = []
    left = READ
    for passage in _packed(text, AIM):
        left -= len(passage)
        if left < 0:
            break
        found.append(passage)
    while len(found) > MOST:
        _join_two(found)
    return tuple(found) or (text,)


def _join_two(found: list[str]) -> None:
    """Join the neighbours that lose least: of the shortest, those most alike in length.

    A short sentence joined to a long one would not be heard any more.
    """
    lengths = [len(passage) for passage in found]
    at = min(
        range(len(found) - 1),
        key=lambda n: (max(lengths[n : n + 2]), -min(lengths[n : n + 2])),
    )
    found[at : at + 2] = [found[at] + found[at + 1]]


def _packed(text: str, aim: int) -> Iterator[str]:
    held, length = "", 0
    for piece in _pieces(text, LONGEST):
        added = len(piece) + len(_DENSE.findall(piece))
        if held and length + added > aim:
            yield held
            held, length = "", 0
        held += piece
        length += added
    if held:
        yield held


def _pieces(text: str, longest: int) -> Iterator[str]:
    for sentence in _sentences(text):
        rest = sentence
        while len(rest) > longest:
            end = _cut(rest, longest)
            yield rest[:end]
            rest = rest[end:]
        yield rest


def _sentences(text: str) -> Iterator[str]:
    held = ""
    for match in _SENTENCE.finditer(text):
        held += match[0]
        if held and (held[-1].isspace() or held[-1] in _CLOSERS):
            yield held
            held = ""
    if held:
        yield held


def _cut(text: str, longest: int) -> int:
    """Where to end a piece of at most `longest` characters; more than half of that."""
    blank = _LAST_BLANK.match(text, 0, longest)
    if blank and blank.end() > longest // 2:
        return blank.end()
    for end in range(longest, longest // 2, -1):
        if not _belong_together(text[end - 1], text[end]):
            return end
    return longest


def _belong_together(left: str, right: str) -> bool:
    return (
        unicodedata.category(right) in ("Mn", "Mc", "Me", "Sk")
        or _JOINER in (left, right)
        or "\U0001f1e6" <= right <= "\U0001f1ff"
        or "\u1160" <= right <= "\u11ff"
    )
