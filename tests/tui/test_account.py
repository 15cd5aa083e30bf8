"""Signing in, opening the key's file, signing out; and the key is never seen, copied or kept."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual.events import Paste

from localmem.core.syncing import NotDone, State
from localmem.credentials import passphrase
from localmem.engine import Engine
from localmem.tui.screens.account import Secret, SignInScreen, UnlockScreen
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.welcome import WelcomeScreen
from localmem.tui.widgets.fields import Field
from tests.support import screen
from tests.support import syncing as fake
from tests.support.hostile import HOSTILE
from tests.support.syncing import FakeBackground, FakeSynchroniser, FakeSyncing
from tests.tui.conftest import Open, Running
from tests.tui.test_sync import SIZES, answered, synchroniser


def one_fact(engine: Engine) -> None:
    engine.facts.add("Prefers tea.")


async def asks(running: Running) -> None:
    """The account's screen is open."""
    await running.press("c")
    await running.until(lambda: not running.at_library)


def fill(running: Running, **fields: str) -> None:
    for id, text in fields.items():
        running.app.screen.query_one(f"#{id}", Field).typed = text


async def gone(running: Running) -> None:
    """Until the library is seen again."""
    await running.until(lambda: running.at_library)


def said(running: Running) -> str:
    return " ".join(running.text.replace("┃", " ").split())


@pytest.mark.parametrize("size", SIZES)
async def test_an_address_and_a_key_sign_in(open_app: Open, size: tuple[int, int]) -> None:
    library, background = FakeSyncing(), FakeBackground()
    made = synchroniser(library, background)
    async with open_app(one_fact, sync=made, size=size) as running:
        await asks(running)
        assert isinstance(running.app.screen, SignInScreen)
        assert "Nothing is sent before you sign in." in said(running)
        assert screen.overflowing(running.app) == []
        await running.type(fake.URL)
        await running.press("tab")
        running.app.screen.focused.post_message(Paste(f"  {fake.KEY}\r\n"))  # type: ignore[union-attr]
        await running.settle()
        assert fake.KEY not in running.text and "••••" in running.text
        await running.press("enter")
        await gone(running)
        assert library.given == [(fake.URL, fake.KEY, None)]
        assert background.wanted == [()]
        assert any(
            note.startswith("Signed in to memory.example.com. The key is in your keyring.")
            for note in running.toasts()
        )
        await running.looked()
        assert "in step" in running.text.splitlines()[0] or size[0] < 56


async def test_what_is_missing_is_asked_for_and_nothing_is_sent(open_app: Open) -> None:
    library = FakeSyncing()
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await asks(running)
        await running.press("enter")
        assert "Type the address of the server first." in said(running)
        fill(running, url=fake.URL)
        await running.press("ctrl+s")
        assert "Type the key of your account first." in said(running)
        assert running.app.focused is running.app.screen.query_one("#key")
        assert library.asked == []


async def test_a_key_that_is_not_let_in_says_why_and_the_fields_stay(open_app: Open) -> None:
    library = FakeSyncing()
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await asks(running)
        fill(running, url=fake.URL, key="zv_live_another0123456789")
        await running.press("enter")
        await answered(running, "does not let this key in")
        assert "Try another." in said(running)
        field = running.app.screen.query_one("#key", Field)
        assert field.typed == "zv_live_another0123456789" and not field.disabled


async def test_without_a_keyring_typing_a_passphrase_twice_is_consent(open_app: Open) -> None:
    library = FakeSyncing(place="file")
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await asks(running)
        assert not running.app.screen.query_one("#line-passphrase").display
        fill(running, url=fake.URL, key=fake.KEY)
        await running.press("enter")
        await answered(running, "encrypted file")
        assert running.app.focused is running.app.screen.query_one("#passphrase")
        assert said(running).count(f"at least {passphrase.LEAST_PASSPHRASE} characters") == 2
        await running.press("enter")
        assert "Type a passphrase that opens the file" in said(running)
        fill(running, passphrase=fake.PASSPHRASE, repeated="another")
        await running.press("ctrl+s")
        assert "The two passphrases are not the same." in said(running)
        assert [each[2] for each in library.given] == [None]
        fill(running, passphrase="weak", repeated="weak")
        await running.press("ctrl+s")
        await answered(running, "at least 12 characters")
        fill(running, passphrase=fake.PASSPHRASE, repeated=fake.PASSPHRASE)
        await running.press("ctrl+s")
        await gone(running)
        assert library.given[-1] == (fake.URL, fake.KEY, fake.PASSPHRASE)


async def test_the_key_is_in_no_draft_clipboard_or_text(open_app: Open) -> None:
    library = FakeSyncing()
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await asks(running)
        fill(running, url=fake.URL, key=fake.KEY)
        field = running.app.screen.query_one("#key", Secret)
        field.focus()
        await running.press("ctrl+a", "ctrl+c", "ctrl+x")
        assert running.app.clipboard == "" and field.typed == fake.KEY
        await running.press("escape")
        assert running.at_library
        await asks(running)
        assert running.app.screen.query_one("#key", Field).typed == ""
        await running.press("escape")
        assert fake.KEY not in running.text and not any(
            fake.KEY in note for note in running.toasts()
        )
        drafts = await running.ask(lambda engine: engine.library.drafted())
        assert not drafts
    for file in running.path.parent.rglob("*"):
        if file.is_file():
            assert fake.KEY.encode() not in file.read_bytes()


