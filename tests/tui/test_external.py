"""The person's own editor, however it behaves: what is in the form is never lost by it."""

from __future__ import annotations

import os
import signal
import stat
from contextlib import nullcontext
from pathlib import Path

import pytest

from localmem.core.scope import PROJECT
from localmem.engine import Engine
from localmem.tui.app import LocalmemApp
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.widgets.area import Area
from tests.tui.conftest import Open, Running

BEFORE = "Prefers WhatsApp over email."


def one_fact(engine: Engine) -> None:
    engine.facts.add(BEFORE, scope=PROJECT)


@pytest.fixture(autouse=True)
def suspended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pilot has no terminal to give away."""
    monkeypatch.setattr(LocalmemApp, "suspend", lambda self: nullcontext())


def editor(folder: Path, script: str, name: str = "my editor") -> str:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return f"'{file}'"


async def use(running: Running, command: str) -> Area:
    object.__setattr__(running.app.desk, "editor", command)
    await running.press("e")
    area = running.app.screen.query_one(Area)
    area.typed = f"{BEFORE} Half a thought"
    await running.press("ctrl+o")
    assert isinstance(running.app.screen, FactForm)
    return area


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 1", "ended with an error (1)"),
        ('printf broken > "$1"; exit 3', "ended with an error (3)"),
        ("kill -SEGV $$", f"by signal {int(signal.SIGSEGV)}"),
        ('rm "$1"', "left no file"),
        ('rm "$1"; mkdir "$1"', "left no file"),
        ('head -c 30000000 /dev/zero | tr "\\0" x > "$1"', "no memory holds so much"),
        ('printf "\\377\\376x" > "$1"', "UTF-8"),
    ],
)
async def test_what_an_editor_did_not_mean_is_told_and_the_form_keeps_its_text(
    open_app: Open, tmp_path: Path, script: str, said: str
) -> None:
    async with open_app(one_fact) as running:
        area = await use(running, editor(tmp_path, script))
        assert area.typed == f"{BEFORE} Half a thought"
        assert any(said in toast for toast in running.toasts()), running.toasts()


async def test_an_editor_with_spaces_and_arguments_is_started_as_written(
    open_app: Open, tmp_path: Path
) -> None:
    script = f'echo "$1 $2" > "{tmp_path}/arguments"; echo "From the editor." > "$3"'
    async with open_app(one_fact) as running:
        area = await use(running, editor(tmp_path, script) + " --wait '$(id) two'")
        assert area.typed == "From the editor."
        assert (tmp_path / "arguments").read_text() == "--wait $(id) two\n"


@pytest.mark.parametrize("command", ["no-such-editor-here", "'unclosed", "/etc/passwd"])
async def test_an_editor_that_cannot_be_started_is_named(open_app: Open, command: str) -> None:
    async with open_app(one_fact) as running:
        area = await use(running, command)
        assert area.typed == f"{BEFORE} Half a thought"
        assert any("EDITOR" in toast for toast in running.toasts()), running.toasts()


async def test_ctrl_c_in_the_editor_does_not_end_the_app(open_app: Open, tmp_path: Path) -> None:
    script = f'kill -INT {os.getpid()}; echo "Still here." > "$1"'
    before = signal.getsignal(signal.SIGINT)
    async with open_app(one_fact) as running:
        area = await use(running, editor(tmp_path, script))
        assert area.typed == "Still here."
    assert signal.getsignal(signal.SIGINT) is before


async def test_nothing_of_the_text_is_left_behind_whatever_the_editor_did(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    for script in ('echo "$1" > "$1"', "exit 1", 'cp "$1" "$1~"; rm "$1"'):
        async with open_app(one_fact) as running:
            await use(running, editor(tmp_path, script))
    assert list(temporary.iterdir()) == []
