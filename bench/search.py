"""Search as you type: the engine's time for each keystroke, at several library sizes.

    python bench/search.py [SIZE ...]        default 1000 10000

Fills a library in a temporary folder with made-up facts, then types questions one character at a
time into an engine that keeps its vectors in memory, as the app does. Prints a table: median and
95th percentile of one keystroke in milliseconds, for words alone and for words with meaning
(embedding of the question included). 16.7 ms is one frame at 60 Hz.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from datetime import UTC
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as wiring does for the app

from localmem import embed, ids
from localmem.core import query
from localmem.core.model import Actor, AuthorKind, Origin
from localmem.core.scope import PROJECT, contact
from localmem.engine import Engine
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


def fact(chosen: random.Random, number: int) -> str:
    parts = (chosen.choice(each) for each in (PEOPLE, VERBS, THINGS, WHEN))
    return " ".join(parts) + f", note {number}."


def filled(path: Path, size: int) -> Engine:
    store = open_store(path, ids.now, cached=True)
    actor = Actor(AuthorKind.PERSON, "you", Origin.PYTHON)
    engine = Engine(store, ids.now, ids.TimeOrderedIds(), actor,
                    load_embedder=lambda: embed.load(cache_dir=path.parent / "cache"))  # fmt: skip
    chosen = random.Random(1)
    scopes = [PROJECT, *(contact(f"c{n}") for n in range(size // 5_000 + 3))]
    for number in range(size):
        engine.facts.add(fact(chosen, number), scope=scopes[number % len(scopes)])
    engine.meaning.ensure()
    while engine.meaning.embed_waiting(limit=256):
        pass
    return engine


def keystrokes(engine: Engine) -> list[float]:
    times = []
    for question in QUESTIONS:
        for end in range(1, len(question) + 1):
            started = time.perf_counter()
            asked = query.parse(question[:end], now=ids.now(), zone=UTC)
            engine.recall.search(asked)
            times.append((time.perf_counter() - started) * 1000)
    return times


def row(name: str, size: int, times: list[float]) -> str:
    ordered = sorted(times)
    return (f"{size:>8,}  {name:<18} {statistics.median(ordered):>8.1f} "
            f"{ordered[int(len(ordered) * 0.95)]:>8.1f} {ordered[-1]:>8.1f}")  # fmt: skip


def main(sizes: list[int]) -> None:
    sys.stdout.write(f"{'facts':>8}  {'keystroke':<18} {'median':>8} {'p95':>8} {'max':>8}  (ms)\n")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            engine = filled(Path(folder) / "library.db", size)
            keystrokes(engine)
            with_meaning = keystrokes(engine)
            engine.meaning.fail("measuring words alone")
            words = keystrokes(engine)
            sys.stdout.write(row("words", size, words) + "\n")
            sys.stdout.write(row("words and meaning", size, with_meaning) + "\n")
            sys.stdout.flush()
            engine.close()


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [1_000, 10_000])
