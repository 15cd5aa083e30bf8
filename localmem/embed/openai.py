"""An OpenAI-compatible `/embeddings` endpoint: Ollama, LM Studio, vLLM, hosted services.

Why: a person with a larger model at hand should be able to use it. What the endpoint answers is
never believed: status, size, JSON, count, order, dimension and every number are checked, and each
failure becomes one ModelUnavailable that says what to do.

The key goes into one header and nowhere else: no message repeats it, nor the body of an answer
(services quote keys back), nor the exception underneath. Proxies, redirects and credentials of
the environment are not used: a person's texts go to the address they wrote, or nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import httpx

from localmem.core.records import Model
from localmem.embed.text import encodable
from localmem.embed.vectors import dimensions, unit
from localmem.errors import InvalidInput, ModelUnavailable

BATCH = 64
"""Texts in one request."""
MAX_ANSWER_BYTES = 64 * 1024 * 1024
"""64 vectors of 16,384 numbers written out in full stay below it."""

_PROBE = "dimension"
_BLANK = "."  # services refuse an empty text, and with it the whole batch
_LONGEST_REPORTED_NAME = 200


class OpenAIEmbedder:
    """`core.ports.Embedder` over HTTP; made by `connect`."""

    __slots__ = ("_client", "_endpoint", "_model", "_model_name")

    def __init__(self, client: httpx.Client, endpoint: str, model_name: str) -> None:
        self._client = client
        self._endpoint = endpoint
        self._model_name = model_name
        answer = self._ask([_PROBE])
        (vector,) = self._vectors(answer, 1)
        version = _reported_name(answer) or model_name
        self._model = Model(f"openai:{model_name}", version, dimensions(vector))

    @property
    def model(self) -> Model:
        return self._model

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One unit vector per text, asked for in batches of 64; all of them or ModelUnavailable."""
        vectors: list[bytes] = []
        for start in range(0, len(texts), BATCH):
            batch = [encodable(text) if text.strip() else _BLANK for text in texts[start:][:BATCH]]
            vectors += self._vectors(self._ask(batch), len(batch))
        for vector in vectors:
            self._check_dimensions(vector)
        return vectors

    def embed_question(self, text: str) -> bytes:
        return self.embed([text])[0]

    def close(self) -> None:
        self._client.close()

    def _ask(self, texts: list[str]) -> object:
        question = {"model": self._model_name, "input": texts, "encoding_format": "float"}
        try:
            with self._client.stream("POST", self._endpoint, json=question) as response:
                self._check_status(response.status_code)
                body = self._read(response)
        except httpx.TimeoutException:
            raise self._failed(
                "did not answer in time",
                "A model may still be loading: try again, or raise the timeout.",
            ) from None
        except httpx.ConnectError as problem:
            what, hint = _UNTRUSTED if "CERTIFICATE_VERIFY" in str(problem) else _UNREACHABLE
            raise self._failed(what, hint) from None
        except httpx.HTTPError:
            raise self._failed("broke off its answer", "Try again.") from None
        try:
            answer: object = json.loads(body)
        except (ValueError, RecursionError):
            raise self._failed("does not answer in JSON", _CHECK_ADDRESS) from None
        return answer

    def _read(self, response: httpx.Response) -> bytes:
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            if len(body) > MAX_ANSWER_BYTES:
                raise self._failed("answers with far more than vectors", _CHECK_ADDRESS)
        return bytes(body)

    def _check_status(self, status: int) -> None:
        if 200 <= status < 300:
            return
        if status == 404:
            raise self._failed(
                f'has no model "{self._model_name}", or is not an embeddings endpoint (404)',
                f"Install the model (Ollama: ollama pull {self._model_name}). {_CHECK_ADDRESS}",
            )
        what, hint = _REFUSALS.get(status, _SERVER_FAILURE if status >= 500 else _OTHER_REFUSAL)
        if 300 <= status < 400:
            what, hint = _REDIRECT
        raise self._failed(f"{what} ({status})", hint)

    def _vectors(self, answer: object, count: int) -> list[bytes]:
        """The vectors of an answer in the order of the question."""
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, list):
            raise self._failed("does not answer with embeddings", _CHECK_ADDRESS)
        if len(data) != count:
            raise self._failed(f"answered {count} texts with {len(data)} vectors", _CHECK_SERVER)
        placed: dict[int, bytes] = {}
        for position, entry in enumerate(data):
            index, vector = self._entry(position, entry)
            placed[index] = vector
        if placed.keys() != set(range(count)):
            raise self._failed("numbers its vectors wrongly", _CHECK_SERVER)
        return [placed[index] for index in range(count)]

    def _entry(self, position: int, entry: object) -> tuple[int, bytes]:
        if not isinstance(entry, dict):
            raise self._failed("does not answer with embeddings", _CHECK_ADDRESS)
        index = entry.get("index", position)  # some servers leave it out and keep the order
        if type(index) is not int:
            raise self._failed("numbers its vectors wrongly", _CHECK_SERVER)
        try:
            return index, unit(entry.get("embedding"))
        except ValueError as reason:
            raise self._failed(f"answered with a vector that {reason}", _CHECK_SERVER) from None

    def _check_dimensions(self, vector: bytes) -> None:
        if dimensions(vector) != self._model.dimensions:
            raise self._failed(
                f"now answers with {dimensions(vector)} numbers instead of "
                f"{self._model.dimensions}: the model behind it has changed",
                "Start localmem again, so that everything is embedded anew with that model.",
            )

    def _failed(self, what: str, hint: str) -> ModelUnavailable:
        return ModelUnavailable(f"The embeddings endpoint {self._endpoint} {what}.", hint=hint)


