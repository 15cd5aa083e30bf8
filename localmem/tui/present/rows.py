"""A line of a list: an item, a hit, one of the six preferences, what waits, what was done."""

from __future__ import annotations

from collections.abc import Collection
from datetime import tzinfo
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content

from localmem.core import documents, preferences
from localmem.core.model import (
    DocumentContent,
    FactContent,
    Item,
    ItemId,
    Json,
    Kind,
    Millis,
    PreferenceContent,
)
from localmem.core.records import Deed
from localmem.core.scope import PERSON, PROJECT, Scope
from localmem.core.visible import visible
from localmem.engine.answers import Hit, PreferenceEntry, Waiting
from localmem.tui.present import activity, ink
from localmem.tui.present.words import ICON, NOT_SET, WAITING, one_line, spread, when

if TYPE_CHECKING:
    from localmem.tui.present.syncing import SyncRow

BAR = 7
"""Cells of a full score bar."""
_DATED = 64
"""Cells a row must have before its date is worth showing."""
_LABEL = 22
_MEMBERS = 12
_AUTHOR = 10
"""Cells of an author's name in the inbox."""
_ROOMY = 44
"""Cells from which what waits says where it belongs, too."""
_BEFORE_MATCH = 12
"""Characters shown before the first matched word when it would not fit otherwise."""


class Signs(NamedTuple):
    """What rows carry beside what they say."""

    waiting: frozenset[ItemId] = frozenset()
    """Those that wait in the inbox."""
    drafted: frozenset[ItemId] = frozenset()
    """Those with an unfinished edit."""

    def also(self, other: Signs) -> Signs:
        """These and the other's, as more rows of a list come in."""
        return Signs(self.waiting | other.waiting, other.drafted)


NO_SIGNS = Signs()


class Look(NamedTuple):
    """What a row needs to know about the list it is in."""

    now: Millis
    zone: tzinfo
    scopes: bool = False
    """Whether rows name their scope: they come from several."""
    collections: bool = False
    """Whether documents name their collection."""
    signs: Signs = NO_SIGNS


if TYPE_CHECKING:
    Row = Item | Hit | PreferenceEntry | Waiting | Deed | SyncRow
else:  # its rows are loaded when they are first shown
    Row = Item | Hit | PreferenceEntry | Waiting | Deed


def item_of(row: Row | None) -> Item | None:
    """The item a row stands for; None for a preference that is not set, a deed, and of a sync."""
    match row:
        case Hit() | Waiting():
            return row.item
        case PreferenceEntry():
            return row.effective
        case Item():
            return row
        case _:
            return None


def items_of(row: Row) -> tuple[Item, ...]:
    """Both halves of a preference, the item of anything else."""
    found = (row.declared, row.inferred) if isinstance(row, PreferenceEntry) else (item_of(row),)
    return tuple(item for item in found if item is not None)


def key_of(row: Row | None) -> object:
    """What stays the same of a row when it is read again."""
    match row:
        case Deed():
            return row.seq
        case PreferenceEntry():
            return row.key
        case Item() | Hit() | Waiting():
            item = item_of(row)
            return item.id if item is not None else None
        case None:
            return None
        case _:
            from localmem.tui.present import syncing

            return syncing.key_of(row)


def draw(row: Row, width: int, look: Look) -> Content:
    """One line of at most `width` cells."""
    match row:
        case Hit():
            return hit(row, width, look)
        case PreferenceEntry():
            return preference(row, width, look)
        case Waiting():
            return waiting(row, width, look)
        case Deed():
            return activity.row(row, width, look.now, look.zone)
        case Item():
            return item(row, width, look)
        case _:
            from localmem.tui.present import syncing

            return syncing.row(row, width, look.now, look.zone)


def item(kept: Item, width: int, look: Look) -> Content:
    icon = _icon(kept, look)
    if kept.kind is Kind.PREFERENCE:
        left = Content.assemble(icon, _preference_text(kept))
    else:
        left = Content.assemble(icon, *_body(kept, (), look, width))
    return spread(left, _aside(kept, look, width), width)


def hit(found: Hit, width: int, look: Look) -> Content:
    """Bar, number and weak mark, then the text around its first matched word."""
    parts = [score(found)] if found.score < 1 or found.terms else []
    parts.append(Content.assemble(_icon(found.item, look)))
    used = sum(part.cell_length for part in parts)
    text = _body(found.item, found.terms, look, max(width - used, 1))
    left = Content.assemble(*parts, *text)
    scope = found.item.scope
    named = look.scopes and scope not in (PERSON, PROJECT)
    return spread(left, Content.styled(_short(scope, width) if named else "", ink.DIM), width)


def waiting(found: Waiting, width: int, look: Look) -> Content:
    """Who wrote it, what it says, and whether that changed something."""
    kept = found.item
    name = Content(visible(kept.head.by.name)).truncate(_AUTHOR, ellipsis=True, pad=True)
    head = Content.assemble((f"{ICON[kept.kind]} ", ink.NAME), name.stylize(ink.STRONG), "  ")
    text = _body(kept, (), look, max(width - head.cell_length, 1))
    change = "changed" if found.before is not None else ""
    where = _aside(kept, look, width).plain if width >= _ROOMY else ""
    end = Content.styled("  ".join(part for part in (change, where) if part), ink.DIM)
    return spread(Content.assemble(head, *text), end, width)


