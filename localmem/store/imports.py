"""Imports that were begun, and what bringing in or handing out whole items needs of the tables.

A run remembers how far it came and which undo entry takes it back; never what a line said.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from localmem.core.incoming import Counts, Run, RunState, Waiting
from localmem.core.model import Item, ItemId, Kind, Millis, Version
from localmem.core.records import Removal
from localmem.core.scope import Scope
from localmem.store import rows
from localmem.store.items import INSERT_VERSION, LIVE
from localmem.store.session import Session

_RUN = "id, source, format, started_at, ended_at, line, state, counts, undo"


@dataclass(frozen=True, slots=True)
class ImportTable:
    session: Session

    # runs

    def begin(self, source: str, format: str, fingerprint: str, at: Millis) -> Run:
        """A new run that has taken nothing yet."""
        id = self.session.one(
            "INSERT INTO import_run (source, format, fingerprint, started_at, state) "
            "VALUES (?, ?, ?, ?, ?) RETURNING id",
            source,
            format,
            fingerprint,
            at,
            RunState.RUNNING,
        )
        return Run(int(id), source, format, at)

    def unfinished(self, fingerprint: str) -> Run | None:
        """The newest run of that file, when it has not come to its end."""
        row = self.session.run(
            f"SELECT {_RUN} FROM import_run WHERE fingerprint = ? ORDER BY id DESC LIMIT 1",
            fingerprint,
        ).fetchone()
        found = None if row is None else _run(row)
        unfinished = (RunState.RUNNING, RunState.STOPPED)
        return found if found is not None and found.state in unfinished else None

    def save(self, run: Run) -> None:
        """How far it is."""
        self.session.run(
            "UPDATE import_run SET ended_at = ?, line = ?, state = ?, counts = ?, undo = ? "
            "WHERE id = ?",
            run.ended_at,
            run.line,
            run.state,
            json.dumps(asdict(run.counts)),
            run.undo,
            run.id,
        )

    def find(self, id: int) -> Run | None:
        row = self.session.run(f"SELECT {_RUN} FROM import_run WHERE id = ?", id).fetchone()
        return None if row is None else _run(row)

    def newest(self, limit: int) -> list[Run]:
        found = self.session.run(f"SELECT {_RUN} FROM import_run ORDER BY id DESC LIMIT ?", limit)
        return [_run(row) for row in found]

    def undone(self, undo: int) -> None:
        """The run behind that entry of the undo log, if it is one, was taken back."""
        self.session.run("UPDATE import_run SET state = ? WHERE undo = ?", RunState.UNDONE, undo)

    # items of another library

    def page(
        self,
        *,
        kind: Kind | None,
        scope: Scope | None,
        collection: str,
        after: ItemId | None,
        limit: int,
    ) -> list[Item]:
        """Live items by id, behind `after`."""
        chosen: dict[str, Any] = {
            "+item.kind = ?": kind,
            "+item.scope = ?": str(scope) if scope else None,
            "+item.collection = ?": collection or None,
            "item.id > ?": after or "",
        }
        parts = {part: value for part, value in chosen.items() if value is not None}
        found = self.session.run(
            f"SELECT {rows.HEAD} FROM {rows.HEAD_FROM} WHERE {LIVE} "
            f"AND {' AND '.join(parts)} ORDER BY item.id LIMIT ?",
            self.session.clock(),
            *parts.values(),
            limit,
        )
        return [rows.item(row) for row in found]

    def waiting(self, ids: Sequence[ItemId]) -> dict[ItemId, Waiting]:
        """Which of the items wait in the inbox."""
        found = self.session.run(
            "SELECT item.id, review.since, review.before FROM review "
            "JOIN item ON item.seq = review.item WHERE review.accepted = 0 "
            "AND item.id IN (SELECT value FROM json_each(?))",
            json.dumps(list(ids)),
        )
        return {ItemId(id): Waiting(since, before) for id, since, before in found}

    def removed(self, id: ItemId) -> Removal | None:
        """Why that item is gone from here; None when it never was here."""
        reason = self.session.one("SELECT reason FROM tombstone WHERE id = ?", id)
        return Removal(reason) if reason in list(Removal) else None

    def taken_versions(self, ids: Sequence[str]) -> frozenset[str]:
        """Which of these version ids are in use here."""
        found = self.session.run(
            "SELECT id FROM version WHERE id IN (SELECT value FROM json_each(?))",
            json.dumps(list(ids)),
        )
        return frozenset(id for (id,) in found)

    def keep_versions(self, id: ItemId, versions: Sequence[Version]) -> None:
        """Versions before the head of an item that is here."""
        seq = self.session.one("SELECT seq FROM item WHERE id = ?", id)
        for version in versions:
            self.session.run(INSERT_VERSION, seq, *rows.version_values(version))


def _run(row: rows.Row) -> Run:
    id, source, format, started_at, ended_at, line, state, counts, undo = row
    return Run(
        id,
        source,
        format,
        started_at,
        ended_at,
        line,
        RunState(state),
        Counts(**json.loads(counts)),
        undo,
    )
