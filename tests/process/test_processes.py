"""Several processes on one library, and processes that die: nothing acknowledged is lost."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from pathlib import Path

import apsw
import pytest

from localmem.core.change import Saved
from localmem.core.model import FactContent, Kind
from localmem.core.records import Slice
from localmem.engine import Engine
from localmem.errors import StoreBusy
from localmem.store import connect
from tests.support.library import FixedClock, open_library

ROOT = Path(__file__).parents[2]


def worker(path: Path, name: str, count: int, mode: str = "add") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.process.worker", str(path), name, str(count), mode],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.fixture
def path(tmp_path: Path, clock: FixedClock) -> Path:
    path = tmp_path / "data" / "library.db"
    open_library(path, clock).close()
    return path


def whole(path: Path) -> None:
    opened = connect.open_library(path)
    connection = opened.connection
    assert connection.execute("PRAGMA integrity_check").get == "ok"
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    heads = connection.execute("SELECT count(*) FROM item").get
    words = connection.execute("SELECT count(*) FROM words").get
    assert heads == words
    connection.close()


def test_processes_that_write_at_once_lose_nothing_and_see_no_lock(
    path: Path, clock: FixedClock
) -> None:
    workers = [worker(path, f"agent{n}", 60) for n in range(3)]
    watcher = open_library(path, clock)
    for n in range(60):
        assert isinstance(watcher.facts.add(f"the person wrote number {n}"), Saved)
    for each in workers:
        _, errors = each.communicate(timeout=120)
        assert (each.returncode, errors) == (0, "")
    assert watcher.library.count(Slice(Kind.FACT)) == 240
    watcher.close()
    whole(path)


def test_a_kill_at_any_moment_loses_no_acknowledged_write(path: Path, clock: FixedClock) -> None:
    chosen = random.Random(11)
    kept: set[str] = set()
    edited: set[str] = set()
    forgotten: set[str] = set()
    for turn in range(10):
        running = worker(path, f"turn{turn}", 400, "mixed")
        assert running.stdout is not None
        said = [running.stdout.readline() for _ in range(chosen.randrange(5, 80))]
        running.kill()
        said += running.stdout.read().splitlines(keepends=True)
        running.communicate()
        for line in said:
            if line.endswith("\n"):
                verb, id = line.split()
                {"kept": kept, "edited": edited, "forgot": forgotten}[verb].add(id)
    assert min(len(kept), len(edited), len(forgotten)) >= 3, (kept, edited, forgotten)
    engine = open_library(path, clock)
    live = set(engine.facts.context.store.items.rows(Slice(Kind.FACT)))
    unsaid = {id for id in kept - forgotten if id not in live}
    # A forget may be committed and its process killed before it could say so: one a kill.
    assert len(unsaid) <= 10
    for id in edited & live:
        content = engine.library.get(id).head.content  # type: ignore[arg-type]
        assert isinstance(content, FactContent)
        assert "edited" in content.text
    assert not forgotten & live
    engine.maintain()
    engine.close()
    whole(path)


def test_a_write_waits_for_another_process_and_is_saved(path: Path, clock: FixedClock) -> None:
    holder = apsw.Connection(str(path))
    holder.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, lambda: holder.execute("COMMIT"))
    engine = open_library(path, clock)
    release.start()
    assert isinstance(engine.facts.add("waited its turn"), Saved)
    release.join()
    engine.close()
    holder.close()


def test_a_write_that_waited_too_long_says_it_was_not_saved(path: Path, clock: FixedClock) -> None:
    engine = open_library(path, clock)
    holder = apsw.Connection(str(path))
    holder.execute("BEGIN IMMEDIATE")
    session = engine.facts.context.store.items.session  # type: ignore[attr-defined]
    session.connection.set_busy_timeout(1)
    with pytest.raises(StoreBusy, match="Not saved"):
        engine.facts.add("never kept")
    holder.execute("ROLLBACK")
    assert engine.library.count(Slice()) == 0
    holder.close()
    engine.close()


def test_a_read_does_not_become_a_failing_write(path: Path, clock: FixedClock) -> None:
    mine: Engine = open_library(path, clock)
    theirs: Engine = open_library(path, clock)
    mine.library.shelf()
    theirs.facts.add("came in between")
    assert isinstance(mine.facts.add("and this one too"), Saved)
    mine.close()
    theirs.close()
