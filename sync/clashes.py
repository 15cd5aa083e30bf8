"""Open conflicts as a person is shown them, and what they decide (sync.md 2.10)."""

from __future__ import annotations

from hashlib import sha256

from localmem.core import preferences
from localmem.core.bodies import Author, Body, DocumentBody, PreferenceBody, Slot
from localmem.core.model import (
    Content,
    DocumentContent,
    FactContent,
    ItemId,
    Kind,
    Millis,
    PreferenceContent,
)
from localmem.core.preferences import PreferenceKey
from localmem.core.records import Removal
from localmem.core.replica import (
    Clashing,
    Conflict,
    Fact,
    FactBody,
    Library,
    Pending,
    RecordKey,
    Tables,
    block_place,
)
from localmem.core.syncing import Clash, Decision
from sync import resolving

_TEXTS = {
    Clashing.CHANGED: "Changed here and on the server, to different values.",
    Clashing.FORGOTTEN: "Forgotten on the server, and changed here before that was known.",
    Clashing.CREATED: "Made here and on the server, each without knowing of the other.",
    Clashing.FORK: "What the server has does not come from what both once agreed on.",
    Clashing.SHAPE: "The server has something there that localmem cannot read.",
}
"""Total over Clashing; a test asserts it."""


def name(pending: Pending) -> str:
    """A short name for something that waits or clashes, the same from run to run."""
    return sha256(block_place(pending).encode()).hexdigest()[:8]


def title(library: Library, pending: Pending) -> str:
    """What it is, on one line: stored text, cleaned where it is shown."""
    if pending.key is None:
        fact = library.fact(pending.item) if pending.item is not None else None
        return "" if fact is None else fact.body.text.partition("\n")[0]
    if pending.key.kind is Kind.PREFERENCE:
        return preferences.label(PreferenceKey(pending.key.key))
    return f"{pending.key.collection}/{pending.key.key}"


def everything(tables: Tables, library: Library) -> list[Clash]:
    """Every open conflict, oldest first; closes those that a forget has ended since."""
    with tables.reading():
        keys, items = list(tables.conflicts()), list(tables.fact_conflicts())
    found = [_record(tables, library, key) for key in keys]
    found += [_fact(tables, library, item) for item in items]
    return sorted((each for each in found if each is not None), key=lambda clash: clash.since)


def _record(tables: Tables, library: Library, key: RecordKey) -> Clash | None:
    conflict = resolving.open_conflict(tables, library, key)
    if conflict is None:
        return None
    with tables.reading():
        pending = Pending(key, None)
        item, mine = _mine(library, key)
        theirs = conflict.theirs.body if conflict.theirs else None
        by, at = _whose(theirs)
        return Clash(
            name(pending),
            key.kind,
            key.scope,
            title(library, pending),
            conflict.why,
            _TEXTS[conflict.why],
            conflict.since,
            item,
            _content(conflict.base),
            mine,
            _content(theirs),
            by,
            at,
            _parts(conflict),
        )


def _mine(library: Library, key: RecordKey) -> tuple[ItemId | None, Content | None]:
    if key.kind is Kind.PREFERENCE:
        items = library.preference_items(key.key)
        return (items[0] if items else None), _content(library.preference(key.key))
    document = library.document(key.scope, key.collection, key.key)
    return (document.item, _content(document.body)) if document else (None, None)


def _content(body: Body | None) -> Content | None:
    if body is None or body.erased:
        return None
    if isinstance(body, DocumentBody):
        return DocumentContent(body.value)
    slot = _slot(body)
    return None if slot is None else PreferenceContent(slot.value)


def _slot(body: PreferenceBody) -> Slot | None:
    return body.declared or body.inferred


def _whose(body: Body | None) -> tuple[Author | None, Millis | None]:
    if isinstance(body, DocumentBody):
        return body.by, body.at
    slot = _slot(body) if isinstance(body, PreferenceBody) else None
    return (slot.by, slot.at) if slot else (None, None)


def _parts(conflict: Conflict) -> tuple[tuple[str, ...], ...]:
    return () if conflict.parts == (("declared",),) else conflict.parts


