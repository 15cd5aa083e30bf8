"""Bringing in what a file offers: in batches, line by line answered, undone as one.

    run = engine.imports.begin(name, format, fingerprint, rules)      # or goes on where it stopped
    for batch in batches(source, after=run.line):
        taken = engine.imports.take(run, batch, rules)                # one transaction
    engine.imports.finish(run)                                        # or stop(run)

Every line passes the same guard and limits as what is typed. Refuses to overwrite what is here,
and to bring back what the person forgot, unless the rules say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from localmem.core.incoming import Counts, Line, Run, RunState
from localmem.core.model import ItemId
from localmem.core.scope import PROJECT, Scope
from localmem.engine.context import Context
from localmem.engine.undoing import NothingToUndo, Undone, UndoPreview

__all__ = [
    "Counts",
    "Fate",
    "Imports",
    "Outcome",
    "Rules",
    "Run",
    "RunState",
    "Seen",
    "Taken",
    "batches",
]

LARGEST_BATCH = 500


class Fate(StrEnum):
    """What became of a line."""

    NEW = "new"
    CHANGED = "changed"
    """What was here has a newer version now."""
    UNCHANGED = "unchanged"
    """It was here already."""
    SKIPPED = "skipped"
    """Left out by a rule: forgotten or rejected here, changed on both sides, expired."""
    REFUSED = "refused"
    """It cannot be kept: broken, over a limit, a secret."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to one line."""

    line: int
    fate: Fate
    why: str = ""
    """A sentence; "" where there is nothing to say."""
    item: ItemId | None = None
    """What it is kept as; None where nothing is, and in a preview of what would be new."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the person chose for a whole import."""

    scope: Scope = PROJECT
    """For lines that name none."""
    overwrite: bool = False
    """Where both sides changed, the file's becomes a new version instead of being left out."""
    keep_secrets: bool = False
    """Secrets stay as they are, instead of being masked and named."""
    bring_back: bool = False
    """What was forgotten here comes back."""


@dataclass(frozen=True, slots=True)
class Taken:
    run: Run
    """As it is after this batch; pass it on to the next."""
    outcomes: tuple[Outcome, ...]
    """One for each line, in their order."""


@dataclass(slots=True)
class Seen:
    """What the batches of one preview would have made so far; digests only."""

    made: set[int] = field(default_factory=set)
    facts: dict[str, int] = field(default_factory=dict)
    """New facts by scope."""


def batches(lines: Iterable[Line], *, after: int = 0) -> Iterator[list[Line]]:
    """The lines behind line `after`, in batches of one transaction each.

    A line that offers several memories is never divided.
    """
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Imports:
    context: Context

    def begin(self, source: str, format: str, fingerprint: str, rules: Rules) -> Run:
        """A new run, or the stopped one of the same file, format and rules.

        `fingerprint` tells one file from another; "" (a pipe) is never the same again.
        """
        raise NotImplementedError

    def take(self, run: Run, batch: Sequence[Line], rules: Rules) -> Taken:
        """Keep what a batch offers, in one transaction. Raises StoreError, Cancelled."""
        raise NotImplementedError

    def preview(self, batch: Sequence[Line], rules: Rules, seen: Seen) -> tuple[Outcome, ...]:
        """What `take` would answer; writes nothing. `seen` goes from batch to batch."""
        raise NotImplementedError

    def stop(self, run: Run) -> Run:
        """End it for now; `begin` with the same file goes on."""
        raise NotImplementedError

    def finish(self, run: Run) -> Run:
        """The whole file was taken."""
        raise NotImplementedError

    def list(self, *, limit: int = 50) -> list[Run]:
        """Newest first."""
        raise NotImplementedError

    def run(self, id: int) -> Run:
        """Raises MemoryNotFound."""
        raise NotImplementedError

    def undo_preview(self, id: int) -> UndoPreview | NothingToUndo:
        """What `undo` would take back. Raises MemoryNotFound."""
        raise NotImplementedError

    def undo(self, id: int) -> Undone | NothingToUndo:
        """Take back all of an import that is still as imported, whatever was done since.

        What was changed since stays, and is counted. Raises MemoryNotFound.
        """
        raise NotImplementedError
