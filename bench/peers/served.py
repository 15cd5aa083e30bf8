"""localmem's own server with vectors that are there already: `python -m peers.served FOLDER DATA`.

All else is `localmem serve` as it is. What a question or a fact has no vector for gets one of the
given ones, so that a text of the bench's own costs what any text does, its embedding left out.
Prints its address once it listens.
"""

from __future__ import annotations

import json
import os
import sys
import time
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as wiring does for the app

import numpy

from peers.ours import Lookup

SEARCHES = "searches"
"""The file in the server's folder that says what the engine took for each search."""


class Known(dict[str, bytes]):
    """Vectors by text; of any other text, that of a row chosen by it."""

    def __init__(self, rows: list[bytes]) -> None:
        super().__init__()
        self.rows = rows

    def __missing__(self, text: str) -> bytes:
        return self.rows[row_of(text, len(self.rows))]


def row_of(text: str, rows: int) -> int:
    return zlib.crc32(text.encode()) % rows


def lookup(data: Path) -> Lookup:
    """The port `Embedder` over the given facts and questions."""
    from localmem.core.records import Model

    found = Lookup(Model(**json.loads((data / "model.json").read_text())))
    vectors = {name: [row.tobytes() for row in numpy.load(data / f"{name}.npy")]
               for name in ("facts", "questions")}  # fmt: skip
    found.known = Known(vectors["facts"])
    texts = json.loads((data / "facts.json").read_text("utf-8"))["texts"]
    found.known.update(zip(texts, vectors["facts"], strict=True))
    asked = json.loads((data / "questions.json").read_text("utf-8"))
    found.known.update(zip(asked, vectors["questions"], strict=True))
    return found


def _time_searches(file: Path) -> None:
    """Write down what the engine takes for each search, in seconds: `wall cpu`."""
    from localmem.engine.recall import Recall

    search, told = Recall.search, file.open("w", buffering=1)

    def timed(*args: Any, **options: Any) -> Any:
        wall, cpu = time.perf_counter(), time.thread_time()
        found = search(*args, **options)
        told.write(f"{time.perf_counter() - wall} {time.thread_time() - cpu}\n")
        return found

    Recall.search = timed  # type: ignore[method-assign]


def main(folder: Path, data: Path) -> None:
    from localmem import ids, wiring
    from localmem.core.model import Actor, AuthorKind, Origin
    from localmem.engine import Engine
    from localmem.server import main as serving
    from localmem.server.spaces import Spaces
    from localmem.store.sqlite import open_store

    vectors = lookup(data)
    _time_searches(folder / SEARCHES)

    def open_space(file: Path) -> Engine:
        store = open_store(file, ids.now, cached=True)
        actor = Actor(AuthorKind.BACKEND, "server", Origin.HTTP)
        return Engine(store, ids.now, ids.TimeOrderedIds(), actor, load_embedder=lambda: vectors)

    given = serving.services_of
    serving.services_of = lambda home, options: replace(
        given(home, options), spaces=Spaces(folder, open_space)
    )

    def tell(url: str, has_keys: bool) -> None:
        print(url, flush=True)  # noqa: T201

    serving.run(wiring.home(), serving.Options(folder, port=0, rate=0), tell)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    main(Path(sys.argv[1]), Path(sys.argv[2]))
