"""The one gate on every way in: secrets are masked or refused, reserved metadata dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from localmem.core import documents, facts
from localmem.core.model import DocumentContent, Evidence, FactContent, Json
from localmem.core.screening import (
    Screened,
    ScreenedJson,
    admit,
    admit_json,
    drop_reserved,
    screen,
)
from localmem.engine.context import Context


def fact(
    context: Context,
    text: str,
    metadata: Mapping[str, object],
    path: str | None,
    *,
    keep_secret: bool,
    held: FactContent | None = None,
) -> tuple[FactContent, tuple[str, ...]]:
    """The content as it may be stored, and what to tell the writer.

    Parts that are as in `held` were let in before and are not screened again. Raises InvalidInput,
    SecretRejected.
    """
    checked = facts.new(text, metadata, path)
    kept, dropped = drop_reserved(checked.metadata)
    by = context.actor
    seen, masked = Screened(checked.text), ScreenedJson(dict(kept))
    where = Screened(checked.path or "")
    if held is None or checked.text != held.text:
        seen = admit(checked.text, by, keep=keep_secret)
    if held is None or checked.metadata != held.metadata:
        masked = admit_json(dict(kept), by, keep=keep_secret)
    if held is None or checked.path != held.path:
        where = admit(where.text, by, keep=keep_secret)
    assert isinstance(masked.value, dict)
    content = facts.new(seen.text, masked.value, where.text or None)
    kinds = (*seen.kinds, *masked.kinds, *where.kinds)
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
