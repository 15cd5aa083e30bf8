"""The library brings its own SQLite: which one a Python was built with plays no part (FR-148)."""

from __future__ import annotations

from pathlib import Path

import apsw

from localmem.core.records import Where
from tests.support.library import FixedClock, WordsEmbedder, open_library


def test_the_sqlite_that_is_used_is_the_one_that_comes_along() -> None:
    assert tuple(map(int, apsw.sqlite_lib_version().split(".")))[:2] >= (3, 54)
    assert "ENABLE_FTS5" in apsw.compile_options


def test_the_nearest_are_found_with_k_and_without_a_limit_that_older_sqlites_refuse(
    tmp_path: Path,
) -> None:
    engine = open_library(tmp_path / "library.db", FixedClock(), embedder=WordsEmbedder())
    for number in range(6):
        engine.facts.add(f"Likes tea number {number}")
    while engine.meaning.embed_waiting():
        pass
    vector = engine.meaning.question("tea")
    assert vector is not None
    with engine._context.store.reading():
        found = engine._context.store.finder.by_meaning(vector, Where(), 3)
    assert len(found) == 3
    engine.close()
