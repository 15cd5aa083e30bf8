"""What a form holds, as plain text, and what it means: pure, and by the engine's own rules.

A form never judges by itself: every check here ends in `core`, so that what is accepted while
typing is what is accepted when saving.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from localmem.core import documents, facts, preferences, scope, ttl
from localmem.core.json_text import parse
from localmem.core.model import DocumentContent, FactContent, Item, Json, Millis, PreferenceContent
from localmem.core.preferences import PreferenceKey
from localmem.core.scope import Scope
from localmem.engine import KEEP, Unset
from localmem.errors import InvalidInput
from localmem.tui.present.preview import json_text

_BREAK, _EQUALS = "\u2028", "\u2029"
"""Stand for a line break in metadata and an equals sign in its names, which lines cannot hold."""

EMPTY_DOCUMENT = "{\n  \n}"
INSIDE_EMPTY = (1, 2)
"""Line and column between its braces, from 0."""

Fields = Mapping[str, str]
"""Name of a field -> what is typed in it."""


@dataclass(frozen=True, slots=True)
class FactEntry:
    text: str
    scope: Scope
    ttl_seconds: int | Unset | None
    path: str | None
    metadata: dict[str, str]


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    collection: str
    key: str
    scope: Scope
    value: Json
    ttl_seconds: int | Unset | None


@dataclass(frozen=True, slots=True)
class DraftBody:
    """A draft as it is stored: the fields, and the version they were made on."""

    fields: dict[str, str]
    made_on: int | None

    def written(self) -> str:
        return json.dumps({"fields": self.fields, "made_on": self.made_on}, ensure_ascii=False)

    @classmethod
    def read(cls, body: str) -> DraftBody | None:
        """None for a body of another program or version: it is left alone, not guessed at."""
        try:
            held = json.loads(body)
            fields, made_on = held["fields"], held["made_on"]
        except (ValueError, KeyError, TypeError):
            return None
        if not isinstance(fields, dict) or not isinstance(made_on, int | None):
            return None
        return cls({str(name): str(text) for name, text in fields.items()}, made_on)


def fact_fields(content: FactContent | None, where: Scope) -> dict[str, str]:
    """What the fact form starts from."""
    if content is None:
        return {"text": "", "scope": str(where), "ttl": "", "path": "", "metadata": ""}
    return {
        "text": content.text,
        "scope": str(where),
        "ttl": "",
        "path": content.path or "",
        "metadata": metadata_text(content.metadata),
    }


def fact_entry(fields: Fields, *, new: bool) -> FactEntry:
    """Raises InvalidInput, InvalidScope."""
    metadata = metadata_entry(fields["metadata"])
    checked = facts.new(fields["text"], metadata, fields["path"].strip() or None)
    return FactEntry(
        checked.text,
        scope.parse(fields["scope"].strip()),
        ttl_entry(fields["ttl"], new=new),
        checked.path,
        metadata,
    )


def text_bytes(text: str) -> int:
    """Bytes of a fact as typed; 0 where it cannot be counted, which saving will explain."""
    try:
        return facts.size(text)
    except InvalidInput:
        return 0


def metadata_text(metadata: Mapping[str, str]) -> str:
    """One `name = value` a line; what would end a line or a name is carried by a separator."""
    return "\n".join(
        f"{name.replace(chr(10), _BREAK).replace('=', _EQUALS)} = {text.replace(chr(10), _BREAK)}"
        for name, text in metadata.items()
    )


def metadata_entry(text: str) -> dict[str, str]:
    """Raises InvalidInput, naming the line."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip(" \t"):
            continue
        name, equals, value = line.partition("=")
        if not equals:
            raise InvalidInput(
                f"Line {number} of the metadata has no =.", hint="Write one name = value a line."
            )
        name = name.strip(" \t").replace(_EQUALS, "=").replace(_BREAK, "\n")
        if name in found:
            raise InvalidInput(
                f"Line {number} of the metadata has a name that stands above already.",
                hint="Keep one of them.",
            )
        found[name] = value.strip(" \t").replace(_BREAK, "\n")
    return found


def ttl_entry(text: str, *, new: bool) -> int | Unset | None:
    """Empty leaves the time to live as it is; a new memory then has none. Raises InvalidInput."""
    if not text.strip():
        return None if new else KEEP
    return ttl.parse(text)


def lifetime_left(item: Item, now: Millis) -> str:
    """What the field holds for a new memory that is to be kept as long as `item` would have been.

    "" when it was kept without end or its end has come.
    """
    at = item.head.expires_at
    if at is None or at <= now:
        return ""
    return f"{max(-((now - at) // 1000), ttl.MIN_SECONDS)}s"


def preference_fields(item: Item | None) -> dict[str, str]:
    content = item.head.content if item is not None else None
    value = content.value if isinstance(content, PreferenceContent) else ""
    return {"value": value if isinstance(value, str) else "\n".join(value)}


def preference_entry(
    key: PreferenceKey, fields: Fields, *, whole: Collection[str] = ()
) -> preferences.Value:
    """Names are parted by commas and line breaks; a line of `whole` is one name, comma and all.

    Raises InvalidPreferenceValue.
    """
    text = fields["value"]
    if not preferences.is_list(key):
        return preferences.normalise(key, text.strip())
    parts = [
        part
        for line in text.split("\n")
        for part in ([line] if line.strip() in whole else line.split(","))
    ]
    return preferences.normalise(key, [part for part in parts if part.strip()])


def document_fields(item: Item | None, collection: str, where: Scope) -> dict[str, str]:
    if item is None or not isinstance(item.head.content, DocumentContent):
        return {"value": EMPTY_DOCUMENT, "collection": collection, "key": "", "scope": str(where),
                "ttl": ""}  # fmt: skip
    return {
        "value": json_text(item.head.content.value),
        "collection": item.collection,
        "key": item.key,
        "scope": str(item.scope),
        "ttl": "",
    }


def document_entry(fields: Fields) -> DocumentEntry:
    """Raises InvalidInput and its kinds; for the JSON with line and column."""
    value = documents.new(parse(fields["value"])).value
    return DocumentEntry(
        documents.collection_name(fields["collection"].strip()),
        documents.key(fields["key"].strip()),
        scope.parse(fields["scope"].strip()),
        value,
        # Empty means the collection's own default, for a new document too.
        ttl_entry(fields["ttl"], new=False),
    )
