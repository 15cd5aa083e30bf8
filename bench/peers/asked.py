"""The engine alone, asked what the server's search asks it: the same library, the same question."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from peers.ours import Ours
from peers.protocol import BEST, Question, serve


class Asked(Ours):
    def search(self, question: Question) -> Sequence[str]:
        from localmem.core.model import Kind
        from localmem.core.query import Query
        from localmem.core.scope import PROJECT

        if question.vector is not None:
            self.lookup.known[question.text] = question.vector.tobytes()
        words = question.text
        query = Query(text=words, meaning=words, scopes=(PROJECT,), kinds=(Kind.FACT,))
        found = self.engine.recall.search(query, limit=BEST, floor=None)
        return [hit.item.head.content.text for hit in found.hits]


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    serve(Asked())
