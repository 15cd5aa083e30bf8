"""localmem's server under load beside chromadb's, and what HTTP adds to a search.

    python bench/server.py --peers /tmp/peers             10,000 facts; some ten minutes
    python bench/server.py --peers /tmp/peers --quick     a look at it

Prints Markdown for docs/benchmarks.md. Both servers are processes of their own on loopback, with
the same facts and the same vectors (peers/given.py), asked by 1, 8 and 32 clients of httpx in one
more process (peers/load.py); servers and numbers of clients take turns. Requests per second and
milliseconds are what the clients see, on a machine they share with the server, so the processor's
time of the server alone stands beside them. The table of a search is of one run: the server's, what
its engine took of that, and /health, which is what the framework and the client cost by themselves.
The server's may cost 1.3 times the sum of the two others.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx
import numpy
import psutil
from local import table
from peers import given, venvs
from peers.process import OFFLINE, Process
from peers.protocol import BEST
from peers.served import SEARCHES, row_of

CLIENTS = (1, 8, 32)
OURS = "localmem"
CHROMA = "chromadb"
ITEMS = 200
"""Documents that are read and replaced."""
PAGE = 50
HOLDS = 1_000
"""Facts of one contact, who may have 2,000."""
Request = list[Any]
"""[method, path, body]"""


@dataclass(frozen=True, slots=True)
class Data:
    texts: list[str]
    scopes: list[str]
    vectors: numpy.ndarray
    questions: list[str]
    asked: numpy.ndarray

    @classmethod
    def read(cls, folder: Path) -> Data:
        held = json.loads((folder / "facts.json").read_text("utf-8"))
        questions = json.loads((folder / "questions.json").read_text("utf-8"))
        facts, asked = (numpy.load(folder / f"{name}.npy") for name in ("facts", "questions"))
        return cls(held["texts"], held["scopes"], facts, questions, asked)

    def new_text(self, number: int) -> str:
        return f"{self.texts[number % len(self.texts)]} Written down again, number {number}."

    def vector(self, text: str) -> list[float]:
        """What served.py gives a text that is none of the given ones."""
        return [float(each) for each in self.vectors[row_of(text, len(self.texts))]]


def document(number: int) -> dict[str, Any]:
    return {"status": "paid" if number % 2 else "open", "total": number, "lines": ["a", "b", "c"]}


@dataclass(slots=True)
class Ours:
    data: Data
    url: str
    key: str
    process: psutil.Process
    written: int = 0

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def prepare(self) -> None:
        items = "/v1/memory/collections/orders/items"
        with httpx.Client(base_url=self.url, headers=self.headers, timeout=60) as client:
            for first in range(0, ITEMS, 25):
                steps = [
                    {"op": "set", "key": f"o{number}", "value": document(number)}
                    for number in range(first, first + 25)
                ]
                client.post(f"{items}/batch", json={"operations": steps}).raise_for_status()

    def requests(self, verb: str, count: int) -> list[Request]:
        return [self._request(verb, number) for number in range(count)]

    def _request(self, verb: str, number: int) -> Request:
        item = f"/v1/memory/collections/orders/items/o{number * 37 % ITEMS}"
        match verb:
            case "write a fact":
                self.written += 1
                contact = f"w{self.written // HOLDS}"
                text = self.data.new_text(self.written)
                body = {"text": text, "scope": "contact", "contactId": contact}
                return ["POST", "/v1/memory", body]
            case "search":
                text = self.data.questions[number % len(self.data.questions)]
                return ["POST", "/v1/memory/search", {"query": text, "limit": BEST}]
            case "read an item":
                return ["GET", item, None]
            case "write an item":
                return ["PUT", item, {"value": document(number)}]
            case "list 50 facts":
                return ["GET", f"/v1/memory?limit={PAGE}", None]
        return ["GET", "/health", None]


@dataclass(slots=True)
class Chroma:
    data: Data
    url: str
    process: psutil.Process
    facts: str = ""
    items: str = ""
    written: int = 0
    headers: dict[str, str] = field(default_factory=dict)

    def prepare(self) -> None:
        root = "/api/v2/tenants/default_tenant/databases/default_database/collections"
        with httpx.Client(base_url=self.url, timeout=120) as client:
            places = []
            for name in ("facts", "items"):
                body = {"name": name, "configuration": {"hnsw": {"space": "cosine"}}}
                made = client.post(root, json=body).raise_for_status().json()
                places.append(f"{root}/{made['id']}")
            self.facts, self.items = places
            for first in range(0, len(self.data.texts), 1_000):
                part = range(first, min(first + 1_000, len(self.data.texts)))
                body = self._records(
                    [str(number) for number in part],
                    [self.data.texts[number] for number in part],
                    [self.data.scopes[number] for number in part],
                    self.data.vectors[part.start : part.stop].tolist(),
                )
                client.post(f"{self.facts}/add", json=body).raise_for_status()
            ids = [f"o{number}" for number in range(ITEMS)]
            documents = [json.dumps(document(number)) for number in range(ITEMS)]
            vectors = [self.data.vector(id) for id in ids]
            body = self._records(ids, documents, ["project"] * ITEMS, vectors)
            client.post(f"{self.items}/add", json=body).raise_for_status()

    @staticmethod
    def _records(
        ids: list[str], texts: list[str], scopes: list[str], vectors: list[list[float]]
    ) -> dict[str, Any]:
        return {
            "ids": ids,
            "documents": texts,
            "metadatas": [{"scope": scope} for scope in scopes],
            "embeddings": vectors,
        }

    def requests(self, verb: str, count: int) -> list[Request]:
        return [self._request(verb, number) for number in range(count)]

    def _request(self, verb: str, number: int) -> Request:
        id = f"o{number * 37 % ITEMS}"
        match verb:
            case "write a fact":
                self.written += 1
                text = self.data.new_text(self.written)
                scope = f"contact:w{self.written // HOLDS}"
                body = self._records(
                    [f"w{self.written}"], [text], [scope], [self.data.vector(text)]
                )
                return ["POST", f"{self.facts}/add", body]
            case "search":
                vector = self.data.asked[number % len(self.data.questions)].tolist()
                body = {"query_embeddings": [vector], "n_results": BEST,
                        "where": {"scope": "project"},
                        "include": ["documents", "distances"]}  # fmt: skip
                return ["POST", f"{self.facts}/query", body]
            case "read an item":
                body = {"ids": [id], "include": ["documents", "metadatas"]}
                return ["POST", f"{self.items}/get", body]
            case "write an item":
                text = json.dumps(document(number))
                body = self._records([id], [text], ["project"], [self.data.vector(id)])
                return ["POST", f"{self.items}/upsert", body]
            case "list 50 facts":
                body = {"where": {"scope": "project"}, "limit": PAGE,
                        "include": ["documents", "metadatas"]}  # fmt: skip
                return ["POST", f"{self.facts}/get", body]
        return ["GET", "/api/v2/heartbeat", None]


Server = Ours | Chroma
VERBS = ("nothing", "write a fact", "search", "read an item", "write an item", "list 50 facts")


class Load:
    """The clients' process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "peers.load"], cwd=Path(__file__).parent,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def ask(self, server: Server, requests: Sequence[Request], clients: int) -> Run:
        assert self._process.stdin is not None and self._process.stdout is not None
        asked = {"base": server.url, "headers": server.headers, "clients": clients,
                 "requests": requests}  # fmt: skip
        before = cpu(server.process)
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        refused = {status for status in answer["statuses"] if int(status) >= 300}
        if refused:
            raise SystemExit(f"{requests[0][:2]} was answered {answer['statuses']}")
        return Run(answer["each"], answer["wall"], cpu(server.process) - before)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)


