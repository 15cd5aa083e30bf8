"""After forget, the value is in no byte of any file of the library."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from localmem.core.change import Saved
from localmem.core.model import Evidence, ItemId, Kind, Provenance
from localmem.core.query import Query
from localmem.core.records import Erased, Slice
from localmem.core.scope import contact
from localmem.engine import Engine
from localmem.engine.outcomes import NotErased
from localmem.errors import CollectionNotFound, InvalidKey, MemoryNotFound
from tests.support.library import FixedClock, WordsEmbedder


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file())


def kept(result: object) -> ItemId:
    assert isinstance(result, Saved)
    return result.item.id


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_a_fact_with_its_history_leaves_no_byte_with_the_store_open_and_closed(
    make_engine: Callable[..., Engine], folder: Path
) -> None:
    engine, watcher = make_engine(embedder=WordsEmbedder()), make_engine()
    id = kept(engine.facts.add("zebra quartz seven", metadata={"note": "vermilion"}))
    engine.facts.edit(id, text="zebra quartz eight", path="projects/cobalt")
    kept(engine.facts.add("an innocent bystander"))
    engine.meaning.embed_waiting()
    engine.library.save_draft("edit", "zebra quartz nine", item=id)
    assert watcher.library.count(Slice()) == 2
    receipt = engine.forgetting.forget([id])
    assert (receipt.complete, receipt.found) == (True, 0)
    assert (receipt.erased.items, receipt.erased.versions, receipt.erased.vectors) == (1, 2, 1)
    for state in ("open", "closed"):
        content = bytes_of(folder)
        for trace in (b"zebra", b"quartz", b"vermilion", b"cobalt", b"nine"):
            assert trace not in content, state
        assert b"innocent bystander" in content
        engine.close()
        watcher.close()


def test_a_preference_leaves_no_byte_of_value_quote_or_old_versions(
    engine: Engine, folder: Path
) -> None:
    quote = Evidence(quote="gosto muito da Xantofila")
    engine.preferences.remember("preferred_brands", ["Xantofila"], evidence=quote)
    engine.preferences.correct("preferred_brands", ["Zirconita"])
    engine.preferences.remember(
        "preferred_brands", ["Wolframita"], provenance=Provenance.INFERRED,
        evidence=Evidence(purchase_id="purchase-9981"),
    )  # fmt: skip
    receipt = engine.preferences.forget("preferred_brands")
    assert (receipt.complete, receipt.found, receipt.erased.versions) == (True, 0, 3)
    content = bytes_of(folder)
    for trace in ("Xantofila", "xantofila", "Zirconita", "zirconita", "Wolframita", "9981"):
        assert trace.encode() not in content


def test_a_document_leaves_no_byte_of_value_index_or_key(engine: Engine, folder: Path) -> None:
    engine.documents.create_collection("orders", indexes=["status"])
    kept(engine.documents.set("orders", "phone:56940560201", {"status": "malachite", "n": [1]}))
    id = kept(engine.documents.set("orders", "phone:56940560201", {"status": "rhodonite"}))
    engine.forgetting.forget([id])
    content = bytes_of(folder)
    for trace in (b"malachite", b"rhodonite", b"56940560201"):
        assert trace not in content


def test_what_is_forgotten_is_found_on_no_path_also_after_a_restart(
    make_engine: Callable[..., Engine],
) -> None:
    engine = make_engine(embedder=WordsEmbedder(), cached=True)
    id = kept(engine.facts.add("Locker code is on the fridge"))
    engine.meaning.embed_waiting()
    assert engine.recall.search(Query(text="locker", meaning="locker")).hits
    engine.forgetting.forget([id])
    for seen in (engine, make_engine(embedder=WordsEmbedder())):
        found = seen.recall.search(Query(text="locker code", meaning="locker code"), floor=None)
        assert (found.hits, found.below) == ((), ())
        assert seen.library.count(Slice()) == 0
        with pytest.raises(MemoryNotFound):
            seen.library.get(id)
        with pytest.raises(MemoryNotFound):
            seen.library.history(id)


def test_a_reader_in_another_process_delays_the_rewrite_and_it_is_finished_later(
    make_engine: Callable[..., Engine], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from localmem.store import erase

    monkeypatch.setattr(erase, "SCRUB_ATTEMPTS", 2)
    monkeypatch.setattr(erase, "SCRUB_BUSY_MILLISECONDS", 1)
    engine = make_engine()
    id = kept(engine.facts.add("zebra quartz seven"))
    reader = apsw.Connection(str(folder / "library.db"))
    reader.execute("BEGIN; SELECT count(*) FROM item").fetchall()
    receipt = engine.forgetting.forget([id])
    assert (receipt.complete, receipt.files) == (False, ())
    assert "another program" in receipt.why
    with pytest.raises(MemoryNotFound):
        engine.library.get(id)
    reader.execute("COMMIT")
    reader.close()
    make_engine().maintain()
    assert b"zebra" not in bytes_of(folder)


def test_the_receipt_says_when_the_same_words_stand_in_another_memory(engine: Engine) -> None:
    id = kept(engine.facts.add("Allergic to kiwi"))
    kept(engine.facts.add("Allergic to kiwi", scope=contact("ana")))
    receipt = engine.forgetting.forget([id])
    assert receipt.complete
    assert receipt.found > 0


def test_forgetting_something_unknown_forgets_nothing(engine: Engine) -> None:
    id = kept(engine.facts.add("one"))
    with pytest.raises(MemoryNotFound, match="Nothing was forgotten"):
        engine.forgetting.forget([id, ItemId("nothing")])
    assert engine.library.count(Slice()) == 1


def test_the_plan_names_all_that_goes_with_one_half_of_a_preference(engine: Engine) -> None:
    engine.preferences.remember("shoe_size", "42")
    engine.preferences.remember("shoe_size", "43")
    engine.preferences.remember("shoe_size", "41", provenance=Provenance.INFERRED,
                                evidence=Evidence(purchase_id="p"))  # fmt: skip
    declared = engine.preferences.entry("shoe_size").declared
    assert declared is not None
    plan = engine.forgetting.plan([declared.id])
    assert (len(plan.items), plan.versions) == (2, 3)
    assert [str(key) for key in plan.blocks_inference_of] == ["shoe_size"]


def test_wipe_erases_the_facts_of_one_scope_only(engine: Engine) -> None:
    kept(engine.facts.add("one", scope=contact("ana")))
    kept(engine.documents.set("orders", "k", 1, scope=contact("ana")))
    kept(engine.facts.add("two"))
    assert engine.forgetting.wipe(contact("ana")).erased.items == 1
    assert engine.library.count(Slice(Kind.FACT)) == 1
    assert engine.library.count(Slice(Kind.DOCUMENT)) == 1


def test_what_expired_is_erased_by_the_next_maintenance(
    engine: Engine, clock: FixedClock, folder: Path
) -> None:
    kept(engine.facts.add("zebra quartz seven", ttl_seconds=60))
    kept(engine.facts.add("stays"))
    clock.advance(60)
    assert engine.maintain() == 1
    assert b"zebra" not in bytes_of(folder)
    assert engine.maintain() == 0


def test_random_libraries_keep_what_they_keep_and_lose_what_they_forget(
    make_engine: Callable[..., Engine], folder: Path
) -> None:
    chosen = random.Random(7)
    engine = make_engine(embedder=WordsEmbedder(), cached=True)
    alive: dict[ItemId, set[str]] = {}
    forgotten: set[str] = set()
    reached = {"fact": 0, "document": 0, "edit": 0, "forget": 0}

    def token() -> str:
        return "tok" + "".join(chosen.choice("bcdfghjklmnpqrstvwxz") for _ in range(12))

    for step in range(120):
        action = chosen.choice(["fact", "fact", "document", "edit", "edit", "forget"])
        word = token()
        padding = " lorem ipsum" * chosen.choice([0, 1, 40, 300])
        if action == "fact":
            alive[kept(engine.facts.add(word + padding))] = {word}
        elif action == "document":
            alive[kept(engine.documents.set("notes", f"k{step}", {"w": word + padding}))] = {word}
        elif action == "edit" and alive:
            id = chosen.choice(list(alive))
            item = engine.library.get(id)
            if item.kind is Kind.FACT:
                engine.facts.edit(id, text=word)
            else:
                engine.documents.set("notes", item.key, {"w": word})
            alive[id].add(word)
        elif action == "forget" and len(alive) > 3:
            gone = chosen.sample(list(alive), 2)
            receipt = engine.forgetting.forget(gone)
            assert (receipt.complete, receipt.found) == (True, 0)
            for id in gone:
                forgotten |= alive.pop(id)
        else:
            continue
        engine.meaning.embed_waiting()
        reached[action] += 1
    assert min(reached.values()) > 10, reached
    content = bytes_of(folder)
    assert not [word for word in forgotten if word.encode() in content]
    assert all(word.encode() in content for words in alive.values() for word in words)


def test_what_was_dropped_is_gone_at_once_and_its_bytes_at_the_next_maintenance(
    make_engine: Callable[..., Engine], folder: Path
) -> None:
    engine = make_engine(embedder=WordsEmbedder())
    id = kept(engine.facts.add("zebra quartz seven"))
    engine.meaning.embed_waiting()
    assert engine.forgetting.drop([id]).items == 1
    with pytest.raises(MemoryNotFound):
        engine.facts.get(id)
    engine.maintain()
    assert b"zebra" not in bytes_of(folder)


def test_dropping_one_that_is_not_kept_drops_none(engine: Engine) -> None:
    id = kept(engine.facts.add("zebra quartz seven"))
    with pytest.raises(MemoryNotFound):
        engine.forgetting.drop([id, ItemId("not kept")])
    assert engine.facts.get(id).id == id


def test_a_scope_is_wiped_in_steps_up_to_a_mark_and_nothing_beside_it_goes(engine: Engine) -> None:
    ana, rui = contact("ana"), contact("rui")
    for number in range(5):
        engine.facts.add(f"number {number}", scope=ana)
    engine.documents.set("orders", "1", {"a": 1}, scope=ana)
    engine.facts.add("of another", scope=rui)
    mark = engine.mark()
    late = kept(engine.facts.add("kept after the mark", scope=ana))
    steps = []
    while gone := engine.forgetting.wipe_some(ana, before=mark, limit=2):
        steps.append(gone)
    assert steps == [2, 2, 1]
    left = engine.library.window(Slice(Kind.FACT, ana), offset=0, limit=10)
    assert [item.id for item in left] == [late]
    assert engine.library.count(Slice(Kind.FACT, rui)) == 1
    assert engine.documents.get("orders", "1", scope=ana)


def test_a_document_is_dropped_by_its_key_in_its_scope_only(engine: Engine) -> None:
    kept(engine.documents.set("orders", "ORD-1", 1))
    kept(engine.documents.set("orders", "ORD-1", 2, scope=contact("ana")))
    assert engine.forgetting.drop_document("orders", "ORD-1") == Erased(1, 1, 0, 0)
    assert engine.forgetting.drop_document("orders", "ORD-1") == Erased(0, 0, 0, 0)
    assert engine.forgetting.drop_document("none", "ORD-1") == Erased(0, 0, 0, 0)
    assert engine.documents.find("orders", "ORD-1", scope=contact("ana")) is not None
    with pytest.raises(InvalidKey):
        engine.forgetting.drop_document("orders", "+351")


def test_a_document_that_moved_since_it_was_seen_is_not_dropped(engine: Engine) -> None:
    engine.documents.set("orders", "ORD-1", 1)
    engine.documents.set("orders", "ORD-1", 2)
    held = engine.documents.get("orders", "ORD-1")
    assert engine.forgetting.drop_document("orders", "ORD-1", made_on=1) == NotErased(held)
    assert engine.documents.get("orders", "ORD-1") == held
    assert engine.forgetting.drop_document("orders", "ORD-1", made_on=2) == Erased(1, 2, 0, 0)
    gone = [
        engine.forgetting.drop_document("orders", "ORD-1", made_on=2),
        engine.forgetting.drop_document("orders", "ORD-1", only_existing=True),
    ]
    assert gone == [NotErased(None), NotErased(None)]


def test_a_dropped_collection_is_gone_in_every_scope_and_its_numbers_go_on(engine: Engine) -> None:
    engine.documents.create_collection("orders", indexes=["n"])
    engine.documents.set("orders", "ORD-1", {"n": 1})
    engine.documents.set("orders", "ORD-1", {"n": 2}, scope=contact("ana"))
    other = kept(engine.documents.set("carts", "ORD-1", {"n": 1}))
    assert engine.forgetting.drop_collection("orders").items == 2
    assert [each.name for each in engine.documents.collections()] == ["carts"]
    assert engine.documents.get("carts", "ORD-1").id == other
    with pytest.raises(CollectionNotFound):
        engine.forgetting.drop_collection("orders")
    written = engine.documents.set("orders", "ORD-1", {"n": 3})
    assert isinstance(written, Saved) and written.item.head.number == 2
    assert engine.documents.collection("orders").implicit
    assert isinstance(engine.documents.set("orders", "ORD-2", 1), Saved)


def test_a_dropped_collection_leaves_the_files_at_the_next_maintenance(
    make_engine: Callable[..., Engine], folder: Path, clock: FixedClock
) -> None:
    engine = make_engine()
    engine.documents.set("orders", "ORD-1", {"note": "vermilion"})
    engine.documents.set("orders", "ORD-2", {"note": "malachite"}, ttl_seconds=60)
    clock.advance(60)
    engine.forgetting.drop_collection("orders")
    engine.maintain()
    held = bytes_of(folder)
    assert b"vermilion" not in held and b"malachite" not in held
