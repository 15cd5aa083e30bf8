"""What copying says is what happened (FR-82); programs are stood in for by scripts on PATH."""

from __future__ import annotations

import base64
import stat
from pathlib import Path

import pytest
from textual import events

from localmem.core.scope import PROJECT
from localmem.core.terminal import Terminal, Tool, Ways
from localmem.engine import Engine
from localmem.tui import clipboard
from localmem.tui.clipboard import Buffered, Copied, Sent, copy, escape_code, told
from localmem.tui.widgets.area import Area
from localmem.tui.widgets.search_box import SearchBox
from tests.support.hostile import HOSTILE
from tests.tui.conftest import Open

HARD = "`rm -rf ~`; $(id) 'x' \"y\"\n\x1b]52;c;aGk=\x07 ünïcode 日本"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def program(folder: Path, name: str, script: str) -> Tool:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return Tool((name, "--to", "clipboard"))


def never(code: str) -> None:
    raise AssertionError("the terminal was asked although a program took the text")


async def test_a_program_gets_the_text_whole_on_its_input_and_is_named(programs: Path) -> None:
    taken = programs / "taken"
    tool = program(programs, "wl-copy", f'cat > "{taken}"; echo "$@" > "{taken}.args"')
    outcome = await copy(HARD * 2_000, Ways((tool,)), never)
    assert outcome == Copied("wl-copy")
    assert taken.read_text("utf-8") == HARD * 2_000
    assert Path(f"{taken}.args").read_text() == "--to clipboard\n"
    assert told(outcome) == "Copied, with wl-copy."


async def test_a_program_that_stays_to_serve_the_clipboard_is_not_waited_for(
    programs: Path,
) -> None:
    tool = program(programs, "xclip", "cat > /dev/null; sleep 60 & exit 0")
    assert await copy("text", Ways((tool,)), never) == Copied("xclip")


@pytest.mark.parametrize("script", ["exit 1", "cat > /dev/null; exit 3", "kill -9 $$"])
async def test_a_program_that_fails_is_followed_by_the_next_way(
    programs: Path, script: str
) -> None:
    sent: list[str] = []
    failing = program(programs, "xclip", script)
    missing = Tool(("no-such-program",))
    outcome = await copy("text" * 100_000, Ways((missing, failing)), sent.append)
    assert outcome == Sent()
    assert len(sent) == 1
    assert "refuses it" in told(outcome)
    assert not told(outcome).startswith("Copied")


async def test_a_program_that_never_ends_is_ended(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clipboard, "SECONDS", 0.05)
    tool = program(programs, "xclip", "exec sleep 60")
    sent: list[str] = []
    assert await copy("text", Ways((tool,)), sent.append) == Sent()
    assert len(sent) == 1


async def test_inside_tmux_its_buffer_takes_it_and_sends_it_on(programs: Path) -> None:
    taken = programs / "taken"
    program(programs, "tmux", f'cat > "{taken}"; echo "$@" > "{taken}.args"')
    by = Ways(tmux=(Tool(("tmux", "load-buffer", "-w", "-")), Tool(("tmux", "load-buffer", "-"))))
    outcome = await copy(HARD, by, never)
    assert outcome == Buffered(sent_on=True)
    assert taken.read_text("utf-8") == HARD
    assert "sent on" in told(outcome)


async def test_an_old_tmux_keeps_it_and_nothing_is_said_of_the_terminal(programs: Path) -> None:
    program(programs, "tmux", 'cat > /dev/null; [ "$2" != "-w" ]')
    by = Ways(tmux=(Tool(("tmux", "load-buffer", "-w", "-")), Tool(("tmux", "load-buffer", "-"))))
    outcome = await copy("text", by, never)
    assert outcome == Buffered(sent_on=False)
    assert "sent on" not in told(outcome)


def test_the_escape_code_holds_the_text_and_nothing_that_ends_it_early() -> None:
    for text in HOSTILE:
        code = escape_code(text, in_screen=False)
        assert code.startswith("\x1b]52;c;") and code.endswith("\x07")
        held = base64.b64decode(code[7:-1]).decode("utf-8", "replace")
        assert held == text.encode("utf-8", "replace").decode("utf-8")


def test_screen_is_handed_pieces_it_passes_on_whole() -> None:
    code = escape_code("x" * 5_000, in_screen=True)
    pieces = code.split("\x1b\\")[:-1]
    assert len(pieces) > 5
    assert all(piece.startswith("\x1bP") and len(piece) <= 768 for piece in pieces)
    assert "".join(piece[2:] for piece in pieces) == escape_code("x" * 5_000, in_screen=False)


HIDDEN = "Prefers\x1b[31m WhatsApp\u202e over email.\x07"


def hidden_fact(engine: Engine) -> None:
    engine.facts.add(HIDDEN, scope=PROJECT)


async def test_y_copies_the_text_as_stored_and_says_how_to_print_it(open_app: Open) -> None:
    async with open_app(hidden_fact) as running:
        await running.press("y")
        await running.settle()
        assert running.app.clipboard == HIDDEN
        item = running.library.item
        assert item is not None
        assert any(f"localmem show {item.id}" in toast for toast in running.toasts())


async def test_the_history_copies_the_text_as_stored(open_app: Open) -> None:
    async with open_app(hidden_fact) as running:
        await running.press("h", "y")
        assert running.app.clipboard == HIDDEN


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+x"])
async def test_a_field_copies_the_persons_text_and_no_stand_ins(open_app: Open, key: str) -> None:
    async with open_app(hidden_fact) as running:
        await running.press("e")
        area = running.app.screen.query_one(Area)
        area.select_all()
        await running.press(key)
        assert running.app.clipboard == HIDDEN
        area.typed = ""
        await running.press("ctrl+v")
        assert area.typed == HIDDEN
        assert "\x1b" not in running.text and "\u202e" not in running.text


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+x"])
async def test_the_search_box_copies_and_pastes_what_was_typed(open_app: Open, key: str) -> None:
    async with open_app(hidden_fact) as running:
        await running.press("slash")
        running.app.post_message(events.Paste(HIDDEN))
        await running.settle()
        box = running.app.screen.query_one(SearchBox)
        assert box.typed == HIDDEN
        box.select_all()
        await running.press(key)
        assert running.app.clipboard == HIDDEN
        box.typed = ""
        await running.press("ctrl+v")
        assert box.typed == HIDDEN


async def test_copying_nothing_in_a_field_keeps_the_clipboard(open_app: Open) -> None:
    async with open_app(hidden_fact) as running:
        await running.press("y", "slash", "ctrl+c", "ctrl+x")
        assert running.app.clipboard == HIDDEN


async def test_the_toast_names_the_program_that_took_it(open_app: Open, programs: Path) -> None:
    tool = program(programs, "pbcopy", "cat > /dev/null")
    async with open_app(hidden_fact) as running:
        object.__setattr__(running.app.desk, "terminal", Terminal(find_ways=lambda: Ways((tool,))))
        await running.press("y")
        await running.app.workers.wait_for_complete(
            [worker for worker in running.app.workers if worker.group == "copy"]
        )
        assert "Copied, with pbcopy." in running.toasts()
