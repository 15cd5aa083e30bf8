"""An interpreter with numpy and the questions: what the memory of the others is measured from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from peers.protocol import Facts, Question, serve


class Bare:
    def open(self, folder: Path, data: Path, options: dict[str, Any]) -> None: ...
    def add_many(self, facts: Facts) -> None: ...
    def add_one(self, facts: Facts) -> None: ...
    def settle(self) -> None: ...

    def search(self, question: Question) -> Sequence[str]:
        return ()

    def count(self) -> int:
        return 0

    def durability(self) -> str:
        return ""


if __name__ == "__main__":
    serve(Bare())
