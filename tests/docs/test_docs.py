"""The pages of docs/ tell the truth: every one can be reached, every command line in them exists,
and every example of a search finds what the page says."""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import click
import pytest

from localmem import demo, embed
from localmem.cli.main import COMMANDS
from localmem.cli.main import cli as root
from localmem.core import plain, query
from localmem.engine import Engine
from localmem.tui.actions import ACTIONS, key_label
from tests.support.library import FixedClock, open_library

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXT = {page.relative_to(ROOT).as_posix(): page.read_text("utf-8") for page in PAGES}
COMMAND_LINE = re.compile(
    r"(?:^|&& |\| |\$\()(?:\$ )?(?:[A-Z_]+=\S* )*(?:\S*/)?(localmem(?: .*)?)$"
)
ENDS = {"|", "||", "&&", ";", ">", ">>", "<"}
"""What ends a command in a shell."""


def command_lines() -> Iterator[tuple[str, str]]:
    """(page, line) of every `localmem …` in a code block or between backticks."""
    for page, text in TEXT.items():
        blocks = re.findall(r"```[a-z]*\n(.*?)```", text, re.DOTALL)
        lines = [line.strip() for block in blocks for line in block.splitlines()]
        without = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        lines += [code.strip() for code in re.findall(r"`([^`\n]+)`", without)]
        for line in lines:
            if found := COMMAND_LINE.search(line):
                yield page, found[1]


LINES = sorted(set(command_lines()))


def words_of(line: str) -> list[str]:
    """The words of one command, without the program's name and what follows in a pipe."""
    words: list[str] = []
    for word in shlex.split(line.rstrip(")"), comments=True)[1:]:
        if word in ENDS:
            break
        words.append(word)
    return words


def wrong_with(words: list[str]) -> str:
    """Why the command line cannot be one; "" when it can."""
    command: click.Command = root
    names = iter(words)
    for word in names:
        if word == "--":
            return ""
        if word.startswith("-") and word.strip("-"):
            options = {
                name: each for each in command.params for name in (*each.opts, *each.secondary_opts)
            }
            name, given, _ = word.partition("=")
            if name not in options.keys() | {"--help", "-h"}:
                return f"{command.name} has no {word}"
            if not given and takes_value(options.get(name)):
                next(names, None)
        elif isinstance(command, click.Group):
            found = command.get_command(click.Context(command), word)
            if found is None:
                return f"there is no command {word}"
            command = found
    return ""


def takes_value(option: click.Parameter | None) -> bool:
    return isinstance(option, click.Option) and not option.is_flag and not option.count


def test_the_pages_show_command_lines() -> None:
    assert len(LINES) > 20
    assert wrong_with(["serach", "x"]) == "there is no command serach"
    assert wrong_with(["search", "x", "--whi"]) == "search has no --whi"
    assert wrong_with(["serve", "--port", "80", "keyz"]) == "there is no command keyz"


@pytest.mark.parametrize(("page", "line"), LINES)
def test_every_command_line_of_the_pages_exists(page: str, line: str) -> None:
    assert wrong_with(words_of(line)) == "", f"{page}: {line}"


def test_every_command_is_on_some_page() -> None:
    named = {words[0] for _, line in LINES if (words := words_of(line))}
    assert [name for name in COMMANDS if name not in named] == []


def test_every_page_can_be_reached() -> None:
    linked = {
        (ROOT / page).parent.joinpath(target).resolve()
        for page in ("README.md", "docs/README.md")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", TEXT[page])
    }
    assert [page.name for page in PAGES[1:] if page.resolve() not in linked] == []


def test_every_key_is_on_the_page_of_keys() -> None:
    page = TEXT["docs/keys.md"]
    missing = [
        f"{action.id} {key}"
        for action in ACTIONS
        for key in action.keys
        if f"`{key_label(key)}`" not in page
    ]
    assert missing == []


def test_the_pictures_are_those_the_script_draws_and_a_page_shows() -> None:
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "assets" / "pictures.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    sys.modules["pictures"] = script
    spec.loader.exec_module(script)
    drawn = {f"{name}.svg" for name in script.PICTURES}
    assert drawn == {file.name for file in (ROOT / "assets").glob("*.svg")}
    shown = {
        (ROOT / page).parent.joinpath(target).resolve()
        for page, text in TEXT.items()
        for target in re.findall(r"!\[[^\]]*\]\(([^)]+\.svg)\)", text)
    }
    assert {file.name for file in shown if file.parent == ROOT / "assets"} == drawn
    assert [file for file in shown if not file.is_file()] == []


def test_a_picture_fetches_nothing_and_names_no_place_of_this_machine() -> None:
    for file in (ROOT / "assets").glob("*.svg"):
        text = file.read_text("utf-8")
        assert [word for word in ("@font-face", "href", "src", "/tmp/", "/home/", "/root/")
                if word in text] == [], file.name  # fmt: skip


def examples() -> list[tuple[str, str, int]]:
    """(query, what the first hit begins with, how many) from the tables of docs/search.md."""
    found = []
    for part in re.findall(r"<!-- examples -->\n(.*?)<!-- /examples -->", TEXT["docs/search.md"],
                           re.DOTALL):  # fmt: skip
        for row in part.splitlines()[2:]:
            typed, first, count = (cell.strip() for cell in row.strip("|").split("|"))
            found.append((typed.strip("`"), first, int(count)))
    return found


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The demo library with the model that comes with the package."""
    model = embed.load(cache_dir=tmp_path_factory.mktemp("cache"), keep=False)
    clock = demo.Rewound(FixedClock())
    engine = open_library(":memory:", clock, embedder=model)
    demo.fill(engine, clock, UTC)
    while engine.meaning.embed_waiting(64):
        pass
    yield engine
    engine.close()


@pytest.mark.parametrize(("typed", "first", "count"), examples())
def test_a_search_of_the_page_finds_in_the_demo_what_the_page_says(
    sample: Engine, typed: str, first: str, count: int
) -> None:
    found = sample.recall.search(query.parse(typed, now=sample.now(), zone=UTC))
    assert len(found.hits) == count
    assert not found.hits or plain.text(found.hits[0].item).startswith(first)
    assert bool(found.hits) == bool(first)


def test_there_are_examples_of_every_restriction() -> None:
    typed = " ".join(example[0] for example in examples())
    assert [name for name in query.OPERATORS if f"{name}:" not in typed] == []
    assert '"' in typed and " -" in typed
