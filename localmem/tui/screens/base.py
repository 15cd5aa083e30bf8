"""What all screens share: the desk, the footer of the focused place, work that is contained."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, ParamSpec, TypeVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.message import Message
from textual.screen import ModalScreen, Screen

from localmem.core.model import ItemId
from localmem.tui.actions import Place
from localmem.tui.desk import Desk, contained, say, start
from localmem.tui.errors import Severity
from localmem.tui.screens.fault import STYLES
from localmem.tui.widgets.chrome import Footer, TooSmall
from localmem.tui.widgets.panes import TWO_FROM

T = TypeVar("T")
P = ParamSpec("P")
Job = Callable[P, Coroutine[Any, Any, None]]


class Screenful(Screen[T]):
    """A screen of localmem; `places` says where the person is on it."""

    CSS_PATH = STYLES

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (TWO_FROM, "-wide")]  # noqa: RUF012
    places: tuple[Place, ...] = ()
    asks = False
    """Whether it decides something, though not every screen of its places does."""

    class Ready(Message):
        """Keys may come: this screen is open, or what it was about to open does not open.

        Nothing typed ahead is meant for a question that nobody had read yet.
        """

        def __init__(self, screen: Screenful[Any], *, typed_ahead: bool) -> None:
            super().__init__()
            self.screen = screen
            self.typed_ahead = typed_ahead

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self._opening: object = None
        """The job that is to open or close a screen, while keys wait for it."""
        self._barred = False
        """Whether nothing else may be done meanwhile."""
        self._resumed = self._seen = self._unmet = False
        self._dismissed = False

    @property
    def takes_keys(self) -> bool:
        """Whether a key pressed now would meet what the person sees."""
        here = self._resumed and not self._unmet
        return here and self._opening is None and not self._dismissed

    def met(self) -> None:
        """What was typed before this screen was seen is gone: what comes now is meant for it."""
        self._unmet = False

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Close this screen, once, and only while it is on top: two jobs may both come to that.

        A second one would close whatever lies beneath.
        """
        if self._dismissed or not self.is_current:
            return AwaitComplete()
        self._dismissed = True
        return super().dismiss(result)

    def contained(self) -> AbstractContextManager[None]:
        return contained(self.app)

    def say(self, text: str, severity: Severity = "information") -> None:
        say(self.app, text, severity)

    def work(
        self,
        group: str,
        job: Callable[P, Coroutine[Any, Any, None]],
        *args: P.args,
        **more: P.kwargs,
    ) -> None:
        """Run `job` beside the loop's other business, in place of what the group was doing."""
        start(self, group, partial(job, *args, **more), replace=True)

    def finish(
        self,
        group: str,
        job: Callable[P, Coroutine[Any, Any, None]],
        *args: P.args,
        **more: P.kwargs,
    ) -> None:
        """As `work`, but what the group was doing goes on to its end."""
        start(self, group, partial(job, *args, **more), replace=False)

    def begin(self, job: Job[P], *args: P.args, **more: P.kwargs) -> None:
        """Run a job that opens another screen or closes this one; keys typed ahead wait for it."""
        self._barred = True
        self._begin(partial(job, *args, **more))

    def begin_unasked(self, job: Job[[]]) -> None:
        """As `begin`, for what no key asked for: a key that is under way still has its effect."""
        self._barred = False
        self._begin(job)

    def _begin(self, job: Job[[]]) -> None:
        mine = object()

        async def run() -> None:
            try:
                await job()
            finally:
                if self._opening is mine:
                    self.opened()

        self._opening = mine
        start(self, "deed", run, replace=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._opening is None or not self._barred or action == "back"

    def opened(self) -> None:
        """The last screen that a job opens is there: the rest of it keeps no key waiting."""
        self._opening = None
        self.post_message(self.Ready(self, typed_ahead=True))

    def on_screen_suspend(self) -> None:
        self._resumed = False

    def on_screen_resume(self) -> None:
        self.call_later(self._take_keys)

    def _take_keys(self) -> None:
        """The focus has found its place."""
        first, self._resumed = not self._seen, True
        self._seen = True
        self._unmet = self._unmet or (first and self.decides)
        self.post_message(self.Ready(self, typed_ahead=not self._unmet))

    @property
    def decides(self) -> bool:
        """Whether a key here could decide what the person has not read yet."""
        return self.asks or any(place.decides for place in self.places)

    def here(self) -> tuple[Place, ...]:
        """Where the person is, the focused widget first."""
        place = getattr(self.focused, "place", None)
        return (place, *self.places) if place is not None else self.places

    def sync_moved(self) -> None:
        """How the library stands to its account is something else than before."""

    async def before_leaving(self) -> None:
        """The app is about to end: keep what must not be lost."""

    def show_keys(self) -> None:
        for footer in self.query(Footer):
            footer.show(self.desk.keys.in_footer(self.here()))

    def on_descendant_focus(self) -> None:
        self.show_keys()

    def on_mount(self) -> None:
        self.show_keys()

    def on_resize(self, event: events.Resize) -> None:
        for note in self.query(TooSmall):
            note.fit(event.size.width, event.size.height)

    def action_next_field(self) -> None:
        self.focus_next()

    def action_previous_field(self) -> None:
        self.focus_previous()

    def action_help(self) -> None:
        from localmem.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.desk, self.here()))

    def copy(self, text: str, *, id: ItemId | None = None) -> None:
        """Copy, and never claim more than happened (FR-82); `id` is what `show` would print."""
        from localmem.tui.copying import start_copying

        way_on = f"`localmem show {id}` prints it" if id is not None else ""
        start_copying(self.app, self.desk, text, way_on=way_on)


class OverScreen(Screenful[T], ModalScreen[T]):
    """A question over what it is about."""
