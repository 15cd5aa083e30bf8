"""A server as a process of its own: it says where it listens, and a stop or kill loses nothing."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

import httpx
import pytest

from tests.server.conftest import StartProcess


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_what_was_acknowledged_is_there_after_the_next_start(
    start_process: StartProcess, stop: signal.Signals
) -> None:
    first = start_process()
    headers = {"Authorization": f"Bearer {first.new_key()}"}
    with httpx.Client(base_url=first.url, headers=headers) as client:
        for number in range(20):
            answer = client.post("/v1/memory", json={"text": f"Fact number {number}."})
            assert answer.status_code == 201
        first.running.send_signal(stop)
    first.running.wait(30)
    second = start_process()
    with httpx.Client(base_url=second.url, headers=headers) as client:
        kept = client.get("/v1/memory?limit=100").json()["items"]
        units = client.get("/v1/memory/usage").json()["units"]["used"]
    assert [item["text"] for item in kept] == [f"Fact number {n}." for n in range(19, -1, -1)]
    if stop is not signal.SIGKILL:
        assert units == 20 * 5 + 1  # the list just now


def test_a_port_in_use_is_a_sentence(start_process: StartProcess) -> None:
    first = start_process()
    port = first.url.rpartition(":")[2]
    with pytest.raises(AssertionError, match="Cannot listen on"):
        start_process("--port", port)


def test_ten_megabytes_are_answered_and_the_connection_goes_on(start_process: StartProcess) -> None:
    server = start_process()
    headers = {"Authorization": f"Bearer {server.new_key()}", "Content-Type": "application/json"}
    with httpx.Client(base_url=server.url, headers=headers) as client:
        for _ in range(3):
            answer = client.post("/v1/memory", content=b" " * 10_000_000)
            assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
            assert "connection" not in answer.headers
        assert client.post("/v1/memory", json={"text": "Has two cats."}).status_code == 201


@pytest.mark.parametrize("known", [True, False])
def test_a_body_without_end_ends_the_connection(start_process: StartProcess, known: bool) -> None:
    server = start_process()
    credential = server.new_key() if known else "nobody"
    headers = {"Authorization": f"Bearer {credential}", "Content-Type": "application/json"}
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 1 << 30:
            sent += 1 << 16
            yield b" " * (1 << 16)

    with (
        httpx.Client(base_url=server.url, headers=headers) as client,
        contextlib.suppress(httpx.WriteError, httpx.ReadError),
    ):
        answer = client.post("/v1/memory", content=endless())
        assert answer.status_code == (400 if known else 401)
    assert sent < 1 << 26
