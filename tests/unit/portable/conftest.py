"""Files of memories, written and read back as values."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from localmem import portable
from localmem.core.incoming import Incoming, Line, Unreadable
from localmem.core.model import FactContent
from tests.support.library import NOW


@dataclass
class Read:
    """What a file offered."""

    source: portable.Source
    values: list[Line]

    @property
    def memories(self) -> list[Incoming]:
        return [value for value in self.values if isinstance(value, Incoming)]

    @property
    def texts(self) -> list[str]:
        return [each.content.text for each in self.memories
                if isinstance(each.content, FactContent)]  # fmt: skip

    @property
    def bad(self) -> list[tuple[int, str]]:
        return [(value.line, value.why) for value in self.values if isinstance(value, Unreadable)]

    def metadata(self, at: int = 0) -> dict[str, str]:
        content = self.memories[at].content
        assert isinstance(content, FactContent)
        return dict(content.metadata)

    def paths(self) -> list[str | None]:
        return [each.content.path for each in self.memories
                if isinstance(each.content, FactContent)]  # fmt: skip


def read_file(place: Any, format: str | None = None) -> Read:
    with portable.open_source(place, format=format, now=NOW) as source:
        return Read(source, list(source))


Given = Callable[..., Read]


@pytest.fixture
def given(tmp_path: Path) -> Given:
    """Writes a file and reads it: text, bytes, or anything JSON can say."""

    def made(held: Any, name: str = "memories.txt", format: str | None = None) -> Read:
        path = tmp_path / name
        if isinstance(held, bytes):
            path.write_bytes(held)
        else:
            path.write_text(held if isinstance(held, str) else json.dumps(held), "utf-8")
        return read_file(path, format)

    return made
