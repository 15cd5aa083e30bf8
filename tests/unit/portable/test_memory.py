"""FR-101: a file of any size costs the memory of its longest element."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator

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


def sentences(count: int) -> Iterator[bytes]:
    for number in range(0, count, 100):
        yield b"".join(
            b"Sentence %d says something that is kept.\n" % (number + n) for n in range(100)
        )


def records(count: int) -> Iterator[bytes]:
    for number in range(count):
        yield (
            json.dumps({"text": f"Sentence {number}", "tags": ["a"], "id": str(number)}).encode()
            + b"\n"
        )


def listed(count: int) -> Iterator[bytes]:
    yield b'{"results": ['
    for number in range(count):
        yield (b"," if number else b"") + json.dumps({"memory": f"Sentence {number}"}).encode()
    yield b"]}"


def conversations(count: int) -> Iterator[bytes]:
    talk = exports.conversation("t", *exports.remembering("said " * 40, "Kept.") * 8)
    whole = json.dumps(talk).encode()
    yield b"["
    for number in range(count):
        yield (b"," if number else b"") + whole
    yield b"]"


@pytest.mark.parametrize(
    ("parts", "count", "least"),
    [(sentences, 60_000, 60_000), (records, 15_000, 15_000), (listed, 15_000, 15_000),
     (conversations, 400, 3_200)],
    ids=["sentences", "records", "a list in an object", "conversations"],
)  # fmt: skip
def test_a_long_file_from_a_pipe_takes_a_few_megabytes(
    parts: object, count: int, least: int
) -> None:
    assert callable(parts)
    stream = io.BufferedReader(Endless(parts(count)))
    with portable.open_source(stream) as source:
        tracemalloc.start()
        try:
            found = sum(1 for _ in source)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert found == least
    assert peak < 12 * _MB
