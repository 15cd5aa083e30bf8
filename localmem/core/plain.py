"""An item in plain words: what is indexed, embedded and shown in a list."""

from __future__ import annotations

from localmem.core import documents, preferences
from localmem.core.model import (
    Content,
    DocumentContent,
    FactContent,
    Item,
    Kind,
    PreferenceContent,
)


def text(item: Item) -> str:
    """The words an item is found by: a fact's text, "Shoe size: 42", a document's strings."""
    return content_text(item.head.content, key=item.key, collection=item.collection)


def content_text(content: Content, *, key: str, collection: str) -> str:
    match content:
        case FactContent():
            return content.text
        case PreferenceContent():
            label = preferences.label(preferences.parse_key(key))
            return f"{label}: {preferences.describe(content.value)}"
        case DocumentContent():
            return " ".join([collection, key, *documents.texts(content.value)])


def found_by_meaning(kind: Kind) -> bool:
    """Documents are found by key, field and words; everything else by meaning too."""
    return kind is not Kind.DOCUMENT
