"""What waits for the person: the whole value, the words it came from, and what it replaces.

What an agent wrote is data with its author's name on it, whatever it asks for (FR-134); the three
answers and what each does stand under it, before any key is pressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from textual.content import Content

from localmem.core import plain
from localmem.core.change import Saved
from localmem.core.model import AuthorKind, Evidence, Item, Kind, Millis, Provenance, Version
from localmem.core.visible import visible
from localmem.engine.answers import Waiting
from localmem.engine.outcomes import Receipt
from localmem.tui.present import changes, ink
from localmem.tui.present.past import Label
from localmem.tui.present.preview import Details, about, content_lines, history_lines, warnings
from localmem.tui.present.words import (
    ICON,
    author,
    count,
    done,
    hanging,
    one_line,
    stamp,
    table,
    when,
)

_QUOTED = 48
"""Characters of a text that name it in a sentence."""
MOST_NAMED = 8
"""Memories a question names one by one."""


def lines(
    waiting: Waiting, details: Details, *, now: Millis, zone: tzinfo, width: int, key: Label
) -> Content:
    """Everything needed to decide."""
    item = waiting.item
    parts = [content_lines(item), Content("")]
    parts += [_proposed(waiting, now, zone), Content("")]
    parts += _origin(item.head.evidence)
    if waiting.before is not None:
        parts += _replaced(waiting.before, item, now, zone)
    parts += answers(waiting, width, key)
    parts += warnings(item)
    parts += [Content(""), *table(about(item, details, now, zone), width)]
    parts += history_lines(details.history, now, zone, width)
    return Content("\n").join(parts)


def answers(waiting: Waiting, width: int, key: Label) -> list[Content]:
    """The three keys, and what each does with this one."""
    told = {
        "accept": "keeps it as it is",
        "edit": "corrects it: what you save counts as yours",
        "reject": _rejecting(waiting),
    }
    wide = max(len(key(id)) for id in told) + 2
    return [
        line
        for id, does in told.items()
        for line in hanging(Content.styled(key(id), ink.NAME), Content(does), wide, width)
    ]


def rejected(waiting: Waiting, outcome: Receipt | Saved) -> str:
    """What a rejection did."""
    text = one_line(plain.text(waiting.item))
    named = f"“{text[:_QUOTED].rstrip()}…”" if len(text) > _QUOTED else f"“{text}”"
    if isinstance(outcome, Saved):
        assert waiting.before is not None
        return (
            f"Rejected {named}: it says again what version {waiting.before.number} said. "
            f"The same is not taken again."
        )
    erased = f"Rejected and erased, with {count(outcome.erased.versions, 'version')}: {named}."
    left = "" if outcome.complete else f" Its freed bytes still stand in the file: {outcome.why}."
    return f"{erased}{left} The same is not taken again."


def accepting(waiting: Sequence[Waiting], key: Label) -> Content:
    """The question before all of it is accepted."""
    total = len(waiting)
    lines = [Content(f"This keeps {count(total, 'memory', 'memories')} as written:"), Content("")]
    for each in waiting[:MOST_NAMED]:
        item = each.item
        lines.append(
            Content.assemble(
                (f"{ICON[item.kind]} ", ink.NAME),
                (visible(item.head.by.name), ink.STRONG),
                f"  {one_line(content_lines(item).plain)[:300]}",
            )
        )
    if total > MOST_NAMED:
        lines.append(Content.styled(f"… and {total - MOST_NAMED:,} more", ink.DIM))
    return Content("\n").join(
        [*lines, Content(""), Content.styled(f"{key('undo')} takes it back.", ink.DIM)]
    )


def _proposed(waiting: Waiting, now: Millis, zone: tzinfo) -> Content:
    head = waiting.item.head
    device = f" · device {visible(head.by.device)}" if head.by.device else ""
    what = done(head.change)
    if waiting.item.provenance is Provenance.INFERRED:
        what = "inferred"
    return Content.assemble(
        (f"✎ {_kind(waiting.item)} {what} by ", ink.NAME),
        (author(head.by), ink.STRONG),
        (f"{device} · {stamp(head.at, now, zone)}", ink.DIM),
    )


def _kind(item: Item) -> str:
    by = {AuthorKind.AGENT: "", AuthorKind.BACKEND: "", AuthorKind.PERSON: "your "}
    return f"{by[item.head.by.kind]}{item.kind}"


def _origin(evidence: Evidence) -> list[Content]:
    """The words it came from; saying so when there are none."""
    found = []
    if evidence.quote:
        found.append(Content.styled(f"“{visible(evidence.quote)}”", "italic"))
    if evidence.purchase_id:
        found.append(Content(f"purchase {visible(evidence.purchase_id)}"))
    if evidence.source:
        found.append(Content(visible(evidence.source)))
    if not found:
        found = [Content.styled("It names no words it came from.", ink.DIM)]
    return [Content.styled("Where it comes from", ink.NAME), *found, Content("")]


def _replaced(before: Version, item: Item, now: Millis, zone: tzinfo) -> list[Content]:
    who = f"{author(before.by)} · {when(before.at, now, zone)}"
    return [
        Content.assemble((f"What it changes in v{before.number}", ink.NAME), (f"  {who}", ink.DIM)),
        changes.difference(before.content, item.head.content),
        Content(""),
    ]


def _rejecting(waiting: Waiting) -> str:
    if waiting.before is not None:
        return f"rejects it: v{waiting.before.number} is back, and the same is not taken again"
    beside = ""
    if waiting.item.kind is Kind.PREFERENCE:
        beside = "; what you declared stays"
    return f"rejects it: erased with every version, and not taken again{beside}"
