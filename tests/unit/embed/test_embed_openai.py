"""An endpoint that answers anything: the good answer is used, every other one is refused in words.

No network: httpx.MockTransport stands in for the endpoint.
"""

from __future__ import annotations

import json
import struct
import traceback
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from localmem.embed import openai
from localmem.embed.openai import OpenAIEmbedder, connect
from localmem.errors import InvalidInput, ModelUnavailable

BASE = "http://localhost:11434/v1"
KEY = "sk-very-secret-0123456789"

Handler = Callable[[httpx.Request], httpx.Response]


def vector_of(text: str) -> list[float]:
    """Distinct for texts of distinct length, and not of length one."""
    return [float(len(text)), 3.0, 4.0]


def answer_to(request: httpx.Request, **changes: Any) -> dict[str, Any]:
    texts = json.loads(request.content)["input"]
    data = [
        {"object": "embedding", "index": i, "embedding": vector_of(text)}
        for i, text in enumerate(texts)
    ]
    return {"object": "list", "model": "nomic", "data": data} | changes


def sound(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json=answer_to(request))


def connected(handler: Handler, **arguments: Any) -> OpenAIEmbedder:
    return connect("nomic", BASE, transport=httpx.MockTransport(handler), **arguments)


def after_first(handler: Handler) -> Handler:
    """Sound for the request that learns the dimension, `handler` from then on."""
    seen: list[httpx.Request] = []

    def switch(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return sound(request) if len(seen) == 1 else handler(request)

    return switch


def refusal(handler: Handler, **arguments: Any) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as caught:
        connected(handler, **arguments)
    return caught.value


def test_the_question_goes_to_the_embeddings_path_with_model_and_key() -> None:
    seen: list[httpx.Request] = []

    def record(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return sound(request)

    connected(record, api_key=KEY).embed(["olá"])
    assert str(seen[-1].url) == f"{BASE}/embeddings"
    assert seen[-1].headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(seen[-1].content) == {
        "model": "nomic",
        "input": ["olá"],
        "encoding_format": "float",
    }


def test_no_key_means_no_authorization_header() -> None:
    def check(request: httpx.Request) -> httpx.Response:
        assert "authorization" not in request.headers
        return sound(request)

    connected(check).embed(["hello"])


def test_vectors_come_back_with_length_one_in_the_order_of_the_texts() -> None:
    def reversed_answer(request: httpx.Request) -> httpx.Response:
        answer = answer_to(request)
        answer["data"].reverse()
        return httpx.Response(200, json=answer)

    first, second = connected(reversed_answer).embed(["", "x" * 12])
    assert struct.unpack("<3f", first) == pytest.approx([1 / 26**0.5, 3 / 26**0.5, 4 / 26**0.5])
    assert struct.unpack("<3f", second) == pytest.approx([12 / 13, 3 / 13, 4 / 13])


def test_vectors_without_an_index_are_taken_in_order() -> None:
    def bare(request: httpx.Request) -> httpx.Response:
        answer = answer_to(request)
        for entry in answer["data"]:
            del entry["index"]
        return httpx.Response(200, json=answer)

    texts = ["a", "bb", "ccc"]
    assert connected(bare).embed(texts) == connected(sound).embed(texts)


def test_many_texts_are_asked_for_64_at_a_time() -> None:
    sizes: list[int] = []

    def record(request: httpx.Request) -> httpx.Response:
        sizes.append(len(json.loads(request.content)["input"]))
        return sound(request)

    texts = ["x" * i for i in range(1, 151)]
    vectors = connected(record).embed(texts)
    assert sizes == [1, 64, 64, 22]
    assert len(set(vectors)) == 150


def test_no_texts_ask_nothing() -> None:
    def blow_up(_: httpx.Request) -> httpx.Response:
        raise AssertionError("asked for nothing")

    assert connected(after_first(blow_up)).embed([]) == []


def test_blank_texts_and_lone_surrogates_do_not_spoil_their_batch() -> None:
    def strict(request: httpx.Request) -> httpx.Response:
        assert all(text.strip() for text in json.loads(request.content)["input"])
        return sound(request)

    assert len(connected(strict).embed(["", " \n", "\ud83d", "tea"])) == 4


def test_the_identity_holds_the_name_asked_for_the_name_reported_and_the_dimension() -> None:
    def reports(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=answer_to(request, model="nomic:v1.5"))

    model = connected(reports).model
    assert (model.name, model.version, model.dimensions) == ("openai:nomic", "nomic:v1.5", 3)


@pytest.mark.parametrize("reported", [None, "", 7, "a\x1b[31mb", "x" * 201], ids=repr)
def test_a_reported_name_that_is_none_gives_way_to_the_name_asked_for(reported: object) -> None:
    def reports(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=answer_to(request, model=reported))

    assert connected(reports).model.version == "nomic"


@pytest.mark.parametrize(
    ("failure", "said", "advice"),
    [
        (httpx.ConnectError("refused"), "cannot be reached", "Check that it is running"),
        (
            httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate"),
            "has a certificate that nobody trusted here has signed",
            "set SSL_CERT_FILE",
        ),
        (httpx.ConnectTimeout("slow"), "did not answer in time", "raise the timeout"),
        (httpx.ReadTimeout("slow"), "did not answer in time", "raise the timeout"),
        (httpx.RemoteProtocolError("cut"), "broke off", "Try again"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_failing_connection_is_told_in_words(
    failure: httpx.HTTPError, said: str, advice: str
) -> None:
    def fail(_: httpx.Request) -> httpx.Response:
        raise failure

    error = refusal(fail)
    assert said in error.message
    assert advice in error.hint


@pytest.mark.parametrize(
    ("status", "said", "advice"),
    [
        (302, "sends elsewhere", "redirects to"),
        (400, "refuses the texts", "one for embeddings"),
        (401, "refuses the key", "Set a valid API key"),
        (403, "refuses the key", "Set a valid API key"),
        (404, 'no model "nomic"', "ollama pull nomic"),
        (418, "refuses the request", "/v1"),
        (429, "too often", "Wait"),
        (500, "failed", "Try again"),
        (503, "failed", "Try again"),
    ],
)
def test_a_refusing_status_is_told_in_words(status: int, said: str, advice: str) -> None:
    headers = {"location": "http://elsewhere.example/v1/embeddings"}
    error = refusal(lambda _: httpx.Response(status, headers=headers, json={"error": "no"}))
    assert said in error.message
    assert str(status) in error.message
    assert advice in error.hint


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><html>Welcome</html>",
        b"",
        b"\xff\xfe\x00",
        b"[" * 200_000,
        b"null",
        b"[]",
        b'{"data": {}}',
        b'{"embeddings": [[1, 2]]}',
        b'{"data": [7]}',
    ],
    ids=["html", "empty", "bytes", "deep", "null", "list", "mapping", "other api", "number"],
)
def test_an_answer_that_holds_no_embeddings_points_at_the_address(body: bytes) -> None:
    error = refusal(lambda _: httpx.Response(200, content=body))
    assert "does not answer" in error.message
    assert "/v1" in error.hint


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("[]", "1 texts with 0 vectors"),
        ('[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}]', "1 texts with 2 vectors"),
        ('[{"index":1,"embedding":[1]}]', "numbers its vectors wrongly"),
        ('[{"index":-1,"embedding":[1]}]', "numbers its vectors wrongly"),
        ('[{"index":false,"embedding":[1]}]', "numbers its vectors wrongly"),
        ('[{"index":null,"embedding":[1]}]', "numbers its vectors wrongly"),
        ('[{"index":0}]', "not a list of numbers"),
        ('[{"index":0,"embedding":[]}]', "not a list of numbers"),
        ('[{"index":0,"embedding":"AACAPw=="}]', "not a list of numbers"),
        ('[{"index":0,"embedding":["1"]}]', "not a number"),
        ('[{"index":0,"embedding":[true]}]', "not a number"),
        ('[{"index":0,"embedding":[NaN]}]', "not finite"),
        ('[{"index":0,"embedding":[Infinity]}]', "not finite"),
        ('[{"index":0,"embedding":[1e999]}]', "not finite"),
        ('[{"index":0,"embedding":[0,0]}]', "all zeros"),
    ],
)
def test_every_field_of_the_answer_is_checked(data: str, said: str) -> None:
    error = refusal(lambda _: httpx.Response(200, text=f'{{"model":"nomic","data":{data}}}'))
    assert said in error.message
    assert error.hint


def test_two_vectors_for_one_text_are_refused() -> None:
    def twice(request: httpx.Request) -> httpx.Response:
        answer = answer_to(request)
        answer["data"][1]["index"] = 0
        return httpx.Response(200, json=answer)

    with pytest.raises(ModelUnavailable, match="numbers its vectors wrongly"):
        connected(after_first(twice)).embed(["a", "b"])


def test_a_changed_dimension_is_refused() -> None:
    def wider(request: httpx.Request) -> httpx.Response:
        answer = answer_to(request)
        answer["data"][-1]["embedding"].append(1.0)
        return httpx.Response(200, json=answer)

    with pytest.raises(ModelUnavailable, match="4 numbers instead of 3"):
        connected(after_first(wider)).embed(["a", "b"])


def test_an_endless_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "MAX_ANSWER_BYTES", 1000)
    error = refusal(lambda _: httpx.Response(200, content=b" " * 1001))
    assert "far more than vectors" in error.message


