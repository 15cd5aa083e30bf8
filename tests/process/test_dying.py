"""Killed at every step of encrypting, decrypting and restoring: one whole library, nothing lost."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from localmem.core.records import Slice
from localmem.core.recovery_key import written
from localmem.store import connect, encryption
from localmem.store.sqlite import open_store
from tests.support.library import FixedClock, open_library

ROOT = Path(__file__).parents[2]
KEY = bytes(range(32))
SECRET = b"a walrus nobody should read"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")


def turned_over(path: Path, task: str, last: int) -> tuple[int, str]:
    run = subprocess.run(
        [sys.executable, "-m", "tests.process.dying", str(path), task, str(last)],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
        env={**os.environ, "LOCALMEM_KEY": written(KEY)},
    )  # fmt: skip
    return run.returncode, run.stdout + run.stderr


@pytest.fixture
def made(tmp_path: Path, clock: FixedClock) -> Path:
    """A library of twenty facts, to be copied for each round."""
    path = tmp_path / "made" / "library.db"
    engine = open_library(path, clock)
    for n in range(20):
        engine.facts.add(f"{SECRET.decode()}, number {n}")
    engine.close()
    return path


def facts_after(path: Path, clock: FixedClock) -> tuple[int, bool]:
    """How many facts the library holds, opened as the next start would, and whether encrypted."""
    encrypted = connect.look(path)
    store = open_store(path, clock, key=lambda: KEY)
    try:
        with store.reading():
            return store.items.count(Slice()), encrypted
    finally:
        store.close()


@pytest.mark.parametrize("task", ["encrypt", "decrypt", "restore"])
def test_a_kill_at_any_step_leaves_one_whole_library(
    made: Path, tmp_path: Path, clock: FixedClock, task: str
) -> None:
    if task == "decrypt":
        with encryption.converting(made, old=None, new=KEY) as finish:
            finish()
    backup = tmp_path / "backup.db"
    shutil.copy(made, backup)
    argument = str(backup) if task == "restore" else task

    def round(number: int, last: int) -> tuple[Path, int, str]:
        path = tmp_path / f"round{number}" / "library.db"
        path.parent.mkdir()
        shutil.copy(made, path)
        return path, *turned_over(path, argument, last)

    path, code, said = round(0, -1)
    assert code == 0, said
    steps = int(said)
    assert steps >= 12
    assert facts_after(path, clock) == (20, task == "encrypt")
    chosen = random.Random(task).sample(range(1, steps + 1), 6)
    ends = set()
    for last in {1, steps // 2, steps, *chosen}:
        path, code, said = round(last, last)
        assert code == -9, (last, code, said)
        count, encrypted = facts_after(path, clock)
        assert count == 20, last
        ends.add(encrypted)
        left = {file.name for file in path.parent.iterdir() if not file.name.startswith("before")}
        assert left == {"library.db"}, (last, left)
        if encrypted:
            content = b"".join(file.read_bytes() for file in path.parent.iterdir())
            assert SECRET not in content, last
    assert ends == ({False} if task == "restore" else {False, True})
