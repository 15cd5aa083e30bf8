"""What the handles of `localmem.memory` give back: plain values with aware datetimes in UTC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Generic, TypeVar

from localmem.core.model import DocumentContent, FactContent, Item, Json, Millis

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fact:
    id: str
    text: str
    created_at: datetime
    metadata: Mapping[str, str] = field(default_factory=dict)
    expires_at: datetime | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    id: str
    text: str
    score: float
    """0 … 1; 0.30 is a reasonable floor."""
    created_at: datetime
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    key: str
    value: Json
    rev: int
    """Give it back as `if_rev` to write only over what you have seen."""
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    items: tuple[T, ...]
    next_cursor: str | None
    """None at the end; pass it as `cursor` for the page behind."""


def fact(item: Item) -> Fact:
    content = item.head.content
    assert isinstance(content, FactContent)
    return Fact(
        item.id,
        content.text,
        moment(item.created_at),
        dict(content.metadata),
        None if item.head.expires_at is None else moment(item.head.expires_at),
        content.path,
    )


def hit(item: Item, score: float) -> Hit:
    held = fact(item)
    return Hit(held.id, held.text, score, held.created_at, held.metadata)


def document(item: Item) -> Document:
    content = item.head.content
    assert isinstance(content, DocumentContent)
    return Document(
        item.key,
        content.value,
        item.head.number,
        moment(item.created_at),
        moment(item.head.at),
        None if item.head.expires_at is None else moment(item.head.expires_at),
    )


def moment(at: Millis) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)
