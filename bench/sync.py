"""localmem's sync beside other programs': requests and seconds of each step, on loopback.

    python bench/sync.py --install                       once: needs pip, npm and Node 20
    python bench/sync.py                                 everything, 10,000 records; 15 minutes
    python bench/sync.py --only pouchdb --items 2000
    python bench/sync.py --only vdirsyncer --whole       with all records, which takes hours
    python bench/sync.py --memory                        what a first pull of ours takes of it

Prints Markdown for docs/benchmarks.md: a row for every system and step, then the steps side by
side. Each system is two devices and one server, new and empty, with the same records
(syncing/records.py) and the same steps (syncing/trial.py), after which both devices are looked at
whether they hold the same. Requests are counted inside the server's process, in front of its app
(syncing/counting.py). A system that cannot be measured here is named with the reason.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from local import hardware, table
from syncing import kinto, ours, pouchdb, records, vdirsyncer
from syncing.packages import Installable
from syncing.protocol import NotThere, Opened
from syncing.trial import Spent, Trial

PACKAGES: dict[str, Installable] = {**vdirsyncer.PACKAGES, **kinto.PACKAGES, **pouchdb.PACKAGES}
"""By what the table of the machine calls them."""
FEW = 1_000


@dataclass(frozen=True, slots=True)
class Case:
    peer: str
    """What --only calls it."""
    name: str
    opened: Opened
    most: int | None = None
    """Records it gets unless --whole is said."""

    def items(self, asked: argparse.Namespace) -> int:
        wanted: int = asked.items
        return wanted if asked.whole or self.most is None else min(wanted, self.most)


CASES = (
    Case("localmem", "localmem", ours.opened(ours.Documents)),
    Case("localmem", "localmem, as facts", ours.opened(ours.Facts)),
    Case("pouchdb", "PouchDB", pouchdb.opened()),
    Case("pouchdb", "PouchDB, batch_size 1000", pouchdb.opened(1000)),
    Case("kinto", "Kinto", kinto.opened),
    Case("vdirsyncer", "vdirsyncer", vdirsyncer.opened, most=FEW),
)
Result = dict[str, Spent]
"""By the name of the step."""


def measured(case: Case, asked: argparse.Namespace) -> Result:
    given = records.made(case.items(asked))
    result: Result = {}
    with tempfile.TemporaryDirectory() as folder, case.opened(Path(folder), asked.peers) as system:
        for name, spent in Trial(system, given).steps():
            result[name] = spent
            sys.stderr.write(f"{case.name}, {name}: {_cell(spent)}\n")
    return result


def _cell(spent: Spent) -> str:
    return f"{spent.requests:,} in {_seconds(spent.wall)} s"


def _seconds(value: float) -> str:
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def machine(asked: argparse.Namespace) -> None:
    from localmem import __version__

    rows = [*hardware(), ("localmem", f"{__version__} (Python {platform.python_version()})")]
    versions = {name: package.version(asked.peers) for name, package in PACKAGES.items()}
    table("The machine", ("", ""), [*rows, *((n, v) for n, v in versions.items() if v)])


def every_step(results: dict[Case, Result], asked: argparse.Namespace) -> None:
    size = records.size(records.made(asked.items))
    table(
        "Sync, step by step",
        ("system", "records", "step", "requests", "seconds", "CPU: client", "server"),
        [
            (case.name, f"{case.items(asked):,}", name, f"{spent.requests:,}",
             *map(_seconds, (spent.wall, spent.client, spent.server)))
            for case, result in results.items() for name, spent in result.items()
        ],
        f"The same records for all, {size:.0f} bytes of JSON on average, over loopback. CPU is "
        "seconds of the processor; it and the requests include what a client still does once its "
        "run is over. Nothing, after the push and again, is of the device that pushed; nothing, "
        "after the pull and once more, of the one that pulled; a remote step is what that one "
        "finds. " + _notes(results),
    )  # fmt: skip


def _notes(results: dict[Case, Result]) -> str:
    said = {
        "localmem": "localmem keeps SQLite on both sides, every batch and page synced to the disk. "
        "Its server has the model of the package, which gives facts their vectors in the "
        "background: the steps after the first push of facts share the processor with that. A "
        "remote delete rewrites the device's files, so that nothing of what went is left in them.",
        "pouchdb": "PouchDB and its server keep LevelDB files, no fsync at a write; batch_size is "
        "100 unless said. Its requests vary a little from run to run.",
        "kinto": "kinto.js keeps its records in fake-indexeddb, Kinto in its backend of memory: "
        "nothing of it is on a disk. Most of its client's time in a push is fake-indexeddb's, "
        "which stands in for a browser's: compare the server's.",
        "vdirsyncer": "vdirsyncer keeps files, as does its server, Radicale; each run is a new "
        "process, whose start counts. A card costs Radicale more the more it has, so "
        f"there are {FEW:,} unless `--whole` is said: compare none of its seconds with others'.",
    }
    peers = dict.fromkeys(case.peer for case in results)
    return " ".join(said[peer] for peer in peers if peer in said)


def side_by_side(results: dict[Case, Result], asked: argparse.Namespace) -> None:
    cases = list(results)
    steps = list(next(iter(results.values())))
    table(
        "Sync, side by side",
        ("", *(f"{case.name}, {case.items(asked):,}" for case in cases)),
        [(step, *(_cell(results[case][step]) for case in cases)) for step in steps],
        "Requests, and seconds on the wall.",
    )


def memory(asked: argparse.Namespace) -> None:
    """Of `localmem sync`, a process of its own, in its first pull and with nothing to do."""
    rows = []
    for name, kept in (("documents", ours.Documents), ("facts", ours.Facts)):
        with (
            tempfile.TemporaryDirectory() as folder,
            ours.opened(kept)(Path(folder), asked.peers) as system,
        ):
            Trial(system, records.made(asked.items)).first_push()
            rows.append((name, *(f"{system.highest('B'):.0f}" for _ in range(2))))
    table(
        f"Memory of a device with {asked.items:,}, MB at most",
        ("", "first pull", "nothing to do"),
        rows,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--items", type=int, default=10_000, help="records of the first device")
    parser.add_argument(
        "--only", action="append", choices=list(dict.fromkeys(case.peer for case in CASES)),
        help="these alone; may be given again",
    )  # fmt: skip
    parser.add_argument("--whole", action="store_true", help="vdirsyncer gets all records as well")
    parser.add_argument("--peers", type=Path, default=Path("/tmp/peers"))
    parser.add_argument("--memory", action="store_true", help="of our first pull, and nothing else")
    parser.add_argument("--install", action="store_true", help="install the peers that are missing")
    asked = parser.parse_args()
    if asked.install:
        for package in PACKAGES.values():
            if not package.version(asked.peers):
                package.install(asked.peers)
        return
    machine(asked)
    if asked.memory:
        memory(asked)
        return
    results: dict[Case, Result] = {}
    for case in CASES:
        if asked.only is None or case.peer in asked.only:
            try:
                results[case] = measured(case, asked)
            except NotThere as reason:
                sys.stdout.write(f"\n{case.name} is left out: {reason}\n")
    if results:
        every_step(results, asked)
        side_by_side(results, asked)


if __name__ == "__main__":
    main()
