"""The table of operations as a FastAPI app: who calls, may they, what do they ask, what came of it.

One way for every operation; what differs is in its row. The order is part of the contract: a
credential is looked at before anything it could learn from, and nothing is written before all of
the request was found good.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.routing import Route as StarletteRoute
from starlette.types import Receive, Scope, Send

from localmem import __version__
from localmem.core.hosting import Mode, Wipe
from localmem.core.hosting_ports import Hosting
from localmem.core.model import AuthorKind
from localmem.core.ports import Clock
from localmem.engine import Engine
from localmem.errors import InvalidInput, LocalmemError, StoreError
from localmem.hosting.admission import Admission, Holder, KeyHolder, PersonHolder
from localmem.server import auth, inputs, openapi
from localmem.server.control import Control
from localmem.server.cursors import Cursors
from localmem.server.edge import LOOPBACK, Edge, Observer, log, server_error
from localmem.server.epochs import Epochs
from localmem.server.errors import Envelope, Refused, refusal
from localmem.server.limits import Meter, Rates, month
from localmem.server.metrics import MEDIA_TYPE, Metrics, may_read
from localmem.server.operations import OPERATIONS, sessions
from localmem.server.operations.operation import (
    Answer,
    Call,
    Later,
    Operation,
    Route,
    SessionOperation,
    Use,
    Visit,
    WipeLater,
    check_right,
)
from localmem.server.replies import perform
from localmem.server.spaces import OpenSpace, Spaces
from localmem.server.tools import Tools
from localmem.server.upkeep import Upkeep

FLUSH_SECONDS = 30
"""How often units are written down: what a kill may lose of them."""
ACTOR_HEADER = "x-zavu-actor"


@dataclass(slots=True)
class Services:
    """What the app runs on; everything of the outside world comes in here."""

    control: Control
    spaces: Spaces
    clock: Clock
    rates: Rates
    meter: Meter
    hosts: Collection[str] = LOOPBACK
    """Names the server answers to."""
    addresses: bool = False
    """Whether it answers to every address too."""
    observers: Sequence[Observer] = ()
    erase: Callable[[Path], None] = Path.unlink
    """Removes the files of a library."""
    metrics_token: str = field(default="", repr=False)
    """Opens `/metrics` from anywhere; without one it is for this machine alone."""
    cursors: Cursors = field(default_factory=lambda: Cursors(b""))
    """Made at the start, with the database's own signing key."""
    server_id: str = ""
    """As its database says, from the start on."""
    epochs: Epochs = field(init=False)
    upkeep: Upkeep = field(init=False)
    metrics: Metrics = field(init=False)

    def __post_init__(self) -> None:
        self.epochs = Epochs(self.control)
        self.upkeep = Upkeep(self.control, self.spaces, self.clock, self.erase)
        self.metrics = Metrics(self.spaces, self.meter)

    async def start(self) -> None:
        """Raises what opening the database raises."""
        await self.control.start()
        self.cursors = Cursors(await self.control.run(lambda store: store.signing_key))
        self.server_id = await self.control.run(lambda store: store.server_id)
        for number, wipe in await self.control.run(lambda store: store.ledger.wipes()):
            await self._resume(number, wipe)

    async def _resume(self, number: int, wipe: Wipe) -> None:
        """Go on with a wipe that was promised before the server last stopped.

        A library that cannot be opened keeps nobody from the others: its wipe stays promised.
        """
        partition = await self.control.run(
            lambda store: store.access.partition(wipe.space, wipe.mode)
        )
        if partition is None:
            await self.control.run(lambda store: _finish(store, number))
            return
        try:
            async with self.spaces.using(self.spaces.file(partition)) as space:
                self._wipe(space, number, wipe)
        except StoreError as problem:
            log.error("wipe", extra={"code": problem.code})

    @property
    def tools(self) -> Tools:
        return Tools(self.spaces, self.clock)

    async def admit(self, credential: str) -> tuple[Holder, int]:
        """Who calls, and the units of this month, of which a test key knows nothing. Raises
        Refused (unauthorized)."""

        def look(store: Hosting) -> tuple[Holder | None, int]:
            holder = Admission(store, self.clock).admit(credential)
            if not isinstance(holder, KeyHolder) or holder.key.mode is Mode.TEST:
                return holder, 0
            return holder, store.ledger.units(holder.space.id, month(self.clock()))

        holder, written = await self.control.run(look)
        if isinstance(holder, KeyHolder) and holder.partition.over(self.clock()):
            await self.upkeep.remove(holder.partition)
            holder, written = await self.control.run(look)
        if holder is None:
            raise auth.unauthorized()
        if isinstance(holder, PersonHolder) or holder.key.mode is Mode.TEST:
            return holder, 0
        return holder, self.meter.used(holder.space.id, written)

    async def known(self, space: OpenSpace, holder: KeyHolder) -> KeyHolder:
        """The holder with the epoch of the library as it is found open. Raises StoreError."""
        epoch = await self.epochs.of(space, holder.partition)
        return replace(holder, partition=replace(holder.partition, epoch=epoch))

    async def after(self, space: OpenSpace, call: Call, answer: Answer) -> None:
        """Begin what goes on after the reply; a promise is written down before it."""
        if answer.seq is not None:
            self.epochs.came_to(call.holder.partition, answer.seq)
        for work in answer.later:
            match work:
                case Later.EMBED:
                    space.embed_soon()
                case Later.SCRUB:
                    space.scrub_soon()
                case Later.EMBED_MANY:
                    space.embed_when_quiet()
                case Later.SCRUB_MANY:
                    space.scrub_when_quiet()
                case WipeLater(scope, mark):
                    partition = call.holder.partition
                    await self._begin(space, Wipe(partition.space, partition.mode, scope, mark))

    async def _begin(self, space: OpenSpace, wipe: Wipe) -> None:
        self._wipe(space, await self.control.run(lambda store: _promise(store, wipe)), wipe)

    def _wipe(self, space: OpenSpace, number: int, wipe: Wipe) -> None:
        async def finished() -> None:
            await self.control.run(lambda store: _finish(store, number))

        space.wipe_soon(wipe, finished)

    async def flush(self) -> None:
        """Write down the units, and how far libraries came; what cannot be written now is, the
        next time."""
        await self.epochs.flush()
        used = self.meter.take()
        if not used:
            return
        try:
            await self.control.run(lambda store: _count(store, used))
        except StoreError as problem:
            self.meter.put_back(used)
            log.error("units", extra={"code": problem.code})

    async def close(self) -> None:
        """Finish what was accepted, then close everything."""
        await self.spaces.close()
        await self.flush()
        await self.control.close()


