"""What the memory vendor's SDKs are asked against: a process, its keys, and how often it was asked.

A server counts what it answers in its own log, one line a request, so a request that an SDK sends
again by itself shows there whatever the SDK says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx

from localmem import ids
from localmem.core import scope
from localmem.core.incoming import Incoming
from localmem.core.model import Actor, AuthorKind, FactContent, Origin
from localmem.engine import Engine
from localmem.engine.imports import Rules, batches
from localmem.hosting.issuing import Issuing
from localmem.server.limits import month
from localmem.server.operations import OPERATIONS
from localmem.server.operations.operation import Operation
from localmem.store.hosting.database import open_hosting
from localmem.store.sqlite import open_store
from tests.server.conftest import Process

TABLE = {each.name for each in OPERATIONS if isinstance(each, Operation)}
FULL = "conversation:full"
"""As many facts as a scope may have (memory-api, "Limits")."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A server with keys of every kind a client is refused for."""

    url: str
    everything: str
    reader: str
    spent: str
    """Of a space whose units of this month are used up."""
    log: Path
    process: Process

    def served(self) -> list[tuple[str, int]]:
        """Stops the server; (operation, status) of every request it answered, in order."""
        self.process.running.terminate()
        self.process.running.wait(30)
        said = self.log.read_text("utf-8").splitlines()
        lines = (json.loads(line) for line in said if line.startswith("{"))
        return [
            (line["operation"], line["status"]) for line in lines if line["event"] == "request"
        ][1:]


def set_up(process: Process) -> Stage:
    """Asks the server once itself, for the library of the first key to be there."""
    key = process.new_key("everything")
    me = httpx.get(f"{process.url}/v1/me", headers={"Authorization": f"Bearer {key}"}).json()
    _fill(process.folder / "spaces" / me["project"]["id"] / "live.db")
    with closing(open_hosting(process.folder / "server.db")) as store:
        spent = Issuing(store, ids.now).create_space("spent", "free")
        with store.writing():
            store.ledger.add_units({(spent.id, month(ids.now())): 250_000})
    return Stage(
        process.url,
        key,
        process.new_key("reader", rights=["memory:read"]),
        process.new_key("spent", space="spent"),
        process.folder.parent / "served.log",
        process,
    )


def _fill(library: Path) -> None:
    where = scope.parse(FULL)

    def facts() -> Iterator[Incoming]:
        for number in range(1, where.fact_cap + 1):
            yield Incoming(number, FactContent(f"Fact {number} of many."), scope=where)

    with closing(open_store(library, ids.now)) as store:
        actor = Actor(AuthorKind.BACKEND, "set up", Origin.HTTP)
        imports, rules = Engine(store, ids.now, ids.TimeOrderedIds(), actor).imports, Rules()
        run = imports.begin("facts", "list", "", rules)
        for batch in batches(facts()):
            run = imports.take(run, batch, rules).run
        assert imports.finish(run).counts.new == where.fact_cap


def no_waiting(seconds: float) -> None:
    raise AssertionError(f"It waits {seconds} s to ask again.")
