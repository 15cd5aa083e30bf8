"""The account: signing in with an address and a key, opening the key's file, signing out.

The key and the passphrase are drawn as dots, go into no draft, clipboard or report, and leave their
fields when they were used. Refuses to keep a key in a file without a passphrase, which is consent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from localmem.core.syncing import NotDone, SignedIn, State, Status, Synchronising, Syncing
from localmem.core.visible import visible
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk, contained, say, start
from localmem.tui.present import ink
from localmem.tui.present.words import count
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.base import OverScreen, Screenful
from localmem.tui.screens.choose import Choice, ChooseScreen
from localmem.tui.synchronising import beside
from localmem.tui.widgets.chrome import Footer
from localmem.tui.widgets.fields import Field

if TYPE_CHECKING:
    from localmem.tui.app import LocalmemApp

T = TypeVar("T")

_KEY_MOST = 1_024
"""Characters of a key or a passphrase."""
LEAST_PASSPHRASE = 12
"""Said before it is typed. What keeps the key holds to it; a test asserts that both are the same.
"""
_WHERE = {
    "keyring": "The key is in your keyring.",
    "file": "The key is in a file that your passphrase opens.",
    "environment": "The key comes from the environment.",
}


async def open_account(screen: Screenful[Any]) -> None:
    """Sign in where nobody is; else ask what is wanted of the account."""
    sync = screen.desk.sync
    if sync is None:
        screen.say(
            "The demo keeps nothing, so there is nothing to keep in step. Sign in from your own "
            "library." if screen.desk.demo else "No file holds this library, so it stays here."
        )  # fmt: skip
        return
    status = await beside(sync, lambda syncing: syncing.status())
    if status.account is None:
        await screen.app.push_screen_wait(SignInScreen(screen.desk, sync, _known_url(screen.desk)))
    elif screen.desk.seen.keyless and await _is_locked(sync):
        await screen.app.push_screen_wait(UnlockScreen(screen.desk, sync))
    elif screen.desk.seen.keyless or status.state is State.SIGNED_OUT:
        await screen.app.push_screen_wait(SignInScreen(screen.desk, sync, status.account.url))
    else:
        await _choose(screen, sync, status)


def _known_url(desk: Desk) -> str:
    """The address that the settings name."""
    return str(desk.book.value("account.url") or "") if desk.book is not None else ""


async def _is_locked(sync: Synchronising) -> bool:
    """Whether a passphrase would open the key: an empty one never does."""
    found = await beside(sync, lambda syncing: syncing.unlock(""))
    return found is not None and found.wants_passphrase


_AGAIN, _OUT, _FORGET = "again", "out", "forget"


async def _choose(screen: Screenful[Any], sync: Synchronising, status: Status) -> None:
    assert status.account is not None
    label = visible(status.account.label)
    choices = [
        Choice("sign in again", _AGAIN, "another key or server"),
        Choice("sign out", _OUT, "memories stay, here and there"),
        Choice("sign out, forget", _FORGET, "what is known of it goes too"),
    ]
    chosen = await screen.app.push_screen_wait(ChooseScreen(screen.desk, label, choices))
    if chosen == _AGAIN:
        again = SignInScreen(screen.desk, sync, status.account.url)
        await screen.app.push_screen_wait(again)
    elif chosen in (_OUT, _FORGET):
        await _sign_out(screen, sync, status, drop=chosen == _FORGET)


async def _sign_out(
    screen: Screenful[Any], sync: Synchronising, status: Status, *, drop: bool
) -> None:
    question = AskScreen(
        screen.desk, "Sign out?", _leaving(status, drop=drop), yes="Sign out", no="Stay"
    )
    if not await screen.app.push_screen_wait(question):
        return
    left = await beside(sync, lambda syncing: syncing.sign_out(drop=drop))
    if isinstance(left, NotDone):
        screen.say(f"{left.message} {left.hint}".strip(), "warning")
    else:
        screen.say("Signed out. Memories stay, here and on the server.")
        for sentence in left:
            screen.say(sentence, "warning")
    _app(screen).look_at_sync()


def _leaving(status: Status, *, drop: bool) -> Content:
    assert status.account is not None
    lines = [
        f"The key of {visible(status.account.label)} is removed from this machine.",
        "Memories stay here, and what the server has stays there.",
    ]
    if status.waiting:
        were = count(status.waiting, "change was", "changes were")
        lines.append(f"{were} not sent yet: what is new stays on this machine alone.")
    if drop:
        lines.append("What is known of the account goes too: signing in again compares everything.")
    else:
        lines.append("What is known of the account stays, so signing in again goes on from there.")
    return Content("\n\n".join(lines))


def _app(screen: Screenful[Any]) -> LocalmemApp:
    return cast("LocalmemApp", screen.app)


class _Typed(Field):
    place = Place.ACCOUNT


class Secret(_Typed):
    """Drawn as dots; nothing takes it out again."""

    def __init__(self, *, id: str, placeholder: str = "") -> None:
        super().__init__(id=id, placeholder=placeholder, password=True, most=_KEY_MOST)

    def take_in(self, pasted: str) -> str:
        return super().take_in(pasted.strip())

    def action_copy(self) -> None:
        self.app.notify("What is typed here is not copied.", markup=False)

    def action_cut(self) -> None:
        self.action_copy()


class _KeyScreen(OverScreen[bool]):
    """Fields, a line that says how it goes, and work that goes on when the screen is left.

    Dismisses with whether it was done.
    """

    BINDINGS = bindings(Place.ACCOUNT)
    places = (Place.ACCOUNT,)
    title_text = ""

    def __init__(self, desk: Desk, sync: Synchronising) -> None:
        super().__init__(desk)
        self._sync = sync
        self._busy = False

    def on_mount(self) -> None:
        super().on_mount()
        self.tell(self.invitation())

    def invitation(self) -> Content:
        """What stands below the fields before anything was tried."""
        raise NotImplementedError

    async def go_on(self) -> None:
        """Do it, as a job of the app: it goes on when the screen is left."""
        raise NotImplementedError

    def tell(self, text: Content) -> None:
        if self.is_attached:
            self.query_one("#account-said", Static).update(text)

    def refuse(self, done: NotDone) -> None:
        said = f"{visible(done.message)} {visible(done.hint)}".strip()
        if self.is_attached and self.is_current:
            self.tell(Content.assemble(("▲ ", ink.BAD), (said, ink.STRONG)))
        else:
            say(self.app, said, "warning")

    def typed(self, id: str) -> str:
        return self.query_one(f"#{id}", Field).typed

    def clear_secrets(self) -> None:
        for field in self.query(Secret):
            field.value = ""

    @on(Input.Submitted)
    def action_save(self) -> None:
        if not self._busy:
            self._busy = True
            start(self.app, "account", self._go_on, replace=False)

    async def _go_on(self) -> None:
        try:
            with contained(self.app):
                await self.go_on()
        finally:
            self._busy = False

    def take_typing(self, taken: bool) -> None:
        """While the answer is waited for nothing is typed: it might be meant for another field."""
        for field in self.query(_Typed):
            field.disabled = not taken

    async def ask(self, work: Callable[[Syncing], T]) -> T:
        """Run what waits for the network; afterwards the focus is where it was."""
        focused = self.focused
        self.take_typing(False)
        try:
            return await beside(self._sync, work)
        finally:
            self.take_typing(True)
            if focused is not None and self.is_attached:
                focused.focus()

    def action_back(self) -> None:
        self.clear_secrets()
        self.dismiss(False)

    def line(self, name: str, field: Field, id: str = "") -> Horizontal:
        named = Static(Content.styled(name, ink.DIM), classes="name", markup=False)
        return Horizontal(named, field, classes="line", id=id or None)


class SignInScreen(_KeyScreen):
    """An address and a key; and a passphrase, where no keyring keeps the key."""

    def __init__(self, desk: Desk, sync: Synchronising, url: str) -> None:
        super().__init__(desk, sync)
        self._url = url
        self._wants_passphrase = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="box account") as box:
            box.border_title = Content("Sign in")
            yield self.line(
                "server", _Typed(self._url, id="url", placeholder="https://memory.example.com")
            )
            yield self.line("key", Secret(id="key", placeholder="the account's key"))
            least = f"at least {LEAST_PASSPHRASE} characters"
            yield self.line(
                "passphrase", Secret(id="passphrase", placeholder=least), id="line-passphrase"
            )
            yield self.line("once more", Secret(id="repeated"), id="line-repeated")
            yield Static(id="account-said", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        super().on_mount()
        self._show_passphrase(wanted=False)
        self.query_one("#key" if self._url else "#url").focus()

    def _show_passphrase(self, *, wanted: bool) -> None:
        self._wants_passphrase = wanted
        for name in ("passphrase", "repeated"):
            self.query_one(f"#line-{name}").display = wanted

    def invitation(self) -> Content:
        return Content.styled(
            "The key goes to your keyring and to that server, and nowhere else. Nothing is sent "
            "before you sign in.",
            ink.DIM,
        )

    async def go_on(self) -> None:
        url, key = self.typed("url").strip(), self.typed("key")
        missing = "url" if not url else "key" if not key else ""
        if missing:
            self.query_one(f"#{missing}").focus()
            what = "the address of the server" if missing == "url" else "the key of your account"
            self.refuse(NotDone("missing", f"Type {what} first."))
            return
        passphrase = self._passphrase()
        if isinstance(passphrase, NotDone):
            self.refuse(passphrase)
            return
        back = self.desk.keys.label("back")
        self.tell(Content.assemble(
            ("↻ ", ink.NAME), "Asking the server … ",
            (f"{back} goes back; it is told when it is done.", ink.DIM),
        ))  # fmt: skip
        done = await self.ask(lambda syncing: syncing.sign_in(url, key, passphrase=passphrase))
        if isinstance(done, NotDone):
            self._not_done(done)
        else:
            self._done(done)

    def _passphrase(self) -> str | NotDone | None:
        """What keeps the key in a file; None while a keyring is tried."""
        if not self._wants_passphrase:
            return None
        typed = self.typed("passphrase")
        if not typed:
            self.query_one("#passphrase").focus()
            return NotDone("missing", "Type a passphrase that opens the file, or go back.")
        if typed != self.typed("repeated"):
            self.query_one("#repeated").focus()
            return NotDone("missing", "The two passphrases are not the same.")
        return typed

    def _not_done(self, done: NotDone) -> None:
        if done.wants_passphrase and self.is_attached and not self._wants_passphrase:
            self._show_passphrase(wanted=True)
            self.query_one("#passphrase").focus()
            self.tell(Content.assemble(
                ("▲ ", ink.ALERT), (visible(done.message), ink.STRONG),
                " It can be kept in an encrypted file beside your library instead. Typing a "
                f"passphrase for it, of at least {LEAST_PASSPHRASE} characters, says yes; it is "
                "asked for at each start.",
            ))  # fmt: skip
            return
        self.refuse(done)

    def _done(self, done: SignedIn) -> None:
        if self.is_attached:
            self.clear_secrets()
        label = visible(done.account.label)
        first = " The first run compares both sides." if done.first else ""
        say(self.app, f"Signed in to {label}. {_WHERE.get(done.where, '')}{first}")
        for warning in done.warnings:
            say(self.app, warning, "warning")
        _signed_in(self)


class UnlockScreen(_KeyScreen):
    """The passphrase of the file that keeps the key."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="box account") as box:
            box.border_title = Content("Open the key's file")
            yield self.line("passphrase", Secret(id="passphrase"))
            yield Static(id="account-said", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#passphrase").focus()

    def invitation(self) -> Content:
        return Content.styled(
            "The account's key is in a file that your passphrase opens. It stays open until you "
            "leave localmem.",
            ink.DIM,
        )

    async def go_on(self) -> None:
        typed = self.typed("passphrase")
        if not typed:
            self.refuse(NotDone("missing", "Type the passphrase first."))
            return
        self.tell(Content.assemble(("↻ ", ink.NAME), "Opening it …"))
        problem = await self.ask(lambda syncing: syncing.unlock(typed))
        if problem is not None:
            if self.is_attached:
                self.clear_secrets()
            self.refuse(problem)
            return
        say(self.app, "The key is open; synchronising.")
        _signed_in(self)


def _signed_in(screen: _KeyScreen) -> None:
    """Run at once, show how it stands, close the screen."""
    app = _app(screen)
    app.keeper.now()
    app.look_at_sync()
    if screen.is_attached:
        screen.dismiss(True)
