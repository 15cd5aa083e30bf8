"""Two versions at once: all of both can be read, and every choice is seen, in any window."""

from __future__ import annotations

import pytest

from localmem.engine import Engine
from localmem.tui.screens.sides import SidesScreen
from localmem.tui.widgets.area import Area
from tests.tui.conftest import Open, Running

SIZES = [(120, 36), (100, 30), (80, 24), (60, 20), (40, 12)]
CHOICES = ("m mine", "t theirs", "e edit", "b both", "l later")
ORDER = ("before", "yours", "theirs", "merged")


def one_fact(engine: Engine) -> None:
    engine.facts.add("Prefers email.")


async def written_twice(running: Running) -> None:
    await running.press("e")
    item = running.library.item
    assert item is not None
    other = running.other()
    other.facts.edit(item.id, text="Prefers a letter.")
    other.close()
    running.app.screen.query_one("#text", Area).typed = "Prefers WhatsApp."
    await running.press("ctrl+s")
    assert isinstance(running.app.screen, SidesScreen)


@pytest.mark.parametrize("size", SIZES)
async def test_every_choice_is_in_the_footer_and_every_side_can_be_read(
    open_app: Open, size: tuple[int, int]
) -> None:
    async with open_app(one_fact, size=size) as running:
        await written_twice(running)
        footer = " ".join(running.text.splitlines()[-2:])
        assert [choice for choice in CHOICES if choice not in footer] == []
        assert "a merged" not in footer  # both changed the text: there is nothing to save
        assert "? help" in footer and "^p palette" in footer
        assert "changed it too (now)" in " ".join(running.text.split())
        seen = set()
        for _ in ORDER:
            seen |= {text for text in _SAID if text in running.text}
            await running.press("tab")
        assert seen == set(_SAID)
        assert running.app.screen.focused is not None
        assert running.app.screen.focused.id == "merged"


_SAID = (
    "Prefers email.", "Prefers WhatsApp.", "Prefers a letter.", "before · v1",
    "yours · not saved", "theirs", "shop-agent · now", "merged",
)  # fmt: skip


async def test_where_one_side_fits_tab_and_shift_tab_go_round(open_app: Open) -> None:
    async with open_app(one_fact, size=(40, 12)) as running:
        await written_twice(running)
        visited = []
        for key in ("tab", "tab", "tab", "tab", "shift+tab"):
            await running.press(key)
            shown = [name for name in ("base", "mine", "theirs", "merged")
                     if running.app.screen.query_one(f"#{name}").display]  # fmt: skip
            assert len(shown) == 1
            visited += shown
        assert visited == ["base", "mine", "theirs", "merged", "theirs"]
        await running.pilot.resize_terminal(120, 36)
        await running.settle()
        assert all(running.app.screen.query_one(f"#{name}").display
                   for name in ("base", "mine", "theirs", "merged"))  # fmt: skip


async def test_what_goes_on_of_a_clash_stays_under_its_beginning(open_app: Open) -> None:
    async with open_app(one_fact, size=(60, 20)) as running:
        await running.press("e")
        item = running.library.item
        assert item is not None
        other = running.other()
        other.facts.edit(item.id, text="A letter " + "by post " * 12)
        other.close()
        running.app.screen.query_one("#text", Area).typed = "Short."
        await running.press("ctrl+s")
        lines = running.text.splitlines()
        at = next(n for n, line in enumerate(lines) if "theirs  A letter" in line)
        goes_on = min(lines[at + 1].index("by"), lines[at + 1].index("post"))
        assert goes_on == lines[at].index("A letter")
