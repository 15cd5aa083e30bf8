"""`localmem config`: settings listed with their origin; a change is checked first."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from localmem.config import SETTINGS
from localmem.tui.actions import ACTIONS
from tests.support.library import WordsEmbedder
from tests.surfaces.conftest import Cli


def file(cli: Cli) -> Path:
    return cli.home / "config.toml"


def test_every_setting_is_listed_with_its_value_origin_and_meaning(cli: Cli) -> None:
    cli.ok("config", "set", "floor", "0.45")
    cli.monkeypatch.setenv("LOCALMEM_THEME", "nord")
    shape = cli.ok("config", "list", "--json").json
    told = {each["key"]: (each["value"], each["from"]) for each in shape["settings"]}
    assert told == {
        "model": ("bundled", "default"),
        "floor": (0.45, "config.toml"),
        "theme": ("nord", "LOCALMEM_THEME"),
        "symbols": ("auto", "default"),
        "account.url": ("", "default"),
    }
    for terminal in (False, True):
        out = cli("config", "list", terminal=terminal).out
        for setting in SETTINGS.values():
            if setting.kind != "table":
                assert setting.meaning.split(":")[0][:40] in out


def test_a_change_tells_old_and_new_and_can_be_taken_back(cli: Cli) -> None:
    assert cli.ok("config", "set", "theme", "localmem-light").out == (
        "theme = localmem-light  (was localmem)\n"
    )
    assert cli.ok("config", "get", "theme").out == "localmem-light\n"
    shape = cli.ok("config", "unset", "theme", "--json").json
    assert shape == {"key": "theme", "value": "localmem", "was": "localmem-light",
                     "outranked_by": None}  # fmt: skip
    assert cli.ok("config", "path").out == f"{file(cli)}\n"


@pytest.mark.parametrize(("argv", "says"), [
    (("floor", "2"), "from 0 to 1"), (("floor", "high"), "from 0 to 1"),
    (("flor", "0.3"), "Did you mean floor?"), (("theme", "nrod"), "Did you mean nord?"),
    (("model", "gpt"), "not a usable choice"), (("keys", "x"), "under [keys]"),
    (("keys.eidt", "z"), "Did you mean edit?"), (("keys.edit", "ctlr+e"), "Did you mean ctrl+e?"),
    (("keys.edit", "h"), "history has it"), (("keys.quit", "x"), "needed where text is typed"),
    (("keys.search", "ctrl+q"), "quit has it"), (("floor", "0.1", "0.2"), "one value"),
    (("floor", "0.1", "--now"), "--now goes with model"),
])  # fmt: skip
def test_what_cannot_be_is_refused_before_anything_is_written(
    cli: Cli, argv: tuple[str, ...], says: str
) -> None:
    refused = cli("config", "set", *argv)
    assert (refused.code, says in refused.err) == (2, True), refused.err
    assert not file(cli).exists()


def test_a_broken_file_is_told_with_its_line_and_kept(cli: Cli) -> None:
    """FR-152."""
    cli.home.mkdir()
    file(cli).write_text("# mine\nfloor 0.3\n")
    refused = cli("config", "set", "theme", "nord")
    assert refused.code == 2 and "line 2" in refused.err
    assert file(cli).read_text() == "# mine\nfloor 0.3\n"


def test_a_change_keeps_what_the_person_wrote_around_it(cli: Cli) -> None:
    cli.home.mkdir()
    file(cli).write_text("# mine\nfloor = 0.3  # mine too\nflor = 1\n")
    cli.ok("config", "set", "floor", "0.5")
    assert file(cli).read_text() == "# mine\nfloor = 0.5  # mine too\nflor = 1\n"
    cli.ok("config", "unset", "flor")
    assert file(cli).read_text() == "# mine\nfloor = 0.5  # mine too\n"


def test_a_variable_that_wins_over_the_file_is_named(cli: Cli) -> None:
    cli.monkeypatch.setenv("LOCALMEM_FLOOR", "0.9")
    told = cli.ok("config", "set", "floor", "0.5")
    assert "LOCALMEM_FLOOR is set and wins" in told.err
    assert cli.ok("config", "get", "floor").out == "0.9\n"


def test_keys_are_listed_with_the_person_s_own_and_what_clashes(cli: Cli) -> None:
    """FR-87."""
    cli.ok("config", "set", "keys.search", "ctrl+f", "/")
    with file(cli).open("a") as out:
        out.write('edit = "h"\nnope = "z"\n')
    told = cli.ok("config", "keys", "--json").json
    assert [each["action"] for each in told["actions"]] == [action.id for action in ACTIONS]
    held = {each["action"]: (each["keys"], each["yours"]) for each in told["actions"]}
    assert held["search"] == (["ctrl+f", "slash"], True)
    assert held["edit"] == (["e"], False)
    assert len(told["problems"]) == 2
    assert "edit keeps e" in cli.ok("config", "keys").err
    assert "edit keeps e" in cli.ok("config", "list").err
    assert cli.ok("config", "get", "keys.search").out == "ctrl+f\n/\n"
    assert cli.ok("config", "get", "keys.up").out == "↑\nk\n"
    assert cli("config", "get", "keys.nope2").code == 2


def test_a_password_in_an_address_is_not_repeated(cli: Cli) -> None:
    choice = "openai:m@http://me:hunter22x@localhost:1/v1"
    said = cli.ok("config", "set", "model", choice)
    for argv in (("list",), ("get", "model"), ("list", "--json"), ("unset", "model")):
        more = cli.ok("config", *argv)
        assert "hunter22x" not in said.out + said.err + more.out + more.err
        assert "localhost:1" in more.out


# the model


def test_another_model_says_how_many_memories_wait_for_it(cli: Cli, model: WordsEmbedder) -> None:
    for text in ("Prefers tea.", "Lives in Lisbon."):
        cli.ok("add", text)
    told = cli.ok("config", "set", "model", "openai:m@http://localhost:1/v1")
    assert "2 memories are embedded with it" in told.err and "--now" in told.err
    none = cli.ok("config", "set", "model", "none")
    assert "words alone" in none.err
    assert model.embedded == 0


def test_now_embeds_at_once_and_the_same_command_goes_on_after_a_stop(
    cli: Cli, model: WordsEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        cli.ok("add", f"Fact number {number}.")
    embed = model.embed
    calls = 0

    def stopped(texts: list[str]) -> list[bytes]:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        return embed(texts)

    monkeypatch.setattr(model, "embed", stopped)
    first = cli("config", "set", "model", "fastembed:words", "--now", terminal=True)
    assert first.code == 130 and "16 of 40 are embedded; the same command goes on" in first.err
    second = cli("config", "set", "model", "fastembed:words", "--now", terminal=True)
    assert second.code == 0 and "24 memories are embedded" in second.err
    assert io.StringIO(second.err).read().count("Embedded 16 of 24") == 1
