"""What a server does by itself: test partitions end after 30 days, what expired leaves the disk."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from localmem.core.hosting import Mode, Partition
from localmem.core.model import Kind
from localmem.errors import StoreFull
from localmem.server.app import Services
from tests.server.conftest import OpenServer, Server

DAY = 86_400


def library(server: Server, mode: str) -> Path:
    (space,) = server.manage(lambda issuing: issuing.spaces())
    return server.folder / "spaces" / space.id / f"{mode}.db"


def partitions(server: Server) -> list[Partition]:
    found: list[Partition] = server.manage(lambda issuing: issuing.store.access.partitions())
    return found


async def epoch(server: Server, key: str) -> str:
    return (await server.get("/v1/me", key=key)).headers["memory-epoch"]


async def test_a_test_partition_is_gone_30_days_after_it_was_made(server: Server) -> None:
    key = server.new_key(mode="test")
    await server.remember("Has two cats.")
    await server.post("/v1/memory", {"text": "Tries something."}, key=key)
    before, live = await epoch(server, key), await epoch(server, server.key)
    server.clock.advance(30 * DAY - 1)
    await server.services.upkeep.round()
    assert await server.texts(key=key) == ["Tries something."]
    server.clock.advance(1)
    await server.services.upkeep.round()
    assert not library(server, "test").exists()
    assert [each.mode for each in partitions(server)] == [Mode.LIVE]
    assert await server.texts(key=key) == []
    assert await epoch(server, key) != before
    assert await server.texts() == ["Has two cats."]
    assert await epoch(server, server.key) == live


async def test_it_is_empty_from_that_moment_on_whenever_the_round_comes(server: Server) -> None:
    key = server.new_key(mode="test")
    await server.post("/v1/memory", {"text": "Tries something."}, key=key)
    before = await epoch(server, key)
    server.clock.advance(30 * DAY)
    told = await asyncio.gather(*(server.get("/v1/memory", key=key) for _ in range(5)))
    assert [answer.json()["items"] for answer in told] == [[]] * 5
    assert before not in {answer.headers["memory-epoch"] for answer in told}
    await server.post("/v1/memory", {"text": "Tries again."}, key=key)
    await server.services.upkeep.round()
    assert await server.texts(key=key) == ["Tries again."]


async def test_one_in_use_is_removed_once_its_requests_are_done(server: Server) -> None:
    key = server.new_key(mode="test")
    await server.post("/v1/memory", {"text": "Tries something."}, key=key)
    spaces = server.services.spaces
    (old,) = [each for each in partitions(server) if each.mode is Mode.TEST]
    async with spaces.using(library(server, "test")) as space:
        removing = asyncio.ensure_future(server.services.upkeep.remove(old))
        await asyncio.sleep(0)
        held = await space.run(lambda engine: engine.library.shelf(), changes=False)
        assert held.items(Kind.FACT) == 1
        assert not removing.done()
    await removing
    assert not library(server, "test").exists()


async def test_a_stop_between_the_file_and_its_row_is_made_good(
    server: Server, open_server: OpenServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = server.new_key(mode="test")
    await server.post("/v1/memory", {"text": "Tries something."}, key=key)
    before = await epoch(server, key)
    server.clock.advance(30 * DAY)
    upkeep, real = server.services.upkeep, server.services.upkeep.erase

    def killed(file: Path) -> None:
        real(file)
        raise OSError("killed")

    upkeep.erase = killed
    await upkeep.round()
    assert len(partitions(server)) == 1
    again = await open_server()
    await again.services.upkeep.round()
    assert partitions(again) == []
    assert await again.texts(key=key) == []
    assert await epoch(again, key) != before


async def test_a_test_key_is_never_counted(server: Server) -> None:
    key = server.new_key(mode="test")
    for number in range(3):
        await server.post("/v1/memory", {"text": f"Number {number}."}, key=key)
    await server.services.flush()
    for asking in (key, server.key):
        usage = (await server.get("/v1/memory/usage", key=asking)).json()
        assert usage["units"]["used"] == 0 and not usage["capReached"]


async def test_what_expired_leaves_the_file_of_a_library_nobody_asks_for(
    server: Server, open_server: OpenServer
) -> None:
    await server.remember("The zebra code is quartz.", ttlSeconds=3_600)
    await server.settled()
    file = library(server, "live")
    again = await open_server()
    assert b"zebra code" in file.read_bytes()
    again.clock.advance(DAY)
    await again.services.upkeep.round()
    left = b"".join(each.read_bytes() for each in file.parent.iterdir())
    assert b"zebra" not in left
    assert again.services.spaces.open == 0


async def test_what_expired_leaves_the_file_of_an_open_library_too(server: Server) -> None:
    await server.remember("The zebra code is quartz.", ttlSeconds=3_600)
    server.clock.advance(DAY)  # the round of the start may have looked at it already
    await server.services.upkeep.round()
    await server.settled()
    file = library(server, "live")
    left = b"".join(each.read_bytes() for each in file.parent.iterdir())
    assert b"zebra" not in left


async def test_a_library_is_tended_once_a_day(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.remember("Has two cats.")
    tended: list[Path] = []

    async def tend(file: Path) -> None:
        tended.append(file)

    monkeypatch.setattr(server.services.spaces, "tend", tend)
    services: Services = server.services
    services.upkeep._tended.clear()
    for _ in range(3):
        await services.upkeep.round()
    assert len(tended) == 1
    server.clock.advance(DAY)
    await services.upkeep.round()
    assert len(tended) == 2


async def test_one_broken_library_keeps_nothing_from_the_others(server: Server) -> None:
    other = server.new_key(space="another")
    await server.post("/v1/memory", {"text": "Gone soon.", "ttlSeconds": 60}, key=other)
    broken = library_of(server, "home")
    broken.parent.mkdir(parents=True, exist_ok=True)
    broken.write_bytes(b"this is no library at all" * 400)
    await server.get("/v1/me")
    server.clock.advance(DAY)
    await server.services.upkeep.round()
    await server.settled()
    left = b"".join(each.read_bytes() for each in library_of(server, "another").parent.iterdir())
    assert b"Gone soon" not in left


def library_of(server: Server, name: str) -> Path:
    found = next(s for s in server.manage(lambda issuing: issuing.spaces()) if s.name == name)
    return server.folder / "spaces" / found.id / "live.db"


async def test_units_that_could_not_be_written_down_are_the_next_time(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.remember("Has two cats.")

    def full(*_: object) -> None:
        raise StoreFull("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr("localmem.server.app._count", full)
        await server.services.flush()
    await server.services.flush()
    usage = (await server.get("/v1/memory/usage")).json()
    assert usage["units"]["used"] == 5
