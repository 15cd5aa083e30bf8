"""Accounts of a library: one is current, and what is known of one is never used for another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from localmem.core.accounts import Account
from localmem.core.bodies import DocumentBody, Held
from localmem.core.model import ItemId
from localmem.core.records import Removal
from localmem.core.replica import (
    ACCOUNT,
    Block,
    Clashing,
    Conflict,
    Copy,
    Errand,
    Flight,
    Pending,
    Tables,
    Verb,
    Wording,
    document_key,
)
from localmem.core.scope import PROJECT, contact
from localmem.errors import StoreUnavailable
from localmem.store import schema
from localmem.store.sqlite import SqliteStore, open_store
from tests.support.library import FixedClock, open_library

KEY = document_key(PROJECT, "orders", "1")
ITEM = ItemId("item-1")
HANDED_OVER = r"SCAN (CONSTANT|[0-9]+ CONSTANT|json_each VIRTUAL TABLE)"
"""Walks of what a question brings with it, never of what is stored."""


@pytest.fixture
def store(tmp_path: Path, clock: FixedClock) -> Iterator[SqliteStore]:
    store = open_store(tmp_path / "library.db", clock)
    yield store
    store.close()


def sign_in(store: SqliteStore, account: str, *, partition: str = "live", at: int = 1) -> Account:
    with store.writing():
        return store.accounts.begin("s", account, partition, url="u", label=account, at=at)


def current(store: SqliteStore) -> Account | None:
    with store.reading():
        return store.accounts.current()


def fill(tables: Tables) -> None:
    with tables.writing():
        tables.put_copy(KEY, Copy(ITEM, "inc", "srv", rev="1"))
        tables.put_flights([Flight("op", 0, KEY, Verb.PUT, 1)])
        tables.put_conflict(KEY, Conflict(Clashing.FORK, 1))
        tables.put_gone("gone", PROJECT, Removal.FORGET)
        tables.put_wording(
            Wording("lm", ITEM, 1, contact("ana"), "mem_1", sup=("a",), leaving=True)
        )
        tables.put_fact_conflict(ITEM, Conflict(Clashing.FORK, 1))
        tables.put_errand(Errand(PROJECT, "mem_2", Removal.FORGET))
        tables.add_pending(Pending(None, ITEM))
        tables.put_block(ACCOUNT, Block("quota", "full"))
        tables.stand(tables.standing()._replace(cursor="c", epoch="e", cycle=4))


def seen(tables: Tables) -> list[object]:
    with tables.reading():
        return [
            tables.copy(KEY), tables.copy_of(ITEM), tables.copy_named("inc"),
            tables.copy_named("srv"), *tables.copies(after=None, limit=9), *tables.collections(),
            tables.flight(KEY), *tables.flights(), tables.conflict(KEY), *tables.conflicts(),
            tables.gone("gone"), tables.wording("lm"), *tables.wordings_of(ITEM),
            tables.wording_at(contact("ana"), "mem_1"), *tables.naming("a"), *tables.leaving(),
            *tables.wordings_in(contact("ana")), tables.fact_conflict(ITEM),
            *tables.fact_conflicts(), *tables.errands(), tables.errand(PROJECT, "mem_2"),
            *tables.pending(), tables.block(ACCOUNT), *tables.blocks(), *tables.scopes(),
            tables.standing().cursor, tables.standing().epoch,
        ]  # fmt: skip


def test_a_library_that_never_signed_in_has_no_account(store: SqliteStore) -> None:
    assert current(store) is None
    with store.reading():
        assert store.accounts.all() == []


def test_nothing_known_of_one_account_is_seen_from_another(store: SqliteStore) -> None:
    ana = sign_in(store, "ana")
    fill(store.accounts.tables(ana.id))
    known = seen(store.accounts.tables(ana.id))
    assert None not in known
    for other in (sign_in(store, "rui"), sign_in(store, "ana", partition="test")):
        assert set(seen(store.accounts.tables(other.id))) == {None}
    assert seen(store.accounts.tables(ana.id)) == known


def test_signing_in_to_another_account_signs_the_first_out_and_keeps_what_it_knew(
    store: SqliteStore,
) -> None:
    ana = sign_in(store, "ana")
    fill(store.accounts.tables(ana.id))
    known = seen(store.accounts.tables(ana.id))
    rui = sign_in(store, "rui", at=2)
    assert current(store) == rui
    with store.reading():
        assert store.accounts.all() == [ana._replace(signed_out_at=2), rui]
    again = sign_in(store, "ana", at=3)
    assert again == ana._replace(signed_in_at=3)
    assert current(store) == again
    assert seen(store.accounts.tables(again.id)) == known


def test_signing_out_keeps_what_was_known_unless_it_is_dropped(store: SqliteStore) -> None:
    ana = sign_in(store, "ana")
    tables = store.accounts.tables(ana.id)
    fill(tables)
    with store.writing():
        store.accounts.end(ana.id, at=5)
    assert current(store) is None
    with tables.reading():
        assert tables.copy(KEY) is not None
    with store.writing():
        store.accounts.end(ana.id, at=6, drop=True)
        left = {
            name: store.items.session.one(f"SELECT count(*) FROM {name}")
            for name in ("account", "account_scope", "copy", "copy_log", "flight", "conflict",
                         "gone", "wording", "wording_sup", "fact_conflict", "errand", "pending",
                         "block")
        }  # fmt: skip
    assert set(left.values()) == {0}
    for opened in (tables.reading, tables.writing):
        with pytest.raises(StoreUnavailable, match="signed out"), opened():
            pass


def test_the_counter_is_the_library_s_own_and_never_falls(store: SqliteStore) -> None:
    ana = store.accounts.tables(sign_in(store, "ana").id)
    with ana.writing():
        before = ana.standing()
        ana.stand(before._replace(counter=7, device="another1"))
        ana.stand(before._replace(counter=3))
    rui = store.accounts.tables(sign_in(store, "rui").id)
    with rui.reading():
        assert rui.standing().counter == 7
        assert rui.standing().device == store.device


def test_no_lookup_and_no_write_walks_every_row_of_an_account(store: SqliteStore) -> None:
    tables = store.accounts.tables(sign_in(store, "ana").id)
    connection = store.items.session.connection
    asked: dict[str, object] = {}

    def note(_: object, sql: str, values: object) -> bool:
        asked[sql] = values
        return True

    connection.exec_trace = note
    fill(tables)
    with tables.reading():
        tables.copy(KEY), tables.copy_of(ITEM), tables.copy_named("inc"), tables.log(KEY)
        tables.copies(after=KEY, limit=9), tables.flight(KEY), tables.conflict(KEY)
        tables.gone("gone"), tables.wording("lm"), tables.wordings_of(ITEM)
        tables.wording_at(PROJECT, "mem_1"), tables.naming("a"), tables.leaving()
        tables.wordings_in(PROJECT), tables.fact_conflict(ITEM), tables.block(ACCOUNT)
        tables.errand(PROJECT, "mem_2")
    with tables.writing():
        tables.put_copy(KEY, Copy(base=Held(DocumentBody("inc", 1), {})))
        tables.put_copy(KEY, Copy(base=Held(DocumentBody("inc", 2), {})))
        tables.drop_copy(KEY), tables.drop_flight(KEY), tables.drop_conflict(KEY)
        tables.drop_wording("lm"), tables.drop_fact_conflict(ITEM), tables.drop_block(ACCOUNT)
        tables.drop_errand(PROJECT, "mem_2"), tables.drop_pending(Pending(None, ITEM))
    connection.exec_trace = None
    plans = [
        f"{plan} | {sql}"
        for sql, values in asked.items()
        if sql.startswith(("SELECT", "INSERT", "UPDATE", "DELETE"))
        for *_, plan in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)
    ]
    assert len(plans) > 25
    walks = [
        plan for plan in plans
        if (plan.startswith("SCAN") and not re.match(HANDED_OVER, plan))
        or (re.search(r"\(account=\?\) \|", plan) and "wording_leaving" not in plan)
    ]  # fmt: skip
    assert walks == []


def test_the_order_of_changes_does_not_move_by_what_a_sync_remembers(store: SqliteStore) -> None:
    tables = store.accounts.tables(sign_in(store, "ana").id)
    with store.reading():
        before = store.feed.high()
    fill(tables)
    with store.reading():
        assert store.feed.high() == before


def test_a_library_of_the_schema_before_can_sign_in(tmp_path: Path, clock: FixedClock) -> None:
    path = tmp_path / "old.db"
    connection = apsw.Connection(str(path))
    for number in range(4):
        connection.execute(schema.MIGRATIONS[number])
    connection.execute(
        f"PRAGMA user_version = 4; PRAGMA application_id = {schema.APPLICATION_ID};"
        "INSERT INTO library (key, value) VALUES ('change', 0), ('upkeep', 0), ('scrub', 0), "
        "('sends', 12), ('device', 'abcdefgh'), ('salt', zeroblob(32))"
    )
    connection.close()
    engine = open_library(path, clock)
    engine.facts.add("zebra quartz")
    assert engine.health.condition().orphans == {}
    engine.close()
    store = open_store(path, clock)
    tables = store.accounts.tables(sign_in(store, "ana").id)
    fill(tables)
    with tables.reading():
        assert (tables.standing().device, tables.standing().counter) == ("abcdefgh", 12)
    names = {name for (name,) in store.items.session.run("SELECT name FROM sqlite_master")}
    assert not names & {"remote", "lineage", "base_copy", "remote_copy", "base_log", "outbox",
                        "cursor"}  # fmt: skip
    assert store.health.condition().orphans == {}
    store.close()
