"""A library that went back, or is another one, has a new epoch from its first reply on."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from localmem.core.model import Actor, AuthorKind, Origin
from localmem.store.restoring import restoring
from localmem.store.sqlite import open_store
from tests.server.conftest import OpenServer, Server

BY = Actor(AuthorKind.PERSON, "you", Origin.CLI)


def library(server: Server) -> Path:
    (file,) = server.folder.glob("spaces/*/live.db")
    return file


async def reopened(
    server: Server, open_server: OpenServer, meanwhile: Callable[[], None]
) -> Server:
    """The server stopped, `meanwhile` done, and started again."""
    key = server.key
    await open_server(meaning=False)  # stops it, and starts one that opens nothing
    meanwhile()
    again = await open_server()
    again.key = key
    return again


async def epoch(server: Server) -> str:
    return str((await server.get("/v1/memory/sync")).headers["Memory-Epoch"])


def copy(server: Server, to: Path) -> None:
    store = open_store(library(server), server.clock)
    store.backup(str(to))
    store.close()


async def test_an_epoch_lasts_over_restarts_wipes_of_scopes_and_rewrites(
    server: Server, open_server: OpenServer
) -> None:
    first = await epoch(server)
    await server.delete(f"/v1/memory/{await server.remember('tea')}")
    await server.delete("/v1/memory")
    await server.settled()
    assert await epoch(server) == first
    again = await reopened(server, open_server, lambda: None)
    assert await epoch(again) == first


@pytest.mark.parametrize("since", [0, 3])
async def test_a_restored_library_has_a_new_epoch_and_the_old_cursors_are_void(
    server: Server, open_server: OpenServer, tmp_path: Path, since: int
) -> None:
    await server.remember("before")
    first = await server.get("/v1/memory/changes")
    backup = tmp_path / "backup.db"
    copy(server, backup)
    for number in range(since):
        await server.remember(f"after {number}")
    file = library(server)

    def restore() -> None:
        kept = tmp_path / "kept.db"
        with restoring(file, backup, server.clock, key=None, kept_as=kept, by=BY) as ready:
            ready.finish()

    again = await reopened(server, open_server, restore)
    found = await asyncio.gather(*(again.get("/v1/memory") for _ in range(8)))
    (new,) = {answer.headers["Memory-Epoch"] for answer in found}
    assert new != first.headers["Memory-Epoch"]
    assert await again.texts() == ["before"]
    old = await again.get("/v1/memory/changes", params={"cursor": first.json()["cursor"]})
    assert (old.status_code, old.json()["code"]) == (410, "cursor_expired")
    assert old.json()["details"] == {"reason": "epoch"}
    assert (await again.get("/v1/memory/changes")).json()["epoch"] == new
    assert await epoch(again) == new


async def test_a_library_removed_by_hand_is_another_one(
    server: Server, open_server: OpenServer
) -> None:
    await server.remember("before")
    first, folder = await epoch(server), library(server).parent
    again = await reopened(server, open_server, lambda: shutil.rmtree(folder))
    assert await epoch(again) != first


async def test_an_older_copy_put_in_its_place_by_hand_is_noticed(
    server: Server, open_server: OpenServer, tmp_path: Path
) -> None:
    await server.remember("before")
    first, backup, file = await epoch(server), tmp_path / "backup.db", library(server)
    copy(server, backup)
    await server.remember("after")

    def put_back() -> None:
        for suffix in ("-wal", "-shm"):
            Path(f"{file}{suffix}").unlink(missing_ok=True)
        shutil.copyfile(backup, file)

    again = await reopened(server, open_server, put_back)
    assert await epoch(again) != first


async def test_the_epochs_of_two_partitions_have_nothing_to_do_with_each_other(
    server: Server, open_server: OpenServer
) -> None:
    test = server.new_key("test", mode="test")
    live = await epoch(server)
    (await server.get("/v1/memory", key=test)).raise_for_status()
    (file,) = server.folder.glob("spaces/*/test.db")
    before = (await server.get("/v1/memory", key=test)).headers["Memory-Epoch"]
    assert before != live

    def remove() -> None:
        for each in file.parent.glob("test.db*"):
            each.unlink()

    again = await reopened(server, open_server, remove)
    assert await epoch(again) == live
    assert (await again.get("/v1/memory", key=test)).headers["Memory-Epoch"] != before


async def test_a_server_that_starts_again_writes_nothing_before_it_answers_a_read(
    server: Server, open_server: OpenServer
) -> None:
    """So what is kept can be read while the disk is full."""
    await server.remember("tea")
    await epoch(server)
    again = await reopened(server, open_server, lambda: None)
    assert await again.texts() == ["tea"]
    journal = again.folder / "server.db-wal"
    assert not journal.exists() or journal.stat().st_size == 0
