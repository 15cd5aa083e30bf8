"""Changes of a library that several write: in the order of their commits, none missed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import apsw
import pytest

from localmem.core.change import Saved, Written
from localmem.core.feed import TOMBSTONE_DAYS, Changes, Gone, Kept, Position
from localmem.core.model import ItemId
from localmem.core.records import Removal
from localmem.engine import Engine
from localmem.store import schema
from tests.support.library import FixedClock, WordsEmbedder, open_library

WRITERS, TURNS = 6, 25


def kept(done: Written) -> ItemId:
    assert isinstance(done, Saved)
    return done.item.id


def follow(engine: Engine, after: Position | None = None, *, limit: int = 500) -> list[Kept | Gone]:
    """Everything behind `after`, page by page."""
    rows: list[Kept | Gone] = []
    while True:
        page = engine.feed.changes(after, limit=limit)
        assert page is not None
        rows += page.rows
        after = page.position
        if not page.more:
            return rows


def read(engine: Engine, after: Position | None = None, **options: int) -> Changes:
    page = engine.feed.changes(after, **options)
    assert page is not None
    return page


def test_a_reader_misses_nothing_that_several_connections_write_at_once(
    tmp_path: Path, clock: FixedClock
) -> None:
    """Each writer has a connection of its own, writes several items a transaction, and forgets."""
    path = tmp_path / "library.db"
    reader = open_library(path, clock)
    at_once = threading.Barrier(WRITERS + 1)

    def write(number: int) -> None:
        engine = open_library(path, clock)
        at_once.wait()
        for turn in range(TURNS):
            with engine.feed.numbered():
                ids = [kept(engine.facts.add(f"{number} {turn} {part}")) for part in range(3)]
                engine.documents.set("shared", f"k{turn % 4}", [number, turn])
            if turn % 3 == 0:
                engine.forgetting.drop(ids[:2])
        engine.close()

    pool = ThreadPoolExecutor(WRITERS)
    writers = [pool.submit(write, number) for number in range(WRITERS)]
    at_once.wait()
    copy: dict[str, int] = {}
    seqs: list[int] = []
    after, pages, seen_while_writing = None, 0, 0
    while True:
        writing = not all(writer.done() for writer in writers)
        page = read(reader, after, limit=7)
        after, pages = page.position, pages + 1
        seen_while_writing += len(page.rows) if writing else 0
        for row in page.rows:
            seqs.append(row.seq)
            if isinstance(row, Gone):
                copy.pop(row.id, None)
            else:
                copy[row.item.id] = row.item.head.number
        if not (writing or page.more):
            break
    pool.shutdown()
    assert [writer.exception() for writer in writers] == [None] * WRITERS
    assert seqs == sorted(set(seqs))
    held = [row.item for row in follow(reader) if isinstance(row, Kept)]
    assert copy == {item.id: item.head.number for item in held}
    dropped = WRITERS * (TURNS + 2) // 3 * 2
    assert reader.feed.high() == WRITERS * TURNS * 4 + dropped
    assert len(copy) == WRITERS * TURNS * 3 - dropped + 4
    assert seen_while_writing > 100
    reader.close()


def test_what_is_done_to_the_indexes_takes_no_number(make_engine: Callable[..., Engine]) -> None:
    engine = make_engine(embedder=WordsEmbedder())
    tea = kept(engine.facts.add("Maria likes tea"))
    high = engine.feed.high()
    while engine.meaning.embed_waiting(8):
        continue
    engine.maintain()
    assert (high, engine.feed.high()) == (1, 1)
    engine.forgetting.forget([tea])
    assert engine.feed.high() == 2


def test_a_change_that_is_taken_back_gives_its_number_to_the_next(engine: Engine) -> None:
    with pytest.raises(KeyError), engine.feed.numbered() as numbers:
        engine.facts.add("never kept")
        assert numbers.last() == 1
        raise KeyError
    assert (engine.feed.high(), follow(engine)) == (0, [])
    engine.facts.add("kept")
    assert [row.seq for row in follow(engine)] == [1]


def test_what_fails_inside_is_taken_back_alone(engine: Engine) -> None:
    with engine.feed.numbered() as numbers:
        engine.facts.add("kept")
        with pytest.raises(KeyError), engine._context.store.writing():
            engine.facts.add("never kept")
            raise KeyError
        engine.facts.add("kept too")
        assert (numbers.before, numbers.last()) == (0, 2)
    assert [row.seq for row in follow(engine)] == [1, 2]


def test_undoing_a_new_fact_is_told_as_undone(engine: Engine) -> None:
    engine.facts.add("a slip")
    position = read(engine).position
    engine.versions.undo()
    (row,) = read(engine, position).rows
    assert isinstance(row, Gone)
    assert row.reason is Removal.UNDO


def test_a_preference_is_nobody_s_but_the_person_s(engine: Engine) -> None:
    engine.preferences.remember("shoe_size", "40")
    engine.preferences.forget("shoe_size")
    assert follow(engine) == []
    assert engine.feed.high() > 1


def test_after_so_many_days_a_tombstone_names_nothing_and_a_rev_still_never_comes_twice(
    engine: Engine, clock: FixedClock
) -> None:
    lm = str(uuid4())
    fact = kept(engine.facts.add("tea", metadata={"lm": lm}))
    engine.documents.set("things", "a", {"_lm": {"inc": lm}})
    behind = read(engine).position
    engine.forgetting.drop([fact])
    engine.forgetting.drop_document("things", "a")
    (told, _) = read(engine, behind).rows
    assert isinstance(told, Gone)
    assert told.identity.lm == lm
    clock.advance(TOMBSTONE_DAYS * 86_400 - 1)
    engine.maintain()
    assert len(read(engine, behind).rows) == 2
    clock.advance(2)
    engine.maintain()
    assert engine.feed.changes(behind) is None
    assert engine.feed.changes(None, gone_too=True) == read(engine)
    session = engine._context.store.items.session
    assert session.one("SELECT count(*) FROM tombstone WHERE identity <> '[]'") == 0
    engine.documents.set("things", "a", 2)
    assert engine.documents.get("things", "a").head.number == 2


def test_a_library_of_the_schema_before_keeps_its_tombstones_and_counts_on(
    tmp_path: Path, clock: FixedClock
) -> None:
    path = tmp_path / "library.db"
    connection = apsw.Connection(str(path))
    for number in range(3):
        connection.execute(schema.MIGRATIONS[number])
    connection.execute(
        f"PRAGMA user_version = 3; PRAGMA application_id = {schema.APPLICATION_ID};"
        "INSERT INTO library (key, value) VALUES ('change', 41), ('scrub', 0), ('sends', 0),"
        "('device', 'abcdefgh'), ('salt', zeroblob(32));"
        "INSERT INTO tombstone (id, kind, scope, last_number, reason, at, change) "
        "VALUES ('old', 'fact', 'project', 1, 'forget', 1796061600000, 41)"
    )
    connection.close()
    engine = open_library(path, clock)
    page = engine.feed.changes(None, gone_too=True)
    assert page is not None
    assert [(row.seq, getattr(row, "id", "")) for row in page.rows] == [(41, "old")]
    engine.facts.add("new")
    assert engine.feed.high() == 42
    assert engine._context.store.finder.change() == 42 + 41
    engine.close()
