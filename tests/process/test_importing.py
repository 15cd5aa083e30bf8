"""Imports that die and imports that meet: nothing is lost, nothing is doubled (FR-99, FR-101)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from localmem.core.incoming import Counts, RunState
from localmem.core.model import Kind
from localmem.core.records import Slice
from localmem.engine.outcomes import Undone
from tests.process.test_processes import whole
from tests.support.library import FixedClock, open_library

ROOT = Path(__file__).parents[2]
LINES = 2_200


@pytest.fixture
def library(tmp_path: Path, clock: FixedClock) -> Path:
    path = tmp_path / "data" / "library.db"
    open_library(path, clock).close()
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text("".join(f"Fact number {n} of the file\n" for n in range(LINES)), "utf-8")
    return path


def importer(library: Path, file: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.process.importer", str(library), str(file)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_a_killed_import_keeps_what_it_took_and_goes_on_there(
    library: Path, file: Path, clock: FixedClock
) -> None:
    running = importer(library, file)
    assert running.stdout is not None
    run, line = map(int, running.stdout.readline().split())
    running.kill()
    said = [int(each.split()[1]) for each in running.stdout.read().splitlines()]
    running.communicate()
    engine = open_library(library, clock)
    held = engine.imports.run(run)
    assert held.line >= max([line, *said])
    assert engine.library.count(Slice(Kind.FACT)) == held.line
    engine.close()
    whole(library)

    again = importer(library, file)
    out, errors = again.communicate(timeout=120)
    assert (again.returncode, errors) == (0, "")
    numbers = [tuple(map(int, each.split())) for each in out.splitlines()]
    assert all(each[0] == run for each in numbers)
    assert not numbers or numbers[0][1] > held.line
    engine = open_library(library, clock)
    done = engine.imports.run(run)
    assert (done.state, done.counts) == (RunState.DONE, Counts(new=LINES))
    undone = engine.imports.undo(run)
    assert isinstance(undone, Undone) and len(undone.gone) == LINES
    engine.close()
    whole(library)


def test_two_imports_of_one_file_at_once_double_nothing(
    library: Path, file: Path, clock: FixedClock
) -> None:
    running = [importer(library, file) for _ in range(2)]
    for each in running:
        _, errors = each.communicate(timeout=120)
        assert (each.returncode, errors) == (0, "")
    engine = open_library(library, clock)
    assert engine.library.count(Slice(Kind.FACT)) == LINES
    gone = 0
    for run in engine.imports.recent():
        undone = engine.imports.undo(run.id)
        gone += len(undone.gone) if isinstance(undone, Undone) else 0
    assert gone == LINES
    engine.close()
