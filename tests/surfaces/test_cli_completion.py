"""Completion in the real shells, where they are installed, and what they are told."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.surfaces.conftest import Cli

BIN = Path(sys.executable).parent
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def answer(cli: Cli, line: str) -> list[tuple[str, str, str]]:
    """What localmem tells the scripts: (kind, value, help)."""
    cli.monkeypatch.setenv("_LOCALMEM_COMPLETE", "bash_complete")
    cli.monkeypatch.setenv("COMP_LINE", line)
    result = cli()
    cli.monkeypatch.delenv("_LOCALMEM_COMPLETE")
    assert result.err == ""
    rows = [row.split("\t") for row in result.out.splitlines()]
    return [(kind, value, help) for kind, value, help in rows]


def values(cli: Cli, line: str) -> list[str]:
    return [value for _, value, _ in answer(cli, line)]


def fill(cli: Cli) -> str:
    cli.ok("add", "Prefers tea.", "--scope", "contact:ana")
    cli.ok("collections", "create", "orders")
    cli.ok("collection", "set", "orders", "ORD-1", "{}")
    return cli.new("add", "Lives near the bridge.")


def test_commands_options_scopes_collections_keys_settings_and_files(cli: Cli) -> None:
    fill(cli)
    assert values(cli, "localmem sh") == ["show"]
    assert "--scope" in values(cli, "localmem add --s")
    assert values(cli, "localmem list --scope ") == [
        "project", "contact:ana", "contact:", "conversation:"
    ]  # fmt: skip
    assert values(cli, "localmem list --scope=contact:a") == ["contact:ana"]
    assert values(cli, "localmem collection get ") == ["orders"]
    assert values(cli, "localmem collection get orders O") == ["ORD-1"]
    assert values(cli, "localmem pref remember sho") == ["shoe_size"]
    assert values(cli, "localmem config set fl") == ["floor"]
    assert [kind for kind, *_ in answer(cli, "localmem backup ")] == ["file"]
    assert values(cli, "localmem completion ") == ["bash", "zsh", "fish"]


def test_ids_stand_beside_what_they_name(cli: Cli) -> None:
    id = fill(cli)
    for command in ("show", "delete", "history", "edit", "restore", "doctor --mask"):
        told = answer(cli, f"localmem {command} ")
        assert ("plain", id[:13], "Lives near the bridge.") in told, command


def test_what_is_stored_is_never_more_than_help_made_safe(cli: Cli) -> None:
    cli.ok("add", "evil \x1b]0;owned\x07 $(touch pwned) `id` \u202e and\nmore\ttabs")
    cli.ok("add", "The key is sk-live-51Hq8kZt2eZvKYlo2C0aQ9rN", "--keep-secret")
    told = answer(cli, "localmem show ")
    text = repr(told)
    assert len(told) == 2
    for character in ("\x1b", "\x07", "\u202e"):
        assert character not in "".join(help for *_, help in told)
    assert "sk-live" not in text and "[api key removed]" in text


def broken_settings(cli: Cli) -> None:
    (cli.home / "config.toml").write_text("flor = [")


def damaged(cli: Cli) -> None:
    (cli.home / "library.db").write_bytes(b"not a database" * 500)


def gone(cli: Cli) -> None:
    shutil.rmtree(cli.home)


def no_home(cli: Cli) -> None:
    cli.monkeypatch.setenv("LOCALMEM_HOME", "~nobody-of-that-name/x")


def a_fault_of_ours(cli: Cli) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    cli.monkeypatch.setattr("localmem.engine.library.Library.page", broken)
    cli.monkeypatch.setattr("localmem.engine.library.Library.shelf", broken)


@pytest.mark.parametrize("harm", [broken_settings, damaged, gone, no_home, a_fault_of_ours])
def test_whatever_is_wrong_nothing_is_said_and_nothing_made(
    cli: Cli, harm: Callable[[Cli], None]
) -> None:
    fill(cli)
    harm(cli)
    before = sorted(cli.home.glob("*")) if cli.home.exists() else None
    for line in ("localmem show ", "localmem list --scope ", "localmem show 'unclosed"):
        answer(cli, line)
    assert values(cli, "localmem sh") == ["show"]
    assert (sorted(cli.home.glob("*")) if cli.home.exists() else None) == before


def test_completing_makes_no_library(cli: Cli) -> None:
    assert values(cli, "localmem list --scope ")[0] == "project"
    assert not cli.home.exists()


# the shells themselves


@pytest.fixture
def shell(cli: Cli, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a program of a shell with `localmem` on the path and a library that holds something."""
    fill(cli)

    def run(*argv: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            argv, capture_output=True, text=True, env=environment(cli), timeout=60
        )

    return run


