"""Sync against losses, crashes and strangers: a thousand schedules, each out of one seed.

    python -m bench.simulate [--schedules 2000] [--start 0] [--mode ext|documented|both]
                             [--processes 2] [--seed-only S [-v]]

Each schedule lets three devices work on a few items and sync with a server in the same process
(tests/simulation), heals the world, and holds it against what people did. Prints what was met how
often, each broken promise with its seed, and CPU seconds for a thousand schedules. Ends with 1 when
a promise was broken, or when something was met too rarely for the run to prove anything.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from tests.simulation import schedules
from tests.simulation.oracle import Violation
from tests.simulation.world import World

CHUNK = 50
MOST_SHOWN = 20


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.simulate")
    parser.add_argument("--schedules", type=int, default=2000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--mode", choices=(*schedules.MODES, "both"), default="both")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed-only", type=int)
    parser.add_argument("-v", "--verbose", action="store_true")
    asked = parser.parse_args(arguments)
    modes = schedules.MODES if asked.mode == "both" else (asked.mode,)
    if asked.seed_only is not None:
        return max(one(mode, asked.seed_only, asked.verbose) for mode in modes)
    seeds = range(asked.start, asked.start + asked.schedules)
    return max([many(mode, seeds, asked.processes) for mode in modes])


def one(mode: str, seed: int, verbose: bool) -> int:
    """One schedule, with everything that was asked and answered."""
    world = World(seed, schedules.mode_of(mode, seed), trace=verbose)
    problem: BaseException | None = None
    try:
        world.run()
    except (Violation, AssertionError) as found:
        problem = found
    print(*world.log, sep="\n")
    print(f"{mode} {seed}: {'kept' if problem is None else problem!r}")
    return int(problem is not None)


def many(mode: str, seeds: range, processes: int) -> int:
    counts: Counter[str] = Counter()
    broken: list[schedules.Broken] = []
    seconds = 0.0
    with ProcessPoolExecutor(processes) as pool:
        for tally, spent in pool.map(_chunk, _chunks(mode, seeds)):
            counts += tally.counts
            for each in tally.broken[: MOST_SHOWN - len(broken)]:
                said = f"BROKEN {each.mode} seed {each.seed}: {each.promise} {each.about}"
                print(said, flush=True)
            broken += tally.broken
            seconds += spent
    missed = schedules.missed(mode, counts)
    for what, count in sorted(counts.items()):
        print(f"{mode:<11} {what:<34} {count:>12,}")
    for kind, count in Counter(each.promise for each in broken).most_common():
        print(f"BROKEN {mode} {count:,} times: {kind}")
    for what in missed:
        print(f"TOO RARE {mode} {what}")
    print(
        f"{mode}: {len(seeds):,} schedules, {len(broken):,} broken, "
        f"{seconds / max(1, len(seeds)) * 1000:.1f} CPU seconds for a thousand"
    )
    return int(bool(broken or missed))


def _chunks(mode: str, seeds: range) -> Iterator[tuple[str, range]]:
    for at in range(0, len(seeds), CHUNK):
        yield mode, seeds[at : at + CHUNK]


def _chunk(asked: tuple[str, range]) -> tuple[schedules.Tally, float]:
    begun = time.process_time()
    gc.disable()  # worlds are full of circles, and small: once at the end is enough
    tally = schedules.run(*asked)
    gc.enable()
    gc.collect()
    return tally, time.process_time() - begun


if __name__ == "__main__":
    os.nice(5)
    sys.exit(main())
