"""Runs of a sync, and the versions each of them wrote: what takes a whole run back.

Steps name items and versions, never what they said. A run that did nothing is kept only until a
newer one ends: programs that stay open synchronise all day.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from localmem.core.model import ItemId, Millis
from localmem.core.records import UndoStep
from localmem.core.sync_runs import SyncRun, SyncState
from localmem.store import rows
from localmem.store.items import LIVE
from localmem.store.session import Session

KEPT_RUNS = 100

_RUN = (
    "SELECT id, account, started_at, ended_at, state, told, "
    "(SELECT count(*) FROM sync_step WHERE run = sync_run.id), erased FROM sync_run"
)


@dataclass(frozen=True, slots=True)
class SyncRunTable:
    session: Session

    def begin(self, account: int | None, at: Millis) -> int:
        """A new run; one that never ended is over with it."""
        self.session.run(
            "UPDATE sync_run SET state = ? WHERE state = ?", SyncState.STOPPED, SyncState.RUNNING
        )
        id = self.session.one(
            "INSERT INTO sync_run (account, started_at, state) VALUES (?, ?, ?) RETURNING id",
            account,
            at,
            SyncState.RUNNING,
        )
        self.session.run("DELETE FROM sync_run WHERE id <= ?", id - KEPT_RUNS)
        return int(id)

    def add(self, run: int, steps: Sequence[UndoStep], *, erased: int = 0) -> None:
        """A second step on an item goes back as far as the first."""
        self.session.connection.executemany(
            "INSERT INTO sync_step (run, item, made, before) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (run, item) DO UPDATE SET made = excluded.made",
            ((run, step.item, step.made, step.before) for step in steps),
        )
        if erased:
            self.session.run("UPDATE sync_run SET erased = erased + ? WHERE id = ?", erased, run)

    def end(self, run: int, told: str, at: Millis) -> None:
        self.session.run(
            "UPDATE sync_run SET ended_at = ?, state = ?, told = ? WHERE id = ?",
            at,
            SyncState.DONE,
            told,
            run,
        )

    def drop_idle(self) -> None:
        """Runs before the newest that did nothing and have nothing to tell, and those just before
        it that told the same: no answer for a day is one line."""
        now, *older = self.newest(KEPT_RUNS)
        idle = [run.id for run in older if run.idle]
        for run in older:
            if run.told != now.told or run.steps or run.erased:
                break
            idle.append(run.id)
        self.session.run(
            "DELETE FROM sync_run WHERE id IN (SELECT value FROM json_each(?))", json.dumps(idle)
        )

    def find(self, run: int) -> SyncRun | None:
        row = self.session.run(f"{_RUN} WHERE id = ?", run).fetchone()
        return None if row is None else _run(row)

    def newest(self, limit: int) -> list[SyncRun]:
        return [_run(row) for row in self.session.run(f"{_RUN} ORDER BY id DESC LIMIT ?", limit)]

    def steps(self, run: int, *, after: str, limit: int) -> list[tuple[UndoStep, int | None]]:
        """By item, behind the item `after`, each with the item's head; None: it is gone."""
        found = self.session.run(
            "SELECT sync_step.item, sync_step.made, sync_step.before, item.head FROM sync_step "
            f"LEFT JOIN item ON item.id = sync_step.item AND {LIVE} "
            "WHERE sync_step.run = ? AND sync_step.item > ? ORDER BY sync_step.item LIMIT ?",
            self.session.clock(),
            run,
            after,
            limit,
        )
        return [(UndoStep(ItemId(item), made, was), head) for item, made, was, head in found]

    def mark_undone(self, run: int) -> None:
        self.session.run("UPDATE sync_run SET state = ? WHERE id = ?", SyncState.UNDONE, run)


def _run(row: rows.Row) -> SyncRun:
    id, account, started_at, ended_at, state, told, steps, erased = row
    return SyncRun(
        id,
        account,
        started_at,
        ended_at,
        SyncState(state),
        told,
        steps,
        erased,
    )
