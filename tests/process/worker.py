"""A process that writes to a library and says what it wrote, for tests that need a real one."""

from __future__ import annotations

import sys
from pathlib import Path

from localmem import ids
from localmem.core.change import Saved
from localmem.core.model import Actor, AuthorKind, ItemId, Origin
from localmem.engine import Engine
from localmem.store.sqlite import open_store


def main(path: str, name: str, count: int, mode: str) -> None:
    actor = Actor(AuthorKind.AGENT, name, Origin.MCP)
    engine = Engine(open_store(Path(path), ids.now), ids.now, ids.TimeOrderedIds(), actor)
    kept: list[ItemId] = []
    for n in range(count):
        result = engine.facts.add(f"{name} wrote number {n} " + "padding " * 40)
        assert isinstance(result, Saved)
        kept.append(result.item.id)
        say(f"kept {result.item.id}")
        if mode == "mixed" and n % 3 == 1:
            engine.facts.edit(kept[-1], text=f"{name} edited number {n}")
            say(f"edited {kept[-1]}")
        if mode == "mixed" and n % 7 == 6:
            gone = kept.pop(0)
            engine.forgetting.forget([gone])
            say(f"forgot {gone}")
    engine.close()


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
