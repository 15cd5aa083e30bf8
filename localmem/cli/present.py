"""Items, versions and times as text a person reads. Pure: values in, lines out.

Everything stored passes `core.visible` here, once. Refuses colour and markup: what is bold or
faint is decided by the console, after measuring.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from localmem.core import documents, plain, preferences, ttl
from localmem.core.documents import MISSING, Missing
from localmem.core.model import (
    Actor,
    Change,
    Content,
    DocumentContent,
    FactContent,
    Item,
    ItemId,
    Json,
    Kind,
    Millis,
    PreferenceContent,
    Version,
)
from localmem.core.visible import visible

if TYPE_CHECKING:
    from localmem.core.diff import FieldDiff

_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
_CHANGES: Mapping[Change, str] = {
    Change.REMEMBER: "remembered",
    Change.CORRECT: "corrected",
    Change.EDIT: "edited",
    Change.RESTORE: "restored",
    Change.MERGE: "merged",
    Change.IMPORT: "imported",
}
NOTHING = "-"
_WENT, _CAME = "[-{}-]", "{{+{}+}}"


@dataclass(frozen=True, slots=True)
class Times:
    """The moment and the zone of whoever looks."""

    now: Millis
    zone: tzinfo

    def at(self, moment: Millis) -> str:
        """`2026-11-30 15:00`, in the person's zone."""
        when = (_EPOCH + timedelta(milliseconds=moment)).astimezone(self.zone)
        return when.strftime("%Y-%m-%d %H:%M")

    def until(self, moment: Millis | None) -> str:
        """`never`, or `in 3 days (2026-12-03 15:00)`."""
        if moment is None:
            return ttl.describe(None)
        return f"{ttl.describe(moment - self.now)} ({self.at(moment)})"


def text(item: Item) -> str:
    """What an item says, on one line."""
    return visible(_line(item.head.content, item))


def row(item: Item, short_id: str) -> list[str]:
    """Id, scope and text: a line of a list."""
    return [short_id, str(item.scope), text(item)]


def addressed(item: Item) -> list[str]:
    """A document or preference by what commands call it by, as its own list shows it."""
    content = item.head.content
    if isinstance(content, DocumentContent):
        said = visible(documents.canonical(content.value))
        return [visible(item.key), f"rev {item.head.number}", said]
    return [item.key, str(item.provenance), value_of(item)]


def details(item: Item, times: Times, used: tuple[Millis, str] | None) -> list[tuple[str, str]]:
    """Everything about an item but its content, as names and values."""
    head = item.head
    found = [("id", str(item.id)), ("kind", str(item.kind))]
    if item.kind is Kind.DOCUMENT:
        found.append(("document", f"{item.collection}/{item.key}"))
    if item.provenance is not None:
        found.append(("provenance", str(item.provenance)))
    if item.kind is not Kind.PREFERENCE:
        found.append(("scope", str(item.scope)))
    found.append(("version", f"{head.number}, {_CHANGES[head.change]} by {author(head.by)}"))
    found.append(("written", times.at(head.at)))
    if head.number > 1:
        found.append(("kept since", times.at(item.created_at)))
    found.append(("expires", times.until(head.expires_at)))
    if isinstance(head.content, FactContent):
        if head.content.path is not None:
            found.append(("path", head.content.path))
        found.extend(("metadata", f"{n} = {v}") for n, v in head.content.metadata.items())
    found.extend(evidence(head))
    if used is not None:
        found.append(("last used", f"{times.at(used[0])} by {used[1]}"))
    return [(name, visible(value)) for name, value in found]


def block(item: Item) -> list[str]:
    """The whole content, on as many lines as it has."""
    content = item.head.content
    match content:
        case FactContent():
            whole = content.text
        case DocumentContent(value):
            whole = pretty(value)
        case PreferenceContent():
            whole = plain.text(item)
    return visible(whole, keep_newlines=True).split("\n")


def pretty(value: Json) -> str:
    """JSON on as many lines as it needs, its text as it is."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def author(by: Actor) -> str:
    """`you (cli)`, `shop-agent (mcp)`."""
    return f"{visible(by.name)} ({by.origin})"


def version(held: Version, times: Times, item: Item) -> list[str]:
    """Number, change, author, time and content: a line of a history."""
    half = [] if item.provenance is None else [str(item.provenance)]
    return [
        f"v{held.number}",
        *half,
        _CHANGES[held.change],
        author(held.by),
        times.at(held.at),
        visible(_line(held.content, item)),
    ]


def changes(old: Version, new: Version) -> list[str]:
    """What `new` changed, one line for each part; words as `[-old-]` and `{+new+}`."""
    from localmem.core.diff import fields

    return [_change(part, old.content, new.content) for part in fields(old.content, new.content)]


def value_of(entry: Item | None) -> str:
    """A preference's value, `-` when there is none."""
    if entry is None or not isinstance(entry.head.content, PreferenceContent):
        return NOTHING
    return visible(preferences.describe(entry.head.content.value))


def named(items: Sequence[Item], ids: Mapping[ItemId, str], most: int, total: int = 0) -> list[str]:
    """What would be forgotten, by name: `most` of them and how many more of `total`."""
    lines = [f"{item.kind}  {ids.get(item.id, item.id)}  {item.scope}  {text(item)}"
             for item in items[:most]]  # fmt: skip
    more = max(total, len(items)) - min(len(items), most)
    if more:
        lines.append(f"and {more:,} more")
    return lines


def count(number: int, one: str, many: str = "") -> str:
    """`1 fact`, `2,000 facts`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(held: int) -> str:
    """Bytes as `12.3 KB`."""
    amount, unit = float(held), "bytes"
    for larger in ("KB", "MB", "GB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{held:,} bytes" if unit == "bytes" else f"{amount:.1f} {unit}"


def joined(names: Iterable[str]) -> str:
    return ", ".join(names) or NOTHING


def _line(content: Content, item: Item) -> str:
    match content:
        case DocumentContent(value):
            compact = json.dumps(value, ensure_ascii=False)
            return f"{item.collection}/{item.key} {compact}"
        case _:
            return plain.content_text(content, key=item.key, collection=item.collection)


def evidence(held: Version) -> list[tuple[str, str]]:
    found = []
    if held.evidence.quote is not None:
        found.append(("words", f'"{held.evidence.quote}"'))
    if held.evidence.purchase_id is not None:
        found.append(("purchase", held.evidence.purchase_id))
    if held.evidence.source is not None:
        found.append(("source", held.evidence.source))
    return found


def _change(part: FieldDiff, old: Content, new: Content) -> str:
    if part.path == ("text",) and isinstance(old, FactContent) and isinstance(new, FactContent):
        return visible(_worded(old.text, new.text))
    name = ".".join(part.path) or "value"
    sides = [mark.format(_side(side)) for mark, side in ((_WENT, part.old), (_CAME, part.new))
             if side is not MISSING]  # fmt: skip
    return visible(f"{name}: {' '.join(sides)}")


def _worded(old: str, new: str) -> str:
    from localmem.core.diff import Op, words

    marks = {Op.KEEP: "{}", Op.REMOVE: _WENT, Op.ADD: _CAME}
    return "".join(marks[piece.op].format(piece.text) for piece in words(old, new))


def _side(side: Json | Missing) -> str:
    if isinstance(side, str):
        return side
    return documents.canonical(side) if not isinstance(side, Missing) else ""
