"""What a file is, from its first 64 KB: never from its name alone.

Refuses what holds no memories for certain, a picture, a database, a page, with a sentence that says
what it is.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from localmem.core.preferences import PreferenceKey
from localmem.errors import ImportUnreadable
from localmem.portable import elements, formats
from localmem.portable.formats import Format
from localmem.portable.streams import TokenBytes

ZIP = b"PK\x03\x04"
_NOTHING: dict[bytes, str] = {
    b"\x89PNG": "a picture (PNG)",
    b"\xff\xd8\xff": "a picture (JPEG)",
    b"GIF8": "a picture (GIF)",
    b"RIFF": "a picture or a sound",
    b"%PDF": "a PDF",
    b"SQLite format 3\0": "an SQLite database",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"\xfd7zXZ": "an xz archive",
    b"(\xb5/\xfd": "a zstd archive",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
    b"\xd0\xcf\x11\xe0": "an Office document",
    b"PK\x05\x06": "an empty zip",
}
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+\S")
_HEADING = re.compile(r"#{1,6}\s+\S")
_CSV = re.compile(r'"?(?:id|text|key|scope|content|memory|value)"?\s*[,;\t]')
_NOTES = (".md", ".markdown", ".mdc")
_SIX = frozenset(PreferenceKey)
_CLAUDE = frozenset(("conversations_memory", "project_memories", "memory_files"))
"""What Claude calls what it remembers."""


class Layout(StrEnum):
    TEXT = "text"
    LINES = "lines"
    """JSON a line."""
    DOCUMENT = "document"
    """One JSON value."""


@dataclass(frozen=True, slots=True)
class Shape:
    format: Format
    layout: Layout
    listed: bool = False
    """The document is a list."""
    conversations: bool = False
    """Conversations of Claude, which hold no memories."""


def refuse_bytes(head: bytes, name: str) -> None:
    """Raises ImportUnreadable for what is no text."""
    if not head:
        raise ImportUnreadable(f"{name} is empty.", hint="Check that the export has finished.")
    for start, what in _NOTHING.items():
        if head.startswith(start):
            unpack = "archive" in what
            raise ImportUnreadable(
                f"{name} is {what}; no memories can be read from it.",
                hint="Unpack it first." if unpack else _READ,
            )
    plain = head[:2] not in (b"\xff\xfe", b"\xfe\xff")
    if plain and head[:4_096].count(0) > 8 and not _looks_wide(head):
        raise ImportUnreadable(f"{name} is not text.", hint=_READ)


_READ = (
    "Text, Markdown, JSON, the exports of ChatGPT and Claude, and localmem's own exports are read."
)


def _looks_wide(head: bytes) -> bool:
    sample = head[:2_000]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    return max(even, odd) > len(sample) * 0.3 and min(even, odd) == 0


def shape(head: str, name: str) -> Shape:
    """What the text is. Raises ImportUnreadable for a page or a table."""
    text = head.lstrip("\ufeff \t\r\n")
    if not text:
        raise ImportUnreadable(f"{name} holds nothing but blanks.", hint="Check the file.")
    if text[0] in "{[" and (found := _json(text)):
        return found
    if re.match(r"(?i)<!doctype html|<html", text):
        raise ImportUnreadable(
            f"{name} is a web page, which holds no memories to take.",
            hint="Of an export, choose the zip, its folder or conversations.json.",
        )
    first, _, _ = text.partition("\n")
    if name.casefold().endswith((".csv", ".tsv")) or _CSV.match(first):
        raise ImportUnreadable(
            f"{name} is a table (CSV), which is only written, not read.",
            hint="Export NDJSON from localmem, or keep one sentence a line.",
        )
    return Shape(_written(text, name), Layout.TEXT)


def _written(text: str, name: str) -> Format:
    lines = [line for line in text.splitlines()[:200] if line.strip()]
    bullets = sum(bool(_BULLET.match(line)) for line in lines)
    headings = sum(bool(_HEADING.match(line)) for line in lines)
    notes = name.casefold().endswith(_NOTES)
    if notes and re.search(r"(?m)^\s*- \[[^\]\sxX][^\]]*\] |^\s*- [\w -]+ \[\[", text):
        return formats.BASIC
    if notes or bullets * 3 >= len(lines) or (headings and bullets):
        return formats.MARKDOWN
    return formats.TEXT


# --- JSON ------------------------------------------------------------------------------------


def _json(text: str) -> Shape | None:
    """None for text that only begins like JSON: `[2025-05-02] Likes tea`."""
    from localmem.portable import ndjson

    first, _, _ = text.partition("\n")
    if ndjson.is_ours(first):
        return Shape(formats.OURS, Layout.LINES)
    value = _whole(first)
    if (
        value is None
        and text[0] == "["
        and not re.match(r'\[\s*(?:[{"\[\]]|-?\d|null|true|false)', text)
    ):
        return None
    if value is None and re.match(r"\[\d{4}-\d\d", text):
        return None
    if value is None and text[0] == "{":
        value = _lined(text)
    names = _Names(text)
    if isinstance(value, dict) and not names.sections:
        told = "chat_messages" in value
        return Shape(
            _of_members(frozenset(value), str(value.get("key", ""))),
            Layout.LINES,
            conversations=told,
        )
    told = "chat_messages" in names.top | names.element
    return Shape(_of_names(names), Layout.DOCUMENT, text[0] == "[", told)


def _whole(line: str) -> Any:
    try:
        value, _ = elements.scan(line, 0)
    except (json.JSONDecodeError, RecursionError):
        return None
    return value


def _lined(text: str) -> Any:
    """The first whole line of an object a line, whose very first is broken; None for another file.

    An object over many lines has no two that are whole, and the last that is here may be cut.
    """
    others = [line for line in text.splitlines()[1:200] if line.strip()]
    ended = [line for line in others if line[0] == "{" and line.rstrip()[-1] == "}"]
    if len(ended) < 2 or len(ended) * 2 <= len(others):
        return None
    return next((value for line in ended if isinstance(value := _whole(line), dict)), None)


_DEEP = 6
"""Levels looked into; nothing deeper tells what a file is."""


class _Names:
    """Names of members in the part of a JSON text that is here, whole or not."""

    def __init__(self, text: str) -> None:
        self.top: set[str] = set()
        self.element: set[str] = set()
        """Of the elements of the list, or of the lists the object holds."""
        self.sections: set[str] = set()
        self.key = ""
        """What the first member called `key` holds."""
        self._path: list[str] = []
        """`[` or the member's name for each level above."""
        self._name = self._section = ""
        for event, value in _tokens(text):
            if len(self._path) > _DEEP:
                break
            self._take(event, value)

    def _take(self, event: str, value: Any) -> None:
        match event:
            case "map_key":
                self._name = value
                self._keep(value)
            case "start_array":
                self._path.append("[")
            case "start_map":
                self._path.append("{")
            case "end_map" | "end_array":
                self._path.pop()
            case "string" if self._name == "key" and not self.key:
                self.key = value
        if event == "start_array" and self._path == ["{", "["]:
            self._section = self._name

    def _keep(self, name: str) -> None:
        if self._path == ["{"]:
            self.top.add(name)
        elif self._path in (["[", "{"], ["{", "[", "{"]):
            self.element.add(name)
            if self._path[0] == "{":
                self.sections.add(self._section)


