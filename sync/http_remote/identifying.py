"""Whose copy of which space a server has: as our own says it, else from what is documented.

Names no key: where nothing else tells two accounts apart, a digest of it does.
"""

from __future__ import annotations

import hashlib

from localmem.wire import remote as wire
from localmem.wire.remote import Broken
from sync.http_remote import answering, asking
from sync.http_remote.asking import COLLECTIONS, MEMORY
from sync.http_remote.exchange import Came, Exchange
from sync.messages import (
    Capabilities,
    Identify,
    Identity,
    OtherEpoch,
    Reply,
)

_NO_SUCH_PATH = (400, 404, 405, 422)
"""What a server says that does not have it; `sync` may be taken for a fact's id."""
_SHORT = 32


def identify(to: Exchange, documented: Capabilities, epoch: str | None) -> Reply:
    """`documented`: what a server can that does not say it."""
    came = to.send(asking.get(f"{MEMORY}/sync"), epoch)
    if not isinstance(came, Came):
        return came
    if came.status not in _NO_SUCH_PATH:
        return _told(came, to, epoch)
    if epoch is not None:
        return answering.broken(to, "it does not say which library it is of")
    return _documented(to, documented)


def _told(came: Came, to: Exchange, epoch: str | None) -> Reply:
    if not 200 <= came.status < 300:
        return answering.refused(Identify(), came, to, epoch)
    problem = answering.unusable(came, to, epoch)
    if problem is not None:
        return problem
    copy = wire.read(wire.Copy, came.body)
    if isinstance(copy, Broken):
        return answering.broken(to, copy.why)
    if epoch not in (None, copy.epoch):
        return OtherEpoch(copy.epoch)
    return Identity(
        copy.server_id,
        copy.account,
        copy.partition,
        copy.epoch,
        _capabilities(copy.capabilities),
        copy.high,
    )


def _capabilities(told: wire.Told) -> Capabilities:
    return Capabilities(
        changes=told.changes,
        epoch=told.epoch,
        idempotency=told.idempotency_key,
        if_match=told.if_match,
        if_match_delete=told.if_match_delete,
        if_none_match=told.if_none_match,
        reasons=told.reasons,
        batch=max(told.batch, told.batch_asked),
        conditional_batch=told.if_match and told.batch_if_none_match,
        fact_batch=told.fact_batch,
        replaces=told.replaces,
    )


def _documented(to: Exchange, can: Capabilities) -> Reply:
    server = _digest(to.place)
    came = to.send(asking.get("/v1/me"), None)
    if not isinstance(came, Came):
        return came
    if 200 <= came.status < 300:
        problem = answering.unusable(came, to, None)
        if problem is not None:
            return problem
        me = wire.read(wire.Me, came.body)
        if not isinstance(me, Broken):
            test = to.is_test if me.is_test_mode is None else me.is_test_mode
            return Identity(server, me.project.id, _partition(test), None, can)
    elif came.status not in (*_NO_SUCH_PATH, 403):
        return answering.refused(Identify(), came, to, None)
    account = f"key-{_digest(to.digest_text())}"
    return _no_memory(to) or Identity(server, account, _partition(to.is_test), None, can)


def _no_memory(to: Exchange) -> Reply | None:
    """None where it answers as a memory API does; else what it is instead."""
    came = to.send(asking.get(f"{COLLECTIONS}?limit=1"), None)
    if not isinstance(came, Came):
        return came
    if not 200 <= came.status < 300:
        if came.status in _NO_SUCH_PATH:
            return answering.elsewhere(to, came)
        return answering.refused(Identify(), came, to, None)
    problem = answering.unusable(came, to, None)
    if problem is None and isinstance(wire.read(wire.CollectionPage, came.body), Broken):
        return answering.elsewhere(to, came)
    return problem


def _partition(test: bool) -> str:
    return "test" if test else "live"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_SHORT]
