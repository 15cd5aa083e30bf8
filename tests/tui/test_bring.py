"""Bringing memories in and writing them out, as a person does it in the app."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from textual.widgets import Static

from localmem.core.incoming import RunState
from localmem.core.records import Slice
from localmem.core.visible import visible
from localmem.engine import Engine, imports
from localmem.tui import bringing
from localmem.tui.screens.bring import BringField, BringScreen, Stage
from localmem.tui.screens.export import ExportScreen
from localmem.tui.screens.imports import ImportsScreen
from localmem.tui.typed_path import complete, path_of
from tests.support import exports, screen
from tests.support.hostile import HOSTILE
from tests.tui.conftest import Open, Running

PICTURES = Path(__file__).parent / "pictures"
SIZES = [(120, 36), (80, 24), (60, 20), (40, 12)]


def at(running: Running) -> BringScreen:
    found = running.app.screen
    assert isinstance(found, BringScreen)
    return found


async def open_import(running: Running, typed: str = "") -> BringScreen:
    await running.press("i")
    if typed:
        at(running).query_one("#file", BringField).typed = typed
        await running.settle()
    return at(running)


async def until(running: Running, *stages: Stage) -> None:
    """Until the import screen has come to one of these."""
    await running.until(lambda: at(running).stage in stages)
    await running.settle()


async def look(running: Running, path: Path | str) -> BringScreen:
    screen = await open_import(running, str(path))
    await running.press("enter")
    await until(running, Stage.LOOKED)
    return screen


async def bring(running: Running, path: Path | str) -> BringScreen:
    screen = await look(running, path)
    await running.press("ctrl+s")
    await until(running, Stage.TAKEN)
    return screen


async def kept(running: Running) -> int:
    count: int = await running.ask(lambda engine: engine.library.count(Slice()))
    return count


async def test_a_preview_says_what_would_come_and_writes_nothing(
    open_app: Open, tmp_path: Path
) -> None:
    """FR-103: counts, the first lines, each with its source, and what waits in the inbox."""
    archive = exports.chatgpt_zip(tmp_path / "chatgpt.zip")
    async with open_app(lambda e: e.facts.add("Is a vegetarian.")) as running:
        await look(running, archive)
        assert "chatgpt.zip is a ChatGPT export." in running.text
        assert "2 new, 1 known already; 2 to the inbox." in running.text
        assert "= known    Is a vegetarian." in running.text
        assert "✎ to inbox Wears shoe size 42." in running.text
        assert "ChatGPT, Dinner plans" in running.text
        assert "You said: “I don't eat meat”" in running.text
        assert await kept(running) == 1


async def test_an_import_is_kept_waits_in_the_inbox_and_goes_back_whole(
    open_app: Open, tmp_path: Path
) -> None:
    """FR-103: one step, and one step back."""
    archive = exports.chatgpt_zip(tmp_path / "chatgpt.zip")
    async with open_app(lambda e: e.facts.add("Mine.")) as running:
        await bring(running, archive)
        assert "Imported: 3 new; 3 to the inbox. u takes the whole import back." in running.text
        assert await running.ask(lambda engine: engine.inbox.count()) == 3
        await running.press("u")
        assert "3 in all" in running.text
        await running.press("tab", "enter")
        assert await kept(running) == 1
        assert await running.ask(lambda engine: engine.inbox.count()) == 0
        await running.press("escape")
        assert running.at_library


async def test_the_list_behind_shows_what_was_imported(open_app: Open, tmp_path: Path) -> None:
    place = tmp_path / "mine.txt"
    place.write_text("Likes dark bread.\nHas two cats.\n")
    async with open_app() as running:
        await bring(running, place)
        await running.press("escape")
        assert running.at_library
        assert "Likes dark bread." in running.text
        assert await running.ask(lambda engine: engine.inbox.count()) == 0


async def test_the_same_file_again_brings_nothing(open_app: Open, tmp_path: Path) -> None:
    place = tmp_path / "mine.txt"
    place.write_text("Likes dark bread.\nHas two cats.\n")
    async with open_app() as running:
        await bring(running, place)
        await running.press("escape")
        await look(running, place)
        assert "0 new, 2 known already." in running.text


async def test_the_scope_and_whose_list_it_is_hold_for_every_line(
    open_app: Open, tmp_path: Path
) -> None:
    place = tmp_path / "mine.txt"
    place.write_text("Likes dark bread.\n")
    async with open_app() as running:
        screen = await open_import(running, str(place))
        screen.query_one("#scope", BringField).typed = "contact:ana"
        screen.query_one("#from", BringField).typed = "gemini"
        await running.settle()
        await running.press("enter")
        await until(running, Stage.LOOKED)
        assert "copied from gemini" in running.text
        await running.press("ctrl+s")
        await until(running, Stage.TAKEN)
        [item] = await running.ask(lambda e: e.library.window(Slice(), offset=0, limit=9))
        assert (str(item.scope), item.head.by.name) == ("contact:ana", "gemini")
        assert await running.ask(lambda engine: engine.inbox.count()) == 1


async def test_stopping_keeps_what_was_taken_and_goes_on_there(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR-99: stopped in the middle, whole up to a line, and the rest comes the next time."""
    monkeypatch.setattr(imports, "LARGEST_BATCH", 10)
    place = tmp_path / "long.txt"
    place.write_text("".join(f"Sentence number {n}.\n" for n in range(600)))
    async with open_app() as running:
        await open_import(running, str(place))
        await running.press("enter")
        await until(running, Stage.LOOKING, Stage.LOOKED)
        await running.press("ctrl+s")
        for _ in range(2_000):
            found = at(running).bringing
            if found is not None and found.tally.lines:
                break
            await running.pilot.pause(0)
        at(running).action_back()
        await until(running, Stage.TAKEN)
        run = at(running).bringing.run  # type: ignore[union-attr]
        assert run is not None and run.state is RunState.STOPPED
        assert f"Stopped at line {run.line:,}; import again to go on." in " ".join(
            running.text.split()
        )
        assert await kept(running) == run.line < 600
        await running.press("ctrl+s")
        await until(running, Stage.LOOKED)
        await running.press("ctrl+s")
        await until(running, Stage.TAKEN)
        assert await kept(running) == 600
        assert f"Imported behind line {run.line:,}" in running.text


