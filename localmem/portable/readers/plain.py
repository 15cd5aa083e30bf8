"""A list of sentences, one a line: what a person types, or an assistant prints when asked.

Blank lines and lines that begin with # part them; a date in square brackets before a sentence is
when it was saved, as assistants print it; the fence of a pasted code block is not a memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from localmem.core.incoming import Incoming, Unreadable
from localmem.core.model import Evidence, FactContent, Millis
from localmem.portable.lines import Numbered
from localmem.portable.records import Origin, millis

_DATED = re.compile(r"\[([^\]]{1,40})\]\s*(?:[-–—:.]\s*)?(?=\S)")
_UNDATED = re.compile(r"(?i)unknown|undated|no date|date unknown|n/?a|unknown date|not available")
_FENCE = re.compile(r"\s*(?:```|~~~)[\w-]*\s*")


def read(lines: Iterable[Numbered | Unreadable], origin: Origin) -> Iterator[Incoming | Unreadable]:
    for line in lines:
        if isinstance(line, Unreadable):
            yield line
        elif said := _said(line[1]):
            yield one(said, line[0], origin)


def _said(text: str) -> str:
    stripped = text.strip()
    return "" if stripped.startswith("#") or _FENCE.fullmatch(text) else stripped


def one(text: str, number: int, origin: Origin) -> Incoming:
    saved_at, said = dated(text)
    return Incoming(
        number,
        FactContent(said),
        written_at=saved_at,
        evidence=Evidence(source=origin.source(number)),
        author=origin.author,
    )


def dated(text: str) -> tuple[Millis | None, str]:
    """`[2025-05-02] - Likes tea` in its two parts; a bracket that holds no date stays."""
    match = _DATED.match(text)
    if not match:
        return None, text
    at = millis(match[1]) if re.match(r"\d{4}-\d\d", match[1]) else None
    if at is None and not _UNDATED.fullmatch(match[1].strip()):
        return None, text
    return at, text[match.end() :]
