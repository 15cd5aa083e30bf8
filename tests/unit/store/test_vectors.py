"""sqlite-vec's edges, and the copy of its vectors in memory."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from localmem.core.change import Saved
from localmem.core.model import FactContent, Item
from localmem.core.records import Made, Model, Where
from localmem.core.scope import PROJECT, contact
from localmem.engine import Engine
from localmem.ids import TimeOrderedIds
from localmem.store import search, vectors
from localmem.store.sqlite import SqliteStore, open_store
from tests.support.library import PERSON, FixedClock

DIMENSIONS = 8
MODEL = Model("m", "1", DIMENSIONS)


def unit(values: list[float]) -> bytes:
    length = sum(value * value for value in values) ** 0.5
    return array("f", [value / length for value in values]).tobytes()


def cosine(left: bytes, right: bytes) -> float:
    return sum(a * b for a, b in zip(array("f", left), array("f", right), strict=True))


class Shelf:
    """A store with random vectors beside a plain table of them, to compare with."""

    def __init__(self, store: SqliteStore, clock: FixedClock) -> None:
        self.store = store
        self.engine = Engine(store, clock, TimeOrderedIds(clock), PERSON)
        self.chosen = random.Random(3)
        self.vectors: dict[str, list[bytes]] = {}
        self.scopes: dict[str, str] = {}
        with store.writing():
            store.finder.use_model(MODEL)

    def vector(self) -> bytes:
        return unit([self.chosen.gauss(0, 1) for _ in range(DIMENSIONS)])

    def add(self, count: int) -> None:
        scopes = [PROJECT, contact("ana"), contact("bo")]
        with self.store.writing():
            items = [self._insert(scopes[n % 3]) for n in range(count)]
            for row in self.store.finder.pending(count):
                item = self.store.items.many([row])[row]
                made = [self.vector() for _ in range(self.chosen.choice([1, 1, 3]))]
                self.store.finder.put_vectors([Made(row, item.head.number, made)])
                self.vectors[item.id] = made
                self.scopes[item.id] = str(item.scope)
        assert len(items) == count

    def _insert(self, scope: object) -> Item:
        from localmem.core.change import Write
        from localmem.core.model import Change, Kind
        from localmem.engine import writing

        address = writing.Address(Kind.FACT, scope)  # type: ignore[arg-type]
        text = f"fact {self.chosen.random()}"
        return writing.create(
            self.engine.facts.context, address, Write(Change.REMEMBER, FactContent(text))
        ).item

    def forget(self, count: int) -> None:
        gone = self.chosen.sample(sorted(self.vectors), count)
        self.engine.forgetting.forget(gone)  # type: ignore[arg-type]
        for id in gone:
            del self.vectors[id], self.scopes[id]

    def check(self, rounds: int = 10) -> None:
        for turn in range(rounds):
            question = self.vector()
            scope = ["", "project", "contact:ana"][turn % 3]
            exact = {
                id: max(cosine(question, vector) for vector in vectors)
                for id, vectors in self.vectors.items()
                if not scope or self.scopes[id] == scope
            }
            best = sorted(exact, key=lambda id: -exact[id])[:5]
            where = Where() if not scope else Where(
                scopes=(PROJECT if scope == "project" else contact("ana"),))  # fmt: skip
            with self.store.reading():
                found = self.store.finder.by_meaning(question, where, 5)
                items = self.store.items.many(list(found))
                again = self.store.finder.cosines(question, list(found))
            assert [items[row].id for row in found] == best
            for row, score in found.items():
                assert score == pytest.approx(exact[items[row].id], abs=1e-5)
                assert again[row] == pytest.approx(score, abs=1e-5)


@pytest.fixture(params=["table", "memory"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> Iterator[Shelf]:
    store = open_store(tmp_path / "library.db", clock, cached=request.param == "memory")
    yield Shelf(store, clock)
    store.close()


def test_the_nearest_are_exactly_those_of_a_plain_comparison_through_every_change(
    shelf: Shelf,
) -> None:
    shelf.add(400)
    shelf.check()
    shelf.forget(150)  # empties whole chunks, then VACUUM moves what is left
    shelf.check()
    shelf.add(120)
    shelf.check()


def test_more_neighbours_than_the_extension_allows_are_bounded(shelf: Shelf) -> None:
    shelf.add(20)
    with shelf.store.reading():
        found = shelf.store.finder.by_meaning(shelf.vector(), Where(), 1_000_000)
    assert len(found) == 20


def test_what_another_process_embeds_or_forgets_is_followed(
    tmp_path: Path, clock: FixedClock
) -> None:
    path = tmp_path / "library.db"
    writer = Shelf(open_store(path, clock), clock)
    reader = Shelf(open_store(path, clock, cached=True), clock)
    for step in (lambda: writer.add(60), lambda: writer.forget(30), lambda: writer.add(300)):
        step()
        reader.vectors, reader.scopes = writer.vectors, writer.scopes
        reader.check(6)
    writer.store.close()
    reader.store.close()


def test_the_chunks_hold_what_the_table_answers(shelf: Shelf) -> None:
    shelf.add(300)
    shelf.forget(90)
    shelf.add(20)
    session = shelf.store.finder.session
    with shelf.store.reading():
        asked = dict(session.run("SELECT id, e FROM vectors"))
        scopes = dict(session.run("SELECT seq, scope FROM item"))
        read, order = {}, []
        for chunk in vectors.chunks(session):
            order.append(chunk.scope)
            for place, id in enumerate(array("q", chunk.ids)):
                if chunk.taken[place // 8] >> place % 8 & 1:
                    read[id] = chunk.vectors[place * DIMENSIONS * 4 : (place + 1) * DIMENSIONS * 4]
                    assert scopes[id // vectors.PASSAGES] == chunk.scope
    assert read == asked
    assert order == sorted(order)
    assert len(asked) > 230


def test_few_new_ones_among_many_and_one_embedded_again_are_followed(
    tmp_path: Path, clock: FixedClock
) -> None:
    shelf = Shelf(open_store(tmp_path / "library.db", clock, cached=True), clock)
    shelf.add(300)
    shelf.check(3)
    for _ in range(12):
        shelf.add(3)
        shelf.forget(2)
        id = shelf.chosen.choice(sorted(shelf.vectors))
        shelf.engine.facts.edit(id, text=f"edited {shelf.chosen.random()}")  # type: ignore[arg-type]
        with shelf.store.writing():
            (row,) = shelf.store.finder.pending(5)
            shelf.vectors[id] = [shelf.vector(), shelf.vector()]
            shelf.store.finder.put_vectors([Made(row, 2, shelf.vectors[id])])
        shelf.check(3)
    shelf.store.close()


def test_all_that_waits_is_handed_out_once_newest_first_and_counted(
    tmp_path: Path, clock: FixedClock
) -> None:
    shelf = Shelf(open_store(tmp_path / "library.db", clock), clock)
    finder, chosen = shelf.store.finder, random.Random(1)
    facts = shelf.engine.facts
    made = [facts.add(f"fact {n}", ttl_seconds=90 if n % 10 == 0 else None) for n in range(60)]
    ids = [saved.item.id for saved in made if isinstance(saved, Saved)]
    edited, embedded = 0, 0
    while True:
        with shelf.store.reading():
            session = finder.session
            waiting = [row for (row,) in session.run(
                "SELECT seq FROM item WHERE (expires_at IS NULL OR expires_at > ?) AND NOT EXISTS "
                "(SELECT 1 FROM embedded WHERE embedded.item = seq AND number = head) "
                "ORDER BY seq DESC", clock())]  # fmt: skip
            rows = finder.pending(7)
            assert finder.pending_count() == len(waiting)
            assert set(rows) <= set(waiting)
            assert rows == sorted(rows, reverse=True)
            assert bool(rows) == bool(waiting)
        if not rows:
            break
        with shelf.store.writing():
            for row, item in shelf.store.items.many(rows).items():
                finder.put_vectors([Made(row, item.head.number, [shelf.vector()])])
                embedded += 1
        if edited < 8:
            edited += 1
            facts.edit(chosen.choice(ids[1::10]), text=f"edited {edited}")
            newest = facts.add(f"new {edited}")
            assert isinstance(newest, Saved)
            with shelf.store.reading():
                (first,) = finder.pending(1)
                assert shelf.store.items.many([first])[first].id == newest.item.id
        if embedded > 30:
            clock.advance(100)
    assert (edited, embedded > 60) == (8, True)
    shelf.store.close()


def test_finding_what_waits_passes_over_each_row_once(
    tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "LOOK_AHEAD", 10)

    def steps(count: int) -> int:
        """Of SQLite's machine, to embed so many facts ten at a time."""
        shelf = Shelf(open_store(tmp_path / f"{count}.db", clock), clock)
        finder, made, counted = shelf.store.finder, [shelf.vector()], 0
        with shelf.store.writing():
            for _ in range(count):
                shelf._insert(PROJECT)
        connection = finder.session.connection

        def profile(told: dict[str, Any]) -> None:
            nonlocal counted
            if told["sql"].startswith("SELECT item.seq FROM"):
                counted += told["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]

        connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, profile)
        embedded = 0
        with shelf.store.writing():
            while rows := finder.pending(10):
                finder.put_vectors([Made(row, 1, made) for row in rows])
                embedded += len(rows)
        assert embedded == count
        shelf.store.close()
        return counted

    assert steps(800) < 5 * steps(200)


