"""The Settings screen: what holds and why, changed in place, kept in the file, taken up at once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.color import Color
from textual.widgets import Input, TextArea

from localmem.engine import Engine
from localmem.engine.answers import MeaningState
from localmem.tui import keymap
from localmem.tui.actions import ACTIONS, Place, by_id
from localmem.tui.keymap import Keymap
from localmem.tui.screens.settings import SettingsScreen
from localmem.tui.themes import OURS, READABLE, contrast, worn
from tests.support.library import WordsEmbedder
from tests.tui.conftest import Open, Running
from tests.tui.test_pictures import pictures


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Named without its folder, which differs from run to run and is on the screen."""
    monkeypatch.chdir(tmp_path)
    return Path("config.toml")


def fill(engine: Engine) -> None:
    for text in ("Prefers tea.", "Lives in Lisbon.", "Works at night."):
        engine.facts.add(text)


async def at(running: Running, key: str, *, then: str = "enter") -> None:
    """The cursor on a setting of the open screen, then a key."""
    screen = running.app.screen
    assert isinstance(screen, SettingsScreen)
    await running.settle()
    while (line := screen.rows.row) is None or line.key != key:
        await asyncio.sleep(0)
        await running.press("down")
    await running.press(then)


async def opened(running: Running) -> None:
    await running.press("comma")
    while not (isinstance(running.app.screen, SettingsScreen) and running.app.screen.rows.count):
        await asyncio.sleep(0)
        await running.settle()


async def kept(running: Running, file: Path, text: str) -> None:
    """Until the file holds it: it is written beside the loop."""
    while not file.exists() or text not in file.read_text():
        await asyncio.sleep(0)
        await running.settle()
    for _ in range(3):
        await asyncio.sleep(0)
        await running.settle()


async def test_the_settings_at_every_size(open_app: Open, file: Path) -> None:
    """Each with its value and origin; what it means beside or below."""
    file.write_text("floor = 0.45\n[keys]\nedit = 'z'\n")
    async with open_app(fill, settings=file) as running:
        await opened(running)
        await running.press("down")
        assert "config.toml" in running.text and "1 of your own" in running.text
        await pictures(running, "settings")


async def test_the_keys_at_every_size(open_app: Open, file: Path) -> None:
    """Every action with its keys; what clashes is told where it stands."""
    file.write_text("[keys]\nedit = 'h'\nsearch = ['ctrl+f', '/']\n")
    async with open_app(fill, settings=file) as running:
        running.app.clear_notifications()
        await opened(running)
        await at(running, "keys")
        await running.settle()
        assert "ctrl+f /" in running.text and "yours" in running.text
        await pictures(running, "keys")


async def test_the_themes_at_every_size(open_app: Open, file: Path) -> None:
    async with open_app(fill, settings=file) as running:
        await opened(running)
        await at(running, "theme")
        assert "Theme · now localmem" in running.text
        await pictures(running, "themes")


async def test_a_theme_is_seen_while_moving_and_kept_by_enter_alone(
    open_app: Open, file: Path
) -> None:
    async with open_app(fill, settings=file) as running:
        await opened(running)
        await at(running, "theme")
        await running.press("down")
        assert running.app.theme == "localmem-light"
        await running.press("escape")
        assert running.app.theme == "localmem" and not file.exists()
        await at(running, "theme")
        await running.type("nord")
        await running.press("enter")
        await kept(running, file, 'theme = "nord"')
        assert running.app.theme == "nord"


async def test_the_cursor_opens_on_what_holds(open_app: Open, file: Path) -> None:
    file.write_text('theme = "localmem-light"\n')
    async with open_app(fill, settings=file) as running:
        await opened(running)
        await at(running, "theme")
        assert "▌ localmem-light" in running.text and running.app.theme == "localmem-light"


