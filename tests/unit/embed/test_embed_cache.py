"""The verified file: what is believed, what is not, and what a crash may leave behind."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from localmem.embed.cache import Expected, open_verified, write_private

CONTENT = bytes(range(256)) * 64
EXPECTED = Expected(size=len(CONTENT), sha256=hashlib.sha256(CONTENT).hexdigest())

posix = pytest.mark.skipif(os.name != "posix", reason="about POSIX files")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "file"


def test_what_was_written_is_read_back(path: Path) -> None:
    assert write_private(path, CONTENT)
    mapped = open_verified(path, EXPECTED)
    assert mapped is not None
    assert mapped[:] == CONTENT


def test_a_missing_file_is_no_file(path: Path) -> None:
    assert open_verified(path, EXPECTED) is None


@pytest.mark.parametrize(
    "content",
    [b"", CONTENT[:-1], CONTENT + b"x", b"x" * len(CONTENT)],
    ids=["empty", "shorter", "longer", "other"],
)
def test_any_other_content_is_no_file(path: Path, content: bytes) -> None:
    write_private(path, content)
    assert open_verified(path, EXPECTED) is None


def test_a_folder_in_its_place_is_no_file(path: Path) -> None:
    path.mkdir(parents=True)
    assert open_verified(path, EXPECTED) is None


@posix
def test_a_link_to_the_right_content_is_no_file(path: Path) -> None:
    other = path.with_name("other")
    write_private(other, CONTENT)
    path.symlink_to(other)
    assert open_verified(path, EXPECTED) is None


@posix
def test_a_pipe_in_its_place_neither_blocks_nor_counts(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)
    assert open_verified(path, EXPECTED) is None


@posix
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_change_is_no_file(path: Path, mode: int) -> None:
    write_private(path, CONTENT)
    path.chmod(mode)
    assert open_verified(path, EXPECTED) is None


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="only root gives files away")
def test_a_file_of_another_user_is_no_file(path: Path) -> None:
    write_private(path, CONTENT)
    os.chown(path, os.geteuid() + 1, -1)
    assert open_verified(path, EXPECTED) is None


@posix
def test_the_file_and_its_new_folder_are_the_users_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        write_private(path, CONTENT)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_refused_write_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    assert not write_private(tmp_path / "taken" / "file", CONTENT)
    (tmp_path / "folder").mkdir()
    assert not write_private(tmp_path / "folder", CONTENT)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["folder", "taken"]


def test_what_a_crashed_writer_left_is_removed_by_the_next(path: Path) -> None:
    write_private(path, CONTENT)
    path.with_name("file.0123.tmp").touch()
    path.with_name("file-of-another.tmp").touch()
    write_private(path, CONTENT)
    assert sorted(entry.name for entry in path.parent.iterdir()) == [
        "file",
        "file-of-another.tmp",
    ]


def test_readers_see_the_whole_content_or_nothing_while_many_write(path: Path) -> None:
    def write_and_read(_: int) -> bool:
        write_private(path, CONTENT)
        return open_verified(path, EXPECTED) is not None

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(write_and_read, range(64)))
    assert list(path.parent.iterdir()) == [path]


@posix
def test_a_reader_keeps_its_content_when_the_file_is_replaced(path: Path) -> None:
    write_private(path, CONTENT)
    mapped = open_verified(path, EXPECTED)
    write_private(path, b"")
    assert mapped is not None
    assert mapped[:] == CONTENT
