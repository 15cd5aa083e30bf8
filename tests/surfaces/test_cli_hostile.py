"""Stored text is shown, never obeyed: on terminals, in errors, in JSON; and secrets stay unsaid."""

from __future__ import annotations

import json
import re

import pytest

from tests.surfaces.conftest import Cli

HOSTILE = [
    "\x1b]0;title\x07",
    "\x1b]52;c;ZXZpbA==\x07",
    "\x1b[2J\x1b[1;1H",
    "\x9b31m",
    "Access GRANTED\u202eDENIED",
    "zero\u200bwidth",
    "[/] [red]x[/red] [@click=app.quit]y[/]",
    ":smile: ${HOME} `rm -rf ~`",
    "line\r\nbreak\u2028more",
    "\U000e0041\U000e0042",
]
DANGEROUS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2028\u2066-\u2069\U000e0041]"
)


def test_no_command_sends_a_stored_control_character(cli: Cli) -> None:
    cli.monkeypatch.setenv("NO_COLOR", "1")
    commands: list[tuple[str, ...]] = [
        ("list",), ("search", "--words", "marked", "--limit", "20"), ("activity",),
        ("collection", "list", "things"), ("pref", "list"), ("pref", "history", "shoe_size"),
    ]  # fmt: skip
    for number, text in enumerate(HOSTILE):
        said = f"Marked {number} {text} end"
        id = cli.new("add", said, "--meta", f"note={text}", "--path", "p/q")
        cli.ok("edit", id, "--text", said + " again")
        cli.ok("collection", "set", "things", f"k-{number}", json.dumps({text: text}))
        commands += [("history", id, "--diff"), ("show", id)]
        commands += [("collection", "get", "things", f"k-{number}")]
    cli.ok("pref", "remember", "shoe_size", "42", "--quote", f"42 {''.join(HOSTILE)}")
    for argv in commands:
        for result in (cli(*argv), cli(*argv, terminal=True), cli(*argv, "--json", terminal=True)):
            assert result.code == 0, (argv, result.err)
            assert not DANGEROUS.search(result.out + result.err), argv


def test_json_says_exactly_what_is_stored(cli: Cli) -> None:
    for text in HOSTILE:
        stored = cli.ok("add", f"a {text} b", "--json").json["text"]
        assert stored == f"a {text} b".replace("\r\n", "\n")
        cli.ok("collection", "set", "things", "k", json.dumps([text]))
        assert cli.ok("collection", "get", "things", "k", "--json").json["value"] == [text]


@pytest.mark.parametrize("text", HOSTILE)
def test_errors_are_as_harmless(cli: Cli, text: str) -> None:
    for argv in (
        ("show", text + "abcdefgh"),
        ("add", "x", "--scope", text),
        ("collections", "show", text),
        ("collection", "set", "a", text, "1"),
        ("pref", "remember", text, "1"),
        ("search", f"kind:{text}x"),
        (text,),
    ):
        result = cli(*argv)
        assert result.code in (2, 3), argv
        assert not DANGEROUS.search(result.err.replace("\n", "")), argv
        assert cli(*argv, "--json").error["message"]


def test_a_question_before_forgetting_is_harmless_too(cli: Cli) -> None:
    id = cli.new("add", "evil \x1b[2J\u202e" + "x" * 300)
    result = cli("delete", id, typed="n\n", terminal=True)
    assert not DANGEROUS.search(result.err)
    assert max(map(len, result.err.splitlines())) <= 102


SECRET = "sk-ant-api03-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v" * 3


def test_a_secret_is_refused_and_not_repeated(cli: Cli) -> None:
    for argv in (("add", f"key {SECRET}"), ("add", "x", "--meta", f"k={SECRET}"),
                 ("collection", "set", "a", "k", json.dumps({"key": SECRET}))):  # fmt: skip
        result = cli(*argv)
        assert (result.code, result.out) == (5, "")
        assert SECRET not in result.err and "--keep-secret" in result.err
        assert cli(*argv, "--json").error["code"] == "secret_rejected"
    assert cli.ok("list").out == ""
    assert cli.ok("add", f"key {SECRET}", "--keep-secret", "--json").json["text"] == f"key {SECRET}"


@pytest.mark.parametrize(
    "argv",
    [
        ("show", SECRET),
        (SECRET,),
        ("add", "x", "--ttl", SECRET),
        ("add", "x", "--meta", SECRET),
        ("list", "--limit", SECRET),
        ("list", SECRET),
        ("collection", "set", "a", "k", "1", SECRET),
        ("collection", "get", SECRET, "k"),
        ("pref", "remember", "shoe_size", SECRET),
        ("pref", SECRET),
        ("search", f"kind:{SECRET}"),
        ("search", f"--{SECRET}"),
        ("delete", SECRET, "--yes"),
        ("completion", SECRET),
    ],
)
def test_no_error_repeats_a_secret_that_was_typed_in_the_wrong_place(
    cli: Cli, argv: tuple[str, ...]
) -> None:
    for result in (cli(*argv), cli(*argv, "--json")):
        assert result.code in (2, 3)
        assert SECRET[:40] not in result.out + result.err


WITH_SECRET = [
    ("add", f"key {SECRET}"),
    ("add", "x", "--meta", f"k={SECRET}"),
    ("collection", "set", "a", "k", json.dumps({"key": SECRET})),
]


@pytest.mark.parametrize("argv", WITH_SECRET)
def test_a_person_at_a_terminal_is_asked_before_a_secret_is_kept(
    cli: Cli, argv: tuple[str, ...]
) -> None:
    for answer in ("", "\n", "n\n"):
        refused = cli(*argv, typed=answer, terminal=True)
        assert (refused.code, refused.out) == (5, "")
        assert "Keep it anyway? [y/N]" in refused.err and SECRET not in refused.err
    assert cli.ok("list").out == ""
    kept = cli(*argv, typed="y\n", terminal=True)
    assert kept.code == 0 and SECRET not in kept.err
    assert len(cli.ok("list", "--json").json["items"]) == 1


def test_an_edit_asks_about_a_secret_too(cli: Cli) -> None:
    id = cli.new("add", "One.")
    assert cli("edit", id, "--text", f"key {SECRET}", typed="n\n", terminal=True).code == 5
    assert cli("edit", id, "--text", f"key {SECRET}", typed="y\n", terminal=True).code == 0
    assert cli.ok("show", id, "--json").json["text"] == f"key {SECRET}"