async def test_a_floor_is_checked_while_it_is_typed_and_holds_at_once(
    open_app: Open, file: Path
) -> None:
    async with open_app(fill, settings=file) as running:
        await opened(running)
        await at(running, "floor")
        await running.type("1.5")
        assert "from 0 to 1" in running.text
        await running.press("enter")
        assert "from 0 to 1" in running.text, "it stays to be mended"
        await running.press("backspace", "backspace", "backspace")
        await running.type("0.62")
        await running.press("enter")
        await kept(running, file, "floor = 0.62")
        assert running.app.desk.floor == 0.62
        await running.press("delete")
        await running.until(lambda: running.app.desk.floor == 0.30)
        assert "floor" not in file.read_text()


async def test_other_symbols_are_drawn_at_once(open_app: Open, file: Path) -> None:
    async with open_app(fill, settings=file) as running:
        await opened(running)
        assert "┏━" in running.text
        await at(running, "symbols")
        await running.type("asc")
        await running.press("enter")
        await kept(running, file, 'symbols = "ascii"')
        assert running.text.replace("…", "").isascii()
        await running.press("escape")
        assert running.at_library and "━" not in running.text


async def test_another_model_says_what_it_does_first_and_then_embeds_in_the_background(
    open_app: Open, file: Path
) -> None:
    embedder = WordsEmbedder()
    async with open_app(fill, settings=file, embedder=embedder) as running:
        while embedder.embedded < 3:
            await running.settle()
        await opened(running)
        await at(running, "model")
        await running.type("none")
        await running.press("enter")
        assert "by words alone" in running.text and not file.exists()
        await running.press("escape")
        assert not file.exists()
        await at(running, "model")
        await running.type("fastembed:words")
        await running.press("enter")
        assert "3 memories are embedded with it" in running.text
        await running.press("tab", "enter")
        await kept(running, file, 'model = "fastembed:words"')
        while (await running.ask(lambda engine: engine.meaning.state()))[0] is MeaningState.LOADING:
            await running.settle()
        state = await running.ask(lambda engine: engine.meaning.state())
        assert state == (MeaningState.READY, 0)


async def test_a_begun_model_name_is_written_on_and_refused_until_it_is_one(
    open_app: Open, file: Path
) -> None:
    async with open_app(fill, settings=file) as running:
        await opened(running)
        await at(running, "model")
        await running.press("down", "down", "down", "enter")
        assert running.app.screen.query_one("#filter", Input).value == "openai:"
        assert "not a usable choice" in running.text
        await running.type("m@http://localhost:1/v1")
        assert "enter takes what you typed" in running.text


async def test_a_key_is_changed_by_pressing_it_and_holds_at_once(
    open_app: Open, file: Path
) -> None:
    """FR-87."""
    async with open_app(fill, settings=file) as running:
        await opened(running)
        await at(running, "keys")
        await running.press("enter")
        assert "Press the new key for search" in running.text
        await running.press("h")
        assert "history has it" in running.text
        await running.press("v")
        await kept(running, file, 'search = ["v"]')
        await running.press("escape", "escape")
        assert running.at_library and " v search" in running.text
        await running.press("v")
        assert running.library.box.has_focus
        await running.press("escape", "slash")
        assert not running.library.box.has_focus
        await opened(running)
        await at(running, "keys")
        await running.press("delete")
        while "search" in file.read_text():
            await asyncio.sleep(0)
            await running.settle()
        await running.settle()
        await running.press("escape", "escape", "slash")
        assert running.library.box.has_focus


async def test_esc_keeps_the_key_and_ctrl_q_cannot_be_taken(open_app: Open, file: Path) -> None:
    async with open_app(fill, settings=file) as running:
        await opened(running)
        await at(running, "keys")
        await running.press("enter", "escape")
        assert "Keys ·" in running.text and not file.exists()
        await running.press("enter", "ctrl+q")
        assert running.app._exit