@dataclass(slots=True)
class Run:
    each: list[float]
    wall: float
    cpu: float

    def row(self) -> list[str]:
        ordered = sorted(self.each)
        return [
            f"{len(ordered) / self.wall:,.0f}",
            f"{statistics.median(ordered) * 1000:.1f}",
            f"{ordered[int(len(ordered) * 0.95)] * 1000:.1f}",
            f"{self.cpu / len(ordered) * 1000:.1f}",
        ]


def together(runs: Sequence[Run]) -> Run:
    return Run(
        [one for run in runs for one in run.each],
        sum(run.wall for run in runs),
        sum(run.cpu for run in runs),
    )


def cpu(process: psutil.Process) -> float:
    """Seconds of the processor of a server and what it started."""
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


@contextmanager
def ours(folder: Path, data_folder: Path, data: Data) -> Iterator[Ours]:
    """The server over a library that is filled and embedded already."""
    from localmem import ids
    from localmem.hosting.issuing import Issuing
    from localmem.store.hosting.database import open_hosting

    home, served, filled = folder / "home", folder / "served", folder / "filled"
    for each in (home, served):
        each.mkdir()
    (home / "config.toml").write_text('model = "none"\n', "utf-8")
    with Process("ours", Path(sys.executable), filled, data_folder) as process:
        process.ask("add_many", first=0, last=len(data.texts))
    with closing(open_hosting(served / "server.db")) as store:
        key = Issuing(store, ids.now).create_key("bench")
    space = served / "spaces" / getattr(key.of, "space")  # noqa: B009
    space.mkdir(parents=True)
    shutil.copy(filled / "library.db", space / "live.db")
    environment = {**os.environ, "LOCALMEM_HOME": str(home)}
    with subprocess.Popen(
        [sys.executable, "-m", "peers.served", str(served), str(data_folder)],
        cwd=Path(__file__).parent, env=environment, stdout=subprocess.PIPE,
        stderr=(folder / "served.log").open("w"), text=True,
    ) as running:  # fmt: skip
        try:
            assert running.stdout is not None
            url = running.stdout.readline().strip()
            if not url:
                raise SystemExit((folder / "served.log").read_text("utf-8"))
            yield Ours(data, url, key.text, psutil.Process(running.pid))
        finally:
            running.terminate()