async def test_keys_echo_while_a_file_is_read(open_app: Open, tmp_path: Path) -> None:
    """FR-101: the app answers while a long file is looked through."""
    place = tmp_path / "long.txt"
    place.write_text("".join(f"Sentence number {n}.\n" for n in range(60_000)))
    async with open_app() as running:
        screen = await open_import(running, str(place))
        await running.press("enter")
        assert screen.stage is Stage.LOOKING
        looking = screen.bringing
        assert looking is not None
        screen.query_one("#from", BringField).focus()
        await running.type("you")
        assert screen.query_one("#from", BringField).typed == "you"
        assert screen.stage is Stage.CHOOSING  # another way: what was found is of the one before
        await looking.over.wait()


async def test_a_refused_line_says_why_and_where(open_app: Open, tmp_path: Path) -> None:
    place = tmp_path / "l.ndjson"
    lines = [json.dumps({"text": "fine"}), '{"text": "half', json.dumps({"text": "x" * 9_000})]
    place.write_text("\n".join(lines))
    async with open_app() as running:
        await look(running, place)
        assert "1 new, 2 refused." in running.text
        assert "! refused  The JSON of this line breaks off." in running.text
        await running.press("down", "down")
        assert "The text is too long: 9,000 / 8,192 bytes." in running.text


@pytest.mark.parametrize(
    ("name", "held", "said"),
    [
        ("no.txt", None, "There is no such file. Tried:"),
        ("photo.png", b"\x89PNG\r\n\x1a\n", "is a picture (PNG)"),
        ("empty.txt", b"", "is empty"),
    ],
)
async def test_a_wrong_file_is_said_where_it_was_named_and_the_path_stays(
    open_app: Open, tmp_path: Path, name: str, held: bytes | None, said: str
) -> None:
    """FR-104."""
    place = tmp_path / name
    if held is not None:
        place.write_bytes(held)
    async with open_app() as running:
        screen = await open_import(running, str(place))
        await running.press("enter")
        await running.until(lambda: "▲" in running.text)
        assert said in " ".join(running.text.split())
        assert screen.query_one("#file", BringField).typed == str(place)
        assert screen.stage is Stage.CHOOSING


async def test_what_was_typed_is_offered_again_after_esc(open_app: Open, tmp_path: Path) -> None:
    async with open_app() as running:
        await open_import(running, "~/half/typ")
        await running.press("escape")
        assert running.at_library
        screen = await open_import(running)
        assert screen.query_one("#file", BringField).typed == "~/half/typ"


async def test_tab_completes_the_path_and_then_goes_on(open_app: Open, tmp_path: Path) -> None:
    """FR-90: it never holds the person in the field."""
    (tmp_path / "exports").mkdir()
    (tmp_path / "exports" / "chat one.txt").write_text("x\n")
    (tmp_path / "exports" / "chat two.txt").write_text("y\n")
    async with open_app() as running:
        screen = await open_import(running, f"{tmp_path}/exp")
        field = screen.query_one("#file", BringField)
        await running.press("tab")
        await running.settle()
        assert field.typed == f"{tmp_path}/exports/"
        await running.press("tab")
        assert field.typed == f"{tmp_path}/exports/chat "
        await running.press("tab")
        assert "chat one.txt  chat two.txt" in running.text
        await running.type("o")
        await running.press("tab")
        assert field.typed == f"{tmp_path}/exports/chat one.txt"
        await running.press("tab")
        assert running.app.focused is screen.query_one("#scope")


