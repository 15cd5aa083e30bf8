"""Memories as a table for a spreadsheet: to look at, not to bring back.

Refuses to let a spreadsheet calculate what was stored: a cell that would begin a formula begins
with an apostrophe. Control and hidden characters are shown as signs, as everywhere.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator

from localmem.core import preferences
from localmem.core.incoming import Whole
from localmem.core.model import (
    Content,
    DocumentContent,
    FactContent,
    Item,
    PreferenceContent,
    Version,
)
from localmem.core.visible import visible
from localmem.wire.shapes import moment

COLUMNS = ("kind", "scope", "collection", "key", "provenance", "content", "metadata", "path",
           "version", "created", "updated", "expires", "author", "id")  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


def write(values: Iterable[object], *, history: bool) -> Iterator[str]:
    """The lines of the table, each with its line break; with `history` a line a version.

    Only items have lines: collections and what is known of a preference's key do not.
    """
    yield _row(COLUMNS)
    for value in values:
        if isinstance(value, Whole):
            versions = (*value.earlier, value.item.head) if history else (value.item.head,)
            yield from (_row(_cells(value.item, version)) for version in versions)


def _cells(item: Item, version: Version) -> tuple[str, ...]:
    content = version.content
    fact = content if isinstance(content, FactContent) else FactContent("")
    return (
        str(item.kind),
        str(item.scope),
        item.collection,
        item.key,
        str(item.provenance or ""),
        _words(content),
        _said(dict(fact.metadata)) if fact.metadata else "",
        fact.path or "",
        str(version.number),
        moment(item.created_at),
        moment(version.at),
        "" if version.expires_at is None else moment(version.expires_at),
        version.by.name,
        item.id,
    )


def _words(content: Content) -> str:
    match content:
        case FactContent(text):
            return text
        case PreferenceContent(value):
            return preferences.describe(value)
        case DocumentContent(value):
            return _said(value)


def _said(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _row(cells: Iterable[str]) -> str:
    held = io.StringIO()
    csv.writer(held, lineterminator="\n").writerow([_safe(cell) for cell in cells])
    return held.getvalue()


def _safe(cell: str) -> str:
    shown = visible(cell, keep_newlines=True)
    return f"'{shown}" if shown.lstrip(" ").startswith(_FORMULA) else shown
