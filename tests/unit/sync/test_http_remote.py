"""A server at the other end of HTTP: what is sent, and what is made of whatever comes back."""

from __future__ import annotations

import gzip
import json
import logging
import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from localmem import __version__
from localmem.core.model import Collection
from localmem.core.records import Removal
from localmem.core.scope import PERSON, PROJECT, Scope, contact, conversation
from localmem.errors import InvalidSettings
from sync.http_remote import HttpRemote, exchange
from sync.messages import (
    DOCUMENTED,
    Absent,
    Added,
    AddFact,
    AddFacts,
    AskChanges,
    Capabilities,
    Changes,
    Collections,
    CreateCollection,
    Done,
    DropFact,
    DropFacts,
    Expired,
    FactRow,
    Facts,
    GoneFact,
    GoneItem,
    Identify,
    Identity,
    ItemRow,
    Items,
    ListCollections,
    ListFacts,
    ListItems,
    NewFact,
    NoReply,
    OtherEpoch,
    ReadItem,
    Refusal,
    Refused,
    Reply,
    Request,
    Results,
    Step,
    WriteItem,
    WriteItems,
)
from tests.support.library import NOW, FixedClock

KEY = "zv_live_Ab3dEf9hJk2mQx7r"
ANA = contact("ana")
AT = "2026-11-30T18:00:00.000Z"
EPOCH = {"Memory-Epoch": "e1"}
OURS = Capabilities(
    changes=True, epoch=True, idempotency=True, if_match_delete=True, if_none_match=True,
    reasons=True, batch=100, conditional_batch=True, fact_batch=True, replaces=True,
)  # fmt: skip

READS: dict[str, Request] = {
    "changes": AskChanges("c"),
    "facts": ListFacts(PROJECT),
    "collections": ListCollections(),
    "items": ListItems(PROJECT, "orders"),
    "item": ReadItem(PROJECT, "orders", "o-1"),
}
WRITES: dict[str, Request] = {
    "create": CreateCollection(Collection("orders")),
    "put": WriteItem(PROJECT, "orders", Step("o-1", 1), "op"),
    "delete": WriteItem(PROJECT, "orders", Step("o-1", delete=True), "op"),
    "batch": WriteItems(PROJECT, "orders", (Step("o-1", 1),), "op"),
    "add": AddFact(PROJECT, NewFact("Has two cats."), "op"),
    "add many": AddFacts(PROJECT, (NewFact("Has two cats."),), "op"),
    "drop": DropFact(PROJECT, "mem_1", Removal.FORGET, "op"),
    "drop many": DropFacts(PROJECT, (("mem_1", Removal.FORGET),), "op"),
}
EVERYTHING = READS | WRITES
CONDITIONAL = WriteItem(PROJECT, "orders", Step("o-1", 1, if_match="3"), "op")

Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


