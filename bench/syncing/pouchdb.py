"""PouchDB over LevelDB and express-pouchdb over the same: on a disk, but without fsync."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from syncing.lines import Lines
from syncing.packages import Installable, NodePackage, need, node
from syncing.processes import driven, served
from syncing.protocol import Opened, System

FOLDER = "pouchdb"
# express-pouchdb answers nothing under express 5.
REQUIREMENTS = ("pouchdb-node", "express-pouchdb", "express@4")
PACKAGES: dict[str, Installable] = {
    "PouchDB": NodePackage("pouchdb-node", FOLDER, REQUIREMENTS),
    "express-pouchdb": NodePackage("express-pouchdb", FOLDER, REQUIREMENTS),
}
DEFAULT_BATCH = 100


def opened(batch: int = DEFAULT_BATCH) -> Opened:
    """With the batch size of its replication, which is 100 unless told."""

    @contextmanager
    def opening(folder: Path, peers: Path) -> Iterator[System]:
        need(peers, *PACKAGES.values())
        installed = peers / FOLDER
        server, client = folder / "served", folder / "devices"
        for each in (server, client):
            each.mkdir()
        serve = (node(), "syncing/pouchdb_served.mjs", installed, server)
        with served(serve, folder) as running:
            drive = (node(), "syncing/pouchdb_client.mjs", installed, client, running.url)
            with driven((*drive, str(batch)), folder) as driver:
                driver.ask("prepare")
                yield Lines(running, driver)

    return opening
