"""What a person or a machine gets wrong around a command: settings, places, numbers, streams."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from localmem import errors, wiring
from localmem.cli import documents, facts
from localmem.cli.framework import COMPLETE
from tests.support.library import WordsEmbedder
from tests.surfaces.conftest import Cli, Stream

SECRET = "sk-ant-api03-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v" * 3


# settings

READERS = [("list",), ("show", "{id}"), ("search", "--words", "tea"), ("usage",), ("pref", "list"),
           ("history", "{id}"), ("add", "Coffee."), ("delete", "{id}", "--yes")]  # fmt: skip
BROKEN = [
    ("floor 0.3", "line 1"),
    ("flor = 0.5", "Did you mean floor?"),
    ("theme = 3", "theme in"),
    ("model = 7", "by words alone"),
    ("floor = nan", "from 0 to 1"),
]


@pytest.mark.parametrize(("content", "says"), BROKEN)
@pytest.mark.parametrize("argv", READERS, ids=lambda argv: argv[0])
def test_a_mistake_in_the_settings_keeps_nobody_from_their_memories(
    cli: Cli, content: str, says: str, argv: tuple[str, ...]
) -> None:
    id = cli.new("add", "Prefers tea.")
    (cli.home / "config.toml").write_text(content)
    result = cli.ok(*(part.format(id=id) for part in argv))
    assert result.err.count("config.toml") == 1 and says in result.err
    assert (cli.home / "config.toml").read_text() == content


def test_what_is_right_in_the_settings_holds_beside_a_mistake(
    cli: Cli, model: WordsEmbedder
) -> None:
    cli.ok("add", "Prefers tea.")
    (cli.home / "config.toml").write_text("floor = 0.99\nthme = 'nord'\n")
    found = cli.ok("search", "tea with a great many other words")
    assert (found.out, "below 0.99" in found.err) == ("", True)


def test_settings_in_doubt_have_nothing_embedded_again(cli: Cli, model: WordsEmbedder) -> None:
    cli.ok("add", "Prefers tea.")
    for content in ("model = 3", "model = 'none", 'model = ""'):
        (cli.home / "config.toml").write_text(content)
        assert "tea" in cli.ok("search", "tea").out
    assert model.embedded == 0


def test_the_app_is_told_what_was_passed_over(cli: Cli) -> None:
    cli.home.mkdir()
    (cli.home / "config.toml").write_text("flor = 0.5\ntheme = 3\nfloor = 0.4\n")
    home = wiring.home()
    assert len(home.problems) == 2 and "floor" in home.problems[0]
    assert (home.settings.floor, home.settings.theme) == (0.4, "localmem")


def test_completing_says_nothing_of_the_settings(cli: Cli) -> None:
    cli.ok("add", "Tea.", "--scope", "contact:ana")
    (cli.home / "config.toml").write_text("floor 0.3")
    cli.monkeypatch.setenv(COMPLETE, "bash_complete")
    cli.monkeypatch.setenv("COMP_LINE", "localmem list --scope contact:a")
    result = cli()
    assert "contact:ana" in result.out and result.err == ""


@pytest.mark.parametrize("asked", ["bash_complete", "zsh_complete", "fish_complete", "odd_thing"])
@pytest.mark.parametrize("line", [None, "localmem li", "'", "localmem \\"])
def test_completion_that_no_shell_asked_for_is_quiet(
    cli: Cli, asked: str, line: str | None
) -> None:
    cli.monkeypatch.setenv(COMPLETE, asked)
    if line:
        cli.monkeypatch.setenv("COMP_LINE", line)
    result = cli()
    assert (result.code in (0, 1), result.err) == (True, "")


# where things are


@pytest.mark.parametrize(
    ("home", "says"),
    [
        ("~nosuchuser/x", "no such user"),
        ("{tmp}/file", "needs {tmp}/file to be a folder"),
        ("{tmp}/file/below/it", "needs {tmp}/file to be a folder"),
        ("{tmp}/\udcff", "not UTF-8"),
    ],
)
def test_a_home_that_can_be_none_is_said_by_its_name(
    cli: Cli, tmp_path: Path, home: str, says: str
) -> None:
    (tmp_path / "file").write_text("")
    cli.monkeypatch.setenv("LOCALMEM_HOME", home.format(tmp=tmp_path))
    result = cli("list", "--json")
    assert (result.code, result.error["code"]) == (2, "invalid_settings")
    assert says.format(tmp=tmp_path) in result.error["message"] and "UTF-8 text" not in result.err


def test_a_home_that_is_not_there_yet_is_made(cli: Cli, tmp_path: Path) -> None:
    cli.monkeypatch.setenv("LOCALMEM_HOME", str(tmp_path / "a" / "b" / "c"))
    cli.ok("add", "Tea.")
    assert (tmp_path / "a" / "b" / "c" / "library.db").exists()


@pytest.mark.parametrize("argv", [("backup",), ("offers",)])
@pytest.mark.parametrize(
    "file", ["", "~nosuchuser/x", "{tmp}", "{tmp}/no/such", "{tmp}/" + "x" * 250]
)
def test_a_file_that_cannot_be_is_no_fault_of_ours(
    cli: Cli, tmp_path: Path, argv: tuple[str, ...], file: str
) -> None:
    result = cli(*argv, file.format(tmp=tmp_path), "--json")
    if result.code != 0:  # a long name may be one that this file system takes
        assert result.error["code"] in ("invalid_request", "backup_failed"), result.err
        assert result.error["hint"]


@pytest.fixture
def far_zone(cli: Cli) -> Iterator[Cli]:
    """TZ a day and an hour east of UTC, which POSIX allows and `datetime` refuses."""
    from localmem import ids

    cli.monkeypatch.setattr(wiring, "zone", ids.LocalZone)
    cli.monkeypatch.setenv("TZ", "UTC-25")
    time.tzset()
    yield cli
    cli.monkeypatch.delenv("TZ")
    time.tzset()


def test_a_zone_beyond_every_zone_is_no_fault(far_zone: Cli) -> None:
    id = far_zone.new("add", "Tea.")
    for argv in (("search", "--words", "tea after:yesterday"), ("search", "--words", "before:2020"),
                 ("show", id), ("history", id), ("activity",)):  # fmt: skip
        far_zone.ok(*argv)
    assert "2026-12-01" in far_zone.ok("show", id).out


# numbers and what is typed


HUGE = "9" * 40


@pytest.mark.parametrize(
    "argv",
    [
        ("list", "--cursor", HUGE), ("list", "--cursor", ""), ("list", "--limit", HUGE),
        ("list", "--kind", "document", "--cursor", HUGE),
        ("collection", "list", "orders", "--cursor", HUGE),
        ("collection", "query", "orders", "--field", "a", "--eq", "1", "--cursor", HUGE),
        ("restore", "{id}", HUGE), ("edit", "{id}", "--text", "x", "--if-version", HUGE),
        ("restore", "{id}", "1", "--if-version", HUGE),
        ("collection", "set", "orders", "k", "2", "--if-version", HUGE),
        ("collection", "set", "orders", "new", "2", "--if-version", HUGE),
        ("pref", "remember", "shoe_size", "43", "--if-version", HUGE),
        ("pref", "correct", "shoe_size", "43", "--if-version", HUGE),
        ("collection", "query", "orders", "--field", "a", "--eq", HUGE * 10),
        ("add", "x", "--ttl", HUGE), ("collections", "create", "c", "--default-ttl", HUGE),
        ("activity", "--limit", HUGE), ("search", "x", "--limit", HUGE),
        ("search", "before:" + HUGE), ("search", "after:9999-12-31"),
        ("search", "before:0001-01-01"),
        *(("search", "tea", "--min-score", odd)
          for odd in ("nan", "-nan", "NAN", "inf", "-0.1", "1.0001", "1e400", "x")),
    ],
)  # fmt: skip
def test_no_number_is_a_fault(cli: Cli, argv: tuple[str, ...]) -> None:
    id = cli.new("add", "Tea.")
    cli.ok("pref", "remember", "shoe_size", "42")
    cli.ok("collections", "create", "orders", "--index", "a")
    cli.ok("collection", "set", "orders", "k", '{"a": 1}')
    result = cli(*(part.format(id=id) for part in argv), "--json")
    assert result.code in (0, 2, 3, 4) and "fault" not in result.err, result.err
    if "--min-score" in argv:
        assert (result.code == 2 and "0<=x<=1" in result.err) or argv[-1] == "x"


@pytest.mark.parametrize(
    ("argv", "most"),
    [
        (("add", "-"), facts.LARGEST),
        (("collection", "set", "orders", "k", "-"), documents.LARGEST),
        (("offers", "-"), 16_000_000),
    ],
)
def test_no_more_is_read_of_stdin_than_could_be_kept(
    cli: Cli, argv: tuple[str, ...], most: int
) -> None:
    taken: list[int] = []

    class Endless:
        def read(self, size: int) -> bytes:
            taken.append(size)
            return b"x" * size

    class Pipe(Stream):
        buffer = Endless()  # type: ignore[assignment]

    import sys

    from localmem.cli.main import run

    out, err = Stream(), Stream()
    with cli.monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Pipe())
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        assert run([*argv]) == 2
    assert taken == [most + 1] and f"more than {most:,} bytes" in err.written


def test_a_fact_a_little_too_long_says_by_how_much(cli: Cli) -> None:
    assert "9,000 / 8,192" in cli("add", "-", typed="x" * 9000).err


# what is said


@pytest.mark.parametrize("argv", [("--json", "list"), ("--scope", "project", "list"),
                                  ("pref", "--json", "list")])  # fmt: skip
def test_an_option_before_its_command_is_told_its_place(cli: Cli, argv: tuple[str, ...]) -> None:
    result = cli(*argv)
    assert result.code == 2 and "`localmem list --json`" in result.err
    assert "stand after" in result.err and "Did you mean" not in result.err


@pytest.mark.parametrize(
    "argv",
    [
        ("add", "a", "--meta", "password hunter22x"),
        ("add", "a", "--meta", "=hunter22x"),
        ("my password is hunter22x",),
        ("pref", "password hunter22x"),
        ("edit", "{id}", "--drop-meta", "hunter22x"),
        ("collection", "query", "orders", "--field", "a", "--eq", "hunter22x"),
    ],
)
def test_what_may_be_a_secret_is_not_repeated_when_it_stands_in_the_wrong_place(
    cli: Cli, argv: tuple[str, ...]
) -> None:
    id = cli.new("add", "Tea.")
    cli.ok("collections", "create", "orders", "--index", "a")
    for more in ((), ("--json",)):
        result = cli(*(part.format(id=id) for part in argv), *more)
        assert "hunter22x" not in result.out + result.err


def test_a_secret_in_the_settings_is_not_repeated(cli: Cli) -> None:
    cli.ok("add", "Tea.")
    for content in (f"model = '{SECRET}'", f"'{SECRET}' = 1", f"theme = 3 # {SECRET}",
                    f"model = 'openai:{SECRET}'"):  # fmt: skip
        (cli.home / "config.toml").write_text(content)
        for argv in (("list",), ("search", "tea")) if content.startswith("model") else (("list",),):
            said = cli.ok(*argv)
            assert SECRET[:30] not in said.out + said.err


def test_a_question_does_not_repeat_a_secret_that_is_kept(cli: Cli) -> None:
    id = cli.new("add", f"key {SECRET}", "--keep-secret")
    asked = cli("delete", id, typed="n\n", terminal=True)
    assert "removed]" in asked.err and SECRET[:30] not in asked.err


def test_an_error_of_the_library_comes_with_what_to_report(cli: Cli) -> None:
    cli.ok("add", "Tea.")

    def odd(*_: object, **__: object) -> None:
        raise errors.StoreDamaged(
            "It does not answer as it should.",
            hint="Please report this with the code below.",
            details={"sqlite": "SQLITE_ODD"},
        )

    cli.monkeypatch.setattr("localmem.engine.library.Library.page", odd)
    lines = cli("list").err.splitlines()
    assert lines[-2:] == ["  Please report this with the code below.",
                          "  Code: store_damaged; sqlite: SQLITE_ODD"]  # fmt: skip
    assert cli("list", "--json").error["details"] == {"sqlite": "SQLITE_ODD"}


# streams


class Full(Stream):
    """A device without room, found out when the buffer goes out."""

    def write(self, text: str) -> int:
        raise OSError(28, os.strerror(28))


@pytest.mark.parametrize(
    "argv", [("--help",), ("add", "--help"), ("pref", "--help"), ("pref",), ("--version",),
             ("list",), ("completion", "bash")]
)  # fmt: skip
def test_output_without_room_is_one_sentence(cli: Cli, argv: tuple[str, ...]) -> None:
    import sys

    from localmem.cli.main import run

    cli.ok("add", "Tea.")
    err = Stream()
    with cli.monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Full())
        patch.setattr(sys, "stderr", err)
        assert run([*argv]) == 1
    assert err.written.count("Error:") == 1 and "could not be written" in err.written


def test_ctrl_c_during_the_first_imports_is_130_and_quiet(cli: Cli) -> None:
    import sys
    import types

    from localmem import __main__

    class Stopped(types.ModuleType):
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    err = Stream()
    with cli.monkeypatch.context() as patch:
        patch.setitem(sys.modules, "localmem.cli.main", Stopped("localmem.cli.main"))
        patch.setattr(sys, "argv", ["localmem", "list"])
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as left:
            __main__.main()
    assert (left.value.code, err.written) == (130, "")


@pytest.mark.parametrize("stdout", [None, Full()], ids=["closed", "full"])
def test_the_version_into_nowhere_is_no_traceback(cli: Cli, stdout: Stream | None) -> None:
    import sys

    from localmem import __main__

    err = Stream()
    with cli.monkeypatch.context() as patch:
        patch.setattr(sys, "argv", ["localmem", "--version"])
        patch.setattr(sys, "stdout", stdout)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as left:
            __main__.main()
    assert left.value.code == (0 if stdout is None else 1)
    assert err.written.count("Error:") == (0 if stdout is None else 1)
