"""What clients synchronise by comes back as it was sent, however much it looks like a secret."""

from __future__ import annotations

import random
import uuid
from typing import Any

import pytest

from tests.server.conftest import Server

INC = "018f2f5e-7d1c-7a3b-9c4d-5e6f70819299"


def hex_ids(seed: int, count: int) -> str:
    rng = random.Random(seed)
    return " ".join(uuid.UUID(int=rng.getrandbits(128)).hex for _ in range(count))


SUP = {
    "random": hex_ids(1, 15),
    "with dashes": " ".join(str(uuid.UUID(hex=each)) for each in hex_ids(2, 13).split()),
    "like a key": "ACCA" + "0123456789ABCDEF" * 1 + "0123456789AB",
    "like a card": "41111111-1111-1111-1111-411111111111",
    "digits": " ".join(["4111111111111111" * 2] * 15),
    "one": uuid.UUID(int=0).hex,
}


@pytest.mark.parametrize("sup", SUP.values(), ids=SUP)
async def test_the_ids_of_a_fact_are_never_masked(server: Server, sup: str) -> None:
    assert len(sup) <= 512
    metadata = {
        "lm": sup.split()[0],
        "sup": sup,
        "lm_by": "laptop-1",
        "lm_at": "2026-11-30T18:00:00.000Z",
        "lm_path": "projects/kitchen/decisions",
    }
    answer = await server.post("/v1/memory", {"text": "Has two cats.", "metadata": metadata})
    assert answer.json()["metadata"] == metadata
    (item,) = (await server.get("/v1/memory")).json()["items"]
    (row,) = (await server.get("/v1/memory/changes")).json()["changes"]
    assert item["metadata"] == row["body"]["metadata"] == metadata
    assert row["lm"] == metadata["lm"]


async def test_what_is_no_id_is_masked_under_those_names_too(server: Server) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    answer = await server.post("/v1/memory", {"text": "x", "metadata": {"lm": token, "sup": token}})
    assert token not in answer.text


async def test_names_that_say_who_writes_are_dropped_and_no_others(server: Server) -> None:
    dropped = ["owner_id", "agent_id", "account", "scopes", "provenance", "Provenance.quote"]
    answer = await server.post(
        "/v1/memory", {"text": "x", "metadata": dict.fromkeys([*dropped, "lm_by", "source"], "v")}
    )
    assert answer.json()["metadata"] == {"lm_by": "v", "source": "v"}


PREFERENCE = {
    "gen": 3,
    "forgotten": False,
    "declared": {
        "value": "42",
        "quote": 'I take 42, "not 43" \u2014 n\u00e9',
        "at": 1764525600000,
        "ver": 2,
    },
    "inferred": {"value": "41", "purchase_id": "order-4711", "at": 1764525600001, "ver": 1},
    "_lm": {"vv": {"d1abcdef": 123456, "98765432": 7}, "inc": INC},
}


@pytest.mark.parametrize(
    "place",
    ["preferences/items/shoe_size", "passwords/items/wifi", "cards/items/visa", "things/items/a"],
)
@pytest.mark.parametrize("inc", [INC, INC.replace("-", "").upper()])
async def test_the_lineage_of_a_document_is_never_masked(
    server: Server, place: str, inc: str
) -> None:
    lineage: Any = {"vv": {"d1abcdef": 12345678, "98765432": 4111111111111111}, "inc": inc}
    path = f"/v1/memory/collections/{place}"
    answer = await server.put(path, {"value": {"_lm": lineage, "n": [1, None]}})
    assert answer.json()["value"] == {"_lm": lineage, "n": [1, None]}
    assert answer.headers["Memory-Inc"] == inc
    collection, _, key = place.split("/")
    steps = [{"op": "set", "key": key, "value": {"_lm": lineage, "password": "hunter22x"}}]
    await server.post(f"/v1/memory/collections/{collection}/items/batch", {"operations": steps})
    value = (await server.get(path)).json()["value"]
    assert value == {"_lm": lineage, "password": "[password removed]"}


async def test_a_preference_kept_as_a_document_comes_back_as_it_was_sent(server: Server) -> None:
    path = "/v1/memory/collections/preferences/items/shoe_size"
    answer = await server.put(path, {"value": PREFERENCE})
    assert answer.json()["value"] == PREFERENCE
    (row,) = (await server.get("/v1/memory/changes")).json()["changes"]
    assert row["body"]["value"] == PREFERENCE
