"""Three-way merge of two edits of one item (sync.md 2.9): safe where it is, a clash where not.

Serves sync conflicts and stale saves alike; both end on the same side-by-side screen. Never picks
a winner and never drops what only one side holds: a clash names exactly the parts changed twice.
Forgetting, generations and incarnations are decided before this, in sync/.

    equal on both sides        -> that
    one side still as the base -> the other side
    changed on both sides      -> lists of names merge as sets, objects member by member,
                                  everything else clashes

Without a base (first sync) nothing is deletable: lists and members unite, equal parts stay,
differing ones clash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from localmem.core import documents, facts, preferences
from localmem.core.documents import MISSING, Missing, same
from localmem.core.model import Content, DocumentContent, FactContent, Json, PreferenceContent
from localmem.errors import InvalidInput

Part = Json | Missing
"""A value, or MISSING where a side has none."""


@dataclass(frozen=True, slots=True)
class FieldClash:
    """One part changed on both sides to different values."""

    path: tuple[str, ...]
    """("value",) of a preference; ("text",), ("path",), ("metadata",) or ("metadata", key) of a
    fact; member names of a document, () for the whole of it."""
    base: Part
    """MISSING when there was no base or it had no such part."""
    mine: Part
    """MISSING when mine removed it."""
    theirs: Part


@dataclass(frozen=True, slots=True)
class Clean:
    content: Content


@dataclass(frozen=True, slots=True)
class Clash:
    merged: Content
    """All that merged, with mine at every clashing path: what an editor starts from."""
    clashes: tuple[FieldClash, ...]
    """At least one, by path."""


def merge(base: Content | None, mine: Content, theirs: Content) -> Clean | Clash:
    """Merge two contents of one item; `base` is what both started from, None when unknown.

    Swapping mine and theirs swaps the sides of each clash and otherwise changes at most the order
    of names. Raises InvalidInput when the contents are of different kinds.
    """
    match base, mine, theirs:
        case PreferenceContent() | None, PreferenceContent(), PreferenceContent():
            return _preference(base, mine, theirs)
        case FactContent() | None, FactContent(), FactContent():
            return _fact(base, mine, theirs)
        case DocumentContent() | None, DocumentContent(), DocumentContent():
            return _document(base, mine, theirs)
        case _:
            raise InvalidInput(
                "These are not versions of one item.",
                hint="Compare a preference, a fact or a document with its own versions only.",
            )


class _Sides(NamedTuple):
    base: Part
    mine: Part
    theirs: Part


def _preference(
    base: PreferenceContent | None, mine: PreferenceContent, theirs: PreferenceContent
) -> Clean | Clash:
    if mine == theirs or base == theirs:
        return Clean(mine)
    if base == mine:
        return Clean(theirs)
    if isinstance(mine.value, tuple) and isinstance(theirs.value, tuple):
        before = base.value if base and isinstance(base.value, tuple) else ()
        names = _names(before, mine.value, theirs.value)
        # Neither an empty list nor an eleventh name is a value the key can hold.
        if 1 <= len(names) <= preferences.MAX_NAMES:
            return Clean(PreferenceContent(names))
    start = MISSING if base is None else _json(base.value)
    clash = FieldClash(("value",), start, _json(mine.value), _json(theirs.value))
    return Clash(mine, (clash,))


def _json(value: str | tuple[str, ...]) -> Json:
    return value if isinstance(value, str) else [*value]


def _names(base: Iterable[str], mine: Iterable[str], theirs: Iterable[str]) -> tuple[str, ...]:
    """(M and T) or (M without B) or (T without B), in my order, then what theirs added."""
    before, ours, others = _by_key(base), _by_key(mine), _by_key(theirs)
    kept = [name for name in ours if name in others or name not in before]
    added = [name for name in others if name not in ours and name not in before]
    return tuple(
        _spelling(before.get(name), ours.get(name), others.get(name)) for name in kept + added
    )


def _by_key(names: Iterable[str]) -> dict[str, str]:
    keyed: dict[str, str] = {}
    for name in names:
        keyed.setdefault(preferences.same_name_key(name), name)
    return keyed


def _spelling(base: str | None, mine: str | None, theirs: str | None) -> str:
    if mine is None or theirs is None:
        return mine or theirs or ""
    if mine == base:
        return theirs
    if theirs == base:
        return mine
    # Two spellings of one name are not worth a question, but both devices must pick the same.
    return min(mine, theirs)


def _fact(base: FactContent | None, mine: FactContent, theirs: FactContent) -> Clean | Clash:
    clashes: list[FieldClash] = []
    before = base or FactContent("")
    text = _single("text", before.text or None, mine.text, theirs.text, clashes)
    path = _single("path", before.path, mine.path, theirs.path, clashes)
    metadata = _metadata(base, mine, theirs, clashes)
    return _outcome(FactContent(text or mine.text, metadata, path), clashes)


def _single(
    name: str, base: str | None, mine: str | None, theirs: str | None, clashes: list[FieldClash]
) -> str | None:
    sides = _Sides(*(MISSING if side is None else side for side in (base, mine, theirs)))
    merged = _part((name,), sides, clashes)
    return merged if isinstance(merged, str) else None


def _metadata(
    base: FactContent | None, mine: FactContent, theirs: FactContent, clashes: list[FieldClash]
) -> Mapping[str, str]:
    sides = _Sides(MISSING if base is None else _object(base), _object(mine), _object(theirs))
    merged, found = _within(("metadata",), sides, facts.MAX_METADATA_BYTES)
    clashes += found
    members = merged if isinstance(merged, dict) else {}
    return MappingProxyType({k: v for k, v in members.items() if isinstance(v, str)})


def _object(fact: FactContent) -> dict[str, Json]:
    return {**fact.metadata}


def _document(
    base: DocumentContent | None, mine: DocumentContent, theirs: DocumentContent
) -> Clean | Clash:
    sides = _Sides(MISSING if base is None else base.value, mine.value, theirs.value)
    merged, clashes = _within((), sides, documents.MAX_BYTES)
    return _outcome(mine if isinstance(merged, Missing) else DocumentContent(merged), clashes)


def _within(path: tuple[str, ...], sides: _Sides, limit: int) -> tuple[Part, list[FieldClash]]:
    """Merge, and clash whole where the result would not fit, whichever side is kept of each
    clash: the answer may not depend on who is called mine."""
    clashes: list[FieldClash] = []
    merged = _part(path, sides, clashes)
    other = merged
    if clashes:
        other = _part(path, _Sides(sides.base, sides.theirs, sides.mine), [])
    for part in (merged, other):
        if isinstance(part, Missing) or documents.size(part) > limit:
            return sides.mine, [FieldClash(path, *sides)]
    return merged, clashes


def _outcome(content: Content, clashes: list[FieldClash]) -> Clean | Clash:
    if not clashes:
        return Clean(content)
    return Clash(content, tuple(sorted(clashes, key=lambda clash: clash.path)))


def _part(path: tuple[str, ...], sides: _Sides, clashes: list[FieldClash]) -> Part:
    """The merged part, mine where it clashes; appends what clashed. At most 32 levels deep."""
    base, mine, theirs = sides
    if same(mine, theirs) or same(base, theirs):
        return mine
    if same(base, mine):
        return theirs
    if isinstance(mine, dict) and isinstance(theirs, dict):
        # Two objects in the place of something else are two answers, not one to be mixed.
        if isinstance(base, dict):
            return _members(path, base, mine, theirs, clashes)
        if base is MISSING:
            return _members(path, {}, mine, theirs, clashes)
    clashes.append(FieldClash(path, *sides))
    return mine


def _members(
    path: tuple[str, ...],
    base: Mapping[str, Json],
    mine: Mapping[str, Json],
    theirs: Mapping[str, Json],
    clashes: list[FieldClash],
) -> Json:
    members: dict[str, Json] = {}
    for name in [*mine, *(name for name in theirs if name not in mine)]:
        sides = _Sides(*(side.get(name, MISSING) for side in (base, mine, theirs)))
        part = _part((*path, name), sides, clashes)
        if not isinstance(part, Missing):
            members[name] = part
    return members
