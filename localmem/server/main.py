"""`localmem serve`: wires the services, binds the socket, says where it listens, stops in order.

Refuses to listen beyond this machine without TLS unless it is told to in so many words, and to
say that it listens before it does.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from fastapi import FastAPI

from localmem import __version__, wiring
from localmem.errors import InvalidInput, StoreUnavailable
from localmem.server.app import Services, create_app
from localmem.server.control import Control
from localmem.server.edge import LOOPBACK, JsonLines, is_loopback, write_log
from localmem.server.limits import REQUESTS_A_MINUTE, Meter, Rates
from localmem.server.protocol import PatientProtocol
from localmem.server.spaces import Spaces

if TYPE_CHECKING:
    from localmem.wiring import Home

STOP_SECONDS = 30
"""How long a stop waits for replies that are being sent."""
KEEP_ALIVE_SECONDS = 65
BACKLOG = 256

log = logging.getLogger("localmem.server")


@dataclass(frozen=True, slots=True)
class Options:
    folder: Path
    host: str = "127.0.0.1"
    port: int = 8_420
    """0 takes a free one."""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    insecure: bool = False
    """Listen beyond this machine without TLS: something before it has that."""
    hosts: Sequence[str] = ()
    """Names it answers to beside its own."""
    rate: int = REQUESTS_A_MINUTE

    @property
    def scheme(self) -> str:
        return "https" if self.tls_cert else "http"


def run(home: Home, options: Options, tell: Callable[[str, bool], None]) -> None:
    """Serve until SIGINT or SIGTERM. `tell(url, has_keys)` is called once it listens.

    Raises InvalidInput, StoreError; then nothing was served.
    """
    check(options)
    check_tls(options)
    # The port first: a start that fails for it leaves no folder.
    with closing(listen(options.host, options.port)) as listening, wiring.serving(options.folder):
        _run(home, options, listening, tell)


def _run(
    home: Home, options: Options, listening: socket.socket, tell: Callable[[str, bool], None]
) -> None:
    services = services_of(home, options)
    with closing(wiring.open_hosting(home, options.folder)) as store:
        issuing = wiring.issuing(store)
        held = issuing.keys()
        has_keys = any(key.usable(issuing.clock()) for key in held)
    _log_to_stderr()
    port = listening.getsockname()[1]

    def announce() -> None:
        log.info("started", extra={"version": __version__})
        tell(f"{options.scheme}://{shown(options.host)}:{port}", has_keys)

    server = Announcing(
        config_of(create_app(services), options, services.metrics.turn_away), announce
    )
    asyncio.run(server.serve([listening]))
    if not server.started:
        raise StoreUnavailable("The server could not start.", hint="Its log above says why.")


def services_of(home: Home, options: Options) -> Services:
    """What the app runs on, with this machine's clock, disk and model."""
    now = wiring.clock()
    return Services(
        Control(lambda: wiring.open_hosting(home, options.folder)),
        Spaces(options.folder, wiring.space_opener(home)),
        now,
        Rates(now, options.rate),
        Meter(now),
        hosts=answered(options),
        addresses=not options.hosts and not is_loopback(options.host),
        observers=(write_log,),
        erase=wiring.erase_library,
        metrics_token=home.environment.get("LOCALMEM_METRICS_TOKEN", ""),
    )


def check(options: Options) -> None:
    """Raises InvalidInput for a way to listen that anyone on the way could read."""
    if (options.tls_cert is None) != (options.tls_key is None):
        raise InvalidInput("--tls-cert and --tls-key belong together.")
    for file in (options.tls_cert, options.tls_key):
        if file is not None and not file.is_file():
            raise InvalidInput(f"{file} is not a file.")
    if is_loopback(options.host) or options.tls_cert or options.insecure:
        return
    raise InvalidInput(
        f"{options.host} is reached from other machines, and keys and memories would travel to it "
        "readable.",
        hint="Give --tls-cert and --tls-key; or --insecure where a proxy before it has TLS.",
        details={"field": "host"},
    )


def check_tls(options: Options) -> None:
    """Raises InvalidInput for a pair that no connection could be made with."""
    if options.tls_cert is None or options.tls_key is None:
        return
    trial = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        trial.load_cert_chain(options.tls_cert, options.tls_key, password=_no_password)
    except _PasswordAsked:
        raise InvalidInput(
            f"{options.tls_key} needs a password, and nobody is there to type it.",
            hint="Keep the key without one, in a file that only the server's user may read.",
        ) from None
    except (OSError, ValueError) as problem:
        why = getattr(problem, "reason", None) or str(problem)
        raise InvalidInput(
            f"{options.tls_cert} and {options.tls_key} are no certificate with its key: {why}.",
            hint="Both are PEM files; the certificate stands first, then its chain.",
        ) from problem


class _PasswordAsked(Exception):
    pass


def _no_password() -> str:
    raise _PasswordAsked


def answered(options: Options) -> tuple[str, ...]:
    """The names it answers to: its own and those it was given; and the machine's, where it listens
    beyond this machine and none was given."""
    names = (*LOOPBACK, shown(options.host), *options.hosts)
    if options.hosts or is_loopback(options.host):
        return names
    return (*names, socket.gethostname(), socket.getfqdn())


def shown(host: str) -> str:
    """The address as it stands in a URL and in the header Host."""
    return f"[{host}]" if ":" in host else host


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections. Raises InvalidInput."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InvalidInput(
            f"Cannot listen on {host}, port {port}: {reason}.",
            hint="Choose another with --port; 0 takes a free one.",
            details={"field": "port"},
        ) from problem
    # asyncio leaves it out of a socket that was made without naming TCP; a reply in two parts then
    # waits for the client's delayed acknowledgement, 40 ms. Connections inherit it.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


class Announcing(uvicorn.Server):
    """Says that it listens once the app has started, and in the log that it stopped: the signal it
    was stopped by ends the process right after."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._announce()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        log.info("stopped", extra={"version": __version__})


def config_of(app: FastAPI, options: Options, turned_away: Callable[[str], None]) -> uvicorn.Config:
    """`turned_away` is told the code of each connection that is refused before it asks."""
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=partial(PatientProtocol, turned_away=turned_away),  # type: ignore[arg-type]
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
        ssl_certfile=options.tls_cert,
        ssl_keyfile=None if options.tls_key is None else str(options.tls_key),
    )


def _log_to_stderr() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    for name, level in (("localmem.server", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
