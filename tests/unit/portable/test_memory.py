"""FR-101: a file of any size costs the memory of its longest element."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Callable, Iterator

import pytest

from localmem import portable
from tests.support import exports

_MB = 1_000_000


class Endless(io.RawIOBase):
    """A file as long as its parts, which are made while they are read."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        super().__init__()
        self._parts, self._left = parts, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while len(self._left) < len(buffer):
            part = next(self._parts, b"")
            if not part:
                break
            self._left += part
        data, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


_LONG = "says something that is kept, at length. " * 100
"""4 KB, so that a few thousand are more than a test may take."""


def sentences(count: int) -> Iterator[bytes]:
    for number in range(count):
        yield f"Sentence {number} {_LONG}\n".encode()


def records(count: int) -> Iterator[bytes]:
    for number in range(count):
        held = {"text": f"Sentence {number} {_LONG}", "tags": ["a"], "id": str(number)}
        yield json.dumps(held).encode() + b"\n"


def listed(count: int) -> Iterator[bytes]:
    yield b'{"results": ['
    for number in range(count):
        held = {"memory": f"Sentence {number} {_LONG}"}
        yield (b"," if number else b"") + json.dumps(held).encode()
    yield b"]}"


def conversations(count: int) -> Iterator[bytes]:
    talk = exports.conversation("t", *exports.remembering(_LONG, "Kept.") * 8)
    whole = json.dumps(talk).encode()
    yield b"["
    for number in range(count):
        yield (b"," if number else b"") + whole
    yield b"]"


@pytest.mark.parametrize(
    ("parts", "count", "found"),
    [(sentences, 8_000, 8_000), (records, 8_000, 8_000), (listed, 8_000, 8_000),
     (conversations, 800, 6_400)],
    ids=["sentences", "records", "a list in an object", "conversations"],
)  # fmt: skip
def test_a_file_of_thirty_megabytes_takes_a_few(
    parts: Callable[[int], Iterator[bytes]], count: int, found: int
) -> None:
    endless = Endless(parts(count))
    with portable.open_source(io.BufferedReader(endless)) as source:
        tracemalloc.start()
        try:
            read = sum(1 for _ in source)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert read == found
        assert source.read_bytes > 24 * _MB
    assert peak < 8 * _MB
