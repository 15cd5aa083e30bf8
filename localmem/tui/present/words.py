"""Small words of the interface: times, authors, counts, and long text on one line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo

from rich.cells import cell_len
from textual.content import Content

from localmem.core import plain
from localmem.core.model import Actor, Change, Item, Kind, Millis, Provenance
from localmem.core.scope import PERSON
from localmem.core.visible import visible
from localmem.tui.present import ink

ICON = {Kind.PREFERENCE: "◆", Kind.FACT: "●", Kind.DOCUMENT: "▤"}
NOT_SET = "◇"
WAITING = "✎"
"""Stands before what waits in the inbox."""
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_LINE = 2_000
"""Characters of a text that can reach one line of a list."""
_TOLD = 300
"""Characters of a memory that a question or a list of what goes says of it."""
_SOME = 8
"""Memories that a question names; the rest is counted."""
_NARROWEST = 8
"""Cells a value needs beside its name; below that it simply follows."""
_DONE = {
    Change.REMEMBER: "remembered",
    Change.CORRECT: "corrected",
    Change.EDIT: "edited",
    Change.RESTORE: "restored",
    Change.MERGE: "merged",
    Change.IMPORT: "imported",
}


def one_line(text: str) -> str:
    """The text as a list shows it: visible, in one line, and no longer than a line can be."""
    return visible(text[:_LONGEST_LINE])


def block(text: str) -> str:
    """The text as a preview shows it, line by line."""
    return visible(text, keep_newlines=True)


def named(item: Item) -> str:
    """What an item is called in a heading: its words, of a document where it lies."""
    if item.kind is Kind.DOCUMENT:
        return visible(f"{item.collection}/{item.key}")
    return one_line(plain.text(item))


def told(item: Item) -> Content:
    """A memory in a question about it: its sign and what it says."""
    return Content.assemble((f"{ICON[item.kind]} ", ink.NAME), one_line(plain.text(item))[:_TOLD])


def some(items: Sequence[Item], total: int) -> list[Content]:
    """The first few of `total` memories, each in a line, and how many more there are."""
    shown = items[:_SOME]
    lines = [told(item) for item in shown]
    if total > len(shown):
        lines.append(Content.styled(f"… and {total - len(shown):,} more", ink.DIM))
    return lines


def local(at: Millis, zone: tzinfo) -> datetime:
    return (_EPOCH + timedelta(milliseconds=at)).astimezone(zone)


def stamp(at: Millis, now: Millis, zone: tzinfo) -> str:
    """A moment to the minute: `12 Nov 18:02`, with the year when it is another one."""
    moment = local(at, zone)
    year = "" if moment.year == local(now, zone).year else f" {moment.year}"
    return f"{moment.day} {MONTHS[moment.month - 1]}{year} {moment:%H:%M}"


def when(at: Millis, now: Millis, zone: tzinfo) -> str:
    """A moment as short as it stays clear: `now`, `5 min ago`, `18:02`, `12 Nov`, `Nov 2024`."""
    ago = (now - at) // 60_000
    if 0 <= ago < 1:
        return "now"
    if 0 <= ago < 60:
        return f"{ago} min ago"
    moment, today = local(at, zone), local(now, zone)
    if moment.date() == today.date():
        return f"{moment:%H:%M}"
    if moment.year == today.year:
        return f"{moment.day} {MONTHS[moment.month - 1]}"
    return f"{MONTHS[moment.month - 1]} {moment.year}"


def author(by: Actor) -> str:
    """Who wrote, and through what: `shop-agent · mcp`."""
    return f"{visible(by.name)} · {by.origin}"


def done(change: Change) -> str:
    return _DONE[change]


def count(number: int, one: str, many: str = "") -> str:
    """`1 fact`, `1,200 facts`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def address(item: Item) -> str:
    """Where an item lives, in words: `contact:ana`, `orders/ORD-1 · project`, `declared`."""
    match item.kind:
        case Kind.PREFERENCE:
            return f"{item.provenance or Provenance.DECLARED}"
        case Kind.DOCUMENT:
            return visible(f"{item.collection}/{item.key} · {item.scope}")
        case Kind.FACT:
            return str(item.scope) if item.scope != PERSON else "yours"


def spread(left: Content, right: Content, width: int) -> Content:
    """`left` cut to fit beside `right` at the far end; without `right` where there is no room."""
    room = width - right.cell_length - 2
    if not right.plain or room < width // 2:
        return left.truncate(max(width, 0), ellipsis=True, pad=True)
    return Content.assemble(left.truncate(room, ellipsis=True, pad=True), "  ", right)


def table(rows: Sequence[tuple[str, Content]], width: int) -> list[Content]:
    """Names dim in one column, values beside them; a long value goes on under its beginning."""
    wide = max((cell_len(name) for name, _ in rows), default=0)
    lines: list[Content] = []
    for name, value in rows:
        lines += hanging(Content.styled(name, ink.DIM), value, wide + 2, width)
    return lines


def indented(text: Content, width: int) -> Content:
    """The text wrapped to `width`, what goes on of a line as far in as the line itself."""
    lines: list[Content] = []
    for line in text.split("\n"):
        plain = line.plain
        indent = len(plain) - len(plain.lstrip(" "))
        if line.cell_length <= width or not indent:
            lines.append(line)
        else:
            lines += hanging(Content(" " * indent), line[indent:], indent, width)
    return Content("\n").join(lines)


def hanging(name: Content, value: Content, indent: int, width: int) -> list[Content]:
    """`value` wrapped to `width`, all of it `indent` cells in, `name` before its first line."""
    if width - indent < _NARROWEST:
        return [Content.assemble(name, "  ", value)]
    first, *rest = value.wrap(width - indent) or [Content("")]
    head = name.truncate(max(indent - 1, 0), ellipsis=True).pad_right(
        max(indent - name.cell_length, 0)
    )
    return [Content.assemble(head, first)] + [Content.assemble(" " * indent, line) for line in rest]