def answer(status: int = 200, body: Any = None, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return httpx.Response(status, json=body, headers=named)


def refused(status: int, code: str, message: str = "No.", **headers: str) -> httpx.Response:
    return answer(status, {"code": code, "message": message}, **headers)


PAGE = "<html><title>Hotel</title><body>Sign in</body></html>"


def page(status: int = 200, text: str = PAGE) -> httpx.Response:
    return httpx.Response(status, html=text)


class Server:
    """Answers what it was given, in that order, the last one for ever."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.asked: list[httpx.Request] = []
        self.waited: list[float] = []
        self.clock = FixedClock()

    def remote(self, url: str = "https://memory.example", **options: Any) -> HttpRemote:
        return HttpRemote(
            url,
            options.pop("key", KEY),
            client=httpx.Client(transport=httpx.MockTransport(self._handle)),
            sleep=options.pop("sleep", self.waited.append),
            now=self.clock,
            jitter=lambda: 0.5,
            **options,
        )

    def ask(self, request: Request, epoch: str | None = None, **options: Any) -> Reply:
        return self.remote(**options).ask(request, epoch=epoch)

    @property
    def last(self) -> httpx.Request:
        return self.asked[-1]

    @property
    def body(self) -> Any:
        return json.loads(self.last.content)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        said = self._answers[0] if len(self._answers) == 1 else self._answers.pop(0)
        if isinstance(said, Exception):
            raise said
        return said(request) if callable(said) else said


def ask(request: Request, *answers: Answer, **options: Any) -> Reply:
    return Server(*answers).ask(request, **options)


def sent(request: Request, probed: Capabilities = DOCUMENTED) -> httpx.Request:
    server = Server(answer(400, {"code": "no", "message": "No."}))
    server.ask(request, probed=probed)
    return server.last


def no_reply(reply: Reply) -> NoReply:
    assert isinstance(reply, NoReply), reply
    return reply


def refusal(reply: Reply) -> Refusal:
    assert isinstance(reply, Refusal), reply
    return reply


# --- what is sent ------------------------------------------------------------------------------


def test_every_request_says_who_asks_and_what_it_understands() -> None:
    headers = sent(ListFacts(PROJECT)).headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["user-agent"] == f"localmem/{__version__}"
    assert headers["host"] == "memory.example"
    assert headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize("url", ["https://memory.example", "https://memory.example/v1/"])
def test_an_address_with_or_without_v1_is_the_same(url: str) -> None:
    server = Server(answer(200, {"items": []}))
    server.ask(ListFacts(PROJECT), url=url)
    assert str(server.last.url).startswith("https://memory.example/v1/memory?")


@pytest.mark.parametrize(
    ("scope", "query", "body"),
    [
        (PROJECT, "scope=project", {"scope": "project"}),
        (ANA, "scope=contact%3Aana", {"scope": "contact", "contactId": "ana"}),
        (
            conversation("a:b@c"),
            "scope=conversation%3Aa%3Ab%40c",
            {"scope": "conversation", "conversationId": "a:b@c"},
        ),
    ],
)
def test_a_scope_is_always_said_in_the_form_of_its_place(
    scope: Scope, query: str, body: dict[str, str]
) -> None:
    step = Step("k", 1)
    for request in (
        ListFacts(scope), ListItems(scope, "c"), ReadItem(scope, "c", "k"),
        WriteItem(scope, "c", step, "op"), WriteItems(scope, "c", (step,), "op"),
        DropFact(scope, "mem_1", Removal.FORGET, "op"),
    ):  # fmt: skip
        asked = sent(request)
        assert query in asked.url.query.decode().split("&")
        assert "contactId" not in asked.content.decode()
    for adding in (AddFact(scope, NewFact("x"), "op"), AddFacts(scope, (NewFact("x"),), "op")):
        asked = sent(adding)
        assert json.loads(asked.content).items() >= body.items()
        assert not asked.url.query


def test_a_persons_own_scope_is_never_sent() -> None:
    server = Server(answer())
    assert refusal(server.ask(ListFacts(PERSON))).code == "unsendable"
    assert not server.asked


@pytest.mark.parametrize("key", ["..", "."])
def test_a_key_that_a_path_would_mean_something_by_is_not_sent(key: str) -> None:
    server = Server(answer())
    for request in (
        ReadItem(PROJECT, "orders", key),
        WriteItem(PROJECT, "orders", Step(key, delete=True), "op"),
        DropFact(PROJECT, key, Removal.FORGET, "op"),
    ):
        assert refusal(server.ask(request)).code == "unsendable"
    assert not server.asked


def test_a_fact_without_an_id_is_not_dropped_for_that_would_empty_the_scope() -> None:
    server = Server(answer())
    reply = server.ask(DropFact(PROJECT, "", Removal.FORGET, "op"))
    assert refusal(reply).why is Refused.INVALID
    assert not server.asked


@pytest.mark.parametrize("value", [float("nan"), "\ud800", [1, {"a": float("inf")}]])
def test_what_json_cannot_hold_is_not_sent(value: Any) -> None:
    server = Server(answer())
    reply = server.ask(WriteItem(PROJECT, "orders", Step("k", value), "op"))
    assert refusal(reply).why is Refused.INVALID
    assert not server.asked


def test_a_rev_is_sent_in_quotes_unless_the_server_takes_it_bare() -> None:
    assert sent(CONDITIONAL).headers["if-match"] == '"3"'
    bare = DOCUMENTED._replace(bare_if_match=True)
    assert sent(CONDITIONAL, bare).headers["if-match"] == "3"


@pytest.mark.parametrize("rev", ['3", "4', "3\r\nX: y", "", "é"])
def test_a_rev_that_would_be_more_than_one_is_not_sent(rev: str) -> None:
    server = Server(answer())
    reply = server.ask(WriteItem(PROJECT, "orders", Step("k", 1, if_match=rev), "op"))
    assert refusal(reply).code == "unsendable"
    assert not server.asked


def test_writes_name_themselves_and_say_on_what_they_were_made() -> None:
    new = sent(WriteItem(PROJECT, "orders", Step("k", 1, only_new=True), "op-7"))
    assert (new.method, new.headers["if-none-match"]) == ("PUT", "*")
    assert new.headers["idempotency-key"] == "op-7"
    gone = sent(WriteItem(PROJECT, "orders", Step("k", delete=True, if_match="3"), "op-8"))
    assert (gone.method, gone.headers["if-match"], gone.content) == ("DELETE", '"3"', b"")


@pytest.mark.parametrize(
    ("why", "reason"),
    [
        (Removal.FORGET, "forget"), (Removal.UNDO, "forget"), (Removal.ABSENT, "forget"),
        (Removal.SUPERSEDED, "sup"), (Removal.DUPLICATE, "dup"),
    ],
)  # fmt: skip
def test_a_drop_says_why(why: Removal, reason: str) -> None:
    one = sent(DropFact(PROJECT, "mem_1", why, "op"))
    assert one.headers["memory-reason"] == reason
    many = sent(DropFacts(PROJECT, (("mem_1", why),), "op"))
    assert json.loads(many.content)["operations"] == [
        {"op": "delete", "id": "mem_1", "reason": reason}
    ]


def test_only_our_own_server_is_told_that_an_item_stays_for_good() -> None:
    request = WriteItem(PROJECT, "orders", Step("k", None), "op")
    assert json.loads(sent(request).content) == {"value": None}
    assert json.loads(sent(request, OURS).content) == {"value": None, "ttlSeconds": None}
    timed = WriteItem(PROJECT, "orders", Step("k", None, ttl=90), "op")
    assert json.loads(sent(timed).content) == {"value": None, "ttlSeconds": 90}


def test_a_batch_says_each_step_and_asks_for_more_steps_where_there_are_more() -> None:
    steps = (
        Step("a", 1, if_match="3"),
        Step("b", {"x": None}, only_new=True),
        Step("c", delete=True),
    )
    request = WriteItems(ANA, "orders", steps, "op")
    asked = sent(request, OURS)
    assert asked.url.path == "/v1/memory/collections/orders/items/batch"
    assert json.loads(asked.content)["operations"] == [
        {"op": "set", "key": "a", "value": 1, "ttlSeconds": None, "ifMatch": "3"},
        {"op": "set", "key": "b", "value": {"x": None}, "ttlSeconds": None, "ifNoneMatch": "*"},
        {"op": "delete", "key": "c"},
    ]
    assert asked.headers["memory-batch"] == "100"
    assert "memory-batch" not in sent(request).headers


def test_a_fact_is_sent_with_what_it_replaces() -> None:
    fact = NewFact("Tea.", {"lm": "x"}, 90, ("mem_1", "mem_2"))
    one = sent(AddFact(ANA, fact, "op"), OURS)
    assert one.headers["memory-replaces"] == "mem_1, mem_2"
    told = {"text": "Tea.", "metadata": {"lm": "x"}, "ttlSeconds": 90}
    assert json.loads(one.content) == {**told, "scope": "contact", "contactId": "ana"}
    many = json.loads(sent(AddFacts(ANA, (fact,), "op"), OURS).content)
    assert many["operations"] == [{"op": "add", **told, "replaces": ["mem_1", "mem_2"]}]


def test_a_collection_is_made_with_its_indexes_and_its_lifetime() -> None:
    asked = sent(CreateCollection(Collection("orders", ("status", "a.b"), 3600)))
    assert json.loads(asked.content) == {
        "name": "orders",
        "indexes": [{"field": "status"}, {"field": "a.b"}],
        "defaultTtlSeconds": 3600,
    }


def test_cursors_are_opaque_and_go_through_an_address_unharmed() -> None:
    cursor = "a+b/c=&d?é\n"
    for request in (
        AskChanges(cursor), ListFacts(ANA, cursor), ListItems(ANA, "c", cursor),
        ListCollections(cursor),
    ):  # fmt: skip
        assert sent(request).url.params["cursor"] == cursor
    assert sent(AskChanges(None, gone_too=True)).url.params["tombstones"] == "all"
    assert "tombstones" not in sent(AskChanges("c")).url.params


# --- addresses and keys ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://memory.example", "http://10.0.0.1", "ftp://memory.example", "memory.example", "",
        "https://", "https://me:secret@memory.example", "https://memory.example?a=secret",
        "https://memory.example#secret", "http://127.0.0.1.example", "https://[", "http://0.0.0.0",
    ],
)  # fmt: skip
def test_an_address_that_would_show_the_key_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        Server().remote(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8420", "http://localhost", "http://[::1]:8420", "http://127.9.9.9"]
)
def test_http_is_for_this_machine_itself(url: str) -> None:
    Server().remote(url)


@pytest.mark.parametrize("key", ["", "two words", "line\nbreak", "schlüssel", "nul\0"])
def test_a_key_that_cannot_be_a_header_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        Server().remote(key=key)
    assert not key or key not in str(caught.value)


def own(url: str) -> httpx.Client:
    """The client a remote makes for itself."""
    remote = HttpRemote(url, KEY, sleep=lambda _: None, now=FixedClock(), jitter=lambda: 0.5)
    return remote._exchange._client


PROXY = "http://proxy.example:3128"


def test_proxies_of_the_environment_are_used_but_never_to_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, PROXY)
    assert own("https://memory.example")._mounts
    for url in ("http://127.0.0.1:8420", "http://localhost:8420", "https://localhost:8420"):
        assert not own(url)._mounts


@pytest.mark.parametrize(
    ("name", "value"), [("HTTPS_PROXY", "gopher://x"), ("SSL_CERT_FILE", "/no")]
)
def test_an_environment_that_cannot_be_used_is_said(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidSettings, match="environment"):
        own("https://memory.example")


def test_no_cookie_is_kept() -> None:
    client = own("http://127.0.0.1:8420")
    cookie = httpx.Response(200, headers={"Set-Cookie": "a=b; Path=/"})
    cookie.request = httpx.Request("GET", "http://127.0.0.1:8420/")
    client.cookies.extract_cookies(cookie)
    assert not list(client.cookies.jar)


def test_the_key_is_in_no_repr_message_or_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    quoting = f"The key {KEY} and its half {KEY[:12]}… are not known."
    answers: list[Answer] = [
        refused(401, KEY, quoting), refused(400, KEY, quoting), page(200, quoting),
        answer(302, location=f"https://{KEY}.example"), httpx.Response(500, text=quoting),
        httpx.ConnectError(quoting), httpx.ProxyError(quoting), httpx.ReadError(quoting),
        httpx.Response(200, text=KEY, headers={"content-type": KEY}),
        answer(200, {"items": KEY}), answer(200, {KEY: KEY}, Memory_Epoch=KEY),
    ]  # fmt: skip
    told = [repr(Server().remote())]
    for each in answers:
        told.append(repr(Server(each).ask(ListFacts(PROJECT), epoch="e1" if "e" else None)))
        told.append(repr(Server(each).ask(WRITES["put"])))
    text = "\n".join(told) + caplog.text
    pieces = [KEY[at : at + 8] for at in range(len(KEY) - 7)]
    assert not [piece for piece in pieces if piece in text or piece.lower() in text]


# --- what came that is no answer ---------------------------------------------------------------


@pytest.mark.parametrize("asked", EVERYTHING)
@pytest.mark.parametrize("status", [200, 201, 400, 401, 403, 404, 405, 409, 410, 412])
def test_a_web_page_is_never_an_answer(asked: str, status: int) -> None:
    reply = no_reply(ask(EVERYTHING[asked], page(status)))
    assert reply.code == "not_a_memory_api"
    assert "a web page" in reply.message and "memory.example" in reply.message


def test_a_network_that_wants_a_sign_in_says_so() -> None:
    server = Server(page(511))
    assert no_reply(server.ask(ListFacts(PROJECT))).code == "not_a_memory_api"
    assert len(server.asked) == 1


@pytest.mark.parametrize("asked", EVERYTHING)
def test_a_redirect_is_named_and_not_followed(asked: str) -> None:
    server = Server(answer(302, location="https://portal.example/login?token=x"))
    reply = no_reply(server.ask(EVERYTHING[asked]))
    assert (reply.code, len(server.asked)) == ("redirected", 1)
    assert "portal.example" in reply.message and "token" not in reply.message


@pytest.mark.parametrize(
    "location", ["http://[", "https://\x1b]0;x.example/", "//:99999", "", None]
)
def test_a_redirect_to_nowhere_is_one_all_the_same(location: str | None) -> None:
    headers = {} if location is None else {"location": location}
    reply = no_reply(ask(ListFacts(PROJECT), httpx.Response(307, headers=headers)))
    assert reply.code == "redirected"
    assert reply.message.isprintable()


@pytest.mark.parametrize("asked", sorted(set(EVERYTHING) - {"create", "delete", "drop"}))
@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b'"x"', b"{}", b'{"items": 1}', b'{"items": [1]}',
        b'{"items": [], "items": []}', b'{"results": [], "results": []}', b'{"items": [NaN]}',
        b"\xff\xfe", b'{"items": [{"id": 1, "text": "x"}]}', b'{"id": "a b", "key": "x", "rev": 1}',
        b"[" * 100_000, b'{"a": ' + b"9" * 5000 + b"}", b'{"changes": [], "cursor": "", "seq": 0}',
    ],
    ids=range(17),
)  # fmt: skip
def test_json_that_is_not_what_was_asked_for_is_dropped_whole(asked: str, body: bytes) -> None:
    response = httpx.Response(200, content=body, headers={"content-type": "application/json"})
    assert no_reply(ask(EVERYTHING[asked], response)).code == "broken_reply"


def packed(content: bytes, encoding: str = "gzip", **headers: str) -> Answer:
    """Bytes as they are on the wire, which httpx has not looked at."""

    def respond(request: httpx.Request) -> httpx.Response:
        told = {"content-type": "application/json", "content-encoding": encoding, **headers}
        return httpx.Response(200, headers=told, stream=httpx.ByteStream(content))

    return respond


EMPTY = b'{"items": []}'


def test_a_packed_reply_is_unpacked() -> None:
    assert ask(ListFacts(PROJECT), packed(gzip.compress(EMPTY))) == Facts((), None)


@pytest.mark.parametrize(
    "response",
    [
        packed(gzip.compress(EMPTY)[:-9]), packed(gzip.compress(EMPTY) + b"more"), packed(EMPTY),
        packed(gzip.compress(EMPTY), "br"), packed(gzip.compress(EMPTY), "gzip, gzip"),
        packed(EMPTY, "identity", **{"content-length": "5"}),
        packed(EMPTY, "identity", **{"content-length": "500"}),
    ],
    ids=range(7),
)  # fmt: skip
def test_a_reply_that_is_cut_short_or_packed_strangely_is_dropped(response: Answer) -> None:
    assert no_reply(ask(ListFacts(PROJECT), response)).code == "broken_reply"


def test_a_reply_that_unpacks_to_more_than_the_limit_is_dropped_on_the_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exchange, "MOST_BYTES", 100_000)
    bomb = gzip.compress(bytes(10_000_000))
    reply = no_reply(ask(ListFacts(PROJECT), packed(bomb)))
    assert reply.code == "broken_reply" and "longer than" in reply.message
    long = packed(b" " * 100_001, "identity")
    assert no_reply(ask(ListFacts(PROJECT), long)).code == "broken_reply"
    declared = packed(EMPTY, "identity", **{"content-length": "100001"})
    assert no_reply(ask(ListFacts(PROJECT), declared)).code == "broken_reply"


def test_a_reply_that_drips_ends_as_one_that_does_not_come() -> None:
    server = Server()

    def dripping() -> Iterator[bytes]:
        while True:
            server.clock.advance(20)
            yield b" "

    def respond(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=dripping(), headers={"content-type": "application/json"})

    server._answers = [respond]
    reply = no_reply(server.ask(WRITES["add"]))
    assert (reply.code, reply.reached) == ("timeout", True)


# --- epochs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [*EVERYTHING, "identify"])
@pytest.mark.parametrize("status", [200, 204, 302, 400, 401, 404, 409, 410, 429, 500, 503])
def test_a_reply_of_another_epoch_is_dropped_before_it_is_read(asked: str, status: int) -> None:
    request = Identify() if asked == "identify" else EVERYTHING[asked]
    server = Server(httpx.Response(status, headers={"Memory-Epoch": "e2"}, text="<html>"))
    assert server.ask(request, epoch="e1") == OtherEpoch("e2")
    assert len(server.asked) == 1


@pytest.mark.parametrize("asked", EVERYTHING)
@pytest.mark.parametrize("status", [200, 404, 409, 410, 412])
def test_nothing_follows_from_a_reply_that_says_no_epoch(asked: str, status: int) -> None:
    body = {"code": "item_not_found", "message": "No.", "items": [], "key": "o-1", "rev": 1}
    reply = ask(EVERYTHING[asked], answer(status, body), epoch="e1")
    assert no_reply(reply).code == "broken_reply"


def test_a_feed_of_another_epoch_inside_is_one_of_another_epoch() -> None:
    body = {"changes": [], "cursor": "c", "seq": 0, "more": False, "epoch": "e2"}
    assert ask(AskChanges(None), answer(200, body, **EPOCH), epoch="e1") == OtherEpoch("e2")


# --- what is there -----------------------------------------------------------------------------

FACT = {"id": "mem_1", "text": "Tea.", "createdAt": AT}
ITEM = {"key": "o-1", "value": {"a": [1]}, "rev": 3, "createdAt": AT, "updatedAt": AT}


def test_facts_are_read_and_members_nobody_asked_for_passed_over() -> None:
    rows = [
        FACT | {"metadata": {"lm": "x"}, "scope": "contact", "contactId": "ana", "score": 1},
        FACT | {"id": "mem_2", "scope": "contact:ana", "expiresAt": "2026-11-30T20:00:00+02:00"},
        FACT | {"id": "mem_3", "metadata": None, "scope": None},
    ]
    reply = ask(ListFacts(ANA), answer(200, {"items": rows, "nextCursor": "n", "total": 3}))
    assert reply == Facts(
        (
            FactRow(ANA, "mem_1", "Tea.", {"lm": "x"}, NOW),
            FactRow(ANA, "mem_2", "Tea.", {}, NOW, NOW),
            FactRow(ANA, "mem_3", "Tea.", {}, NOW),
        ),
        "n",
    )


@pytest.mark.parametrize(
    "told",
    [
        {"scope": "project"}, {"scope": "contact", "contactId": "bob"}, {"scope": "contact:bob"},
        {"scope": "contact"}, {"contactId": "bob"}, {"conversationId": "ana"},
        {"scope": "contact", "contactId": "ana", "conversationId": "t"}, {"scope": "everyone"},
        {"scope": "conversation", "contactId": "ana"}, {"scope": "contact:ana", "contactId": "bob"},
    ],
    ids=str,
)  # fmt: skip
def test_a_row_of_another_scope_spoils_its_whole_page(told: dict[str, str]) -> None:
    rows = [FACT, FACT | {"id": "mem_2"} | told]
    assert no_reply(ask(ListFacts(ANA), answer(200, {"items": rows}))).code == "broken_reply"
    items = answer(200, {"items": [ITEM | told]})
    assert no_reply(ask(ListItems(ANA, "orders"), items)).code == "broken_reply"
    item = ReadItem(ANA, "orders", "o-1")
    assert no_reply(ask(item, answer(200, ITEM | told))).code == "broken_reply"
    kept = ask(AddFact(ANA, NewFact("Tea."), "op"), answer(201, FACT | told))
    assert no_reply(kept).code == "broken_reply"
    put = WriteItem(ANA, "orders", Step("o-1", 1), "op")
    assert no_reply(ask(put, answer(200, ITEM | told))).code == "broken_reply"


def test_a_contacts_row_is_no_row_of_the_project() -> None:
    row = FACT | {"scope": "contact", "contactId": "ana"}
    assert isinstance(ask(ListFacts(PROJECT), answer(200, {"items": [row]})), NoReply)


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": ""}, {"id": "../collections/orders"}, {"id": "a/b"}, {"id": 7}, {"text": None},
        {"text": 7}, {"metadata": {"a": 1}}, {"metadata": []}, {"createdAt": 5},
        {"createdAt": "yesterday"}, {"createdAt": "2026-11-30T18:00:00"}, {"expiresAt": ""},
    ],
    ids=str,
)  # fmt: skip
def test_a_fact_with_a_member_of_the_wrong_type_is_dropped_with_its_page(wrong: Any) -> None:
    reply = ask(ListFacts(PROJECT), answer(200, {"items": [FACT, FACT | wrong]}))
    assert no_reply(reply).code == "broken_reply"


def test_what_is_broken_is_named_without_what_it_holds() -> None:
    row = FACT | {"metadata": {"my secret name": 5}}
    message = no_reply(ask(ListFacts(PROJECT), answer(200, {"items": [row]}))).message
    assert "items.0.metadata is not" in message and "secret" not in message


@pytest.mark.parametrize(
    ("told", "rev"),
    [(3, "3"), (3.0, "3"), ("3", "3"), ('"3"', "3"), ("01JX", "01JX"), (10**30, str(10**30))],
)
def test_a_rev_is_text_whatever_it_was(told: Any, rev: str) -> None:
    reply = ask(READS["item"], answer(200, ITEM | {"rev": told}))
    assert reply == ItemRow(PROJECT, "orders", "o-1", rev, {"a": [1]}, "", NOW)


@pytest.mark.parametrize("told", [True, 1.5, "", 'a"b', "a b", "é", [], {}])
def test_a_rev_that_could_not_be_sent_again_is_none(told: Any) -> None:
    reply = ask(READS["item"], answer(200, ITEM | {"rev": told}, ETag='"9"'))
    assert no_reply(reply).code == "broken_reply"


@pytest.mark.parametrize(("etag", "rev"), [('"7"', "7"), ('W/"7"', "7"), ("7", "7")])
def test_where_the_body_says_no_rev_the_etag_does(etag: str, rev: str) -> None:
    bare = {name: told for name, told in ITEM.items() if name != "rev"}
    row = ask(READS["item"], answer(200, bare, ETag=etag))
    assert isinstance(row, ItemRow) and row.rev == rev
    assert ask(WRITES["put"], answer(200, ITEM, ETag='"9"')) == Done("3")
    empty = httpx.Response(204, headers={"ETag": etag})
    assert ask(WRITES["put"], empty) == Done(rev)
    assert no_reply(ask(WRITES["put"], httpx.Response(204))).code == "broken_reply"
    assert no_reply(ask(READS["item"], answer(200, bare))).code == "broken_reply"


def test_an_item_under_another_key_than_was_asked_for_is_dropped() -> None:
    other = answer(200, ITEM | {"key": "o-2"})
    assert no_reply(ask(READS["item"], other)).code == "broken_reply"
    assert no_reply(ask(WRITES["put"], other)).code == "broken_reply"
    elsewhere = answer(200, ITEM | {"collection": "bills"})
    assert no_reply(ask(READS["item"], elsewhere)).code == "broken_reply"


def test_items_and_collections_are_read() -> None:
    items = {"items": [ITEM, ITEM | {"key": "o-2", "value": None, "expiresAt": AT}]}
    assert ask(READS["items"], answer(200, items)) == Items(
        (
            ItemRow(PROJECT, "orders", "o-1", "3", {"a": [1]}, "", NOW),
            ItemRow(PROJECT, "orders", "o-2", "3", None, "", NOW, NOW),
        ),
        None,
    )
    made = {"name": "orders", "indexes": [{"field": "status"}], "defaultTtlSeconds": 60.0,
            "status": "active", "implicit": False, "createdAt": AT}  # fmt: skip
    going = {"name": "old", "status": "deleting"}
    rows = {"items": [made, going, {"name": "notes", "implicit": True}], "nextCursor": ""}
    assert ask(READS["collections"], answer(200, rows)) == Collections(
        (Collection("orders", ("status",), 60, False, NOW), Collection("notes", implicit=True)),
        None,
    )


@pytest.mark.parametrize(
    "request_",
    [ListFacts(PROJECT, "c"), ListItems(PROJECT, "orders", "c"), ListCollections("c")],
)
def test_pages_that_do_not_end_are_dropped(request_: Request) -> None:
    reply = ask(request_, answer(200, {"items": [], "nextCursor": "c"}))
    assert no_reply(reply).code == "broken_reply"


# --- the feed ----------------------------------------------------------------------------------

LIVE_FACT = {"seq": 7, "scope": "contact:ana", "kind": "fact", "id": "mem_1", "lm": "u", "rev": 1,
             "body": {"text": "Tea.", "metadata": {"lm": "u"}, "createdAt": AT}}  # fmt: skip
LIVE_ITEM = {"seq": 9, "scope": "project", "kind": "document", "collection": "orders",
             "key": "o-1", "inc": "i", "own": "s", "rev": 3,
             "body": {"value": None, "createdAt": AT, "updatedAt": AT,
                      "expiresAt": AT}}  # fmt: skip
GONE_FACT = {"seq": 10, "scope": "project", "kind": "fact", "id": "mem_2", "deleted": True,
             "reason": "sup"}  # fmt: skip
GONE_ITEM = {"seq": 12, "scope": "project", "kind": "document", "inc": "i", "own": "s", "gen": 2,
             "deleted": True, "reason": "forget"}  # fmt: skip


def feed(*changes: Any, seq: int = 12, more: bool = False, cursor: str = "n") -> httpx.Response:
    body = {"changes": list(changes), "cursor": cursor, "seq": seq, "more": more, "epoch": "e1"}
    return answer(200, body, **EPOCH)


def test_changes_are_read_each_in_its_own_scope() -> None:
    reply = ask(AskChanges("c"), feed(LIVE_FACT, LIVE_ITEM, GONE_FACT, GONE_ITEM), epoch="e1")
    assert reply == Changes(
        (
            FactRow(ANA, "mem_1", "Tea.", {"lm": "u"}, NOW),
            ItemRow(PROJECT, "orders", "o-1", "3", None, "s", NOW, NOW),
            GoneFact(PROJECT, "mem_2", "", Removal.SUPERSEDED),
            GoneItem(PROJECT, "i", 2, Removal.FORGET, "s"),
        ),
        "n",
        12,
        False,
    )


def test_a_change_without_a_name_of_the_servers_own_goes_by_the_incarnation_it_has() -> None:
    live, gone = ({name: row[name] for name in row if name != "own"}
                  for row in (LIVE_ITEM, GONE_ITEM))  # fmt: skip
    reply = ask(AskChanges("c"), feed(live, gone), epoch="e1")
    assert isinstance(reply, Changes)
    assert reply.rows == (
        ItemRow(PROJECT, "orders", "o-1", "3", None, "i", NOW, NOW),
        GoneItem(PROJECT, "i", 2, Removal.FORGET, "i"),
    )


@pytest.mark.parametrize(
    "row",
    [
        LIVE_FACT | {"scope": "person"}, LIVE_FACT | {"scope": "contact:"},
        LIVE_FACT | {"seq": 13}, LIVE_FACT | {"kind": "thing"},
        LIVE_FACT | {"body": None}, LIVE_FACT | {"id": None},
        LIVE_FACT | {"body": {"value": 1}}, LIVE_FACT | {"reason": "forget"},
        LIVE_FACT | {"scope": None}, LIVE_ITEM | {"body": {"createdAt": AT}},
        LIVE_ITEM | {"key": None}, LIVE_ITEM | {"rev": None}, LIVE_ITEM | {"collection": "A B"},
        GONE_FACT | {"reason": None}, GONE_FACT | {"reason": "because"}, GONE_FACT | {"id": None},
        GONE_FACT | {"body": {"text": "Tea."}}, GONE_ITEM | {"inc": None}, {"seq": 3},
        LIVE_FACT | {"seq": 0}, LIVE_FACT | {"seq": "7"}, GONE_FACT | {"deleted": "yes"},
    ],
    ids=range(22),
)  # fmt: skip
def test_a_change_that_is_not_whole_spoils_its_page(row: Any) -> None:
    assert no_reply(ask(AskChanges("c"), feed(row))).code == "broken_reply"


def test_changes_out_of_order_or_without_end_are_dropped() -> None:
    assert no_reply(ask(AskChanges("c"), feed(LIVE_ITEM, LIVE_FACT))).code == "broken_reply"
    assert no_reply(ask(AskChanges("c"), feed(LIVE_FACT, LIVE_FACT))).code == "broken_reply"
    assert no_reply(ask(AskChanges("c"), feed(more=True, cursor="c"))).code == "broken_reply"


@pytest.mark.parametrize(
    "response", [refused(410, "cursor_expired", **EPOCH), refused(400, "invalid_cursor")]
)
def test_a_cursor_that_is_void_is_told(response: httpx.Response) -> None:
    assert ask(AskChanges("c"), response, epoch="e1") == Expired()


# --- what was written --------------------------------------------------------------------------

NUMBERED = {"Memory-Seq": "8", "Memory-Cursor": "c8", "Memory-Inc": "i"}


def numbered(status: int, body: Any) -> httpx.Response:
    return httpx.Response(status, json=body, headers=NUMBERED)


def test_a_write_tells_its_number_and_what_it_wrote() -> None:
    assert ask(WRITES["put"], numbered(200, ITEM)) == Done("3", 8, "c8", "i")
    assert ask(WRITES["delete"], httpx.Response(204, headers=NUMBERED)) == Done(None, 8, "c8")
    assert ask(WRITES["drop"], httpx.Response(204, headers=NUMBERED)) == Done(None, 8, "c8")
    kept = FACT | {"metadata": {"lm": "other"}}
    assert ask(WRITES["add"], numbered(200, kept)) == Added("mem_1", "other", 8, "c8")
    assert ask(WRITES["add"], answer(201, FACT)) == Added("mem_1")


@pytest.mark.parametrize("seq", ["x", "-1", "1e3", "²", "9" * 30, ""])
def test_a_number_that_is_none_is_passed_over(seq: str) -> None:
    response = httpx.Response(204, headers=[(b"Memory-Seq", seq.encode("latin-1"))])
    assert ask(WRITES["drop"], response) == Done()


STEPS = WriteItems(
    PROJECT,
    "orders",
    (Step("a", 1), Step("b", delete=True), Step("c", 1, if_match="3"), Step("d", delete=True)),
    "op",
)


def failed(code: str, **more: Any) -> dict[str, Any]:
    return {"ok": False, "error": {"code": code, "message": "No.", **more}}


def test_a_batch_has_a_result_for_each_step() -> None:
    results = [
        {"key": "a", "ok": True, "rev": 4, "seq": 7, "inc": "i"},
        {"ok": True, "seq": 8},
        {"key": "c", **failed("revision_conflict", details={"currentRev": 5})},
        {"key": "d", **failed("item_not_found")},
    ]
    reply = ask(STEPS, numbered(200, {"results": results}))
    assert isinstance(reply, Results) and (reply.seq, reply.cursor) == (8, "c8")
    first, second, third, fourth = reply.each
    assert (first, second, fourth) == (Done("4", 7, None, "i"), Done(None, 8), Absent())
    assert isinstance(third, Refusal) and (third.why, third.rev) == (Refused.STALE, "5")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("memory_limit_exceeded", Refused.QUOTA), ("document_too_large", Refused.TOO_LARGE),
        ("document_too_deep", Refused.INVALID), ("item_not_found", Refused.STALE),
        ("rate_limited", Refused.BUSY), ("store_full", Refused.BUSY), ("", Refused.INVALID),
        ("forbidden", Refused.SIGNED_OUT), ("idempotency_conflict", Refused.REUSED),
        ("memory_forgotten", Refused.FORGOTTEN), ("memory_scope_full", Refused.SCOPE_FULL),
    ],
)  # fmt: skip
def test_a_step_that_was_refused_says_why(code: str, why: Refused) -> None:
    request = WriteItems(PROJECT, "orders", (Step("a", 1),), "op")
    reply = ask(request, answer(200, {"results": [failed(code)]}))
    assert isinstance(reply, Results) and refusal(reply.each[0]).why is why


def test_no_delete_is_given_up_for_a_code_nobody_knows() -> None:
    reply = ask(WRITES["drop many"], answer(200, {"results": [failed("strange")]}))
    assert isinstance(reply, Results) and isinstance(reply.each[0], Refusal)
    assert reply.each[0].why is Refused.BUSY
    gone = ask(WRITES["drop many"], answer(200, {"results": [failed("memory_not_found")]}))
    assert gone == Results((Done(),))


def test_facts_of_a_batch_say_as_what_they_are_kept() -> None:
    facts = (NewFact("a", {"lm": "1"}), NewFact("b", {"lm": "2"}), NewFact("c"))
    results = [
        {"ok": True, "id": "mem_1", "created": True, "seq": 5},
        {"ok": True, "id": "mem_2", "created": False, "metadata": {"lm": "9"}},
        failed("memory_scope_full"),
    ]
    reply = ask(AddFacts(PROJECT, facts, "op"), numbered(200, {"results": results}))
    assert isinstance(reply, Results)
    assert reply.each[:2] == (Added("mem_1", "1", 5), Added("mem_2", "9"))
    assert refusal(reply.each[2]).why is Refused.SCOPE_FULL


@pytest.mark.parametrize(
    "results",
    [[], [{"ok": True}] * 3, [{"ok": True, "key": "z"}] * 4, [{"ok": 1}] * 4, [{}] * 4, None],
    ids=range(6),
)
def test_results_that_do_not_fit_their_steps_are_dropped(results: Any) -> None:
    assert no_reply(ask(STEPS, answer(200, {"results": results}))).code == "broken_reply"


def test_a_fact_that_was_kept_without_an_id_is_no_result() -> None:
    reply = ask(WRITES["add many"], answer(200, {"results": [{"ok": True}]}))
    assert no_reply(reply).code == "broken_reply"


# --- what was refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "code", "why"),
    [
        (400, "invalid_request", Refused.INVALID), (400, "field_not_indexed", Refused.INVALID),
        (401, "unauthorized", Refused.SIGNED_OUT), (403, "forbidden", Refused.SIGNED_OUT),
        (403, "bearer_token_has_no_person", Refused.SIGNED_OUT), (402, "pay", Refused.QUOTA),
        (403, "memory_source_not_person", Refused.INVALID),
        (403, "memory_limit_exceeded", Refused.QUOTA), (405, "no", Refused.INVALID),
        (409, "revision_conflict", Refused.STALE), (409, "strange", Refused.STALE),
        (409, "idempotency_conflict", Refused.REUSED), (412, "precondition_failed", Refused.STALE),
        (410, "memory_forgotten", Refused.FORGOTTEN),
        (413, "document_too_large", Refused.TOO_LARGE),
        (422, "invalid", Refused.INVALID), (422, "idempotency_conflict", Refused.REUSED),
        (429, "memory_scope_full", Refused.SCOPE_FULL), (429, "rate_limited", Refused.BUSY),
        (429, "memory_limit_exceeded", Refused.QUOTA), (503, "store_busy", Refused.BUSY),
        (418, "teapot", Refused.INVALID),
    ],
)  # fmt: skip
@pytest.mark.parametrize("nested", [False, True])
def test_a_refusal_says_what_it_means(status: int, code: str, why: Refused, nested: bool) -> None:
    said = {"code": code, "message": "Because."}
    server = Server(answer(status, {"error": said} if nested else said))
    for request in (WRITES["add"], WRITES["batch"]):
        told = refusal(server.ask(request))
        assert (told.why, told.code) == (why, code)
        assert told.message.endswith('The server says: "Because."')
    assert len(server.asked) == 2  # a refusal is never asked again


@pytest.mark.parametrize("status", [409, 412])
def test_a_refusal_for_a_rev_says_the_one_it_is_at(status: int) -> None:
    body = {"code": "revision_conflict", "message": "No.", "details": {"currentRev": 8}}
    told = refusal(ask(CONDITIONAL, answer(status, body)))
    assert (told.why, told.rev) == (Refused.STALE, "8")


def test_what_is_not_there_is_absent_where_that_is_an_answer() -> None:
    missing = refused(404, "item_not_found")
    assert ask(READS["item"], missing) == Absent()
    assert ask(READS["items"], refused(404, "collection_not_found")) == Absent()
    assert ask(WRITES["delete"], missing) == Absent()
    assert ask(WRITES["drop"], refused(404, "memory_not_found")) == Done()
    assert refusal(ask(CONDITIONAL, missing)).why is Refused.STALE
    gone = WriteItem(PROJECT, "orders", Step("o-1", delete=True, if_match="3"), "op")
    null = {"code": "revision_conflict", "message": "No.", "details": {"currentRev": None}}
    assert ask(gone, answer(409, null)) == Absent()
    assert refusal(ask(CONDITIONAL, answer(409, null))).why is Refused.STALE
    assert ask(WRITES["create"], refused(409, "collection_exists")) == Done()


@pytest.mark.parametrize("body", [{}, {"detail": "Not Found"}, {"message": "no Route"}, [], "no"])
@pytest.mark.parametrize("asked", ["item", "items", "drop", "delete"])
def test_a_404_of_somebody_else_proves_nothing(asked: str, body: Any) -> None:
    assert no_reply(ask(EVERYTHING[asked], answer(404, body))).code == "not_a_memory_api"


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[1]", b'"no"', b'{"code": 5}', b'{"error": null}', b"\xff", b"[" * 99_999],
    ids=range(8),
)
def test_a_refusal_without_words_is_one_all_the_same(body: bytes) -> None:
    response = httpx.Response(400, content=body, headers={"content-type": "application/json"})
    told = refusal(ask(WRITES["add"], response))
    assert (told.why, told.code) == (Refused.INVALID, "http_400")


def test_a_servers_words_are_made_fit_to_be_shown() -> None:
    hostile = "\x1b]52;c;eA==\x07 Line\nbreak \u202e" + "x" * 1000
    told = refusal(ask(WRITES["add"], refused(400, "a\nb\x1b[31m" + "c" * 99, hostile)))
    assert told.message.isprintable() and len(told.message) < 400
    assert told.code.isascii() and told.code.isprintable() and len(told.code) <= 64


@pytest.mark.parametrize("status", [407, 408])
def test_what_is_said_on_the_way_is_no_refusal_of_the_server(status: int) -> None:
    reply = no_reply(ask(WRITES["add"], answer(status, {})))
    assert reply.code == {407: "proxy", 408: "timeout"}[status]


@pytest.mark.parametrize(
    ("told", "wait"),
    [
        ("120", 120.0), ("0", 0.0), ("1.5", 1.5), ("999999999", 3600.0), ("9" * 30, 3600.0),
        ("-5", None), ("soon", None), ("", None), ("nan", None), ("inf", None), ("1e3", None),
        ("Mon, 30 Nov 2026 12:02:00 GMT", 120.0), ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0),
        ("Fri, 30 Nov 2096 12:00:00 GMT", 3600.0), ("Mon, 99 Foo 2026 12:00:00 GMT", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_says_how_long_to_wait_by_its_own_clock(
    told: str, wait: float | None, status: int
) -> None:
    server = Server(
        refused(status, "rate_limited", Retry_After=told, Date="Mon, 30 Nov 2026 12:00:00 GMT")
    )
    reply = refusal(server.ask(ListFacts(PROJECT)))
    assert (reply.why, reply.wait) == (Refused.BUSY, wait)
    assert not server.waited  # whoever asked waits


def test_a_wait_without_a_clock_of_the_server_counts_by_ours() -> None:
    server = Server(refused(429, "rate_limited", Retry_After="Mon, 30 Nov 2026 18:00:30 GMT"))
    assert refusal(server.ask(ListFacts(PROJECT))).wait == 30


def test_a_page_that_says_busy_means_busy_for_a_read_and_nothing_certain_for_a_write() -> None:
    assert refusal(ask(READS["facts"], page(503))).why is Refused.BUSY
    reply = no_reply(ask(WRITES["add"], page(503)))
    assert (reply.code, reply.reached) == ("server_error", True)


# --- tries -------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", READS)
@pytest.mark.parametrize(
    "fault",
    [answer(500), answer(502), page(504), httpx.ConnectError("x"), httpx.ReadTimeout("x")],
    ids=range(5),
)
def test_reads_are_asked_four_times_with_longer_and_longer_pauses(
    asked: str, fault: Answer
) -> None:
    server = Server(fault)
    no_reply(server.ask(READS[asked]))
    assert len(server.asked) == 4
    assert server.waited == [0.5, 1.0, 2.0]


def test_a_read_that_comes_in_the_end_is_an_answer() -> None:
    server = Server(answer(500), httpx.ReadError("x"), answer(200, {"items": []}))
    remote = server.remote()
    assert remote.ask(ListFacts(PROJECT), epoch=None) == Facts((), None)
    assert remote.requests() == 3


@pytest.mark.parametrize("asked", sorted(set(WRITES) - {"create"}))
def test_writes_are_sent_again_only_where_a_second_time_does_nothing(asked: str) -> None:
    once, twice = Server(answer(500)), Server(answer(500))
    assert no_reply(once.ask(WRITES[asked])).reached
    assert len(once.asked) == 1
    assert no_reply(twice.ask(WRITES[asked], probed=OURS)).reached
    assert len(twice.asked) == 2
    first, second = twice.asked
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]


def test_a_write_on_a_rev_is_sent_again() -> None:
    server = Server(httpx.ReadError("x"), answer(200, ITEM))
    assert server.ask(CONDITIONAL) == Done("3")


def test_what_may_have_been_done_the_first_time_stays_so() -> None:
    server = Server(httpx.ReadTimeout("x"), httpx.ConnectError("x"))
    reply = no_reply(server.ask(WRITES["add"], probed=OURS))
    assert (reply.code, reply.reached) == ("offline", True)
    server = Server(httpx.ConnectError("x"))
    assert not no_reply(server.ask(WRITES["add"], probed=OURS)).reached


def test_whoever_waits_may_end_the_request() -> None:
    class Ended(Exception):
        pass

    def sleep(seconds: float) -> None:
        raise Ended

    server = Server(answer(500))
    with pytest.raises(Ended):
        server.ask(ListFacts(PROJECT), sleep=sleep)
    assert len(server.asked) == 1


def test_a_request_waits_five_seconds_for_a_connection_and_thirty_for_an_answer() -> None:
    timeout = sent(ListFacts(PROJECT)).extensions["timeout"]
    assert (timeout["connect"], timeout["read"]) == (5.0, 30.0)


# --- faults of the network ---------------------------------------------------------------------


def every_fault() -> list[type[Exception]]:
    """Each class that httpx raises for what happens outside of this program."""
    found: list[type[Exception]] = []
    waiting: list[type[Exception]] = [
        httpx.HTTPError, httpx.InvalidURL, httpx.CookieConflict, httpx.StreamError,
    ]  # fmt: skip
    while waiting:
        kind = waiting.pop()
        found.append(kind)
        waiting += kind.__subclasses__()
    return sorted({kind for kind in found if kind.__module__ == "httpx"}, key=lambda k: k.__name__)


def test_the_tree_of_faults_is_the_one_that_is_walked() -> None:
    faults = (getattr(httpx, name) for name in dir(httpx))
    named = {kind for kind in faults if isinstance(kind, type) and issubclass(kind, Exception)}
    assert named == set(every_fault())


def made(kind: type[Exception]) -> Exception:
    if kind is httpx.HTTPStatusError:
        request = httpx.Request("GET", "https://x.example")
        return httpx.HTTPStatusError("x", request=request, response=httpx.Response(200))
    own = issubclass(kind, httpx.StreamError) and kind is not httpx.StreamError
    made: Exception = kind() if own else kind("x")
    return made


@pytest.mark.parametrize("kind", every_fault(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("asked", ["facts", "add"])
def test_every_fault_of_the_client_is_a_reply(kind: type[Exception], asked: str) -> None:
    reply = no_reply(ask(EVERYTHING[asked], made(kind)))
    assert reply.code in {"offline", "timeout", "proxy", "broken_reply", "unsendable"}
    assert reply.message.endswith(".")


NEVER_LEFT = {"ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError", "UnsupportedProtocol",
              "LocalProtocolError", "InvalidURL"}  # fmt: skip


@pytest.mark.parametrize("kind", every_fault(), ids=lambda kind: kind.__name__)
def test_only_what_certainly_never_left_is_said_not_to_have(kind: type[Exception]) -> None:
    reply = no_reply(ask(WRITES["add"], made(kind)))
    assert reply.reached is (kind.__name__ not in NEVER_LEFT)


def connecting(cause: Exception) -> httpx.ConnectError:
    problem = httpx.ConnectError(str(cause))
    problem.__cause__ = cause
    return problem


def unverified(code: int) -> ssl.SSLCertVerificationError:
    cause = ssl.SSLCertVerificationError("CERTIFICATE_VERIFY_FAILED")
    cause.verify_code = code
    return cause


@pytest.mark.parametrize(
    ("cause", "code", "says"),
    [
        (unverified(18), "certificate", "SSL_CERT_FILE"),
        (unverified(62), "certificate", "another name"),
        (unverified(10), "certificate", "clock"),
        (ssl.SSLError(1, "WRONG_VERSION_NUMBER"), "certificate", "does not speak TLS"),
        (socket.gaierror(-2, "Name or service not known"), "offline", "no host"),
        (ConnectionRefusedError(111, "refused"), "offline", "Nothing answers"),
        (OSError(113, "No route to host"), "offline", "cannot be reached"),
    ],
    ids=range(7),
)
def test_what_kept_a_connection_away_is_told_with_the_next_step(
    cause: Exception, code: str, says: str
) -> None:
    reply = no_reply(ask(WRITES["add"], connecting(cause)))
    assert (reply.code, reply.reached) == (code, False)
    assert says in reply.message and "memory.example" in reply.message


def test_a_certificate_is_not_tried_again() -> None:
    server = Server(connecting(unverified(18)))
    server.ask(ListFacts(PROJECT))
    assert len(server.asked) == 1


def test_a_connection_that_breaks_in_the_middle_of_an_answer_left_the_request_done() -> None:
    def breaking() -> Iterator[bytes]:
        yield b'{"id":'
        raise httpx.ReadError("x")

    def respond(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=breaking(), headers={"content-type": "application/json"})

    reply = no_reply(ask(WRITES["add"], respond))
    assert (reply.code, reply.reached) == ("offline", True)


# --- the clock ---------------------------------------------------------------------------------


def test_the_servers_clock_is_the_middle_of_its_last_five_dates() -> None:
    seconds = [0, 10, 10, 10, 500, 10, 99]
    server = Server(
        *(answer(200, {"items": []}, Date=f"Mon, 30 Nov 2026 18:{s // 60:02}:{s % 60:02} GMT")
          for s in seconds)
    )  # fmt: skip
    remote = server.remote()
    assert remote.clock_offset() is None
    for _ in seconds:
        remote.ask(ListFacts(PROJECT), epoch=None)
    assert remote.clock_offset() == 10_500


@pytest.mark.parametrize("date", ["", "soon", "Mon, 30 Nov 99999 18:00:00 GMT", "0"])
def test_a_date_that_is_none_tells_nothing(date: str) -> None:
    remote = Server(answer(200, {"items": []}, Date=date)).remote()
    assert remote.ask(ListFacts(PROJECT), epoch=None) == Facts((), None)
    assert remote.clock_offset() is None


# --- who it is ---------------------------------------------------------------------------------

SYNC = {
    "server_id": "srv", "epoch": "e1", "account": "spc_1", "partition": "live", "high": 12,
    "capabilities": {
        "changes": True, "changes_page": 500, "epoch": True, "idempotency_key": True,
        "if_match": True, "if_match_delete": True, "if_none_match": True, "reasons": True,
        "batch": 25, "batch_asked": 100, "batch_if_none_match": True, "fact_batch": True,
        "replaces": True, "telepathy": "later",
    },
}  # fmt: skip


def test_our_own_server_says_who_it_is_and_what_it_can() -> None:
    reply = ask(Identify(), answer(200, SYNC, **EPOCH))
    assert reply == Identity("srv", "spc_1", "live", "e1", OURS, 12)


def test_what_our_own_server_can_is_used_from_then_on() -> None:
    server = Server(answer(200, SYNC), answer(200, {"results": [{"ok": True, "rev": 1}]}))
    remote = server.remote()
    remote.ask(Identify(), epoch=None)
    remote.ask(WRITES["batch"], epoch=None)
    assert server.last.headers["memory-batch"] == "100"


def test_a_capability_that_is_missing_is_not_there() -> None:
    reply = ask(Identify(), answer(200, SYNC | {"capabilities": {"batch": 10}}))
    assert isinstance(reply, Identity)
    assert reply.can == Capabilities(if_match=False, batch=10)


@pytest.mark.parametrize(
    "wrong",
    [
        {"epoch": None}, {"epoch": "a b"}, {"server_id": ""}, {"partition": "maybe"}, {"high": -1},
        {"capabilities": {"if_match": 1}}, {"capabilities": {"batch": 0}}, {"account": ["x"]},
    ],
    ids=str,
)  # fmt: skip
def test_an_identity_that_is_not_whole_is_none(wrong: Any) -> None:
    assert no_reply(ask(Identify(), answer(200, SYNC | wrong))).code == "broken_reply"


def test_an_identity_of_another_epoch_is_one_even_if_only_its_body_says_so() -> None:
    assert ask(Identify(), answer(200, SYNC, **EPOCH), epoch="e1") == Identity(
        "srv", "spc_1", "live", "e1", OURS, 12
    )
    other = answer(200, SYNC | {"epoch": "e2"}, **EPOCH)
    assert ask(Identify(), other, epoch="e1") == OtherEpoch("e2")


ME = {"project": {"id": "prj_1", "isSubAccount": False}, "team": {"id": "t"}, "isTestMode": True}
NONE = refused(404, "memory_not_found")


@pytest.mark.parametrize("status", [400, 404, 405, 422])
def test_a_server_of_the_documented_api_is_known_by_its_host_and_its_project(status: int) -> None:
    server = Server(refused(status, "invalid"), answer(200, ME))
    reply = server.ask(Identify())
    assert isinstance(reply, Identity)
    assert (reply.account, reply.partition, reply.epoch) == ("prj_1", "test", None)
    assert reply.can == DOCUMENTED
    other = Server(NONE, answer(200, ME)).ask(Identify(), url="https://other.example")
    assert isinstance(other, Identity) and other.server != reply.server
    same = Server(NONE, answer(200, ME)).ask(Identify(), url="https://MEMORY.example:443/v1")
    assert isinstance(same, Identity) and same.server == reply.server


def test_where_nothing_says_whose_key_it_is_a_digest_of_it_does() -> None:
    answers = (NONE, NONE, answer(200, {"items": []}))
    reply = ask(Identify(), *answers)
    assert isinstance(reply, Identity)
    assert (reply.partition, reply.epoch) == ("live", None)
    assert KEY not in repr(reply) and "zv_live" not in repr(reply)
    other = ask(Identify(), *answers, key="zv_test_Zz3dEf9hJk2mQx7r")
    assert isinstance(other, Identity)
    assert other.partition == "test" and other.account != reply.account
    again = ask(Identify(), NONE, answer(200, {"id": "me"}), answer(200, {"items": []}))
    assert again == reply


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ([page()], "not_a_memory_api"), ([page(404), page(404), page(404)], "not_a_memory_api"),
        ([NONE, page()], "not_a_memory_api"), ([NONE, NONE, NONE], "not_a_memory_api"),
        ([NONE, NONE, answer(200, {"hello": 1})], "not_a_memory_api"),
        ([NONE, NONE, page()], "not_a_memory_api"), ([answer(200, [])], "broken_reply"),
        ([answer(500)], "server_error"), ([NONE, answer(500)], "server_error"),
    ],
    ids=range(9),
)  # fmt: skip
def test_what_is_no_memory_api_has_no_identity(answers: list[Answer], code: str) -> None:
    assert no_reply(ask(Identify(), *answers)).code == code


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([refused(401, "unauthorized")], Refused.SIGNED_OUT),
        ([NONE, refused(401, "unauthorized")], Refused.SIGNED_OUT),
        ([NONE, refused(403, "forbidden"), refused(403, "forbidden")], Refused.SIGNED_OUT),
        ([refused(429, "rate_limited")], Refused.BUSY),
        ([NONE, refused(503, "memory_unavailable")], Refused.BUSY),
    ],
    ids=range(5),
)
def test_a_key_that_is_not_let_in_has_no_identity(answers: list[Answer], why: Refused) -> None:
    assert refusal(ask(Identify(), *answers)).why is why


def test_a_server_that_had_an_epoch_is_not_taken_for_one_that_has_none() -> None:
    assert no_reply(ask(Identify(), NONE, answer(200, ME), epoch="e1")).code == "broken_reply"


# --- probes ------------------------------------------------------------------------------------


class Documented:
    """A server of the documented API with a mind of its own where that is silent."""

    def __init__(self, **ways: bool) -> None:
        self.ways = ways
        self.items: dict[str, tuple[int, Any]] = {}
        self.facts: dict[str, dict[str, Any]] = {}
        self.known: dict[str, str] = {}
        self.rev = 0
        self.made = False
        self.writes = 0

    def has(self, way: str) -> bool:
        return self.ways.get(way, False)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/v1/memory")
        if request.method in ("PUT", "POST"):
            self.writes += 1
        if path == "":
            return self._facts(request)
        if "/items/" in path:
            return self._item(request, path.rpartition("/")[2])
        if path.endswith("/items"):
            return answer(200, {"items": []}) if self.made else refused(404, "collection_not_found")
        if request.method == "DELETE":
            if path.startswith("/collections/"):
                self.items.clear()
                self.made = False
            else:
                self.facts.pop(path[1:], None)
            return httpx.Response(204)
        return refused(404, "not_found")

    def _item(self, request: httpx.Request, key: str) -> httpx.Response:
        held = self.items.get(key)
        if request.method == "GET":
            return refused(404, "item_not_found") if held is None else self._told(key)
        problem = self._condition(request, held)
        if problem is not None:
            return problem
        if request.method == "DELETE":
            self.items.pop(key, None)
            return httpx.Response(204)
        self.made = True
        self.rev += 1
        self.items[key] = (self.rev, json.loads(request.content)["value"])
        return self._told(key)

    def _condition(self, request: httpx.Request, held: Any) -> httpx.Response | None:
        wanted = request.headers.get("if-match")
        honoured = self.has("if_match_delete" if request.method == "DELETE" else "if_match")
        if wanted is not None and honoured:
            if self.has("bare") == wanted.startswith('"'):
                return refused(409, "revision_conflict")
            if held is None and not self.has("creates"):
                return refused(404, "item_not_found")
            if held is not None and wanted.strip('"') != str(held[0]):
                return refused(412, "precondition_failed")
        if "if-none-match" in request.headers and held and self.has("if_none_match"):
            return refused(409, "revision_conflict")
        return None

    def _told(self, key: str) -> httpx.Response:
        rev, value = self.items[key]
        return answer(200, {"key": key, "rev": rev, "value": value})

    def _facts(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return answer(200, {"items": list(self.facts.values())})
        said, name = json.loads(request.content), request.headers["idempotency-key"]
        if self.has("idempotency") and name in self.known:
            return answer(200, self.facts[self.known[name]])
        if self.has("objects") and name in self.known:
            return refused(422, "idempotency_key_reused")
        id = f"f{len(self.facts)}"
        self.known[name] = id
        self.facts[id] = {"id": id, "text": said["text"]}
        if self.has("echoes"):
            self.facts[id]["metadata"] = said["metadata"]
        return answer(201, self.facts[id])


EVERY = {"if_match": True, "if_match_delete": True, "if_none_match": True, "echoes": True}


@pytest.mark.parametrize(
    ("ways", "can"),
    [
        ({}, Capabilities(if_match=False, echoes_metadata=False, if_match_absent=False)),
        ({"if_match": True, "echoes": True}, DOCUMENTED),
        (EVERY, Capabilities(if_match_delete=True, if_none_match=True)),
        (
            EVERY | {"bare": True},
            Capabilities(if_match_delete=True, if_none_match=True, bare_if_match=True),
        ),
        (
            EVERY | {"idempotency": True},
            Capabilities(if_match_delete=True, if_none_match=True, idempotency=True),
        ),
        (
            EVERY | {"objects": True, "creates": True},
            Capabilities(
                if_match_delete=True, if_none_match=True, idempotency=True, if_match_absent=False
            ),
        ),
    ],
    ids=range(6),
)
def test_what_a_server_can_is_found_out_in_eight_writes_and_nothing_is_left(
    ways: dict[str, bool], can: Capabilities
) -> None:
    documented = Documented(**ways)
    remote = Server(documented).remote()
    assert remote.probe() == can
    assert documented.writes <= 8
    assert not documented.items and not documented.facts and not documented.made


def test_what_was_found_out_is_used_and_told_from_then_on() -> None:
    server = Server(Documented(**EVERY, bare=True))
    remote = server.remote()
    found = remote.probe()
    remote.ask(CONDITIONAL, epoch=None)
    assert server.last.headers["if-match"] == "3"
    assert isinstance(found, Capabilities)
    server = Server(NONE, answer(200, ME))
    known = server.ask(Identify(), probed=found)
    assert isinstance(known, Identity) and known.can == found


def test_a_collection_that_was_there_before_stays() -> None:
    documented = Documented(**EVERY)
    documented.made = True
    documented.items["mine"] = (1, "x")
    assert isinstance(Server(documented).remote().probe(), Capabilities)
    assert list(documented.items) == ["mine"]


def test_our_own_server_is_asked_nothing_for_it_says_so() -> None:
    server = Server(answer(200, SYNC))
    remote = server.remote()
    remote.ask(Identify(), epoch=None)
    assert remote.probe() == OURS
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("put", "reply"),
    [
        (refused(429, "memory_limit_exceeded"), Refused.QUOTA),
        (refused(403, "forbidden"), Refused.SIGNED_OUT),
        (refused(503, "memory_unavailable"), Refused.BUSY),
        (page(), "not_a_memory_api"),
        (answer(500), "server_error"),
        (httpx.ReadTimeout("x"), "timeout"),
    ],
    ids=range(6),
)
def test_what_ends_a_probe_is_told_and_what_it_made_taken_away(
    put: Answer, reply: Refused | str
) -> None:
    documented = Documented(**EVERY)
    asked = 0

    def respond(request: httpx.Request) -> httpx.Response:
        nonlocal asked
        asked += request.method == "PUT"
        if asked != 3 or request.method != "PUT":
            return documented(request)
        if isinstance(put, Exception):
            raise put
        assert isinstance(put, httpx.Response)
        return put

    found = Server(respond).remote().probe()
    assert isinstance(found, NoReply | Refusal)
    assert reply in (getattr(found, "why", None), found.code)
    assert not documented.items and not documented.made


def test_where_another_device_was_in_the_way_nothing_is_concluded() -> None:
    documented = Documented(**EVERY)

    def respond(request: httpx.Request) -> httpx.Response:
        if "if-match" in request.headers:
            documented.items.clear()
        return documented(request)

    found = Server(respond).remote().probe()
    assert isinstance(found, NoReply) and found.code == "broken_reply"


# --- on real sockets ---------------------------------------------------------------------------


class Listener(socketserver.ThreadingTCPServer):
    """Counts connections; each is answered by what it was given, which may close it."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(
        self, answers: Callable[[int], bytes], *, close: bool = False, at_once: bool = False
    ) -> None:
        """`at_once`: also what has no lines is answered."""
        self.connections = 0
        listener = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                listener.connections += 1
                if at_once:
                    self.request.recv(1)
                    self.wfile.write(answers(listener.connections))
                    return
                while line := self.rfile.readline():
                    if line != b"\r\n":
                        continue
                    self.wfile.write(answers(listener.connections))
                    if close:
                        return

        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@pytest.fixture
