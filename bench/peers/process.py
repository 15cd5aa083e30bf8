"""Starts the script of a peer and asks it; what it does is timed there, not here."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

BENCH = Path(__file__).parents[1]
OFFLINE = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "LANCEDB_TELEMETRY": "False",
    "http_proxy": "http://127.0.0.1:9",
    "https_proxy": "http://127.0.0.1:9",
    "no_proxy": "",
}
"""Nobody listens at that port: what tries to go online all the same fails at once."""


@dataclass(slots=True)
class Process:
    """One process of a peer, with one store open."""

    script: str
    """Of this package."""
    python: Path
    folder: Path
    """Where its store lies; a home for whatever else it writes."""
    data: Path
    options: dict[str, Any] = field(default_factory=dict)
    opened: dict[str, Any] = field(default_factory=dict)
    _process: subprocess.Popen[str] = field(init=False)

    def __enter__(self) -> Process:
        self.folder.mkdir(parents=True, exist_ok=True)
        home = self.folder.with_name(f"{self.folder.name}-home")
        home.mkdir(exist_ok=True)
        self._process = subprocess.Popen(
            [str(self.python), "-m", f"peers.{self.script}"],
            cwd=BENCH,
            env=_environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(home / "stderr").open("w"),
            text=True,
        )
        self.opened = self.ask(
            "open", folder=str(self.folder), data=str(self.data), options=self.options
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def ask(self, verb: str, **values: Any) -> dict[str, Any]:
        """The answer of one verb of the protocol."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"verb": verb, **values}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            home = self.folder.with_name(f"{self.folder.name}-home")
            raise SystemExit(f"{self.script} gave up:\n{(home / 'stderr').read_text()[-3000:]}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def size(self) -> float:
        """MB of the store's files."""
        files = (file for file in self.folder.rglob("*") if file.is_file())
        return sum(file.stat().st_size for file in files) / 1e6


def _environment(home: Path) -> Mapping[str, str]:
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return inherited | OFFLINE | {"HOME": str(home)}
