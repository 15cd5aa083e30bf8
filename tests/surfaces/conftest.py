"""The command line in this process, on a real library in tmp_path and streams of our own."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import localmem.embed
from localmem import ids, wiring
from localmem.cli.main import run
from localmem.core.model import Actor, Origin
from localmem.engine import Engine
from tests.support.library import FixedClock, WordsEmbedder


class Stream(io.TextIOWrapper):
    """A text stream over bytes that may claim to be a terminal."""

    def __init__(self, content: bytes = b"", *, terminal: bool = False, encoding: str = "utf-8"):
        super().__init__(io.BytesIO(content), encoding=encoding, write_through=True, newline="\n")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    @property
    def written(self) -> str:
        held = self.buffer
        assert isinstance(held, io.BytesIO)
        return held.getvalue().decode(self.encoding)


@dataclass(frozen=True, slots=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        return json.loads(self.err)


@dataclass(slots=True)
class Cli:
    """Runs command lines as a script does, or as a person at a terminal."""

    monkeypatch: pytest.MonkeyPatch
    home: Path
    clock: FixedClock
    terminal: bool = False
    encoding: str = "utf-8"

    def __call__(
        self, *argv: str, typed: str | bytes = b"", terminal: bool | None = None
    ) -> Result:
        wanted = self.terminal if terminal is None else terminal
        raw = typed.encode() if isinstance(typed, str) else typed
        out = Stream(terminal=wanted, encoding=self.encoding)
        err = Stream(terminal=wanted, encoding=self.encoding)
        with self.monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", Stream(raw, terminal=wanted))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = run(list(argv))
        assert isinstance(code, int)
        return Result(int(code), out.written, err.written)

    def ok(self, *argv: str, typed: str | bytes = b"") -> Result:
        """A run that must succeed."""
        result = self(*argv, typed=typed)
        assert result.code == 0, result.err
        return result

    def new(self, *argv: str) -> str:
        """Keep something and get its id."""
        shape = self.ok(*argv, "--json").json
        return str(shape.get("id") or shape.get("memory_id"))

    def engine(self, actor: Actor | None = None) -> Engine:
        """The same library, underneath; the caller closes it."""
        return wiring.open_engine(
            wiring.home(), actor or wiring.person(Origin.CLI), long_lived=False, meaning=False
        )


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: FixedClock) -> Cli:
    """LOCALMEM_HOME in tmp_path; time stands still; ids count up; the zone is UTC."""
    home = tmp_path / "home-of-localmem"
    numbers = count(1)

    def next_id() -> str:
        return f"{next(numbers):08x}-0000-7000-8000-000000000000"

    monkeypatch.setenv("LOCALMEM_HOME", str(home))
    monkeypatch.delenv("LOCALMEM_DEBUG", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(ids, "now", clock)
    monkeypatch.setattr(ids, "TimeOrderedIds", lambda: next_id)
    monkeypatch.setattr(wiring, "zone", lambda: UTC)
    return Cli(monkeypatch, home, clock)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> WordsEmbedder:
    """A small model in the place of the bundled one."""
    embedder = WordsEmbedder()
    monkeypatch.setattr(localmem.embed, "load", lambda *_, **__: embedder)
    return embedder


@pytest.fixture
def explodes(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes loading the model fail with the given sentence, or prove that nobody tried."""
    from localmem.errors import ModelUnavailable

    def make(sentence: str) -> None:
        def load(*_: object, **__: object) -> WordsEmbedder:
            raise ModelUnavailable(sentence)

        monkeypatch.setattr(localmem.embed, "load", load)

    return make
