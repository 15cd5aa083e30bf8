"""`edit` in the person's own editor: drafts, the version they were made on, and secrets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.surfaces.conftest import Cli, Result

SECRET = "sk-ant-api03-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v" * 3


@dataclass(slots=True)
class Editor:
    """An editor that types what it is told, or quits."""

    cli: Cli
    folder: Path

    def __call__(self, id: str, text: str | None, *options: str, answer: str = "") -> Result:
        """`edit ID` in which the person saves `text`; None quits without saving."""
        program = self.folder / "editor.sh"
        if text is None:
            program.write_text(f'#!/bin/sh\ncp "$1" {self.folder}/opened\n')
        else:
            (self.folder / "typed").write_text(text)
            program.write_text(
                f'#!/bin/sh\ncp "$1" {self.folder}/opened\ncp {self.folder}/typed "$1"\n'
                'touch -t 203001010000 "$1"\n'
            )
        program.chmod(0o700)
        self.cli.monkeypatch.setenv("EDITOR", str(program))
        return self.cli("edit", id, *options, typed=answer, terminal=True)

    @property
    def opened(self) -> str:
        return (self.folder / "opened").read_text().removesuffix("\n")


@pytest.fixture
def edit(cli: Cli, tmp_path: Path) -> Editor:
    return Editor(cli, tmp_path)


def text(cli: Cli, id: str) -> str:
    return str(cli.ok("show", id, "--json").json["text"])


def stored(cli: Cli) -> bytes:
    return b"".join(file.read_bytes() for file in cli.home.glob("library.db*"))


@pytest.fixture
def late(cli: Cli, edit: Editor) -> str:
    """A fact at version 2 with a draft that was typed over version 1."""
    id = cli.new("add", "One.")
    cli.ok("edit", id, "--text", "Two, by somebody else.")
    assert edit(id, "Mine.", "--if-version", "1").code == 4
    return id


def test_quitting_the_editor_changes_nothing(cli: Cli, edit: Editor) -> None:
    id = cli.new("add", "One.")
    result = edit(id, None)
    assert (result.code, "Nothing was changed." in result.err) == (0, True)
    assert cli.ok("show", id, "--json").json["version"] == 1


def test_quitting_a_draft_that_came_too_late_saves_nothing(
    cli: Cli, edit: Editor, late: str
) -> None:
    result = edit(late, None)
    assert (result.code, edit.opened) == (0, "Mine.")
    assert "typed it over version 1; version 2 is kept now" in result.err
    assert text(cli, late) == "Two, by somebody else."
    assert edit(late, None).code == 0 and edit.opened == "Mine."


def test_saving_a_draft_over_a_version_nobody_looked_at_is_stale(
    cli: Cli, edit: Editor, late: str
) -> None:
    result = edit(late, "Mine, polished.")
    assert (result.code, edit.opened) == (4, "Mine.")
    assert "--if-version 2" in result.err
    assert text(cli, late) == "Two, by somebody else."
    assert edit(late, "Mine, polished again.").code == 4 and edit.opened == "Mine, polished."


def test_a_late_draft_is_saved_over_the_version_that_is_named(
    cli: Cli, edit: Editor, late: str
) -> None:
    assert edit(late, "Mine after all.", "--if-version", "2").code == 0
    assert edit.opened == "Mine."
    assert text(cli, late) == "Mine after all."
    edit(late, None)
    assert edit.opened == "Mine after all."


def test_a_draft_can_be_discarded_without_a_terminal(cli: Cli, edit: Editor, late: str) -> None:
    assert b"Mine." in stored(cli)
    assert cli.ok("edit", late, "--discard-draft", "--json").json == {"id": late, "discarded": True}
    edit(late, None)
    assert edit.opened == "Two, by somebody else."
    again = cli.ok("edit", late, "--discard-draft")
    assert "no draft" in again.err
    assert cli("edit", late, "--discard-draft", "--text", "x").code == 2


def test_a_refused_draft_says_its_way_out(cli: Cli, edit: Editor) -> None:
    id = cli.new("add", "One.")
    refused = edit(id, "x" * 9000)
    assert refused.code == 2 and "--discard-draft" in refused.err
    assert edit(id, None).code == 0 and edit.opened == "x" * 9000
    assert edit(id, "y" * 9000).code == 2
    assert edit(id, "Short.").code == 0 and text(cli, id) == "Short."


@pytest.mark.parametrize("emptied", ["", "\n", "  \n\n"])
def test_an_emptied_editor_changes_nothing_and_keeps_the_draft(
    cli: Cli, edit: Editor, late: str, emptied: str
) -> None:
    result = edit(late, emptied)
    assert (result.code, "came back empty" in result.err) == (0, True)
    edit(late, None)
    assert edit.opened == "Mine."


def test_a_document_that_came_too_late_is_kept_as_a_draft_too(cli: Cli, edit: Editor) -> None:
    cli.ok("collection", "set", "orders", "o-1", '{"a": 1}')
    id = cli.ok("list").out.split()[0]
    assert edit(id, '{"a": 2', "--if-version", "1").code == 2
    cli.ok("collection", "set", "orders", "o-1", '{"a": 3}')
    assert edit(id, None).code == 0 and edit.opened == '{"a": 2'
    assert edit(id, '{"a": 2}').code == 4
    assert cli.ok("collection", "get", "orders", "o-1").json == {"a": 3}
    assert edit(id, '{"a": 2}', "--if-version", "2").code == 0
    assert cli.ok("collection", "get", "orders", "o-1").json == {"a": 2}


@pytest.mark.parametrize(
    "typed",
    [f"key {SECRET}", f"key {SECRET} " + "x" * 9000],
    ids=["refused as a secret", "refused as too long"],
)
def test_a_secret_is_never_written_down_as_a_draft(cli: Cli, edit: Editor, typed: str) -> None:
    id = cli.new("add", "One.")
    result = edit(id, typed, answer="n\n")
    assert result.code in (2, 5) and "no draft of it is kept" in result.err
    assert SECRET.encode() not in stored(cli) and SECRET not in result.err
    edit(id, None)
    assert edit.opened == "One."


def test_a_secret_in_a_document_is_no_draft_either(cli: Cli, edit: Editor) -> None:
    cli.ok("collection", "set", "orders", "o-1", '{"a": 1}')
    id = cli.ok("list").out.split()[0]
    for typed in ('{"password": "hunter22x"}', '{"password": "hunter22x"',
                  '{"x": "' + "y" * 210_000 + '", "password": "hunter22x"}'):  # fmt: skip
        assert edit(id, typed, answer="n\n").code in (2, 5)
        assert b"hunter22x" not in stored(cli)


def test_a_secret_does_not_take_an_older_draft_away(cli: Cli, edit: Editor, late: str) -> None:
    assert edit(late, f"key {SECRET}", answer="n\n").code == 5
    edit(late, None)
    assert edit.opened == "Mine."


def test_a_secret_typed_in_the_editor_is_asked_about(cli: Cli, edit: Editor) -> None:
    id = cli.new("add", "One.")
    result = edit(id, f"key {SECRET}", answer="y\n")
    assert result.code == 0 and "Keep it anyway? [y/N]" in result.err
    assert text(cli, id) == f"key {SECRET}"
