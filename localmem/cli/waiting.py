"""Time that passes in a command: a countdown that can be seen and stopped."""

from __future__ import annotations

import time

from localmem.cli import present
from localmem.cli.session import Session


def pause(seconds: float) -> None:
    time.sleep(seconds)


def count_down(session: Session, seconds: int) -> None:
    """Wait, and show how long still; Ctrl-C stops the command."""
    console = session.console
    if not console.watched:
        session.warn(f"The server asks to wait {length(seconds)}; then it goes on.")
    for left in range(seconds, 0, -1):
        console.progress(f"The server asks to wait: {length(left)} left; Ctrl-C stops.")
        pause(1)
    console.progress("")


def length(seconds: int) -> str:
    """`90 seconds`, `5 minutes`."""
    if seconds < 120 or seconds % 60:
        return present.count(seconds, "second")
    return present.count(seconds // 60, "minute")
