"""How long a person waits for the first frame, beside a trivial Textual app on the same machine.

    python bench/start.py                      welcome, demo, and a library of 10,000 facts
    python bench/start.py --facts 1000 --runs 5

Each case is a process of its own on a terminal of 120x36, started warm (once before, uncounted),
the cases taking turns so that a busy minute hits all alike. The clock runs from the start of the
process until the named text stands on the terminal.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from localmem import ids, wiring
from localmem.core.model import Origin

COLUMNS, ROWS = 120, 36
LONGEST = 60.0
"""Seconds until a start counts as failed."""
TRIVIAL = """
from textual.app import App
from textual.widgets import Static

class Trivial(App):
    def compose(self):
        yield Static("first frame")

Trivial().run()
"""


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    arguments: tuple[str, ...]
    """Of the interpreter."""
    shown: bytes
    """What stands on the terminal once the frame is there."""
    home: Path
    fresh: bool = False
    """Every start is the first one of its library."""
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)


def start(case: Case, bytecode: Path) -> tuple[float, float]:
    """Seconds until the frame, and those of the processor; the process is ended after it."""
    if case.fresh:
        for file in case.home.glob("library.db*"):
            file.unlink()
    began = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        # Installed programs have their bytecode; a checkout is compiled in the run before.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ.update(LOCALMEM_HOME=str(case.home), TERM="xterm-256color")
        os.environ["PYTHONPYCACHEPREFIX"] = str(bytecode)
        os.execv(sys.executable, [sys.executable, *case.arguments])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    try:
        seconds = _wait_for(terminal, case.shown, began)
    finally:
        os.kill(pid, signal.SIGKILL)
        used = os.wait4(pid, 0)[2]
        os.close(terminal)
    return seconds, used.ru_utime + used.ru_stime


def _wait_for(terminal: int, shown: bytes, began: float) -> float:
    written = b""
    while (spent := time.perf_counter() - began) < LONGEST:
        if not select.select([terminal], [], [], LONGEST - spent)[0]:
            break
        try:
            written += os.read(terminal, 65_536)
        except OSError:
            break
        if shown in written:
            return time.perf_counter() - began
    raise SystemExit(f"{shown!r} never came:\n{written[-2000:].decode(errors='replace')}")


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
    program = ("-m", "localmem")
    empty = folder / "empty"
    yield Case("trivial Textual app", ("-c", TRIVIAL), b"first frame", folder)
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
        for number in range(asked.runs + 1):
            for case in measured:
                seconds, processor = start(case, Path(folder) / "bytecode")
                if number:
                    case.seconds.append(seconds)
                    case.processor.append(processor)
    _table(measured)


def _table(measured: list[Case]) -> None:
    """On a busy machine the processor's seconds are the steadier ones."""
    sys.stdout.write(
        f"{'first frame':<22}{'median':>8}{'best':>8}{'worst':>8}{'ratio':>8}"
        f"{'cpu':>8}{'ratio':>8}\n"
    )
    first = measured[0]
    for case in measured:
        middle, cpu = statistics.median(case.seconds), statistics.median(case.processor)
        parts = middle / statistics.median(first.seconds), cpu / statistics.median(first.processor)
        wall = (
            f"{middle:>7.2f}s{min(case.seconds):>7.2f}s{max(case.seconds):>7.2f}s{parts[0]:>7.2f}x"
        )
        sys.stdout.write(f"{case.name:<22}{wall}{cpu:>7.2f}s{parts[1]:>7.2f}x\n")


if __name__ == "__main__":
    main()
