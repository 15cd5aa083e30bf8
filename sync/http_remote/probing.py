"""What a server can do that has no way of saying so: tried out on things of our own (sync.md 2.1).

Up to eight writes, in a collection of its own and with two facts that last a minute, all taken
away again. Refuses to guess: where another device may have been in the way, there is no answer.
"""

from __future__ import annotations

from collections.abc import Callable

from localmem.core.scope import PROJECT
from localmem.wire import remote as wire
from localmem.wire.remote import Broken
from sync.http_remote import answering, asking, refusals
from sync.http_remote.asking import COLLECTIONS, MEMORY
from sync.http_remote.exchange import Asked, Came, Exchange, Headers
from sync.messages import (
    DOCUMENTED,
    Added,
    AddFact,
    Capabilities,
    Done,
    NewFact,
    NoReply,
    OtherEpoch,
    Refusal,
    Refused,
    Reply,
    Step,
    WriteItem,
)

COLLECTION = "lm-probe"
Probed = Capabilities | Refusal | NoReply | OtherEpoch

_REFUSED = (409, 412)
_ENDS = (Refused.SIGNED_OUT, Refused.QUOTA, Refused.SCOPE_FULL, Refused.BUSY)
_SECONDS = 60


class _Ended(Exception):
    def __init__(self, reply: Refusal | NoReply | OtherEpoch) -> None:
        super().__init__()
        self.reply = reply


class Probe:
    """One round; `name` tells it from another device's."""

    def __init__(self, to: Exchange, name: str) -> None:
        self._to = to
        self._name = name
        self._here, self._nowhere = f"p-{name}", f"q-{name}"
        self._facts: list[str] = []
        self._new = False
        """Whether the collection is there for this round alone."""

    def run(self) -> Probed:
        try:
            self._new = self._read(f"{asking.items(COLLECTION)}?limit=1").status == 404
            rev = self._rev(self._put(self._here))
            can, rev = self._form(rev)
            can = can._replace(
                if_match=can.if_match and not _done(self._match(self._here, _another(rev), can)),
                if_none_match=self._put(self._here, (("If-None-Match", "*"),)).status in _REFUSED,
                if_match_absent=not _done(self._match(self._nowhere, rev, can)),
            )
            can = self._with_facts(can)
            return can._replace(if_match_delete=self._keeps(_another(rev), can))
        except _Ended as end:
            return end.reply
        finally:
            self._clean()

    # P1 to P5

    def _form(self, rev: str) -> tuple[Capabilities, str]:
        """Whether If-Match is taken in quotes or bare, and the rev after that (P2)."""
        for bare in (False, True):
            can = DOCUMENTED._replace(bare_if_match=bare)
            came = self._match(self._here, rev, can)
            if _done(came):
                return can, self._rev(came)
            if came.status == 404:
                raise self._disturbed()
        if self._rev(self._read(self._item(self._here))) != rev:
            raise self._disturbed()
        return DOCUMENTED._replace(if_match=False), rev

    def _match(self, key: str, rev: str, can: Capabilities) -> Came:
        return self._put(key, (("If-Match", asking.if_match(rev, can)),))

    def _keeps(self, rev: str, can: Capabilities) -> bool:
        """Whether a DELETE with another rev is refused (P4)."""
        condition = (("If-Match", asking.if_match(rev, can)),)
        return self._send(Asked("DELETE", self._item(self._here), condition)).status in _REFUSED

    # P6 and P7

    def _with_facts(self, can: Capabilities) -> Capabilities:
        first = self._add(1)
        if not isinstance(first, Added):
            return can
        page = wire.read(wire.FactPage, self._read(f"{MEMORY}?{_PLACE}&limit=100").body)
        rows = [] if isinstance(page, Broken) else page.items
        echoes = all(bool(row.metadata) for row in rows if row.id == first.server_id)
        again = self._add(2)
        same = isinstance(again, Added) and again.server_id == first.server_id
        refused = isinstance(again, Refusal) and again.why in (Refused.REUSED, Refused.STALE)
        return can._replace(echoes_metadata=echoes, idempotency=same or refused)

    def _add(self, number: int) -> Reply:
        """Another text under the same name of the request: who knows the name says so."""
        text = f"localmem tries out this server ({self._name}, {number}); this goes in a minute."
        fact = NewFact(text, {"probe": self._name}, _SECONDS)
        request = AddFact(PROJECT, fact, f"lm-probe-{self._name}")
        came = self._send(asking.asked(request, DOCUMENTED))
        reply = answering.answer(request, came, self._to, None)
        if isinstance(reply, NoReply):
            raise _Ended(reply)
        if isinstance(reply, Added):
            self._facts.append(reply.server_id)
        return reply

    # sending

    def _item(self, key: str) -> str:
        return f"{asking.items(COLLECTION)}/{key}?{_PLACE}"

    def _put(self, key: str, headers: Headers = ()) -> Came:
        return self._send(asking.sending("PUT", self._item(key), {"value": self._name}, headers))

    def _read(self, target: str) -> Came:
        return self._send(asking.get(target))

    def _send(self, asked: Asked) -> Came:
        came = self._to.send(asked, None)
        if not isinstance(came, Came):
            raise _Ended(came)
        if came.body and not came.json:
            raise _Ended(answering.elsewhere(self._to, came))
        if not _done(came):
            refusal = refusals.refusal(came, wire.fault(came.body), self._to)
            if refusal.why in _ENDS:
                raise _Ended(refusal)
        return came

    def _rev(self, came: Came) -> str:
        written = WriteItem(PROJECT, COLLECTION, Step(self._here), "")
        reply = answering.answer(written, came, self._to, None)
        if isinstance(reply, Done) and reply.rev is not None:
            return reply.rev
        raise _Ended(reply) if isinstance(reply, Refusal | NoReply) else self._disturbed()

    def _disturbed(self) -> _Ended:
        why = "what was written a moment ago is another one now"
        return _Ended(answering.broken(self._to, why))

    def _clean(self) -> None:
        """As far as the server lets us; what is left of facts goes by itself."""
        targets = [f"{MEMORY}/{asking.segment(id)}?{_PLACE}" for id in dict.fromkeys(self._facts)]
        if self._new:
            targets.append(f"{COLLECTIONS}/{COLLECTION}")
        else:
            targets += [self._item(self._here), self._item(self._nowhere)]
        for target in targets:
            self._to.send(Asked("DELETE", target), None)


_PLACE = asking.in_query(PROJECT)


def _done(came: Came) -> bool:
    return 200 <= came.status < 300


def _another(rev: str) -> str:
    """One that looks like it and is not it."""
    return str(int(rev) + 7919) if rev.isascii() and rev.isdigit() else f"{rev[::-1]}0"[-255:]


def probe(to: Exchange, chance: Callable[[], float]) -> Probed:
    """What the server can do beside the documented API; nothing of the person's is touched."""
    return Probe(to, f"{int(chance() * 0xFFFFFFFF):08x}").run()
