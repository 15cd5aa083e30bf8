"""A process that reads its library's bytes, or opens it twice, keeps the locks it has on it.

POSIX drops them when any descriptor of the file is closed; another process would then fold up and
delete the write-ahead log under the first, whose next writes nobody else would ever see.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from localmem.core.records import Slice
from localmem.engine import Engine
from tests.support.library import FixedClock, open_library

OTHER = """
import sys
from tests.support.library import FixedClock, open_library
engine = open_library(sys.argv[1], FixedClock())
engine.facts.add(sys.argv[2])
engine.close()
"""


def another_process_writes(path: Path, text: str) -> None:
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", OTHER, str(path), text], check=True, cwd=root)


def forgets(engine: Engine, path: Path, clock: FixedClock) -> None:
    (first, *_), _ = engine.library.page(Slice(), limit=1, cursor=None)
    assert engine.forgetting.forget([first.id]).complete


def opens_it_again(engine: Engine, path: Path, clock: FixedClock) -> None:
    open_library(path, clock).close()


@pytest.mark.parametrize("does", [forgets, opens_it_again])
def test_what_is_written_afterwards_is_seen_by_everyone(
    does: Callable[[Engine, Path, FixedClock], None], tmp_path: Path, clock: FixedClock
) -> None:
    path = tmp_path / "data" / "library.db"
    engine = open_library(path, clock)
    engine.facts.add("Something that may be forgotten.")
    does(engine, path, clock)

    another_process_writes(path, "Written by the other, which then ends.")
    assert Path(f"{path}-wal").exists(), "the log in use was deleted"

    engine.facts.add("Written after the other ended.")
    look = open_library(path, clock)
    said = {item.head.content.text for item in look.library.page(Slice(), limit=9, cursor=None)[0]}  # type: ignore[union-attr]
    look.close()
    engine.close()
    assert {"Written by the other, which then ends.", "Written after the other ended."} <= said
