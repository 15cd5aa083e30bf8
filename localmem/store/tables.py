"""The small tables beside the items: collections and the state of each preference key."""

from __future__ import annotations

import json
from dataclasses import dataclass

from localmem.core.model import Collection
from localmem.core.preferences import PreferenceState
from localmem.store.session import Session


@dataclass(slots=True, eq=False, repr=False)
class CollectionTable:
    session: Session

    def get(self, name: str) -> Collection | None:
        return next((each for each in self.all() if each.name == name), None)

    def all(self) -> list[Collection]:
        """By name."""
        found = self.session.run(
            "SELECT name, indexes, default_ttl, implicit, created_at FROM collection ORDER BY name"
        )
        return [
            Collection(name, tuple(json.loads(indexes)), ttl, bool(implicit), created_at)
            for name, indexes, ttl, implicit, created_at in found
        ]

    def create(self, collection: Collection) -> None:
        self.session.run(
            "INSERT INTO collection (name, indexes, default_ttl, implicit, created_at) "
            "VALUES (?, ?, ?, ?, ?)",
            collection.name,
            json.dumps(collection.indexes),
            collection.default_ttl,
            int(collection.implicit),
            collection.created_at,
        )

    def set_default_ttl(self, name: str, seconds: int | None) -> None:
        self.session.run("UPDATE collection SET default_ttl = ? WHERE name = ?", seconds, name)

    def remove(self, name: str) -> None:
        self.session.run("DELETE FROM collection WHERE name = ?", name)


@dataclass(slots=True, eq=False, repr=False)
class PreferenceStateTable:
    session: Session

    def get(self, key: str) -> PreferenceState:
        row = self.session.run(
            "SELECT generation, inference_blocked FROM preference_state WHERE key = ?", key
        ).fetchone()
        return PreferenceState(row[0], bool(row[1])) if row else PreferenceState()

    def put(self, key: str, state: PreferenceState) -> None:
        self.session.run(
            "INSERT OR REPLACE INTO preference_state (key, generation, inference_blocked) "
            "VALUES (?, ?, ?)",
            key,
            state.generation,
            int(state.inference_blocked),
        )
