"""What the places Conflicts and Sync list, made on the engine's thread; they are short."""

from __future__ import annotations

from localmem.core.syncing import Past, State, Syncing
from localmem.tui.present.places import Shelves
from localmem.tui.present.syncing import About, Heading, SyncRow

MOST_LISTED = 500
"""What waits is listed one by one up to so many: beyond, the list would take longer than it helps.
"""
RUNS = 50


def of_shelf(shelf: Shelves, syncing: Syncing | None) -> tuple[SyncRow, ...]:
    """The rows of one of the two; none where nobody is signed in."""
    if syncing is None:
        return ()
    if shelf is Shelves.CONFLICTS:
        return syncing.conflicts()
    return _sync(syncing)


def _sync(syncing: Syncing) -> tuple[SyncRow, ...]:
    status = syncing.status()
    if status.state is State.OFF:
        return ()
    found: list[SyncRow] = [About("account", status), About("state", status)]
    if status.waiting or status.held:
        found.append(Heading("waiting", status.waiting, status.held))
    if 0 < status.waiting + status.held <= MOST_LISTED:
        found += syncing.waiting(limit=MOST_LISTED)
    runs = syncing.runs(limit=RUNS)
    if runs:
        newest, *older = runs
        found += [Heading("runs", len(runs)), newest, *map(_over, older)]
    return tuple(found)


def _over(past: Past) -> Past:
    """A run before the newest; one without an end was cut off, the newest may go on."""
    if past.ended_at is not None or past.message:
        return past
    return past._replace(message="It was cut off.")
