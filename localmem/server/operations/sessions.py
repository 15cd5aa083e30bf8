"""Sessions as the shop vendor's SDK opens them: a handle to call tools by (protocols 3.2).

A session belongs to the key or person that opened it and proves nothing itself: every request
shows its credential, and a tool asks whose that is. To anybody else it is not there.
"""

from __future__ import annotations

from localmem.core import hosting
from localmem.core.hosting import KeyKind
from localmem.core.hosting_ports import Hosting
from localmem.hosting.admission import Holder, KeyHolder, PersonHolder
from localmem.hosting.sessions import Sessions
from localmem.server.errors import Envelope, Refused
from localmem.server.operations import shop
from localmem.server.operations.operation import Answer, SessionOperation, Use, Visit
from localmem.wire import shop as wire
from localmem.wire.shapes import Shape

MOST_BYTES = 1024 * 1024
"""Of a call: it may bring the offers of a shop."""


def check(holder: Holder) -> None:
    """Raises Refused (forbidden) for a key of the memory API."""
    if isinstance(holder, KeyHolder) and holder.key.kind is not KeyKind.SHOP:
        raise Refused(
            "forbidden",
            "A key of the memory API opens no session: a shop key (csk_) or a person's own token "
            "does.",
        )


def open_(store: Hosting, asked: wire.OpenSession, visit: Visit) -> Answer:
    opened = Sessions(store, visit.clock).open(
        _owner(visit.holder), asked.user_id, tuple(dict.fromkeys(asked.servers))
    )
    return Answer(_shape(opened, visit.holder))


def get(store: Hosting, asked: wire.OneSession, visit: Visit) -> Answer:
    return Answer(_shape(_find(store, asked, visit), visit.holder))


def connections(store: Hosting, asked: wire.OneSession, visit: Visit) -> Answer:
    return Answer(wire.connections(_find(store, asked, visit).servers, tools()))


def execute(store: Hosting, asked: wire.Execute, visit: Visit) -> Use:
    _find(store, asked, visit)
    return Use(asked.tool, asked.given())


def close(store: Hosting, asked: wire.OneSession, visit: Visit) -> Answer:
    if not Sessions(store, visit.clock).close(asked.id, _owner(visit.holder)):
        raise _not_found()
    return Answer()


def tools() -> list[Shape]:
    """Every tool, listed to whoever has a session: a key sees it and cannot use it (seed)."""
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "input_schema": tool.schema,
            "server": wire.SERVER,
        }
        for tool in shop.TOOLS.values()
    ]


def _find(store: Hosting, asked: wire.OneSession, visit: Visit) -> hosting.Session:
    found = Sessions(store, visit.clock).find(asked.id, _owner(visit.holder))
    if found is None:
        raise _not_found()
    return found


def _not_found() -> Refused:
    return Refused("session_not_found", "Session not found or closed.")


def _owner(holder: Holder) -> str:
    match holder:
        case KeyHolder(key=key):
            return key.id
        case PersonHolder(person=person):
            return person.id


def _shape(opened: hosting.Session, holder: Holder) -> Shape:
    match holder:
        case KeyHolder(space=space):
            return wire.session(opened, org=space.id, project=space.id)
        case PersonHolder(person=person):
            return wire.session(opened, org=person.id, project=None)


_NESTED = Envelope.NESTED
_UNKNOWN = ("session_not_found",)

OPERATIONS = (
    SessionOperation(
        "open_session",
        "POST",
        "/v1/sessions",
        "Open a session to call tools in; it ends by itself after a day.",
        open_,
        answers={201: wire.SessionOut},
        asks=wire.OpenSession,
        envelope=_NESTED,
    ),
    SessionOperation(
        "get_session",
        "GET",
        "/v1/sessions/{id}",
        "Read one session.",
        get,
        answers={200: wire.SessionOut},
        asks=wire.OneSession,
        faults=_UNKNOWN,
        envelope=_NESTED,
    ),
    SessionOperation(
        "session_connections",
        "GET",
        "/v1/sessions/{id}/connections",
        "The servers and the tools of a session.",
        connections,
        answers={200: wire.Connections},
        asks=wire.OneSession,
        faults=_UNKNOWN,
        envelope=_NESTED,
    ),
    SessionOperation(
        "execute_tool",
        "POST",
        "/v1/sessions/{id}/execute",
        "Call one tool.",
        execute,
        answers={200: wire.Executed},
        asks=wire.Execute,
        most_bytes=MOST_BYTES,
        faults=(
            *_UNKNOWN,
            "bearer_token_has_no_person",
            "memory_key_unknown",
            "memory_value_invalid",
            "memory_source_not_person",
            "memory_inference_blocked",
            "memory_not_found",
            "memory_rejected",
            "secret_rejected",
            "invalid_args",
        ),
        envelope=_NESTED,
    ),
    SessionOperation(
        "close_session",
        "DELETE",
        "/v1/sessions/{id}",
        "Close a session.",
        close,
        answers={204: None},
        asks=wire.OneSession,
        faults=_UNKNOWN,
        envelope=_NESTED,
    ),
)
