"""`codespar_memory` over HTTP: the seed's table for the right and for every wrong call."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from localmem.core.hosting import KeyKind
from localmem.core.preferences import MAX_NAME, MAX_NAMES, MAX_QUOTE, PreferenceKey
from localmem.server.operations.shop import TOOLS
from tests.server.conftest import Server
from tests.server.shop import SHOE, Caller, caller, person, refusal, shop_key

INFERRED = {"key": "shoe_size", "value": "43", "provenance": "inferred", "purchase_id": "ord-81"}


@pytest.fixture
async def ana(server: Server) -> Caller:
    return await person(server, "Ana")


# the right calls


async def test_a_declared_value_is_kept_with_the_words_it_came_from(ana: Caller) -> None:
    kept = await ana.done("remember", **SHOE, provenance="declared")
    assert {name: kept[name] for name in ("key", "value", "provenance", "version", "quote")} == {
        "key": "shoe_size",
        "value": "42",
        "provenance": "declared",
        "version": 1,
        "quote": "eu calço 42",
    }
    assert kept["shadowed"] is False and kept["history"] == []
    assert (await ana.done("list")) == {"memories": [kept], "blocked_inference": []}


@pytest.mark.parametrize(
    ("key", "value", "quote", "stored"),
    [
        ("shoe_size", "42,5", "I take 42.5", "42.5"),
        ("clothing_size", "m", "sempre M, por favor", "M"),
        ("preferred_brands", ["Asics", "Mizuno"], "gosto de ASICS e da mizuno", None),
        ("avoided_brands", ["Marca X"], "nada da marca x", None),
        ("preferred_merchants", ["Cobasi"], "compro na Cobasi", None),
        ("dietary_restrictions", ["sem lactose"], "Sem lactose!", None),
    ],
)
async def test_each_of_the_six_keys_is_kept(
    ana: Caller, key: str, value: Any, quote: str, stored: Any
) -> None:
    await ana.done("remember", key=key, value=value, quote=quote)
    assert await ana.values() == {(key, "declared"): stored or value}


async def test_the_same_value_again_writes_no_version(ana: Caller) -> None:
    first = await ana.done("remember", **SHOE)
    again = await ana.done("remember", key="shoe_size", value="42", quote="calço 42 mesmo")
    assert again == first


@pytest.mark.parametrize(
    ("verb", "by"), [("remember", "key"), ("correct", "key"), ("correct", "memory_id")]
)
async def test_another_value_is_a_new_version_and_the_old_one_stays_in_the_history(
    ana: Caller, verb: str, by: str
) -> None:
    first = await ana.done("remember", **SHOE)
    named = {by: first[by]}
    second = await ana.done(verb, **named, value="43", quote="agora calço 43")
    assert (second["memory_id"], second["version"]) == (first["memory_id"], 2)
    third = await ana.done(verb, **named, value="44", quote="agora é 44")
    history = [(each["version"], each["value"], each["quote"]) for each in third["history"]]
    assert history == [(2, "43", "agora calço 43"), (1, "42", "eu calço 42")]
    (listed,) = (await ana.done("list"))["memories"]
    assert listed == third


async def test_an_inferred_value_stands_beside_a_declared_one_and_is_shadowed(ana: Caller) -> None:
    alone = await ana.done("remember", **INFERRED)
    assert (alone["shadowed"], alone["purchase_id"]) == (False, "ord-81")
    await ana.done("remember", **SHOE)
    beside = await ana.done("remember", **INFERRED)
    assert (beside["memory_id"], beside["shadowed"]) == (alone["memory_id"], True)
    listed = (await ana.done("list"))["memories"]
    assert [(each["provenance"], each["shadowed"]) for each in listed] == [
        ("declared", False),
        ("inferred", True),
    ]


async def test_correcting_an_inferred_value_declares_the_right_one_beside_it(ana: Caller) -> None:
    guessed = await ana.done("remember", **INFERRED)
    await ana.done("correct", memory_id=guessed["memory_id"], value="42", quote="eu calço 42")
    assert await ana.values() == {("shoe_size", "declared"): "42", ("shoe_size", "inferred"): "43"}


@pytest.mark.parametrize("by", ["key", "memory_id"])
async def test_forgetting_takes_both_values_and_blocks_inference_until_it_is_declared_again(
    ana: Caller, by: str
) -> None:
    inferred = await ana.done("remember", **INFERRED)
    declared = await ana.done("remember", **SHOE)
    gone = await ana.done("forget", **{by: inferred[by]})
    assert set(gone["forgotten"]) == {inferred["memory_id"], declared["memory_id"]}
    assert (gone["key"], gone["complete"], gone["inference_blocked"]) == ("shoe_size", True, True)
    assert await ana.done("list") == {"memories": [], "blocked_inference": ["shoe_size"]}
    assert await ana.refused("remember", **INFERRED) == (403, "memory_inference_blocked")
    assert await ana.refused("forget", **{by: inferred[by]}) == (404, "memory_not_found")
    again = await ana.done("remember", **SHOE)
    assert again["memory_id"] != declared["memory_id"] and again["history"] == []
    assert (await ana.done("list"))["blocked_inference"] == []
    await ana.done("remember", **INFERRED)


async def test_what_was_forgotten_is_in_none_of_the_persons_files(
    server: Server, ana: Caller
) -> None:
    words = "nunca mais compro nada da marca zyxwvut"
    await ana.done("remember", key="avoided_brands", value=["zyxwvut"], quote=words)
    await server.settled()
    files = list((server.folder / "people").glob("*/library.db*"))
    assert any(b"zyxwvut" in file.read_bytes() for file in files)
    await ana.done("forget", key="avoided_brands")
    await server.settled()
    assert not any(b"zyxwvut" in file.read_bytes() for file in files if file.exists())
    assert b"zyxwvut" not in b"".join(
        file.read_bytes() for file in server.folder.glob("server.db*")
    )


async def test_input_may_be_called_params(server: Server, ana: Caller) -> None:
    path = f"/v1/sessions/{ana.session}/execute"
    body = {"tool": "codespar_memory", "params": {"action": "list"}}
    answer = await server.post(path, body, key=ana.credential)
    assert answer.json()["data"] == {"memories": [], "blocked_inference": []}
    both = await server.post(path, body | {"input": {"action": "list"}}, key=ana.credential)
    assert refusal(both) == (400, "invalid_request")


async def test_a_null_is_as_good_as_nothing(ana: Caller) -> None:
    nulls = {"memory_id": None, "purchase_id": None, "provenance": None}
    assert (await ana.done("remember", **SHOE, **nulls))["provenance"] == "declared"
    nulls = dict.fromkeys(("key", "value", "provenance", "memory_id", "purchase_id", "quote"))
    assert len((await ana.done("list", **nulls))["memories"]) == 1


# the wrong ones

LONG = "eu calço 42 " + "x" * MAX_QUOTE
WRONG: dict[str, tuple[dict[str, Any], int, str]] = {
    "no action": ({}, 400, "invalid_request"),
    "an unknown action": ({"action": "erase"}, 400, "invalid_request"),
    "an unknown field": ({"action": "list", "limit": 3}, 400, "invalid_request"),
    "a field of another action": ({"action": "list", "key": "shoe_size"}, 400, "invalid_request"),
    "remember by id": ({"action": "remember", **SHOE, "memory_id": "x"}, 400, "invalid_request"),
    "no key": ({"action": "remember", "value": "42", "quote": "42"}, 400, "invalid_request"),
    "a seventh key": ({"action": "remember", **SHOE, "key": "hat_size"}, 400,
                      "memory_key_unknown"),
    "an id as key": ({"action": "forget", "key": "0" * 8}, 400, "memory_key_unknown"),
    "a key as id": ({"action": "forget", "memory_id": "shoe_size"}, 404, "memory_not_found"),
    "no value": ({"action": "remember", "key": "shoe_size", "quote": "42"}, 400,
                 "memory_value_invalid"),
    "a number": ({"action": "remember", **SHOE, "value": 42}, 400, "memory_value_invalid"),
    "a size out of range": ({"action": "remember", **SHOE, "value": "61", "quote": "61"}, 400,
                            "memory_value_invalid"),
    "a list for a size": ({"action": "remember", **SHOE, "value": ["42"]}, 400,
                          "memory_value_invalid"),
    "an empty list": ({"action": "remember", "key": "avoided_brands", "value": [], "quote": "x"},
                      400, "memory_value_invalid"),
    "a name too long": ({"action": "remember", "key": "avoided_brands",
                         "value": ["x" * (MAX_NAME + 1)], "quote": "x"}, 400,
                        "memory_value_invalid"),
    "too many names": ({"action": "remember", "key": "avoided_brands", "quote": "x",
                        "value": [f"b{n}" for n in range(MAX_NAMES + 1)]}, 400,
                       "memory_value_invalid"),
    "inferred without evidence": ({"action": "remember", "key": "shoe_size", "value": "42",
                                   "provenance": "inferred"}, 400, "memory_value_invalid"),
    "inferred with blank evidence": ({"action": "remember", **INFERRED, "purchase_id": "  "}, 400,
                                     "memory_value_invalid"),
    "an endless purchase id": ({"action": "remember", **INFERRED, "purchase_id": "x" * 201}, 400,
                               "invalid_request"),
    "declared by a purchase": ({"action": "remember", **SHOE, "purchase_id": "ord-81"}, 400,
                               "invalid_request"),
    "another provenance": ({"action": "remember", **SHOE, "provenance": "guessed"}, 400,
                           "invalid_request"),
    "declared without a quote": ({"action": "remember", "key": "shoe_size", "value": "42"}, 403,
                                 "memory_source_not_person"),
    "a blank quote": ({"action": "remember", **SHOE, "quote": " \n"}, 403,
                      "memory_source_not_person"),
    "a quote without the value": ({"action": "remember", **SHOE, "quote": "eu calço 41"}, 403,
                                  "memory_source_not_person"),
    "a value inside a word": ({"action": "remember", **SHOE, "quote": "pedido 142"}, 403,
                              "memory_source_not_person"),
    "one name of two quoted": ({"action": "remember", "key": "preferred_brands",
                                "value": ["Asics", "Mizuno"], "quote": "gosto de Asics"}, 403,
                               "memory_source_not_person"),
    "a quote too long": ({"action": "remember", **SHOE, "quote": LONG}, 400,
                         "memory_value_invalid"),
    "a quote too long, inferred": ({"action": "remember", **INFERRED, "quote": LONG}, 400,
                                   "memory_value_invalid"),
    "a quote that is a list": ({"action": "remember", **SHOE, "quote": ["42"]}, 400,
                               "invalid_request"),
    "a secret as a brand": ({"action": "remember", "key": "preferred_brands",
                             "value": ["AKIAIOSFODNN7EXAMPLE"],
                             "quote": "use AKIAIOSFODNN7EXAMPLE"}, 400, "secret_rejected"),
    "correct nothing": ({"action": "correct", **SHOE}, 404, "memory_not_found"),
    "correct without key or id": ({"action": "correct", "value": "42", "quote": "42"}, 400,
                                  "invalid_request"),
    "correct by inference": ({"action": "correct", **SHOE, "provenance": "inferred"}, 400,
                             "memory_value_invalid"),
    "forget nothing": ({"action": "forget", "key": "shoe_size"}, 404, "memory_not_found"),
    "forget without key or id": ({"action": "forget"}, 400, "invalid_request"),
    "an id of nothing": ({"action": "forget", "memory_id": "0" * 36}, 404, "memory_not_found"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
async def test_a_wrong_call_gets_its_status_and_code_and_writes_nothing(
    ana: Caller, what: str
) -> None:
    given, status, code = WRONG[what]
    assert refusal(await ana.execute("codespar_memory", given)) == (status, code)
    assert await ana.done("list") == {"memories": [], "blocked_inference": []}


ANYTHING: dict[str, list[Any]] = {
    "action": ["list", "remember", "remember", "remember", "correct", "forget", "", None, 7],
    "key": [*PreferenceKey, *PreferenceKey, "Shoe_Size", "\x00", "", None, 1, []],
    "value": ["42", "M", ["Asics"], ["Asics", "asics", "ASICS"], [], [[]], {}, True, None, 4.2,
              "٤٢", "\u202e42", "4" * 5_000, ["\u0301" * 900], [None], ["a\nb"], "42\x00"],
    "provenance": ["declared", "inferred", "Declared", None, 0],
    "memory_id": [None, "", "\x00", "0" * 36, "x" * 9_000, "%", 3],
    "purchase_id": [None, "ord-1", "", "\x1b[2J", "x" * 201, 9],
    "quote": ["42 M Asics", "\x1b]0;42\x07", "", None, "42 " * 200, 42, "４２ ｍ ＡＳＩＣＳ"],
}  # fmt: skip


async def test_no_input_whatever_is_a_fault_of_the_server(server: Server, ana: Caller) -> None:
    dice = random.Random(20)
    reached: Counter[str] = Counter()
    for _ in range(600):
        named = [name for name in ANYTHING if name == "action" or dice.random() < 0.55]
        given = {name: dice.choice(ANYTHING[name]) for name in named}
        answer = await ana.execute("codespar_memory", given)
        code = "done" if answer.status_code == 200 else refusal(answer)[1]
        reached[code] += 1
        assert answer.status_code < 500 and code != "server_error", given
    assert set(reached) >= {"done", "invalid_request", "memory_key_unknown", "memory_not_found",
                            "memory_value_invalid", "memory_source_not_person"}  # fmt: skip
    await ana.done("list")


@pytest.mark.parametrize("quote", [None, "agora é outro"])
async def test_every_correction_needs_the_persons_own_words(ana: Caller, quote: str | None) -> None:
    await ana.done("remember", **SHOE)
    refused = await ana.refused("correct", key="shoe_size", value="43", quote=quote)
    assert refused == (403, "memory_source_not_person")
    assert await ana.values() == {("shoe_size", "declared"): "42"}


async def test_a_key_and_an_id_of_two_memories_change_neither(ana: Caller) -> None:
    shoe = await ana.done("remember", **SHOE)
    await ana.done("remember", key="clothing_size", value="M", quote="sou M")
    named = {"key": "clothing_size", "memory_id": shoe["memory_id"]}
    assert await ana.refused("forget", **named) == (400, "invalid_request")
    assert len((await ana.done("list"))["memories"]) == 2


async def test_a_secret_in_the_words_is_masked(ana: Caller) -> None:
    quote = "eu calço 42, my key is AKIAIOSFODNN7EXAMPLE"
    kept = await ana.done("remember", key="shoe_size", value="42", quote=quote)
    assert "42" in kept["quote"] and "AKIAIOSFODNN7EXAMPLE" not in kept["quote"]


# who


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_key_sees_the_tools_and_cannot_use_them(server: Server, tool: str) -> None:
    key = await caller(server, shop_key(server))
    listed = await server.get(f"/v1/sessions/{key.session}/connections", key=key.credential)
    assert tool in [each["name"] for each in listed.json()["tools"]]
    for given in ({"action": "list"}, {"action": "research", "offers": []}, {"nonsense": 1}, {}):
        answer = await key.execute(tool, given)
        assert refusal(answer) == (403, "bearer_token_has_no_person")
    assert not (server.folder / "people").exists()


async def test_whom_a_session_claims_to_be_for_makes_no_person(server: Server) -> None:
    ana = await person(server, "Ana")
    await ana.done("remember", **SHOE)
    (who,) = server.manage(lambda issuing: issuing.people())
    claims = {"user_id": who.id, "metadata": {"person": who.id}}
    opened = await server.post(
        "/v1/sessions", {"servers": ["codespar"], **claims}, key=shop_key(server)
    )
    assert opened.status_code == 201
    key = Caller(server, shop_key(server), opened.json()["id"])
    assert await key.refused("list") == (404, "session_not_found")  # another key's
    bruno = await server.post(
        "/v1/sessions", {"servers": ["codespar"], **claims}, key=server.new_token("Bruno")
    )
    assert bruno.status_code == 201


ACTIONS: dict[str, Callable[[Caller, str], Awaitable[Any]]] = {
    "correct by id": lambda who, id: who.memory("correct", memory_id=id, value="40", quote="40"),
    "forget by id": lambda who, id: who.memory("forget", memory_id=id),
    "correct by key": lambda who, id: who.memory("correct", key="shoe_size", value="40",
                                                 quote="40"),
    "forget by key": lambda who, id: who.memory("forget", key="shoe_size"),
}  # fmt: skip


@pytest.mark.parametrize("act", ACTIONS)
async def test_nothing_tells_of_another_persons_memory(server: Server, act: str) -> None:
    ana, bruno = await person(server, "Ana"), await person(server, "Bruno")
    before = await ACTIONS[act](bruno, "0" * 36)
    held = await ana.done("remember", **SHOE)
    await ana.done("correct", key="shoe_size", value="43", quote="agora 43")
    foreign = await ACTIONS[act](bruno, held["memory_id"])
    assert refusal(foreign) == (404, "memory_not_found")
    assert foreign.content == before.content
    assert await bruno.done("list") == {"memories": [], "blocked_inference": []}
    await ana.done("forget", key="shoe_size")
    assert await bruno.done("list") == {"memories": [], "blocked_inference": []}
    await bruno.done("remember", **INFERRED)  # hers is blocked, his is not
    assert (await ana.done("list"))["memories"] == []


async def test_two_people_have_two_files(server: Server) -> None:
    ana, bruno = await person(server, "Ana"), await person(server, "Bruno")
    await ana.done("remember", key="avoided_brands", value=["zyxwvut"], quote="nada de zyxwvut")
    await bruno.done("remember", **SHOE)
    await server.settled()
    folders = {
        who.name: server.folder / "people" / who.id
        for who in server.manage(lambda issuing: issuing.people())
    }
    words = {
        name: b"".join(file.read_bytes() for file in folder.iterdir())
        for name, folder in folders.items()
    }
    assert b"zyxwvut" in words["Ana"] and b"zyxwvut" not in words["Bruno"]


async def test_a_person_reaches_their_memory_with_each_token_until_it_is_revoked(
    server: Server,
) -> None:
    phone = await person(server, "Ana")
    await phone.done("remember", **SHOE)
    laptop = await caller(
        server, server.issue(lambda issuing: issuing.create_token("Ana", device="laptop"))
    )
    assert await laptop.values() == {("shoe_size", "declared"): "42"}
    other_session = Caller(server, laptop.credential, phone.session)
    assert await other_session.values() == {("shoe_size", "declared"): "42"}
    server.manage(lambda issuing: issuing.revoke_token(phone.credential))
    assert refusal(await phone.memory("list")) == (401, "unauthorized")
    assert await laptop.values() == {("shoe_size", "declared"): "42"}


@pytest.mark.parametrize("kind", [KeyKind.PROJECT, KeyKind.BACKEND, KeyKind.AGENT])
async def test_no_key_of_the_memory_api_gets_near_a_person(server: Server, kind: KeyKind) -> None:
    ana = await person(server, "Ana")
    key = server.new_key(kind=kind)
    for answer in (
        await server.post("/v1/sessions", {"servers": ["codespar"], "user_id": "ana"}, key=key),
        await Caller(server, key, ana.session).memory("list"),
        await server.get(f"/v1/sessions/{ana.session}", key=key),
    ):
        assert refusal(answer) == (403, "forbidden")


async def test_a_persons_token_opens_no_space(server: Server) -> None:
    ana = await person(server, "Ana")
    answer = await server.get("/v1/memory", key=ana.credential)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


async def test_no_log_line_holds_a_value_or_words(server: Server, ana: Caller) -> None:
    await ana.done("remember", key="avoided_brands", value=["zyxwvut"], quote="nada de zyxwvut")
    (line,) = [each for each in server.served if each.operation == "execute_tool"]
    assert "zyxwvut" not in repr(line)
    assert line.key == ana.credential[: len(line.key)] and line.space.startswith("per_")


# codespar_shop

OFFERS = [
    {"product_id": "p1", "title": "Runner", "brand": "Marca X", "sizes": ["42"]},
    {"product_id": "p2", "title": "Walker", "category": "tênis", "sizes": ["40", "41"]},
    {"product_id": "p3", "title": "Racer", "category": "tênis", "sizes": ["42"], "seller": 7},
    {"product_id": "p4", "title": "Jumper", "category": "tênis", "sizes": ["42"],
     "brand": "Asics"},
]  # fmt: skip


async def test_research_filters_by_what_is_declared_and_orders_by_what_is_inferred(
    ana: Caller,
) -> None:
    await ana.done("remember", **SHOE)
    await ana.done("remember", key="avoided_brands", value=["Marca X"], quote="nada da Marca X")
    await ana.done("remember", key="preferred_brands", value=["Asics"], provenance="inferred",
                   purchase_id="ord-1")  # fmt: skip
    given = {"action": "research", "offers": OFFERS}
    answer = (await ana.execute("codespar_shop", given)).json()
    assert answer["success"] is True
    data = answer["data"]
    assert data["products"] == [OFFERS[3], OFFERS[2]]
    out = [(each["product_id"], each["key"]) for each in data["applied"]["filtered"]]
    assert out == [("p1", "avoided_brands"), ("p2", "shoe_size")]
    assert data["applied"]["ordered_by"] == [{"key": "preferred_brands", "provenance": "inferred"}]
    first = (await ana.execute("codespar_shop", given | {"limit": -3})).json()
    assert first["data"]["products"] == [OFFERS[3]]


async def test_research_takes_nothing_out_for_what_is_only_inferred(ana: Caller) -> None:
    await ana.done("remember", **INFERRED)
    answer = await ana.execute("codespar_shop", {"action": "research", "offers": OFFERS})
    assert len(answer.json()["data"]["products"]) == len(OFFERS)


async def test_research_knows_nothing_of_another_person(server: Server, ana: Caller) -> None:
    bruno = await person(server, "Bruno")
    await bruno.done("remember", key="avoided_brands", value=["Asics"], quote="nada da Asics")
    answer = await ana.execute("codespar_shop", {"action": "research", "offers": OFFERS})
    assert answer.json()["data"]["products"] == OFFERS
    assert answer.json()["data"]["applied"] == {"filtered": [], "ordered_by": []}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"query": "tenis", "limit": 5}, "invalid_request"),
        ({}, "invalid_args"),
        ({"action": "checkout"}, "invalid_args"),
        ({"action": "checkout_status"}, "invalid_args"),
        ({"action": "research"}, "invalid_args"),
        ({"action": "research", "offers": "p1"}, "invalid_request"),
        ({"action": "research", "offers": [{"title": "Runner"}]}, "invalid_request"),
        ({"action": "research", "offers": [7]}, "invalid_request"),
    ],
)
async def test_what_needs_a_shop_or_has_no_offers_is_refused(
    ana: Caller, given: dict[str, Any], code: str
) -> None:
    assert refusal(await ana.execute("codespar_shop", given)) == (400, code)


def test_the_tool_says_what_the_six_keys_are() -> None:
    schema = TOOLS["codespar_memory"].schema
    assert schema["required"] == ["action"]
    assert schema["properties"]["key"]["enum"] == [*PreferenceKey, None]
    assert set(schema["properties"]) == {
        "action", "key", "value", "provenance", "memory_id", "purchase_id", "quote",
    }  # fmt: skip
