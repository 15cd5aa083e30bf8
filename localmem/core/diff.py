"""What changed between two versions, as data: word by word in a text, part by part in a content.

The history, a conflict and a stale save all show it; how it looks is theirs. Concatenating what
was kept and added gives the new text exactly, kept and removed the old one. Cost is bounded: where
two long texts have next to nothing in common the answer gets coarser, never slow.
"""

from __future__ import annotations

import bisect
import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from localmem.core.documents import MISSING, Missing, canonical, same
from localmem.core.model import Content, DocumentContent, FactContent, Json, PreferenceContent
from localmem.errors import InvalidInput


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
    pieces: list[Piece] = []
    i = j = 0
    for first, second, length in [*_blocks(before, after), (len(before), len(after), 0)]:
        _append(pieces, Op.REMOVE, before[i:first])
        _append(pieces, Op.ADD, after[j:second])
        _append(pieces, Op.KEEP, before[first : first + length])
        i, j = first + length, second + length
    return tuple(pieces)


def _append(pieces: list[Piece], op: Op, tokens: Sequence[str]) -> None:
    if tokens:
        pieces.append(Piece(op, "".join(tokens)))


# --- Words -------------------------------------------------------------------------------------

_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0xA4CF),  # Han, kana, Bopomofo, Yi and their punctuation
    (0xF900, 0xFAFF),  # Han compatibility
    (0xFF00, 0xFFEF),  # full- and half-width forms
    (0x1B000, 0x1B2FF),  # kana extensions
    (0x20000, 0x3FFFF),  # Han extensions
)
_JOINER = "\u200d"


def _tokens(text: str) -> list[str]:
    """Words, runs of white space, and single characters with their marks; joined they are text."""
    tokens: list[str] = []
    start, running = 0, ""
    for at, character in enumerate(text):
        kind = _kind(character)
        joined = kind == "mark" or (at > 0 and text[at - 1] == _JOINER)
        if at > start and not joined and (kind != running or kind == "alone"):
            tokens.append(text[start:at])
            start = at
        if not joined or at == start:
            running = kind
    if text:
        tokens.append(text[start:])
    return tokens


def _kind(character: str) -> str:
    if character.isspace():
        return "space"
    code = ord(character)
    if character == _JOINER or unicodedata.category(character)[0] == "M":
        return "mark"
    if character.isalnum() and not any(low <= code <= high for low, high in _UNSPACED):
        return "word"
    return "alone"


# --- Alignment ---------------------------------------------------------------------------------

Block = tuple[int, int, int]
"""Start in the old tokens, start in the new ones, how many are equal from there on."""

_BUDGET = 400_000
"""Inner steps of the exact alignment, over the whole text."""
_ROUNDS = 6
"""How often a part is split at words that occur once before it counts as replaced."""


