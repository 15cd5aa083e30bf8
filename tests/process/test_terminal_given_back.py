"""However the app ends, the terminal is given back as it was (FR-88): the bytes it wrote tell."""

from __future__ import annotations

import os
import signal
import stat
import sys
from pathlib import Path

import pytest

from localmem.tui.leftovers import CLEAN

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from tests.support.terminal import Terminal

BREAKING = """
import sys
from localmem.__main__ import main
from localmem.tui.screens.library import LibraryScreen

async def broken():
    raise RuntimeError("the secret value of a memory")

def in_a_worker(screen):
    screen.run_worker(broken)

def at_once(screen):
    raise MemoryError("the secret value of a memory")

LibraryScreen.action_undo = in_a_worker
LibraryScreen.action_history = at_once
sys.argv = ["localmem"]
main()
"""


def start(folder: Path, *arguments: str, editor: str = "") -> Terminal:
    environment = {
        "HOME": str(folder), "LOCALMEM_HOME": str(folder / "data"), "PATH": os.environ["PATH"],
        "TERM": "xterm-256color", "LANG": "C.UTF-8", "PYTHONPATH": str(Path(__file__).parents[2]),
        "PYTHONDONTWRITEBYTECODE": "1", "EDITOR": editor, "LOCALMEM_MODEL": "none",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }  # fmt: skip
    app = Terminal([*(arguments or ("-m", "localmem"))], environment, folder)
    app.wait_for("palette")
    return app


def begun(folder: Path, *arguments: str, editor: str = "") -> Terminal:
    """Past the first start."""
    first = start(folder, editor=editor)
    first.wait_for("Welcome")
    first.press("\x11")
    assert first.ended() == 0
    return start(folder, *arguments, editor=editor)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back_and_keeps_what_was_typed(
    tmp_path: Path, number: signal.Signals
) -> None:
    app = begun(tmp_path)
    app.press("n")
    app.wait_for("Keep something new")
    app.press("\r")
    app.wait_for("New fact")
    app.press("half a sentence")
    app.wait_for("15 / 8,192")
    os.kill(app.pid, number)
    assert app.ended() == 128 + number
    assert app.left_as_it_was() == []
    again = start(tmp_path)
    again.press("n")
    again.wait_for("Keep something new")
    again.press("\r")
    again.wait_for("half a sentence")
    again.press("\x11")
    again.ended()


def test_an_interrupt_from_outside_gives_the_terminal_back(tmp_path: Path) -> None:
    app = begun(tmp_path)
    os.kill(app.pid, signal.SIGINT)
    app.ended()
    assert b"Traceback" not in app.everything
    assert app.left_as_it_was() == []


@pytest.mark.parametrize("key", ["u", "h"])
def test_an_exception_gives_the_terminal_back_and_tells_no_value(tmp_path: Path, key: str) -> None:
    app = begun(tmp_path, "-c", BREAKING)
    app.press(key)
    assert app.ended() != 0
    assert app.left_as_it_was() == []
    told = app.everything.rpartition(b"?1049l")[2]
    assert b"Error" in told and b"localmem" in told
    assert b"secret value" not in app.everything


@pytest.mark.parametrize("script", ["exit 3", "kill -SEGV $$", "kill -KILL $$"])
def test_an_editor_that_crashes_leaves_the_app_as_it_was(tmp_path: Path, script: str) -> None:
    file = tmp_path / "editor"
    file.write_text(f"#!/bin/sh\necho the editor runs\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    app = begun(tmp_path, editor=str(file))
    app.press("n")
    app.wait_for("Keep something new")
    app.press("\r")
    app.wait_for("New fact")
    app.press("half a sentence")
    app.wait_for("15 / 8,192")
    app.press("\x0f")
    app.wait_for("the editor runs")
    assert app.left_as_it_was(before="the editor runs") == []
    app.wait_for("The editor ended")
    app.press("!")
    app.wait_for("16 / 8,192")
    app.press("\x11")
    assert app.ended() == 0
    assert app.left_as_it_was() == []


def test_the_start_after_a_kill_first_takes_the_mouse_back(tmp_path: Path) -> None:
    app = begun(tmp_path)
    os.kill(app.pid, signal.SIGKILL)
    assert app.ended() == -signal.SIGKILL
    assert "mouse" in app.left_as_it_was()
    again = start(tmp_path)
    before = again.everything.partition(b"?1049h")[0]
    assert before.startswith(CLEAN.encode())
    assert CLEAN.startswith("\x1b[?1000l")
    again.press("q")
    assert again.ended() == 0
    assert again.left_as_it_was() == []
