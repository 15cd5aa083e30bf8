"""localmem's own sync: `localmem serve` as a process of its own, two libraries that take turns.

The records as documents of one collection, and once more as facts of the project. The server runs
as it ships, with the model of the package; the devices find by words alone, because the app makes
their vectors in the background, after a sync.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from syncing.processes import Server, environment, served
from syncing.protocol import Device, Opened, System, Tally
from syncing.records import Record

if TYPE_CHECKING:
    from localmem.core.model import Item
    from localmem.core.syncing import Syncing
    from localmem.engine import Engine

COLLECTION = "orders"
KEY = "key"
"""The name in a fact's metadata under which its key stands."""
_PAGE = 1_000
_SAYING_ITS_PEAK = """
import atexit, runpy, sys
atexit.register(lambda: print(open("/proc/self/status").read()))
sys.argv = ["localmem", "sync"]
runpy.run_module("localmem", run_name="__main__")
"""


class Kept(Protocol):
    """How records are kept in a library."""

    def hold(self, engine: Engine, records: Sequence[Record]) -> None: ...
    def change(self, engine: Engine, key: str, text: str) -> None: ...
    def delete(self, engine: Engine, key: str) -> None: ...
    def held(self, engine: Engine) -> Mapping[str, str]: ...


class Documents:
    def hold(self, engine: Engine, records: Sequence[Record]) -> None:
        for each in records:
            engine.documents.set(COLLECTION, each.key, each.body)

    def change(self, engine: Engine, key: str, text: str) -> None:
        held = engine.documents.get(COLLECTION, key).head.content.value
        engine.documents.set(COLLECTION, key, {**held, "text": text})

    def delete(self, engine: Engine, key: str) -> None:
        engine.forgetting.drop_document(COLLECTION, key)

    def held(self, engine: Engine) -> Mapping[str, str]:
        from localmem.core.model import Kind

        return {item.key: item.head.content.value["text"] for item in _all(engine, Kind.DOCUMENT)}


class Facts:
    def hold(self, engine: Engine, records: Sequence[Record]) -> None:
        for each in records:
            beside = {KEY: each.key, "source": "customer", "number": str(each.number)}
            engine.facts.add(each.text, metadata=beside)

    def change(self, engine: Engine, key: str, text: str) -> None:
        engine.facts.edit(self._find(engine, key).id, text=text)

    def delete(self, engine: Engine, key: str) -> None:
        engine.forgetting.forget([self._find(engine, key).id])

    def held(self, engine: Engine) -> Mapping[str, str]:
        return {key: item.head.content.text for key, item in self._by_key(engine).items()}

    def _find(self, engine: Engine, key: str) -> Item:
        return self._by_key(engine)[key]

    def _by_key(self, engine: Engine) -> Mapping[str, Item]:
        from localmem.core.model import Kind

        return {item.head.content.metadata[KEY]: item for item in _all(engine, Kind.FACT)}


def _all(engine: Engine, kind: object) -> Iterator[Item]:
    from localmem.core.records import Slice

    offset = 0
    while page := engine.library.window(Slice(kind), offset=offset, limit=_PAGE):
        yield from page
        offset += len(page)


class Ours:
    def __init__(self, server: Server, kept: Kept) -> None:
        self._server = server
        self._kept = kept
        self.devices: dict[Device, tuple[Engine, Syncing]] = {}
        self.homes: dict[Device, Mapping[str, str]] = {}
        """What the environment of each says."""

    def highest(self, device: Device) -> float:
        """MB at most of a new process, `localmem sync`, that synchronises the device. It says so
        itself: what the system counts of a child begins with what its parent has."""
        ran = subprocess.run(
            (sys.executable, "-c", _SAYING_ITS_PEAK), env={**os.environ, **self.homes[device]},
            cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True,
        )  # fmt: skip
        (peak,) = (line.split()[1] for line in ran.stdout.splitlines() if "VmHWM" in line)
        return int(peak) / 1024

    def hold(self, device: Device, records: Sequence[Record]) -> None:
        engine, _ = self.devices[device]
        with engine.replica.context.store.writing():
            self._kept.hold(engine, records)

    def change(self, device: Device, key: str, text: str) -> None:
        self._kept.change(self.devices[device][0], key, text)

    def delete(self, device: Device, key: str) -> None:
        self._kept.delete(self.devices[device][0], key)

    def sync(self, device: Device) -> None:
        """The person says yes to the first push, which is asked about."""
        _, syncing = self.devices[device]
        outcome = syncing.run(allowances=(f"first_push::{sys.maxsize}",))
        if outcome.code or outcome.message:
            raise SystemExit(f"{device}: {outcome.state}: {outcome.message}")

    def held(self, device: Device) -> Mapping[str, str]:
        return self._kept.held(self.devices[device][0])

    def tally(self) -> Tally:
        return Tally(*self._server.spent(), time.process_time())


def opened(kept: Callable[[], Kept]) -> Opened:
    @contextmanager
    def opening(folder: Path, peers: Path) -> Iterator[System]:
        data = folder / "served"
        create = ("-m", "localmem", "serve", "--data", str(data), "keys", "create", "bench")
        key = subprocess.run(
            (sys.executable, *create), env=environment(folder / "server-home"), check=True,
            cwd=Path(__file__).parents[2], capture_output=True, text=True,
        ).stdout.split()[-1]  # fmt: skip
        with (
            served((sys.executable, "-m", "syncing.ours_served", data), folder) as server,
            ExitStack() as closing,
        ):
            system = Ours(server, kept())
            for device in ("A", "B"):
                home = {
                    "LOCALMEM_HOME": str(folder / device),
                    "LOCALMEM_MODEL": "none",
                    "LOCALMEM_ACCOUNT_KEY": key,
                }
                system.homes[device] = home
                system.devices[device] = _device(home, server.url, closing)
            yield system

    return opening


def _device(home: Mapping[str, str], url: str, closing: ExitStack) -> tuple[Engine, Syncing]:
    from localmem import wiring
    from localmem.core.model import Origin
    from localmem.core.syncing import SignedIn

    found = wiring.home(home)
    by = wiring.person(Origin.CLI)
    engine = wiring.open_engine(found, by, long_lived=False, meaning=False)
    closing.callback(engine.close)
    syncing = wiring.syncing(found, engine)
    closing.callback(syncing.close)
    signed = syncing.sign_in(url, home["LOCALMEM_ACCOUNT_KEY"])
    assert isinstance(signed, SignedIn), signed
    return engine, syncing