def _blocks(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """Equal runs in both orders, none touching the next, none of white space alone inside a
    change: "a b" against "x y" is one replacement, not two around a kept space."""
    joined: list[Block] = []
    for first, second, length in sorted(_Alignment(old, new).pairs()):
        if joined:
            i, j, before = joined[-1]
            if (i + before, j + before) == (first, second):
                joined[-1] = (i, j, before + length)
                continue
        joined.append((first, second, length))
    ends = (len(old), len(new))
    return [block for block in joined if _worth_keeping(block, old, ends)]


def _worth_keeping(block: Block, old: Sequence[str], ends: tuple[int, int]) -> bool:
    first, second, length = block
    at_an_end = (first, second) == (0, 0) or (first + length, second + length) == ends
    return at_an_end or not all(
        token.isspace() and "\n" not in token for token in old[first : first + length]
    )


@dataclass(frozen=True, slots=True)
class _Span:
    low: int
    high: int
    new_low: int
    new_high: int
    rounds: int = _ROUNDS

    @property
    def settled(self) -> bool:
        return self.low == self.high or self.new_low == self.new_high


class _Alignment:
    """Shortest edit script while the budget lasts; beyond it, anchored at words that occur once."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self._old, self._new = old, new
        self._budget = _BUDGET

    def pairs(self) -> Iterator[Block]:
        waiting = [_Span(0, len(self._old), 0, len(self._new))]
        while waiting:
            span = waiting.pop()
            head, span, tail = self._trim(span)
            yield from (block for block in (head, tail) if block[2])
            if span.settled:
                continue
            found = self._shortest(span)
            if found is not None:
                yield from found
            elif span.rounds:
                waiting.extend(self._split(span))

    def _trim(self, span: _Span) -> tuple[Block, _Span, Block]:
        low, new_low = span.low, span.new_low
        while low < span.high and new_low < span.new_high and self._equal(low, new_low):
            low, new_low = low + 1, new_low + 1
        high, new_high = span.high, span.new_high
        while high > low and new_high > new_low and self._equal(high - 1, new_high - 1):
            high, new_high = high - 1, new_high - 1
        head = (span.low, span.new_low, low - span.low)
        tail = (high, new_high, span.high - high)
        return head, _Span(low, high, new_low, new_high, span.rounds), tail

    def _equal(self, i: int, j: int) -> bool:
        return self._old[i] == self._new[j]

    def _shortest(self, span: _Span) -> list[Block] | None:
        """Myers' greedy algorithm; None when this span alone would take too much of the budget."""
        allowance = self._budget // 4
        old, new = self._old[span.low : span.high], self._new[span.new_low : span.new_high]
        spent, chain = _explore(old, new, allowance)
        self._budget -= spent
        if spent > allowance:
            return None
        blocks: list[Block] = []
        while chain is not None:
            (i, j, length), chain = chain
            blocks.append((span.low + i, span.new_low + j, length))
        return blocks

    def _split(self, span: _Span) -> list[_Span]:
        """Spans that each begin at a word which occurs once on both sides, in the same order."""
        once = _once(self._old, span.low, span.high)
        once_new = _once(self._new, span.new_low, span.new_high)
        shared = [(at, once_new[word]) for word, at in once.items() if word in once_new]
        starts = _rising(sorted(shared))
        if not starts:
            return []
        corners = [(span.low, span.new_low), *starts, (span.high, span.new_high)]
        return [
            _Span(low, high, new_low, new_high, span.rounds - 1)
            for (low, new_low), (high, new_high) in itertools.pairwise(corners)
        ]


class _Chain(NamedTuple):
    """Equal runs from the last to the first; paths share their beginnings."""

    block: Block
    before: _Chain | None


def _explore(old: Sequence[str], new: Sequence[str], allowance: int) -> tuple[int, _Chain | None]:
    """Steps spent and the runs of a shortest script; spent > allowance means it was given up."""
    rows, columns, spent = len(old), len(new), 0
    furthest: dict[int, int] = {1: 0}
    chains: dict[int, _Chain | None] = {1: None}
    edits = 0
    while True:
        lowest = -edits + 2 * max(0, edits - columns)
        highest = edits - 2 * max(0, edits - rows)
        for diagonal in range(lowest, highest + 1, 2):
            left, above = furthest.get(diagonal - 1, -1), furthest.get(diagonal + 1, -1)
            x, chain = (
                (above, chains.get(diagonal + 1))
                if left < above
                else (left + 1, chains.get(diagonal - 1))
            )
            start = x
            while x < rows and x - diagonal < columns and old[x] == new[x - diagonal]:
                x += 1
            if x > start:
                chain = _Chain((start, start - diagonal, x - start), chain)
            furthest[diagonal], chains[diagonal] = x, chain
            spent += x - start + 1
            if x >= rows and x - diagonal >= columns:
                return min(spent, allowance), chain
            if spent > allowance:
                return spent, None
        edits += 1


def _once(tokens: Sequence[str], low: int, high: int) -> dict[str, int]:
    counted = Counter(tokens[low:high])
    return {tokens[at]: at for at in range(low, high) if counted[tokens[at]] == 1}


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs whose second numbers rise, given the first ones do."""
    ends: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for at, (_, second) in enumerate(pairs):
        place = bisect.bisect_left(ends, second)
        before.append(tops[place - 1] if place else -1)
        ends[place : place + 1] = [second]
        tops[place : place + 1] = [at]
    run: list[tuple[int, int]] = []
    at = tops[-1] if tops else -1
    while at >= 0:
        run.append(pairs[at])
        at = before[at]
    return run[::-1]


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