def _promise(store: Hosting, wipe: Wipe) -> int:
    with store.writing():
        return store.ledger.promise_wipe(wipe)


def _finish(store: Hosting, number: int) -> None:
    with store.writing():
        store.ledger.finish_wipe(number)


def _count(store: Hosting, used: Mapping[tuple[str, str], int]) -> None:
    with store.writing():
        store.ledger.add_units(used)


def create_app(services: Services) -> FastAPI:
    """The app; its start and stop open and close the services."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await services.start()
        going_on = [
            asyncio.ensure_future(_flush_now_and_then(services)),
            asyncio.ensure_future(services.upkeep.go_on()),
        ]
        try:
            yield
        finally:
            for task in going_on:
                task.cancel()
            await asyncio.wait(going_on)
            await services.close()

    app = FastAPI(
        title="localmem memory API", version=__version__, lifespan=lifespan,
        docs_url=None, redoc_url=None, redirect_slashes=False,
    )  # fmt: skip
    for path in dict.fromkeys(operation.path for operation in OPERATIONS):
        here = [operation for operation in OPERATIONS if operation.path == path]
        for operation in here:
            _add_route(app, operation.path, _endpoint(services, operation), operation.method)
        if not any(operation.among_keys for operation in here):
            others = OtherMethods(frozenset(operation.method for operation in here))
            app.router.routes.append(StarletteRoute(path, others))
    _add_health(app, services)
    app.openapi = lambda: openapi.document(OPERATIONS)  # type: ignore[method-assign]
    app.add_exception_handler(HTTPException, _no_such_route)
    app.add_exception_handler(Exception, _fault)
    app.add_middleware(
        Edge,
        hosts=services.hosts,
        addresses=services.addresses,
        observers=(services.metrics.observe, *services.observers),
    )
    return app


async def _flush_now_and_then(services: Services) -> None:
    while True:
        await asyncio.sleep(FLUSH_SECONDS)
        await services.flush()
        await services.upkeep.erase_removed()


Endpoint = Callable[[Request], Awaitable[Response]]


def _add_route(app: FastAPI, path: str, endpoint: Endpoint, method: str) -> None:
    """Starlette's own: what FastAPI would find out about each endpoint, to read and describe its
    input, stands in the table of operations."""
    route = StarletteRoute(path, endpoint, methods=[method], include_in_schema=False)
    route.methods = {method}  # it takes HEAD for GET
    app.router.routes.append(route)


def _endpoint(services: Services, operation: Route) -> Endpoint:
    async def answer(request: Request) -> Response:
        request.state.operation = operation.name
        headers: dict[str, str] = {}
        request.state.told = headers  # for the last line of defence
        try:
            return await _serve(services, operation, request, headers)
        except (LocalmemError, Refused) as problem:
            return refused(problem, request, operation.envelope, headers)

    return answer


async def _serve(
    services: Services, operation: Route, request: Request, headers: dict[str, str]
) -> Response:
    """One request, from its credential to its reply; `headers` go on a refusal too."""
    holder, units_used = await services.admit(
        auth.bearer(request.headers.getlist("authorization"), request.headers.getlist("x-api-key"))
    )
    _welcome(services, holder, request, headers)
    if isinstance(operation, SessionOperation):
        return await _serve_session(services, operation, holder, request, headers)
    if isinstance(holder, PersonHolder):
        raise Refused("forbidden", "A person's token opens their preferences, not this.")
    assert isinstance(operation, Operation)  # there are two kinds of rows
    _check_right(holder, operation)
    author = _author(request)
    asked = await inputs.asked(request, operation)
    actor = holder.actor(author)

    async with services.spaces.using(services.spaces.file(holder.partition)) as space:
        holder = await services.known(space, holder)
        headers["Memory-Epoch"] = holder.partition.epoch
        _check_epoch(holder, request)
        now = services.clock()
        call = Call(holder, operation.name, services.cursors, now, month(now), units_used,
                    server=services.server_id)  # fmt: skip

        def work(engine: Engine) -> Answer:
            return perform(operation, engine.acting(actor), asked, call)

        answer = await space.run(work, changes=operation.changes)
        await services.after(space, call, answer)
    services.meter.count(holder, operation.units if answer.units is None else answer.units)
    return _reply(answer, operation, headers)


def _welcome(services: Services, holder: Holder, request: Request, headers: dict[str, str]) -> None:
    """Whose request it is: for the log, the reply's headers and the rate. Raises Refused."""
    match holder:
        case KeyHolder(key=key, space=space, partition=partition):
            request.state.space, request.state.key = space.id, key.prefix
            headers["Memory-Epoch"] = partition.epoch
            headers.update(services.rates.take(str(partition)))
        case PersonHolder(token=token, person=person):
            request.state.space, request.state.key = person.id, token.prefix
            headers.update(services.rates.take(person.id))


