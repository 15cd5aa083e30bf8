"""A library for tests: a clock that stands still, actors, and a small model made of words."""

from __future__ import annotations

import hashlib
import math
import shutil
from array import array
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

from localmem import demo
from localmem.core import words
from localmem.core.model import Actor, AuthorKind, Millis, Origin
from localmem.core.ports import Clock, Embedder
from localmem.core.records import Model
from localmem.engine import Engine
from localmem.ids import TimeOrderedIds
from localmem.store.sqlite import open_store

NOW: Millis = 1_796_061_600_000
"""2026-11-30T18:00:00Z."""

PERSON = Actor(AuthorKind.PERSON, "you", Origin.TUI)
AGENT = Actor(AuthorKind.AGENT, "shop-agent", Origin.MCP)
BACKEND = Actor(AuthorKind.BACKEND, "orders", Origin.HTTP)


class FixedClock:
    """Moves only when told to."""

    def __init__(self, now: Millis = NOW) -> None:
        self.now = now

    def __call__(self) -> Millis:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += int(seconds * 1000)


class WordsEmbedder:
    """A model for tests: texts that share words, or words listed as alike, point the same way."""

    def __init__(self, dimensions: int = 192, name: str = "test-words", version: str = "1") -> None:
        self._model = Model(name, version, dimensions)
        self.embedded = 0
        """Texts embedded so far."""

    @property
    def model(self) -> Model:
        return self._model

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.embedded += len(texts)
        return [self._vector(text) for text in texts]

    def embed_question(self, text: str) -> bytes:
        return self.embed([text])[0]

    def _vector(self, text: str) -> bytes:
        values = [1e-6] * self._model.dimensions
        for word in words.index_text(text).split():
            digest = hashlib.sha256(word.encode()).digest()
            values[digest[0] % len(values)] += 1.0
            values[digest[1] % len(values)] += 0.5
        length = math.sqrt(sum(value * value for value in values))
        return array("f", [value / length for value in values]).tobytes()


def open_library(
    path: Path | str,
    clock: Clock,
    *,
    actor: Actor = PERSON,
    embedder: Embedder | None = None,
    cached: bool = False,
    vectors: bool = True,
) -> Engine:
    """An engine over a real store at `path`; `embedder` is attached at once."""
    store = open_store(path, clock, cached=cached, vectors=vectors)
    load = (lambda: embedder) if embedder is not None else None
    engine = Engine(store, clock, TimeOrderedIds(clock), actor, load_embedder=load)
    engine.meaning.ensure()
    return engine


def put_blank(blank: Path | None, path: Path) -> None:
    """Put a library that holds nothing where none is: it is made once, not for each test."""
    if blank is not None and not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy(blank, path)


def fill_sample(path: Path | str, clock: FixedClock) -> None:
    """Write the sample library of `localmem demo` to a file, as of the clock's time in UTC."""
    rewound = demo.Rewound(clock)
    engine = open_library(path, rewound)
    demo.fill(engine, rewound, UTC)
    engine.close()
