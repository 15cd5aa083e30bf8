"""The one gate on every way in: secrets are masked or refused, reserved metadata dropped.

Everything a write stores passes one of these: what it says (`fact`, `document`, `preference`,
`evidence`) and what it is called (`place`, `collection`). Refuses to mask a name or a preference:
a name would be another one, and no size or brand has a secret in it (FR-137).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from localmem.core import documents, facts, preferences
from localmem.core.model import Collection, DocumentContent, Evidence, FactContent, Json
from localmem.core.scope import Scope
from localmem.core.screening import (
    Screened,
    ScreenedJson,
    admit,
    admit_json,
    admit_name,
    drop_reserved,
    screen,
)
from localmem.engine.context import Context
from localmem.errors import SecretRejected


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
    by = context.actor
    if held is None or checked.text != held.text:
        seen = admit(checked.text, by, keep=keep_secret)
    else:
        seen = Screened(checked.text)
    if not (seen.kinds or checked.metadata or checked.path):
        return checked, ()
    kept, dropped = drop_reserved(checked.metadata)
    masked, where = ScreenedJson(dict(kept)), Screened(checked.path or "")
    if checked.metadata and (held is None or checked.metadata != held.metadata):
        masked = admit_json(dict(kept), by, keep=keep_secret)
    if checked.path and (held is None or checked.path != held.path):
        where = admit(where.text, by, keep=keep_secret)
    assert isinstance(masked.value, dict)
    kinds = (*seen.kinds, *masked.kinds, *where.kinds)
    if not kinds and not dropped:
        return checked, ()
    from localmem.core import feed  # here and below: few have a secret in them

    named = {**masked.value, **feed.ids_of(kept)}
    content = facts.new(seen.text, named, where.text or None)  # a mask may be longer
    return content, (*_masked(kinds), *_dropped(dropped))


def document(
    context: Context, value: Json, *, keep_secret: bool, under: Sequence[str] = ()
) -> tuple[DocumentContent, tuple[str, ...]]:
    """As `fact`, for a document. Also raises DocumentTooLarge and DocumentTooDeep.

    `under` are its collection and key, which announce its value as a member's name does.
    """
    checked = documents.new(value)
    seen = admit_json(checked.value, context.actor, keep=keep_secret, under=under)
    if not seen.kinds:
        return checked, ()
    from localmem.core import feed

    value = feed.with_lineage(seen.value, checked.value)
    if value == checked.value:
        return checked, ()
    return documents.new(value), _masked(seen.kinds)  # a mask may be longer than its secret


def preference(value: preferences.Value) -> preferences.Value:
    """The value itself. Raises SecretRejected, for the person too: no size or name is a secret."""
    said = value if isinstance(value, str) else "\n".join(value)
    kinds = screen(said).kinds
    if kinds:
        raise SecretRejected(
            f"A preference holds a size or names, and this looks like a secret "
            f"({', '.join(kinds)}).",
            kinds=kinds,
            hint="Give the size or the names alone.",
        )
    return value


def evidence(given: Evidence) -> Evidence:
    """Quote and source may hold a secret beside the value: it is masked, never refused.

    Raises SecretRejected for the purchase's id, which is a name.
    """
    if given.purchase_id is not None:
        name(given.purchase_id, "purchase's id")
    return Evidence(_masked_words(given.quote), given.purchase_id, _masked_words(given.source))


def _masked_words(said: str | None) -> str | None:
    # A mask may be longer than what it hides.
    return screen(said).text[: preferences.MAX_QUOTE] if said is not None else None


def place(scope: Scope, collection: str = "", key: str = "") -> None:
    """Where something new will live. Raises SecretRejected."""
    if scope.id:
        name(scope.id, f"{scope.kind}'s id")
    if collection:
        name(collection, "name of the collection")
    if key:
        name(key, "key")


def collection(made: Collection) -> None:
    """A definition: its name and the fields it indexes. Raises SecretRejected."""
    name(made.name, "name of the collection")
    for field in made.indexes:
        name(field, "indexed field")


def name(text: str, what: str) -> str:
    """A name of any kind: `text` itself. Raises SecretRejected.

    `what` names it in the sentence. Whoever writes is refused: it cannot be kept knowingly,
    because names are shown, logged and listed where contents are not.
    """
    return admit_name(text, what)


def _masked(kinds: tuple[str, ...]) -> tuple[str, ...]:
    unique = ", ".join(dict.fromkeys(kinds))
    return (f"Secrets were masked before keeping this: {unique}.",) if unique else ()


def _dropped(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        return ()
    return (f"Reserved metadata was dropped: {', '.join(names)}.",)
