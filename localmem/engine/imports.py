"""Bringing in what a file offers: in batches, line by line answered, undone as one.

    run = engine.imports.begin(name, format, fingerprint, rules)      # or goes on where it stopped
    for batch in batches(source, after=run.line):
        taken = engine.imports.take(run, batch, rules)                # one transaction
        run = taken.run
    engine.imports.finish(run)                                        # or stop(run)

Every line passes the same guard and limits as what is typed. Refuses to overwrite what is here,
and to bring back what the person forgot, unless the rules say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import groupby
from typing import assert_never

from localmem.core.incoming import (
    Counts,
    Definition,
    Incoming,
    Line,
    Run,
    RunState,
    Standing,
    Unreadable,
    Whole,
)
from localmem.core.model import DocumentContent, Origin
from localmem.core.records import UndoEntry, UndoStep
from localmem.core.screening import screen
from localmem.engine import adopting, guard, taking, undoing
from localmem.engine.context import Context
from localmem.engine.intake import Fate, Intake, Outcome, Rules, Seen, answered
from localmem.engine.outcomes import NothingToUndo, Undone, UndoPreview
from localmem.errors import MemoryNotFound

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

LARGEST_BATCH = 1_000
_DOCUMENT_WEIGHT = 5
"""A document may be 200 KB, a fact 8."""


@dataclass(frozen=True, slots=True)
class Taken:
    run: Run
    """As it is after this batch; pass it on to the next."""
    outcomes: tuple[Outcome, ...]
    """One for each line, in their order."""


def batches(lines: Iterable[Line], *, after: int = 0) -> Iterator[list[Line]]:
    """The lines behind line `after`, in batches of one transaction each.

    A line that offers several memories is never divided.
    """
    batch: list[Line] = []
    weight = 0
    for line in lines:
        if line.line <= after:
            continue
        if weight >= LARGEST_BATCH and line.line != batch[-1].line:
            yield batch
            batch, weight = [], 0
        batch.append(line)
        weight += _weight(line)
    if batch:
        yield batch


def _weight(line: Line) -> int:
    match line:
        case Whole(item=item, earlier=earlier):
            each = _DOCUMENT_WEIGHT if isinstance(item.head.content, DocumentContent) else 1
            return each * (1 + len(earlier))
        case Incoming(content=DocumentContent()):
            return _DOCUMENT_WEIGHT
        case _:
            return 1


@dataclass(frozen=True, slots=True)
class Imports:
    context: Context

    # a run

    def begin(self, source: str, format: str, fingerprint: str, rules: Rules) -> Run:
        """A new run, or the stopped one of the same file, format and rules.

        `fingerprint` tells one file from another; "" (a pipe) is never the same again. Raises
        SecretRejected for a secret in the rules' scope.
        """
        guard.place(rules.scope)
        known = "|".join([fingerprint, format, str(rules)]) if fingerprint else ""
        with self.context.store.writing():
            runs = self.context.store.imports
            stopped = runs.unfinished(known) if known else None
            if stopped is None:
                name = screen(source).text[:200]
                return runs.begin(name, format[:40], known, self.context.clock())
            run = replace(stopped, state=RunState.RUNNING, ended_at=None, resumed=True)
            runs.save(run)
            return run

    def take(self, run: Run, batch: Sequence[Line], rules: Rules) -> Taken:
        """Keep what a batch offers, in one transaction. Raises StoreError, Cancelled."""
        with self.context.store.writing():
            intake = Intake(self._through_import(), rules)
            with self.context.store.items.words_at_once():
                outcomes = tuple(_answers(intake, batch))
                intake.flush()
            known = self._known(run)
            moved = replace(
                known,
                line=max([known.line, *(line.line for line in batch)]),
                counts=_counted(known.counts, batch, outcomes),
                undo=self._record(known, intake.steps),
            )
            self.context.store.imports.save(moved)
        return Taken(moved, outcomes)

    def preview(self, batch: Sequence[Line], rules: Rules, seen: Seen) -> tuple[Outcome, ...]:
        """What `take` would answer; writes nothing. `seen` goes from batch to batch."""
        with self.context.store.reading():
            intake = Intake(self._through_import(), rules, seen)
            return tuple(_answers(intake, batch))

    def stop(self, run: Run) -> Run:
        """End it for now; `begin` with the same file goes on."""
        return self._end(run, RunState.STOPPED)

    def finish(self, run: Run) -> Run:
        """The whole file was taken."""
        return self._end(run, RunState.DONE)

    # afterwards

    def recent(self, *, limit: int = 50) -> tuple[Run, ...]:
        """Newest first."""
        with self.context.store.reading():
            return tuple(self.context.store.imports.newest(limit))

    def run(self, id: int) -> Run:
        """Raises MemoryNotFound."""
        with self.context.store.reading():
            return self._run(id)

    def undo_preview(self, id: int) -> UndoPreview | NothingToUndo:
        """What `undo` would take back. Raises MemoryNotFound."""
        with self.context.store.reading():
            entry = self._entry(id)
            if isinstance(entry, NothingToUndo):
                return entry
            return undoing.preview(self.context, undoing.Logged(self.context, entry))

    def undo(self, id: int) -> Undone | NothingToUndo:
        """Take back all of an import that is still as imported, whatever was done since.

        What was changed since stays, and is counted. Collections stay defined. Raises
        MemoryNotFound.
        """
        with self.context.store.writing():
            entry = self._entry(id)
            if isinstance(entry, NothingToUndo):
                return entry
            done = undoing.take_back(self.context, undoing.Logged(self.context, entry))
        if isinstance(done, Undone) and done.gone:
            self.context.store.scrub()
        return done

    # inside

    def _through_import(self) -> Context:
        return self.context.acting(self.context.actor._replace(origin=Origin.IMPORT))

    def _known(self, run: Run) -> Run:
        """As it is now: another program may bring in the same file, or have taken it back."""
        known = self.context.store.imports.find(run.id) or run
        if known.state is RunState.UNDONE:
            known = replace(known, undo=None)
        return replace(known, state=RunState.RUNNING, ended_at=None, resumed=run.resumed)

    def _record(self, run: Run, steps: Sequence[UndoStep]) -> int | None:
        """One entry of the undo log for the whole run, one deed a batch."""
        if not steps:
            return run.undo
        self._through_import().record("imported", kind="item", scope="", items=len(steps))
        if not self.context.by_person:
            return None
        history = self.context.store.history
        if run.undo is None:
            return history.record_undo(f"imported {run.source}", steps, self.context.clock())
        history.extend_undo(run.undo, steps)
        return run.undo

    def _end(self, run: Run, state: RunState) -> Run:
        with self.context.store.writing():
            ended = replace(self._known(run), state=state, ended_at=self.context.clock())
            self.context.store.imports.save(ended)
        return ended

    def _run(self, id: int) -> Run:
        found = self.context.store.imports.find(id)
        if found is None:
            raise MemoryNotFound(
                f"There is no import {id}.", hint="`localmem import --list` shows them."
            )
        return found

    def _entry(self, id: int) -> UndoEntry | NothingToUndo:
        run = self._run(id)
        if run.state is RunState.UNDONE:
            return NothingToUndo(f"Import {id} was taken back already.")
        entry = None if run.undo is None else self.context.store.history.undo_entry(run.undo)
        if entry is None:
            return NothingToUndo(
                f"Import {id} changed nothing, or so much was done since that it is not known any "
                "more what it changed."
            )
        return entry


def _answers(intake: Intake, batch: Sequence[Line]) -> Iterator[Outcome]:
    """Facts that follow each other at once, everything else one by one."""
    for are_facts, lines in groupby(batch, taking.is_fact):
        if are_facts:
            yield from taking.together(intake, lines)
        else:
            intake.flush()
            yield from (answered(line, partial(_one, intake, line)) for line in lines)


def _one(intake: Intake, line: Line) -> Outcome:
    match line:
        case Incoming():
            return taking.incoming(intake, line)
        case Whole():
            return adopting.whole(intake, line)
        case Definition():
            return adopting.definition(intake, line)
        case Standing():
            return adopting.standing(intake, line)
        case Unreadable(why=why):
            return Outcome(line.line, Fate.REFUSED, why)
        case _:
            assert_never(line)


def _counted(before: Counts, batch: Sequence[Line], outcomes: Sequence[Outcome]) -> Counts:
    """Memories and faults; what only stands beside the memories is no line of its own."""
    found = Counter(
        str(outcome.fate)
        for line, outcome in zip(batch, outcomes, strict=True)
        if outcome.why or not isinstance(line, Definition | Standing)
    )
    return Counts(**{name: count + found[name] for name, count in asdict(before).items()})
