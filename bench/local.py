"""localmem beside other programs on this machine: starting, searching, adding, memory.

    python bench/local.py --peers /tmp/peers --install      once: makes a venv for each peer
    python bench/local.py --peers /tmp/peers                everything; an hour on a busy machine
    python bench/local.py --peers /tmp/peers --quick        a look at it, under 2 minutes
    python bench/local.py --only search --facts 1000,10000

Prints Markdown for docs/benchmarks.md. All cases of a table take turns in one run, so that a busy
minute hits all alike; each has seconds on the wall and of the processor. Every store gets the same
facts and the same vectors of 512 dimensions (peers/given.py), is driven by a script in its own
interpreter and timed in there (peers/protocol.py), and is kept offline. A peer that is not
installed is named with the command that installs it, and left out.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from peers import given, venvs
from peers.process import Process
from starting import TRIVIAL, TRIVIAL_SHOWS, Case, take_turns

SECTIONS = ("start", "search", "add", "memory")
OURS, BARE = "localmem", "bare"
KEY = bytes(range(32))
"""Of the encrypted library, which is thrown away."""
TURN = 100
"""Facts added one by one before it is the next one's turn."""
PYTHON = Path(sys.executable)
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line wants."""

    sizes: Sequence[int]
    runs: int
    peers: Path
    kept: Path | None
    """Where vectors are kept from run to run."""
    most: int
    """Facts that are added in the tables of adding."""
    patience: float
    """Seconds a case may take to add facts one by one."""
    folder: Path

    def stores(self) -> list[venvs.Package]:
        return [each for each in venvs.STORES if each.version(self.peers)]


@dataclass(slots=True)
class Series:
    """Times of one case, in seconds."""

    each: list[tuple[float, float]] = field(default_factory=list)

    def take(self, answer: Answer) -> Answer:
        self.each += [(wall, cpu) for wall, cpu in answer.get("each", [])]
        return answer

    def put(self, *answers: Answer) -> None:
        """One time: that of all of these together."""
        self.each.append((sum(a["wall"] for a in answers), sum(a["cpu"] for a in answers)))

    @property
    def wall(self) -> float:
        return statistics.median(wall for wall, _ in self.each)

    @property
    def cpu(self) -> float:
        """The mean: the processor's clock may tick more coarsely than one case takes."""
        return statistics.fmean(cpu for _, cpu in self.each)

    @property
    def p95(self) -> float:
        return sorted(wall for wall, _ in self.each)[int(len(self.each) * 0.95)]

    @property
    def spent(self) -> float:
        return sum(wall for wall, _ in self.each)

    def milliseconds(self) -> list[str]:
        return [f"{value * 1000:.1f}" for value in (self.wall, self.p95, self.cpu)]


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> None:
    lines = [f"\n### {title}\n", *([f"{note}\n"] if note else [])]
    lines += [" | ".join(("", *row, "")).strip() for row in (head, ["---"] * len(head), *rows)]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


# --- The machine -------------------------------------------------------------------------------


def machine(asked: Asked) -> None:
    from localmem import __version__

    rows = [*hardware(), (OURS, f"{__version__} (Python {platform.python_version()})")]
    missing = []
    for package in (*venvs.STORES, *venvs.APPS):
        version = package.version(asked.peers)
        if version:
            rows.append((package.name, version))
        else:
            missing.append(f"{package.name} is left out: {package.how(asked.peers)}")
    table("The machine", ("", ""), rows, "\n".join(missing))


def hardware() -> list[tuple[str, str]]:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return [
        ("processor", f"{_processor()}, {os.cpu_count()} cores"),
        ("memory", f"{memory:.0f} GB"),
        ("system", f"{platform.system()} {platform.release()}, load before {load}"),
    ]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


# --- Starting ----------------------------------------------------------------------------------


def start(asked: Asked) -> None:
    from start import filled

    facts, folder = max(min(asked.most, 10_000), 500), asked.folder / "start"
    folder.mkdir()
    python = str(PYTHON)
    cases = [
        Case("trivial Textual app", (python, "-c", TRIVIAL), TRIVIAL_SHOWS, folder),
        Case(
            f"{OURS}, {facts:,} facts",
            (python, "-m", "localmem"),
            b"Fact number",
            filled(folder / "full", facts),
        ),
    ]
    for app, shown in ((venvs.POSTING, b"Enter a URL"), (venvs.HARLEQUIN, b"Data Catalog")):
        if app.version(asked.peers):
            home = folder / app.name
            home.mkdir()
            cases.append(Case(app.name, (str(app.program(asked.peers)),), shown, home))
    take_turns(cases, asked.runs, folder / "bytecode")
    first = cases[0]
    rows = [
        (
            case.name,
            f"{case.wall:.2f}",
            f"{min(case.seconds):.2f}",
            f"{max(case.seconds):.2f}",
            f"{case.wall / first.wall:.2f}",
            f"{case.cpu:.2f}",
            f"{case.cpu / first.cpu:.2f}",
        )
        for case in cases
    ]
    note = (
        "Seconds from the start of the process until its first real frame stands on a terminal of "
        "120x36: localmem's first facts, posting's address bar, the title of harlequin's data "
        f"catalog (DuckDB in memory). {asked.runs} runs each, in turn, after one uncounted."
    )
    head = ("", "median", "best", "worst", "ratio", "CPU", "ratio")
    table("Cold start to the first rows", head, rows, note)


