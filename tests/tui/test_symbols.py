"""Signs and widths for every terminal (FR-79): what is drawn, over all screens."""

from __future__ import annotations

import ast
import re
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len

import localmem.tui
from localmem.core.scope import PROJECT
from localmem.core.terminal import Symbols, Terminal
from localmem.core.visible import hidden, visible
from localmem.engine import Engine
from localmem.tui.symbols import drawn, redraw
from tests.support import screen
from tests.support.hostile import HOSTILE
from tests.tui.conftest import Fill, Open, Running

RISKY = {
    "eye": "\U0001f441\ufe0f",
    "flag": "\U0001f1e7\U0001f1f7",
    "family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "skin": "\U0001f44d\U0001f3fd",
    "keycap": "1\ufe0f\u20e3",
    "marks": "e" + "\u0301" * 20,
    "circled": "①",
    "region": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "astronaut": "\U0001f469\U0001f3fd\u200d\U0001f680",
}
JOINED = re.compile(
    "\u200d[\U0001f000-\U0001faff]|\ufe0f|\u20e3|[\U0001f3fb-\U0001f3ff\U0001f1e6-\U0001f1ff]"
)
"""What no terminal but a trusted one is sent."""


@pytest.mark.parametrize("text", [*RISKY.values(), *HOSTILE])
def test_what_is_drawn_is_as_wide_as_what_was_counted(text: str) -> None:
    for line in visible(text, keep_newlines=True).split("\n"):
        for symbols in Symbols:
            assert cell_len(drawn(f"|{line}|", symbols)) == cell_len(f"|{line}|")


@pytest.mark.parametrize("name", RISKY)
def test_no_sequence_that_terminals_disagree_on_is_drawn(name: str) -> None:
    for symbols in (Symbols.STEADY, Symbols.ASCII):
        shown = drawn(RISKY[name], symbols)
        assert not JOINED.search(shown)
        assert shown.strip()
        assert len(shown) <= 3
    assert drawn(RISKY[name], Symbols.UNICODE) == RISKY[name]


@pytest.mark.parametrize(
    "text", ["日本語", "Việt Nam ế ộ", "हिन्दी", "العربية", "Ελλάδα ½", "plain 😀 text", "ö ü é"]
)
def test_honest_text_of_any_language_stays_as_it_is(text: str) -> None:
    assert drawn(text, Symbols.STEADY) == text
    letters = [c for c in text if unicodedata.category(c)[0] in "LM"]
    assert [c for c in drawn(text, Symbols.ASCII) if c in letters] == letters


def plain_values(engine: Engine) -> None:
    for text in ("Prefers WhatsApp over email.", "Quiet hours after ten.", "Eats no nuts."):
        engine.facts.add(text, scope=PROJECT)


def risky_values(engine: Engine) -> None:
    for name, text in RISKY.items():
        engine.facts.add(f"{name} {text} end", scope=PROJECT)


PLACES = (
    (),
    ("slash", "e", "m", "a", "i", "l", "enter", "w"),
    ("n",),
    ("e",),
    ("h",),
    ("f",),
    ("question_mark",),
    ("ctrl+p",),
    ("right",),
    ("y",),
)
"""The keys that lead to each screen from the list."""


async def visit(running: Running, keys: tuple[str, ...]) -> None:
    await running.press(*keys)


@pytest.mark.parametrize("keys", PLACES)
@pytest.mark.parametrize("size", [(120, 36), (60, 20), (40, 12)])
async def test_in_ascii_every_screen_is_ascii(
    open_app: Open, keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    async with open_app(plain_values, size=size) as running:
        running.app.desk.chosen.symbols = "ascii"
        await visit(running, keys)
        strange = {c: unicodedata.name(c, "?") for c in running.text if not c.isascii()}
        assert strange == {}


@pytest.mark.parametrize("keys", PLACES)
async def test_no_screen_sends_a_sequence_that_shifts_borders(
    open_app: Open, keys: tuple[str, ...]
) -> None:
    async with open_app(risky_values, size=(120, 36)) as running:
        await visit(running, keys)
        assert not JOINED.search(running.text)
        assert screen.overflowing(running.app) == []


@pytest.mark.parametrize("keys", PLACES)
async def test_nothing_hostile_reaches_the_terminal_in_any_symbols(
    open_app: Open, keys: tuple[str, ...]
) -> None:
    """FR-73, FR-132, FR-145 in every place, with the last filter on and off."""

    def fill(engine: Engine) -> None:
        for text in HOSTILE:
            engine.facts.add(text[:2_000], scope=PROJECT)

    async with open_app(fill) as running:
        await visit(running, keys)
        for symbols in ("ascii", "auto", "unicode"):
            running.app.desk.chosen.symbols = symbols
            redraw(running.app)
            await running.settle()
            for line in screen.lines(running.app):
                assert hidden(line) == ()


async def test_a_linux_console_gets_ascii_of_itself(open_app: Open, demo_library: Fill) -> None:
    async with open_app(demo_library) as running:
        object.__setattr__(running.app.desk, "terminal", Terminal(name="linux"))
        await running.press("j", "right")
        assert "┃" not in running.text and "◆" not in running.text
        assert "|" in running.text


def test_every_sign_of_our_own_has_one_in_ascii() -> None:
    """A new icon is not forgotten: each character in a text of the interface has its stand-in."""
    missing: dict[str, str] = {}
    for file in sorted(Path(localmem.tui.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and "\n" not in node.value
            ):
                missing |= {
                    c: file.name
                    for c in node.value
                    if not c.isascii()
                    and unicodedata.category(c)[0] not in "LMCZ"
                    and not drawn(c, Symbols.ASCII).isascii()
                }
    assert missing == {}
