"""Long texts as passages, each embedded on its own, so that nothing is cut off unseen.

One vector for six kilobytes says what they are about and forgets their last sentence (FR-48).
Refuses to lose or to alter a character: the passages of a fact, one after another, are the fact.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

AIM = 64
"""Letters (a Chinese character counts as two) up to which sentences share a passage.

Mostly a passage is one sentence. Where a question shares no word with its answer, and the answer
is one of four to nine sentences, it is found above the floor 50 times in 100; with passages of 128
characters 20 times, with one vector for all of it hardly ever.
"""
LONGEST = 200
"""Characters of a sentence that stays whole."""
MOST = 64
"""Passages of one text. A fact (8,192 bytes) always fits; of a longer text, the beginning."""
_LARGEST = -(-8_192 // (MOST // 2 - 1))
"""With this aim a fact fits whatever it holds: any two neighbours are longer than one aim."""

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
    """The passages of `text`, in order; joined they are `text`, or its beginning after `MOST`.

    Cut between sentences where there are any, else between words, else between characters that
    stand alone: never between a letter and its accent or inside an emoji.
    """
    aim = AIM
    while True:
        passages = tuple(islice(_packed(text, aim), MOST + 1))
        if len(passages) <= MOST or aim >= _LARGEST:
            return passages[:MOST] or (text,)
        aim = min(_LARGEST, aim + aim // 4)


def views(passage: str) -> tuple[str, ...]:
    """What a model that minds case and full stops reads instead of `passage`, to be averaged.

    For facts and questions alike, so that equal texts stay equal. The mean of the vectors of
    both (unit length again) finds more than either: recall at 5, questions that share no word
    with their fact, en .87 -> .90, pt .80 -> .87; LoCoMo .59 -> .60 (USE, `bench/recall.py`).
    """
    plain = passage.lower().rstrip(".! ")
    return (passage, plain) if plain and plain != passage else (passage,)


def _packed(text: str, aim: int) -> Iterator[str]:
    held, length = "", 0
    for piece in _pieces(text, max(aim, LONGEST)):
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
