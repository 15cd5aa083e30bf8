"""localmem through its own engine, as the app opens it: one long-lived process.

Many at once is an import (`engine.imports`, as `localmem import` runs it), one is what `n` and
`localmem add` run, `engine.facts.add`; vectors follow through `engine.meaning.embed_waiting`, as in
the app. With the option "embedding": "given" the port `Embedder` looks the vectors up, with
"bundled" it is the product's own model.

Modes of a search: "both" is the app's; "words" is the app's while there is no model; "meaning" is
the same question embedded and the nearest items looked up, which no surface offers by itself.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as wiring does for the app

from peers.protocol import BEST, Facts, Question, serve

if TYPE_CHECKING:
    from localmem.core.ports import Embedder
    from localmem.core.records import Model
    from localmem.engine import Engine

FILE = "library.db"


class Lookup:
    """The port `Embedder` over vectors that are there already."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.known: dict[str, bytes] = {}

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [self.known[text] for text in texts]

    def embed_question(self, text: str) -> bytes:
        return self.known[text]


class Ours:
    def open(self, folder: Path, data: Path, options: dict[str, Any]) -> None:
        """Options: "embedding"; "key", in hex, of an encrypted library; "later": vectors follow."""
        import localmem.engine.imports  # noqa: F401  opening imports all that is asked later
        from localmem import ids
        from localmem.core.model import Actor, AuthorKind, Origin
        from localmem.core.records import Model
        from localmem.engine import Engine
        from localmem.store.sqlite import open_store

        self.later = options.get("later", False)
        self.lookup = Lookup(Model(**json.loads((data / "model.json").read_text())))
        key = bytes.fromhex(options.get("key", ""))
        self.store = open_store(folder / FILE, ids.now, cached=True, key=lambda: key)
        actor = Actor(AuthorKind.PERSON, "you", Origin.TUI)

        def load() -> Embedder:
            if options.get("embedding") != "bundled":
                return self.lookup
            from localmem import embed

            return embed.load(cache_dir=data / "cache")

        made = ids.TimeOrderedIds()
        self.words = Engine(self.store, ids.now, made, actor)
        self.engine = Engine(self.store, ids.now, made, actor, load_embedder=load)
        self.engine.meaning.ensure()

    def add_many(self, facts: Facts) -> None:
        from localmem.core import scope
        from localmem.core.incoming import Incoming
        from localmem.core.model import FactContent
        from localmem.engine.imports import Rules, batches

        self._know(facts)
        lines = (
            Incoming(number + 1, FactContent(text), scope=scope.parse(place))
            for number, text, place in zip(facts.numbers, facts.texts, facts.scopes, strict=True)
        )
        imports, rules = self.engine.imports, Rules()
        run = imports.begin("facts", "list", "", rules)
        for batch in batches(lines):
            run = imports.take(run, batch, rules).run
        run = imports.finish(run)
        if run.counts.new != len(facts.texts):
            raise SystemExit(f"{run.counts} of {len(facts.texts)}")
        if not self.later:
            self.settle()

    def add_one(self, facts: Facts) -> None:
        from localmem.core import scope
        from localmem.core.change import Saved

        self._know(facts)
        saved = self.engine.facts.add(facts.texts[0], scope=scope.parse(facts.scopes[0]))
        assert isinstance(saved, Saved)
        if not self.later:
            self.settle()

    def settle(self) -> None:
        while self.engine.meaning.embed_waiting():
            pass

    def _know(self, facts: Facts) -> None:
        for text, vector in zip(facts.texts, facts.vectors, strict=True):
            self.lookup.known[text] = vector.tobytes()

    def search(self, question: Question) -> Sequence[str]:
        if question.vector is not None:
            self.lookup.known[question.text] = question.vector.tobytes()
        match question.mode:
            case "words":
                return self._asked(self.words, question)
            case "meaning":
                return self._nearest(question)
        return self._asked(self.engine, question)

    def _asked(self, engine: Engine, question: Question) -> list[str]:
        from datetime import UTC

        from localmem.core import query

        narrowed = f"{question.text} scope:{question.scope}" if question.scope else question.text
        asked = query.parse(narrowed, now=engine.now(), zone=UTC)
        found = engine.recall.search(asked, limit=BEST, floor=None)
        return [hit.item.head.content.text for hit in found.hits]

    def _nearest(self, question: Question) -> list[str]:
        from localmem.core import scope
        from localmem.core.records import Where
        from localmem.engine.recall import NEAREST

        where = Where(scopes=(scope.parse(question.scope),) if question.scope else ())
        with self.store.reading():
            vector = self.engine.meaning.question(question.text)
            if vector is None:
                return []
            near = self.store.finder.by_meaning(vector, where, NEAREST)
            best = sorted(near, key=lambda row: -near[row])[:BEST]
            items = self.store.items.many(best)
            return [items[row].head.content.text for row in best if row in items]

    def count(self) -> int:
        from localmem.core.records import Where

        with self.store.reading():
            return self.store.finder.size(Where())

    def durability(self) -> str:
        return "wal, synchronous=FULL: fsync at every commit"


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    serve(Ours())
