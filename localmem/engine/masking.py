"""The versions of an item without their secrets, for those that got in before anyone looked.

The same rules as on the way in (`guard`), but nothing is refused: what stands there is masked in
place, in the content, its metadata and the words it came from. Refuses to touch names: a key or a
scope's id under a mask would be another one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from localmem.core import preferences
from localmem.core.model import (
    Content,
    DocumentContent,
    Evidence,
    FactContent,
    Item,
    Json,
    PreferenceContent,
    Version,
)
from localmem.core.screening import ScreenedJson, screen, screen_json, screen_name

SHORTEST = 6
"""Bytes; shorter texts stand everywhere by chance and prove nothing."""


def kinds(item: Item, version: Version) -> tuple[str, ...]:
    """What would be masked in it."""
    return _content(item, version.content)[1] + _evidence(version.evidence)[1]


def in_names(item: Item) -> tuple[str, ...]:
    """The kinds seen where nothing can be masked."""
    found = [screen_name(name) for name in (item.scope.id, item.collection, item.key) if name]
    content = item.head.content
    if isinstance(content, DocumentContent):
        found.append(screen_json(content.value).in_names)
    if isinstance(content, FactContent) and content.metadata:
        found.append(screen_json(dict(content.metadata)).in_names)
    return tuple(dict.fromkeys(kind for seen in found for kind in seen))


def masked(item: Item, versions: Sequence[Version]) -> tuple[list[Version], list[str]]:
    """The versions that change, as they are without their secrets; and the secrets."""
    changed, secrets = list[Version](), list[str]()
    for version in versions:
        if not kinds(item, version):
            continue
        content, evidence = _content(item, version.content)[0], _evidence(version.evidence)[0]
        changed.append(version._replace(content=content, evidence=evidence))
        secrets += _lost(_plain(version.content), _plain(content))
        secrets += _lost(_said(version.evidence), _said(evidence))
    return changed, secrets


def forms(secrets: Iterable[str]) -> list[str]:
    """The secrets as they may stand in a file: as typed, as JSON escapes them, as words."""
    found = dict[str, None]()
    for secret in secrets:
        for form in (secret, json.dumps(secret, ensure_ascii=False)[1:-1], secret.lower()):
            if len(form.encode()) >= SHORTEST:
                found[form] = None
    return list(found)


def _content(item: Item, content: Content) -> tuple[Content, tuple[str, ...]]:
    match content:
        case FactContent(text, metadata, path):
            seen, where = screen(text), screen(path or "")
            inside = screen_json(dict(metadata)) if metadata else ScreenedJson({})
            assert isinstance(inside.value, dict)
            held = {name: str(value) for name, value in inside.value.items()}
            found = (*seen.kinds, *inside.kinds, *where.kinds)
            return FactContent(seen.text, held, where.text or None), found
        case PreferenceContent(value):
            names = [screen(name) for name in ((value,) if isinstance(value, str) else value)]
            texts = tuple(name.text for name in names)
            found = tuple(kind for name in names for kind in name.kinds)
            return PreferenceContent(texts[0] if isinstance(value, str) else texts), found
        case DocumentContent(value):
            document = screen_json(value, under=(item.collection, item.key))
            return DocumentContent(document.value), document.kinds


def _evidence(evidence: Evidence) -> tuple[Evidence, tuple[str, ...]]:
    said = evidence._asdict()
    seen = {name: screen(text) for name, text in said.items() if text}
    texts = {name: each.text[: preferences.MAX_QUOTE] for name, each in seen.items()}
    return Evidence(**{**said, **texts}), tuple(k for each in seen.values() for k in each.kinds)


def _plain(content: Content) -> Json:
    match content:
        case FactContent(text, metadata, path):
            return [text, dict(metadata), path]
        case PreferenceContent(value):
            return value if isinstance(value, str) else list(value)
        case DocumentContent(value):
            return value


def _said(evidence: Evidence) -> Json:
    return list(evidence)


def _lost(old: Json, new: Json) -> Iterator[str]:
    """What stood in `old` and does not in `new`, which has the same shape."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name, value in old.items():
            yield from _lost(value, new[name])
    elif isinstance(old, list) and isinstance(new, list):
        for before, after in zip(old, new, strict=True):
            yield from _lost(before, after)
    elif old != new:
        text = old if isinstance(old, str) else json.dumps(old)
        spans = screen(text).masked_spans
        yield from (text[start:end] for start, end in spans) if spans else (text,)