async def _serve_session(
    services: Services,
    operation: SessionOperation,
    holder: Holder,
    request: Request,
    headers: dict[str, str],
) -> Response:
    visit = Visit(holder, services.clock)
    sessions.check(holder)
    asked = await inputs.asked(request, operation)
    done = await services.control.run(lambda store: operation.handle(store, asked, visit))
    if isinstance(done, Use):
        done = await services.tools.execute(holder, done)
    return _reply(done, operation, headers)


def _check_epoch(holder: KeyHolder, request: Request) -> None:
    """Who keeps a copy of another library than this one has nothing to write or delete here.

    Raises Refused (epoch_changed).
    """
    meant = request.headers.get("if-memory-epoch")
    if meant is not None and meant != holder.partition.epoch:
        raise Refused(
            "epoch_changed",
            "Nothing was done: the library is another one than you know. Compare everything.",
        )


def _check_right(holder: KeyHolder, operation: Operation) -> None:
    """Raises Refused (forbidden)."""
    if operation.right is not None:
        check_right(holder, operation.right)


def _author(request: Request) -> AuthorKind | None:
    """Who a program says it writes for. Raises InvalidInput."""
    said = request.headers.get(ACTOR_HEADER)
    if said is None:
        return None
    try:
        return AuthorKind(said.strip().lower())
    except ValueError:
        raise InvalidInput(
            f"X-Zavu-Actor must be one of {', '.join(AuthorKind)}.",
            details={"field": "X-Zavu-Actor"},
        ) from None


