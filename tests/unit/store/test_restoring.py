"""Bringing a backup back: whole or not at all, with a way back, and nothing forgotten returns."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from localmem.core.change import Saved
from localmem.core.model import Evidence, Kind, Provenance
from localmem.core.records import Removal, Slice
from localmem.core.scope import PROJECT
from localmem.engine import Engine
from localmem.errors import (
    InferenceBlocked,
    RestoreFailed,
    StoreBusy,
    StoreError,
    StoreLocked,
    StoreNewer,
    StoreUnavailable,
)
from localmem.ids import TimeOrderedIds
from localmem.store import cipher, encryption, restoring, schema, swap
from localmem.store.sqlite import open_store
from tests.support.library import BACKEND, PERSON, FixedClock, open_library

KEY = bytes(range(32))
OTHER = bytes(reversed(KEY))


@pytest.fixture
def path(tmp_path: Path, clock: FixedClock) -> Path:
    """A library of three facts."""
    path = tmp_path / "data" / "library.db"
    engine = open_library(path, clock)
    for text in ("Likes tea", "Likes walks", "Wears size 42"):
        engine.facts.add(text)
    engine.close()
    return path


@pytest.fixture
def backup(path: Path, clock: FixedClock, tmp_path: Path) -> Path:
    """A copy of it."""
    engine = open_library(path, clock)
    target = tmp_path / "backup.db"
    engine.library.backup(str(target))
    engine.close()
    return target


def opened(path: Path, clock: FixedClock, key: bytes | None = None) -> Engine:
    store = open_store(path, clock, key=(lambda: key) if key else None)
    return Engine(store, clock, TimeOrderedIds(clock), PERSON)


def texts(path: Path, clock: FixedClock, key: bytes | None = None) -> list[str]:
    engine = opened(path, clock, key)
    try:
        items = engine.library.window(Slice(Kind.FACT), offset=0, limit=100)
        return sorted(item.head.content.text for item in items)  # type: ignore[union-attr]
    finally:
        engine.close()


def restore(
    path: Path,
    backup: Path,
    clock: FixedClock,
    *,
    key: bytes | None = None,
    forgotten_too: bool = False,
) -> tuple[restoring.Restoring, Path | None]:
    source: cipher.KeySource | None = (lambda: key) if key else None
    with restoring.restoring(
        path, backup, clock, key=source, kept_as=path.with_name("before.db"), by=PERSON,
        forgotten_too=forgotten_too,
    ) as ready:  # fmt: skip
        return ready, ready.finish()


def forget(path: Path, clock: FixedClock, text: str) -> None:
    engine = opened(path, clock)
    items = engine.library.window(Slice(), offset=0, limit=100)
    gone = [item.id for item in items if getattr(item.head.content, "text", "") == text]
    assert engine.forgetting.forget(gone).complete
    engine.close()


def identity(path: Path) -> dict[str, object]:
    connection = apsw.Connection(str(path))
    held = dict(connection.execute("SELECT key, value FROM library"))
    connection.close()
    return held


def test_a_backup_takes_the_library_s_place_and_the_old_one_stays_beside(
    path: Path, backup: Path, clock: FixedClock
) -> None:
    engine = opened(path, clock)
    engine.facts.add("Came after the backup")
    engine.close()
    ready, kept = restore(path, backup, clock)
    assert (ready.backup.facts, ready.unreadable) == (3, "")
    assert texts(path, clock) == ["Likes tea", "Likes walks", "Wears size 42"]
    assert kept is not None
    assert "Came after the backup" in texts(kept, clock)
    _, other = restore(path, kept, clock)  # the way back
    assert "Came after the backup" in texts(path, clock)
    assert other is not None and other != kept


def test_nothing_forgotten_comes_back_by_a_backup(
    path: Path, backup: Path, clock: FixedClock
) -> None:
    forget(path, clock, "Likes walks")
    ready, _ = restore(path, backup, clock)
    assert ready.still_forgotten == 1
    assert texts(path, clock) == ["Likes tea", "Wears size 42"]
    assert b"Likes walks" not in path.read_bytes()


def test_a_person_who_wants_the_forgotten_back_gets_it(
    path: Path, backup: Path, clock: FixedClock
) -> None:
    forget(path, clock, "Likes walks")
    ready, _ = restore(path, backup, clock, forgotten_too=True)
    assert ready.still_forgotten == 0
    assert "Likes walks" in texts(path, clock)


def test_a_preference_forgotten_since_stays_gone_and_is_not_inferred_again(
    tmp_path: Path, clock: FixedClock
) -> None:
    """The report of avoided brands that came back after a restored backup."""
    path, target = tmp_path / "data" / "library.db", tmp_path / "backup.db"
    engine = open_library(path, clock)
    kept = engine.preferences.remember("avoided_brands", ["Marca X"])
    assert isinstance(kept, Saved)
    engine.library.backup(str(target))
    engine.forgetting.forget([kept.item.id])
    engine.close()
    restore(path, target, clock)
    engine = open_library(path, clock, actor=BACKEND)
    assert engine.library.count(Slice()) == 0
    with pytest.raises(InferenceBlocked):
        engine.preferences.remember(
            "avoided_brands",
            ["Marca X"],
            provenance=Provenance.INFERRED,
            evidence=Evidence(purchase_id="p-1"),
        )
    engine.close()


def test_a_backup_of_another_library_brings_all_it_holds(
    path: Path, clock: FixedClock, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "library.db"
    engine = open_library(other, clock)
    engine.facts.add("From another machine")
    engine.close()
    forget(path, clock, "Likes walks")
    ready, _ = restore(path, other, clock)
    assert (ready.still_forgotten, texts(path, clock)) == (0, ["From another machine"])


def test_a_restored_library_is_another_device_and_says_since_when(
    path: Path, backup: Path, clock: FixedClock
) -> None:
    """sync.md 2.2: a counter that went back must not use a number twice."""
    before = identity(path)
    clock.advance(60)
    restore(path, backup, clock)
    after = identity(path)
    assert after["device"] != before["device"]
    assert after["salt"] == before["salt"]
    assert (after["restored"], after["sends"]) == (clock.now, 0)


def test_a_restored_library_compares_everything_with_its_account_and_keeps_what_is_gone(
    path: Path, clock: FixedClock, tmp_path: Path
) -> None:
    target = tmp_path / "backup.db"
    store = open_store(path, clock)
    with store.writing():
        account = store.accounts.begin("s", "ana", "live", url="u", label="Ana", at=clock())
    tables = store.accounts.tables(account.id)
    with tables.writing():
        tables.stand(tables.standing()._replace(cursor="c", epoch="e", counter=7, confirmed=7))
        tables.put_gone("before", PROJECT, Removal.EXPIRED)
    store.backup(str(target))
    device = store.device
    with tables.writing():
        tables.put_gone("before", PROJECT, Removal.FORGET)
        tables.put_gone("since", PROJECT, Removal.FORGET)
    store.close()
    restore(path, target, clock)
    store = open_store(path, clock)
    with store.reading():
        now = store.accounts.current()
        assert now == account
    tables = store.accounts.tables(account.id)
    with tables.reading():
        standing = tables.standing()
        assert standing.device == store.device != device
        assert (standing.resync, standing.counter, standing.confirmed) == (True, 0, 0)
        assert (standing.cursor, standing.epoch) == ("c", "e")
        assert tables.gone("before") is tables.gone("since") is Removal.FORGET
    store.close()


def test_a_backup_of_an_older_schema_is_brought_to_this_one(
    path: Path, tmp_path: Path, clock: FixedClock
) -> None:
    old = tmp_path / "old.db"
    connection = apsw.Connection(str(old))
    connection.execute("BEGIN")
    connection.execute(schema.MIGRATIONS[0])
    connection.execute(
        f"PRAGMA user_version = 1; PRAGMA application_id = {schema.APPLICATION_ID}; COMMIT"
    )
    connection.close()
    restore(path, old, clock)
    connection = apsw.Connection(str(path))
    assert connection.pragma("user_version") == schema.LATEST
    connection.close()


@pytest.mark.parametrize("what", ["a word", "cut", "flipped", "missing", "folder", "empty"])
def test_what_is_no_whole_library_is_refused_and_nothing_is_touched(
    path: Path, backup: Path, clock: FixedClock, what: str
) -> None:
    content = bytearray(backup.read_bytes())
    match what:
        case "a word":
            backup.write_text("not a library")
        case "cut":
            backup.write_bytes(content[: len(content) // 2])
        case "flipped":
            for page in range(2, len(content) // 4096 - 1):
                content[page * 4096 : page * 4096 + 200] = b"\xff" * 200
            backup.write_bytes(content)
        case "empty":
            backup.write_bytes(b"")
        case _:
            backup.unlink()
            if what == "folder":
                backup.mkdir()
    before = path.read_bytes()
    with pytest.raises(RestoreFailed) as refused:
        restore(path, backup, clock)
    assert refused.value.hint
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["library.db"]


def test_a_newer_library_and_another_program_s_are_refused(
    path: Path, backup: Path, clock: FixedClock, tmp_path: Path
) -> None:
    connection = apsw.Connection(str(backup))
    connection.pragma("user_version", schema.LATEST + 1)
    connection.close()
    with pytest.raises(StoreNewer):
        restore(path, backup, clock)
    theirs = tmp_path / "theirs.db"
    connection = apsw.Connection(str(theirs))
    connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    with pytest.raises(StoreUnavailable, match="not a localmem library"):
        restore(path, theirs, clock)
    assert len(texts(path, clock)) == 3


def test_the_library_itself_is_no_backup_of_itself(path: Path, clock: FixedClock) -> None:
    with pytest.raises(RestoreFailed, match="itself"):
        restore(path, path, clock)


def test_it_is_refused_while_another_has_the_library_open(
    path: Path, backup: Path, clock: FixedClock
) -> None:
    other = opened(path, clock)
    other.library.count(Slice())
    with pytest.raises(StoreBusy, match="open"):
        restore(path, backup, clock)
    assert isinstance(other.facts.add("goes on"), Saved)
    other.close()


def test_into_an_empty_home_it_is_simply_put(
    backup: Path, clock: FixedClock, tmp_path: Path
) -> None:
    path = tmp_path / "new" / "library.db"
    ready, kept = restore(path, backup, clock)
    assert (ready.unreadable, kept) == ("", None)
    assert len(texts(path, clock)) == 3


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_library_that_is_damaged_in_one_place_can_be_replaced_and_is_kept(
    path: Path, backup: Path, clock: FixedClock, key: bytes | None
) -> None:
    if key:
        with encryption.converting(path, old=None, new=key) as finish:
            finish()
    connection = cipher.connect(path, key)
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'version'").get
    connection.pragma("journal_mode", "DELETE")
    connection.close()
    assert isinstance(root, int)
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096 : root * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    _, kept = restore(path, backup, clock, key=key)
    assert kept is not None and kept.read_bytes() == content
    assert len(texts(path, clock, key)) == 3


@pytest.mark.parametrize("how", ["no database", "damaged pages"])
def test_a_damaged_library_is_kept_when_a_backup_replaces_it(
    path: Path, backup: Path, clock: FixedClock, how: str
) -> None:
    """FR-65: kept, never removed; with the write-ahead log that may hold the last changes."""
    content = bytearray(path.read_bytes())
    content[: 100 if how == "no database" else 0] = b"\xff" * (100 if how == "no database" else 0)
    for page in range(1, len(content) // 4096):
        content[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    path.write_bytes(content)
    Path(f"{path}-wal").write_bytes(b"last changes")
    ready, kept = restore(path, backup, clock)
    assert ready.unreadable
    assert kept is not None
    assert texts(path, clock) == ["Likes tea", "Likes walks", "Wears size 42"]
    if how == "no database":
        assert kept.read_bytes() == content
        assert Path(f"{kept}-wal").read_bytes() == b"last changes"


@pytest.mark.parametrize(
    ("library", "copy", "result"),
    [(None, None, None), (KEY, None, KEY), (None, KEY, KEY), (KEY, KEY, KEY)],
    ids=["both plain", "library encrypted", "backup encrypted", "both encrypted"],
)
def test_what_was_encrypted_stays_so(
    path: Path, backup: Path, clock: FixedClock,
    library: bytes | None, copy: bytes | None, result: bytes | None,
) -> None:  # fmt: skip
    for file, key in ((path, library), (backup, copy)):
        if key:
            with encryption.converting(file, old=None, new=key) as finish:
                finish()
    ready, kept = restore(path, backup, clock, key=KEY)
    assert ready.encrypted is (result is not None)
    assert len(texts(path, clock, result)) == 3
    if result:
        assert b"Likes tea" not in path.read_bytes()
    assert kept is not None
    assert (b"Likes tea" in kept.read_bytes()) is (library is None)


def test_a_library_whose_key_is_lost_can_be_replaced_and_is_kept(
    path: Path, backup: Path, clock: FixedClock
) -> None:
    with encryption.converting(path, old=None, new=OTHER) as finish:
        finish()
    before = path.read_bytes()
    ready, kept = restore(path, backup, clock, key=KEY)
    assert "does not open" in ready.unreadable
    assert kept is not None and kept.read_bytes() == before
    assert len(texts(path, clock)) == 3
    assert len(texts(kept, clock, OTHER)) == 3


def test_a_library_whose_key_is_elsewhere_is_not_replaced_while_somebody_uses_it(
    path: Path, backup: Path, clock: FixedClock
) -> None:
    with encryption.converting(path, old=None, new=OTHER) as finish:
        finish()
    code = (
        "import sys; from pathlib import Path; from localmem import ids\n"
        "from localmem.store.sqlite import open_store\n"
        "store = open_store(Path(sys.argv[1]), ids.now, key=lambda: bytes.fromhex(sys.argv[2]))\n"
        "print('open', flush=True); sys.stdin.read(); store.close()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path), OTHER.hex()],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as user:  # fmt: skip
        assert user.stdout is not None and user.stdin is not None
        assert user.stdout.readline() == "open\n"
        with pytest.raises(StoreBusy):
            restore(path, backup, clock)
        user.stdin.close()
    assert len(texts(path, clock, OTHER)) == 3


def test_an_encrypted_backup_without_its_key_is_refused(
    path: Path, backup: Path, clock: FixedClock
) -> None:
    with encryption.converting(backup, old=None, new=OTHER) as finish:
        finish()
    for key in (None, KEY):
        with pytest.raises(StoreLocked):
            restore(path, backup, clock, key=key)
    assert len(texts(path, clock)) == 3


def test_a_disk_that_fails_leaves_the_library_as_it_was(
    path: Path, backup: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = path.read_bytes()
    monkeypatch.setattr(swap, "replace", fail)
    with pytest.raises(RestoreFailed, match="No space") as refused:
        restore(path, backup, clock)
    assert "as it was" in str(refused.value)
    assert isinstance(refused.value, StoreError)
    assert texts(path, clock) == ["Likes tea", "Likes walks", "Wears size 42"]
    assert len(before)


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")
def test_every_file_of_it_is_private_whatever_the_umask(
    path: Path, backup: Path, clock: FixedClock
) -> None:
    """FR-140."""
    shutil.copymode(__file__, backup)
    before = os.umask(0o000)
    try:
        restore(path, backup, clock)
    finally:
        os.umask(before)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {"library.db": 0o600, "before.db": 0o600}


def test_what_is_known_as_forgotten_is_a_change_of_the_restored_library(
    path: Path, backup: Path, clock: FixedClock
) -> None:
    engine = opened(path, clock)
    for number in range(9):
        engine.facts.add(f"Came and went {number}")
    engine.close()
    for text in ("Likes tea", "Came and went 3", "Came and went 7"):
        forget(path, clock, text)
    restore(path, backup, clock)
    engine = opened(path, clock)
    engine.facts.add("Afterwards")
    engine.close()
    connection = apsw.Connection(str(path))
    changes = [change for (change,) in connection.execute(
        "SELECT change FROM item UNION ALL SELECT change FROM tombstone"
    )]  # fmt: skip
    connection.close()
    assert len(changes) == len(set(changes)) == 2 + 1 + 3
    assert max(changes) <= identity(path)["change"]  # type: ignore[operator]
