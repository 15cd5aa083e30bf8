"""Spaces and people who are removed: refused at the next request, erased from the disk, and never
brought back by an older copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from localmem.core.hosting import Mode, Person, Space, Wipe
from localmem.core.model import ItemId
from localmem.core.scope import PROJECT
from localmem.errors import InvalidInput
from localmem.hosting.admission import Admission
from localmem.hosting.issuing import Issuing
from localmem.store import swap
from localmem.store.hosting import removal
from tests.server.conftest import OpenServer, Server
from tests.server.shop import SHOE, person
from tests.server.test_backup import copied, restored


def remove_space(server: Server, name: str = "home") -> Space:
    space: Space = server.manage(lambda issuing: issuing.remove_space(name))
    return space


def remove_person(server: Server, name: str) -> Person:
    removed: Person = server.manage(lambda issuing: issuing.remove_person(name))
    return removed


def left(server: Server, id: str) -> list[Path]:
    return list(server.folder.glob(f"*/{id}"))


async def test_a_removed_space_is_refused_at_once_and_erased_while_the_server_runs(
    server: Server,
) -> None:
    await server.remember("Has two cats.")
    other = server.new_key(space="another")
    await server.post("/v1/memory", {"text": "Of another space."}, key=other)
    space = remove_space(server)
    assert (await server.get("/v1/memory")).status_code == 401
    assert left(server, space.id)
    await server.services.upkeep.erase_removed()
    assert not left(server, space.id)
    assert await server.texts(key=other) == ["Of another space."]
    await server.services.flush()  # the units it used are nobody's
    fresh = server.new_key(space="home")
    assert await server.texts(key=fresh) == []


async def test_a_removed_person_s_tokens_and_sessions_end_and_the_library_goes(
    server: Server,
) -> None:
    ana, ben = await person(server, "Ana"), await person(server, "Ben")
    assert (await ana.memory("remember", **SHOE)).status_code == 200
    assert (await ben.memory("remember", **SHOE)).status_code == 200
    removed = remove_person(server, "Ana")
    assert (await ana.memory("remember", **SHOE)).status_code == 401
    await server.services.upkeep.erase_removed()
    assert not left(server, removed.id)
    assert (await ben.memory("remember", **SHOE)).status_code == 200


async def test_without_a_server_the_command_s_part_erases(
    server: Server, open_server: OpenServer
) -> None:
    await server.remember("Has two cats.")
    await server.services.close()
    space = remove_space(server)
    removal.erase(server.folder)
    assert not left(server, space.id)
    removal.erase(server.folder)


async def test_what_a_stop_left_is_erased_at_the_next_start(
    server: Server, open_server: OpenServer
) -> None:
    await server.remember("Has two cats.")
    space = remove_space(server)
    assert left(server, space.id)
    again = await open_server()
    await again.services.upkeep.round()
    assert not left(server, space.id)


async def test_a_restore_brings_nobody_back_who_was_removed_since(
    server: Server, open_server: OpenServer
) -> None:
    await server.remember("Has two cats.")
    other = server.new_key(space="another")
    await server.post("/v1/memory", {"text": "Of another space."}, key=other)
    copy = copied(server)
    space = remove_space(server)
    await server.services.upkeep.erase_removed()
    await server.services.close()
    restored(server, copy)
    assert not left(server, space.id)
    again = await open_server()
    assert (await again.get("/v1/memory", key=server.key)).status_code == 401
    assert await again.texts(key=other) == ["Of another space."]


async def test_a_request_on_its_way_finds_nothing_where_its_space_was(server: Server) -> None:
    space = remove_space(server)
    wipe = Wipe(space.id, Mode.LIVE, PROJECT, ItemId("0"))

    def late(issuing: Issuing) -> tuple[object, int, list[object]]:
        store = issuing.store
        with store.writing():
            made = Admission(store, server.clock).make_partition(space.id, Mode.LIVE)
            return made, store.ledger.promise_wipe(wipe), [*store.ledger.wipes()]

    assert server.manage(late) == (None, 0, [])


async def test_a_plan_is_changed_from_the_next_request_on(server: Server) -> None:
    server.manage(lambda issuing: issuing.set_plan("home", "free"))
    usage = (await server.get("/v1/memory/usage")).json()
    assert usage["plan"] == "free"
    with pytest.raises(InvalidInput):
        server.manage(lambda issuing: issuing.set_plan("nowhere", "free"))
    with pytest.raises(InvalidInput, match="plan"):
        server.manage(lambda issuing: issuing.set_plan("home", "gold"))


def test_the_bytes_of_an_erased_library_are_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    file.write_bytes(b"Has two cats." * 1_000)
    with file.open("rb") as held:
        swap.erase(file)
        assert not file.exists()
        assert b"cats" not in held.read()
