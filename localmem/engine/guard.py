"""The one gate on every way in: secrets are masked or refused, reserved metadata dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from localmem.core import documents, facts
from localmem.core.model import DocumentContent, Evidence, FactContent, Json
from localmem.core.screening import admit, admit_json, drop_reserved, screen
from localmem.engine.context import Context


def fact(
    context: Context,
    text: str,
    metadata: Mapping[str, object],
    path: str | None,
    *,
    keep_secret: bool,
) -> tuple[FactContent, tuple[str, ...]]:
    """The content as it may be stored, and what to tell the writer.

    Raises InvalidInput, SecretRejected.
    """
    checked = facts.new(text, metadata, path)
    seen = admit(checked.text, context.actor, keep=keep_secret)
    kept, dropped = drop_reserved(checked.metadata)
    masked = admit_json(dict(kept), context.actor, keep=keep_secret)
    assert isinstance(masked.value, dict)
    place = admit(checked.path or "", context.actor, keep=keep_secret)
    content = facts.new(seen.text, masked.value, place.text or None)
    kinds = (*seen.kinds, *masked.kinds, *place.kinds)
    return content, (*_masked(kinds), *_dropped(dropped))


def document(
    context: Context, value: Json, *, keep_secret: bool
) -> tuple[DocumentContent, tuple[str, ...]]:
    """As `fact`, for a document. Also raises DocumentTooLarge and DocumentTooDeep."""
    checked = documents.new(value)
    seen = admit_json(checked.value, context.actor, keep=keep_secret)
    return documents.new(seen.value), _masked(seen.kinds)  # a mask may be longer than its secret


def evidence(given: Evidence) -> Evidence:
    """The quote may hold a secret beside the value: it is masked, never refused."""
    if given.quote is None:
        return given
    return replace(given, quote=screen(given.quote).text)


def _masked(kinds: tuple[str, ...]) -> tuple[str, ...]:
    unique = ", ".join(dict.fromkeys(kinds))
    return (f"Secrets were masked before keeping this: {unique}.",) if unique else ()


def _dropped(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        return ()
    return (f"Reserved metadata was dropped: {', '.join(names)}.",)
