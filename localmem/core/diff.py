"""What changed between two versions, as data: word by word in a text, part by part in a content.

The history, a conflict and a stale save all show it; how it looks is theirs. Concatenating what
was kept and added gives the new text exactly, kept and removed the old one. difflib aligns the
words; what is ours bounds its cost (two hostile texts of 8 KB hold it for minutes): where two
long texts have next to nothing in common the answer gets coarser, never slow.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import accumulate, groupby, takewhile
from operator import eq, itemgetter

from localmem.core.documents import MISSING, Missing, canonical, same
from localmem.core.model import Content, DocumentContent, FactContent, Json, PreferenceContent
from localmem.errors import InvalidInput

_BUDGET = 1_000_000
"""Steps of the alignment over a whole text, 0.1 µs each; one search may overrun it."""
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai and Lao, Myanmar, Khmer
    "\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef"  # Han, kana, Bopomofo, Yi; wide and narrow forms
    "\U0001b000-\U0001b2ff\U00020000-\U0003ffff]"  # more kana, more Han
)
_JOINER = "\u200d"


class Op(StrEnum):
    KEEP = "keep"
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Piece:
    op: Op
    text: str
    """Never empty; neighbours have different ops, and a removal precedes what replaces it."""


@dataclass(frozen=True, slots=True)
class FieldDiff:
    path: tuple[str, ...]
    """("value",), ("text",), ("path",), ("metadata", key), or member names of a document; ()
    for the whole of it."""
    old: Json | Missing
    """MISSING when it was added."""
    new: Json | Missing
    """MISSING when it was removed."""
    entry: bool = False
    """True when old or new is one entry of the list at `path`, not the whole value."""


def words(old: str, new: str) -> tuple[Piece, ...]:
    """Word-level difference; character by character in scripts that put no spaces."""
    before, after = _tokens(old), _tokens(new)
    marked: list[tuple[Op, str]] = []
    i = j = 0
    for at, new_at in [*_aligned(before, after), (len(before), len(after))]:
        head, tail = _same_ends(before[i:at], after[j:new_at])
        marked += [(Op.KEEP, token) for token in before[i : i + head]]
        marked += [(Op.REMOVE, token) for token in before[i + head : at - tail]]
        marked += [(Op.ADD, token) for token in after[j + head : new_at - tail]]
        marked += [(Op.KEEP, token) for token in before[at - tail : at + 1]]
        i, j = at + 1, new_at + 1
    runs = groupby(marked, key=itemgetter(0))
    return tuple(Piece(op, "".join(token for _, token in run)) for op, run in runs)


def _tokens(text: str) -> list[str]:
    """Words, runs of white space, and single characters with their marks; joined they are text."""
    tokens: list[str] = []
    running = before = ""
    for character in text:
        kind = _kind(character)
        joined = kind == "mark" or before == _JOINER
        if tokens and (joined or kind == running != "alone"):
            tokens[-1] += character
        else:
            tokens.append(character)
            running = kind
        before = character
    return tokens


def _kind(character: str) -> str:
    if character.isspace():
        return "space"
    if character == _JOINER or unicodedata.category(character)[0] == "M":
        return "mark"
    return "word" if character.isalnum() and not _UNSPACED.match(character) else "alone"


def _aligned(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Positions of tokens to keep between the ends both share, rising on both sides.

    Spaces follow their words: "a b" against "x y" is one replacement, not two around a space.
    """
    head, tail = _same_ends(old, new)
    places, new_places = _solid(old, head, tail), _solid(new, head, tail)
    found = _matches([old[at] for at in places], [new[at] for at in new_places])
    return sorted((places[at], new_places[new_at]) for at, new_at in found)


def _matches(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """What get_matching_blocks finds, the widest spans first, until the budget is spent."""
    matcher = SequenceMatcher(None, old, new)
    seeds = matcher.b2j  # type: ignore[attr-defined]  # documented, but not in typeshed
    costs = list(accumulate((1 + len(seeds.get(token, ())) for token in old), initial=0))
    waiting, spent = deque([(0, len(old), 0, len(new))]), 0
    while waiting and spent < _BUDGET:
        low, high, new_low, new_high = waiting.popleft()
        at, new_at, length = matcher.find_longest_match(low, high, new_low, new_high)
        spent += costs[high] - costs[low]
        if length:
            yield from zip(range(at, at + length), range(new_at, new_at + length), strict=True)
            waiting.append((low, at, new_low, new_at))
            waiting.append((at + length, high, new_at + length, new_high))


def _solid(tokens: Sequence[str], head: int, tail: int) -> list[int]:
    inner = range(head, len(tokens) - tail)
    return [at for at in inner if "\n" in tokens[at] or not tokens[at].isspace()]


def _same_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many tokens are equal from the start, and of the rest how many from the end."""
    head = sum(takewhile(bool, map(eq, old, new)))
    tail = sum(takewhile(bool, map(eq, old[head:][::-1], new[head:][::-1])))
    return head, tail


# --- Parts of a content ------------------------------------------------------------------------


def fields(old: Content, new: Content) -> tuple[FieldDiff, ...]:
    """What differs, part by part: objects recursively, lists by the entries that came and went.

    Raises InvalidInput when the contents are of different kinds.
    """
    match old, new:
        case PreferenceContent(), PreferenceContent():
            return tuple(_differing(("value",), _json(old.value), _json(new.value)))
        case FactContent(), FactContent():
            return tuple(_differing((), _parts(old), _parts(new)))
        case DocumentContent(), DocumentContent():
            return tuple(_differing((), old.value, new.value))
        case _:
            raise InvalidInput(
                "These are not versions of one item.",
                hint="Compare a preference, a fact or a document with its own versions only.",
            )


def _json(value: str | tuple[str, ...]) -> Json:
    return value if isinstance(value, str) else [*value]


def _parts(fact: FactContent) -> Json:
    parts: dict[str, Json] = {"text": fact.text, "metadata": {**fact.metadata}}
    return parts if fact.path is None else {**parts, "path": fact.path}


def _differing(
    path: tuple[str, ...], old: Json | Missing, new: Json | Missing
) -> Iterator[FieldDiff]:
    if same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name in [*old, *(name for name in new if name not in old)]:
            yield from _differing((*path, name), old.get(name, MISSING), new.get(name, MISSING))
    elif isinstance(old, list) and isinstance(new, list):
        yield from _entries(path, old, new)
    else:
        yield FieldDiff(path, old, new)


def _entries(path: tuple[str, ...], old: list[Json], new: list[Json]) -> Iterator[FieldDiff]:
    removed, added = _without(old, new), _without(new, old)
    if not removed and not added:
        yield FieldDiff(path, old, new)
    yield from (FieldDiff(path, entry, MISSING, entry=True) for entry in removed)
    yield from (FieldDiff(path, MISSING, entry, entry=True) for entry in added)


def _without(entries: Iterable[Json], others: Iterable[Json]) -> list[Json]:
    """Entries that `others` has not, each counted as often as it occurs."""
    available = Counter(map(canonical, others))
    left: list[Json] = []
    for entry in entries:
        written = canonical(entry)
        if available[written]:
            available[written] -= 1
        else:
            left.append(entry)
    return left
