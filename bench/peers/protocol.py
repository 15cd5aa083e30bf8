"""What a script of a peer answers: one JSON line a question, timed inside the process.

    {"verb": "open", "folder": ..., "data": ..., "options": {...}}      imports the peer as well
    {"verb": "add_many", "first": 0, "last": 10000}     as the peer takes many at once
    {"verb": "add_one", "first": 0, "last": 250}        a call for each; its times are in "each"
    {"verb": "settle"}                                  whatever was put off until later
    {"verb": "search", "rows": [0, 1]}      the given questions, or "texts": [...] without vectors;
                                            "scope": only there; "mode": ours alone has some
    {"verb": "stats"}                                   memory in MB, and what holds how many facts

Every answer has "wall" and "cpu" in seconds. Wall is `perf_counter`, cpu is `process_time`, which
counts every thread; neither counts the pipe.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy

BEST = 10
"""Hits a search returns."""
Times = tuple[float, float]
"""(wall, cpu) in seconds."""


@dataclass(frozen=True, slots=True)
class Facts:
    texts: list[str]
    scopes: list[str]
    vectors: numpy.ndarray
    """One unit vector a row, float32."""
    first: int
    """Number of the first."""

    @property
    def numbers(self) -> range:
        return range(self.first, self.first + len(self.texts))


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    vector: numpy.ndarray | None
    """None where the peer embeds it."""
    scope: str
    """Facts of other scopes are no hits; "" is the whole store."""
    mode: str


class Peer(Protocol):
    def open(self, folder: Path, data: Path, options: dict[str, Any]) -> None: ...
    def add_many(self, facts: Facts) -> None: ...
    def add_one(self, facts: Facts) -> None:
        """Of exactly one fact; it can be found by meaning afterwards unless `settle` is to come."""
        ...

    def settle(self) -> None: ...
    def search(self, question: Question) -> Sequence[str]:
        """Texts of the BEST hits, nearest first."""
        ...

    def count(self) -> int: ...
    def durability(self) -> str:
        """What of a write is on the disk when the call returns, in a few words."""
        ...


@dataclass(slots=True)
class Data:
    """What is read of the folder of `given.py`, no more than is asked for."""

    folder: Path
    _facts: Facts | None = field(default=None)
    _questions: tuple[list[str], numpy.ndarray] | None = field(default=None)

    def facts(self, first: int, last: int) -> Facts:
        if self._facts is None:
            held = json.loads((self.folder / "facts.json").read_text("utf-8"))
            vectors = numpy.load(self.folder / "facts.npy", mmap_mode="r")
            self._facts = Facts(held["texts"], held["scopes"], vectors, 0)
        whole = self._facts
        vectors = numpy.array(whole.vectors[first:last])
        return Facts(whole.texts[first:last], whole.scopes[first:last], vectors, first)

    def question(self, row: int) -> tuple[str, numpy.ndarray]:
        if self._questions is None:
            texts = json.loads((self.folder / "questions.json").read_text("utf-8"))
            self._questions = texts, numpy.load(self.folder / "questions.npy")
        texts, vectors = self._questions
        return texts[row], vectors[row]


def serve(peer: Peer) -> None:
    """Answer until there are no more lines."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what a peer prints is no answer
    data = Data(Path())
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["verb"] == "open":
            data = Data(Path(asked["data"]))
        answers.write(json.dumps(_answer(peer, data, asked)) + "\n")
        answers.flush()


def _answer(peer: Peer, data: Data, asked: dict[str, Any]) -> dict[str, Any]:
    match asked["verb"]:
        case "open":
            opened = _timed(lambda: peer.open(Path(asked["folder"]), data.folder, asked["options"]))
            return _whole([opened])
        case "add_many":
            facts = data.facts(asked["first"], asked["last"])
            return _whole([_timed(lambda: peer.add_many(facts))])
        case "add_one":
            singles = [data.facts(row, row + 1) for row in range(asked["first"], asked["last"])]
            each = [_timed(lambda one=one: peer.add_one(one)) for one in singles]
            return _whole(each) | {"each": each}
        case "settle":
            return _whole([_timed(peer.settle)])
        case "search":
            return _searched(peer, list(_questions(data, asked)))
        case "stats":
            kept = {"count": peer.count(), "durability": peer.durability()}
            return _whole([]) | memory() | kept
    raise ValueError(asked["verb"])


def _questions(data: Data, asked: dict[str, Any]) -> Iterator[Question]:
    scope, mode = asked.get("scope", ""), asked.get("mode", "")
    for row in asked.get("rows", ()):
        yield Question(*data.question(row), scope, mode)
    for text in asked.get("texts", ()):
        yield Question(text, None, scope, mode)


def _searched(peer: Peer, questions: Sequence[Question]) -> dict[str, Any]:
    hits: list[Sequence[str]] = []
    each = [_timed(lambda one=one: hits.append(peer.search(one))) for one in questions]
    return _whole(each) | {"each": each, "hits": hits}


def _timed(what: Callable[[], object]) -> Times:
    wall, cpu = time.perf_counter(), time.process_time()
    what()
    return time.perf_counter() - wall, time.process_time() - cpu


def _whole(each: list[Times]) -> dict[str, Any]:
    return {"wall": sum(wall for wall, _ in each), "cpu": sum(cpu for _, cpu in each)}


def memory() -> dict[str, float]:
    """Of this process in MB: all that is resident, and what of it no file backs."""
    lines = Path("/proc/self/status").read_text().splitlines()
    held = {name: value.split() for name, _, value in (line.partition(":") for line in lines)}
    return {
        "resident": int(held["VmRSS"][0]) / 1024,
        "private": int(held["RssAnon"][0]) / 1024,
    }
