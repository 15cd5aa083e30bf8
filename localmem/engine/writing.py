"""The one way an item comes to be or moves: version, indexes, undo step and deed in a transaction.

Everything here runs inside `store.writing()`; nothing else calls the store's insert and append.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from localmem.core import change, concepts, documents, facts, plain, words
from localmem.core.change import Moved, Same, Saved, Stale, Unchanged, Write, Written
from localmem.core.model import (
    Change,
    Collection,
    Content,
    DocumentContent,
    FactContent,
    Item,
    ItemId,
    Kind,
    Provenance,
    Version,
)
from localmem.core.records import NewItem, UndoStep
from localmem.core.scope import Scope
from localmem.engine import guard, reviewing
from localmem.engine.context import Context

_DONE: Mapping[Change, str] = {
    Change.REMEMBER: "kept",
    Change.CORRECT: "corrected",
    Change.EDIT: "edited",
    Change.RESTORE: "restored",
    Change.MERGE: "merged",
    Change.IMPORT: "imported",
}


@dataclass(frozen=True, slots=True)
class Address:
    """Where a new item will live."""

    kind: Kind
    scope: Scope
    collection: str = ""
    key: str = ""
    provenance: Provenance | None = None


def create(
    context: Context,
    address: Address,
    write: Write,
    *,
    notes: tuple[str, ...] = (),
    undoable: bool = True,
    judged: bool = False,
) -> Saved:
    """Keep something new; a forgotten document at the same address goes on with its numbers.

    Not `undoable`, the caller records the step and the deed. When it is `judged`, the caller knows
    that the person has not rejected exactly this before.

    Raises SecretRejected for a secret in the address, RejectedBefore.
    """
    guard.place(address.scope, address.collection, address.key)
    last_number = 0
    if address.kind is Kind.DOCUMENT:
        context.store.items.make_room(
            address.scope,
            collection=address.collection,
            key=address.key,
            provenance="",
            at=context.clock(),
        )
        last_number = context.store.items.last_number(
            address.scope, address.collection, address.key
        )
    item = new(context, address, write, last_number=last_number)
    if not judged:
        reviewing.check(context, item)
    context.store.items.insert([_row(context, item)])
    reviewing.note(context, item, before=None)
    if undoable:
        _remember(context, write, item, before=None)
    return Saved(item, created=True, notes=notes)


def new(context: Context, address: Address, write: Write, *, last_number: int = 0) -> Item:
    """The item that `write` makes at an address, not kept yet."""
    now = context.clock()
    head = change.apply(
        None, write, id=context.ids(), at=now, by=context.actor, last_number=last_number
    )
    assert not isinstance(head, Same | Moved)
    return Item(
        id=ItemId(context.ids()),
        kind=address.kind,
        scope=address.scope,
        head=head,
        created_at=now,
        key=address.key,
        collection=address.collection,
        provenance=address.provenance,
    )


class New(NamedTuple):
    """An item that `new` made."""

    author: Context
    item: Item
    sameness: str | None
    fields: Mapping[str, str] = MappingProxyType({})


def keep(made: Sequence[New]) -> None:
    """Keep many items that are new.

    The caller has judged every part of them, and records the steps and the deed.
    """
    adopt_all(made)
    for each in made:
        reviewing.note(each.author, each.item, before=None)


def adopt_all(made: Sequence[New]) -> None:
    """As `adopt`, many that have one version each."""
    if made:
        made[0].author.store.items.insert(
            [
                NewItem(each.item, index_words(each.item), each.sameness, each.fields)
                for each in made
            ]
        )


def _row(context: Context, item: Item) -> NewItem:
    return NewItem(item, index_words(item), sameness(item.head.content), fields(context, item))


def adopt(context: Context, item: Item, earlier: Sequence[Version]) -> None:
    """Keep an item of another library as it is there, `earlier` being its older versions.

    The caller has judged every part of it, and records the step and the deed.
    """
    context.store.items.insert([_row(context, item)])
    context.store.imports.keep_versions(item.id, earlier)


def follow(context: Context, item: Item, between: Sequence[Version]) -> None:
    """Move an item that is here to a head it has elsewhere; as `adopt`.

    `between` are the versions since the one that is current here.
    """
    context.store.imports.keep_versions(item.id, between)
    context.store.items.append(
        item.id,
        item.head,
        sameness=sameness(item.head.content),
        fields=fields(context, item),
        words=index_words(item),
    )


def write(
    context: Context,
    item: Item,
    wanted: Write,
    *,
    notes: tuple[str, ...] = (),
    undoable: bool = True,
) -> Written:
    """Move the item's head to what `wanted` says; Stale when it moved since `made_on`.

    Raises RejectedBefore.
    """
    result = change.apply(item.head, wanted, id=context.ids(), at=context.clock(), by=context.actor)
    match result:
        case Same():
            return Unchanged(item, notes)
        case Moved():
            assert wanted.made_on is not None
            return Stale(item, context.store.items.version(item.id, wanted.made_on), wanted)
    moved = item._replace(head=result)
    reviewing.check(context, moved)
    context.store.items.append(
        item.id,
        result,
        sameness=sameness(result.content),
        fields=fields(context, moved),
        words=index_words(moved),
    )
    reviewing.note(context, moved, before=item.head.number)
    if undoable:
        _remember(context, wanted, moved, before=item.head.number)
    return Saved(moved, created=False, notes=notes)


def _remember(context: Context, wanted: Write, item: Item, *, before: int | None) -> None:
    done = _DONE[wanted.change]
    _make_undoable(context, done, item, before)
    context.note(done, item)


def remember_new(context: Context, made: Sequence[Item]) -> None:
    """The steps and the deeds of many that are new and of one scope, one for each."""
    for item in made:
        _make_undoable(context, _DONE[item.head.change], item, None)
    context.note_all([(_DONE[item.head.change], item) for item in made])


def _make_undoable(context: Context, done: str, item: Item, before: int | None) -> None:
    if context.by_person:
        step = UndoStep(item.id, made=item.head.number, before=before)
        context.store.history.record_undo(f"{done} a {item.kind}", [step], item.head.at)


def refill_index(context: Context) -> None:
    """Fill the word index again when this release reads words or concepts differently."""
    with context.store.reading():
        current = context.store.items.words_edition() == words_edition()
    if current:
        return
    with context.store.writing():
        fill_index(context)


def fill_index(context: Context) -> None:
    """Index the words of every item again; inside a transaction."""
    context.store.items.refill_words(words_edition(), index_words)


def words_edition() -> str:
    """Names how this release reads words and concepts."""
    return f"{words.EDITION}.{concepts.edition()}"


def index_words(item: Item) -> str:
    """The words an item is found by, and the concepts it is about."""
    said = words.index_text(plain.text(item))
    return " ".join([said, *map(concepts.token, concepts.of_words(said))])


def sameness(content: Content) -> str | None:
    return facts.sameness(content.text) if isinstance(content, FactContent) else None


def fields(context: Context, item: Item) -> dict[str, str]:
    """The indexed fields of a document that hold a scalar, canonical."""
    return fields_of(
        context.store.collections.get(item.collection) if item.collection else None, item
    )


def fields_of(collection: Collection | None, item: Item) -> dict[str, str]:
    """As `fields`, where the collection is at hand."""
    content = item.head.content
    if collection is None or not isinstance(content, DocumentContent):
        return {}
    found = {
        field: documents.index_value(documents.field(content.value, field))
        for field in collection.indexes
    }
    return {field: value for field, value in found.items() if value is not None}
