"""What is forgotten leaves no byte in what a sync remembers, which still knows it was there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from localmem.core.bodies import DocumentBody, Held, PreferenceBody, Slot, husk
from localmem.core.change import Saved
from localmem.core.model import Evidence, Item, Provenance
from localmem.core.replica import (
    Block,
    Clashing,
    Conflict,
    Copy,
    Flight,
    Pending,
    RecordKey,
    Verb,
    block_place,
    document_key,
    preference_key,
)
from localmem.core.scope import PROJECT
from localmem.engine import Engine
from localmem.errors import StoreUnavailable
from localmem.ids import TimeOrderedIds
from localmem.store import encryption
from localmem.store.sqlite import SqliteStore, open_store
from tests.support.library import BACKEND, PERSON, FixedClock

KEY = bytes(range(32))
NEEDLES = ("Xantofila", "Zirconita", "Wolframita", "Rodonita", "Malaquita", "Turmalina",
           "Obsidiana", "Calcedonia")  # fmt: skip
BRANDS = preference_key("preferred_brands")
ORDER = document_key(PROJECT, "orders", "phone:56940560201")
VV = {"device01": 3}


@pytest.fixture(params=[None, KEY], ids=["in the clear", "encrypted"])
def store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock
) -> Iterator[SqliteStore]:
    path = tmp_path / "data" / "library.db"
    store = open_store(path, clock, key=(lambda: KEY) if request.param else None)
    if request.param:
        store.close()
        with encryption.converting(path, old=None, new=KEY) as finish:
            finish()
        store = open_store(path, clock, key=lambda: KEY)
    yield store
    store.close()


@pytest.fixture
def engine(store: SqliteStore, clock: FixedClock) -> Engine:
    engine = Engine(store, clock, TimeOrderedIds(clock), PERSON)
    engine.documents.create_collection("orders", indexes=["status"])
    return engine


@pytest.fixture
def accounts(store: SqliteStore, engine: Engine) -> tuple[int, int]:
    """One that is signed in, and one that was before."""
    with store.writing():
        before = store.accounts.begin("s", "rui", "live", url="u", label="Rui", at=1)
        now = store.accounts.begin("s", "ana", "live", url="u", label="Ana", at=2)
    return now.id, before.id


def kept(result: object) -> Item:
    assert isinstance(result, Saved)
    return result.item


Said = Callable[[str], DocumentBody | PreferenceBody]


def document(word: str) -> DocumentBody:
    return DocumentBody("inc-1", {word: [word]})


def preference(word: str) -> PreferenceBody:
    return PreferenceBody(4, declared=Slot((word,), 1, quote=f"gosto de {word}"))


def fill(
    store: SqliteStore,
    account: int,
    key: RecordKey,
    said: Said,
    words: Sequence[str] = NEEDLES,
) -> None:
    """Every place that can hold something holds another word."""
    tables = store.accounts.tables(account)
    held = [Held(said(word), VV) for word in words]
    item = Copy(None, "inc-1", "srv-1", VV, True, '"7"')
    with tables.writing():
        tables.put_copy(key, item._replace(base=held[0]))
        tables.put_copy(key, item._replace(base=held[1], last=held[2].body))
        tables.put_flights([Flight("op", 0, key, Verb.PUT, 3, held[3], '"7"')])
        conflict = Conflict(
            Clashing.CHANGED, 1, held[4].body, held[5].body, held[6], '"8"', ((words[7],),)
        )
        tables.put_conflict(key, conflict)
        block = Block("invalid", f"The server says: {words[0]} is no brand.")
        tables.put_block(block_place(Pending(key, None)), block)


def assert_only_husks(store: SqliteStore, account: int, key: RecordKey, said: Said) -> None:
    bare = husk(said(""))
    tables = store.accounts.tables(account)
    with tables.reading():
        copy, flight, conflict = tables.copy(key), tables.flight(key), tables.conflict(key)
        assert copy == Copy(None, "inc-1", "srv-1", VV, True, '"7"', Held(bare, VV), bare)
        assert flight == Flight("op", 0, key, Verb.PUT, 3, Held(bare, VV), '"7"')
        assert conflict == Conflict(Clashing.CHANGED, 1, bare, bare, Held(bare, VV), '"8"')
        assert list(tables.log(key)) == [Held(bare, VV)]
        assert tables.block(block_place(Pending(key, None))) is None


def test_a_forgotten_document_leaves_no_word_in_what_any_account_remembers(
    store: SqliteStore, engine: Engine, accounts: tuple[int, int]
) -> None:
    id = kept(engine.documents.set("orders", ORDER.key, {"status": NEEDLES[0]})).id
    other = document_key(PROJECT, "orders", "another")
    for account in accounts:
        fill(store, account, ORDER, document)
        fill(store, account, other, document, ["Bystander"] * 8)
    assert store.occurrences(NEEDLES)
    receipt = engine.forgetting.forget([id])
    assert (receipt.complete, receipt.found) == (True, 0)
    assert receipt.erased.copies == 10
    assert store.occurrences(NEEDLES) == 0
    for account in accounts:
        assert_only_husks(store, account, ORDER, document)
        with store.accounts.tables(account).reading():
            copy = store.accounts.tables(account).copy(other)
            assert copy is not None
            assert copy.last == document("Bystander")


@pytest.mark.parametrize("provenance", list(Provenance))
def test_the_copy_of_a_preference_goes_with_either_of_its_values(
    store: SqliteStore, engine: Engine, accounts: tuple[int, int], provenance: Provenance
) -> None:
    inferred = engine.acting(BACKEND).preferences.remember(
        BRANDS.key, ["Safira"], provenance=Provenance.INFERRED, evidence=Evidence(purchase_id="p")
    )
    declared = engine.preferences.remember(BRANDS.key, ["Jade"], evidence=Evidence(quote="Jade"))
    chosen = declared if provenance is Provenance.DECLARED else inferred
    fill(store, accounts[0], BRANDS, preference)
    assert engine.forgetting.forget([kept(chosen).id]).complete
    assert store.occurrences(NEEDLES) == 0
    assert_only_husks(store, accounts[0], BRANDS, preference)


def test_the_conflict_of_a_forgotten_fact_says_nothing_any_more(
    store: SqliteStore, engine: Engine, accounts: tuple[int, int]
) -> None:
    id = kept(engine.facts.add("zebra quartz")).id
    tables = store.accounts.tables(accounts[0])
    with tables.writing():
        said = document(NEEDLES[0])
        tables.put_fact_conflict(id, Conflict(Clashing.FORGOTTEN, 1, mine=said))
        block = Block("invalid", f"No: {NEEDLES[1]}")
        tables.put_block(block_place(Pending(None, id)), block)
    assert engine.forgetting.forget([id]).erased.copies == 2
    assert store.occurrences(NEEDLES) == 0
    with tables.reading():
        assert tables.fact_conflict(id) == Conflict(Clashing.FORGOTTEN, 1, mine=husk(said))
        assert list(tables.blocks()) == []


def test_the_key_of_a_forgotten_document_goes_once_the_server_has_confirmed(
    store: SqliteStore, engine: Engine, accounts: tuple[int, int]
) -> None:
    id = kept(engine.documents.set("orders", ORDER.key, {"status": "x"})).id
    tables = store.accounts.tables(accounts[0])
    with tables.writing():
        tables.put_copy(ORDER, Copy(id, rev='"1"', base=Held(document("y"), VV)))
        tables.put_flights([Flight("op", 0, ORDER, Verb.DELETE, 3)])
        tables.add_pending(Pending(ORDER, None))
    engine.forgetting.forget([id])
    drops = (
        lambda: tables.drop_copy(ORDER),
        lambda: tables.drop_flight(ORDER),
        lambda: tables.drop_pending(Pending(ORDER, None)),
    )
    for drop in drops:
        assert store.occurrences([ORDER.key])
        with tables.writing():
            drop()
        engine.maintain()
    assert store.occurrences([ORDER.key]) == 0


def test_a_document_that_is_still_there_has_nothing_rewritten_when_it_was_sent(
    store: SqliteStore, engine: Engine, accounts: tuple[int, int]
) -> None:
    kept(engine.documents.set("orders", ORDER.key, {"status": "x"}))
    tables = store.accounts.tables(accounts[0])
    with tables.writing():
        for key in (ORDER, BRANDS):
            tables.put_flights([Flight("op", 0, key, Verb.PUT, 3)])
            tables.add_pending(Pending(key, None))
            tables.drop_flight(key)
            tables.drop_pending(Pending(key, None))
    assert not engine.health.condition().unfinished_erasure


def test_what_the_person_never_took_goes_with_the_conflict_it_stood_in(
    store: SqliteStore, engine: Engine, accounts: tuple[int, int]
) -> None:
    tables = store.accounts.tables(accounts[0])
    with tables.writing():
        theirs = Held(document(NEEDLES[0]), VV)
        tables.put_conflict(ORDER, Conflict(Clashing.FORGOTTEN, 1, theirs=theirs))
        tables.drop_conflict(ORDER)
    engine.maintain()
    assert store.occurrences(NEEDLES) == 0


def test_masking_a_secret_takes_it_out_of_the_copies_too(
    store: SqliteStore, engine: Engine, accounts: tuple[int, int]
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    id = kept(engine.documents.set("orders", ORDER.key, {"status": "x"})).id
    with store.writing():
        session = store.items.session
        session.run("DROP TRIGGER version_is_immutable")
        session.run("UPDATE version SET content = json_object('value', ?)", secret)
    tables = store.accounts.tables(accounts[0])
    with tables.writing():
        tables.put_copy(ORDER, Copy(id, base=Held(document(secret), VV), rev='"1"'))
    engine.health.mask()
    assert store.occurrences([secret]) == 0


def test_an_account_that_is_dropped_leaves_no_word(
    store: SqliteStore, engine: Engine, accounts: tuple[int, int]
) -> None:
    now, before = accounts
    fill(store, before, ORDER, document)
    tables = store.accounts.tables(before)
    with store.writing():
        store.accounts.end(before, at=9, drop=True)
    engine.maintain()
    assert store.occurrences([*NEEDLES, ORDER.key]) == 0
    with store.reading():
        assert [each.id for each in store.accounts.all()] == [now]
    with pytest.raises(StoreUnavailable, match="signed out"), tables.writing():
        pass
