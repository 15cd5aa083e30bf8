"""What every write does for the inbox, inside its own transaction; `engine.inbox` shows it.

An agent's write and anything inferred waits; the person's own write settles what waited.
"""

from __future__ import annotations

from localmem.core import documents, facts
from localmem.core.model import (
    AuthorKind,
    Content,
    DocumentContent,
    FactContent,
    Item,
    PreferenceContent,
    Provenance,
)
from localmem.engine.context import Context
from localmem.errors import RejectedBefore


def check(context: Context, item: Item) -> None:
    """`item` is what somebody wants to be kept. Raises RejectedBefore.

    What the person says themselves is rejected no longer.
    """
    if context.by_person:
        context.store.reviews.lift(said(item))
    elif context.store.reviews.rejected(said(item)):
        raise RejectedBefore(
            "The person rejected exactly this before, so it was not kept.",
            hint="Do not propose it again; they can still say it themselves.",
        )


def note(context: Context, item: Item, *, before: int | None) -> None:
    """`item` was just written; `before` is the version it was made on, None for a new one."""
    if context.by_person:
        if before is not None:
            context.store.reviews.settle(item.id, item.head.number)
    elif context.actor.kind is AuthorKind.AGENT or item.provenance is Provenance.INFERRED:
        context.store.reviews.wait(item.id, since=item.head.at, before=before)


def said(item: Item) -> str:
    """Names what is said and where, so that the same can be told again; ids play no part."""
    where = (item.kind, item.scope, item.collection, item.key, item.provenance or "")
    return "\x00".join([*map(str, where), _content(item.head.content)])


def _content(content: Content) -> str:
    match content:
        case FactContent(text):
            return facts.sameness(text)
        case PreferenceContent(value):
            return documents.canonical(value if isinstance(value, str) else list(value))
        case DocumentContent(value):
            return documents.canonical(value)
