"""Settings: read as far as they can be understood, changed without touching anything else."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.theme import BUILTIN_THEMES

from localmem import config, paths
from localmem.config import Settings, Source, understand
from localmem.config.book import Book
from localmem.errors import InvalidSettings
from localmem.wiring import check_model

ODD = b'\xef\xbb\xbf# mine\r\nfloor = 0.3   # why\r\nfuture = 3\r\n\r\n[keys]\r\nedit = "z" # s\r\n'


def book(file: Path, environment: Mapping[str, str] | None = None) -> Book:
    return Book(file, environment or {}, check_model)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_without_a_file_the_defaults_hold(file: Path) -> None:
    found = understand(file, {})
    assert (found.settings, found.problems, found.sources) == (Settings(), (), {})


@pytest.mark.parametrize("content", [
    b"\xef\xbb\xbffloor = 0.5\r\ntheme = \"nord\"\r\n",
    b"# a comment\nfloor = 0.5\n\ntheme = 'nord'\n",
])  # fmt: skip
def test_a_byte_order_mark_line_endings_and_comments_are_read(file: Path, content: bytes) -> None:
    """FR-152."""
    file.write_bytes(content)
    found = understand(file, {})
    assert (found.settings, found.problems) == (Settings(floor=0.5, theme="nord"), ())
    assert file.read_bytes() == content


@pytest.mark.parametrize(("text", "says"), [
    ("flor = 0.5", "Did you mean floor"), ("\nfloor = 2", "(line 2) must be a number from 0 to 1"),
    ("floor = true", "from 0 to 1"), ("floor = nan", "from 0 to 1"), ("theme = 3", "a theme"),
    ("theme = 'nrod'", "Did you mean nord"), ("symbols = 'acsii'", "Did you mean ascii"),
    ("floor 0.3", "line 1"), ("a = 1\nfloor = x", "line 2"), ("keys = 3", "table of its own"),
    ("# c\n[keys]\nedit = 3", "keys.edit in config.toml (line 3)"), ("edit = 'x'", "no setting"),
    ("floor = 0.1\nfloor = 0.2", "line 2"),
])  # fmt: skip
def test_what_is_wrong_is_said_with_its_line_and_costs_nothing_else(
    file: Path, text: str, says: str
) -> None:
    file.write_text(text)
    found = understand(file, {})
    assert says in found.problems[0]
    assert found.settings.floor == 0.30


def test_a_mistake_costs_the_keys_it_stands_in_and_no_other(file: Path) -> None:
    file.write_text("theme = 'nord'\nfloor = 3\nmodle = 'none'\n[keys]\nedit = 4\nnew = 'z'\n")
    found = understand(file, {})
    assert found.settings == Settings(theme="nord", keys={"new": ("z",)})
    assert [word in said for word, said in zip(("floor", "model?", "keys.edit"), found.problems,
            strict=True)] == [True] * 3  # fmt: skip


@pytest.mark.parametrize(("content", "says"), [
    ("theme = 'nord'".encode("utf-16"), "is UTF-16, not UTF-8"),
    (b"floor = 0.3\n# caf\xe9\n", "is not UTF-8 (line 2)"),
])  # fmt: skip
def test_a_file_in_another_encoding_is_told_and_kept(file: Path, content: bytes, says: str) -> None:
    file.write_bytes(content)
    assert says in understand(file, {}).problems[0]
    with pytest.raises(InvalidSettings, match="UTF-8"):
        book(file).set("floor", 0.4)
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (PermissionError(13, "Permission denied"), "may not be read"),
        (NotADirectoryError(20, "Not a directory"), "is not a folder"),
        (IsADirectoryError(21, "Is a directory"), "is a folder, not a file"),
        (OSError(5, "Input/output error"), "cannot be read: Input/output error"),
    ],
)
def test_a_file_that_cannot_be_read_says_why_and_what_to_do(
    file: Path, monkeypatch: pytest.MonkeyPatch, problem: OSError, says: str
) -> None:
    def refuse(*_: object) -> bytes:
        raise problem

    monkeypatch.setattr(Path, "read_bytes", refuse)
    found = understand(file, {})
    assert found.settings == Settings(model="none") and says in found.problems[0]
    with pytest.raises(InvalidSettings, match=says):
        book(file).set("floor", 0.4)


@pytest.mark.parametrize("text", ["model = 3", "model = ''", "model", "a = " + "[" * 5000])
def test_while_the_model_is_in_doubt_there_is_none(file: Path, text: str) -> None:
    """Another model than the one before would have everything embedded again."""
    file.write_text(text)
    found = understand(file, {})
    assert found.settings.model == config.NO_MODEL
    assert len(found.problems) == 1 and "words alone" in found.problems[0]


def test_the_environment_wins_and_every_value_tells_where_it_comes_from(file: Path) -> None:
    file.write_text("floor = 0.4\ntheme = 'nord'\n[keys]\nedit = 'z'\n")
    held = book(file, {"LOCALMEM_FLOOR": "0.6", "LOCALMEM_SYMBOLS": "ascii"})
    told = {each.key: (each.value, each.source) for each in held.entries()}
    assert told == {
        "model": ("bundled", Source.DEFAULT),
        "floor": (0.6, Source.ENVIRONMENT),
        "theme": ("nord", Source.FILE),
        "symbols": ("ascii", Source.ENVIRONMENT),
        "account.url": ("", Source.DEFAULT),
        "keys.edit": (("z",), Source.FILE),
    }
    assert held.set("floor", 0.2).outranked == "LOCALMEM_FLOOR"


def test_a_variable_that_cannot_be_is_told_and_passed_over(file: Path) -> None:
    found = understand(file, {"LOCALMEM_FLOOR": "high", "LOCALMEM_THEME": ""})
    assert found.settings == Settings()
    assert "LOCALMEM_FLOOR" in found.problems[0] and "passed over" in found.problems[0]


# writing


def test_a_change_keeps_comments_order_unknown_keys_line_ends_and_the_mark(file: Path) -> None:
    """FR-152."""
    file.write_bytes(ODD)
    changed = book(file).set("floor", 0.5)
    assert (changed.old, changed.new) == (0.3, 0.5)
    assert file.read_bytes() == ODD.replace(b"floor = 0.3", b"floor = 0.5")
    book(file).set("theme", "nord")
    book(file).set("keys.new", ("x", "ctrl+n"))
    text = file.read_bytes().decode("utf-8-sig")
    assert tomllib.loads(text) == {
        "floor": 0.5, "future": 3, "theme": "nord",
        "keys": {"edit": "z", "new": ["x", "ctrl+n"]},
    }  # fmt: skip
    assert "\n" not in text.replace("\r\n", "")
    book(file).unset("floor")
    book(file).unset("future")
    assert "floor" not in file.read_text() and "future" not in file.read_text()
    assert "# mine" in file.read_text()


def test_what_is_written_is_private_and_follows_a_link(tmp_path: Path, file: Path) -> None:
    kept = tmp_path / "dotfiles" / "localmem.toml"
    kept.parent.mkdir()
    kept.write_text("floor = 0.4\n")
    file.symlink_to(kept)
    book(file).set("floor", 0.5)
    assert file.is_symlink() and kept.read_text() == "floor = 0.5\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert sorted(each.name for each in kept.parent.iterdir()) == ["localmem.toml"]


def test_the_first_setting_makes_the_folder_and_the_file(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "config.toml"
    book(file).set("keys.edit", ("z",))
    assert understand(file, {}).settings.keys == {"edit": ("z",)}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["floor = \n", "[keys\n", "keys = 1\nkeys = 2\n"])
def test_a_broken_file_is_never_written_over(file: Path, text: str) -> None:
    """FR-152."""
    file.write_text(text)
    for change in (lambda: book(file).set("floor", 0.5), lambda: book(file).unset("theme")):
        with pytest.raises(InvalidSettings, match="line"):
            change()
    assert file.read_text() == text


def test_a_read_only_file_stays_as_it_is(file: Path) -> None:
    """FR-152."""
    file.write_text("floor = 0.4\n")
    file.chmod(0o444)
    with pytest.raises(InvalidSettings, match="read-only"):
        book(file).set("floor", 0.5)
    assert file.read_text() == "floor = 0.4\n"


def test_a_failed_write_leaves_the_file_and_no_other(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("floor = 0.4\n")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InvalidSettings, match="No space left"):
        book(file).set("floor", 0.5)
    assert file.read_text() == "floor = 0.4\n"
    assert list(file.parent.iterdir()) == [file]


def test_a_name_that_is_no_setting_is_refused_with_the_nearest(file: Path) -> None:
    for key, says in (("flor", "floor"), ("keys", "under"), ("search", "The keys are")):
        with pytest.raises(InvalidSettings, match=says):
            book(file).typed(key, "x")
        with pytest.raises(InvalidSettings, match=says):
            book(file).unset(key)
    assert not file.exists()


def test_a_model_that_no_adapter_knows_is_refused(file: Path) -> None:
    for good in ("bundled", "none", "openai:m@http://localhost:11434/v1", "fastembed:x/y"):
        assert book(file).typed("model", good) == good
    for bad in ("bundeld", "openai:m", "fastembed:", "gpt"):
        with pytest.raises(InvalidSettings, match="not a usable choice"):
            book(file).typed("model", bad)


_COMMENTS = st.lists(st.text(st.characters(codec="utf-8", categories=["L", "Zs"]), max_size=9))


@given(before=_COMMENTS, floor=st.floats(0, 1), keys=st.booleans(), crlf=st.booleans())
def test_any_comments_around_a_setting_survive_a_change(
    tmp_path_factory: pytest.TempPathFactory,
    before: list[str],
    floor: float,
    keys: bool,
    crlf: bool,
) -> None:
    comments = [f"# {text}" for text in before]
    lines = [*comments, "theme = 'nord'", *(["[keys]", "new = 'z'"] if keys else [])]
    file = tmp_path_factory.mktemp("any") / "config.toml"
    file.write_bytes(("\r\n" if crlf else "\n").join([*lines, ""]).encode())
    book(file).set("floor", floor)
    after = file.read_bytes().decode()
    for comment in comments:
        assert comment in after
    assert understand(file, {}).settings.floor == floor


def test_the_list_of_themes_is_ours_and_textual_s() -> None:
    assert set(config.THEMES) == {"localmem", "localmem-light", *BUILTIN_THEMES}


def test_localmem_home_moves_everything() -> None:
    found = paths.paths({"LOCALMEM_HOME": "/memories"})
    assert found == paths.Paths(
        Path("/memories/library.db"), Path("/memories/config.toml"), Path("/memories/cache")
    )


def test_without_it_the_operating_system_s_own_places_are_used() -> None:
    found = paths.paths({"LOCALMEM_HOME": ""})
    assert len({found.library.parent, found.settings.parent, found.cache}) == 3
    assert all("localmem" in str(path) for path in (found.library, found.settings, found.cache))