def _tokens(text: str) -> Iterator[tuple[str, Any]]:
    try:
        yield from elements.tokens(TokenBytes(io.BytesIO(text.encode("utf-8", "replace"))))
    except (elements.Broken, ImportUnreadable):
        return  # the head ends in the middle, or the reader will say what is broken


def _of_names(names: _Names) -> Format:
    if names.top & _CLAUDE:
        return formats.CLAUDE
    if {"entities", "relations"} <= names.top and "memory" not in names.element:
        return formats.GRAPH
    if "export_metadata" in names.top and "memories" in names.top:
        return formats.SERVICE
    if names.top and not names.sections:
        return _of_members(frozenset(names.top), "")
    return _of_members(frozenset(names.element), names.key)


def _of_members(members: frozenset[str], key: str) -> Format:
    if "mapping" in members:
        return formats.CHATGPT
    if "chat_messages" in members or members & _CLAUDE:
        return formats.CLAUDE
    if members & {"entityType", "relationType"}:
        return formats.GRAPH
    if "content_hash" in members:
        return formats.SERVICE
    if "memory" in members:
        return formats.MEM0
    if members and (members <= _SIX or key in _SIX):
        return formats.SHOP
    if {"key", "value"} <= members or {"id", "text", "createdAt"} <= members:
        return formats.HOSTED
    return formats.JSON
