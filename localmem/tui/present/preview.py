"""An item in full: its content, where it stands, and every version it had."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from datetime import tzinfo
from typing import NamedTuple

from textual.content import Content

from localmem.core import preferences, ttl
from localmem.core.model import Content as Kept
from localmem.core.model import (
    DocumentContent,
    FactContent,
    Item,
    Json,
    Millis,
    PreferenceContent,
    Provenance,
    Version,
)
from localmem.core.scope import PERSON
from localmem.core.visible import hidden, visible
from localmem.engine.answers import Found, Hit, PreferenceEntry, Waiting
from localmem.tui.present import ink
from localmem.tui.present.rows import marked
from localmem.tui.present.words import WAITING, author, block, done, spread, stamp, table, when

MOST_LINES = 400
"""Lines of a document a preview shows; the editor shows all."""
_JSON = re.compile(r'(?P<name>"(?:[^"\\]|\\.)*")(?=:)|(?P<text>"(?:[^"\\]|\\.)*")'
                   r"|(?P<value>-?\d[\d.eE+-]*|\btrue\b|\bfalse\b|\bnull\b)")  # fmt: skip


class Details(NamedTuple):
    """What is known about an item beyond its head."""

    history: tuple[Version, ...] = ()
    """Oldest first."""
    last_used: tuple[Millis, str] | None = None
    waiting: Waiting | None = None
    """Set for what waits in the inbox."""
    drafted: bool = False
    """An edit of it was left unfinished."""
    about: Item | None = None
    """For a line of the activity: the memory it is about, when it is still kept."""
    sync: str = ""
    """How it stands to the account; "" where that says nothing, as of the past."""


def title(item: Item) -> str:
    """`fact · contact:ana`."""
    where = "yours" if item.scope == PERSON else str(item.scope)
    return f"{item.kind} · {where}"


def item_lines(
    item: Item,
    details: Details,
    *,
    now: Millis,
    zone: tzinfo,
    width: int,
    hit: Hit | None = None,
    found: Found | None = None,
    explain: bool = False,
) -> Content:
    """Everything about one item."""
    terms = hit.terms if hit else ()
    parts = [content_lines(item, terms), Content("")]
    parts += table([*evidence(item.head), *about(item, details, now, zone, hit)], width)
    parts += [*warnings(item), *_unsettled(details, now, zone)]
    if explain and hit and found:
        from localmem.tui.present.search import why_in_full

        parts += [Content(""), *why_in_full(hit, found, width)]
    parts += history_lines(details.history, now, zone, width)
    return Content("\n").join(parts)


def preference_lines(
    entry: PreferenceEntry, details: Details, *, now: Millis, zone: tzinfo, width: int
) -> Content:
    """Both values of a key, which one counts, and what a shop assistant does with it."""
    parts = [Content.styled(preferences.label(entry.key), ink.STRONG), Content("")]
    for item in (entry.declared, entry.inferred):
        if item is not None:
            parts += [*_side(item, entry, now, zone), Content("")]
    if entry.effective is None:
        sentence = (
            "You forgot this. It is not inferred again until you say it yourself."
            if entry.inference_blocked
            else "Nothing is remembered here. Edit it to say it in your own words."
        )
        return Content("\n").join([*parts, Content.styled(sentence, ink.DIM)])
    effect = (
        "Declared values filter what a shop assistant offers."
        if entry.declared
        else "Inferred values only order offers; they never hide one."
    )
    parts.append(Content.styled(effect, ink.DIM))
    if details.sync:
        parts += table([("sync", Content(visible(details.sync)))], width)
    parts += _unsettled(details, now, zone)
    parts += history_lines(details.history, now, zone, width)
    return Content("\n").join(parts)


def content_lines(item: Item, terms: Collection[str] = ()) -> Content:
    """The content alone, as it reads."""
    match item.head.content:
        case FactContent(text):
            return marked(block(text), terms)
        case PreferenceContent(value):
            label = preferences.label(preferences.parse_key(item.key))
            return marked(f"{label}: {visible(preferences.describe(value))}", terms)
        case DocumentContent(value):
            name = Content.styled(visible(f"{item.collection} / {item.key}"), ink.STRONG)
            return Content("\n").join([name, Content(""), json_lines(value)])


def json_lines(value: Json, most: int = MOST_LINES) -> Content:
    """JSON as it is edited, coloured, and cut with a word about the rest."""
    lines = json_text(value).split("\n")
    text = Content(visible("\n".join(lines[:most]), keep_newlines=True))
    text = colour_json(text)
    if len(lines) > most:
        rest = f"… {len(lines) - most:,} more lines; e opens all of it"
        return Content("\n").join([text, Content.styled(rest, ink.DIM)])
    return text


def json_text(value: Json) -> str:
    """JSON for reading and editing: two spaces a level, letters as they are."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def colour_json(text: Content) -> Content:
    styles = {"name": ink.JSON_NAME, "text": ink.JSON_TEXT, "value": ink.JSON_VALUE}
    for match in _JSON.finditer(text.plain):
        text = text.stylize(styles[match.lastgroup or "value"], *match.span())
    return text