_UNREACHABLE = ("cannot be reached", "Check that it is running and that the address is right.")
_UNTRUSTED = (
    "has a certificate that nobody trusted here has signed",
    "Behind a company's proxy set SSL_CERT_FILE to the file with the company's own certificate.",
)
_CHECK_ADDRESS = "Check the base address: it usually ends in /v1."
_CHECK_SERVER = "Update the server, or choose another model or endpoint."
_REDIRECT = ("sends elsewhere", "Set the address it redirects to as the base address.")
_SERVER_FAILURE = ("failed", "Try again; its own log says more.")
_OTHER_REFUSAL = ("refuses the request", _CHECK_ADDRESS)
_REFUSED_TEXT = (
    "refuses the texts",
    "Check that the model is one for embeddings and takes texts this long.",
)
_REFUSED_KEY = ("refuses the key", "Set a valid API key for this endpoint.")
_REFUSALS = {
    400: _REFUSED_TEXT,
    401: _REFUSED_KEY,
    402: ("asks for payment", "Check the account behind the API key."),
    403: _REFUSED_KEY,
    405: _OTHER_REFUSAL,
    413: _REFUSED_TEXT,
    422: _REFUSED_TEXT,
    429: ("is asked too often", "Wait a little, or check the quota of the account."),
}


def connect(
    model_name: str,
    base_url: str,
    *,
    api_key: str | None = None,
    timeout: float = 30.0,
    transport: httpx.BaseTransport | None = None,
) -> OpenAIEmbedder:
    """The endpoint under `base_url`, after one request that learns the model's dimension.

    `timeout` is in seconds, for each wait on the network. `transport` replaces the network.
    Raises InvalidInput for an address that cannot be one, ModelUnavailable when no usable
    answer comes.

    Proxies (HTTPS_PROXY, NO_PROXY) and SSL_CERT_FILE are taken from the environment, as every
    program behind a company's proxy must (FR-151).
    """
    endpoint = f"{_checked_address(base_url)}/embeddings"
    client = httpx.Client(headers=_authorization(api_key), timeout=timeout, transport=transport)
    try:
        return OpenAIEmbedder(client, endpoint, model_name)
    except ModelUnavailable:
        client.close()
        raise


def _checked_address(base_url: str) -> str:
    """`base_url` without a trailing slash; never quoted when refused, it may hold a password."""
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        raise _bad_address("is not an address") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise _bad_address("does not start with http:// or https:// and a host")
    if url.userinfo or url.query or url.fragment:
        raise _bad_address("holds a user, a query or a fragment")
    return str(url).rstrip("/")


def _bad_address(what: str) -> InvalidInput:
    return InvalidInput(
        f"The base address of the embeddings endpoint {what}.",
        hint='Write it as "http://localhost:11434/v1" and give a key separately.',
    )


def _authorization(api_key: str | None) -> dict[str, str]:
    if not api_key:
        return {}
    if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
        raise ModelUnavailable(
            "The API key of the embeddings endpoint holds characters that no key has.",
            hint="Copy the key again, without spaces or line breaks.",
        )
    return {"Authorization": f"Bearer {api_key}"}


def _reported_name(answer: object) -> str | None:
    """The model's name as the server gives it, when that is a name."""
    name = answer.get("model") if isinstance(answer, dict) else None
    if isinstance(name, str) and name.isprintable() and 0 < len(name) <= _LONGEST_REPORTED_NAME:
        return name
    return None