def listen() -> Iterator[Callable[..., Listener]]:
    opened: list[Listener] = []

    def start(answers: Callable[[int], bytes], **options: bool) -> Listener:
        listener = Listener(answers, **options)
        threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True).start()
        opened.append(listener)
        return listener

    yield start
    for listener in opened:
        listener.shutdown()
        listener.server_close()


@pytest.fixture
def real() -> Iterator[Callable[[str], HttpRemote]]:
    made: list[HttpRemote] = []

    def make(url: str) -> HttpRemote:
        remote = HttpRemote(url, KEY, sleep=lambda _: None, now=FixedClock(), jitter=lambda: 0.5)
        made.append(remote)
        return remote

    yield make
    for remote in made:
        remote.close()


Listen = Callable[..., Listener]
Real = Callable[[str], HttpRemote]


def raw(body: bytes, length: int | None = None) -> bytes:
    told = len(body) if length is None else length
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {told}\r\n\r\n"
    return head.encode() + body


def test_one_connection_is_kept_for_all_requests(listen: Listen, real: Real) -> None:
    listener = listen(lambda _: raw(EMPTY))
    remote = real(listener.url)
    for _ in range(5):
        assert remote.ask(ListFacts(PROJECT), epoch=None) == Facts((), None)
    assert (listener.connections, remote.requests()) == (1, 5)


