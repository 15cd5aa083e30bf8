"""Runs the steps of a cycle against a server: one request after the other, one ahead at most."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread

from localmem.errors import Cancelled
from sync.messages import Begin, Remote, Reply, Request
from sync.run import Ending, Steps

Watch = Callable[[Request], None]
"""Told of each request before it is sent; may raise Cancelled."""


def drive(steps: Steps[Ending], remote: Remote, epoch: str | None, watch: Watch) -> Ending:
    """Every reply must be of that epoch; None takes any. Raises Cancelled between two requests:
    what was done stays done, and the next cycle goes on from there."""
    asking = _Asking(remote, epoch, watch)
    try:
        asked = next(steps)
        while True:
            if isinstance(asked, Begin):
                asking.begin(asked.request)
                asked = steps.send(None)
            else:
                asked = steps.send(asking.ask(asked))
    except StopIteration as stop:
        ending: Ending = stop.value
        return ending
    except Cancelled:
        steps.close()
        raise
    finally:
        asking.wait()


class _Asking:
    """The server, which is never asked two things at a time."""

    def __init__(self, remote: Remote, epoch: str | None, watch: Watch) -> None:
        self._remote, self._epoch, self._watch = remote, epoch, watch
        self._begun: tuple[Request, Future[Reply]] | None = None

    def begin(self, request: Request) -> None:
        self.wait()
        self._watch(request)
        coming = Future[Reply]()
        Thread(target=self._fetch, args=(request, coming), daemon=True).start()
        self._begun = request, coming

    def ask(self, request: Request) -> Reply:
        self.wait()
        if self._begun is not None and self._begun[0] == request:
            coming, self._begun = self._begun[1], None
            return coming.result()
        self._watch(request)
        return self._remote.ask(request, epoch=self._epoch)

    def wait(self) -> None:
        """Until nothing is under way."""
        if self._begun is not None:
            self._begun[1].exception()

    def _fetch(self, request: Request, coming: Future[Reply]) -> None:
        try:
            coming.set_result(self._remote.ask(request, epoch=self._epoch))
        except BaseException as problem:  # noqa: BLE001  whoever asks for it is told
            coming.set_exception(problem)
