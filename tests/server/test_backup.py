"""A whole server copied while it runs, and brought back: whole or not at all, nothing lost or
leaked by it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from localmem.core.model import Actor, AuthorKind, Origin
from localmem.errors import BackupFailed, RestoreFailed, StoreBusy
from localmem.hosting import admission
from localmem.store import cipher, copies
from localmem.store.hosting.copying import LIST, BackedUp, back_up
from localmem.store.hosting.database import open_hosting
from localmem.store.hosting.place import alone
from localmem.store.hosting.restore import NOTE, Restored, restore, settle
from tests.server.conftest import OpenServer, Server
from tests.server.shop import SHOE, person

OWNER = Actor(AuthorKind.PERSON, "you", Origin.CLI)
DAY = 86_400


def copied(server: Server, name: str = "copy") -> Path:
    target = server.folder.parent / name
    backed_up(server, target)
    return target


def backed_up(server: Server, target: Path) -> BackedUp:
    return back_up(server.folder, target, server.clock)


def restored(server: Server, backup: Path, place: Path | None = None) -> Restored:
    return restore(place or server.folder, backup, server.clock, OWNER, admission.epoch)


async def epoch(server: Server, key: str) -> str:
    return (await server.get("/v1/me", key=key)).headers["memory-epoch"]


async def test_a_copy_has_every_space_and_person_and_opens_to_the_same_keys(
    server: Server, open_server: OpenServer, tmp_path: Path
) -> None:
    other = server.new_key(space="another")
    await server.remember("Has two cats.")
    await server.post("/v1/memory", {"text": "Of another space."}, key=other)
    made = backed_up(server, tmp_path / "copy")
    assert (made.spaces, made.people) == (2, 0)
    await server.remember("After the copy.")
    before = await epoch(server, server.key)
    await server.services.close()
    done = restored(server, tmp_path / "copy")
    assert (done.spaces, done.people, done.still_forgotten) == (2, 0, 0)
    again = await open_server()
    assert await again.texts(key=server.key) == ["Has two cats."]
    assert await again.texts(key=other) == ["Of another space."]
    assert await epoch(again, server.key) != before


async def test_everything_acknowledged_before_a_copy_began_is_in_it_while_others_write(
    server: Server, tmp_path: Path
) -> None:
    acknowledged: list[str] = []
    enough = asyncio.Event()

    async def write(number: int) -> None:
        while not enough.is_set():
            text = f"Fact {len(acknowledged)} of writer {number}."
            await server.remember(text, scope="contact", contactId=f"c{number}")
            acknowledged.append(text)

    writers = [asyncio.ensure_future(write(number)) for number in range(4)]
    for turn in range(3):
        while len(acknowledged) < 20 * (turn + 1):
            await asyncio.sleep(0)
        before = list(acknowledged)
        target = tmp_path / f"copy-{turn}"
        await asyncio.to_thread(backed_up, server, target)
        (library,) = target.glob("spaces/*/live.db")
        with closing(apsw.Connection(str(library))) as copy:
            assert copy.execute("PRAGMA integrity_check").get == "ok"
        held = library.read_bytes()
        assert [text for text in before if text.encode() not in held] == []
    enough.set()
    await asyncio.gather(*writers)
    assert len(acknowledged) >= 60


async def test_no_person_and_no_space_of_a_copy_is_without_its_library(
    server: Server, tmp_path: Path
) -> None:
    made: list[str] = []
    enough = asyncio.Event()

    async def add() -> None:
        while not enough.is_set():
            key = await asyncio.to_thread(server.new_key, space=f"space {len(made)}")
            await server.post("/v1/memory", {"text": "The first."}, key=key)
            made.append(key)

    adding = asyncio.ensure_future(add())
    for turn in range(3):
        while len(made) < 5 * (turn + 1):
            await asyncio.sleep(0)
        whole = list(made)
        target = tmp_path / f"copy-{turn}"
        await asyncio.to_thread(backed_up, server, target)
        with closing(open_hosting(target / "server.db")) as store:
            spaces = {space.id for space in store.access.spaces()}
            assert [key for key in whole if store.access.key(key[:16]) is None] == []
        copies_of = {file.parent.name for file in target.glob("spaces/*/live.db")}
        assert copies_of <= spaces and len(copies_of) >= len(whole)
    enough.set()
    await adding


async def test_what_was_forgotten_or_revoked_since_stays_so(
    server: Server, open_server: OpenServer
) -> None:
    reader = server.new_key("reader")
    secret = await server.remember("The zebra code is quartz.")
    await server.remember("Has two cats.")
    await server.remember("Of Ana.", scope="contact", contactId="ana")
    await server.settled()
    backup = copied(server)
    await server.delete(f"/v1/memory/{secret}")
    await server.delete("/v1/memory?scope=contact:ana")
    await server.settled()
    server.manage(lambda issuing: issuing.revoke_key(reader))
    await server.services.close()
    done = restored(server, backup)
    assert (done.still_forgotten, done.still_revoked) == (2, 1)
    again = await open_server()
    assert await again.texts(key=server.key) == ["Has two cats."]
    assert await again.texts("contact:ana", key=server.key) == []
    assert (await again.get("/v1/me", key=reader)).status_code == 401
    for file in again.folder.glob("spaces/*/*"):
        assert b"zebra code" not in file.read_bytes()


async def test_a_wipe_that_was_promised_and_not_finished_goes_on(
    server: Server, open_server: OpenServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.remember("Of Ana.", scope="contact", contactId="ana")
    backup = copied(server)
    monkeypatch.setattr(type(server.services), "_wipe", lambda *_: None)
    assert (await server.delete("/v1/memory?scope=contact:ana")).status_code == 202
    await server.services.close()
    monkeypatch.undo()
    restored(server, backup)
    again = await open_server()
    await again.settled()
    assert await again.texts("contact:ana", key=server.key) == []


async def test_a_persons_preferences_come_back_and_what_they_forgot_does_not(
    server: Server, open_server: OpenServer
) -> None:
    ana = await person(server, "Ana")
    await ana.done("remember", **SHOE)
    await ana.done("remember", key="avoided_brands", value="Zyx", quote="nothing of Zyx")
    backup = copied(server)
    await ana.done("forget", key="avoided_brands")
    before = await ana.values()
    await server.services.close()
    done = restored(server, backup)
    assert (done.people, done.still_forgotten) == (1, 1)
    again = await open_server()
    assert await replace(ana, server=again).values() == before


async def test_the_server_of_before_is_kept_whole_beside(
    server: Server, open_server: OpenServer, tmp_path: Path
) -> None:
    await server.remember("Has two cats.")
    backup = copied(server)
    await server.remember("After the copy.")
    await server.services.close()
    done = restored(server, backup)
    assert done.kept is not None and done.kept.parent == server.folder
    shutil.move(done.kept, tmp_path / "elsewhere")
    second = copied_from(tmp_path / "elsewhere", tmp_path / "second", server)
    restored(server, second)
    again = await open_server()
    assert await again.texts(key=server.key) == ["After the copy.", "Has two cats."]


def copied_from(place: Path, target: Path, server: Server) -> Path:
    back_up(place, target, server.clock)
    return target


async def test_a_copy_is_brought_back_where_no_server_was(server: Server, tmp_path: Path) -> None:
    await server.remember("Has two cats.")
    done = restored(server, copied(server), tmp_path / "new" / "place")
    assert done.kept is None
    assert sorted(path.name for path in (tmp_path / "new" / "place").iterdir()) == [
        "people", "server.db", "server.lock", "spaces",
    ]  # fmt: skip


async def test_a_database_that_is_broken_is_replaced_and_kept(
    server: Server, open_server: OpenServer
) -> None:
    await server.remember("Has two cats.")
    backup = copied(server)
    await server.services.close()
    (server.folder / "server.db").write_bytes(b"broken " * 4_000)
    (library,) = server.folder.glob("spaces/*/live.db")
    library.write_bytes(b"broken " * 4_000)
    done = restored(server, backup)
    assert done.kept is not None
    assert (done.kept / "server.db").read_bytes().startswith(b"broken")
    again = await open_server()
    assert await again.texts(key=server.key) == ["Has two cats."]


async def test_an_old_test_partition_of_a_copy_is_removed_again(
    server: Server, open_server: OpenServer
) -> None:
    key = server.new_key(mode="test")
    await server.post("/v1/memory", {"text": "Tries something."}, key=key)
    backup = copied(server)
    await server.services.close()
    server.clock.advance(31 * DAY)
    restored(server, backup)
    again = await open_server()
    assert await again.texts(key=key) == []


async def test_nothing_is_restored_while_a_server_runs(server: Server) -> None:
    backup = copied(server)
    with alone(server.folder), pytest.raises(StoreBusy, match="A server runs"):
        restored(server, backup)


async def test_nothing_is_restored_while_a_command_has_the_database_open(server: Server) -> None:
    backup = copied(server)
    with pytest.raises(StoreBusy):  # the app of this test has it open
        restored(server, backup)
    assert [path.name for path in server.folder.iterdir() if "restor" in path.name] == []


def damage_a_byte(backup: Path) -> None:
    file = next(backup.glob("spaces/*/live.db"))
    held = bytearray(file.read_bytes())
    held[5_000] ^= 1
    file.write_bytes(held)


def cut_short(backup: Path) -> None:
    os.truncate(backup / "server.db", 4_096)


def lose_a_file(backup: Path) -> None:
    next(backup.glob("spaces/*/live.db")).unlink()


def lose_the_list(backup: Path) -> None:
    (backup / LIST).unlink()


def break_the_list(backup: Path) -> None:
    (backup / LIST).write_text('{"format": 1, "at": 0', "utf-8")


def from_the_future(backup: Path) -> None:
    listed = json.loads((backup / LIST).read_text("utf-8"))
    (backup / LIST).write_text(json.dumps({**listed, "format": 2}), "utf-8")


def point_outside(backup: Path) -> None:
    listed = json.loads((backup / LIST).read_text("utf-8"))
    listed["files"]["../outside.db"] = {"bytes": 1, "sha256": ""}
    (backup / LIST).write_text(json.dumps(listed), "utf-8")


def listed_as_nothing(backup: Path) -> None:
    (backup / LIST).write_text("[]", "utf-8")


@pytest.mark.parametrize(
    "harm",
    [damage_a_byte, cut_short, lose_a_file, lose_the_list, break_the_list, from_the_future,
     point_outside, listed_as_nothing],
)  # fmt: skip
async def test_a_copy_that_is_not_whole_is_refused_and_nothing_is_touched(
    server: Server, harm: Callable[[Path], None]
) -> None:
    await server.remember("Has two cats.")
    await server.settled()
    backup = copied(server)
    await server.services.close()
    harm(backup)
    before = snapshot(server.folder)
    with pytest.raises(RestoreFailed) as refused:
        restored(server, backup)
    assert refused.value.hint
    assert snapshot(server.folder) == before


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.name != "server.lock"
    }


async def test_a_copy_is_never_written_over_anything_and_never_half(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.remember("Has two cats.")
    for there in (tmp_path / "file", tmp_path / "link"):
        there.symlink_to("nowhere") if there.name == "link" else there.write_text("mine", "utf-8")
        with pytest.raises(BackupFailed, match="exists already"):
            backed_up(server, there)
    with pytest.raises(BackupFailed, match="no server in"):
        back_up(tmp_path / "nothing", tmp_path / "copy", server.clock)
    with pytest.raises(BackupFailed, match="not written"):
        backed_up(server, tmp_path / "no" / "such" / "copy")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("localmem.store.hosting.copying._write_list", full)
    with pytest.raises(BackupFailed, match="No space left"):
        backed_up(server, tmp_path / "copy")
    assert not [each.name for each in tmp_path.iterdir() if "copy" in each.name]
    assert not list(tmp_path.glob(".localmem-*"))


async def test_a_copy_is_for_its_owner_alone(server: Server) -> None:
    await server.remember("Has two cats.")
    backup = copied(server)
    assert {oct(path.stat().st_mode & 0o077) for path in (backup, *backup.rglob("*"))} == {"0o0"}


def test_a_copy_ends_though_somebody_writes_between_any_two_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = apsw.Connection(str(tmp_path / "busy.db"))
    source.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x)").fetchall()
    for _ in range(50):
        source.execute("INSERT INTO t VALUES (zeroblob(4000))")
    other = apsw.Connection(str(tmp_path / "busy.db"))
    steps = 0

    class Stepping:
        def __init__(self, backup: Any) -> None:
            self.backup = backup

        def __enter__(self) -> Stepping:
            self.backup.__enter__()
            return self

        def __exit__(self, *told: Any) -> Any:
            return self.backup.__exit__(*told)

        @property
        def done(self) -> bool:
            return bool(self.backup.done)

        def step(self, pages: int) -> None:
            nonlocal steps
            steps += 1
            assert steps < 1_000, "it begins anew with every write"
            other.execute("UPDATE t SET x = zeroblob(4000) WHERE rowid = 1")
            self.backup.step(pages)

    class Copy(apsw.Connection):
        def backup(self, *named: Any) -> Any:
            return Stepping(super().backup(*named))

    monkeypatch.setattr(copies, "PAGES", 2)
    monkeypatch.setattr(cipher, "connect", lambda path, key: Copy(str(path)))
    copies.write(source, str(tmp_path / "copy.db"), None, None)
    assert steps >= 25
    source.close()
    other.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from localmem import ids
from localmem.core.model import Actor, AuthorKind, Origin
from localmem.hosting import admission
from localmem.store.hosting import restore, copying
left, what, name = int(sys.argv[1]), sys.argv[2], sys.argv[5]
real = getattr(os, name)
def dying(*args, **named):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    return real(*args, **named)
setattr(os, name, dying)
place, backup = Path(sys.argv[3]), Path(sys.argv[4])
if what == "restore":
    by = Actor(AuthorKind.PERSON, "you", Origin.CLI)
    restore.restore(place, backup, ids.now, by, admission.epoch)
else:
    copying.back_up(place, backup, ids.now)
print("done")
"""


