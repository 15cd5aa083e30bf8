"""Days as options name them, and cursors of lists that are counted: read by the core's rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from localmem.cli.session import Session
from localmem.core import query
from localmem.core.model import Millis
from localmem.errors import InvalidInput

F = TypeVar("F", bound=Callable[..., Any])

as_of_option = click.option(
    "--as-of",
    metavar="DAY",
    help="As it was when that day, month or year ended: yesterday, 2026-03-29, 2026-03.",
)
since_option = click.option("--since", metavar="DAY", help="Only from that day, month or year on.")
until_option = click.option(
    "--until", metavar="DAY", help="Only until that day, month or year ended."
)


def as_of(session: Session, now: Millis, text: str | None) -> Millis | None:
    """The last moment of what was named; None when that is now. Raises InvalidInput."""
    return None if text is None else query.end_of(text, now=now, zone=session.zone())


def first(session: Session, now: Millis, text: str | None) -> Millis | None:
    """The first moment that `--since` allows. Raises InvalidInput."""
    return None if text is None else query.period(text, now=now, zone=session.zone())[0]


def behind(session: Session, now: Millis, text: str | None) -> Millis | None:
    """The first moment that `--until` leaves out. Raises InvalidInput."""
    return None if text is None else query.period(text, now=now, zone=session.zone())[1]


def offset(cursor: str | None) -> int:
    """Where a counted list goes on. Raises InvalidInput for what is no cursor of one."""
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 12):
        raise InvalidInput(
            "That is not a cursor of this list.", hint="Use the one the page before told."
        )
    return int(cursor)
