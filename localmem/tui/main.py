"""Open the library and run the app on it; the one place of the interface that wires.

Whatever ends the app, the terminal is given back as it was (FR-88): a signal is an ordinary way
to leave, and keeps what was being typed.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING

from localmem.bridge import AsyncEngine
from localmem.core import terminal
from localmem.core.model import Origin
from localmem.errors import LocalmemError
from localmem.tui import leftovers

if TYPE_CHECKING:
    from localmem.tui.app import LocalmemApp
    from localmem.tui.desk import Desk
    from localmem.tui.jobs import Overview
    from localmem.wiring import Home

_LEAVING = ("SIGTERM", "SIGHUP")
_DEMO_OVER = "The demo is closed; nothing of it was kept. This is your own library."


def run(home: Home) -> int:
    """Run the app until it is left; the exit code. Raises StoreError when the library is shut."""
    from localmem import wiring

    leftovers.clear(sys.__stderr__)
    actor = wiring.person(Origin.TUI)
    bridge = AsyncEngine(lambda: wiring.open_engine(home, actor, long_lived=True))
    return asyncio.run(_serve(home, bridge, demo=False))


def run_own() -> int:
    """As `run`, on the person's own library. Also raises InvalidSettings."""
    from localmem import wiring

    return run(wiring.home())


def run_demo(home: Home) -> int:
    """As `run`, on a sample of which nothing is kept."""
    leftovers.clear(sys.__stderr__)
    return asyncio.run(_serve(home, _sample(home), demo=True))


def _sample(home: Home) -> AsyncEngine:
    from localmem import wiring

    return AsyncEngine(lambda: wiring.open_demo(home))


async def _serve(home: Home, bridge: AsyncEngine, *, demo: bool) -> int:
    """Until the person leaves; from their own library the demo opens over it and closes again."""
    # The store opens on its own thread while the interface is imported on this one.
    opening = asyncio.create_task(bridge.start())
    await asyncio.sleep(0)
    from localmem.tui.app import LocalmemApp

    await opening
    try:
        desk = await _desk(home, bridge, demo=demo)
        while True:
            app = LocalmemApp(desk, await _first_rows(bridge))
            ended = _leave_on_signals(app)
            try:
                await app.run_async()
            finally:
                await app.keeper.stop()
            code = 128 + ended[0] if ended else app.return_code or 0
            if code or not app.demo_wanted:
                return code
            code = await _serve(home, _sample(home), demo=True)
            if code:
                return code
            desk.notes.append(_DEMO_OVER)
    finally:
        await bridge.close()


async def _first_rows(bridge: AsyncEngine) -> Overview | None:
    """Read before the app runs, so that its first frame has them; what is wrong it will tell."""
    from localmem.tui import jobs

    try:
        return await bridge.read(jobs.overview(jobs.OPENING))
    except LocalmemError:
        return None


async def _desk(home: Home, bridge: AsyncEngine, *, demo: bool) -> Desk:
    from localmem import wiring
    from localmem.tui import keymap
    from localmem.tui.desk import Chosen, Desk
    from localmem.tui.synchronising import Later

    keys = keymap.read(home.settings.keys)
    return Desk(
        bridge,
        await bridge.read(lambda engine: engine.now),
        wiring.zone(),
        chosen=Chosen(home.settings.floor, home.settings.theme, home.settings.symbols, keys),
        book=None if demo else home.book,
        patient=None
        if demo
        else partial(wiring.patient, home, wiring.person(Origin.TUI), problems=keys.problems),
        sync=None if demo else Later(partial(wiring.synchroniser, home)),
        load=partial(wiring.loader, home),
        editor=home.environment.get("VISUAL") or home.environment.get("EDITOR") or "",
        terminal=terminal.understand(
            home.environment, sys.platform, lambda program: shutil.which(program) is not None
        ),
        demo=demo,
        problems=[] if demo else [*home.problems, *keys.problems],
    )


def _leave_on_signals(app: LocalmemApp) -> list[int]:
    """The signals that came; each makes the app leave as `ctrl+q` does."""
    ended: list[int] = []

    def leave(number: int) -> None:
        ended.append(number)
        app.leave(at_once=True)

    if sys.platform != "win32":
        loop = asyncio.get_running_loop()
        for name in _LEAVING:
            number = getattr(signal, name)
            loop.add_signal_handler(number, leave, number)
    return ended
