"""Draws the pictures of the documents from the app itself, on a made-up library.

    python assets/pictures.py

Nothing at run time reads them.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from datetime import UTC
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from localmem import embed
from localmem.bridge import AsyncEngine
from localmem.tui.app import LocalmemApp
from localmem.tui.desk import Desk
from tests.support import demo
from tests.support.library import FixedClock, open_library

SIZE = (120, 32)
PICTURES = {
    "browse.svg": ("/", *"how do they like to be contacted?"),
    "history.svg": ("/", *"parking code", "enter", "h"),
}
"""File -> the keys pressed before it is taken."""


async def draw(name: str, keys: tuple[str, ...], cache: Path) -> str:
    clock = FixedClock()

    def opened():  # type: ignore[no-untyped-def]  # a script
        engine = open_library(":memory:", clock, embedder=embed.load(cache_dir=cache), cached=True)
        demo.fill(engine, clock)
        while engine.meaning.embed_waiting(64):
            pass
        return engine

    bridge = AsyncEngine(opened)
    await bridge.start()
    app = LocalmemApp(Desk(bridge, clock, UTC))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(1)
        for key in keys:
            await pilot.press("space" if key == " " else key)
            await pilot.pause(0.05)
        await pilot.pause(1)
        picture = app.export_screenshot(title="localmem")
    await bridge.close()
    # The font is the reader's own: a picture must fetch nothing.
    return re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        for name, keys in PICTURES.items():
            svg = asyncio.run(draw(name, keys, Path(cache)))
            Path(__file__).with_name(name).write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
