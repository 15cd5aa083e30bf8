"""A library that can be damaged on purpose, and the doctor that looks at it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import pytest

from localmem import doctor
from localmem.core.health import Finding, Gravity
from localmem.doctor import Mended, Patient
from localmem.engine import Engine
from localmem.ids import TimeOrderedIds
from localmem.paths import Paths
from localmem.store import connect
from localmem.store.sqlite import copy_unopened, look_into
from tests.support.library import PERSON, FixedClock, WordsEmbedder, open_library


@dataclass
class Ward:
    home: Path
    clock: FixedClock
    embedder: WordsEmbedder = field(default_factory=WordsEmbedder)
    problems: tuple[str, ...] = ()

    @property
    def library(self) -> Path:
        return self.home / "library.db"

    @property
    def patient(self) -> Patient:
        return Patient(
            paths=Paths(self.library, self.home / "config.toml", self.home / "cache"),
            environment={},
            problems=self.problems,
            model="bundled",
            clock=self.clock,
            look=lambda: Engine(
                look_into(self.library, self.clock), self.clock, TimeOrderedIds(self.clock), PERSON
            ),
            open=self.open,
            copy=lambda target: copy_unopened(self.library, target),
            try_model=lambda: self.embedder,
        )

    def open(self) -> Engine:
        return open_library(self.library, self.clock, embedder=self.embedder)

    def fill(self, work: Callable[[Engine], object]) -> None:
        """Let `work` keep something; everything is embedded and tidied up afterwards."""
        engine = self.open()
        work(engine)
        while engine.meaning.embed_waiting():
            pass
        engine.maintain()
        engine.close()

    def damage(self, *statements: str) -> None:
        """Run SQL that no localmem would."""
        opened = connect.open_library(self.library)
        opened.connection.pragma("foreign_keys", 0)
        for statement in statements:
            opened.connection.execute(statement)
        opened.connection.close()

    def one(self, sql: str) -> object:
        connection = apsw.Connection(str(self.library))
        try:
            return connection.execute(sql).get
        finally:
            connection.close()

    def findings(self) -> tuple[Finding, ...]:
        return doctor.examine(self.patient)

    def ills(self) -> dict[str, Finding]:
        """What is not as it should be, by code; who else holds it depends on the machine."""
        return {
            str(each.code): each
            for each in self.findings()
            if each.gravity is not Gravity.OK and not each.code.startswith("open_in")
            and each.code not in ("disk_nearly_full", "terminal", "copies_kept")
        }  # fmt: skip

    def mend(self, finding: Finding) -> Mended:
        return doctor.mend(self.patient, finding)

    def bytes(self) -> dict[str, tuple[bytes, float, int]]:
        """Everything that lies in the home: content, time and mode."""
        return {
            str(file.relative_to(self.home)): (
                file.read_bytes(), file.stat().st_mtime, file.stat().st_mode
            )
            for file in sorted(self.home.rglob("*"))
            if file.is_file() and not file.name.endswith("-shm")
        }  # fmt: skip


@pytest.fixture
def ward(tmp_path: Path, clock: FixedClock) -> Ward:
    home = tmp_path / "home of ana 🌿"
    home.mkdir(mode=0o700)
    os.chmod(home, 0o700)
    return Ward(home, clock)