async def test_a_broken_file_is_told_in_the_app_and_never_written_over(
    open_app: Open, file: Path
) -> None:
    """FR-152: the app opens, says the line, and refuses to change anything in it."""
    file.write_text("theme = 'nord'\nfloor 0.3\n")
    async with open_app(fill, settings=file) as running:
        assert any("line 2" in said for said in running.toasts())
        await opened(running)
        await at(running, "theme")
        await running.press("down", "enter")
        while not any("not valid TOML" in said for said in running.toasts()[1:]):
            await asyncio.sleep(0)
            await running.settle()
        assert running.app.theme == "localmem"
        assert file.read_text() == "theme = 'nord'\nfloor 0.3\n"


async def test_a_map_with_mistakes_is_told_and_leaves_the_app_usable(
    open_app: Open, file: Path
) -> None:
    """FR-87: no quit, two actions on one key, an unknown key name."""
    file.write_text("[keys]\nquit = []\nleave = []\nedit = 'h'\nnew = 'ctlr+n'\nserach = 'x'\n")
    async with open_app(fill, settings=file) as running:
        told = " ".join(running.toasts())
        for says in ("quit keeps ctrl+q", "edit keeps e", "Did you mean ctrl+n?", "new keeps n",
                     "Did you mean search?"):  # fmt: skip
            assert says in told
        await running.press("q")
        assert not running.app._exit, "q was taken away on purpose"
        await running.press("ctrl+q")
        assert running.app._exit


async def test_help_palette_and_footer_show_the_person_s_own_keys(
    open_app: Open, file: Path
) -> None:
    file.write_text("[keys]\nhistory = 'V'\ncheck_library = []\nwelcome = 'W'\n")
    async with open_app(fill, settings=file) as running:
        assert " V history" in running.text
        await running.press("question_mark")
        assert "  V " in running.text
        await running.press("escape", "ctrl+p")
        await running.type("every version")
        assert running.text.splitlines()[4:30] and " V" in running.text
        await running.press("escape", "V")
        assert "History of" in running.text


# the map itself


def test_a_map_of_any_kind_leaves_no_two_actions_on_one_key_of_one_place() -> None:
    every = [key for action in ACTIONS for key in action.keys] + ["z", "ctrl+g", "nope", "+", "f5"]
    reached = 0
    for turn in range(len(every)):
        chosen = {
            action.id: (every[(turn + 7 * number) % len(every)],)
            for number, action in enumerate(ACTIONS)
            if (number + turn) % 3
        }
        held = keymap.read(chosen)
        reached += len(held.own)
        for place in Place:
            keys = [key for action in held.of_place(place) for key in action.keys]
            twice = {key for key in keys if keys.count(key) > 1}
            assert not twice, (place, twice)
        assert "ctrl+q" in held.by_id("quit").keys and held.by_id("palette").keys
        typing = {"z", "f5", "ctrl+g", *keymap.FIELD_KEYS}
        for id in ("back", "save"):
            assert [key for key in held.by_id(id).keys if len(key) > 1 and key not in typing] or (
                {"ctrl+g", "f5"} & {*held.by_id(id).keys}
            ), id
        assert all(action.keys for action in held.actions if by_id(action.id).keys)
    assert reached > 50


@pytest.mark.parametrize(("typed", "name"), [
    ("/", "slash"), ("?", "question_mark"), ("+", "plus"), ("^F", "ctrl+f"), ("Ctrl+F", "ctrl+f"),
    ("ctrl-x", "ctrl+x"), ("shift+a", "A"), ("A", "A"), ("esc", "escape"), ("pgup", "pageup"),
    ("F5", "f5"), ("é", "é"), (" ", "space"), ("alt+x", "alt+x"), ("ctrl++", "ctrl+plus"),
])  # fmt: skip
def test_keys_are_read_as_people_write_them(typed: str, name: str) -> None:
    assert keymap.key_name(typed) == name


def test_two_actions_may_change_places() -> None:
    held = keymap.read({"edit": ("n",), "new": ("e",)})
    assert (held.by_id("edit").keys, held.by_id("new").keys, held.problems) == (("n",), ("e",), ())


