"""The page about the server says what its tables, limits and options say."""

from __future__ import annotations

import re
from pathlib import Path

import click

from localmem.cli.main import cli as root
from localmem.core.documents import MAX_BYTES, MAX_DEPTH
from localmem.core.facts import MAX_TEXT_BYTES
from localmem.core.hosting import PLANS, TEST_LASTS
from localmem.core.scope import PROJECT
from localmem.server import app, inputs, limits, main, protocol, spaces
from localmem.server.errors import REFUSALS, STATUS
from localmem.server.metrics import Metrics

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text("utf-8")


def rows(name: str) -> list[list[str]]:
    """The cells of a table of the page, without its head."""
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", PAGE, re.DOTALL)
    assert found is not None
    return [[cell.strip() for cell in row.strip("|").split("|")]
            for row in found[1].splitlines()[2:]]  # fmt: skip


def test_its_table_of_errors_is_the_server_s() -> None:
    told = {
        (code.strip("`"), int(status), retry.strip("`"))
        for code, status, _, retry in rows("errors")
    }
    words = {None: "", True: "true", False: "false"}
    known = {
        (code, each.status, words[each.retry]) for code, each in {**STATUS, **REFUSALS}.items()
    }
    assert told == known
    assert len(rows("errors")) == len(known)


def test_its_plans_are_the_server_s() -> None:
    def shown(number: int | None) -> str:
        return "-" if number is None else f"{number:,}"

    assert rows("plans") == [
        [f"`{plan.name}`", shown(plan.units), shown(plan.bytes), shown(plan.collections),
         shown(plan.project_facts or PROJECT.fact_cap)]
        for plan in PLANS.values()
    ]  # fmt: skip


def test_its_metrics_are_the_server_s(tmp_path: Path) -> None:
    def opened(_: Path) -> None:
        raise AssertionError

    nothing = spaces.Spaces(tmp_path, opened)  # type: ignore[arg-type]
    text = Metrics(nothing, limits.Meter(lambda: 0)).text().decode()
    ours = {
        name
        for name in re.findall(r"^# TYPE (localmem_\S+) ", text, re.MULTILINE)
        if not name.endswith("_created")
    }
    assert {row[0].strip("`") for row in rows("metrics")} == ours


def test_its_numbers_are_the_program_s() -> None:
    told = PAGE.replace("\n", " ")
    for sentence in (
        f"({limits.REQUESTS_A_MINUTE} unless given",
        f"{TEST_LASTS // 86_400_000} days after it was first used",
        f"for up to {main.STOP_SECONDS} seconds",
        f"every {app.FLUSH_SECONDS} seconds",
        f"| a fact | {MAX_TEXT_BYTES:,} bytes",
        f"| a document | {MAX_BYTES:,} bytes, {MAX_DEPTH} levels",
        f"| a request's head | {protocol.HEAD_SECONDS} seconds",
        f"| a request's body | {inputs.BODY_SECONDS} seconds",
        f"| connections at once | {protocol.MOST_CONNECTIONS} |",
        f"| libraries open at once | {spaces.MOST_OPEN};",
        f"http://127.0.0.1:{main.Options(Path()).port}",
    ):
        assert sentence in told, sentence


def test_every_command_and_option_of_the_server_is_on_it() -> None:
    serve = root.get_command(click.Context(root), "serve")
    assert isinstance(serve, click.Group)
    context = click.Context(serve)
    missing = []
    for name in serve.list_commands(context):
        command = serve.get_command(context, name)
        assert command is not None
        inner = command.list_commands(context) if isinstance(command, click.Group) else [""]
        missing += [each for each in inner if f"serve {name} {each}".strip() not in PAGE]
    options = {name for each in serve.params for name in each.opts if name.startswith("--")}
    assert missing == []
    assert sorted(options - {"--json", "--port"} - set(re.findall(r"--[a-z-]+", PAGE))) == []
