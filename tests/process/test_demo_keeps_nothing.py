"""`localmem demo` as a person runs it, on a terminal and a fresh home: no file is left."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
LONGEST = 60.0


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, arguments: list[str], environment: dict[str, str], folder: Path) -> None:
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(sys.executable, [sys.executable, *arguments], environment)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
        self.written = b""

    def wait_for(self, text: str) -> None:
        """Until it stands in what was written since the last wait."""
        until = time.monotonic() + LONGEST
        while text.encode() not in self.written:
            assert select.select([self.file], [], [], max(until - time.monotonic(), 0))[0], text
            self.written += os.read(self.file, 65_536)
        self.written = self.written.rpartition(text.encode())[2]

    def press(self, keys: str) -> None:
        os.write(self.file, keys.encode())

    def ended(self) -> int:
        """Read to the end; the exit code."""
        while True:
            try:
                if not os.read(self.file, 65_536):
                    break
            except OSError:
                break
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def files(folder: Path) -> list[str]:
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


def test_a_demo_that_was_written_in_leaves_no_file_anywhere(tmp_path: Path) -> None:
    """The model is loaded, a fact is kept, another one is left as a draft, and q leaves."""
    home, here, temporary = tmp_path / "home", tmp_path / "here", tmp_path / "tmp"
    for folder in (home, here, temporary):
        folder.mkdir()
    environment = {
        "HOME": str(home), "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8",
        "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": str(temporary), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }  # fmt: skip
    app = Terminal(["-m", "localmem", "demo"], environment, here)
    app.wait_for("demo · nothing is kept")
    app.wait_for("meaning")
    app.press("n")
    app.wait_for("Keep something new")
    app.press("\r")
    app.wait_for("New fact")
    app.press("Keeps bees on the roof.\x13")
    app.wait_for("Kept.")
    app.press("n")
    app.wait_for("Keep something new")
    app.press("\r")
    app.wait_for("New fact")
    app.press("half a sentence")
    app.wait_for("half a")
    app.press("\x11")
    app.wait_for("nothing of it was kept")
    assert app.ended() == 0
    assert files(tmp_path) == []