@pytest.mark.parametrize(
    "handler",
    [
        lambda _: httpx.Response(401, json={"error": f"Incorrect API key provided: {KEY}"}),
        lambda _: httpx.Response(404, text=f"no such model for {KEY}"),
        lambda _: httpx.Response(500, text=KEY),
        lambda _: httpx.Response(200, text=KEY),
        lambda request: httpx.Response(200, json={"data": [{"embedding": [KEY]}]}),
    ],
    ids=["401", "404", "500", "body", "vector"],
)
def test_the_key_is_in_no_message_and_no_traceback(handler: Handler) -> None:
    error = refusal(handler, api_key=KEY)
    assert KEY not in str(error) + repr(error) + repr(error.details)
    assert KEY not in "".join(traceback.format_exception(error))


@pytest.mark.parametrize("key", ["sk-a\nb", "sk a", "sk-é", "sk-\x00"])
def test_a_key_that_fits_no_header_is_refused_without_being_shown(key: str) -> None:
    error = refusal(sound, api_key=key)
    assert key not in str(error)
    assert "Copy the key again" in error.hint


@pytest.mark.parametrize(
    "address",
    [
        "localhost:11434/v1",
        "ftp://localhost/v1",
        "http://",
        "http://[::1/v1",
        "http://user:hunter2@localhost/v1",
        "http://localhost/v1?key=hunter2",
        "http://localhost/v1#hunter2",
        "http://local\nhost/v1",
    ],
)
def test_an_address_that_cannot_be_one_is_refused_without_being_shown(address: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        connect("nomic", address, transport=httpx.MockTransport(sound))
    assert "hunter2" not in str(caught.value)
    assert "http://localhost:11434/v1" in caught.value.hint


def test_a_trailing_slash_of_the_address_does_not_matter() -> None:
    def check(request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/v1/embeddings"
        return sound(request)

    connect("nomic", f"{BASE}/", transport=httpx.MockTransport(check)).close()


def test_the_certificates_and_proxies_of_a_company_are_those_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """FR-151: one setting, the same for every program; switching the check off is no advice."""
    made: list[bool] = []
    real = httpx.Client

    def client(**options: object) -> httpx.Client:
        made.append(bool(options.get("trust_env", True)) and options.get("verify", True) is True)
        return real(**options)  # type: ignore[arg-type]

    monkeypatch.setattr(httpx, "Client", client)
    connect("nomic", BASE, transport=httpx.MockTransport(sound)).close()
    assert made == [True]
