"""One write is at the server while the next is made ready and the answer before is written down.

Refuses to run ahead of bad news: what follows an answer that was not all good leaves only after
that answer was taken in. What is under way when a cycle ends is found out by the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from sync.messages import Reply, Write, went_well
from sync.run import Run, Steps


class Sent(Protocol):
    @property
    def request(self) -> Write: ...


S = TypeVar("S", bound=Sent)


class Pipeline(Generic[S]):
    def __init__(self, run: Run, take_in: Callable[[Run, S, Reply], Steps[None]]) -> None:
        """`take_in` writes an answer down."""
        self._run = run
        self._take_in = take_in
        self._flying: S | None = None

    def send(self, make: Callable[[bool], S | None]) -> Steps[None]:
        """`make` says what leaves now, which is on the disk already; it is told whether an answer
        came meanwhile that was not all good. Raises Halt."""
        sent, self._flying = self._flying, None
        reply = None if sent is None else (yield from self._run.tell(sent.request))
        bad = sent is not None and not went_well(reply)
        if bad:
            yield from self._landed(sent, reply)
        self._flying = make(bad)
        if self._flying is not None:
            yield from self._run.begin(self._flying.request)
        if not bad:
            yield from self._landed(sent, reply)

    def end(self) -> Steps[None]:
        """Wait until nothing is under way. Raises Halt."""
        yield from self.send(lambda _: None)

    def _landed(self, sent: S | None, reply: Reply | None) -> Steps[None]:
        if sent is not None and reply is not None:
            yield from self._take_in(self._run, sent, reply)
