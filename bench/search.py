"""Search as you type: the engine's time for each keystroke, at several library sizes.

    python bench/search.py [SIZE ...]        default 1000 10000 100000

Fills a library in a temporary folder with made-up facts, then types questions one character at a
time into an engine that keeps its vectors in memory, as the app does, in the whole library and in
one scope (the project, half of the facts, at most 10,000). Prints a table: median and 95th
percentile of one keystroke in milliseconds, on the wall and of the processor, for words alone and
for words with meaning (embedding of the question included). 16.7 ms is one frame at 60 Hz. Beyond
10,000 facts the vectors of the library are random ones: embedding takes 1.5 ms a fact.
"""

from __future__ import annotations

import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as wiring does for the app

from localmem import embed, ids
from localmem.core import query
from localmem.core.incoming import Incoming
from localmem.core.model import Actor, AuthorKind, FactContent, Origin
from localmem.core.records import Made
from localmem.core.scope import PROJECT, Scope, contact
from localmem.engine import Engine
from localmem.engine.imports import Rules, batches
from localmem.store.sqlite import open_store

PEOPLE = ["Ana", "Bruno", "Chloé", "Davi", "Elena", "Farid", "Greta", "Hugo", "Inês", "João"]
VERBS = ["prefers", "avoids", "likes", "asked about", "ordered", "returned", "needs", "recommends"]
THINGS = ["green tea", "WhatsApp", "email", "window seats", "size 42 shoes", "oat milk", "calls",
          "invoices", "morning meetings", "running shoes", "the blue jacket", "gluten-free bread",
          "night trains", "paper receipts", "the staging server", "quiet hotels"]  # fmt: skip
WHEN = ["on Mondays", "before noon", "when travelling", "for the children", "since March",
        "at the office", "in winter", "from the Lisbon store", "twice a week",
        "by courier"]  # fmt: skip
QUESTIONS = ["how do they like to be contacted", "what shoes does Ana wear",
             "como ela prefere café", "morning meeting", "train seat",
             "who avoids gluten"]  # fmt: skip
MOST_EMBEDDED = 10_000
CONTACT_HOLDS = 2_000
LIMIT = 200
"""Hits the app asks for."""

Times = list[tuple[float, float]]
"""(wall, processor) of each keystroke in milliseconds."""


def fact(chosen: random.Random, number: int) -> str:
    parts = (chosen.choice(each) for each in (PEOPLE, VERBS, THINGS, WHEN))
    return " ".join(parts) + f", note {number}."


def place(number: int, size: int) -> Scope:
    """Every second fact is the project's until that is full."""
    if number % 2 and number < 20_000:
        return PROJECT
    return contact(f"c{number % (size // CONTACT_HOLDS + 3)}")


def lines(size: int) -> Iterator[Incoming]:
    chosen = random.Random(1)
    for number in range(size):
        yield Incoming(number + 1, FactContent(fact(chosen, number)), scope=place(number, size))


def filled(path: Path, size: int) -> Engine:
    store = open_store(path, ids.now, cached=True)
    actor = Actor(AuthorKind.PERSON, "you", Origin.PYTHON)
    engine = Engine(store, ids.now, ids.TimeOrderedIds(), actor,
                    load_embedder=lambda: embed.load(cache_dir=path.parent / "cache"))  # fmt: skip
    run = engine.imports.begin("bench", "lines", "", Rules())
    for batch in batches(lines(size)):
        run = engine.imports.take(run, batch, Rules()).run
    engine.imports.finish(run)
    assert run.counts.new == size
    engine.meaning.ensure()
    if size > MOST_EMBEDDED:
        put_random_vectors(engine)
    while engine.meaning.embed_waiting(limit=256):
        pass
    return engine


def put_random_vectors(engine: Engine) -> None:
    import numpy

    made = numpy.random.default_rng(1)
    store = engine.imports.context.store
    model = engine.meaning.model()
    assert model is not None
    with store.writing():
        for row in store.finder.pending(1_000_000):
            vector = made.standard_normal(model.dimensions, numpy.float32)
            unit = vector / numpy.linalg.norm(vector)
            store.finder.put_vectors([Made(row, 1, [unit.tobytes()])])


def keystrokes(engine: Engine, scopes: Sequence[Scope]) -> Times:
    times = []
    for question in QUESTIONS:
        for end in range(1, len(question) + 1):
            wall, processor = time.perf_counter(), time.process_time()
            asked = query.parse(question[:end], now=ids.now(), zone=UTC)
            engine.recall.search(replace(asked, scopes=tuple(scopes)), limit=LIMIT)
            times.append(
                ((time.perf_counter() - wall) * 1000, (time.process_time() - processor) * 1000)
            )
    return times


def row(size: int, name: str, times: Times) -> str:
    said = f"{size:>8,}  {name:<32}"
    for measured in zip(*times, strict=True):
        ordered = sorted(measured)
        said += f"{statistics.median(ordered):>9.1f}{ordered[int(len(ordered) * 0.95)]:>8.1f}"
    return said


def main(sizes: list[int]) -> None:
    sys.stdout.write(f"{'facts':>8}  {'a keystroke, ms':<32}{'median':>9}{'p95':>8}"
                     f"{'cpu med':>9}{'cpu p95':>8}\n")  # fmt: skip
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "library.db"
            engine = filled(path, size)
            for mode in ("words and meaning", "words"):
                for where, scopes in (("all", ()), ("one scope", (PROJECT,))):
                    keystrokes(engine, scopes)
                    times = keystrokes(engine, scopes)
                    sys.stdout.write(row(size, f"{mode}, {where}", times) + "\n")
                    sys.stdout.flush()
                engine.meaning.fail("measuring words alone")
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            sys.stdout.write(f"{size:>8,}  file {path.stat().st_size / 1e6:,.0f} MB, "
                             f"peak memory {peak:,.0f} MB\n")  # fmt: skip
            engine.close()


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [1_000, 10_000, 100_000])
