"""Nothing acknowledged is lost: kills processes that write to a library, and looks what is there.

    python -m bench.crash [--rounds 1000] [--seed N] [--encrypted] [--kind KIND]

Each round forks a writer (two, in some), which says what it does, and ends it by SIGKILL: after a
random delay, or at a random step on the disk, in every other of them in the middle of a write.
Then the library is opened as the app does and held against what was said (bench/durability).
Eight rounds follow each other in one library. Ends with 1 when anything is wrong; the seed repeats
the writes and the steps, not the delays.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import select
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.durability import check, state, writer
from bench.durability.dying import Steps
from bench.durability.tallies import table, wrong
from localmem.store import erase

KINDS = tuple(writer.KINDS)
CHAIN = 8
MOST_DEEDS = 60
LONGEST_DELAY = 0.15
"""Seconds after which a writer that waits for its kill is ended."""
LONGEST_ROUND = 30.0


@dataclass
class Child:
    pid: int
    reads: int
    said: bytes = b""
    killed: bool = False

    def messages(self) -> Iterator[dict[str, Any]]:
        for line in self.said.split(b"\n")[:-1]:
            yield json.loads(line)


@dataclass
class Chain:
    """One library, through several rounds."""

    folder: Path
    state: state.State
    backups: dict[str, state.State] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    erased: set[str] = field(default_factory=set)

    @property
    def library(self) -> Path:
        return self.folder / "home" / "library.db"

    @property
    def copies(self) -> Path:
        return self.folder / "copies"


@contextlib.contextmanager
def chain(encrypted: bool) -> Iterator[Chain]:
    place = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="localmem-crash-", dir=place) as folder:
        made = Chain(Path(folder), {"encrypted": ("yes" if encrypted else "no",)})
        made.copies.mkdir()
        if encrypted:
            with writer.library_safe(made.library).encrypting(keyring=False) as ready:
                ready.finish()
        yield made


def start(chain: Chain, kind: str, letter: str, seed: str, steps: Steps | None) -> Child:
    reads, writes = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writes)
        return Child(pid, reads)
    os.close(reads)
    _live(chain, kind, letter, seed, steps, writes)
    raise AssertionError("the writer has ended")


def _live(
    chain: Chain, kind: str, letter: str, seed: str, steps: Steps | None, writes: int
) -> None:
    write = os.write

    def say(message: dict[str, Any]) -> None:
        write(writes, json.dumps(message).encode() + b"\n")

    try:
        if steps is not None:
            steps.watch()
        made = writer.Writer(
            chain.library, random.Random(seed), say, letter=letter, backups=chain.copies
        )
        made.run(kind, MOST_DEEDS)
    except BaseException:  # noqa: BLE001  whatever it is, the parent prints it
        say({"fault": traceback.format_exc()})
    finally:
        os._exit(0)


def watch(children: Sequence[Child], deadline: float) -> None:
    """Hear the writers until they have ended; from `deadline` on they are killed."""
    open_ = {child.reads: child for child in children}
    while open_:
        left = deadline - time.monotonic()
        if left <= 0:
            for child in open_.values():
                child.killed = True
                os.kill(child.pid, signal.SIGKILL)
            deadline = float("inf")
            continue
        ready, _, _ = select.select(list(open_), [], [], min(left, 60.0))
        for reads in ready:
            if more := os.read(reads, 1 << 16):
                open_[reads].said += more
            else:
                del open_[reads]
    for child in children:
        os.close(child.reads)
        _, status = os.waitpid(child.pid, 0)
        child.killed = os.WIFSIGNALED(status)


def told(chain: Chain, children: Sequence[Child]) -> tuple[check.Told, list[str]]:
    acknowledged: list[state.Effect] = []
    going_on: list[state.Effect] = []
    faults: list[str] = []
    for child in children:
        begun: state.Effect | None = None
        for message in child.messages():
            if "fault" in message:
                faults.append(message["fault"])
            elif "begin" in message:
                begun = message["begin"]
            else:
                acknowledged.append(message["done"])
                begun = None
        if begun is not None:
            going_on.append(begun)
    made = check.Told(chain.state, acknowledged, going_on, chain.backups, chain.forgotten,
                      chain.erased)  # fmt: skip
    return made, faults


def one_round(chain: Chain, kind: str, seed: str, tally: Counter[str]) -> list[str]:
    """Kill, look, count; what was wrong, as lines."""
    chance = random.Random(f"{seed} kill")
    by_step = chance.random() < 0.6
    children = []
    how = ""
    for letter in writer.partners(kind):
        last = int(10 ** chance.uniform(0.3, 3.4))
        dying = by_step and (letter == "a" or chance.random() < 0.5)
        torn = chance.random() < 0.5
        steps = Steps(last, torn=torn) if dying else None
        how += f" {letter} at step {last}{' torn' if torn else ''}" if dying else ""
        children.append(start(chain, kind, letter, f"{seed} {letter}", steps))
    patience = LONGEST_ROUND if by_step else chance.uniform(0.0, LONGEST_DELAY)
    watch(children, time.monotonic() + patience)
    heard, faults = told(chain, children)
    verdict = check.check(chain.library, heard)
    chain.state = verdict.state
    found = [("refused", why) for why in faults]
    found += [(fault, why) for fault, whys in verdict.faults.items() for why in whys]
    found += [("lost", why) for why in _copies(chain, heard)]
    tally.update({
        "rounds": 1,
        "kills": sum(child.killed for child in children),
        "mid": len(heard.going_on),
        "applied": verdict.applied,
        "rolled back": verdict.rolled_back,
        "acknowledged": len(heard.acknowledged),
        "forgets": sum(1 for effect in heard.acknowledged if effect.get("gone")),
    })  # fmt: skip
    tally.update(fault for fault, _ in found)
    how = how or " after a delay"
    return [f"{kind} round {seed!r},{how}: {fault}: {why}" for fault, why in found]


def _copies(chain: Chain, heard: check.Told) -> Iterator[str]:
    """Each acknowledged backup is whole, and nothing but backups lies beside them."""
    made = {effect["backup"] for effect in heard.acknowledged if "backup" in effect}
    for name in made:
        try:
            writer.library_safe(chain.library).contents(chain.copies / name)
        except Exception as problem:  # noqa: BLE001  any of them is the finding
            yield f"backup {name}: {problem}"
    for file in chain.copies.iterdir():
        if file.name not in chain.backups:
            file.unlink()  # one that was going on
    for file in chain.library.parent.glob(f"{check.KEPT}*"):
        file.unlink()


def run(
    rounds: int, seed: int, *, encrypted: bool, kinds: Sequence[str] = KINDS,
    say: Callable[[str], None] = print,
) -> dict[str, Counter[str]]:  # fmt: skip
    """The tally of each kind; `say` hears what is wrong."""
    # Whoever is killed holds no lock, and the other writer none for long.
    erase.SCRUB_BUSY_MILLISECONDS = 20
    tallies = {kind: Counter[str]() for kind in kinds}
    done = 0
    while done < rounds:
        begun = done
        with chain(encrypted or done // CHAIN % 3 == 2) as library:
            while done < min(begun + CHAIN, rounds):
                kind = kinds[(done + done // CHAIN) % len(kinds)]
                wrong = one_round(library, kind, f"{seed}.{done}", tallies[kind])
                done += 1
                for line in wrong:
                    say(line)
                if wrong:
                    break  # what follows would be told again
    return tallies


COLUMNS = ("rounds", "kills", "mid", "applied", "rolled back", "acknowledged", "forgets",
           *check.FAULTS)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--encrypted", action="store_true", help="every library, not one in three")
    parser.add_argument("--kind", choices=KINDS, action="append")
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}")
    began = time.perf_counter()
    tallies = run(chosen.rounds, chosen.seed, encrypted=chosen.encrypted,
                  kinds=tuple(chosen.kind or KINDS))  # fmt: skip
    print(table(tallies, COLUMNS))
    used = sum(os.times()[:4])
    print(f"{time.perf_counter() - began:.0f} s, {used:.0f} s of processor time")
    return 1 if wrong(tallies, check.FAULTS) else 0


if __name__ == "__main__":
    sys.exit(main())
