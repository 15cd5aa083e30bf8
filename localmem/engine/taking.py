"""One memory of another program or a plain list, kept by the rules of whatever is typed.

Refuses to overwrite a document or a preference that says something else here, unless the rules
say so; a fact that is here in the same words is not kept twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import NamedTuple, assert_never

from localmem.core import change, documents, facts, preferences, ttl
from localmem.core.change import Write
from localmem.core.incoming import Incoming, Line
from localmem.core.model import (
    NO_EVIDENCE,
    Change,
    Collection,
    Content,
    DocumentContent,
    Evidence,
    FactContent,
    Item,
    Kind,
    Millis,
    PreferenceContent,
    Provenance,
)
from localmem.core.preferences import MAX_QUOTE, PreferenceKey
from localmem.core.scope import PERSON, Scope
from localmem.core.screening import clean_text
from localmem.engine import guard
from localmem.engine.context import Context
from localmem.engine.intake import EXPIRED, REJECTED, TWICE, Fate, Intake, Outcome, answered
from localmem.engine.writing import Address
from localmem.errors import InvalidInput

KEPT_HERE = "It says something else here, and what is here stays; overwriting takes the file's."
FORGOTTEN = "You forgot this preference here, so it stays forgotten; bringing back takes it."


def is_fact(line: Line) -> bool:
    return isinstance(line, Incoming) and isinstance(line.content, FactContent)


def together(intake: Intake, lines: Iterable[Line]) -> list[Outcome]:
    """Lines that are facts, one outcome for each; which are here already is looked up at once."""
    said = [answered(line, partial(_said, intake, line)) for line in lines]
    intake.look_for([(each.scope, each.sameness) for each in said if isinstance(each, _Said)])
    return [
        each if isinstance(each, Outcome) else answered(each.line, partial(_fact, intake, each))
        for each in said
    ]


def incoming(intake: Intake, line: Incoming) -> Outcome:
    """What is no fact. Raises InvalidInput, NotPermitted, LimitReached: the line is refused."""
    if intake.lifetime(line.expires_at):
        return Outcome(line.line, Fate.SKIPPED, EXPIRED)
    match line.content:
        case FactContent():
            raise AssertionError("facts are taken together")
        case DocumentContent():
            return _document(intake, line, line.content)
        case PreferenceContent():
            return _preference(intake, line, line.content)
        case _:
            assert_never(line.content)


class _Said(NamedTuple):
    """What a line says as it may be kept."""

    line: Incoming
    author: Context
    content: FactContent
    notes: tuple[str, ...]
    scope: Scope
    sameness: str


def _said(intake: Intake, line: Line) -> _Said | Outcome:
    assert isinstance(line, Incoming)
    assert isinstance(line.content, FactContent)
    if intake.lifetime(line.expires_at):
        return Outcome(line.line, Fate.SKIPPED, EXPIRED)
    author, said = intake.acting(line.author), line.content
    content, notes = guard.fact(
        author, said.text, said.metadata, said.path, keep_secret=intake.rules.keep_secrets
    )
    scope = line.scope or intake.rules.scope
    return _Said(line, author, content, notes, scope, facts.sameness(content.text))


def _fact(intake: Intake, said: _Said) -> Outcome:
    line, author, content, notes, scope, sameness = said
    twin = intake.twin(scope, sameness)
    if twin is not None:
        return Outcome(line.line, Fate.UNCHANGED, "", twin)
    if intake.said_before(Kind.FACT, scope, sameness):
        return Outcome(line.line, Fate.UNCHANGED, TWICE)
    address = Address(Kind.FACT, scope)
    if intake.rejected(address, content):
        return Outcome(line.line, Fate.SKIPPED, REJECTED)
    wanted = Write(Change.IMPORT, content, line.expires_at, evidence(line.evidence))
    intake.check_room(scope)
    by = _then(intake, author, line)
    outcome = intake.create_fact(by, line, address, wanted, sameness, notes)
    intake.made(Kind.FACT, scope, sameness)
    return outcome


def _document(intake: Intake, line: Incoming, said: DocumentContent) -> Outcome:
    author = intake.acting(line.author)
    collection, key = documents.collection_name(line.collection), documents.key(line.key)
    content, notes = guard.document(
        author, said.value, keep_secret=intake.rules.keep_secrets, under=(collection, key)
    )
    address = Address(Kind.DOCUMENT, line.scope or intake.rules.scope, collection, key)
    held = find(intake, address)
    if held is not None:
        return _over(intake, author, line, held, content, notes)
    if intake.said_before(address):
        return Outcome(line.line, *_again(intake))
    if intake.rejected(address, content):
        return Outcome(line.line, Fate.SKIPPED, REJECTED)
    wanted = Write(Change.IMPORT, content, _expiry(intake, line), evidence(line.evidence))
    guard.place(address.scope, collection, key)
    make_way(intake, address)
    outcome = intake.create(_then(intake, author, line), line, address, wanted, notes)
    intake.made(address)
    return outcome


def _preference(intake: Intake, line: Incoming, said: PreferenceContent) -> Outcome:
    author = intake.acting(line.author)
    key = preferences.parse_key(line.key)
    provenance = line.provenance or Provenance.DECLARED
    value = guard.preference(preferences.normalise(key, said.value))
    grounds = evidence(line.evidence)
    preferences.check_source(
        by=author.actor.kind, change=Change.REMEMBER, provenance=provenance, value=value,
        evidence=grounds,
    )  # fmt: skip
    if forgotten(intake, key, provenance):
        return Outcome(line.line, Fate.SKIPPED, FORGOTTEN)
    address = Address(Kind.PREFERENCE, PERSON, key=key, provenance=provenance)
    content = PreferenceContent(value)
    held = find(intake, address)
    if held is not None:
        return _over(intake, author, line, held, content, ())
    if intake.said_before(address):
        return Outcome(line.line, *_again(intake))
    if intake.rejected(address, content):
        return Outcome(line.line, Fate.SKIPPED, REJECTED)
    wanted = Write(Change.IMPORT, content, None, grounds)
    outcome = intake.create(_then(intake, author, line), line, address, wanted, ())
    declared(intake, key, provenance)
    intake.made(address)
    return outcome


def find(intake: Intake, address: Address) -> Item | None:
    """What lives at the address of a document or a preference."""
    return intake.context.store.items.at(
        address.kind,
        address.scope,
        collection=address.collection,
        key=address.key,
        provenance=address.provenance or "",
    )


def make_way(intake: Intake, address: Address) -> None:
    """The collection is there, and nothing expired holds the address."""
    if intake.seen is not None:
        return
    store = intake.context.store
    store.items.make_room(
        address.scope,
        collection=address.collection,
        key=address.key,
        provenance=address.provenance or "",
        at=intake.now,
    )
    if address.collection and store.collections.get(address.collection) is None:
        store.collections.create(
            Collection(address.collection, implicit=True, created_at=intake.now)
        )


def forgotten(intake: Intake, key: PreferenceKey, provenance: Provenance | None) -> bool:
    """Whether the person's forget here stands against a value.

    What is inferred never comes back over it: only a declared value lifts it.
    """
    if not intake.context.store.preference_states.get(key).inference_blocked:
        return False
    return provenance is Provenance.INFERRED or not intake.rules.bring_back


def declared(intake: Intake, key: PreferenceKey, provenance: Provenance | None) -> None:
    """The person said a value of that key: what they forgot before may be inferred again."""
    if intake.seen is None and provenance is Provenance.DECLARED:
        states = intake.context.store.preference_states
        states.put(key, preferences.declared(states.get(key)))


def evidence(given: Evidence) -> Evidence:
    """As it may be stored. Raises InvalidInput, SecretRejected (the purchase's id)."""
    if given == NO_EVIDENCE:
        return given
    return guard.evidence(
        Evidence(_words(given.quote), _words(given.purchase_id), _words(given.source))
    )


def _words(text: str | None) -> str | None:
    return None if text is None else clean_text(text, field="evidence")[:MAX_QUOTE]


def _over(
    intake: Intake,
    author: Context,
    line: Incoming,
    held: Item,
    content: Content,
    notes: tuple[str, ...],
) -> Outcome:
    """Something is at its address already."""
    if change.same(held.head.content, content):
        return Outcome(line.line, Fate.UNCHANGED, "", held.id)
    if not intake.rules.overwrite:
        return Outcome(line.line, Fate.SKIPPED, KEPT_HERE, held.id)
    expires = line.expires_at or held.head.expires_at
    wanted = Write(Change.IMPORT, content, expires, evidence(line.evidence))
    return intake.rewrite(author, line, held, wanted, notes)


def _again(intake: Intake) -> tuple[Fate, str]:
    """In a preview: an earlier line of the file has that address."""
    return (Fate.CHANGED, "") if intake.rules.overwrite else (Fate.SKIPPED, TWICE)


def _then(intake: Intake, author: Context, line: Incoming) -> Context:
    """As `author` at the time the line names, which may not be to come."""
    if line.written_at is None:
        return author
    if line.written_at < 0:
        raise InvalidInput("It says it was written before 1970.")
    at = min(line.written_at, intake.now)
    return replace(author, clock=lambda: at)


def _expiry(intake: Intake, line: Incoming) -> Millis | None:
    """Of a new document: its own, or that of its collection."""
    if line.expires_at is not None:
        return line.expires_at
    held = intake.context.store.collections.get(line.collection)
    if held is None or held.default_ttl is None:
        return None
    return ttl.expires_at(intake.now, held.default_ttl)