def killed(at: int, what: str, place: Path, backup: Path, *, before: str) -> bool:
    """Whether it was killed before that call of the operating system; else it was done."""
    ran = subprocess.run(
        [sys.executable, "-c", KILLED, str(at), what, str(place), str(backup), before],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, -9), ran.stderr
    return ran.returncode == -9


async def test_a_kill_at_any_moment_of_a_restore_leaves_the_old_server_or_the_new_one(
    server: Server, open_server: OpenServer, tmp_path: Path
) -> None:
    await server.remember("Has two cats.")
    backup = copied(server)
    await server.remember("After the copy.")
    await server.services.close()
    shutil.copytree(server.folder, tmp_path / "original")
    new, old = ["Has two cats."], ["After the copy.", "Has two cats."]
    seen: list[list[str]] = []
    for at in range(40):
        shutil.rmtree(server.folder)
        shutil.copytree(tmp_path / "original", server.folder)
        was_killed = killed(at, "restore", server.folder, backup, before="replace")
        noted = (server.folder / NOTE).exists()
        settle(server.folder)
        again = await open_server()
        texts = await again.texts(key=server.key)
        assert texts == (new if noted or not was_killed else old)
        await again.services.close()
        assert not (server.folder / NOTE).exists()
        seen.append(texts)
        if not was_killed:
            break
        restored(server, backup)  # the way out of it whatever happened
        assert not list(server.folder.glob("restoring-*"))
    assert seen[0] == old and seen[-1] == new and 5 <= len(seen) < 40


async def test_a_kill_at_any_moment_of_a_backup_leaves_no_half_one(
    server: Server, tmp_path: Path
) -> None:
    await server.remember("Has two cats.")
    target = tmp_path / "copy"
    for at in range(40):
        if not killed(at, "backup", server.folder, target, before="rename"):
            break
        assert not target.exists()
    assert at >= 2
    restored(server, target, tmp_path / "elsewhere")
