from __future__ import annotations

from pathlib import Path

import pytest

from localmem import config, paths
from localmem.errors import InvalidSettings


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert config.read(tmp_path / "config.toml") == config.Settings()


@pytest.mark.parametrize("content", [
    b"\xef\xbb\xbffloor = 0.5\r\ntheme = \"nord\"\r\n",
    b"# a comment\nfloor = 0.5\n\ntheme = 'nord'\n",
])  # fmt: skip
def test_a_byte_order_mark_line_endings_and_comments_are_read(
    tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(content)
    assert config.read(file) == config.Settings(floor=0.5, theme="nord")
    assert file.read_bytes() == content


def test_a_misspelt_key_names_the_nearest() -> None:
    with pytest.raises(InvalidSettings, match="Did you mean floor"):
        config.parse("flor = 0.5")


@pytest.mark.parametrize(("text", "says"), [
    ("floor = 2", "from 0 to 1"), ("floor = true", "from 0 to 1"), ("model = ''", "a name"),
    ("theme = 3", "a name"), ("floor 0.3", "line 1"), ("a = 1\nfloor = x", "line 2"),
])  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text: str, says: str) -> None:
    with pytest.raises(InvalidSettings, match=says):
        config.parse(text)


def test_a_file_in_another_encoding_is_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    content = "theme = 'nord'".encode("utf-16")
    file.write_bytes(content)
    with pytest.raises(InvalidSettings, match="UTF-8"):
        config.read(file)
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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: OSError, says: str
) -> None:
    def refuse(*_: object) -> str:
        raise problem

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(InvalidSettings, match=says) as refused:
        config.read(tmp_path / "config.toml")
    assert refused.value.hint and "UTF-8" not in str(refused.value)
    found = config.understand(tmp_path / "config.toml")
    assert found.settings == config.Settings(model="none") and says in found.problems[0]


def test_a_mistake_costs_the_keys_it_stands_in_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("theme = 'nord'\nfloor = 3\nmodle = 'none'\n")
    found = config.understand(file)
    assert found.settings == config.Settings(theme="nord")
    assert ["floor" in found.problems[0], "Did you mean model" in found.problems[1]] == [True] * 2


@pytest.mark.parametrize("text", ["model = 3", "model = ''", "model", "a = " + "[" * 5000])
def test_while_the_model_is_in_doubt_there_is_none(tmp_path: Path, text: str) -> None:
    """Another model than the one before would have everything embedded again."""
    file = tmp_path / "config.toml"
    file.write_text(text)
    found = config.understand(file)
    assert found.settings.model == config.NO_MODEL
    assert len(found.problems) == 1 and "words alone" in found.problems[0]


def test_localmem_home_moves_everything() -> None:
    found = paths.paths({"LOCALMEM_HOME": "/memories"})
    assert found == paths.Paths(
        Path("/memories/library.db"), Path("/memories/config.toml"), Path("/memories/cache")
    )


def test_without_it_the_operating_system_s_own_places_are_used() -> None:
    found = paths.paths({"LOCALMEM_HOME": ""})
    assert len({found.library.parent, found.settings.parent, found.cache}) == 3
    assert all("localmem" in str(path) for path in (found.library, found.settings, found.cache))
