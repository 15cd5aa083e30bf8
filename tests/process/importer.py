"""A process that brings a file in and says each batch it has taken, for tests that kill it."""

from __future__ import annotations

import sys
from pathlib import Path

from localmem import ids, portable
from localmem.core.model import Actor, AuthorKind, Origin
from localmem.engine import Engine
from localmem.engine.imports import Rules, batches
from localmem.store.sqlite import open_store


def main(library: str, file: str) -> None:
    actor = Actor(AuthorKind.PERSON, "you", Origin.CLI)
    engine = Engine(open_store(Path(library), ids.now), ids.now, ids.TimeOrderedIds(), actor)
    rules = Rules()
    with portable.open_source(file) as source:
        run = engine.imports.begin(source.name, source.format, source.fingerprint, rules)
        for batch in batches(source, after=run.line):
            run = engine.imports.take(run, batch, rules).run
            sys.stdout.write(f"{run.id} {run.line}\n")
            sys.stdout.flush()
    engine.imports.finish(run)
    engine.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
