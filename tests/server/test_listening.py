"""Where a server listens: this machine alone, unless the way there is safe or was said to be."""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path

import pytest

from localmem.errors import InvalidInput
from localmem.server.main import Options, answered, check, is_loopback, listen

ELSEWHERE = ["0.0.0.0", "::", "192.0.2.1", "example.test", "127.0.0.1.evil.test", ""]
HERE = ["127.0.0.1", "127.0.0.2", "::1", "localhost"]


@pytest.mark.parametrize("host", HERE)
def test_this_machine_needs_nothing_more(tmp_path: Path, host: str) -> None:
    assert is_loopback(host)
    check(Options(tmp_path, host=host))


@pytest.mark.parametrize("host", ELSEWHERE)
def test_elsewhere_needs_tls_or_to_be_told(tmp_path: Path, host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(InvalidInput, match="--tls-cert"):
        check(Options(tmp_path, host=host))
    check(Options(tmp_path, host=host, insecure=True))
    cert = tmp_path / "cert.pem"
    cert.touch()
    check(Options(tmp_path, host=host, tls_cert=cert, tls_key=cert))


def test_half_of_tls_is_refused_even_on_this_machine(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="belong together"):
        check(Options(tmp_path, tls_key=tmp_path / "key.pem"))


def test_it_answers_to_its_own_names_and_those_it_was_given(tmp_path: Path) -> None:
    for host, named in (("127.0.0.1", "127.0.0.1"), ("127.0.0.2", "127.0.0.2"), ("::1", "[::1]")):
        assert {"localhost", named} <= set(answered(Options(tmp_path, host=host)))
    assert "127.0.0.2" not in answered(Options(tmp_path))
    beyond = answered(Options(tmp_path, host="0.0.0.0"))
    assert socket.gethostname() in beyond and "memory.test" not in beyond
    given = answered(Options(tmp_path, host="0.0.0.0", hosts=["memory.test"]))
    assert "memory.test" in given and socket.gethostname() not in given


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(InvalidInput, match="--port"):
        listen("127.0.0.1", taken.getsockname()[1])


def test_an_address_of_another_machine_is_said() -> None:
    with pytest.raises(InvalidInput, match="Cannot listen on"):
        listen("192.0.2.1", 0)


def test_a_reply_in_two_parts_does_not_wait_for_an_acknowledgement() -> None:
    with (
        closing(listen("127.0.0.1", 0)) as listening,
        closing(socket.create_connection(listening.getsockname())),
        closing(listening.accept()[0]) as connection,
    ):
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
