"""Nothing acknowledged is lost, nothing forgotten is left: bench/crash.py, bench/erase.py, short.

They run in processes of their own, which fork. That their checks see what they look for is tested
here as well, on libraries that were spoiled.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from bench.durability import check, state, traces, writer
from localmem.core.model import ItemId

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL and fork are POSIX")


def run(name: str, *arguments: str) -> list[str]:
    """The table of a bench, by row: kind first."""
    done = subprocess.run(
        [sys.executable, "-m", f"bench.{name}", "--seed", "5", *arguments],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()[-2].split()


@pytest.mark.parametrize("more", [(), ("--encrypted",)])
def test_killed_writers_lose_nothing_they_acknowledged(more: tuple[str, ...]) -> None:
    kind, rounds, kills, _, _, _, acknowledged, *_ = run("crash", "--rounds", "21", *more)
    assert (kind, rounds) == ("all", "21")
    assert int(kills) > 10
    assert int(acknowledged.replace(",", "")) > 50


def test_erased_values_are_in_no_byte_of_any_file() -> None:
    kind, erasures, items, searched, typed, folded, _, vectors, *_ = run("erase", "--rounds", "20")
    assert (kind, erasures) == ("all", "20")
    seen = [int(each.replace(",", "")) for each in (items, searched, typed, folded, vectors)]
    assert min(seen) > 20, seen


@pytest.fixture
def written(tmp_path: Path) -> tuple[Path, list[state.Effect]]:
    """A library and all that its writer said it did."""
    library, backups = tmp_path / "home" / "library.db", tmp_path / "copies"
    backups.mkdir()
    said: list[state.Effect] = []

    def say(message: dict[str, state.Effect]) -> None:
        if "done" in message:
            said.append(message["done"])

    made = writer.Writer(library, random.Random(3), say, letter="a", backups=backups)
    made.run("erase", 40)
    return library, said


def told(said: list[state.Effect], going_on: list[state.Effect] | None = None) -> check.Told:
    return check.Told({"encrypted": ("no",)}, said, going_on or [], {}, set(), set())


def test_a_whole_library_passes(written: tuple[Path, list[state.Effect]]) -> None:
    library, said = written
    assert check.check(library, told(said)).faults == {}


SPOILED = {
    "lost": "DELETE FROM words WHERE rowid = :seq; DELETE FROM item WHERE seq = :seq",
    "half": "DELETE FROM words WHERE rowid = :seq",
    "corrupt": "UPDATE words_data SET block = x'00' WHERE id > 10",
    "leftover": "INSERT INTO activity (at, author_kind, author, origin, action, kind, scope, item, "
    "items) SELECT at, author_kind, author, origin, :gone, kind, scope, item, items FROM activity "
    "LIMIT 1",
}


@pytest.mark.parametrize("fault", SPOILED)
def test_what_is_spoiled_is_seen(written: tuple[Path, list[state.Effect]], fault: str) -> None:
    library, said = written
    expected = check._expected(told(said))
    forgotten = {word for effect in said for _, word in effect.get("add", ())}
    gone = sorted(forgotten - {word for words in expected.values() for word in words})
    connection = apsw.Connection(str(library))
    seq = connection.execute("SELECT max(seq) FROM item WHERE kind = 'fact'").get
    connection.execute("PRAGMA foreign_keys = 1")
    for statement in SPOILED[fault].split(";"):
        connection.execute(statement, {"seq": seq, "gone": gone[0]})
    connection.close()
    assert fault in check.check(library, told(said)).faults


@pytest.mark.parametrize("erased", [0, 1, 2])
def test_a_write_that_was_going_on_may_be_there_or_not_but_not_half(
    written: tuple[Path, list[state.Effect]], erased: int
) -> None:
    library, said = written
    store, engine = writer.open_engine(library)
    held, ids = state.read(store.items.session.connection, encrypted=False)
    facts = [name for name in held if traces.WORD.fullmatch(name)][:2]
    for name in facts[:erased]:
        engine.forgetting.forget([ItemId(ids[name])])
    store.close()
    verdict = check.check(library, told(said, [{"gone": facts}]))
    assert (verdict.faults == {}) == (erased != 1)
    assert (verdict.applied, verdict.rolled_back) == [(0, 1), (0, 0), (1, 0)][erased]


def test_the_search_finds_a_vector_that_a_page_cuts() -> None:
    vector = traces.DigestEmbedder().embed(["zebra"])[0]
    content = b"x" * 100 + vector[:70] + b"page" + vector[70:]
    assert len(traces.seen([content], traces.of_vector(vector))) >= len(vector) // 16 - 1