def score(found: Hit) -> Content:
    """`▇▇▇▇▇   0.52  `; `~` instead of a space marks a weak one, so that no colour is needed."""
    filled = max(1, round(found.score * BAR))
    style = ink.WEAK if found.weak else ink.SCORE
    mark = "~" if found.weak else " "
    return Content.assemble(
        ("▇" * filled + " " * (BAR - filled), style), (f" {found.score:.2f}{mark} ", style)
    )


def preference(entry: PreferenceEntry, width: int, look: Look) -> Content:
    counts = entry.effective
    asks = any(half.id in look.signs.waiting for half in items_of(entry))
    label = Content.assemble(
        (f"{ICON[Kind.PREFERENCE] if counts else NOT_SET} ", ink.NAME),
        f"{(WAITING + ' ' if asks else '') + preferences.label(entry.key):<{_LABEL}}",
    )
    if counts is None:
        why = "forgotten · not inferred" if entry.inference_blocked else "not set"
        return spread(Content.assemble(label, (why, ink.FAINT)), Content(""), width)
    said = str(counts.provenance)
    if entry.declared and entry.inferred and width >= _DATED:
        said = "declared, inferred too"
    right = Content.styled(f"draft  {said}" if counts.id in look.signs.drafted else said, ink.DIM)
    return spread(Content.assemble(label, (_value(counts), ink.STRONG)), right, width)


def _preference_text(kept: Item) -> Content:
    label = preferences.label(preferences.parse_key(kept.key))
    return Content.assemble(f"{label}: ", (_value(kept), ink.STRONG))


def _value(kept: Item) -> str:
    content = kept.head.content
    held = content.value if isinstance(content, PreferenceContent) else ""
    return one_line(preferences.describe(held))


def _aside(kept: Item, look: Look, width: int) -> Content:
    where = str(kept.provenance) if kept.kind is Kind.PREFERENCE else ""
    if look.scopes and kept.scope not in (PERSON, PROJECT):
        where = _short(kept.scope, width)
    at = when(kept.head.at, look.now, look.zone)
    dated = f"{at:>9}" if width >= _DATED else ""
    draft = "draft" if kept.id in look.signs.drafted else ""
    return Content.styled("  ".join(part for part in (draft, where, dated) if part), ink.DIM)


def _icon(kept: Item, look: Look) -> tuple[str, str]:
    """What kind it is, and whether it waits."""
    sign = f"{WAITING} " if kept.id in look.signs.waiting else ""
    return f"{ICON[kept.kind]} {sign}", ink.NAME


def _short(scope: Scope, width: int) -> str:
    """A scope as far as it may take room from the text."""
    return Content(str(scope)).truncate(max(14, width // 4), ellipsis=True).plain


def _body(
    kept: Item, terms: Collection[str], look: Look, width: int
) -> tuple[Content | tuple[str, str], ...]:
    match kept.head.content:
        case FactContent(text):
            return (marked(_near_match(one_line(text), terms, width), terms),)
        case PreferenceContent():
            return (marked(_preference_text(kept).plain, terms),)
        case DocumentContent(value):
            name = f"{kept.collection}/{kept.key}" if look.collections else kept.key
            text = one_line(_summary(value))
            return (
                (f"{one_line(name)}  ", ink.STRONG),
                marked(_near_match(text, terms, width - len(name) - 2), terms, ink.DIM),
            )


def _summary(value: Json) -> str:
    """A document in a line: its members in their order, what is inside them only counted."""
    if not isinstance(value, dict):
        return documents.canonical(value)
    parts = [f"{name}: {_brief(member)}" for name, member in islice(value.items(), _MEMBERS)]
    return " · ".join(parts)


def _brief(value: Json) -> str:
    match value:
        case dict():
            return "{…}" if value else "{}"
        case list():
            return f"[{len(value)}]"
        case str():
            return value
        case _:
            return documents.canonical(value)


def marked(text: str, terms: Collection[str], style: str = ink.PLAIN) -> Content:
    """The text with the words that meet a term marked."""
    content = Content.styled(text, style)
    for start, end in _matched(text, terms):
        content = content.stylize(ink.MARK, start, end)
    return content


def _matched(text: str, terms: Collection[str]) -> tuple[tuple[int, int], ...]:
    if not terms:
        return ()
    from localmem.core import words  # the first rows meet no search yet

    return words.matched(terms, text)


def _near_match(text: str, terms: Collection[str], width: int) -> str:
    """The text from a little before its first match, when that lies beyond the line's end."""
    spans = _matched(text, terms)
    if not spans or spans[0][1] <= max(width - 2, 1):
        return text
    start = max(spans[0][0] - _BEFORE_MATCH, 0)
    blank = text.find(" ", start, spans[0][0])
    return "…" + text[blank + 1 if blank >= 0 else start :]