async def test_at_a_later_start_the_passphrase_opens_the_key(open_app: Open) -> None:
    background = FakeBackground(doing=State.SIGNED_OUT, words="The key is in account.key.")
    library = FakeSyncing(fake.ACCOUNT, locked=True)
    async with open_app(one_fact, sync=synchroniser(library, background)) as running:
        assert running.text.splitlines()[0].endswith("▲ key needed")
        assert any("c goes on from there" in note for note in running.toasts())
        await running.press("s")
        await running.until(lambda: isinstance(running.app.screen, UnlockScreen))
        await running.type("wrong")
        await running.press("enter")
        await answered(running, "does not open it")
        fill(running, passphrase=fake.PASSPHRASE)
        await running.press("enter")
        await gone(running)
        assert not library.locked and background.wanted == [()]


async def test_signing_out_asks_first_and_memories_stay(open_app: Open) -> None:
    library = FakeSyncing(fake.ACCOUNT, left=("The keyring may have the key still.",),
                          queue=[fake.to_send()])  # fmt: skip
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await asks(running)
        await running.type("sign out")
        await running.press("enter")
        assert isinstance(running.app.screen, AskScreen)
        assert "Memories stay here, and what the server has stays there." in said(running)
        assert "1 change was not sent yet" in said(running)
        await running.press("enter")
        assert library.account is not None
        await asks(running)
        await running.type("forget")
        await running.press("enter", "tab", "enter")
        await running.until(lambda: len(running.toasts()) == 2)
        assert library.account is None and library.dropped
        assert "Signed out. Memories stay, here and on the server." in running.toasts()
        assert "The keyring may have the key still." in running.toasts()
        await running.looked()
        assert running.text.splitlines()[0].endswith("local only")
        assert "Prefers tea." in running.text


async def test_what_each_choice_means_is_read_in_a_narrow_window(open_app: Open) -> None:
    library = FakeSyncing(fake.ACCOUNT)
    async with open_app(one_fact, sync=synchroniser(library), size=(60, 20)) as running:
        await asks(running)
        for words in ("sign in again another key or server",
                      "sign out memories stay, here and there",
                      "sign out, forget what is known of it goes too"):  # fmt: skip
            assert words in said(running)


async def test_an_answer_that_comes_after_leaving_the_screen_is_told(open_app: Open) -> None:
    asked, go_on = threading.Event(), threading.Event()

    class Late(FakeSyncing):
        def sign_in(self, url: str, key: str, *, passphrase: str | None = None) -> NotDone:
            asked.set()
            go_on.wait()
            return NotDone("offline", "memory.example.com does not answer.", "Check the network.")

    library = Late()
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        try:
            await asks(running)
            fill(running, url=fake.URL, key=fake.KEY)
            await running.press("ctrl+s")
            await running.until(asked.is_set)
            await running.press("escape")
            assert running.at_library
        finally:
            go_on.set()
        await running.until(lambda: any("does not answer" in note for note in running.toasts()))


async def test_the_first_start_offers_what_a_server_has(open_app: Open) -> None:
    library = FakeSyncing()
    async with open_app(first_start=True, sync=synchroniser(library)) as running:
        assert isinstance(running.app.screen, WelcomeScreen)
        assert "From a server" in running.text
        await running.press("up", "enter")
        await running.until(lambda: isinstance(running.app.screen, SignInScreen))
        await running.press("escape")
        assert running.at_library


@pytest.mark.parametrize("size", SIZES)
async def test_the_first_start_fits_with_a_server_among_the_ways(
    open_app: Open, size: tuple[int, int]
) -> None:
    async with open_app(first_start=True, sync=synchroniser(FakeSyncing()), size=size) as running:
        assert screen.overflowing(running.app) == []
        for words in ("Start empty", "Try the demo", "Bring memories", "From a server"):
            assert words in running.text


async def test_the_settings_lead_to_the_account(open_app: Open, tmp_path: Path) -> None:
    made = FakeSynchroniser(FakeSyncing(fake.ACCOUNT), FakeBackground())
    async with open_app(one_fact, settings=tmp_path / "config.toml", sync=made) as running:
        await running.press("comma", "G")
        assert "account  memory.example.com" in running.text
        await running.press("enter")
        await answered(running, "sign out")
        await running.press("escape")
        assert "account  memory.example.com" in running.text


@pytest.mark.parametrize("size", SIZES)
async def test_hostile_words_of_a_server_are_text(open_app: Open, size: tuple[int, int]) -> None:
    library = FakeSyncing()
    async with open_app(one_fact, sync=synchroniser(library), size=size) as running:
        await asks(running)
        for value in HOSTILE[:6]:
            library.signs = NotDone("refused", value[:500], value[:200])
            fill(running, url=f"{fake.URL}/{value[:40]}", key=value[:100])
            asked = len(library.given)
            await running.press("ctrl+s")
            await running.until(lambda before=asked: len(library.given) > before)  # type: ignore[misc]
            await running.settle()
            assert screen.wrong(running.app) == []
