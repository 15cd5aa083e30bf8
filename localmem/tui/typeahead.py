"""Keys in the order they were typed, each to what has the focus when its turn comes.

A terminal hands over a burst (a stalled connection, a paste, a fast hand) faster than a key has
its effect; the framework aims all of it at what had the focus before the first. So one key is
under way at a time, and the rest wait: for the key before, and for a screen that is about to
open. Refuses to answer a question with what was typed before it was asked, also with a no: of that
only a wish to leave the app still holds.
"""

from __future__ import annotations

from collections import deque

from textual import events
from textual.app import App
from textual.message import Message
from textual.widget import Widget

from localmem.tui.screens.base import Screenful

MOST_WAITING = 4_096
"""Keys; what comes while so many wait is let go."""


class InOrder(App[None]):
    """An app that gives each key to the widget that the key before it led to."""

    class Landed(Message):
        """Follows a key on its way up, twice: then the key has had its effect, and so have the
        messages that it led to, such as a choice that was made."""

        def __init__(self, *, again: bool) -> None:
            super().__init__()
            self.again = again

    def __init__(self) -> None:
        super().__init__()
        self._waiting: deque[events.Key | events.Paste] = deque()
        self._aimed_at: Widget | None = None
        """What the key under way was given to."""

    @property
    def takes_keys(self) -> bool:
        """Whether a key pressed now would be the next to have its effect, on what is seen."""
        return not self._waiting and self._is_free()

    def leaves(self, key: events.Key) -> bool:
        """Whether this key leaves the app from anywhere, so that it answers no question."""
        return False

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            if len(self._waiting) < MOST_WAITING:
                self._waiting.append(event)
            await self._hand_on()
        else:
            await super().on_event(event)

    async def on_in_order_landed(self, landed: Landed) -> None:
        landed.stop()
        target = self._aimed_at
        if landed.again and target is not None and target.post_message(self.Landed(again=False)):
            return
        self._aimed_at = None
        await self._hand_on()

    async def on_screenful_ready(self, ready: Screenful.Ready) -> None:
        """A screen is open, or does not open after all: what was typed meanwhile goes to it."""
        ready.stop()
        if not ready.typed_ahead:
            kept = [each for each in self._waiting if self._is_to_leave(each)]
            self._waiting = deque(kept)
            ready.screen.met()
        await self._hand_on()

    async def _hand_on(self) -> None:
        while self._waiting and self._is_free():
            event = self._waiting.popleft()
            target = self.focused or self.screen
            if isinstance(event, events.Paste) and not _is_field(target):
                self.notify("A paste goes into a field; none has the focus here.", markup=False)
                continue
            self._aimed_at = target
            await super().on_event(event)
            if not target.post_message(self.Landed(again=True)):
                self._aimed_at = None

    def _is_to_leave(self, event: events.Key | events.Paste) -> bool:
        return isinstance(event, events.Key) and self.leaves(event)

    def _is_free(self) -> bool:
        under_way = self._aimed_at
        # A screen that closes may take the mark of the key that closed it along.
        if under_way is not None and under_way.is_attached and under_way.is_running:
            return False
        screen = self.screen
        return not isinstance(screen, Screenful) or screen.takes_keys


def _is_field(target: object) -> bool:
    from textual.widgets import Input, TextArea  # the first rows have no field of many lines

    return isinstance(target, Input | TextArea)
