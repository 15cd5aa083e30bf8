"""The steps of a bench, the same for every system, and what each of them cost.

A step is what a person did before (not timed) and one run of sync (timed). A remote step is what
the other device finds after the local one. After each of those both devices must hold the same
records; a system that lost one is not measured any further.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from syncing.protocol import Device, System
from syncing.records import Record


class Spent(NamedTuple):
    requests: int
    wall: float
    client: float
    """Of the processor."""
    server: float


class Trial:
    def __init__(self, system: System, records: list[Record]) -> None:
        self._system = system
        self._expected = {each.key: each.text for each in records}
        self._changed = records[len(records) // 3].key
        self._deleted = records[len(records) // 2].key
        system.hold("A", records)

    def first_push(self) -> Spent:
        return self._run("A")

    def first_pull(self) -> Spent:
        return self._agreed(self._run("B"))

    def nothing(self, device: Device) -> Spent:
        return self._run(device)

    def local_change(self) -> Spent:
        text = f"{self._expected[self._changed]} Since then it has changed."
        self._expected[self._changed] = text
        self._system.change("A", self._changed, text)
        return self._run("A")

    def remote_change(self) -> Spent:
        return self._agreed(self._run("B"))

    def local_delete(self) -> Spent:
        del self._expected[self._deleted]
        self._system.delete("A", self._deleted)
        return self._run("A")

    def remote_delete(self) -> Spent:
        return self._agreed(self._run("B"))

    def steps(self) -> Iterator[tuple[str, Spent]]:
        """In the order in which they must be."""
        named: tuple[tuple[str, Callable[[], Spent]], ...] = (
            ("first push", self.first_push),
            ("nothing, after the push", lambda: self.nothing("A")),
            ("nothing, again", lambda: self.nothing("A")),
            ("first pull", self.first_pull),
            ("nothing, after the pull", lambda: self.nothing("B")),
            ("nothing, once more", lambda: self.nothing("B")),
            ("one local change", self.local_change),
            ("one remote change", self.remote_change),
            ("one local delete", self.local_delete),
            ("one remote delete", self.remote_delete),
        )
        for name, step in named:
            yield name, step()

    def _run(self, device: Device) -> Spent:
        before = self._system.tally()
        started = time.perf_counter()
        self._system.sync(device)
        wall = time.perf_counter() - started
        after = self._system.tally()
        return Spent(
            after.requests - before.requests,
            wall,
            after.client - before.client,
            after.server - before.server,
        )

    def _agreed(self, spent: Spent) -> Spent:
        for device in ("A", "B"):
            held = self._system.held(device)
            wrong = {key for key, _ in held.items() ^ self._expected.items()}
            if wrong:
                raise SystemExit(f"device {device} is wrong in {len(wrong)} records")
        return spent
