"""Every wrong request: the documented status, code and sentence, and nothing written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from localmem.server.edge import JsonLines
from tests.server.conftest import Server

BIG = "x" * 8_193
JSON = {"Content-Type": "application/json"}


def fact(**more: Any) -> dict[str, Any]:
    return {"text": "Has two cats."} | more


WRONG: dict[str, tuple[str, str, Any, int, str, str]] = {
    # what: method, path, body (bytes are sent as they are), status, code, the field it names
    "no body": ("POST", "/v1/memory", b"", 400, "invalid_request", "body"),
    "broken JSON": ("POST", "/v1/memory", b'{"text": ', 400, "invalid_request", "body"),
    "not UTF-8": ("POST", "/v1/memory", b'{"text": "\xff"}', 400, "invalid_request", "body"),
    "half a character": ("POST", "/v1/memory", b'{"text": "\\ud800"}', 400, "invalid_request",
                         "body"),
    "a list": ("POST", "/v1/memory", [fact()], 400, "invalid_request", "body"),
    "NaN": ("POST", "/v1/memory", b'{"text": "a", "ttlSeconds": NaN}', 400, "invalid_request",
            "body"),
    "a member twice": ("POST", "/v1/memory", b'{"text": "a", "text": "b"}', 400, "invalid_request",
                       "body"),
    "deep nesting": ("POST", "/v1/memory", b'{"metadata": ' + b"[" * 60_000, 400,
                     "document_too_deep", "body"),
    "10 MB": ("POST", "/v1/memory", b'{"text": "' + b"x" * 10_000_000 + b'"}', 400,
              "invalid_request", "body"),
    "no text": ("POST", "/v1/memory", {}, 400, "invalid_request", "text"),
    "text is null": ("POST", "/v1/memory", fact(text=None), 400, "invalid_request", "text"),
    "text is a number": ("POST", "/v1/memory", fact(text=5), 400, "invalid_request", "text"),
    "blank text": ("POST", "/v1/memory", fact(text=" \n "), 400, "invalid_request", "text"),
    "text over 8 KB": ("POST", "/v1/memory", fact(text=BIG), 400, "invalid_request", "text"),
    "unknown field": ("POST", "/v1/memory", fact(ttlSecond=90), 400, "invalid_request",
                      "ttlSecond"),
    "short ttl": ("POST", "/v1/memory", fact(ttlSeconds=59), 400, "invalid_request", "ttlSeconds"),
    "long ttl": ("POST", "/v1/memory", fact(ttlSeconds=63_072_001), 400, "invalid_request",
                 "ttlSeconds"),
    "ttl is text": ("POST", "/v1/memory", fact(ttlSeconds="90"), 400, "invalid_request",
                    "ttlSeconds"),
    "ttl is true": ("POST", "/v1/memory", fact(ttlSeconds=True), 400, "invalid_request",
                    "ttlSeconds"),
    "ttl is 90.5": ("POST", "/v1/memory", fact(ttlSeconds=90.5), 400, "invalid_request",
                    "ttlSeconds"),
    "metadata is a list": ("POST", "/v1/memory", fact(metadata=[]), 400, "invalid_request",
                           "metadata"),
    "metadata holds a number": ("POST", "/v1/memory", fact(metadata={"n": 3}), 400,
                                "invalid_request", "metadata"),
    "a long metadata key": ("POST", "/v1/memory", fact(metadata={"k" * 65: "v"}), 400,
                            "invalid_request", "metadata"),
    "a long metadata value": ("POST", "/v1/memory", fact(metadata={"k": "v" * 513}), 400,
                              "invalid_request", "metadata"),
    "metadata over 2 KB": ("POST", "/v1/memory",
                           fact(metadata={str(n): "v" * 500 for n in range(5)}), 400,
                           "invalid_request", "metadata"),
    "unknown scope": ("POST", "/v1/memory", fact(scope="team"), 400, "invalid_request", "scope"),
    "query's scope in a body": ("POST", "/v1/memory", fact(scope="contact:ana"), 400,
                                "invalid_request", "scope"),
    "contact without id": ("POST", "/v1/memory", fact(scope="contact"), 400, "invalid_scope",
                           "contactId"),
    "id without scope": ("POST", "/v1/memory", fact(contactId="ana"), 400, "invalid_scope",
                         "contactId"),
    "id of another scope": ("POST", "/v1/memory",
                            fact(scope="contact", contactId="a", conversationId="b"), 400,
                            "invalid_scope", "conversationId"),
    "id with a plus": ("POST", "/v1/memory", fact(scope="contact", contactId="+569"), 400,
                       "invalid_scope", ""),
    "body's scope in a query": ("GET", "/v1/memory?scope=contact", None, 400, "invalid_scope", ""),
    "empty id in a query": ("GET", "/v1/memory?scope=contact:", None, 400, "invalid_scope", ""),
    "the person's scope": ("GET", "/v1/memory?scope=person", None, 400, "invalid_scope", ""),
    "scope twice": ("GET", "/v1/memory?scope=contact:a&scope=contact:b", None, 400,
                    "invalid_request", "scope"),
    "misspelt query": ("GET", "/v1/memory?scop=contact:ana", None, 400, "invalid_request", "scop"),
    "contactId in a query": ("DELETE", "/v1/memory?contactId=ana", None, 400, "invalid_request",
                             "contactId"),
    "a wipe's scope in a body": ("DELETE", "/v1/memory",
                                 {"scope": "contact", "contactId": "ana"}, 400, "invalid_request",
                                 "body"),
    "scope of a body in a query": ("POST", "/v1/memory?scope=contact:ana", fact(), 400,
                                   "invalid_request", "scope"),
    "limit 0": ("GET", "/v1/memory?limit=0", None, 400, "invalid_request", "limit"),
    "limit is text": ("GET", "/v1/memory?limit=ten", None, 400, "invalid_request", "limit"),
    "limit is huge": ("GET", "/v1/memory?limit=" + "9" * 5_000, None, 400, "invalid_request",
                      "limit"),
    "made up cursor": ("GET", "/v1/memory?cursor=WyJhIl0", None, 400, "invalid_cursor", "cursor"),
    "broken cursor": ("GET", "/v1/memory?cursor=%00%ff!", None, 400, "invalid_cursor", "cursor"),
    "no query": ("POST", "/v1/memory/search", {}, 400, "invalid_request", "query"),
    "blank query": ("POST", "/v1/memory/search", {"query": " "}, 400, "invalid_request", "query"),
    "query over 8 KB": ("POST", "/v1/memory/search", {"query": BIG}, 400, "invalid_request",
                        "query"),
    "21 hits": ("POST", "/v1/memory/search", {"query": "a", "limit": 21}, 400, "invalid_request",
                "limit"),
    "no hits": ("POST", "/v1/memory/search", {"query": "a", "limit": 0}, 400, "invalid_request",
                "limit"),
    "score above 1": ("POST", "/v1/memory/search", {"query": "a", "minScore": 1.1}, 400,
                      "invalid_request", "minScore"),
    "score is text": ("POST", "/v1/memory/search", {"query": "a", "minScore": "0.3"}, 400,
                      "invalid_request", "minScore"),
    "an id that is none": ("GET", "/v1/memory/nope", None, 404, "memory_not_found", ""),
    "an id's inside": ("GET", "/v1/memory/mem_" + "Z" * 26, None, 404, "memory_not_found", ""),
    "a traversal": ("GET", "/v1/memory/..%2f..%2fserver.db", None, 404, "not_found", ""),
    "no such path": ("GET", "/v1/memories", None, 404, "not_found", ""),
    "no such method": ("PATCH", "/v1/memory", fact(), 405, "method_not_allowed", ""),
    "a private key": ("POST", "/v1/memory",
                      fact(text="-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END"), 400,
                      "secret_rejected", ""),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
async def test_a_wrong_request_gets_its_status_and_code_and_writes_nothing(
    server: Server, what: str
) -> None:
    method, path, body, status, code, field = WRONG[what]
    await server.remember("Is kept before.", scope="contact", contactId="ana")
    content = body if isinstance(body, bytes) else None if body is None else json.dumps(body)
    answer = await server.ask(method, path, content=content, headers=JSON)
    error = answer.json()
    assert (answer.status_code, error["code"]) == (status, code), answer.text
    assert error["message"].endswith((".", "?")) and "`localmem" not in error["message"]
    assert set(error) <= {"code", "message", "details"}
    if field:
        assert error["details"]["field"] == field
    await server.settled()
    assert await server.texts("contact:ana") == ["Is kept before."]
    assert await server.texts() == []


async def test_an_unknown_field_is_answered_with_the_nearest(server: Server) -> None:
    answer = await server.post("/v1/memory", fact(ttlSecond=90))
    assert answer.json()["message"] == (
        "There is no field 'ttlSecond' in the body. Did you mean ttlSeconds?"
    )


async def test_a_field_that_is_the_beginning_of_one_is_named_as_it_was_sent(server: Server) -> None:
    told = (await server.post("/v1/memory", fact(ttl=90))).json()
    assert told["message"] == "There is no field 'ttl' in the body. Did you mean ttlSeconds?"
    assert told["details"] == {"field": "ttl"}


async def test_a_scope_in_the_form_of_another_place_is_answered_with_this_place_s(
    server: Server,
) -> None:
    body = (await server.post("/v1/memory", fact(scope="contact:ana"))).json()
    assert '"scope": "contact" and "contactId": "<id>"' in body["message"]
    query = (await server.delete("/v1/memory?contactId=ana")).json()
    assert "Send scope=contact:<id>" in query["message"]
    assert (body["details"], query["details"]) == ({"field": "scope"}, {"field": "contactId"})


async def test_a_body_that_is_not_said_to_be_json_is_refused(server: Server) -> None:
    answer = await server.ask(
        "POST", "/v1/memory", content="{}", headers={"Content-Type": "text/plain"}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


async def test_whole_numbers_may_be_written_with_a_point(server: Server) -> None:
    answer = await server.ask(
        "POST", "/v1/memory", content='{"text": "a b", "ttlSeconds": 90.0}', headers=JSON
    )
    assert answer.status_code == 201


async def test_a_path_that_knows_other_methods_names_them(server: Server) -> None:
    answer = await server.ask("PUT", "/v1/memory")
    assert answer.headers["allow"] == "DELETE, GET, POST"


async def test_a_secret_beside_a_fact_is_masked_and_never_handed_back(server: Server) -> None:
    secret = "zv_live_" + "Ab3dEf9hJk2m" * 2
    answer = await server.post("/v1/memory", {"text": f"The shop's key is {secret}, ask Rui."})
    assert answer.status_code == 201
    assert secret not in answer.text and "ask Rui" in answer.text


async def test_a_fault_of_the_server_is_a_sentence_and_tells_nothing(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from localmem.engine.library import Library

    def broken(*_: object, **__: object) -> None:
        raise KeyError("Has two cats.")

    monkeypatch.setattr(Library, "page", broken)
    answer = await server.get("/v1/memory")
    assert (answer.status_code, answer.json()["code"]) == (500, "server_error")
    assert "cats" not in answer.text and "KeyError" not in answer.text
    assert answer.headers["x-request-id"]


async def test_a_library_that_cannot_be_read_is_unavailable_and_its_place_stays_secret(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    from localmem.core.hosting import Mode

    space = next(each for each in server.manage(lambda i: i.spaces()))
    file = server.folder / "spaces" / space.id / f"{Mode.LIVE}.db"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"this is no library at all, however long one reads in it" * 40)
    answer = await server.get("/v1/memory")
    assert (answer.status_code, answer.headers["x-should-retry"]) == (503, "false")
    assert str(server.folder) not in answer.text
    told = json.loads(JsonLines().format(caplog.records[-1]))
    assert told["library"] == f"spaces/{space.id}/live.db" and "serve restore" in told["hint"]
    other = server.new_key(space="another")
    assert (await server.get("/v1/memory", key=other)).status_code == 200
