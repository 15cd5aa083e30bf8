"""Encrypting a library and back: nothing lost, nothing left in the clear, nobody left behind."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from localmem.core.change import Saved
from localmem.core.query import Query
from localmem.core.records import Slice
from localmem.engine import Engine
from localmem.errors import (
    BackupFailed,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreUnavailable,
)
from localmem.ids import TimeOrderedIds
from localmem.store import connect, encryption, folder, swap
from localmem.store.sqlite import open_store
from tests.support.library import PERSON, FixedClock, WordsEmbedder, open_library

KEY = bytes(range(32))
OTHER = bytes(reversed(KEY))
WORDS = b"walrus"


@pytest.fixture
def path(tmp_path: Path, clock: FixedClock) -> Path:
    """A library of 40 facts with words and vectors, some edited, some forgotten."""
    path = tmp_path / "data" / "library.db"
    engine = open_library(path, clock, embedder=WordsEmbedder())
    for n in range(42):
        kept = engine.facts.add(f"walrus number {n} " + "and its friends " * 20)
        assert isinstance(kept, Saved)
        if n % 5 == 0:
            engine.facts.edit(kept.item.id, text=f"walrus number {n} again")
        if n % 21 == 20:
            engine.forgetting.forget([kept.item.id])
    engine.meaning.embed_waiting(limit=100)
    engine.close()
    return path


def opened(
    path: Path,
    clock: FixedClock,
    key: bytes | None = KEY,
    *,
    ask: Callable[[], bytes] | None = None,
) -> Engine:
    source = ask or ((lambda: key) if key is not None else None)
    store = open_store(path, clock, key=source)
    embedder = WordsEmbedder()
    engine = Engine(store, clock, TimeOrderedIds(clock), PERSON, load_embedder=lambda: embedder)
    engine.meaning.ensure()
    return engine


def convert(path: Path, old: bytes | None, new: bytes | None) -> None:
    with encryption.converting(path, old=old, new=new) as finish:
        finish()


def everything(engine: Engine) -> list[tuple[str, str, int]]:
    items = engine.library.window(Slice(), offset=0, limit=1000)
    return [(item.id, str(item.head.content), item.head.number) for item in items]


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())


def test_an_encrypted_library_holds_the_same_and_shows_nothing(
    path: Path, clock: FixedClock
) -> None:
    before = opened(path, clock, None)
    held = everything(before)
    before.close()
    assert WORDS in bytes_of(path.parent)
    convert(path, None, KEY)
    engine = opened(path, clock)
    assert everything(engine) == held
    assert engine.library.encrypted
    assert engine.recall.search(Query(text="walrus", meaning="walrus number 7")).hits
    engine.facts.add("another walrus, written while it is encrypted")
    assert WORDS not in bytes_of(path.parent)
    engine.close()
    assert WORDS not in bytes_of(path.parent)
    assert [file.name for file in path.parent.iterdir()] == ["library.db"]


def test_the_plain_file_is_overwritten_where_it_lay(path: Path) -> None:
    with path.open("rb") as lay:
        convert(path, None, KEY)
        lay.seek(0)
        assert set(lay.read()) == {0}


def test_a_second_name_of_the_plain_file_is_somebody_s_copy_and_left(path: Path) -> None:
    copy = path.parent.parent / "mine.db"
    os.link(path, copy)
    before = copy.read_bytes()
    assert encryption.has_other_names(path)
    convert(path, None, KEY)
    assert copy.read_bytes()[100:] == before[100:]


def test_it_goes_back_to_plain_and_to_encrypted_again(path: Path, clock: FixedClock) -> None:
    for _ in range(2):
        convert(path, None, KEY)
        convert(path, KEY, None)
    engine = opened(path, clock, None)
    assert engine.library.count(Slice()) == 40
    assert not engine.library.encrypted
    engine.close()


def test_no_key_a_wrong_key_and_a_damaged_file_are_three_different_things(
    path: Path, clock: FixedClock
) -> None:
    convert(path, None, KEY)
    before = path.read_bytes()
    for key in (None, OTHER):
        with pytest.raises(StoreLocked, match="encrypted"):
            opened(path, clock, key)
    assert path.read_bytes() == before
    content = bytearray(before)
    for page in range(2, len(content) // 4096):
        content[page * 4096 + 1000] ^= 1
    path.write_bytes(content)
    with pytest.raises(StoreDamaged):
        engine = opened(path, clock)
        try:
            everything(engine)
        finally:
            engine.close()


def test_a_plain_library_opens_without_the_key_being_asked_for(
    path: Path, clock: FixedClock
) -> None:
    def ask() -> bytes:
        raise AssertionError("asked")

    opened(path, clock, ask=ask).close()


def test_a_key_that_cannot_be_had_is_said_and_nothing_is_touched(
    path: Path, clock: FixedClock
) -> None:
    def ask() -> bytes:
        raise StoreLocked("The keyring did not answer.")

    convert(path, None, KEY)
    before = path.read_bytes()
    with pytest.raises(StoreLocked, match="did not answer"):
        opened(path, clock, ask=ask)
    assert path.read_bytes() == before


def test_it_is_refused_while_another_has_the_library_open_even_idle(
    path: Path, clock: FixedClock
) -> None:
    other = opened(path, clock, None)
    before = everything(other)
    with pytest.raises(StoreBusy, match="open"):
        convert(path, None, KEY)
    assert isinstance(other.facts.add("goes on as if nothing had been"), Saved)
    assert len(everything(other)) == len(before) + 1
    other.close()
    assert {file.name for file in path.parent.iterdir()} == {"library.db"}


def test_who_waited_for_the_library_meanwhile_opens_the_new_one(
    path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, swapped = connect._open, []

    def late(*args: object, **named: object) -> connect.Opened:
        if not swapped:
            swapped.append(True)
            convert(path, None, KEY)
        return real(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(connect, "_open", late)
    engine = opened(path, clock)
    assert swapped and engine.library.encrypted
    assert isinstance(engine.facts.add("kept in the new file"), Saved)
    engine.close()
    again = opened(path, clock)
    assert again.library.count(Slice()) == 41
    again.close()


def test_a_write_that_waited_while_the_file_was_replaced_is_not_lost_silently(
    path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = opened(path, clock, None)
    other = path.parent.parent / "other.db"
    open_library(other, clock).close()
    store = engine.facts.context.store
    real = store._transaction  # type: ignore[attr-defined]

    def late(begin: str, **named: int) -> object:
        os.replace(other, path)
        return real(begin, **named)

    monkeypatch.setattr(store, "_transaction", late)
    with pytest.raises(StoreUnavailable, match="Not saved"):
        engine.facts.add("would be lost")
    engine.close()


@pytest.mark.parametrize("new", [KEY, None])
def test_until_it_is_finished_nothing_is_changed(
    path: Path, clock: FixedClock, new: bytes | None
) -> None:
    old = None if new else KEY
    if old:
        convert(path, None, KEY)
    with pytest.raises(RuntimeError), encryption.converting(path, old=old, new=new):
        raise RuntimeError("the person pressed Ctrl-C")
    assert [file.name for file in path.parent.iterdir()] == ["library.db"]
    engine = opened(path, clock, old)
    assert engine.library.count(Slice()) == 40
    engine.close()


def test_a_copy_that_does_not_hold_the_same_is_never_put_in_its_place(
    path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encryption, "held", lambda *_: {"item": 0})
    with pytest.raises(StoreDamaged, match="nothing was changed"):
        convert(path, None, KEY)
    engine = opened(path, clock, None)
    assert engine.library.count(Slice()) == 40
    engine.close()


@pytest.mark.parametrize(
    ("where", "number", "error"),
    [
        ("make_private_file", 28, StoreFull),
        ("make_private_file", 13, StoreUnavailable),
        ("replace", 13, StoreUnavailable),
    ],
)
def test_what_the_system_refuses_is_a_sentence_and_nothing_is_changed(
    path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch,
    where: str, number: int, error: type[StoreError],
) -> None:  # fmt: skip
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os if where == "replace" else folder, where, refuse)
        with pytest.raises(error) as refused:
            convert(path, None, KEY)
    assert "nothing was changed" in str(refused.value)
    assert [file.name for file in path.parent.iterdir()] == ["library.db"]
    engine = opened(path, clock, None)
    assert engine.library.count(Slice()) == 40
    engine.close()


def test_what_a_killed_process_left_is_cleared_by_the_next_start(
    path: Path, clock: FixedClock
) -> None:
    left, journal = swap.beside(path), Path(f"{path}-journal")
    left.write_bytes(b"half a walrus")
    journal.write_bytes(bytes(512))  # begun, and nothing of the library changed yet
    opened(path, clock, None).close()
    assert [file.name for file in path.parent.iterdir()] == ["library.db"]


def test_a_forgotten_text_is_looked_for_inside_an_encrypted_library(
    path: Path, clock: FixedClock
) -> None:
    convert(path, None, KEY)
    engine = opened(path, clock)
    kept = engine.facts.add("zebra crossing seven")
    engine.facts.add("a zebra crossing seven times")
    assert isinstance(kept, Saved)
    store = engine.facts.context.store
    assert store.occurrences(["zebra crossing seven"]) >= 2
    receipt = engine.forgetting.forget([kept.item.id])
    assert receipt.complete
    assert receipt.found >= 1  # the other fact has the words too, and the receipt says so
    assert store.occurrences(["no such text anywhere"]) == 0
    engine.close()


def test_a_backup_of_an_encrypted_library_needs_the_same_key(path: Path, clock: FixedClock) -> None:
    convert(path, None, KEY)
    engine = opened(path, clock)
    copy, plain = path.parent.parent / "copy.db", path.parent.parent / "plain.db"
    engine.library.backup(str(copy))
    engine.library.backup(str(plain), plain=True)
    with pytest.raises(BackupFailed):
        engine.library.backup(str(plain), plain=True)
    engine.close()
    assert WORDS not in copy.read_bytes()
    assert WORDS in plain.read_bytes()
    for file, key in ((copy, KEY), (plain, None)):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        again = opened(file, clock, key)
        assert again.library.count(Slice()) == 40
        again.close()
    with pytest.raises(StoreLocked):
        opened(copy, clock, OTHER)


def test_no_error_shows_the_key(path: Path, clock: FixedClock, tmp_path: Path) -> None:
    convert(path, None, KEY)
    engine = opened(path, clock)
    with pytest.raises(StoreError) as failed:
        engine.library.backup(str(tmp_path / "no" / "such" / "folder.db"))
    assert KEY.hex() not in repr(failed.value) + str(failed.value)
    store = engine.facts.context.store
    assert KEY.hex() not in repr(connect.open_library(path, key=lambda: KEY))
    assert KEY.hex() not in repr(store)
    engine.close()


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")
def test_the_encrypted_file_is_private_whatever_the_umask(path: Path) -> None:
    """FR-140."""
    before = os.umask(0o000)
    try:
        with encryption.converting(path, old=None, new=KEY) as finish:
            assert stat.S_IMODE(swap.beside(path).stat().st_mode) == 0o600
            finish()
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
