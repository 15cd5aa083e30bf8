"""What every screen works with: the bridge, the clock, the person's zone and settings.

Handed to a screen when it is made; nothing here is global. `contained` is the one place where an
error of any kind becomes something a person can read, and the app goes on (FR-91).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import tzinfo
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from textual.app import App
from textual.dom import DOMNode
from textual.worker import Worker

from localmem import __version__
from localmem.bridge import AsyncEngine
from localmem.core.model import Millis
from localmem.core.terminal import Terminal
from localmem.core.visible import visible
from localmem.errors import Cancelled, LocalmemError
from localmem.tui.errors import SEVERITY, Severity, report, sentence
from localmem.tui.keymap import Keymap
from localmem.tui.present.rows import NO_SIGNS, Look, Signs
from localmem.tui.screens.fault import FaultScreen
from localmem.tui.synchronising import Seen

if TYPE_CHECKING:
    from localmem.config.book import Book
    from localmem.core.ports import Clock, Embedder
    from localmem.core.syncing import Synchronising, Syncing
    from localmem.doctor import Patient
    from localmem.engine import Engine

    Loader = Callable[[str], Callable[[], Embedder] | None]


@dataclass(slots=True, eq=False)
class Chosen:
    """What the person may choose anew while the app runs; the Settings screen changes it."""

    floor: float = 0.30
    theme: str = "localmem"
    symbols: str = "auto"
    """"auto", "unicode" or "ascii"."""
    keys: Keymap = field(default_factory=Keymap)


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    bridge: AsyncEngine
    clock: Clock
    zone: tzinfo
    chosen: Chosen = field(default_factory=Chosen)
    book: Book | None = None
    """The settings, to be changed; None where nothing can be kept."""
    patient: Callable[[], Patient] | None = None
    """What a check of the library looks at; None where no file holds it."""
    sync: Synchronising | None = None
    """What keeps the library in step with an account; None where no file holds it."""
    seen: Seen = field(default_factory=Seen)
    """How that stands."""
    load: Loader | None = None
    """How to get the model of a name; None inside it for words alone."""
    editor: str = ""
    """The person's own editor as a command line; "" when none is set."""
    terminal: Terminal = field(default_factory=Terminal)
    demo: bool = False
    """The library is a sample in memory: nothing is kept."""
    notes: list[str] = field(default_factory=list)
    """Sentences to show once the app is open."""
    problems: list[str] = field(default_factory=list)
    """Sentences about settings that were passed over, to be shown as warnings."""

    @property
    def floor(self) -> float:
        """Hits scored below are hidden; 0 … 1."""
        return self.chosen.floor

    @property
    def keys(self) -> Keymap:
        return self.chosen.keys

    @property
    def now(self) -> Millis:
        return self.clock()

    def syncing(self, engine: Engine) -> Syncing | None:
        """Synchronisation of the open library, on its thread; None before it may be asked."""
        return self.sync.of(engine) if self.sync is not None and self.seen.ready else None

    def look(
        self, *, scopes: bool = False, collections: bool = False, signs: Signs = NO_SIGNS
    ) -> Look:
        return Look(self.clock(), self.zone, scopes, collections, signs)


def say(app: App[Any], text: str, severity: Severity = "information", *, title: str = "") -> None:
    """A toast; the text may quote what is stored."""
    app.notify(
        visible(text, keep_newlines=True),
        title=title,
        severity=severity,
        timeout=LIFE[severity],
        markup=False,
    )


LIFE: Final[Mapping[Severity, float]] = MappingProxyType(
    {"information": 3.0, "warning": 6.0, "error": 8.0}
)
"""Seconds a toast is seen: what went well needs no second look."""


def start(
    node: DOMNode, group: str, job: Callable[[], Coroutine[Any, Any, None]], *, replace: bool
) -> None:
    """Run a job beside the loop's other business; `replace` ends what the group was doing."""
    worker: Worker[None] = node.run_worker(job, group=group, exclusive=replace)
    del worker  # the node's manager holds it


@contextmanager
def contained(app: App[Any]) -> Iterator[None]:
    """What goes wrong inside is told, and nothing leaves: the work is given up, the app is not."""
    try:
        yield
    except Cancelled:
        return
    except LocalmemError as problem:
        say(app, sentence(problem), SEVERITY[problem.code])
    except Exception as problem:  # noqa: BLE001 - FR-91: any fault becomes a panel, not an exit
        if not app.is_running:
            return  # it is ending, its widgets are gone, and nobody is left to be told
        told = report(problem, version=__version__)
        top = app.screen
        if not (isinstance(top, FaultScreen) and top.report == told):
            app.push_screen(FaultScreen(told))
