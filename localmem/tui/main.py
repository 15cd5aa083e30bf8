"""Open the library and run the app on it; the one place of the interface that wires."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from localmem.bridge import AsyncEngine
from localmem.core.model import Origin

if TYPE_CHECKING:
    from localmem.wiring import Home


def run(home: Home) -> int:
    """Run the app until it is left; the exit code. Raises StoreError when the library is shut."""
    from localmem import wiring

    actor = wiring.person(Origin.TUI)
    bridge = AsyncEngine(lambda: wiring.open_engine(home, actor, long_lived=True))
    return asyncio.run(_serve(home, bridge))


async def _serve(home: Home, bridge: AsyncEngine) -> int:
    # The store opens on its own thread while the interface is imported on this one.
    opening = asyncio.create_task(bridge.start())
    from datetime import UTC, datetime

    from localmem.tui.app import LocalmemApp
    from localmem.tui.desk import Desk

    await opening
    desk = Desk(
        bridge,
        _now,
        datetime.now().astimezone().tzinfo or UTC,
        home.settings.floor,
        theme=home.settings.theme,
    )
    app = LocalmemApp(desk)
    try:
        await app.run_async()
    finally:
        await bridge.close()
    return app.return_code or 0


def _now() -> int:
    """UTC milliseconds, as the library counts them."""
    return time.time_ns() // 1_000_000
