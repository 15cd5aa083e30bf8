"""Bringing in facts: how fast, in how much memory, against adding them one by one.

    python bench/import.py [LINES]

Each row runs in a process of its own. On a busy machine look at the processor's time. The facts go
to contacts of 1,000 facts each, so that no scope is full. "One by one" adds the same texts through
`engine.facts.add`.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from localmem import ids, portable
from localmem.core.model import Actor, AuthorKind, Origin
from localmem.core.scope import parse
from localmem.engine import Engine
from localmem.engine.imports import Rules, Seen, batches
from localmem.engine.outcomes import Undone
from localmem.store.sqlite import open_store

WORDS = (
    "prefers morning calls window seats green tea mountain bikes paper letters quiet rooms late "
    "trains small shops direct answers cotton shirts warm bread early flights long walks old maps"
)
MOST_ALONE = 20_000
"""More lines than these are not added one by one: it takes a quarter of an hour."""
PERSON = Actor(AuthorKind.PERSON, "you", Origin.CLI)


def facts(count: int) -> Iterator[tuple[str, str]]:
    """(scope, text), the same every time."""
    chance, words = random.Random(7), WORDS.split()
    for number in range(count):
        said = " ".join(chance.choice(words) for _ in range(12))
        yield f"contact:c{number // 1_000}", f"Customer {number} {said}."


def write_file(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number, (scope, text) in enumerate(facts(count), 1):
            kind, _, contact = scope.partition(":")
            line = {"id": number, "text": text, "scope": kind, "contactId": contact}
            file.write(json.dumps(line) + "\n")


def open_engine(home: Path) -> Engine:
    store = open_store(home / "library.db", ids.now, cached=False)
    return Engine(store, ids.now, ids.TimeOrderedIds(), PERSON)


def one_by_one(home: Path, count: int) -> int:
    engine = open_engine(home)
    for scope, text in facts(count):
        engine.facts.add(text, scope=parse(scope))
    return count


def bring_in(home: Path, _: int) -> int:
    engine, rules = open_engine(home), Rules()
    with portable.open_source(home / "facts.jsonl") as source:
        run = engine.imports.begin(source.name, source.format, source.fingerprint, rules)
        for batch in batches(source):
            run = engine.imports.take(run, batch, rules).run
    engine.imports.finish(run)
    return run.counts.new + run.counts.unchanged


def dry_run(home: Path, _: int) -> int:
    engine, rules, seen, taken = open_engine(home), Rules(), Seen(), 0
    with portable.open_source(home / "facts.jsonl") as source:
        for batch in batches(source):
            taken += len(engine.imports.preview(batch, rules, seen))
    return taken


def undo(home: Path, _: int) -> int:
    engine = open_engine(home)
    done = engine.imports.undo(engine.imports.recent()[-1].id)
    assert isinstance(done, Undone)
    return len(done.gone)


def export(home: Path, _: int) -> int:
    from localmem.engine.exports import Wanted
    from localmem.portable import ndjson, saving

    engine = open_engine(home)
    values = engine.exports.all(Wanted(history=True))
    saving.save(home / "out.ndjson", ndjson.write(values, history=True), force=True)
    return engine.exports.count(Wanted())


STEPS = {
    "one by one": one_by_one,
    "dry run": dry_run,
    "import": bring_in,
    "import again": bring_in,
    "export": export,
    "undo": undo,
}


def run_step(name: str, home: Path, count: int) -> None:
    began = time.perf_counter()
    lines = STEPS[name](home, count)
    seconds = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(
        f"{name:<14}{lines:>9,}{seconds:>9.1f} s{lines / seconds:>10,.0f}/s{cpu:>9.1f} s"
        f"{peak:>8.0f} MB"
    )


def table(count: int) -> None:
    print(f"{'':<14}{'lines':>9}{'time':>11}{'rate':>12}{'processor':>11}{'peak':>11}")
    with tempfile.TemporaryDirectory() as held:
        alone, home = Path(held, "alone"), Path(held, "home")
        for folder in (alone, home):
            folder.mkdir(mode=0o700)
        write_file(home / "facts.jsonl", count)
        for name in STEPS if count <= MOST_ALONE else list(STEPS)[1:]:
            folder = alone if name == "one by one" else home
            command = [sys.executable, __file__, name, str(folder), str(count)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [name, home, count]:
            run_step(name, Path(home), int(count))
        case [count]:
            table(int(count))
        case _:
            table(10_000)
