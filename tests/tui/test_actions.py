"""The one table of keys: no key means two things, and everything derives from it."""

from __future__ import annotations

from collections import defaultdict

import pytest
from textual.binding import Binding

from localmem.tui import actions
from localmem.tui.actions import (
    ACTIONS,
    Action,
    Group,
    Place,
    bindings,
    in_footer,
    key_table,
    of_place,
)
from localmem.tui.present import chrome
from localmem.tui.screens.choose import Choice, choice_row
from localmem.tui.screens.palette import choices
from tests.tui.conftest import Fill, Open

TERMINAL_DEPENDENT = ("ctrl+space", "shift+enter", "alt+", "meta+", "ctrl+i", "ctrl+m", "ctrl+j")


def test_a_key_means_the_same_everywhere() -> None:
    meanings = defaultdict(set)
    for action in ACTIONS:
        for key in action.keys:
            meanings[key].add(action.id)
    assert {key: ids for key, ids in meanings.items() if len(ids) > 1} == {}


def test_no_action_hangs_only_on_a_key_some_terminals_never_send() -> None:
    for action in (action for action in ACTIONS if action.keys):
        plain = [
            key
            for key in action.keys
            if not key.startswith(TERMINAL_DEPENDENT) and not (key[0] == "f" and key[1:].isdigit())
        ]
        assert plain, action.id


def test_every_action_is_done_by_a_method_where_it_applies() -> None:
    from localmem.tui.app import LocalmemApp
    from localmem.tui.screens.account import SignInScreen, UnlockScreen
    from localmem.tui.screens.ask import AskScreen
    from localmem.tui.screens.bring import BringScreen
    from localmem.tui.screens.check import CheckScreen
    from localmem.tui.screens.choose import ChooseScreen
    from localmem.tui.screens.conflict import ConflictScreen
    from localmem.tui.screens.count import CountScreen
    from localmem.tui.screens.export import ExportScreen
    from localmem.tui.screens.fault import FaultScreen
    from localmem.tui.screens.forget import ForgetScreen, ReceiptScreen
    from localmem.tui.screens.form import Form
    from localmem.tui.screens.help import HelpScreen
    from localmem.tui.screens.history import HistoryScreen
    from localmem.tui.screens.imports import ImportsScreen
    from localmem.tui.screens.keys import KeysScreen
    from localmem.tui.screens.library import LibraryScreen
    from localmem.tui.screens.look_ahead import LookScreen
    from localmem.tui.screens.settings import SettingsScreen
    from localmem.tui.screens.sides import SidesScreen
    from localmem.tui.screens.terminal import TerminalScreen
    from localmem.tui.screens.welcome import WelcomeScreen
    from localmem.tui.widgets.page import Page
    from localmem.tui.widgets.rows import Rows

    doers: dict[Place, tuple[type, ...]] = {
        Place.APP: (LocalmemApp,),
        Place.LIBRARY: (LibraryScreen,),
        Place.ROWS: (Rows,),
        Place.PREVIEW: (Page,),
        Place.FORM: (Form,),
        Place.HISTORY: (HistoryScreen,),
        Place.SIDES: (SidesScreen,),
        Place.ASK: (AskScreen, ForgetScreen),
        Place.WELCOME: (WelcomeScreen,),
        Place.BRING: (BringScreen,),
        Place.LINES: (BringScreen,),
        Place.IMPORTS: (ImportsScreen,),
        Place.SAVE: (ExportScreen,),
        Place.SETTINGS: (SettingsScreen, KeysScreen),
        Place.CHECK: (CheckScreen,),
        Place.TERMINAL: (TerminalScreen,),
        Place.INBOX: (LibraryScreen,),
        Place.PAST: (LibraryScreen,),
        Place.RESULTS: (LibraryScreen,),
        Place.CHOICE: (ChooseScreen,),
        Place.PAGE: (HelpScreen, ReceiptScreen, FaultScreen, LookScreen),
        Place.CONFLICTS: (LibraryScreen,),
        Place.SYNC: (LibraryScreen,),
        Place.CONFLICT: (ConflictScreen,),
        Place.ACCOUNT: (SignInScreen, UnlockScreen),
        Place.COUNT: (CountScreen,),
    }
    missing = [
        (action.id, kind.__name__)
        for action in ACTIONS
        for place in action.places
        for kind in doers.get(place, ())
        if not hasattr(kind, f"action_{action.id}")
    ]
    assert missing == []


