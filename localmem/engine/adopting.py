"""Items of another library, with their own ids, times and versions; collections and forgets too.

The same item is known by its id, the same version by its own, so a file that comes back changes
nothing. Where the file has gone further, its versions follow; where both sides did, what is here
stays unless the rules say otherwise. Every version passes the guard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from localmem.core import change, documents, facts, preferences, uuids
from localmem.core.change import Write
from localmem.core.incoming import Definition, Standing, Whole
from localmem.core.model import (
    Change,
    Content,
    DocumentContent,
    FactContent,
    Item,
    ItemId,
    Kind,
    PreferenceContent,
    Provenance,
    Version,
)
from localmem.core.preferences import PreferenceState
from localmem.core.records import Removal, Slice, UndoStep
from localmem.core.scope import PERSON
from localmem.core.screening import clean_text
from localmem.engine import guard, taking, writing
from localmem.engine.intake import EXPIRED, REJECTED, TWICE, Fate, Intake, Outcome
from localmem.engine.writing import Address
from localmem.errors import InvalidInput

BOTH_CHANGED = "It was changed here and in the file; what is here stays, overwriting takes theirs."
FORGOTTEN = "It was forgotten here, so it stays forgotten; bringing back takes it."
OLDER = "What is here is newer."
OTHER_COLLECTION = "There is a collection of that name with other indexes or lifetime, which stays."
OTHER_STANDING = "This preference is kept here, so the forget in the file changes nothing."

_WRITTEN = (Change.REMEMBER, Change.CORRECT, Change.EDIT)
"""Changes that say something new; others repeat or combine what was judged before."""


def whole(intake: Intake, line: Whole) -> Outcome:
    """Raises InvalidInput, NotPermitted, LimitReached: the line is refused."""
    item = line.item
    address = Address(item.kind, item.scope, item.collection, item.key, item.provenance)
    _check_place(address)
    if intake.lifetime(item.head.expires_at):
        return Outcome(line.line, Fate.SKIPPED, EXPIRED)
    held = intake.context.store.items.get(item.id)
    if held is not None:
        return _known(intake, line, held)
    if intake.said_before("id", item.id):
        return Outcome(line.line, Fate.UNCHANGED, TWICE)
    if _forgotten(intake, item) and not intake.rules.bring_back:
        return Outcome(line.line, Fate.SKIPPED, FORGOTTEN)
    return _other(intake, line, address) or _new(intake, line, address)


def _forgotten(intake: Intake, item: Item) -> bool:
    """Whether the person forgot it: here, or on another device that told this one."""
    if intake.context.store.imports.removed(item.id) is Removal.FORGET:
        return True
    dead = intake.context.store.changes.dead([item.id, item.head.id])
    return Removal.FORGET in dead.values()


def definition(intake: Intake, line: Definition) -> Outcome:
    """Raises InvalidInput, SecretRejected."""
    given = line.collection
    made = documents.collection(
        given.name,
        given.indexes,
        given.default_ttl,
        implicit=given.implicit,
        created_at=given.created_at,
    )
    guard.collection(made)
    held = intake.context.store.collections.get(made.name)
    if held is None:
        if intake.seen is None:
            intake.context.store.collections.create(made)
        return Outcome(line.line, Fate.NEW)
    alike = (held.indexes, held.default_ttl) == (made.indexes, made.default_ttl)
    fate, why = (Fate.UNCHANGED, "") if alike else (Fate.SKIPPED, OTHER_COLLECTION)
    return Outcome(line.line, fate, why)


def standing(intake: Intake, line: Standing) -> Outcome:
    """A forget that was made elsewhere counts here where nothing of that key is kept."""
    states = intake.context.store.preference_states
    held = states.get(line.key)
    if held == line.state or held.generation > line.state.generation:
        return Outcome(line.line, Fate.UNCHANGED)
    if any(
        item.key == line.key
        for item in intake.context.store.items.window(
            Slice(Kind.PREFERENCE, PERSON), offset=0, limit=100
        )
    ):
        return Outcome(line.line, Fate.SKIPPED, OTHER_STANDING)
    if intake.seen is None:
        blocked = held.inference_blocked or line.state.inference_blocked
        states.put(line.key, PreferenceState(line.state.generation, blocked))
    return Outcome(line.line, Fate.CHANGED if held.generation else Fate.NEW)


def _check_place(address: Address) -> None:
    match address.kind:
        case Kind.DOCUMENT:
            documents.collection_name(address.collection)
            documents.key(address.key)
        case Kind.PREFERENCE:
            preferences.parse_key(address.key)
        case Kind.FACT:
            pass
    if (address.kind is Kind.PREFERENCE) != (address.scope == PERSON):
        raise InvalidInput(f"A {address.kind} cannot be kept in the scope {address.scope}.")
    guard.place(address.scope, address.collection, address.key)


# --- The item is here ------------------------------------------------------------------------


def _known(intake: Intake, line: Whole, held: Item) -> Outcome:
    item = line.item
    if _place(item) != _place(held):
        raise InvalidInput("Its id belongs to another memory here.")
    if _says(item.head, held.head):
        return Outcome(line.line, Fate.UNCHANGED, "", held.id)
    head, notes = _admitted(intake, item, item.head)
    if _says(head, held.head):
        return Outcome(line.line, Fate.UNCHANGED, "", held.id)
    if head.id != held.head.id:
        if _goes_further(line, held):
            return _follow(intake, line, item._replace(head=head), held, notes)
        history = intake.context.store.items.history(held.id)
        if any(version.id == head.id for version in history):
            return Outcome(line.line, Fate.UNCHANGED, OLDER, held.id)
    if not intake.rules.overwrite:
        return Outcome(line.line, Fate.SKIPPED, BOTH_CHANGED, held.id)
    wanted = Write(Change.IMPORT, head.content, head.expires_at, head.evidence)
    return intake.rewrite(intake.context, line, held, wanted, notes)


def _place(item: Item) -> tuple[object, ...]:
    return item.kind, item.scope, item.collection, item.key, item.provenance


def _says(given: Version, held: Version) -> bool:
    return change.same(given.content, held.content) and given.expires_at == held.expires_at


def _goes_further(line: Whole, held: Item) -> bool:
    """Whether what is current here is an older version of the file's.

    Without its history a file shows that only of an item's first version, which all copies share.
    """
    if line.item.head.number <= held.head.number:
        return False
    first = held.head.base is None
    return first or any(version.id == held.head.id for version in line.earlier)


def _follow(intake: Intake, line: Whole, item: Item, held: Item, notes: Sequence[str]) -> Outcome:
    newer = [version for version in line.earlier if version.number > held.head.number]
    between, more = _all_admitted(intake, item, newer)
    _check_unused(intake, [*between, item.head])
    if intake.seen is None:
        writing.follow(intake.context, item, between)
        intake.steps.append(UndoStep(item.id, item.head.number, held.head.number))
        _wait(intake, line)
    return Outcome(line.line, Fate.CHANGED, " ".join([*notes, *more]), item.id)


# --- The item is not here ----------------------------------------------------------------------


def _other(intake: Intake, line: Whole, address: Address) -> Outcome | None:
    """What another item here, or an earlier line of a preview, has to say to it."""
    content = line.item.head.content
    if isinstance(content, FactContent):
        twin = intake.context.store.items.twin(address.scope, facts.sameness(content.text))
        if twin is not None:
            return Outcome(line.line, Fate.UNCHANGED, "", twin.id)
        said = intake.said_before(Kind.FACT, address.scope, facts.sameness(content.text))
        return Outcome(line.line, Fate.UNCHANGED, TWICE) if said else None
    held = taking.find(intake, address)
    if held is None:
        return Outcome(line.line, Fate.SKIPPED, TWICE) if intake.said_before(address) else None
    if change.same(held.head.content, content):
        return Outcome(line.line, Fate.UNCHANGED, "", held.id)
    head, notes = _admitted(intake, line.item, line.item.head)
    if not intake.rules.overwrite:
        return Outcome(line.line, Fate.SKIPPED, taking.KEPT_HERE, held.id)
    wanted = Write(Change.IMPORT, head.content, head.expires_at, head.evidence)
    return intake.rewrite(intake.context, line, held, wanted, notes)


def _new(intake: Intake, line: Whole, address: Address) -> Outcome:
    line = _another(intake, line)
    versions, notes = _all_admitted(intake, line.item, [*line.earlier, line.item.head])
    item = line.item._replace(head=versions[-1])
    content = item.head.content
    if item.kind is Kind.PREFERENCE and taking.forgotten(
        intake, preferences.parse_key(item.key), item.provenance
    ):
        return Outcome(line.line, Fate.SKIPPED, taking.FORGOTTEN)
    if intake.rejected(address, content):
        return Outcome(line.line, Fate.SKIPPED, REJECTED)
    _check_unused(intake, versions)
    if isinstance(content, FactContent):
        intake.check_room(address.scope)
        intake.made(Kind.FACT, address.scope, facts.sameness(content.text))
    else:
        intake.made(address)
    intake.made("id", item.id)
    if intake.seen is None:
        _adopt(intake, line, item, versions[:-1], address)
    return Outcome(line.line, Fate.NEW, " ".join(notes), item.id)


def _another(intake: Intake, line: Whole) -> Whole:
    """What was here before, or on another device, comes back as another incarnation, with its
    history: whoever the old one was synchronised with holds that for gone, for ever."""
    item, changes = line.item, intake.context.store.changes
    known_by = [item.id, item.head.id, *(version.id for version in line.earlier)]
    if not changes.taken([item.id]) and not changes.dead(known_by):
        return line
    ids, now = intake.context.ids, intake.now
    head = item.head._replace(id=ids())
    earlier = tuple(version._replace(id=ids()) for version in line.earlier)
    id = ItemId(uuids.of_the_time(item.id, ids(), until=now))
    return replace(line, item=item._replace(id=id, head=head), earlier=earlier)


def _adopt(
    intake: Intake, line: Whole, item: Item, earlier: Sequence[Version], address: Address
) -> None:
    if item.kind is not Kind.FACT:
        taking.make_way(intake, address)
    writing.adopt(intake.context, item, earlier)
    if item.kind is Kind.PREFERENCE:
        taking.declared(intake, preferences.parse_key(item.key), item.provenance)
    intake.steps.append(UndoStep(item.id, item.head.number, None))
    _wait(intake, line)


def _wait(intake: Intake, line: Whole) -> None:
    if line.waiting is not None:
        intake.context.store.reviews.wait(
            line.item.id, since=line.waiting.since, before=line.waiting.before
        )


def _check_unused(intake: Intake, versions: Sequence[Version]) -> None:
    """Raises InvalidInput for versions that belong to another item."""
    if intake.context.store.imports.taken_versions([version.id for version in versions]):
        raise InvalidInput("One of its versions belongs to another memory here.")


# --- Versions through the guard ------------------------------------------------------------------


def _all_admitted(
    intake: Intake, item: Item, versions: Sequence[Version]
) -> tuple[list[Version], tuple[str, ...]]:
    admitted = [_admitted(intake, item, version) for version in versions]
    notes = dict.fromkeys(note for _, notes in admitted for note in notes)
    return [version for version, _ in admitted], tuple(notes)


def _admitted(intake: Intake, item: Item, version: Version) -> tuple[Version, tuple[str, ...]]:
    """The version as it may be stored, and what to tell. Raises InvalidInput, SecretRejected."""
    name = clean_text(version.by.name, field="author")
    if not 1 <= len(name) <= 255:
        raise InvalidInput("The name of its author is empty, or longer than 255 characters.")
    guard.name(name, "author's name")
    grounds = taking.evidence(version.evidence)
    content, notes = _content(intake, item, version)
    by = version.by._replace(name=name)
    return version._replace(content=content, evidence=grounds, by=by), notes


def _content(intake: Intake, item: Item, version: Version) -> tuple[Content, tuple[str, ...]]:
    keep = intake.rules.keep_secrets
    match version.content:
        case FactContent(text, metadata, path):
            return guard.fact(intake.context, text, metadata, path, keep_secret=keep)
        case DocumentContent(value):
            under = (item.collection, item.key)
            return guard.document(intake.context, value, keep_secret=keep, under=under)
        case PreferenceContent(value):
            held = guard.preference(preferences.normalise(preferences.parse_key(item.key), value))
            if version.change in _WRITTEN:
                preferences.check_source(
                    by=version.by.kind,
                    change=version.change,
                    provenance=item.provenance or Provenance.DECLARED,
                    value=held,
                    evidence=version.evidence,
                )
            return PreferenceContent(held), ()
