"""lancedb: one table with a scope column, searched exactly, which is what it does without an index.

An index of it is approximate and built by hand; with 10,000 rows its pages advise against one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy

from peers.protocol import BEST, Facts, Question, serve


class Lance:
    def open(self, folder: Path, data: Path, options: dict[str, Any]) -> None:
        import lancedb
        import pyarrow

        self.arrow = pyarrow
        self.dimensions = numpy.load(data / "questions.npy", mmap_mode="r").shape[1]
        schema = pyarrow.schema(
            [
                ("number", pyarrow.int64()),
                ("text", pyarrow.string()),
                ("scope", pyarrow.string()),
                ("vector", pyarrow.list_(pyarrow.float32(), self.dimensions)),
            ]
        )
        self.table = lancedb.connect(str(folder)).create_table(
            "facts", schema=schema, exist_ok=True
        )

    def add_many(self, facts: Facts) -> None:
        flat = numpy.ascontiguousarray(facts.vectors).ravel()
        self.table.add(
            self.arrow.table(
                {
                    "number": list(facts.numbers),
                    "text": facts.texts,
                    "scope": facts.scopes,
                    "vector": self.arrow.FixedSizeListArray.from_arrays(flat, self.dimensions),
                }
            )
        )

    def add_one(self, facts: Facts) -> None:
        self.add_many(facts)

    def settle(self) -> None: ...

    def search(self, question: Question) -> Sequence[str]:
        assert question.vector is not None
        found = self.table.search(question.vector).distance_type("cosine").limit(BEST)
        if question.scope:
            found = found.where(f"scope = '{question.scope}'")
        return [str(hit["text"]) for hit in found.to_list()]

    def count(self) -> int:
        return self.table.count_rows()

    def durability(self) -> str:
        return "new files, no fsync"


if __name__ == "__main__":
    serve(Lance())