def test_vectors_can_be_made_again_so_they_wait_for_no_disk_and_all_else_does(
    tmp_path: Path, clock: FixedClock
) -> None:
    store = open_store(tmp_path / "library.db", clock)
    session = store.finder.session
    levels = []
    for lasting in (True, False, True):
        with store.writing(lasting=lasting):
            levels.append(session.one("PRAGMA synchronous"))
    with pytest.raises(ZeroDivisionError), store.writing(lasting=False):
        raise ZeroDivisionError
    assert (levels, session.one("PRAGMA synchronous")) == ([2, 1, 2], 2)
    store.close()


def test_nothing_is_near_right_after_another_model_took_over(shelf: Shelf) -> None:
    shelf.add(30)
    shelf.check(1)
    with shelf.store.writing():
        shelf.store.finder.use_model(Model("other", "1", 2 * DIMENSIONS))
    with shelf.store.reading():
        assert shelf.store.finder.by_meaning(shelf.vector() * 2, Where(), 5) == {}
        assert shelf.store.finder.cosines(shelf.vector() * 2, [1, 2, 3]) == {}


def test_vectors_of_a_version_that_was_replaced_meanwhile_are_not_kept(shelf: Shelf) -> None:
    shelf.add(1)
    (id,) = shelf.vectors
    shelf.engine.facts.edit(id, text="moved on")  # type: ignore[arg-type]
    with shelf.store.writing():
        (row,) = shelf.store.finder.pending(5)
        shelf.store.finder.put_vectors([Made(row, 1, [shelf.vector()])])
        assert shelf.store.finder.pending(5) == [row]


def test_many_small_scopes_cost_little(tmp_path: Path, clock: FixedClock) -> None:
    engine = Engine(open_store(tmp_path / "library.db", clock), clock, TimeOrderedIds(clock),
                    PERSON)  # fmt: skip
    store = engine.facts.context.store
    wide = Model("wide", "1", 512)
    with store.writing():
        store.finder.use_model(wide)
    for n in range(100):
        assert isinstance(engine.facts.add("one fact", scope=contact(f"c{n}")), Saved)
    with store.writing():
        for row in store.finder.pending(100):
            store.finder.put_vectors([Made(row, 1, [unit([1.0] * 512)])])
    assert store.size() < 40_000_000
    engine.close()


def test_what_is_forgotten_gives_its_space_back(tmp_path: Path, clock: FixedClock) -> None:
    def filled(name: str, rounds: int) -> int:
        shelf = Shelf(open_store(tmp_path / name, clock), clock)
        for _ in range(rounds):
            shelf.add(150)
            shelf.forget(150)
        shelf.add(150)
        shelf.engine.maintain()
        size = shelf.store.size()
        shelf.engine.close()
        return size

    assert filled("churned.db", 4) < 2 * filled("fresh.db", 0) + 100_000
