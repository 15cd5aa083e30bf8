"""One request and its reply over HTTP, as bytes: sent, sent again, read up to a limit.

Nothing here knows what is asked. Redirects are not followed, cookies not kept, and what was
packed unpacks to no more than the limit. Refuses a reply of another epoch before it reads on.
"""

from __future__ import annotations

import re
import ssl
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ipaddress import ip_address
from statistics import median
from typing import NamedTuple

import httpx

from localmem import __version__
from localmem.core.model import Millis
from localmem.core.ports import Clock
from localmem.errors import InvalidSettings
from sync.http_remote import faults, words
from sync.messages import NoReply, OtherEpoch

MOST_BYTES = 64 * 1024 * 1024
"""Of a reply, packed or not."""
LONGEST_REPLY: Millis = 300_000
"""From its first byte to its last, however often another one comes."""
FIRST_PAUSE = 1.0
"""Seconds before the second try at most; twice as long before each one after it."""
_TIMEOUT = httpx.Timeout(30.0, connect=5.0)
_SECONDS = _TIMEOUT.as_dict()
_SIGN_IN = 511
_DATES = 5
_LONGEST_NAME = 100
_GZIP = zlib.MAX_WBITS | 16

Headers = tuple[tuple[str, str], ...]
Said = Mapping[str, str]
"""Headers of a reply, their names in small letters."""


class Asked(NamedTuple):
    """A request as it is sent."""

    method: str
    target: str
    """Path and query, behind the address of the server."""
    headers: Headers = ()
    body: bytes | None = None
    tries: int = 1


class Came(NamedTuple):
    """A reply that came whole."""

    status: int
    headers: Said
    body: bytes

    @property
    def kind(self) -> str:
        """Its content type without parameters, "" where there is none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def json(self) -> bool:
        """Whether it is meant to be JSON."""
        return self.kind in ("", "application/json") or self.kind.endswith("+json")


class Exchange:
    """A server's address and a key, and the connection to it that is kept."""

    __slots__ = (
        "_base",
        "_client",
        "_fixed",
        "_jitter",
        "_key",
        "_now",
        "_offsets",
        "_own",
        "_sleep",
        "host",
        "place",
        "sent",
    )

    def __init__(
        self,
        url: str,
        key: str,
        *,
        client: httpx.Client | None,
        sleep: Callable[[float], None],
        now: Clock,
        jitter: Callable[[], float],
    ) -> None:
        """Raises InvalidSettings for an address or a key that cannot be used."""
        address = _address(url)
        self._key = _checked_key(key)
        self._base = str(address).rstrip("/").removesuffix("/v1")
        self.host = address.netloc.decode()
        """With its port, where that is not the usual one."""
        self.place = self._base.partition("://")[2]
        self._client = client or _client(address)
        self._own = client is None
        self._sleep, self._now, self._jitter = sleep, now, jitter
        self._fixed = [
            ("Host", self.host),
            ("Authorization", f"Bearer {key}"),
            ("User-Agent", f"localmem/{__version__}"),
            ("Accept", "application/json"),
            ("Accept-Encoding", "gzip"),
        ]
        self._offsets: deque[Millis] = deque(maxlen=_DATES)
        self.sent = 0
        """Requests so far, each try counted."""

    def __repr__(self) -> str:
        return f"<Exchange with {self.host}>"

    def send(self, asked: Asked, epoch: str | None) -> Came | NoReply | OtherEpoch:
        """What came, after as many tries as the request allows. Raises what `sleep` raises."""
        reached = False
        for attempt in range(asked.tries):
            if attempt:
                self._sleep(self._jitter() * FIRST_PAUSE * 2 ** (attempt - 1))
            came = self._once(asked, epoch)
            if not isinstance(came, NoReply) or came.code not in faults.WORTH_ANOTHER_TRY:
                break
            reached = reached or came.reached
        if isinstance(came, NoReply):
            return came._replace(reached=came.reached or reached)
        return came

    def clock_offset(self) -> Millis | None:
        return int(median(self._offsets)) if self._offsets else None

    def printable(self, text: str, longest: int = words.LONGEST) -> str:
        return words.printable(text, self._key, longest)

    def digest_text(self) -> str:
        """What tells this key from others, and only as a digest leaves this class's users."""
        return f"localmem account {self._key}"

    @property
    def is_test(self) -> bool:
        """Whether the key says that it is one for tests."""
        return self._key.startswith("zv_test_")

    def now(self) -> Millis:
        return self._now()

    def close(self) -> None:
        if self._own:
            self._client.close()

    def _once(self, asked: Asked, epoch: str | None) -> Came | NoReply | OtherEpoch:
        self.sent += 1
        try:
            request = self._request(asked, epoch)
            response = self._client.send(request, stream=True, follow_redirects=False)
        except faults.CAUGHT as problem:
            return faults.no_reply(problem, self.host)
        try:
            return self._read(response, epoch)
        except faults.CAUGHT as problem:
            return faults.no_reply(problem, self.host, answering=True)
        finally:
            response.close()

    def _request(self, asked: Asked, epoch: str | None) -> httpx.Request:
        meant = [] if epoch is None else [("If-Memory-Epoch", epoch)]
        return httpx.Request(
            asked.method,
            self._base + asked.target,
            headers=[*self._fixed, *asked.headers, *meant],
            content=asked.body,
            extensions={"timeout": _SECONDS},
        )

    def _read(self, response: httpx.Response, epoch: str | None) -> Came | NoReply | OtherEpoch:
        headers = _said(response)
        self._look_at_date(headers)
        told = headers.get("memory-epoch")
        if epoch is not None and told is not None and told != epoch:
            return OtherEpoch(self.printable(told, _LONGEST_NAME))
        status = response.status_code
        if status == _SIGN_IN:
            page = faults.not_a_memory_api(self.host, f"a page of the network ({status})")
            return NoReply(faults.NOT_A_MEMORY_API, page)
        if status >= 500 and status != 503:
            return NoReply(faults.SERVER_ERROR, faults.failed(self.host, status))
        if 300 <= status < 400:
            return NoReply(*faults.redirected(self.host, self._onward(headers)))
        body = self._body(response, headers)
        if isinstance(body, str):
            return NoReply(faults.BROKEN_REPLY, faults.broken(self.host, body))
        return Came(status, headers, body)

    def _onward(self, headers: Said) -> str:
        """The host of another address, "" where there is none to be read."""
        try:
            host = httpx.URL(headers.get("location", "")).host
        except (httpx.InvalidURL, ValueError):
            return ""
        return self.printable(host, _LONGEST_NAME)

    def _look_at_date(self, headers: Said) -> None:
        at = date(headers)
        if at is not None:
            self._offsets.append(at + 500 - self._now())  # a date is cut to its second

    def _body(self, response: httpx.Response, headers: Said) -> bytes | str:
        """The bytes, unpacked; or why they cannot be used."""
        packing = headers.get("content-encoding", "").strip().lower()
        if packing not in ("", "identity", "gzip", "x-gzip"):
            return "it is packed in a way that was not asked for"
        declared = _declared(headers)
        if declared is not None and declared > MOST_BYTES:
            return _TOO_MUCH
        assert isinstance(response.stream, httpx.SyncByteStream)
        pieces = _timely(response.stream, self._now)
        raw, count = bytearray(), 0
        unpack = zlib.decompressobj(_GZIP) if "gzip" in packing else None
        try:
            for piece in pieces:
                count += len(piece)
                raw += _unpacked(unpack, piece, MOST_BYTES + 1 - len(raw)) if unpack else piece
                if len(raw) > MOST_BYTES or count > MOST_BYTES:
                    return _TOO_MUCH
        except zlib.error:
            return "it cannot be unpacked"
        if declared is not None and declared != count:
            return "it is shorter or longer than it says"
        if unpack is not None and count and (not unpack.eof or unpack.unused_data):
            return "it cannot be unpacked"
        return bytes(raw)