def environment(cli: Cli) -> dict[str, str]:
    return {
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(cli.home.parent), "LOCALMEM_HOME": str(cli.home), "TERM": "xterm",
        "LC_ALL": "C.UTF-8", "COLUMNS": "100",
    }  # fmt: skip


BASH = r"""
eval "$(localmem completion bash)"
COMP_LINE="$1" COMP_POINT=${#1} COMP_TYPE=${2:-9}
_localmem_completion localmem
printf '%s\n' "${COMPREPLY[@]}"
"""
needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
needs_zsh = pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
needs_fish = pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
Shell = Callable[..., subprocess.CompletedProcess[str]]


@needs_bash
def test_bash_completes_a_command_and_a_scope_behind_its_colon(shell: Shell) -> None:
    def complete(line: str, *more: str) -> list[str]:
        done = shell("bash", "--norc", "-c", BASH, "bash", line, *more)
        assert done.stderr == ""
        return done.stdout.splitlines()

    assert complete("localmem sh") == ["show"]
    assert complete("localmem list --scope contact:a") == ["ana"]
    assert complete("localmem list --scope=contact:a") == ["ana"]
    told = complete("localmem show 0")
    assert len(told) == 3 and any("(Lives near the bridge.)" in row for row in told)
    assert not any("(" in row for row in complete("localmem show 0", "37")), "menu: words alone"
    assert complete("localmem nonsense --x") == [""]


@needs_bash
def test_bash_puts_the_word_in_at_a_real_prompt(cli: Cli) -> None:
    fill(cli)
    seen = typed(
        cli, ["bash", "--norc", "-i"], 'eval "$(localmem completion bash)"; PS1="rea""dy> "\n',
        "localmem sho\t", "localmem show ",
    )  # fmt: skip
    assert "Error" not in seen and "Traceback" not in seen


@needs_zsh
def test_zsh_puts_the_word_in_at_a_real_prompt(cli: Cli) -> None:
    fill(cli)
    setup = ('autoload -Uz compinit; compinit -u -D; eval "$(localmem completion zsh)"; '
             'PS1="rea""dy> "\n')  # fmt: skip
    typed(cli, ["zsh", "-f", "-i"], setup, "localmem sho\t", "localmem show ")
    typed(cli, ["zsh", "-f", "-i"], setup, "localmem list --scope contact:a\t", "contact:ana")
    typed(cli, ["zsh", "-f", "-i"], setup, "localmem list --scope=contact:a\t", "=contact:ana")
    typed(cli, ["zsh", "-f", "-i"], setup, "localmem show 0\t\t", "-- Lives near the bridge.")


def typed(cli: Cli, argv: list[str], setup: str, keys: str, wanted: str) -> str:
    """What the screen of an interactive shell shows once `wanted` is on it."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(argv[0], argv, environment(cli))
    try:
        os.write(terminal, setup.encode())
        until(terminal, "ready> ")
        os.write(terminal, keys.encode())
        return until(terminal, wanted)
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)


def until(terminal: int, wanted: str) -> str:
    """Read until `wanted` stands there; fails after half a minute of silence."""
    seen = ""
    while wanted not in _ESCAPES.sub("", seen):
        ready, _, _ = select.select([terminal], [], [], 30)
        assert ready, f"{wanted!r} did not come: {seen!r}"
        seen += os.read(terminal, 65_536).decode("utf-8", "replace")
    return seen


@needs_fish
def test_fish_completes_with_the_text_beside_the_id(shell: Shell) -> None:
    def complete(line: str) -> list[str]:
        done = shell("fish", "--no-config", "-c",
                     f"localmem completion fish | source; complete -C '{line}'")  # fmt: skip
        assert done.stderr == ""
        return done.stdout.splitlines()

    assert [row.split("\t")[0] for row in complete("localmem sho")] == ["show"]
    assert [row.split("\t")[0] for row in complete("localmem list --scope contact:a")] == [
        "contact:ana"
    ]
    assert [row.split("\t")[0] for row in complete("localmem list --scope=contact:a")] == [
        "--scope=contact:ana"
    ]
    assert any("Lives near the bridge." in row for row in complete("localmem show 0"))
