from __future__ import annotations

import pytest

from localmem.core.change import Saved, Stale, Unchanged
from localmem.core.model import DocumentContent, Item
from localmem.core.scope import PROJECT, contact
from localmem.engine import Engine
from localmem.engine.outcomes import NothingToUndo, Undone
from localmem.errors import (
    CollectionExists,
    CollectionLimit,
    CollectionNotFound,
    DocumentTooDeep,
    DocumentTooLarge,
    FieldNotIndexed,
    InvalidInput,
    InvalidKey,
    ItemNotFound,
)
from localmem.store import rows
from tests.support.library import FixedClock


def kept(engine: Engine, key: str, value: object, **options: object) -> Item:
    result = engine.documents.set("orders", key, value, **options)  # type: ignore[arg-type]
    assert isinstance(result, Saved)
    return result.item


def test_a_document_comes_back_by_its_key_in_its_scope_only(engine: Engine) -> None:
    value = {"status": "shipped", "total": 42.5, "lines": [1, None, True], "ação": "ö"}
    kept(engine, "ORD-1", value, scope=contact("ana"))
    found = engine.documents.get("orders", "ORD-1", scope=contact("ana"))
    assert found.head.content == DocumentContent(value)
    assert engine.documents.find("orders", "ORD-1") is None
    with pytest.raises(ItemNotFound):
        engine.documents.get("orders", "ORD-1", scope=PROJECT)


def test_the_same_key_in_two_scopes_is_two_documents(engine: Engine) -> None:
    kept(engine, "ORD-1", 1)
    kept(engine, "ORD-1", 2, scope=contact("ana"))
    assert engine.documents.get("orders", "ORD-1").head.content == DocumentContent(1)


def test_writing_makes_the_collection_without_indexes_for_good(engine: Engine) -> None:
    kept(engine, "ORD-1", {"status": "shipped"})
    assert engine.documents.collection("orders").implicit
    with pytest.raises(FieldNotIndexed) as refused:
        engine.documents.query("orders", "status", "shipped")
    assert refused.value.hint
    with pytest.raises(CollectionExists):
        engine.documents.create_collection("orders", indexes=["status"])


def test_a_query_finds_by_indexed_field_and_follows_every_write(engine: Engine) -> None:
    engine.documents.create_collection("orders", indexes=["status", "customer.id"])
    for n in range(5):
        kept(engine, f"ORD-{n}", {"status": "open" if n % 2 else "shipped", "customer": {"id": n}})
    keys = [item.key for item in engine.documents.query("orders", "status", "shipped").items]
    assert keys == ["ORD-0", "ORD-2", "ORD-4"]
    kept(engine, "ORD-0", {"status": "open"})
    engine.forgetting.forget([engine.documents.get("orders", "ORD-2").id])
    assert [i.key for i in engine.documents.query("orders", "status", "shipped").items] == ["ORD-4"]
    assert [i.key for i in engine.documents.query("orders", "customer.id", 3.0).items] == ["ORD-3"]


def test_pages_follow_the_cursor_to_the_end(engine: Engine) -> None:
    for n in range(7):
        kept(engine, f"ORD-2026-{n}", n)
    kept(engine, "ORD-2025-9", 9)
    first = engine.documents.page("orders", prefix="ORD-2026", limit=4)
    second = engine.documents.page("orders", prefix="ORD-2026", limit=4, cursor=first.next_cursor)
    assert [item.key[-1] for item in (*first.items, *second.items)] == list("0123456")
    assert second.next_cursor is None


def test_rev_counts_on_after_a_document_was_forgotten(engine: Engine) -> None:
    kept(engine, "ORD-1", 1)
    old = kept(engine, "ORD-1", 2)
    engine.forgetting.forget([old.id])
    new = kept(engine, "ORD-1", 3)
    assert (old.head.number, new.head.number) == (2, 3)
    assert new.id != old.id
    assert [v.number for v in engine.library.history(new.id)] == [3]


def test_a_conditional_write_that_lost_the_race_is_stale(engine: Engine) -> None:
    kept(engine, "ORD-1", {"a": 1})
    kept(engine, "ORD-1", {"a": 2})
    assert isinstance(engine.documents.set("orders", "ORD-1", {"a": 3}, made_on=1), Stale)
    assert isinstance(engine.documents.set("orders", "ORD-1", {"a": 3}, only_new=True), Stale)
    assert isinstance(engine.documents.set("orders", "ORD-1", {"a": 3}, made_on=2), Saved)
    with pytest.raises(ItemNotFound):
        engine.documents.set("orders", "ORD-9", 1, made_on=1)