# --- Searching ---------------------------------------------------------------------------------


def search(asked: Asked) -> None:
    typed_rows, peer_rows = [], []
    for size in asked.sizes:
        folder = asked.folder / f"search-{size}"
        data = _given(asked, size)
        _fill_all(asked, folder, data, size)
        _encrypted_copy(folder)
        typed_rows += list(_as_you_type(asked, folder, data, size))
        peer_rows += list(_beside_peers(asked, folder, data, size))
        shutil.rmtree(folder)
    questions = given.questions()
    table(
        "Search as you type",
        ("facts", "search", "encrypted", "median", "p95", "CPU", "keys: median", "p95", "CPU"),
        typed_rows,
        f"Milliseconds of one search of the engine in the whole library, the question's embedding "
        f"included: {len(questions)} different questions asked whole, {asked.runs} times, then "
        "once each as it is typed, after every third key. Modes, plain and encrypted library take "
        "turns. CPU is the mean. Meaning alone is no mode of the app: the question embedded, the "
        "nearest facts looked up.",
    )
    table(
        "Search beside other stores",
        ("facts", "", "whole: median", "p95", "CPU", "scope: median", "p95", "CPU", "exact"),
        peer_rows,
        "Milliseconds of one search for the 10 best, vectors given to all, over the whole store "
        "and within one scope of half the facts, at most 5,000. Exact: share of the 10 truly "
        "nearest that were returned. What localmem does for one search is words and meaning; the "
        "others search by vector alone.",
    )


def _given(asked: Asked, size: int) -> Path:
    data = asked.folder / f"given-{size}"
    if not data.exists():
        data.mkdir()
        given.make(data, size, asked.kept)
    return data


def _process(
    asked: Asked, package: venvs.Package | None, folder: Path, data: Path, **options: Any
) -> Process:
    """Of a peer, or of localmem itself."""
    if package is None:
        return Process("ours", PYTHON, folder, data, options)
    return Process(package.script, package.python(asked.peers), folder, data, options)


def _fill_all(asked: Asked, folder: Path, data: Path, size: int) -> None:
    for package in (None, *asked.stores()):
        place = folder / (package.name if package else OURS)
        with _process(asked, package, place, data) as process:
            process.ask("add_many", first=0, last=size)
            held = process.ask("stats")["count"]
            assert held == size, f"{place.name} holds {held} of {size}"


def _encrypted_copy(folder: Path) -> None:
    """As `localmem config encrypt` makes it, on a copy."""
    from localmem import wiring
    from localmem.core import recovery_key
    from localmem.core.model import Origin
    from localmem.safe import Safe

    shutil.copytree(folder / OURS, folder / "encrypted")
    environment = {"LOCALMEM_KEY": recovery_key.written(KEY)}
    library = folder / "encrypted" / "library.db"
    safe = Safe(library, environment, allow_network=False, by=wiring.person(Origin.CLI))
    with safe.encrypting(keyring=False) as ready:
        ready.finish()
    assert safe.is_encrypted()


def _as_you_type(asked: Asked, folder: Path, data: Path, size: int) -> Iterator[Sequence[str]]:
    whole = given.questions()
    keys = [text for question in whole for text in given.typed(question)]
    modes = ("words", "meaning", "both")
    with ExitStack() as stack:
        libraries = {
            "no": _process(asked, None, folder / OURS, data, embedding="bundled"),
            "yes": _process(
                asked, None, folder / "encrypted", data, embedding="bundled", key=KEY.hex()
            ),
        }
        for process in libraries.values():
            stack.enter_context(process)
            process.ask("search", texts=whole[:8], mode="both")
        times = {(mode, which): (Series(), Series()) for mode in modes for which in libraries}
        turns = [(mode, which) for mode in modes for which in libraries]
        for _ in range(asked.runs):
            for mode, which in turns:
                said = libraries[which].ask("search", texts=whole, mode=mode)
                times[mode, which][0].take(said)
        for first in range(0, len(keys), len(whole)):
            for mode, which in turns:
                part = keys[first : first + len(whole)]
                times[mode, which][1].take(libraries[which].ask("search", texts=part, mode=mode))
    for (mode, which), (asked_whole, asked_typed) in times.items():
        values = [*asked_whole.milliseconds(), *asked_typed.milliseconds()]
        yield f"{size:,}", mode, which, *values