def _reply(answer: Answer, operation: Route, headers: Mapping[str, str]) -> Response:
    status = answer.status or operation.status
    sent = {**headers, **answer.headers}
    if answer.body is None:
        return Response(status_code=status, headers=sent)
    return JSONResponse(answer.body, status, sent)


def refused(
    problem: LocalmemError | Refused,
    request: Request,
    envelope: Envelope = Envelope.FLAT,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """The reply that a refusal gets, on whatever route."""
    told = refusal(problem, envelope)
    request.state.code = told.code
    return JSONResponse(told.body, told.status, {**(headers or {}), **told.headers})


def _add_health(app: FastAPI, services: Services) -> None:
    """`/health`: it runs. `/ready`: it can serve; 503 when its database cannot be read. `/metrics`:
    as if it were not there, for whoever may not read them."""

    async def health(request: Request) -> Response:
        request.state.operation = "health"
        return JSONResponse({"status": "ok"})

    async def ready(request: Request) -> Response:
        request.state.operation = "ready"
        try:
            await services.control.run(lambda store: store.server_id)
        except StoreError as problem:
            return refused(problem, request)
        return JSONResponse({"status": "ready"})

    async def metrics(request: Request) -> Response:
        request.state.operation = "metrics"
        client = request.client.host if request.client else ""
        if not may_read(client, request.headers, services.metrics_token):
            return await _no_such_route(request, HTTPException(404))
        return Response(services.metrics.text(), media_type=MEDIA_TYPE)

    for path, endpoint in (("/health", health), ("/ready", ready), ("/metrics", metrics)):
        _add_route(app, path, endpoint, "GET")


async def _no_such_route(request: Request, problem: Any) -> Response:
    if problem.status_code == 405:
        told = _wrong_method(", ".join(_methods(request)))
    else:
        told = Refused("not_found", "There is nothing at this path.")
    return refused(told, request)


def _wrong_method(allow: str) -> Refused:
    return Refused(
        "method_not_allowed",
        "That method is not understood at this path.",
        headers={"Allow": allow},
    )


def _among_keys(path: str) -> set[str]:
    """The methods of operations whose path is that of an item too."""
    asked = path.split("/")
    return {
        each.method
        for each in OPERATIONS
        if each.among_keys
        and len(parts := each.path.split("/")) == len(asked)
        and all(
            part == word or part.startswith("{") for part, word in zip(parts, asked, strict=True)
        )
    }


@dataclass(frozen=True, slots=True)
class OtherMethods:
    """Whatever a path does not understand ends there: `search` is nobody's memory id."""

    here: frozenset[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        allow = ", ".join(sorted(self.here | _among_keys(scope["path"])))
        told = refused(_wrong_method(allow), request)
        await told(scope, receive, send)


def _methods(request: Request) -> list[str]:
    """What the path of the request understands."""
    here = [route for route in request.app.routes if route.matches(request.scope)[0] != Match.NONE]
    return sorted({method for route in here for method in getattr(route, "methods", None) or ()})


async def _fault(request: Request, _: Exception) -> Response:
    return refused(server_error(), request)
