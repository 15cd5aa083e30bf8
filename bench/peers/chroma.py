"""chromadb: a persistent client, its default index (HNSW, cosine), no embedding function."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from peers.protocol import BEST, Facts, Question, serve


class Chroma:
    def open(self, folder: Path, data: Path, options: dict[str, Any]) -> None:
        import chromadb
        from chromadb.config import Settings

        client = chromadb.PersistentClient(
            path=str(folder), settings=Settings(anonymized_telemetry=False)
        )
        self.most = client.get_max_batch_size()
        self.facts = client.get_or_create_collection(
            "facts", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )

    def add_many(self, facts: Facts) -> None:
        for at in range(0, len(facts.texts), self.most):
            part = slice(at, at + self.most)
            self.facts.add(
                ids=[str(number) for number in facts.numbers[part]],
                documents=facts.texts[part],
                metadatas=[{"scope": scope} for scope in facts.scopes[part]],
                embeddings=facts.vectors[part],
            )

    def add_one(self, facts: Facts) -> None:
        self.add_many(facts)

    def settle(self) -> None: ...

    def search(self, question: Question) -> Sequence[str]:
        assert question.vector is not None
        found = self.facts.query(
            query_embeddings=question.vector[None, :],
            n_results=BEST,
            where={"scope": question.scope} if question.scope else None,
        )
        documents = found["documents"]
        assert documents is not None
        return documents[0]

    def count(self) -> int:
        return self.facts.count()

    def durability(self) -> str:
        return "rollback journal: fsync at every add"


if __name__ == "__main__":
    serve(Chroma())
