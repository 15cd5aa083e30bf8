"""kinto.js over fake-indexeddb, Kinto over its backend of memory: nothing is on a disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from peers.venvs import Package

from syncing.lines import Lines
from syncing.packages import Installable, NodePackage, need, node
from syncing.processes import driven, served
from syncing.protocol import System

KINTO = Package("kinto", "kinto", ("kinto", "waitress"))
KINTO_JS = NodePackage("kinto", "kinto-js", ("kinto", "fake-indexeddb"))
PACKAGES: dict[str, Installable] = {"Kinto": KINTO, "kinto.js": KINTO_JS}


@contextmanager
def opened(folder: Path, peers: Path) -> Iterator[System]:
    need(peers, KINTO, KINTO_JS)
    command = (KINTO.python(peers), "-m", "syncing.kinto_served")
    client = (node(), "syncing/kinto_client.mjs", peers / KINTO_JS.folder)
    with served(command, folder) as server, driven((*client, server.url), folder) as driver:
        driver.ask("prepare")
        yield Lines(server, driver)
