"""Libraries that are in step with one server: real ones in files, and a line that can be cut.

A `Device` is what one process has: an engine and its synchronisation, put together as
`localmem/synchronise.py` does. Its `Line` remembers what was asked, and does as it is told.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from localmem.core.model import DocumentContent, FactContent, Item, ItemId, Kind, PreferenceContent
from localmem.core.records import Slice
from localmem.core.scope import PROJECT, Scope
from localmem.core.syncing import Clash, NotDone, Outcome, SignedIn, State
from localmem.engine import Engine
from localmem.synchronise import AccountKey, Opened, Synchroniser
from sync.messages import Capabilities, NoReply, Reply, Request
from sync.service import Service
from tests.support.library import FixedClock, open_library

URL = "https://memory.example.com"
KEY = "zv_live_Ab3dEf9h" + "Q7" * 16
LOST = NoReply("timeout", "No answer came in time.", reached=True)
UNREACHED = NoReply("offline", "There is no way to the server.", reached=False)

Go = Callable[[], Reply]
Script = Callable[[Request, Go], Reply]


class Asked(Protocol):
    def ask(self, request: Request, *, epoch: str | None) -> Reply: ...


def passes(request: Request, go: Go) -> Reply:
    return go()


@dataclass(slots=True)
class Line:
    """`sync.service.Probing` over somebody who answers."""

    server: Asked
    can: Capabilities = field(default_factory=Capabilities)
    """What a probe finds, where the server is none that can be probed."""
    script: Script = passes
    """Asks the server, or does not, and says what came back."""
    asked: list[Request] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    """Those it was opened with."""
    probes: int = 0
    open: bool = False
    dial: Callable[[Capabilities], Asked] | None = None
    """Makes who answers, each time it is opened; None leaves it to be the one there is."""

    def connect(self, url: str, key: str, can: Capabilities) -> Line:
        self.keys.append(key)
        if self.dial is not None:
            self.server = self.dial(can)
        self.open = True
        return self

    def ask(self, request: Request, *, epoch: str | None) -> Reply:
        assert self.open, "nobody asks on a line that is closed"
        self.asked.append(request)
        return self.script(request, lambda: self.server.ask(request, epoch=epoch))

    def probe(self) -> Any:
        self.probes += 1
        probed = getattr(self.server, "probe", None)
        return self.can if probed is None else probed()

    def clock_offset(self) -> None:
        return None

    def requests(self) -> int:
        return len(self.asked)

    def close(self) -> None:
        self.open = False


@dataclass(slots=True)
class FakeKeys:
    """`sync.service.Keys` that keep one key in memory."""

    kept: str | None = None
    refuses: NotDone | None = None
    """What keeping a key answers."""
    left: tuple[str, ...] = ()

    def judge(self, url: str, key: str) -> tuple[str, str, tuple[str, ...]] | NotDone:
        if not url.startswith("https://"):
            return NotDone("invalid_address", "That is no address.")
        return url.rstrip("/"), key.strip(), ("The address ends without a slash.",)

    def get(self) -> str | NotDone:
        return self.kept or NotDone("no_key", "There is no key here.", "Sign in again.")

    def unlock(self, passphrase: str) -> NotDone | None:
        return None if passphrase == "right" else NotDone("no_key", "That does not open it.")

    def keep(self, key: str, passphrase: str | None) -> tuple[str, tuple[str, ...]] | NotDone:
        if self.refuses is not None:
            return self.refuses
        self.kept = key
        return "keyring", ()

    def drop(self) -> tuple[str, ...] | NotDone:
        self.kept = None
        return self.left


@dataclass(slots=True)
class Device:
    """One library in a file, signed in or not."""

    file: Path
    clock: FixedClock
    line: Line
    keys: FakeKeys
    engine: Engine
    syncing: Service
    synchroniser: Synchroniser

    def sign_in(self, key: str = KEY) -> SignedIn:
        signed = self.syncing.sign_in(URL, key)
        assert isinstance(signed, SignedIn), signed
        return signed

    def run(self, *allowances: str) -> Outcome:
        return self.syncing.run(allowances=allowances)

    def sync(self) -> Outcome:
        """A run that goes through."""
        outcome = self.run()
        assert outcome.state is State.IN_STEP, outcome
        return outcome

    def asks(self) -> int:
        """How many requests a run takes."""
        before = len(self.line.asked)
        self.sync()
        return len(self.line.asked) - before

    @contextmanager
    def opened(self, check: Callable[[], None]) -> Iterator[Opened]:
        """The library once more on the thread that enters, on the same line."""
        with self.synchroniser.opened(check) as opened:
            ports = opened.syncing.ports
            opened.syncing.ports = replace(ports, keys=self.keys, connect=self.line.connect)
            yield opened

    # what the person sees

    def items(self, kind: Kind, scope: Scope | None = None) -> list[Item]:
        return self.engine.library.window(Slice(kind, scope), offset=0, limit=10_000)

    def texts(self, scope: Scope | None = None) -> list[str]:
        contents = [item.head.content for item in self.items(Kind.FACT, scope)]
        return sorted(each.text for each in contents if isinstance(each, FactContent))

    def fact(self, text: str) -> Item:
        (found,) = [item for item in self.items(Kind.FACT)
                    if isinstance(item.head.content, FactContent)
                    and item.head.content.text == text]  # fmt: skip
        return found

    def document(self, key: str = "A1", scope: Scope = PROJECT) -> Any:
        found = self.engine.documents.find("orders", key, scope=scope)
        if found is None:
            return None
        assert isinstance(found.head.content, DocumentContent)
        return found.head.content.value

    def preference(self, key: str = "shoe_size") -> Any:
        found = self.engine.preferences.entry(key).effective
        if found is None:
            return None
        assert isinstance(found.head.content, PreferenceContent)
        return found.head.content.value

    def all(self) -> Any:
        """All that a person sees, to be compared with another device's."""
        return (
            self.texts(),
            sorted((str(item.scope), item.collection, item.key, repr(item.head.content))
                   for item in self.items(Kind.DOCUMENT)),
            [(item.key, item.provenance, repr(item.head.content))
             for item in self.items(Kind.PREFERENCE)],
        )  # fmt: skip

    def forget(self, *ids: ItemId) -> None:
        self.engine.forgetting.forget(ids)

    def clash(self) -> Clash:
        (found,) = self.syncing.conflicts()
        return found

    def contents(self) -> dict[str, list[Any]]:
        """Every row of every table of its file."""
        with closing(sqlite3.connect(self.file)) as file:
            names = [name for name, in file.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '% VIRTUAL %'"
            )]  # fmt: skip
            return {name: file.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}

    def remembers(self, text: str) -> list[str]:
        """The tables in which a text is found."""
        return [name for name, rows in self.contents().items() if text in repr(rows)]


@contextmanager
def devices(folder: Path, clock: FixedClock) -> Iterator[Callable[..., Device]]:
    """Makes devices on lines of their own, as many as asked; closed at the end. One may have a
    `clock` of its own."""
    made: list[Device] = []

    def make(server: Asked, name: str = "", **options: Any) -> Device:
        file = folder / (name or f"device-{len(made)}") / "library.db"
        its_own = options.pop("clock", clock)
        engine = open_library(file, its_own)
        keys, line = FakeKeys(), Line(server, **options)
        synchroniser = Synchroniser(file, lambda: open_library(file, its_own),
                                    AccountKey({}, file.parent))  # fmt: skip
        syncing = synchroniser.of(engine)
        syncing.ports = replace(syncing.ports, keys=keys, connect=line.connect)
        device = Device(file, its_own, line, keys, engine, syncing, synchroniser)
        made.append(device)
        return device

    yield make
    for device in made:
        device.syncing.close()
        device.engine.close()


def settled(made: Sequence[Device], rounds: int = 6) -> None:
    """Everybody runs until nothing moves."""
    for _ in range(rounds):
        if not any(device.sync().counts for device in made):
            return
    raise AssertionError("it does not come to rest")
