"""What every command promises: help with an example, documented exit codes, no traceback."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from localmem import errors
from localmem.cli.exit_codes import EXIT_CODE, MEANINGS, ExitCode
from localmem.cli.framework import Command, Group
from localmem.cli.main import COMMANDS
from localmem.cli.main import cli as root
from tests.surfaces.conftest import Cli


def all_commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield from commands_of(root, ())


def commands_of(
    group: Group, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, Group):
            yield from commands_of(command, (*path, name))


EVERY = dict(all_commands())
LEAVES = {path: command for path, command in EVERY.items() if not isinstance(command, Group)}


def test_the_listed_commands_are_all_there() -> None:
    assert {" ".join(path) for path in LEAVES} == {
        "add", "pref list", "pref remember", "pref correct", "pref forget", "pref history",
        "search", "list", "show", "history", "offers", "edit", "restore", "undo", "delete", "wipe",
        "collections create", "collections list", "collections show", "collections delete",
        "collection set", "collection get", "collection delete", "collection list",
        "collection query", "collection export", "collection import", "export", "import",
        "inbox list", "inbox accept", "inbox reject",
        "serve keys create", "serve keys list", "serve keys revoke", "serve people add",
        "serve people list", "serve people token", "serve people revoke", "serve people remove",
        "serve spaces create", "serve spaces list", "serve spaces plan", "serve spaces remove",
        "serve backup", "serve restore",
        "account login", "account status", "account logout",
        "sync conflicts", "sync show", "sync resolve", "sync waiting", "sync leave-out",
        "sync take-in", "sync runs", "sync undo",
        "demo", "usage", "activity", "backup", "doctor", "completion", "terminal",
        "config list", "config get", "config keys", "config path", "config set", "config unset",
        "config encrypt", "config decrypt", "config unlock",
    }  # fmt: skip


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_help_fits_80_columns_and_shows_an_example(cli: Cli, path: tuple[str, ...]) -> None:
    help = cli.ok(*path, "--help").out
    assert max(map(len, help.splitlines())) <= 80
    if path in LEAVES:
        examples = help.partition("Examples:\n")[2]
        assert f"localmem {' '.join(path)}" in examples


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_every_command_takes_json(path: tuple[str, ...]) -> None:
    command = LEAVES[path]
    assert isinstance(command, Command)
    assert any("--json" in parameter.opts for parameter in command.params)


def test_the_table_of_summaries_says_what_the_commands_say() -> None:
    for name, entry in COMMANDS.items():
        help = EVERY[(name,)].help or ""
        assert entry.summary == help.partition("\n")[0], name


def test_help_documents_every_exit_code(cli: Cli) -> None:
    help = cli.ok("--help").out
    for code in ExitCode:
        assert f"  {int(code):<3}  {MEANINGS[code]}" in help


def test_every_error_has_an_exit_code() -> None:
    assert set(EXIT_CODE) == set(errors.all_errors())
    assert ExitCode.DONE not in EXIT_CODE.values()


def test_the_version_is_data(cli: Cli) -> None:
    from localmem import __version__

    assert cli.ok("--version").out == f"localmem {__version__}\n"
    assert cli.ok("-V").out == f"localmem {__version__}\n"


@pytest.mark.parametrize("argv", [("pref",), ("collections",), ("collection",)])
def test_a_group_alone_shows_what_there_is_and_is_a_mistake(cli: Cli, argv: tuple[str]) -> None:
    result = cli(*argv)
    assert result.code == 2 and "Commands:" in result.out


@pytest.mark.parametrize(
    ("argv", "meant"),
    [(("lsit",), "localmem list"), (("pref", "rember"), "localmem pref remember"),
     (("collections", "creat"), "localmem collections create")],
)  # fmt: skip
def test_a_mistyped_command_is_answered_with_the_nearest(
    cli: Cli, argv: tuple[str, ...], meant: str
) -> None:
    result = cli(*argv)
    assert result.code == 2 and f"Did you mean `{meant}`?" in result.err


def test_without_a_terminal_the_app_is_not_opened_and_the_way_on_is_said(cli: Cli) -> None:
    result = cli()
    assert (result.code, result.out) == (2, "")
    assert "localmem list" in result.err
    assert cli("--json").code == 2


def test_in_a_terminal_the_app_opens_on_the_persons_own_home(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys
    import types

    opened = []

    def run_app(home: object) -> int:
        opened.append(home)
        return 0

    module = types.ModuleType("localmem.tui.main")
    module.run = run_app  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "localmem.tui.main", module)
    assert cli(terminal=True).code == 0
    assert str(cli.home) in str(opened)


def test_a_fault_of_ours_is_one_line_and_a_traceback_only_on_request(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("private text of the person")

    monkeypatch.setattr("localmem.engine.library.Library.page", broken)
    result = cli("list")
    assert (result.code, result.out) == (1, "")
    assert "ZeroDivisionError" in result.err and "LOCALMEM_DEBUG=1" in result.err
    assert "private" not in result.err and "Traceback" not in result.err
    assert cli("list", "--json").error["code"] == "fault"
    monkeypatch.setenv("LOCALMEM_DEBUG", "1")
    assert "Traceback" in cli("list").err


def test_ctrl_c_is_130(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("localmem.engine.library.Library.page", stopped)
    result = cli("list")
    assert (result.code, result.out, result.err.strip()) == (130, "", "Stopped.")


def test_a_library_that_cannot_be_used_is_6(cli: Cli) -> None:
    cli.ok("add", "Tea.")
    (cli.home / "library.db").write_bytes(b"not a database at all" * 100)
    result = cli("list", "--json")
    assert result.code == 6 and result.error["code"].startswith("store_")


def test_a_write_that_is_done_is_not_called_failed_by_what_comes_after(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(_: object) -> int:
        raise errors.StoreBusy("Another program is writing.")

    monkeypatch.setattr("localmem.engine.Engine.maintain", busy)
    assert cli("add", "Tea.").code == 0


def test_a_backup_is_a_whole_library_and_overwrites_nothing(cli: Cli) -> None:
    id = cli.new("add", "Tea.")
    target = cli.home / "copy.db"
    answer = cli.ok("backup", str(target), "--json").json
    assert answer == {
        "file": str(target), "bytes": target.stat().st_size, "encrypted": False
    }  # fmt: skip
    again = cli("backup", str(target), "--json")
    assert (again.code, again.error["code"]) == (1, "backup_failed")
    (cli.home / "library.db").unlink()
    for beside in ("library.db-wal", "library.db-shm"):
        (cli.home / beside).unlink(missing_ok=True)
    target.rename(cli.home / "library.db")
    assert cli.ok("show", id, "--json").json["text"] == "Tea."


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_shells_script(cli: Cli, shell: str) -> None:
    assert "_LOCALMEM_COMPLETE" in cli.ok("completion", shell).out


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("localmem pr", ["pref"]),
        ("localmem pref remember sh", ["shoe_size"]),
        ("localmem collections show or", ["orders"]),
        ("localmem list --scope con", ["contact:ana", "contact:", "conversation:"]),
        ("localmem list --kind f", ["fact"]),
    ],
)
def test_names_are_completed(cli: Cli, words: str, completed: list[str]) -> None:
    cli.ok("add", "Tea.", "--scope", "contact:ana")
    cli.ok("collection", "set", "orders", "k", "1")
    cli.monkeypatch.setenv("_LOCALMEM_COMPLETE", "bash_complete")
    cli.monkeypatch.setenv("COMP_LINE", words)
    found = [line.split("\t")[1] for line in cli().out.splitlines()]
    assert found == completed


def test_completing_makes_no_library(cli: Cli) -> None:
    cli.monkeypatch.setenv("_LOCALMEM_COMPLETE", "bash_complete")
    cli.monkeypatch.setenv("COMP_LINE", "localmem collections show ")
    assert cli().out.strip() == ""
    assert not cli.home.exists()


def test_help_makes_no_library(cli: Cli) -> None:
    cli.ok("--help")
    cli.ok("add", "--help")
    assert not cli.home.exists()
