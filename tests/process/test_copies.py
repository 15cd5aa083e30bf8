"""Copies taken and libraries replaced while other processes write and start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from localmem.core.records import Slice
from localmem.core.recovery_key import written
from localmem.store import encryption, restoring
from localmem.store.sqlite import open_store
from tests.process.test_processes import worker
from tests.support.library import PERSON, FixedClock, open_library

ROOT = Path(__file__).parents[2]
KEY = bytes(range(32))


@pytest.fixture
def path(tmp_path: Path, clock: FixedClock) -> Path:
    path = tmp_path / "data" / "library.db"
    engine = open_library(path, clock)
    engine.facts.add("there from the start")
    engine.close()
    return path


def test_every_backup_taken_while_three_write_is_whole_and_comes_back(
    path: Path, clock: FixedClock, tmp_path: Path
) -> None:
    """FR-61."""
    writers = [worker(path, f"agent{n}", 60) for n in range(3)]
    engine = open_library(path, clock)
    copies = []
    while any(each.poll() is None for each in writers) and len(copies) < 12:
        copies.append(tmp_path / f"copy{len(copies)}.db")
        engine.library.backup(str(copies[-1]))
        for each in writers:
            assert each.stdout is not None
            for _ in range(5):
                each.stdout.readline()
    for each in writers:
        _, errors = each.communicate(timeout=120)
        assert (each.returncode, errors) == (0, "")
    engine.close()
    counts = [restoring.contents(copy, None).facts for copy in copies]
    assert counts == sorted(counts)
    assert len(copies) >= 5 and counts[-1] > 10
    with restoring.restoring(
        path, copies[0], clock, key=None, kept_as=path.with_name("before.db"), by=PERSON
    ) as ready:
        kept = ready.finish()
    assert kept is not None
    assert restoring.contents(kept, None).facts == 181
    assert restoring.contents(path, None).facts == counts[0]


@pytest.mark.skipif(os.name != "posix", reason="an open file is not replaced on Windows")
def test_programs_that_start_while_it_is_encrypted_all_find_their_library(
    path: Path, clock: FixedClock
) -> None:
    environment = {**os.environ, "LOCALMEM_HOME": str(path.parent), "LOCALMEM_KEY": written(KEY)}

    def start(text: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "localmem", "add", text],
            cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    for turn, new in enumerate((KEY, None, KEY)):
        with encryption.converting(path, old=None if new else KEY, new=new) as finish:
            started = [start(f"Written by {turn}.{n}") for n in range(2)]
            finish()
        for each in started:
            _, errors = each.communicate(timeout=60)
            assert (each.returncode, errors) == (0, "")
    store = open_store(path, clock, key=lambda: KEY)
    with store.reading():
        assert store.encrypted and store.items.count(Slice()) == 7
    store.close()
