"""A program on a pseudo-terminal of its own, and the very bytes it writes there."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

LONGEST = 60.0
"""Seconds that something may take to be seen."""


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, arguments: list[str], environment: dict[str, str], folder: Path) -> None:
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(sys.executable, [sys.executable, *arguments], environment)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
        self.written = b""
        self.everything = b""
        """All that ever reached the terminal."""

    def wait_for(self, text: str) -> None:
        """Until it stands in what was written since the last wait."""
        until = time.monotonic() + LONGEST
        while text.encode() not in self.written:
            assert select.select([self.file], [], [], max(until - time.monotonic(), 0))[0], text
            self._take(os.read(self.file, 65_536))
        self.written = self.written.rpartition(text.encode())[2]

    def _take(self, read: bytes) -> None:
        self.written += read
        self.everything += read

    def press(self, keys: str) -> None:
        os.write(self.file, keys.encode())

    def ended(self) -> int:
        """Read to the end; the exit code. It is ended after a while that does not end by itself."""
        until = time.monotonic() + LONGEST
        while True:
            if not select.select([self.file], [], [], max(until - time.monotonic(), 0))[0]:
                os.kill(self.pid, signal.SIGKILL)
            try:
                if not (read := os.read(self.file, 65_536)):
                    break
            except OSError:
                break
            self._take(read)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def left_as_it_was(self, *, before: str = "") -> list[str]:
        """What the program switched on and never off again, or not `before` that was written."""
        modes = {
            "mouse": ("?1000h", "?1000l"),
            "every move of the mouse": ("?1003h", "?1003l"),
            "mouse signs": ("?1006h", "?1006l"),
            "other screen": ("?1049h", "?1049l"),
            "paste in brackets": ("?2004h", "?2004l"),
            "focus": ("?1004h", "?1004l"),
            "cursor hidden": ("?25l", "?25h"),
        }
        written = self.everything.decode("utf-8", "replace")
        last = (written.rpartition(before)[0] if before else written).rfind
        return [
            name for name, (on, off) in modes.items() if last(f"\x1b[{on}") > last(f"\x1b[{off}")
        ]
