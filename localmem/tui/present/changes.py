"""Versions and what differs between them; the three sides of a save that came late."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from textual.content import Content

from localmem.core import diff, plain
from localmem.core.change import Stale
from localmem.core.diff import FieldDiff, Op
from localmem.core.documents import MISSING, Missing
from localmem.core.merge import Clash, Clean, FieldClash
from localmem.core.model import Content as Kept
from localmem.core.model import (
    DocumentContent,
    FactContent,
    Item,
    Json,
    Millis,
    PreferenceContent,
    Version,
)
from localmem.core.visible import visible
from localmem.engine.outcomes import NothingToUndo, Undone
from localmem.tui.present import ink
from localmem.tui.present.past import Label
from localmem.tui.present.preview import json_lines, json_text
from localmem.tui.present.words import (
    author,
    block,
    done,
    indented,
    one_line,
    spread,
    table,
    when,
)

_QUOTED = 48
"""Characters of a text that name it in a sentence."""
_ROOMY = 40
"""Cells from which a version's row says through what it was written."""
_SIGNS = {Op.ADD: ("{+", "+}", ink.ADDED), Op.REMOVE: ("[-", "-]", ink.REMOVED)}
"""As `git diff --word-diff` writes them: to be told apart without colour."""


def version_row(
    version: Version, width: int, *, marked: bool, current: bool, now: Millis, zone: tzinfo
) -> Content:
    """`◈ v2  edited  you · tui   12 Nov`; the mark says what it is compared with."""
    by = author(version.by) if width >= _ROOMY else visible(version.by.name)
    sign = "◈ " if marked else ("● " if current else "  ")
    left = Content.assemble(
        (sign, ink.NAME),
        (f"v{version.number:<3}", ink.STRONG),
        f"{done(version.change):<11}",
        (by, ink.DIM),
    )
    return spread(left, Content.styled(when(version.at, now, zone), ink.DIM), width)


def version_head(version: Version, now: Millis, zone: tzinfo) -> Content:
    """Who, when, where from, and the words it rests on."""
    by = version.by
    device = f" · device {visible(by.device)}" if by.device else ""
    lines = [
        Content.assemble(
            (f"v{version.number} {done(version.change)} ", ink.STRONG),
            (f"by {author(by)}{device} · {when(version.at, now, zone)}", ink.DIM),
        )
    ]
    if version.evidence.quote:
        lines.append(Content.styled(f"“{visible(version.evidence.quote)}”", "italic"))
    if version.evidence.purchase_id:
        lines.append(Content.styled(f"purchase {visible(version.evidence.purchase_id)}", ink.DIM))
    return Content("\n").join(lines)


def difference(old: Kept, new: Kept) -> Content:
    """Word by word for a fact's text, part by part for everything else."""
    found = diff.fields(old, new)
    if not found:
        return Content.styled("The same words in both.", ink.DIM)
    lines: list[Content] = []
    for part in found:
        lines += _part(part)
    return Content("\n").join(lines)


def word_difference(old: str, new: str) -> Content:
    """The new text with what was added and removed in `{+ +}` and `[- -]`."""
    parts: list[Content | tuple[str, str]] = []
    for piece in diff.words(old, new):
        shown = block(piece.text)
        if piece.op is Op.KEEP:
            parts.append(Content(shown))
        else:
            before, after, style = _SIGNS[piece.op]
            parts += [(before, ink.FAINT), (shown, style), (after, ink.FAINT)]
    return Content.assemble(*parts)


def _part(part: FieldDiff) -> list[Content]:
    name = visible(".".join(part.path)) or "value"
    if part.path == ("text",) and isinstance(part.old, str) and isinstance(part.new, str):
        return [word_difference(part.old, part.new)]
    lines = [Content.styled(f"{name}", ink.NAME)]
    if not isinstance(part.old, Missing):
        lines.append(Content.styled(f"  - {_value(part.old)}", ink.REMOVED))
    if not isinstance(part.new, Missing):
        lines.append(Content.styled(f"  + {_value(part.new)}", ink.ADDED))
    return lines


def _value(value: Json | Missing) -> str:
    if isinstance(value, Missing):
        return "(none)"
    return one_line(value if isinstance(value, str) else json_text(value))


def kept_lines(content: Kept | None) -> Content:
    """One side of the three, in full; None is a version that is gone."""
    match content:
        case None:
            return Content.styled("Not known: it was written without an earlier version.", ink.DIM)
        case FactContent(text, metadata, path):
            lines = [Content(block(text))]
            if path is not None:
                lines.append(Content.styled(f"path  {visible(path)}", ink.DIM))
            lines += [
                Content.styled(f"{visible(name)} = {visible(value)}", ink.DIM)
                for name, value in metadata.items()
            ]
            return Content("\n").join(lines)
        case PreferenceContent(value):
            names = (value,) if isinstance(value, str) else value
            return Content("\n").join([Content(visible(name)) for name in names])
        case DocumentContent(value):
            return json_lines(value)


def merged_head(outcome: Clean | Clash, key: Label) -> Content:
    """What could be merged and what could not, in words."""
    if isinstance(outcome, Clean):
        return Content.assemble(
            ("✓ ", ink.GOOD),
            "Both changes fit together; ",
            (key("accept"), ink.NAME),
            " saves this.",
        )
    parts = ", ".join(visible(".".join(clash.path)) or "the whole value"
                      for clash in outcome.clashes)  # fmt: skip
    return Content.assemble(
        ("✗ ", ink.BAD), f"Changed on both sides: {parts}. Yours stands in the merged version; ",
        (key("edit"), ink.NAME), " edits it.",
    )  # fmt: skip


def merged_lines(outcome: Clean | Clash, width: int) -> Content:
    """The merged content, then each clash with its three values."""
    if isinstance(outcome, Clean):
        return indented(kept_lines(outcome.content), width)
    lines = [indented(kept_lines(outcome.merged), width)]
    for clash in outcome.clashes:
        lines += _clash(clash, width)
    return Content("\n").join(lines)


def _clash(clash: FieldClash, width: int) -> list[Content]:
    name = visible(".".join(clash.path)) or "value"
    sides = [("  yours", clash.mine), ("  theirs", clash.theirs)]
    if clash.base is not MISSING:
        sides.insert(0, ("  before", clash.base))
    return [
        Content.styled(f"✗ {name}", ink.BAD),
        *table([(side, Content(_value(value))) for side, value in sides], width),
    ]


def other_side(stale: Stale, now: Millis, zone: tzinfo) -> Content:
    """Who wrote meanwhile, and when."""
    head = stale.current.head
    return Content.assemble(
        ("⚠ Not saved: ", ink.ALERT),
        (author(head.by), ink.STRONG),
        f" changed it too ({when(head.at, now, zone)}). Choose; nothing is lost.",
    )


def undone(result: Undone | NothingToUndo, items: Sequence[Item]) -> str:
    """What an undo took back, or why it did not; `items` are what it was about, before it."""
    if isinstance(result, NothingToUndo):
        return result.why
    if not items:
        return f"Taken back: {result.label}."
    first = items[0]
    text = one_line(plain.text(first))
    named = f"{text[:_QUOTED].rstrip()}…" if len(text) > _QUOTED else text
    others = len(result.gone) + result.restored - 1
    more = f" and {others:,} more" if others > 0 else ""
    kept = f" {result.kept:,} changed since, so they stay." if result.kept else ""
    return f"Taken back: {result.label.removesuffix(f' a {first.kind}')} “{named}”{more}.{kept}"
