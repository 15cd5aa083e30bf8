"""Spaces and their partitions, keys, people and tokens, as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import apsw

from localmem.core import hosting
from localmem.core.hosting import (
    Key,
    KeyKind,
    Lineage,
    Mode,
    Partition,
    Person,
    Right,
    Space,
    Token,
)
from localmem.core.model import Millis

_KEY = "id, space, name, kind, mode, rights, prefix, created_at, expires_at, revoked_at"
_TOKEN = "id, person, device, prefix, created_at, expires_at, revoked_at"


@dataclass(frozen=True, slots=True)
class AccessTable:
    connection: apsw.Connection

    # spaces

    def spaces(self) -> list[Space]:
        """By name."""
        rows = self._run("SELECT id, name, plan, created_at FROM space ORDER BY name")
        return [_space(row) for row in rows]

    def space(self, id: str) -> Space | None:
        row = self._row("SELECT id, name, plan, created_at FROM space WHERE id = ?", id)
        return _space(row) if row else None

    def space_named(self, name: str) -> Space | None:
        row = self._row("SELECT id, name, plan, created_at FROM space WHERE name = ?", name)
        return _space(row) if row else None

    def add_space(self, space: Space) -> None:
        self._run(
            "INSERT INTO space (id, name, plan, created_at) VALUES (?, ?, ?, ?)",
            space.id,
            space.name,
            space.plan.name,
            space.created_at,
        )

    def set_plan(self, space: str, plan: str) -> None:
        self._run("UPDATE space SET plan = ? WHERE id = ?", plan, space)

    def remove_space(self, id: str, at: Millis) -> None:
        """With its keys, their sessions and whatever else names it."""
        self._run("DELETE FROM session WHERE owner IN (SELECT id FROM key WHERE space = ?)", id)
        for table in ("key", "partition", "units", "wipe"):
            self._run(f"DELETE FROM {table} WHERE space = ?", id)
        self._run("DELETE FROM space WHERE id = ?", id)
        self._run("INSERT OR IGNORE INTO removed VALUES (?, ?)", f"spaces/{id}", at)

    def removed(self) -> dict[str, Millis]:
        """When spaces and people were removed, by their folders inside the server's."""
        return dict(self._run("SELECT folder, at FROM removed ORDER BY folder"))

    def partition(self, space: str, mode: Mode) -> Partition | None:
        row = self._row(
            "SELECT space, mode, epoch, created_at FROM partition WHERE space = ? AND mode = ?",
            space,
            mode,
        )
        return Partition(row[0], Mode(row[1]), row[2], row[3]) if row else None

    def partitions(self) -> list[Partition]:
        rows = self._run("SELECT space, mode, epoch, created_at FROM partition")
        return [Partition(row[0], Mode(row[1]), row[2], row[3]) for row in rows]

    def add_partition(self, made: Partition) -> None:
        self._run(
            "INSERT INTO partition (space, mode, epoch, created_at) VALUES (?, ?, ?, ?)",
            made.space,
            made.mode,
            made.epoch,
            made.created_at,
        )

    def lineage(self, space: str, mode: Mode) -> Lineage | None:
        """What is known of the library of a partition; None where there is no partition."""
        row = self._row(
            "SELECT epoch, device, high FROM partition WHERE space = ? AND mode = ?", space, mode
        )
        return Lineage(*row) if row else None

    def keep_lineage(self, space: str, mode: Mode, held: Lineage) -> None:
        self._run(
            "UPDATE partition SET epoch = ?, device = ?, high = ? WHERE space = ? AND mode = ?",
            *held,
            space,
            mode,
        )

    def raise_high(self, space: str, mode: Mode, epoch: str, high: int) -> None:
        """That its library came so far in that epoch."""
        self._run(
            "UPDATE partition SET high = max(high, ?) WHERE space = ? AND mode = ? AND epoch = ?",
            high,
            space,
            mode,
            epoch,
        )

    def drop_partition(self, space: str, mode: Mode) -> None:
        self._run("DELETE FROM partition WHERE space = ? AND mode = ?", space, mode)

    # keys

    def keys(self) -> list[Key]:
        """Oldest first."""
        return [_key(row) for row in self._run(f"SELECT {_KEY} FROM key ORDER BY created_at, id")]

    def key(self, prefix: str) -> tuple[Key, bytes] | None:
        """The key of that public prefix, and its digest."""
        row = self._row(f"SELECT {_KEY}, digest FROM key WHERE prefix = ?", prefix)
        return (_key(row), row[-1]) if row else None

    def add_key(self, key: Key, digest: bytes) -> None:
        self._run(
            f"INSERT INTO key ({_KEY}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            key.id,
            key.space,
            key.name,
            key.kind,
            key.mode,
            " ".join(key.rights),
            key.prefix,
            key.created_at,
            key.expires_at,
            key.revoked_at,
            digest,
        )

    def revoke_key(self, id: str, at: Millis) -> None:
        self._run("UPDATE key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", at, id)

    # people

    def people(self) -> list[Person]:
        """By name."""
        return [Person(*row) for row in self._run(
            "SELECT id, name, created_at FROM person ORDER BY name"
        )]  # fmt: skip

    def person(self, id: str) -> Person | None:
        row = self._row("SELECT id, name, created_at FROM person WHERE id = ?", id)
        return Person(*row) if row else None

    def person_named(self, name: str) -> Person | None:
        row = self._row("SELECT id, name, created_at FROM person WHERE name = ?", name)
        return Person(*row) if row else None

    def add_person(self, person: Person) -> None:
        self._run(
            "INSERT INTO person (id, name, created_at) VALUES (?, ?, ?)",
            person.id,
            person.name,
            person.created_at,
        )

    def remove_person(self, id: str, at: Millis) -> None:
        """With their tokens and sessions."""
        self._run("DELETE FROM session WHERE owner = ?", id)
        self._run("DELETE FROM token WHERE person = ?", id)
        self._run("DELETE FROM person WHERE id = ?", id)
        self._run("INSERT OR IGNORE INTO removed VALUES (?, ?)", f"people/{id}", at)

    def tokens(self) -> list[Token]:
        """Oldest first."""
        rows = self._run(f"SELECT {_TOKEN} FROM token ORDER BY created_at, id")
        return [Token(*row) for row in rows]

    def token(self, prefix: str) -> tuple[Token, bytes] | None:
        """The token of that public prefix, and its digest."""
        row = self._row(f"SELECT {_TOKEN}, digest FROM token WHERE prefix = ?", prefix)
        return (Token(*row[:-1]), row[-1]) if row else None

    def add_token(self, token: Token, digest: bytes) -> None:
        self._run(
            f"INSERT INTO token ({_TOKEN}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            token.id,
            token.person,
            token.device,
            token.prefix,
            token.created_at,
            token.expires_at,
            token.revoked_at,
            digest,
        )

    def revoke_token(self, id: str, at: Millis) -> None:
        self._run("UPDATE token SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", at, id)

    # inside

    def _run(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.connection.execute(sql, values).fetchall()

    def _row(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self.connection.execute(sql, values).fetchone()
        return row


def _space(row: tuple[Any, ...]) -> Space:
    return Space(row[0], row[1], hosting.plan(row[2]), row[3])


def _key(row: tuple[Any, ...]) -> Key:
    id, space, name, kind, mode, rights, prefix, created_at, expires_at, revoked_at = row[:10]
    held = tuple(Right(right) for right in rights.split())
    return Key(
        id, space, name, KeyKind(kind), Mode(mode), held, prefix, created_at, expires_at, revoked_at
    )
