"""The word index answers right whatever is edited and forgotten, and leaves no word behind."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from localmem.core.change import Saved
from localmem.core.model import ItemId
from localmem.core.query import Query
from localmem.core.records import Scrub
from localmem.engine import Engine
from localmem.store import erase, schema
from tests.support.library import FixedClock, open_library


def kept(result: object) -> ItemId:
    assert isinstance(result, Saved)
    return result.item.id


def found(engine: Engine, words: str) -> set[ItemId]:
    search = engine.recall.search(Query(text=words, meaning=words), floor=None, limit=200)
    return {hit.item.id for hit in (*search.hits, *search.below)}


def test_texts_that_say_a_word_hundreds_of_times_come_and_go_and_all_others_are_found(
    engine: Engine,
) -> None:
    chance = random.Random(4)
    alive: dict[ItemId, str] = {}
    for step in range(80):
        said = f"x{step:03d}" + " lorem ipsum" * chance.choice([0, 1, 30, 300])
        deed = chance.choice(["add", "add", "edit", "edit", "forget"])
        if deed == "add" or len(alive) < 3:
            alive[kept(engine.facts.add(said))] = said
            continue
        id = chance.choice(list(alive))
        if deed == "edit":
            engine.facts.edit(id, text=said)
            alive[id] = said
        else:
            engine.forgetting.forget([id])
            del alive[id]
    condition = engine.health.condition()
    assert (condition.damage, condition.broken_words) == ((), False)
    for id, said in alive.items():
        assert found(engine, said.split()[0]) == {id}
    assert found(engine, "lorem") == {id for id, said in alive.items() if "lorem" in said}
    assert len(alive) > 15


def test_a_library_of_the_schema_before_has_its_word_index_made_anew(
    tmp_path: Path, clock: FixedClock
) -> None:
    made, path = tmp_path / "made" / "library.db", tmp_path / "library.db"
    engine = open_library(made, clock)
    id = kept(engine.facts.add("zebra quartz"))
    engine.close()
    connection = apsw.Connection(str(path))
    for number in range(2):
        connection.execute(schema.MIGRATIONS[number])
    connection.execute("ATTACH ? AS made", (str(made),))
    connection.execute("INSERT INTO library SELECT * FROM made.library WHERE key <> 'upkeep'")
    with connection:
        for table in ("item", "version"):
            connection.execute(f"INSERT INTO {table} SELECT * FROM made.{table}")
    connection.execute("INSERT INTO words (rowid, body) SELECT rowid, body FROM made.words")
    connection.execute("DETACH made")
    connection.execute("DELETE FROM words_data WHERE id > 10")  # as the fault left it: words gone
    connection.execute(f"PRAGMA user_version = 2; PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.close()
    engine = open_library(path, clock)
    assert found(engine, "zebra") == {id}
    assert engine.health.condition().damage == ()
    setting = engine._context.store.items.session.one(
        "SELECT v FROM words_config WHERE k = 'secure-delete'"
    )
    assert setting == 0
    engine.close()
    assert schema.LATEST >= 3


def test_what_another_program_erases_during_a_rewrite_waits_for_one_of_its_own(
    make_engine: Callable[..., Engine], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = make_engine(), make_engine()
    first, second = (kept(ours.facts.add(text)) for text in ("zebra quartz", "cobalt walrus"))
    real = erase._vacuum

    def vacuum(connection: apsw.Connection) -> bool:
        done = real(connection)
        with monkeypatch.context() as killed:
            killed.setattr(erase, "scrub", lambda session: Scrub(False, (), "it was killed"))
            theirs.forgetting.forget([second])
        return done

    monkeypatch.setattr(erase, "_vacuum", vacuum)
    assert ours.forgetting.forget([first]).complete
    assert ours.health.condition().unfinished_erasure
    monkeypatch.setattr(erase, "_vacuum", real)
    ours.maintain()
    content = b"".join(file.read_bytes() for file in (tmp_path / "data").iterdir())
    assert b"walrus" not in content
    assert not ours.health.condition().unfinished_erasure


def test_a_forgotten_word_goes_though_the_word_index_is_damaged(
    engine: Engine, tmp_path: Path
) -> None:
    stays, goes = kept(engine.facts.add("an innocent bystander")), kept(engine.facts.add("zebra"))
    connection = apsw.Connection(str(tmp_path / "data" / "library.db"))
    connection.execute("UPDATE words_data SET block = x'0000' WHERE id > 10")
    connection.close()
    receipt = engine.forgetting.forget([goes])
    assert receipt.complete
    assert found(engine, "bystander") == {stays}
    assert engine.health.condition().damage == ()
    content = b"".join(file.read_bytes() for file in (tmp_path / "data").iterdir())
    assert b"zebra" not in content
