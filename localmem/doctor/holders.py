"""Which programs have the library open, and which of them is writing now.

Names a program by its number and name, never by its command line, which may hold what somebody
typed. Processes of other people cannot be looked into; that is said instead of guessed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WRITE_LOCK = "120"
"""The byte of the shared-memory file that a writer locks (SQLite, walformat)."""


@dataclass(frozen=True, slots=True)
class Holder:
    pid: int
    name: str
    since: float
    """When it was started, in seconds since 1970."""
    ours: bool
    """This very process."""


@dataclass(frozen=True, slots=True)
class Holders:
    found: tuple[Holder, ...]
    hidden: int
    """Processes that could not be looked into."""
    writing: tuple[int, ...]
    """Process numbers that hold the write lock at this moment, where that can be told."""

    @property
    def others(self) -> tuple[Holder, ...]:
        return tuple(each for each in self.found if not each.ours)


def holders(files: list[Path]) -> Holders:
    """Who has one of these files open."""
    wanted = {os.path.realpath(file) for file in files}
    if not wanted:
        return Holders((), 0, ())
    found, hidden = list[Holder](), 0
    for process, open_files in _processes():
        if open_files is None:
            hidden += 1
        elif wanted & open_files:
            found.append(process)
    return Holders(tuple(sorted(found, key=lambda each: each.pid)), hidden, tuple(_writing(files)))


def _processes() -> Iterator[tuple[Holder, set[str] | None]]:
    """Every process with its open files; None where they may not be seen."""
    import psutil

    for process in psutil.process_iter():
        try:
            with process.oneshot():
                who = Holder(
                    process.pid, process.name(), process.create_time(), process.pid == os.getpid()
                )
                yield who, {opened.path for opened in process.open_files()}
        except psutil.NoSuchProcess:
            continue
        except (psutil.AccessDenied, OSError):
            yield Holder(process.pid, "", 0.0, False), None


def _writing(files: list[Path]) -> Iterator[int]:
    """From the kernel's table of locks, where there is one: looking at it takes no lock."""
    inodes = {str(file.stat().st_ino) for file in files if file.name.endswith("-shm")}
    try:
        table = Path("/proc/locks").read_text("utf-8", "replace")
    except OSError:
        return
    for line in table.splitlines():
        parts = line.split()
        if len(parts) != 8 or parts[3] != "WRITE" or parts[6] != WRITE_LOCK:
            continue
        if parts[5].rpartition(":")[2] in inodes and parts[4].isdigit():
            yield int(parts[4])