def _beside_peers(asked: Asked, folder: Path, data: Path, size: int) -> Iterator[Sequence[str]]:
    rows = list(range(len(given.questions())))
    cases: dict[str, tuple[venvs.Package | None, str]] = {
        f"{OURS}, words and meaning": (None, "both"),
        f"{OURS}, meaning": (None, "meaning"),
    }
    cases |= {package.name: (package, "") for package in asked.stores()}
    nearest = given.nearest(data)
    with ExitStack() as stack:
        started = {}
        for package in {package for package, _ in cases.values()}:
            place = folder / (package.name if package else OURS)
            started[package] = stack.enter_context(_process(asked, package, place, data))
            started[package].ask("search", rows=rows[:8])
        times = {name: (Series(), Series()) for name in cases}
        exact: dict[str, str] = {}
        for _ in range(asked.runs):
            for name, (package, mode) in cases.items():
                process, (everywhere, inside) = started[package], times[name]
                found = everywhere.take(process.ask("search", rows=rows, mode=mode))
                inside.take(process.ask("search", rows=rows, mode=mode, scope="project"))
                exact[name] = f"{_share(found['hits'], nearest):.3f}" if mode != "both" else ""
    for name, (everywhere, inside) in times.items():
        values = [*everywhere.milliseconds(), *inside.milliseconds()]
        yield f"{size:,}", name, *values, exact[name]


def _share(hits: Sequence[Sequence[str]], nearest: Sequence[frozenset[str]]) -> float:
    found = [len(best & set(texts)) for texts, best in zip(hits, nearest, strict=True)]
    return sum(found) / sum(len(best) for best in nearest)


# --- Adding ------------------------------------------------------------------------------------


def add(asked: Asked) -> None:
    data = _given(asked, asked.most)
    _add_many(asked, data)
    _add_one_by_one(asked, data)


def _add_many(asked: Asked, data: Path) -> None:
    stores = asked.stores()
    words, model = f"{OURS}, found by words", f"{OURS}, its model embedding"
    times = {name: Series() for name in (OURS, words, model, *(each.name for each in stores))}
    durability = {}

    def once(name: str, package: venvs.Package | None, **options: Any) -> tuple[Answer, Answer]:
        with (
            tempfile.TemporaryDirectory(dir=asked.folder) as folder,
            _process(asked, package, Path(folder) / "store", data, **options) as process,
        ):
            added = process.ask("add_many", first=0, last=asked.most)
            settled = process.ask("settle")
            kept = process.ask("stats")
            assert kept["count"] == asked.most, name
            durability[name] = kept["durability"]
        return added, settled

    for run in range(asked.runs):
        added, settled = once(OURS, None, later=True)
        times[OURS].put(added, settled)
        times[words].put(added)
        for package in stores:
            times[package.name].put(*once(package.name, package))
        if run == 0:
            times[model].put(*once(OURS, None, later=True, embedding="bundled"))
    rows = [
        (
            name,
            f"{asked.most / series.wall:,.0f}",
            f"{series.wall:.2f}",
            f"{series.cpu:.2f}",
            durability.get(name, durability[OURS]),
        )
        for name, series in times.items()
    ]
    table(
        f"Adding {asked.most:,} facts at once",
        ("", "facts/s", "seconds", "CPU seconds", "on the disk"),
        rows,
        f"Vectors given to all. localmem imports (`engine.imports`, 1,000 facts a transaction), "
        f"then gives the facts their vectors (`engine.meaning.embed_waiting`) as the app does in "
        f"the background; they are found by words before that. The row with its model, one run, "
        f"embeds them itself. chromadb gets its largest batch, lancedb and mcp-memory-service all "
        f"at once. Median of {asked.runs} runs into new stores, in turn.",
    )