_TOO_MUCH = f"it is longer than {MOST_BYTES // (1024 * 1024)} MB"


def _unpacked(unpack: zlib._Decompress, piece: bytes, room: int) -> bytes:
    """No more than `room`; what is beyond stays packed and makes the reply too long."""
    return unpack.decompress(piece, max(room, 1))


def _timely(pieces: Iterable[bytes], now: Clock) -> Iterator[bytes]:
    """Raises httpx.ReadTimeout for a reply that drips."""
    begun = now()
    for piece in pieces:
        if now() - begun > LONGEST_REPLY:
            raise httpx.ReadTimeout("The reply takes too long.")
        yield piece


def _declared(headers: Said) -> int | None:
    """The length a reply says it has, where it says one that counts."""
    if "transfer-encoding" in headers:
        return None
    text = headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def date(headers: Said) -> Millis | None:
    """The server's clock, as its reply tells it."""
    return http_date(headers.get("date", ""))


def _said(response: httpx.Response) -> Said:
    """What stands there twice says both."""
    said: dict[str, str] = {}
    for raw, value in response.headers.raw:
        name, text = raw.lower().decode("latin-1"), value.decode("latin-1")
        said[name] = f"{said[name]}, {text}" if name in said else text
    return said


@lru_cache(maxsize=4)
def http_date(text: str) -> Millis | None:
    try:
        return int(parsedate_to_datetime(text).timestamp() * 1000)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


# --- the address and the key -------------------------------------------------------------------


_HOST = re.compile(r"[a-z0-9._-]{1,253}|[0-9a-f:.]{2,45}")


def _address(text: str) -> httpx.URL:
    """Never repeated when it is refused: it may hold a password. Raises InvalidSettings."""
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, ValueError):
        raise _unusable("is none") from None
    host = url.raw_host.decode()
    if url.scheme not in ("http", "https") or not _HOST.fullmatch(host):
        raise _unusable("has to begin with https:// and a host")
    if url.userinfo or url.query or url.fragment or "?" in text or "#" in text:
        raise _unusable("has a name, a password, or a part behind ? or # in it")
    if url.scheme == "http" and not is_loopback(url.host):
        raise _unusable("begins with http://, which would send your key in the clear")
    return url


def _unusable(why: str) -> InvalidSettings:
    return InvalidSettings(
        f"The address of the server {why}.", hint="Write it as https://memory.example."
    )


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _checked_key(key: str) -> str:
    """Raises InvalidSettings, which does not repeat it."""
    if key and key.isascii() and key.isprintable() and " " not in key:
        return key
    raise InvalidSettings(
        "The key of the account has characters that no key has.",
        hint="Copy it once more from your account's page, the key alone.",
    )


def _client(address: httpx.URL) -> httpx.Client:
    """One that keeps its connection, follows nothing and remembers nothing.

    Raises InvalidSettings where what the environment says of proxies and certificates cannot be
    used. This machine itself is never asked through a proxy.
    """
    cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    try:
        if not is_loopback(address.host):
            return httpx.Client(cookies=cookies, timeout=_TIMEOUT)
        # Without TLS nothing is trusted, and reading whom to trust takes 30 ms.
        verify = True if address.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        transport = httpx.HTTPTransport(verify=verify)
        return httpx.Client(cookies=cookies, timeout=_TIMEOUT, transport=transport)
    except (ValueError, ImportError, OSError, httpx.InvalidURL):
        raise InvalidSettings(
            "The proxy or the certificates that the environment names cannot be used.",
            hint="Check HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE and SSL_CERT_DIR.",
        ) from None