@contextmanager
def chroma(folder: Path, peers: Path, data: Data) -> Iterator[Chroma]:
    import socket

    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    program = peers / venvs.CHROMA.folder / "bin" / "chroma"
    with subprocess.Popen(
        [program, "run", "--path", str(folder / "chroma"), "--host", "127.0.0.1", "--port",
         str(port)],
        env={**os.environ, **OFFLINE, "HOME": str(folder)},
        stdout=(folder / "chroma.log").open("w"), stderr=subprocess.STDOUT,
    ) as running:  # fmt: skip
        try:
            url = f"http://127.0.0.1:{port}"
            for _ in range(200):
                try:
                    httpx.get(f"{url}/api/v2/heartbeat").raise_for_status()
                    break
                except httpx.HTTPError:
                    time.sleep(0.1)
            yield Chroma(data, url, psutil.Process(running.pid))
        finally:
            running.terminate()


def under_load(servers: dict[str, Server], asked: argparse.Namespace) -> None:
    runs: dict[tuple[str, int, str], list[Run]] = {}
    with closing(Load()) as load:
        for server in servers.values():
            for verb in VERBS:
                load.ask(server, server.requests(verb, 8), 1)
        for _ in range(asked.rounds):
            for verb in VERBS:
                for clients in CLIENTS:
                    for name, server in servers.items():
                        requests = server.requests(verb, asked.requests)
                        run = load.ask(server, requests, clients)
                        runs.setdefault((verb, clients, name), []).append(run)
    table(
        f"Servers with {asked.facts:,} facts",
        ("", "clients", "server", "requests/s", "median ms", "p95 ms", "server's CPU ms"),
        [(verb, str(clients), name, *together(each).row())
         for (verb, clients, name), each in runs.items()],
        f"{asked.rounds} × {asked.requests} requests each, in turn. Nothing is /health, or the "
        f"peer's heartbeat. A search is in the project's scope, {BEST} hits; an item of chromadb "
        "is a document with a vector. Vectors are given to both; localmem gives a fact's vector "
        "after the reply, which its CPU counts.",
    )  # fmt: skip


def cost_of_search(server: Ours, folder: Path, asked: argparse.Namespace) -> None:
    """The server's search against what its engine took for that very search, and the floor."""
    searches = folder / "served" / SEARCHES
    questions = len(server.data.questions)
    search, floor = Run([], 0, 0), Run([], 0, 0)
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as client:

        def one(request: Request) -> float:
            method, path, body = request
            started = time.perf_counter()
            client.request(method, path, json=body).raise_for_status()
            return time.perf_counter() - started

        for verb in ("nothing", "search"):
            for request in server.requests(verb, questions):
                one(request)
        first = len(searches.read_text().splitlines())
        for _ in range(asked.rounds * 3):
            before = cpu(server.process)
            search.each.extend(one(request) for request in server.requests("search", questions))
            between = cpu(server.process)
            floor.each.extend(one(request) for request in server.requests("nothing", questions))
            search.cpu += between - before
            floor.cpu += cpu(server.process) - between
    lines = searches.read_text().splitlines()[first:]
    engine = [tuple(map(float, line.split())) for line in lines]
    count = len(search.each)
    assert len(engine) == count
    walls = [statistics.median(e) for e in (search.each, [w for w, _ in engine], floor.each)]
    spent = [search.cpu / count, statistics.fmean(c for _, c in engine), floor.cpu / count]
    table(
        "What HTTP adds to a search",
        ("", "server", "its engine", "nothing (/health)", "server / (engine + nothing)"),
        [
            (name, *(f"{value * 1000:.2f}" for value in values),
             f"{values[0] / (values[1] + values[2]):.2f}")
            for name, values in (("median ms", walls), ("CPU ms, mean", spent))
        ],
        f"The same {questions} questions {asked.rounds * 3} times by one client, in one run.",
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=200, help="of a case, a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", type=Path, default=Path("/tmp/peers"))
    parser.add_argument("--keep", type=Path, help="a folder for vectors, for the next run")
    parser.add_argument("--only", choices=("search", "load"))
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    if asked.quick:
        asked.facts, asked.requests, asked.rounds = 500, 40, 1
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        folder = Path(place)
        data_folder = folder / "given"
        data_folder.mkdir()
        given.make(data_folder, asked.facts, asked.keep)
        data = Data.read(data_folder)
        servers: dict[str, Server] = {}
        own = servers[OURS] = stack.enter_context(ours(folder, data_folder, data))
        if asked.only == "search":
            pass
        elif venvs.CHROMA.version(asked.peers):
            servers[CHROMA] = stack.enter_context(chroma(folder, asked.peers, data))
        else:
            sys.stdout.write(f"{CHROMA} is left out: {venvs.CHROMA.how(asked.peers)}\n")
        for server in servers.values():
            server.prepare()
        if asked.only != "load":
            cost_of_search(own, folder, asked)
        if asked.only != "search":
            under_load(servers, asked)


if __name__ == "__main__":
    main()
