"""The real synchronisation in the app: two devices and a server without a network."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from localmem.core.model import Millis
from localmem.core.syncing import Outcome, State
from localmem.engine import Engine
from localmem.synchronise import AccountKey, Synchroniser
from sync.messages import Capabilities, Reply, Request
from sync.service import Probing
from tests.simulation.server import Extended
from tests.support import syncing as fake
from tests.support.library import FixedClock, open_library
from tests.support.syncing import FakeBackground
from tests.tui.conftest import Open, Running
from tests.tui.test_account import asks, fill, gone
from tests.tui.test_conflicts import opened
from tests.tui.test_sync import TO_SYNC, at


class Linked:
    """A server of the simulation, reached without a network."""

    def __init__(self, server: Extended) -> None:
        self._server = server
        self._asked = 0

    def ask(self, request: Request, *, epoch: str | None) -> Reply:
        self._asked += 1
        return self._server.handle(request)

    def probe(self) -> Capabilities:
        return self._server.can

    def clock_offset(self) -> Millis | None:
        return None

    def requests(self) -> int:
        return self._asked

    def close(self) -> None:
        """Nothing is open."""


@dataclass(slots=True)
class Device(Synchroniser):
    """One library, whose runs are made when the test says so."""

    server: Extended

    def _connect(self, url: str, key: str, can: Capabilities, check: Callable[[], None]) -> Probing:
        return Linked(self.server)

    def background(self) -> FakeBackground:  # type: ignore[override]
        return FakeBackground()

    def run(self) -> Outcome:
        """As the sync beside the app does it: on an engine of its own."""
        with self.opened() as opened:
            return opened.syncing.run()


def device(folder: Path, clock: FixedClock, server: Extended) -> Device:
    library = folder / "library.db"
    key = AccountKey({"LOCALMEM_ACCOUNT_KEY": fake.KEY}, folder)
    return Device(library, lambda: open_library(library, clock), key, server)


async def test_two_devices_meet_through_a_server_and_a_conflict_is_decided(
    open_app: Open, tmp_path: Path, clock: FixedClock
) -> None:
    server = Extended(random.Random(7), clock)
    here = device(tmp_path / "data", clock, server)
    there = device(tmp_path / "there", clock, server)
    other = open_library(tmp_path / "there" / "library.db", clock)
    with there.opened() as opened_there:
        opened_there.syncing.sign_in(fake.URL, fake.KEY)
    other.facts.add("Kept on the other device.")
    other.documents.set("orders", "ORD-1", {"status": "new"})
    assert there.run().state is State.IN_STEP

    def one(engine: Engine) -> None:
        engine.facts.add("Kept here.")

    async with open_app(one, sync=here) as running:
        await asks(running)
        fill(running, url=fake.URL, key=fake.KEY)
        await running.press("ctrl+s")
        await gone(running)
        assert here.run().state is State.IN_STEP
        await polled(running)
        assert "Kept on the other device." in running.text
        assert "orders/ORD-1" in running.text and "in step" in running.text.splitlines()[0]

        await running.press(*TO_SYNC)
        await at(running, "2 taken")
        await running.press("u")
        asked = running.text
        assert "Take the run back?" in asked and "about 2 memories" in asked
        assert "● Kept on the other device." in asked and "▤ " in asked
        await running.press("escape")

        other.documents.set("orders", "ORD-1", {"status": "shipped"})
        here_too = running.other()
        here_too.documents.set("orders", "ORD-1", {"status": "paid"})
        here_too.close()
        there.run()
        here.run()
        await polled(running)
        assert "⚠ 1 conflict" in running.text.splitlines()[0]
        assert any("A conflict: “orders/ORD-1”" in note for note in running.toasts())
        await opened(running)
        assert "Changed on both sides: status." in running.text
        await running.press("t")
        await polled(running)
        assert "⚠" not in running.text.splitlines()[0]
        kept = await running.ask(lambda engine: engine.documents.get("orders", "ORD-1"))
        assert kept.head.content.value == {"status": "shipped"}
    other.close()


async def polled(running: Running) -> None:
    await running.app._poll()
    await running.settle()
    await running.looked()
