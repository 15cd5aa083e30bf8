"""Over a raw socket: slow, broken and huge requests, and what the connection is good for after."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from uvicorn.server import ServerState

from localmem.server import inputs, protocol
from localmem.server.main import Options, config_of
from localmem.server.protocol import PatientProtocol
from tests.server.conftest import Server

HEAD = b"POST /v1/memory HTTP/1.1\r\nHost: localhost\r\n"
SOON = 0.05
"""Instead of the real patience."""
LONG = 3_600.0


@dataclass(slots=True)
class Wire:
    """One connection, byte by byte."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    credential: bytes

    async def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()

    async def post(self, body: bytes, *, type: bytes = b"application/json") -> tuple[int, dict]:
        await self.send(
            HEAD + self.credential + b"Content-Type: " + type + b"\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body) + body
        )
        return await self.answer()

    async def answer(self) -> tuple[int, dict]:
        """The status and the body of the next reply."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        length = next(int(line.split(b":")[1]) for line in head.lower().splitlines()
                      if line.startswith(b"content-length"))  # fmt: skip
        return status, json.loads(await self.reader.readexactly(length) or b"null")

    async def ended(self) -> bool:
        """Waits for the other side to close; whether it said nothing more."""
        try:
            return await self.reader.read() == b""
        except ConnectionResetError:
            return True


Connect = Callable[..., Awaitable[Wire]]


@pytest.fixture
async def connect(server: Server, tmp_path: Path) -> AsyncIterator[Connect]:
    """Connects to the app over a socket; `head` and `read` are the seconds it is patient."""
    turned_away = server.services.metrics.turn_away
    app = server.client._transport.app  # type: ignore[attr-defined]
    config = config_of(app, Options(tmp_path), turned_away)
    config.load()
    listening: list[asyncio.Server] = []
    wires: list[Wire] = []

    state = ServerState()

    async def start(
        *, head: float = LONG, read: float = LONG, buffer: int = 0, most: int = 100
    ) -> Wire:
        class Patient(PatientProtocol):
            head_seconds, read_seconds, most_connections = head, read, most

        loop = asyncio.get_running_loop()
        made = await loop.create_server(
            lambda: Patient(config, state, {}, loop, turned_away=turned_away), "127.0.0.1", 0
        )
        listening.append(made)
        ours = socket.socket()
        if buffer:
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        ours.setblocking(False)
        await loop.sock_connect(ours, made.sockets[0].getsockname())
        reader, writer = await asyncio.open_connection(sock=ours, limit=1 << 16)
        wire = Wire(reader, writer, f"Authorization: Bearer {server.key}\r\n".encode())
        wires.append(wire)
        return wire

    yield start
    for wire in wires:
        wire.writer.close()
    for each in listening:
        each.close()


async def test_a_head_that_never_ends_is_cut_off(connect: Connect) -> None:
    wire = await connect(head=SOON)
    await wire.send(HEAD)
    assert await wire.ended()


async def test_a_connection_that_says_nothing_is_cut_off(connect: Connect) -> None:
    assert await (await connect(head=SOON)).ended()


async def test_a_second_head_that_never_ends_is_cut_off_too(connect: Connect) -> None:
    wire = await connect(head=SOON)
    status, _ = await wire.post(b'{"text": "Has two cats."}')
    assert status == 201
    await wire.send(b"GET /health HTTP/1.1\r\n", b"Host: loc")
    assert await wire.ended()


async def test_a_body_that_trickles_is_answered_and_the_connection_ended(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    monkeypatch.setattr(inputs, "BODY_SECONDS", SOON)
    wire = await connect(head=SOON)
    await wire.send(HEAD + wire.credential + b"Content-Length: 30\r\n\r\n", b'{"text"', b": ")
    status, told = await wire.answer()
    assert (status, told["code"]) == (400, "invalid_request")
    await wire.send(b'"Has')
    assert await wire.ended()
    assert await server.texts() == []


async def test_a_refused_request_may_not_trickle_its_body_for_ever(connect: Connect) -> None:
    wire = await connect(head=SOON)
    await wire.send(HEAD + b"Content-Length: 30\r\n\r\n")
    assert (await wire.answer())[0] == 401
    await wire.send(b"1", b"2")
    assert await wire.ended()


async def test_a_client_that_reads_nothing_is_cut_off(
    connect: Connect, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = {"value": "x" * 150_000}
    for number in range(30):
        answer = await server.put(f"/v1/memory/collections/big/items/k{number}", large)
        assert answer.status_code == 200, answer.text
    wire = await connect(read=SOON, buffer=4_096)
    wire.writer.transport.pause_reading()
    aborted = asyncio.Event()
    abort = asyncio.selector_events._SelectorSocketTransport.abort  # type: ignore[attr-defined]

    def seen(transport: asyncio.Transport) -> None:
        aborted.set()
        abort(transport)

    monkeypatch.setattr(asyncio.selector_events._SelectorSocketTransport, "abort", seen)  # type: ignore[attr-defined]
    await wire.send(b"GET /v1/memory/collections/big/items HTTP/1.1\r\nHost: localhost\r\n"
                    + wire.credential + b"\r\n")  # fmt: skip
    await aborted.wait()


async def test_a_slow_reader_that_goes_on_reading_gets_everything(
    connect: Connect, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "READ_STEP", 1)
    large = {"value": "x" * 150_000}
    for number in range(20):
        await server.put(f"/v1/memory/collections/big/items/k{number}", large)
    wire = await connect(read=LONG, buffer=4_096)
    await wire.send(b"GET /v1/memory/collections/big/items HTTP/1.1\r\nHost: localhost\r\n"
                    + wire.credential + b"\r\n")  # fmt: skip
    status, told = await wire.answer()
    assert status == 200 and len(told["items"]) == 20


BROKEN = [
    (b"", 400, "invalid_request"),
    (b"{", 400, "invalid_request"),
    (b"[]", 400, "invalid_request"),
    (b"null", 400, "invalid_request"),
    (b'{"text": "a"} x', 400, "invalid_request"),
    (b'{"text": NaN}', 400, "invalid_request"),
    (b'{"text": "a", "metadata": {"n": Infinity}}', 400, "invalid_request"),
    (b'{"text": "a", "text": "b"}', 400, "invalid_request"),
    (b'{"text": "\xff\xfe"}', 400, "invalid_request"),
    (b'{"text": "a\\ud800"}', 400, "invalid_request"),
    (b'{"text": "a", "ttlSeconds": ' + b"9" * 5_000 + b"}", 400, "invalid_request"),
    (b'{"text": ' + b"[" * 30_000 + b"]" * 30_000 + b"}", 400, "document_too_deep"),
    (b"[" * 50_000, 400, "document_too_deep"),
    (b'{"text": "' + b"x" * 10_000_000 + b'"}', 400, "invalid_request"),
]


async def test_after_every_broken_body_the_connection_goes_on(
    connect: Connect, server: Server
) -> None:
    wire = await connect()
    for body, status, code in BROKEN:
        told = await wire.post(body)
        assert (told[0], told[1]["code"]) == (status, code), body[:60]
        assert told[1]["message"].endswith(".") and len(told[1]["message"]) < 300
    assert await server.texts() == []
    assert (await wire.post(b'{"text": "Has two cats."}'))[0] == 201


async def test_a_document_of_a_hundred_thousand_levels_is_too_deep(
    connect: Connect, server: Server
) -> None:
    wire = await connect()
    body = b'{"value": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    await wire.send(
        b"PUT /v1/memory/collections/deep/items/k HTTP/1.1\r\nHost: localhost\r\n"
        + wire.credential
        + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
        + body
    )
    status, told = await wire.answer()
    assert (status, told["code"]) == (400, "document_too_deep")
    assert (await wire.post(b'{"text": "Has two cats."}'))[0] == 201


@pytest.mark.parametrize(
    "type",
    [b"text/plain", b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=x",
     b"application/xml", b"application/jsonp", b""],
)  # fmt: skip
async def test_what_is_not_said_to_be_json_is_refused(
    connect: Connect, server: Server, type: bytes
) -> None:
    status, told = await (await connect()).post(b'{"text": "Has two cats."}', type=type)
    assert (status, told["code"]) == (400, "invalid_request")
    assert await server.texts() == []


async def test_json_with_a_charset_is_json(connect: Connect) -> None:
    wire = await connect()
    assert (await wire.post(b'{"text": "A."}', type=b"application/json; charset=utf-8"))[0] == 201


@pytest.mark.parametrize(
    "sent",
    [
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 TLS to a port without it\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 400_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 400_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        HEAD + b"Content-Length: -1\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nnot a length\r\n",
    ],
    ids=lambda sent: repr(sent[:20]),
)
async def test_what_is_no_http_is_told_so_as_json_and_ended(connect: Connect, sent: bytes) -> None:
    wire = await connect()
    await wire.send(sent)
    status, told = await wire.answer()
    assert (status, told["code"]) in ((400, "invalid_request"), (401, "unauthorized"))
    assert await wire.ended()


async def test_a_length_and_chunks_at_once_smuggle_nothing(
    connect: Connect, server: Server
) -> None:
    wire = await connect()
    await wire.send(
        HEAD + wire.credential + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"0\r\n\r\nPOST /v1/memory HTTP/1.1\r\nHost: localhost\r\n" + wire.credential
        + b"Content-Length: 18\r\n\r\n" + b'{"text": "Smuggle"}'
    )  # fmt: skip
    status, _ = await wire.answer()
    assert status == 400
    assert await server.texts() == []


async def test_one_connection_too_many_is_refused_in_words_and_keeps_nobody_out(
    connect: Connect, server: Server
) -> None:
    """It holds no file, so what the others ask can still be opened."""
    first = await connect(most=1)
    assert (await first.post(b'{"text": "Has two cats."}'))[0] == 201
    second = await connect(most=1)
    status, body = await second.answer()
    assert (status, body["code"]) == (503, "too_many_connections")
    assert await second.ended()
    assert (await first.post(b'{"text": "Has a dog."}'))[0] == 201
    counted = server.services.metrics.text().decode()
    assert 'localmem_refusals_total{code="too_many_connections"} 1.0' in counted
