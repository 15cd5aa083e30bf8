"""Starts a program on a terminal of its own and says how long its first frame took.

The clock runs from the start of the process until the named text stands on the terminal; then the
process is ended. Refuses to guess: a text that never comes ends the run and shows what came.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

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
TRIVIAL_SHOWS = b"first frame"


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    command: tuple[str, ...]
    """The program's path and its arguments."""
    shown: bytes
    """What stands on the terminal once the frame is there."""
    home: Path
    """LOCALMEM_HOME of localmem, the home folder of everything else."""
    fresh: bool = False
    """Every start is the first one of its library."""
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @property
    def wall(self) -> float:
        return statistics.median(self.seconds)

    @property
    def cpu(self) -> float:
        return statistics.median(self.processor)


def take_turns(cases: Sequence[Case], runs: int, bytecode: Path) -> None:
    """Start each case `runs` times in turn, after one start that is not counted."""
    for number in range(runs + 1):
        for case in cases:
            seconds, processor = _start(case, bytecode)
            if number:
                case.seconds.append(seconds)
                case.processor.append(processor)


def _start(case: Case, bytecode: Path) -> tuple[float, float]:
    """Seconds until the frame, and those of the processor."""
    if case.fresh:
        for file in case.home.glob("library.db*"):
            file.unlink()
    environment = _environment(case.home, bytecode)
    began = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(case.command[0], case.command, environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    try:
        seconds = _wait_for(terminal, case.shown, began)
    finally:
        os.kill(pid, signal.SIGKILL)
        used = os.wait4(pid, 0)[2]
        os.close(terminal)
    return seconds, used.ru_utime + used.ru_stime


def _environment(home: Path, bytecode: Path) -> Mapping[str, str]:
    """Installed programs have their bytecode; a checkout is compiled in the start before."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name != "PYTHONDONTWRITEBYTECODE" and not name.startswith("XDG_")
    }
    return inherited | {
        "HOME": str(home),
        "LOCALMEM_HOME": str(home),
        "PYTHONPYCACHEPREFIX": str(bytecode),
        "TERM": "xterm-256color",
    }


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
