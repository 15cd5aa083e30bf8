"""Starts a server that counts (counting.py) and a client that is driven by lines of JSON."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from peers.process import BENCH, OFFLINE

from syncing.counting import PATH

QUIET = 0.3
"""Seconds without a request after which none is on its way any more."""
Command = Sequence[str | Path]


def environment(home: Path) -> Mapping[str, str]:
    home.mkdir(parents=True, exist_ok=True)
    return {**os.environ, **OFFLINE, "no_proxy": "127.0.0.1", "HOME": str(home)}


class Server:
    def __init__(self, url: str) -> None:
        self.url = url
        self._address = urlsplit(url).netloc

    def spent(self) -> tuple[int, float]:
        """(requests, seconds of its processor), once nobody asks it for anything any more."""
        seen = self._spent()
        while True:
            time.sleep(QUIET)
            now = self._spent()
            if now[0] == seen[0]:
                return now
            seen = now

    def _spent(self) -> tuple[int, float]:
        with closing(http.client.HTTPConnection(self._address, timeout=60)) as connection:
            connection.request("GET", PATH)
            said = json.loads(connection.getresponse().read())
        return said["requests"], said["cpu"]


@contextmanager
def served(command: Command, folder: Path) -> Iterator[Server]:
    """Of a command that prints its address once it listens."""
    home = folder / "server-home"
    log = folder / "server.log"
    with subprocess.Popen(
        command, cwd=BENCH, env=environment(home), stdout=subprocess.PIPE, stderr=log.open("w"),
        text=True,
    ) as running:  # fmt: skip
        try:
            assert running.stdout is not None
            url = running.stdout.readline().strip()
            if not url:
                raise SystemExit(f"{command[-1]} did not start:\n{log.read_text()[-3000:]}")
            yield Server(url)
        finally:
            running.terminate()


class Client:
    """A process that answers as client.mjs does."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self._process = process
        self._log = log

    def ask(self, verb: str, **values: Any) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"verb": verb, **values}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{verb} failed:\n{self._log.read_text()[-3000:]}")
        return json.loads(line)["answer"]


@contextmanager
def driven(command: Command, folder: Path) -> Iterator[Client]:
    log = folder / "client.log"
    with subprocess.Popen(
        command, cwd=BENCH, env=environment(folder / "client-home"), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=log.open("w"), text=True,
    ) as running:  # fmt: skip
        try:
            yield Client(running, log)
        finally:
            running.terminate()