def expiry(version: Version, now: Millis, zone: tzinfo) -> str:
    if version.expires_at is None:
        return "never"
    left = ttl.describe(version.expires_at - now)
    return f"{left} · {stamp(version.expires_at, now, zone)}"


def history_lines(
    history: Sequence[Version], now: Millis, zone: tzinfo, width: int
) -> list[Content]:
    """A line a version, newest first; the last five, h shows all."""
    if not history:
        return []
    lines = [Content(""), Content.styled("History", ink.NAME)]
    for version in list(reversed(history))[:5]:
        left = Content.assemble(
            (f"v{version.number:<3}", ink.STRONG),
            f"{done(version.change):<11}",
            (author(version.by), ink.DIM),
        )
        right = Content.styled(when(version.at, now, zone), ink.DIM)
        lines.append(spread(left, right, width))
    if len(history) > 5:
        lines.append(Content.styled(f"… {len(history) - 5} older; h shows all", ink.DIM))
    return lines


def about(
    item: Item, details: Details, now: Millis, zone: tzinfo, hit: Hit | None = None
) -> list[tuple[str, Content]]:
    head = item.head
    rows = [
        ("scope", Content("yours alone" if item.scope == PERSON else str(item.scope))),
        ("written", Content(f"{author(head.by)} · {stamp(head.at, now, zone)}")),
        ("expires", Content(expiry(head, now, zone))),
    ]
    if isinstance(head.content, FactContent):
        if head.content.path is not None:
            rows.append(("path", Content(visible(head.content.path))))
        rows += [
            (visible(name)[:20], Content(visible(text)))
            for name, text in head.content.metadata.items()
        ]
    if details.last_used is not None:
        at, by = details.last_used
        rows.append(("recalled", Content(f"{visible(by)} · {when(at, now, zone)}")))
    if details.sync:
        rows.append(("sync", Content(visible(details.sync))))
    if hit is not None:
        from localmem.tui.present.search import why  # browsing explains no hit

        rows.append(("why", why(hit)))
    rows.append(("id", Content.styled(item.id, ink.FAINT)))
    return rows


def evidence(version: Version) -> list[tuple[str, Content]]:
    """What the version rests on, by name."""
    held = version.evidence
    quote = f"“{held.quote}”" if held.quote else None
    found = (("words", quote), ("purchase", held.purchase_id), ("source", held.source))
    return [(name, Content(visible(text))) for name, text in found if text]


def _unsettled(details: Details, now: Millis, zone: tzinfo) -> list[Content]:
    """That it waits for the person, or that they left an edit of it unfinished."""
    found = []
    if details.waiting is not None:
        by, since = details.waiting.item.head.by, when(details.waiting.since, now, zone)
        found.append(Content.assemble(
            (f"{WAITING} Waits in your inbox: ", ink.ALERT), f"written by {author(by)}, {since}.",
        ))  # fmt: skip
    if details.drafted:
        found.append(Content.styled("Your unfinished edit of it is kept; e opens it.", ink.ALERT))
    return [Content(""), *found] if found else []


def warnings(item: Item) -> list[Content]:
    """What its text hides."""
    kinds = hidden(_raw(item))
    if not kinds:
        return []
    return [
        Content(""),
        Content.styled(f"⚠ Holds hidden characters, shown as signs: {', '.join(kinds)}.",
                       ink.ALERT),
    ]  # fmt: skip


def _raw(item: Item) -> str:
    match item.head.content:
        case FactContent(text, metadata, path):
            return " ".join([text, *metadata, *metadata.values(), path or ""])
        case PreferenceContent(value):
            return preferences.describe(value)
        case DocumentContent(value):
            return json.dumps(value, ensure_ascii=False)


def _side(item: Item, entry: PreferenceEntry, now: Millis, zone: tzinfo) -> list[Content]:
    content = item.head.content
    value = preferences.describe(content.value) if isinstance(content, PreferenceContent) else ""
    counts = item is entry.effective
    lines = [
        Content.assemble(
            (f"{'▸' if counts else ' '} {item.provenance:<9} ", ink.NAME if counts else ink.DIM),
            (visible(value), ink.STRONG if counts else ink.DIM),
            ("" if counts else "  (does not count beside the declared one)", ink.DIM),
        )
    ]
    evidence = item.head.evidence
    if evidence.quote:
        lines.append(Content.styled(f"    “{visible(evidence.quote)}”", "italic"))
    if item.provenance is Provenance.INFERRED and evidence.purchase_id:
        lines.append(Content.styled(f"    from purchase {visible(evidence.purchase_id)}", ink.DIM))
    lines.append(
        Content.styled(f"    {author(item.head.by)} · {stamp(item.head.at, now, zone)}", ink.DIM)
    )
    return lines


def copied_text(content: Kept) -> str:
    """What `copy` sends: the fact's words, the value, the JSON; as stored, not as shown."""
    match content:
        case FactContent(text):
            return text
        case PreferenceContent(value):
            return preferences.describe(value)
        case DocumentContent(value):
            return json_text(value)
