"""Runs the steps of a cycle against a server, one request after the other."""

from __future__ import annotations

from collections.abc import Callable

from localmem.errors import Cancelled
from sync.messages import Remote, Request
from sync.run import Ending, Steps

Watch = Callable[[Request], None]
"""Told of each request before it is sent; may raise Cancelled."""


def drive(steps: Steps[Ending], remote: Remote, epoch: str | None, watch: Watch) -> Ending:
    """Every reply must be of that epoch; None takes any. Raises Cancelled between two requests:
    what was done stays done, and the next cycle goes on from there."""
    try:
        request = next(steps)
        while True:
            watch(request)
            request = steps.send(remote.ask(request, epoch=epoch))
    except StopIteration as stop:
        ending: Ending = stop.value
        return ending
    except Cancelled:
        steps.close()
        raise
