"""mcp-memory-service: its sqlite_vec storage class in this process, its embedder replaced.

The service embeds what it stores; here its embedder looks the given vectors up, so that no model
and no network is in the figures. Its search for near duplicates is off: it would refuse facts that
only sound alike, and each add would pay for a search.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy

from peers.protocol import BEST, Facts, Question, serve


class Lookup:
    """Stands where its model would."""

    def __init__(self, dimensions: int) -> None:
        self.embedding_dimension = dimensions
        self.known: dict[str, numpy.ndarray] = {}

    def encode(self, texts: Sequence[str], convert_to_numpy: bool = False) -> numpy.ndarray:
        return numpy.stack([self.known[text] for text in texts])


class MemoryService:
    def open(self, folder: Path, data: Path, options: dict[str, Any]) -> None:
        os.environ.update(
            MCP_MEMORY_BASE_DIR=str(folder / "base"),
            MCP_MEMORY_STORAGE_BACKEND="sqlite_vec",
            MCP_SEMANTIC_DEDUP_ENABLED="false",
        )
        logging.disable(logging.WARNING)
        from mcp_memory_service.models.memory import Memory
        from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage
        from mcp_memory_service.utils.hashing import generate_content_hash

        shape = numpy.load(data / "questions.npy", mmap_mode="r").shape
        self.lookup = lookup = Lookup(shape[1])
        self.memory, self.digest = Memory, generate_content_hash

        class Given(SqliteVecMemoryStorage):
            async def _initialize_embedding_model(self) -> None:
                self.embedding_model = lookup
                self.embedding_dimension = lookup.embedding_dimension

        self.loop = asyncio.new_event_loop()
        self.storage = Given(str(folder / "memory.db"))
        self.loop.run_until_complete(self.storage.initialize())

    def _memories(self, facts: Facts) -> list[Any]:
        self.lookup.known.update(zip(facts.texts, facts.vectors, strict=True))
        return [
            self.memory(
                content=text,
                content_hash=self.digest(text),
                tags=[scope],
            )
            for text, scope in zip(facts.texts, facts.scopes, strict=True)
        ]

    def add_many(self, facts: Facts) -> None:
        answers = self.loop.run_until_complete(self.storage.store_batch(self._memories(facts)))
        _check(answers)

    def add_one(self, facts: Facts) -> None:
        (memory,) = self._memories(facts)
        storing = self.storage.store(memory, skip_semantic_dedup=True)
        _check([self.loop.run_until_complete(storing)])

    def settle(self) -> None: ...

    def search(self, question: Question) -> Sequence[str]:
        assert question.vector is not None
        self.lookup.known[question.text] = question.vector
        tags = [question.scope] if question.scope else None
        asking = self.storage.retrieve(question.text, n_results=BEST, tags=tags)
        found = self.loop.run_until_complete(asking)
        return [hit.memory.content for hit in found]

    def count(self) -> int:
        return int(self.loop.run_until_complete(self.storage.count_all_memories(store=None)))

    def durability(self) -> str:
        (level,) = self.storage.conn.execute("PRAGMA synchronous").fetchone()
        (journal,) = self.storage.conn.execute("PRAGMA journal_mode").fetchone()
        name = ("OFF", "NORMAL", "FULL", "EXTRA")[level]
        return f"{journal}, synchronous={name}" + (": no fsync in between" if level < 2 else "")


def _check(answers: Sequence[tuple[bool, str]]) -> None:
    refused = [why for kept, why in answers if not kept]
    if refused:
        raise SystemExit(f"{len(refused)} were refused: {refused[0]}")


if __name__ == "__main__":
    serve(MemoryService())
