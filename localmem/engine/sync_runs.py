"""The runs of a sync, newest first, and taking back what one of them pulled.

What a run erased here was erased for good: the answer says how many that were. Refuses a run that
goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from localmem.core.records import UndoStep
from localmem.core.sync_runs import SyncRun, SyncState
from localmem.engine import undoing
from localmem.engine.context import Context
from localmem.engine.outcomes import NothingToUndo, Undone, UndoPreview
from localmem.errors import MemoryNotFound


@dataclass(frozen=True, slots=True)
class SyncRuns:
    context: Context

    def recent(self, *, limit: int = 50) -> tuple[SyncRun, ...]:
        """Newest first."""
        with self.context.store.reading():
            return tuple(self.context.store.sync_runs.newest(limit))

    def run(self, id: int) -> SyncRun:
        """Raises MemoryNotFound."""
        with self.context.store.reading():
            return self._run(id)

    def undo_preview(self, id: int) -> UndoPreview | NothingToUndo:
        """What `undo` would take back. Raises MemoryNotFound."""
        with self.context.store.reading():
            run = self._run(id)
            refused = _refused(run)
            if refused is not None:
                return refused
            found = undoing.preview(self.context, _Pulled(self.context, run))
        return replace(found, lost=run.erased) if isinstance(found, UndoPreview) else found

    def undo(self, id: int) -> Undone | NothingToUndo:
        """Take back all that a run wrote here and that still is as it wrote it.

        The versions before come back as new ones, by the person; what was new is erased, so ask
        first. What was changed since stays, and is counted. Raises MemoryNotFound.
        """
        with self.context.store.writing():
            run = self._run(id)
            refused = _refused(run)
            if refused is not None:
                return refused
            done = undoing.take_back(self.context, _Pulled(self.context, run))
        if isinstance(done, Undone) and done.gone:
            self.context.store.scrub()
        return replace(done, lost=run.erased) if isinstance(done, Undone) else done

    def _run(self, id: int) -> SyncRun:
        found = self.context.store.sync_runs.find(id)
        if found is None:
            raise MemoryNotFound(
                f"There is no synchronisation {id}.", hint="Only the newest ones are remembered."
            )
        return found


@dataclass(frozen=True, slots=True)
class _Pulled:
    """What a run wrote, as `undoing.Steps`."""

    context: Context
    run: SyncRun

    @property
    def seq(self) -> int:
        return self.run.id

    @property
    def label(self) -> str:
        return "synchronised with the server"

    @property
    def count(self) -> int:
        return self.run.steps

    def page(self, *, after: str, limit: int) -> list[tuple[UndoStep, int | None]]:
        return self.context.store.sync_runs.steps(self.run.id, after=after, limit=limit)

    def taken_back(self) -> None:
        self.context.store.sync_runs.mark_undone(self.run.id)


def _refused(run: SyncRun) -> NothingToUndo | None:
    if run.state is SyncState.RUNNING:
        return NothingToUndo("Not undone: this synchronisation goes on.")
    if run.state is SyncState.UNDONE:
        return NothingToUndo("This synchronisation was taken back already.")
    if not run.steps:
        lost = f" The {run.erased:,} that it erased do not come back." if run.erased else ""
        return NothingToUndo(f"This synchronisation wrote nothing here.{lost}")
    return None
