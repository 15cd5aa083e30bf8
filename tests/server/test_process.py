"""A server as a process of its own: it says where it listens, and a stop or kill loses nothing."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

from localmem import __version__
from tests.server.conftest import Process, StartProcess


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


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGKILL])
def test_a_stop_amid_writes_loses_none_that_was_acknowledged(
    start_process: StartProcess, stop: signal.Signals
) -> None:
    first = start_process()
    headers = {"Authorization": f"Bearer {first.new_key()}"}
    lock = threading.Lock()
    acknowledged: dict[str, str] = {}
    refused: list[int] = []
    enough = threading.Event()

    def write(writer: int) -> None:
        with httpx.Client(base_url=first.url, headers=headers, timeout=30) as client:
            for number in itertools.count():
                text = f"Fact {number} of writer {writer}."
                try:
                    answer = client.post("/v1/memory", json={"text": text})
                except httpx.TransportError:
                    return  # the server is gone: nobody was told that this one was kept
                with lock:
                    if answer.status_code == 201:
                        acknowledged[answer.json()["id"]] = text
                    else:
                        refused.append(answer.status_code)
                    if len(acknowledged) >= 40:
                        enough.set()

    with ThreadPoolExecutor(4) as writers:
        written = [writers.submit(write, number) for number in range(4)]
        assert enough.wait(60)
        first.running.send_signal(stop)
        for each in written:
            each.result(60)
    first.running.wait(30)
    assert refused == []
    second = start_process()
    with httpx.Client(base_url=second.url, headers=headers) as client:
        kept: dict[str, str] = {}
        page: dict[str, Any] = {"nextCursor": ""}
        while page["nextCursor"] is not None:
            asked = {"limit": 100} | ({"cursor": page["nextCursor"]} if page["nextCursor"] else {})
            page = client.get("/v1/memory", params=asked).json()
            kept |= {item["id"]: item["text"] for item in page["items"]}
    assert acknowledged.items() <= kept.items()
    if stop is signal.SIGTERM:
        assert kept == acknowledged  # and what was kept was said


def test_a_stop_ends_though_clients_hold_connections_and_send_half_requests(
    start_process: StartProcess,
) -> None:
    server = start_process()
    port = int(server.url.rpartition(":")[2])
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
    held[1].sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
    held[2].sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert held[2].recv(4_096).startswith(b"HTTP/1.1 200")
    server.running.send_signal(signal.SIGTERM)
    server.running.wait(20)
    for each in held:
        each.close()


def test_a_port_in_use_is_a_sentence(start_process: StartProcess, tmp_path: Path) -> None:
    first = start_process()
    port = first.url.rpartition(":")[2]
    with pytest.raises(AssertionError, match="Cannot listen on"):
        start_process("--port", port, "--data", str(tmp_path / "another"))
    assert not (tmp_path / "another").exists()


def test_its_log_has_a_line_of_its_start_and_its_stop(
    start_process: StartProcess, tmp_path: Path
) -> None:
    server = start_process()
    server.running.send_signal(signal.SIGTERM)
    server.running.wait(20)
    lines = [json.loads(line) for line in (tmp_path / "served.log").read_text("utf-8").splitlines()
             if line.startswith("{")]  # fmt: skip
    told = [(line["event"], line.get("version")) for line in lines]
    assert told == [("started", __version__), ("stopped", __version__)]


def test_two_servers_do_not_share_a_folder(start_process: StartProcess) -> None:
    start_process()
    with pytest.raises(AssertionError, match="A server runs on"):
        start_process()


def test_a_backup_of_a_running_server_is_brought_back_once_it_is_stopped(
    start_process: StartProcess, tmp_path: Path
) -> None:
    first = start_process()
    headers = {"Authorization": f"Bearer {first.new_key()}"}
    copy = tmp_path / "copy"
    with httpx.Client(base_url=first.url, headers=headers) as client:
        client.post("/v1/memory", json={"text": "Has two cats."})
        assert served(first, "backup", str(copy))[0] == 0
        client.post("/v1/memory", json={"text": "After the copy."})
        before = client.get("/v1/me").headers["memory-epoch"]
        code, told = served(first, "restore", str(copy), "--yes")
        assert code != 0 and "A server runs on" in told
    first.running.send_signal(signal.SIGTERM)
    first.running.wait(30)
    code, told = served(first, "restore", str(copy), "--yes")
    assert code == 0, told
    second = start_process()
    with httpx.Client(base_url=second.url, headers=headers) as client:
        listed = client.get("/v1/memory")
    assert [item["text"] for item in listed.json()["items"]] == ["Has two cats."]
    assert listed.headers["memory-epoch"] != before


def served(server: Process, *argv: str) -> tuple[int, str]:
    """What a command beside the server came to."""
    ran = subprocess.run(
        [sys.executable, "-m", "localmem", "serve", *argv, "--data", str(server.folder)],
        env={**os.environ, "LOCALMEM_HOME": str(server.folder.parent / "served-home")},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout + ran.stderr


def test_with_a_certificate_everything_goes_over_tls(
    start_process: StartProcess, tmp_path: Path
) -> None:
    cert, key = certificate(tmp_path)
    server = start_process("--tls-cert", str(cert), "--tls-key", str(key))
    assert server.url.startswith("https://127.0.0.1:")
    headers = {"Authorization": f"Bearer {server.new_key()}"}
    trusting = ssl.create_default_context(cafile=str(cert))
    with httpx.Client(base_url=server.url, headers=headers, verify=trusting) as client:
        assert client.post("/v1/memory", json={"text": "Has two cats."}).status_code == 201
    with httpx.Client(base_url=server.url) as stranger, pytest.raises(httpx.ConnectError):
        stranger.get("/health")
    old = ssl.create_default_context(cafile=str(cert))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        old.maximum_version = ssl.TLSVersion.TLSv1_1
    with httpx.Client(base_url=server.url, verify=old) as past, pytest.raises(httpx.ConnectError):
        past.get("/health")
    with (
        httpx.Client(base_url=server.url.replace("https", "http")) as plain,
        pytest.raises(httpx.TransportError),
    ):
        plain.get("/health")


def test_a_certificate_without_its_key_is_a_sentence(
    start_process: StartProcess, tmp_path: Path
) -> None:
    cert, key = certificate(tmp_path)
    _, other = certificate(tmp_path, "other")
    _, locked = certificate(tmp_path, "locked", password=b"secret")
    (tmp_path / "text.pem").write_text("no certificate", "utf-8")
    pairs = {
        (cert, other): "are no certificate with its key",
        (key, cert): "are no certificate with its key",
        (tmp_path / "text.pem", key): "are no certificate with its key",
        (cert, locked): "needs a password",
        (cert, tmp_path / "none.pem"): "is not a file",
    }
    for (first, second), why in pairs.items():
        with pytest.raises(AssertionError, match=why) as told:
            start_process("--tls-cert", str(first), "--tls-key", str(second))
        assert "Traceback" not in str(told.value)


def certificate(
    folder: Path, name: str = "server", *, password: bytes | None = None
) -> tuple[Path, Path]:
    """A certificate for this machine, signed by itself, and its key."""
    made = ec.generate_private_key(ec.SECP256R1())
    whom = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(whom)
        .issuer_name(whom)
        .public_key(made.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(made, hashes.SHA256())
    )
    cert, key = folder / f"{name}-cert.pem", folder / f"{name}-key.pem"
    cert.write_bytes(signed.public_bytes(Encoding.PEM))
    locked = BestAvailableEncryption(password) if password else NoEncryption()
    key.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked))
    return cert, key


def test_ten_megabytes_are_answered_and_the_connection_goes_on(start_process: StartProcess) -> None:
    server = start_process()
    headers = {"Authorization": f"Bearer {server.new_key()}", "Content-Type": "application/json"}
    with httpx.Client(base_url=server.url, headers=headers) as client:
        for _ in range(3):
            answer = client.post("/v1/memory", content=b" " * 10_000_000)
            assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
            assert "connection" not in answer.headers
        assert client.post("/v1/memory", json={"text": "Has two cats."}).status_code == 201


@pytest.mark.parametrize("path", ["/v1/memory", "/nowhere"])
def test_ten_megabytes_of_nobody_s_are_answered_where_the_connection_ends(
    start_process: StartProcess, path: str
) -> None:
    """As the standard library's client asks: cut off while it sends, it never sees the answer."""
    server = start_process()
    asked = Request(
        server.url + path, b" " * 10_000_000, {"Authorization": "Bearer nobody"}, method="POST"
    )
    for _ in range(3):
        with pytest.raises(HTTPError) as refused:
            urlopen(asked)
        with refused.value as answer:
            assert answer.code == (401 if path == "/v1/memory" else 404)


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
