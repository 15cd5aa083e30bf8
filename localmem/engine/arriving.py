"""What a sync brings, as it may be stored: held against the limits of every write.

Its author was judged when it was first kept, by this library's rules or another's: sources, blocks
and rejections are not looked at again. Shape is, because anybody may have put it on the server.

Secrets go by the author. What the person wrote they kept knowingly, on the device where they were
asked: it stays as it is. A fact that an agent or a backend wrote is masked like any of theirs; its
wording stays what it is on the server. A document or a preference of theirs with a secret in it is
refused: masked, it would be another record than the server's, and be sent back over it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from localmem.core import documents, facts, preferences, ttl
from localmem.core.bodies import Author, DocumentBody, Slot
from localmem.core.model import (
    NO_EVIDENCE,
    Actor,
    AuthorKind,
    Change,
    Content,
    Evidence,
    FactContent,
    Millis,
    Origin,
    PreferenceContent,
    Version,
)
from localmem.core.preferences import PreferenceKey
from localmem.core.replica import FactBody
from localmem.core.scope import PERSON, Scope
from localmem.core.screening import clean_text, drop_reserved, screen, screen_json
from localmem.engine import guard
from localmem.engine.context import Context
from localmem.errors import InvalidInput, InvalidPreferenceValue, SecretRejected

DAY: Millis = 86_400_000
"""So far the clocks of two devices may be apart."""
LONGEST_AUTHOR = 255
HIGHEST_GENERATION = 1_000_000


class Said(NamedTuple):
    """What a body says, as a version that has no number yet."""

    content: Content
    by: Actor
    at: Millis
    expires_at: Millis | None = None
    evidence: Evidence = NO_EVIDENCE

    def version(self, id: str, change: Change, *, base: int | None, number: int) -> Version:
        return Version(
            id, number, change, self.content, self.by, self.at, self.expires_at, self.evidence, base
        )


@dataclass(slots=True)
class Arriving:
    """One batch of what arrives: a place and an author are looked at once."""

    context: Context
    _authors: dict[Author, Actor] = field(default_factory=dict)
    _places: set[tuple[Scope, str]] = field(default_factory=set)

    def fact(self, scope: Scope, body: FactBody) -> Said:
        """Raises InvalidInput, SecretRejected."""
        self._place(scope)
        by = self._author(body.by)
        given = (body.text, body.metadata, body.path)
        if by.kind is AuthorKind.PERSON:
            content = _unscreened(*given)
        else:
            content, _ = guard.fact(replace(self.context, actor=by), *given, keep_secret=False)
        return Said(content, by, self._moment(body.at), self._end(body.expires_at))

    def document(self, scope: Scope, collection: str, key: str, body: DocumentBody) -> Said:
        """Raises InvalidInput, SecretRejected."""
        documents.key(key)
        self._place(scope, collection)
        guard.name(key, "key")
        by = self._author(body.by)
        content = documents.new(body.value)
        if by.kind is not AuthorKind.PERSON:
            seen = screen_json(content.value, under=(collection, key))
            _refuse((*seen.in_names, *seen.kinds), "document")
        return Said(content, by, self._moment(body.at), self._end(body.expires_at))

    def slot(self, key: PreferenceKey, slot: Slot) -> Said:
        """Raises InvalidPreferenceValue, InvalidInput, SecretRejected."""
        value = guard.preference(preferences.normalise(key, slot.value))
        by = self._author(slot.by)
        return Said(PreferenceContent(value), by, self._moment(slot.at), None, _grounds(slot))

    def _author(self, by: Author) -> Actor:
        if by not in self._authors:
            name = guard.name(clean_text(by.name, field="author"), "author's name")
            if not 1 <= len(name) <= LONGEST_AUTHOR:
                raise InvalidInput(
                    f"The name of its author is empty, or longer than {LONGEST_AUTHOR} characters."
                )
            self._authors[by] = Actor(by.kind, name, Origin.SYNC)
        return self._authors[by]

    def _place(self, scope: Scope, collection: str = "") -> None:
        if (scope, collection) in self._places:
            return
        if scope == PERSON:
            raise InvalidInput("Only preferences are kept in the person's own scope.")
        if collection:
            documents.collection_name(collection)
        guard.place(scope, collection)
        self._places.add((scope, collection))

    def _moment(self, at: Millis) -> Millis:
        """When it was said, as far as that can be: another clock may be wrong, or lie."""
        now = self.context.clock()
        return at if 0 < at <= now + DAY else now

    def _end(self, expires_at: Millis | None) -> Millis | None:
        longest = ttl.expires_at(self.context.clock(), ttl.MAX_SECONDS) + DAY
        if expires_at is not None and not 0 <= expires_at <= longest:
            raise InvalidInput("It would be kept for longer than 2 years, which is the most.")
        return expires_at


def _unscreened(text: str, metadata: Mapping[str, str], path: str | None) -> FactContent:
    content = facts.new(text, metadata, path)
    kept, dropped = drop_reserved(content.metadata)
    return replace(content, metadata=kept) if dropped else content


def generation(gen: int) -> int:
    """`gen` itself. Raises InvalidInput for what no device counts up to."""
    if not 0 <= gen <= HIGHEST_GENERATION:
        raise InvalidInput(f"A preference has no generation {gen}.")
    return gen


def _grounds(slot: Slot) -> Evidence:
    given = (slot.quote, slot.purchase_id, slot.source)
    if given == (None, None, None):
        return NO_EVIDENCE
    said = [None if text is None else clean_text(text, field="evidence") for text in given]
    if any(text is not None and len(text) > preferences.MAX_QUOTE for text in said):
        raise InvalidPreferenceValue(
            f"What it rests on is longer than {preferences.MAX_QUOTE} characters.",
            hint="Quote only the sentence that holds the value.",
        )
    grounds = Evidence(*said)
    _refuse(
        tuple(kind for text in said if text is not None for kind in screen(text).kinds),
        "preference's quote or source",
    )
    return grounds


def _refuse(kinds: tuple[str, ...], what: str) -> None:
    if kinds:
        each = tuple(dict.fromkeys(kinds))
        raise SecretRejected(
            f"This {what} holds what looks like a secret ({', '.join(each)}).",
            kinds=each,
            hint="Take it out on the server, or keep it here yourself.",
        )
