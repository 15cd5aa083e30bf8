"""Why nothing usable came back, in a code and a sentence with the next step.

Total over what httpx raises, which a test walks through. What is certain not to have left is
`reached=False`; everything else may have been done. Refuses to quote an exception: proxies and
libraries put addresses and credentials into theirs.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

import httpx

from sync.messages import NoReply

OFFLINE, TIMEOUT, CERTIFICATE, PROXY = "offline", "timeout", "certificate", "proxy"
NOT_A_MEMORY_API, BROKEN_REPLY = "not_a_memory_api", "broken_reply"
SERVER_ERROR, REDIRECTED, UNSENDABLE = "server_error", "redirected", "unsendable"
WORTH_ANOTHER_TRY = (OFFLINE, TIMEOUT, SERVER_ERROR)

CAUGHT = (httpx.HTTPError, httpx.InvalidURL, httpx.CookieConflict, httpx.StreamError, OSError)
"""Whatever a client raises for what a network or a server does."""

_NEVER_LEFT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
    httpx.InvalidURL,
)


def no_reply(problem: Exception, host: str, *, answering: bool = False) -> NoReply:
    """`answering`: the server had begun to answer."""
    code, sentence = _told(problem, host)
    return NoReply(code, sentence, reached=answering or not isinstance(problem, _NEVER_LEFT))


def _told(problem: Exception, host: str) -> tuple[str, str]:
    match problem:
        case httpx.ConnectTimeout():
            return OFFLINE, f"{host} does not answer. Check the network."
        case httpx.TimeoutException():
            return TIMEOUT, too_slow(host)
        case httpx.ProxyError():
            return PROXY, proxy(host)
        case httpx.ConnectError():
            return _unconnected(problem, host)
        case httpx.RemoteProtocolError() if "location header" in str(problem):
            return redirected(host, "")
        case httpx.NetworkError() | httpx.RemoteProtocolError() | OSError():
            return OFFLINE, f"The connection to {host} broke off."
        case httpx.DecodingError():
            return BROKEN_REPLY, broken(host, "it cannot be unpacked")
        case _:
            return UNSENDABLE, f"{host} cannot be asked that. Check the address of the server."


def _unconnected(problem: Exception, host: str) -> tuple[str, str]:
    for cause in _causes(problem):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return CERTIFICATE, _certificate(cause.verify_code, host)
        if isinstance(cause, ssl.SSLError):
            return CERTIFICATE, (
                f"{host} does not speak TLS here. Check the port, and whether the address has to "
                "begin with http://."
            )
        if isinstance(cause, socket.gaierror):
            return OFFLINE, f"There is no host {host}, or no network. Check both."
        if isinstance(cause, ConnectionRefusedError):
            return OFFLINE, f"Nothing answers at {host}. Check that the server runs."
    return OFFLINE, f"{host} cannot be reached. Check the network."


_WRONG_NAME, _OUT_OF_DATE = (62, 64), (9, 10)
"""X509_V_ERR_… of OpenSSL: another host name or address; not valid yet, or no more."""


def _certificate(code: int, host: str) -> str:
    if code in _WRONG_NAME:
        return f"The certificate of {host} is for another name. Check the address."
    if code in _OUT_OF_DATE:
        return (
            f"The certificate of {host} is out of date, or the clock of this machine is wrong. "
            "Check the clock; else the server needs a new one."
        )
    return (
        f"Nobody trusted here has signed the certificate of {host}. Behind a company's proxy, or "
        "with a certificate of your own, set SSL_CERT_FILE to the file with the signer's."
    )


def _causes(problem: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = problem
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def too_slow(host: str) -> str:
    return f"{host} did not answer in time."


def proxy(host: str) -> str:
    return (
        f"The proxy on the way to {host} refuses. Check HTTPS_PROXY and NO_PROXY, and whether the "
        "proxy wants a name and a password."
    )


def failed(host: str, status: int) -> str:
    return f"{host} failed ({status}). Try again later; the server's own log says why."


def broken(host: str, why: str) -> str:
    return (
        f"{host} answered in a way that cannot be relied on: {why}. Nothing of it was used. If it "
        "stays so, report it to whoever runs the server."
    )


def redirected(host: str, onward: str) -> tuple[str, str]:
    return REDIRECTED, (
        f"{host} sends on to {onward or 'another address'}, where no key is sent. Sign in to the "
        "network if it asks for that in a browser, or set the new address yourself."
    )


def not_a_memory_api(host: str, what: str) -> str:
    return (
        f"{host} answered with {what}, which no memory API does. Sign in to the network if it asks "
        "for that in a browser; else check the address of the server."
    )