async def test_past_imports_are_listed_and_go_back_one_by_one(
    open_app: Open, tmp_path: Path
) -> None:
    async with open_app() as running:
        for name in ("first", "second"):
            (tmp_path / f"{name}.txt").write_text(f"The {name} list.\n")
            await bring(running, tmp_path / f"{name}.txt")
            await running.press("escape")
        await open_import(running)
        at(running).rows.focus()
        await running.press("p")
        assert isinstance(running.app.screen, ImportsScreen)
        assert running.text.index("second.txt") < running.text.index("first.txt")
        await running.press("down", "u")
        await running.press("tab", "enter")
        await running.settle()
        assert "taken back" in running.text
        items = await running.ask(lambda e: e.library.window(Slice(), offset=0, limit=9))
        assert [item.head.content.text for item in items] == ["The second list."]


async def test_an_export_is_written_and_comes_back_whole(open_app: Open, tmp_path: Path) -> None:
    target = tmp_path / "all.ndjson"

    def fill(engine: Engine) -> None:
        for number in range(30):
            engine.facts.add(f"Sentence {number}.")

    async with open_app(fill) as running:
        await running.press("ctrl+p")
        await running.type("export")
        await running.press("enter")
        await running.settle()
        await running.type("as it is")
        await running.press("enter")
        await running.settle()
        screen = running.app.screen
        assert isinstance(screen, ExportScreen)
        assert "~/localmem-2026-11-30.ndjson" in running.text
        field = screen.query_one("#target", expect_type=type(screen.query_one("#target")))
        field.typed = str(target)  # type: ignore[attr-defined]
        await running.press("enter")
        await running.until(lambda: running.at_library)
        assert any("Exported 30 memories" in each for each in running.toasts())
        await look(running, target)
        assert "0 new, 30 known already" in running.text
        assert "is an export of localmem." in running.text


async def test_an_export_replaces_no_file_unasked(open_app: Open, tmp_path: Path) -> None:
    target = tmp_path / "mine.csv"
    target.write_text("precious")
    async with open_app(lambda e: e.facts.add("x")) as running:
        screen = ExportScreen(running.library.desk, "csv", history=False)
        running.app.push_screen(screen)
        await running.settle()
        screen.query_one("#target").typed = str(target)  # type: ignore[attr-defined]
        await running.press("enter")
        await running.settle()
        assert "Replace it?" in running.text
        await running.press("enter")
        await running.settle()
        assert target.read_text() == "precious"
        assert running.app.screen is screen


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("  a b.txt ", "a b.txt"),
        ("'/tmp/my file.txt'", "/tmp/my file.txt"),
        ("“/tmp/x”", "/tmp/x"),
        ("/tmp/my\\ file\\(1\\).txt", "/tmp/my file(1).txt"),
        ("file:///tmp/my%20file.txt", "/tmp/my file.txt"),
        ("~/x", "~/x"),
        ("", ""),
    ],
)
def test_a_path_is_read_however_it_was_pasted(typed: str, meant: str) -> None:
    assert path_of(typed) == meant


def test_completion_leaves_alone_what_is_not_there(tmp_path: Path) -> None:
    assert complete(f"{tmp_path}/nothing/here").text == f"{tmp_path}/nothing/here"
    assert complete("a\0b").text == "a\0b"
    assert complete("~").text == "~/"


def test_a_long_import_keeps_a_part_of_its_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    from localmem.core.incoming import Incoming, Unreadable
    from localmem.core.model import FactContent
    from localmem.engine.imports import Fate, Outcome

    monkeypatch.setattr(bringing, "_FIRST", 10)
    monkeypatch.setattr(bringing, "_TELLING", 15)
    tally = bringing.Tally()
    for number in range(100):
        odd = number % 4 == 0
        value = Unreadable(number, "odd") if odd else Incoming(number, FactContent(f"m{number}"))
        fate = Fate.REFUSED if odd else Fate.NEW
        tally.take([value], [Outcome(number, fate, "odd" if odd else "")])
    assert len(tally.entries) == 15
    assert (tally.lines, tally.fates[Fate.REFUSED], tally.fates[Fate.NEW]) == (100, 25, 75)


async def test_hostile_names_and_texts_are_shown_and_never_obeyed(
    open_app: Open, tmp_path: Path
) -> None:
    place = tmp_path / "bad\x1b]0;x\x07[red]\u202ename.json"
    place.write_text(json.dumps([*HOSTILE, {"text": "m", "id": HOSTILE[0]}]), "utf-8")
    async with open_app() as running:
        await look(running, place)
        assert visible("csi \x1b[31mred") in running.text
        for width, height in SIZES:
            await running.pilot.resize_terminal(width, height)
            await running.settle()
            assert screen.wrong(running.app) == []


