"""The address of a memory API, judged and brought into one form; pure.

A key is sent there with every request, so what it says has to be what is reached. Refuses a name or
password in it, http to anywhere but this machine, and whatever two programs might read in two ways
(backslashes, hidden characters, dot parts, numbers that stand for a host). Never repeats a text it
refuses, which may hold a secret.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MOST = 1_000
"""Characters."""
_AROUND = " \t\r\n\v\f\xa0\u200b\u2060\ufeff"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_OTHER_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?![0-9]*(?:/|$))")
_AUTHORITY = re.compile(r"(?P<host>\[[^\]]*\]|[^:\[\]]*)(?::(?P<port>[0-9]{0,5}))?")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PATH = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:-]+)*")
_MOST_HOST = 253
_DEFAULT_PORTS = {"https": 443, "http": 80}


class Address(NamedTuple):
    url: str
    """In its one form, without a slash at the end; "" when the text is none."""
    wrong: str = ""
    """Why it is none, to stand behind a colon."""
    notes: tuple[str, ...] = ()
    """Sentences that a person should see before they trust it."""


class _Refused(ValueError):
    """Says why; to stand behind a colon."""


def read(text: str) -> Address:
    """The address that a typed text means, or why it is none."""
    try:
        return _read(text.strip(_AROUND))
    except _Refused as problem:
        return Address("", str(problem))


def _read(bare: str) -> Address:
    _refuse_unclear(bare)
    scheme, rest = _scheme(bare)
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if "@" in authority:
        raise _Refused("it has a name or a password in it, and the key goes elsewhere")
    if not scheme and _OTHER_SCHEME.match(rest):
        raise _Refused("it has to begin with https://")
    host, port = _host_and_port(authority)
    here = is_this_machine(host)
    notes: list[str] = []
    if not scheme:
        scheme = "http" if here else "https"
        notes.append(f"The address had no https:// or http://: it is used with {scheme}://.")
    if scheme == "http" and not here:
        raise _Refused("http would send your key in the clear, so it has to be https")
    if "xn--" in host:
        notes.append(
            f"Its host has letters beyond a to z, and its plain name is {host}: make sure that it "
            "is the one you mean."
        )
    shown = "" if port in (None, _DEFAULT_PORTS[scheme]) else f":{port}"
    url = f"{scheme}://{host}{shown}{_path(rest[len(authority) :])}"
    return Address(url, notes=tuple(notes))


def is_this_machine(host: str) -> bool:
    """Whether the host of an address, in its one form, is this machine itself."""
    import ipaddress

    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _refuse_unclear(bare: str) -> None:
    if not bare:
        raise _Refused("it is empty")
    if len(bare) > MOST:
        raise _Refused(f"it has more than {MOST:,} characters")
    if any(letter.isspace() for letter in bare):
        raise _Refused("it has a space or a line break in it")
    if not bare.isprintable():
        raise _Refused("it has a character in it that nobody can see")
    if "\\" in bare:
        raise _Refused("it has a backslash in it")


def _scheme(bare: str) -> tuple[str, str]:
    """The scheme, "" without one, and what stands behind it."""
    named = _SCHEME.match(bare)
    if named is None:
        return "", bare.removeprefix("//")
    scheme = named[1].lower()
    if scheme not in _DEFAULT_PORTS:
        raise _Refused("it has to begin with https://")
    return scheme, bare[named.end() :]


def _host_and_port(authority: str) -> tuple[str, int | None]:
    parts = _AUTHORITY.fullmatch(authority)
    if parts is None or not parts["host"]:
        raise _Refused("it names no host")
    port = int(parts["port"]) if parts["port"] else None
    if port is not None and not 0 < port < 65_536:
        raise _Refused("its port is not between 1 and 65,535")
    return _host(parts["host"]), port


def _host(text: str) -> str:
    """In its one form: small letters a to z, whatever it was written with."""
    import ipaddress

    try:
        if text.startswith("["):
            if "%" in text:  # the name of a network card of this machine
                raise ValueError
            return f"[{ipaddress.IPv6Address(text[1:-1])}]"
        host = (text if text.isascii() else _plain(text)).lower().removesuffix(".")
        labels = host.split(".")
        if _NUMBER.fullmatch(labels[-1]):
            return str(ipaddress.IPv4Address(host))
    except ValueError as problem:
        raise _Refused("its host is no name and no number that a host can have") from problem
    if len(host) > _MOST_HOST or not all(map(_LABEL.fullmatch, labels)):
        raise _Refused("its host is no name and no number that a host can have")
    return host


def _plain(text: str) -> str:
    """What a browser would look up for it. Raises ValueError."""
    import idna

    return idna.encode(text, uts46=True, std3_rules=True).decode("ascii")


def _path(tail: str) -> str:
    if "?" in tail or "#" in tail:
        raise _Refused("it has a part behind ? or #")
    path = tail.rstrip("/")
    if not _PATH.fullmatch(path) or {".", ".."} & set(path.split("/")):
        raise _Refused("its path has to be plain names between single slashes")
    return path