def test_a_write_that_lost_the_race_reads_one_version_however_many_there_are(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(30):
        kept(engine, "ORD-1", n)
    read: list[object] = []
    one = rows.version
    monkeypatch.setattr(rows, "version", lambda *row: read.append(row) or one(*row))
    lost = engine.documents.set("orders", "ORD-1", -1, made_on=3)
    assert isinstance(lost, Stale) and lost.base is not None
    assert lost.base.content == DocumentContent(2)
    assert len(read) == 2  # the head, and the one it was made on


def test_an_equal_value_writes_no_version(engine: Engine) -> None:
    kept(engine, "ORD-1", {"a": 1})
    assert isinstance(engine.documents.set("orders", "ORD-1", {"a": 1}), Unchanged)


def test_a_number_that_becomes_true_is_a_change(engine: Engine) -> None:
    kept(engine, "ORD-1", {"paid": 1})
    assert isinstance(engine.documents.set("orders", "ORD-1", {"paid": 1.0}), Unchanged)
    kept(engine, "ORD-1", {"paid": True})
    paid = engine.documents.get("orders", "ORD-1").head.content
    assert isinstance(paid, DocumentContent)
    assert paid.value == {"paid": True}
    assert isinstance(engine.versions.undo(), Undone)


def test_the_collection_s_ttl_applies_and_is_renewed_by_a_write(
    engine: Engine, clock: FixedClock
) -> None:
    engine.documents.create_collection("orders", default_ttl=60)
    kept(engine, "ORD-1", 1)
    clock.advance(40)
    kept(engine, "ORD-1", 2)
    clock.advance(40)
    assert engine.documents.find("orders", "ORD-1") is not None
    clock.advance(20)
    assert engine.documents.find("orders", "ORD-1") is None
    assert kept(engine, "ORD-1", 3).head.number == 3


def test_a_null_document_is_a_document(engine: Engine) -> None:
    kept(engine, "none", None)
    assert engine.documents.get("orders", "none").head.content == DocumentContent(None)


@pytest.mark.parametrize(("collection", "key", "value", "error"), [
    ("Orders", "k", 1, InvalidKey),
    ("orders", "+351912", 1, InvalidKey),
    ("orders", "", 1, InvalidKey),
    ("orders", "k" * 256, 1, InvalidKey),
    ("orders", "k", "x" * 204_800, DocumentTooLarge),
    ("orders", "k", float("nan"), InvalidInput),
])  # fmt: skip
def test_bad_input_is_refused_and_nothing_written(
    engine: Engine, collection: str, key: str, value: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        engine.documents.set(collection, key, value)  # type: ignore[arg-type]
    assert engine.documents.collections() == []


def test_a_document_too_deep_is_refused(engine: Engine) -> None:
    value: object = 1
    for _ in range(33):
        value = [value]
    with pytest.raises(DocumentTooDeep):
        engine.documents.set("orders", "k", value)  # type: ignore[arg-type]


def test_deleting_a_collection_takes_its_documents_in_every_scope(engine: Engine) -> None:
    kept(engine, "ORD-1", 1)
    kept(engine, "ORD-1", 2, scope=contact("ana"))
    receipt = engine.forgetting.delete_collection("orders")
    assert receipt.erased.items == 2
    with pytest.raises(CollectionNotFound):
        engine.documents.page("orders")


def test_a_put_counts_as_a_version_whatever_it_says(engine: Engine) -> None:
    kept(engine, "ORD-1", {"a": 1})
    assert kept(engine, "ORD-1", {"a": 1}, always=True).head.number == 2


def test_of_two_that_say_the_same_on_one_version_only_the_first_is_the_one(engine: Engine) -> None:
    kept(engine, "lock", {"held": False})
    kept(engine, "lock", {"held": True}, made_on=1, always=True)
    again = engine.documents.set("orders", "lock", {"held": True}, made_on=1, always=True)
    assert isinstance(again, Stale)


def test_a_put_takes_over_nothing_of_the_old_document_s_time_to_live(
    engine: Engine, clock: FixedClock
) -> None:
    kept(engine, "ORD-1", 1, ttl_seconds=60)
    kept(engine, "ORD-2", 1, ttl_seconds=60)
    kept(engine, "ORD-1", 2, always=True)
    kept(engine, "ORD-2", 2)
    clock.advance(60)
    assert engine.documents.find("orders", "ORD-1") is not None
    assert engine.documents.find("orders", "ORD-2") is None


def test_what_must_be_there_is_not_made(engine: Engine) -> None:
    with pytest.raises(ItemNotFound):
        engine.documents.set("orders", "ORD-1", 1, only_existing=True)
    with pytest.raises(ItemNotFound):
        engine.documents.set("orders", "ORD-1", 1, made_on=0, only_existing=True)
    assert engine.documents.collections() == []
    kept(engine, "ORD-1", 1)
    kept(engine, "ORD-1", 2, only_existing=True)


def test_a_plan_s_number_of_collections_holds_however_they_are_made(engine: Engine) -> None:
    engine.documents.create_collection("a", most=2)
    kept(engine, "ORD-1", 1, most_collections=2)
    with pytest.raises(CollectionLimit) as refused:
        engine.documents.create_collection("c", most=2)
    assert refused.value.details == {"used": 2, "included": 2}
    with pytest.raises(CollectionLimit):
        engine.documents.set("c", "k", 1, most_collections=2)
    assert [each.name for each in engine.documents.collections()] == ["a", "orders"]
    kept(engine, "ORD-1", 2, most_collections=2)


def test_another_time_to_live_holds_for_what_is_written_from_now_on(
    engine: Engine, clock: FixedClock
) -> None:
    engine.documents.create_collection("orders", indexes=["a"], default_ttl=60)
    kept(engine, "old", 1)
    assert engine.documents.set_default_ttl("orders", 120).default_ttl == 120
    kept(engine, "new", 1)
    made = engine.documents.collection("orders")
    assert (made.indexes, made.default_ttl) == (("a",), 120)
    clock.advance(60)
    assert [item.key for item in engine.documents.page("orders").items] == ["new"]
    assert engine.documents.set_default_ttl("orders", None).default_ttl is None
    for name, seconds, error in (
        ("orders", 59, InvalidInput), ("Orders", 60, InvalidKey), ("none", 60, CollectionNotFound),
    ):  # fmt: skip
        with pytest.raises(error):
            engine.documents.set_default_ttl(name, seconds)


def test_changing_a_collection_bars_the_undo_of_what_was_done_before(engine: Engine) -> None:
    kept(engine, "ORD-1", 1)
    engine.documents.set_default_ttl("orders", 60)
    assert isinstance(engine.versions.undo(), NothingToUndo)