def _add_one_by_one(asked: Asked, data: Path) -> None:
    later = f"{OURS}, vectors after"
    cases: dict[str, venvs.Package | None] = {OURS: None, later: None}
    cases |= {package.name: package for package in asked.stores()}
    times, settled = {name: Series() for name in cases}, {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=asked.folder)))
        started = {}
        for name, package in cases.items():
            process = _process(asked, package, folder / name, data, later=name == later)
            started[name] = stack.enter_context(process)
        for first in range(0, asked.most, TURN):
            for name, process in started.items():
                if times[name].spent < asked.patience:
                    last = min(first + TURN, asked.most)
                    times[name].take(process.ask("add_one", first=first, last=last))
        for name, process in started.items():
            settled[name] = process.ask("settle")
    rows = []
    for name, series in times.items():
        after = settled[name]
        added, wall = len(series.each), series.spent + after["wall"]
        cpu = (sum(cpu for _, cpu in series.each) + after["cpu"]) / added
        rows.append(
            (
                name,
                f"{added:,}",
                f"{added / wall:,.0f}",
                f"{series.wall * 1000:.2f}",
                f"{series.p95 * 1000:.2f}",
                f"{cpu * 1000:.2f}",
            )
        )
    table(
        f"Adding {asked.most:,} facts one by one",
        ("", "facts added", "facts/s", "median ms", "p95 ms", "CPU ms a fact"),
        rows,
        f"Vectors given to all, into new stores, {TURN} facts a turn, at most "
        f"{asked.patience:.0f} seconds each. localmem keeps a fact in one transaction and its "
        "vector in the next, both with fsync; in the second row the vectors follow once all facts "
        "are there, which facts/s and CPU count and the milliseconds of an add do not.",
    )


# --- Memory, files, opening --------------------------------------------------------------------


def memory(asked: Asked) -> None:
    size = asked.most
    data, folder = _given(asked, size), asked.folder / "memory"
    _fill_all(asked, folder, data, size)
    stores = asked.stores()
    model = f"{OURS} with its model"
    cases: dict[str, tuple[venvs.Package | None, str]] = {OURS: (None, "given")}
    cases |= {model: (None, "bundled")}
    cases |= {package.name: (package, "") for package in stores}
    opening = {name: Series() for name in cases}
    held: dict[str, Answer] = {}
    sizes: dict[str, float] = {}
    rows = list(range(len(given.questions())))
    with Process(BARE, PYTHON, folder / BARE, data) as process:
        process.ask("search", rows=rows)
        bare = process.ask("stats")
    for run in range(asked.runs + 1):
        for name, (package, embedding) in cases.items():
            place = folder / (package.name if package else OURS)
            with _process(asked, package, place, data, embedding=embedding) as process:
                questions: dict[str, Any] = {"rows": rows}
                if embedding == "bundled":
                    questions = {"texts": given.questions()}
                first = process.ask("search", **{k: v[:1] for k, v in questions.items()})
                if run:
                    opening[name].put(process.opened, first)
                process.ask("search", **questions)
                held[name] = process.ask("stats")
                sizes[name] = process.size()
    table(
        f"Memory, files and opening with {size:,} facts",
        ("", "resident MB", "private MB", "files MB", "open to first hit, s", "CPU s"),
        [
            (
                name,
                f"{held[name]['resident'] - bare['resident']:.0f}",
                f"{held[name]['private'] - bare['private']:.0f}",
                f"{sizes[name]:.1f}",
                f"{series.wall:.2f}",
                f"{series.cpu:.2f}",
            )
            for name, series in opening.items()
        ],
        f"Of a new process that imports the store, opens it and answers one question: median of "
        f"{asked.runs} after one uncounted. Memory after {len(rows)} questions more, over an "
        f"interpreter with numpy ({bare['resident']:.0f} MB resident); private is what no file "
        "backs. Vectors given, except in the row with the model.",
    )


# --- The command line --------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--facts", default="1000,10000,100000", help="sizes searched, by commas")
    parser.add_argument("--added", type=int, default=10_000, help="facts added, held in memory")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", choices=SECTIONS)
    parser.add_argument("--patience", type=float, default=60.0, help="seconds of one by one")
    parser.add_argument("--peers", type=Path, default=Path("/tmp/peers"))
    parser.add_argument("--keep", type=Path, help="a folder for vectors, for the next run")
    parser.add_argument("--install", action="store_true", help="install the peers that are missing")
    parser.add_argument("--quick", action="store_true")
    said = parser.parse_args()
    if said.install:
        for package in (*venvs.STORES, *venvs.APPS):
            if not package.version(said.peers):
                package.install(said.peers)
        return
    if said.quick:
        said.facts, said.added, said.runs, said.patience = "500", 500, 1, 1.0
    sizes = [int(text) for text in said.facts.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        asked = Asked(
            sizes, said.runs, said.peers, said.keep, said.added, said.patience, Path(folder)
        )
        machine(asked)
        sections = {"start": start, "search": search, "add": add, "memory": memory}
        for name, section in sections.items():
            if said.only in (None, name):
                section(asked)


if __name__ == "__main__":
    main()
