"""docs/settings.md and docs/keys.md: their tables are the app's own, their examples are true."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path

import pytest

from localmem.config import SETTINGS
from localmem.config.book import Book
from localmem.tui import keymap
from localmem.tui.actions import ACTIONS
from localmem.wiring import check_model

ROOT = Path(__file__).parents[2]
WRITER = runpy.run_path(str(ROOT / ".ci" / "write_key_table.py"), run_name="writer")
PAGES = [ROOT / "docs" / "settings.md", ROOT / "docs" / "keys.md"]


@pytest.mark.parametrize("page", WRITER["TABLES"], ids=lambda page: page.name)
def test_every_table_is_written_by_the_script(page: Path) -> None:
    text = page.read_text("utf-8")
    mark, table = WRITER["TABLES"][page]
    assert text == WRITER["written"](text, mark, table()), "run: python .ci/write_key_table.py"
    assert table().count("\n") > 5


def test_every_setting_and_every_action_is_in_its_page() -> None:
    settings, keys = (page.read_text("utf-8") for page in PAGES)
    for name, setting in SETTINGS.items():
        assert f"| `{name}` | {setting.kind} |" in settings and setting.meaning in settings
    for action in ACTIONS:
        assert f"| `{action.id}` |" in keys


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_files_that_are_shown_are_understood_without_a_problem(
    page: Path, tmp_path: Path
) -> None:
    shown = re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert shown
    for text in shown:
        file = tmp_path / "config.toml"
        file.write_text(text, "utf-8")
        found = Book(file, {}, check_model).found()
        assert found.problems == () and tomllib.loads(text)
        assert keymap.read(found.settings.keys).problems == ()
        check_model(found.settings.model)


def test_the_keys_that_are_named_as_the_same_are_refused() -> None:
    text = PAGES[1].read_text("utf-8")
    for key in ("ctrl+i", "ctrl+m", "ctrl+["):
        assert f"`{key}` is" in text
        assert "Terminals send the same" in keymap.read({"search": (key,)}).problems[0]
    for key in ("f", "F", "/", "ctrl+f", "f5", "pageup", "space", "alt+x", "^f", "ctrl-f"):
        assert f"`{key}`" in text
        keymap.key_name(key)
