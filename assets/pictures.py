"""Draws the pictures of the documents from the app itself, on the library of `localmem demo`.

    python assets/pictures.py                 all of them
    python assets/pictures.py inbox settings  these

The clock stands still and names are made the same way each time, so that a picture changes only
when the app does. Nothing at run time reads them.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from textual.pilot import Pilot

from localmem import demo, embed, wiring
from localmem.bridge import AsyncEngine
from localmem.config.book import Book
from localmem.engine import Engine
from localmem.store.connect import MEMORY
from localmem.store.sqlite import open_store
from localmem.tui.app import LocalmemApp
from localmem.tui.desk import Desk

HERE = Path(__file__).parent
NOW = 1_796_061_600_000
"""2026-11-30T18:00:00Z."""
SIZE = (120, 36)
CELL = 12.2
"""How wide Rich draws one."""
BROUGHT = "memories.md"
_LIST = """# What my assistant knew

- Prefers window seats on trains.
- Allergic to penicillin.
- Vegan since March, except for honey.
- The spare key is with Martins, second floor.
- Mag keinen Koriander.
- My card is 4111 1111 1111 1111.
-
- Runs on Tuesdays and Saturdays.
"""
"""What the picture of an import brings: new, known, and one with a secret."""


@dataclass(frozen=True, slots=True)
class Picture:
    keys: tuple[str, ...]
    """Pressed before it is taken; a text of several words is typed."""
    fresh: bool = False
    """Of a library that was never opened."""


PICTURES: Mapping[str, Picture] = MappingProxyType(
    {
        "welcome": Picture((), fresh=True),
        "browse": Picture(("j",) * 6),
        "search": Picture(("/", "how do they like to be contacted?", "enter", "j", "w")),
        "history": Picture(("/", "in:orders shipped", "enter", "h", "j")),
        "inbox": Picture(("left", "G", "k", "k", "right", "j", "j")),
        "activity": Picture(("left", "G", "k", "right")),
        "as-of": Picture(("d", "2026-11-18", "enter")),
        "import": Picture(("i", BROUGHT, "enter")),
        "settings": Picture(("comma",)),
    }
)
"""assets/NAME.svg -> what it shows."""


def _opened(clock: demo.Rewound, cache: Path, *, fresh: bool) -> Engine:
    numbers = itertools.count(0x10)

    def next_id() -> str:
        at, number = clock(), next(numbers)
        return f"{at >> 16:08x}-{at & 0xFFFF:04x}-7{number:03x}-8000-{number * 0x9E3779B1:012x}"

    engine = Engine(
        open_store(MEMORY, clock, cached=True),
        clock,
        next_id,
        demo.YOU,
        load_embedder=partial(embed.load, cache_dir=cache),
    )
    if not fresh:
        demo.fill(engine, clock, UTC)
    engine.meaning.ensure()
    while engine.meaning.embed_waiting(64):
        pass
    return engine


async def draw(name: str, cache: Path) -> str:
    picture = PICTURES[name]
    clock = demo.Rewound(lambda: NOW)
    bridge = AsyncEngine(lambda: _opened(clock, cache, fresh=picture.fresh))
    await bridge.start()
    device = await bridge.read(lambda engine: engine.actor.device)
    book = Book(Path("config.toml"), {}, wiring.check_model)
    app = LocalmemApp(Desk(bridge, clock, UTC, book=book, demo=not picture.fresh))
    async with app.run_test(size=SIZE) as pilot:
        await _settle(pilot, bridge)
        for key in picture.keys:
            await _press(pilot, key)
            await _settle(pilot, bridge)
        app.clear_notifications()
        await _settle(pilot, bridge)
        drawn = app.export_screenshot(title="localmem")
    await bridge.close()
    # The font is the reader's own: a picture must fetch nothing.
    drawn = re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r"<text [^>]*>[^<]*&#160;[^<]*</text>", _tight, drawn)
    drawn = re.sub(r"terminal-[0-9]+", f"localmem-{name}", drawn)
    return drawn.replace(device, "0badcafe")


def _tight(found: re.Match[str]) -> str:
    """A piece of text without the blanks around it, where it stands all the same.

    Some programs that show SVG drop blanks at an end, and what follows them moves.
    """
    tag, text = found[0].removesuffix("</text>").split(">", 1)
    cells = text.split("&#160;")
    if not any(cells):
        return ""
    before = next(n for n, part in enumerate(cells) if part)
    after = next(n for n, part in enumerate(reversed(cells)) if part)
    for name, more in (("x", before), ("textLength", -before - after)):
        tag = re.sub(
            rf'(?<= {name}=")[0-9.]+', lambda held, more=more: _moved(held[0], more), tag, count=1
        )
    return f"{tag}>{'&#160;'.join(cells[before : len(cells) - after])}</text>"


def _moved(length: str, cells: int) -> str:
    return f"{float(length) + cells * CELL:.1f}".removesuffix(".0")


async def _press(pilot: Pilot[Any], key: str) -> None:
    typed = key if len(key) > 1 and re.search(r"[^a-z+]", key) else ""
    for each in typed or [key]:
        await pilot.press("space" if each == " " else each)


async def _settle(pilot: Pilot[Any], bridge: AsyncEngine) -> None:
    for _ in range(8):
        await bridge.read(lambda engine: None)
        await pilot.pause(0.05)


def main() -> None:
    wanted = sys.argv[1:] or list(PICTURES)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path(BROUGHT).write_text(_LIST, "utf-8")
        for name in wanted:
            svg = asyncio.run(draw(name, Path(folder) / "cache"))
            (HERE / f"{name}.svg").write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
