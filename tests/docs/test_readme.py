"""The documents tell the truth: keys, commands, links and the two commands of a newcomer."""

from __future__ import annotations

import re
from pathlib import Path

from localmem.cli.main import COMMANDS
from localmem.tui.actions import key_table

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_key_table_is_the_app_s_own() -> None:
    table = README.partition("<!-- keys -->\n")[2].partition("<!-- /keys -->")[0]
    assert table.strip() == key_table().strip(), "run: python .ci/write_key_table.py"


def test_every_command_is_named_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    missing = [name for name in COMMANDS if f"`{name}`" not in changelog]
    assert missing == []


def test_every_command_shown_in_the_readme_exists() -> None:
    shown = set(re.findall(r"^localmem ([a-z]+)", README, re.MULTILINE))
    assert shown
    assert shown <= set(COMMANDS)


def test_every_link_and_picture_leads_somewhere() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_gate_runs_the_command_the_readme_gives() -> None:
    section = README.partition("\n## Developing\n")[2]
    command = re.search(r"```sh\n(.+?)\n```", section, re.DOTALL)
    assert command is not None
    assert command[1].endswith("pytest")
    assert "readme_command.py" in (ROOT / ".ci" / "run").read_text("utf-8")
