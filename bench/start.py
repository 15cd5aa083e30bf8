"""How long a person waits for the first frame, beside a trivial Textual app on the same machine.

    python bench/start.py                      welcome, demo, and a library of 10,000 facts
    python bench/start.py --facts 1000 --runs 5

Each case is a process of its own on a terminal of 120x36, started warm (once before, uncounted),
the cases taking turns so that a busy minute hits all alike. The clock runs from the start of the
process until the named text stands on the terminal.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from starting import TRIVIAL, TRIVIAL_SHOWS, Case, take_turns

from localmem import ids, wiring
from localmem.core.model import Origin


def filled(home: Path, facts: int) -> Path:
    """A library with so many facts, spread over as many contacts as their caps ask for."""
    from localmem.core.scope import PROJECT, contact

    home.mkdir(parents=True)
    place = wiring.home({"LOCALMEM_HOME": str(home)})
    engine = wiring.open_engine(place, wiring.person(Origin.CLI), long_lived=False, meaning=False)
    engine.greet()
    for number in range(facts):
        scope = PROJECT if number < PROJECT.fact_cap // 2 else contact(f"c{number // 400}")
        engine.facts.add(f"Fact number {number} is about thing {ids.now() % 997}.", scope=scope)
    engine.close()
    return home


def cases(folder: Path, facts: int) -> Iterator[Case]:
    program = (sys.executable, "-m", "localmem")
    empty = folder / "empty"
    yield Case("trivial Textual app", (sys.executable, "-c", TRIVIAL), TRIVIAL_SHOWS, folder)
    yield Case("welcome, first start", program, b"Start empty", empty, fresh=True)
    yield Case("localmem demo", (*program, "demo"), b"sem lactose", folder / "none")
    if facts:
        yield Case(f"{facts:,} facts", program, b"Fact number", filled(folder / "full", facts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--facts", type=int, default=10_000, help="0 leaves that case out")
    parser.add_argument("--runs", type=int, default=7)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measured = list(cases(Path(folder), asked.facts))
        take_turns(measured, asked.runs, Path(folder) / "bytecode")
    _table(measured)


def _table(measured: list[Case]) -> None:
    """On a busy machine the processor's seconds are the steadier ones."""
    sys.stdout.write(
        f"{'first frame':<22}{'median':>8}{'best':>8}{'worst':>8}{'ratio':>8}"
        f"{'cpu':>8}{'ratio':>8}\n"
    )
    first = measured[0]
    for case in measured:
        spread = f"{min(case.seconds):>7.2f}s{max(case.seconds):>7.2f}s"
        wall = f"{case.wall:>7.2f}s{spread}{case.wall / first.wall:>7.2f}x"
        sys.stdout.write(f"{case.name:<22}{wall}{case.cpu:>7.2f}s{case.cpu / first.cpu:>7.2f}x\n")


if __name__ == "__main__":
    main()