@pytest.mark.parametrize("place", list(Place))
def test_bindings_carry_id_label_and_tooltip(place: Place) -> None:
    for binding in bindings(place):
        assert isinstance(binding, Binding)
        action = actions.by_id(binding.id or "")
        assert binding.description == action.label
        assert binding.tooltip == action.help and action.help.endswith(".")


def test_the_readme_table_names_every_action_once() -> None:
    table = key_table()
    assert table.count("\n") == len(ACTIONS) + 2
    for action in ACTIONS:
        assert action.help in table


def test_the_footer_always_ends_with_help_and_palette_however_narrow() -> None:
    keys = in_footer([Place.LIBRARY])
    for width in (36, 40, 60, 80, 120, 200):
        content, _ = chrome.footer(keys, width)
        assert content.plain.rstrip().endswith("? help  ^p palette")
        assert content.cell_length <= width


def test_the_palette_has_every_action_of_the_place_that_is_not_moving_about() -> None:
    offered = {choice.label for choice in choices((Place.ROWS, Place.LIBRARY), ())}
    for id in ("search", "new", "edit", "forget", "history", "copy", "undo", "help", "quit"):
        assert actions.by_id(id).label in offered
    assert "up" not in offered


def test_help_shows_the_keys_of_the_place_first_and_all_of_them() -> None:
    text = chrome.help_lines((Place.HISTORY,), 100).plain
    assert text.index("restore") < text.index("search")
    for action in ACTIONS:
        assert action.label in text
    assert of_place(Place.HISTORY)


def test_an_action_without_a_key_is_offered_by_the_palette_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bare = Action("bare", (), "bare deed", "Do it.", (Place.LIBRARY,), Group.APP, 5)
    monkeypatch.setattr(actions, "ACTIONS", (*ACTIONS, bare))
    assert bare.id not in [action.id for action in in_footer([Place.LIBRARY])]
    assert ("bare deed", "") in [(each.label, each.key) for each in choices((Place.LIBRARY,), ())]
    assert "| `ctrl+p` | bare deed | Do it. | browsing |" in key_table()
    assert (
        "ctrl+p" in chrome.help_lines((Place.LIBRARY,), 100).plain.partition("bare deed")[0][-16:]
    )
    assert [
        each for each in bindings(Place.LIBRARY) if isinstance(each, Binding) and each.id == "bare"
    ]


def test_a_long_name_in_the_palette_never_touches_what_is_beside_it() -> None:
    long = Choice("Facts · conversation:421", None, "12 kept", "go")
    for width in (40, 60, 90):
        assert "conversation:421  12" in choice_row(long, width).plain, width


async def test_the_palette_says_when_nothing_matches(open_app: Open) -> None:
    async with open_app() as running:
        await running.press("ctrl+p")
        await running.type("xyzzy")
        assert "nothing matches" in running.text


async def test_the_palette_runs_an_action_and_jumps_to_a_place(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("ctrl+p")
        await running.type("contact:ana")
        await running.press("enter")
        assert running.library.spot is not None
        assert str(running.library.spot.scope) == "contact:ana"
        await running.press("ctrl+p")
        await running.type("help")
        await running.press("enter")
        assert "Keys in lists" in running.text
        await running.press("escape")
        assert running.at_library


async def test_a_click_on_the_footer_does_what_the_key_does(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.pilot.click("Footer", offset=(3, 0))
        await running.settle()
        assert running.library.box.has_focus


async def test_q_and_ctrl_q_leave_from_anywhere(open_app: Open, demo_library: Fill) -> None:
    async with open_app(demo_library) as running:
        await running.press("slash", "ctrl+q")
        assert running.app._exit
    async with open_app() as running:
        await running.press("q")
        assert running.app._exit