def _fact(tables: Tables, library: Library, item: ItemId) -> Clash | None:
    with tables.reading():
        conflict, fact = tables.fact_conflict(item), library.fact(item)
        if conflict is None or fact is None:
            return None
        pending = Pending(None, item)
        before = _before(tables, library, fact)
        return Clash(
            name(pending),
            Kind.FACT,
            fact.scope,
            title(library, pending),
            conflict.why,
            _TEXTS[conflict.why],
            conflict.since,
            item,
            None if before is None else _said(before),
            _said(fact.body),
            None,
            None,
            None,
            (),
        )


def _said(body: FactBody) -> FactContent:
    return FactContent(body.text, body.metadata, body.path)


def _before(tables: Tables, library: Library, fact: Fact) -> FactBody | None:
    """The newest wording that both sides had, where this one was made from it."""
    known = [each.number for each in tables.wordings_of(fact.item) if each.number < fact.number]
    return library.earlier(fact.item, max(known)) if known else None


def decide(
    tables: Tables, library: Library, id: str, decision: Decision, content: Content | None
) -> bool:
    """False when it is no longer open."""
    with tables.reading():
        keys = {name(Pending(key, None)): key for key in tables.conflicts()}
        items = {name(Pending(None, item)): item for item in tables.fact_conflicts()}
    if id in keys:
        return _decide_record(tables, library, keys[id], decision, content)
    return id in items and _decide_fact(tables, library, items[id], decision, content)


def _decide_record(
    tables: Tables, library: Library, key: RecordKey, decision: Decision, content: Content | None
) -> bool:
    match decision:
        case Decision.MINE:
            return resolving.keep_mine(tables, library, key)
        case Decision.THEIRS:
            return resolving.keep_theirs(tables, library, key)
        case Decision.MERGED:
            with tables.reading():
                merged = _merged(library, key, content)
            return resolving.keep_mine(tables, library, key, merged)
        case Decision.FORGET:
            return _forget(tables, library, key)


def _merged(library: Library, key: RecordKey, content: Content | None) -> Body:
    now = library.now()
    if isinstance(content, PreferenceContent):
        body = library.preference(key.key)
        return body._replace(declared=Slot(content.value, now), forgotten=False)
    assert isinstance(content, DocumentContent), "a document is decided with a document"
    document = library.document(key.scope, key.collection, key.key)
    ends = document.body.expires_at if document else None
    return DocumentBody("", content.value, ends, now)


def _forget(tables: Tables, library: Library, key: RecordKey) -> bool:
    """Both sides go. Where nothing is here, theirs is taken first, to be forgotten."""
    if resolving.open_conflict(tables, library, key) is None:
        return False
    with tables.writing():
        if key.kind is Kind.PREFERENCE:
            gen = library.preference(key.key).gen
            library.put_preference(key.key, PreferenceBody(gen + 1, forgotten=True))
            resolving.open_conflict(tables, library, key)  # empties what was kept of both sides
            return True
        document = library.document(key.scope, key.collection, key.key)
        if document is None:
            resolving.keep_theirs(tables, library, key)
            document = library.document(key.scope, key.collection, key.key)
        if document is not None:
            library.remove(document.item, Removal.FORGET)
            resolving.open_conflict(tables, library, key)
    return True


def _decide_fact(
    tables: Tables, library: Library, item: ItemId, decision: Decision, content: Content | None
) -> bool:
    if decision in (Decision.THEIRS, Decision.FORGET):
        return resolving.drop_fact(tables, library, item)
    with tables.writing():
        fact = library.fact(item)
        if fact is None:
            return False
        if decision is Decision.MERGED:
            assert isinstance(content, FactContent), "a fact is decided with a fact"
            _reword(library, fact, content)
        return resolving.keep_mine_fact(tables, library, item)


def _reword(library: Library, fact: Fact, content: FactContent) -> None:
    body = fact.body._replace(
        text=content.text, metadata=content.metadata, path=content.path, at=library.now()
    )
    library.reword_fact(fact.item, library.new_id(), body)
