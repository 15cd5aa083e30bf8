"""Many clients on one item at once: each version has one writer, and no write is lost."""

from __future__ import annotations

import asyncio
import random

import httpx

from tests.server.conftest import Server

CLIENTS = 32
ITEM = "/v1/memory/collections/races/items/lock"


async def race(server: Server, rev: int, value: object, clients: int = CLIENTS) -> list[int]:
    """The statuses of as many writes made on one `rev`."""

    async def one(client: int) -> httpx.Response:
        said = {"by": client} if value is None else value
        form = f'"{rev}"' if client % 2 else str(rev)
        return await server.put(ITEM, {"value": said}, headers={"If-Match": form})

    answers = await asyncio.gather(*(one(client) for client in range(clients)))
    lost = [answer for answer in answers if answer.status_code != 200]
    assert {answer.json()["details"]["currentRev"] for answer in lost} <= {rev + 1}
    return [answer.status_code for answer in answers]


async def test_of_32_that_write_on_one_rev_exactly_one_wins_and_what_it_wrote_is_kept(
    server: Server,
) -> None:
    await server.put(ITEM, {"value": None})
    for rev in range(1, 16):
        statuses = await race(server, rev, None)
        assert sorted(statuses) == [200] + [409] * (CLIENTS - 1)
        held = (await server.get(ITEM)).json()
        assert held["rev"] == rev + 1
        assert held["value"] == {"by": statuses.index(200)}


async def test_one_wins_also_when_all_say_the_same(server: Server) -> None:
    await server.put(ITEM, {"value": {"held": False}})
    for rev in range(1, 6):
        statuses = await race(server, rev, {"held": True})
        assert sorted(statuses) == [200] + [409] * (CLIENTS - 1)


async def test_of_32_that_create_exactly_one_does(server: Server) -> None:
    for number in range(5):
        answers = await asyncio.gather(
            *(
                server.put(f"{ITEM}{number}", {"value": n}, headers={"If-None-Match": "*"})
                for n in range(CLIENTS)
            )
        )
        assert sorted(answer.status_code for answer in answers) == [200] + [409] * (CLIENTS - 1)


async def test_no_increment_is_lost_when_all_read_write_and_ask_again(server: Server) -> None:
    await server.put(ITEM, {"value": 0})
    lost = 0

    async def increment(times: int) -> None:
        nonlocal lost
        while times:
            held = (await server.get(ITEM)).json()
            answer = await server.put(
                ITEM, {"value": held["value"] + 1}, headers={"If-Match": str(held["rev"])}
            )
            assert answer.status_code in (200, 409)
            times -= answer.status_code == 200
            lost += answer.status_code == 409

    await asyncio.gather(*(increment(3) for _ in range(8)))
    held = (await server.get(ITEM)).json()
    assert (held["value"], held["rev"]) == (24, 25)
    assert lost  # they did race


async def test_writes_and_deletes_on_one_rev_have_one_winner(server: Server) -> None:
    chosen = random.Random(7)
    deleted = 0
    for _ in range(12):
        rev = (await server.put(ITEM, {"value": "base"})).json()["rev"]
        methods = ["PUT", "DELETE"] * 4
        chosen.shuffle(methods)
        answers = await asyncio.gather(
            *(
                server.ask(
                    method,
                    ITEM,
                    json={"value": n} if method == "PUT" else None,
                    headers={"If-Match": str(rev)},
                )
                for n, method in enumerate(methods)
            )
        )
        won = [answer for answer in answers if answer.status_code != 409]
        assert len(won) == 1
        deleted += won[0].status_code == 204
        left = await server.get(ITEM)
        assert left.status_code == (404 if won[0].status_code == 204 else 200)
    assert 0 < deleted < 12  # both kinds won