async def pictures(running: Running, name: str) -> None:
    for width, height in SIZES:
        await running.pilot.resize_terminal(width, height)
        await running.settle()
        assert screen.wrong(running.app) == []
        screen.matches(running.text, PICTURES / f"{name}-{width}x{height}.txt")


async def test_how_an_import_looks(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fields, what was found, the counts, and the lines with the reasons of the refused."""
    monkeypatch.chdir(tmp_path)
    exports.chatgpt_zip(tmp_path / "chatgpt.zip")
    notes = "# Ana\n- Likes tea\n- [x] Renewed the passport\n- Avoids:\n  - Adidas\n"
    (tmp_path / "notes.md").write_text(notes + "- " + "very long " * 900 + "\n")
    async with open_app(lambda e: e.facts.add("Likes tea")) as running:
        await open_import(running)
        await pictures(running, "import-empty")
        at(running).query_one("#file", BringField).typed = "notes.md"
        await running.press("enter")
        await until(running, Stage.LOOKED)
        assert at(running).query_one("#bring-said", Static).display
        await pictures(running, "import-looked")
        await running.press("escape")
        await bring(running, "chatgpt.zip")
        await pictures(running, "import-taken")
        await running.press("p")
        assert isinstance(running.app.screen, ImportsScreen)
        await pictures(running, "import-runs")


async def test_a_file_that_breaks_on_the_way_keeps_what_came_before_and_says_so(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "LARGEST_BATCH", 10)
    place = tmp_path / "deep.json"
    whole = ", ".join(json.dumps(f"Sentence {number}.") for number in range(40))
    place.write_text(f"[{whole}, {'[' * 5_000}")
    async with open_app() as running:
        await look(running, place)
        assert any("nested too deep" in each for each in running.toasts())
        assert "new in the first" in running.text
        await running.press("ctrl+s")
        await until(running, Stage.TAKEN)
        assert await kept(running) in range(10, 41)
        assert "Stopped at line" in running.text
        assert any("nested too deep" in each for each in running.toasts())


async def test_the_sentences_of_an_import_name_the_keys_that_hold(
    open_app: Open, tmp_path: Path
) -> None:
    settings, memories = tmp_path / "config.toml", tmp_path / "memories.txt"
    settings.write_text('[keys]\nsave = ["f2"]\nundo = ["z"]\nimports = ["P"]\n')
    memories.write_text("- Likes green tea.\n- Sleeps early.\n")
    async with open_app(settings=settings) as running:
        await look(running, memories)
        assert "f2 imports" in running.text
        await running.press("z")
        assert "P shows the imports so far" in " ".join(running.toasts())
        await running.press("f2")
        await until(running, Stage.TAKEN)
        assert "z takes the whole import back" in running.text


async def test_a_scope_that_is_none_is_said_and_the_cursor_stands_in_it(
    open_app: Open, tmp_path: Path
) -> None:
    memories = tmp_path / "memories.txt"
    memories.write_text("- Likes green tea.\n")
    async with open_app() as running:
        found = await open_import(running, str(memories))
        found.query_one("#scope", BringField).typed = "nowhere"
        await running.press("ctrl+s")
        assert "'nowhere' is not a scope" in running.text
        assert found.focused is found.query_one("#scope", BringField)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
async def test_a_pipe_that_nobody_writes_to_is_refused_and_the_app_does_not_wait_for_it(
    open_app: Open, tmp_path: Path
) -> None:
    """It could not be stopped, and the app never ended after it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    async with open_app() as running:
        await open_import(running, str(pipe))
        await running.press("enter")
        await until(running, Stage.CHOOSING)
        assert "pipe is a pipe" in running.text and "localmem import" in running.text


async def test_nothing_of_the_file_before_is_said_once_another_is_typed_or_it_was_taken_back(
    open_app: Open, tmp_path: Path
) -> None:
    memories = tmp_path / "memories.txt"
    memories.write_text("- Likes green tea.\n- Sleeps early.\n")
    async with open_app() as running:
        found = await look(running, memories)
        assert "Lines · 2" in running.text and "2 new" in running.text
        found.query_one("#file", BringField).typed = str(tmp_path / "another.txt")
        await running.settle()
        assert "Lines · 2" not in running.text and "2 new" not in running.text
        assert "memories.txt is" not in running.text
        found.query_one("#file", BringField).typed = str(memories)
        await running.press("ctrl+s")
        await until(running, Stage.LOOKED)
        await running.press("ctrl+s")
        await until(running, Stage.TAKEN)
        await running.press("u", "tab", "enter")
        await until(running, Stage.CHOOSING)
        assert "Lines · 2" not in running.text and "Imported" not in running.text