def test_a_reply_that_is_cut_off_is_asked_for_again(listen: Listen, real: Real) -> None:
    def answers(connection: int) -> bytes:
        return raw(EMPTY, 50) if connection < 3 else raw(EMPTY)

    remote = real(listen(answers, close=True).url)
    assert remote.ask(ListFacts(PROJECT), epoch=None) == Facts((), None)
    assert remote.requests() == 3


@pytest.mark.parametrize(
    "said",
    [b"", b"SSH-2.0-x\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", b"\0" * 99_999,
     b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 99_999],
    ids=range(5),
)  # fmt: skip
def test_what_is_no_http_is_a_connection_that_broke(
    said: bytes, listen: Listen, real: Real
) -> None:
    remote = real(listen(lambda _: said, close=True).url)
    reply = no_reply(remote.ask(WRITES["add"], epoch=None))
    assert (reply.code, reply.reached) == ("offline", True)


def test_where_nothing_listens_the_request_never_left(real: Real) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    reply = no_reply(real(f"http://127.0.0.1:{port}").ask(WRITES["add"], epoch=None))
    assert (reply.code, reply.reached) == ("offline", False)
    assert "Nothing answers" in reply.message


def test_a_server_without_tls_is_told_from_one_that_is_not_there(
    listen: Listen, real: Real
) -> None:
    url = listen(lambda _: b"HTTP/1.1 400 Bad Request\r\n\r\n", at_once=True).url
    remote = real(url.replace("http://", "https://"))
    reply = no_reply(remote.ask(WRITES["add"], epoch=None))
    assert (reply.code, reply.reached) == ("certificate", False)
    assert "does not speak TLS" in reply.message


def test_a_remote_closes_only_the_client_it_made() -> None:
    client = httpx.Client(transport=httpx.MockTransport(lambda request: answer(200)))
    options: dict[str, Any] = {"sleep": lambda _: None, "now": FixedClock(), "jitter": lambda: 0.0}
    HttpRemote("https://memory.example", KEY, client=client, **options).close()
    assert not client.is_closed
    remote = HttpRemote("http://127.0.0.1:8420", KEY, **options)
    remote.close()
    assert remote._exchange._client.is_closed
