"""A server in this process, without sockets: a clock of our own, a small model, real files.

server      the app, started, with one space "home" and a key for everything (`server.key`)
open_server opens it again on the same folder, or with other options: a restart
process     a server of its own on a loopback port, for clients that need one
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from localmem.core.model import Actor, AuthorKind, Origin
from localmem.engine import Engine
from localmem.hosting.issuing import Issuing
from localmem.ids import TimeOrderedIds
from localmem.server.app import Services, create_app
from localmem.server.control import Control
from localmem.server.edge import Served
from localmem.server.limits import Meter, Rates
from localmem.server.spaces import Spaces
from localmem.store import swap
from localmem.store.hosting.database import open_hosting
from localmem.store.sqlite import open_store
from tests.support.library import FixedClock, WordsEmbedder

SPACE = "home"
HOST = "localhost"


@dataclass(slots=True)
class Server:
    """A started app, asked as a client asks it."""

    client: httpx.AsyncClient
    services: Services
    folder: Path
    clock: FixedClock
    served: list[Served] = field(default_factory=list)
    key: str = ""
    """Opens `home`, live, with every right; sent unless a request names another or none."""

    async def ask(
        self, method: str, path: str, *, key: str | None = None, **options: Any
    ) -> httpx.Response:
        """`key=""` sends no credential."""
        credential = self.key if key is None else key
        headers = {"Authorization": f"Bearer {credential}"} if credential else {}
        headers |= options.pop("headers", {})
        return await self.client.request(method, path, headers=headers, **options)

    async def get(self, path: str, **options: Any) -> httpx.Response:
        return await self.ask("GET", path, **options)

    async def post(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return await self.ask("POST", path, json=json, **options)

    async def put(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return await self.ask("PUT", path, json=json, **options)

    async def delete(self, path: str, **options: Any) -> httpx.Response:
        return await self.ask("DELETE", path, **options)

    def new_key(self, name: str = "other", **options: Any) -> str:
        """A key's text; `space` is `home` unless given."""
        return self.issue(lambda issuing: issuing.create_key(name, **{"space": SPACE} | options))

    def new_token(self, person: str) -> str:
        """A person's token; the person is added."""

        def both(issuing: Issuing) -> Any:
            issuing.add_person(person)
            return issuing.create_token(person)

        return self.issue(both)

    def issue(self, work: Callable[[Issuing], Any]) -> str:
        return str(self.manage(work).text)

    def manage(self, work: Callable[[Issuing], Any]) -> Any:
        """As the commands beside a running server do: on a connection of their own."""
        with closing(open_hosting(self.folder / "server.db")) as store:
            return work(Issuing(store, self.clock))

    async def remember(self, text: str, **body: Any) -> str:
        """The new fact's id."""
        answer = await self.post("/v1/memory", {"text": text, **body})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    async def texts(self, scope: str = "project", **options: Any) -> list[str]:
        answer = await self.get(f"/v1/memory?scope={scope}", **options)
        assert answer.status_code == 200, answer.text
        return [item["text"] for item in answer.json()["items"]]

    async def settled(self) -> None:
        """Wait until nothing goes on in the background."""
        await self.services.spaces.settled()


OpenServer = Callable[..., Awaitable[Server]]


@pytest.fixture
def embedder() -> WordsEmbedder:
    return WordsEmbedder()


async def serve(
    stack: AsyncExitStack, folder: Path, clock: FixedClock, embedder: WordsEmbedder, **options: Any
) -> Server:
    """Starts the app on a folder; it stops when the stack is closed."""
    load = (lambda: embedder) if options.pop("meaning", True) else None

    def open_engine(file: Path) -> Engine:
        store = open_store(file, clock, cached=True)
        actor = Actor(AuthorKind.BACKEND, "server", Origin.HTTP)
        return Engine(store, clock, TimeOrderedIds(clock), actor, load_embedder=load)

    served: list[Served] = []
    services = Services(
        Control(lambda: open_hosting(folder / "server.db")),
        Spaces(folder, open_engine, most_open=options.pop("most_open", 64)),
        clock,
        Rates(clock, options.pop("rate", 0)),
        Meter(clock),
        hosts=options.pop("hosts", (HOST,)),
        addresses=options.pop("addresses", False),
        observers=(served.append,),
        erase=swap.clear,
        metrics_token=options.pop("metrics_token", ""),
    )
    assert not options, f"no such options: {options}"
    app = create_app(services)
    await stack.enter_async_context(app.router.lifespan_context(app))
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    client = httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}")
    await stack.enter_async_context(client)
    return Server(client, services, folder, clock, served)


@pytest.fixture
async def open_server(
    tmp_path: Path, clock: FixedClock, embedder: WordsEmbedder
) -> AsyncIterator[OpenServer]:
    """Starts the app on this test's folder; the ones before it are stopped first."""
    stack = AsyncExitStack()

    async def start(**options: Any) -> Server:
        await stack.aclose()
        return await serve(stack, tmp_path / "server", clock, embedder, **options)

    yield start
    await stack.aclose()


@pytest.fixture
async def server(open_server: OpenServer) -> Server:
    opened = await open_server()
    opened.key = opened.new_key("everything")
    return opened


@dataclass(frozen=True, slots=True)
class Process:
    """A server of its own, which only words are found by."""

    url: str
    folder: Path
    running: subprocess.Popen[str]

    def new_key(self, name: str = "client", **options: Any) -> str:
        return str(self._issuing(lambda issuing: issuing.create_key(name, **options)).text)

    def new_token(self, person: str) -> str:
        self._issuing(lambda issuing: issuing.add_person(person))
        return str(self._issuing(lambda issuing: issuing.create_token(person)).text)

    def _issuing(self, work: Callable[[Issuing], Any]) -> Any:
        from localmem import ids

        with closing(open_hosting(self.folder / "server.db")) as store:
            return work(Issuing(store, ids.now))


StartProcess = Callable[..., Process]


@pytest.fixture
def start_process(tmp_path: Path) -> Iterator[StartProcess]:
    """Starts `localmem serve` on a free port, as often as asked; all are stopped at the end."""
    started: list[subprocess.Popen[str]] = []
    home, folder = tmp_path / "served-home", tmp_path / "served"

    def start(*argv: str) -> Process:
        home.mkdir(exist_ok=True)
        (home / "config.toml").write_text('model = "none"\n', "utf-8")
        log = (tmp_path / "served.log").open("a")
        running = subprocess.Popen(
            [sys.executable, "-m", "localmem", "serve", "--json", "--port", "0", "--rate", "0",
             "--data", str(folder), *argv],
            env={**os.environ, "LOCALMEM_HOME": str(home)},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )  # fmt: skip
        log.close()
        started.append(running)
        assert running.stdout is not None
        line = running.stdout.readline()
        assert line, (tmp_path / "served.log").read_text("utf-8")
        return Process(json.loads(line)["url"], folder, running)

    yield start
    for running in started:
        running.kill()
        running.wait()
        assert running.stdout is not None
        running.stdout.close()


@pytest.fixture
def process(start_process: StartProcess) -> Process:
    return start_process()
