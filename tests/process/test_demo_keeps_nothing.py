"""`localmem demo` as a person runs it, on a terminal and a fresh home: no file is left."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.support.terminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


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
