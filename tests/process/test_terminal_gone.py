"""The terminal's window is closed under the app: it ends, and what was typed is there again."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from tests.support.terminal import LONGEST, Terminal


def start(folder: Path) -> Terminal:
    environment = {
        "HOME": str(folder), "LOCALMEM_HOME": str(folder / "data"), "PATH": os.environ["PATH"],
        "TERM": "xterm-256color", "LANG": "C.UTF-8", "PYTHONPATH": str(Path(__file__).parents[2]),
        "PYTHONDONTWRITEBYTECODE": "1", "LOCALMEM_MODEL": "none",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }  # fmt: skip
    return Terminal(["-m", "localmem"], environment, folder)


def ends(app: Terminal) -> bool:
    """Whether it ends by itself; what does not is ended here."""
    until = time.monotonic() + LONGEST / 4
    with os.fdopen(os.pidfd_open(app.pid)) as watched:
        import select

        done = bool(select.select([watched], [], [], max(until - time.monotonic(), 0))[0])
    if not done:
        os.kill(app.pid, signal.SIGKILL)
    os.waitpid(app.pid, 0)
    return done


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for a process as Linux lets it")
def test_a_closed_window_ends_the_app_and_keeps_what_was_typed(tmp_path: Path) -> None:
    """FR-88: it waited for ever for a terminal that was gone, with the library open."""
    app = start(tmp_path)
    app.wait_for("Welcome")
    app.press("\x1b")
    app.wait_for("palette")
    app.press("n")
    app.wait_for("Keep something new")
    app.press("\r")
    app.wait_for("New fact")
    app.press("half a sentence")
    app.wait_for("15 / 8,192")
    os.kill(app.pid, signal.SIGHUP)  # as the system sends them when a window is closed
    os.kill(app.pid, signal.SIGCONT)
    os.close(app.file)
    assert ends(app)

    again = start(tmp_path)
    again.wait_for("palette")
    again.press("n")
    again.wait_for("Keep something new")
    again.press("\r")
    again.wait_for("half a sentence")
    again.press("\x11")
    assert again.ended() == 0


def test_an_app_that_was_stopped_and_goes_on_draws_itself_and_takes_each_key_once(
    tmp_path: Path,
) -> None:
    app = start(tmp_path)
    app.wait_for("Welcome")
    app.press("\x1b")
    app.wait_for("palette")
    app.press("/")
    app.wait_for("results")
    for _ in range(3):
        os.kill(app.pid, signal.SIGSTOP)
        os.kill(app.pid, signal.SIGCONT)
        app.wait_for("\x1b[?1049l")
        app.wait_for("Everything")
    app.press("abc")
    app.press("defghij")
    app.wait_for("abcdefghij")
    app.press("\x11")
    assert app.ended() == 0
    assert app.left_as_it_was() == []