def test_a_letter_never_takes_the_place_of_a_key_that_works_while_typing() -> None:
    held = keymap.read({"back": ("z",), "save": ("z",), "open": ("o",), "palette": ("z",)})
    assert "escape" in held.by_id("back").keys
    assert held.by_id("open").keys == ("o", "enter")
    footer = {action.id: action.keys[0] for action in held.in_footer([Place.SEARCH])}
    assert (footer["open"], footer["back"], footer["palette"]) == ("enter", "escape", "ctrl+p")
    assert held.in_footer([Place.ASK])[0].keys == ("enter",)


def test_the_keys_of_a_field_are_textual_s() -> None:
    own = {key.strip() for kind in (Input, TextArea) for each in kind.BINDINGS
           for key in each.key.split(",")}  # type: ignore[union-attr]  # fmt: skip
    assert own == set(keymap.FIELD_KEYS)


def test_without_choices_the_keys_are_the_table_s() -> None:
    assert Keymap().actions == ACTIONS and Keymap().bound == {}


# themes


def test_contrast_is_wcag_s() -> None:
    white, black = Color.parse("#fff"), Color.parse("#000")
    assert (contrast(white, black), contrast(black, black)) == (21, 1)
    assert round(contrast(Color.parse("#777"), white), 2) == 4.48


@pytest.mark.parametrize("theme", OURS, ids=lambda theme: theme.name)
def test_every_text_of_our_themes_can_be_read_on_every_ground(theme: object) -> None:
    colors = theme.to_color_system().generate()  # type: ignore[attr-defined]
    back = Color.parse(colors["background"])
    grounds = {name: Color.parse(colors[name]) for name in ("background", "surface", "panel")}
    grounds["the cursor's row"] = back.blend(Color.parse(colors["primary"]), 0.25)
    inks = ("foreground", "foreground-muted", "text-accent", "text-success", "text-warning",
            "text-error", "text-secondary", "success", "warning")  # fmt: skip
    for name, ground in grounds.items():
        for ink in inks:
            color = Color.parse(colors[ink])
            assert contrast(ground.blend(color, color.a), ground) >= READABLE, (ink, name)


def unreadable(running: Running) -> dict[str, float]:
    """Words on the screen whose contrast, as it is sent to the terminal, is below 3."""
    app = running.app
    found: dict[str, float] = {}
    for strip in app.screen._compositor.render_strips(app.size):
        for text, style, _ in strip:
            color, ground = (style.color, style.bgcolor) if style is not None else (None, None)
            if not any(map(str.isalpha, text)) or color is None or ground is None:
                continue  # a border
            if not (color.triplet and ground.triplet):
                continue  # the terminal's own colours, which are the person's choice
            ratio = contrast(Color.from_rich_color(color), Color.from_rich_color(ground))
            if ratio < 3:
                found[text.strip()] = round(ratio, 1)
    return found


@pytest.mark.parametrize("colour", ["colour", "none"])
@pytest.mark.parametrize(
    "theme", ["localmem", "localmem-light", "nord", "solarized-light", "ansi-dark", "ansi-light"]
)
async def test_every_word_can_be_read_in_dark_light_and_without_colour(
    open_app: Open, file: Path, monkeypatch: pytest.MonkeyPatch, theme: str, colour: str
) -> None:
    """FR-84: NO_COLOR with an ANSI theme was black on black."""
    file.write_text(f'theme = "{theme}"\n')
    if colour == "none":
        monkeypatch.setenv("NO_COLOR", "1")
    async with open_app(fill, settings=file) as running:
        assert running.app.no_color == (colour == "none")
        assert running.app.theme == worn(
            theme, dark=theme != "ansi-light", no_color=colour == "none"
        )
        assert unreadable(running) == {}
        assert "▌ " in running.text, "the cursor is a sign, not a colour"
        await opened(running)
        assert unreadable(running) == {}
