"""What happens when a library is opened: good files, bad files, and the folders they lie in."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from pathlib import Path

import apsw
import pytest

from localmem.core.change import Saved
from localmem.core.records import Slice
from localmem.errors import (
    StoreDamaged,
    StoreNewer,
    StoreReadOnly,
    StoreUnavailable,
)
from localmem.store import connect, folder, schema
from tests.support.library import FixedClock, WordsEmbedder, open_library


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "library.db"


@pytest.fixture
def filled(path: Path, clock: FixedClock) -> Path:
    engine = open_library(path, clock)
    for n in range(300):
        engine.facts.add(f"fact number {n} " + "words " * 20)
    engine.close()
    return path


posix = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")


@posix
def test_every_file_of_a_library_is_private_to_its_owner(path: Path, clock: FixedClock) -> None:
    before = os.umask(0o022)
    try:
        engine = open_library(path, clock)
        engine.facts.add("private")
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        assert modes == {"library.db": 0o600, "library.db-wal": 0o600, "library.db-shm": 0o600}
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        engine.library.backup(str(path.parent / "copy.db"))
        assert stat.S_IMODE((path.parent / "copy.db").stat().st_mode) == 0o600
        engine.close()
    finally:
        os.umask(before)


def test_a_library_whose_making_was_killed_is_made_anew(path: Path, clock: FixedClock) -> None:
    path.parent.mkdir()
    path.write_bytes(bytes(4096))  # SQLite had made room for the first page
    beginning = bytes.fromhex("d9d505f920a163d7") + bytes(4)  # and kept that there was none
    sizes = b"".join(n.to_bytes(4, "big") for n in (0xA619819E, 0, 512, 4096))
    Path(f"{path}-journal").write_bytes((beginning + sizes).ljust(512, b"\0"))
    engine = open_library(path, clock)
    assert isinstance(engine.facts.add("the first"), Saved)
    engine.close()
    assert [file.name for file in path.parent.iterdir()] == ["library.db"]


def test_two_that_make_a_library_at_once_wait_for_each_other(
    path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_library(path, clock).close()
    other = apsw.Connection(str(path))
    other.pragma("journal_mode", "DELETE")  # as a library is before anybody asked for its log
    other.execute("BEGIN; SELECT * FROM sqlite_master").fetchall()
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            other.close()

    monkeypatch.setattr(connect.time, "sleep", sleep)
    open_library(path, clock).close()
    assert len(waits) == 3


@posix
def test_a_loose_file_is_tightened(filled: Path, clock: FixedClock) -> None:
    filled.chmod(0o644)
    filled.parent.chmod(0o755)
    open_library(filled, clock).close()
    assert stat.S_IMODE(filled.stat().st_mode) == 0o600
    assert stat.S_IMODE(filled.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("version", [schema.LATEST + 1, 999])
@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_newer_library_is_refused_untouched(
    filled: Path, clock: FixedClock, journal: str, version: int
) -> None:
    connection = apsw.Connection(str(filled))
    connection.pragma("journal_mode", journal)
    connection.pragma("user_version", version)
    connection.close()
    before = filled.read_bytes()
    with pytest.raises(StoreNewer, match="intact"):
        open_library(filled, clock)
    assert filled.read_bytes() == before


def test_another_program_s_database_is_refused_untouched(path: Path, clock: FixedClock) -> None:
    path.parent.mkdir()
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
    connection.close()
    path.chmod(0o644)
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match="not a localmem library"):
        open_library(path, clock)
    assert path.read_bytes() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    connection = apsw.Connection(str(path))
    assert connection.execute("SELECT a FROM theirs").get == 1
    connection.close()


@pytest.mark.parametrize("content", [b"not a database at all, just text" * 100, b"\0" * 5000, b"S"])
def test_a_file_that_is_no_database_is_refused_and_kept(
    path: Path, clock: FixedClock, content: bytes
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StoreDamaged, match="left exactly as it is"):
        open_library(path, clock)
    assert path.read_bytes() == content


def damaged_reads(path: Path, clock: FixedClock) -> None:
    engine = open_library(path, clock)
    try:
        for slice in (Slice(),):
            for item in engine.library.window(slice, offset=0, limit=1000):
                engine.library.history(item.id)
    finally:
        engine.close()


@pytest.mark.parametrize("how", ["a page in the middle is overwritten", "the file is cut short"])
def test_a_damaged_library_says_so_and_is_never_removed(
    filled: Path, clock: FixedClock, how: str
) -> None:
    content = bytearray(filled.read_bytes())
    if how.startswith("a page"):
        for page in range(2, len(content) // 4096 - 1):
            content[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    else:
        del content[len(content) // 2 :]
    filled.write_bytes(content)
    with pytest.raises(StoreDamaged, match="backup"):
        damaged_reads(filled, clock)
    assert filled.exists()


class TestReadOnly:
    """As a user without write permission; root writes everywhere, so the probe is replaced."""

    @pytest.fixture
    def read_only(self, filled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        def refuse(file: Path) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(folder, "make_private_file", refuse)
        return filled

    def test_it_opens_for_reading_and_refuses_writes(
        self, read_only: Path, clock: FixedClock
    ) -> None:
        engine = open_library(read_only, clock, embedder=WordsEmbedder())
        assert engine.read_only
        assert engine.library.count(Slice()) == 300
        with pytest.raises(StoreReadOnly, match="Not saved"):
            engine.facts.add("one more")
        assert engine.maintain() == 0
        engine.close()

    def test_an_agent_may_still_search_it(self, read_only: Path, clock: FixedClock) -> None:
        from localmem.core.query import Query
        from tests.support.library import AGENT

        engine = open_library(read_only, clock, actor=AGENT)
        assert engine.recall.search(Query(text="number", meaning="fact number 7")).hits
        engine.close()


@pytest.mark.parametrize(("table", "path", "network"), [
    ("server:/home /home nfs4 rw 0 0\n/dev/vda / ext4 rw 0 0", "/home/ana/.local", "nfs4"),
    ("//nas/x /mnt/my\\040nas cifs rw 0 0\n/dev/vda / ext4 rw 0 0", "/mnt/my nas/lib", "cifs"),
    ("server:/home /home nfs4 rw 0 0\n/dev/b /home/ana ext4 rw 0 0", "/home/ana/x", None),
    ("C: /mnt/c 9p rw 0 0\n/dev/vda / ext4 rw 0 0", "/mnt/c/Users/ana", "9p"),
    ("/dev/vda / ext4 rw 0 0", "/home/ana", None),
    ("", "/home/ana", None),
])  # fmt: skip
def test_network_folders_are_told_from_disks(table: str, path: str, network: str | None) -> None:
    assert folder.network_filesystem(Path(path), folder.parse_mounts(table)) == network


def test_a_network_folder_is_refused_with_a_way_on(
    path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = f"server:/x {path.parent.parent} nfs rw 0 0"
    monkeypatch.setattr(folder, "mounts", lambda: folder.parse_mounts(table))
    with pytest.raises(StoreUnavailable, match="LOCALMEM_HOME"):
        connect.open_library(path)
    assert not path.exists()
    opened = connect.open_library(path, allow_network=True)
    assert opened.connection.pragma("journal_mode") == "delete"
    opened.connection.close()


def test_a_cloud_folder_is_warned_about(tmp_path: Path, clock: FixedClock) -> None:
    engine = open_library(tmp_path / "Dropbox" / "library.db", clock)
    assert any("Dropbox" in note and "backup" in note for note in engine.notes)
    engine.close()


def test_a_folder_in_the_file_s_place_is_named(path: Path, clock: FixedClock) -> None:
    path.mkdir(parents=True)
    with pytest.raises(StoreUnavailable, match="is a folder"):
        open_library(path, clock)


def test_without_the_extension_words_work_and_a_note_says_so(
    path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    engine = open_library(path, clock)
    assert any("meaning is off" in note for note in engine.notes)
    assert isinstance(engine.facts.add("one"), Saved)
    engine.close()


def test_a_link_to_the_library_is_the_library(filled: Path, clock: FixedClock) -> None:
    link = filled.parent.parent / "link.db"
    link.symlink_to(filled)
    engine = open_library(link, clock)
    assert engine.path == str(filled.resolve())
    engine.close()


def test_a_lost_write_ahead_log_leaves_a_library_that_opens(path: Path, clock: FixedClock) -> None:
    engine = open_library(path, clock)
    engine.facts.add("one")
    copy = path.parent.parent / "copy" / "library.db"
    copy.parent.mkdir()
    shutil.copy(path, copy)  # without -wal, as a careless copy would
    engine.close()
    again = open_library(copy, clock)
    assert again.library.count(Slice()) in (0, 1)
    assert isinstance(again.facts.add("two"), Saved)
    again.close()


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_FSIZE stands in for a full disk")
def test_a_full_disk_saves_nothing_loses_nothing_and_goes_on_when_there_is_room(
    filled: Path, clock: FixedClock
) -> None:
    import resource
    import signal

    from localmem.errors import StoreError

    engine = open_library(filled, clock)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    full = max(file.stat().st_size for file in filled.parent.iterdir()) + 4096
    resource.setrlimit(resource.RLIMIT_FSIZE, (full, hard))
    kept = 300
    try:
        with pytest.raises(StoreError) as refused:
            for n in range(500):
                engine.facts.add(f"more number {n} " + "x" * 8000)
                kept += 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert refused.value.code in ("store_full", "store_unavailable")
    assert refused.value.hint
    assert engine.library.count(Slice()) == kept
    assert isinstance(engine.facts.add("room again"), Saved)
    engine.close()


def test_a_backup_taken_while_others_write_is_whole(filled: Path, clock: FixedClock) -> None:
    engine, other = open_library(filled, clock), open_library(filled, clock)
    other.facts.add("came in between")
    target = filled.parent.parent / "backup.db"
    engine.library.backup(str(target))
    copy = open_library(target, clock)
    assert copy.library.count(Slice()) == 301
    for each in (engine, other, copy):
        each.close()


def test_a_backup_never_overwrites_and_leaves_no_half_file(filled: Path, clock: FixedClock) -> None:
    from localmem.errors import BackupFailed

    engine = open_library(filled, clock)
    taken = filled.parent / "taken.db"
    taken.write_text("mine")
    with pytest.raises(BackupFailed, match="exists already"):
        engine.library.backup(str(taken))
    assert taken.read_text() == "mine"
    beside = {file.name for file in filled.parent.iterdir()}
    for target in (
        filled.parent / "no" / "folder.db",
        filled.parent / ("n" * 300),
        "",
        "~no-such-user/x",
    ):
        with pytest.raises(BackupFailed):
            engine.library.backup(str(target))
    assert {file.name for file in filled.parent.iterdir()} == beside
    engine.close()


def test_the_store_and_its_word_index_pass_sqlite_s_own_checks(
    filled: Path, clock: FixedClock
) -> None:
    engine = open_library(filled, clock)
    items = engine.library.window(Slice(), offset=0, limit=60)
    for item in items[:30]:
        engine.facts.edit(item.id, text=f"edited {item.id} 今天 {item.id}")
    engine.forgetting.forget([item.id for item in items[20:50]])
    engine.close()
    opened = connect.open_library(filled)
    connection = opened.connection
    assert connection.execute("PRAGMA integrity_check").get == "ok"
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    connection.close()


def test_a_library_with_an_impossible_schema_is_refused(filled: Path, clock: FixedClock) -> None:
    connection = apsw.Connection(str(filled))
    connection.pragma("user_version", -3)
    connection.close()
    with pytest.raises(StoreDamaged):
        open_library(filled, clock)


def test_without_the_extension_what_was_embedded_is_still_erased(
    path: Path, clock: FixedClock
) -> None:
    engine = open_library(path, clock, embedder=WordsEmbedder())
    kept = engine.facts.add("zebra quartz seven")
    engine.facts.add("stays")
    assert isinstance(kept, Saved)
    engine.meaning.embed_waiting()
    engine.close()
    without = open_library(path, clock, vectors=False)
    receipt = without.forgetting.forget([kept.item.id])
    assert (receipt.complete, receipt.erased.vectors) == (True, 2)
    without.close()
    assert b"zebra" not in path.read_bytes()
    again = open_library(path, clock, embedder=WordsEmbedder())
    assert again.meaning.embed_waiting() == 1
    again.close()


def test_a_search_does_not_wait_for_somebody_who_writes(path: Path, clock: FixedClock) -> None:
    from localmem.core.query import Query

    engine = open_library(path, clock, embedder=WordsEmbedder())
    engine.facts.add("Likes tea")
    holder = apsw.Connection(str(path))
    holder.execute("BEGIN IMMEDIATE")
    assert engine.meaning.embed_waiting() == 0
    assert engine.recall.search(Query(meaning="tea")).hits
    holder.execute("ROLLBACK")
    holder.close()
    assert engine.meaning.embed_waiting() == 1
    engine.close()


@posix
@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_library_that_was_removed_or_replaced_while_open_takes_no_more_writes(
    filled: Path, clock: FixedClock, how: str
) -> None:
    engine = open_library(filled, clock)
    if how == "removed":
        filled.unlink()
    else:
        other = filled.parent.parent / "other.db"
        open_library(other, clock).close()
        other.replace(filled)
    with pytest.raises(StoreUnavailable, match="Not saved"):
        engine.facts.add("would be lost")
    engine.close()


def test_the_schema_refuses_a_head_without_its_version(path: Path, clock: FixedClock) -> None:
    open_library(path, clock).close()
    opened = connect.open_library(path)
    with pytest.raises(apsw.ConstraintError):
        opened.connection.execute(
            "INSERT INTO item (id, kind, scope, head, created_at, change) "
            "VALUES ('x', 'fact', 'project', 1, 0, 1)"
        )
    opened.connection.close()


def test_the_schema_refuses_to_change_a_version(filled: Path) -> None:
    opened = connect.open_library(filled)
    with pytest.raises(apsw.ConstraintError, match="never changed"):
        opened.connection.execute("UPDATE version SET content = '{}'")
    opened.connection.close()
