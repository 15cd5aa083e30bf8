"""Open the library and run the app on it; the one place of the interface that wires.

Whatever ends the app, the terminal is given back as it was (FR-88): a signal is an ordinary way
to leave, and keeps what was being typed.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import TYPE_CHECKING

from localmem.bridge import AsyncEngine
from localmem.core.model import Origin

if TYPE_CHECKING:
    from localmem.tui.app import LocalmemApp
    from localmem.wiring import Home

_LEAVING = ("SIGTERM", "SIGHUP")


def run(home: Home) -> int:
    """Run the app until it is left; the exit code. Raises StoreError when the library is shut."""
    from localmem import wiring

    actor = wiring.person(Origin.TUI)
    bridge = AsyncEngine(lambda: wiring.open_engine(home, actor, long_lived=True))
    return asyncio.run(_serve(home, bridge))


async def _serve(home: Home, bridge: AsyncEngine) -> int:
    # The store opens on its own thread while the interface is imported on this one.
    opening = asyncio.create_task(bridge.start())
    await asyncio.sleep(0)
    from localmem import wiring
    from localmem.tui.app import LocalmemApp
    from localmem.tui.desk import Desk

    await opening
    try:
        desk = Desk(
            bridge,
            await bridge.read(lambda engine: engine.now),
            wiring.zone(),
            floor=home.settings.floor,
            editor=home.environment.get("VISUAL") or home.environment.get("EDITOR") or "",
            theme=home.settings.theme,
        )
        app = LocalmemApp(desk)
        ended = _leave_on_signals(app)
        await app.run_async()
    finally:
        await bridge.close()
    return 128 + ended[0] if ended else app.return_code or 0


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
